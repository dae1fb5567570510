/* SPDX-License-Identifier: MIT */
/* Records of perf record in the order of their times, and what those say that are no samples: holes, throttling and
 * switches. */
#include "tests/support/memory.h"
#include "tests/support/perf_samples.h"

enum { ID = PERF_SAMPLES_ID, TID = PERF_SAMPLES_TID, OUT = 1 << 13 /* PERF_RECORD_MISC_SWITCH_OUT */ };
enum { FINISHED_ROUND = 68, ID_INDEX = 69 /* enum perf_user_event_type */ };

static struct perf_samples f;

/* Two groups of one event each, whose first counts on CPU 0 and whose second on CPU 1. */
static void begin(void)
{
    perf_samples_begin(&f);
    f.wanted.by = TD_SAMPLES_BY_CPU;
    perf_samples_event(&f, "cycles", 1000);
    perf_samples_event(&f, "instructions", 1000);
}

/* By one of the events; its value is a total, too. */
static void sample_by(unsigned event, unsigned cpu, uint64_t time, uint64_t value)
{
    const uint64_t id = ID + event;
    const uint64_t numbers[] = {id, 0x1234, (uint64_t)TID << 32 | TID, time, cpu, 1, value, value, value, id};

    perf_samples_record(&f, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, numbers, sizeof(numbers) / sizeof(*numbers));
}

static void sample(unsigned cpu, uint64_t time, uint64_t value)
{
    sample_by(cpu, cpu, time, value);
}

/* A record of the kernel of so many numbers, of which the first ones are given, with what each ends with. */
static void record_of(uint32_t type, unsigned misc, unsigned cpu, uint64_t time, const uint64_t *numbers, size_t n,
                      size_t all)
{
    const bool ends = f.p.event[0].flags & PERF_SAMPLES_FLAGS, has_cpu = f.p.event[0].sample_type & PERF_SAMPLE_CPU;

    perf_samples_put(&f, type, 4), perf_samples_put(&f, misc, 2);
    perf_samples_put(&f, 8 + 8 * all + (ends ? 24 : 0) + (ends && has_cpu ? 8 : 0), 2);
    for (size_t i = 0; i < all; i++)
        perf_samples_put(&f, i < n ? numbers[i] : 0, 8);
    if (!ends)
        return;
    perf_samples_put(&f, TID, 4), perf_samples_put(&f, TID, 4), perf_samples_put(&f, time, 8);
    if (has_cpu)
        perf_samples_put(&f, cpu, 8);
    perf_samples_put(&f, ID + cpu, 8);
}

static void record(uint32_t type, unsigned misc, unsigned cpu, uint64_t time, const uint64_t *numbers, size_t n)
{
    record_of(type, misc, cpu, time, numbers, n, n);
}

static void lost(unsigned cpu, uint64_t time, uint64_t n)
{
    record(PERF_RECORD_LOST, 0, cpu, time, (const uint64_t[]){ID + cpu, n}, 2);
}

static void finished_round(void)
{
    perf_samples_record(&f, FINISHED_ROUND, 0, NULL, 0);
}

/* Reads to the end. Of each interval the course, which is the CPU's number, how it began, and what was counted:
 * "0e100 " is the first one of CPU 0, of 100; s: from the sample before, l: over lost ones, t: over throttled ones. */
static int read_all(char out[512])
{
    int err = perf_samples_open(&f);

    *out = '\0';
    while (!err && !(err = td_perf_samples_next(&f.p.recording)))
        for (size_t i = 0; i < f.p.recording.stream.nbatch; i++) {
            const struct td_interval *v = &f.p.recording.stream.batch[i];
            const char start[] = {
                [TD_START_SAMPLE] = 's', [TD_START_ENABLED] = 'e', [TD_START_LOST] = 'l', [TD_START_THROTTLED] = 't'};

            CU_ASSERT_EQUAL(v->counts.n, 1);
            snprintf(out + strlen(out), 512 - strlen(out), "%s%c%.0f ", v->at.scope + 3, start[v->at.start],
                     v->counts.c[0].value);
        }
    return err;
}

/* The intervals, and how many samples are said to be lost. */
static void gives(const char *wanted, uint64_t missing)
{
    char out[512];

    CU_ASSERT_EQUAL(read_all(out), -ENODATA);
    CU_ASSERT_STRING_EQUAL(out, wanted);
    CU_ASSERT_EQUAL(f.p.samples->info.missing, missing);
    CU_ASSERT_PTR_NULL(f.p.buf); /* its memory is given back */
    CU_ASSERT_EQUAL(td_perf_samples_next(&f.p.recording), -ENODATA);
    perf_samples_end(&f);
}

static void fails(const char *why)
{
    char out[512];

    CU_ASSERT_EQUAL(read_all(out), -EBADMSG);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, why));
    perf_samples_end(&f);
}

/* ---- the order ----------------------------------------------------------------------------------------------------
 */

static void order(void)
{
    begin(); /* without passes all is in order */
    sample(0, 3000, 300), sample(1, 2500, 50), sample(0, 1000, 100), sample(0, 2000, 201);
    gives("0e100 0s101 1e50 0s99 ", 0);
    begin(); /* after a pass comes nothing that is earlier than the end of the one before it */
    sample(0, 2000, 200), sample(0, 1000, 100), finished_round();
    sample(0, 3000, 300), sample(1, 1500, 50), finished_round();
    sample(1, 2500, 60);
    gives("0e100 1e50 0s100 1s10 0s100 ", 0);
    begin(); /* of no time that is known: where it is in the file */
    sample(0, 1000, 100), sample(0, UINT64_MAX, 10);
    gives("0e10 0s90 ", 0);
    begin();
    sample(0, UINT64_MAX - 1, 100), sample(0, 5, 10);
    gives("0e10 0s90 ", 0);
}

/* Only samples of a group are any. */
static void none(void)
{
    begin();
    fails("without a sample of a group");
    begin();
    lost(0, 1000, 7);
    fails("without a sample of a group");
}

/* What is whole up to where the file was cut off is used, and that is noted. */
static void cut(void)
{
    for (unsigned missing = 0; missing <= 1; missing++) {
        char out[512];

        begin();
        sample(0, 1000, 100), sample(0, 2000, 200);
        f.p.end -= missing;
        CU_ASSERT_EQUAL(read_all(out), -ENODATA);
        CU_ASSERT_STRING_EQUAL(out, missing ? "0e100 " : "0e100 0s100 ");
        CU_ASSERT_EQUAL(strstr(f.notes, "cut off") != NULL, missing);
        perf_samples_end(&f);
    }
}

/* ---- holes --------------------------------------------------------------------------------------------------------
 */

/* A hole is on its CPU, where that is recorded, and else on any. */
static void holes(void)
{
    for (unsigned i = 0; i < 4; i++) {
        begin();
        if (i & 1)
            for (unsigned k = 0; k < 2; k++)
                f.p.event[k].flags = 0;
        sample(0, 1000, 100), sample(1, 1001, 200);
        if (i & 1)
            finished_round(), finished_round(); /* without times it is where it is in the file */
        if (i & 2)
            record(PERF_RECORD_LOST_SAMPLES, 0, 1, 1500, (const uint64_t[]){9}, 1);
        else
            lost(1, 1500, 9);
        sample(0, 2000, 110), sample(1, 2001, 210);
        gives(i & 1 ? "0e100 1e200 0l10 1l10 " : "0e100 1e200 0s10 1l10 ", 9);
    }
    begin();
    record(PERF_RECORD_LOST, 0, 0, 1000, (const uint64_t[]){ID}, 1);
    fails("a count of lost samples that is cut off");
    begin();
    record(PERF_RECORD_LOST_SAMPLES, 0, 0, 1000, NULL, 0);
    fails("a count of lost samples that is cut off");
}

/* Records of samples that have no CPU. */
static void holes_anywhere(void)
{
    perf_samples_begin(&f);
    for (unsigned i = 0; i < 2; i++)
        perf_samples_event(&f, i ? "two" : "one", 1000)->sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t id = ID + i % 2,
                       numbers[] = {id, 0x1234, (uint64_t)TID << 32 | TID, 1000 + i, 1, 1000 + i, 1000 + i, i + 1, id};

        if (i == 2)
            record(PERF_RECORD_LOST_SAMPLES, 0, 0, 1001, (const uint64_t[]){3}, 1);
        perf_samples_record(&f, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, numbers, 9);
    }
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
    for (unsigned i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL_FATAL(td_perf_samples_next(&f.p.recording), 0);
        CU_ASSERT_EQUAL(f.p.recording.stream.batch[0].at.start, i < 2 ? TD_START_ENABLED : TD_START_LOST);
    }
    perf_samples_end(&f);
}

/* The record of a hole is before the first one after it in the file, whose time it gets if its own is later. */
static void late_holes(void)
{
    begin();
    sample(0, 1000, 100), lost(0, 2500, 1), sample(0, 2000, 200), sample(0, 3000, 300);
    gives("0e100 0l100 0s100 ", 1);
    begin(); /* its own is earlier */
    sample(0, 1000, 100), lost(0, 1500, 1), sample(1, 2000, 50), sample(0, 1800, 200);
    gives("0e100 0l100 1e50 ", 1);
    begin();
    sample(0, 1000, 100), lost(0, 2600, 1), lost(0, 2500, 2), sample(0, 2000, 200), sample(0, 3000, 300);
    gives("0e100 0l100 0l100 ", 3); /* the first of two gets the second's */
    begin();
    sample(0, 1000, 100), lost(0, 2500, 4);
    gives("0e100 ", 4);
    for (size_t n = 11; n <= 13; n++) { /* with its end 128 bytes are 16 numbers; what is longer is not kept back */
        begin();
        sample(0, 1000, 100);
        record_of(PERF_RECORD_LOST, 0, 0, 2500, (const uint64_t[]){ID, 1}, 2, n);
        sample(0, 2000, 200), sample(0, 3000, 300);
        gives(n <= 12 ? "0e100 0l100 0s100 " : "0e100 0s100 0l100 ", 1);
    }
    begin();
    sample(0, 1000, 100);
    record_of(PERF_RECORD_LOST_SAMPLES, 0, 0, 2500, (const uint64_t[]){5}, 1, 12);
    sample(0, 2000, 200), sample(0, 3000, 300);
    gives("0e100 0l100 0s100 ", 5);
}

/* ---- throttling ---------------------------------------------------------------------------------------------------
 */

static void throttles(void)
{
    begin();
    sample(0, 1000, 100), sample(1, 1001, 100);
    record(PERF_RECORD_THROTTLE, 0, 0, 1500, (const uint64_t[]){1500, ID, ID + 1}, 3);
    record(PERF_RECORD_THROTTLE, 0, 0, 1500, (const uint64_t[]){1500, ID + 2, ID + 1}, 3); /* of no counter */
    sample(0, 2000, 200), sample(1, 2001, 200), sample(0, 3000, 300), sample(1, 3001, 300);
    gives("0e100 1e100 0s100 1s100 0t100 1s100 ", 0);
    begin();
    sample(0, 1000, 100);
    record(PERF_RECORD_THROTTLE, 0, 1, 1500, (const uint64_t[]){1500, ID}, 2);
    f.p.counter[0].held_tid = 7;
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
    CU_ASSERT_EQUAL(td_perf_samples_next(&f.p.recording), 0);
    CU_ASSERT_FALSE(f.p.counter[0].held);
    CU_ASSERT_EQUAL(td_perf_samples_next(&f.p.recording), -ENODATA);
    CU_ASSERT(f.p.counter[0].held && f.p.counter[0].held_tid == TID);
    perf_samples_end(&f);
    begin();
    record(PERF_RECORD_THROTTLE, 0, 0, 1500, (const uint64_t[]){1500}, 1);
    fails("a THROTTLE that is cut off");
}

/* ---- switches -----------------------------------------------------------------------------------------------------
 */

static void switch_to(uint64_t time, unsigned misc, uint64_t tid)
{
    record(15 /* SWITCH_CPU_WIDE */, misc, 0, time, (const uint64_t[]){tid << 32 | tid}, 1);
}

/* The share of the samples' thread in the last of three intervals on CPU 0: from 2000 to 3000 ns it is there from 2250
 * to 2500 and from 2750 on. first, second: types of the events; flags: theirs. */
static double own(uint64_t first, uint64_t second, uint64_t flags, unsigned misc)
{
    double share;

    begin();
    f.p.event[0].sample_type = first, f.p.event[1].sample_type = second;
    f.p.event[0].flags = f.p.event[1].flags = flags;
    sample_by(1, 0, 1000, 100);
    switch_to(1500, misc, TID);
    sample_by(1, 0, 2000, 200);
    switch_to(2000, misc, 9), switch_to(2250, misc, TID), switch_to(2500, misc, 9), switch_to(2750, misc, TID);
    sample_by(1, 0, 3000, 300);
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
    for (unsigned i = 0; i < 3; i++)
        CU_ASSERT_EQUAL_FATAL(td_perf_samples_next(&f.p.recording), 0);
    share = f.p.recording.stream.batch[0].at.own;
    perf_samples_end(&f);
    return share;
}

/* Switches are of the CPU that their record ends with, if it does. */
static void switches(void)
{
    const uint64_t all = PERF_SAMPLES_TYPE, no_cpu = all & ~(uint64_t)PERF_SAMPLE_CPU;

    CU_ASSERT_EQUAL(own(all, all, PERF_SAMPLES_FLAGS, OUT), 0.5);
    CU_ASSERT_EQUAL(own(all, all, PERF_SAMPLES_FLAGS, OUT | OUT << 1 | 7), 0.5);
    CU_ASSERT_EQUAL(own(all, all, PERF_SAMPLES_FLAGS, 0), 0);
    CU_ASSERT_EQUAL(own(all, all, PERF_SAMPLES_FLAGS, OUT << 1 | OUT >> 1), 0);
    CU_ASSERT_EQUAL(own(no_cpu, all, PERF_SAMPLES_FLAGS, OUT), 0);
    CU_ASSERT_EQUAL(own(all, all, 0, OUT), 0);
    begin();
    record_of(15, 0, 0, 1000, NULL, 0, 0);
    fails("a SWITCH_CPU_WIDE that is cut off");
}

/* ---- whose counters they are ----------------------------------------------------------------------------------------
 */

/* Whether counters follow tasks, as the file's index of so many entries says, of which the first have these threads. */
static bool tasks(uint64_t said, const uint64_t *tid, size_t n)
{
    uint64_t numbers[1 + 4 * 3] = {said};
    bool follow;

    begin();
    for (size_t i = 0; i < n; i++)
        numbers[1 + 4 * i] = ID + i, numbers[1 + 4 * i + 3] = tid[i];
    perf_samples_record(&f, ID_INDEX, 0, numbers, 1 + 4 * n);
    sample(0, 1000, 100);
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
    CU_ASSERT_EQUAL_FATAL(td_perf_samples_next(&f.p.recording), 0);
    follow = f.p.recording.stream.batch[0].switched;
    perf_samples_end(&f);
    return follow;
}

static void indices(void)
{
    static const uint64_t none[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX}, last[] = {UINT64_MAX, 42},
                          first[] = {42, UINT64_MAX}, zero[] = {0};

    CU_ASSERT_FALSE(tasks(1, none, 1));
    CU_ASSERT_FALSE(tasks(3, none, 3));
    CU_ASSERT_TRUE(tasks(2, last, 2));
    CU_ASSERT_TRUE(tasks(2, first, 2));
    CU_ASSERT_TRUE(tasks(1, zero, 1));
    CU_ASSERT_FALSE(tasks(1, last, 2)); /* as many as there are said to be */
    CU_ASSERT_FALSE(tasks(3, none, 2)); /* or as there are */
    CU_ASSERT_TRUE(tasks(0, none, 1)); /* an index without entries says nothing */
    CU_ASSERT_TRUE(tasks(1, none, 0));
}

/* ---- compressed records ----------------------------------------------------------------------------------------- */

/* A frame of 16 bytes, with a block of 7 bytes that are no whole record (RFC 8878, 3.1.1); said: how long it is said to
 * be. */
static void compressed(uint64_t said)
{
    begin();
    sample(0, 1000, 100);
    perf_samples_record(&f, 83 /* COMPRESSED2 */, 0, (const uint64_t[]){said, UINT64_C(0x00385000fd2fb528), 0}, 3);
}

static void sizes(void)
{
    compressed(17);
    fails("compressed records are cut off");
    compressed(16);
#ifdef HAVE_ZSTD
    gives("0e100 ", 0);
#else
    fails("built without zstd");
#endif
}

/* ---- without memory -------------------------------------------------------------------------------------------------
 */

/* A text in whole numbers. */
static void put_texts(uint64_t *at, const char *text)
{
    *at = 0;
    memcpy(at, text, strlen(text));
}

static void all_records(void)
{
    uint64_t path[8] = {(uint64_t)TID << 32 | TID, 0x1000, 0x1000, 0}, name[4] = {(uint64_t)TID << 32 | TID},
             made[4] = {UINT64_C(0xffffffffc0000000), 16}, cgroup[3] = {7},
             fork[3] = {UINT64_C(42) << 32 | 50, UINT64_C(42) << 32 | 50, 1500};

    put_texts(&path[4], "/bin/a"), put_texts(&name[1], "comm"), put_texts(&made[2], "bpf"), put_texts(&cgroup[1], "/a");
    record(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, 0, 100, path, 5);
    path[7] = path[4];
    record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0, 101, path, 8);
    record(PERF_RECORD_COMM, 0, 0, 102, name, 2);
    record(17 /* KSYMBOL */, 0, 0, 103, made, 3);
    made[1] |= UINT64_C(1) << 48;
    record(17, 0, 0, 104, made, 3);
    record(19 /* CGROUP */, 0, 0, 105, cgroup, 2);
    record(PERF_RECORD_FORK, 0, 0, 106, fork, 3);
    finished_round();
    sample(0, 1000, 100), sample(1, 1100, 200);
    lost(1, 1200, 1), record(PERF_RECORD_LOST_SAMPLES, 0, 0, 1201, (const uint64_t[]){1}, 1);
    record(15 /* SWITCH_CPU_WIDE */, OUT, 0, 1300, (const uint64_t[]){(uint64_t)TID << 32 | TID}, 1);
    record(PERF_RECORD_EXIT, 0, 0, 1400, fork, 3);
    finished_round();
    sample(0, 2000, 200), sample(1, 2100, 300);
}

static int read_scenario(void *ctx)
{
    int err;

    (void)ctx;
    memory_hold();
    begin();
    f.wanted.by = TD_SAMPLES_BY_FUNCTION;
    all_records();
    f.p.whole = false; /* records are copied */
    memory_go();
    err = perf_samples_open(&f);
    while (!err)
        err = td_perf_samples_next(&f.p.recording);
    memory_hold();
    perf_samples_end(&f);
    memory_go();
    return err == -ENODATA ? 0 : err;
}

static void no_memory(void)
{
    CU_ASSERT(memory_each(read_scenario, NULL, 1, false) > 25);
}

static const CU_TestInfo tests[] = {
    {"their order", order},
    {"no samples", none},
    {"cut off", cut},
    {"holes", holes},
    {"holes without CPUs", holes_anywhere},
    {"holes that are recorded late", late_holes},
    {"throttling", throttles},
    {"switches", switches},
    {"counters of CPUs and of tasks", indices},
    {"how long compressed records are", sizes},
    {"without memory", no_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("records of samples", tests);
