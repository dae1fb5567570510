/* SPDX-License-Identifier: MIT */
/* perf.data of perf stat record at its limits, which a file would have to be large to reach: it is read as if so much
 * had been before. And what its first bytes are. */
#include "tests/support/open_recording.h"
#include "tests/support/perf_file.h"

#include <stdio.h>

enum { ROUNDS = 4, EVENTS_HERE = 3, ABLE = 2 };

static struct opened o;
static char notes[1024];

static void keep_note(void *ctx, const char *text)
{
    (void)ctx;
    snprintf(notes + strlen(notes), sizeof(notes) - strlen(notes), "%s\n", text);
}

/* Rounds of two events that are counted on two CPUs, each a scope of its own, and of one that cannot be. */
static struct td_perf_data *opened(void)
{
    static struct file *f;
    static struct source from;

    f = begin();
    head(f), config(f, 0), update(f, 1, 11, NULL, 2);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        for (uint32_t cpu = 0; cpu < 2; cpu++)
            count(f, 11 + cpu, cpu, 0, 10 * i, i, i), count(f, 21 + cpu, cpu, 0, 20 * i, i, i);
        end_of_round(f, 0, 1000 * i);
    }
    finish(f);
    from = (struct source){(const char *)f->b, f->n, f->n, 0};
    *notes = '\0';
    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, keep_note, NULL), 0);
    return td_perf_data_of(o.r);
}

/* Each scope takes room for all events. */
static void counters(void)
{
    for (size_t above = 0; above < 2; above++) {
        int err;

        opened()->nslots = TD_PERF_COUNTERS_MAX - 2 * EVENTS_HERE + above;
        err = next_batch(&o);
        CU_ASSERT_EQUAL(err, above ? -EBADMSG : 0);
        CU_ASSERT_EQUAL(strstr(o.log.error, "more than 262144 counters") != NULL, above);
        close_recording(&o);
    }
}

/* So many rows more of events that cannot be counted are given: one of each interval, of which there are 8. */
static void unable(size_t more)
{
    size_t intervals = 0, rows = 0;

    opened()->nunable = TD_PERF_UNABLE_MAX - more;
    while (!next_batch(&o))
        for (size_t i = 0; i < o.r->stream.nbatch; i++, intervals++)
            rows += o.r->stream.batch[i].counts.n - ABLE;
    CU_ASSERT(intervals == 2 * ROUNDS && rows == (more < intervals ? more : intervals));
    if (more < intervals) {
        const char *note = strstr(notes, "the events that could not be counted are left out from here on: they took "
                                         "4194304 rows");

        CU_ASSERT(note && !strstr(note + 1, "the events that could")); /* it is noted once */
    } else {
        CU_ASSERT_PTR_NULL(strstr(notes, "left out"));
    }
    close_recording(&o);
}

static void rows(void)
{
    unable(0);
    unable(1);
    unable(3);
    unable(7);
    unable(8);
    unable(9);
}

/* One counter of a sum ran all the time; the other was enabled and ran for so many ns, in which it counted 5. */
static void least_times(void)
{
    static const struct {
        uint64_t enabled, running;
        enum td_status status;
        double value;
    } of[] = {{1, 1, TD_OK, 13},         {2, 1, TD_OK, 18}, {1, 2, TD_OK, 13},
              {1, 0, TD_NOT_COUNTED, 0}, {0, 0, TD_OK, 8},  {0, 1, TD_OK, 13}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct file *f = begin();
        struct source from;
        const struct td_count *c;

        head(f), config(f, 1);
        count(f, 11, 0, 0, 8, 9, 9), count(f, 12, 1, 0, 5, of[i].enabled, of[i].running);
        end_of_round(f, 0, 1000);
        finish(f);
        from = (struct source){(const char *)f->b, f->n, f->n, 0};
        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
        c = &o.r->stream.batch[0].counts.c[0];
        CU_ASSERT_EQUAL(c->status, of[i].status);
        CU_ASSERT_EQUAL(c->value, of[i].value);
        CU_ASSERT(c->status || c->running == 9 + (double)of[i].running);
        close_recording(&o);
    }
}

static void first_bytes(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        bool known;
    } of[] = {
        {"PERFILE2xxxxxxxx", 16, true},
        {"2ELIFREPxxxxxxxx", 16, true},
        {"PERFFILExxxxxxxx", 16, true},
        {"PERFILE2", 8, true},
        {"2ELIFREP", 8, true},
        {"PERFFILE", 8, true},
        {"PERFILE2", 7, false},
        {"2ELIFREP", 7, false},
        {"PERFFILE", 7, false},
        {"PERFILE3", 8, false},
        {"2ELIFREQ", 8, false},
        {"PERFFILF", 8, false},
        {"", 0, false},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        CU_ASSERT_EQUAL(td_reader_perf_data.sniff_bytes(of[i].bytes, of[i].n), of[i].known);
}

static const CU_TestInfo tests[] = {
    {"the shortest times", least_times}, {"counters", counters}, {"rows of events that cannot be counted", rows},
    {"first bytes", first_bytes},        CU_TEST_INFO_NULL,
};
UNIT_SUITE("limits of perf.data", tests);
