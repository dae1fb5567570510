/* SPDX-License-Identifier: MIT */
/* perf.data of perf stat record: files made here byte by byte; what they must give is
 * written out by hand; then every length and offset in them is spoiled. */
#include "tests/support/perf_read.h"
#include "backends/find_identity.h"

#include <stdlib.h>

/* ---- what is right -------------------------------------------------------- */

/* Two rounds on two CPUs, and the totals again, as perf writes them at the end. */
static void rounds(struct file *f)
{
    count(f, 11, 0, 0, 1000, 100, 100), count(f, 21, 0, 0, 300, 100, 50);
    count(f, 12, 1, 0, 3000, 100, 100), count(f, 22, 1, 0, 100, 100, 100);
    end_of_round(f, 0, 1000000000);
    count(f, 11, 0, 0, 1500, 200, 200), count(f, 21, 0, 0, 400, 200, 150);
    count(f, 12, 1, 0, 3100, 200, 200), count(f, 22, 1, 0, 150, 200, 150);
    end_of_round(f, 0, 2000000000);
    count(f, 11, 0, 0, 1500, 200, 200), count(f, 21, 0, 0, 400, 200, 150);
    count(f, 12, 1, 0, 3100, 200, 200), count(f, 22, 1, 0, 150, 200, 150);
}

static struct file *whole(uint64_t aggregation)
{
    struct file *f = begin();

    f->topology = true;
    head(f);
    config(f, aggregation);
    rounds(f);
    finish(f);
    return f;
}

/* retiring: 300 * 100/50 + 100, then 100 + 50 * 100/50; 150 of 200 ns each time */
#define FIRST "1.000 system system : slots=4000 topdown-retiring=700*0.75 r19c:u=not_supported\n"
#define SYSTEM \
    FIRST \
    "2.000 system system : slots=600 topdown-retiring=200*0.75 r19c:u=not_supported\n"
/* one line for each of the two CPUs */
#define APART(a_, a_kind_, b_, b_kind_) \
    "1.000 " a_ " " a_kind_ " : slots=1000 topdown-retiring=600*0.5 r19c:u=not_supported\n" \
    "1.000 " b_ " " b_kind_ " : slots=3000 topdown-retiring=100 r19c:u=not_supported\n" \
    "2.000 " a_ " " a_kind_ " : slots=500 topdown-retiring=100 r19c:u=not_supported\n" \
    "2.000 " b_ " " b_kind_ " : slots=100 topdown-retiring=100*0.5 r19c:u=not_supported\n"

static void intervals(void)
{
    static struct reading g;
    struct file *f = whole(1);

    gives(f, SYSTEM);
    read_bytes(&g, f->b, f->n, 1000, NULL);
    CU_ASSERT_EQUAL(g.smt, TD_SMT_ON);
    CU_ASSERT_EQUAL(g.identity.nparts, 0);
    gives(whole(0), APART("CPU0", "cpu", "CPU1", "cpu"));
    gives(whole(2), "1.000 S0 socket : slots=4000 topdown-retiring=700*0.75 ~");
    gives(whole(3), "1.000 S0-D0 socket : slots=4000 topdown-retiring=700*0.75 ~");
    gives(whole(4), "1.000 S0-D0-C4 core : slots=4000 topdown-retiring=700*0.75 ~");
    gives(whole(7), APART("N0", "node", "N1", "node"));
    f = begin(); /* no topology: all in one */
    head(f), config(f, 4), rounds(f), finish(f);
    gives(f, SYSTEM);
    f = begin();
    f->topology = true;
    f->event[0].id = 0;
    head(f), config(f, 4);
    count(f, 21, 2, 0, 300, 100, 50), end_of_round(f, 0, 1000000000), finish(f);
    gives(f, "1.000 S1-D1-C0 core : slots=not_supported topdown-retiring=600*0.5 r19c:u=not_supported\n");
    f = begin();
    f->topology = true;
    f->event[0].id = 0;
    head(f), config(f, 7); /* CPU 2 is the last of a range of node 1 */
    count(f, 21, 2, 0, 300, 100, 50), end_of_round(f, 0, 1000000000), finish(f);
    gives(f, "1.000 N1 node : slots=not_supported topdown-retiring=600*0.5 r19c:u=not_supported\n");
}

static void threads(void)
{
    static const uint32_t none = UINT32_MAX;
    struct file *f = begin();

    f->nevents = 1;
    head(f);
    record(f, THREADS, 64), w(f, 2, 8), w(f, 71, 8), w_text(f, "memfd:a-b", 16), w(f, 1234567, 8),
        w_text(f, "sixteen-byte-com", 16);
    config(f, 5);
    count(f, 11, none, 0, 5, 9, 9), count(f, 12, none, 1, 7, 9, 9);
    end_of_round(f, 1, 3000000000);
    finish(f);
    gives(f, "- memfd:a-b-71 thread : slots=5\n- sixteen-byte-com-1234567 thread : slots=7\n");
    f = begin(); /* a task, on no CPU */
    f->nevents = 1;
    head(f), config(f, 1), count(f, 11, none, 0, 5, 9, 9), end_of_round(f, 1, 3), finish(f);
    gives(f, "- system system : slots=5\n");
    f = begin(); /* and with -A */
    f->nevents = 1;
    head(f), config(f, 0), count(f, 11, none, 0, 5, 9, 9), end_of_round(f, 1, 3), finish(f);
    gives(f, "- system system : slots=5\n");
}

static struct file *one(const struct event *e, size_t n)
{
    struct file *f = begin();

    memcpy(f->event, e, n * sizeof(*e));
    f->nevents = n;
    f->ncpus = 1;
    return f;
}

/* What is made of a counter that did not run, or ran backwards, and of scales. */
static void oddities(void)
{
    struct file *f = begin();

    f->nevents = 2;
    head(f), config(f, 1);
    count(f, 11, 0, 0, 8, 9, 9), count(f, 12, 1, 0, 0, 9, 0); /* one CPU of two: not a sum */
    count(f, 21, 0, 0, 8, 9, 9), count(f, 22, 1, 0, 0, 0, 0); /* not even enabled there: a sum */
    end_of_round(f, 0, 1000000000);
    count(f, 11, 0, 0, 9, 19, 19), count(f, 12, 1, 0, 5, 19, 10);
    count(f, 21, 0, 0, 7, 19, 19), count(f, 22, 1, 0, 4, 10, 10);
    end_of_round(f, 0, 2000000000);
    count(f, 11, 0, 0, 10, 29, 29), count(f, 12, 1, 0, 5, 29, 20); /* a FINAL that is an interval */
    end_of_round(f, 1, 3000000000), finish(f);
    gives(
        f,
        "1.000 system system : slots=not_counted topdown-retiring=8\n2.000 system system : slots=6 topdown-retiring=counter_reset\n"
        "3.000 system system : slots=1\n");
    f = begin(); /* a FINAL that repeats */
    f->nevents = 1;
    head(f), config(f, 1), count(f, 11, 0, 0, 8, 9, 9), end_of_round(f, 0, 1000000000), count(f, 11, 0, 0, 8, 9, 9);
    end_of_round(f, 1, 1000000000), finish(f);
    gives(f, "1.000 system system : slots=8\n");
    f = begin();
    f->nevents = 1;
    head(f), config(f, 1), update(f, 1, 11, NULL, 2.5), update(f, 1, 99, NULL, 7), count(f, 11, 0, 0, 8, 9, 9);
    end_of_round(f, 0, 1000000000), record(f, MMAP2, 16), w(f, 0, 8), finish(f);
    gives(f, "1.000 system system : slots=20\n");
    f = begin(); /* ids that the kernel never gives */
    f->nevents = 2;
    f->event[1].id = 21, head(f), w_at(f, 120, 0, 8), w_at(f, 128, 0, 8), config(f, 1), count(f, 11, 0, 0, 8, 9, 9),
    end_of_round(f, 1, 9), f->desc = false, finish(f);
    gives(f, "- system system : r400=8 r8000=not_supported\n");
    f = begin(); /* perf was killed: no size, no features */
    f->nevents = 1;
    head(f), config(f, 1), count(f, 11, 0, 0, 8, 9, 9), end_of_round(f, 0, 1000000000);
    w_at(f, 40, f->data, 8);
    gives(
        f,
        "{f:40: perf did not finish this file: it names neither its CPU nor its events}1.000 system system : r400=8\n");
}

static void names(void)
{
    static const struct event generic[] = {
        {0, 1, 0, "", 1}, {1, 1, 1 << 5, "", 2}, {0, 0, 1 << 4, "", 3}, {8, 0x1c2, 0, "", 4}};
    static const struct event hybrid[] = {{4, 0x8000, 0, "topdown-retiring", 1},
                                          {10, 0xc2, 0, "topdown-retiring:u", 2},
                                          {0, UINT64_C(0xa00000000), 0, "cycles", 3},
                                          {10, 0xc2, 0, "cpu_atom/topdown-retiring/k", 4}};
    static const struct event coded[] = {{4, 0x8000, 0, "", 1}, {10, 0xc2, 1 << 5, "", 2}};
    struct file *f = one(generic, 4);

    head(f), config(f, 1), count(f, 1, 0, 0, 1, 1, 1), count(f, 2, 0, 0, 2, 1, 1), count(f, 3, 0, 0, 3, 1, 1),
        count(f, 4, 0, 0, 4, 1, 1);
    end_of_round(f, 1, 9), finish(f);
    gives(f, "- system system : instructions=1 task-clock:u=2 cycles:k=3 type8/config=0x1c2/=4\n");
    f = one(hybrid, 4);
    f->pmus = true;
    head(f), config(f, 1), count(f, 1, 0, 0, 1, 1, 1), count(f, 2, 0, 0, 2, 1, 1), count(f, 3, 0, 0, 3, 1, 1),
        count(f, 4, 0, 0, 4, 1, 1);
    end_of_round(f, 1, 9), finish(f);
    gives(f, "- system system P: cpu_core/topdown-retiring/=1\n"
             "- system system E: cpu_atom/topdown-retiring/u=2 cpu_atom/cycles/=3 cpu_atom/topdown-retiring/k=4\n");
    f = one(coded, 2);
    f->pmus = true;
    head(f), config(f, 1), count(f, 1, 0, 0, 1, 1, 1), count(f, 2, 0, 0, 2, 1, 1), end_of_round(f, 1, 9), finish(f);
    gives(f, "- system system P: cpu_core/r8000/=1\n- system system E: cpu_atom/config=0xc2/u=2\n");
    f = one(coded, 2); /* named by a record; HEADER_EVENT_DESC of other events is not used */
    f->event[0].name = f->event[1].name = "wrong";
    head(f), config(f, 1), update(f, 2, 1, "topdown-retirin", 0), count(f, 1, 0, 0, 1, 1, 1),
        count(f, 2, 0, 0, 2, 1, 1), end_of_round(f, 1, 9);
    f->event[0].config = 0x8100;
    finish(f);
    gives(f, "- system system : topdown-retirin=1 type10/config=0xc2/u=2\n");
    f = one(hybrid, 1); /* the feature takes precedence over the record */
    head(f), config(f, 1), update(f, 2, 1, "wrong", 0), count(f, 1, 0, 0, 1, 1, 1), end_of_round(f, 1, 9), finish(f);
    gives(f, "- system system : topdown-retiring=1\n");
}

static void cpus(void)
{
    static const struct {
        const char *cpuid, *machine;
        unsigned flags;
        int err;
    } all[] = {
        {"GenuineIntel,6,143,8", "spr", 0, -ENODATA},
        {"GenuineIntel,6,106,6", "icx", 0, -ENODATA},
        {"GenuineIntel,6,151,2", "adl", 0, -ENODATA},
        {"GenuineIntel,6,85,4", "skx", 0, -ENODATA},
        {"GenuineIntel,6,85,7", "clx", 0, -ENODATA},
        {"0x00000000410fd490", "neoverse-n2", TD_FLAG_REVISION_ASSUMED, -ENODATA},
        {"0x00000000410fd491", "neoverse-n2", 0, -ENODATA},
        {"0x00000000411fd490", "neoverse-n2-r0p3", 0, -ENODATA},
        {"0x00000000410fd403", "neoverse-v1", 0, -ENODATA},
        {"0x00000000410fd400", "neoverse-v1", 0, -ENODATA},
        {"AuthenticAMD,27,1,1", "", 0, -EOPNOTSUPP},
        {"AuthenticAMD,25,1,1", "zen3", 0, -ENODATA},
        {"AuthenticAMD,25,17,1", "zen4", 0, -ENODATA},
        {"AuthenticAMD,26,2,1", "zen5", 0, -ENODATA},
        {"GenuineIntel,6,999,1", "", 0, -ENODATA},
        {"GenuineIntel", "", 0, -ENODATA},
        {"", "", 0, -ENODATA},
    };
    static struct reading g;
    struct td_identity asked;
    struct file *f;
    char why[64];

    CU_ASSERT_EQUAL_FATAL(td_identity_find("spr", &asked, why, sizeof(why)), 0);
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        f = begin();
        f->cpuid = all[i].cpuid;
        head(f), config(f, 1), rounds(f), finish(f);
        read_bytes(&g, f->b, f->n, 4096, NULL);
        CU_ASSERT_EQUAL(g.err, all[i].err);
        CU_ASSERT_EQUAL(g.identity.flags, all[i].flags);
        CU_ASSERT_STRING_EQUAL(g.identity.name, all[i].machine);
        if (strcmp(g.identity.name, all[i].machine))
            printf("\n    %s: %s", all[i].cpuid, g.identity.name);
        read_bytes(&g, f->b, f->n, 4096, &asked);
        CU_ASSERT_EQUAL(g.err, -ENODATA);
        CU_ASSERT_EQUAL(g.identity.nparts, 0);
        CU_ASSERT_EQUAL(strstr(g.all.text, "as asked") != NULL, i > 0 && all[i].cpuid[0]);
    }
    f = begin(); /* messages are one line each */
    f->cpuid = "x\ny\t\x7f";
    head(f), config(f, 1), rounds(f), finish(f);
    read_bytes(&g, f->b, f->n, 4096, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.all.text, "the file says cpu x\\x0ay\\x09\\x7f, which"));
}

/* Longer than what is kept: the rest is read in pieces, named by the events' attributes. */
static void long_file(void)
{
    enum { PAD = 65528, PADS = TD_PERF_WHOLE_MAX / PAD - 2, ROUNDS = 4000 };
    struct file *f = begin();
    static struct reading g;
    static struct file tail;
    size_t n = 0, size;
    unsigned char *big;

    f->nevents = 2;
    head(f), config(f, 1);
    size = f->n + (size_t)PADS * PAD + (size_t)ROUNDS * (2 * 48 + 24) + FILE_MAX;
    big = calloc(1, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(big);
    memcpy(big, f->b, f->n);
    n = f->n;
    for (size_t i = 0; i < PADS; i++, n += PAD)
        memcpy(big + n, "\x0a\0\0\0\0\0\xf8\xff", 8);
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        tail.n = 0;
        count(&tail, 11, 0, 0, i * i, i, i), count(&tail, 21, 0, 0, i, i, i), end_of_round(&tail, 0, i * 1000);
        memcpy(big + n, tail.b, tail.n);
        n += tail.n;
    }
    w_at(f, 40, f->data, 8), w_at(f, 48, n - f->data, 8);
    memcpy(big, f->b, 104);
    read_bytes(&g, big, n + 100, 100000, NULL);
    CU_ASSERT_EQUAL(g.err, -ENODATA);
    CU_ASSERT(!strncmp(g.all.text, "{f:40: the file is longer than 48 MiB", 37));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        g.all.text,
        "}0.000 system system : r400=1 r8000=1\n0.000 system system : r400=3 r8000=1\n0.000 system system : r400=5 r8000=1\n"));
    CU_ASSERT_EQUAL(g.sum, (double)ROUNDS * ROUNDS + ROUNDS);
    read_bytes(&g, big, n - 1, 65536, NULL); /* the last round is cut off */
    CU_ASSERT_EQUAL(g.err, -ENODATA);
    CU_ASSERT_EQUAL(g.sum, (double)(ROUNDS - 1) * ROUNDS);
    w_at(f, 24, n - 40, 8); /* the events at its end */
    memcpy(big, f->b, 104);
    read_bytes(&g, big, n + 200, 65536, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.all.text, "the events are after the first 48 MiB"));
    free(big);
}

/* ---- what is wrong -------------------------------------------------------- */

static struct file *spoilt(size_t at, uint64_t value, size_t bytes)
{
    struct file *f = whole(1);

    w_at(f, at, value, bytes);
    return f;
}

static void refused(void)
{
    size_t attrs = 104 + 32, data = attrs + 3 * FILE_ATTR, counts = data + 48;

    gives(spoilt(0, UINT64_C(0x5045524646494c45), 8), "!f:1: ~"); /* ELIFFREP: no magic */
    gives(spoilt(0, UINT64_C(0x50455246494c4532), 8), "!f:0: perf.data of a machine with the other byte order~");
    gives(spoilt(0, UINT64_C(0x454c494646524550), 8), "!f:0: perf.data of a perf before 2.6.38~");
    gives(spoilt(8, 16, 8), "!f:0: perf.data in pipe mode~");
    gives(spoilt(8, 96, 8), "!f:0: perf.data: the header is cut off~");
    gives(spoilt(16, ATTR, 8), "!f:16: perf.data: 240 bytes of events of 64 bytes each");
    gives(spoilt(16, 0, 8), "!f:16: ~"), gives(spoilt(16, 8192, 8), "!f:16: ~"),
        gives(spoilt(32, 0, 8), "!f:16: perf.data: 0 events, not 1 to 1024");
    gives(spoilt(32, 1025 * FILE_ATTR, 8), "!f:16: perf.data: 1025 events~"),
        gives(spoilt(24, 100000, 8), "!f:100000: perf.data: the events lie outside the file");
    gives(spoilt(attrs + ATTR, UINT64_MAX, 8),
          "!f:18446744073709551615: perf.data: the ids of an event lie outside the file");
    gives(spoilt(attrs + ATTR + 8, 9, 8),
          "!f:136: perf.data: the ids of an event take 9 bytes, which is no multiple of 8");
    gives(spoilt(104, 12, 8), "!f:296: perf.data: two counters have the id 12");
    gives(spoilt(112, 11, 8), "!f:296: perf.data: two counters have the id 11");
    gives(spoilt(40, 100, 8), "!f:40: perf.data: the data lie outside the file"),
        gives(spoilt(40, 100000, 8), "!f:40: perf.data: the data~");
    gives(spoilt(48, UINT64_MAX, 8), "!f:40: perf.data: the data~");
    gives(spoilt(data + 6, 0, 2), "!f:376: perf.data: a record of 0 bytes"),
        gives(spoilt(data + 6, 7, 2), "!f:376: perf.data: a record of 7 bytes");
    gives(spoilt(data + 6, 65535, 2), "!f:376: perf.data: a record of 65535 bytes");
#define RECORD_AGAIN "record with 'perf stat record' or 'perf stat -x, -o FILE'"
#define OF_RECORD "!f:424: perf.data of 'perf record', which has samples and no counts: " RECORD_AGAIN
    gives(spoilt(counts, 9, 4), OF_RECORD), gives(spoilt(counts, 71, 4), OF_RECORD);
    gives(spoilt(counts, 81, 4), OF_RECORD), gives(spoilt(counts, 83, 4), OF_RECORD);
    gives(spoilt(counts + 8, 99, 8), "!f:424: perf.data: a count of id 99, which no event has");
    gives(spoilt(counts + 4 * 48 + 24 + 16, 1, 4), FIRST "!f:640: perf.data: the counter 11 changes its CPU or thread"),
        gives(spoilt(counts + 4 * 48 + 8, 2, 8), "!f:616: perf.data: the end of an interval that is none");
    gives(spoilt(counts + 8 * 48 + 24 + 16, 999999999, 8),
          FIRST "!f:832: perf.data: time goes backwards: 999999999 ns come after 1000000000 ns");
    gives(spoilt(48, 48, 8), "{~"); /* the features are searched elsewhere */
}

/* Errors after the first interval. */
static void refused_later(void)
{
    struct file *f = begin();

    f->nevents = 1;
#define ONE "1.000 system system : slots=8\n" /* what comes before an error is given */
#define START \
    f = begin(), f->nevents = 1, head(f), config(f, 1), count(f, 11, 0, 0, 8, 9, 9), end_of_round(f, 0, 1000000000)
    START, count(f, 11, 1, 0, 9, 19, 19), finish(f);
    gives(f, ONE "!f:320: perf.data: the counter 11 changes its CPU or thread");
    START, count(f, 11, 0, 0, 9, 19, 19), end_of_round(f, 0, 1000000000), finish(f);
    gives(f, ONE "!f:368: perf.data: time goes backwards: 1000000000 ns come after 1000000000 ns");
    START, config(f, 0), finish(f);
    gives(f, ONE "!f:320: perf.data: the configuration comes after counts");
    START, end_of_round(f, 1, 1000000000), end_of_round(f, 0, 2000000000), finish(f);
    gives(f, ONE "!f:344: perf.data: an interval after the final counts");
    START, update(f, 1, 11, NULL, -1), finish(f);
    gives(f, ONE "!f:320: perf.data: the scale of an event is not a number above 0");
    START, record(f, COUNT, 40), w(f, 11, 8), w(f, 0, 8), w(f, 0, 8), w(f, 0, 8), finish(f);
    gives(f, ONE "!f:320: perf.data: a count that is cut off");
    START, record(f, THREADS, 16), w(f, 1, 8), finish(f);
    gives(f, ONE "!f:320: perf.data: a thread map of 1 threads in 0 bytes");
    START, count(f, 11, 0, 0, 9, 19, 19), finish(f);
    f->n = f->features - 1; /* cut in the last count */
    gives(f, "{f:368: what the file says of its CPU and events is cut off, and used as far as it goes}~");
    f = begin();
    head(f), config(f, 5), count(f, 11, UINT32_MAX, 0, 1, 1, 1), finish(f);
    gives(f, "!f:424: perf.data: a count of thread 0 of 0");
    f = begin();
    head(f), config(f, 1), count(f, 11, 0, 0, 1, 1, 1), finish(f);
    gives(f, "!f:472: perf.data: the file ends before its counts are complete");
    f = begin();
    head(f), config(f, 1), end_of_round(f, 1, 5), finish(f);
    gives(f, "!f:448: perf.data without counts (of 'perf record'?): " RECORD_AGAIN);
    f = begin();
    f->event[0].id = f->event[1].id = 0;
    head(f), config(f, 1), end_of_round(f, 1, 5), finish(f);
    gives(f, "!f:416: perf.data: none of the events could be counted on that machine");
}

/* Cut at every byte: what is given is the beginning of what the whole file gives. */
static void cut(void)
{
    static struct reading all, g;
    struct file *f = whole(0);

    read_bytes(&all, f->b, f->n, 65536, NULL);
    for (size_t n = 8; n < f->n; n++) {
        read_bytes(&g, f->b, n, 65536, NULL);
        if (strncmp(all.numbers.text, g.numbers.text, strlen(g.numbers.text)))
            CU_FAIL("another number");
        CU_ASSERT((g.err == -ENODATA) == (g.numbers.n > 0) || g.err == -EBADMSG);
        CU_ASSERT(n >= f->features || g.all.text[0] == '!' || g.all.text[0] == '{');
    }
}

/* Each field in turn gets values that lengths and offsets should not have. */
static void every_field(void)
{
    static const uint64_t bad[] = {0,          1,
                                   7,          8,
                                   0x7f,       0xffff,
                                   0x10000,    0x7fffffff,
                                   0xffffffff, UINT64_C(0x7fffffffffffffff),
                                   UINT64_MAX, UINT64_MAX - 7};
    static struct reading g;
    struct file *f = whole(4);
    size_t n = f->n;

    for (size_t at = 8; at + 8 <= n; at += 2)
        for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
            for (size_t bytes = 2; bytes <= 8; bytes *= 2) {
                unsigned char kept[8];

                memcpy(kept, f->b + at, 8);
                w_at(f, at, bad[i], bytes);
                read_bytes(&g, f->b, n, 65536, NULL);
                memcpy(f->b + at, kept, 8);
            }
}

static void any_bytes(void)
{
    static struct reading g;
    struct unit_random random = {20261120};

    for (unsigned long i = unit_rounds(20000); i; i--) {
        struct file *f = whole(i % 10);

        f->cpuid = "GenuineIntel,6,143,8";
        for (uint64_t k = unit_random_below(&random, 6); k; k--)
            f->b[8 + unit_random_below(&random, f->n - 8)] = (unsigned char)unit_random(&random);
        read_bytes(&g, f->b, f->n - (i % 3 ? 0 : (size_t)unit_random_below(&random, 300)), 65536, NULL);
    }
}

/* Where the format is asked for the file is read as it, or refused. */
static void asked_for(void)
{
    static const struct td_reader *const asked[] = {NULL, &td_reader_perf_data, &td_reader_perf_csv};

    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        static struct opened o;
        struct file *f = begin();
        struct source from;

        head(f), config(f, 1);
        rounds(f);
        finish(f);
        from = (struct source){(const char *)f->b, f->n, 100, 0};
        CU_ASSERT_EQUAL(open_recording_as(&o, &from, NULL, NULL, NULL, asked[i]), i < 2 ? 0 : -EBADMSG);
        CU_ASSERT(i == 2 || o.r->reader == &td_reader_perf_data);
        close_recording(&o);
    }
}

static const CU_TestInfo tests[] = {
    {"intervals and scopes", intervals},
    {"asked for", asked_for},
    {"threads", threads},
    {"not counted, backwards, scaled", oddities},
    {"names of events", names},
    {"the CPU", cpus},
    {"a long file", long_file},
    {"refused", refused},
    {"refused later", refused_later},
    {"cut at every byte", cut},
    {"every field spoilt", every_field},
    {"any bytes", any_bytes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf.data", tests);
