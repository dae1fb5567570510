/* SPDX-License-Identifier: MIT */
/* Lines of perf stat -x that are recognised from the interval before, one by one: which are, what is remembered, and
 * the metrics on them. */
#include "formats/perf_stat/perf_csv.h"
#include "tests/support/recorded.h"

#define PLAIN(n) (UINT32_C(1) << ((n) + 16))

enum { RET, BAD };

/* Whether the last line of a text is recognised, when all before it was read; bits: of the metrics on it. */
static bool known(const char *text, uint32_t *bits)
{
    static struct opened o;
    const char *last = strrchr(text, '\n') + 1;
    struct source s = {text, (size_t)(last - text), 1000, 0};
    struct td_row row = {.scope = -1};
    char line[1024];
    int err = 1;
    bool is;

    CU_ASSERT_EQUAL_FATAL(open_recording_as(&o, &s, NULL, NULL, NULL, &td_reader_perf_csv), 0);
    while (!(err = next_batch(&o)))
        ;
    CU_ASSERT_EQUAL_FATAL(err, -ENODATA);
    snprintf(line, sizeof(line), "%s", last);
    is = td_perf_known(o.r, line, strlen(line), &row, &err);
    CU_ASSERT_EQUAL(err, is ? 0 : -ENODATA);
    CU_ASSERT_EQUAL(row.scope, is ? 1 : -1);
    *bits = is ? bits_of(&o.r->stream.hints, row.printed) : 0;
    close_recording(&o);
    return is;
}

#define FIRST "1.000000000,CPU0,5,,slots,100,100.00,,\n"
#define AGAIN(rest_) FIRST "2.000000000,CPU0," rest_

static void lines(void)
{
    static const struct {
        const char *text;
        bool known;
        uint32_t bits;
    } all[] = {
        {AGAIN("6,,slots,100,100.00,,"), true, 0},
        {AGAIN("6,,slots,100,100.00"), true, 0},
        {AGAIN("6,,slots,100,100.0x"), false, 0},
        {AGAIN("6,,slots,100,100.001"), false, 0},
        {AGAIN("6,,slots,100,100.0"), false, 0},
        {AGAIN("6,,slots,100,99.00"), true, 0},
        {AGAIN("6,,slots,100,9.00"), true, 0},
        {AGAIN("6,,slots,100,100.50"), true, 0},
        {AGAIN("6,,slots,100,100.75"), false, 0},
        {AGAIN("6,,slots,100;100.00"), false, 0},
        {AGAIN("6,,slots,"), false, 0},
        {AGAIN("6"), false, 0},
        {AGAIN(""), false, 0},
        {FIRST "2.000000000", false, 0},
        {FIRST "1.000000000", false, 0},
        {FIRST "1.000000000,", false, 0},
        {FIRST "1.000000000x", false, 0},
        /* only the line at the same place of the interval before */
        {FIRST "1.000000000,CPU0,6,,slots,100,100.00", false, 0},
        {FIRST "1.000000000,CPU0,6,,cycles,100,100.00\n2.000000000,CPU0,6,,cycles,100,100.00", false, 0},
        {FIRST
         "1.000000000,CPU0,6,,cycles,100,100.00\n" AGAIN("6,,slots,100,100.00") "\n2.000000000,CPU0,6,,cycles,9,50.00",
         true, 0},
        /* a line of another form is forgotten */
        {FIRST "2.000000000,CPU0,5.5,,slots,100,100.00,,\n3.000000000,CPU0,5,,slots,100,100.00,,", false, 0},
        {"1.000000000,CPU0,<not counted>,,slots,0,100.00,,\n2.000000000,CPU0,5,,slots,100,100.00,,", false, 0},
        {"1.000000000,CPU0,5.5,,slots,100,100.00,,\n2.000000000,CPU0,6,9,100.00", false, 0},
        /* metrics, with blanks around their names, and a threshold after one */
        {AGAIN("6,,slots,100,100.00,1.5, Retiring ,2.0,\tBad Speculation\t"), true, PLAIN(RET) | PLAIN(BAD)},
        {AGAIN("6,,slots,100,100.00,1.5,Retiring,Bad Speculation,2.0"), true, PLAIN(RET)},
        {AGAIN("6,,slots,100,100.00,1.5,Retiring,good,2.0,Bad Speculation"), true, PLAIN(RET) | PLAIN(BAD)},
        {AGAIN("6,,slots,100,100.00,,  \t,Retiring"), true, PLAIN(RET)},
        {AGAIN("6,,slots,100,100.00,Retiring"), true, PLAIN(RET)},
        {AGAIN("6,,slots,100,100.00,1.5,x \t"), true, 0}, /* one character is no name */
        {AGAIN("6,,slots,100,100.00,1.5,x\t "), true, 0},
        {AGAIN("6,,slots,100,100.00,1.5,\t x"), true, 0},
        {AGAIN("6,,slots,100,100.00,1.5,xy"), true, UINT32_C(1) << 15},
        {AGAIN("6,,slots,100,50."), false, 0},
        {AGAIN("6,,slots,100,50.0"), false, 0},
        {AGAIN("6,,slots,100,.50"), false, 0},
        {AGAIN("6,,slots,100,1000.00"), false, 0},
        {AGAIN("6,,slots,100,100000"), false, 0},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        uint32_t bits;
        const bool is = known(all[i].text, &bits);

        if (is != all[i].known || bits != all[i].bits)
            printf("\n    '%s': %d %x", all[i].text, is, (unsigned)bits);
        CU_ASSERT(is == all[i].known && bits == all[i].bits);
    }
}

/* An id, a unit and an event of 96 bytes together, with their separators, are remembered, of a line of 255 bytes. */
static void longest(void)
{
    char text[2048], event[90], metrics[256];
    uint32_t bits;

    memset(event, 'x', sizeof(event));
    for (unsigned n = 88; n < 90; n++) {
        snprintf(text, sizeof(text), "1.000000000,CPU0,5,,%.*s,9,100.00,,\n2.000000000,CPU0,5,,%.*s,9,100.00,,", (int)n,
                 event, (int)n, event);
        CU_ASSERT_EQUAL(known(text, &bits), n == 88);
    }
    memset(metrics, 'x', sizeof(metrics));
    for (unsigned n = 255; n < 257; n++) {
        snprintf(text, sizeof(text), "%s%.*s\n%s", "1.000000000,CPU0,5,,a,9,100.00,1.5,", (int)n - 35, metrics,
                 "2.000000000,CPU0,5,,a,9,100.00,,");
        CU_ASSERT_EQUAL(strchr(text, '\n') - text, n);
        CU_ASSERT_EQUAL(known(text, &bits), n == 255);
    }
}

/* Also after times that are too long to be remembered, a line that begins with the separator has none. */
static void long_times(void)
{
#define LONG(digit_) "00000000000000000000000" digit_ ".000000000,"
    static const struct recorded all[] = {
        {LONG("1") "5,,a,9,100.00,,\n" LONG("1") "6,,b,9,100.00,,\n" LONG("2") "7,,a,9,100.00,,\n" LONG(
             "2") "8,,b,9,100.00,,\n",
         "1.000 system system: a=5@0 b=6@0\n2.000 system system: a=7@0 b=8@0\n"},
        {LONG("1") "5,,a,9,100.00,,\n" LONG("1") "6,,b,9,100.00,,\n" LONG("2") "7,,a,9,100.00,,\n,8,,b,9,100.00,,\n",
         "1.000 system system: a=5@0 b=6@0\n!f:4: '' is neither~"},
        {0},
    };

    read_all(all);
}

/* Lines are remembered that have a time, and a separator of one character. */
static void remembered(void)
{
    static const struct {
        const char *text;
        size_t n;
    } all[] = {
        {FIRST, 1},
        {FIRST "1.000000000,CPU1,5,,slots,9,100.00,,\n" FIRST, 3},
        {"CPU0,5,,slots,9,100.00,,\n", 0},
        {"1.000000000::CPU0::5::::slots::9::100.00::::\n", 0},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        static struct opened o;
        struct source s = {all[i].text, strlen(all[i].text), 1000, 0};

        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        CU_ASSERT_EQUAL(td_perf_csv_of(o.r)->memory.n, all[i].n);
        close_recording(&o);
    }
}

static const CU_TestInfo tests[] = {
    {"lines that are remembered", remembered},
    {"one by one", lines},
    {"the longest", longest},
    {"long times", long_times},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf stat -x: lines of the interval before", tests);
