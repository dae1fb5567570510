/* SPDX-License-Identifier: MIT */
#include "live/sampling/sampled.h"

#include "include/td_samples.h"
#include "live/rights.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    SAMPLE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU |
             PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ,
    PAGES_CPU = 64,
    PAGES_TASK = 16,
    PAGES_TOLD = 4,
    ARM_CYCLES = 0x11,
    MONOTONIC = 1, /* CLOCK_MONOTONIC */
};

/* Where things are in a sample with these fields, in bytes. */
enum { TIME_AT = 24, ID_AT = 32, RUNNING_AT = 72, VALUES_AT = 80, VALUE = 16 };

/* How many ns it may take to set a distance; and how many pairs in a row have to be far before it is set again: one far
 * pair is only an interrupt that came late. */
enum { LONGEST = 5000000, FAR_MOST = 3 };

/* ---- the events ------------------------------------------------------------------------------ */

static void set_samples(struct perf_event_attr *attr, const struct td_sampled_how *how)
{
    attr->sample_type = SAMPLE | (how->callchains ? PERF_SAMPLE_CALLCHAIN : 0);
    attr->read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr->sample_id_all = 1;
    attr->exclude_callchain_kernel = attr->exclude_kernel;
    attr->use_clockid = 1; /* tdprobe's own records have the same clock */
    attr->clockid = MONOTONIC;
}

/* Of CPUs their switches between threads are told too, which pairs do without: three single samples in a row do not
 * say whether a program left and came back, or was switched out in between. */
static void set_teller(struct perf_event_attr *attr, const struct td_sampled_how *how)
{
    attr->comm = attr->comm_exec = attr->mmap = attr->mmap2 = attr->task = 1;
    attr->context_switch = !how->tasks && !how->pairs;
}

/* Makes the event take samples; last: of those that take one together. */
static void set_sampler(const struct td_sampled_how *how, bool last, struct perf_event_attr *attr)
{
    attr->freq = how->freq > 0;
    attr->sample_period = how->freq ? how->freq : how->period; /* in a union with sample_freq */
    attr->wakeup_events = last;
}

/* Cycles, which a fixed and a programmable counter can count. */
static void set_cycles(const struct td_host_pmu *host, struct perf_event_attr *attr)
{
    attr->type = *host->id ? host->type : PERF_TYPE_HARDWARE;
    attr->config = *host->id
                       ? ARM_CYCLES
                       : PERF_COUNT_HW_CPU_CYCLES | (host->type != PERF_TYPE_RAW ? (uint64_t)host->type << 32 : 0);
    attr->config1 = attr->config2 = 0;
    attr->disabled = attr->enable_on_exec = 0;
}

/* Whether the group's sampling event tells what happens to tasks: one of those that take turns does. */
static bool tells_itself(const struct td_sampled_kind *k, const struct td_sampled_how *how)
{
    return !k->turn && (!how->tasks || how->inherit);
}

static void add_cycles(struct td_sampled_kind *k, const struct td_host_pmu *host, const struct td_sampled_how *how)
{
    const size_t last = how->pairs ? 1 : 0;

    for (size_t i = 0; i <= last; i++) {
        k->event[k->n] = k->event[0];
        set_cycles(host, &k->event[k->n].attr);
        set_sampler(how, i == last, &k->event[k->n].attr);
        if (!i && tells_itself(k, how))
            set_teller(&k->event[k->n].attr, how);
        snprintf(k->event[k->n++].name, TD_SAMPLED_NAME, "cpu-cycles");
    }
}

static void add_teller(struct td_sampled_kind *k, const struct td_sampled_how *how)
{
    struct perf_event_attr *attr = &k->event[k->n].attr;

    *attr = k->event[0].attr;
    attr->type = PERF_TYPE_SOFTWARE;
    attr->config = PERF_COUNT_SW_DUMMY;
    attr->config1 = attr->config2 = 0;
    attr->disabled = attr->enable_on_exec = attr->pinned = 0;
    attr->watermark = 1;
    attr->wakeup_watermark = 1; /* each record wakes */
    set_teller(attr, how);
    snprintf(k->event[k->n].name, TD_SAMPLED_NAME, "dummy");
    k->tells = true;
}

static void name_event(const struct td_meter *m, const struct td_perf_pmu *p, const struct td_event *e,
                       char out[TD_SAMPLED_NAME])
{
    const char *name = td_event_is_slots(e) ? "slots" : e->name;

    if (m->npmus > 1)
        snprintf(out, TD_SAMPLED_NAME, "%s/%s/", p->host->name, name);
    else
        snprintf(out, TD_SAMPLED_NAME, "%s", name);
}

static bool is_member(const struct td_perf_pmu *p, const struct td_plan_group *g, size_t i)
{
    return !td_bits_has(&p->absent, g->event[i]) && td_bits_has(&g->able, g->event[i]);
}

/* Which event of the group counts cycles, the thread's own or those of its core, in all modes; g->n: none. */
static size_t find_cycles(const struct td_perf_pmu *p, const struct td_plan_group *g)
{
    const struct td_uarch *u = td_forms_uarch(p->forms);

    for (size_t i = 0; i < g->n; i++) {
        const struct td_event *e = &u->events[g->event[i]];

        if (is_member(p, g, i) && !e->modes && td_uarch_is_clock(u, e))
            return i;
    }
    return g->n;
}

static void add_event(struct td_sampled_kind *k, const struct td_meter *m, const struct td_perf_pmu *p,
                      const struct td_sampled_how *how, size_t i)
{
    static const struct td_perf_target any = {0, -1, -1};
    struct td_perf_ask ask = m->ask;

    ask.inherit = how->inherit;
    ask.on_exec = how->on_exec;
    ask.sample = false;
    td_perf_attr(&ask, p, &any, k->turn, i, k->n == 0, &k->event[k->n].attr);
    set_samples(&k->event[k->n].attr, how);
    name_event(m, p, &td_forms_uarch(p->forms)->events[p->plan.group[k->turn].event[i]], k->event[k->n].name);
    k->n++;
}

/* After the first member, what takes the samples: the formulas' own cycles, which costs no counter, where single
 * samples are taken; else further events of cycles. */
static void add_samplers(struct td_sampled_kind *k, const struct td_meter *m, const struct td_perf_pmu *p,
                         const struct td_sampled_how *how, size_t own)
{
    if (own == p->plan.group[k->turn].n) {
        add_cycles(k, p->host, how);
        return;
    }
    add_event(k, m, p, how, own);
    set_sampler(how, true, &k->event[TD_SAMPLED_FIRST].attr);
    if (tells_itself(k, how))
        set_teller(&k->event[TD_SAMPLED_FIRST].attr, how);
}

bool td_sampled_take_fewer(struct td_meter *m)
{
    bool any = false;

    for (size_t i = 0; i < m->npmus; i++) {
        const struct td_perf_pmu *p = &m->pmu[i];
        const unsigned most = td_plan_general(&p->plan, &p->host->counters, td_forms_uarch(p->forms));

        if (most > 1)
            m->host.pmu[p->host - m->host.pmu].counters.general = most - 1;
        any = any || most > 1;
    }
    return any;
}

const char *td_sampled_what_helps(const struct td_meter *m)
{
    for (size_t i = 0; i < m->npmus; i++) {
        const struct td_perf_pmu *p = &m->pmu[i];

        if (p->plan.ngroups <= 1)
            continue;
        if (p->plan.level > TD_LEVEL_TOP)
            return "; --level 1 takes fewer";
        if (m->scopes.tasks && m->host.smt && p->host->any && !td_rights_any_thread(&m->host))
            return "; CAP_PERFMON, or sysctl kernel.perf_event_paranoid=0, allows the clock of whole cores, "
                   "which takes fewer counters";
        if (p->host->counters.watchdog)
            return "; one counter is left to the NMI watchdog: " TD_WATCHDOG_REMEDY;
    }
    return "";
}

size_t td_sampled_kinds(const struct td_meter *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->npmus; i++)
        n += m->pmu[i].plan.ngroups;
    return n;
}

int td_sampled_kind_make(struct td_sampled_kind *k, const struct td_meter *m, size_t pmu, size_t turn,
                         const struct td_sampled_how *how)
{
    const struct td_perf_pmu *p = &m->pmu[pmu];
    const struct td_plan_group *g = &p->plan.group[turn];
    size_t own;

    *k = (struct td_sampled_kind){.pmu = pmu, .turn = turn, .period = how->period};
    if (g->n > TD_SAMPLED_MEMBERS - 2)
        return td_log_fail(m->log, -EOPNOTSUPP,
                           "the formulas need %zu events together, and a sample holds %d: --level 1 needs fewer", g->n,
                           TD_SAMPLED_MEMBERS - 2);
    own = how->pairs ? g->n : find_cycles(p, g);
    for (size_t i = 0; i < g->n; i++) {
        if (!is_member(p, g, i) || i == own)
            continue;
        add_event(k, m, p, how, i);
        if (k->n == 1)
            add_samplers(k, m, p, how, own);
    }
    if (how->tasks && !how->inherit && !turn)
        add_teller(k, how);
    return 0;
}

/* ---- opening ------------------------------------------------------------------------------------ */

static int fail(struct td_sampled *g, const struct td_os *os, struct td_perf_error *e, int err, const char *call,
                size_t member)
{
    *e = (struct td_perf_error){
        .err = err,
        .call = call,
        .event = g->kind->event[member].name,
        .target = g->target,
        .config = g->kind->event[member].attr.config,
        .too_big = err == -EINVAL && member > 0,
    };
    td_sampled_close(g, os);
    return err;
}

/* Opens one event: its descriptor. */
static int open_event(const struct td_os *os, struct perf_event_attr *attr, const struct td_perf_target *t, int leader,
                      uint64_t *id)
{
    int fd, err;

    do
        fd = os->perf_open(os->ctx, attr, t->pid, t->cpu, leader, PERF_FLAG_FD_CLOEXEC);
    while (fd == -EINTR);
    err = fd < 0 ? fd : os->perf_ioctl(os->ctx, fd, PERF_EVENT_IOC_ID, (unsigned long)(uintptr_t)id);
    if (fd >= 0 && err < 0)
        os->close(os->ctx, fd);
    return err < 0 ? err : fd;
}

/* Linux before 4.3 does not record switches: it refuses their bit, as one that it does not know. The kind has it no
 * more then, which the file shows and later groups begin with. */
static int open_member(struct td_sampled *g, const struct td_os *os, struct td_sampled_kind *k, size_t i)
{
    struct perf_event_attr attr = k->event[i].attr;
    int fd = open_event(os, &attr, &g->target, i ? g->fd[0] : -1, &g->id[i]);

    if (fd == -EINVAL && attr.context_switch) {
        attr.context_switch = 0;
        fd = open_event(os, &attr, &g->target, i ? g->fd[0] : -1, &g->id[i]);
        k->event[i].attr.context_switch = fd < 0;
    }
    if (fd < 0)
        return fd;
    g->fd[g->n++] = fd;
    return 0;
}

/* Maps a ring of so many pages, or a smaller one where less memory may be locked (perf_event_mlock_kb). */
static int map(struct td_ring *r, const struct td_os *os, int fd, size_t pages)
{
    int err;

    do
        err = td_ring_map(r, os, fd, pages);
    while (err == -EPERM && (pages /= 2));
    return err;
}

/* Opens the event in no group, if the kind has one. */
static int open_teller(struct td_sampled *g, const struct td_os *os, struct td_perf_error *e)
{
    const size_t at = g->kind->n;
    struct perf_event_attr attr = g->kind->event[at].attr;
    int err;

    if (!g->kind->tells)
        return 0;
    err = g->teller = open_event(os, &attr, &g->target, -1, &g->teller_id);
    if (err < 0)
        return fail(g, os, e, err, "perf_event_open", at);
    err = map(&g->told, os, g->teller, PAGES_TOLD);
    return err ? fail(g, os, e, err, "mmap", at) : 0;
}

static int put_into(const struct td_sampled *g, const struct td_os *os, size_t member, int fd)
{
    return os->perf_ioctl(os->ctx, g->fd[member], PERF_EVENT_IOC_SET_OUTPUT, (unsigned long)fd);
}

int td_sampled_open(struct td_sampled *g, const struct td_os *os, struct td_sampled_kind *k,
                    const struct td_perf_target *t, const struct td_sampled *other, struct td_perf_error *e)
{
    const size_t second = TD_SAMPLED_FIRST + 1;
    int err = 0;

    *g = (struct td_sampled){
        .target = *t, .kind = k, .teller = -1, .period = k->period, .pair.wanted = true, .other = other};
    for (size_t i = 0; i < k->n; i++) {
        err = open_member(g, os, k, i);
        if (err)
            return fail(g, os, e, err, "perf_event_open", i);
    }
    if (other)
        err = put_into(g, os, TD_SAMPLED_FIRST, other->fd[TD_SAMPLED_FIRST]);
    else
        err = map(&g->ring, os, g->fd[TD_SAMPLED_FIRST], t->cpu >= 0 ? PAGES_CPU : PAGES_TASK);
    if (err)
        return fail(g, os, e, err, other ? "ioctl" : "mmap", TD_SAMPLED_FIRST);
    if (k->n > second && k->event[second].attr.sample_period)
        err = put_into(g, os, second, g->fd[TD_SAMPLED_FIRST]);
    return err < 0 ? fail(g, os, e, err, "ioctl", second) : open_teller(g, os, e);
}

int td_sampled_watch(const struct td_sampled *g, const struct td_os *os, int rings)
{
    const int err = g->ring.page ? os->rings_add(os->ctx, rings, g->fd[TD_SAMPLED_FIRST]) : 0;

    return err || g->teller < 0 ? err : os->rings_add(os->ctx, rings, g->teller);
}

int td_sampled_take(struct td_sampled *g, td_ring_fn *fn, void *ctx)
{
    const int err = g->teller < 0 ? 0 : td_ring_take(&g->told, fn, ctx);

    return err || !g->ring.page ? err : td_ring_take(&g->ring, fn, ctx);
}

int td_sampled_enable(const struct td_sampled *g, const struct td_os *os)
{
    return os->perf_ioctl(os->ctx, g->fd[0], PERF_EVENT_IOC_ENABLE, 0);
}

/* Closes members before their leader: the kernel puts a metric event without one into an error state. */
void td_sampled_close(struct td_sampled *g, const struct td_os *os)
{
    td_ring_unmap(&g->told, os);
    td_ring_unmap(&g->ring, os);
    if (g->teller >= 0)
        os->close(os->ctx, g->teller);
    g->teller = -1;
    while (g->n)
        os->close(os->ctx, g->fd[--g->n]);
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

/* How many cycles the first sampling member has counted; 0: it cannot be read. */
static uint64_t cycles_of(const struct td_sampled *g, const struct td_os *os)
{
    uint64_t values[3 + 2 * TD_SAMPLED_MEMBERS];
    const ssize_t n = os->read(os->ctx, g->fd[0], values, sizeof(values));

    return n == (ssize_t)((3 + 2 * g->n) * sizeof(*values)) ? values[3 + 2 * TD_SAMPLED_FIRST] : 0;
}

/* Of a member with a frequency, the kernel takes the value as one. */
static void begin_anew(const struct td_sampled *g, const struct td_os *os, size_t member, uint64_t period)
{
    os->perf_ioctl(os->ctx, g->fd[member], PERF_EVENT_IOC_PERIOD, (unsigned long)(uintptr_t)&period);
}

/* Waits until the cycles have passed by which pairs are to be apart, since count. false: the task does not run, or not
 * for long enough, or too many cycles have passed. */
static bool reach(const struct td_sampled *g, const struct td_os *os, uint64_t count)
{
    const uint64_t began = os->now(os->ctx);
    uint64_t before = count, now = cycles_of(g, os);

    while (now > before && now - count < TD_PAIR_LEAST && os->now(os->ctx) - began <= LONGEST) {
        before = now;
        now = cycles_of(g, os);
    }
    return now > before && now - count >= TD_PAIR_LEAST && now - count <= TD_PAIR_MOST;
}

void td_sampled_arm(struct td_sampled *g, const struct td_os *os)
{
    struct td_pair_distance *p = &g->pair;

    p->wanted = p->open = false;
    p->far = 0;
    begin_anew(g, os, TD_SAMPLED_FIRST, g->period);
    p->set = reach(g, os, cycles_of(g, os));
    if (p->set)
        begin_anew(g, os, TD_SAMPLED_FIRST + 1, g->period);
    p->armed = os->now(os->ctx);
}

void td_sampled_vary(struct td_sampled *g, const struct td_os *os, uint64_t freq)
{
    begin_anew(g, os, TD_SAMPLED_FIRST, td_pace_vary(&g->varied, freq));
}

static uint64_t word(const struct perf_event_header *h, size_t at)
{
    uint64_t value = 0;

    if (at + sizeof(value) <= h->size)
        memcpy(&value, (const unsigned char *)h + at, sizeof(value));
    return value;
}

static enum td_pair_news judge(struct td_pair_distance *p, uint64_t distance)
{
    if (distance >= TD_PAIR_LEAST && distance <= TD_PAIR_MOST) {
        p->far = 0;
        return TD_NEWS_NEAR;
    }
    if (++p->far == FAR_MOST) {
        p->set = false;
        p->wanted = true;
    }
    return TD_NEWS_FAR;
}

/* Adapts the period to the clock: for a thread the mean, for a CPU that of its fastest period, since it may be idle for
 * a part of the time that its events run. */
static void adapt(struct td_sampled *g, const struct td_pace *pace)
{
    const double wanted = td_pace_period(pace, g->target.pid >= 0 ? g->clock.mean : g->clock.busy),
                 now = (double)g->period;

    if (wanted > now * 7 / 8 && wanted < now * 9 / 8)
        return;
    g->period = (uint64_t)wanted;
    g->pair.wanted = true;
}

/* Measures what a sample costs: between the two of a pair there are one whole interrupt and the cycles of their
 * distance. */
static void measure(const struct td_sampled *g, uint64_t cycles, uint64_t running, struct td_pace *pace)
{
    if (g->clock.busy > 0 && running > g->pair.running)
        td_pace_cost(pace,
                     (double)(running - g->pair.running) / 1e9 - (double)(cycles - g->pair.began) / g->clock.busy);
}

static enum td_pair_news take_sample(struct td_sampled *g, const struct perf_event_header *h, struct td_pace *pace)
{
    const uint64_t id = word(h, ID_AT), cycles = word(h, VALUES_AT + VALUE * TD_SAMPLED_FIRST),
                   running = word(h, RUNNING_AT);
    struct td_pair_distance *p = &g->pair;

    if (id == g->id[TD_SAMPLED_FIRST]) {
        p->wanted = p->wanted || !p->set; /* the task runs now, so the distance can be set */
        p->open = p->set && word(h, TIME_AT) >= p->armed;
        p->began = cycles;
        p->running = running;
        if (td_pace_count(&g->clock, cycles, running) && pace->rate > 0)
            adapt(g, pace);
    } else if (p->open && id == g->id[TD_SAMPLED_FIRST + 1]) {
        const enum td_pair_news news = judge(p, cycles - p->began);

        p->open = false;
        if (news == TD_NEWS_NEAR)
            measure(g, cycles, running, pace);
        return news;
    }
    return TD_NEWS_NONE;
}

enum td_pair_news td_sampled_look(struct td_sampled *g, const struct perf_event_header *h, struct td_pace *pace)
{
    if (h->type == PERF_RECORD_SAMPLE)
        return take_sample(g, h, pace);
    if (h->type == PERF_RECORD_THROTTLE)
        g->pair.wanted = true;
    return TD_NEWS_NONE;
}
