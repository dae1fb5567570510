/* SPDX-License-Identifier: MIT */
/* Workloads: their lines, their phases for the PMU model, and their execution on cores. */
#include "kernel_page.h"
#include "machine_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000 };

int td_sim_take_workload(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    const char *name = td_sim_word(l, 1), *pmu = td_sim_value(l, "pmu");
    struct td_sim_work *more, w = {0};
    uint64_t rate;
    int err;

    if (!name || strlen(name) >= sizeof(w.name))
        return td_sim_bad(l, "a workload needs a name of up to 31 letters");
    snprintf(w.name, sizeof(w.name), "%s", name);
    while (pmu && w.pmu < s->npmus && strcmp(s->pmu[w.pmu].name, pmu))
        w.pmu++;
    if (pmu && w.pmu == s->npmus)
        return td_sim_bad(l, "no PMU '%.40s' above", pmu);
    if (td_sim_work_find(s, name, w.pmu))
        return td_sim_bad(l, "the workload %s stands twice for this PMU", name);
    err = td_sim_number_of(l, "rate", td_sim_value(l, "rate"), 1000000, UINT64_C(100000000000), &rate);
    if (err)
        return err;
    w.per_ms = rate / 1000;
    more = td_sim_grow(s->work, s->nworks, sizeof(*more));
    if (!more)
        return -ENOMEM;
    s->work = more;
    more[s->nworks++] = w;
    return 0;
}

/* The shares in 65536ths; what rounding leaves goes to the largest, so that they sum to the whole. */
static void set_weights(struct td_sim_phase *f, const uint64_t *share)
{
    uint32_t sum = 0, *largest = f->weight;

    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        f->weight[i] = (uint32_t)(share[i] * TD_PMU_WHOLE / MILLION);
    for (size_t i = 0; i < TD_PMU_LEVEL1; i++) {
        sum += f->weight[i];
        if (f->weight[i] > *largest)
            largest = &f->weight[i];
    }
    *largest += TD_PMU_WHOLE - sum;
}

static int take_shares(struct td_sim_line *l, uint64_t *share)
{
    static const char *const names[TD_PMU_FIELDS] = {"retiring", "bad", "frontend", "backend", "heavy", "mispredict", "latency", "memory"};
    uint64_t sum = 0;

    for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
        const char *text = td_sim_value(l, names[i]);

        share[i] = 0;
        if (text && td_sim_millionths(l, names[i], text, MILLION, &share[i]))
            return -EBADMSG;
        if (i < TD_PMU_LEVEL1)
            sum += share[i];
        else if (share[i] > share[i - TD_PMU_LEVEL1])
            return td_sim_bad(l, "%s is more than %s, which it is a part of", names[i], names[i - TD_PMU_LEVEL1]);
    }
    if (sum != MILLION)
        return td_sim_bad(l, "retiring, bad, frontend and backend sum to %u.%06u, not 1", (unsigned)(sum / MILLION), (unsigned)(sum % MILLION));
    return 0;
}

int td_sim_take_phase(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_work *w = s->nworks ? &s->work[s->nworks - 1] : NULL;
    struct td_sim_phase *more;
    uint64_t ms, share[TD_PMU_FIELDS];
    int err;

    if (!w)
        return td_sim_bad(l, "no workload above");
    err = td_sim_number_of(l, "ms", td_sim_value(l, "ms"), 1, 100000, &ms);
    if (!err)
        err = take_shares(l, share);
    if (err)
        return err;
    more = td_sim_grow(w->phase, w->nphases, sizeof(*more));
    if (!more)
        return -ENOMEM;
    w->phase = more;
    more += w->nphases++;
    more->ns = ms * TD_SIM_MSEC;
    w->ns += more->ns;
    set_weights(more, share);
    return 0;
}

/* The number of the PMU's event; a new one is added. TD_SIM_CONFIGS: no room. */
static size_t config_number(struct td_sim_pmu *p, uint64_t config)
{
    size_t i = 0;

    while (i < p->nconfigs && p->config[i].config != config)
        i++;
    return i;
}

int td_sim_take_count(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_work *w = s->nworks ? &s->work[s->nworks - 1] : NULL;
    const char *on = td_sim_value(l, "on"), *text;
    struct td_sim_config c = {0}, *known;
    uint64_t rate;
    size_t at;
    int err;

    if (!w || !w->nphases || w->pmu >= s->npmus)
        return td_sim_bad(l, "no phase of a workload with a PMU above");
    c.how = (td_sim_flag(l, "core") ? TD_SIM_CORE : 0) | (td_sim_flag(l, "clock") ? TD_SIM_CLOCK : 0) |
            (td_sim_flag(l, "alone") ? TD_SIM_ALONE : 0);
    err = td_sim_number_of(l, "the event", td_sim_word(l, 1), 0, UINT64_MAX, &c.config);
    text = td_sim_word(l, 2);
    if (!err && !text)
        err = td_sim_bad(l, "no rate behind the event");
    if (!err)
        err = td_sim_millionths(l, "the rate", text, UINT64_C(1000) * MILLION, &rate);
    if (!err && on)
        err = td_sim_counters(l, "on", on, &c.on);
    if (err)
        return err;
    at = config_number(&s->pmu[w->pmu], c.config);
    if (at == TD_SIM_CONFIGS)
        return td_sim_bad(l, "more than %d events of one PMU", TD_SIM_CONFIGS);
    known = &s->pmu[w->pmu].config[at];
    if (at == s->pmu[w->pmu].nconfigs) {
        *known = c;
        s->pmu[w->pmu].nconfigs++;
    } else if (known->on != c.on || known->how != c.how) {
        return td_sim_bad(l, "the event has other counters or words behind it than above");
    }
    w->phase[w->nphases - 1].rate[at] = (uint32_t)((rate * TD_PMU_WHOLE + MILLION - 1) / MILLION); /* up: slots must not exceed the cycles by rounding */
    return 0;
}

const struct td_sim_work *td_sim_work_find(const struct td_sim *s, const char *name, size_t pmu)
{
    for (size_t i = 0; i < s->nworks; i++)
        if (s->work[i].pmu == pmu && !strcmp(s->work[i].name, name))
            return &s->work[i];
    return NULL;
}

/* One phase as threads of a core see it while so many of them are busy. */
static void build_phase(const struct td_sim_work *w, const struct td_sim_pmu *p, size_t phase, size_t threads, size_t bank,
                        struct td_pmu_phase *out)
{
    const struct td_sim_phase *f = &w->phase[phase];

    out->slots = w->per_ms / threads * f->ns / MILLION;
    memcpy(out->weight, f->weight, sizeof(out->weight));
    for (size_t i = 0; i < TD_PMU_RATES; i++) {
        size_t at = bank * TD_PMU_RATES + i;
        uint64_t rate = f->rate[at];

        if (threads > 1 && p->config[at].how & TD_SIM_ALONE)
            rate = 0;
        else if (p->config[at].how & TD_SIM_CLOCK)
            rate *= threads;
        out->rate[i] = (uint32_t)rate;
    }
}

int td_sim_work_build(struct td_sim *s, struct td_sim_work *w)
{
    const size_t n = (size_t)TD_SIM_SHARE * TD_SIM_BANKS * w->nphases;
    struct td_pmu_phase *out;

    free(w->built);
    out = w->built = calloc(n, sizeof(*out));
    if (!out)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        build_phase(w, &s->pmu[w->pmu], i % w->nphases, i / w->nphases / TD_SIM_BANKS + 1, i / w->nphases % TD_SIM_BANKS, &out[i]);
    return 0;
}

/* Sets a bank to where the runner is in its workload. */
static void load_bank(const struct td_sim_work *w, size_t threads, size_t bank, uint64_t ran, struct td_pmu *p)
{
    const struct td_pmu_phase *phases = &w->built[((threads - 1) * TD_SIM_BANKS + bank) * w->nphases];
    uint64_t at = ran % w->ns;
    size_t i = 0;

    td_pmu_switch(p, phases, w->nphases);
    while (at >= w->phase[i].ns)
        at -= w->phase[i++].ns;
    p->phase = i;
    p->left = w->per_ms / threads * (w->phase[i].ns - at) / MILLION;
    if (!p->left)
        p->left = 1;
}

static bool busy(const struct td_sim_cpu *c)
{
    return c->online && (c->task || c->back);
}

void td_sim_core_load(struct td_sim *s, unsigned cpu)
{
    unsigned i = cpu;
    size_t threads = 0;

    do {
        threads += busy(&s->cpu[i]);
        i = s->cpu[i].sibling;
    } while (i != cpu);
    do {
        struct td_sim_cpu *c = &s->cpu[i];
        const struct td_sim_work *w = NULL;

        c->runner = !busy(c) ? NULL : c->task ? &c->task->runner : c->back;
        if (c->runner && c->pmu < TD_SIM_PMUS)
            w = td_sim_work_find(s, c->runner->work, c->pmu);
        c->per_ms = w ? w->per_ms / threads : 0;
        for (size_t b = 0; w && b < c->nbanks; b++)
            load_bank(w, threads, b, c->runner->ran, &c->bank[b]);
        i = c->sibling;
    } while (i != cpu);
}

/* One CPU executes for some ns. */
static void execute(struct td_sim *s, struct td_sim_cpu *c, uint64_t ns)
{
    const bool self = c->task && c->task == s->self;
    struct td_pmu_truth before = {0};

    if (self && !s->computing)
        return;
    if (self && c->bank)
        before = c->bank[0].total;
    if (c->runner)
        c->runner->ran += ns;
    while (c->per_ms && ns) {
        uint64_t step = ns < UINT64_C(100) * TD_SIM_NSEC ? ns : UINT64_C(100) * TD_SIM_NSEC;
        uint64_t parts = c->rest + c->per_ms * step; /* below 2^64: a rate is at most 1e8 per ms */

        for (size_t b = 0; b < c->nbanks; b++)
            td_pmu_advance(&c->bank[b], parts / MILLION);
        c->rest = parts % MILLION;
        ns -= step;
    }
    if (self && c->bank)
        td_sim_self_count(s, c, &before);
}

void td_sim_core_sync(struct td_sim *s, unsigned cpu, uint64_t to)
{
    const unsigned first = s->cpu[cpu].first;
    bool more = true;

    while (more) {
        uint64_t step = to;
        unsigned i = first;

        do {
            if (s->cpu[i].rotating && s->cpu[i].rotation < step)
                step = s->cpu[i].rotation;
            i = s->cpu[i].sibling;
        } while (i != first);
        do {
            execute(s, &s->cpu[i], step - s->cpu[first].synced);
            i = s->cpu[i].sibling;
        } while (i != first);
        s->cpu[first].synced = step;
        more = false;
        do {
            if (s->cpu[i].rotating && s->cpu[i].rotation <= step) {
                td_sim_rotate(s, i);
                more = true;
            }
            i = s->cpu[i].sibling;
        } while (i != first);
    }
}

uint64_t td_sim_config_count(const struct td_sim *s, const struct td_sim_cpu *c, size_t index)
{
    const size_t bank = index / TD_PMU_RATES, at = index % TD_PMU_RATES;
    uint64_t n = c->bank[bank].total.event[at];

    if (!(s->pmu[c->pmu].config[index].how & TD_SIM_CORE))
        return n;
    for (const struct td_sim_cpu *i = &s->cpu[c->sibling]; i != c; i = &s->cpu[i->sibling])
        if (i->pmu == c->pmu)
            n += i->bank[bank].total.event[at];
    return n;
}

void td_sim_fields_write(struct td_pmu *p, uint64_t slots, uint64_t metrics)
{
    for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
        uint64_t field = metrics >> (8 * i) & 0xff;

        p->at_reset.part[i] = p->total.part[i] - (slots / 0xff * TD_PMU_WHOLE + (slots % 0xff * TD_PMU_WHOLE + 0xfe) / 0xff) * field;
    }
}
