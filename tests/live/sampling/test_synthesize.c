/* SPDX-License-Identifier: MIT */
/* Records of what was there before the first sample, from files that are written out here, word by word after
 * perf_event_open(2). */
#include "live/sampling/synthesize.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

static struct fake_os fake;
static struct td_data_bytes bytes;
static size_t at;

/* Of a folder whose path has no slash at its end. */
static int names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    char folder[100];

    snprintf(folder, sizeof(folder), "%s/", path);
    return fake_names(ctx, folder, each, arg);
}

static void begin(void)
{
    fake_begin(&fake);
    fake.os.names = names;
    free(bytes.at);
    bytes = (struct td_data_bytes){.n = 0};
    at = 0;
}

static uint32_t next32(void)
{
    uint32_t value;

    CU_ASSERT_FATAL(at + 4 <= bytes.n);
    memcpy(&value, bytes.at + at, 4);
    at += 4;
    return value;
}

static uint64_t next64(void)
{
    const uint64_t low = next32();

    return low | (uint64_t)next32() << 32;
}

/* struct perf_event_header: the type, misc, and the size of the whole record. */
static void header(uint32_t type, uint32_t misc, uint32_t size)
{
    const uint32_t read = next32(), rest = next32();

    CU_ASSERT_EQUAL(read, type);
    CU_ASSERT_EQUAL(rest & 0xffff, misc);
    CU_ASSERT_EQUAL(rest >> 16, size);
}

/* A text with its end, in whole words. */
static void name(const char *wanted)
{
    CU_ASSERT_STRING_EQUAL((const char *)bytes.at + at, wanted);
    for (size_t i = strlen(wanted); i % 8 || i == strlen(wanted); i++)
        CU_ASSERT_EQUAL(bytes.at[at + i], 0);
    at += strlen(wanted) / 8 * 8 + 8;
}

/* pid, tid, time, id and CPU, which attr.sample_id_all adds. */
static void trailer(uint32_t pid, uint32_t tid, uint64_t time)
{
    CU_ASSERT_EQUAL(next32(), pid);
    CU_ASSERT_EQUAL(next32(), tid);
    CU_ASSERT_EQUAL(next64(), time);
    CU_ASSERT_EQUAL(next64(), 0);
    CU_ASSERT_EQUAL(next64(), 0);
}

static void comm(uint32_t pid, uint32_t tid, uint64_t time, const char *wanted)
{
    header(PERF_RECORD_COMM, 0, (uint32_t)(8 + 8 + strlen(wanted) / 8 * 8 + 8 + 32));
    CU_ASSERT_EQUAL(next32(), pid);
    CU_ASSERT_EQUAL(next32(), tid);
    name(wanted);
    trailer(pid, tid, time);
}

static void mapping(uint32_t pid, const uint64_t numbers[6], uint64_t time, const char *path)
{
    header(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, (uint32_t)(72 + strlen(path) / 8 * 8 + 8 + 32));
    CU_ASSERT_EQUAL(next32(), pid);
    CU_ASSERT_EQUAL(next32(), pid);
    CU_ASSERT_EQUAL(next64(), numbers[0]); /* address, length, offset */
    CU_ASSERT_EQUAL(next64(), numbers[1]);
    CU_ASSERT_EQUAL(next64(), numbers[2]);
    CU_ASSERT_EQUAL(next32(), numbers[3]); /* device, inode, generation */
    CU_ASSERT_EQUAL(next32(), numbers[4]);
    CU_ASSERT_EQUAL(next64(), numbers[5]);
    CU_ASSERT_EQUAL(next64(), 0);
    CU_ASSERT_EQUAL(next32(), 1 | 4); /* PROT_READ | PROT_EXEC */
    CU_ASSERT_EQUAL(next32(), 2); /* MAP_PRIVATE */
    name(path);
    trailer(pid, pid, time);
}

static void kernel(void)
{
    begin();
    fake_put(&fake, "ffffffff81000000 T startup_64\nffffffff81000040 T _text\nffffffff81000050 T x_text\n",
             "/proc/kallsyms");
    td_synthesize_kernel(&fake.os, &bytes);
    header(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 8 + 8 + 24 + 24 + 32);
    CU_ASSERT_EQUAL(next32(), UINT32_MAX);
    CU_ASSERT_EQUAL(next32(), 0);
    CU_ASSERT_EQUAL(next64(), 0xffffffff81000040);
    CU_ASSERT_EQUAL(next64(), UINT64_MAX - 0xffffffff81000040);
    CU_ASSERT_EQUAL(next64(), 0xffffffff81000040);
    name("[kernel.kallsyms]_text");
    trailer(0, 0, 0);
    CU_ASSERT_EQUAL(at, bytes.n);
    begin(); /* in the first line */
    fake_put(&fake, "ffffffff81000000 T _text\n", "/proc/kallsyms");
    td_synthesize_kernel(&fake.os, &bytes);
    at = 16;
    CU_ASSERT_EQUAL(next64(), 0xffffffff81000000);
    begin(); /* hidden: as it is without CAP_SYSLOG */
    fake_put(&fake, "0000000000000000 T _text\n", "/proc/kallsyms");
    td_synthesize_kernel(&fake.os, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 0);
    begin();
    fake_put(&fake, "ffffffff81000000 T x_text\n", "/proc/kallsyms");
    td_synthesize_kernel(&fake.os, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 0);
    begin();
    td_synthesize_kernel(&fake.os, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 0);
}

/* Process 71 with the threads 71 and 72, and a program of three mappings that can be executed. */
static void put_process(void)
{
    fake_put(&fake, "worker\n", "/proc/71/task/72/comm");
    fake_put(&fake, "sixteen-letters-\n", "/proc/71/task/71/comm");
    fake_put(&fake,
             "0040c000-00452000 r-xp 0001a000 fd:1f 173521                     /usr/bin/a b\n"
             "00651000-00652000 rw-p 00051000 08:1f 173521                     /usr/bin/a b\n"
             "7f0000000000-7f0000000800 rwxp 00000000 00:00 0 \n"
             "7fff00000000-7fff00001000 r-xp 00000000 00:00 0                  [vdso]\n"
             "7fff00002000-7fff00003000 r-xp 00000000 00:00 0                  /cut",
             "/proc/71/maps");
}

static void check_process(uint64_t time)
{
    comm(71, 71, time, "sixteen-letters"); /* 15 at most, as in the kernel */
    comm(71, 72, time, "worker");
    mapping(71, (uint64_t[]){0x40c000, 0x46000, 0x1a000, 0xfd, 0x1f, 173521}, time, "/usr/bin/a b");
    mapping(71, (uint64_t[]){0x7f0000000000, 0x800, 0, 0, 0, 0}, time, "//anon");
    mapping(71, (uint64_t[]){0x7fff00000000, 0x1000, 0, 0, 0, 0}, time, "[vdso]");
}

static void process(void)
{
    begin();
    put_process();
    fake_put(&fake, "no number\n", "/proc/71/task/x/comm");
    fake_put(&fake, "nobody\n", "/proc/71/task/0/comm");
    td_synthesize_process(&fake.os, 71, 5000000001, &bytes);
    check_process(5000000001);
    CU_ASSERT_EQUAL(at, bytes.n);
    begin(); /* it ended meanwhile */
    td_synthesize_process(&fake.os, 71, 5, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 0);
}

static void all(void)
{
    begin();
    fake_put(&fake, "z\n", "/proc/9/task/9/comm");
    put_process();
    fake_put(&fake, "0\n", "/proc/sys/kernel/x");
    fake_put(&fake, "nobody\n", "/proc/0/task/1/comm");
    td_synthesize_all(&fake.os, 3, &bytes);
    check_process(3);
    comm(9, 9, 3, "z");
    CU_ASSERT_EQUAL(at, bytes.n);
}

/* Which ids belong to which CPU and thread: at most 1,000 in a record. */
static void ids(void)
{
    static const struct td_sampled one = {.n = 2, .id = {11, 12}, .target = {-1, 3, -1}},
                                   two = {.n = 1, .id = {21}, .target = {71, -1, -1}};
    static struct td_sampled big = {.n = TD_SAMPLED_MEMBERS, .target = {-1, 0, -1}};
    static const uint64_t id[] = {11, 12, 21};
    const struct td_sampled *few[] = {&one, &two}, *many[22];

    begin();
    td_synthesize_index(few, 2, &bytes);
    header(69, 0, 8 + 8 + 3 * 32);
    CU_ASSERT_EQUAL(next64(), 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(next64(), id[i]);
        CU_ASSERT_EQUAL(next64(), i / 2);
        CU_ASSERT_EQUAL(next64(), i < 2 ? 3 : UINT64_MAX);
        CU_ASSERT_EQUAL(next64(), i < 2 ? UINT64_MAX : 71);
    }
    CU_ASSERT_EQUAL(at, bytes.n);
    begin(); /* 20 groups have 960, another would have 1,008 */
    for (size_t i = 0; i < 22; i++)
        many[i] = &big;
    td_synthesize_index(many, 22, &bytes);
    header(69, 0, 8 + 8 + 960 * 32);
    CU_ASSERT_EQUAL(next64(), 960);
    at += 960 * 32;
    header(69, 0, 8 + 8 + 96 * 32);
    CU_ASSERT_EQUAL(next64(), 96);
    at += 8;
    CU_ASSERT_EQUAL(next64(), 20); /* the number of its group */
    CU_ASSERT_EQUAL(bytes.n, 16 + 960 * 32 + 16 + 96 * 32);
    big.n = 40; /* 25 groups would be 1,000: no more than 22 are there */
    begin();
    td_synthesize_index(many, 22, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 16 + 880 * 32);
    begin();
    td_synthesize_index(NULL, 0, &bytes);
    CU_ASSERT_EQUAL(bytes.n, 0);
    free(bytes.at);
    bytes.at = NULL;
}

static const CU_TestInfo tests[] = {
    {"the kernel", kernel}, {"a process", process}, {"all processes", all}, {"ids", ids}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("records of what was there before", tests);
