/* SPDX-License-Identifier: MIT */
/* Tests the groups for metrics below level 2, for every CPU that has a table, against a checker of its own: which
 * events a PMU can count at one time, by the columns of the tables (backends/NOTATION). */
#include "backends/rows.h"
#include "core/solve/solve.h"
#include "tests/support/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, FIXED_FROM = 16 };

static void check(bool good, int line, const char *row, const char *what, const char *name)
{
    char text[400];

    if (good)
        return;
    snprintf(text, sizeof(text), "%s: %s: %s", row, what, name);
    CU_assertImplementation(CU_FALSE, (unsigned)line, text, __FILE__, "", CU_FALSE);
}

#define CHECK(row, good, what, name) check(good, __LINE__, row, what, name)

/* ---- what fits, found by trying all ways ----------------------------------------------- */

/* Counters of an event as bits, fixed ones from FIXED_FROM on. */
static unsigned counters_of(const struct td_counters *c, const struct td_event *e)
{
    const char *text = c->sibling ? e->counters : e->counters_alone;
    const unsigned all = (1u << c->general) - 1;
    unsigned low, high, bits = 0;
    int n;

    if (!strcmp(text, "any"))
        return all;
    if (!strcmp(text, "cycle counter"))
        return all | 1u << (FIXED_FROM + 8);
    if (sscanf(text, "fixed %u", &low) == 1)
        return (c->fixed >> low & 1 ? 1u << (FIXED_FROM + low) : 0) | (e->config & 0xff ? all : 0);
    for (; *text; text += n + (text[n] == ',' || text[n] == ' ')) {
        const int got = sscanf(text, "%u-%u", &low, &high);

        CU_ASSERT_FATAL(got >= 1);
        for (unsigned i = low; i <= (got == 2 ? high : low); i++)
            bits |= 1u << i;
        n = (int)strcspn(text, ", ");
    }
    return bits & all;
}

static bool assign(const unsigned *can, size_t n, unsigned taken)
{
    if (!n)
        return true;
    for (unsigned left = can[n - 1] & ~taken; left; left &= left - 1)
        if (assign(can, n - 1, taken | (left & -left)))
            return true;
    return false;
}

/* The number of different values in one kind of register. */
static size_t registers(const struct td_uarch *u, const uint16_t *event, size_t n, bool offcore)
{
    size_t different = 0;

    for (size_t i = 0; i < n; i++) {
        const struct td_event *e = &u->events[event[i]];
        bool before = false;

        if (!e->config1 || (e->other_config != 0) != offcore)
            continue;
        for (size_t k = 0; k < i; k++)
            before = before ||
                     (u->events[event[k]].config1 == e->config1 && (u->events[event[k]].other_config != 0) == offcore);
        different += !before;
    }
    return different;
}

static int by_choice(const void *a, const void *b)
{
    const int x = __builtin_popcount(*(const unsigned *)a), y = __builtin_popcount(*(const unsigned *)b);

    return y - x; /* assign() takes the last first: those with the fewest counters */
}

static bool countable(const struct td_counters *c, const struct td_event *e)
{
    return e->field >= 0 ? (unsigned)e->field < c->fields
                         : e->kind == TD_EVENT_TSC || (e->kind == TD_EVENT_COUNT && counters_of(c, e));
}

static bool fits(const struct td_counters *c, const struct td_uarch *u, const uint16_t *event, size_t n)
{
    unsigned can[MOST];
    size_t takes = 0;

    for (size_t i = 0; i < n; i++) {
        const struct td_event *e = &u->events[event[i]];

        if (!countable(c, e) || e->field >= 0 || e->kind != TD_EVENT_COUNT)
            continue;
        if (takes == MOST)
            return false;
        can[takes++] = counters_of(c, e);
    }
    qsort(can, takes, sizeof(*can), by_choice);
    return registers(u, event, n, false) <= 1 && registers(u, event, n, true) <= 2 && takes <= c->general + 8 &&
           assign(can, takes, 0);
}

/* ---- plans ----------------------------------------------------------------------------- */

struct shape {
    const struct td_uarch *row;
    const struct td_plan_ask *ask;
    const struct td_plan *plan;
};

/* The events that a metric needs of this PMU, with SLOTS to lead fields. */
static size_t needs_of(const struct shape *s, const struct td_bits *events, uint16_t *out)
{
    bool fields = false, slots = false;
    size_t n = 0;

    TD_BITS_EACH(e, events)
    {
        const struct td_event *x = &s->row->events[e];

        if (x->kind != TD_EVENT_COUNT && x->kind != TD_EVENT_TSC)
            continue;
        fields = fields || x->field >= 0;
        slots = slots || td_event_is_slots(x);
        out[n++] = (uint16_t)e;
    }
    if (fields && !slots)
        out[n++] = (uint16_t)td_uarch_slots(s->row);
    return n;
}

static bool group_has(const struct td_plan_group *g, const uint16_t *event, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!td_bits_has(&g->set, event[i]))
            return false;
    return true;
}

static bool any_has(const struct td_plan *p, const uint16_t *event, size_t n)
{
    for (size_t g = 0; g < p->ngroups; g++)
        if (group_has(&p->group[g], event, n))
            return true;
    return false;
}

/* Either of the two events that count slots will do. */
static bool is_spare(const struct shape *s, const uint16_t *event)
{
    return s->row->events[*event].config == 0x1a4 &&
           any_has(s->plan, (const uint16_t[]){(uint16_t)td_uarch_slots(s->row)}, 1);
}

static void check_metric(const struct shape *s, const struct td_selection *sel, const struct td_asked *a)
{
    uint16_t event[400];
    const size_t n = needs_of(s, sel->need[a->need].needs, event);

    CU_ASSERT_FATAL(n < 400);
    for (size_t i = 0; i < n; i++)
        CHECK(s->row->name, any_has(s->plan, &event[i], 1) || is_spare(s, &event[i]), a->node->name,
              "an event is not counted");
    for (size_t i = 0; i < n; i++)
        if (is_spare(s, &event[i]))
            return;
    if (fits(&s->ask->counters, s->row, event, n))
        CHECK(s->row->name, any_has(s->plan, event, n), a->node->name, "it fits one group, and is in several");
}

static void check_plan(const struct shape *s)
{
    const struct td_selection *sel = NULL;

    for (size_t g = 0; g < s->plan->ngroups; g++) {
        const struct td_plan_group *group = &s->plan->group[g];

        CHECK(s->row->name, fits(&s->ask->counters, s->row, group->event, group->n), "a group does not fit",
              s->row->events[group->event[0]].name);
        for (size_t i = 0; i < group->n; i++)
            CHECK(s->row->name,
                  s->row->events[group->event[i]].kind == TD_EVENT_COUNT ||
                      s->row->events[group->event[i]].kind == TD_EVENT_TSC,
                  "not of this PMU", s->row->events[group->event[i]].name);
        for (size_t k = 0; k < g; k++)
            CHECK(s->row->name, !td_bits_within(&group->set, &s->plan->group[k].set), "a group is part of another", "");
    }
    CU_ASSERT_EQUAL_FATAL(td_forms_select(s->ask->forms, (struct td_formcode *)(uintptr_t)s->plan->form, s->plan->level,
                                          s->ask->metrics, &sel),
                          0);
    for (size_t m = 0; m < sel->n; m++)
        if (sel->asked[m].def >= 0)
            check_metric(s, sel, &sel->asked[m]);
}

/* What the plan counts gives what was asked for: no metric lacks an event that this PMU has. */
static void check_answers(const struct shape *s)
{
    const struct td_solve_ask ask = {
        .level = s->plan->level,
        .names = s->ask->metrics,
        .fixed = s->ask->fixed,
        .whole_core = s->ask->whole_core,
        .smt_off = !s->ask->counters.sibling,
        .duration = {1, 1, 1},
        .cpus = 4,
    };
    struct td_counts k = {0};
    struct td_result r = {0};

    for (size_t g = 0; g < s->plan->ngroups; g++)
        for (size_t i = 0; i < s->plan->group[g].n; i++) {
            const struct td_event *e = &s->row->events[s->plan->group[g].event[i]];
            const struct td_count c = {
                .value = 1000,
                .enabled = 9,
                .running = 9,
                .group = (uint16_t)g,
                .modes = e->modes,
                .event = e->modes ? e->base : s->plan->group[g].event[i],
                .status = countable(&s->ask->counters, e) ? TD_OK : TD_NOT_SUPPORTED,
            };

            CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &c), 0);
        }
    CU_ASSERT_EQUAL_FATAL(td_solve(s->ask->forms, &k, &ask, &r), 0);
    CHECK(s->row->name, !strncmp(r.formula, s->plan->form->form->name, strlen(s->plan->form->form->name)),
          s->plan->form->form->name, r.formula);
    for (size_t m = 0; m < r.nmetrics; m++) {
        const int e = r.metrics[m].status == TD_MISSING_EVENT && r.metrics[m].event
                          ? td_uarch_event_number(s->row, r.metrics[m].event)
                          : -1;

        CHECK(s->row->name,
              e < 0 || (s->row->events[e].kind != TD_EVENT_COUNT && s->row->events[e].kind != TD_EVENT_TSC),
              r.metrics[m].name, r.metrics[m].event);
    }
    td_counts_free(&k);
    td_result_free(&r);
}

static void try_row(const struct td_uarch *row, const struct td_plan_ask *wanted)
{
    struct td_plan_ask ask = *wanted;
    struct td_plan plan = {0};
    const struct shape s = {row, &ask, &plan};

    ask.forms = forms_of(row);
    CU_ASSERT_EQUAL_FATAL(td_plan_make(&ask, best_form(&ask), &plan), 0);
    CHECK(row->name,
          plan.level == (td_plan_deepest(row) < ask.level ? td_plan_deepest(row) : ask.level) || ask.level <= 2,
          "level", "");
    check_plan(&s);
    check_answers(&s);
    td_plan_free(&plan);
    td_forms_free(ask.forms);
}

/* The PMUs that these CPUs have: counters with and without a sibling thread, fixed ones, fields. */
static struct td_counters counters_for(const struct td_uarch *row, bool sibling)
{
    struct td_counters c = {.fixed = 0x7f, .sibling = sibling, .general = 0};
    unsigned fields = 0;

    for (size_t e = 0; e < row->nevents; e++) {
        const char *text = sibling ? row->events[e].counters : row->events[e].counters_alone, *dash = strchr(text, '-');
        const unsigned most = dash && *text >= '0' && *text <= '9' ? (unsigned)atoi(dash + 1) + 1 : 0;

        c.general = most > c.general ? most : c.general;
        fields = row->events[e].field >= 0 && (unsigned)row->events[e].field + 1 > fields
                     ? (unsigned)row->events[e].field + 1
                     : fields;
    }
    c.general = c.general ? c.general : 6;
    c.fields = fields;
    return c;
}

static void every_row(void)
{
    static const struct {
        int level;
        const char *metrics;
    } asked[] = {{3, NULL}, {4, NULL}, {6, NULL}, {6, "all"}, {1, "all"}};
    const struct td_uarch *row;
    size_t rows = 0;

    for (size_t i = 0; (row = td_uarch_at(i)); i++)
        for (unsigned k = 0; k < 4 * TD_LENGTH(asked) && row->table; k++) {
            const bool sibling = k & 1, fixed = k & 2;
            struct td_plan_ask ask = {
                .level = asked[k / 4].level,
                .metrics = asked[k / 4].metrics,
                .fixed = fixed,
                .whole_core = sibling,
                .any = sibling,
                .counters = counters_for(row, sibling),
            };

            if (unit_rounds(100) < 100 && k / 4 != 3 && k / 4 != 1)
                continue;
            try_row(row, &ask);
            rows++;
        }
    CU_ASSERT(rows > 300);
}

/* From the tables: FRONTEND_RETIRED of two thresholds need the one register with two values, UOPS_RETIRED.MS and its
 * cmask form share a value; three offcore events need three registers; two events on PMC2 alone. */
static void constraints(void)
{
    static const struct {
        const char *row, *events;
        bool fits;
    } all[] = {
        {"gnr", "FRONTEND_RETIRED.LATENCY_GE_1", true},
        {"gnr", "FRONTEND_RETIRED.LATENCY_GE_1 FRONTEND_RETIRED.LATENCY_GE_2", false},
        {"gnr", "UOPS_RETIRED.MS UOPS_RETIRED.MS:c1 UOPS_RETIRED.MS:c1:e1", true},
        {"gnr", "UOPS_RETIRED.MS INT_MISC.UNKNOWN_BRANCH_CYCLES", false},
        {"gnr", "UOPS_RETIRED.MS OCR.DEMAND_RFO.L3_HIT.SNOOP_HITM", true},
        {"skx", "OFFCORE_RESPONSE.DEMAND_RFO.L3_HIT.HITM_OTHER_CORE OFFCORE_RESPONSE.DEMAND_RFO.L3_MISS.REMOTE_HITM",
         true},
        {"skx",
         "OFFCORE_RESPONSE.DEMAND_RFO.L3_HIT.HITM_OTHER_CORE OFFCORE_RESPONSE.DEMAND_RFO.L3_MISS.REMOTE_HITM"
         " OFFCORE_RESPONSE.PF_L2_RFO.L3_HIT.HITM_OTHER_CORE",
         false},
        {"ivb", "CYCLE_ACTIVITY.STALLS_L1D_PENDING", true},
        {"ivb", "CYCLE_ACTIVITY.STALLS_L1D_PENDING L1D_PEND_MISS.PENDING", false},
        {"lnl-p", "UOPS_EXECUTED.THREAD UOPS_EXECUTED.CYCLES_GE_3", false},
    };

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        const struct td_uarch *u = td_uarch_by_name(all[i].row);
        const struct td_counters c = counters_for(u, true);
        const char *at = all[i].events;
        struct td_bits set;

        CU_ASSERT_EQUAL_FATAL(td_bits_new(&set, u->nevents), 0);
        while (*at) {
            const size_t n = strcspn(at, " ");
            const int e = td_uarch_event_find(u, at, n);

            CHECK(u->name, e >= 0, "no such event", at);
            if (e >= 0)
                td_bits_add(&set, (size_t)e);
            at += n + strspn(at + n, " ");
        }
        CHECK(u->name, td_fit(&c, u, &set) == all[i].fits, all[i].fits ? "fits" : "does not fit", all[i].events);
        td_bits_free(&set);
    }
}

static const CU_TestInfo tests[] = {
    {"every row", every_row},
    {"constraints", constraints},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("wanted", tests);
