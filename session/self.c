/* SPDX-License-Identifier: MIT */
/* The API of td_regions.h: counters of the calling thread, and regions. */
#include "include/td_regions.h"

#include "core/sized.h"
#include "live/describe.h"
#include "live/opening.h"
#include "live/thread/regions.h"
#include "live/thread/thread_source.h"
#include "session/solution.h"
#include "session/machine.h"
#include "sim/sim.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct td, regions) == 0, "inline functions of td_regions.h find it there");

static int check_ask(struct td *td, const struct td_self_ask *ask)
{
    if (td->source->cpus_only)
        return td_log_fail(&td->log, -EINVAL, "the source %s measures CPUs, not the calling thread", td->source->name);
    if (ask->no_user && ask->no_kernel)
        return td_log_fail(&td->log, -EINVAL, "nothing is left to count without user and without kernel mode");
    if (!(ask->target >= 0 && ask->target < 1))
        return td_log_fail(&td->log, -EINVAL, "the target is a share from 0 (none) to less than 1");
    return 0;
}

/* Solves own->delta into the handle's result. */
static int solve(struct td *td, const char *scope, const struct td_result **out)
{
    const struct td_own *own = td->own;
    const struct td_interval v = {.at.scope = scope,
                                  .at.scope_kind = TD_KIND_REGION,
                                  .core = own->core,
                                  .uarch = td_forms_uarch(own->pmu->forms),
                                  .counts = own->delta};

    return td_session_solve(td, &v, false, out);
}

/* Solves empty counts, so that formulas are compiled and there is room for results. */
static int begin(struct td *td, const struct td_self_ask *ask)
{
    const struct td_result *ignored;
    int err = td_own_begin(td->own, td->meter, ask);

    err = err ? err : solve(td, "self", &ignored);
    return err == -ENOMEM ? td_log_no_memory(&td->log) : err;
}

static int open_thread(struct td *td, const struct td_self_ask *ask)
{
    static const pid_t self[] = {0};
    const struct td_live live = {
        .size = sizeof(struct td_live),
        .tasks = self,
        .ntasks = sizeof(self) / sizeof(*self),
        .threads = true,
        .name = "self",
        .no_inherit = true,
        .no_user = ask->no_user,
        .no_kernel = ask->no_kernel,
    };
    struct td_meter *m = td->meter;
    int err = td_session_find_pmus(td);

    err = err ? err : m->source->check(m, &live);
    err = err ? err : td_scopes_find(m, &live);
    if (err)
        return err;
    m->ask.clocks = false;
    err = td_units_open(m, &live, false);
    err = err ? err : begin(td, ask);
    err = err ? err : td_meter_describe(m);
    return err ? err : td_units_enable(m, true);
}

static void close_thread(struct td *td)
{
    td_units_close(td->meter);
    td_own_free(td->own);
    td->own = NULL;
}

/* Logs that on a simulated machine the thread executes what the description says, not what its program does. */
static void note_idle(const struct td *td)
{
    if (td->sim && !td_sim_self_computes(td->sim))
        td_log_note(&td->log, "the simulated machine executes nothing between two readings, so regions have no slots: "
                              "write each=100000, ns, at the end of its line 'spin'");
}

static int open_self(struct td *td, const struct td_self_ask *ask)
{
    int err = td->opened ? td_session_too_late(td) : td_detect(td);

    if (!err)
        err = td_close_live(td); /* the plan that was open */
    err = err ? err : check_ask(td, ask);
    if (err)
        return err;
    td->meter->ask = (struct td_perf_ask){
        .os = td_session_os(td), .no_user = ask->no_user, .no_kernel = ask->no_kernel, .user_read = true};
    td->own = td_own_new(td->meter, ask);
    if (!td->own)
        return td_log_no_memory(&td->log);
    td->opened = true;
    td->meter->source = &td_source_rdpmc;
    td->meter->lean = !ask->corrections;
    td->meter->stream.name = "self";
    err = open_thread(td, ask);
    if (err)
        close_thread(td);
    else
        td->regions = &td->own->page->regions;
    if (!err)
        note_idle(td);
    return err;
}

int td_open_self(struct td *td, const struct td_self_ask *given)
{
    struct td_self_ask ask;
    int err = td_sized_take(&td->log, "td_self_ask", &ask, sizeof(ask), given);

    return err ? err : open_self(td, &ask);
}

const struct td_self *td_self_of(const struct td *td)
{
    return td->own && td->own->page ? &td->own->page->regions.self : NULL;
}

/* ---- readings --------------------------------------------------------------------- */

static int check(struct td *td)
{
    return td_own_check(td->own, &td->log);
}

int td_read(struct td *td, struct td_snapshot *out)
{
    int err = check(td);

    return err ? err : td_own_read(td->own, out);
}

int td_reset(struct td *td)
{
    int err = check(td);

    return err ? err : td_own_reset(td->own);
}

int td_measure(struct td *td, const struct td_snapshot *from, const struct td_snapshot *to,
               const struct td_result **out)
{
    int err = check(td);

    if (err)
        return err;
    err = td_own_delta(td->own, from, to);
    return err ? td_own_fail(td->own, err) : solve(td, "self", out);
}

int td_measure_points(struct td *td, const struct td_point *from, const struct td_point *to,
                      const struct td_result **out)
{
    int err = check(td);

    if (err)
        return err;
    err = td_own_delta_points(td->own, from, to);
    return err ? td_own_fail(td->own, err) : solve(td, "self", out);
}

/* ---- regions ---------------------------------------------------------------------- */

int td_region(struct td *td, const char *name)
{
    int err = check(td);

    return err ? err : td_regions_number(td->own, name);
}

int td__region_begin(struct td *td, int region)
{
    int err = check(td);

    return err ? err : td_regions_begin(td->own, region);
}

int td__region_end(struct td *td, int region, const struct td_point *to)
{
    int err = check(td);

    return err ? err : td_regions_end(td->own, region, to);
}

static int give_info(struct td *td, const struct td__region_sum *sum, struct td_region_info *out)
{
    struct td_region_info info = {.size = sizeof(info), .name = sum->name, .passes = sum->passes, .slots = sum->slots};

    _Static_assert(sizeof(info.discarded) == sizeof(sum->discarded) &&
                       TD_DISCARDS <= sizeof(info.discarded) / sizeof(*info.discarded),
                   "room for all reasons");
    memcpy(info.discarded, sum->discarded, sizeof(info.discarded));
    return td_sized_give(&td->log, "td_region_info", out, sizeof(info), &info);
}

int td_region_result(struct td *td, size_t i, struct td_region_info *info, const struct td_result **out)
{
    const struct td_own *own = td->own;
    int err = check(td);

    if (err)
        return err;
    if (i >= own->page->regions.n)
        return -ENODATA;
    if (info)
        err = give_info(td, &own->hot[i], info);
    if (err || !out)
        return err;
    err = td_regions_sum(td->own, i);
    return err ? err : solve(td, own->region[i].name, out);
}
