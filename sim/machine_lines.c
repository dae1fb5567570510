/* SPDX-License-Identifier: MIT */
/* The lines of a description that say what the machine is: CPUs, PMUs, files. */
#include "machine_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_sim_take_cpuid(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_cpuid c = {.any = true}, *more;
    char *leaf = l->n > 1 ? l->word[1] : NULL, *dot = leaf ? strchr(leaf, '.') : NULL;
    const char *cpus;
    uint64_t n;
    int err;

    if (!l->tail)
        return td_sim_bad(l, "no ' = ' and four words behind it");
    if (dot)
        *dot = '\0';
    err = td_sim_number_of(l, "the leaf", leaf, 0, UINT32_MAX, &n);
    c.leaf = (uint32_t)n;
    if (!err && dot) {
        c.any = false;
        err = td_sim_number_of(l, "the subleaf", dot + 1, 0, UINT32_MAX, &n);
        c.subleaf = (uint32_t)n;
    }
    td_sim_word(l, 1);
    if (!err)
        err = td_sim_words(l, l->tail);
    for (size_t i = 0; !err && i < 4; i++) {
        err = td_sim_number_of(l, "a register", td_sim_word(l, 2 + i), 0, UINT32_MAX, &n);
        c.word[i] = (uint32_t)n;
    }
    cpus = td_sim_value(l, "cpus");
    memset(&c.cpus, 0xff, sizeof(c.cpus));
    if (!err && cpus)
        err = td_sim_cpus(l, "cpus", cpus, &c.cpus, NULL, NULL);
    if (err)
        return err;
    more = td_sim_grow(s->cpuid, s->ncpuid, sizeof(*more));
    if (!more)
        return -ENOMEM;
    s->cpuid = more;
    more[s->ncpuid++] = c;
    return 0;
}

/* Puts the CPUs of a list into the machine: as on Intel servers, the first
 * thread of each core comes first, so i and i + n / smt are siblings. */
static void add_cpus(struct td_sim *s, const uint16_t *order, size_t n, size_t smt, size_t sockets, size_t nodes)
{
    size_t cores = n / smt;

    for (size_t i = 0; i < n; i++) {
        struct td_sim_cpu *c = &s->cpu[order[i]];
        size_t core = i % cores;

        *c = (struct td_sim_cpu){
            .exists = true, .online = true, .pmu = TD_SIM_PMUS,
            .first = order[core], .sibling = order[(i + cores) % n],
            .package = (unsigned)(core * sockets / cores), .node = (unsigned)(core * nodes / cores), .core = s->cores + (unsigned)core,
        };
        if (order[i] >= s->ncpus)
            s->ncpus = order[i] + 1u;
    }
    s->cores += (unsigned)cores;
    s->nodes = nodes > s->nodes ? (unsigned)nodes : s->nodes;
}

int td_sim_take_cpus(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    uint64_t smt = 1, sockets = 1, nodes = 1;
    uint16_t order[TD_SIM_CPUS];
    struct td_sim_set set;
    const char *list = td_sim_word(l, 1);
    size_t n;
    int err;

    if (!list || !td_sim_set_read(list, &set, order, &n))
        return td_sim_bad(l, "'%.40s' is not a list like 0-3,8 of different CPUs below %d", list ? list : "", TD_SIM_CPUS);
    for (size_t i = 0; i < n; i++)
        if (s->cpu[order[i]].exists)
            return td_sim_bad(l, "CPU %u stands twice", order[i]);
    err = td_sim_number(l, "smt", 1, TD_SIM_SHARE, &smt);
    if (!err)
        err = td_sim_number(l, "sockets", 1, 64, &sockets);
    nodes = sockets;
    if (!err)
        err = td_sim_number(l, "nodes", 1, 64, &nodes);
    if (err)
        return err;
    if (n % smt || (n / smt) % sockets || (n / smt) % nodes)
        return td_sim_bad(l, "%zu CPUs are not whole cores, sockets and nodes", n);
    add_cpus(s, order, n, smt, sockets, nodes);
    return 0;
}

int td_sim_take_midr(struct td_sim_line *l)
{
    struct td_sim_set set;
    const char *cpus = td_sim_value(l, "cpus");
    uint64_t midr;
    int err = td_sim_number_of(l, "midr", td_sim_word(l, 1), 1, UINT32_MAX, &midr);

    memset(&set, 0xff, sizeof(set));
    if (!err && cpus)
        err = td_sim_cpus(l, "cpus", cpus, &set, NULL, NULL);
    for (unsigned i = 0; !err && i < l->sim->ncpus; i++)
        if (td_sim_set_has(&set, i))
            l->sim->cpu[i].midr = midr;
    return err;
}

/* \n, \t and \\ become what they mean. */
static int unescape(struct td_sim_line *l, char *text)
{
    char *to = text;

    for (; *text; text++) {
        if (*text != '\\') {
            *to++ = *text;
            continue;
        }
        text++;
        if (*text != 'n' && *text != 't' && *text != '\\')
            return td_sim_bad(l, "a '\\' that is not of \\n, \\t or \\\\");
        *to++ = *text == 'n' ? '\n' : *text == 't' ? '\t' : '\\';
    }
    *to = '\0';
    return 0;
}

int td_sim_take_file(struct td_sim_line *l)
{
    const char *path = td_sim_word(l, 1);
    int err;

    if (!path || *path != '/' || !l->tail)
        return td_sim_bad(l, "not 'file /PATH = text'");
    err = unescape(l, l->tail);
    return err ? err : td_sim_file_put(&l->sim->given, path, l->tail);
}

int td_sim_take_absent(struct td_sim_line *l)
{
    const char *path = td_sim_word(l, 1);

    if (!path || *path != '/')
        return td_sim_bad(l, "not 'absent /PATH'");
    return td_sim_file_put(&l->sim->given, path, NULL);
}

/* "2": that many of the general counters, from the last one down; "fixed1". */
static int taken_counters(struct td_sim_line *l, struct td_sim_pmu *p, uint64_t general)
{
    const char *text = td_sim_value(l, "taken");
    uint64_t n;

    if (!text)
        return 0;
    if (*text < '0' || *text > '9')
        return td_sim_counters(l, "taken", text, &p->taken);
    if (td_sim_number_of(l, "taken", text, 0, general, &n))
        return -EBADMSG;
    p->taken = ((UINT64_C(1) << general) - 1) & ~((UINT64_C(1) << (general - n)) - 1);
    return 0;
}

/* "fixed=0-3,5" names only fixed counters. */
static int fixed_counters(struct td_sim_line *l, struct td_sim_pmu *p)
{
    const char *text = td_sim_value(l, "fixed");
    uint64_t bits;
    int err;

    if (!text)
        return 0;
    err = td_sim_counters(l, "fixed", text, &bits);
    if (err)
        return err;
    p->arm = bits >> TD_SIM_CYCLE & 1;
    if (!p->arm && bits >> 15)
        return td_sim_bad(l, "fixed '%.40s' is beyond the counters there can be", text);
    p->counters |= p->arm ? bits : bits << TD_SIM_FIXED;
    return 0;
}

static int rounding_of(struct td_sim_line *l, struct td_sim_pmu *p)
{
    static const char *const names[] = {[TD_PMU_TRUNCATE] = "truncate", [TD_PMU_NEAREST] = "nearest", [TD_PMU_SCATTER] = "scatter"};
    const char *text = td_sim_value(l, "rounding");
    uint64_t skew = 0;
    int err = td_sim_number(l, "skew", 0, 2, &skew);

    p->rounding = TD_PMU_NEAREST;
    p->skew = (int)skew;
    for (unsigned i = 0; text && i < 3; i++)
        if (!strcmp(text, names[i])) {
            p->rounding = (enum td_pmu_rounding)i;
            return err;
        }
    return err || !text ? err : td_sim_bad(l, "rounding is '%.40s', not truncate, nearest or scatter", text);
}

int td_sim_take_pmu(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    const char *name = td_sim_word(l, 1);
    struct td_sim_pmu *p = &s->pmu[s->npmus];
    uint64_t type = 4, general = 0, metrics = 0;
    int err;

    if (s->npmus == TD_SIM_PMUS)
        return td_sim_bad(l, "more than %d PMUs", TD_SIM_PMUS);
    if (!name || strlen(name) >= sizeof(p->name))
        return td_sim_bad(l, "a PMU needs a name of up to 31 letters");
    *p = (struct td_sim_pmu){0};
    snprintf(p->name, sizeof(p->name), "%s", name);
    err = td_sim_number(l, "type", 4, INT32_MAX, &type);
    if (!err)
        err = td_sim_cpus(l, "cpus", td_sim_value(l, "cpus"), &p->cpus, NULL, NULL);
    if (!err)
        err = td_sim_number(l, "general", 0, 31, &general);
    if (!err)
        err = td_sim_number(l, "metrics", 0, TD_PMU_FIELDS, &metrics);
    if (!err && (metrics & 3))
        err = td_sim_bad(l, "metrics is %u, not 0, 4 or 8", (unsigned)metrics);
    p->counters = (UINT64_C(1) << general) - 1;
    p->metrics = (unsigned)metrics;
    p->type = (unsigned)type;
    if (!err)
        err = fixed_counters(l, p);
    if (!err)
        err = rounding_of(l, p);
    if (!err)
        err = taken_counters(l, p, general);
    for (size_t i = 0; !err && i < s->npmus; i++)
        if (s->pmu[i].type == type || !strcmp(s->pmu[i].name, name))
            err = td_sim_bad(l, "the PMU %s or its type %u stands twice", name, p->type);
    for (unsigned i = 0; !err && i < s->ncpus; i++) {
        if (!td_sim_set_has(&p->cpus, i))
            continue;
        if (s->cpu[i].pmu < TD_SIM_PMUS)
            return td_sim_bad(l, "CPU %u has a PMU already", i);
        s->cpu[i].pmu = s->npmus;
    }
    s->npmus += !err;
    return err;
}

static struct td_sim_pmu *pmu_word(struct td_sim_line *l)
{
    const char *name = td_sim_word(l, 1);

    for (size_t i = 0; name && i < l->sim->npmus; i++)
        if (!strcmp(l->sim->pmu[i].name, name))
            return &l->sim->pmu[i];
    td_sim_bad(l, "no PMU '%.40s' above", name ? name : "");
    return NULL;
}

/* A file below the PMU's folder in sysfs. */
static int pmu_file(struct td_sim_line *l, const char *folder, const char *suffix, const char *text)
{
    const struct td_sim_pmu *p = pmu_word(l);
    const char *name = td_sim_word(l, 2);
    char line[512];

    if (!p)
        return -EBADMSG;
    if (!name || strchr(name, '/') || !text)
        return td_sim_bad(l, "not '%s PMU NAME = text'", l->word[0]);
    snprintf(line, sizeof(line), "%s\n", text);
    return td_sim_file_format(&l->sim->given, line, "/sys/bus/event_source/devices/%s/%s/%s%s", p->name, folder, name, suffix);
}

int td_sim_take_event(struct td_sim_line *l)
{
    const char *text = NULL, *scale = NULL;
    int err;

    if (l->tail) {
        size_t at = l->n;

        if (td_sim_words(l, l->tail))
            return -EBADMSG;
        text = td_sim_word(l, at);
        scale = td_sim_value(l, "scale");
    }
    err = pmu_file(l, "events", "", text);
    return err || !scale ? err : pmu_file(l, "events", ".scale", scale);
}

int td_sim_take_format(struct td_sim_line *l)
{
    return pmu_file(l, "format", "", l->tail);
}

int td_sim_take_caps(struct td_sim_line *l)
{
    return pmu_file(l, "caps", "", l->tail);
}

int td_sim_take_lie(struct td_sim_line *l)
{
    struct td_sim_pmu *p = pmu_word(l);
    const char *how = td_sim_word(l, 2);

    if (!p)
        return -EBADMSG;
    if (how && !strcmp(how, "equal"))
        p->lie = TD_SIM_EQUAL;
    else if (how && !strcmp(how, "constant"))
        p->lie = TD_SIM_CONSTANT;
    else if (how && !strcmp(how, "slots"))
        p->lie = TD_SIM_SLOTS;
    else
        return td_sim_bad(l, "'%.40s' is not equal, constant or slots", how ? how : "");
    return 0;
}
