/* SPDX-License-Identifier: MIT */
#include "cli/collect/watches.h"

#include "cli/cli.h"
#include "private/plan.h"
#include "private/run.h"
#include "util/room.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A CPU that goes offline, as all but one do before a machine sleeps, is noted by each handle: what one reading gives
 * is said once. */
static void note(void *ctx, const char *text)
{
    struct cli_watches *w = ctx;

    if (cli_paths_have(&w->said, text))
        return;
    cli_say("%s", text);
    if (!cli_paths_add(&w->said, text))
        cli_paths_sort(&w->said);
}

/* Keeps what went wrong; returns err. */
static int fail(struct cli_watches *w, const struct td *td, int err)
{
    w->code = cli_exit_code(err);
    snprintf(w->error, sizeof(w->error), "%s%s", td ? td_error(td) : "out of memory", td ? cli_next_step(td, err) : "");
    return err;
}

static void close_watch(struct cli_watches *w, struct cli_watch *one)
{
    w->cgroups -= one->cgroups.n + one->gone.n;
    cli_paths_free(&one->cgroups);
    cli_paths_free(&one->gone);
    td_free(one->td);
    one->td = NULL;
}

/* Makes a handle like that of the options, which counts nothing yet. NULL: see w->error. */
static struct td *prepare(struct cli_watches *w, bool shallow)
{
    struct cli_options set = {.td = td_new()};

    if (!set.td || td_run_share(set.td, w->machine)) {
        fail(w, set.td, -ENOMEM);
        td_free(set.td);
        return NULL;
    }
    w->code = cli_reading_apply(w->reading, &set);
    if (shallow)
        td_set_level(set.td, TD_LEVEL_TOP);
    td_set_flexible(set.td);
    if (!w->opened && !w->quiet)
        td_set_note(set.td, note, w);
    return set.td;
}

static struct td_live live_of(const struct cli_watches *w, const struct cli_paths *cgroups)
{
    return (struct td_live){.size = sizeof(struct td_live),
                            .cgroups = (const char *const *)cgroups->path,
                            .ncgroups = cgroups->n,
                            .by = w->by};
}

int cli_watches_open(struct cli_watches *w, const struct cli_paths *cgroups, bool shallow)
{
    struct cli_watch made = {.td = prepare(w, shallow), .cgroups = {.n = 0}};
    const struct td_live live = live_of(w, cgroups);
    int err;

    if (!made.td)
        return -ENOMEM;
    err = td_open_live(made.td, &live);
    if (!err)
        err = cli_paths_add_first(&made.cgroups, cgroups, cgroups->n) ||
                      td_room(&w->watch, &w->room, w->n + 1, sizeof(*w->watch))
                  ? -ENOMEM
                  : 0;
    if (err) {
        fail(w, made.td, err);
        cli_paths_free(&made.cgroups);
        td_free(made.td);
        return err;
    }
    td_set_note(made.td, w->quiet ? NULL : note, w);
    w->opened = true;
    w->cgroups += made.cgroups.n;
    w->watch[w->n++] = made;
    return 0;
}

/* Which part of the time that the events of a result should have had counters they had, their mean; NAN: none could.
 * Of groups that take turns each should have one turn of so many; the kernel's turns are not that even in an interval,
 * so that the worst event tells nothing. */
static double coverage_of(const struct td_result *r, double turns)
{
    const struct td_event_count *c;
    double sum = 0;
    unsigned n = 0;

    for (size_t i = 0; (c = td_result_count(r, i)); i++) {
        n += isnan(c->coverage) ? 0 : 1;
        sum += isnan(c->coverage) ? 0 : fmin(1, c->coverage * turns);
    }
    return n ? sum / n : (double)NAN;
}

/* Whether nothing ran that could have been counted, as in a cgroup that sleeps: no event ever asked for a counter. */
static bool nothing_ran(const struct td_result *r)
{
    const struct td_event_count *c;
    size_t n = 0;

    for (; (c = td_result_count(r, n)); n++)
        if (c->status != TD_NOT_COUNTED || !isnan(c->coverage))
            return false;
    return n > 0;
}

/* What was measured of the time of all results, and what their events had of it, ns. */
struct covered {
    double had, wanted;
};

/* Adds up what a reading gave. 0 or -errno. */
static int take_results(const struct cli_watch *one, struct td_tally *tally, struct covered *part)
{
    const double turns = fmax(1, td_plan_groups(one->td));
    const struct td_result *r;
    int err;

    while (!(err = td_next(one->td, &r))) {
        const double covered = coverage_of(r, turns);
        uint64_t ns;

        if (one->gone.n && cli_paths_shown(&one->gone, td_result_scope(r)))
            continue;
        if (nothing_ran(r) ? td_tally_add_idle(tally, r) : td_tally_add(tally, r))
            return -ENOMEM;
        /* what a CPU that is offline has not counted was taken by nobody */
        if (isnan(covered) || td_result_flags(r) & TD_FLAG_CPUS_CHANGED || !td_result_duration(r, &ns))
            continue;
        part->wanted += (double)ns;
        part->had += covered * (double)ns;
    }
    return err == -EAGAIN || err == -ENODATA ? 0 : err;
}

int cli_watches_take(struct cli_watches *w, struct td_tally *tally, double *coverage)
{
    struct covered part = {.had = 0};
    int err = 0, failed;

    cli_paths_free(&w->said);
    for (const struct cli_watch *one = w->watch; !err && one < w->watch + w->n; one++) {
        err = td_take(one->td);
        failed = !err || err == -ENODATA ? take_results(one, tally, &part) : 0;
        err = failed ? failed : err;
        if (err)
            fail(w, one->td, err);
    }
    *coverage = part.wanted > 0 ? part.had / part.wanted : (double)NAN;
    return err;
}

int cli_watches_drop(struct cli_watches *w, const struct cli_paths *gone)
{
    size_t to = 0;
    int err = 0;

    for (size_t i = 0; i < w->n; i++) {
        struct cli_watch *one = &w->watch[i];

        err = err ? err : cli_paths_move(&one->cgroups, gone, true, &one->gone);
        if (one->cgroups.n)
            w->watch[to++] = *one;
        else
            close_watch(w, one);
    }
    w->n = to;
    return err;
}

void cli_watches_close_first(struct cli_watches *w)
{
    close_watch(w, &w->watch[0]);
    memmove(w->watch, w->watch + 1, --w->n * sizeof(*w->watch));
}

void cli_watches_close(struct cli_watches *w)
{
    while (w->n)
        close_watch(w, &w->watch[--w->n]);
    free(w->watch);
    w->watch = NULL;
    w->room = 0;
    cli_paths_free(&w->said);
}

size_t cli_watches_descriptors(struct cli_watches *w, const char *cgroup)
{
    char *name = (char *)(uintptr_t)cgroup;
    const struct cli_paths one = {.path = &name, .n = 1};
    const struct td_live live = live_of(w, &one);
    struct td *td = prepare(w, false);
    size_t n;

    if (td)
        td_set_note(td, NULL, NULL);
    n = td && !td_plan_live(td, &live) ? td_plan_descriptors(td) : 0;
    td_free(td);
    return n;
}
