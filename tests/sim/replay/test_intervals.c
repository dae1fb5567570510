/* SPDX-License-Identifier: MIT */
/* Rows of a recording put together: how long each interval took, whose it is, and which of its counts share a group. */
#include "core/core_kind.h"
#include "sim/replay/intervals.h"
#include "tests/support/open_recording.h"
#include "tests/support/pieces.h"

#include <stdlib.h>

/* Each interval as "TIME DURATION LANE", with "s" where its scope is switched, and a line for each batch. */
static void gives(const char *text, const char *wanted)
{
    static struct opened o;
    struct source from = {text, strlen(text), 100, 0};
    struct log l = {.n = 0};
    int err = open_recording(&o, &from, NULL, NULL, NULL);
    const struct td_stream *s = &o.r->stream;

    while (!err && !(err = next_batch(&o))) {
        for (size_t i = 0; i < s->nbatch; i++)
            put(&l, "%s%llu %llu %u%s", i ? ", " : "", (unsigned long long)s->batch[i].at.time,
                (unsigned long long)s->batch[i].at.duration, s->batch[i].lane, s->batch[i].switched ? "s" : "");
        put(&l, "\n");
    }
    if (err != -ENODATA)
        put(&l, "!%s", o.log.error);
    close_recording(&o);
    same_log(&l, wanted, 100);
}

#define AT(time_, event_) time_ ",5,," event_ ",9,100.00,,\n"
#define TOOK(time_, ns_) time_ "," ns_ ",ns,duration_time,9,100.00,,\n"

/* An interval takes from the end of the one before, the first from 0; what duration_time counted is more exact. */
static void durations(void)
{
    gives(AT("1.500000000", "a") AT("1.500000000", "b") AT("2.000000000", "a") AT("4.250000000", "a"),
          "1500000000 1500000000 0\n2000000000 500000000 0\n4250000000 2250000000 0\n");
    gives(AT("1.500000000", "a") TOOK("1.500000000", "1400000000") AT("2.000000000", "a")
              TOOK("3.000000000", "900000000") AT("3.000000000", "a"),
          "1500000000 1400000000 0\n2000000000 500000000 0\n3000000000 900000000 0\n");
    gives(AT("1.000000000", "a") TOOK("1.000000000", "0"), "1000000000 1000000000 0\n");
    gives(AT("1.000000000", "a") TOOK("1.000000000", "<not counted>"), "1000000000 1000000000 0\n");
    gives(AT("1.000000000", "a") TOOK("1.000000000", "1"), "1000000000 1 0\n");
    /* the first that was counted, of several scopes; all intervals of one time took as long */
    gives("1.000000000,CPU0,5,,a,9,100.00,,\n1.000000000,CPU1,7,ns,duration_time,9,100.00,,\n"
          "1.000000000,CPU2,8,ns,duration_time,9,100.00,,\n",
          "1000000000 7 4, 1000000000 7 8, 1000000000 7 12\n");
    /* without times */
    gives("5,,a,9,100.00,,\n7,ns,duration_time,9,100.00,,\n", "0 7 0\n");
    gives("5,,a,9,100.00,,\n", "0 0 0\n");
    /* the longest that has a number of 64 bits; what is longer, or negative, says nothing */
    gives(AT("1.000000000", "a") TOOK("1.000000000", "9223372036854774784"),
          "1000000000 9223372036854774784 0\n"); /* 2^63 - 1024: the double before 2^63 */
    gives(AT("1.000000000", "a") TOOK("1.000000000", "9223372036854775808"), "1000000000 1000000000 0\n");
    gives(AT("1.000000000", "a") TOOK("1.000000000", "18446744073709551615"), "1000000000 1000000000 0\n");
    gives("  5   slots\n\n       0.500000000 seconds time elapsed\n", "0 500000000 0\n");
    /* a further recording begins at 0 again */
    gives("     1.000000000    5   slots\n     0.400000000    6   slots\n     0.600000000    6   slots\n",
          "1000000000 1000000000 0\n400000000 400000000 0\n600000000 200000000 0\n");
}

#define STARTED "# started on Thu Nov 26 10:00:00 2026\n\n"

/* The first interval of a further recording that perf appended begins at 0, whether it ends after the last one of the
 * recording before, at the same time, or before it. */
static void appended(void)
{
    static const struct {
        const char *time, *ns;
    } rows[] = {{"2.500000000", "2500000000"}, {"2.000000001", "2000000001"}, {"2.000000000", "2000000000"},
                {"1.999999999", "1999999999"}, {"0.000000001", "1"},          {"0.000000000", "0"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[400], wanted[200];

        snprintf(text, sizeof(text),
                 STARTED AT("1.500000000", "a") AT("2.000000000", "a") STARTED AT("%s", "a") AT("3.000000000", "a"),
                 rows[i].time);
        snprintf(wanted, sizeof(wanted),
                 "1500000000 1500000000 0\n2000000000 500000000 0\n%s %s 0\n3000000000 %lld 0\n", rows[i].ns,
                 rows[i].ns, 3000000000 - strtoll(rows[i].ns, NULL, 10));
        gives(text, wanted);
    }
    gives(STARTED "     1.000000000    5   slots\n" STARTED "     3.000000000    6   slots\n",
          "1000000000 1000000000 0\n3000000000 3000000000 0\n");
    gives(STARTED AT("1.000000000", "a") STARTED AT("3.000000000", "a") TOOK("3.000000000", "2900000000"),
          "1000000000 1000000000 0\n3000000000 2900000000 0\n");
}

/* Lanes are numbered by scope, and in it by kind of core; threads and cgroups are switched. */
static void lanes(void)
{
    CU_ASSERT_EQUAL_FATAL(TD_CORES, 4);
    gives("CPU0,5,,cpu_atom/x/,9,100.00,,\nCPU0,5,,cpu_core/slots/,9,100.00,,\nCPU0,5,,y,9,100.00,,\n",
          "0 0 4, 0 0 5, 0 0 6\n");
    gives("a-1,5,,x,9,100.00,,\nCPU0,5,,x,9,100.00,,\n6,,x,9,100.00,,\n7,,x,/c,9,100.00,,\nS0,2,5,,x,9,100.00,,\n",
          "0 0 0, 0 0 4s, 0 0 8, 0 0 12s, 0 0 16\n");
}

/* Of so many events, all twice, the second ones are in another group, whichever word of bits an event is in. */
static void groups(void)
{
    static const unsigned most[] = {1, 63, 64, 65, 127, 128, 129, 200}; /* none is a multiple of 11 */

    for (size_t k = 0; k < sizeof(most) / sizeof(*most); k++) {
        static struct opened o;
        static char text[32000];
        struct source from = {text, 0, 4096, 0};
        const struct td_counts *c;

        for (unsigned i = 0; i < 2 * most[k]; i++)
            from.left += (size_t)snprintf(text + from.left, sizeof(text) - from.left, "%u,,ev%u,9,100.00,,\n", i,
                                          (i % most[k]) * 11 % most[k]);
        CU_ASSERT_FATAL(!open_recording(&o, &from, NULL, NULL, NULL) && !next_batch(&o));
        c = &o.r->stream.batch[0].counts;
        CU_ASSERT_EQUAL_FATAL(c->n, 2 * most[k]);
        for (unsigned i = 0; i < c->n; i++)
            if ((c->c[i].group == c->c[0].group) != (c->c[i].value < most[k]))
                CU_FAIL("a count is in another group");
        close_recording(&o);
    }
}

/* Opens a recording of so many events, of which one comes again: its copy alone is in another group. */
static void one_again(unsigned events, unsigned again)
{
    static struct opened o;
    static char text[32000];
    struct source from = {text, 0, 4096, 0};
    const struct td_counts *c;

    for (unsigned i = 0; i <= events; i++)
        from.left += (size_t)snprintf(text + from.left, sizeof(text) - from.left, "%u,,ev%u,9,100.00,,\n", i,
                                      i < events ? i : again);
    CU_ASSERT_FATAL(!open_recording(&o, &from, NULL, NULL, NULL) && !next_batch(&o));
    c = &o.r->stream.batch[0].counts;
    CU_ASSERT_EQUAL_FATAL(c->n, events + 1);
    for (unsigned i = 1; i < events; i++)
        CU_ASSERT_EQUAL(c->c[i].group, c->c[0].group);
    CU_ASSERT_EQUAL(c->c[events].group, c->c[0].group + 1);
    close_recording(&o);
}

/* Whichever bit of whichever word the event has that repeats. */
static void repeats(void)
{
    static const unsigned events[] = {1, 2, 63, 64, 65, 66, 127, 128, 129, 192, 193};

    for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
        one_again(events[i], events[i] - 1);
    one_again(1026, 1000);
}

/* After an event that repeats, none of the others has been in the new group. */
static void groups_begin_empty(void)
{
    static struct opened o;
    static const char text[] = "1,,a,9,100.00,,\n2,,b,9,100.00,,\n3,,b,9,100.00,,\n4,,a,9,100.00,,\n5,,a,9,100.00,,\n";
    struct source from = {text, sizeof(text) - 1, 100, 0};
    const struct td_counts *c;

    CU_ASSERT_FATAL(!open_recording(&o, &from, NULL, NULL, NULL) && !next_batch(&o));
    c = &o.r->stream.batch[0].counts;
    CU_ASSERT_EQUAL_FATAL(c->n, 5);
    for (unsigned i = 0; i < 5; i++)
        CU_ASSERT(c->c[i].group == i / 2 && c->c[i].value == i + 1 && c->c[i].status == TD_OK);
    close_recording(&o);
}

/* What never ran was not counted. */
static void not_counted(void)
{
    static struct opened o;
    static const char text[] = "0,,a,0,100.00,,\n0,,b,9,100.00,,\n<not supported>,,c,0,100.00,,\n";
    static const enum td_status wanted[] = {TD_NOT_COUNTED, TD_OK, TD_NOT_SUPPORTED};
    struct source from = {text, sizeof(text) - 1, 100, 0};
    const struct td_counts *c;

    CU_ASSERT_FATAL(!open_recording(&o, &from, NULL, NULL, NULL) && !next_batch(&o));
    c = &o.r->stream.batch[0].counts;
    CU_ASSERT_EQUAL_FATAL(c->n, 3);
    for (unsigned i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(c->c[i].status, wanted[i]);
    close_recording(&o);
}

/* Each interval has the groups of the one before, as the same events come in the same order. */
static void groups_again(void)
{
    static struct opened o;
    static const char text[] = AT("1.000000000", "a") AT("1.000000000", "b") AT("1.000000000", "a")
        AT("2.000000000", "a") AT("2.000000000", "b") AT("2.000000000", "a");
    struct source from = {text, sizeof(text) - 1, 100, 0};

    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct td_counts *c;

        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        c = &o.r->stream.batch[0].counts;
        CU_ASSERT_EQUAL_FATAL(c->n, 3);
        CU_ASSERT(c->c[0].group == 0 && c->c[1].group == 0 && c->c[2].group == 1);
    }
    CU_ASSERT_EQUAL(next_batch(&o), -ENODATA);
    close_recording(&o);
}

/* Runs of different events that were appended to each other have groups of their own; one of the same events has those
 * of the first. */
static void groups_of_runs(void)
{
    static struct opened o;
    static const char text[] = STARTED AT("1.000000000", "a") AT("1.000000000", "a") STARTED AT("1.000000000", "b")
        STARTED AT("1.000000000", "a") AT("1.000000000", "a");
    static const uint16_t wanted[3][2] = {{0, 1}, {2, 0}, {0, 1}};
    struct source from = {text, sizeof(text) - 1, 100, 0};

    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct td_counts *c;

        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        c = &o.r->stream.batch[0].counts;
        CU_ASSERT_EQUAL_FATAL(c->n, i == 1 ? 1 : 2);
        for (size_t k = 0; k < c->n; k++)
            CU_ASSERT_EQUAL(c->c[k].group, wanted[i][k]);
    }
    CU_ASSERT_EQUAL(next_batch(&o), -ENODATA);
    close_recording(&o);
}

#define BAD(time_) time_ ",5,,a,x,100.00,,\n"

/* An interval comes before the error of the row after it where it lacks nothing: the row has another time, or the
 * interval has as many rows as the one before. The error's text comes with the error. */
static void errors(void)
{
    static const struct {
        const char *text;
        unsigned given;
        const char *where;
    } rows[] = {
        {AT("1.000000000", "a") AT("2.000000000", "a") BAD("3.000000000"), 2, "f:3: "},
        {AT("1.000000000", "a") BAD("2.000000000"), 1, "f:2: "},
        {AT("1.000000000", "a") BAD("1.000000000"), 0, "f:2: "},
        {AT("1.000000000", "a") AT("1.000000000", "b") AT("2.000000000", "a") AT("2.000000000", "b") BAD("2.000000000"),
         2, "f:5: "},
        {AT("1.000000000", "a") AT("1.000000000", "b") AT("2.000000000", "a") BAD("2.000000000"), 1, "f:4: "},
        {AT("1.000000000", "a") AT("1.000000000", "b") AT("2.000000000", "a") AT("2.000000000", "b")
             AT("2.000000000", "c") BAD("2.000000000"),
         2, "f:6: "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static struct opened o;
        struct source from = {rows[i].text, strlen(rows[i].text), 100, 0};

        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
        for (unsigned k = 0; k < rows[i].given; k++) {
            CU_ASSERT_EQUAL(next_batch(&o), 0);
            CU_ASSERT_STRING_EQUAL(o.log.error, "");
        }
        for (unsigned k = 0; k < 2; k++) { /* and again, whenever it is asked for */
            CU_ASSERT_EQUAL(next_batch(&o), -EBADMSG);
            CU_ASSERT(!strncmp(o.log.error, rows[i].where, strlen(rows[i].where)));
        }
        close_recording(&o);
    }
}

/* One scope has up to 4096 counts at one time. */
static void too_many(void)
{
    static const char *const times[] = {"", "1.000000000,"};

    for (size_t t = 0; t < sizeof(times) / sizeof(*times); t++)
        for (unsigned n = 4096; n <= 4097; n++) {
            static struct opened o;
            static char text[200000];
            struct source from = {text, 0, 4096, 0};

            for (unsigned i = 0; i < n; i++)
                from.left += (size_t)snprintf(text + from.left, sizeof(text) - from.left, "%s5,,ev%u,9,100.00,,\n",
                                              times[t], i % 4095);
            CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
            CU_ASSERT_EQUAL(next_batch(&o), n > 4096 ? -EBADMSG : 0);
            CU_ASSERT_STRING_EQUAL(o.log.error, n == 4096   ? ""
                                                : *times[t] ? "f:4097: more than 4096 events at one time"
                                                            : "f:4097: more than 4096 events at one time "
                                                              "(was -I's time column lost?)");
            close_recording(&o);
        }
}

/* ---- rows that are given one by one -------------------------------------------------------------- */

/* What a reader gives: a row, or with an error as much as was read of one. The last one is given again and again. */
struct given {
    struct td_row row;
    int err;
};

struct reader {
    struct td_recording r; /* first: it is found by it */
    const struct given *next;
};

static int next_row(struct td_recording *r, struct td_row *out)
{
    struct reader *reader = (struct reader *)r;
    const struct given *g = reader->next;

    reader->next += g->err != -ENODATA;
    *out = g->row;
    return g->err;
}

/* Each interval as "VALUE:GROUP " of its counts, and "| "; at the end the error, twice if it is given once more. Texts
 * 0 to 2 are events. */
static void gathers(const struct given *given, const char *wanted)
{
    struct td_log own_log = {.note = NULL};
    struct reader reader = {.r = {.log = &own_log, .stream.name = "f", .bytes.line = 7}, .next = given};
    struct td_recording *r = &reader.r;
    struct td_gather *w = td_gather_new();
    struct log l = {.n = 0};
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    CU_ASSERT_EQUAL(td_gather_system(r, w), 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(td_recording_text(r, &"abc"[i], 1), i);
    while (!(err = td_gather_next(r, w, next_row))) {
        for (size_t i = 0; r->stream.nbatch && i < r->stream.batch[0].counts.n; i++)
            put(&l, "%g:%u ", r->stream.batch[0].counts.c[i].value, r->stream.batch[0].counts.c[i].group);
        put(&l, "| ");
    }
    for (int i = 0; i < 2; i++) {
        put(&l, "%s", err == -ENODATA ? "." : err == -EIO ? "EIO" : own_log.error);
        CU_ASSERT_EQUAL(td_gather_next(r, w, next_row), err);
    }
    same_log(&l, wanted, 0);
    td_gather_free(w);
    td_stream_free(&r->stream);
}

#define ROW(value_, text_, ...) \
    { \
        {.value = (value_), .text = (text_), .enabled = 1, .running = 1, __VA_ARGS__}, 0 \
    }
#define TIME(time_) .has_time = true, .time = (time_)
#define FAIL(err_, ...) \
    { \
        {__VA_ARGS__}, err_ \
    }
#define END FAIL(-ENODATA, .more = false)
#define ROWS(...) \
    (const struct given[]) \
    { \
        __VA_ARGS__, END \
    }

/* An interval ends with its time, with its run, and where the reader says that all before is whole. */
static void ends_of_intervals(void)
{
    gathers(ROWS(ROW(1, 0, TIME(5)), ROW(2, 1, TIME(5)), ROW(3, 0, TIME(6))), "1:0 2:0 | 3:0 | ..");
    gathers(ROWS(ROW(1, 0, TIME(0)), ROW(2, 1, .more = false)), "1:0 | 2:0 | ..");
    gathers(ROWS(ROW(1, 0, TIME(5)), ROW(2, 0, TIME(5), .new_run = true), ROW(3, 1, TIME(5))), "1:0 | 2:1 3:1 | ..");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EAGAIN, TIME(5)), ROW(2, 1, TIME(5))), "1:0 | 2:0 | ..");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EAGAIN, TIME(5)), ROW(2, 1, TIME(5)), FAIL(-EAGAIN, TIME(5))),
            "1:0 | 2:0 | ..");
}

/* What comes before an error is given where it is whole: the row after it has another time or is of another run, or the
 * interval has as many rows as the one before. */
static void before_errors(void)
{
    gathers(ROWS(FAIL(-EIO, TIME(5))), "EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EIO, TIME(6))), "1:0 | EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EIO, TIME(5))), "EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EIO, .time = 6)), "EIOEIO");
    gathers(ROWS(ROW(1, 0, .time = 5), FAIL(-EIO, TIME(6))), "EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), FAIL(-EIO, TIME(5), .new_run = true)), "1:0 | EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), ROW(2, 0, TIME(6)), FAIL(-EIO, TIME(6))), "1:0 | 2:0 | EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), ROW(2, 1, TIME(5)), ROW(3, 0, TIME(6)), FAIL(-EIO, TIME(6))), "1:0 2:0 | EIOEIO");
    gathers(ROWS(ROW(1, 0, TIME(5)), ROW(2, 0, TIME(6)), ROW(3, 1, TIME(6)), FAIL(-EIO, TIME(6))),
            "1:0 | 2:0 3:0 | EIOEIO");
}

#define OF(first_, most_) .first_group = (first_), .groups = (most_)

/* Where the reader says which groups a row can be in, an event may come as often as there are groups, and the numbers
 * stay as they are. */
static void numbered_groups(void)
{
    static const char too_often[] = "f:7: an event occurs more than 2 times in one run";
    char wanted[200];

    gathers(ROWS(ROW(1, 0, OF(0, 2)), ROW(2, 1, OF(0, 2)), ROW(3, 0, OF(0, 2)), ROW(4, 0, OF(4, 2)),
                 ROW(5, 1, OF(4, 2)), ROW(6, 0, OF(4, 2)), ROW(7, 0, OF(6, 1))),
            "1:0 2:0 3:1 4:4 5:4 6:5 7:6 | ..");
    gathers(ROWS(ROW(1, 0, OF(4, 2)), ROW(2, 0, OF(4, 2), .new_run = true), ROW(3, 1, OF(6, 2), .new_run = true)),
            "1:4 | 2:4 | 3:6 | ..");
    snprintf(wanted, sizeof(wanted), "%s%s", too_often, too_often);
    gathers(ROWS(ROW(1, 0, OF(4, 2)), ROW(2, 0, OF(4, 2)), ROW(3, 0, OF(4, 2))), wanted);
}

/* Further metrics belong to the row before them; an error of theirs comes with them, or with the next row. */
static void further_metrics(void)
{
    struct td_log own_log = {.note = NULL};
    struct reader reader = {.r = {.log = &own_log, .stream.name = "f"}};
    struct td_recording *r = &reader.r;
    struct td_gather *w = td_gather_new();
    const uint32_t one = td_hints_one(&r->stream.hints, 3), other = td_hints_one(&r->stream.hints, 5);
    const struct given given[] = {ROW(1, 0, .printed = one), ROW(2, 1, .printed = one),
                                  ROW(0, 0, .more = true, .printed = other), ROW(3, 0, TIME(1)), END};
    const uint16_t *member;
    const struct td_count *c;

    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    CU_ASSERT(!td_gather_system(r, w) && !td_recording_text(r, "a", 1) && td_recording_text(r, "b", 1) == 1);
    reader.next = given;
    CU_ASSERT_EQUAL_FATAL(td_gather_next(r, w, next_row), 0);
    CU_ASSERT_EQUAL_FATAL(r->stream.batch[0].counts.n, 2);
    c = r->stream.batch[0].counts.c;
    CU_ASSERT(c[0].printed == one && c[0].value == 1 && c[1].value == 2);
    CU_ASSERT_EQUAL_FATAL(td_hints_members(&r->stream.hints, c[1].printed, &member), 2);
    CU_ASSERT(member[0] == 3 && member[1] == 5);
    r->stream.hints.err = -ENOMEM;
    CU_ASSERT_EQUAL(td_gather_next(r, w, next_row), -ENOMEM);
    td_gather_free(w);
    td_stream_free(&r->stream);
}

static const CU_TestInfo tests[] = {
    {"how long intervals took", durations},
    {"how long those of a further recording took", appended},
    {"lanes", lanes},
    {"groups of many events", groups},
    {"the last of many events repeats", repeats},
    {"groups begin empty", groups_begin_empty},
    {"what was not counted", not_counted},
    {"groups of each interval", groups_again},
    {"groups of runs that were appended", groups_of_runs},
    {"errors after an interval", errors},
    {"too many events at one time", too_many},
    {"ends of intervals", ends_of_intervals},
    {"before errors", before_errors},
    {"groups that the reader numbers", numbered_groups},
    {"further metrics", further_metrics},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("intervals of rows", tests);
