/* SPDX-License-Identifier: MIT */
/* Rows of csv that are long: a recording's texts are cut, and so are rows, but each ends. */
#include "tests/support/made_result.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 1024, ROW = 3 * (2 * TEXT + 2) + 2560 };

#define PREFIX "12.000345678,S0-C1,core,,spr,"

static char wanted[2 * ROW];

/* The row of the verdict, which follows that of a metric; its words are of another test. */
static const char *verdict_of(const char *text, const char *prefix)
{
    const char *at = strchr(text, '\n');

    CU_ASSERT_FATAL(at && !strncmp(at + 1, prefix, strlen(prefix)));
    CU_ASSERT_FATAL(!strncmp(at + 1 + strlen(prefix), "verdict,", 8));
    return at;
}

static const char *rows_of(struct captured *c, struct made_result *m)
{
    struct td_report r = {.format = td_report_format_find("csv"), .verdict = m->verdict};

    r.out = *captured_begin(c);
    r.format->result(&r, &m->r);
    td_report_end(&r, NULL);
    c->out = r.out;
    return captured_text(c);
}

/* Of a scope 1024 bytes are shown, each of which is doubled where it is a quote. */
static void long_scopes(void)
{
    static char scope[TEXT + 2];
    struct made_result m;
    struct captured c;

    for (size_t n = TEXT - 1; n <= TEXT + 1; n++) {
        const size_t shown = n < TEXT ? n : TEXT;

        made_begin(&m);
        memset(scope, '"', n);
        scope[n] = '\0';
        m.r.at.scope = scope;
        m.r.nmetrics = 0;
        strcpy(wanted, "12.000345678,");
        memset(wanted + 13, '"', 2 * shown + 2);
        strcpy(wanted + 13 + 2 * shown + 2, ",core,,spr,verdict,");
        CU_ASSERT(!strncmp(rows_of(&c, &m), wanted, strlen(wanted)));
        captured_end(&c);
    }
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
        text = rows_of(&c, &m);
        snprintf(wanted, sizeof(wanted), PREFIX "%s,%s\n", m.metric[0].name, of[i].rest);
        CU_ASSERT_EQUAL(strlen(wanted), ROW + 1);
        CU_ASSERT_PTR_EQUAL(verdict_of(text, PREFIX), text + ROW);
        CU_ASSERT(!strncmp(text, wanted, strlen(wanted)));
        captured_end(&c);
    }
}

/* A row has room for three texts of the most, all of them quotes: its scope, what it is about, and its file. */
static void whole(void)
{
    static char quotes[TEXT + 2], quoted[2 * TEXT + 3];
    struct made_result m;
    struct td_report r = {.format = td_report_format_find("csv"), .file = quotes};
    struct captured c;
    const char *text;

    made_begin(&m);
    memset(quotes, '"', TEXT + 1);
    memset(quoted, '"', 2 * TEXT + 2);
    m.r.at.scope = quotes;
    m.r.nmetrics = 1;
    m.metric[0].name = quoted;
    m.metric[0].value = 0.5;
    r.verdict = m.verdict;
    r.out = *captured_begin(&c);
    r.format->result(&r, &m.r);
    td_report_end(&r, NULL);
    c.out = r.out;
    text = captured_text(&c);
    snprintf(wanted, sizeof(wanted), "12.000345678,%s,core,,spr,%s,0.500000,", quoted, quoted);
    CU_ASSERT(!strncmp(text, wanted, strlen(wanted)));
    snprintf(wanted, sizeof(wanted), ",%s\n", quoted);
    text = strchr(text, '\n') + 1 - strlen(wanted);
    CU_ASSERT(!strncmp(text, wanted, strlen(wanted)));
    captured_end(&c);
}

static const CU_TestInfo tests[] = {
    {"long scopes", long_scopes}, {"rows that are cut", cut}, {"three texts of the most", whole}, CU_TEST_INFO_NULL};
UNIT_SUITE("csv of long texts", tests);
