/* SPDX-License-Identifier: MIT */
/* Files of gzip and zstd, made here by hand of blocks that store bytes as they are (RFC 1952 and 1951, RFC 8878), read
 * in pieces of any size and from anywhere; damaged ones, and those that become too long. */
#include "formats/unpack.h"

#include "private/packed.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 300000, BLOCK = 60000 };

/* A file in memory, which gives at most so many bytes at once. */
struct file {
    unsigned char *bytes;
    size_t n, at, most;
    int fail; /* -errno of the next read; 0: none */
    unsigned seeks;
};

static ssize_t file_read(void *ctx, void *buf, size_t size)
{
    struct file *f = ctx;
    size_t n = f->n - f->at;

    if (f->fail)
        return f->fail;
    n = n < size ? n : size;
    n = n < f->most ? n : f->most;
    if (n) /* without a byte there is no memory */
        memcpy(buf, f->bytes + f->at, n);
    f->at += n;
    return (ssize_t)n;
}

static int file_seek(void *ctx, uint64_t offset)
{
    struct file *f = ctx;

    f->seeks++;
    f->at = offset < f->n ? (size_t)offset : f->n;
    return 0;
}

static void put(struct file *f, const void *bytes, size_t n)
{
    f->bytes = realloc(f->bytes, f->n + n + 1);
    CU_ASSERT_FATAL(f->bytes != NULL);
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void put_le(struct file *f, uint32_t value, size_t n)
{
    const unsigned char le[] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                (unsigned char)(value >> 24)};

    put(f, le, n);
}

/* RFC 1952, section 8. */
static uint32_t crc(const unsigned char *bytes, size_t n)
{
    uint32_t c = 0xffffffff;

    for (size_t i = 0; i < n; i++) {
        c ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

static void put_gzip(struct file *f, const unsigned char *bytes, size_t n)
{
    put(f, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    for (size_t at = 0; !at || at < n; at += BLOCK) {
        const size_t len = n - at < BLOCK ? n - at : BLOCK;

        put_le(f, at + BLOCK >= n, 1);
        put_le(f, (uint32_t)len, 2);
        put_le(f, ~(uint32_t)len, 2);
        put(f, bytes + at, len);
    }
    put_le(f, crc(bytes, n), 4);
    put_le(f, (uint32_t)n, 4);
}

/* A window of 128 KiB; blocks begin with three bytes: whether it is the last, its type (0: raw), its size. */
static void put_zstd(struct file *f, const unsigned char *bytes, size_t n)
{
    put(f, "\x28\xb5\x2f\xfd\x00\x38", 6);
    for (size_t at = 0; !at || at < n; at += BLOCK) {
        const size_t len = n - at < BLOCK ? n - at : BLOCK;

        put_le(f, (uint32_t)(at + BLOCK >= n) | (uint32_t)len << 3, 3);
        put(f, bytes + at, len);
    }
}

static void put_plain(struct file *f, const unsigned char *bytes, size_t n)
{
    put(f, bytes, n);
}

typedef void put_fn(struct file *, const unsigned char *, size_t);

static const struct way {
    const char *name;
    put_fn *put;
} ways[] = {{"gzip", put_gzip}, {"zstd", put_zstd}, {"none", put_plain}};

static unsigned char text[LONG];

/* Whether this was built with the library, and it is there. */
static bool reads(const char *program)
{
    const char *library = NULL;

#ifdef HAVE_ZLIB
    library = !strcmp(program, "gzip") ? "libz.so.1" : library;
#endif
#ifdef HAVE_ZSTD
    library = !strcmp(program, "zstd") ? "libzstd.so.1" : library;
#endif
    return !strcmp(program, "none") || (library && dlopen(library, RTLD_LAZY | RTLD_LOCAL)); /* it stays loaded */
}

static void make_text(void)
{
    uint32_t x = 1;

    for (size_t i = 0; i < LONG; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = (unsigned char)(x >> 24);
    }
    memcpy(text, "begin of it", 11);
}

/* Whether the rest of the file is the text from a byte on, read in steps. */
static void reads_on(struct td_unpack *u, size_t from, size_t n, size_t step)
{
    static unsigned char buf[LONG];
    size_t got = 0;
    ssize_t more = 1;

    while (more > 0 && got < n - from) {
        more = td_unpack_read(u, buf + got, step < n - from - got ? step : n - from - got);
        got += more > 0 ? (size_t)more : 0;
    }
    CU_ASSERT_EQUAL(got, n - from);
    CU_ASSERT(!memcmp(buf, text + from, got));
    CU_ASSERT_EQUAL(td_unpack_read(u, buf, sizeof(buf)), 0);
    CU_ASSERT_EQUAL(td_unpack_read(u, buf, sizeof(buf)), 0);
}

static void whole(void)
{
    static const size_t sizes[] = {11, BLOCK, BLOCK + 1, LONG}, steps[] = {1000000, 65536, 4097};

    make_text();
    for (size_t w = 0; w < 3; w++)
        for (size_t s = 0; s < 4 * 3 && reads(ways[w].name); s++) {
            struct file f = {.most = s % 2 ? 3 : SIZE_MAX};
            struct td_unpack *u;

            ways[w].put(&f, text, sizes[s / 3]);
            u = td_unpack_new(file_read, file_seek, &f);
            CU_ASSERT_FATAL(u != NULL);
            reads_on(u, 0, sizes[s / 3], steps[s % 3]);
            CU_ASSERT_STRING_EQUAL(td_unpack_why(u), "");
            td_unpack_free(u);
            free(f.bytes);
        }
}

/* Several members in one file, as parts of a log that were put together; zeros after the last, as a tape has. */
static void members(void)
{
    make_text();
    for (size_t w = 0; w < 2 && reads(ways[w].name); w++) {
        struct file f = {.most = 1000};
        struct td_unpack *u;

        ways[w].put(&f, text, 1000);
        ways[w].put(&f, text + 1000, 0);
        ways[w].put(&f, text + 1000, 99000);
        put(&f, "\0\0\0\0\0", 5);
        u = td_unpack_new(file_read, NULL, &f);
        reads_on(u, 0, 100000, 777);
        td_unpack_free(u);
        free(f.bytes);
    }
}

static void seeks(void)
{
    static const size_t places[] = {200000, 100000, 100000, 0, LONG - 1, 5, LONG};

    make_text();
    for (size_t w = 0; w < 3; w++) {
        struct file f = {.most = SIZE_MAX};
        struct td_unpack *u;

        if (!reads(ways[w].name))
            continue;
        ways[w].put(&f, text, LONG);
        u = td_unpack_new(file_read, file_seek, &f);
        for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
            CU_ASSERT_EQUAL(td_unpack_seek(u, places[i]), 0);
            reads_on(u, places[i], LONG, 30000);
        }
        td_unpack_free(u);
        free(f.bytes);
    }
}

/* Going on is no going back, also beyond the end. */
static void seeks_on(void)
{
    make_text();
    for (size_t w = 0; w < 2; w++) {
        struct file f = {.most = SIZE_MAX};
        struct td_unpack *u;
        char byte;

        if (!reads(ways[w].name))
            continue;
        ways[w].put(&f, text, LONG);
        u = td_unpack_new(file_read, file_seek, &f);
        CU_ASSERT_EQUAL(td_unpack_seek(u, 70000), 0);
        CU_ASSERT(td_unpack_read(u, &byte, 1) == 1 && (unsigned char)byte == text[70000]);
        CU_ASSERT_EQUAL(td_unpack_seek(u, 70001), 0);
        CU_ASSERT_EQUAL(f.seeks, 0);
        CU_ASSERT(td_unpack_read(u, &byte, 1) == 1 && (unsigned char)byte == text[70001]);
        CU_ASSERT_EQUAL(td_unpack_seek(u, 70001), 0);
        CU_ASSERT_EQUAL(f.seeks, 1);
        CU_ASSERT(td_unpack_read(u, &byte, 1) == 1 && (unsigned char)byte == text[70001]);
        CU_ASSERT_EQUAL(td_unpack_seek(u, LONG + 5), 0);
        CU_ASSERT_EQUAL(td_unpack_read(u, &byte, 1), 0);
        CU_ASSERT_EQUAL(f.seeks, 1);
        td_unpack_free(u);
        free(f.bytes);
    }
}

/* A copy of three bytes from 32768 before, as far as gzip goes (RFC 1951, 3.2.5 and 3.2.6): a last block (1) of fixed
 * codes (01), length 3 (code 257, 0000001), distance 24577 (code 29, 11101) and 8191 more (13 bits), the end (256,
 * 0000000). Numbers have their lowest bit first, codes their highest. */
static void far_copy(void)
{
    static unsigned char bytes[32768 + 3];
    static const char bits[] = "1"
                               "10"
                               "0000001"
                               "11101"
                               "1111111111111"
                               "0000000";
    unsigned char block[5] = {0};
    struct file f = {.most = SIZE_MAX};
    struct td_unpack *u;

    if (!reads("gzip"))
        return;
    make_text();
    memcpy(bytes, text, 32768);
    memcpy(bytes + 32768, text, 3);
    for (size_t i = 0; bits[i]; i++)
        block[i / 8] |= (unsigned char)((bits[i] == '1') << i % 8);
    put(&f, "\x1f\x8b\x08\0\0\0\0\0\0\x03\0\x00\x80\xff\x7f", 15); /* and a block of 32768 bytes */
    put(&f, text, 32768);
    put(&f, block, sizeof(block));
    put_le(&f, crc(bytes, sizeof(bytes)), 4);
    put_le(&f, sizeof(bytes), 4);
    u = td_unpack_new(file_read, file_seek, &f);
    for (size_t at = 0; at < sizeof(bytes); at += 331) { /* 99 times, and the last two */
        const size_t n = sizeof(bytes) - at < 331 ? sizeof(bytes) - at : 331;
        unsigned char buf[331] = {0};

        CU_ASSERT_EQUAL(td_unpack_read(u, buf, sizeof(buf)), (ssize_t)n);
        CU_ASSERT(!memcmp(buf, bytes + at, n));
    }
    td_unpack_free(u);
    free(f.bytes);
}

static void fails(struct file *f, const char *why)
{
    static unsigned char buf[LONG];
    struct td_unpack *u = td_unpack_new(file_read, file_seek, f);
    ssize_t n;

    while ((n = td_unpack_read(u, buf, sizeof(buf))) > 0)
        ;
    CU_ASSERT_EQUAL(n, -EUCLEAN);
    CU_ASSERT_STRING_EQUAL(td_unpack_why(u), why);
    td_unpack_free(u);
}

static void damaged(void)
{
    make_text();
    for (size_t cut = 8; cut < 1018 && reads("gzip"); cut++) { /* 10, 5, 1000 and 8 bytes */
        struct file f = {.most = SIZE_MAX};

        put_gzip(&f, text, 1000);
        f.n = cut;
        fails(&f, "is compressed by gzip, and cut off: it ends in the middle; copy it again");
        free(f.bytes);
    }
    for (size_t at = 18; at < 1023 && reads("gzip"); at += 67) { /* the bytes, and the checksum of them */
        struct file f = {.most = SIZE_MAX};

        put_gzip(&f, text, 1000);
        f.bytes[at] ^= 1;
        fails(&f, "is compressed by gzip, and damaged: copy it again");
        free(f.bytes);
    }
    for (size_t cut = 8; cut < 1009 && reads("zstd"); cut++) {
        struct file f = {.most = SIZE_MAX};

        put_zstd(&f, text, 1000);
        f.n = cut;
        fails(&f, "is compressed by zstd, and cut off: it ends in the middle; copy it again");
        free(f.bytes);
    }
}

/* Blocks of one byte that is repeated (type 1) become 128 KiB of four bytes. A file of 4006 bytes may become 64 MiB and
 * 250 times as long: 68110364 bytes, 519 blocks and 83996 bytes. */
static void bombs(void)
{
    static unsigned char buf[128 * 1024];
    struct file f = {.most = SIZE_MAX};
    struct td_unpack *u;

    if (!reads("zstd"))
        return;
    put(&f, "\x28\xb5\x2f\xfd\x00\x38", 6);
    for (unsigned i = 0; i < 1000; i++) {
        put_le(&f, 1u << 1 | (128u * 1024) << 3, 3);
        put(&f, "x", 1);
    }
    u = td_unpack_new(file_read, file_seek, &f);
    for (unsigned i = 0; i < 519; i++)
        CU_ASSERT_EQUAL_FATAL(td_unpack_read(u, buf, sizeof(buf)), sizeof(buf));
    CU_ASSERT_EQUAL(td_unpack_read(u, buf, 83996), 83996);
    CU_ASSERT_EQUAL(td_unpack_read(u, buf, 1), -EUCLEAN);
    td_unpack_free(u);
    f.at = 0;
    fails(&f, "is compressed by zstd, and becomes more than 250 times as long: if that is right, decompress it first");
    free(f.bytes);
}

static void errors(void)
{
    struct file f = {.most = SIZE_MAX, .fail = -EIO};
    struct td_unpack *u = td_unpack_new(file_read, file_seek, &f);
    char buf[10];

    CU_ASSERT_EQUAL(td_unpack_read(u, buf, sizeof(buf)), -EIO);
    CU_ASSERT_STRING_EQUAL(td_unpack_why(u), "");
    f.fail = 0;
    CU_ASSERT_EQUAL(td_unpack_read(u, buf, sizeof(buf)), 0);
    td_unpack_free(u);
}

static int scenario(void *ctx)
{
    struct file *f = ctx;
    struct td_unpack *u;
    char byte;
    ssize_t n;

    f->at = 0;
    u = td_unpack_new(file_read, file_seek, f);
    n = u ? td_unpack_read(u, &byte, 1) : -ENOMEM;
    CU_ASSERT_STRING_EQUAL(u ? td_unpack_why(u) : "", "");
    td_unpack_free(u);
    return n == 1 ? 0 : (int)n;
}

static void no_memory(void)
{
    make_text();
    for (size_t w = 0; w < 2; w++) {
        struct file f = {.most = SIZE_MAX};

        if (!reads(ways[w].name))
            continue;
        ways[w].put(&f, text, 100);
        CU_ASSERT(memory_each(scenario, &f, 1, false) >= 2);
        free(f.bytes);
    }
}

static void readable(void)
{
    CU_ASSERT(!td_packed_readable("xz") && !td_packed_readable("bzip2") && !td_packed_readable("zip"));
}

static const CU_TestInfo tests[] = {
    {"whole files", whole},  {"members", members},     {"seeks", seeks},         {"damaged files", damaged},
    {"going on", seeks_on},  {"no memory", no_memory}, {"far copies", far_copy}, {"bombs", bombs},
    {"read errors", errors}, {"readable", readable},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("unpack", tests);
