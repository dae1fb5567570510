/* SPDX-License-Identifier: MIT */
/* The plans of every CPU and form against what a plan must be, and of some against known facts. */
#include "nodes.h"
#include "plan.h"
#include "rows.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static void check(bool good, int line, const char *row, const char *form, const char *what)
{
    char text[1200];

    if (good)
        return; /* millions of checks: only failures are worth a text */
    snprintf(text, sizeof(text), "%s: %s: %s", row, form, what);
    CU_assertImplementation(CU_FALSE, (unsigned)line, text, __FILE__, "", CU_FALSE);
}

/* ---- every CPU, every form --------------------------------------------------------- */

struct shape {
    const struct td_plan_ask *ask;
    const struct td_uarch *row;
    const struct td_formcode *form;
    const struct td_plan *plan;
    uint64_t level1; /* events that its metrics need */
    uint64_t allowed;
    uint64_t impossible; /* absent, or held by no counter even alone */
};

#define CHECK(s, good, what) check(good, __LINE__, (s)->row->name, (s)->form->form->name, what)

static bool is_field(const struct shape *s, unsigned e)
{
    return s->row->events[e].field >= 0;
}

static uint64_t with_config(const struct td_uarch *u, uint64_t config)
{
    for (unsigned e = 0; e < u->nevents; e++)
        if (u->events[e].config == config)
            return UINT64_C(1) << e;
    return 0;
}

/* With SLOTS, if any of them is a field of the register (intel.md 3.2). */
static uint64_t whole(const struct shape *s, uint64_t set)
{
    for (unsigned e = 0; e < s->row->nevents; e++)
        if (set >> e & 1 && is_field(s, e))
            return set | with_config(s->row, 0x400);
    return set;
}

static void find_events(struct shape *s)
{
    const struct td_formcode *f = s->form;

    s->level1 = s->allowed = 0;
    s->impossible = s->ask->absent;
    for (unsigned e = 0; e < s->row->nevents; e++)
        s->impossible |= (uint64_t)!td_fit(&s->ask->counters, s->row, UINT64_C(1) << e) << e;
    for (size_t d = 0; d < td_program_count(f->p); d++) {
        const struct td_node *node = td_node_find(td_program_def(f->p, d)->name);
        bool ends = (int)d == f->slots || (int)d == f->sum;

        if (!ends && !node)
            continue;
        if (ends || node->level <= s->plan->level)
            s->allowed |= td_program_needs(f->p, d) | td_program_corrections(f->p, d);
        if (ends || node->level == 1)
            s->level1 |= td_program_needs(f->p, d);
    }
    s->level1 = whole(s, s->level1);
    s->allowed = whole(s, s->allowed);
}

static void check_group(const struct shape *s, const struct td_plan_group *g)
{
    uint64_t seen = 0;
    bool fields = false;

    CHECK(s, g->n > 0 && g->n <= s->row->nevents, "number of events");
    for (size_t i = 0; i < g->n; i++) {
        CHECK(s, !(seen >> g->event[i] & 1), "an event stands once in a group");
        seen |= UINT64_C(1) << g->event[i];
        /* fields follow the leader, ordinary events follow them */
        CHECK(s, !fields || is_field(s, g->event[i]) || i > 1, "order");
        fields = fields || is_field(s, g->event[i]);
    }
    CHECK(s, seen == g->set, "the set is the events");
    CHECK(s, !fields || !strcmp(s->row->events[g->event[0]].name, "TOPDOWN.SLOTS"), "SLOTS leads");
    CHECK(s, !fields || s->form->form->flags & TD_FORM_FIXED, "fields in a form without the register");
    CHECK(s, td_fit(&s->ask->counters, s->row, seen & ~s->impossible), "the group fits");
    CHECK(s, !(seen & ~s->allowed), "events that the form does not use");
}

/* Counts of all planned events that can be counted, with the copies that they have in several groups. */
static void dry_solve(const struct shape *s, struct td_result *out)
{
    struct td_count c[TD_COUNTS_MAX];
    struct td_counts k = {.c = c};
    const struct td_solve_ask ask = {.level = s->plan->level, .fixed = s->ask->fixed, .whole_core = s->ask->whole_core, .smt_off = !s->ask->counters.sibling};

    for (size_t g = 0; g < s->plan->ngroups; g++)
        for (size_t i = 0; i < s->plan->group[g].n; i++, k.n++) {
            c[k.n] = (struct td_count){.value = 1000, .enabled = 9, .running = 9, .group = (uint16_t)g, .event = s->plan->group[g].event[i]};
            c[k.n].status = s->impossible >> c[k.n].event & 1 ? TD_NOT_SUPPORTED : TD_OK;
        }
    td_solve(s->ask->solver, &k, &ask, out);
}

static uint64_t needs_of(const struct shape *s, const char *node)
{
    int def = td_program_find(s->form->p, node);

    return def < 0 ? 0 : td_program_needs(s->form->p, (size_t)def);
}

/* The events that a node lacks: without the register SLOTS and SLOTS_P (0x01a4) stand in for each other. */
static uint64_t lacks(const struct shape *s, const char *node)
{
    uint64_t slots = with_config(s->row, 0x400) | with_config(s->row, 0x1a4);

    return needs_of(s, node) & s->impossible & ~(s->form->form->flags & TD_FORM_FIXED || !(slots & ~s->impossible) ? 0 : slots);
}

static bool has_level2(const struct shape *s)
{
    for (size_t n = 0; n < TD_NODES; n++)
        if (td_nodes[n].level == 2 && needs_of(s, td_nodes[n].name) && !(whole(s, needs_of(s, td_nodes[n].name)) & s->impossible))
            return true;
    return false;
}

static void check_solution(const struct shape *s)
{
    struct td_result r;
    size_t name = strlen(s->form->form->name);

    dry_solve(s, &r);
    CHECK(s, !strncmp(r.formula, s->form->form->name, name) && (!r.formula[name] || r.formula[name] == ' '), r.formula);
    for (size_t i = 0; i < r.nmetrics; i++) {
        const struct td_metric *m = &r.metrics[i];
        uint64_t lack = lacks(s, m->name), slots = with_config(s->row, 0x400);
        int def = td_program_find(s->form->p, m->name);
        bool left_out = def >= 0 && td_program_corrections(s->form->p, (size_t)def) & ~(s->plan->group[0].set & ~s->impossible);

        CHECK(s, m->status != TD_MISSING_EVENT && m->status != TD_NOT_COUNTED && (lack || m->status != TD_NOT_SUPPORTED), m->name);
        /* but level 2 of older CPUs, where when() may not need the event, and what only a correction that is left out is divided by */
        CHECK(s, m->status == TD_NOT_SUPPORTED || !lack || (m->level == 2 && !slots) || (left_out && lack == slots), m->name);
    }
}

static void check_together(const struct shape *s)
{
    const struct td_plan *p = s->plan;
    uint64_t all = 0;
    bool apart = true; /* no event twice: it would take two counters */

    for (size_t g = 0; g < p->ngroups; g++) {
        apart = apart && !(all & p->group[g].set);
        all |= p->group[g].set;
    }
    CHECK(s, p->together == (apart && td_fit(&s->ask->counters, s->row, all & ~s->impossible)), "together");
    CHECK(s, p->level == 1 || p->level2 == has_level2(s), "level 2 can be counted");
    if (s->ask->level == 0 && p->level == 2)
        CHECK(s, p->together && has_level2(s), "level 2 unasked, but not together with level 1, or nothing");
    if (s->ask->level == 0 && p->level == 1) {
        struct td_plan_ask deep = *s->ask;
        struct td_plan other;

        deep.level = 2;
        CHECK(s, td_plan_make(&deep, s->form, &other) == 0 && !(other.together && has_level2(s)), "level 2 could be counted together with level 1");
    }
    CHECK(s, !s->ask->level || p->level == s->ask->level, "the level asked for");
}

static void check_plan(const struct td_plan_ask *a, const struct td_formcode *f)
{
    struct td_plan p;
    struct shape s = {.ask = a, .row = td_solver_uarch(a->solver), .form = f, .plan = &p};
    int err = td_plan_make(a, f, &p);
    bool one = false;

    CHECK(&s, !err, "planned");
    if (err)
        return;
    find_events(&s);
    CHECK(&s, p.form == f && p.level1 == s.level1 && p.impossible == s.impossible && p.ngroups > 0, "what level 1 needs, what is impossible");
    for (size_t g = 0; g < p.ngroups; g++) {
        check_group(&s, &p.group[g]);
        one = one || !(s.level1 & ~p.group[g].set);
    }
    CHECK(&s, one || !td_fit(&a->counters, s.row, s.level1 & ~s.impossible), "level 1 fits in one group, but is not in one");
    check_together(&s);
    check_solution(&s);
}

/* The n-th of all settings: its lowest bits, then the digits. */
static struct td_plan_ask setting(const struct td_solver *solver, unsigned n)
{
    static const unsigned fields[] = {0, 4, 8};
    unsigned digits = n >> 5, general = digits / 9 % 10;
    struct unit_random r = {(n + 1) * UINT64_C(0x9e3779b97f4a7c15)};

    return (struct td_plan_ask){
        .solver = solver, .level = (int)(digits % 3), .fixed = n & 1, .whole_core = n >> 1 & 1, .any = n >> 1 & 1,
        .counters = {.sibling = n >> 2 & 1, .watchdog = n >> 3 & 1, .fixed = n >> 4 & 1 ? 0x7f : 0, .fields = fields[digits / 3 % 3],
                     .general = general ? general + 1 : 0},
        .absent = digits / 90 ? unit_random(&r) & unit_random(&r) & unit_random(&r) & ((UINT64_C(1) << td_solver_uarch(solver)->nevents) - 1) : 0,
    };
}

static unsigned long plan_row(const struct td_solver *solver)
{
    const unsigned all = 32 * 3 * 3 * 10 * 2, step = unit_rounds(100) < 100 ? 101 : 1;
    const struct td_formcode *forms[TD_FORMS_MAX];
    unsigned long plans = 0;

    for (unsigned n = 0; n < all; n += step) {
        struct td_plan_ask a = setting(solver, n);
        size_t nforms = td_plan_forms(&a, forms);

        for (size_t i = 0; i < nforms; i++, plans++)
            check_plan(&a, forms[i]);
    }
    return plans;
}

static struct td_solver *solver_of(const char *name)
{
    struct td_solver *s = NULL;
    char why[256];

    CU_ASSERT_EQUAL_FATAL(td_solver_new(td_uarch_by_name(name), &s, why, sizeof(why)), 0);
    return s;
}

static void every_row(void)
{
    const struct td_uarch *u;
    unsigned long plans = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        struct td_solver *s = solver_of(u->name);

        plans += plan_row(s);
        td_solver_free(s);
    }
    CU_ASSERT(plans > unit_rounds(48 * 2880 * 2));
}

/* ---- facts ---------------------------------------------------------------------------- */

struct fact {
    const char *row;
    struct td_plan_ask ask;
    const char *forms; /* what td_plan_forms() gives */
    /* of the first form: its level, "events ... | events ..." by group, general counters of the first group */
    int level;
    const char *groups;
    unsigned general;
};

#define COUNTERS(...) .counters = {__VA_ARGS__}
#define FIELDS4 "TOPDOWN.SLOTS topdown-bad-spec topdown-be-bound topdown-fe-bound topdown-retiring"
#define SKL_L1(recovery, cycles) cycles " IDQ_UOPS_NOT_DELIVERED.CORE " recovery " UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS"
#define STALLS "OP_RETIRED OP_SPEC STALL_SLOT STALL_SLOT_FRONTEND STALL_SLOT_BACKEND"

static const struct fact facts[] = {
    /* arm.md 1.1: six general counters and one for cycles; the correction is the first to go; nor is there a level 2 */
    {"neoverse-n2", {.level = 1, COUNTERS(.general = 6)}, "neoverse-less-cycles", 1, "CPU_CYCLES BR_MIS_PRED " STALLS, 6},
    {"neoverse-n2", {.level = 0}, "neoverse-less-cycles", 1, "CPU_CYCLES BR_MIS_PRED " STALLS, 6},
    {"neoverse-n2", {.level = 1, COUNTERS(.general = 6, .watchdog = true)}, "neoverse-less-cycles", 1, "CPU_CYCLES " STALLS, 6},
    {"neoverse-n2", {.level = 1, COUNTERS(.general = 5)}, "neoverse-less-cycles", 1, "CPU_CYCLES " STALLS, 5},
    /* intel.md 7.12: four general counters and fixed 1 with SMT; the watchdog takes fixed 1 */
    {"skl", {.level = 1, .whole_core = true, .any = true, COUNTERS(.general = 4, .fixed = 7, .sibling = true)},
     "skl-thread-any skl-ebs skl-smt skl kernel-topdown", 1, SKL_L1("INT_MISC.RECOVERY_CYCLES_ANY", "CPU_CLK_UNHALTED.THREAD_ANY"), 4},
    {"skl", {.level = 1, .whole_core = true, .any = true, COUNTERS(.general = 4, .fixed = 7, .sibling = true, .watchdog = true)},
     "skl-thread-any skl-ebs skl-smt skl kernel-topdown", 1,
     "CPU_CLK_UNHALTED.THREAD_ANY IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES_ANY UOPS_ISSUED.ANY | UOPS_RETIRED.RETIRE_SLOTS", 4},
    /* of a task, or without format/any */
    {"skl", {.level = 1, COUNTERS(.general = 4, .fixed = 7, .sibling = true)}, "skl-ebs skl kernel-topdown", 1,
     "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_XCLK CPU_CLK_UNHALTED.THREAD IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES"
     " | UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS", 4},
    {"skl", {.level = 1, .any = true, COUNTERS(.general = 8, .sibling = true)}, "skl-ebs skl-smt skl kernel-topdown", 1,
     "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_XCLK CPU_CLK_UNHALTED.THREAD IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES"
     " | UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS", 4}, /* eight counters, but with a sibling the events are on 0-3 */
    {"skl", {.level = 1, .whole_core = true, .any = true, COUNTERS(.general = 8, .fixed = 7)}, "skl skl-ebs skl-smt kernel-topdown", 1,
     SKL_L1("INT_MISC.RECOVERY_CYCLES", "CPU_CLK_UNHALTED.THREAD"), 4},
    /* intel.md 3.1, 1.3: SLOTS leads four fields, eight from Golden Cove on, where one ordinary event corrects */
    {"spr", {.level = 1, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 4)}, "glc-perf-metrics glc-events", 1, FIELDS4 " INT_MISC.UOP_DROPPING", 1},
    {"spr", {.level = 1, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8)}, "glc-perf-metrics glc-events", 1, FIELDS4 " INT_MISC.UOP_DROPPING", 1},
    {"spr", {.level = 0, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8, .watchdog = true)}, "glc-perf-metrics glc-events", 2,
     "TOPDOWN.SLOTS topdown-bad-spec topdown-be-bound topdown-br-mispredict topdown-fe-bound topdown-fetch-lat topdown-heavy-ops topdown-mem-bound"
     " topdown-retiring INT_MISC.UOP_DROPPING", 1},
    {"icl", {.level = 0, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 4)}, "icl-perf-metrics icl-events", 1,
     FIELDS4 " INT_MISC.CLEARS_COUNT INT_MISC.UOP_DROPPING", 2},
    {"lnl-p", {.level = 1, .fixed = true, COUNTERS(.general = 10, .fixed = 15, .fields = 8)}, "lnc-perf-metrics lnc-events", 1, FIELDS4, 0},
    /* without the register's events, or not asked for */
    {"spr", {.level = 1, .fixed = true}, "glc-events", 0, NULL, 0}, {"spr", {.level = 1, COUNTERS(.fields = 8)}, "glc-events", 0, NULL, 0},
    {"icx", {.level = 1, COUNTERS(.fields = 4)}, "icl-events", 0, NULL, 0}, {"arl-p", {.level = 1, COUNTERS(.fields = 8)}, "lnc-events", 0, NULL, 0},
    /* intel.md 1.1: two general counters, and cycles on fixed 1 */
    {"knl", {.level = 1, COUNTERS(.general = 2, .fixed = 7, .sibling = true)}, "knl", 1,
     "CPU_CLK_UNHALTED.THREAD NO_ALLOC_CYCLES.MISPREDICTS NO_ALLOC_CYCLES.NOT_DELIVERED | UOPS_RETIRED.ALL", 2},
    /* the kernel's events last, and perf's old formula only for recordings */
    {"slm", {.level = 1}, "slm kernel-topdown", 0, NULL, 0}, {"glp", {.level = 1}, "goldmont kernel-topdown", 0, NULL, 0},
    {"hsx", {.level = 1}, "hsw hsw-ebs kernel-topdown", 0, NULL, 0}, {"adl-e", {.level = 1, .fixed = true}, "gracemont", 0, NULL, 0},
};

static void print_groups(const struct td_plan *p, const struct td_uarch *u, char *out, size_t size)
{
    size_t n = 0;

    *out = '\0';
    for (size_t g = 0; g < p->ngroups; g++)
        for (size_t i = 0; i < p->group[g].n && n < size; i++)
            n += (size_t)snprintf(out + n, size - n, "%s%s", i ? " " : g ? " | " : "", u->events[p->group[g].event[i]].name);
}

/* The same words, those between two '|' in any order but for the first where SLOTS leads. */
static bool same_groups(const char *got, const char *wanted)
{
    char words[800], *save = NULL;
    bool same = strlen(got) == strlen(wanted) && (strncmp(wanted, "TOPDOWN.SLOTS ", 14) || !strncmp(got, wanted, 14));

    snprintf(words, sizeof(words), "%s", wanted);
    for (char *word = strtok_r(words, " |", &save); same && word; word = strtok_r(NULL, " |", &save)) {
        const char *at = strstr(got, word), *from = strstr(wanted, word), *bar = strchr(got, '|'), *limit = strchr(wanted, '|');

        same = at && (!bar || (at < bar) == (from < limit));
    }
    return same;
}

static void known_plans(void)
{
    for (size_t i = 0; i < TD_LENGTH(facts); i++) {
        const struct fact *f = &facts[i];
        struct td_solver *s = solver_of(f->row);
        struct td_plan_ask a = f->ask;
        const struct td_formcode *form[TD_FORMS_MAX];
        char forms[160] = "", groups[800];
        struct td_plan p;

        a.solver = s;
        for (size_t n = 0, all = td_plan_forms(&a, form); n < all; n++)
            snprintf(forms + strlen(forms), sizeof(forms) - strlen(forms), "%s%s", n ? " " : "", form[n]->form->name);
        check(!strcmp(forms, f->forms), __LINE__, f->row, f->forms, forms);
        CU_ASSERT_EQUAL(td_plan_make(&a, form[0], &p), 0);
        print_groups(&p, td_solver_uarch(s), groups, sizeof(groups));
        if (f->groups) {
            check(same_groups(groups, f->groups), __LINE__, f->row, f->groups, groups);
            check(p.level == f->level && p.together == !strchr(f->groups, '|'), __LINE__, f->row, f->groups, "level, together");
            CU_ASSERT_EQUAL(td_fit_general(&a.counters, td_solver_uarch(s), p.group[0].set & ~p.impossible), f->general);
        }
        td_solver_free(s);
    }
}

static void joins(void)
{
    struct td_solver *s = solver_of("skl");
    const struct td_uarch *u = td_solver_uarch(s);
    struct td_plan_ask a = {.solver = s, .level = 1, .whole_core = true, .any = true, .counters = {.general = 4, .fixed = 7, .sibling = true}};
    const struct td_formcode *form[TD_FORMS_MAX];
    struct td_plan p, before;

    td_plan_forms(&a, form);
    CU_ASSERT_EQUAL(td_plan_make(&a, form[0], &p), 0);
    before = p;
    CU_ASSERT_FALSE(td_plan_join(&a, &p, td_uarch_event_number(u, "IDQ.MS_UOPS"))); /* not of this CPU */
    CU_ASSERT(!td_plan_join(&a, &p, td_uarch_event_number(u, "UOPS_RETIRED.MACRO_FUSED")) && !memcmp(&before, &p, sizeof(p))); /* a fifth on 0-3 */
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(u, "INST_RETIRED.ANY")) && p.group[0].n == 6); /* fixed 0 */
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(u, "INST_RETIRED.ANY")) && p.group[0].n == 6); /* it is there */
    p = (struct td_plan){.form = form[0]};
    CU_ASSERT_FALSE(td_plan_join(&a, &p, 0)); /* no group to join */
    td_solver_free(s);
    s = solver_of("spr");
    a = (struct td_plan_ask){.solver = s, .fixed = true, .level = 2, .counters = {.general = 8, .fixed = 15, .fields = 8}};
    td_plan_forms(&a, form);
    CU_ASSERT_EQUAL(td_plan_make(&a, form[0], &p), 0);
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(td_solver_uarch(s), "cycles")) && p.group[0].n == 11 && p.group[0].event[0] == td_uarch_event_number(td_solver_uarch(s), "slots"));
    td_solver_free(s);
}

void suite_plan(void)
{
    static const CU_TestInfo tests[] = {
        {"every row", every_row},
        {"known plans", known_plans},
        {"joins", joins},
        CU_TEST_INFO_NULL,
    };

    unit_suite("plan", tests);
}
