/* SPDX-License-Identifier: MIT */
/* The lines of a description about the hardware: CPUs and PMUs. */
#include "sim/describe/description.h"
#include "sim/describe/keywords.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LEAF or LEAF.SUBLEAF */
static int leaf_of(struct td_description *d, struct td_sim_cpuid *c)
{
    char *leaf = d->n > 1 ? d->word[1] : NULL, *dot = leaf ? strchr(leaf, '.') : NULL;
    uint64_t n, sub = 0;
    int err;

    if (dot)
        *dot = '\0';
    err = td_description_number_of(d, "the leaf", leaf, 0, UINT32_MAX, &n);
    if (!err && dot)
        err = td_description_number_of(d, "the subleaf", dot + 1, 0, UINT32_MAX, &sub);
    if (err)
        return err;
    td_description_word(d, 1);
    c->leaf = (uint32_t)n;
    c->subleaf = (uint32_t)sub;
    c->any = !dot;
    return 0;
}

static int cpuid_words(struct td_description *d, struct td_sim_cpuid *c)
{
    int err = d->tail ? leaf_of(d, c) : td_description_bad(d, "no ' = ' and four words after it");

    if (!err)
        err = td_description_words(d, d->tail);
    for (size_t i = 0; !err && i < 4; i++) {
        uint64_t n = 0;

        err = td_description_number_of(d, "a register", td_description_word(d, 2 + i), 0, UINT32_MAX, &n);
        c->word[i] = (uint32_t)n;
    }
    return err ? err : td_description_cpu_set(d, &c->cpus);
}

int td_keyword_cpuid(struct td_description *d)
{
    struct td_sim_hw *hw = &d->sim->hw;
    struct td_sim_cpuid c = {.any = true}, *more;
    int err = cpuid_words(d, &c);

    more = err ? NULL : td_sim_grow(hw->cpuid, hw->ncpuid, sizeof(*more));
    if (!more) {
        td_cpu_set_free(&c.cpus);
        return err ? err : -ENOMEM;
    }
    hw->cpuid = more;
    more[hw->ncpuid++] = c;
    return 0;
}

/* Refuses CPUs that an earlier line described. */
static int twice(struct td_description *d, const struct td_cpu_list *l)
{
    const struct td_sim_hw *hw = &d->sim->hw;

    for (size_t i = 0; i < l->n; i++)
        if ((unsigned)l->cpu[i] < hw->ncpus && hw->cpu[l->cpu[i]].exists)
            return td_description_bad(d, "CPU %d is described twice", l->cpu[i]);
    return 0;
}

int td_keyword_cpus(struct td_description *d)
{
    uint64_t smt = 1, sockets = 1, nodes;
    struct td_cpu_list list = {0};
    const char *text = td_description_word(d, 1);
    int err = td_description_list(d, "cpus", text ? text : "", &list);

    if (!err)
        err = twice(d, &list);
    if (!err)
        err = td_description_number(d, "smt", 1, TD_SIM_SHARE, &smt);
    if (!err)
        err = td_description_number(d, "sockets", 1, 64, &sockets);
    nodes = sockets;
    if (!err)
        err = td_description_number(d, "nodes", 1, 64, &nodes);
    if (!err)
        err = td_sim_cpus_add(&d->sim->hw, &list, smt, sockets, nodes);
    if (err == -EINVAL)
        err = td_description_bad(d, "%zu CPUs are not whole cores, sockets and nodes", list.n);
    free(list.cpu);
    return err;
}

int td_keyword_midr(struct td_description *d)
{
    struct td_sim_hw *hw = &d->sim->hw;
    struct td_cpu_set set = {0};
    uint64_t midr;
    int err = td_description_number_of(d, "midr", td_description_word(d, 1), 1, UINT32_MAX, &midr);

    if (!err)
        err = td_description_cpu_set(d, &set);
    for (unsigned i = 0; !err && i < hw->ncpus; i++)
        if (td_sim_applies(&set, i))
            hw->cpu[i].midr = midr;
    td_cpu_set_free(&set);
    return err;
}

/* ---- PMUs ----------------------------------------------------------------------- */

/* taken=2: that many general counters, from the last one down; or taken=fixed1. */
static int taken_counters(struct td_description *d, struct td_sim_pmu *p, uint64_t general)
{
    const char *text = td_description_value(d, "taken");
    uint64_t n;

    if (!text)
        return 0;
    if (*text < '0' || *text > '9')
        return td_description_counters(d, "taken", text, &p->taken);
    if (td_description_number_of(d, "taken", text, 0, general, &n))
        return -EBADMSG;
    p->taken = ((UINT64_C(1) << general) - 1) & ~((UINT64_C(1) << (general - n)) - 1);
    return 0;
}

/* "fixed=0-3,5" names only fixed counters. */
static int fixed_counters(struct td_description *d, struct td_sim_pmu *p)
{
    const char *text = td_description_value(d, "fixed");
    uint64_t bits;
    int err;

    if (!text)
        return 0;
    err = td_description_counters(d, "fixed", text, &bits);
    if (err)
        return err;
    p->arm = bits >> TD_SIM_CYCLE & 1;
    if (!p->arm && bits >> 15)
        return td_description_bad(d, "fixed '%.40s' is beyond the counters there can be", text);
    p->counters |= p->arm ? bits : bits << TD_SIM_FIXED;
    return 0;
}

static int rounding_of(struct td_description *d, struct td_sim_pmu *p)
{
    static const char *const names[] = {
        [TD_PMU_TRUNCATE] = "truncate", [TD_PMU_NEAREST] = "nearest", [TD_PMU_SCATTER] = "scatter"};
    const char *text = td_description_value(d, "rounding");
    uint64_t skew = 0;
    int err = td_description_number(d, "skew", 0, 2, &skew);

    p->rounding = TD_PMU_NEAREST;
    p->skew = (int)skew;
    for (unsigned i = 0; text && i < 3; i++)
        if (!strcmp(text, names[i])) {
            p->rounding = (enum td_pmu_rounding)i;
            return err;
        }
    return err || !text ? err : td_description_bad(d, "rounding is '%.40s', not truncate, nearest or scatter", text);
}

/* Refuses the name, type and CPUs of another PMU. */
static int check_pmu(struct td_description *d, const struct td_sim_pmu *p)
{
    const struct td_sim_hw *hw = &d->sim->hw;

    for (size_t i = 0; i < hw->npmus; i++)
        if (hw->pmu[i].type == p->type || !strcmp(hw->pmu[i].name, p->name))
            return td_description_bad(d, "a PMU above has the name %s or the type %u", p->name, p->type);
    for (unsigned i = td_cpu_set_next(&p->cpus, 0); i < hw->ncpus; i = td_cpu_set_next(&p->cpus, i + 1))
        if (hw->cpu[i].pmu != TD_SIM_NONE)
            return td_description_bad(d, "CPU %u has a PMU already", i);
    return 0;
}

static int counters_of(struct td_description *d, struct td_sim_pmu *p)
{
    uint64_t type = PERF_TYPE_RAW, general = 0, metrics = 0;
    int err = td_description_number(d, "type", PERF_TYPE_RAW, INT32_MAX, &type);

    if (!err)
        err = td_description_cpu_set(d, &p->cpus);
    if (!err && td_cpu_set_empty(&p->cpus))
        err = td_description_bad(d, "cpus is missing");
    if (!err)
        err = td_description_number(d, "general", 0, TD_SIM_FIXED - 1, &general);
    if (!err)
        err = td_description_number(d, "metrics", 0, TD_PMU_FIELDS, &metrics);
    if (!err && (metrics & 3))
        err = td_description_bad(d, "metrics is %u, not 0, 4 or 8", (unsigned)metrics);
    p->counters = (UINT64_C(1) << general) - 1;
    p->metrics = (unsigned)metrics;
    p->type = (unsigned)type;
    if (!err)
        err = fixed_counters(d, p);
    if (!err)
        err = rounding_of(d, p);
    return err ? err : taken_counters(d, p, general);
}

int td_keyword_pmu(struct td_description *d)
{
    const char *name = td_description_word(d, 1);
    struct td_sim_pmu p = {.type = 0};
    int err;

    if (!name || strlen(name) >= sizeof(p.name))
        return td_description_bad(d, "a PMU needs a name of up to 31 letters");
    snprintf(p.name, sizeof(p.name), "%s", name);
    err = counters_of(d, &p);
    if (!err)
        err = check_pmu(d, &p);
    if (!err)
        err = td_sim_pmu_add(&d->sim->hw, &p);
    if (err)
        td_cpu_set_free(&p.cpus);
    return err;
}

int td_keyword_lie(struct td_description *d)
{
    struct td_sim_pmu *p = td_description_pmu(d);
    const char *how = td_description_word(d, 2);

    if (!p)
        return -EBADMSG;
    if (how && !strcmp(how, "equal"))
        p->lie = TD_SIM_EQUAL;
    else if (how && !strcmp(how, "constant"))
        p->lie = TD_SIM_CONSTANT;
    else if (how && !strcmp(how, "slots"))
        p->lie = TD_SIM_SLOTS;
    else
        return td_description_bad(d, "'%.40s' is not equal, constant or slots", how ? how : "");
    return 0;
}
