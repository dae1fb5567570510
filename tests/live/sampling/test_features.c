/* SPDX-License-Identifier: MIT */
/* The features of a perf.data, word by word after Linux tools/perf/Documentation/perf.data-file-format.txt. */
#include "include/tdprobe.h"
#include "live/sampling/features.h"
#include "tests/support/fake_os.h"

#include <search.h>
#include <stdlib.h>

/* HEADER_* of that document. */
enum {
    BUILD_ID = 2,
    HOSTNAME,
    OSRELEASE,
    PERF_VERSION,
    ARCH,
    NRCPUS,
    CPUDESC,
    CPUID,
    CMDLINE = 11,
    EVENT_DESC,
    PMUS = 16,
    GROUPS
};

static struct fake_os fake;
static struct td_meter meter;
static struct td_images images;
static struct td_data_bytes feature[TD_DATA_FEATURES];
static size_t at;

static void begin(void)
{
    fake_begin(&fake);
    memset(&meter, 0, sizeof(meter));
    memset(feature, 0, sizeof(feature));
    images = (struct td_images){.tree = NULL};
    meter.ask.os = &fake.os;
    meter.host.ncpus = 8;
}

static void make(const struct td_data_file *f, const char *const *command)
{
    td_features_make(&meter, f, &images, command, feature);
}

static void finish(void)
{
    td_images_free(&images);
    CU_ASSERT_PTR_NULL(images.tree);
    for (size_t i = 0; i < TD_DATA_FEATURES; i++)
        free(feature[i].at);
}

static uint32_t next32(size_t of)
{
    uint32_t value;

    CU_ASSERT_FATAL(at + 4 <= feature[of].n);
    memcpy(&value, feature[of].at + at, 4);
    at += 4;
    return value;
}

/* The next text, whose length is before it. */
static void text(size_t of, const char *wanted)
{
    const uint32_t n = next32(of);

    CU_ASSERT_EQUAL(n, 64);
    CU_ASSERT_FATAL(at + n <= feature[of].n);
    CU_ASSERT_STRING_EQUAL((const char *)feature[of].at + at, wanted);
    at += n;
}

static void is_text(size_t of, const char *wanted)
{
    at = 0;
    if (!wanted) {
        CU_ASSERT_EQUAL(feature[of].n, 0);
        return;
    }
    text(of, wanted);
    CU_ASSERT_EQUAL(at, feature[of].n);
}

static void machine(void)
{
    static const struct td_data_file none;
    static const char *const command[] = {"./a", "b c", NULL}, *const empty[] = {NULL};
    static const struct {
        const char *id, *wanted;
    } cpus[] = {
        {"GenuineIntel-6-8F-8", "GenuineIntel,6,143,8"}, /* hexadecimal here, decimal there */
        {"AuthenticAMD-25-11-1", "AuthenticAMD,25,17,1"},
        {"GenuineIntel-6-8F", "GenuineIntel,6,143,0"},
        {"GenuineIntel-6", "GenuineIntel,6,0,0"},
        {"0x00000000410fd490", "0x00000000410fd490"},
        {"", NULL},
    };
    char version[64];

    begin();
    strcpy(meter.host.name, "here");
    fake_put(&fake, "6.1.2\n", "/proc/sys/kernel/osrelease");
    make(&none, command);
    is_text(HOSTNAME, "here");
    is_text(OSRELEASE, "6.1.2");
    snprintf(version, sizeof(version), "tdprobe %s", td_version());
    is_text(PERF_VERSION, version);
#ifdef __x86_64__
    is_text(ARCH, "x86_64");
#endif
    at = 0;
    CU_ASSERT(next32(NRCPUS) == 8 && next32(NRCPUS) == 8 && feature[NRCPUS].n == 8); /* configured, online */
    at = 0;
    CU_ASSERT_EQUAL(next32(CMDLINE), 2);
    text(CMDLINE, "./a");
    text(CMDLINE, "b c");
    CU_ASSERT_EQUAL(at, feature[CMDLINE].n);
    CU_ASSERT_EQUAL(feature[BUILD_ID].n, 0);
    finish();
    for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
        begin();
        strcpy(meter.host.id, cpus[i].id);
        make(&none, i ? empty : NULL);
        is_text(CPUID, cpus[i].wanted);
        is_text(HOSTNAME, NULL);
        is_text(OSRELEASE, NULL);
        CU_ASSERT_EQUAL(feature[CMDLINE].n, 0);
        finish();
    }
}

/* Two groups, of two events and of one; of a third kind of event there is no group. */
static void events(void)
{
    static struct perf_event_attr attr[4];
    static uint64_t id[] = {101, 102};
    struct td_data_event event[] = {
        {.attr = &attr[0], .name = "slots", .leader = 0, .members = 2, .id = id, .nids = 2},
        {.attr = &attr[1], .name = "cpu-cycles", .leader = 0, .id = id, .nids = 1},
        {.attr = &attr[2], .name = "dummy", .leader = 2},
        {.attr = &attr[3], .name = "other", .leader = 3, .members = 1, .id = id + 1, .nids = 1},
    };
    const struct td_data_file f = {.event = event, .nevents = 4};

    for (size_t i = 0; i < 4; i++)
        attr[i].config = i + 1;
    begin();
    meter.npmus = 2;
    meter.pmu[0].host = &meter.host.pmu[1];
    meter.pmu[1].host = &meter.host.pmu[0];
    meter.host.pmu[0].type = 8;
    strcpy(meter.host.pmu[0].name, "cpu_atom");
    meter.host.pmu[1].type = 4;
    strcpy(meter.host.pmu[1].name, "cpu_core");
    make(&f, NULL);
    at = 0;
    CU_ASSERT_EQUAL(next32(PMUS), 2);
    CU_ASSERT_EQUAL(next32(PMUS), 4);
    text(PMUS, "cpu_core");
    CU_ASSERT_EQUAL(next32(PMUS), 8);
    text(PMUS, "cpu_atom");
    CU_ASSERT_EQUAL(at, feature[PMUS].n);
    at = 0;
    CU_ASSERT_EQUAL(next32(GROUPS), 2);
    text(GROUPS, "{anon_group}");
    CU_ASSERT(next32(GROUPS) == 0 && next32(GROUPS) == 2);
    text(GROUPS, "{anon_group}");
    CU_ASSERT(next32(GROUPS) == 3 && next32(GROUPS) == 1);
    CU_ASSERT_EQUAL(at, feature[GROUPS].n);
    at = 0;
    CU_ASSERT(next32(EVENT_DESC) == 4 && next32(EVENT_DESC) == sizeof(*attr));
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL_FATAL(memcmp(feature[EVENT_DESC].at + at, &attr[i], sizeof(*attr)), 0);
        at += sizeof(*attr);
        CU_ASSERT_EQUAL(next32(EVENT_DESC), event[i].nids);
        text(EVENT_DESC, event[i].name);
        for (size_t k = 0; k < event[i].nids; k++) {
            CU_ASSERT_EQUAL(next32(EVENT_DESC), event[i].id[k]);
            CU_ASSERT_EQUAL(next32(EVENT_DESC), 0);
        }
    }
    CU_ASSERT_EQUAL(at, feature[EVENT_DESC].n);
    finish();
}

/* A mapping's record: 40 or 72 bytes, the path, and 32 bytes that attr.sample_id_all adds. */
static void take(uint32_t type, const char *path)
{
    union {
        struct perf_event_header h;
        char at[256];
    } r = {.h = {.type = type}};
    const size_t front = type == PERF_RECORD_MMAP ? 40 : 72;

    strcpy(r.at + front, path);
    r.h.size = (uint16_t)(front + (strlen(path) / 8 + 1) * 8 + 32);
    if (!*path)
        r.h.size = (uint16_t)(front + 32);
    CU_ASSERT_EQUAL(td_images_take(&images, &r.h), 0);
}

/* The files of a machine, all with the same notes: one of the build-id, which is 4 bytes here. */
static ssize_t notes(void *ctx, const char *path, char *buf, size_t size)
{
    static const unsigned char note[] = {4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xef};
    const uint64_t first = 64, where = 120, n = sizeof(note);
    const bool file = !strcmp(path, "/a") || !strcmp(path, "/b");

    (void)ctx;
    (void)size;
    if (!file && strcmp(path, "/sys/kernel/notes"))
        return -ENOENT;
    memset(buf, 0, 200);
    if (!file) {
        memcpy(buf, note, n);
        return (ssize_t)n;
    }
    memcpy(buf, "\177ELF\2", 5);
    memcpy(buf + 32, &first, 8);
    buf[56] = 1; /* a header, */
    buf[64] = 4; /* of notes */
    memcpy(buf + 72, &where, 8);
    memcpy(buf + 96, &n, 8);
    memcpy(buf + 120, note, n);
    return 120 + (ssize_t)n;
}

/* struct perf_record_header_build_id: header, pid, the id in 24 bytes with its size, the path in whole 64 bytes.
 * Returns the path. */
static const char *build_id(uint32_t misc)
{
    static const unsigned char id[24] = {0xde, 0xad, 0xbe, 0xef, [20] = 4};

    CU_ASSERT_EQUAL(next32(BUILD_ID), 0);
    CU_ASSERT_EQUAL(next32(BUILD_ID), (misc | 1 << 15) | (8 + 4 + 24 + 64) << 16);
    CU_ASSERT_EQUAL(next32(BUILD_ID), UINT32_MAX);
    CU_ASSERT_FATAL(at + 88 <= feature[BUILD_ID].n);
    CU_ASSERT_EQUAL(memcmp(feature[BUILD_ID].at + at, id, 24), 0);
    at += 88;
    return (const char *)feature[BUILD_ID].at + at - 64;
}

static void executed(void)
{
    static const struct td_data_file none;
    const char *first, *second;

    begin();
    fake.os.file = notes;
    take(PERF_RECORD_MMAP, "/a");
    take(PERF_RECORD_MMAP2, "/b");
    take(PERF_RECORD_MMAP2, "/a"); /* once */
    take(PERF_RECORD_MMAP2, "//anon");
    take(PERF_RECORD_MMAP2, "/missing");
    take(PERF_RECORD_MMAP2, "");
    take(PERF_RECORD_COMM, "/c");
    CU_ASSERT(!images.kernel);
    make(&none, NULL);
    at = 0;
    first = build_id(PERF_RECORD_MISC_USER); /* in any order */
    second = build_id(PERF_RECORD_MISC_USER);
    CU_ASSERT_STRING_EQUAL(strcmp(first, second) < 0 ? first : second, "/a");
    CU_ASSERT_STRING_EQUAL(strcmp(first, second) < 0 ? second : first, "/b");
    CU_ASSERT_EQUAL(at, feature[BUILD_ID].n);
    finish();
    begin();
    fake.os.file = notes;
    take(PERF_RECORD_MMAP, "[kernel.kallsyms]_text");
    CU_ASSERT(images.kernel && !images.tree);
    make(&none, NULL);
    at = 0;
    CU_ASSERT_STRING_EQUAL(build_id(PERF_RECORD_MISC_KERNEL), "[kernel.kallsyms]");
    CU_ASSERT_EQUAL(at, feature[BUILD_ID].n);
    finish();
}

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool has(const char *path)
{
    return tfind(path, &images.tree, by_path) != NULL;
}

/* Takes a record of so many bytes, with a text at one of them and other bytes after it. */
static void take_bytes(uint32_t type, size_t size, size_t at_byte, const char *text_there)
{
    union {
        struct perf_event_header h;
        char at[256];
    } r;

    memset(&r, 'x', sizeof(r));
    r.h = (struct perf_event_header){.type = type, .size = (uint16_t)size};
    memcpy(r.at + at_byte, text_there, strlen(text_there));
    r.at[sizeof(r) - 1] = '\0';
    CU_ASSERT_EQUAL(td_images_take(&images, &r.h), 0);
}

/* A path ends with its record, or rather before what attr.sample_id_all adds; a record without a byte for it has none,
 * nor has one that is of no mapping. */
static void whole_path(void)
{
    static const struct {
        uint32_t type;
        size_t size, at;
        const char *text;
        bool has;
    } rows[] = {
        {PERF_RECORD_MMAP, 40 + 2 + 32, 40, "/a", true},   {PERF_RECORD_MMAP2, 72 + 2 + 32, 72, "/a", true},
        {PERF_RECORD_MMAP, 40 + 3 + 32, 40, "/a", false}, /* it is longer */
        {PERF_RECORD_MMAP, 40 + 0 + 32, 40, "/a", false},  {PERF_RECORD_MMAP, 40 + 0 + 31, 40, "/a", false},
        {PERF_RECORD_MMAP2, 72 + 0 + 31, 72, "/a", false}, {PERF_RECORD_MMAP2, 72 - 31, 72, "/a", false},
        {PERF_RECORD_COMM, 72 + 2 + 32, 72, "/a", false},  {PERF_RECORD_COMM, 40 + 2 + 32, 40, "/a", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin();
        take_bytes(rows[i].type, rows[i].size, rows[i].at, rows[i].text);
        CU_ASSERT_EQUAL(has("/a"), rows[i].has);
        finish();
    }
    begin();
    take(PERF_RECORD_MMAP, "//anon");
    take(PERF_RECORD_MMAP, "anon");
    take(PERF_RECORD_MMAP, "/b/c");
    take(PERF_RECORD_MMAP, "/x//c");
    CU_ASSERT(!has("//anon") && !has("anon") && has("/b/c") && has("/x//c") && !images.kernel);
    finish();
}

static const CU_TestInfo tests[] = {
    {"the machine", machine},        {"events", events}, {"executed files", executed},
    {"where paths end", whole_path}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("features of a perf.data", tests);
