/* SPDX-License-Identifier: MIT */
/* perf.data: the header's limits, one below and one above each; the members of perf_event_attr, by the offsets that
 * linux/perf_event.h gives them; what the kernel's release and the events say of counts in its own code. */
#include "tests/support/perf_read.h"
#include "util/made_files.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- limits of the header ---------------------------------------------------------------------------- */

enum { IDS = 104, ATTRS = IDS + 2 * 16, DATA = ATTRS + 3 * FILE_ATTR };

static struct file *whole(void)
{
    struct file *f = begin();

    head(f), config(f, 1);
    count(f, 11, 0, 0, 1000, 100, 100), count(f, 12, 1, 0, 3000, 100, 100);
    count(f, 21, 0, 0, 300, 100, 100), count(f, 22, 1, 0, 100, 100, 100);
    end_of_round(f, 0, 1000000000);
    finish(f);
    return f;
}

#define GOOD "1.000 system system : slots=4000 topdown-retiring=400 r19c:u=not_supported\n"

static struct file *spoilt(size_t at, uint64_t value)
{
    struct file *f = whole();

    w_at(f, at, value, 8);
    return f;
}

static struct file *cut(const char *magic, size_t n)
{
    struct file *f = whole();

    memcpy(f->b, magic, 8);
    f->n = n;
    return f;
}

static void sizes(void)
{
    struct file *f = whole();

    CU_ASSERT_EQUAL_FATAL(f->data, DATA);
    gives(f, GOOD);
    gives(spoilt(8, 103), "!f:0: perf.data: the header is cut off~");
    gives(spoilt(8, 104), GOOD);
    gives(spoilt(8, 105), GOOD);
    gives(cut("PERFILE2", 103), "!f:0: perf.data: the header is cut off~");
    gives(cut("PERFILE2", 104), "!f:136: perf.data: the events lie outside the file");
    gives(cut("PERFILE2", ATTRS + 3 * FILE_ATTR - 1), "!f:136: perf.data: the events lie outside the file");
    gives(cut("PERFILE2", ATTRS + 3 * FILE_ATTR), "{~");
    gives(cut("PERFFILE", 8), "!f:0: perf.data of a perf before 2.6.38~");
    gives(cut("2ELIFREP", 8), "!f:0: perf.data of a machine with the other byte order~");
    gives(cut("PERFILE2", 8), "!f:0: perf.data: the header is cut off~");
}

/* An event has 80 to 4096 bytes: perf_event_attr of at least 64, and where its ids are. */
static void events(void)
{
    struct file *f = spoilt(16, 79);

    w_at(f, 32, 79, 8);
    gives(f, "!f:16: perf.data: 79 bytes of events of 79 bytes each");
    f = spoilt(16, 4096);
    w_at(f, 32, 4096, 8);
    gives(f, "!f:136: perf.data: the events lie outside the file");
    f = spoilt(16, 4097);
    w_at(f, 32, 4097, 8);
    gives(f, "!f:16: perf.data: 4097 bytes of events of 4097 bytes each");
    gives(spoilt(32, 81), "!f:16: perf.data: 81 bytes of events of 80 bytes each");
    gives(spoilt(32, 1024 * 80), "!f:136: perf.data: the events lie outside the file");
    gives(spoilt(32, 1025 * 80), "!f:16: perf.data: 1025 events, not 1 to 1024");
    gives(spoilt(32, 0), "!f:16: perf.data: 0 events, not 1 to 1024");
}

/* The data begin after the header and within the file, and their end has a number. */
static void data(void)
{
    gives(spoilt(40, 103), "!f:40: perf.data: the data lie outside the file");
    /* the features are searched where the data would end then: 272 bytes earlier */
    gives(spoilt(40, 104), "{f:368: what the file says of its CPU and events is cut off, and used as far as it goes}"
                           "!f:104: perf.data: a record of 0 bytes");
    gives(spoilt(40, whole()->n + 1), "!f:40: perf.data: the data lie outside the file");
    gives(spoilt(40, whole()->n), "{~");
    gives(spoilt(48, UINT64_MAX - DATA + 1), "!f:40: perf.data: the data lie outside the file");
    gives(spoilt(48, UINT64_MAX - DATA), "1.000 system system : r400=4000~"); /* as without an end: no features */
}

/* Ids that take no multiple of 8 bytes; that begin or end after the file. */
static void ids(void)
{
    const size_t at = ATTRS + 64, n = whole()->n;

    gives(spoilt(at + 8, 15), "!f:136: perf.data: the ids of an event take 15 bytes, which is no multiple of 8");
    gives(spoilt(at + FILE_ATTR + 8, 17), "!f:216: perf.data: the ids of an event take 17 bytes~");
    gives(spoilt(at, n - 16 + 1), "!f:~");
    gives(spoilt(at, n - 15), "!f:~");
    gives(spoilt(at, n + 1), "!f:~");
}

/* ---- longer than what is kept ------------------------------------------------------------------------ */

/* Where the events, or an event's ids, are after what is kept, only the ids may be there: perf may write them after the
 * data, and a file with a name is read there. */
static void long_file(void)
{
    enum { SIZE = TD_PERF_WHOLE_MAX + 4096 };
    unsigned char *big = calloc(1, SIZE);
    static struct reading g;
    struct file *f = whole();

    CU_ASSERT_PTR_NOT_NULL_FATAL(big);
    w_at(f, 24, TD_PERF_WHOLE_MAX + 8, 8);
    memcpy(big, f->b, f->n);
    read_bytes(&g, big, SIZE, SIZE, NULL);
    CU_ASSERT_STRING_EQUAL(g.all.text, "!f:50331656: perf.data: the events are after the first 48 MiB of the file, "
                                       "which is as much as is kept: the file is damaged");
    f = whole();
    w_at(f, ATTRS + 64, TD_PERF_WHOLE_MAX + 8, 8);
    memcpy(big, f->b, f->n);
    read_bytes(&g, big, SIZE, SIZE, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.all.text,
                                  "!f:50331656: perf.data: the ids of an event are after the first 48 MiB of the file, "
                                  "which is as much as is kept: name the file instead of a pipe"));
    free(big);
}

/* ---- perf_event_attr ----------------------------------------------------------------------------------- */

enum { ATTR_BYTES = 136 };

/* Each member has another value; size is what the attr says that it has, n how many bytes are there. */
static struct td_perf_data_event attr_of(uint32_t size, size_t n, uint64_t flags, uint32_t clock)
{
    unsigned char bytes[ATTR_BYTES] = {0};
    struct td_perf_data_event e = {.type = 0};

#define PUT(offset_, type_, value_) memcpy(bytes + (offset_), &(type_){value_}, sizeof(type_))
    PUT(offsetof(struct perf_event_attr, type), uint32_t, 4);
    PUT(offsetof(struct perf_event_attr, size), uint32_t, size);
    PUT(offsetof(struct perf_event_attr, config), uint64_t, UINT64_C(0x1122334455667788));
    PUT(offsetof(struct perf_event_attr, sample_period), uint64_t, 1001);
    PUT(offsetof(struct perf_event_attr, sample_type), uint64_t, 1002);
    PUT(offsetof(struct perf_event_attr, read_format), uint64_t, 1003);
    PUT(offsetof(struct perf_event_attr, read_format) + 8, uint64_t, flags); /* the flags have no name to ask for */
    PUT(offsetof(struct perf_event_attr, branch_sample_type), uint64_t, 1004);
    PUT(offsetof(struct perf_event_attr, sample_regs_user), uint64_t, 1005);
    PUT(offsetof(struct perf_event_attr, clockid), uint32_t, clock);
    PUT(offsetof(struct perf_event_attr, sample_regs_intr), uint64_t, 1006);
    td_perf_data_attr(&e, (struct td_perf_view){bytes, n});
    return e;
}

/* A member is 0 where the attr ends before its end, by its own size or that of the file's section. */
static void members(void)
{
    static const struct {
        uint32_t size;
        size_t n;
        uint64_t branch, user, intr;
    } rows[] = {
        {136, 136, 1004, 1005, 1006}, {104, 136, 1004, 1005, 1006}, {136, 104, 1004, 1005, 1006},
        {103, 136, 1004, 1005, 0},    {136, 103, 1004, 1005, 0},    {88, 136, 1004, 1005, 0},
        {87, 136, 1004, 0, 0},        {80, 136, 1004, 0, 0},        {79, 136, 0, 0, 0},
        {64, 136, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_perf_data_event e = attr_of(rows[i].size, rows[i].n, 7, 1);

        CU_ASSERT(e.type == 4 && e.config == UINT64_C(0x1122334455667788) && e.flags == 7 && e.period == 1001);
        CU_ASSERT(e.sample_type == 1002 && e.read_format == 1003 && e.scale == 1);
        CU_ASSERT_EQUAL(e.branch_type, rows[i].branch);
        CU_ASSERT_EQUAL(e.regs_user, rows[i].user);
        CU_ASSERT_EQUAL(e.regs_intr, rows[i].intr);
    }
}

/* Times are those of CLOCK_MONOTONIC (1) where use_clockid, the 26th flag, is set, and the attr has the clock. */
static void clocks(void)
{
    static const struct {
        uint64_t flags;
        uint32_t clock, size;
        bool monotonic;
    } rows[] = {
        {1 << 25, 1, 136, true},  {1 << 25, 1, 96, true},         {1 << 25, 1, 95, false},
        {1 << 25, 0, 136, false}, {1 << 25, 2, 136, false},       {1 << 25, 4, 136, false},
        {0, 1, 136, false},       {1 << 24, 1, 136, false},       {1 << 26, 1, 136, false},
        {~0ULL, 1, 136, true},    {~(1ULL << 25), 1, 136, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        CU_ASSERT_EQUAL(attr_of(rows[i].size, ATTR_BYTES, rows[i].flags, rows[i].clock).monotonic, rows[i].monotonic);
}

/* An attr that says it is longer than the file has it: what is next in the file is none of its members. */
static void longer_attr(void)
{
    static struct opened o;
    struct file *f = whole();
    struct source from = {(const char *)f->b, f->n, f->n, 0};

    w_at(f, ATTRS + 4, 136, 4);
    CU_ASSERT_EQUAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL(td_perf_data_of(o.r)->event[0].config, 0x400);
    CU_ASSERT_EQUAL(td_perf_data_of(o.r)->event[0].branch_type, 0);
    CU_ASSERT_EQUAL(td_perf_data_of(o.r)->event[0].regs_user, 0);
    close_recording(&o);
}

/* ---- features ------------------------------------------------------------------------------------------- */

/* The table has an entry for each bit of the header's 256, in their order; of those from 32 on one is kept. */
static void kept(void)
{
    static struct opened o;
    struct file *f = begin();
    const struct td_perf_data *p;
    struct source from;
    size_t table;

    f->desc = false;
    head(f), config(f, 1), update(f, 1, 11, NULL, 2);
    finish(f);
    table = f->n;
    f->b[72 + 33 / 8] |= 1 << 33 % 8;
    f->b[72 + TD_KEPT_FEATURE / 8] |= 1 << TD_KEPT_FEATURE % 8;
    f->b[72 + 255 / 8] |= 1 << 255 % 8;
    w(f, table + 48, 8), w(f, 3, 8), w(f, table + 51, 8), w(f, 4, 8), w(f, table + 55, 8), w(f, 2, 8);
    w_text(f, "abcdefghi", 9);
    from = (struct source){(const char *)f->b, f->n, f->n, 0};
    CU_ASSERT_EQUAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
    p = td_perf_data_of(o.r);
    CU_ASSERT_EQUAL_FATAL(p->kept.n, 4);
    CU_ASSERT(!memcmp(p->kept.at, "defg", 4));
    close_recording(&o);
}

/* ---- counts of the kernel's own code ---------------------------------------------------------------------- */

/* Whether the handler of samples was counted, too, as the file's features and its second event say. */
static bool handler_counted(const char *release, uint64_t event, uint64_t flags)
{
    static struct opened o;
    struct file *f = begin();
    struct source from;
    bool counted;

    f->event[1] = (struct event){4, event, flags, "x", 21}; /* the first is slots */
    f->nevents = 2;
    f->release = release;
    head(f), config(f, 1);
    finish(f);
    from = (struct source){(const char *)f->b, f->n, f->n, 0};
    CU_ASSERT_EQUAL(open_recording(&o, &from, NULL, NULL, NULL), 0);
    counted = o.r->stream.handler_counted;
    close_recording(&o);
    return counted;
}

static void releases(void)
{
    static const struct {
        const char *release;
        bool before;
    } rows[] = {
        {"6.13.9", true}, {"6.14.0", false}, {"6.14-rc1", false}, {"6.15", false}, {"6.1.0-28-amd64", true},
        {"5.15.0", true}, {"5.99", true},    {"6", true},         {"7.0", false},  {"7", false},
        {"10.2", false},  {"4.19", true},    {"0.1", true},       {"9.13", false}, {"", false},
        {"v6.1", false},  {":6.1", false},   {"/6.1", false},     {"6.2", true},   {"6.100", false},
        {"6a.15", true},  {"6.9a", true},    {"6.19", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (handler_counted(rows[i].release, 0x8000, 0) != rows[i].before)
            CU_FAIL("a release is taken for another");
    CU_ASSERT(!handler_counted(NULL, 0x8000, 0)); /* not recorded */
}

/* Fields of PERF_METRICS are the events 0x8000 to 0x8700 in steps of 0x100. */
static void metrics(void)
{
    static const struct {
        uint64_t config, flags;
        bool counted;
    } rows[] = {
        {0x8000, 0, true},  {0x8100, 0, true},       {0x8700, 0, true},      {0x8800, 0, false},
        {0x7f00, 0, false}, {0x8001, 0, false},      {0x8080, 0, false},     {0x18000, 0, false},
        {0x400, 0, false},  {0x8000, 1 << 5, false}, {0x8000, 1 << 4, true}, {0x8000, 1 << 6, true},
        {0x700, 0, false},  {0x8700, 3 << 4, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        CU_ASSERT_EQUAL(handler_counted("6.1", rows[i].config, rows[i].flags), rows[i].counted);
}

static const CU_TestInfo tests[] = {
    {"sizes of the header", sizes},
    {"how many events", events},
    {"where the data are", data},
    {"where the ids are", ids},
    {"after what is kept", long_file},
    {"members of an event", members},
    {"clocks", clocks},
    {"an event that is longer than it is there", longer_attr},
    {"features", kept},
    {"releases of the kernel", releases},
    {"fields of the metrics register", metrics},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("header of perf.data", tests);
