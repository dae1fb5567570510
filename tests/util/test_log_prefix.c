/* SPDX-License-Identifier: MIT */
/* What logs, mails and pages put before a line: each row is a line cut by hand where the program's own text begins,
 * as log_prefix.h describes it. */
#include "util/log_prefix.h"

#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define TEN "abcdefghij"

struct cut {
    const char *prefix, *rest;
};

static void check(const struct cut *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char line[256];
        const size_t wanted = strlen(rows[i].prefix);

        snprintf(line, sizeof(line), "%s%s", rows[i].prefix, rows[i].rest);
        if (td_log_prefix(line) != wanted)
            printf("\n    '%s': %zu, not %zu", line, td_log_prefix(line), wanted);
        CU_ASSERT_EQUAL(td_log_prefix(line), wanted);
    }
}

/* Two digits each, with or without a fraction; a blank or a bracket's end is after it. */
static void times_of_day(void)
{
    static const struct cut rows[] = {
        {"10:11:12", " 5"},     {"10:11:12", "\t5"},
        {"10:11:12", ""},       {"10:11:12", "] 5"},
        {"10:11:12.1", " 5"},   {"10:11:12,123", " 5"},
        {"  10:11:12", " 5"},   {"\t10:11:12", " 5"},
        {"", "10:11:12x 5"},    {"", "10:11:12. 5"},
        {"", "10:11:12;1 5"},   {"", "10:11:123 5"},
        {"", "10:11:12:13 5"},  {"", "10:11:12.1:3 5"},
        {"", "1:11:12 5"},      {"", "10-11:12 5"},
        {"", "10:1a:12 5"},     {"", "10:11:1 5"},
        {"", "5 10:11:12 5"},   {"", "   5"},
        {"", "10:11:12.1x 5"},  {"", ""},
        {"", "10:11:12Z 5"},    {"", "10:11:12..1 5"},
        {"", "10:11:12.1.2 5"}, {"", "x"},
        {"", "10:11:12+01:00"}, {"", "0x:11:12 5"},
    };

    check(rows, LENGTH(rows));
}

/* Of ISO 8601, syslog and journalctl. */
static void dates(void)
{
    static const struct cut rows[] = {
        {"2026-11-20T10:11:12", " 5"},
        {"2026-11-20 10:11:12", " 5"},
        {"2026/11/20 10:11:12", " 5"},
        {"2026-11-20T10:11:12.1234567Z", " 5"},
        {"2026-11-20T10:11:12+01:00", " 5"},
        {"2026-11-20T10:11:12-0100", " 5"},
        {"", "2026-11/20T10:11:12 5"},
        {"", "2026-11-20_10:11:12 5"},
        {"", "2026-11-20 5"},
        {"", "2026-11-20T10:11:1 5"},
        {"", "2026-11-20T10:11:12+01:0 5"},
        {"", "2026-11-20T10:11:12+010 5"},
        {"", "2026-11-20T10:11:12ZZ 5"},
        {"", "2026-11-20T10:11:12*01:00 5"},
        {"Nov 20 10:11:12", " 5"},
        {"Nov  5 10:11:12", " 5"},
        {"Nov 5 10:11:12", " 5"},
        {"Nov 20 10:11:12.5", " 5"},
        {"Nov 20 10:11:12+01:00", " 5"},
        {"Nov 20 10:11:12.5Z", " 5"},
        {"Fri Nov 20 10:11:12", " 5"},
        {"Fri Nov  5 10:11:12.25-0100", " 5"},
        {"", "Nox 20 10:11:12 5"},
        {"", "anF 20 10:11:12 5"},
        {"", "Nov-20 10:11:12 5"},
        {"", "Nov20 10:11:12 5"},
        {"", "Nov 120 10:11:12 5"},
        {"", "Nov 20x10:11:12 5"},
        {"", "Nov x 10:11:12 5"},
        {"", "Nov   5 10:11:12 5"},
        {"", "Nov 20 10:11 5"},
        {"", "Fr1 Nov 20 10:11:12 5"},
        {"", "Friday Nov 20 10:11:12 5"},
        {"Fri 2026-11-20 10:11:12", " 5"},
        {"Fri 2026-11-20 10:11:12 CET", " 5"},
        {"Fri 2026-11-20 10:11:12 CE", " 5"},
        {"Fri 2026-11-20 10:11:12 CHAST", " 5"},
        {"Fri 2026-11-20 10:11:12", " C 5"},
        {"Fri 2026-11-20 10:11:12", " CHASTX 5"},
        {"Fri 2026-11-20 10:11:12", " CETx 5"},
        {"Fri 2026-11-20 10:11:12Z", " 5"},
        {"", "Fri 2026-11-20 5"},
        {"", "F 2026-11-20 10:11:12 5"},
    };
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    check(rows, LENGTH(rows));
    for (size_t i = 0; i < 12; i++) {
        char line[64];

        snprintf(line, sizeof(line), "%.3s 20 10:11:12 5", months + 3 * i);
        CU_ASSERT_EQUAL(td_log_prefix(line), strlen("Jan 20 10:11:12"));
    }
}

/* How urgent a line is, its host and its program stand only after a time, or after brackets. */
static void after_a_time(void)
{
    static const struct cut rows[] = {
        {"10:11:12 host perf[12]:", " 5"},
        {"10:11:12 host perf:", " 5"},
        {"10:11:12 perf[12]:", " 5"},
        {"10:11:12 perf:", " 5"},
        {"10:11:12 perf:", ""},
        {"10:11:12 a-b.c my_perf@1/2:", " 5"},
        {"[web] perf:", " 5"},
        {"[web]: host perf[1]:", " 5"},
        {"", "perf: 5"},
        {"", "host perf[12]: 5"},
        {"10:11:12", " perf:5"},
        {"10:11:12", " perf[x]: 5"},
        {"10:11:12", " perf[12: 5"},
        {"10:11:12", " perf[12]x: 5"},
        {"10:11:12", " perf[]: 5"},
        {"10:11:12", " host : 5"},
        {"10:11:12", " a b c: 5"},
        {"10:11:12", " +perf: 5"},
        {"10:11:12 " TEN TEN TEN TEN TEN TEN "abcd:", " 5"}, /* 64 letters are the longest word */
        {"10:11:12", " " TEN TEN TEN TEN TEN TEN "abcde: 5"},
        {"10:11:12 TRACE", " 5"},
        {"10:11:12 DEBUG", " 5"},
        {"10:11:12 INFO", " 5"},
        {"10:11:12 info:", " 5"},
        {"10:11:12 NOTICE", " 5"},
        {"10:11:12 WARNING:", " 5"},
        {"10:11:12 WARN:", "5"},
        {"10:11:12 ERROR", " 5"},
        {"10:11:12", " ERRORS 5"},
        {"10:11:12 01O", " 5"},
        {"10:11:12 01E", " 5"},
        {"10:11:12", " 01X 5"},
        {"10:11:12", " 1O 5"},
        {"", "INFO 5"},
        {"", "01O 5"},
        {"10:11:12 INFO perf:", " 5"},
        {"> 10:11:12 perf:", " 5"},
        {">", " perf: 5"},
        {"web |", " perf: 5"},
    };

    check(rows, LENGTH(rows));
}

/* Brackets of up to 64 bytes that hold no text in quotes, no list and no object; a name before a bar; tags; quotes of
 * mails, of which all pieces together are eight at most. */
static void without_a_time(void)
{
    static const struct cut rows[] = {
        {"[info]", " 5"},
        {"[i]", " 5"},
        {"[info]", ""},
        {"[info]:", " 5"},
        {"[info]:", ""},
        {"[12345.678901]", " 5"},
        {"[2026-11-20 10:11:12]", " 5"},
        {"[info] [web]", " 5"},
        {"", "[info][web] 5"},
        {"", "[] 5"},
        {"", "[info]5"},
        {"", "[info 5"},
        {"", "[a,b] 5"},
        {"", "[\"a] 5"},
        {"", "[{a] 5"},
        {"[" TEN TEN TEN TEN TEN TEN "abc]", " 5"},
        {"", "[" TEN TEN TEN TEN TEN TEN "abcd] 5"},
        {"web_1  |", " 5"},
        {"w\t|", " 5"},
        {"web |", ""},
        {"", "web| 5"},
        {"", "web |5"},
        {"", "1web | 5"},
        {"", "web  5"},
        {"", "| 5"},
        {"<pre>", "5"},
        {"<CODE>", " 5"},
        {"<pre><code>", "5"},
        {"", "<b>5"},
        {"", "<prex>5"},
        {">", "5"},
        {">>", " 5"},
        {"> >", " 5"},
        {"> web | 10:11:12", " 5"},
        {">>>>>>>>", "5"},
        {">>>>>>>>", ">5"},
    };

    check(rows, LENGTH(rows));
}

static const CU_TestInfo tests[] = {
    {"times of day", times_of_day},     {"dates", dates},  {"after a time", after_a_time},
    {"without a time", without_a_time}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("log prefix", tests);
