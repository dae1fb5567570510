/* SPDX-License-Identifier: MIT */
/* Opening counters of the calling thread, and what must be so for it. */
#include "self.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where no restartable sequence is registered, the reading writes to this one,
 * which nobody looks at. Its place is the same in each thread. */
static _Thread_local uint64_t no_rseq[4] __attribute__((tls_model("initial-exec")));

static int fail(struct td *td, int err, const char *format, const char *name)
{
    snprintf(td->error, sizeof(td->error), format, name);
    return err;
}

/* The kind of core to measure: the one that has PERF_METRICS, else the first. */
static void choose_pmu(struct td_liveset *l)
{
    size_t best = 0;

    for (size_t i = l->npmus; i-- > 0;)
        if (l->pmu[i].host->counters.fields)
            best = i;
    l->pmu[0] = l->pmu[best];
    l->npmus = 1;
}

/* The machine executes other instructions than this program is made of (a
 * simulated one may). */
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
static int check_permission(struct td *td, const struct td_host_pmu *p)
{
    const struct td_os *os = td->live->ask.os;

    if (foreign(p))
        return fail(td, -EOPNOTSUPP, "the counters of PMU %s are read by an instruction that this program's processor does not have", p->name);
    if (!*p->id) {
        if (td_host_number(os, 1, "/sys/bus/event_source/devices/%s/rdpmc", p->name) == 0)
            return fail(td, -EACCES, "programs may not use rdpmc here: /sys/bus/event_source/devices/%s/rdpmc is 0 (root may write 1 there)", p->name);
        return 0;
    }
    switch (td_host_number(os, -1, "/proc/sys/kernel/perf_user_access")) {
    case 1:
        return 0;
    case 0:
        return fail(td, -EACCES, "programs may not read the counters of %s here: kernel.perf_user_access is 0 (sysctl kernel.perf_user_access=1 allows it)", p->name);
    default:
        return fail(td, -EOPNOTSUPP, "programs cannot read the counters of %s here: the kernel has no perf_user_access (Linux 5.17 and later do)", p->name);
    }
}

/* A thread may come to a core that lacks the counters between the look at the
 * page and the instruction, which faults there. */
static int find_rseq(struct td *td, struct td_own *own)
{
    int err = own->os->rseq(own->os->ctx, &own->rseq);

    own->kinds = td->live->host.npmus > 1 || td->live->host.machine.hybrid;
    if (own->kinds && *own->pmu->host->id)
        return fail(td, -EOPNOTSUPP, "this machine has several kinds of cores, and reading the counters of %s ones is safe only where all are alike: "
                    "measure the thread from outside (tdprobe -t TID)", own->pmu->host->name);
    if (!err)
        return 0;
    if (own->kinds)
        return fail(td, -EOPNOTSUPP, "this machine has several kinds of cores, and reading the counters of %s ones is safe only in a restartable sequence: "
                    "that takes Linux 4.18 and glibc 2.35, and GLIBC_TUNABLES without glibc.pthread.rseq=0", own->pmu->host->name);
    own->rseq = (ptrdiff_t)((uintptr_t)no_rseq - td_thread());
    return 0;
}

static int map_page(struct td *td, struct td_own *own, int fd, const volatile struct perf_event_mmap_page **out)
{
    void *at;
    int err = own->os->map(own->os->ctx, fd, sizeof(struct perf_event_mmap_page), &at);

    if (err)
        return fail(td, err, "the event's page cannot be mapped (mmap): %s; kernel.perf_event_mlock_kb and RLIMIT_MEMLOCK limit it", strerror(-err));
    own->map[own->nmaps++] = at;
    *out = at;
    if (!(*out)->cap_user_rdpmc)
        return fail(td, -EOPNOTSUPP, "the kernel does not let this program read the counters of %s by itself", own->pmu->host->name);
    return 0;
}

/* Maps the pages of one group: its leader's and those of its ordinary events. */
static int map_group(struct td *td, struct td_own *own, const struct td_plan_group *g, const struct td_perf_event *e)
{
    const struct td_uarch *row = td_solver_uarch(own->pmu->solver);
    const volatile struct perf_event_mmap_page *leader = NULL;
    int err = 0;

    for (size_t i = 0; i < g->n && !err; i++) {
        const struct td_event *event = &row->events[g->event[i]];
        const volatile struct perf_event_mmap_page *page = NULL;

        if (e[i].fd < 0 || event->field >= 0)
            continue;
        if (!td_event_is_slots(event) && own->nevents == TD_SELF_EVENTS)
            return fail(td, -E2BIG, "the form %s takes more events than one reading holds; --level 1 takes fewer", own->pmu->plan.form->form->name);
        err = map_page(td, own, e[i].fd, &page);
        if (!err && !td_event_is_slots(event))
            own->event[own->nevents++] = page;
        leader = leader ? leader : page;
    }
    if (leader)
        own->leader[own->nleaders++] = leader;
    return err;
}

static int map_all(struct td *td, struct td_own *own)
{
    const struct td_plan *p = &own->pmu->plan;
    const struct td_perf_event *e = td->live->unit[0].perf.event;
    void *at;
    int err = 0;

    for (size_t g = 0; g < p->ngroups && !err; e += p->group[g++].n)
        err = map_group(td, own, &p->group[g], e);
    if (err)
        return err;
    err = own->os->map(own->os->ctx, -1, sizeof(*own->page), &at);
    if (err)
        return fail(td, err, "no memory that fork(2) wipes (Linux 4.14 and later have it): %s", strerror(-err));
    own->page = at;
    own->page->own = own;
    own->page->self = (struct td_self){.page = own->leader[0], .thread = td_thread(), .rseq = own->rseq};
    return 0;
}

static bool is_field(const struct td_own *own, const struct td_sample *s)
{
    return td_solver_uarch(own->pmu->solver)->events[s->event].field >= 0;
}

static void add_sample(struct td_own *own, const struct td_sample *like, uint8_t event)
{
    struct td_sample s = *like;

    s.event = event;
    own->sample[own->nsamples++] = s;
}

/* Others were planned before, perhaps. */
static const struct td_lane *own_lane(const struct td *td)
{
    return &td->live->lane[td->live->unit[0].lane];
}

/* The samples of the lane, with one of the packed register for all its fields.
 * What could not be opened keeps its status. */
static void make_samples(struct td *td, struct td_own *own)
{
    const struct td_reading *r = &own_lane(td)->now;
    const struct td_perf_event *e = td->live->unit[0].perf.event;
    const struct td_sample *field = NULL;

    for (size_t i = 0; i < r->snap.n; i++) {
        struct td_sample *s = &r->samples[i];

        s->status = e[i].status;
        own->text[s->event] = s->text;
        field = !field && is_field(own, s) ? s : field;
    }
    own->packed = field != NULL;
    for (size_t i = 0; i < r->snap.n; i++)
        if (own->packed && td_event_is_slots(&td_solver_uarch(own->pmu->solver)->events[r->samples[i].event]))
            add_sample(own, &r->samples[i], r->samples[i].event);
    if (own->packed)
        add_sample(own, field, TD_EVENT_PACKED);
    for (size_t i = 0; i < r->snap.n; i++) {
        const struct td_event *event = &td_solver_uarch(own->pmu->solver)->events[r->samples[i].event];

        if (r->samples[i].status == TD_OK && event->field < 0 && !td_event_is_slots(event))
            add_sample(own, &r->samples[i], r->samples[i].event);
    }
}

/* Room for all counts now: a measurement allocates nothing. */
static int make_room(struct td *td, struct td_own *own)
{
    const struct td_count none = {0};
    int err = td_live_begin(td);

    if (err)
        return err;
    own->core = own_lane(td)->core;
    own->start = own->os->now(own->os->ctx);
    make_samples(td, own);
    for (size_t i = 0; i < own->nsamples + TD_FIELDS && !err; i++)
        err = td_counts_append(&own->delta, &none);
    own->delta.n = 0;
    own->solve = (struct td_solve_ask){
        .level = own->pmu->plan.level, .fixed = td->fixed, .smt_off = td->recording.smt == TD_SMT_OFF,
        .scale_assumed = td->recording.smt == TD_SMT_UNKNOWN, .flags = td->candidates.c[0].machine.flags,
    };
    return err;
}

/* Groups that take turns are never all there to be read. */
static int check_together(struct td *td, const struct td_perf_pmu *p)
{
    const struct td_plan *plan = &p->plan;

    if (plan->together)
        return 0;
    snprintf(td->error, sizeof(td->error), "regions need all events of %s at the same time, and they do not fit the %u programmable counters of %s%s%s%s",
             plan->form->form->name, p->host->counters.general, p->host->name, p->host->counters.sibling ? "; with SMT off there are twice as many" : "",
             p->host->counters.watchdog ? "; the NMI watchdog has one (sysctl kernel.nmi_watchdog=0)" : "", plan->level > 1 ? "; level 1 takes fewer" : "");
    return -EOPNOTSUPP;
}

static int open_thread(struct td *td, const struct td_self_ask *ask)
{
    static const pid_t self[] = {0};
    const struct td_live live = {
        .tasks = self, .ntasks = 1, .threads = true, .name = "self", .no_inherit = true, .no_user = ask->no_user, .no_kernel = ask->no_kernel,
    };
    struct td_liveset *l = td->live;
    int err = td_live_find_pmus(td);

    if (err)
        return err;
    choose_pmu(l);
    err = check_permission(td, l->pmu[0].host);
    if (!err)
        err = td_live_find_scopes(td, &live);
    l->ask.clocks = false;
    if (!err)
        err = td_live_open_units(td, &live, false);
    return err ? err : check_together(td, &l->pmu[0]);
}

static int open_all(struct td *td, struct td_own *own, const struct td_self_ask *ask)
{
    struct td_liveset *l = td->live;
    struct td_perf_error e;
    int err = open_thread(td, ask);

    own->pmu = &l->pmu[0];
    if (!err)
        err = find_rseq(td, own);
    if (!err)
        err = map_all(td, own);
    if (!err)
        err = make_room(td, own);
    if (!err)
        err = td_regions_init(own, ask);
    if (err == -ENOMEM)
        return td_session_fail(td, err, "out of memory");
    if (!err)
        err = td_live_describe(td);
    if (err)
        return err;
    err = td_perf_enable(&l->unit[0].perf, own->os, true, &e);
    return err ? fail(td, err, "the counters cannot be switched on (ioctl): %s", strerror(-err)) : 0;
}

int td_open_self(struct td *td, const struct td_self_ask *ask)
{
    struct td_own *own;
    int err = td->opened || td->own ? td_session_fail(td, -EINVAL, "the handle has been opened already") : td_detect(td);

    if (!err)
        err = td_close_live(td); /* what was planned */
    if (err)
        return err;
    if (td->source == TD_SOURCE_MSR)
        return td_session_fail(td, -EINVAL, "the source msr measures CPUs, not the calling thread");
    if (ask->no_user && ask->no_kernel)
        return td_session_fail(td, -EINVAL, "without user and without kernel mode nothing is left to count");
    if (!(ask->target >= 0 && ask->target < 1))
        return td_session_fail(td, -EINVAL, "the target is a share: 0 (none) to 1");
    own = td->own = calloc(1, sizeof(*own));
    if (!own)
        return td_session_fail(td, -ENOMEM, "out of memory");
    own->os = td_session_os(td);
    own->target = ask->target;
    td->live->lean = !ask->corrections;
    td->live->ask = (struct td_perf_ask){.os = own->os, .no_user = ask->no_user, .no_kernel = ask->no_kernel, .user_read = true};
    td->opened = true;
    td->recording.name = "self";
    err = open_all(td, own, ask);
    if (err) {
        td_own_free(td);
        td_live_close_units(td);
    }
    return err;
}

/* A child of fork(2) has neither the pages nor what leads to them: something else
 * may have been mapped in their place. */
void td_own_free(struct td *td)
{
    struct td_own *own = td->own;
    bool child;

    if (!own)
        return;
    child = own->page && !own->page->own;
    for (size_t i = 0; i < own->nmaps && !child; i++)
        own->os->unmap(own->os->ctx, own->map[i], sizeof(struct perf_event_mmap_page));
    if (own->page)
        own->os->unmap(own->os->ctx, own->page, sizeof(*own->page));
    td_regions_free(own);
    td_counts_free(&own->delta);
    free(own);
    td->own = NULL;
}

const struct td_self *td_self_of(const struct td *td)
{
    return td->own && td->own->page ? &td->own->page->self : NULL;
}
