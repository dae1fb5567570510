/* SPDX-License-Identifier: MIT */
/* The road from intervals to results: how it ends, how much a sum holds, in which order rows of sums may be asked for,
 * and for how long another machine's interval is looked for. */
#include "private/result.h"
#include "session/session.h"
#include "tests/support/pieces.h"

#include <errno.h>
#include <stdlib.h>

#define AT(time_, value_, event_) time_ "," value_ ",," event_ ",1000000,100.00,,\n"
#define LEVEL1_AT(time_) \
    AT(time_, "2550", "slots") \
    AT(time_, "640", "topdown-retiring") \
    AT(time_, "260", "topdown-bad-spec") AT(time_, "770", "topdown-fe-bound") AT(time_, "880", "topdown-be-bound")
#define SECOND (UINT64_C(1000000000))

/* A handle that is to read a text, of that CPU if one is named. */
static struct td *open_text(const char *cpu, const char *text, struct source *s)
{
    struct td *td = td_new();

    *s = (struct source){text, strlen(text), 4096, 0};
    CU_ASSERT_FATAL(td && (!cpu || !td_set_uarch(td, cpu)));
    return td;
}

static void keep_note(void *ctx, const char *text)
{
    put(ctx, "# %s\n", text);
}

/* ---- which part of the time ------------------------------------------------------------- */

/* The intervals that end after the one time, and not after the other; their sum is of these. */
static void in_time(void)
{
    static const struct {
        uint64_t after, until;
        int err;
        unsigned intervals; /* by bits, that of the first second is 1 */
        const char *said;
    } rows[] = {
        {0, UINT64_MAX, -ENODATA, 7, ""},
        {SECOND, UINT64_MAX, -ENODATA, 6, ""},
        {SECOND - 1, 2 * SECOND, -ENODATA, 3, ""},
        {SECOND, 2 * SECOND, -ENODATA, 2, ""},
        {SECOND, 2 * SECOND - 10, -EBADMSG, 0, "f: no interval ends after 1 s and not after 1.99999999 s"},
        {3 * SECOND, UINT64_MAX, -EBADMSG, 0, "f: no interval ends after 3 s"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s;
        struct td *td =
            open_text("spr", LEVEL1_AT("1.000000000") LEVEL1_AT("2.000000000") LEVEL1_AT("3.000000000"), &s);
        const struct td_result *r;
        unsigned seen = 0;
        uint64_t time;
        int err = td_set_times(td, rows[i].after, rows[i].until);

        err = err ? err : td_open(td, "f", source_read, &s);
        while (!err && !(err = td_next(td, &r)))
            if (td_result_time(r, &time))
                seen |= 1U << (time / SECOND - 1);
        CU_ASSERT_EQUAL(err, rows[i].err);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].said);
        CU_ASSERT_EQUAL(seen, rows[i].intervals);
        CU_ASSERT_EQUAL(td_summary(td, 0, &r), seen ? 0 : -ENODATA);
        CU_ASSERT_EQUAL(td_summary(td, 1, &r), -ENODATA);
        td_free(td);
    }
}

/* Without a time nothing is known to end after one. */
static void no_times(void)
{
    struct source s;
    struct td *td = open_text("spr", "2550,,slots,1000000,100.00,,\n640,,topdown-retiring,1000000,100.00,,\n", &s);
    const struct td_result *r;

    CU_ASSERT_FATAL(!td_set_times(td, 1, UINT64_MAX) && !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL(td_next(td, &r), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(td_error(td), "f: no interval ends after 1e-09 s");
    td_free(td);
}

/* ---- whether anything came of it ---------------------------------------------------------- */

/* After the end it is known whether the counts gave any value; where intervals are left out that is not asked. */
static void values(void)
{
    static const struct {
        const char *cpu, *text;
        bool skip, none;
    } rows[] = {
        {"spr", LEVEL1_AT("1.000000000"), false, false},
        {"spr", AT("1.000000000", "5", "topdown-retiring"), false, true},
        {"spr", AT("1.000000000", "5", "topdown-retiring"), true, false},
        {"spr", LEVEL1_AT("1.000000000") AT("2.000000000", "5", "topdown-retiring"), false, false},
        {"spr", AT("1.000000000", "5", "topdown-retiring") LEVEL1_AT("2.000000000"), false, false},
        {"skl",
         AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD") AT("1.000000000", "1600", "UOPS_RETIRED.RETIRE_SLOTS"),
         false, false},
        /* of the first metric, retiring, nothing was counted */
        {"skl",
         AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD") AT("1.000000000", "400", "IDQ_UOPS_NOT_DELIVERED.CORE"),
         false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s;
        struct td *td = open_text(rows[i].cpu, rows[i].text, &s);
        const struct td_result *r;
        int err = td_open(td, "f", source_read, &s);

        td_set_intervals(td, !rows[i].skip);
        while (!err)
            err = td_next(td, &r);
        CU_ASSERT_EQUAL(err, -ENODATA);
        CU_ASSERT_EQUAL(td->no_topdown, rows[i].none);
        td_free(td);
    }
}

static int has_none(struct td_stream *s)
{
    (void)s;
    return -ENODATA;
}

/* A stream that ends before the first interval. */
static void nothing(void)
{
    struct td_stream stream = {.name = "f", .line = 3, .next = has_none};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    td->stream = &stream;
    td->opened = true;
    CU_ASSERT_EQUAL(td_next(td, &r), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(td_error(td), "f:3: the file holds no interval in which anything was counted");
    td->stream = NULL;
    td->opened = false;
    td_free(td);
}

/* ---- how much a sum holds --------------------------------------------------------------------- */

enum { COPIES = 4096, LINES = 64 * 5000 };

/* An event that comes so many times in an interval. */
static size_t repeat(char *out, size_t size, unsigned second, unsigned event, unsigned times)
{
    size_t n = 0;

    for (unsigned i = 0; i < times; i++)
        n += (size_t)snprintf(out + n, size - n, "%u.000000000,5,,cpu/event=0x%x/,1000,100.00,,\n", second, event);
    return n;
}

/* A sum has as many counts of an event as that interval which has most of it: 1 and 2,047 in the first second, 2,048 of
 * another event in the next, and then one more. */
static void counts(void)
{
    char *text = malloc(LINES);

    CU_ASSERT_FATAL(text != NULL);
    for (unsigned more = 0; more < 2; more++) {
        size_t n = (size_t)snprintf(text, LINES, "%s", AT("1.000000000", "5", "slots"));
        struct source s;
        struct td *td;
        const struct td_result *r;
        int err;

        n += repeat(text + n, LINES - n, 1, 0x77, COPIES / 2 - 1);
        n += repeat(text + n, LINES - n, 2, 0x78, COPIES / 2 + more);
        td = open_text("spr", text, &s);
        td_set_intervals(td, false);
        CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, &s), 0);
        err = td_next(td, &r);
        CU_ASSERT_EQUAL(err, more ? -EBADMSG : -ENODATA);
        CU_ASSERT_STRING_EQUAL(td_error(td), !more ? ""
                                                   : "f:4097: the sum of all intervals has more than 4096 counts of "
                                                     "events; --time sums a part of them");
        td_free(td);
    }
    free(text);
}

#define BESIDE(time_, metric_) time_ ",5,,slots,1000000,100.00,20.0,tma_" metric_ "\n"

/* What was printed beside an event in one second, and in another, is together a set that neither has: the last that
 * there is room for, as one is empty and two are these, or one too many. */
static void sets(void)
{
    static const char text[] = BESIDE("1.000000000", "retiring") BESIDE("2.000000000", "frontend_bound");

    for (unsigned more = 0; more < 2; more++) {
        struct source s;
        struct td *td = open_text("spr", text, &s);
        const struct td_result *r;
        struct td_hints *h;

        CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, &s), 0);
        h = &td->recording->stream.hints;
        for (uint16_t i = 0; h->nsets < TD_HINTS_MAX - 3 + more; i++)
            CU_ASSERT_FATAL(td_hints_one(h, (uint16_t)(TD_HINT_OTHER - i)) != 0);
        CU_ASSERT_EQUAL(td_next(td, &r), 0);
        CU_ASSERT_EQUAL(td_next(td, &r), more ? -EBADMSG : 0);
        CU_ASSERT_STRING_EQUAL(td_error(td), more ? "f:2: more than 4096 different sets of metrics beside counts" : "");
        td_free(td);
    }
}

/* ---- rows of sums ------------------------------------------------------------------------- */

static void row_is(struct td *td, size_t i, const char *scope, const char *cpus)
{
    const struct td_result *r = NULL;

    CU_ASSERT_EQUAL(td_summary(td, i, &r), scope ? 0 : -ENODATA);
    if (scope && r) {
        CU_ASSERT_STRING_EQUAL(td_result_scope(r), scope);
        CU_ASSERT_STRING_EQUAL(td_result_cpu(r), cpus);
    }
}

static void read_all(struct td *td, struct source *s)
{
    const struct td_result *r;
    int err = td_open(td, "f", source_read, s);

    while (!err)
        err = td_next(td, &r);
    CU_ASSERT_EQUAL(err, -ENODATA);
    CU_ASSERT(td_next(td, &r) == -ENODATA && !r); /* it stays at the end */
}

#define ICE "icl|icx|tgl|rkl"
#define SAPPHIRE "spr|emr|gnr"
#define CLEARS(time_) AT(time_, "9", "INT_MISC.CLEARS_COUNT")

/* Of two sums that are two rows each, as two kinds of CPUs differ, in any order, and again. */
static void rows_in_any_order(void)
{
    static const struct {
        size_t i;
        const char *scope, *cpus;
    } all[] = {
        {3, "CPU1", SAPPHIRE}, {0, "CPU0", ICE},      {2, "CPU1", ICE}, {2, "CPU1", ICE}, {1, "CPU0", SAPPHIRE},
        {3, "CPU1", SAPPHIRE}, {3, "CPU1", SAPPHIRE}, {4, NULL, NULL},  {4, NULL, NULL},  {1, "CPU0", SAPPHIRE},
        {2, "CPU1", ICE},      {99, NULL, NULL},      {0, "CPU0", ICE}, {0, "CPU0", ICE}, {1, "CPU0", SAPPHIRE},
    };
    struct source s;
    struct td *td = open_text(NULL,
                              LEVEL1_AT("1.000000000,CPU0") CLEARS("1.000000000,CPU0") LEVEL1_AT("1.000000000,CPU1")
                                  CLEARS("1.000000000,CPU1"),
                              &s);

    td_set_each_cpu(td, true);
    CU_ASSERT_FALSE(td_gives_each_cpu(td));
    read_all(td, &s);
    CU_ASSERT_TRUE(td_gives_each_cpu(td));
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        row_is(td, all[i].i, all[i].scope, all[i].cpus);
    td_free(td);
}

/* Where no interval is asked for, that CPUs differ shows in the sum. */
static void sums_that_differ(void)
{
    struct source s;
    struct td *td =
        open_text(NULL, LEVEL1_AT("1.000000000,CPU0") LEVEL1_AT("2.000000000,CPU0") CLEARS("2.000000000,CPU0"), &s);

    td_set_each_cpu(td, true);
    td_set_intervals(td, false);
    read_all(td, &s);
    CU_ASSERT_FALSE(td_gives_each_cpu(td));
    row_is(td, 0, "CPU0", ICE);
    CU_ASSERT_TRUE(td_gives_each_cpu(td));
    row_is(td, 1, "CPU0", SAPPHIRE);
    row_is(td, 2, NULL, NULL);
    td_free(td);
}

/* A sum that begins anew keeps its row; there are no others. */
static void sums_begun_anew(void)
{
    struct source s;
    struct td *td = open_text("spr", LEVEL1_AT("1.000000000,CPU0") LEVEL1_AT("1.000000000,CPU1"), &s);

    CU_ASSERT_EQUAL(td_summary_restart(td, 0), -ENODATA);
    read_all(td, &s);
    CU_ASSERT_EQUAL(td_summary_restart(td, 2), -ENODATA);
    CU_ASSERT_EQUAL(td_summary_restart(td, 1), 0);
    CU_ASSERT_TRUE(td->sums.sum[1].over && !td->sums.sum[0].over);
    row_is(td, 0, "CPU0", "spr");
    row_is(td, 1, "CPU1", "spr");
    row_is(td, 2, NULL, NULL);
    td_free(td);
}

/* ---- another machine's interval -------------------------------------------------------------- */

enum { TRIES = 16 /* how many intervals without a value are looked at */ };

/* After so many intervals that have one event of the file's and no value, one of another machine is noted or not. */
static void tries(void)
{
    static const char old[] = AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD")
        AT("1.000000000", "1600", "UOPS_RETIRED.RETIRE_SLOTS") AT("1.000000000", "1800", "UOPS_ISSUED.ANY")
            AT("1.000000000", "400", "IDQ_UOPS_NOT_DELIVERED.CORE") AT("1.000000000", "50", "INT_MISC.RECOVERY_CYCLES");
    static const unsigned before[] = {0, TRIES - 1, TRIES};
    static char text[8192];

    for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
        size_t n = (size_t)snprintf(text, sizeof(text), "%s", old);
        struct log l = {.n = 0};
        struct source s;
        struct td *td;
        char wanted[64];

        for (unsigned k = 0; k < before[i]; k++)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "%u.000000000,7,,UOPS_ISSUED.ANY,1000000,100.00,,\n",
                                  2 + k);
        snprintf(text + n, sizeof(text) - n, "%s",
                 LEVEL1_AT("90.000000000") AT("90.000000000", "7", "UOPS_ISSUED.ANY"));
        td = open_text(NULL, text, &s);
        td_set_note(td, keep_note, &l);
        read_all(td, &s);
        snprintf(wanted, sizeof(wanted), "# f:%u: the interval that ends here has the events of another",
                 11 + before[i]);
        l.text[l.n < strlen(wanted) ? l.n : strlen(wanted)] = '\0';
        same_log(&l, before[i] < TRIES ? wanted : "", 4096);
        td_free(td);
    }
}

/* The CPU that the file began with is named, if it is one; once, however many intervals are of another. */
static void strangers(void)
{
    struct log l = {.n = 0};
    struct source s;
    struct td *td = open_text("skl",
                              AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD")
                                  AT("1.000000000", "1600", "UOPS_RETIRED.RETIRE_SLOTS") AT("2.000000000", "5", "slots")
                                      AT("3.000000000", "5", "slots"),
                              &s);

    td_set_note(td, keep_note, &l);
    read_all(td, &s);
    same_log(&l,
             "# f:4: the interval that ends here has no event of the formulas that the file began with (skl): if "
             "another machine was recorded from here on, put that part into a file of its own\n",
             4096);
    td_free(td);
}

/* An interval in which the first metric alone has a value is not looked at. */
static void first_has_a_value(void)
{
    struct source s;
    struct td *td = open_text("skl",
                              AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD")
                                  AT("1.000000000", "1600", "UOPS_RETIRED.RETIRE_SLOTS"),
                              &s);

    read_all(td, &s);
    CU_ASSERT_EQUAL(td->tried_others, 0);
    td_free(td);
}

/* An interval that has no value by what is asked for, without the metrics register, is of another machine only if its
 * events fit none of the CPUs that the file began with, the first or a later one of seven. */
static void same_machine(void)
{
    static const char *const cpus[] = {"icl", "spr", "gnr"};

    for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
        struct log l = {.n = 0};
        struct source s;
        struct td *td = open_text(cpus[i], LEVEL1_AT("1.000000000"), &s);

        td_set_note(td, keep_note, &l);
        td_set_fixed(td, false);
        read_all(td, &s);
        same_log(&l, "", 4096);
        CU_ASSERT_EQUAL(td->tried_others, 1);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"an interval of the same machine", same_machine},
    {"an interval that is strange", strangers},
    {"an interval whose first metric has a value", first_has_a_value},
    {"intervals of a part of the time", in_time},
    {"a part of a time that is not recorded", no_times},
    {"whether there was a value", values},
    {"a file without counts", nothing},
    {"as many counts as a sum holds", counts},
    {"as many sets of metrics as there may be", sets},
    {"rows of sums in any order", rows_in_any_order},
    {"sums that differ", sums_that_differ},
    {"sums that begin anew", sums_begun_anew},
    {"how often another machine is looked for", tries},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("next results", tests);
