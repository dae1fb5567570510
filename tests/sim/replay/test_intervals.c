/* SPDX-License-Identifier: MIT */
/* Rows of a recording put together: how long each interval took, whose it is, and which of its counts share a group. */
#include "core/core_kind.h"
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
    /* a further recording begins at 0 again */
    gives("     1.000000000    5   slots\n     0.400000000    6   slots\n     0.600000000    6   slots\n",
          "1000000000 1000000000 0\n400000000 400000000 0\n600000000 200000000 0\n");
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

static const CU_TestInfo tests[] = {
    {"how long intervals took", durations},
    {"lanes", lanes},
    {"groups of many events", groups},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("intervals of rows", tests);
