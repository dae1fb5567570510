/* SPDX-License-Identifier: MIT */
/* What is said of functions in words: what was left out, and why none has a value. */
#include "report/functions/functions_report.h"

#include "tests/support/chance.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char text[TD_FUNCTIONS_TEXT];

static void notes_are(const struct td_functions_report *r, const char *const *wanted)
{
    size_t i = td_chance_available() ? 0 : 1;

    for (; wanted[i]; i++) {
        const char *got = td_functions_note(r, i, text);

        CU_ASSERT_PTR_NOT_NULL_FATAL(got);
        CU_ASSERT_STRING_EQUAL(got, wanted[i]);
        if (strcmp(got, wanted[i]) != 0)
            printf("\n    not as written, but\n%s\n", got);
    }
    CU_ASSERT_PTR_NULL(td_functions_note(r, i, text));
}

#define BOUNDS(confidence, seed) \
    "bounds are likely ones, for " confidence " of 100 values; seed " seed \
    ". A program that keeps step with a fixed period or rate can deceive: compare with another, or with tdprobe " \
    "record --functions"

/* Of 1000 slots 900 are in intervals of places. */
static void notes(void)
{
    struct td_functions f = {.seed = 7, .confidence = 0.99, .slots = 900, .turns = true};
    struct td_functions_report r = {.functions = &f, .about = {.still = 1}};

    f.left[TD_START_ENABLED] = (struct td_left_out){1, 50};
    f.left[TD_START_LOST] = (struct td_left_out){2, 30};
    f.left[TD_START_THROTTLED] = (struct td_left_out){3, 20};
    notes_are(&r, (const char *const[]){
                      BOUNDS("99", "7"),
                      "left out: 1 interval counted since counting was enabled, not since a sample, 5.0 % of the slots",
                      "left out: 2 intervals over lost samples, 3.0 % of the slots",
                      "left out: 3 intervals over a time in which the kernel held samples back, 2.0 % of the slots",
                      "groups of events took turns: what each counted in a function is put together by the cycles that "
                      "it counted there",
                      "left out: 1 sample that counted nothing since the one before", NULL});
    f = (struct td_functions){.seed = 1, .confidence = 0.95};
    f.left[TD_START_LOST].n = 1; /* and no slots at all */
    r.about.still = 2;
    notes_are(&r, (const char *const[]){BOUNDS("95", "1"), "left out: 1 interval over lost samples, 0.0 % of the slots",
                                        "left out: 2 samples that counted nothing since the one before", NULL});
}

static void pairs(void)
{
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    struct td_functions_report r = {.functions = &f, .about = {.handler = true, .far = 3, .broken = 2}};

    notes_are(&r, (const char *const[]){BOUNDS("95", "1"), NULL});
    r.about.paired = "cycles";
    notes_are(&r,
              (const char *const[]){
                  BOUNDS("95", "1"), "samples should be pairs, but none were 5000 to 50000 cycles apart",
                  "no pairs: 3 that were not 5000 to 50000 cycles apart, 2 of which a sample is missing, was lost or "
                  "held back; they have weight only",
                  "samples hold slots of the interrupt that took them, as Linux before 6.14 counts them in the "
                  "kernel's mode: values include them, and bounds allow for 24,000 a pair; record with --all-user",
                  NULL});
    r.about.far = 0;
    r.about.handler = false;
    notes_are(&r,
              (const char *const[]){
                  BOUNDS("95", "1"), "samples should be pairs, but none were 5000 to 50000 cycles apart",
                  "no pairs: 0 that were not 5000 to 50000 cycles apart, 2 of which a sample is missing, was lost or "
                  "held back; they have weight only",
                  NULL});
    r.about.broken = 0;
    notes_are(&r, (const char *const[]){BOUNDS("95", "1"),
                                        "samples should be pairs, but none were 5000 to 50000 cycles apart", NULL});
}

/* ---- no value at all --------------------------------------------------------------------------- */

static void silent_is(const struct td_functions_report *r, const char *wanted)
{
    CU_ASSERT_STRING_EQUAL(td_functions_silent(r, text), wanted);
    if (strcmp(text, wanted) != 0)
        printf("\n    not as written, but\n%s\n", text);
}

static void no_interval(void)
{
    struct td_functions f = {.kind = "function"};
    struct td_functions_report r = {.functions = &f};

    silent_is(&r, "it holds no interval between two samples: record for longer, or at a higher rate (perf record -F)");
    r.about.still = 5;
    silent_is(&r,
              "it holds no interval between two samples in which anything was counted: 5 counted nothing since the one "
              "before");
    f.left[TD_START_LOST].n = 1;
    silent_is(&r,
              "each interval between two samples has lost samples in it and is left out: record at a lower rate (perf "
              "record -F)");
    f.left[TD_START_THROTTLED].n = 1;
    silent_is(&r,
              "each interval between two samples has lost samples, or a time in which the kernel held samples back in "
              "it and is left out: record at a lower rate (perf record -F)");
    f.left[TD_START_LOST].n = 0;
    silent_is(&r,
              "each interval between two samples has a time in which the kernel held samples back in it and is left "
              "out: record at a lower rate (perf record -F)");
}

/* Two places; of metrics that no interval has a value of, a reason is named if one is known. */
static void absent(void)
{
    struct td_metric metric[2] = {{.name = "a", .status = TD_NOT_COUNTED}, {.name = "b", .status = TD_NOT_COUNTED}};
    struct td_weighed none[2] = {{0, 0}, {0, 0}}, some[2] = {{0, 0}, {1, 0.5}};
    const struct td_metric *const metrics[2] = {&metric[0], &metric[1]};
    struct td_estimates of = {.metric = metrics, .metrics = 2, .all = none}, other = of;
    struct td_function first = {.of = &of, .status = TD_PLACE_FEW_SAMPLES}, second = first, *all[] = {&first, &second};
    struct td_functions f = {.kind = "line", .function = all, .n = 2};
    const struct td_functions_report r = {.functions = &f};

    silent_is(&r, "no line has a value: no interval between two samples has one; 'tdprobe replay' shows why");
    metric[1].status = TD_MISSING_EVENT;
    metric[1].event = "E.V";
    silent_is(&r,
              "no line has a value: no interval between two samples has one: b: missing_event:E.V; 'tdprobe replay' "
              "shows each");
    metric[0].status = TD_ZERO_DIVISOR;
    silent_is(&r,
              "no line has a value: no interval between two samples has one: a: zero_divisor; 'tdprobe replay' shows "
              "each");
    {
        struct td_metric unknown = {.name = "c", .status = TD_NOT_COUNTED};
        const struct td_metric *const unknowns[] = {&unknown};
        const struct td_estimates of_none = {.metric = unknowns, .metrics = 1, .all = none};

        first.of =
            &of_none; /* no reason is known of the first place, and one of the second; then the other way round */
        silent_is(&r, "no line has a value: no interval between two samples has one: a: zero_divisor; 'tdprobe replay' "
                      "shows each");
        first.of = &of;
        second.of = &of_none;
        silent_is(&r, "no line has a value: no interval between two samples has one: a: zero_divisor; 'tdprobe replay' "
                      "shows each");
    }
    other.all = some; /* of the second place */
    second.of = &other;
    silent_is(&r, "no line has a value: the samples are too few: record for longer");
}

static void few(void)
{
    struct td_estimates of = {.metrics = 0};
    struct td_function first = {.of = &of, .status = TD_PLACE_FEW_SAMPLES}, second = first, *all[] = {&first, &second};
    struct td_functions f = {.kind = "function", .function = all, .n = 2};
    struct td_functions_report r = {.functions = &f};

    silent_is(&r, "no function has a value: the samples are too few: record for longer; '--by dso' puts more of them "
                  "together");
    f.kind = "address";
    second.status = TD_PLACE_SMEARED;
    silent_is(&r,
              "no address has a value: the samples are too few in some and too far apart in others: record for longer, "
              "and record at a higher rate (perf record -F); '--by function' puts more of them together");
    f.kind = "dso";
    first.status = TD_PLACE_SMEARED;
    silent_is(&r, "no dso has a value: the samples are too far apart: record at a higher rate (perf record -F)");
    r.about.paired = "cycles";
    silent_is(&r, "no dso has a value: the samples are too far apart: closer pairs may resolve it");
}

static const CU_TestInfo tests[] = {
    {"what was left out", notes}, {"pairs", pairs}, {"no interval", no_interval},
    {"no metric", absent},        {"too few", few}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("words of functions", tests);
