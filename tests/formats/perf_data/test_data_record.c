/* SPDX-License-Identifier: MIT */
/* One record after the other: where they end, where the file is cut off, and reading on. */
#include "tests/support/perf_samples.h"
#include "tests/support/source.h"

enum { BASE = 1000, PIECE = 1 << 17 };

static struct perf_samples f;

static void put_record(uint32_t type, size_t size)
{
    perf_samples_put(&f, type, 4), perf_samples_put(&f, type + 1, 2), perf_samples_put(&f, size, 2);
    for (size_t i = 8; i < size; i++)
        perf_samples_put(&f, type, 1);
}

static int next(struct td_perf_record *r)
{
    return td_perf_data_record(&f.p.recording, r);
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

/* A record of 24 bytes, and then others, of which so many bytes are there and so many should be; what is given after
 * the first. */
static void ends(void)
{
    static const struct {
        size_t second, there;
        uint64_t data; /* bytes of all; 0: it is not known */
        int err;
        bool cut;
    } rows[] = {
        {16, 40, 40, 0, false},        {8, 32, 32, 0, false},         {16, 39, 40, -ENODATA, true},
        {16, 32, 40, -ENODATA, true},  {16, 31, 40, -ENODATA, true},  {16, 24, 40, -ENODATA, true},
        {16, 40, 24, -ENODATA, false}, {16, 24, 24, -ENODATA, false}, {16, 40, 0, 0, false},
        {16, 39, 0, -ENODATA, true},   {16, 31, 0, -ENODATA, true},   {16, 25, 0, -ENODATA, true},
        {16, 24, 0, -ENODATA, false},  {16, 40, 39, -EBADMSG, false}, {16, 40, 41, 0, false},
        {7, 40, 40, -EBADMSG, false},  {0, 40, 40, -EBADMSG, false},  {17, 40, 40, -EBADMSG, false},
        {17, 40, 0, -ENODATA, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_perf_record r;
        int err;

        perf_samples_begin(&f);
        put_record(65, 24);
        perf_samples_put(&f, 66, 4), perf_samples_put(&f, 67, 2), perf_samples_put(&f, rows[i].second, 2);
        perf_samples_put(&f, UINT64_C(0x4242424242424242), 8), perf_samples_put(&f, 0, 8);
        f.p.base = BASE;
        f.p.end = rows[i].there;
        f.p.data_end = rows[i].data ? BASE + rows[i].data : UINT64_MAX;
        CU_ASSERT(next(&r) == 0 && r.type == 65 && r.misc == 66 && r.v.n == 16 && r.at == BASE);
        CU_ASSERT(!f.p.cut && f.p.recording.bytes.line == BASE && r.v.at == f.p.buf + 8 && r.time == 0);
        err = next(&r);
        CU_ASSERT_EQUAL(err, rows[i].err);
        CU_ASSERT_EQUAL(f.p.cut, rows[i].cut);
        CU_ASSERT_EQUAL(f.p.recording.bytes.line, BASE + 24);
        CU_ASSERT(err || (r.type == 66 && r.misc == 67 && r.v.n == rows[i].second - 8 && r.at == BASE + 24));
        CU_ASSERT(err || (f.p.start == 24 + rows[i].second && r.v.at == f.p.buf + 32));
        if (err == -EBADMSG) {
            char why[64];

            snprintf(why, sizeof(why), "f:1024: perf.data: a record of %zu bytes", rows[i].second);
            CU_ASSERT_STRING_EQUAL(f.log.error, why);
        }
        perf_samples_end(&f);
    }
}

/* ---- reading on
 * ------------------------------------------------------------------------------------------------------ */

enum { SIZE = 1000, RECORDS = 400, KEPT = 3500 /* bytes of them that are in the buffer at first */ };

/* Records of 1000 bytes with some number of bytes after them: the pieces in which they are read end anywhere. */
static void go_on(size_t after, int failure)
{
    const size_t all = SIZE * RECORDS + after;
    char *bytes = calloc(1, all);
    struct source s = {bytes + KEPT, all - KEPT, 60000, failure};
    struct td_perf_record r;
    size_t n = 0;
    int err;

    perf_samples_begin(&f);
    f.p.buf = realloc(f.p.buf, KEPT + PIECE);
    CU_ASSERT_FATAL(bytes && f.p.buf && !td_bytes_open(&f.p.recording.bytes, source_read, &s));
    for (size_t i = 0; i < RECORDS; i++) {
        f.n = 0;
        put_record(70, SIZE);
        memcpy(bytes + SIZE * i, f.p.buf, SIZE);
        memcpy(bytes + SIZE * i + 8, &i, sizeof(i));
    }
    memcpy(f.p.buf, bytes, KEPT);
    f.p.start = 0, f.p.end = KEPT, f.p.whole = false, f.p.data_end = UINT64_MAX;
    for (; !(err = next(&r)); n++)
        CU_ASSERT(r.type == 70 && r.v.n == SIZE - 8 && r.at == SIZE * n && !memcmp(r.v.at, &n, sizeof(n)));
    if (failure) {
        CU_ASSERT_EQUAL(err, failure);
        CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, "cannot be read: "));
    } else {
        CU_ASSERT(err == -ENODATA && n == RECORDS && f.p.whole);
        CU_ASSERT_EQUAL(f.p.cut, after > 0);
    }
    td_bytes_close(&f.p.recording.bytes);
    perf_samples_end(&f);
    free(bytes);
}

static void pieces(void)
{
    go_on(0, 0);
    go_on(1, 0);
    go_on(7, 0);
    go_on(0, -EIO);
}

static const CU_TestInfo tests[] = {{"where they end", ends}, {"reading on", pieces}, CU_TEST_INFO_NULL};
UNIT_SUITE("records of perf.data", tests);
