/* SPDX-License-Identifier: MIT */
/* What events are called, by their attributes, by the features of the file and by records; and the CPU's id. */
#include "tests/support/perf_samples.h"

#include <math.h>

static struct perf_samples f;
static unsigned char bytes[8192];
static size_t n;

static void put(uint64_t value, size_t size)
{
    for (; size; size--, value >>= 8)
        bytes[n++] = (unsigned char)value;
}

/* A text of a feature, in so many bytes. */
static void put_text(const char *text, size_t size)
{
    put(size, 4);
    memset(bytes + n, 0, size);
    memcpy(bytes + n, text, strlen(text) < size ? strlen(text) : size);
    n += size;
}

static struct td_perf_data_event *begin(uint32_t type, uint64_t config, uint64_t flags)
{
    struct td_perf_data_event *e;

    perf_samples_begin(&f);
    e = perf_samples_event(&f, "none", 0);
    e->type = type, e->config = config, e->flags = flags;
    n = 0;
    return e;
}

static const char *name_of(size_t event)
{
    return f.p.recording.stream.texts.names[f.p.event[event].text];
}

/* ---- by the attributes ------------------------------------------------------------------------------------------ */

/* perf's names of PERF_COUNT_HW_* and PERF_COUNT_SW_*, by number. */
static const char *const hardware[] = {
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
static const char *const software[] = {"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
                                       "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
                                       "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

enum { EXCLUDE_USER = 1 << 4, EXCLUDE_KERNEL = 1 << 5 };

static void is_called(uint32_t type, uint64_t config, uint64_t flags, const char *wanted)
{
    static const struct td_perf_view none;

    begin(type, config, flags);
    CU_ASSERT_EQUAL(td_perf_data_names(&f.p.recording, none, none), 0);
    CU_ASSERT_STRING_EQUAL(name_of(0), wanted);
    CU_ASSERT_FALSE(f.p.event[0].named);
    perf_samples_end(&f);
}

static void by_attributes(void)
{
    for (size_t i = 0; i < 10; i++)
        is_called(PERF_TYPE_HARDWARE, i, 0, hardware[i]);
    for (size_t i = 0; i < 12; i++)
        is_called(PERF_TYPE_SOFTWARE, i, 0, software[i]);
    is_called(PERF_TYPE_HARDWARE, 10, 0, "type0/config=0xa/");
    is_called(PERF_TYPE_SOFTWARE, 12, 0, "type1/config=0xc/");
    is_called(PERF_TYPE_SOFTWARE, UINT64_C(0x100000000), 0, "type1/config=0x100000000/");
    is_called(PERF_TYPE_HARDWARE, UINT64_C(0x500000001), 0, "instructions"); /* of a PMU that has no name */
    is_called(PERF_TYPE_HARDWARE, UINT64_C(0x80000000), 0, "type0/config=0x80000000/");
    is_called(PERF_TYPE_HW_CACHE, 3, 0, "type3/config=0x3/");
    is_called(PERF_TYPE_RAW, 0x1c2, 0, "r1c2");
    is_called(5, 0x1c2, 0, "type5/config=0x1c2/");
}

static void modes(void)
{
    static const struct {
        uint64_t flags;
        const char *mode;
    } rows[] = {{0, ""},
                {EXCLUDE_KERNEL, "u"},
                {EXCLUDE_USER, "k"},
                {EXCLUDE_USER | EXCLUDE_KERNEL, ""},
                {1 << 3 | 1 << 6, ""}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static const struct {
            uint32_t type;
            const char *name;
            bool plain; /* a mode has a colon before it */
        } of[] = {{PERF_TYPE_HARDWARE, "cycles", true},
                  {PERF_TYPE_SOFTWARE, "cpu-clock", true},
                  {PERF_TYPE_RAW, "r0", true},
                  {8, "type8/config=0x0/", false}};

        for (size_t k = 0; k < 4; k++) {
            char wanted[64];

            snprintf(wanted, sizeof(wanted), "%s%s%s", of[k].name, of[k].plain && *rows[i].mode ? ":" : "",
                     rows[i].mode);
            is_called(of[k].type, 0, rows[i].flags, wanted);
        }
    }
}

/* ---- by the PMU ---------------------------------------------------------------------------------------------------
 */

/* The file's list of PMUs: the first of each type counts; what is cut off, or more than is said to be there, does not.
 */
static void pmus(void)
{
    static const struct {
        uint32_t said, type;
        size_t cut;
        const char *name;
    } rows[] = {
        {4, 8, 0, "uncore/config=0x3/"},    {4, 9, 0, "msr/config=0x3/"},     {4, 10, 0, "cpu_atom/config=0x3/"},
        {4, 7, 0, "type7/config=0x3/"},     {3, 10, 0, "type10/config=0x3/"}, {4, 10, 1, "type10/config=0x3/"},
        {5, 10, 0, "cpu_atom/config=0x3/"}, {0, 8, 0, "type8/config=0x3/"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin(rows[i].type, 3, 0);
        put(rows[i].said, 4);
        put(8, 4), put_text("uncore", 8), put(9, 4), put_text("msr", 3);
        put(8, 4), put_text("other", 8), put(10, 4), put_text("cpu_atom", 8);
        CU_ASSERT_EQUAL(td_perf_data_names(&f.p.recording, (struct td_perf_view){bytes, 0},
                                           (struct td_perf_view){bytes, n - rows[i].cut}),
                        0);
        CU_ASSERT_STRING_EQUAL(name_of(0), rows[i].name);
        perf_samples_end(&f);
    }
}

/* Events of several PMUs, in no order; on hybrids the upper half of a generic event's number is its PMU. */
static void several_pmus(void)
{
    static const struct {
        uint32_t type;
        uint64_t config;
        const char *name;
    } rows[] = {
        {10, 1, "cpu_atom/config=0x1/"},
        {PERF_TYPE_RAW, 2, "cpu_core/r2/"},
        {PERF_TYPE_HARDWARE, UINT64_C(0x400000001), "cpu_core/instructions/"},
        {PERF_TYPE_HARDWARE, UINT64_C(0xa00000000), "cpu_atom/cycles/"},
        {PERF_TYPE_HARDWARE, 0, "cycles"},
        {12, 3, "type12/config=0x3/"},
        {10, 4, "cpu_atom/config=0x4/"},
        {8, 5, "uncore/config=0x5/"},
    };
    enum { EVENTS = sizeof(rows) / sizeof(*rows) };

    begin(rows[0].type, rows[0].config, 0);
    for (size_t i = 1; i < EVENTS; i++) {
        struct td_perf_data_event *e = perf_samples_event(&f, "none", 0);

        e->type = rows[i].type, e->config = rows[i].config;
    }
    put(4, 4), put(10, 4), put_text("cpu_atom", 9), put(8, 4), put_text("uncore", 7), put(4, 4),
        put_text("cpu_core", 9), put(0, 4), put_text("zero", 5);
    CU_ASSERT_EQUAL(
        td_perf_data_names(&f.p.recording, (struct td_perf_view){bytes, 0}, (struct td_perf_view){bytes, n}), 0);
    for (size_t i = 0; i < EVENTS; i++)
        CU_ASSERT_STRING_EQUAL(name_of(i), rows[i].name);
    perf_samples_end(&f);
}

/* Of a PMU's name 63 bytes are used. */
static void long_pmu(void)
{
    for (size_t size = 62; size <= 65; size++) {
        char name[128], wanted[128];

        memset(name, 'p', size), name[size] = '\0';
        begin(8, 1, 0);
        put(1, 4), put(8, 4), put_text(name, size);
        put('q', 1); /* a text need not have an end */
        CU_ASSERT_EQUAL(
            td_perf_data_names(&f.p.recording, (struct td_perf_view){bytes, 0}, (struct td_perf_view){bytes, n}), 0);
        snprintf(wanted, sizeof(wanted), "%.63s/config=0x1/", name);
        CU_ASSERT_STRING_EQUAL(name_of(0), wanted);
        perf_samples_end(&f);
    }
}

/* ---- by the feature that has their names ----------------------------------------------------------------------------
 */

enum { LIST = 6000 /* where the list of PMUs is */ };

/* The name of a raw event with that name in the file; core: its PMU is cpu_core. */
static const char *called(const char *name, bool core)
{
    size_t desc;

    begin(PERF_TYPE_RAW, 7, 0);
    put(1, 4), put(16, 4), put(4, 4), put(0, 4), put(7, 8), put(0, 4), put_text(name, strlen(name) + 1);
    desc = n;
    n = LIST;
    put(1, 4), put(4, 4), put_text("cpu_core", 9);
    CU_ASSERT_EQUAL(td_perf_data_names(&f.p.recording, (struct td_perf_view){bytes, desc},
                                       (struct td_perf_view){bytes + LIST, core ? n - LIST : 0}),
                    0);
    CU_ASSERT_EQUAL(f.p.event[0].named, *name != '\0');
    return name_of(0);
}

static void by_feature(void)
{
    static const struct {
        const char *name, *plain, *core;
    } rows[] = {
        {"slots", "slots", "cpu_core/slots/"},
        {"slots:u", "slots:u", "cpu_core/slots/u"},
        {"slots:ukhGHpPSDWb", "slots:ukhGHpPSDWb", "cpu_core/slots/ukhGHpPSDW"}, /* ten are enough */
        {"slots:eIRb", "slots:eIRb", "cpu_core/slots/eIRb"},
        {"slots:", "slots:", "cpu_core/slots/"},
        {"a:b:k", "a:b:k", "cpu_core/a:b/k"},
        {"a:x", "a:x", "cpu_core/a:x/"},
        {"a:ux", "a:ux", "cpu_core/a:ux/"},
        {"cpu_atom/slots/k", "cpu_atom/slots/k", "cpu_atom/slots/k"},
        {"", "r7", "cpu_core/r7/"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_STRING_EQUAL(called(rows[i].name, false), rows[i].plain);
        perf_samples_end(&f);
        CU_ASSERT_STRING_EQUAL(called(rows[i].name, true), rows[i].core);
        perf_samples_end(&f);
    }
}

/* 1024 bytes of a name are used, and if the PMU is added to it, too. */
static void long_names(void)
{
    for (size_t size = 1023; size <= 1025; size++) {
        char name[1100], wanted[1100];

        memset(name, 'n', size), name[size] = '\0';
        CU_ASSERT_EQUAL(strlen(called(name, false)), size < 1024 ? size : 1024);
        perf_samples_end(&f);
        snprintf(wanted, sizeof(wanted), "cpu_core/%.1024s/", name);
        CU_ASSERT_STRING_EQUAL(called(name, true), wanted);
        perf_samples_end(&f);
    }
}

/* Two raw events, 1 and 2, with a name of each; what of the feature is damaged, and the names that are left. */
static void damaged_feature(void)
{
    static const struct {
        uint32_t events, size, type, ids;
        uint64_t config;
        size_t cut;
        const char *one, *other;
    } rows[] = {
        {2, 16, 4, 1, 1, 0, "one", "two"}, {3, 16, 4, 1, 1, 0, "r1", "r2"},  {1, 16, 4, 1, 1, 0, "r1", "r2"},
        {2, 16, 5, 1, 1, 0, "r1", "r2"},   {2, 16, 4, 1, 3, 0, "r1", "r2"},  {2, 16, 4, 1, 1, 1, "one", "r2"},
        {2, 16, 4, 1, 1, 8, "one", "r2"},  {2, 16, 4, 1, 1, 99, "r1", "r2"}, {2, 16, 4, 2, 1, 0, "one", "r2"},
        {2, 15, 4, 1, 1, 0, "r1", "r2"},   {2, 16, 4, 0, 1, 0, "one", "r2"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin(PERF_TYPE_RAW, 1, 0);
        *perf_samples_event(&f, "none", 0) = (struct td_perf_data_event){.type = PERF_TYPE_RAW, .config = 2};
        put(rows[i].events, 4), put(rows[i].size, 4);
        put(rows[i].type, 4), put(0, 4), put(rows[i].config, 8), put(rows[i].ids, 4), put_text("one", 4), put(9, 8);
        put(4, 4), put(0, 4), put(2, 8), put(1, 4), put_text("two", 4), put(9, 8);
        n = rows[i].cut == 99 ? 7 : n - rows[i].cut;
        CU_ASSERT_EQUAL(
            td_perf_data_names(&f.p.recording, (struct td_perf_view){bytes, n}, (struct td_perf_view){bytes, 0}), 0);
        CU_ASSERT_STRING_EQUAL(name_of(0), rows[i].one);
        CU_ASSERT_STRING_EQUAL(name_of(1), rows[i].other);
        perf_samples_end(&f);
    }
}

/* ---- by records -----------------------------------------------------------------------------------------------------
 */

enum { SCALE = 1, NAME = 2 };

static int update(uint64_t what, uint64_t id, size_t size)
{
    unsigned char record[2048];

    for (unsigned i = 0; i < 8; i++)
        record[i] = (unsigned char)(what >> 8 * i), record[8 + i] = (unsigned char)(id >> 8 * i);
    memcpy(record + 16, bytes, n);
    return td_perf_data_update(&f.p.recording, (struct td_perf_view){record, size});
}

static int scale(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    n = 0, put(bits, 8);
    return update(SCALE, PERF_SAMPLES_ID, 24);
}

static void begin_update(void)
{
    begin(PERF_TYPE_RAW, 1, 0)->named = false;
    CU_ASSERT_EQUAL(td_perf_data_index(&f.p.recording), 0);
}

static void scales(void)
{
    static const double bad[] = {0, -0.0, -1, INFINITY, -INFINITY, NAN};

    begin_update();
    CU_ASSERT(scale(2.5) == 0 && f.p.event[0].scale == 2.5);
    CU_ASSERT(scale(5e-324) == 0 && f.p.event[0].scale == 5e-324);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        CU_ASSERT(scale(bad[i]) == -EBADMSG && f.p.event[0].scale == 5e-324);
    CU_ASSERT_EQUAL(update(SCALE, PERF_SAMPLES_ID, 23), -EBADMSG); /* cut off */
    scale(1);
    n = 0, put(UINT64_C(0x4000000000000000) /* 2.0 */, 8);
    CU_ASSERT(update(SCALE, PERF_SAMPLES_ID + 1, 24) == 0 && f.p.event[0].scale == 1); /* of no counter */
    CU_ASSERT(update(0, PERF_SAMPLES_ID, 24) == 0 && update(3, PERF_SAMPLES_ID, 24) == 0 && f.p.event[0].scale == 1);
    CU_ASSERT(update(SCALE, PERF_SAMPLES_ID, 15) == 0 && update(SCALE, PERF_SAMPLES_ID, 7) == 0);
    CU_ASSERT_STRING_EQUAL(name_of(0), "none");
    CU_ASSERT(update(SCALE, PERF_SAMPLES_ID, 24) == 0 && f.p.event[0].scale == 2);
    perf_samples_end(&f);
}

static void record_names(void)
{
    begin_update();
    memcpy(bytes, "slots\0xy", n = 8);
    CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 24), 0);
    CU_ASSERT_STRING_EQUAL(name_of(0), "slots");
    CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 19), 0); /* without an end */
    CU_ASSERT_STRING_EQUAL(name_of(0), "slo");
    CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 16), 0); /* empty names are none */
    *bytes = '\0';
    CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 24), 0);
    CU_ASSERT_STRING_EQUAL(name_of(0), "slo");
    *bytes = 's';
    f.p.event[0].named = true; /* by the feature, which takes precedence */
    CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 24), 0);
    CU_ASSERT_STRING_EQUAL(name_of(0), "slo");
    f.p.event[0].named = false;
    memset(bytes, 'n', n = 1030);
    for (size_t size = 1023; size <= 1026; size++) {
        CU_ASSERT_EQUAL(update(NAME, PERF_SAMPLES_ID, 16 + size), 0);
        CU_ASSERT_EQUAL(strlen(name_of(0)), size < 1024 ? size : 1024);
    }
    perf_samples_end(&f);
}

/* ---- the CPU
 * ---------------------------------------------------------------------------------------------------------- */

/* The id that is told where another one was asked for. */
static void ids(void)
{
    static const struct {
        const char *said, *id;
    } rows[] = {
        {"GenuineIntel,6,143,8", "GenuineIntel-6-8F-8"},
        {"GenuineIntel,6,143,8,9", "GenuineIntel-6-8F-8"},
        {"GenuineIntel,16,10,31", "GenuineIntel-16-A-1F"},
        {"AuthenticAMD,25,17,1", "AuthenticAMD-25-11-1"},
        {"GenuineIntel,6,143", "GenuineIntel,6,143"},
        {"GenuineIntel,6,,8", "GenuineIntel,6,,8"},
        {"GenuineIntel,6,143,", "GenuineIntel,6,143,"},
        {"GenuineIntel,6,x,8", "GenuineIntel,6,x,8"},
        {"GenuineIntel", "GenuineIntel"},
        {"Genuine,6,143,8", "Genuine,6,143,8"},
        {"Authentic,25,17,1", "Authentic,25,17,1"},
        {"AuthenticAMDs,25,17,1", "AuthenticAMDs,25,17,1"},
        {"HygonGenuine,24,1,1", "HygonGenuine,24,1,1"},
        {"0x00000000410fd490", "0x00000000410fd490"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char wanted[256];

        begin(PERF_TYPE_RAW, 1, 0);
        f.settings.identity = (struct td_identity){.name = "asked", .nparts = 1};
        put_text(rows[i].said, 64);
        CU_ASSERT_EQUAL(td_perf_data_cpuid(&f.p.recording, (struct td_perf_view){bytes, n}), 0);
        snprintf(wanted, sizeof(wanted), "f:0: the file says cpu %s; read as asked, as asked\n", rows[i].id);
        CU_ASSERT_STRING_EQUAL(f.notes, wanted);
        perf_samples_end(&f);
    }
}

/* Of what is no id of a CPU 79 bytes are told. */
static void long_ids(void)
{
    for (size_t size = 78; size <= 82; size++) {
        char text[100], wanted[256];

        memset(text, 'x', size), text[size] = '\0';
        begin(PERF_TYPE_RAW, 1, 0);
        put_text(text, size), put('y', 1);
        CU_ASSERT_EQUAL(td_perf_data_cpuid(&f.p.recording, (struct td_perf_view){bytes, n}), 0);
        snprintf(wanted, sizeof(wanted), "f:0: the file says cpu %.79s, which", text);
        CU_ASSERT(!strncmp(f.notes, wanted, strlen(wanted)));
        perf_samples_end(&f);
    }
    begin(PERF_TYPE_RAW, 1, 0);
    put_text("", 8);
    CU_ASSERT(td_perf_data_cpuid(&f.p.recording, (struct td_perf_view){bytes, n}) == 0 && !*f.notes);
    CU_ASSERT(td_perf_data_cpuid(&f.p.recording, (struct td_perf_view){bytes, 11}) == 0 && !*f.notes);
    perf_samples_end(&f);
}

static const CU_TestInfo tests[] = {
    {"by their attributes", by_attributes},
    {"modes", modes},
    {"PMUs", pmus},
    {"several PMUs", several_pmus},
    {"a PMU with a long name", long_pmu},
    {"by the feature", by_feature},
    {"long names", long_names},
    {"a damaged feature", damaged_feature},
    {"scales in records", scales},
    {"names in records", record_names},
    {"ids of CPUs", ids},
    {"long ids", long_ids},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("names in perf.data", tests);
