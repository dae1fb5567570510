/* SPDX-License-Identifier: MIT */
/* What is read from a result: its counts, instructions per cycle, the clock, and the names of what it has. */
#include "core/result.h"
#include "private/result.h"
#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static bool same(double a, double b)
{
    return isnan(b) ? isnan(a) : a == b;
}

/* Two copies, of instructions and of cycles, in this order or the other; of half the time, or all of it. */
static void instructions_per_cycle(void)
{
    static const struct {
        double instructions, cycles, running, ipc;
        uint16_t group; /* of the instructions: the cycles are in group 1 */
        uint8_t modes[3]; /* theirs, and those of the result */
        enum td_status status[2];
    } rows[] = {
        {2500, 1000, 100, 2.5, 1, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 100, 2.5, 2, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 50, 2.5, 1, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 50, NAN, 2, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 100, 2.5, 1, {1, 1, 1}, {TD_OK, TD_OK}},
        {2500, 1000, 100, NAN, 1, {1, 1, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 100, NAN, 1, {0, 1, 1}, {TD_OK, TD_OK}},
        {2500, 1000, 100, NAN, 1, {1, 0, 1}, {TD_OK, TD_OK}},
        {0, 1, 100, 0, 1, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 0, 100, NAN, 1, {0, 0, 0}, {TD_OK, TD_OK}},
        {2500, 1000, 100, NAN, 1, {0, 0, 0}, {TD_NOT_COUNTED, TD_OK}},
        {2500, 1000, 100, NAN, 1, {0, 0, 0}, {TD_OK, TD_COUNTER_RESET}},
    };
    const struct td_uarch *u = td_uarch_by_name("skl");
    const int events[] = {td_uarch_event_number(u, "instructions"), td_uarch_event_number(u, "cycles")};

    CU_ASSERT_FATAL(events[0] >= 0 && events[1] >= 0);
    for (size_t i = 0; i < 2 * LENGTH(rows); i++) {
        struct td_count c[2];
        const struct td_counts counts = {.c = c, .n = 2};
        const size_t row = i / 2;
        const struct td_result r = {.uarch = u, .counts = &counts, .modes = rows[row].modes[2]};

        for (size_t k = 0; k < 2; k++)
            c[i % 2 ? 1 - k : k] = (struct td_count){.event = (uint16_t)events[k],
                                                     .group = k ? 1 : rows[row].group,
                                                     .modes = rows[row].modes[k],
                                                     .status = rows[row].status[k],
                                                     .value = k ? rows[row].cycles : rows[row].instructions,
                                                     .enabled = 100,
                                                     .running = rows[row].running};
        CU_ASSERT(same(td_result_ipc(&r), rows[row].ipc));
    }
}

/* Cycles a nanosecond of what the kernel switches with its tasks, in user mode and in the kernel. */
static void clock_of(void)
{
    static const struct {
        enum td_scope_kind kind;
        bool several;
        uint8_t modes;
        double cycles, enabled, ghz;
    } rows[] = {
        {TD_KIND_THREAD, false, 0, 3000, 1000, 3},
        {TD_KIND_CGROUP, false, TD_MODE_USER | TD_MODE_KERNEL, 3000, 1000, 3},
        {TD_KIND_COMMAND, false, TD_MODE_USER | TD_MODE_KERNEL | TD_MODE_GUEST, 3000, 0.5, 6000},
        {TD_KIND_COMMAND, true, 0, 3000, 1000, NAN},
        {TD_KIND_CPU, false, 0, 3000, 1000, NAN},
        {TD_KIND_THREAD, false, TD_MODE_USER, 3000, 1000, NAN},
        {TD_KIND_THREAD, false, TD_MODE_KERNEL, 3000, 1000, NAN},
        {TD_KIND_THREAD, false, TD_MODE_HOST, 3000, 1000, NAN},
        {TD_KIND_THREAD, false, 0, 0, 1000, NAN},
        {TD_KIND_THREAD, false, 0, 3000, 0, NAN},
    };
    const struct td_uarch *u = td_uarch_by_name("skl");

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_count c[2] = {
            {.event = (uint16_t)td_uarch_event_number(u, "cycles"),
             .modes = rows[i].modes,
             .value = rows[i].cycles,
             .enabled = rows[i].enabled},
            {.event = (uint16_t)td_uarch_event_number(u, "instructions"), .value = 7, .enabled = 1}};
        const struct td_counts counts = {.c = c, .n = 2};
        struct td_result r = {
            .uarch = u, .counts = &counts, .at.scope_kind = rows[i].kind, .several_cpus = rows[i].several};

        CU_ASSERT(same(td_result_ghz(&r), rows[i].ghz));
        c[0].status = TD_NOT_COUNTED;
        CU_ASSERT(isnan(td_result_ghz(&r)));
    }
}

/* Samples of a latency give their mean, none of them no value; what was not enabled was not covered either. */
static void counts(void)
{
    static const char *const texts[] = {"a", "b"};
    struct td_count c[] = {
        {.text = 1, .value = 12, .enabled = 100, .running = 25},
        {.text = 0, .value = 12, .enabled = 100, .running = 150, .sampled = {.any = true, .n = 4}},
        {.text = 0, .value = 12, .enabled = 0.5, .running = 0.25, .sampled = {.any = true}},
        {.text = 0, .value = 12, .status = TD_NOT_SUPPORTED},
    };
    static const struct {
        const char *event;
        double value, coverage;
        enum td_status status;
    } wanted[] = {
        {"b", 12, 0.25, TD_OK}, {"a", 3, 1, TD_OK}, {"a", 12, 0.5, TD_NOT_COUNTED}, {"a", 12, NAN, TD_NOT_SUPPORTED}};
    const struct td_counts all = {.c = c, .n = LENGTH(c)};
    struct td_result r = {.counts = &all, .texts = texts};

    CU_ASSERT_FATAL(!td_result_reserve(&r, 1));
    CU_ASSERT_EQUAL(td_result_counts(&r), 4);
    for (size_t i = 0; i < LENGTH(wanted); i++) {
        const struct td_event_count *e = td_result_count(&r, i);

        CU_ASSERT_FATAL(e != NULL);
        CU_ASSERT_STRING_EQUAL(e->event, wanted[i].event);
        CU_ASSERT(e->value == wanted[i].value && e->status == wanted[i].status &&
                  same(e->coverage, wanted[i].coverage));
    }
    CU_ASSERT_PTR_NULL(td_result_count(&r, 4));
    td_result_free(&r);
    CU_ASSERT(!r.metrics && !r.given);
}

static void modes(void)
{
    static const struct {
        uint8_t modes;
        const char *text;
    } rows[] = {{0, ""}, {1, "u"}, {2, "k"}, {4, "h"}, {8, "G"}, {16, "H"}, {3, "uk"}, {20, "hH"}, {31, "ukhGH"}};
    char text[TD_RESULT_MODES];

    for (size_t i = 0; i < LENGTH(rows); i++)
        CU_ASSERT_STRING_EQUAL(td_result_modes(&(struct td_result){.modes = rows[i].modes}, text), rows[i].text);
}

/* The flags' names, by the bits that the API has. */
static void names(void)
{
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{TD_FLAG_NEGATIVE, "negative"},
                 {TD_FLAG_OVER_ONE, "over_one"},
                 {TD_FLAG_MULTIPLEXED, "multiplexed"},
                 {TD_FLAG_SPLIT_GROUPS, "split_groups"},
                 {TD_FLAG_SUM_OFF, "sum_off"},
                 {TD_FLAG_NO_BOUNDS, "no_bounds"},
                 {TD_FLAG_REVISION_ASSUMED, "revision_assumed"},
                 {TD_FLAG_SMT_UNKNOWN, "smt_unknown"},
                 {TD_FLAG_ONE_SIBLING, "one_sibling"},
                 {TD_FLAG_COUNTS_DOUBTFUL, "counts_doubtful"},
                 {TD_FLAG_REST_OF_SLOTS, "rest_of_slots"}};
    static const unsigned none[] = {0, 3, TD_FLAG_MULTIPLEXED | TD_FLAG_COUNTS_DOUBTFUL, TD_FLAG_REST_OF_SLOTS << 1,
                                    1u << 31};

    for (size_t i = 0; i < LENGTH(flags); i++)
        CU_ASSERT_STRING_EQUAL(td_flag_name(flags[i].flag), flags[i].name);
    for (size_t i = 0; i < LENGTH(none); i++)
        CU_ASSERT_PTR_NULL(td_flag_name(none[i]));
    CU_ASSERT_STRING_EQUAL(td_status_name(TD_OK), "ok");
    CU_ASSERT_STRING_EQUAL(td_status_name(TD_NOT_IN_THIS_FORMULA), "not_in_this_formula");
    CU_ASSERT_STRING_EQUAL(td_status_name((enum td_status)(TD_NOT_IN_THIS_FORMULA + 1)), "unknown");
    CU_ASSERT_STRING_EQUAL(td_verdict_name(TD_VERDICT_DECIDED), "decided");
    CU_ASSERT_STRING_EQUAL(td_verdict_name(TD_VERDICT_LIKELY), "likely");
    CU_ASSERT_STRING_EQUAL(td_verdict_name(TD_VERDICT_UNDECIDED), "undecided");
    CU_ASSERT_STRING_EQUAL(td_verdict_name(TD_VERDICT_NONE), "none");
    CU_ASSERT_STRING_EQUAL(td_verdict_name((enum td_verdict_status)99), "unknown");
    CU_ASSERT_STRING_EQUAL(td_bounds_name(TD_BOUNDS_SOUND), "sound");
    CU_ASSERT_STRING_EQUAL(td_bounds_name(TD_BOUNDS_LIKELY), "likely");
    CU_ASSERT_PTR_NULL(td_bounds_name(TD_BOUNDS_NONE));
}

/* Lists end with NULL. */
static void lists(void)
{
    static const char *const texts[] = {"one", "two"};
    struct td_metric m[2] = {{.name = "m"}, {.name = "n"}};
    const struct td_result r = {.corrections = texts,
                                .ncorrections = 2,
                                .contradictions = texts,
                                .ncontradictions = 1,
                                .latency = {"t"},
                                .metrics = m,
                                .nmetrics = 2,
                                .at = {.nth = 3, .symbols = TD_SYMBOLS_NONE}};
    uint64_t ns;

    CU_ASSERT(td_result_correction(&r, 1) == texts[1] && !td_result_correction(&r, 2));
    CU_ASSERT(td_result_contradiction(&r, 0) == texts[0] && !td_result_contradiction(&r, 1));
    CU_ASSERT_STRING_EQUAL(td_result_latency(&r, 0), "t");
    CU_ASSERT(!td_result_latency(&r, 1) && !td_result_latency(&r, TD_LATENCY_TABLES));
    CU_ASSERT(td_result_metrics(&r) == 2 && td_result_metric(&r, 1) == &m[1] && !td_result_metric(&r, 2));
    CU_ASSERT_EQUAL(td_result_depth(&r), 2);
    CU_ASSERT(!td_result_duration(&r, &ns) && !ns && !td_result_time(&r, &ns) && !td_result_waited(&r, &ns));
    CU_ASSERT(td_result_duration(&(struct td_result){.at = {.duration = 1}}, &ns) && ns == 1);
    CU_ASSERT_EQUAL(td_result_symbols(&r), TD_SYMBOLS_NOT_ASKED); /* of no file */
    CU_ASSERT_EQUAL(td_result_symbols(&(struct td_result){.at = {.dso = "f", .symbols = TD_SYMBOLS_NONE}}),
                    TD_SYMBOLS_NONE);
}

static const CU_TestInfo tests[] = {
    {"instructions per cycle", instructions_per_cycle},
    {"the clock", clock_of},
    {"counts", counts},
    {"modes", modes},
    {"names", names},
    {"lists", lists},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("results", tests);
