/* SPDX-License-Identifier: MIT */
/* Rows of csv that are long: a recording's texts are cut, the rest is whole, and a row always ends. */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 1024, PATH = 4096, ROW = 16384 };

#define PREFIX "12.000345678,S0-C1,core,,spr,"

static char wanted[4 * ROW];

/* Appends a byte so often. */
static void repeat(size_t n, char byte)
{
    const size_t at = strlen(wanted);

    memset(wanted + at, byte, n);
    wanted[at + n] = '\0';
}

/* The row of the verdict, which follows that of a metric; its words are of another test. */
static const char *verdict_of(const char *text, const char *prefix)
{
    const char *at = strchr(text, '\n');

    CU_ASSERT_FATAL(at && !strncmp(at + 1, prefix, strlen(prefix)));
    CU_ASSERT_FATAL(!strncmp(at + 1 + strlen(prefix), "verdict,", 8));
    return at;
}

/* What csv has of the first metric, and of the counts. */
static const char *rows_of(struct captured *c, struct made_result *m, const char *file, bool counts)
{
    struct td_report r = {
        .format = td_report_format_find("csv"), .file = file, .counts = counts, .verdict = m->verdict};

    r.out = *captured_begin(c);
    r.format->result(&r, &m->r);
    td_report_end(&r, NULL);
    c->out = r.out;
    return captured_text(c);
}

/* The longest texts that there may be, of which each byte is doubled: a scope, an event and a path, in quotes. */
static void longest(void)
{
    static char scope[TEXT + 2], event[TEXT + 1], file[PATH];
    const char *const texts[] = {event};
    struct made_result m;
    struct captured c;
    const char *last;

    made_begin(&m);
    memset(scope, '"', TEXT + 1);
    memset(event, '"', TEXT);
    memset(file, '"', PATH - 1);
    m.r.at.scope = scope;
    m.r.nmetrics = 0;
    m.r.texts = texts;
    m.counts.n = 1;
    strcpy(wanted, "12.000345678,");
    repeat(2 * TEXT + 2, '"'); /* one byte more than 1024 is cut */
    strcat(wanted, ",core,,spr,");
    repeat(2 * TEXT + 2, '"');
    strcat(wanted, ",1234567.000000,count,,,0.500000,ok,,,,,0.250000000,,,,");
    repeat(2 * (PATH - 1) + 2, '"');
    strcat(wanted, "\n");
    last = strchr(rows_of(&c, &m, file, true), '\n');
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_STRING_EQUAL(last + 1, wanted);
    captured_end(&c);
}

/* A name that leaves so many bytes of the row. */
static const char *name_before(size_t left)
{
    static char name[ROW + 1];
    const size_t n = ROW - strlen(PREFIX) - 1 - left;

    memset(name, 'n', n);
    name[n] = '\0';
    return name;
}

/* What does not fit is cut off: of a number, of a name, of a separator. The row ends, and the next begins with the
 * columns that they share. */
static void cut(void)
{
    static const struct {
        double value;
        size_t left;
        const char *rest;
    } of[] = {{0.5, 8, "0.500000"}, {0.5, 2, "0."}, {-0.5, 3, "-0."}, {1234.5, 2, "12"}, {1e300, 1, "1"}, {0.5, 0, ""}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct made_result m;
        struct captured c;
        const char *text;

        made_begin(&m);
        m.r.nmetrics = 1;
        m.metric[0].name = name_before(of[i].left);
        m.metric[0].value = of[i].value;
        text = rows_of(&c, &m, NULL, false);
        snprintf(wanted, sizeof(wanted), PREFIX "%s,%s\n", m.metric[0].name, of[i].rest);
        CU_ASSERT_EQUAL(strlen(wanted), ROW + 1);
        CU_ASSERT_PTR_EQUAL(verdict_of(text, PREFIX), text + ROW);
        CU_ASSERT(!strncmp(text, wanted, strlen(wanted)));
        captured_end(&c);
    }
}

static const CU_TestInfo tests[] = {{"the longest rows", longest}, {"rows that are cut", cut}, CU_TEST_INFO_NULL};
UNIT_SUITE("csv of long texts", tests);
