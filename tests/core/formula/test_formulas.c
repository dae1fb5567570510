/* SPDX-License-Identifier: MIT */
/* Every formula of every CPU, compared with the oracle, which was written independently from the same publications. */
#include "tests/support/any_counts.h"
#include "tests/support/oracle.h"
#include "backends/nodes.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROUNDS = 1000, /* sets of counts per CPU and formula; a tenth but for TD_LONG */
    VARIANTS = 44, /* of the oracle */
    NODES = 32, /* maximum in a tree */
    FORMS_AT_LEAST = 115, /* CPUs times their formulas when this was written */
};

/* One formula of one CPU under test. */
struct bench {
    const struct td_uarch *uarch;
    struct td_forms *forms;
    const struct td_form *form;
    struct unit_random random;
    struct td_counts counts; /* the oracle's names are found through their event numbers */
    bool fixed;
    unsigned long answers, values; /* answers: metrics compared; values: those with a value or a raw value */
    unsigned long ok_of[NODES]; /* how often a node had a value */
};

static struct td_count *copy_of(struct bench *b, const char *event)
{
    int number = td_uarch_event_number(b->uarch, event);

    for (size_t i = 0; i < b->counts.n; i++)
        if (b->counts.c[i].event == number)
            return &b->counts.c[i];
    return NULL;
}

/* An oracle_get; NAN: not recorded. */
static double value_of(void *bench, const char *event)
{
    return copy_of(bench, event) ? copy_of(bench, event)->value : NAN;
}

/* The field of the metrics register for an event, or -1. */
static int field_of(struct bench *b, const char *event)
{
    int number = td_uarch_event_number(b->uarch, event);

    return strncmp(event, "PERF_METRICS.", 13) || number < 0 ? -1 : b->uarch->events[number].field;
}

static bool is_level1_field(struct bench *b, const char *event)
{
    return field_of(b, event) >= TD_FIELD_RETIRING && field_of(b, event) <= TD_FIELD_BACKEND_BOUND;
}

static bool is_correction(const char *event)
{
    return strstr(event, "UOP_DROPPING") || strstr(event, "CLEARS_COUNT") || strstr(event, "FLUSH") ||
           !strcmp(event, "BR_MIS_PRED");
}

/* The smallest and the largest part of the slots for an event: mostly
 * up to a quarter, but a divisor or minuend must be larger. */
static void plausible_part(const char *event, int width, double *low, double *high)
{
    static const struct {
        const char *name;
        double low, high;
    } parts[] = {
        {"topdown-total-slots", 1, 1},
        {"TOPDOWN.SLOTS", 1, 1},
        {"topdown-slots-issued", 0.25, 0.35},
        {"UOPS_ISSUED.ANY", 0.25, 0.35},
        {"UOPS_RETIRED.ANY", 0.1, 0.3},
        {"RETIRE_SLOTS", 0.1, 0.3},
        {"INST_RETIRED.ANY", 0.1, 0.9},
        {"OP_SPEC", 0.35, 0.45},
        {"OP_RETIRED", 0.2, 0.4},
        {"INST_SPEC", 0.3, 0.4},
        {"REF_XCLK", 0.2, 0.25},
        {"ONE_THREAD_ACTIVE", 0, 0.2},
        {"UOPS_DECODED", 0, 0.1},
        {"MITE_UOPS", 0.1, 0.3},
        {"STALLS_TOTAL", 0.15, 0.25},
        {"CYCLES_NO_", 0.15, 0.25},
        {"MEM_SCHEDULER_BLOCK.ALL", 0.2, 0.3},
        {"CYCLES_0_UOPS", 0, 0.04},
        {"MEM_BOUND_STALLS", 0, 0.06},
        {"r201d", 0, 0.05},
        {"MEM_STALL", 0, 0.05},
        {"r7005", 0, 0.03},
        {"EX_RET_OPS", 0.1, 0.3},
        {"DE_SRC_OP_DISP", 0.3, 0.4},
        {"NO_OPS_FROM_FRONTEND", 0.1, 0.25},
        {"FRONTEND:c", 0, 0.02},
        {"EX_NO_RETIRE.NOT_COMPLETE", 0.2, 0.25},
        {"EX_NO_RETIRE.LOAD", 0, 0.2},
        {"UCODE", 0, 0.1},
    };

    *low = 0, *high = 0.25;
    if (!strncmp(event, "CPU_C", 5) || !strcmp(event, "LS_NOT_HALTED_CYC"))
        *low = *high = 1.0 / width; /* cycles, of a thread or of a core */
    if (strstr(event, "THREAD_ANY"))
        *low = *high = 2.0 / width;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (strstr(event, parts[i].name))
            *low = parts[i].low, *high = parts[i].high;
    if (is_correction(event) || strstr(event, "RECOVERY"))
        *high = 0.01;
}

#define chance(b, percent) (unit_random_below(&(b)->random, 100) < (percent))

static void record(struct bench *b, const char *event, double value)
{
    int number = td_uarch_event_number(b->uarch, event);

    const struct td_count c = {.value = value, .enabled = 1e9, .running = 1e9, .event = (uint16_t)number};

    if (number >= 0 && !copy_of(b, event))
        CU_ASSERT_EQUAL_FATAL(td_counts_append(&b->counts, &c), 0);
}

/* Without the first alternative of each word of "when", another formula would be chosen. */
static bool selects(struct bench *b, const char *event)
{
    int number = td_uarch_event_number(b->uarch, event);
    char word[80];

    for (const char *at = b->form->when; sscanf(at, "%79[^ /]", word) == 1; at += strspn(at, " ")) {
        if (number >= 0 && td_uarch_event_number(b->uarch, word) == number)
            return true;
        at += strcspn(at, " ");
    }
    return false;
}

/* The four level-1 fields, if all were recorded, almost sum to the slots;
 * sometimes they are off by more than a factor of 2. */
static void share_out(struct bench *b, double slots)
{
    double total = 0,
           off = chance(b, 85) ? 0.98 + 0.04 * unit_random_ratio(&b->random) : 3 * unit_random_ratio(&b->random);
    const char *const *events = oracle_events(b->form->name);

    for (const char *const *e = events; *e; e++)
        total += is_level1_field(b, *e) ? value_of(b, *e) : 0;
    for (const char *const *e = events; *e && total > 0; e++) {
        struct td_count *c = field_of(b, *e) >= 0 ? copy_of(b, *e) : NULL;

        if (c)
            c->value *= slots * off / total, c->err = slots / 255;
    }
}

/* Plausible counts; sometimes without a correction, without another event, with a zero, or random. */
static void make_counts(struct bench *b)
{
    bool dropping = chance(b, 15), zeros = chance(b, 15), wild = chance(b, 10), whole = chance(b, 50);
    double slots = floor(exp(log(1e3) + unit_random_ratio(&b->random) * log(1e9))), low, high;

    b->counts.n = 0;
    for (const char *const *e = oracle_events(b->form->name); *e; e++) {
        double value;

        plausible_part(*e, b->uarch->width, &low, &high);
        value = wild ? 2 * unit_random_ratio(&b->random) * slots
                     : slots * (low + (high - low) * unit_random_ratio(&b->random));
        if (!selects(b, *e) && ((is_correction(*e) && chance(b, 50)) || (dropping && chance(b, 15))))
            continue;
        record(b, *e, zeros && chance(b, 15) ? 0 : whole ? floor(value) : value);
    }
    share_out(b, slots);
    /* the time of one active thread is part of all reference time, so it is 0 if that is 0 */
    if (value_of(b, "CPU_CLK_UNHALTED.REF_XCLK") == 0 && copy_of(b, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE"))
        copy_of(b, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE")->value = 0;
}

/* The event whose multiple the formula's slots are. */
static const char *clock_of(struct bench *b)
{
    const char *form = b->form->name;

    if (!strncmp(form, "icl", 3) || !strncmp(form, "glc", 3) || !strcmp(form, "lnc-perf-metrics"))
        return "TOPDOWN.SLOTS";
    if (!strcmp(form, "lnc-events"))
        return "TOPDOWN.SLOTS_P";
    if (!strcmp(form, "kernel-topdown"))
        return "topdown-total-slots";
    if (strstr(form, "-thread-any"))
        return "CPU_CLK_UNHALTED.THREAD_ANY";
    if (td_uarch_event_number(b->uarch, "CPU_CYCLES") >= 0)
        return "CPU_CYCLES";
    if (strstr(form, "-dispatch"))
        return "LS_NOT_HALTED_CYC";
    return "CPU_CLK_UNHALTED.THREAD";
}

/* What the four fields sum to: at least (direction -1), as given (0), at most (1). */
static double sum_of_fields(struct bench *b, int direction)
{
    double sum = strstr(b->form->name, "-perf-metrics") ? 0 : NAN;

    for (const char *const *e = oracle_events(b->form->name); *e; e++) {
        const struct td_count *c = copy_of(b, *e);

        if (is_level1_field(b, *e))
            sum += c ? fmax(0, c->value + direction * c->err) : NAN;
    }
    return sum;
}

static bool nothing_passed(struct bench *b)
{
    const char *form = b->form->name;
    bool estimated = strstr(form, "-ebs") || strstr(form, "-smt");

    if (estimated &&
        !(value_of(b, "CPU_CLK_UNHALTED.REF_XCLK") > 0 && value_of(b, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE") >= 0))
        return false; /* the slots are not 0 but unknown */
    return value_of(b, clock_of(b)) == 0 || sum_of_fields(b, 0) == 0;
}

/* Four fields that differ from the slots by more than a factor of 2, whatever the 8 bits hide, come from no CPU. */
static enum td_status expected_status(struct bench *b, double value, const char *unit, bool absurd_sum)
{
    double slots = value_of(b, clock_of(b));
    bool absurd = absurd_sum || sum_of_fields(b, -1) > 2 * slots || 2 * sum_of_fields(b, 1) < slots;

    if (nothing_passed(b))
        return TD_NO_SLOTS;
    return absurd || (!strcmp(unit, "slots") && (value < -0.05 || value > 1.05)) ? TD_IMPOSSIBLE : TD_OK;
}

static void check(bool good, struct bench *b, const char *node)
{
    char text[128];

    snprintf(text, sizeof(text), "%s %s %s", b->uarch->name, b->form->name, node);
    CU_assertImplementation(good, __LINE__, text, __FILE__, "", CU_FALSE);
}

/* The shares of level 1 must sum to all of the slots, so the same applies if they are not divided by their sum. */
static bool is_absurd(struct bench *b, const struct oracle_metric *o, int n)
{
    static const char *const level1[] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound",
                                         "smt_contention"};
    bool cycles = !strcmp(b->form->name, "slm") || !strcmp(b->form->name, "knl");
    double sum = 0;
    int found = 0;

    for (int e = 0; e < n; e++)
        for (size_t i = 0; i < 5; i++)
            if (!strcmp(o[e].name, level1[i]))
                sum += o[e].value, found++;
    /* false with NAN */
    return !cycles && !strstr(b->form->name, "-perf-metrics") &&
           found == (strstr(b->form->name, "-dispatch") ? 5 : 4) && (sum > 2 || sum < 0.5);
}

/* Whether one of the four fields was not recorded: the publication has no shares then, but what the others leave of the
 * slots is one (tests/core/solve/test_solve.c). */
static bool has_rest(struct bench *b)
{
    size_t missing = 0;

    for (const char *const *e = oracle_events(b->form->name); *e; e++)
        missing += is_level1_field(b, *e) && !copy_of(b, *e);
    return missing == 1;
}

static void compare_metric(struct bench *b, const struct td_metric *m, const struct oracle_metric *o, bool absurd)
{
    double given = m->status == TD_OK ? m->value : m->raw;

    b->answers++;
    if (isnan(o->value)) {
        check(has_rest(b) || (m->status != TD_OK && m->status != TD_IMPOSSIBLE && isnan(m->value)), b, m->name);
        return;
    }
    check(m->status == expected_status(b, o->value, m->unit, absurd), b, m->name);
    if (m->status == TD_NO_SLOTS)
        return;
    check(fabs(given - o->value) <= 1e-12 * fmax(1, fabs(o->value)), b, m->name);
    check(isnan(m->low) || (m->low <= m->value && m->value <= m->high), b, m->name);
    b->values++;
    b->ok_of[td_tree_find(b->uarch->tree, m->name) - b->uarch->tree->node] += m->status == TD_OK;
}

static void compare(struct bench *b, const struct td_result *r)
{
    struct oracle_metric expected[32];
    int n = oracle_solve(b->form->name, b->uarch->width, value_of, b, expected), found = 0;
    const bool absurd = is_absurd(b, expected, n);

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];
        const struct oracle_metric *o = NULL;

        for (int e = 0; e < n; e++)
            if (!strcmp(expected[e].name, m->name))
                o = &expected[e];
        found += o != NULL;
        if (o)
            compare_metric(b, m, o, absurd);
        else /* the publication has no such node, or a wrong one */
            check(m->status == TD_NOT_ON_THIS_CPU || m->status == TD_NOT_IN_THIS_FORMULA ||
                      m->status == (nothing_passed(b) ? TD_NO_SLOTS : TD_PUBLISHED_FORMULA_WRONG),
                  b, m->name);
    }
    check(n > 0 && found == n, b, "all nodes");
}

static void solve(struct bench *b, struct td_result *r)
{
    const bool siblings = b->form->flags & TD_FORM_EBS; /* two, and the counts of both */
    const struct td_solve_ask ask = {.level = 2,
                                     .fixed = b->fixed,
                                     .smt_off = !siblings,
                                     .smt_on = siblings,
                                     .both_siblings = siblings,
                                     .whole_core = true};
    size_t len = strlen(b->form->name);

    check(td_solve(b->forms, &b->counts, &ask, r) == 0, b, "is solved");
    check(!strncmp(r->formula, b->form->name, len) && (!r->formula[len] || r->formula[len] == ' '), b,
          "is the formula");
}

#define same_number(a, b, tolerance) ((isnan(a) && isnan(b)) || fabs((a) - (b)) <= (tolerance))

static void expect_same(struct bench *b, const struct td_result *r, double tolerance, const char *what)
{
    static struct td_result again;
    bool same;

    solve(b, &again);
    same = again.nmetrics == r->nmetrics && !strcmp(again.formula, r->formula);
    for (size_t i = 0; same && i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i], *a = &again.metrics[i];
        double raw = tolerance * fmax(1, fabs(m->raw));

        same = m->status == a->status && m->flags == a->flags && m->event == a->event &&
               same_number(m->raw, a->raw, raw) && same_number(m->value, a->value, tolerance) &&
               same_number(m->low, a->low, tolerance) && same_number(m->high, a->high, tolerance);
    }
    check(same, b, what);
}

static void scale(struct bench *b, double factor)
{
    for (size_t i = 0; i < b->counts.n; i++)
        b->counts.c[i].value *= factor, b->counts.c[i].err *= factor;
}

static const struct td_formcode *form_of(struct bench *b)
{
    for (size_t f = 0; f < b->forms->n; f++)
        if (b->forms->form[f].form == b->form)
            return &b->forms->form[f];
    return NULL;
}

static void shuffle(struct bench *b)
{
    for (size_t i = b->counts.n; i > 1; i--) {
        size_t j = unit_random_below(&b->random, i);
        struct td_count c = b->counts.c[i - 1];

        b->counts.c[i - 1] = b->counts.c[j];
        b->counts.c[j] = c;
    }
}

/* Whether any node of levels 1 and 2, the slots or the sum use an event. */
static bool uses(struct bench *b, unsigned event)
{
    const struct td_formcode *f = form_of(b);
    bool any = false;

    for (size_t d = 0; d < td_program_count(f->p) && !any; d++)
        any = ((int)d == f->slots || (int)d == f->sum || td_tree_find(b->uarch->tree, td_program_def(f->p, d)->name)) &&
              !td_program_compile(f->p, d, (char[80]){0}, 80) &&
              (td_bits_has(td_program_needs(f->p, d), event) || td_bits_has(td_program_corrections(f->p, d), event));
    return any;
}

/* An event used neither by the formula nor for choosing a formula. */
static const char *unrelated(struct bench *b)
{
    for (unsigned e = 0; e < b->uarch->nevents; e++) {
        /* an alias may refer to it */
        bool chooses = uses(b, e) || td_uarch_event_number(b->uarch, b->uarch->events[e].name) != (int)e;

        for (size_t f = 0; b->uarch->forms[f]; f++)
            chooses = chooses || strstr(b->uarch->forms[f]->when, b->uarch->events[e].name);
        if (!chooses)
            return b->uarch->events[e].name;
    }
    return NULL;
}

static void check_invariance(struct bench *b, const struct td_result *r)
{
    const char *other = unrelated(b);

    shuffle(b);
    expect_same(b, r, 0, "in another order");
    scale(b, 0x1p-7);
    expect_same(b, r, 0, "of counts / 128");
    scale(b, 3 * 0x1p7);
    expect_same(b, r, 1e-12, "of counts * 3");
    scale(b, 1.0 / 3);
    if (!other)
        return; /* hip08: its formula uses all events that it has */
    record(b, other, 12345);
    expect_same(b, r, 1e-12, "with an unrelated event");
    b->counts.c[b->counts.n - 1].group = 7;
    expect_same(b, r, 1e-12, "with an unrelated event in a group of its own");
}

static void run_form(struct bench *b)
{
    static struct td_result r;
    unsigned long rounds = unit_long_rounds(ROUNDS);
    const struct td_formcode *code;

    b->counts = (struct td_counts){0};
    for (unsigned long i = 0; i < rounds; i++) {
        b->fixed = b->form->flags & TD_FORM_FIXED || i % 2;
        make_counts(b);
        solve(b, &r);
        compare(b, &r);
        check_invariance(b, &r);
    }
    check(b->answers >= rounds * 2, b, "was compared");
    code = form_of(b);
    for (size_t n = 0; n < b->uarch->tree->n && rounds >= ROUNDS / 10;
         n++) /* no node may pass by never having a value */
        if (code->node[n] >= 0 && td_program_def(code->p, (size_t)code->node[n])->expr)
            check(b->ok_of[n] >= rounds / 4, b, b->uarch->tree->node[n].name);
    td_counts_free(&b->counts);
    td_result_free(&r);
}

static void all_formulas(void)
{
    static struct bench b;
    const struct td_uarch *u;
    struct td_uarch lenient;
    unsigned long forms = 0, answers = 0, values = 0;
    bool used[VARIANTS] = {false};
    size_t tested = 0;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t f = 0; u->forms[f] && td_tree_has_nodes(u->tree); f++) {
            lenient = any_counts(u);
            b = (struct bench){.uarch = &lenient, .form = u->forms[f], .random = {UINT64_C(1000003) * (i + 1) + f}};
            CU_ASSERT_PTR_NOT_NULL_FATAL(oracle_events(b.form->name));
            CU_ASSERT_EQUAL_FATAL(td_forms_new(&lenient, &b.forms), 0);
            run_form(&b);
            td_forms_free(b.forms);
            for (size_t v = 0; v < VARIANTS; v++)
                used[v] = used[v] || !strcmp(oracle_variants[v], b.form->name);
            forms++, answers += b.answers, values += b.values;
        }
    for (size_t v = 0; v < VARIANTS; v++)
        tested += used[v];
    CU_ASSERT_EQUAL(tested, VARIANTS);
    CU_ASSERT_PTR_NULL(oracle_variants[VARIANTS]);
    CU_ASSERT_TRUE(forms >= FORMS_AT_LEAST);
    CU_ASSERT_TRUE(answers >= forms * unit_long_rounds(ROUNDS) * 4);
    CU_ASSERT_TRUE(values * 10 >= answers * 7);
}

static const CU_TestInfo tests[] = {
    {"agree with the oracle", all_formulas},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formulas", tests);
