/* SPDX-License-Identifier: MIT */
#include "live/thread/regions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 64, DEPTH = 16 };

/* Not the number of any region, as no int has this value. */
#define NO_REGION INT64_MIN

const char *td_discard_name(enum td_discard why)
{
    static const char *const names[TD_DISCARDS] = {"reset", "unscheduled", "other_core"};

    return (unsigned)why < TD_DISCARDS ? names[why] : "?";
}

/* How many fields of PERF_METRICS the row names. */
static unsigned fields(const struct td_uarch *u)
{
    int most = 0;

    for (size_t i = 0; i < u->nevents; i++)
        most = u->events[i].field > most ? u->events[i].field : most;
    return most < 4 ? 4 : TD_FIELDS;
}

/* Initializes the place below all passes, and the last one, where no pass may begin. */
static void init_places(struct td_own *own)
{
    for (unsigned i = 0; i <= own->most_depth + 1; i++) {
        own->begun[i].region = NO_REGION;
        own->begun[i].full = !own->plain || i > own->most_depth;
    }
    if (own->target > 0)
        own->begun[1].full = 1; /* it may have to be zeroed first */
}

int td_regions_init(struct td_own *own, const struct td_self_ask *ask)
{
    own->most_regions = ask->regions ? ask->regions : REGIONS;
    own->most_depth = ask->depth ? ask->depth : DEPTH;
    own->room = ask->ring;
    own->plain = own->packed && !own->nevents && !own->room;
    own->region = calloc(own->most_regions, sizeof(*own->region));
    own->hot = calloc(own->most_regions, sizeof(*own->hot));
    own->begun = calloc((size_t)own->most_depth + 2, sizeof(*own->begun));
    own->stack = calloc((size_t)own->most_depth + 2, sizeof(*own->stack));
    own->ring = calloc(own->room ? own->room : 1, sizeof(*own->ring));
    if (!own->region || !own->hot || !own->begun || !own->stack || !own->ring)
        return -ENOMEM;
    init_places(own);
    own->page->regions.next = own->begun + 1;
    own->page->regions.sum = own->hot;
    own->page->regions.fields = fields(td_forms_uarch(own->pmu->forms));
    return 0;
}

void td_regions_free(struct td_own *own)
{
    for (unsigned i = 0; own->region && i < own->most_regions; i++)
        free(own->region[i].name);
    free(own->region);
    free(own->hot);
    free(own->begun);
    free(own->stack);
    free(own->ring);
}

int td_regions_number(struct td_own *own, const char *name)
{
    struct td__regions *all = &own->page->regions;
    struct td_named *r;

    if (!name || !*name)
        return td_log_fail(own->log, -EINVAL, "a region has a name");
    for (unsigned i = 0; i < all->n; i++)
        if (!strcmp(own->region[i].name, name))
            return (int)i;
    if (all->n == own->most_regions) {
        return td_log_fail(own->log, -ENOSPC,
                           "more than %u regions: ask for more (struct td_self_ask) when the handle is opened",
                           own->most_regions);
    }
    r = &own->region[all->n];
    r->name = strdup(name);
    if (!r->name)
        return td_log_no_memory(own->log);
    own->hot[all->n].name = r->name;
    return (int)all->n++;
}

static int check_region(const struct td_own *own, int region)
{
    if (region >= 0 && (unsigned)region < own->page->regions.n)
        return 0;
    return td_log_fail(own->log, -EINVAL, "there is no region %d (td_region() gives their numbers)", region);
}

static enum td_discard discard_of(int err)
{
    return err == -EXDEV ? TD_DISCARD_OTHER_CORE : err == -ESTALE ? TD_DISCARD_RESET : TD_DISCARD_UNSCHEDULED;
}

/* In a pass of d slots that begins s slots after the last reset, each field is
 * known to within (s + (s + d)) / 255 slots to either side (td_metrics_delta()).
 * A share v of the sum of four such fields is then known to within 1 + 2 v times
 * that fraction of d; the target is met for shares up to one half. */
static bool too_old(const struct td_own *own, const struct td__region_sum *r, const struct td_point *at)
{
    double mean;

    if (own->target <= 0 || !own->packed || !r->passes)
        return false;
    mean = (double)r->slots / (double)r->passes;
    return at->slots && 2 * (2 * (double)at->slots + mean) > own->target * 0xff * mean;
}

static int begin(struct td_own *own, bool outermost, struct td_pass *p)
{
    int err;

    if (own->room)
        p->begin = own->os->now(own->os->ctx);
    err = td_own_read(own, &p->from);
    if (err || !outermost || !too_old(own, &own->hot[p->region], &p->from.point))
        return err;
    td_own_reset(own); /* if that fails the bounds are wide, and show it */
    return td_own_read(own, &p->from);
}

/* The pass at a place in the stack. If it was begun inline, it is moved there, and will not end inline. */
static struct td_pass *take_over(const struct td_own *own, struct td__begun *at)
{
    struct td_pass *p = &own->stack[at - own->begun];

    if (at->region != NO_REGION)
        *p = (struct td_pass){.region = (int)at->region, .from.point = at->from};
    at->region = NO_REGION;
    return p;
}

/* The pass goes on until it has ended as often as it began. */
static void begin_again(struct td_own *own, int region)
{
    own->hot[region].open++;
    for (struct td__begun *at = own->begun + 1; at < own->page->regions.next; at++)
        if (at->region == region)
            take_over(own, at);
}

int td_regions_begin(struct td_own *own, int region)
{
    struct td__begun *at;
    struct td_pass *p;
    int err = check_region(own, region);

    if (err)
        return err;
    if (own->hot[region].open) {
        begin_again(own, region);
        return 0;
    }
    at = own->page->regions.next;
    if (at - own->begun > own->most_depth) {
        return td_log_fail(own->log, -ENOSPC,
                           "more than %u regions inside each other: ask for more when the handle is opened",
                           own->most_depth);
    }
    p = &own->stack[at - own->begun];
    p->region = region;
    own->page->regions.next++;
    own->hot[region].open = 1;
    at->sum = &own->hot[region];
    p->err = begin(own, at == own->begun + 1, p);
    at->from = p->from.point;
    at->region = own->plain && !p->err ? region : NO_REGION;
    return p->err;
}

/* Adds a pass that has been measured, unless it was disturbed. */
static int count_pass(struct td_own *own, struct td_pass *p)
{
    int err = td_own_comparable(own, &p->from, &p->to);

    if (err)
        return err;
    td_own_add(own, &p->from, &p->to, (size_t)p->region);
    if (own->room) {
        p->end = own->os->now(own->os->ctx);
        td_ring_keep(own, p); /* with its time, which is not part of the sum */
    }
    return 0;
}

/* Makes the second reading of a pass, unless that has been made. */
static int read_end(struct td_own *own, struct td_pass *p, const struct td_point *to)
{
    if (p->err || !to || !own->plain)
        return p->err ? p->err : td_own_read(own, &p->to);
    p->to.point = *to;
    return 0;
}

int td_regions_end(struct td_own *own, int region, const struct td_point *to)
{
    struct td__begun *at;
    struct td_pass *p;
    int err = check_region(own, region);

    if (err)
        return err;
    if (own->hot[region].open > 1) {
        own->hot[region].open--;
        return 0;
    }
    at = own->page->regions.next - 1;
    p = at > own->begun ? take_over(own, at) : NULL;
    if (!p)
        return td_log_fail(own->log, -EINVAL, "region '%.100s' is ended, but none is begun", own->region[region].name);
    if (p->region != region)
        return td_log_fail(own->log, -EINVAL, "region '%.100s' is ended, but '%.100s' was begun last",
                           own->region[region].name, own->region[p->region].name);
    err = read_end(own, p, to);
    own->page->regions.next = at;
    own->hot[region].open = 0;
    err = err ? err : count_pass(own, p);
    if (!err)
        return 0;
    td_own_fail(own, err);
    own->hot[region].discarded[discard_of(err)]++;
    return err;
}

int td_regions_sum(struct td_own *own, size_t region)
{
    int err = td_own_sum(own, region);

    if (err)
        return td_own_fail(own, err);
    if (!own->hot[region].passes)
        own->delta.status = TD_NOT_COUNTED;
    return 0;
}
