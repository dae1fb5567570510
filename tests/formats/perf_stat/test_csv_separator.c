/* SPDX-License-Identifier: MIT */
/* Which separator a file of perf stat -x has: by its run time and percentage, by the name of an event, by its first
 * number; and which lines can only be counts. */
#include "formats/perf_stat/perf_csv.h"
#include "tests/support/open_recording.h"
#include "tests/support/unit.h"

#include <stdio.h>

struct found {
    const char *line, *separator; /* NULL: the line is refused */
    bool quoted;
};

/* The line begins the file; one with a time or an event that is not known may be the only one. */
static void finds(const struct found *all)
{
    for (size_t i = 0; all[i].line; i++) {
        static struct opened o;
        char text[200];
        struct source from = {text, (size_t)snprintf(text, sizeof(text), "%s\n", all[i].line), 100, 0};
        const int err = open_recording_as(&o, &from, NULL, NULL, NULL, &td_reader_perf_csv);
        const struct td_perf_csv *p = td_perf_csv_of(o.r);

        if (err != (all[i].separator ? 0 : -EBADMSG))
            printf("\n    '%s': %d, %s", all[i].line, err, o.log.error);
        CU_ASSERT_EQUAL(err, all[i].separator ? 0 : -EBADMSG);
        if (!err && all[i].separator) {
            if (strcmp(p->separator, all[i].separator) != 0 || p->quoted != all[i].quoted)
                printf("\n    '%s': '%s' %d", all[i].line, p->separator, p->quoted);
            CU_ASSERT_STRING_EQUAL(p->separator, all[i].separator);
            CU_ASSERT_EQUAL(p->quoted, all[i].quoted);
        }
        close_recording(&o);
    }
}

/* The run time has the same separator on both sides, and after it a percentage: 1 to 3 digits, a point or a comma, and
 * 2 digits. What is none is no reason to take more than one character after the first number. */
static void by_run_time(void)
{
    static const struct found all[] = {
        {"5::::foo::9::100.00::::", "::", false},
        {"5::::foo::9::99.50", "::", false},
        {"5::::foo::9::0,50", "::", false},
        {"5::::foo::9::1000.00::::", ":", false},
        {"5::::foo::9::.00::::", ":", false},
        {"5::::foo::9::100.0::::", ":", false},
        {"5::::foo::9::x.00", ":", false},
        {"5::::foo::9::100.x0::::", ":", false},
        {"5::::foo::9::100.0x::::", ":", false},
        {"5::::foo::9::100.000::::", ":", false},
        {"5::::foo::9::100.001::::", ":", false},
        {"5::::foo::9::100:00::::", ":", false},
        {"5::::foo::9:100.00::::", ":", false}, /* before the run time there are two */
        {"5::::foo:::100.00::::", ":", false}, /* no run time */
        {"5::::foo:::9::100.00", "::", false},
        {"5::::foo::0.25::99.00::9::100.00", "::", false}, /* a percentage that has no run time before it */
        {"::9::100.00", "::", false}, /* as short as can be */
        {":9::100.00", NULL, false},
        {"9::100.00", ":", false},
        {"5::foo::7:::100.00", ":", false}, /* before the run time there is another one */
        /* up to 8 characters */
        {"5::::::::::::::::foo::::::::9::::::::100.00", "::::::::", false},
        {"5:::::::::::::::::foo:::::::::9:::::::::100.00", ":", false},
        {NULL, NULL, false},
    };

    finds(all);
}

/* A spreadsheet's quotes around the fields are none of the separator. */
static void quotes(void)
{
    static const struct found all[] = {
        {"\"5\",\"\",\"foo\",\"9\",\"100.00\"", ",", true},
        {"\"5\"::\"\"::\"foo\"::\"9\"::\"100.00\"", "::", true},
        {"5,,\"foo\",9,100.00,,", ",", true},
        {"5,,foo,9,100.00,,", ",", false},
        {"5\"\"foo\"9\"100.00\"\"", "\"", false},
        {"5\"\"\"\"foo\"\"9\"\"100.00", "\"\"", true},
        {"5\"::\"::foo\"::9\"::100.00", "\"::", true},
        {"5::\"::\"foo::\"9::\"100.00", "::\"", true},
        {"5_\"foo\"", "_", true},
        {"5\"foo\"", "\"", false},
        {"\"5\",\"\",\"cycles\",\"9\",\"100\"", ",", true}, /* by its event */
        {NULL, NULL, false},
    };

    finds(all);
}

/* Where the percentage is another: by the event's name between any of the usual ones; else after the first number or
 * what stands for one, and at the very start only one of the usual. */
static void by_others(void)
{
    static const struct found all[] = {
        {"5;;cycles;9;100", ";", false},
        {"1.0\t5\t\tcycles\t9\t100", "\t", false},
        {"5||cycles|9|100|,", "|", false},
        {"5:;cycles;9;100;,", ":", false},
        {"5_foo", "_", false},
        {"  5.25_foo", "_", false},
        {"<not counted>_foo", "_", false},
        {"<not supported>_foo", "_", false},
        {"summary_foo", "_", false},
        {";;foo", ";", false},
        {",foo", ",", false},
        {"\tfoo", "\t", false},
        {"|foo", "|", false},
        {"_foo", NULL, false},
        {"foo", NULL, false},
        {"5", NULL, false},
        {"1.25", NULL, false},
        {"<not counted>", NULL, false},
        {"5_", "_", false},
        /* the first line that can only be a count says more */
        {"5_foo\n5;;foo;9;100.00", ";", false},
        {"5_foo\n5_x\n\"5\";\"\";\"cycles\";\"9\";\"100\"", ";", true},
        {"5;;foo;9;100.00\n5,,foo,9,100.00", ";", false},
        {NULL, NULL, false},
    };

    finds(all);
}

static void skipped(void)
{
    static const struct {
        const char *line;
        bool skipped;
    } all[] = {
        {"# comment", true},      {"#", true},
        {"\"# comment\"", true},  {"", true},
        {" \t ", true},           {"\"", false},
        {"\"\"", true},           {"Events disabled", true},
        {"Events enabled", true}, {"Events enabled ", false},
        {"Events", false},        {" x", false},
        {" # comment", false},    {"5,,cycles", false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (td_perf_skipped(all[i].line, strlen(all[i].line)) != all[i].skipped)
            CU_FAIL("a line is taken for another");
}

/* A count, a unit that is none, and an event that is none: of a line with a run time and a percentage any event, else
 * one that is known; and two more fields. */
static void sure(void)
{
    static const struct {
        const char *line;
        bool sure;
    } all[] = {
        {"5,,foo,9,100.00", true},
        {"5,,,9,100.00", false},
        {"5,,6,9,100.00", false},
        {"5,6,foo,9,100.00", false},
        {"x,,foo,9,100.00", false},
        {"1.0,5,,foo,9,100.00", true},
        {"CPU0,5,,foo,9,100.00", true},
        {"<not counted>,,foo,0,100.00", true},
        {"<not supported>,,foo,0,100.00", true},
        {"<not>,,foo,0,100.00", false},
        {"5,,foo,9,100", false},
        {"5,,cycles,9,100", true},
        {"5,,cycles,9", false},
        {"5,ms,cycles,9,100", true},
        {"5,6,cycles,9,100", false},
        {"x,,cycles,9,100", false},
        {"5:cycles:9:100:", false},
        {"# 5,,foo,9,100.00", false},
        {"#5,,cycles,9,100", false},
        {" \"5\" ; ; \"cycles\" ; 9 ; 100", true},
        {"5,,x cycles,9,100", false},
        {"", false},
        {"5", false},
        {"5,,foo", false},
        /* of 24 fields the event is the 22nd at most */
        {"x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,5,,cycles,9,100", true},
        {"x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,5,,cycles,9,100", false},
        {"x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,x,5,,foo,9,100.00,,,,,", true},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (td_perf_sure(all[i].line, strlen(all[i].line)) != all[i].sure)
            printf("\n    '%s'", all[i].line);
        CU_ASSERT_EQUAL(td_perf_sure(all[i].line, strlen(all[i].line)), all[i].sure);
    }
}

/* What is before the line is none of it. */
static void before(void)
{
    static const char digit[] = "95.25,,foo,9,100.00", separator[] = "::9::100.00::5::::foo::x::y";

    CU_ASSERT(td_perf_sure(digit + 1, strlen(digit + 1)));
    CU_ASSERT(!td_perf_sure(separator + 1, strlen(separator + 1)));
}

/* Why a line has no separator. */
static void refused(void)
{
    static const struct {
        const char *line;
        bool ratios;
    } all[] = {
        {"retiring", true}, {"x retiring", true}, {"x,cpus", true}, {"x,ctrs", true}, {"x", false}, {"cpus", false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        static struct opened o;
        struct source from = {all[i].line, strlen(all[i].line), 100, 0};

        CU_ASSERT_EQUAL(open_recording_as(&o, &from, NULL, NULL, NULL, &td_reader_perf_csv), -EBADMSG);
        CU_ASSERT_EQUAL(!!strstr(o.log.error, td_perf_ratios_only), all[i].ratios);
        CU_ASSERT_EQUAL(!!strstr(o.log.error, "not a line of 'perf stat -x'"), !all[i].ratios);
        close_recording(&o);
    }
}

/* The fields of a line by the separator of the first, with '|' between them; NULL: it cannot be split. */
static void splits(void)
{
    static const struct {
        const char *first, *line, *wanted;
    } all[] = {
        {"5::::foo::9::100.00", "a::b:c::", "a|b:c||"},
        {"5::::foo::9::100.00", "::a:::b:", "|a|:b:|"},
        {"5::::foo::9::100.00", "::", "||"},
        {"5::::foo::9::100.00", "a", "a|"},
        {"5::::foo::9::100.00", "a\x1f::b", NULL},
        {"5,,foo,9,100.00", "a,,b", "a||b|"},
        {"5,,foo,9,100.00", " a,b", "a|b|"},
        {"5  foo 9 100.00", "   5  foo 9", "5||foo|9|"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        static struct opened o;
        struct source from = {all[i].first, strlen(all[i].first), 100, 0};
        char line[64], got[64] = "";
        size_t n = 0;
        int err;

        CU_ASSERT_EQUAL_FATAL(open_recording_as(&o, &from, NULL, NULL, NULL, &td_reader_perf_csv), 0);
        snprintf(line, sizeof(line), "%s", all[i].line);
        err = td_perf_split(o.r, line, strlen(line));
        CU_ASSERT_EQUAL(err, all[i].wanted ? 0 : -EBADMSG);
        for (size_t k = 0; !err && k < o.r->bytes.nfields; k++)
            n += (size_t)snprintf(got + n, sizeof(got) - n, "%.*s|", (int)o.r->bytes.length[k], o.r->bytes.field[k]);
        if (all[i].wanted)
            CU_ASSERT_STRING_EQUAL(got, all[i].wanted);
        close_recording(&o);
    }
}

static const CU_TestInfo tests[] = {
    {"what is before a line", before},
    {"refused", refused},
    {"lines that are split", splits},
    {"by run time and percentage", by_run_time},
    {"quotes", quotes},
    {"by other columns", by_others},
    {"lines that are skipped", skipped},
    {"lines that can only be counts", sure},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("separators of perf stat -x", tests);
