/* SPDX-License-Identifier: MIT */
/* Summaries of intervals that have different events, of recordings of perf stat: worked out by hand. tests/metamorphic
 * holds them against the traces that are made of them. */
#include "private/result.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>

#define LINE(time_, value_, event_) time_ "," value_ ",," event_ ",1000000000,100.00,,\n"
#define FIELDS(time_, retiring_, bad_, fe_, be_) \
    LINE(time_, retiring_, "topdown-retiring") \
    LINE(time_, bad_, "topdown-bad-spec") LINE(time_, fe_, "topdown-fe-bound") LINE(time_, be_, "topdown-be-bound")
#define FIRST LINE("1.000000000", "2550", "slots") FIELDS("1.000000000", "640", "260", "770", "880")

static struct td *summary_of(const char *cpu, const char *text, const struct td_result **r)
{
    struct source s = {text, strlen(text), 1000, 0};
    struct td *td = td_new();
    int err = td_set_uarch(td, cpu);

    err = err ? err : td_open(td, "f", source_read, &s);
    while (!err)
        err = td_next(td, r);
    CU_ASSERT_EQUAL_FATAL(err, -ENODATA);
    CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, r), 0);
    CU_ASSERT_STRING_EQUAL(td_result_metric(*r, 0)->name, "retiring");
    return td;
}

/* Each interval has the error of its own bits, whichever of its lines are missing: slots / 255 + 1. */
static void errors(void)
{
    static const struct {
        const char *text;
        double retiring, all, err;
    } cases[] = {
        /* 2550 / 255 + 1 = 11, 5100 / 255 + 1 = 21 */
        {FIRST LINE("2.000000000", "5100", "slots") FIELDS("2.000000000", "1280", "520", "1540", "1760"), 1920, 7650,
         32},
        /* slots that the fields add up to take the place of those that are missing, 5100 too */
        {FIRST FIELDS("2.000000000", "1280", "520", "1540", "1760"), 1920, 7650, 32},
        {FIELDS("1.000000000", "640", "260", "770", "880") FIELDS("2.000000000", "1280", "520", "1540", "1760"), 1920,
         7650, 32},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const double x = cases[i].retiring, rest = cases[i].all - x, err = cases[i].err;
        const struct td_result *r = NULL;
        struct td *td = summary_of("icl", cases[i].text, &r);
        const struct td_metric *m = td_result_metric(r, 0);

        CU_ASSERT_EQUAL(m->flags, 0);
        CU_ASSERT_EQUAL(m->bounds, TD_BOUNDS_SOUND);
        CU_ASSERT_DOUBLE_EQUAL(m->value, x / (x + rest), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(m->low, (x - err) / (x - err + rest + 3 * err), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(m->high, (x + err) / (x + err + rest - 3 * err), 1e-12);
        td_free(td);
    }
}

/* Slots of other intervals than the fields are not held against them; those of the same interval are. */
static void other_slots(void)
{
    static const struct {
        const char *text;
        bool off;
    } cases[] = {
        {FIRST LINE("2.000000000", "51000", "slots"), false}, /* the recording was cut */
        {LINE("1.000000000", "51000", "slots") FIELDS("2.000000000", "640", "260", "770", "880"), false},
        /* 5250 - 5100 > 4 * 22.6 */
        {FIRST LINE("2.000000000", "2700", "slots") FIELDS("2.000000000", "640", "260", "770", "880"), true},
        {FIRST LINE("2.000000000", "2600", "slots") FIELDS("2.000000000", "640", "260", "770", "880"), false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct td_result *r = NULL;
        struct td *td = summary_of("icl", cases[i].text, &r);

        CU_ASSERT_EQUAL(td_result_metric(r, 0)->status, TD_OK);
        CU_ASSERT_DOUBLE_EQUAL(td_result_metric(r, 0)->value, 640.0 / 2550, 1e-12);
        CU_ASSERT_EQUAL(td_result_flags(r) & TD_FLAG_SUM_OFF, cases[i].off ? TD_FLAG_SUM_OFF : 0);
        td_free(td);
    }
}

#define RUN "# started on Fri Nov 20 12:12:20 2026\n\n"
#define EVENT(value_, event_) value_ ",," event_ ",1000000000,100.00,,\n"

/* Two runs of the same events add up, in whatever order their lines are. */
static void orders(void)
{
    static const char *const texts[] = {
        RUN EVENT("1000", "CPU_CLK_UNHALTED.THREAD") EVENT("1600", "UOPS_RETIRED.RETIRE_SLOTS")
            EVENT("1800", "UOPS_ISSUED.ANY") EVENT("400", "IDQ_UOPS_NOT_DELIVERED.CORE")
                EVENT("50", "INT_MISC.RECOVERY_CYCLES") RUN EVENT("3000", "CPU_CLK_UNHALTED.THREAD")
                    EVENT("1600", "UOPS_RETIRED.RETIRE_SLOTS") EVENT("2000", "UOPS_ISSUED.ANY")
                        EVENT("800", "IDQ_UOPS_NOT_DELIVERED.CORE") EVENT("150", "INT_MISC.RECOVERY_CYCLES"),
        RUN EVENT("1000", "CPU_CLK_UNHALTED.THREAD") EVENT("1600", "UOPS_RETIRED.RETIRE_SLOTS")
            EVENT("1800", "UOPS_ISSUED.ANY") EVENT("400", "IDQ_UOPS_NOT_DELIVERED.CORE")
                EVENT("50", "INT_MISC.RECOVERY_CYCLES") RUN EVENT("150", "INT_MISC.RECOVERY_CYCLES")
                    EVENT("1600", "UOPS_RETIRED.RETIRE_SLOTS") EVENT("3000", "CPU_CLK_UNHALTED.THREAD")
                        EVENT("800", "IDQ_UOPS_NOT_DELIVERED.CORE") EVENT("2000", "UOPS_ISSUED.ANY"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        const struct td_result *r = NULL;
        struct td *td = summary_of("skl", texts[i], &r);

        CU_ASSERT_DOUBLE_EQUAL(td_result_metric(r, 0)->value, 3200.0 / 16000, 1e-12);
        CU_ASSERT_EQUAL(td_result_metric(r, 0)->bounds, TD_BOUNDS_SOUND);
        td_free(td);
    }
}

struct copied {
    char text[4096];
    size_t n;
};

static int keep(void *ctx, const void *buf, size_t size)
{
    struct copied *c = ctx;

    CU_ASSERT_FATAL(c->n + size < sizeof(c->text));
    memcpy(c->text + c->n, buf, size);
    c->n += size;
    return 0;
}

static double rate_of(const char *text, size_t n, struct copied *trace)
{
    struct source s = {text, n, 1000, 0};
    const struct td_result *r = NULL;
    struct td *td = td_new();
    int err = td_set_uarch(td, "skl");
    double rate = NAN;

    err = err ? err : td_set_metrics(td, "info_memory_l1d_cache_fill_bw");
    err = err || !trace ? err : td_set_convert(td, keep, trace);
    err = err ? err : td_open(td, "f", source_read, &s);
    while (!err)
        err = td_next(td, &r);
    CU_ASSERT_EQUAL(err, -ENODATA);
    CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, &r), 0);
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, "info_memory_l1d_cache_fill_bw"))
            rate = td_result_metric(r, i)->value;
    td_free(td);
    return rate;
}

/* A second in which only an event was counted that no formula knows is none of those in which the others were: 64 bytes
 * x 1000000 in 1 s. */
static void other_events(void)
{
    static const char text[] = LINE("1.000000000", "2000000", "CPU_CLK_UNHALTED.THREAD")
        LINE("1.000000000", "1000000", "L1D.REPLACEMENT") LINE("2.000000000", "5", "unrelated");
    struct copied trace = {.n = 0};

    CU_ASSERT_DOUBLE_EQUAL(rate_of(text, strlen(text), &trace), 0.064, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(rate_of(trace.text, trace.n, NULL), 0.064, 1e-12);
}

/* A sum that is begun anew has what comes after that; there is no other. */
static void anew(void)
{
    static const char text[] = LINE("1.000000000", "1000", "slots") FIELDS("1.000000000", "100", "300", "300", "300")
        LINE("2.000000000", "1000", "slots") FIELDS("2.000000000", "700", "100", "100", "100");

    for (size_t restart = 0; restart < 3; restart++) {
        struct source s = {text, strlen(text), 1000, 0};
        struct td *td = td_new();
        const struct td_result *r;

        CU_ASSERT_FATAL(!td_set_uarch(td, "icl") && !td_open(td, "f", source_read, &s) && !td_next(td, &r));
        if (restart)
            CU_ASSERT_EQUAL(td_summary_restart(td, restart - 1), restart == 1 ? 0 : -ENODATA);
        CU_ASSERT_EQUAL(td_next(td, &r), 0);
        CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, &r), 0);
        CU_ASSERT_DOUBLE_EQUAL(td_result_metric(r, 0)->value, restart == 1 ? 0.7 : 0.4, 1e-9);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"sums that are begun anew", anew},          {"errors of bits", errors},
    {"slots of other intervals", other_slots},   {"runs in another order", orders},
    {"intervals of other events", other_events}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("sums", tests);
