/* SPDX-License-Identifier: MIT */
#include "live/perf/perf.h"

#include "core/solve/solve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARM_USER_READ = 2, /* attr.config1: Linux Documentation/arm64/perf.rst */
    RETRIES = 100, /* how often a call is made again that signals interrupt */
    REF_TSC = 0x300, /* an event of every Intel core, which only fixed counter 2 counts */
};

int td_perf_pmu_init(struct td_perf_pmu *p, const struct td_host *h, const struct td_host_pmu *host,
                     struct td_forms *forms)
{
    const struct td_uarch *u = td_forms_uarch(forms);

    *p = (struct td_perf_pmu){.host = host, .forms = forms, .config = calloc(u->nevents + 1, sizeof(*p->config))};
    if (!p->config || td_bits_new(&p->absent, u->nevents)) {
        td_perf_pmu_free(p);
        return -ENOMEM;
    }
    for (size_t e = 0; e < u->nevents; e++) {
        const struct td_event *event = &u->events[e];
        bool offered = true;

        p->config[e] = event->modes ? u->events[event->base].config : event->config;
        if (event->kind == TD_EVENT_TSC)
            offered = host->counters.assumed || (td_host_pmu_type(h->os, "msr", &p->tsc_type) &&
                                                 td_host_event(h->os, "msr", "tsc", &p->config[e]));
        else if (event->field >= 0) /* opened on a PMU that does not know fields, the event counts something else */
            offered = (unsigned)event->field < host->counters.fields;
        else if (td_event_is_slots(event))
            offered = host->slots_event;
        else if (!strncmp(event->name, "topdown-", strlen("topdown-")))
            offered = td_host_event(h->os, host->name, event->name, &p->config[e]);
        if (!offered)
            td_bits_add(&p->absent, e);
    }
    return 0;
}

void td_perf_pmu_free(struct td_perf_pmu *p)
{
    free(p->config);
    td_bits_free(&p->absent);
    td_plan_free(&p->plan);
    *p = (struct td_perf_pmu){0};
}

size_t td_perf_events(const struct td_plan *p)
{
    size_t n = 0;

    for (size_t g = 0; g < p->ngroups; g++)
        n += p->group[g].n;
    return n;
}

/* Sets which modes an event leaves out. All events of a group leave out the same, since one counter serves all fields
 * of the metrics register; an event that counts one mode leaves out the others. */
static void set_modes(const struct td_perf_ask *a, const struct td_event *e, struct perf_event_attr *out)
{
    out->exclude_user = a->no_user || (e->modes && !(e->modes & TD_MODE_USER));
    out->exclude_kernel = a->no_kernel || (e->modes && !(e->modes & TD_MODE_KERNEL));
    out->exclude_hv = a->no_kernel;
}

void td_perf_attr_of(const struct td_perf_ask *a, const struct td_perf_pmu *p, const struct td_perf_target *t,
                     unsigned number, bool leads, struct perf_event_attr *out)
{
    const struct td_event *e = &td_forms_uarch(p->forms)->events[number];
    const bool task = t->pid >= 0 && t->cgroup < 0, tsc = e->kind == TD_EVENT_TSC;

    *out = (struct perf_event_attr){
        .size = sizeof(*out),
        .type = tsc ? p->tsc_type : p->host->type,
        .config = p->config[number],
        .config1 = a->user_read && *p->host->id ? ARM_USER_READ : e->config1,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = leads, /* its members start and stop with it */
        .inherit = task && a->inherit,
        .enable_on_exec = leads && task && a->on_exec,
    };
    set_modes(a, e, out);
}

void td_perf_attr_sample(struct perf_event_attr *attr)
{
    attr->sample_period = TD_LATENCY_PERIOD;
    attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_WEIGHT_STRUCT;
    attr->precise_ip = 1;
}

void td_perf_attr(const struct td_perf_ask *a, const struct td_perf_pmu *p, const struct td_perf_target *t, size_t g,
                  size_t i, bool leads, struct perf_event_attr *out)
{
    td_perf_attr_of(a, p, t, p->plan.group[g].event[i], leads, out);
    out->pinned = leads && g == 0 && p->plan.first == TD_FIRST_STAYS;
    out->enable_on_exec = out->enable_on_exec && td_plan_takes_turn(&p->plan, g, a->only);
    if (a->sample && td_bits_has(&p->plan.sampled, p->plan.group[g].event[i]))
        td_perf_attr_sample(out);
}

static int open_attr(const struct td_os *os, const struct perf_event_attr *attr, const struct td_perf_target *t,
                     int leader)
{
    int fd = -EINTR;

    for (int n = 0; n < RETRIES && fd == -EINTR; n++)
        fd = os->perf_open(os->ctx, attr, t->cgroup >= 0 ? t->cgroup : t->pid, t->cpu, leader,
                           PERF_FLAG_FD_CLOEXEC | (t->cgroup >= 0 ? PERF_FLAG_PID_CGROUP : 0ul));
    return fd;
}

static int open_event(const struct td_perf_ask *a, const struct td_perf_pmu *p, const struct td_perf_target *t,
                      size_t g, size_t i, int leader)
{
    struct perf_event_attr attr;

    td_perf_attr(a, p, t, g, i, leader < 0, &attr);
    return open_attr(a->os, &attr, t, leader);
}

/* Whether an error is one that the kernel gives for an event that its PMU does not have. */
static bool unknown_event(int err)
{
    return err == -ENOENT || err == -EINVAL || err == -EOPNOTSUPP || err == -ENXIO;
}

/* Whether the event still counts what its name says if only some modes are counted. */
static bool has_modes(const struct td_perf_ask *a, const struct td_event *e)
{
    return !(a->no_user || a->no_kernel) || (!e->modes && e->kind != TD_EVENT_TSC);
}

/* Whether the event can be opened outside its group. */
static bool opens_alone(const struct td_perf_ask *a, const struct td_perf_pmu *p, const struct td_perf_target *t,
                        size_t g, size_t i)
{
    int fd = open_event(a, p, t, g, i, -1);

    if (fd >= 0)
        a->os->close(a->os->ctx, fd);
    return fd >= 0;
}

/* Opens an event of the unit; one that cannot be sampled only counts. */
static int open_sampled(struct td_perf_unit *u, const struct td_perf_ask *a, size_t g, size_t i, int leader)
{
    const bool sampled = a->sample && td_bits_has(&u->pmu->plan.sampled, u->pmu->plan.group[g].event[i]);
    struct td_perf_ask counts = *a;
    int fd = open_event(a, u->pmu, &u->target, g, i, leader), first = fd;

    counts.sample = false;
    if (fd < 0 && sampled)
        fd = open_event(&counts, u->pmu, &u->target, g, i, leader);
    if (first < 0 && fd >= 0)
        u->unsampled = first;
    return fd;
}

static bool opens_without_cgroup(const struct td_perf_ask *a, const struct td_perf_pmu *p,
                                 const struct td_perf_target *t, size_t g, size_t i)
{
    const struct td_perf_target cpu = {-1, t->cpu, -1};

    return opens_alone(a, p, &cpu, g, i);
}

static int open_group(struct td_perf_unit *u, const struct td_perf_ask *a, size_t g, struct td_perf_event *events,
                      struct td_perf_error *e)
{
    const struct td_perf_pmu *p = u->pmu;
    const struct td_plan_group *group = &p->plan.group[g];
    const struct td_uarch *row = td_forms_uarch(p->forms);
    int leader = -1;

    for (size_t i = 0; i < group->n; i++) {
        unsigned number = group->event[i];

        if (td_bits_has(&p->absent, number) || !has_modes(a, &row->events[number]))
            continue;
        events[i].fd = open_sampled(u, a, g, i, leader);
        if (events[i].fd >= 0) {
            events[i].status = TD_OK;
            leader = leader < 0 ? events[i].fd : leader;
            continue;
        }
        *e = (struct td_perf_error){
            .err = events[i].fd,
            .call = "perf_event_open",
            .event = row->events[number].name,
            .target = u->target,
            .config = p->config[number],
        };
        events[i].fd = -1;
        e->cgroup = e->err == -ENOENT && u->target.cgroup >= 0 && opens_without_cgroup(a, p, &u->target, g, i);
        e->too_big =
            e->err == -EINVAL && leader >= 0 && row->events[number].field < 0 && opens_alone(a, p, &u->target, g, i);
        if (e->too_big || e->cgroup || !unknown_event(e->err))
            return e->err;
    }
    return 0;
}

/* Opens CPU_CLK_UNHALTED.REF_TSC, which no plan has, pinned, so that it has its fixed counter whenever the task runs on
 * this PMU's cores. Without it (-1) time on the other kind of core cannot be distinguished from multiplexing, and is
 * scaled and flagged as such. */
static int open_clock(const struct td_perf_ask *a, const struct td_perf_pmu *p, const struct td_perf_target *t)
{
    struct td_perf_ask always = *a;
    struct perf_event_attr attr;
    int fd;

    always.only = 0;
    td_perf_attr(&always, p, t, 0, 0, true, &attr);
    attr.config = REF_TSC;
    attr.pinned = 1;
    fd = open_attr(a->os, &attr, t, -1);
    return fd < 0 ? -1 : fd;
}

/* What read(2) returns with PERF_FORMAT_GROUP: the number of values, both times, and the values in the order of
 * opening. */
struct td_group_values {
    uint64_t nr, enabled, running, value[];
};

static size_t size_of_values(size_t n)
{
    return sizeof(struct td_group_values) + n * sizeof(uint64_t);
}

static size_t again_events(const struct td_plan *p)
{
    return td_plan_again(p) ? td_plan_again(p) * p->group[0].n : 0;
}

static int make_room(struct td_perf_unit *u)
{
    const struct td_plan *plan = &u->pmu->plan;
    const size_t n = u->n = td_perf_events(plan);

    u->most = 1;
    for (size_t g = 0; g < plan->ngroups; g++)
        u->most = plan->group[g].n > u->most ? plan->group[g].n : u->most;
    u->event = calloc(n ? n : 1, sizeof(*u->event));
    u->fresh = calloc(n ? n : 1, sizeof(*u->fresh));
    u->again = calloc(again_events(plan) + 1, sizeof(*u->again));
    u->values = calloc(1, size_of_values(u->most));
    return u->event && u->fresh && u->again && u->values ? 0 : -ENOMEM;
}

static void free_room(struct td_perf_unit *u)
{
    free(u->event);
    free(u->fresh);
    free(u->again);
    free(u->values);
    u->event = u->fresh = u->again = NULL;
    u->values = NULL;
}

static void not_open(struct td_perf_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        events[i] = (struct td_perf_event){.fd = -1, .status = TD_NOT_SUPPORTED};
}

int td_perf_open(struct td_perf_unit *u, const struct td_perf_ask *a, const struct td_perf_pmu *p,
                 const struct td_perf_target *t, struct td_perf_error *e)
{
    size_t at = 0;
    int err = 0;

    *u = (struct td_perf_unit){.target = *t, .pmu = p, .only = a->only, .clock = -1};
    *e = (struct td_perf_error){.err = 0};
    if (make_room(u)) {
        free_room(u);
        return e->err = -ENOMEM;
    }
    not_open(u->event, u->n);
    not_open(u->again, again_events(&p->plan));
    for (size_t g = 0; g < p->plan.ngroups && !err; g++) {
        if (g >= 2 && td_plan_again(&p->plan))
            err = open_group(u, a, 0, &u->again[(g - 2) * p->plan.group[0].n], e);
        err = err ? err : open_group(u, a, g, &u->event[at], e);
        at += p->plan.group[g].n;
    }
    if (!err && a->clocks && t->pid >= 0)
        u->clock = open_clock(a, p, t);
    if (err)
        td_perf_close(u, a->os);
    return err;
}

static int leader_of(const struct td_perf_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (events[i].fd >= 0)
            return events[i].fd;
    return -1;
}

static int command_group(const struct td_os *os, int fd, unsigned long request)
{
    int err = fd < 0 ? 0 : -EINTR;

    for (int n = 0; n < RETRIES && err == -EINTR; n++)
        err = os->perf_ioctl(os->ctx, fd, request, PERF_IOC_FLAG_GROUP);
    return err < 0 ? err : 0;
}

static int command_all(const struct td_perf_unit *u, const struct td_os *os, unsigned long request,
                       struct td_perf_error *e)
{
    const struct td_plan *p = &u->pmu->plan;
    int err = command_group(os, u->clock, request);
    size_t at = 0;

    for (size_t g = 0; g < p->ngroups && !err; at += p->group[g++].n)
        if (td_plan_takes_turn(p, g, u->only))
            err = command_group(os, leader_of(&u->event[at], p->group[g].n), request);
    for (size_t i = 0; i < td_plan_again(p) && !err; i++)
        err = command_group(os, leader_of(&u->again[i * p->group[0].n], p->group[0].n), request);
    if (err)
        *e = (struct td_perf_error){.err = err, .call = "ioctl", .target = u->target};
    return err;
}

int td_perf_enable(const struct td_perf_unit *u, const struct td_os *os, bool on, struct td_perf_error *e)
{
    return command_all(u, os, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, e);
}

int td_perf_reset(const struct td_perf_unit *u, const struct td_os *os, struct td_perf_error *e)
{
    return command_all(u, os, PERF_EVENT_IOC_RESET, e);
}

/* Reads a group. A complete reading with fewer values than were opened is an error that is "detached": when a CPU goes
 * offline the kernel takes its groups apart (perf_event_exit_cpu() in kernel/events/core.c). No value at all means that
 * an event is in an error state. */
static int read_group(const struct td_perf_unit *u, const struct td_os *os, const struct td_perf_event *events,
                      size_t n, bool *detached)
{
    struct td_group_values *v = u->values;
    int fd = leader_of(events, n);
    size_t open = 0;
    ssize_t got = -EINTR;

    v->nr = 0;
    if (fd < 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        open += events[i].fd >= 0;
    for (int tries = 0; tries < RETRIES && got == -EINTR; tries++)
        got = os->read(os->ctx, fd, v, size_of_values(u->most));
    if (got < 0)
        return (int)got;
    *detached = !got || (got >= (ssize_t)(3 * sizeof(uint64_t)) && v->nr < open &&
                         (size_t)got == (3 + v->nr) * sizeof(uint64_t));
    return (size_t)got != (3 + open) * sizeof(uint64_t) || v->nr != open ? -EIO : 0;
}

static void take_values(struct td_perf_event *events, size_t n, const struct td_group_values *v)
{
    const uint64_t *next = v->value;

    for (size_t i = 0; i < n; i++) {
        if (events[i].fd < 0)
            continue;
        events[i].value = *next++;
        events[i].running = v->running;
        /* the two are read one after the other, and running may be ahead */
        events[i].enabled = v->enabled < v->running ? v->running : v->enabled;
    }
}

/* Adds what the first group counted in its further places. They and its own take turns: all were enabled as long. */
static int add_again(struct td_perf_unit *u, const struct td_os *os, bool *detached)
{
    const struct td_plan *p = &u->pmu->plan;
    const size_t n = p->ngroups ? p->group[0].n : 0;
    int err = 0;

    for (size_t k = 0; k < td_plan_again(p) && !err; k++) {
        struct td_perf_event *again = &u->again[k * n];

        err = read_group(u, os, again, n, detached);
        if (!err && u->values->nr)
            take_values(again, n, u->values);
        for (size_t i = 0; i < n && !err; i++) {
            u->fresh[i].value += again[i].value;
            u->fresh[i].running += again[i].running;
            if (u->fresh[i].enabled < u->fresh[i].running)
                u->fresh[i].enabled = u->fresh[i].running;
        }
    }
    return err;
}

/* A pinned group that others took a counter from has no value, and counts no more (kernel/events/core.c,
 * perf_event_set_state(PERF_EVENT_STATE_ERROR)): what it counted stays, and the time without it is that of the others.
 */
static bool lost_counters(struct td_perf_unit *u, size_t g, int err)
{
    const struct td_plan *p = &u->pmu->plan;

    return err == -EIO && g == 0 && p->first == TD_FIRST_STAYS && p->ngroups > 1 && !u->values->nr;
}

/* Whether the first group was without counters in something that inherited it, which fails alone: it was enabled for
 * less long than a group that takes turns. Groups are enabled and read one after the other, which makes less of a
 * difference. */
static bool lost_in_heirs(const struct td_perf_unit *u)
{
    enum { APART = 1000000 /* ns */, PART = 100 };
    const struct td_plan *p = &u->pmu->plan;
    const size_t n = p->ngroups ? p->group[0].n : 0;
    uint64_t first = 0, other = 0;

    if (p->first != TD_FIRST_STAYS || p->ngroups < 2)
        return false;
    for (size_t i = 0; i < u->n; i++)
        if (u->fresh[i].fd >= 0) {
            uint64_t *most = i < n ? &first : &other;

            *most = u->fresh[i].enabled > *most ? u->fresh[i].enabled : *most;
        }
    return other > first && other - first > APART && other - first > first / PART;
}

/* What the first group did not count is time that it was enabled: it is then multiplexed, as it should have been. */
static void keep_first(struct td_perf_unit *u)
{
    const struct td_plan *p = &u->pmu->plan;
    const struct td_perf_event *other = &u->fresh[p->group[0].n];
    const size_t n = u->n - p->group[0].n;

    for (size_t i = 0; i < p->group[0].n; i++)
        for (size_t k = 0; k < n && u->fresh[i].fd >= 0; k++)
            if (other[k].enabled > u->fresh[i].enabled)
                u->fresh[i].enabled = other[k].enabled;
}

/* The time on this kind of core. If the clock gave nothing (a pinned event
 * that found no counter reads as end of file), it is left as it was. */
static int read_clock(struct td_perf_unit *u, const struct td_os *os)
{
    const struct td_perf_event one = {.fd = u->clock};
    bool detached = false;
    int err = u->clock < 0 ? 0 : read_group(u, os, &one, 1, &detached);

    if (!err && u->clock >= 0) {
        u->clocked = true;
        u->on_core = u->values->running;
    }
    return err && detached ? 0 : err;
}

int td_perf_read(struct td_perf_unit *u, const struct td_os *os, struct td_perf_error *e)
{
    const struct td_plan *p = &u->pmu->plan;
    size_t at = 0;
    bool detached = false;
    int err = 0;

    u->lost = false;
    memcpy(u->fresh, u->event, u->n * sizeof(*u->event));
    for (size_t g = 0; g < p->ngroups && !err; at += p->group[g++].n) {
        err = read_group(u, os, &u->event[at], p->group[g].n, &detached);
        if (lost_counters(u, g, err)) {
            u->lost = true;
            detached = false;
            err = 0;
        } else if (!err && u->values->nr) {
            take_values(&u->fresh[at], p->group[g].n, u->values);
        }
    }
    if (!err)
        err = add_again(u, os, &detached);
    u->lost_below = !err && !u->lost && !u->behind && lost_in_heirs(u);
    u->behind = u->behind || u->lost || u->lost_below;
    if (!err && u->behind)
        keep_first(u);
    if (!err)
        err = read_clock(u, os);
    if (!err)
        memcpy(u->event, u->fresh, u->n * sizeof(*u->event));
    else
        *e = (struct td_perf_error){
            .err = err, .call = "read", .target = u->target, .detached = detached && u->values->nr};
    return err;
}

/* Enabling takes an event out of its error (kernel/events/core.c, _perf_event_enable()). */
void td_perf_revive(const struct td_perf_unit *u, const struct td_os *os)
{
    const int leader = leader_of(u->event, u->pmu->plan.group[0].n);

    if (leader >= 0)
        os->perf_ioctl(os->ctx, leader, PERF_EVENT_IOC_ENABLE, 0);
}

void td_perf_close(struct td_perf_unit *u, const struct td_os *os)
{
    for (size_t n = u->again ? again_events(&u->pmu->plan) : 0; n-- > 0;)
        if (u->again[n].fd >= 0)
            os->close(os->ctx, u->again[n].fd);
    for (size_t n = u->event ? u->n : 0; n-- > 0;)
        if (u->event[n].fd >= 0)
            os->close(os->ctx, u->event[n].fd);
    if (u->event && u->clock >= 0)
        os->close(os->ctx, u->clock);
    free_room(u);
}

/* Whether a level-1 metric with this status, from made-up counts, has its events. */
static bool could_be(enum td_status s)
{
    return s == TD_OK || s == TD_IMPOSSIBLE || s == TD_ZERO_DIVISOR || s == TD_NO_SLOTS || s == TD_NOT_ON_THIS_CPU ||
           s == TD_PUBLISHED_FORMULA_WRONG || s == TD_NOT_IN_THIS_FORMULA;
}

bool td_perf_solves(const struct td_perf_unit *u, bool fixed)
{
    const struct td_plan *p = &u->pmu->plan;
    const struct td_solve_ask ask = {.level = TD_LEVEL_TOP, .fixed = fixed, .whole_core = true};
    struct td_counts k = {0};
    struct td_result result = {0};
    bool ok = true;
    size_t at = 0;

    for (size_t g = 0; g < p->ngroups; g++)
        for (size_t i = 0; i < p->group[g].n && ok; i++) {
            const struct td_perf_event *e = &u->event[at++];
            struct td_count c = {
                .value = e->status == TD_OK,
                .enabled = 1,
                .running = e->status == TD_OK,
                .group = (uint16_t)g,
                .event = p->group[g].event[i],
                .status = e->status,
            };

            ok = !td_counts_append(&k, &c);
        }
    ok = ok && !td_solve(u->pmu->forms, &k, &ask, &result);
    for (size_t i = 0; ok && i < result.nmetrics; i++)
        ok = could_be(result.metrics[i].status);
    td_counts_free(&k);
    td_result_free(&result);
    return ok;
}
