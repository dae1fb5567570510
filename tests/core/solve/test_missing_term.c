/* SPDX-License-Identifier: MIT */
/* Of each form of each row: a term that may be left out moves a node one way only, whatever the counts are, and no
 * form has more such terms than the solver tries. And bounds without them hold what metrics are with them. */
#include "core/choice/select.h"
#include "tests/support/likely_chance.h"
#include "core/bounds/likely.h"
#include "core/bounds/missing_term.h"
#include "tests/support/solve_text.h"

#include <stdio.h>

enum { TRIES = 200, STEPS = 4, TERMS = 2 };

/* A metric and all that it is made of. */
struct tried {
    const struct td_uarch *uarch;
    const struct td_selection *sel;
    const struct td_program *p;
    size_t def;
    uint32_t *order;
    size_t n;
    struct td_val *cells;
    uint64_t random;
};

static void fail(const struct tried *t, const char *name, const char *what)
{
    char text[200];

    snprintf(text, sizeof(text), "%s, %s, %s: %s", t->uarch->name, t->sel->form->form->name, name, what);
    CU_assertImplementation(CU_FALSE, __LINE__, text, __FILE__, "", CU_FALSE);
}

static void set(struct td_val *cell, double value)
{
    *cell = (struct td_val){td_range_exact(value), TD_VAL_OK, -1};
}

/* Events from a thousandth of the slots to all of them. */
static void set_counts(struct tried *t)
{
    const double inputs[TD_INPUTS] = {chance(&t->random) < 0.5, 1, 1, 4, 1};

    for (size_t e = 0; e < t->uarch->nevents; e++)
        set(&t->cells[td_event_cell(e)], 1e6 * pow(10, -3 * chance(&t->random)));
    for (unsigned i = 0; i < TD_INPUTS; i++)
        set(&t->cells[td_input_cell(t->p, (enum td_input)i)], inputs[i]);
    TD_BITS_EACH(e, td_program_corrections(t->p, t->def))
    {
        set(&t->cells[td_correction_cell(t->p, e)], chance(&t->random) < 0.5 ? 0 : 2e4);
    }
}

static bool moves_one_way(struct tried *t, size_t event)
{
    const struct td_val *v = &t->cells[td_def_cell(t->p, t->def)];
    bool up = false, down = false;
    double last = NAN;

    for (unsigned i = 0; i <= STEPS; i++) {
        set(&t->cells[td_correction_cell(t->p, event)], 5e4 * i / STEPS);
        td_program_run(t->p, t->order, t->n, t->cells);
        if (v->state > TD_VAL_OMITTED)
            return true;
        up = up || v->r.value > last + 1e-9 * fabs(last);
        down = down || v->r.value < last - 1e-9 * fabs(last);
        last = v->r.value;
    }
    return !up || !down;
}

/* Whether it has a term at all. */
static bool try_metric(struct tried *t, const struct td_asked *a)
{
    const struct td_bits *terms = td_program_corrections(t->p, (size_t)a->def);
    bool good = true;

    t->def = (size_t)a->def;
    t->random = 7 + t->def;
    t->n = td_program_order(t->p, td_program_uses(t->p, t->def), t->order);
    TD_BITS_EACH(e, terms)
    {
        for (unsigned i = 0; i < TRIES && good; i++) {
            set_counts(t);
            good = moves_one_way(t, e);
        }
        if (!good)
            fail(t, a->node->name, t->uarch->events[e].name);
    }
    return !td_bits_empty(terms);
}

/* Returns how many nodes have terms. */
static size_t try_form(const struct td_uarch *u, const struct td_form *form)
{
    struct td_formcode f;
    struct td_selection *sel = NULL;
    struct tried t = {.uarch = u};
    size_t with = 0;
    char why[200];

    CU_ASSERT_FATAL(!td_form_init(&f, u, form) && !td_selection_new(&f, TD_LEVEL_USUAL, "all", &sel, why, sizeof(why)));
    t.sel = sel;
    t.p = f.p;
    t.cells = calloc(td_program_cells(f.p), sizeof(*t.cells));
    t.order = calloc(td_program_count(f.p), sizeof(*t.order));
    CU_ASSERT_FATAL(t.cells && t.order);
    td_program_prepare(f.p, t.cells);
    for (size_t i = 0; i < sel->n; i++)
        if (sel->asked[i].def >= 0 && sel->asked[i].node->kind == TD_METRIC_NODE)
            with += try_metric(&t, &sel->asked[i]);
    if (sel->corrections > TERMS)
        fail(&t, "all", "more terms than are tried");
    free(t.cells);
    free(t.order);
    td_selection_free(sel);
    td_form_free(&f);
    return with;
}

static void all_tables(void)
{
    size_t with = 0;

    for (size_t i = 0; td_uarch_at(i); i++)
        for (size_t f = 0; td_uarch_at(i)->forms[f]; f++)
            with += try_form(td_uarch_at(i), td_uarch_at(i)->forms[f]);
    CU_ASSERT_TRUE(with > 100);
}

/* ---- beside what siblings may do --------------------------------------------------------- */

/* All events of a row, at random, of a million slots; UOP_DROPPING with this part of the slots, or not at all: NAN. */
static void any_counts(const struct td_uarch *u, uint64_t random, double part)
{
    counts.n = 0;
    for (size_t e = 0; e < u->nevents; e++) {
        struct td_count c = {.event = (uint16_t)e, .value = 1e5 * chance(&random), .enabled = 100, .running = 100};

        if (!strcmp(u->events[e].name, "TOPDOWN.SLOTS"))
            c.value = 1e6;
        if (!strcmp(u->events[e].name, "INT_MISC.UOP_DROPPING"))
            c.value = part * 1e6;
        if (u->events[e].kind != TD_EVENT_LATENCY && u->events[e].field < 0 && !isnan(c.value))
            CU_ASSERT_FATAL(!td_counts_append(&counts, &c));
    }
    CU_ASSERT_FATAL(!td_counts_quantise(&counts, u, 1));
}

/* What was likely without it, and not knowing whether siblings were online, holds what a metric is with it; random
 * counts give some that cannot be. Returns how many may be otherwise by both. */
static size_t try_truth(const struct td_metric *likely, size_t n)
{
    size_t held = 0;

    for (size_t i = 0; i < n; i++) {
        const struct td_metric *m = &r.metrics[i];
        const double slack = 1e-9 * (1 + fabs(m->value));
        const double most = m->kind == TD_METRIC_NODE ? 1 : m->kind == TD_METRIC_BOTTLENECK ? 100 : HUGE_VAL;

        if (!(likely[i].flags & TD_FLAG_CORRECTION_MISSING) || likely[i].bounds != TD_BOUNDS_LIKELY ||
            m->status != TD_OK || !(m->value >= 0 && m->value <= most) ||
            !(likely[i].value >= 0 && likely[i].value <= most))
            continue;
        check(likely[i].low <= m->value + slack && m->value - slack <= likely[i].high, m->name, __LINE__);
        held += (likely[i].flags & TD_FLAG_SMT_UNKNOWN) != 0;
    }
    return held;
}

static void both(void)
{
    static const char *const cpus[] = {"icl", "spr"};
    struct td_solve_ask unknown = usual, known = usual;
    size_t held = 0;

    unknown.names = known.names = "all";
    unknown.fixed = known.fixed = unknown.smt_off = false;
    for (uint64_t i = 0; i < 400; i++) {
        const struct td_uarch *u = td_uarch_by_name(cpus[i % 2]);
        struct td_metric likely[1000];

        use_forms(u);
        any_counts(u, i, (double)NAN);
        CU_ASSERT_FATAL(!td_solve(forms, &counts, &unknown, &r) && r.nmetrics <= sizeof(likely) / sizeof(*likely));
        memcpy(likely, r.metrics, r.nmetrics * sizeof(*likely));
        any_counts(u, i, i % 4 < 2 ? 0.02 : 0.01);
        for (int smt = 0; smt < 2; smt++) {
            known.smt_on = smt;
            known.smt_off = !smt;
            CU_ASSERT_FATAL(!td_solve(forms, &counts, &known, &r));
            held += try_truth(likely, r.nmetrics);
        }
    }
    CU_ASSERT_TRUE(held > 20);
}

/* A term that was never counted: 2 % of the slots, one in 20 cycles or two in 25, of which each wastes a slot, so that
 * it is twice at most of what was wasted. */
static void never_counted(void)
{
    static const double none = (double)NAN;
    static const struct {
        const char *event;
        double slots, width, wasted, most;
    } rows[] = {
        {"INT_MISC.UOP_DROPPING", 1000, 4, none, 20},
        {"INT_MISC.UOP_DROPPING", 1000, 4, 3, 20},
        {"INT_MISC.UOP_DROPPING", 1000, 0, none, HUGE_VAL},
        {"INT_MISC.UOP_DROPPING", 0, 4, none, HUGE_VAL},
        {"INT_MISC.CLEARS_COUNT", 1000, 4, none, 12.5},
        {"INT_MISC.CLEARS_COUNT", 1000, 8, 3, 6.25},
        {"INT_MISC.CLEARS_COUNT", 1, 1, none, 0.05},
        {"BR_MIS_PRED", 1000, 4, none, 20},
        {"BR_MIS_PRED", 1000, 4, 3, 6},
        {"BR_MIS_PRED", 1000, 4, 9.5, 19},
        {"BR_MIS_PRED", 1000, 4, 11, 20},
        {"BR_MIS_PRED", 1000, 4, 0, 0},
        {"BR_MIS_PRED", 0, 4, 3, 6},
        {"BR_MIS_PRE", 1000, 4, 3, HUGE_VAL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const double most = td_missing_most(rows[i].event, NULL,
                                            &(struct td_slots_passed){rows[i].slots, rows[i].width, rows[i].wasted});

        check(isinf(rows[i].most) ? most == HUGE_VAL : is(most, rows[i].most), rows[i].event, (int)i);
    }
}

/* One that was counted at other times, 20 of it in all if scaled by 2: (1 + 2.2 sqrt(2 u / windows)) of these, where u
 * is how many times 20 is usual, at least 1, but no more than twice, and 10 more by 2. */
static void counted_elsewhere(void)
{
    static const struct {
        const char *event;
        double slots, windows, most;
    } rows[] = {
        {"INT_MISC.UOP_DROPPING", 1000, 200, 1.22 * 20 + 20}, /* u = 1: sqrt(2 / 200) = 0.1 */
        {"INT_MISC.UOP_DROPPING", 500, 200, 1.22 * 20 + 20}, /* 10 would be usual */
        {"INT_MISC.UOP_DROPPING", 2000, 400, 1.22 * 20 + 20}, /* u = 2 */
        {"INT_MISC.UOP_DROPPING", 8000, 400, 1.44 * 20 + 20}, /* u = 8: sqrt(16 / 400) = 0.2 */
        {"INT_MISC.UOP_DROPPING", 20000, 100, 2 * 20 + 20}, /* u = 20: 2.2 sqrt(0.4) is more than 1 */
        {"INT_MISC.UOP_DROPPING", 1000, TD_LIKELY_WINDOWS_MIN - 1, 2 * 20 + 20},
        {"INT_MISC.UOP_DROPPING", 1000, (double)NAN, 2 * 20 + 20},
        {"OTHER", 1000, 200, 2 * 20 + 20},
        /* what would waste more than was wasted was seen all the same */
        {"BR_MIS_PRED", 1000, 200, 1.22 * 20 + 20},
    };
    const double least = 2.2 * sqrt(2.0 / TD_LIKELY_WINDOWS_MIN);

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const double most = td_missing_most(rows[i].event, &(struct td_elsewhere){20, 2, rows[i].windows},
                                            &(struct td_slots_passed){rows[i].slots, 4, 1});

        check(is(most, rows[i].most), rows[i].event, (int)i);
    }
    check(is(td_missing_most("INT_MISC.UOP_DROPPING", &(struct td_elsewhere){20, 2, TD_LIKELY_WINDOWS_MIN},
                             &(struct td_slots_passed){1000, 4, (double)NAN}),
             fmin(2, 1 + least) * 20 + 20),
          "as few windows as tell something", __LINE__);
}

#define NEAR(name, least, most, member) \
    check(metric(name)->member >= (least) && metric(name)->member <= (most), name, __LINE__)

/* Fields of the register without its slots, which they then are: UOP_DROPPING takes up to 2 % of these from the
 * frontend, CLEARS_COUNT 5 %, of a pipeline that is 5 wide, gives to the backend what it takes from bad speculation;
 * and each field is exact to a unit, 1/255. */
static void without_slots(void)
{
    const double unit = 2 / 255.0;

    solve("icl", "PERF_METRICS.RETIRING=200000 PERF_METRICS.BAD_SPECULATION=100000 PERF_METRICS.FRONTEND_BOUND=450000 "
                 "PERF_METRICS.BACKEND_BOUND=250000");
    NEAR("frontend_bound", 0.45 - 0.02 - unit, 0.45 - 0.02, low);
    NEAR("frontend_bound", 0.45, 0.45 + unit, high);
    NEAR("backend_bound", 0.25 + 0.05, 0.25 + 0.05 + unit, high);
    NEAR("bad_speculation", 0.1 - 0.05 - 2 * unit, 0.1 - 0.05, low);
    CU_ASSERT_EQUAL(td_result_verdict(&r)->status, TD_VERDICT_LIKELY);
    CU_ASSERT_PTR_NOT_NULL_FATAL(td_result_verdict(&r)->node);
    CU_ASSERT_STRING_EQUAL(td_result_verdict(&r)->node->name, "frontend_bound");
}

static const CU_TestInfo tests[] = {
    {"never counted", never_counted},         {"counted elsewhere", counted_elsewhere},
    {"terms move nodes one way", all_tables}, {"terms and siblings", both},
    {"terms without slots", without_slots},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("missing_term", tests);
