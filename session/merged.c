/* SPDX-License-Identifier: MIT */
#include "session/merged.h"

#include "util/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_number(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

void td_merged_free(struct td_merged *m)
{
    for (size_t i = 0; i < m->n; i++)
        td_text_buffer_free(&m->event[i]);
    free(m->event);
    td_text_buffer_free(&m->formula);
}

/* Appends more after a separator to what is in the buffer already, or still elsewhere. */
static int join(const char **all, const char *more, struct td_text_buffer *text)
{
    int err = 0;

    if (*all != text->at) {
        err = td_text_buffer_clear(text);
        err = err ? err : td_text_buffer_add(text, "%s", *all);
    }
    err = err ? err : td_text_buffer_add(text, "|%s", more);
    *all = err ? *all : text->at;
    return err;
}

/* Joins the events for lack of which a metric is absent on each CPU: "A|B". */
static int merge_reasons(struct td_metric *m, const struct td_metric *other, struct td_text_buffer *text)
{
    if (m->status != other->status && other->status == TD_MISSING_EVENT) {
        m->status = other->status;
        m->event = other->event;
    }
    if (m->status != other->status || !m->event || !other->event || strstr(m->event, other->event))
        return 0;
    return join(&m->event, other->event, text);
}

/* Slots as another CPU has them show something only where no CPU that fits has so many. */
static unsigned merged_flags(unsigned flags, unsigned others)
{
    return (flags | others) & ~(TD_FLAG_OTHER_WIDTH & ~(flags & others));
}

/* Keeps what is true of both CPUs. */
static void merge_bounds(struct td_metric *m, const struct td_metric *other)
{
    if (m->bounds == TD_BOUNDS_NONE || other->bounds == TD_BOUNDS_NONE) {
        m->bounds = TD_BOUNDS_NONE;
        m->low = m->high = (double)NAN;
        return;
    }
    m->bounds = other->bounds == TD_BOUNDS_LIKELY ? other->bounds : m->bounds;
    m->low = fmin(m->low, other->low);
    m->high = fmax(m->high, other->high);
}

static bool same_answer(const struct td_metric *m, const struct td_metric *other)
{
    if (strcmp(m->name, other->name) || (m->status == TD_OK) != (other->status == TD_OK))
        return false;
    if (m->status == TD_OK)
        return same_number(m->value, other->value);
    return m->status != TD_IMPOSSIBLE || same_number(m->raw, other->raw);
}

int td_merge(struct td_result *r, const struct td_result *other, struct td_merged *merged, const char **differ)
{
    int err = td_room_zeroed(&merged->event, &merged->n, r->nmetrics, sizeof(*merged->event));

    *differ = NULL;
    for (size_t i = 0; i < r->nmetrics && i < other->nmetrics && !err; i++) {
        struct td_metric *m = &r->metrics[i];

        if (!same_answer(m, &other->metrics[i])) {
            *differ = m->name;
            return 0;
        }
        if (m->status == TD_OK) {
            merge_bounds(m, &other->metrics[i]);
            m->flags = merged_flags(m->flags, other->metrics[i].flags);
        } else {
            err = merge_reasons(m, &other->metrics[i], &merged->event[i]);
        }
    }
    if (!err && !strstr(r->formula, other->formula))
        err = join(&r->formula, other->formula, &merged->formula);
    r->flags = merged_flags(r->flags, other->flags);
    r->common = merged_flags(r->common, other->common);
    if (r->nmetrics != other->nmetrics)
        *differ = r->metrics[r->nmetrics - 1].name;
    return err;
}
