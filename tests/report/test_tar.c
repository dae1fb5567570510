/* SPDX-License-Identifier: MIT */
/* Archives: what is written is what POSIX has, and what is read is believed nowhere. */
#include "report/tar.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 8 * TD_TAR_BLOCK };

static struct {
    char bytes[MOST];
    size_t n;
} made;

static int keep(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    CU_ASSERT_FATAL(n <= MOST - made.n);
    memcpy(made.bytes + made.n, bytes, n);
    made.n += n;
    return 0;
}

/* An archive of a, which is empty, and of folder/b. */
static void make(void)
{
    struct td_output o;

    made.n = 0;
    CU_ASSERT_FATAL(!td_output_open_fn(&o, keep, NULL));
    td_tar_put(&o, "a", "", 0);
    td_tar_put(&o, "folder/b", "text\n", 5);
    td_tar_end(&o);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
}

/* ---- reading ------------------------------------------------------------------------------------ */

static struct {
    struct td_tar_entry e[4];
    size_t n;
} seen;
static char why[TD_TAR_WHY];

static int take(void *ctx, const struct td_tar_entry *e)
{
    (void)ctx;
    if (seen.n < 4)
        seen.e[seen.n] = *e;
    seen.n++;
    return 0;
}

static int stop(void *ctx, const struct td_tar_entry *e)
{
    (void)ctx;
    (void)e;
    return -ECANCELED;
}

/* Reads n bytes that were made, which lie in a file after some others. */
static int read_made(size_t n, td_tar_fn *each)
{
    static const char before[] = "what is before";
    const int fd = memfd_create("test", MFD_CLOEXEC);
    int err;

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL_FATAL(write(fd, before, sizeof(before)), (ssize_t)sizeof(before));
    CU_ASSERT_EQUAL_FATAL(write(fd, made.bytes, n), (ssize_t)n);
    seen.n = 0;
    *why = '\0';
    err = td_tar_read(fd, sizeof(before), sizeof(before) + n, each, NULL, why);
    close(fd);
    for (size_t i = 0; i < seen.n && i < 4; i++)
        seen.e[i].at -= sizeof(before);
    return err;
}

/* Puts a field of the header at a byte, and the checksum that fits. */
static void change(size_t header, size_t at, const char *field, size_t n)
{
    char *const h = made.bytes + header;
    unsigned sum = 0;

    memcpy(h + at, field, n);
    memset(h + 148, ' ', 8);
    for (size_t i = 0; i < TD_TAR_BLOCK; i++)
        sum += (unsigned char)h[i];
    snprintf(h + 148, 8, "%06o", sum);
}

/* POSIX.1-2001, pax, table 4-14: where the fields are. The bytes of the first header are: 97 of the name, 4 * 48 + 54 +
 * 52 + 52 of the mode, 7 * 48 each of user and group, 11 * 48 each of size and time, 48 of the type, 559 of "ustar", 2
 * * 48 of the version, and 8 blanks of 32: 3134, or 6076. */
static void written(void)
{
    make();
    CU_ASSERT_EQUAL(made.n, 5 * TD_TAR_BLOCK);
    CU_ASSERT_STRING_EQUAL(made.bytes, "a");
    CU_ASSERT_STRING_EQUAL(made.bytes + 100, "0000644");
    CU_ASSERT_STRING_EQUAL(made.bytes + 124, "00000000000");
    CU_ASSERT_EQUAL(memcmp(made.bytes + 148, "006076\0 0\0", 10), 0);
    CU_ASSERT_EQUAL(memcmp(made.bytes + 257, "ustar\00000\0", 9), 0);
    CU_ASSERT_STRING_EQUAL(made.bytes + 512, "folder/b");
    CU_ASSERT_STRING_EQUAL(made.bytes + 512 + 124, "00000000005");
    CU_ASSERT_EQUAL(memcmp(made.bytes + 1024, "text\n\0", 6), 0);
    for (size_t i = 1029; i < made.n; i++)
        CU_ASSERT_EQUAL(made.bytes[i], 0);
    CU_ASSERT(td_tar_is(made.bytes, 512));
    CU_ASSERT_FALSE(td_tar_is(made.bytes, 511));
    CU_ASSERT_FALSE(td_tar_is(made.bytes + 1024, 512));
}

static void read_back(void)
{
    make();
    CU_ASSERT_EQUAL(read_made(made.n, take), 0);
    CU_ASSERT_EQUAL_FATAL(seen.n, 2);
    CU_ASSERT_STRING_EQUAL(seen.e[0].name, "a");
    CU_ASSERT_EQUAL(seen.e[0].kind, TD_TAR_FILE);
    CU_ASSERT_EQUAL(seen.e[0].size, 0);
    CU_ASSERT_STRING_EQUAL(seen.e[1].name, "folder/b");
    CU_ASSERT_EQUAL(seen.e[1].at, 1024);
    CU_ASSERT_EQUAL(seen.e[1].size, 5);
    CU_ASSERT_EQUAL(read_made(made.n, stop), -ECANCELED);
}

/* One block of zeros is enough; without any, and at every other place, it is cut. */
static void cut(void)
{
    make();
    for (size_t n = 0; n < 4 * TD_TAR_BLOCK; n += n < 1020 || n > 1530 ? 1 : 17) {
        CU_ASSERT_EQUAL(read_made(n, take), -EBADMSG);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "it is cut"));
    }
    CU_ASSERT_EQUAL(read_made(4 * TD_TAR_BLOCK, take), 0);
}

/* A header any byte of which is another is none, but for the last 12, which nobody uses: their sum is part of it. */
static void damaged(void)
{
    for (size_t i = 0; i < TD_TAR_BLOCK; i++) {
        make();
        made.bytes[TD_TAR_BLOCK + i] ^= 1;
        if (i >= 154 && i < 156) /* after the checksum's digits */
            continue;
        CU_ASSERT_EQUAL(read_made(made.n, take), -EBADMSG);
        CU_ASSERT_EQUAL(seen.n, 1);
    }
}

static void sizes(void)
{
    static const struct {
        const char *field;
        const char *says; /* NULL: it is read */
        uint64_t size;
    } cases[] = {
        {"00000000005", NULL, 5},
        {"         5 1", NULL, 5},
        {"000000001000", NULL, 512},
        {"00000003000", NULL, 1536}, /* the rest */
        {"00000003001", "has 1537 bytes, and 1536 are left", 0},
        {"77777777777", "has 8589934591 bytes", 0},
        {"777777777777", "has 68719476735 bytes", 0},
        {"\200\0\0\0\0\0\0\0\0\0\0\005", "is no number", 0},
        {"-0000000005", "is no number", 0},
        {"0x000000005", "is no number", 0},
        {"00000000008", "is no number", 0},
        {"           ", "is no number", 0},
        {"\0\0\0\0\0\0\0\0\0\0\0", "is no number", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int err;

        make();
        change(TD_TAR_BLOCK, 124, cases[i].field, 12);
        err = read_made(made.n, take);
        if (cases[i].says) {
            CU_ASSERT_EQUAL(err, -EBADMSG);
            CU_ASSERT_PTR_NOT_NULL(strstr(why, cases[i].says));
        } else {
            CU_ASSERT_EQUAL_FATAL(seen.n, 2);
            CU_ASSERT_EQUAL(seen.e[1].size, cases[i].size);
        }
    }
}

/* Types by POSIX, and those of GNU's tar; a link's size says nothing of what follows. */
static void kinds(void)
{
    static const struct {
        char type;
        enum td_tar_kind kind;
        uint64_t size;
    } cases[] = {{'\0', TD_TAR_FILE, 5},  {'0', TD_TAR_FILE, 5},      {'7', TD_TAR_FILE, 5},
                 {'5', TD_TAR_FOLDER, 0}, {'x', TD_TAR_EXTENSION, 5}, {'L', TD_TAR_EXTENSION, 5},
                 {'1', TD_TAR_OTHER, 0},  {'2', TD_TAR_OTHER, 0},     {'6', TD_TAR_OTHER, 0},
                 {'S', TD_TAR_OTHER, 5}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        make();
        change(TD_TAR_BLOCK, 156, &cases[i].type, 1);
        read_made(made.n, take);
        CU_ASSERT_EQUAL_FATAL(seen.n, 2);
        CU_ASSERT_EQUAL(seen.e[1].kind, cases[i].kind);
        CU_ASSERT_EQUAL(seen.e[1].size, cases[i].size);
    }
}

/* A name of all 100 bytes has no NUL; the prefix of 155 precedes it, but GNU has something else there. */
static void names(void)
{
    char name[100], prefix[155];

    memset(name, 'n', sizeof(name));
    memset(prefix, 'p', sizeof(prefix));
    make();
    change(0, 0, name, sizeof(name));
    change(0, 345, prefix, sizeof(prefix));
    CU_ASSERT_EQUAL(read_made(made.n, take), 0);
    CU_ASSERT_EQUAL(strlen(seen.e[0].name), 256);
    CU_ASSERT_EQUAL(seen.e[0].name[154], 'p');
    CU_ASSERT_EQUAL(seen.e[0].name[155], '/');
    CU_ASSERT_EQUAL(seen.e[0].name[156], 'n');
    change(0, 257, "ustar  ", 8);
    CU_ASSERT_EQUAL(read_made(made.n, take), 0);
    CU_ASSERT_EQUAL(strlen(seen.e[0].name), 100);
}

/* As many entries as are read, and one more. */
static void many(void)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);
    char *all = malloc((TD_TAR_ENTRIES + 2) * TD_TAR_BLOCK);

    make();
    CU_ASSERT_FATAL(fd >= 0 && all);
    for (size_t i = 0; i < TD_TAR_ENTRIES + 1; i++) /* of the first, which is empty */
        memcpy(all + i * TD_TAR_BLOCK, made.bytes, TD_TAR_BLOCK);
    memset(all + (TD_TAR_ENTRIES + 1) * TD_TAR_BLOCK, 0, TD_TAR_BLOCK);
    CU_ASSERT_EQUAL_FATAL(write(fd, all, (TD_TAR_ENTRIES + 2) * TD_TAR_BLOCK), (TD_TAR_ENTRIES + 2) * TD_TAR_BLOCK);
    seen.n = 0;
    CU_ASSERT_EQUAL(td_tar_read(fd, TD_TAR_BLOCK, (TD_TAR_ENTRIES + 2) * TD_TAR_BLOCK, take, NULL, why), 0);
    CU_ASSERT_EQUAL(seen.n, TD_TAR_ENTRIES);
    seen.n = 0;
    CU_ASSERT_EQUAL(td_tar_read(fd, 0, (TD_TAR_ENTRIES + 2) * TD_TAR_BLOCK, take, NULL, why), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(why, "it has more than 10000 entries");
    CU_ASSERT_EQUAL(seen.n, TD_TAR_ENTRIES);
    free(all);
    close(fd);
}

/* What cannot be read says why; a file that ends before the archive does became shorter. */
static void unreadable(void)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);

    make();
    CU_ASSERT_EQUAL(td_tar_read(-1, 0, TD_TAR_BLOCK, take, NULL, why), -EBADF);
    CU_ASSERT_STRING_EQUAL(why, strerror(EBADF));
    CU_ASSERT_EQUAL_FATAL(write(fd, made.bytes, TD_TAR_BLOCK + 100), TD_TAR_BLOCK + 100);
    seen.n = 0;
    CU_ASSERT_EQUAL(td_tar_read(fd, 0, 4 * TD_TAR_BLOCK, take, NULL, why), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(why, "it became shorter while it was read");
    CU_ASSERT_EQUAL(seen.n, 1);
    close(fd);
}

static CU_TestInfo tests[] = {
    {"written as POSIX has it", written},
    {"read back", read_back},
    {"cut at each byte", cut},
    {"damaged at each byte", damaged},
    {"sizes", sizes},
    {"kinds of entries", kinds},
    {"names", names},
    {"many entries", many},
    {"what cannot be read", unreadable},
    CU_TEST_INFO_NULL,
};

UNIT_SUITE("tar", tests);
