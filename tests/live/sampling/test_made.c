/* SPDX-License-Identifier: MIT */
/* Which files of recorded processes are copied into a recording, on a machine that answers from a table. */
#include "live/sampling/made.h"
#include "tests/support/unit.h"
#include "util/made_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for, in order. */
static char asked[2000];
static bool ended; /* processes have */
static size_t most; /* the most bytes that were offered */
static size_t dump_size; /* of each dump */
static bool more; /* there was more than is kept */

static ssize_t status_of(void *ctx, const char *path, char *buf, size_t size)
{
    (void)ctx;
    if (ended || !strstr(path, "/status"))
        return -ENOENT;
    return snprintf(buf, size, "Name:\tx\nUid:\t9\t%s\t9\t9\nNSpid:\t1%s\n", strstr(path, "/20/") ? "8" : "5",
                    strstr(path, "/20/") ? "\t20\t3" : "");
}

static ssize_t file_of(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size)
{
    const size_t at = strlen(asked);

    (void)ctx;
    snprintf(asked + at, sizeof(asked) - at, "%d %s %u, ", (int)pid, path, (unsigned)user);
    most = size > most ? size : most;
    if (ended && pid)
        return -ESRCH;
    if (strstr(path, "perf-9"))
        return -ENOENT;
    memset(buf, 'm', size);
    return strstr(path, ".dump") && dump_size < size ? (ssize_t)dump_size : strstr(path, ".dump") ? (ssize_t)size : 2;
}

static const struct td_os os = {.name = "a table", .file = status_of, .file_of = file_of};

union record {
    struct perf_event_header h;
    unsigned char bytes[256];
};

static void take(struct td_made *m, uint32_t type, uint32_t pid, uint32_t parent, const char *path)
{
    enum { PID = 8, SAMPLE_PID = 16, PATH = 72, TRAILER = 32 };
    union record r = {.h = {.type = type, .size = (uint16_t)(PATH + 64 + TRAILER)}};

    memcpy(r.bytes + (type == PERF_RECORD_SAMPLE ? SAMPLE_PID : PID), &pid, 4);
    if (type == PERF_RECORD_FORK)
        memcpy(r.bytes + PID + 4, &parent, 4);
    if (path)
        strcpy((char *)r.bytes + PATH, path);
    CU_ASSERT_EQUAL_FATAL(td_made_take(m, &os, &r.h), 0);
}

static struct td_data_bytes put(struct td_made *m)
{
    struct td_data_bytes b = {.n = 0};

    *asked = '\0';
    most = 0;
    more = td_made_put(m, &os, &b);
    CU_ASSERT(!b.failed);
    return b;
}

/* Process 20, the third one in a container, has more samples than 10; 10 was forked from 30, and 40 has only a file
 * that is no jitdump. */
static void which(void)
{
    static const char wanted[] = TD_KEPT_BEGINS "\0"
                                                "\24\0\0\0"
                                                "\0\0\0\0"
                                                "\2\0\0\0\0\0\0\0"
                                                "mm"
                                                "\12\0\0\0"
                                                "\0\0\0\0"
                                                "\2\0\0\0\0\0\0\0"
                                                "mm"
                                                "\12\0\0\0"
                                                "\15\0\0\0";
    struct td_made m = {.n = 0};
    struct td_data_bytes b;

    ended = false;
    dump_size = SIZE_MAX;
    take(&m, PERF_RECORD_MMAP2, 40, 0, "/usr/lib/libc.so.6");
    take(&m, PERF_RECORD_FORK, 10, 30, NULL);
    take(&m, PERF_RECORD_SAMPLE, 10, 0, NULL);
    take(&m, PERF_RECORD_SAMPLE, 20, 0, NULL);
    take(&m, PERF_RECORD_SAMPLE, 20, 0, NULL);
    take(&m, PERF_RECORD_SAMPLE, 0, 0, NULL);
    take(&m, PERF_RECORD_MMAP2, 10, 0, "/old/jit-1.dump");
    take(&m, PERF_RECORD_MMAP2, 10, 0, "/a/jit-1.dump");
    b = put(&m);
    CU_ASSERT_STRING_EQUAL(asked, "20 /tmp/perf-3.map 8, 10 /tmp/perf-1.map 5, 10 /a/jit-1.dump 5, ");
    CU_ASSERT(b.n > sizeof(wanted) && !memcmp(b.at, wanted, sizeof(wanted) - 1));
    /* the dump took what was left: 16 MiB in all */
    CU_ASSERT(more && most == TD_KEPT_MOST + 1);
    CU_ASSERT_EQUAL(b.n, strlen(TD_KEPT_BEGINS) + 1 + 3 * 16 + 13 + TD_KEPT_MOST);
    free(b.at);
    td_made_free(&m);
}

/* Those that have ended are looked for as everybody sees their files, but for one in a container. */
static void after_the_end(void)
{
    struct td_made m = {.n = 0};
    struct td_data_bytes b;

    ended = false;
    take(&m, PERF_RECORD_SAMPLE, 20, 0, NULL);
    take(&m, PERF_RECORD_SAMPLE, 1, 0, NULL);
    ended = true;
    take(&m, PERF_RECORD_SAMPLE, 90, 0, NULL); /* it was over before it could be looked at */
    b = put(&m);
    CU_ASSERT_STRING_EQUAL(asked,
                           "1 /tmp/perf-1.map 5, 0 /tmp/perf-1.map 5, 20 /tmp/perf-3.map 8, 90 /tmp/perf-90.map 0, "
                           "0 /tmp/perf-90.map 0, ");
    CU_ASSERT(!more && b.n == strlen(TD_KEPT_BEGINS) + 1 + 16 + 2);
    free(b.at);
    td_made_free(&m);
}

/* 16 MiB in all, and not a byte more: a map of 2 bytes, a dump, and the map of the process that has fewer samples. */
static void most_bytes(void)
{
    static const struct {
        size_t dump;
        bool other, more;
        size_t kept;
    } cases[] = {
        {TD_KEPT_MOST - 2, false, false, TD_KEPT_MOST}, {TD_KEPT_MOST - 1, false, true, TD_KEPT_MOST},
        {TD_KEPT_MOST - 4, true, false, TD_KEPT_MOST},  {TD_KEPT_MOST - 3, true, true, TD_KEPT_MOST},
        {TD_KEPT_MOST - 2, true, true, TD_KEPT_MOST},   {100, true, false, 104},
    };

    ended = false;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_made m = {.n = 0};
        struct td_data_bytes b;
        size_t files = 2;

        dump_size = cases[i].dump;
        take(&m, PERF_RECORD_SAMPLE, 10, 0, NULL);
        take(&m, PERF_RECORD_SAMPLE, 10, 0, NULL);
        take(&m, PERF_RECORD_MMAP2, 10, 0, "/a/jit-1.dump");
        if (cases[i].other)
            take(&m, PERF_RECORD_SAMPLE, 30, 0, NULL);
        b = put(&m);
        files += cases[i].other && cases[i].dump < TD_KEPT_MOST - 2;
        CU_ASSERT_EQUAL(more, cases[i].more);
        CU_ASSERT_EQUAL(b.n, strlen(TD_KEPT_BEGINS) + 1 + 16 * files + 13 + cases[i].kept);
        free(b.at);
        td_made_free(&m);
    }
}

/* A new process has the number of one that ended, and not its dump; a new thread changes nothing. */
static void numbers_come_again(void)
{
    struct td_made m = {.n = 0};
    struct td_data_bytes b;

    ended = false;
    take(&m, PERF_RECORD_SAMPLE, 90, 0, NULL);
    take(&m, PERF_RECORD_MMAP2, 90, 0, "/jit-9.dump");
    take(&m, PERF_RECORD_FORK, 90, 90, NULL);
    b = put(&m);
    CU_ASSERT_STRING_EQUAL(asked, "90 /tmp/perf-1.map 5, 90 /jit-9.dump 5, ");
    free(b.at);
    take(&m, PERF_RECORD_FORK, 90, 20, NULL);
    take(&m, PERF_RECORD_FORK, 21, 20, NULL); /* a child without samples has no code of its own */
    b = put(&m);
    CU_ASSERT_STRING_EQUAL(asked, "20 /tmp/perf-3.map 8, 90 /tmp/perf-1.map 5, ");
    free(b.at);
    td_made_free(&m);
}

static void nothing(void)
{
    struct td_made m = {.n = 0};
    struct td_data_bytes b;

    ended = false;
    b = put(&m);
    CU_ASSERT(!b.n && !*asked);
    for (uint32_t pid = 1; pid < 5000; pid++)
        take(&m, PERF_RECORD_SAMPLE, pid, 0, NULL);
    CU_ASSERT_EQUAL(m.n, 4096);
    free(b.at);
    td_made_free(&m);
}

static const CU_TestInfo tests[] = {
    {"which files", which},
    {"after the end", after_the_end},
    {"as many bytes as are kept, and more", most_bytes},
    {"numbers come again", numbers_come_again},
    {"nothing, and too much", nothing},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("copies of made files", tests);
