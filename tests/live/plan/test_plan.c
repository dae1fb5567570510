/* SPDX-License-Identifier: MIT */
/* Tests the plans for every CPU and form against what a plan must be, and some against known facts. */
#include "backends/rows.h"
#include "core/solve/solve.h"
#include "tests/support/sets.h"

#include <stdio.h>
#include <string.h>

static void check(bool good, int line, const char *row, const char *form, const char *what)
{
    char text[1200];

    if (good)
        return; /* there are millions of checks: only failures need a text */
    snprintf(text, sizeof(text), "%s: %s: %s", row, form, what);
    CU_assertImplementation(CU_FALSE, (unsigned)line, text, __FILE__, "", CU_FALSE);
}

/* ---- every CPU, every form --------------------------------------------------------- */

struct shape {
    const struct td_plan_ask *ask;
    const struct td_uarch *row;
    struct td_formcode *form;
    const struct td_plan *plan;
    uint64_t level1; /* events that its metrics need */
    uint64_t allowed;
    uint64_t impossible; /* absent, or no counter can hold them even alone */
};

#define CHECK(s, good, what) check(good, __LINE__, (s)->row->name, (s)->form->form->name, what)

static bool is_field(const struct shape *s, unsigned e)
{
    return s->row->events[e].field >= 0;
}

static uint64_t with_config(const struct td_uarch *u, uint64_t config)
{
    for (unsigned e = 0; e < u->nevents && e < 64; e++)
        if (u->events[e].config == config)
            return UINT64_C(1) << e;
    return 0;
}

/* Adds SLOTS, if any of them is a field of the register (intel.md 3.2). */
static uint64_t whole(const struct shape *s, uint64_t set)
{
    for (unsigned e = 0; e < s->row->nevents && e < 64; e++)
        if (set >> e & 1 && is_field(s, e))
            return set | with_config(s->row, 0x400);
    return set;
}

static void find_events(struct shape *s)
{
    const struct td_formcode *f = s->form;

    s->level1 = s->allowed = 0;
    s->impossible = s->ask->absent ? word_of(s->ask->absent) : 0;
    for (unsigned e = 0; e < s->row->nevents && e < 64; e++)
        s->impossible |= (uint64_t)!fit(&s->ask->counters, s->row, UINT64_C(1) << e) << e;
    for (size_t d = 0; d < td_program_count(f->p); d++) {
        const struct td_node *node = td_tree_find(s->row->tree, td_program_def(f->p, d)->name);
        bool ends = (int)d == f->slots || (int)d == f->sum;

        if ((!ends && !node) || (int)d != td_program_find(f->p, td_program_def(f->p, d)->name) ||
            td_program_compile(f->p, d, (char[80]){0}, 80))
            continue;
        if (ends || node->level <= s->plan->level)
            s->allowed |= word_of(td_program_needs(f->p, d)) | word_of(td_program_corrections(f->p, d));
        if (ends || node->level == 1)
            s->level1 |= word_of(td_program_needs(f->p, d));
    }
    s->level1 = whole(s, s->level1);
    /* SLOTS, which has its own counter, replaces SLOTS_P (intel.md 1.3), which takes another */
    if (s->level1 & with_config(s->row, 0x400) & ~s->impossible && !(s->impossible & with_config(s->row, 0x1a4)))
        s->level1 &= ~with_config(s->row, 0x1a4);
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
    CHECK(s, seen == word_of(&g->set) && word_of(&g->able) == (seen & ~s->impossible), "the set is the events");
    CHECK(s, !fields || !strcmp(s->row->events[g->event[0]].name, "TOPDOWN.SLOTS"), "SLOTS leads");
    CHECK(s, !fields || s->form->form->flags & TD_FORM_FIXED, "fields in a form without the register");
    CHECK(s, fit(&s->ask->counters, s->row, seen & ~s->impossible), "the group fits");
    CHECK(s, !(seen & ~s->allowed), "events that the form does not use");
}

/* Counts of all planned events that can be counted, including copies in several groups. */
static void dry_solve(const struct shape *s, struct td_result *out)
{
    static struct td_counts k;
    const struct td_solve_ask ask = {.level = s->plan->level,
                                     .fixed = s->ask->fixed,
                                     .whole_core = s->ask->whole_core,
                                     .smt_off = !s->ask->counters.sibling};

    k.n = 0;
    for (size_t g = 0; g < s->plan->ngroups; g++)
        for (size_t i = 0; i < s->plan->group[g].n; i++) {
            struct td_count c = {
                .value = 1000, .enabled = 9, .running = 9, .group = (uint16_t)g, .event = s->plan->group[g].event[i]};

            c.status = s->impossible >> c.event & 1 ? TD_NOT_SUPPORTED : TD_OK;
            CHECK(s, !td_counts_append(&k, &c), "room");
        }
    CHECK(s, !td_solve(s->ask->forms, &k, &ask, out), "solved");
}

static uint64_t needs_of(const struct shape *s, const char *node)
{
    int def = td_program_find(s->form->p, node);

    return def < 0 ? 0 : word_of(td_program_needs(s->form->p, (size_t)def));
}

/* The events that a node lacks: without the register SLOTS and SLOTS_P (0x01a4) replace each other. */
static uint64_t lacks(const struct shape *s, const char *node)
{
    uint64_t slots = with_config(s->row, 0x400) | with_config(s->row, 0x1a4);

    return needs_of(s, node) & s->impossible &
           ~(s->form->form->flags & TD_FORM_FIXED || !(slots & ~s->impossible) ? 0 : slots);
}

static bool has_level2(const struct shape *s)
{
    for (size_t n = 0; n < s->row->tree->n; n++) {
        const struct td_node *node = &s->row->tree->node[n];

        if (node->level == 2 && needs_of(s, node->name) && !(whole(s, needs_of(s, node->name)) & s->impossible))
            return true;
    }
    return false;
}

static void check_solution(const struct shape *s)
{
    static struct td_result r;
    size_t name = strlen(s->form->form->name);

    dry_solve(s, &r);
    CHECK(s, !strncmp(r.formula, s->form->form->name, name) && (!r.formula[name] || r.formula[name] == ' '), r.formula);
    for (size_t i = 0; i < r.nmetrics; i++) {
        const struct td_metric *m = &r.metrics[i];
        uint64_t lack = lacks(s, m->name), slots = with_config(s->row, 0x400);
        int def = td_program_find(s->form->p, m->name);
        bool left_out =
            def >= 0 && word_of(td_program_corrections(s->form->p, (size_t)def)) & ~word_of(&s->plan->group[0].able);

        CHECK(s,
              m->status != TD_MISSING_EVENT && m->status != TD_NOT_COUNTED && (lack || m->status != TD_NOT_SUPPORTED),
              m->name);
        /* except for level 2 of older CPUs, where when() may not need the event, and the divisor of a correction that
         * is left out */
        CHECK(s, m->status == TD_NOT_SUPPORTED || !lack || (m->level == 2 && !slots) || (left_out && lack == slots),
              m->name);
    }
}

static void check_together(const struct shape *s)
{
    const struct td_plan *p = s->plan;
    uint64_t all = 0;
    bool apart = true; /* no event is there twice, which would take two counters */

    for (size_t g = 0; g < p->ngroups; g++) {
        apart = apart && !(all & word_of(&p->group[g].set));
        all |= word_of(&p->group[g].set);
    }
    CHECK(s, p->together == (apart && fit(&s->ask->counters, s->row, all & ~s->impossible)), "together");
    CHECK(s, p->level == 1 || p->deeper == has_level2(s), "level 2 can be counted");
    if (s->ask->level == 0 && p->level == 2)
        CHECK(s, p->together && has_level2(s), "level 2 unasked, but not together with level 1, or nothing");
    if (s->ask->level == 0 && p->level == 1) {
        struct td_plan_ask deep = *s->ask;
        struct td_plan other = {0};

        deep.level = 2;
        CHECK(s, td_plan_make(&deep, s->form, &other) == 0 && !(other.together && has_level2(s)),
              "level 2 could be counted together with level 1");
        td_plan_free(&other);
    }
    CHECK(s, !s->ask->level || p->level == (s->ask->level < 2 || !td_tree_has_nodes(s->row->tree) ? 1 : 2),
          "the level asked for, as far as the tree goes");
}

static void check_plan(const struct td_plan_ask *a, struct td_formcode *f)
{
    struct td_plan p = {0};
    struct shape s = {.ask = a, .row = td_forms_uarch(a->forms), .form = f, .plan = &p};
    int err = td_plan_make(a, f, &p);
    bool one = false;

    CHECK(&s, !err, "planned");
    if (err)
        return;
    find_events(&s);
    CHECK(&s,
          p.form == f && word_of(&p.level1) == s.level1 && first_word_of(&p.impossible) == s.impossible &&
              p.ngroups > 0,
          "what level 1 needs, what is impossible");
    for (size_t g = 0; g < p.ngroups; g++) {
        check_group(&s, &p.group[g]);
        one = one || !(s.level1 & ~word_of(&p.group[g].set));
    }
    CHECK(&s, one || !fit(&a->counters, s.row, s.level1 & ~s.impossible),
          "level 1 fits in one group, but is not in one");
    check_together(&s);
    check_solution(&s);
    td_plan_free(&p);
}

/* The n-th of all settings: its lowest bits, then the digits. absent: provides room for the set. */
static struct td_plan_ask setting(struct td_forms *forms, unsigned n, struct td_bits *absent)
{
    static const unsigned fields[] = {0, 4, 8};
    unsigned digits = n >> 5, general = digits / 9 % 10;
    struct unit_random r = {(n + 1) * UINT64_C(0x9e3779b97f4a7c15)};

    absent->word[0] =
        digits / 90 ? unit_random(&r) & unit_random(&r) & unit_random(&r) &
                          (td_forms_uarch(forms)->nevents < 64 ? (UINT64_C(1) << td_forms_uarch(forms)->nevents) - 1
                                                               : UINT64_MAX)
                    : 0;
    return (struct td_plan_ask){
        .forms = forms,
        .level = (int)(digits % 3),
        .fixed = n & 1,
        .whole_core = n >> 1 & 1,
        .any = n >> 1 & 1,
        .counters = {.sibling = n >> 2 & 1,
                     .watchdog = n >> 3 & 1,
                     .fixed = n >> 4 & 1 ? 0x7f : 0,
                     .fields = fields[digits / 3 % 3],
                     .general = general ? general + 1 : 0},
        .absent = absent,
    };
}

enum {
    SETTINGS = 32 * 3 * 3 * 10 * 2,
    /* a row is planned with every EACH-th setting, the next row with others: as there are more rows, each setting has
       its rows */
    EACH = 31,
    EACH_BESIDE = 53
};

/* TD_LONG: three times as many settings; TD_QUICK: a tenth. */
static unsigned each(unsigned step)
{
    const unsigned long rounds = unit_long_rounds(100);

    return rounds == 100 ? step / 3 | 1 : rounds == 1 ? 10 * step + 1 : step;
}

static unsigned long plan_row(struct td_forms *forms, size_t row)
{
    unsigned long plans = 0;
    struct td_bits absent;

    CU_ASSERT_EQUAL_FATAL(td_bits_new(&absent, td_forms_uarch(forms)->nevents), 0);
    for (unsigned n = (unsigned)row % EACH; n < SETTINGS; n += each(EACH)) {
        struct td_plan_ask a = setting(forms, n, &absent);
        struct td_formcode *form;
        int err = 0;

        for (size_t i = 0; (form = td_plan_form(&a, i, &err)); i++, plans++)
            check_plan(&a, form);
        CU_ASSERT_EQUAL(err, 0);
    }
    td_bits_free(&absent);
    return plans;
}

static void every_row(void)
{
    const struct td_uarch *u;
    unsigned long plans = 0;
    size_t rows = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++, rows++) {
        struct td_forms *f = forms_of(u);

        plans += plan_row(f, i);
        td_forms_free(f);
    }
    CU_ASSERT(plans > unit_rounds(48 * SETTINGS / EACH));
    CU_ASSERT(rows >= EACH_BESIDE);
}

/* ---- one group, and additional events ------------------------------------------------ */

static uint64_t all_of(const struct td_plan *p)
{
    uint64_t all = 0;

    for (size_t g = 0; g < p->ngroups; g++)
        all |= word_of(&p->group[g].set);
    return all;
}

/* 0 where the CPU has no such event (AMD), or it is not among the first 64. */
static uint64_t bit_of(const struct td_uarch *u, const char *name)
{
    const int number = td_uarch_event_number(u, name);

    return number < 0 || number >= 64 ? 0 : UINT64_C(1) << number;
}

/* Cycles and instructions cost neither a programmable counter nor a turn of the rotation. */
static void check_beside(struct td_plan_ask a, struct td_formcode *f)
{
    const struct td_uarch *u = td_forms_uarch(a.forms);
    const uint64_t cycles = bit_of(u, "cycles"), instructions = bit_of(u, "instructions");
    struct td_plan without = {0}, with = {0};
    uint64_t added;

    CU_ASSERT(!td_plan_make(&a, f, &without));
    a.beside = true;
    CU_ASSERT(!td_plan_make(&a, f, &with));
    added = all_of(&with) & ~all_of(&without);
    check(!(added & ~(cycles | instructions)) && !(all_of(&without) & ~all_of(&with)), __LINE__, u->name, f->form->name,
          "other events are there, or are gone");
    check(with.ngroups == without.ngroups && with.together == without.together && with.level == without.level, __LINE__,
          u->name, f->form->name, "it costs a turn");
    if (with.ngroups)
        check(!(word_of(&with.group[0].set) & ~word_of(&without.group[0].set) & (all_of(&without) | word_of(a.absent))),
              __LINE__, u->name, f->form->name, "what cannot be counted, or is there already, is added");
    for (size_t g = 0; g < with.ngroups; g++) {
        check(td_fit(&a.counters, u, &with.group[g].able), __LINE__, u->name, f->form->name, "fits");
        check(td_fit_general(&a.counters, u, &with.group[g].able) ==
                  td_fit_general(&a.counters, u, &without.group[g].able),
              __LINE__, u->name, f->form->name, "it costs a counter");
        check(!g || word_of(&with.group[g].set) == word_of(&without.group[g].set), __LINE__, u->name, f->form->name,
              "in another group than the first");
    }
    /* except for the watchdog, cycles are free on each of these: they have fixed 1 (intel.md 1.1) */
    if (a.counters.fixed == 0 && a.counters.general && !strcmp(u->name, "spr") && !word_of(a.absent))
        check(!(all_of(&with) & cycles) == a.counters.watchdog && with.no_cycles == a.counters.watchdog &&
                  all_of(&with) & instructions,
              __LINE__, u->name, f->form->name, "free, but not there");
    td_plan_free(&without);
    td_plan_free(&with);
}

/* What can be counted at the same time is one group; if no level is asked for, level 1 alone is preferred to two
 * groups. */
static void check_one_group(struct td_plan_ask a, struct td_formcode *f)
{
    const struct td_uarch *u = td_forms_uarch(a.forms);
    struct td_plan usual = {0}, one = {0};

    CU_ASSERT(!td_plan_make(&a, f, &usual));
    a.one_group = true;
    CU_ASSERT(!td_plan_make(&a, f, &one));
    check(one.level == usual.level && one.together == usual.together && all_of(&one) == all_of(&usual), __LINE__,
          u->name, f->form->name, "another plan");
    check(one.ngroups == (usual.together ? 1 : usual.ngroups), __LINE__, u->name, f->form->name, "number of groups");
    check(td_fit(&a.counters, u, &one.group[0].able), __LINE__, u->name, f->form->name, "the group fits");
    td_plan_free(&usual);
    td_plan_free(&one);
}

/* Whether a group has more than one event that slots are not computed from: one alone may be too much for the counters
 * with what slots are. */
static bool has_several(const struct td_plan_group *g, const struct td_bits *slots)
{
    return td_bits_count(&g->able) > td_bits_common(&g->able, slots) + 1;
}

/* What is sampled is one group wherever it can be; and else each group has all of what slots are computed from that any
 * has; where the form has no slots, the clock. */
static void check_sampled(struct td_plan_ask a, struct td_formcode *f)
{
    const struct td_uarch *u = td_forms_uarch(a.forms);
    struct td_plan usual = {0}, sampled = {0};
    const struct td_bits *slots;
    struct td_bits all, clock;

    CU_ASSERT(!td_plan_make(&a, f, &usual));
    a.sampled = true;
    CU_ASSERT(!td_plan_make(&a, f, &sampled));
    CU_ASSERT_FATAL(!td_bits_new(&all, u->nevents));
    check(sampled.level == usual.level && all_of(&sampled) == all_of(&usual), __LINE__, u->name, f->form->name,
          "other events");
    check(!usual.together || sampled.ngroups == (usual.ngroups > 0), __LINE__, u->name, f->form->name, "one group");
    CU_ASSERT_FATAL(!td_bits_new(&clock, u->nevents));
    TD_BITS_EACH(e, &sampled.level1)
    if (td_uarch_is_clock(u, &u->events[e]))
        td_bits_add(&clock, e);
    slots = f->slots >= 0 ? td_program_needs(f->p, (size_t)f->slots) : &clock;
    for (size_t g = 0; g < sampled.ngroups; g++)
        td_bits_join(&all, &sampled.group[g].able);
    for (size_t g = 0; g < sampled.ngroups; g++) {
        const struct td_plan_group *group = &sampled.group[g];

        check(td_fit(&a.counters, u, &group->able) || !has_several(group, slots), __LINE__, u->name, f->form->name,
              "fits");
        check(sampled.ngroups == 1 || td_bits_common(&group->able, slots) == td_bits_common(&all, slots), __LINE__,
              u->name, f->form->name, "slots in each");
    }
    td_bits_free(&all);
    td_bits_free(&clock);
    td_plan_free(&usual);
    td_plan_free(&sampled);
}

static void beside_and_one_group(void)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        struct td_forms *f = forms_of(u);
        struct td_bits absent;

        CU_ASSERT_EQUAL_FATAL(td_bits_new(&absent, u->nevents), 0);
        for (unsigned n = (unsigned)i % EACH_BESIDE; n < SETTINGS; n += each(EACH_BESIDE)) {
            struct td_plan_ask a = setting(f, n, &absent);
            struct td_formcode *form;
            int err = 0;

            for (size_t k = 0; (form = td_plan_form(&a, k, &err)); k++) {
                check_beside(a, form);
                check_one_group(a, form);
                check_sampled(a, form);
            }
        }
        td_bits_free(&absent);
        td_forms_free(f);
    }
}

/* ---- facts ---------------------------------------------------------------------------- */

struct fact {
    const char *row;
    struct td_plan_ask ask;
    const char *forms; /* what td_plan_form() returns, in order */
    /* for the first form: its level, "events ... | events ..." by group, general counters of the first group */
    int level;
    const char *groups;
    unsigned general;
};

#define COUNTERS(...) .counters = {__VA_ARGS__}
#define FIELDS4 "TOPDOWN.SLOTS topdown-bad-spec topdown-be-bound topdown-fe-bound topdown-retiring"
#define SKL_L1(recovery, cycles) \
    cycles " IDQ_UOPS_NOT_DELIVERED.CORE " recovery " UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS"
#define GLC_L1 "IDQ_BUBBLES.CORE INT_MISC.UOP_DROPPING TOPDOWN.BACKEND_BOUND_SLOTS UOPS_RETIRED.SLOTS"
#define GLC_L2 \
    "IDQ_BUBBLES.CYCLES_0_UOPS_DELIV.CORE TOPDOWN.BR_MISPREDICT_SLOTS TOPDOWN.MEMORY_BOUND_SLOTS UOPS_RETIRED.HEAVY"
#define LNC \
    "IDQ_BUBBLES.CORE TOPDOWN.BACKEND_BOUND_SLOTS UOPS_RETIRED.SLOTS IDQ_BUBBLES.FETCH_LATENCY CPU_CLK_UNHALTED.THREAD TOPDOWN.BR_MISPREDICT_SLOTS" \
    " TOPDOWN.MEMORY_BOUND_SLOTS UOPS_RETIRED.HEAVY"
#define STALLS "OP_RETIRED OP_SPEC STALL_SLOT STALL_SLOT_FRONTEND STALL_SLOT_BACKEND"

static const struct fact facts[] = {
    /* arm.md 1.1: six general counters and one for cycles; the correction is dropped first; there is no level 2 either
     */
    {"neoverse-n2",
     {.level = 1, COUNTERS(.general = 6)},
     "neoverse-less-cycles",
     1,
     "CPU_CYCLES BR_MIS_PRED " STALLS,
     6},
    {"neoverse-n2", {.level = 0}, "neoverse-less-cycles", 1, "CPU_CYCLES BR_MIS_PRED " STALLS, 6},
    {"neoverse-n2",
     {.level = 1, COUNTERS(.general = 6, .watchdog = true)},
     "neoverse-less-cycles",
     1,
     "CPU_CYCLES " STALLS,
     6},
    {"neoverse-n2", {.level = 1, COUNTERS(.general = 5)}, "neoverse-less-cycles", 1, "CPU_CYCLES " STALLS, 5},
    /* intel.md 7.12: four general counters and fixed 1 with SMT; the watchdog holds fixed 1 */
    {"skl",
     {.level = 1, .whole_core = true, .any = true, COUNTERS(.general = 4, .fixed = 7, .sibling = true)},
     "skl-thread-any skl-ebs skl-smt skl kernel-topdown",
     1,
     SKL_L1("INT_MISC.RECOVERY_CYCLES_ANY", "CPU_CLK_UNHALTED.THREAD_ANY"),
     4},
    {"skl",
     {.level = 1,
      .whole_core = true,
      .any = true,
      COUNTERS(.general = 4, .fixed = 7, .sibling = true, .watchdog = true)},
     "skl-thread-any skl-ebs skl-smt skl kernel-topdown",
     1,
     "CPU_CLK_UNHALTED.THREAD_ANY IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES_ANY UOPS_ISSUED.ANY | UOPS_RETIRED.RETIRE_SLOTS",
     4},
    /* for a task, or without format/any */
    {"skl",
     {.level = 1, COUNTERS(.general = 4, .fixed = 7, .sibling = true)},
     "skl-ebs skl kernel-topdown",
     1,
     "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_XCLK CPU_CLK_UNHALTED.THREAD IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES"
     " | UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS",
     4},
    {"skl",
     {.level = 1, .any = true, COUNTERS(.general = 8, .sibling = true)},
     "skl-ebs skl-smt skl kernel-topdown",
     1,
     "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_XCLK CPU_CLK_UNHALTED.THREAD IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.RECOVERY_CYCLES"
     " | UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS",
     4}, /* eight counters, but with a sibling the events use 0-3 */
    {"skl",
     {.level = 1, .whole_core = true, .any = true, COUNTERS(.general = 8, .fixed = 7)},
     "skl skl-ebs skl-smt kernel-topdown",
     1,
     SKL_L1("INT_MISC.RECOVERY_CYCLES", "CPU_CLK_UNHALTED.THREAD"),
     4},
    /* intel.md 3.1, 1.3: SLOTS leads four fields, eight from Golden Cove on, where one ordinary event corrects */
    {"spr",
     {.level = 1, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 4)},
     "glc-perf-metrics glc-events",
     1,
     FIELDS4 " INT_MISC.UOP_DROPPING",
     1},
    {"spr",
     {.level = 1, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8)},
     "glc-perf-metrics glc-events",
     1,
     FIELDS4 " INT_MISC.UOP_DROPPING",
     1},
    {"spr",
     {.level = 0, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8, .watchdog = true)},
     "glc-perf-metrics glc-events",
     2,
     "TOPDOWN.SLOTS topdown-bad-spec topdown-be-bound topdown-br-mispredict topdown-fe-bound topdown-fetch-lat topdown-heavy-ops topdown-mem-bound"
     " topdown-retiring INT_MISC.UOP_DROPPING",
     1},
    {"icl",
     {.level = 0, .fixed = true, COUNTERS(.general = 8, .fixed = 15, .fields = 4)},
     "icl-perf-metrics icl-events",
     1,
     FIELDS4 " INT_MISC.CLEARS_COUNT INT_MISC.UOP_DROPPING",
     2},
    {"lnl-p",
     {.level = 1, .fixed = true, COUNTERS(.general = 10, .fixed = 15, .fields = 8)},
     "lnc-perf-metrics lnc-events",
     1,
     FIELDS4,
     0},
    /* intel.md 1.3: the eight ordinary events of Golden Cove and one for SLOTS, with fixed counters for the additional
     * events; without one of the eight counters only level 1 fits; the watchdog holds cycles, which would be a ninth */
    {"spr",
     {.level = 0, .one_group = true, .beside = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8, .sibling = true)},
     "glc-events",
     2,
     "TOPDOWN.SLOTS " GLC_L1 " " GLC_L2 " CPU_CLK_UNHALTED.THREAD INST_RETIRED.ANY",
     8},
    {"spr",
     {.level = 0,
      .one_group = true,
      .beside = true,
      COUNTERS(.general = 8, .fixed = 15, .fields = 8, .watchdog = true)},
     "glc-events",
     2,
     "TOPDOWN.SLOTS " GLC_L1 " " GLC_L2 " INST_RETIRED.ANY",
     8},
    {"spr",
     {.level = 0,
      .one_group = true,
      .beside = true,
      COUNTERS(.general = 7, .fixed = 15, .fields = 8, .watchdog = true)},
     "glc-events",
     1,
     "TOPDOWN.SLOTS " GLC_L1 " INST_RETIRED.ANY",
     4},
    {"gnr",
     {.level = 2, .one_group = true, COUNTERS(.general = 8, .fixed = 15, .fields = 8)},
     "glc-events",
     2,
     "TOPDOWN.SLOTS " GLC_L1 " " GLC_L2,
     8},
    /* Lion Cove has ten counters, and needs cycles itself */
    {"lnl-p",
     {.level = 0, .one_group = true, .beside = true, COUNTERS(.general = 10, .fixed = 15, .fields = 8)},
     "lnc-events",
     2,
     "TOPDOWN.SLOTS " LNC " INST_RETIRED.ANY",
     7},
    {"lnl-p",
     {.level = 0,
      .one_group = true,
      .beside = true,
      COUNTERS(.general = 10, .fixed = 15, .fields = 8, .watchdog = true)},
     "lnc-events",
     2,
     "TOPDOWN.SLOTS " LNC " INST_RETIRED.ANY",
     8},
    /* Ice Lake's level 2 needs more than eight */
    {"icx",
     {.level = 0, .one_group = true, .beside = true, COUNTERS(.general = 8, .fixed = 15, .fields = 4)},
     "icl-events",
     1,
     "TOPDOWN.SLOTS IDQ_UOPS_NOT_DELIVERED.CORE INT_MISC.UOP_DROPPING INT_MISC.CLEARS_COUNT TOPDOWN.BACKEND_BOUND_SLOTS UOPS_RETIRED.SLOTS"
     " CPU_CLK_UNHALTED.THREAD INST_RETIRED.ANY",
     5},
    /* without the register's events, or not asked for */
    {"spr", {.level = 1, .fixed = true}, "glc-events", 0, NULL, 0},
    {"spr", {.level = 1, COUNTERS(.fields = 8)}, "glc-events", 0, NULL, 0},
    {"icx", {.level = 1, COUNTERS(.fields = 4)}, "icl-events", 0, NULL, 0},
    {"arl-p", {.level = 1, COUNTERS(.fields = 8)}, "lnc-events", 0, NULL, 0},
    /* intel.md 1.1: two general counters, and cycles on fixed 1 */
    {"knl",
     {.level = 1, COUNTERS(.general = 2, .fixed = 7, .sibling = true)},
     "knl",
     1,
     "CPU_CLK_UNHALTED.THREAD NO_ALLOC_CYCLES.MISPREDICTS NO_ALLOC_CYCLES.NOT_DELIVERED | UOPS_RETIRED.ALL",
     2},
    /* the kernel's events last, and perf's old formula only for recordings */
    {"slm", {.level = 1}, "slm kernel-topdown", 0, NULL, 0},
    {"glp", {.level = 1}, "goldmont kernel-topdown", 0, NULL, 0},
    {"hsx", {.level = 1}, "hsw hsw-ebs kernel-topdown", 0, NULL, 0},
    {"adl-e", {.level = 1, .fixed = true}, "gracemont", 0, NULL, 0},
};

static void print_groups(const struct td_plan *p, const struct td_uarch *u, char *out, size_t size)
{
    size_t n = 0;

    *out = '\0';
    for (size_t g = 0; g < p->ngroups; g++)
        for (size_t i = 0; i < p->group[g].n && n < size; i++)
            n += (size_t)snprintf(out + n, size - n, "%s%s",
                                  i   ? " "
                                  : g ? " | "
                                      : "",
                                  u->events[p->group[g].event[i]].name);
}

/* The same words, those between two '|' in any order except for the first if SLOTS leads. */
static bool same_groups(const char *got, const char *wanted)
{
    char words[800], *save = NULL;
    bool same = strlen(got) == strlen(wanted) && (strncmp(wanted, "TOPDOWN.SLOTS ", 14) || !strncmp(got, wanted, 14));

    snprintf(words, sizeof(words), "%s", wanted);
    for (char *word = strtok_r(words, " |", &save); same && word; word = strtok_r(NULL, " |", &save)) {
        const char *at = strstr(got, word), *from = strstr(wanted, word), *bar = strchr(got, '|'),
                   *limit = strchr(wanted, '|');

        same = at && (!bar || (at < bar) == (from < limit));
    }
    return same;
}

static void known_plans(void)
{
    for (size_t i = 0; i < TD_LENGTH(facts); i++) {
        const struct fact *f = &facts[i];
        struct td_plan_ask a = f->ask;
        struct td_formcode *form;
        char forms[160] = "", groups[800];
        struct td_plan p = {0};
        int err;

        a.forms = forms_of(td_uarch_by_name(f->row));
        for (size_t n = 0; (form = td_plan_form(&a, n, &err)); n++)
            snprintf(forms + strlen(forms), sizeof(forms) - strlen(forms), "%s%s", n ? " " : "", form->form->name);
        check(!strcmp(forms, f->forms), __LINE__, f->row, f->forms, forms);
        CU_ASSERT_EQUAL(td_plan_make(&a, best_form(&a), &p), 0);
        print_groups(&p, td_forms_uarch(a.forms), groups, sizeof(groups));
        if (f->groups) {
            check(same_groups(groups, f->groups), __LINE__, f->row, f->groups, groups);
            check(p.level == f->level && p.together == !strchr(f->groups, '|'), __LINE__, f->row, f->groups,
                  "level, together");
            CU_ASSERT_EQUAL(td_fit_general(&a.counters, td_forms_uarch(a.forms), &p.group[0].able), f->general);
        }
        td_plan_free(&p);
        td_forms_free(a.forms);
    }
}

static void joins(void)
{
    struct td_forms *f = forms_of(td_uarch_by_name("skl"));
    const struct td_uarch *u = td_forms_uarch(f);
    struct td_plan_ask a = {.forms = f,
                            .level = 1,
                            .whole_core = true,
                            .any = true,
                            .counters = {.general = 4, .fixed = 7, .sibling = true}};
    struct td_plan p = {0};
    uint64_t before;

    CU_ASSERT_EQUAL(td_plan_make(&a, best_form(&a), &p), 0);
    before = word_of(&p.group[0].set);
    CU_ASSERT_EQUAL(td_plan_join(&a, &p, td_uarch_event_number(u, "IDQ.MS_UOPS")), 0); /* not of this CPU */
    /* a fifth one on 0-3 */
    CU_ASSERT_EQUAL(td_plan_join(&a, &p, td_uarch_event_number(u, "UOPS_RETIRED.MACRO_FUSED")), 0);
    CU_ASSERT(p.ngroups == 1 && p.group[0].n == 5 && word_of(&p.group[0].set) == before);
    /* fixed 0 */
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(u, "INST_RETIRED.ANY")) == 1 && p.group[0].n == 6);
    /* it is there already */
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(u, "INST_RETIRED.ANY")) == 1 && p.group[0].n == 6);
    td_plan_free(&p);
    CU_ASSERT_EQUAL(td_plan_join(&a, &p, 0), 0); /* no group to join */
    td_forms_free(f);
    f = forms_of(td_uarch_by_name("spr"));
    u = td_forms_uarch(f);
    a = (struct td_plan_ask){
        .forms = f, .fixed = true, .level = 2, .counters = {.general = 8, .fixed = 15, .fields = 8}};
    CU_ASSERT_EQUAL(td_plan_make(&a, best_form(&a), &p), 0);
    CU_ASSERT(td_plan_join(&a, &p, td_uarch_event_number(u, "cycles")) == 1 && p.group[0].n == 11 &&
              p.group[0].event[0] == td_uarch_event_number(u, "slots"));
    td_plan_free(&p);
    td_forms_free(f);
}

static const CU_TestInfo tests[] = {
    {"every row", every_row},
    {"one group, and events beside", beside_and_one_group},
    {"known plans", known_plans},
    {"joins", joins},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("plan", tests);
