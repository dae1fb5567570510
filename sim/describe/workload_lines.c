/* SPDX-License-Identifier: MIT */
/* The lines of a description about workloads. */
#include "sim/describe/description.h"
#include "sim/describe/keywords.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, LATENCY_MOST = 0x7fff /* samples scatter up to twice as far, in 16 bits */ };

/* pmu=NAME, or the first. */
static int pmu_of_work(struct td_description *d, size_t *out)
{
    const struct td_sim_hw *hw = &d->sim->hw;
    const char *name = td_description_value(d, "pmu");

    *out = 0;
    while (name && *out < hw->npmus && strcmp(hw->pmu[*out].name, name))
        ++*out;
    return name && *out == hw->npmus ? td_description_bad(d, "no PMU '%.40s' above", name) : 0;
}

/* file=, at= and size=: the program of which the phases are functions. */
static int image_of(struct td_description *d, struct td_sim_image *out)
{
    const char *path = td_description_value(d, "file");
    int err;

    if (!path)
        return 0;
    if (*path != '/' || strlen(path) >= sizeof(out->path))
        return td_description_bad(d, "file '%.40s' is no path from / of up to %zu letters", path,
                                  sizeof(out->path) - 1);
    snprintf(out->path, sizeof(out->path), "%s", path);
    err =
        td_description_number_of(d, "at", td_description_value(d, "at"), 0x1000, UINT64_C(0x7fffffffffff), &out->start);
    return err ? err
               : td_description_number_of(d, "size", td_description_value(d, "size"), 1, UINT64_C(0x100000000),
                                          &out->size);
}

int td_keyword_workload(struct td_description *d)
{
    struct td_sim_works *all = &d->sim->hw.works;
    const char *name = td_description_word(d, 1);
    struct td_sim_work *more, w = {.pmu = 0};
    uint64_t rate = 0;
    int err;

    if (!name || strlen(name) >= sizeof(w.name))
        return td_description_bad(d, "a workload needs a name of up to 31 letters");
    snprintf(w.name, sizeof(w.name), "%s", name);
    err = pmu_of_work(d, &w.pmu);
    if (!err && td_sim_work_find(all, name, w.pmu))
        err = td_description_bad(d, "the workload %s is described twice for this PMU", name);
    if (!err)
        err = td_description_number_of(d, "rate", td_description_value(d, "rate"), 1000000, UINT64_C(100000000000),
                                       &rate);
    if (!err)
        err = image_of(d, &w.image);
    if (err)
        return err;
    w.per_ms = rate / 1000;
    more = td_sim_grow(all->work, all->n, sizeof(*more));
    if (!more)
        return -ENOMEM;
    all->work = more;
    more[all->n++] = w;
    return 0;
}

/* Sets the weights, in 65536ths. The largest gets what rounding leaves, so that they add up to the whole. */
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

static int take_shares(struct td_description *d, uint64_t *share)
{
    static const char *const names[TD_PMU_FIELDS] = {"retiring", "bad",        "frontend", "backend",
                                                     "heavy",    "mispredict", "latency",  "memory"};
    uint64_t sum = 0;

    for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
        const char *text = td_description_value(d, names[i]);

        share[i] = 0;
        if (text && td_description_millionths(d, names[i], text, MILLION, &share[i]))
            return -EBADMSG;
        if (i < TD_PMU_LEVEL1)
            sum += share[i];
        else if (share[i] > share[i - TD_PMU_LEVEL1])
            return td_description_bad(d, "%s is more than %s, which it is a part of", names[i],
                                      names[i - TD_PMU_LEVEL1]);
    }
    if (sum != MILLION)
        return td_description_bad(d, "retiring, bad, frontend and backend sum to %u.%06u, not 1",
                                  (unsigned)(sum / MILLION), (unsigned)(sum % MILLION));
    return 0;
}

/* The workload of the last line "workload", or NULL. */
static struct td_sim_work *last_work(struct td_description *d)
{
    struct td_sim_works *all = &d->sim->hw.works;

    return all->n ? &all->work[all->n - 1] : NULL;
}

/* ms= or us= */
static int length_of(struct td_description *d, uint64_t *ns)
{
    const char *us = td_description_value(d, "us");
    uint64_t n = 0;
    int err = us ? td_description_number_of(d, "us", us, 1, 100000000, &n)
                 : td_description_number_of(d, "ms", td_description_value(d, "ms"), 1, 100000, &n);

    *ns = n * (us ? TD_SIM_MSEC / 1000 : TD_SIM_MSEC);
    return err;
}

static int function_of(struct td_description *d, const struct td_sim_work *w, uint64_t *out)
{
    const struct td_sim_image *i = &w->image;
    int err = td_description_number(d, "function", 1, UINT64_MAX, out);

    if (!err && *out && !(*i->path && *out >= i->start && *out - i->start < i->size))
        err = td_description_bad(d, "the function 0x%llx is not in the file of the workload %s",
                                 (unsigned long long)*out, w->name);
    return err;
}

int td_keyword_phase(struct td_description *d)
{
    struct td_sim_work *w = last_work(d);
    struct td_sim_phase *more;
    uint64_t ns = 0, function = 0, share[TD_PMU_FIELDS];
    int err;

    if (!w)
        return td_description_bad(d, "no workload above");
    err = length_of(d, &ns);
    if (!err)
        err = function_of(d, w, &function);
    if (!err)
        err = take_shares(d, share);
    if (err)
        return err;
    more = td_sim_grow(w->phase, w->nphases, sizeof(*more));
    if (!more)
        return -ENOMEM;
    w->phase = more;
    more += w->nphases++;
    more->ns = ns;
    more->function = function;
    w->ns += more->ns;
    set_weights(more, share);
    return 0;
}

/* The event and its rate in millionths. */
static int count_of(struct td_description *d, struct td_sim_config *c, uint64_t *rate)
{
    const char *on = td_description_value(d, "on"), *extra = td_description_value(d, "extra"), *text;
    unsigned how = 0;
    int err = td_description_number_of(d, "the event", td_description_word(d, 1), 0, UINT64_MAX, &c->config);

    text = td_description_word(d, 2);
    if (!err && !text)
        err = td_description_bad(d, "no rate after the event");
    if (!err)
        err = td_description_millionths(d, "the rate", text, UINT64_C(1000) * MILLION, rate);
    if (!err && extra)
        err = td_description_number_of(d, "extra", extra, 1, UINT64_MAX, &c->config1);
    if (!err && on)
        err = td_description_counters(d, "on", on, &c->on);
    how |= td_description_flag(d, "core") ? TD_SIM_CORE : 0;
    how |= td_description_flag(d, "clock") ? TD_SIM_CLOCK : 0;
    how |= td_description_flag(d, "alone") ? TD_SIM_ALONE : 0;
    c->how = how;
    return err;
}

/* The number of the PMU's event, added if it is new. */
static int number_event(struct td_description *d, struct td_sim_pmu *p, const struct td_sim_config *c, size_t *out)
{
    struct td_sim_config *more;

    *out = td_sim_pmu_event(p, c->config, c->config1);
    if (*out != TD_SIM_NONE && (p->config[*out].on != c->on || p->config[*out].how != c->how))
        return td_description_bad(d, "the event has other counters or words after it than above");
    if (*out != TD_SIM_NONE)
        return 0;
    more = td_sim_grow(p->config, p->nconfigs, sizeof(*more));
    if (!more)
        return -ENOMEM;
    p->config = more;
    more[p->nconfigs] = *c;
    *out = p->nconfigs++;
    return 0;
}

static int make_room(struct td_sim_phase *f)
{
    uint32_t *rate = td_sim_grow(f->rate, f->nrates, sizeof(*rate));
    uint16_t *latency;

    f->rate = rate ? rate : f->rate;
    latency = rate ? td_sim_grow(f->latency, f->nrates, sizeof(*latency)) : NULL;
    f->latency = latency ? latency : f->latency;
    f->nrates += latency != NULL;
    return latency ? 0 : -ENOMEM;
}

static int set_rate(struct td_sim_phase *f, size_t event, uint32_t rate, uint16_t latency)
{
    while (f->nrates <= event)
        if (make_room(f))
            return -ENOMEM;
    f->rate[event] = rate;
    f->latency[event] = latency;
    return 0;
}

int td_keyword_count(struct td_description *d)
{
    struct td_sim_work *w = last_work(d);
    struct td_sim_config c = {.config = 0};
    uint64_t rate = 0, latency = 0;
    size_t event;
    int err;

    if (!w || !w->nphases || w->pmu >= d->sim->hw.npmus)
        return td_description_bad(d, "no phase of a workload with a PMU above");
    err = count_of(d, &c, &rate);
    if (!err)
        err = td_description_number(d, "latency", 1, LATENCY_MOST, &latency);
    if (!err)
        err = number_event(d, &d->sim->hw.pmu[w->pmu], &c, &event);
    if (err)
        return err;
    rate = (rate * TD_PMU_WHOLE + MILLION - 1) / MILLION; /* up: rounding must not make slots exceed the cycles */
    return set_rate(&w->phase[w->nphases - 1], event, (uint32_t)rate, (uint16_t)latency);
}
