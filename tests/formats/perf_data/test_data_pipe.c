/* SPDX-License-Identifier: MIT */
/* perf.data as perf writes it to a pipe: which records come before the data, by the types of perf's
 * lib/perf/include/perf/event.h, and what is taken of them. */
#include "tests/support/perf_samples.h"

enum { HEADER_ATTR = 64, HEADER_FEATURE = 80, START = 16, ATTR = 64, HOSTNAME = 3 };

static struct perf_samples f;

static void begin(void)
{
    perf_samples_begin(&f);
    memcpy(f.p.buf, "PERFILE2", 8);
    f.n = 8;
    perf_samples_put(&f, START, 8);
}

/* A record's header, of which so many bytes follow. */
static void put_head(uint32_t type, size_t size)
{
    perf_samples_put(&f, type, 4), perf_samples_put(&f, 0, 2), perf_samples_put(&f, 8 + size, 2);
}

/* A raw event and the ids of its counters. */
static void put_event(uint64_t config, size_t nids)
{
    static const uint64_t first = 100;

    put_head(HEADER_ATTR, ATTR + 8 * nids);
    perf_samples_put(&f, 4, 4), perf_samples_put(&f, ATTR, 4), perf_samples_put(&f, config, 8);
    for (size_t at = 16; at < ATTR; at += 8)
        perf_samples_put(&f, 0, 8);
    for (size_t i = 0; i < nids; i++)
        perf_samples_put(&f, first * config + i, 8);
}

static void put_feature(uint64_t feature, const char *text)
{
    put_head(HEADER_FEATURE, 8 + 4 + 16);
    perf_samples_put(&f, feature, 8), perf_samples_put(&f, 16, 4);
    for (size_t i = 0; i < 16; i++)
        perf_samples_put(&f, i < strlen(text) ? (unsigned char)text[i] : 0, 1);
}

static int opened(void)
{
    return td_perf_data_pipe(&f.p.recording);
}

/* How many events there are if such a record of size bytes is between the first and the second. */
static size_t events_around(uint32_t type, size_t size)
{
    size_t n;

    begin();
    put_event(1, 1);
    perf_samples_put(&f, type, 4), perf_samples_put(&f, 0, 2), perf_samples_put(&f, size, 2);
    for (size_t i = 8; i < size; i++)
        perf_samples_put(&f, 0, 1);
    put_event(2, 1);
    CU_ASSERT_EQUAL(opened(), 0);
    CU_ASSERT(f.p.start == START && f.p.data_end == UINT64_MAX); /* reading begins anew */
    n = f.p.nevents;
    perf_samples_end(&f);
    return n;
}

/* The kernel's records are data, and of perf's some. */
static void where_data_begin(void)
{
    static const uint32_t data[] = {68 /* FINISHED_ROUND */, 71 /* AUXTRACE */,   76 /* STAT */,
                                    77 /* STAT_ROUND */,     81 /* COMPRESSED */, 83 /* COMPRESSED2 */};

    for (uint32_t type = 1; type < 100; type++) {
        bool is = type < 64;

        for (size_t i = 0; i < sizeof(data) / sizeof(*data); i++)
            is = is || type == data[i];
        if (type != HEADER_ATTR)
            CU_ASSERT_EQUAL(events_around(type, 24), is ? 1 : 2);
    }
    CU_ASSERT_EQUAL(events_around(65, 8), 2);
    CU_ASSERT_EQUAL(events_around(65, 7), 1); /* no record is as short */
    CU_ASSERT_EQUAL(events_around(65, 0), 1);
}

static void events(void)
{
    begin();
    put_event(5, 2), put_event(6, 0), put_event(7, 1);
    CU_ASSERT_EQUAL(opened(), 0);
    CU_ASSERT_FATAL(f.p.nevents == 3 && f.p.ncounters == 3);
    CU_ASSERT(f.p.event[0].config == 5 && f.p.event[1].config == 6 && f.p.event[2].config == 7);
    CU_ASSERT(f.p.event[0].nids == 2 && f.p.event[1].nids == 0 && f.p.event[2].nids == 1);
    CU_ASSERT(f.p.counter[0].id == 500 && f.p.counter[1].id == 501 && f.p.counter[2].id == 700);
    CU_ASSERT(f.p.counter[0].event == 0 && f.p.counter[1].event == 0 && f.p.counter[2].event == 2);
    perf_samples_end(&f);
    begin(); /* the last is cut off */
    put_event(5, 1), put_event(6, 1);
    f.p.end--;
    CU_ASSERT(opened() == 0 && f.p.nevents == 1);
    perf_samples_end(&f);
    begin(); /* two have one id */
    put_event(5, 1), put_event(5, 1);
    CU_ASSERT(opened() == -EBADMSG && strstr(f.log.error, "two counters have the id 500"));
    perf_samples_end(&f);
    begin();
    put_head(HEADER_FEATURE, 8), perf_samples_put(&f, 1, 8);
    CU_ASSERT(opened() == -EBADMSG && strstr(f.log.error, "no event comes before its data"));
    perf_samples_end(&f);
}

/* What is said of the second record, which has so many bytes and says that its event has others. */
static int damaged(size_t there, uint32_t size, const char *why)
{
    int err;

    begin();
    put_event(5, 1);
    put_head(HEADER_ATTR, there);
    for (size_t i = 0; i < there; i++)
        perf_samples_put(&f, i >= 4 && i < 8 ? size >> 8 * (i - 4) : 0, 1);
    err = opened();
    CU_ASSERT(!err || (err == -EBADMSG && strstr(f.log.error, why)));
    CU_ASSERT(!err || !strncmp(f.log.error, "f:96: ", 6)); /* after the header and 8 + 64 + 8 bytes of the first */
    perf_samples_end(&f);
    return err;
}

static void damages(void)
{
    CU_ASSERT_EQUAL(damaged(64, 64, ""), 0);
    CU_ASSERT_EQUAL(damaged(72, 72, ""), 0);
    CU_ASSERT_EQUAL(damaged(64, 63, "an event's description of 64 bytes is damaged"), -EBADMSG);
    CU_ASSERT_EQUAL(damaged(64, 65, "an event's description of 64 bytes is damaged"), -EBADMSG);
    CU_ASSERT_EQUAL(damaged(63, 64, "an event's description of 63 bytes is damaged"), -EBADMSG);
    CU_ASSERT_EQUAL(damaged(7, 64, "an event's description of 7 bytes is damaged"), -EBADMSG);
}

/* Features by their numbers; those that this program does not know, and what is cut off, are none. */
static void features(void)
{
    begin();
    put_event(5, 1);
    put_feature(HOSTNAME, "here"), put_feature(TD_PERF_FEATURES, "there"), put_feature(TD_PERF_FEATURES - 1, "last");
    put_feature(UINT64_C(0x100000000) + HOSTNAME, "wrong");
    put_head(HEADER_FEATURE, 7);
    for (size_t i = 0; i < 7; i++)
        perf_samples_put(&f, i ? 0 : HOSTNAME, 1);
    CU_ASSERT_EQUAL(opened(), 0);
    CU_ASSERT(f.p.recording.stream.host && !strcmp(f.p.recording.stream.host, "here"));
    CU_ASSERT_STRING_EQUAL(f.p.recording.stream.texts.names[f.p.event[0].text], "r5");
    perf_samples_end(&f);
}

static void piped(void)
{
    for (uint64_t size = 15; size <= 17; size++) {
        begin();
        f.p.buf[8] = (unsigned char)size;
        CU_ASSERT_EQUAL(td_perf_data_piped(&f.p), size == 16);
        f.p.end = 15;
        CU_ASSERT_FALSE(td_perf_data_piped(&f.p));
        perf_samples_end(&f);
    }
}

static const CU_TestInfo tests[] = {
    {"where data begin", where_data_begin}, {"events", events}, {"damaged events", damages}, {"features", features},
    {"which files are of a pipe", piped},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("pipes of perf.data", tests);
