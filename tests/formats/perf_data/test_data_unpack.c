/* SPDX-License-Identifier: MIT */
/* Compressed records: frames of blocks that are stored as they are (RFC 8878, 3.1.1), whose pieces end anywhere. */
#include "tests/support/perf_samples.h"

#ifdef HAVE_ZSTD
static const bool zstd = true;
#else
static const bool zstd = false;
#endif

enum { AT = 1000 /* where the first piece is in the file; the others are 1 apart */ };

static struct perf_samples f;
static struct td_perf_unpack *unpack;
static unsigned char piece[1 << 18];
static size_t n;

static void put(uint64_t value, size_t size)
{
    for (; size; size--, value >>= 8)
        piece[n++] = (unsigned char)value;
}

static void begin(void)
{
    perf_samples_begin(&f);
    f.p.recording.bytes.line = AT;
    unpack = NULL;
    n = 0;
    put(UINT64_C(0x5000fd2fb528), 6); /* the magic number, no size, and a window of 1 MiB */
}

static void end(void)
{
    td_perf_unpack_free(unpack);
    perf_samples_end(&f);
}

/* A block of so many bytes. */
static void block(const void *bytes, size_t size)
{
    put(size << 3, 3);
    memcpy(piece + n, bytes, size);
    n += size;
}

static int add(void)
{
    const int err = td_perf_unpack_add(&f.p.recording, &unpack, (struct td_perf_view){piece, n});

    n = 0;
    return err;
}

/* The next record has that type and size: its bytes are its type. */
static void gives(uint32_t type, size_t size, uint64_t at)
{
    struct td_perf_record r;
    bool same = true;

    f.p.recording.bytes.line = 7; /* of the file's record that was read last; errors are where the piece is */
    CU_ASSERT_EQUAL_FATAL(td_perf_unpack_take(&f.p.recording, unpack, &r), 0);
    CU_ASSERT(r.type == type && r.misc == type + 1 && r.v.n == size - 8 && r.at == at && r.time == 0);
    for (size_t i = 0; i < r.v.n && same; i++)
        same = r.v.at[i] == type;
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(f.p.recording.bytes.line, at);
}

static void needs_more(void)
{
    struct td_perf_record r;

    CU_ASSERT_EQUAL(td_perf_unpack_take(&f.p.recording, unpack, &r), -EAGAIN);
    CU_ASSERT_EQUAL(td_perf_unpack_take(&f.p.recording, unpack, &r), -EAGAIN);
}

/* A record, unpacked; returns where it ends. */
static size_t make(unsigned char *out, uint32_t type, size_t size)
{
    const unsigned char head[] = {(unsigned char)type,       0, 0, 0, (unsigned char)(type + 1), 0, (unsigned char)size,
                                  (unsigned char)(size >> 8)};

    memset(out, (int)type, size < 8 ? 8 : size);
    memcpy(out, head, 8);
    return size;
}

/* Three records of 8, 24 and 300 bytes in two pieces, which part them at each byte. */
static void pieces(void)
{
    unsigned char all[332];
    size_t size = make(all, 65, 8);

    size += make(all + size, 66, 24);
    size += make(all + size, 67, 300);
    for (size_t part = 0; part <= size; part++) {
        const size_t ends[] = {8, 32, 332};

        begin();
        if (part)
            block(all, part);
        CU_ASSERT_EQUAL_FATAL(add(), 0);
        for (size_t i = 0; i < 3; i++) {
            if (part < ends[i] && (!i || part >= ends[i - 1])) {
                needs_more();
                f.p.recording.bytes.line = AT + 1;
                if (part < size)
                    block(all + part, size - part);
                CU_ASSERT_EQUAL_FATAL(add(), 0);
            }
            gives(65 + (uint32_t)i, i ? ends[i] - ends[i - 1] : 8, part < ends[i] ? AT + 1 : AT);
        }
        needs_more();
        end();
    }
}

/* Many records, in a piece of more than is unpacked at once. */
static void many(void)
{
    enum { SIZE = 1000, RECORDS = 200, EACH = 100 };
    static unsigned char all[SIZE * EACH];

    begin();
    for (size_t i = 0; i < EACH; i++)
        make(all + SIZE * i, 100, SIZE);
    for (size_t i = 0; i < RECORDS / EACH; i++)
        block(all, sizeof(all));
    CU_ASSERT_EQUAL_FATAL(add(), 0);
    for (size_t i = 0; i < RECORDS; i++)
        gives(100, SIZE, AT);
    needs_more();
    end();
}

/* Exactly as much as is unpacked at once, 128 KiB; a byte more and one less. */
static void full(void)
{
    enum { STEP = 1 << 17, HALF = 1 << 16 };
    static unsigned char all[STEP + 1];

    for (size_t size = STEP - 1; size <= STEP + 1; size++) {
        const size_t one = HALF - 8, rest = size - 2 * one;

        begin();
        make(all, 100, one), make(all + one, 101, one), make(all + 2 * one, 102, rest);
        block(all, HALF), block(all + HALF, size - HALF);
        CU_ASSERT_EQUAL_FATAL(add(), 0);
        gives(100, one, AT), gives(101, one, AT), gives(102, rest, AT);
        needs_more();
        end();
    }
}

static void fails(const char *why)
{
    struct td_perf_record r;
    int err = add();

    err = err ? err : td_perf_unpack_take(&f.p.recording, unpack, &r);
    CU_ASSERT_EQUAL(err, -EBADMSG);
    CU_ASSERT_STRING_EQUAL(f.log.error, why);
    end();
}

static void damages(void)
{
    unsigned char bytes[8];

    for (size_t size = 0; size < 8; size++) {
        char why[64];

        begin();
        make(bytes, 65, size);
        block(bytes, 8);
        snprintf(why, sizeof(why), "f:1000: perf.data: a compressed record of %zu bytes", size);
        fails(why);
    }
    begin();
    *piece = 0;
    fails("f:1000: perf.data: compressed records are damaged: Unknown frame descriptor");
}

static void without_library(void)
{
    begin();
    CU_ASSERT_EQUAL(add(), -EBADMSG);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, "built without zstd"));
    end();
}

static void (*const with[])(void) = {pieces, many, full, damages};

static void unpacked(void)
{
    for (size_t i = 0; zstd && i < sizeof(with) / sizeof(*with); i++)
        with[i]();
    if (!zstd)
        without_library();
}

static const CU_TestInfo tests[] = {{"pieces of frames", unpacked}, CU_TEST_INFO_NULL};
UNIT_SUITE("compressed records", tests);
