/* SPDX-License-Identifier: MIT */
/* Named regions of the calling thread: passes are measured and added up. */
#include "self.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 64, DEPTH = 16 };

const char *td_discard_name(enum td_discard why)
{
    static const char *const names[TD_DISCARDS] = {"reset", "unscheduled", "other_core"};

    return (unsigned)why < TD_DISCARDS ? names[why] : "?";
}

int td_regions_init(struct td_own *own, const struct td_self_ask *ask)
{
    own->most_regions = ask->regions ? ask->regions : REGIONS;
    own->most_depth = ask->depth ? ask->depth : DEPTH;
    own->room = ask->ring;
    own->region = calloc(own->most_regions, sizeof(*own->region));
    own->stack = calloc(own->most_depth, sizeof(*own->stack));
    own->ring = calloc(own->room ? own->room : 1, sizeof(*own->ring));
    return own->region && own->stack && own->ring ? 0 : -ENOMEM;
}

void td_regions_free(struct td_own *own)
{
    for (unsigned i = 0; own->region && i < own->most_regions; i++)
        free(own->region[i].name);
    free(own->region);
    free(own->stack);
    free(own->ring);
}

int td_region(struct td *td, const char *name)
{
    struct td_own *own = td->own;
    int err = td_own_check(td);
    struct td_named *r;

    if (err)
        return err;
    if (!name || !*name)
        return td_session_fail(td, -EINVAL, "a region has a name");
    for (unsigned i = 0; i < own->nregions; i++)
        if (!strcmp(own->region[i].name, name))
            return (int)i;
    if (own->nregions == own->most_regions) {
        snprintf(td->error, sizeof(td->error), "more than %u regions: ask for more when the handle is opened", own->most_regions);
        return -ENOSPC;
    }
    r = &own->region[own->nregions];
    r->name = strdup(name);
    if (!r->name)
        return td_session_fail(td, -ENOMEM, "out of memory");
    r->info.name = r->name;
    return (int)own->nregions++;
}

/* The region of that number, for whoever may use the handle. */
static int find_region(struct td *td, int region, struct td_named **out)
{
    struct td_own *own = td->own;
    int err = td_own_check(td);

    if (err)
        return err;
    if (region < 0 || (unsigned)region >= own->nregions) {
        snprintf(td->error, sizeof(td->error), "there is no region %d (td_region() gives their numbers)", region);
        return -EINVAL;
    }
    *out = &own->region[region];
    return 0;
}

static enum td_discard discard_of(int err)
{
    return err == -EXDEV ? TD_DISCARD_OTHER_CORE : err == -ESTALE ? TD_DISCARD_RESET : TD_DISCARD_UNSCHEDULED;
}

/* Of a pass of d slots that begins s slots behind the last reset each field is
 * known to within (s + (s + d)) / 255 slots to either side (td_metrics_delta()).
 * A share v of the sum of four such fields is then known to within 1 + 2 v times
 * that part of d; the target is kept for shares up to one half. */
static bool too_old(const struct td_own *own, const struct td_named *r, const struct td_point *at)
{
    double mean;

    if (own->target <= 0 || !own->packed || !r->info.passes)
        return false;
    mean = (double)r->sum.slots / (double)r->info.passes;
    return at->slots && 2 * (2 * (double)at->slots + mean) > own->target * 0xff * mean;
}

static int begin(struct td *td, const struct td_named *r, struct td_pass *p)
{
    struct td_own *own = td->own;
    int err;

    if (own->room)
        p->begin = own->os->now(own->os->ctx);
    err = td_read(td, &p->from);
    if (err || own->depth > 1 || !too_old(own, r, &p->from.point))
        return err;
    td_reset(td); /* where that fails the bounds are wide, and say so */
    return td_read(td, &p->from);
}

int td_region_begin(struct td *td, int region)
{
    struct td_own *own = td->own;
    struct td_named *r;
    struct td_pass *p;
    int err = find_region(td, region, &r);

    if (err)
        return err;
    if (r->open) {
        r->open++;
        return 0;
    }
    if (own->depth == own->most_depth) {
        snprintf(td->error, sizeof(td->error), "more than %u regions inside each other: ask for more when the handle is opened", own->most_depth);
        return -ENOSPC;
    }
    p = &own->stack[own->depth++];
    p->region = region;
    r->open = 1;
    p->err = begin(td, r, p);
    return p->err;
}

int td_region_end(struct td *td, int region)
{
    struct td_own *own = td->own;
    struct td_named *r;
    struct td_pass *p;
    int err = find_region(td, region, &r);

    if (err)
        return err;
    if (r->open > 1) {
        r->open--;
        return 0;
    }
    p = own->depth ? &own->stack[own->depth - 1] : NULL;
    if (!p || p->region != region) {
        snprintf(td->error, sizeof(td->error), "region '%.100s' is ended, but '%.100s' was begun last", r->name, p ? own->region[p->region].name : "none");
        return -EINVAL;
    }
    err = p->err ? p->err : td_read(td, &p->to);
    own->depth--;
    r->open = 0;
    if (!err)
        err = td_own_comparable(own, &p->from, &p->to);
    if (err) {
        td_own_fail(td, err);
        r->info.discarded[discard_of(err)]++;
        return err;
    }
    r->info.passes++;
    td_own_add(own, &p->from, &p->to, &r->sum);
    if (own->room) {
        p->end = own->os->now(own->os->ctx);
        td_regions_keep(own, p); /* with its time, which is no part of it */
    }
    return 0;
}

int td_region_result(struct td *td, size_t i, struct td_region_info *info, const struct td_result **out)
{
    struct td_own *own = td->own;
    int err = td_own_check(td);

    if (err)
        return err;
    if (i >= own->nregions)
        return -ENODATA;
    own->region[i].info.slots = own->region[i].sum.slots;
    if (info)
        *info = own->region[i].info;
    if (!out)
        return 0;
    err = td_own_sum(own, &own->region[i].sum);
    if (err)
        return td_own_fail(td, err);
    if (!own->region[i].info.passes)
        own->delta.status = TD_NOT_COUNTED;
    td_own_solve(td, &own->delta, own->region[i].name, "region", out);
    return 0;
}
