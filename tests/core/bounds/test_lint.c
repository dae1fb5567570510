/* SPDX-License-Identifier: MIT */
/* The lint of counts: each relation of each CPU just kept and just broken, and what solving makes of it. */
#include "backends/registry.h"
#include "core/bounds/lint.h"
#include "private/result.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

static struct td_lint lint;
static struct td_layout layout;

static void forget(void)
{
    td_lint_free(&lint);
    td_layout_free(&layout);
}

/* Runs the lint over the counts, as they are. */
static void run(const struct td_uarch *u, const struct td_lint_ask *a)
{
    CU_ASSERT_FATAL(!td_layout_make(&layout, &counts, u) && !td_lint_arrange(&lint, u, &layout) &&
                    !td_lint_run(&lint, &counts, a));
}

/* Whether that relation is broken: 0: no, 1: it is likely, 2: it is sure. */
static int broken(const struct td_relation *rel)
{
    if (rel->when & TD_RELATION_ALONE && lint.shared)
        return 2;
    for (size_t i = 0; i < lint.nbroken; i++)
        if (lint.broken[i].code->relation == rel)
            return lint.broken[i].sure ? 2 : 1;
    return 0;
}

/* ---- each relation and its neighbours -------------------------------------------- */

static int event_of(const struct td_relation_term *t)
{
    return t->event[0] >= 0 ? t->event[0] : t->event[1];
}

/* The right side gets terms of 1e9 each, the left one as much as a share of what the right one allows. */
static void make_counts(const struct td_relation_code *c, double left)
{
    counts.n = 0;
    for (size_t t = 0; t < c->n; t++) {
        const double value = t < c->nleft ? left / (double)c->nleft : 1e9;
        const struct td_count x = {.value = value / c->term[t].factor,
                                   .enabled = 100,
                                   .running = 100,
                                   .group = 1,
                                   .event = (uint16_t)event_of(&c->term[t])};

        CU_ASSERT_FATAL(!td_counts_append(&counts, &x));
    }
}

static double largest_factor(const struct td_relation_code *c)
{
    double most = 0;

    for (size_t t = 0; t < c->n; t++)
        most = fmax(most, c->term[t].factor);
    return most;
}

/* Of other events, two terms may be one: CPU_CYCLES beside width * CPU_CYCLES. */
static bool distinct(const struct td_relation_code *c)
{
    for (size_t t = 0; t < c->n; t++)
        for (size_t o = 0; o < t; o++)
            if (event_of(&c->term[t]) == event_of(&c->term[o]))
                return false;
    return true;
}

/* Puts all in one group, which was counted for so much of 100. */
static void in_part(double running)
{
    for (size_t i = 0; i < counts.n; i++) {
        counts.c[i].group = 1;
        counts.c[i].running = running;
    }
}

static void neighbours(const struct td_uarch *u, const struct td_relation_code *c)
{
    const struct td_relation *rel = c->relation;
    /* 5 % more than the right side, and 1024 uops in flight of the one CPU */
    const double limit = 1.05e9 * (double)(c->n - c->nleft) + 1024 * largest_factor(c);
    struct td_lint_ask a = {.smt_off = true, .cpus = 1};

    make_counts(c, limit - 100);
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
    make_counts(c, limit + 100);
    run(u, &a);
    check(broken(rel) == 2, rel->text, __LINE__);
    counts.c[0].err = 200 / c->term[0].factor; /* by so much both may be off */
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
    counts.c[0].err = 0;
    for (size_t i = 0; i < counts.n; i++) /* another program, a thousand times as long */
        counts.c[i].value *= 1000;
    run(u, &a);
    check(broken(rel) == 2, rel->text, __LINE__);
    a.smt_off = false;
    a.scale_assumed = a.switched = true;
    run(u, &a);
    check(broken(rel) == (rel->when ? 0 : 2), rel->text, __LINE__);
    a = (struct td_lint_ask){.smt_off = true, .cpus = 1};
    counts.c[0].modes = TD_MODE_USER;
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
    counts.c[0].modes = 0;
    counts.c[0].group = 2; /* also counted all the time */
    run(u, &a);
    check(broken(rel) == 2, rel->text, __LINE__);
    counts.c[0].running = 50;
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
    in_part(50); /* in one group again, but in turns with others */
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
    in_part(100);
    counts.c[0].status = TD_NOT_COUNTED;
    run(u, &a);
    check(!broken(rel), rel->text, __LINE__);
}

/* As a backend's row that has all events of a relation has them. */
static void each_relation(void)
{
    size_t tested = 0;

    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        forget();
        for (const struct td_relation *rel = u->relations; rel && rel->text; rel++) {
            struct td_relation_code c;
            const int err = td_relation_read(rel, u, &c);

            check(err != -EINVAL, rel->text, __LINE__);
            if (err || !distinct(&c))
                continue;
            neighbours(u, &c);
            tested++;
        }
    }
    CU_ASSERT_TRUE(tested > 200);
    forget();
}

/* A name that no CPU of the backend has would make a relation that is never looked at. */
static void each_is_of_some_cpu(void)
{
    for (size_t i = 0; td_uarch_at(i); i++)
        for (const struct td_relation *rel = td_uarch_at(i)->relations; rel && rel->text; rel++) {
            bool any = false;

            for (size_t j = 0; td_uarch_at(j); j++) {
                struct td_relation_code c;

                any = any || (td_uarch_at(j)->relations == td_uarch_at(i)->relations &&
                              !td_relation_read(rel, td_uarch_at(j), &c));
            }
            check(any, rel->text, __LINE__);
        }
}

static void faulty_texts(void)
{
    static const char *const bad[] = {"",
                                      "INST_RETIRED.ANY",
                                      "<= INST_RETIRED.ANY",
                                      "INST_RETIRED.ANY <=",
                                      "INST_RETIRED.ANY <= 2 *",
                                      "INST_RETIRED.ANY <= x * INST_RETIRED.ANY",
                                      "INST_RETIRED.ANY < INST_RETIRED.ANY",
                                      "INST_RETIRED.ANY <= INST_RETIRED.ANY <= INST_RETIRED.ANY",
                                      "cycles + cycles + cycles + cycles <= cycles"};
    struct td_relation_code c, other;

    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        const struct td_relation rel = {.text = bad[i]};

        check(td_relation_read(&rel, td_uarch_by_name("skl"), &c) == -EINVAL, bad[i], __LINE__);
    }
    CU_ASSERT_EQUAL(
        td_relation_read(&(struct td_relation){"cycles <= NO.SUCH_EVENT", 0, NULL}, td_uarch_by_name("skl"), &c),
        -ENOENT);
    CU_ASSERT_EQUAL(td_relation_read(&(struct td_relation){"cycles + instructions <= width * NO.SUCH/cycles", 0, NULL},
                                     td_uarch_by_name("skl"), &c),
                    0);
    /* no width is published */
    CU_ASSERT_EQUAL(td_relation_read(&(struct td_relation){"EX_RET_INSTR <= width * LS_NOT_HALTED_CYC", 0, NULL},
                                     td_uarch_by_name("zen1"), &other),
                    -ENOENT);
    CU_ASSERT_TRUE(c.n == 3 && c.nleft == 2 && c.term[2].factor == 4 && c.term[2].event[0] < 0 &&
                   c.term[2].event[1] == c.term[0].event[0]);
}

/* ---- an event twice ---------------------------------------------------------------- */

/* Two counts of the cycles, alone, each in a group of its own. 2 where they contradict each other. */
static unsigned differing(double one, double other, double running, unsigned modes, const struct td_lint_ask *a)
{
    const struct td_uarch *u = td_uarch_by_name("skl");
    const uint16_t event =
        (uint16_t)td_uarch_event_find(u, "CPU_CLK_UNHALTED.THREAD", strlen("CPU_CLK_UNHALTED.THREAD"));
    const struct td_count c[] = {
        {.value = one, .enabled = 100, .running = 100, .group = 1, .event = event},
        {.value = other, .enabled = 100, .running = running, .group = 2, .event = event, .modes = (uint8_t)modes}};

    forget();
    counts.n = 0;
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT_FATAL(!td_counts_append(&counts, &c[i]));
    run(u, a);
    if (!lint.nbroken)
        return 0;
    CU_ASSERT(lint.nbroken == 1 && !lint.broken[0].code && !lint.broken[0].sure &&
              lint.broken[0].left == fmax(one, other) && lint.broken[0].right == fmin(one, other));
    return (unsigned)(td_lint_doubt(&lint, 0) == TD_LINT_LIKELY) +
           (unsigned)(td_lint_doubt(&lint, 1) == TD_LINT_LIKELY);
}

/* The larger one may be 5 % more, and 1024 of what one CPU has in flight: 1,050,001,024 beside 1,000,000,000. */
static void twice(void)
{
    const struct td_lint_ask one_cpu = {.cpus = 1}, two_cpus = {.cpus = 2},
                             pieces = {.cpus = 1, .pieces_unknown = true},
                             times = {.cpus = 1, .coverage_unknown = true};

    CU_ASSERT_EQUAL(differing(1e9, 1e9, 100, 0, &one_cpu), 0);
    CU_ASSERT_EQUAL(differing(1050001024, 1e9, 100, 0, &one_cpu), 0);
    CU_ASSERT_EQUAL(differing(1050001025, 1e9, 100, 0, &one_cpu), 2);
    CU_ASSERT_EQUAL(differing(1e9, 1050001024, 100, 0, &one_cpu), 0);
    CU_ASSERT_EQUAL(differing(1e9, 1050001025, 100, 0, &one_cpu), 2);
    CU_ASSERT_EQUAL(differing(1050001025, 1e9, 100, 0, &two_cpus), 0);
    CU_ASSERT_EQUAL(differing(1050002049, 1e9, 100, 0, &two_cpus), 2);
    CU_ASSERT_EQUAL(differing(5e9, 1e9, 99, 0, &one_cpu), 0);
    CU_ASSERT_EQUAL(differing(5e9, 1e9, 100, TD_MODE_USER, &one_cpu), 0);
    CU_ASSERT_EQUAL(differing(5e9, 1e9, 100, 0, &pieces), 0);
    CU_ASSERT_EQUAL(differing(5e9, 1e9, 100, 0, &times), 0);
    CU_ASSERT_EQUAL(differing(5e9, 0, 100, 0, &one_cpu), 2);
    forget();
}

/* ---- in which group ---------------------------------------------------------------- */

enum { GROUPS = 3 };

/* Skylake has 4 slots a cycle. Each group has so many cycles and retired uops, in these modes, or none where that is
 * negative, and was counted all the time. Returns how many relations do not hold; *left: the uops of one that does not.
 */
static size_t broken_by(const double cycles[GROUPS], const double uops[GROUPS], unsigned modes, double *left)
{
    const struct td_uarch *u = td_uarch_by_name("skl");
    const uint16_t event[] = {(uint16_t)td_uarch_event_number(u, "CPU_CLK_UNHALTED.THREAD"),
                              (uint16_t)td_uarch_event_number(u, "UOPS_RETIRED.RETIRE_SLOTS")};
    size_t n = 0;

    forget();
    counts.n = 0;
    for (uint16_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < 2; i++) {
            const struct td_count c = {.value = i ? uops[g] : cycles[g],
                                       .enabled = 100,
                                       .running = 100,
                                       .group = g,
                                       .modes = (uint8_t)(i ? modes : 0),
                                       .event = event[i]};

            if (c.value >= 0)
                CU_ASSERT_FATAL(!td_counts_append(&counts, &c));
        }
    run(u, &(struct td_lint_ask){.cpus = 1, .smt_off = true});
    for (size_t i = 0; i < lint.nbroken; i++)
        if (lint.broken[i].code) {
            n++;
            *left = lint.broken[i].left;
        }
    forget();
    return n;
}

/* Each group that has all of a relation's events is looked at; else their first copies, of the same modes. */
static void by_group(void)
{
    static const struct {
        double cycles[GROUPS], uops[GROUPS];
        unsigned modes;
        size_t broken;
        double left;
    } rows[] = {
        {{1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}, 0, 0, 0},        {{1e9, 1e9, 1e9}, {9e9, 1e9, 1e9}, 0, 1, 9e9},
        {{1e9, 1e9, 1e9}, {1e9, 9e9, 1e9}, 0, 1, 9e9},      {{1e9, 1e9, 1e9}, {1e9, 1e9, 9e9}, 0, 1, 9e9},
        {{1e9, 1e9, 1e9}, {1e9, 8e9, 9e9}, 0, 2, 9e9},      {{1e9, -1, -1}, {-1, 9e9, 1e9}, 0, 1, 9e9},
        {{1e9, -1, -1}, {-1, 1e9, 9e9}, 0, 0, 0},           {{1e9, -1, -1}, {1e9, 9e9, -1}, 0, 0, 0},
        {{-1, 1e9, 4e9}, {9e9, -1, -1}, 0, 1, 9e9},         {{-1, 4e9, 1e9}, {9e9, -1, -1}, 0, 0, 0},
        {{1e9, -1, -1}, {-1, 9e9, -1}, TD_MODE_USER, 0, 0}, {{1e9, -1, -1}, {9e9, -1, -1}, TD_MODE_USER, 0, 0},
        {{1e9, 1e9, 1e9}, {-1, -1, -1}, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        double left = 0;

        check(broken_by(rows[i].cycles, rows[i].uops, rows[i].modes, &left) == rows[i].broken && left == rows[i].left,
              "by group", (int)i);
    }
}

/* ---- valid programs --------------------------------------------------------------- */

static struct unit_random dice = {20261124};

static double part(double whole)
{
    return floor(whole * unit_random_ratio(&dice));
}

/* One program: what passes in each stage of a pipeline, of any length, as real ones may be: all the slots to one thread
 * or to two, each instruction of one slot or many, or two in one. */
struct program {
    double width, cycles, mine, slots, issued, retired, frontend, backend, bad, instructions;
};

static struct program any_program(int width)
{
    struct program p = {.width = width};

    p.cycles = floor(exp(27 * unit_random_ratio(&dice))); /* 1 to 5e11 */
    p.mine = unit_random_below(&dice, 2) ? p.cycles : floor(p.cycles * (0.5 + unit_random_ratio(&dice) / 2));
    p.slots = p.width * p.mine;
    p.issued = unit_random_below(&dice, 4) ? part(p.slots) : 0;
    p.retired = unit_random_below(&dice, 4) ? part(p.issued) : p.issued;
    p.frontend = part(p.slots - p.issued);
    p.backend = part(p.slots - p.issued - p.frontend);
    p.bad = p.slots - p.retired - p.frontend - p.backend;
    p.instructions = unit_random_below(&dice, 4) ? part(2 * p.retired) : 2 * p.retired;
    return p;
}

/* What an event counts of it; NAN: it is of no relation. */
static double count_of(const struct program *p, const char *event)
{
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"CPU_CLK_UNHALTED.THREAD", p->cycles},
        {"CPU_CLK_UNHALTED.CORE", p->cycles},
        {"CPU_CYCLES", p->mine},
        {"LS_NOT_HALTED_CYC", p->cycles},
        {"CPU_CLK_UNHALTED.DISTRIBUTED", p->mine},
        {"TOPDOWN.SLOTS", p->slots},
        {"TOPDOWN.SLOTS_P", p->slots},
        {"UOPS_ISSUED.ANY", p->issued},
        {"UOPS_RETIRED.SLOTS", p->retired},
        {"UOPS_RETIRED.RETIRE_SLOTS", p->retired},
        {"UOPS_RETIRED.HEAVY", part(p->retired)},
        {"UOPS_RETIRED.ALL", p->retired},
        {"UOPS_RETIRED.ANY", p->retired},
        {"TOPDOWN.BACKEND_BOUND_SLOTS", p->backend},
        {"TOPDOWN.MEMORY_BOUND_SLOTS", part(p->backend)},
        {"TOPDOWN.BAD_SPEC_SLOTS", p->bad},
        {"TOPDOWN.BR_MISPREDICT_SLOTS", part(p->bad)},
        {"IDQ_BUBBLES.CORE", p->frontend},
        {"IDQ_UOPS_NOT_DELIVERED.CORE", p->frontend},
        {"CYCLE_ACTIVITY.STALLS_TOTAL", p->cycles},
        {"CYCLE_ACTIVITY.STALLS_MEM_ANY", part(p->cycles)},
        {"INT_MISC.RECOVERY_CYCLES", part(p->bad) / p->width},
        {"INST_RETIRED.ANY", p->instructions},
        {"INST_RETIRED", p->instructions},
        {"INST_SPEC", p->instructions},
        {"EX_RET_INSTR", p->instructions},
        {"TOPDOWN_RETIRING.ALL", p->retired},
        {"TOPDOWN_RETIRING.ALL_P", p->retired},
        {"TOPDOWN_FE_BOUND.ALL", p->frontend},
        {"TOPDOWN_FE_BOUND.ALL_P", p->frontend},
        {"TOPDOWN_BE_BOUND.ALL", p->backend},
        {"TOPDOWN_BE_BOUND.ALL_P", p->backend},
        {"TOPDOWN_BAD_SPECULATION.ALL", p->bad},
        {"TOPDOWN_BAD_SPECULATION.ALL_P", p->bad},
        {"OP_SPEC", p->issued},
        {"OP_RETIRED", p->retired},
        {"STALL_SLOT", p->slots - p->issued},
        {"STALL_SLOT_FRONTEND", p->frontend},
        {"STALL_SLOT_BACKEND", p->backend},
        {"EX_RET_OPS", p->retired},
        {"DE_SRC_OP_DISP.ALL", p->issued},
        {"DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND", p->frontend},
        {"DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS", p->backend},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (!strcmp(all[i].name, event))
            return all[i].value;
    return (double)NAN;
}

static void valid_programs(void)
{
    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        forget();
        for (unsigned long n = unit_rounds(20000) / 10; n-- > 0 && u->width;) {
            const struct program p = any_program(u->width);
            const struct td_lint_ask a = {.cpus = 1, .smt_off = p.mine == p.cycles};

            counts.n = 0;
            for (size_t e = 0; e < u->nevents; e++) {
                const struct td_count c = {.value = count_of(&p, u->events[e].name),
                                           .enabled = 100,
                                           .running = 100,
                                           .group = 1,
                                           .event = (uint16_t)e};

                if (!isnan(c.value))
                    CU_ASSERT_FATAL(!td_counts_append(&counts, &c));
            }
            run(u, &a);
            if (lint.nbroken)
                check(false, lint.texts[0], __LINE__);
            check(!lint.width || !a.smt_off, u->name, __LINE__); /* two threads may share the slots in any proportion */
        }
    }
    forget();
}

/* ---- what solving makes of it ------------------------------------------------------ */

#define SKL \
    "INST_RETIRED.ANY=8e9 CPU_CLK_UNHALTED.THREAD=4e9 IDQ_UOPS_NOT_DELIVERED.CORE=1e9 INT_MISC.RECOVERY_CYCLES=0 "
#define SPR "TOPDOWN.SLOTS=24e9 cycles=4e9 INST_RETIRED.ANY=8e9 TOPDOWN.BACKEND_BOUND_SLOTS=10e9 IDQ_BUBBLES.CORE=2e9 "

static void hidden_events(void)
{
    struct td_verdict v;

    solve("skl", SKL "UOPS_ISSUED.ANY=11e9 UOPS_RETIRED.RETIRE_SLOTS=10e9");
    GIVES("retiring", 0.625);
    CU_ASSERT_TRUE(r.ncontradictions == 0 && !td_result_contradiction(&r, 0));
    solve("skl", SKL "UOPS_ISSUED.ANY=11e9 UOPS_RETIRED.RETIRE_SLOTS=0");
    RAW("retiring", 0);
    ABSENT("bad_speculation", TD_IMPOSSIBLE, "UOPS_RETIRED.RETIRE_SLOTS");
    GIVES("frontend_bound", 0.0625);
    CU_ASSERT_STRING_EQUAL(td_result_contradiction(&r, 0),
                           "INST_RETIRED.ANY <= 2 * UOPS_RETIRED.RETIRE_SLOTS does not hold: 8000000000 > 0");
    CU_ASSERT_STRING_EQUAL(metric("retiring")->why, td_result_contradiction(&r, 0));
    CU_ASSERT_TRUE(!td_result_contradiction(&r, 1));
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.node && v.absent == metric("retiring") && v.remedy == TD_REMEDY_DOCTOR);
    /* a recovery of 0 cycles is possible; beside what is hidden it is as doubtful */
    solve("skl", SKL "UOPS_ISSUED.ANY=0 UOPS_RETIRED.RETIRE_SLOTS=10e9");
    GIVES("retiring", 0.625);
    ABSENT("backend_bound", TD_IMPOSSIBLE, "UOPS_ISSUED.ANY");
    solve(
        "skl",
        "INST_RETIRED.ANY=8e9 CPU_CLK_UNHALTED.THREAD=4e9 IDQ_UOPS_NOT_DELIVERED.CORE=0 INT_MISC.RECOVERY_CYCLES=0 UOPS_ISSUED.ANY=0 UOPS_RETIRED.RETIRE_SLOTS=0");
    ABSENT("frontend_bound", TD_IMPOSSIBLE, "IDQ_UOPS_NOT_DELIVERED.CORE");
    CU_ASSERT_STRING_EQUAL(metric("frontend_bound")->why, "it counted 0, as an event did that cannot");
    CU_ASSERT_STRING_EQUAL(metric("retiring")->why, td_result_contradiction(&r, 0)); /* that event's is its relation */
    solve("spr", SPR "UOPS_RETIRED.SLOTS=0N UOPS_RETIRED.SLOTS=10e9");
    GIVES("retiring", 10.0 / 24);
    CU_ASSERT_EQUAL(r.ncontradictions, 0);
    solve("spr", SPR "UOPS_RETIRED.SLOTS=0");
    ABSENT("retiring", TD_IMPOSSIBLE, "UOPS_RETIRED.SLOTS");
    ABSENT("bad_speculation", TD_IMPOSSIBLE, "UOPS_RETIRED.SLOTS");
    GIVES("backend_bound", 10.0 / 24);
    solve("neoverse-n2-r0p3",
          "CPU_CYCLES=4e9 OP_SPEC=2e9 OP_RETIRED=2e9 STALL_SLOT=0 STALL_SLOT_FRONTEND=0 STALL_SLOT_BACKEND=0");
    ABSENT("retiring", TD_IMPOSSIBLE, "CPU_CYCLES");
    solve("neoverse-n2-r0p3",
          "CPU_CYCLES=4e9 OP_SPEC=2e9 OP_RETIRED=2e9 STALL_SLOT=18e9 STALL_SLOT_FRONTEND=8e9 STALL_SLOT_BACKEND=10e9");
    GIVES("retiring", 0.1);
}

/* Zeros that may be: nothing ran, or hardly anything, or there was nothing of the kind. */
static void real_zeros(void)
{
    solve(
        "skl",
        "INST_RETIRED.ANY=0 CPU_CLK_UNHALTED.THREAD=0 IDQ_UOPS_NOT_DELIVERED.CORE=0 UOPS_ISSUED.ANY=0 UOPS_RETIRED.RETIRE_SLOTS=0 INT_MISC.RECOVERY_CYCLES=0");
    ABSENT("retiring", TD_NO_SLOTS, NULL);
    solve(
        "skl",
        "INST_RETIRED.ANY=2000 CPU_CLK_UNHALTED.THREAD=9000 IDQ_UOPS_NOT_DELIVERED.CORE=0 UOPS_ISSUED.ANY=0 UOPS_RETIRED.RETIRE_SLOTS=0 INT_MISC.RECOVERY_CYCLES=0");
    GIVES("retiring", 0);
    solve("skl", SKL
          "UOPS_ISSUED.ANY=11e9 UOPS_RETIRED.RETIRE_SLOTS=10e9 MACHINE_CLEARS.COUNT=0 BR_MISP_RETIRED.ALL_BRANCHES=7");
    GIVES("machine_clears", 0);
    /* hidden cycles: there are no slots, and the reason is not that none passed */
    solve(
        "skl",
        "INST_RETIRED.ANY=8e9 CPU_CLK_UNHALTED.THREAD=0 IDQ_UOPS_NOT_DELIVERED.CORE=1e9 INT_MISC.RECOVERY_CYCLES=0 UOPS_ISSUED.ANY=11e9 UOPS_RETIRED.RETIRE_SLOTS=10e9");
    ABSENT("retiring", TD_NO_SLOTS, "CPU_CLK_UNHALTED.THREAD");
}

/* Counted in turns: what is seen in many of them, and never in others, has no bounds and no verdict. */
static void in_turns(void)
{
#define TURNS(uops) \
    "INST_RETIRED.ANY=8e9@1%" uops " CPU_CLK_UNHALTED.THREAD=4e9@1%" uops " IDQ_UOPS_NOT_DELIVERED.CORE=1e9@2%" uops \
    " UOPS_ISSUED.ANY=11e9@2%" uops " UOPS_RETIRED.RETIRE_SLOTS=0@2%" uops " INT_MISC.RECOVERY_CYCLES=0@2%" uops
    struct td_taken taken = {.elapsed = 2e9, .cpus = 1, .interval = 4e6, .always = true};
    struct td_verdict v;

    ask.taken = &taken;
    solve("skl", TURNS("50"));
    FLAGS("retiring", TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_COUNTS_DOUBTFUL);
    UNBOUNDED("retiring");
    GIVES("retiring", 0);
    td_result_verdict_below(&r, "", &v);
    CU_ASSERT_TRUE(!v.node && v.unbounded && v.remedy == TD_REMEDY_DOCTOR && r.ncontradictions == 1);
    counts.c[0].which = 1; /* it was counted in other intervals of a sum */
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
    CU_ASSERT_EQUAL(r.ncontradictions, 0);
    taken.in_step = true;
    solve_again(TURNS("50"));
    CU_ASSERT_EQUAL(r.ncontradictions, 0);
    taken.in_step = false;
    taken.elapsed = 2e7; /* 5 turns */
    solve_again(TURNS("50"));
    CU_ASSERT_EQUAL(r.ncontradictions, 0);
    ask = usual;
#undef TURNS
}

static void the_width_of_another(void)
{
    solve("spr",
          "TOPDOWN.SLOTS=20e9 cycles=4e9 UOPS_RETIRED.SLOTS=10e9 TOPDOWN.BACKEND_BOUND_SLOTS=1e9 IDQ_BUBBLES.CORE=2e9");
    CU_ASSERT_TRUE(r.flags & TD_FLAG_OTHER_WIDTH);
    /* or of a guest, whose host has siblings */
    CU_ASSERT_TRUE(r.flags & TD_FLAG_SMT_UNKNOWN && r.ncontradictions == 0);
    ask.smt_off = false;
    solve("spr",
          "TOPDOWN.SLOTS=20e9 cycles=4e9 UOPS_RETIRED.SLOTS=10e9 TOPDOWN.BACKEND_BOUND_SLOTS=1e9 IDQ_BUBBLES.CORE=2e9");
    CU_ASSERT_TRUE(r.flags & TD_FLAG_OTHER_WIDTH && !(r.flags & TD_FLAG_SMT_UNKNOWN) && r.ncontradictions == 0);
    GIVES("retiring", 0.5);
    for (int i = 0; i < 2; i++) { /* shared with a sibling; and all of the CPU's own */
        solve("spr", i ? "TOPDOWN.SLOTS=24e9 cycles=4e9" : "TOPDOWN.SLOTS=19.9e9 cycles=4e9");
        CU_ASSERT_FALSE(r.flags & TD_FLAG_OTHER_WIDTH);
    }
    solve(
        "icl",
        "TOPDOWN.SLOTS=20e9 cycles=4e9 UOPS_RETIRED.SLOTS=10e9 TOPDOWN.BACKEND_BOUND_SLOTS=1e9 IDQ_UOPS_NOT_DELIVERED.CORE=2e9");
    CU_ASSERT_FALSE(r.flags & TD_FLAG_OTHER_WIDTH);
    solve(
        "icl",
        "TOPDOWN.SLOTS=24e9 cycles=4e9 UOPS_RETIRED.SLOTS=10e9 TOPDOWN.BACKEND_BOUND_SLOTS=1e9 IDQ_UOPS_NOT_DELIVERED.CORE=2e9");
    ABSENT("retiring", TD_IMPOSSIBLE, "TOPDOWN.SLOTS");
    ask = usual;
}

/* More slots than another CPU's width allows: one of these is enough, whichever it is. Of Ice Lake, 5 * 4e9 slots. */
static void too_wide(void)
{
    static const struct {
        const char *counts;
        size_t broken;
        bool too_wide;
    } all[] = {
        {"TOPDOWN.SLOTS=20e9 cycles=4e9", 0, false},
        {"TOPDOWN.SLOTS=24e9 cycles=4e9", 1, true},
        {"TOPDOWN.SLOTS=20e9 cycles=4e9 UOPS_RETIRED.SLOTS=30e9", 1, false},
        {"TOPDOWN.SLOTS=24e9 cycles=4e9 UOPS_RETIRED.SLOTS=30e9", 2, true},
        /* first what it counts in one way, cycles of 5e9 where the clock had 4e9, then the slots of 4e9 cycles */
        {"cycles=4e9@1 CPU_CLK_UNHALTED.DISTRIBUTED=5e9@1 TOPDOWN.SLOTS=25e9@1", 2, true},
        /* the thread's clock is only likely to be broken, by the slots and by the core's, which the slots break */
        {"cycles=1e9@2%50 CPU_CLK_UNHALTED.DISTRIBUTED=10e9@1 TOPDOWN.SLOTS=100e9@1", 3, true},
        {"cycles=1e9@2%50 TOPDOWN.SLOTS=100e9@1", 1, false},
    };

    ask.one_cpu = true;
    ask.taken = &(struct td_taken){.elapsed = 100, .cpus = 1, .interval = 1e-3, .tasks = true, .switches = (double)NAN};
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        solve("icl", all[i].counts);
        check(r.ncontradictions == all[i].broken && r.too_wide == all[i].too_wide, all[i].counts, __LINE__);
    }
    ask = usual;
}

/* Regions: what was in flight at each begin and end is unknown, but not that an event never counts. */
static void in_pieces(void)
{
    ask.in_pieces = true;
    solve("spr", SPR "UOPS_RETIRED.SLOTS=1e9");
    CU_ASSERT_EQUAL(r.ncontradictions, 0);
    solve("spr", SPR "UOPS_RETIRED.SLOTS=0");
    CU_ASSERT_EQUAL(r.ncontradictions, 1);
    ask = usual;
    solve("spr", SPR "UOPS_RETIRED.SLOTS=1e9");
    CU_ASSERT_EQUAL(r.ncontradictions, 1);
}

/* What may be in flight: 1024 uops on each CPU, of which 1024 are taken where their number is not known, at 5 slots
 * each. 1000 cycles have 5000 slots, and 5250 with the slack of 5 %. */
static void in_flight(void)
{
    static const struct {
        bool one_cpu;
        unsigned cpus;
        double most; /* slots that break nothing */
    } all[] = {
        {true, 0, 5250 + 5 * 1024},      {true, 3, 5250 + 5 * 1024},         {false, 1, 5250 + 5 * 1024},
        {false, 3, 5250 + 5 * 3 * 1024}, {false, 0, 5250 + 5 * 1024 * 1024},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        for (int more = 0; more < 2; more++) {
            char text[80];

            ask.one_cpu = all[i].one_cpu;
            ask.cpus = all[i].cpus;
            snprintf(text, sizeof(text), "cycles=1000 TOPDOWN.SLOTS=%.0f", all[i].most + more);
            solve("icl", text);
            check(r.ncontradictions == (size_t)more, text, __LINE__);
        }
    ask = usual;
}

static const CU_TestInfo tests[] = {
    {"each relation and its neighbours", each_relation},
    {"each relation is of some CPU", each_is_of_some_cpu},
    {"faulty texts", faulty_texts},
    {"an event twice", twice},
    {"by group", by_group},
    {"valid programs", valid_programs},
    {"hidden events", hidden_events},
    {"real zeros", real_zeros},
    {"in turns", in_turns},
    {"the width of another CPU", the_width_of_another},
    {"too wide", too_wide},
    {"in flight", in_flight},
    {"in pieces", in_pieces},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("lint", tests);
