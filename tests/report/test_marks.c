/* SPDX-License-Identifier: MIT */
/* Marks of text: each flag that text shows has words, and what all rows share stands once. */
#include "report/marks.h"
#include "report/screen.h"

#include "tests/support/unit.h"

#include <string.h>

/* What two flags below a tree look like; the report's state is kept from one to the next. */
static struct td_report report;

static const char *below(const struct td_tree_flags *f)
{
    static char text[1024];
    struct td_held held = {0};

    CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&report.out, td_held_write, &held), 0);
    td_marks_below(&report, f);
    CU_ASSERT_EQUAL(td_output_close(&report.out, true), 0);
    CU_ASSERT_FATAL(held.n < sizeof(text));
    memcpy(text, held.n ? held.text : "", held.n);
    text[held.n] = '\0';
    td_held_free(&held);
    return text;
}

static const char *line(unsigned marks)
{
    static char text[1024];
    struct td_held held = {0};

    CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&report.out, td_held_write, &held), 0);
    td_marks_of_line(&report, marks);
    CU_ASSERT_EQUAL(td_output_close(&report.out, true), 0);
    memcpy(text, held.n ? held.text : "", held.n);
    text[held.n] = '\0';
    td_held_free(&held);
    return text;
}

/* Only those that text says otherwise have none: "no bounds", and what is in the name of the formula. */
static void words(void)
{
    char plain[TD_FLAG_WORDS], likely[TD_FLAG_WORDS];

    for (unsigned flag = 1; td_flag_name(flag); flag <<= 1)
        CU_ASSERT_EQUAL(!td_flag_words(flag, false, plain),
                        flag == TD_FLAG_NO_BOUNDS || flag == TD_FLAG_CORRECTION_MISSING);
    CU_ASSERT_STRING_NOT_EQUAL(td_flag_words(TD_FLAG_SUM_OFF, true, likely),
                               td_flag_words(TD_FLAG_SUM_OFF, false, plain));
    CU_ASSERT(strlen(likely) + 1 < TD_FLAG_WORDS);
}

/* A status names its event, cut to its room. */
static void statuses(void)
{
    char buf[TD_STATUS_TEXT + 8], event[2 * TD_STATUS_TEXT];
    struct td_metric m = {.status = TD_MISSING_EVENT, .event = event};

    memset(buf, 'x', sizeof(buf));
    memset(event, 'e', sizeof(event) - 1);
    event[sizeof(event) - 1] = '\0';
    CU_ASSERT_EQUAL(strlen(td_status_text(&m, buf)), TD_STATUS_TEXT - 1);
    CU_ASSERT(!strncmp(buf, "missing_event:eee", 17) && buf[TD_STATUS_TEXT] == 'x');
    strcpy(event, "A.B");
    CU_ASSERT_STRING_EQUAL(td_status_text(&m, buf), "missing_event:A.B");
    m.status = TD_IMPOSSIBLE;
    CU_ASSERT_STRING_EQUAL(td_status_text(&m, buf), "impossible:A.B");
    m.status = TD_ZERO_DIVISOR;
    CU_ASSERT_STRING_EQUAL(td_status_text(&m, buf), "zero_divisor");
    m.status = TD_MISSING_EVENT;
    m.event = NULL;
    CU_ASSERT_STRING_EQUAL(td_status_text(&m, buf), "missing_event");
}

static void once(void)
{
    struct td_tree_flags f = {.common = TD_FLAG_MULTIPLEXED,
                              .rows = TD_FLAG_SPLIT_GROUPS,
                              .marks = TD_MARK_LIKELY | TD_MARK_LIMITS,
                              .likely = true};

    report = (struct td_report){.width = 0};
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed (counted for part of the time, and scaled up)\n"
                                      "  ! in rows: split_groups (from events that were counted at different times)\n"
                                      "  ~ likely bounds: 95 of 100 hold; > named by the verdict\n");
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed\n");
    f = (struct td_tree_flags){.common = TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS, .marks = TD_MARK_UNBOUNDED};
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed, split_groups\n"
                                      "  no bounds: how far off it may be is not known\n");
    f = (struct td_tree_flags){.common = 0};
    CU_ASSERT_STRING_EQUAL(below(&f), "");
}

/* On a narrow screen a sentence goes on in the next line; nothing is cut. */
static void narrow(void)
{
    const struct td_tree_flags f = {.common = TD_FLAG_MULTIPLEXED | TD_FLAG_CPUS_UNKNOWN};

    report = (struct td_report){.width = 70};
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed (counted for part of the time, and scaled up),\n"
                                      "    cpus_unknown (on how many CPUs is not known)\n");
    report.width = 29; /* 2 + 2 + 11 + 2 + 12 */
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed, cpus_unknown\n");
    report.width = 28;
    CU_ASSERT_STRING_EQUAL(below(&f), "  ! multiplexed,\n    cpus_unknown\n");
}

static void lines(void)
{
    report = (struct td_report){.width = 0};
    CU_ASSERT_STRING_EQUAL(line(0), "");
    CU_ASSERT_STRING_EQUAL(line(TD_MARK_UNBOUNDED), "# number?: without bounds\n");
    CU_ASSERT_STRING_EQUAL(line(TD_MARK_UNBOUNDED | TD_MARK_LIKELY), "# ~: by likely bounds, 95 of 100 hold\n");
    CU_ASSERT_STRING_EQUAL(line(TD_MARK_OPEN | TD_MARK_LIKELY), "# node?: may limit; the bounds leave it open\n");
    CU_ASSERT_STRING_EQUAL(line(TD_MARK_LEADS), "# node~: probably; ahead by 15 points or more\n");
    CU_ASSERT_STRING_EQUAL(line(~0u), "");
}

static const CU_TestInfo tests[] = {
    {"words of flags", words},  {"statuses", statuses}, {"each once", once},
    {"narrow screens", narrow}, {"lines", lines},       CU_TEST_INFO_NULL,
};
UNIT_SUITE("marks of text", tests);
