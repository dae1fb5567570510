/* SPDX-License-Identifier: MIT */
#include "kernels/measured.h"

#include "stats/series.h"
#include "util/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *td_kernel_way_name(enum td_kernel_way way)
{
    static const char *const names[TD_KERNEL_WAYS] = {"task", "cpu", "rdpmc", "msr"};

    return names[way];
}

const char *td_kernel_status_name(enum td_kernel_status status)
{
    static const char *const names[] = {"ok", "skipped", "unexpected", "off"};

    return names[status];
}

/* ---- taking -------------------------------------------------------------------------- */

static struct td_kernel_share share_of(const struct td_metric *m)
{
    return (struct td_kernel_share){m->name, m->value, m->low, m->high};
}

static bool is_top(const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP;
}

static double slots_of(const struct td_result *r)
{
    double total[TD_TOTALS];

    td_totals_of(r, total);
    return total[TD_TOTAL_SLOTS];
}

void td_measured_take(struct td_kernel_measured *to, const struct td_kernel *k, const struct td_result *r)
{
    to->done = true;
    to->slots = slots_of(r);
    if (to->slots == 0) {
        to->broken = true;
        snprintf(to->why, sizeof(to->why), "the kernel ran, and no slots were counted");
    }
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (is_top(m) && (m->status == TD_IMPOSSIBLE || m->flags & TD_FLAG_SUM_OFF)) {
            to->broken = true;
            snprintf(to->why, sizeof(to->why), "%s",
                     m->status == TD_IMPOSSIBLE && m->why ? m->why : "level 1 does not add up to the slots");
        }
        /* of a thread alone, on cores whose threads share their slots, nothing follows */
        if (m->status != TD_OK || (m->flags | td_result_flags(r)) & TD_FLAG_SMT_UNKNOWN) {
            if (is_top(m) && !*to->why)
                snprintf(to->why, sizeof(to->why), "%s has no value that can be judged: %s", m->name,
                         m->status == TD_OK ? td_flag_name(TD_FLAG_SMT_UNKNOWN) : td_status_name(m->status));
            continue;
        }
        if (is_top(m) && to->n < TD_KERNEL_LEVEL1)
            to->level1[to->n++] = share_of(m);
        for (size_t range = 0; range < TD_KERNEL_RANGES && k->range[range].node; range++)
            if (td_words_have(k->range[range].node, m->name, strlen(m->name), strncmp))
                to->range[range] = share_of(m);
    }
}

/* ---- judging ------------------------------------------------------------------------- */

/* The most that a share may be: its value, where there are no bounds. */
static double most(const struct td_kernel_share *s)
{
    return isnan(s->high) ? s->value : s->high;
}

static double least(const struct td_kernel_share *s)
{
    return isnan(s->low) ? s->value : s->low;
}

/* Whether two ways disagree about a node. They are of two runs, each with the start of a program, some ms of 200: that
 * can be 5 points. A CPU is counted with all that runs on it, and is comparable where that was hardly more: a twentieth
 * can be another 5 points. */
static bool disagree(const struct td_kernel_measured *a, const struct td_kernel_measured *b, char text[TD_KERNEL_TEXT],
                     const char *of, const char *other)
{
    static const double apart = 0.1;

    if (!a->done || !b->done || !(fabs(a->slots - b->slots) <= a->slots / 20))
        return false;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++) {
            const struct td_kernel_share *x = &a->level1[i], *y = &b->level1[k];

            if (strcmp(x->name, y->name) != 0 || (least(x) <= most(y) + apart && least(y) <= most(x) + apart))
                continue;
            snprintf(text, TD_KERNEL_TEXT, "%s is %.1f %% by %s and %.1f %% by %s", x->name, 100 * x->value, of,
                     100 * y->value, other);
            return true;
        }
    return false;
}

/* Whether a share is not in its range, by more than its bounds and by more than this. */
static bool is_below(const struct td_kernel_share *s, double limit, double more)
{
    return fmin(most(s), s->value + more) < limit;
}

static bool is_above(const struct td_kernel_share *s, double limit, double more)
{
    return fmax(least(s), s->value - more) > limit;
}

/* Of a share of all slots, that of those which the core's other thread left: AMD's CPUs count what it took as a node.
 */
static struct td_kernel_share own_share(const struct td_kernel_measured *m, const struct td_kernel_share *of)
{
    struct td_kernel_share own = *of;

    for (size_t i = 0; i < m->n; i++)
        if (!strcmp(m->level1[i].name, "smt_contention") && most(&m->level1[i]) < 1) {
            own.value /= 1 - m->level1[i].value;
            own.low /= 1 - least(&m->level1[i]);
            own.high /= 1 - most(&m->level1[i]);
        }
    return own;
}

/* The first range that a way misses, beyond its bounds. A kernel does the same all the time: what its counters did not
 * see, where events take turns, is like what they saw, but for the turns in which it began and ended, 2 of the 50 that
 * it takes by default. Bounds allow anything there, and count for no more than that. */
static bool misses(const struct td_kernel *k, const struct td_kernel_measured *m, char text[TD_KERNEL_TEXT])
{
    static const double turns = 0.04;

    for (size_t i = 0; m->done && i < TD_KERNEL_RANGES && k->range[i].node; i++) {
        const struct td_kernel_range *want = &k->range[i];
        const struct td_kernel_share is = own_share(m, &m->range[i]);
        const bool below = is.name && is_below(&is, want->least, turns);

        if (below || (is.name && want->most > 0 && is_above(&is, want->most, turns))) {
            snprintf(text, TD_KERNEL_TEXT, "%s is %.1f %%, not %.0f %% or %s", is.name, 100 * is.value,
                     100 * (below ? want->least : want->most), below ? "more" : "less");
            return true;
        }
    }
    return false;
}

enum td_kernel_status td_kernel_judge(const struct td_kernel *k, const struct td_kernel_measured of[TD_KERNEL_WAYS],
                                      char text[TD_KERNEL_TEXT])
{
    bool any = false;

    *text = '\0';
    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++) {
        any = any || of[way].n;
        if (of[way].broken) {
            snprintf(text, TD_KERNEL_TEXT, "%s", of[way].why);
            return TD_KERNEL_OFF;
        }
    }
    for (enum td_kernel_way a = 0; a < TD_KERNEL_WAYS; a++)
        for (enum td_kernel_way b = a + 1; b < TD_KERNEL_WAYS; b++)
            if (disagree(&of[a], &of[b], text, td_kernel_way_name(a), td_kernel_way_name(b)))
                return TD_KERNEL_OFF;
    for (enum td_kernel_way way = 0; way < TD_KERNEL_WAYS; way++)
        if (misses(k, &of[way], text))
            return TD_KERNEL_UNEXPECTED;
    if (!any)
        snprintf(text, TD_KERNEL_TEXT, "%s", of[TD_KERNEL_BY_TASK].why);
    return any ? TD_KERNEL_OK : TD_KERNEL_SKIPPED;
}
