/* SPDX-License-Identifier: MIT */
#include "live/thread/thread_source.h"

#include "live/host/host_files.h"
#include "live/perf/perf_source.h"
#include "live/thread/regions.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If no restartable sequence is registered, the reading writes to this variable,
 * which nothing reads. Its offset is the same in each thread. */
static _Thread_local uint64_t no_rseq[4] __attribute__((tls_model("initial-exec")));

/* Whether the measured machine executes other instructions than this program, as a simulated one may. */
static bool foreign(const struct td_host_pmu *p)
{
#if defined(__x86_64__)
    return *p->id;
#elif defined(__aarch64__)
    return !*p->id;
#else
    (void)p;
    return true;
#endif
}

/* Whether the kernel lets programs read the PMU's counters. */
static int check_permission(const struct td_meter *m, const struct td_host_pmu *p)
{
    const struct td_os *os = m->ask.os;

    if (foreign(p))
        return td_log_fail(
            m->log, -EOPNOTSUPP,
            "the counters of PMU %s are read by an instruction that this program's processor does not have", p->name);
    if (!*p->id) {
        if (td_host_number(os, 1, "/sys/bus/event_source/devices/%s/rdpmc", p->name) == 0)
            return td_log_fail(
                m->log, -EACCES,
                "programs may not use rdpmc here: /sys/bus/event_source/devices/%s/rdpmc is 0 (root may write 1 there)",
                p->name);
        return 0;
    }
    switch (td_host_number(os, -1, "/proc/sys/kernel/perf_user_access")) {
    case 1: return 0;
    case 0:
        return td_log_fail(m->log, -EACCES,
                           "programs may not read the counters of %s here: kernel.perf_user_access is 0 "
                           "(sysctl kernel.perf_user_access=1 allows it)",
                           p->name);
    default:
        return td_log_fail(m->log, -EOPNOTSUPP,
                           "programs cannot read the counters of %s here: the kernel has no perf_user_access "
                           "(Linux 5.17 and later do)",
                           p->name);
    }
}

static int check(struct td_meter *m, const struct td_live *ask)
{
    (void)ask;
    m->npmus = 1; /* the kind of core to measure is the first: that of P-cores, which alone have PERF_METRICS */
    return check_permission(m, m->pmu[0].host);
}

/* Finds the thread's rseq area, which reading needs on hybrids: between the check of the page and the instruction the
 * thread may move to a core that lacks the counters, where the instruction would fault. */
static int find_rseq(const struct td_meter *m, struct td_own *own)
{
    int err = own->os->rseq(own->os->ctx, &own->rseq);

    own->kinds = m->host.npmus > 1 || m->host.identity.hybrid;
    if (own->kinds && *own->pmu->host->id)
        return td_log_fail(
            own->log, -EOPNOTSUPP,
            "this machine has several kinds of cores, and reading the counters of %s ones is safe only where all "
            "are alike: measure the thread from outside (tdprobe -t TID)",
            own->pmu->host->name);
    if (!err)
        return 0;
    if (own->kinds)
        return td_log_fail(
            own->log, -EOPNOTSUPP,
            "this machine has several kinds of cores, and reading the counters of %s ones is safe only in a "
            "restartable sequence: "
            "that takes Linux 4.18 and glibc 2.35, and GLIBC_TUNABLES without glibc.pthread.rseq=0",
            own->pmu->host->name);
    own->rseq = (ptrdiff_t)((uintptr_t)no_rseq - td__thread());
    return 0;
}

static int map_page(struct td_own *own, int fd, const volatile struct perf_event_mmap_page **out)
{
    void *at;
    int err = own->os->map(own->os->ctx, fd, sizeof(struct perf_event_mmap_page), &at);

    if (err)
        return td_log_fail(
            own->log, err,
            "the event's page cannot be mapped (mmap): %s; kernel.perf_event_mlock_kb and RLIMIT_MEMLOCK limit it",
            strerror(-err));
    own->map[own->nmaps++] = at;
    *out = at;
    if (!(*out)->cap_user_rdpmc)
        return td_log_fail(own->log, -EOPNOTSUPP,
                           "the kernel does not let this program read the counters of %s by itself",
                           own->pmu->host->name);
    return 0;
}

/* Maps the pages of one group: its leader's and those of its ordinary events. */
static int map_group(struct td_own *own, const struct td_plan_group *g, const struct td_perf_event *e)
{
    const struct td_uarch *row = td_forms_uarch(own->pmu->forms);
    const volatile struct perf_event_mmap_page *leader = NULL;
    int err = 0;

    for (size_t i = 0; i < g->n && !err; i++) {
        const struct td_event *event = &row->events[g->event[i]];
        const volatile struct perf_event_mmap_page *page = NULL;

        if (e[i].fd < 0 || event->field >= 0)
            continue;
        if (!td_event_is_slots(event) && own->nevents == TD_SELF_EVENTS)
            return td_log_fail(own->log, -E2BIG,
                               "the form %s takes more events than one reading holds; --level 1 takes fewer",
                               own->pmu->plan.form->form->name);
        err = map_page(own, e[i].fd, &page);
        if (!err && !td_event_is_slots(event))
            own->event[own->nevents++] = page;
        leader = leader ? leader : page;
    }
    if (leader)
        own->leader[own->nleaders++] = leader;
    return err;
}

static int map_all(struct td_own *own)
{
    const struct td_plan *p = &own->pmu->plan;
    const struct td_perf_event *e = own->unit->event;
    void *at;
    int err = 0;

    for (size_t g = 0; g < p->ngroups && !err; e += p->group[g++].n)
        err = map_group(own, &p->group[g], e);
    if (err)
        return err;
    err = own->os->map(own->os->ctx, -1, sizeof(*own->page), &at);
    if (err)
        return td_log_fail(own->log, err, "no memory that fork(2) wipes (Linux 4.14 and later have it): %s",
                           strerror(-err));
    own->page = at;
    own->page->own = own;
    own->page->regions.self = (struct td_self){.page = own->leader[0], .thread = td__thread(), .rseq = own->rseq};
    return 0;
}

/* Refuses groups that take turns, which can never be read all at once. */
static int check_together(const struct td_own *own)
{
    const struct td_perf_pmu *p = own->pmu;
    const struct td_plan *plan = &p->plan;

    if (plan->together)
        return 0;
    return td_log_fail(
        own->log, -EOPNOTSUPP,
        "regions need all events of %s at the same time, and they do not fit the %u programmable counters of %s%s%s%s",
        plan->form->form->name, p->host->counters.general, p->host->name,
        p->host->counters.sibling ? "; with SMT off there are twice as many" : "",
        p->host->counters.watchdog ? "; one is left to the NMI watchdog (" TD_WATCHDOG_REMEDY ")" : "",
        plan->level > TD_LEVEL_TOP ? "; level 1 takes fewer" : "");
}

static int enable(struct td_meter *m, struct td_unit *u, bool on)
{
    struct td_perf_error e;
    int err = td_perf_enable(&u->perf, m->ask.os, on, &e);

    return err ? td_log_fail(m->log, err, "the counters cannot be switched on (ioctl): %s", strerror(-err)) : 0;
}

/* Unmaps the pages. A child of fork(2) has none of the events' pages, which its zeroed own->page shows: it leaves alone
 * what may be mapped in their place. */
static void unmap(struct td_own *own)
{
    const bool child = own->page && !own->page->own;

    for (size_t i = 0; i < own->nmaps && !child; i++)
        own->os->unmap(own->os->ctx, own->map[i], sizeof(struct perf_event_mmap_page));
    own->nmaps = 0;
    if (own->page)
        own->os->unmap(own->os->ctx, own->page, sizeof(*own->page));
    own->page = NULL;
}

static int give_back(struct td_meter *m, struct td_unit *u, char why[TD_SOURCE_WHY])
{
    (void)why;
    if (u->own)
        unmap(u->own);
    u->own = NULL;
    td_perf_close(&u->perf, m->ask.os);
    return 0;
}

const struct td_source td_source_rdpmc = {
    .name = "rdpmc",
    .check = check,
    .ask = td_perf_source_ask,
    .plan = td_perf_source_plan,
    .settle = td_perf_source_settle,
    .open = td_perf_source_open,
    .enable = enable,
    .close = give_back,
    .describe = td_perf_source_describe,
};

/* ---- what a reading holds -------------------------------------------------------- */

static bool is_field(const struct td_own *own, const struct td_sample *s)
{
    return td_forms_uarch(own->pmu->forms)->events[s->event].field >= 0;
}

static void add_sample(struct td_own *own, const struct td_sample *like, uint16_t event)
{
    struct td_sample s = *like;

    s.event = event;
    own->sample[own->nsamples++] = s;
}

/* Makes the samples of the unit's lane, where one of PERF_METRICS stands for all its fields. An event that could not be
 * opened keeps its status. */
static void make_samples(struct td_own *own, const struct td_reading *r)
{
    const struct td_perf_event *e = own->unit->event;
    const struct td_sample *field = NULL;

    for (size_t i = 0; i < r->snap.n; i++) {
        struct td_sample *s = &r->samples[i];

        s->status = e[i].status;
        own->text[s->event] = s->text;
        field = !field && is_field(own, s) ? s : field;
    }
    own->packed = field != NULL;
    for (size_t i = 0; i < r->snap.n; i++)
        if (own->packed && td_event_is_slots(&td_forms_uarch(own->pmu->forms)->events[r->samples[i].event]))
            add_sample(own, &r->samples[i], r->samples[i].event);
    if (own->packed)
        add_sample(own, field, TD_EVENT_PACKED);
    for (size_t i = 0; i < r->snap.n; i++) {
        const struct td_event *event = &td_forms_uarch(own->pmu->forms)->events[r->samples[i].event];

        if (r->samples[i].status == TD_OK && event->field < 0 && !td_event_is_slots(event))
            add_sample(own, &r->samples[i], r->samples[i].event);
    }
}

/* Maps the pages of all events. */
static int map_unit(struct td_own *own, const struct td_meter *m, struct td_unit *u)
{
    int err;

    u->own = own;
    own->pmu = &m->pmu[u->pmu];
    own->unit = &u->perf;
    err = check_together(own);
    err = err ? err : find_rseq(m, own);
    return err ? err : map_all(own);
}

int td_own_begin(struct td_own *own, struct td_meter *m, const struct td_self_ask *ask)
{
    const struct td_snapshot nothing = {.point.slots = 0};
    struct td_unit *u = &m->scopes.unit[0];
    const struct td_lane *lane = &m->scopes.lane[u->lane]; /* others may have been planned before */
    int err = map_unit(own, m, u);

    err = err ? err : td_readings_layout(m);
    if (err)
        return err;
    own->text = calloc(td_forms_uarch(own->pmu->forms)->nevents + 1, sizeof(*own->text));
    if (!own->text)
        return -ENOMEM;
    own->core = lane->core;
    own->start = own->os->now(own->os->ctx);
    own->smt = m->stream.smt != TD_SMT_OFF;
    make_samples(own, &lane->now);
    err = td_counts_reserve(&own->delta, own->nsamples + TD_FIELDS);
    err = err ? err : td_regions_init(own, ask);
    return err ? err : td_own_delta(own, &nothing, &nothing);
}

struct td_own *td_own_new(const struct td_meter *m, const struct td_self_ask *ask)
{
    struct td_own *own = calloc(1, sizeof(*own));

    if (!own)
        return NULL;
    own->os = m->ask.os;
    own->log = m->log;
    own->target = ask->target;
    return own;
}

void td_own_free(struct td_own *own)
{
    if (!own)
        return;
    td_regions_free(own);
    td_counts_free(&own->delta);
    free(own->text);
    free(own);
}
