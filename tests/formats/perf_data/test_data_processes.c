/* SPDX-License-Identifier: MIT */
/* What records say of processes and of the kernel, by what is known of an address afterwards. The layouts are those of
 * linux/perf_event.h, and of build-ids those of perf's lib/perf/include/perf/event.h. */
#include "tests/support/perf_samples.h"

enum { KSYMBOL = 17, CGROUP = 19, EXEC = 1 << 13, MMAP_DATA = 1 << 13, HAS_BUILD_ID = 1 << 14, HAS_SIZE = 1 << 15 };
enum { START = 0x10000, SIZE = 0x1000, OFFSET = 0x5000, PID = 42, CHILD = 43 };

static struct perf_samples f;
static unsigned char bytes[512];
static size_t n;

static void begin(void)
{
    perf_samples_begin(&f);
    perf_samples_event(&f, "cycles", 1000);
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
    n = 0;
}

static void put(uint64_t value, size_t size)
{
    for (; size; size--, value >>= 8)
        bytes[n++] = (unsigned char)value;
}

static void put_text(const char *text, size_t size)
{
    memset(bytes + n, 0, size);
    memcpy(bytes + n, text, strlen(text));
    n += size;
}

/* Takes the record that was put, without its last bytes. */
static int take_cut(uint32_t type, unsigned misc, size_t cut)
{
    const struct td_perf_record rec = {.type = type, .misc = (uint16_t)misc};
    char *exact = malloc(n - cut + 1); /* so that a read beyond its end is noticed */
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(exact);
    memcpy(exact, bytes, n - cut);
    err = td_perf_take_process(&f.p.recording, &rec, (struct td_perf_view){(unsigned char *)exact, n - cut});
    free(exact);
    return err;
}

static void take(uint32_t type, unsigned misc)
{
    CU_ASSERT_EQUAL(take_cut(type, misc, 0), 0);
    n = 0;
}

/* The file that is mapped at an address, and what of it; NULL: none. */
static const struct td_dso *find(uint32_t pid, bool kernel, uint64_t address, uint64_t *offset)
{
    return td_spaces_find(f.p.samples->spaces, pid, kernel, address, offset);
}

static bool is(uint32_t pid, uint64_t address, const char *path, uint64_t at)
{
    uint64_t offset;
    const struct td_dso *d = find(pid, false, address, &offset);

    return path ? d && !strcmp(d->path, path) && offset == at : !d;
}

/* ---- mappings ------------------------------------------------------------------------------------------------- */

static void put_mmap(uint32_t type, const char *path, size_t size)
{
    put(PID, 4), put(PID + 1, 4), put(START, 8), put(SIZE, 8), put(OFFSET, 8);
    if (type == PERF_RECORD_MMAP2) /* a build-id of 20 bytes after its size */
        put(20, 1), put(0, 3), put(0x0807060504030201, 8), put(0x100f0e0d0c0b0a09, 8), put(0x14131211, 4), put(5, 8);
    put_text(path, size);
}

static void mappings(void)
{
    static const uint32_t types[] = {PERF_RECORD_MMAP, PERF_RECORD_MMAP2};

    for (size_t i = 0; i < 2; i++) {
        begin();
        put_mmap(types[i], "/bin/a", 8);
        take(types[i], PERF_RECORD_MISC_USER);
        CU_ASSERT(is(PID, START - 1, NULL, 0) && is(PID, START, "/bin/a", OFFSET));
        CU_ASSERT(is(PID, START + SIZE - 1, "/bin/a", OFFSET + SIZE - 1) && is(PID, START + SIZE, NULL, 0));
        CU_ASSERT(is(PID + 1, START, NULL, 0));
        put_mmap(types[i], "/bin/bcd", 8); /* without an end of its own */
        take(types[i], PERF_RECORD_MISC_USER);
        CU_ASSERT(is(PID, START, "/bin/bcd", OFFSET));
        perf_samples_end(&f);
    }
}

/* Of which modes mappings are taken, and whether they are the kernel's; those of data only where they are of MMAP2. */
static void modes(void)
{
    static const struct {
        uint32_t type;
        unsigned misc;
        bool user, kernel;
    } rows[] = {
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_CPUMODE_UNKNOWN, true, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, false, true},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, true, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_HYPERVISOR, false, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_GUEST_KERNEL, false, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_GUEST_USER, false, false},
        {PERF_RECORD_MMAP, 7, false, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL | 8, false, true},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | MMAP_DATA, false, false},
        {PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | MMAP_DATA >> 1 | MMAP_DATA << 1, true, false},
        {PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | MMAP_DATA, true, false},
        {PERF_RECORD_MMAP2, PERF_RECORD_MISC_GUEST_USER, false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t offset;

        begin();
        put_mmap(rows[i].type, "/bin/a", 8);
        take(rows[i].type, rows[i].misc);
        CU_ASSERT_EQUAL(find(PID, false, START, &offset) != NULL, rows[i].user);
        CU_ASSERT_EQUAL(find(PID, true, START, &offset) != NULL, rows[i].kernel);
        perf_samples_end(&f);
    }
}

/* A build-id is in an MMAP2 only, where its record says so: it is in the 24 bytes before the protection. */
static void build_ids_of_mappings(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t type = i & 1 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP;
        const struct td_dso *d;
        uint64_t offset;

        begin();
        put_mmap(type, "/bin/a", 8);
        take(type, PERF_RECORD_MISC_USER | (i & 2 ? HAS_BUILD_ID : 0));
        d = find(PID, false, START, &offset);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        CU_ASSERT_EQUAL(d->build_id_size, i == 3 ? 20 : 0);
        for (unsigned k = 0; k < d->build_id_size; k++)
            CU_ASSERT_EQUAL(d->build_id[k], k + 1);
        perf_samples_end(&f);
    }
}

/* Each kind is refused where it is cut off before its text, but taken where the text is; the size of what comes before
 * that, and what is said. */
static void cut_off(void)
{
    static const struct {
        uint32_t type;
        size_t size;
        const char *why;
    } rows[] = {
        {PERF_RECORD_MMAP, 32, "a mapping that is cut off"},
        {PERF_RECORD_MMAP2, 64, "a mapping that is cut off"},
        {KSYMBOL, 16, "a function of the kernel that is cut off"},
        {CGROUP, 8, "the record of a cgroup that is cut off"},
        {PERF_RECORD_COMM, 8, "a name of a thread that is cut off"},
        {PERF_RECORD_FORK, 16, "the start or end of a thread that is cut off"},
        {PERF_RECORD_EXIT, 16, "the start or end of a thread that is cut off"},
    };

    begin();
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t cut = 0; cut <= rows[i].size; cut++) {
            n = rows[i].size;
            memset(bytes, 1, n);
            *f.log.error = '\0';
            CU_ASSERT_EQUAL(take_cut(rows[i].type, PERF_RECORD_MISC_USER, cut), cut ? -EBADMSG : 0);
            CU_ASSERT(!cut == !strstr(f.log.error, rows[i].why));
        }
    perf_samples_end(&f);
}

/* ---- functions of the kernel ------------------------------------------------------------------------------------ */

static void put_function(uint64_t flags, const char *name)
{
    put(START, 8), put(0x20, 4), put(1, 2), put(flags, 2), put_text(name, 8);
}

static bool is_function(uint64_t address, const char *name)
{
    uint64_t offset;
    const struct td_dso *d = find(PID, true, address, &offset);

    return name ? d && d->function && d->kernel && !strcmp(d->path, name) : !d;
}

static void functions(void)
{
    begin();
    put_function(0, "");
    take(KSYMBOL, 0);
    CU_ASSERT(is_function(START, NULL)); /* one without a name is none */
    put_function(0, "bpf");
    take(KSYMBOL, 0);
    CU_ASSERT(is_function(START - 1, NULL) && is_function(START, "bpf"));
    CU_ASSERT(is_function(START + 0x1f, "bpf") && is_function(START + 0x20, NULL));
    CU_ASSERT(is(PID, START, NULL, 0));
    put_function(2, "other"); /* a flag that is none of removal */
    take(KSYMBOL, 0);
    CU_ASSERT(is_function(START, "other"));
    put_function(1, "other");
    take(KSYMBOL, 0);
    CU_ASSERT(is_function(START, NULL) && is_function(START + 0x1f, NULL));
    perf_samples_end(&f);
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static bool is_named(uint32_t tid, const char *name)
{
    uint32_t number;

    return !strcmp(td_spaces_comm(f.p.samples->spaces, tid, &number), name);
}

static void put_comm(uint32_t pid, uint32_t tid, const char *name)
{
    put(pid, 4), put(tid, 4), put_text(name, 8);
}

/* A thread is named; where it is because a file was executed, nothing is mapped any more. */
static void comms(void)
{
    begin();
    put_mmap(PERF_RECORD_MMAP, "/bin/a", 8);
    take(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
    put_comm(PID, CHILD, "worker");
    take(PERF_RECORD_COMM, 0);
    CU_ASSERT(is_named(CHILD, "worker") && is_named(PID, "") && is(PID, START, "/bin/a", OFFSET));
    put_comm(PID, PID, "eightlet"); /* without an end */
    take(PERF_RECORD_COMM, EXEC >> 1 | EXEC << 1);
    CU_ASSERT(is_named(PID, "eightlet") && is(PID, START, "/bin/a", OFFSET));
    put_comm(PID, PID, "b");
    take(PERF_RECORD_COMM, EXEC);
    CU_ASSERT(is_named(PID, "b") && is(PID, START, NULL, 0));
    perf_samples_end(&f);
}

static void cgroups(void)
{
    uint32_t number;
    const char *path;

    begin();
    put(7, 8), put_text("/web", 8);
    take(CGROUP, 0);
    put(8, 8), put_text("/a-group", 8); /* without an end */
    take(CGROUP, 0);
    path = td_cgroups_find(f.p.samples->cgroups, 7, &number);
    CU_ASSERT(path && !strcmp(path, "/web") && number == 1);
    path = td_cgroups_find(f.p.samples->cgroups, 8, &number);
    CU_ASSERT(path && !strcmp(path, "/a-group") && number == 2);
    perf_samples_end(&f);
}

/* ---- processes that begin and end ---------------------------------------------------------------------------------
 */

static void put_task(uint32_t pid, uint32_t parent, uint32_t tid, uint32_t parent_tid, uint64_t time)
{
    put(pid, 4), put(parent, 4), put(tid, 4), put(parent_tid, 4), put(time, 8);
}

static void forks(void)
{
    begin();
    put_mmap(PERF_RECORD_MMAP, "/bin/a", 8);
    take(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
    put_comm(PID, PID, "one"), take(PERF_RECORD_COMM, 0);
    put_comm(PID, PID + 100, "two"), take(PERF_RECORD_COMM, 0);
    put_task(CHILD, PID, CHILD, PID + 100, 1500);
    take(PERF_RECORD_FORK, 0);
    CU_ASSERT(is(CHILD, START, "/bin/a", OFFSET) && is_named(CHILD, "two"));
    put_task(PID, PID, 77, PID, 1500);
    take(PERF_RECORD_FORK, 0);
    CU_ASSERT(is_named(77, "one") && is(77, START, NULL, 0));
    put_task(CHILD, PID, CHILD, PID, 1600);
    take(PERF_RECORD_EXIT, 0);
    CU_ASSERT(is(CHILD, START, NULL, 0) && is(PID, START, "/bin/a", OFFSET));
    CU_ASSERT(is_named(CHILD, "") && is_named(77, "one"));
    perf_samples_end(&f);
}

/* A child is of its parent, since the time of CLOCK_MONOTONIC; not where it was there before recording began. */
static void makers(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const bool seen = i & 1, monotonic = i & 2;
        struct td_maker of[TD_MAKERS];

        begin();
        f.p.event[0].monotonic = monotonic;
        put_task(CHILD, PID, CHILD, PID, seen ? 1500 : 0);
        take(PERF_RECORD_FORK, 0);
        CU_ASSERT_EQUAL(td_spaces_makers(f.p.samples->spaces, CHILD, of), seen ? 2 : 1);
        CU_ASSERT_EQUAL(of[0].pid, CHILD);
        CU_ASSERT(!seen || (of[1].pid == PID && of[1].until == (monotonic ? 1500 : 0)));
        perf_samples_end(&f);
    }
}

/* ---- build-ids apart from mappings ----------------------------------------------------------------------------------
 */

static void put_id(uint32_t size, const char *path)
{
    put(PID, 4);
    for (unsigned i = 0; i < 20; i++)
        put(i + 1, 1);
    put(size, 4); /* and of its 4 bytes 3 that mean nothing */
    put_text(path, 8);
}

static bool has_id(const char *path, size_t size)
{
    uint64_t offset;
    const struct td_dso *d;

    n = 0;
    put_mmap(PERF_RECORD_MMAP, path, 8);
    take(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
    d = find(PID, false, START, &offset);
    return d && d->build_id_size == size && (!size || (d->build_id[0] == 1 && d->build_id[size - 1] == size));
}

static void build_ids(void)
{
    begin();
    put_id(16, "/bin/md5");
    CU_ASSERT_EQUAL(td_perf_take_build_id(&f.p.recording, HAS_SIZE, (struct td_perf_view){bytes, n}), 0);
    CU_ASSERT(has_id("/bin/md5", 16));
    n = 0;
    put_id(16, "/bin/old"); /* a size that is not said to be there */
    CU_ASSERT_EQUAL(td_perf_take_build_id(&f.p.recording, HAS_SIZE >> 1, (struct td_perf_view){bytes, n}), 0);
    CU_ASSERT(has_id("/bin/old", 20));
    n = 0;
    put_id(16, "/bin/cut");
    CU_ASSERT_EQUAL(td_perf_take_build_id(&f.p.recording, HAS_SIZE, (struct td_perf_view){bytes, 27}), 0);
    CU_ASSERT(has_id("/bin/cut", 0));
    perf_samples_end(&f);
}

/* The feature has records, each with a header of 8 bytes; it is taken as far as it is whole. */
static void list_of_build_ids(void)
{
    static const struct {
        size_t second, end; /* the size of the second record, and of all */
        bool has_second, has_third;
    } rows[] = {{44, 132, true, true},  {44, 131, true, false},  {44, 88, true, false},
                {44, 87, false, false}, {7, 132, false, false},  {0, 132, false, false},
                {8, 132, false, false}, {89, 132, false, false}, {88, 132, true, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        unsigned char list[256];

        begin();
        for (unsigned k = 0; k < 3; k++) {
            put(0, 4), put(HAS_SIZE, 2), put(k == 1 ? rows[i].second : 44, 2);
            put_id(20, k == 0 ? "/bin/one" : k == 1 ? "/bin/two" : "/bin/333");
        }
        CU_ASSERT_EQUAL(n, 132);
        memcpy(list, bytes, n);
        f.p.build_ids = (struct td_perf_view){list, rows[i].end};
        CU_ASSERT_EQUAL(td_perf_take_build_ids(&f.p.recording), 0);
        CU_ASSERT(has_id("/bin/one", 20));
        CU_ASSERT_EQUAL(has_id("/bin/two", 20), rows[i].has_second);
        CU_ASSERT_EQUAL(has_id("/bin/333", 20), rows[i].has_third);
        perf_samples_end(&f);
    }
}

static const CU_TestInfo tests[] = {
    {"mappings", mappings},
    {"modes of mappings", modes},
    {"build-ids of mappings", build_ids_of_mappings},
    {"cut off", cut_off},
    {"functions of the kernel", functions},
    {"names of threads", comms},
    {"cgroups", cgroups},
    {"starts and ends", forks},
    {"whose child a process is", makers},
    {"build-ids apart from mappings", build_ids},
    {"a list of build-ids", list_of_build_ids},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("records of processes", tests);
