/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void td_counts_free(struct td_counts *k)
{
    free(k->c);
    *k = (struct td_counts){0};
}

static bool same_copy(const struct td_count *a, const struct td_count *b)
{
    return a->text == b->text && a->event == b->event && a->group == b->group && a->modes == b->modes;
}

static struct td_count *find_copy(const struct td_counts *k, const struct td_count *like)
{
    for (size_t i = 0; i < k->n; i++)
        if (same_copy(&k->c[i], like))
            return &k->c[i];
    return NULL;
}

int td_counts_append(struct td_counts *k, const struct td_count *c)
{
    if (k->n == TD_COUNTS_MAX)
        return -E2BIG;
    if (k->n == k->room) {
        size_t room = k->room ? 2 * k->room : 4; /* there may be thousands of scopes */
        struct td_count *grown = realloc(k->c, room * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        k->c = grown;
        k->room = room;
    }
    k->c[k->n++] = *c;
    return 0;
}

static void count_add(struct td_count *sum, const struct td_count *c)
{
    if (c->status == TD_OK || c->status == TD_NOT_COUNTED) {
        sum->enabled += c->enabled;
        sum->running += c->running;
    }
    if (c->status != TD_OK)
        return;
    sum->intervals++;
    if (sum->status != TD_OK) {
        sum->status = TD_OK;
        sum->value = sum->err = 0;
    }
    sum->value += c->value;
    sum->err += c->err;
}

int td_counts_add(struct td_counts *sum, const struct td_counts *interval)
{
    if (interval->status != TD_OK) { /* it counted nothing */
        sum->status = sum->n ? sum->status : interval->status;
        return 0;
    }
    sum->status = TD_OK;
    for (size_t i = 0; i < interval->n; i++) {
        const struct td_count *c = &interval->c[i];
        struct td_count *same;
        int err;

        /* intervals of one recording mostly hold the same events in the same order */
        same = i < sum->n && same_copy(&sum->c[i], c) ? &sum->c[i] : find_copy(sum, c);
        if (same) {
            same->printed |= c->printed;
            count_add(same, c);
            continue;
        }
        err = td_counts_append(sum, c);
        if (err)
            return err;
        sum->c[sum->n - 1].intervals = c->status == TD_OK;
    }
    return 0;
}

void td_counts_balance(struct td_counts *sum)
{
    uint32_t most = 0;

    for (size_t i = 0; i < sum->n; i++)
        if (sum->c[i].intervals > most)
            most = sum->c[i].intervals;
    for (size_t i = 0; i < sum->n; i++) {
        struct td_count *c = &sum->c[i];
        double factor = c->intervals ? (double)most / c->intervals : 1;

        c->value *= factor;
        c->err *= factor;
        if (factor > 1)
            c->enabled = (c->enabled > c->running ? c->enabled : c->running) * factor;
    }
}

bool td_event_is_slots(const struct td_event *e)
{
    return !strcmp(e->name, "TOPDOWN.SLOTS");
}

static int slots_number(const struct td_uarch *u)
{
    for (size_t i = 0; i < u->nevents; i++)
        if (td_event_is_slots(&u->events[i]))
            return (int)i;
    return -1;
}

/* The slots that went by while the metric event c counted: those of its group,
 * or, where they were not recorded, the sum of its group's level-1 fields. */
static double slots_beside(const struct td_counts *k, const struct td_uarch *u, int slots, const struct td_count *c)
{
    double sum = 0;

    for (size_t i = 0; i < k->n; i++) {
        const struct td_count *other = &k->c[i];
        int field = u->events[other->event].field;

        if (other->group != c->group || other->modes != c->modes || other->status != TD_OK)
            continue;
        if (other->event == slots)
            return other->value;
        if (field >= TD_FIELD_RETIRING && field <= TD_FIELD_BACKEND_BOUND)
            sum += other->value;
    }
    return sum;
}

void td_counts_quantise(struct td_counts *k, const struct td_uarch *u, unsigned readers)
{
    int slots = slots_number(u);

    if (slots < 0)
        return;
    for (size_t i = 0; i < k->n; i++)
        if (u->events[k->c[i].event].field >= 0 && k->c[i].status == TD_OK && k->c[i].err == 0)
            k->c[i].err = slots_beside(k, u, slots, &k->c[i]) / 0xff + (double)readers * (k->c[i].intervals ? k->c[i].intervals : 1);
}
