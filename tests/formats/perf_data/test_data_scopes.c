/* SPDX-License-Identifier: MIT */
/* What a counter of perf stat belongs to, by the features that describe the machine and by the map of threads. Their
 * layouts: perf's write_cpu_topology(), write_numa_topology() and struct perf_record_thread_map. */
#include "private/plan.h"
#include "tests/support/little.h"
#include "tests/support/perf_samples.h"

enum { THREADS_MAX = 1 << 16 };

static struct perf_samples f;
static unsigned char *bytes;
static size_t n, room;

static void put(uint64_t value, size_t size)
{
    little_put(&bytes, &n, &room, value, size);
}

static void put_text(const char *text)
{
    const size_t len = strlen(text);

    put(len + 1, 4);
    for (size_t i = 0; i <= len; i++)
        put((unsigned char)text[i], 1);
}

static void begin(void)
{
    perf_samples_begin(&f);
    f.p.gather = td_gather_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.p.gather);
    n = 0;
}

static void end(void)
{
    td_gather_free(f.p.gather);
    free(f.p.cpu);
    free(f.p.thread);
    perf_samples_end(&f);
    free(bytes);
    bytes = NULL;
    n = room = 0;
}

/* Takes features: how many CPUs there are and are online, and the topology from what was put. */
static void take(uint32_t cpus, uint32_t online, size_t topology, size_t numa)
{
    unsigned char counts[8];

    for (unsigned i = 0; i < 4; i++)
        counts[i] = (unsigned char)(cpus >> 8 * i), counts[4 + i] = (unsigned char)(online >> 8 * i);
    CU_ASSERT_EQUAL(td_perf_data_topology(&f.p.recording, (struct td_perf_view){counts, 8},
                                          (struct td_perf_view){bytes, topology},
                                          (struct td_perf_view){bytes + topology, numa}),
                    0);
}

/* ---- topology --------------------------------------------------------------------------------------------------- */

/* Lists of cores and of threads, cores and sockets of three CPUs; returns what was put. */
static size_t put_topology(const char *cores, const char *threads)
{
    put(1, 4), put_text(cores);
    put(2, 4), put_text("2"), put_text(threads);
    put(4, 4), put(1, 4), put(5, 4), put(2, 4), put(6, 4), put(3, 4);
    return n;
}

static void units(void)
{
    size_t before;

    begin();
    before = put_topology("0-2", "0,1"); /* as before Linux 5.3: no dies */
    take(3, 3, n, 0);
    CU_ASSERT(f.p.ncpus == 3 && !f.p.has_die && !f.p.has_node);
    CU_ASSERT(f.p.cpu[0].core == 4 && f.p.cpu[1].core == 5 && f.p.cpu[2].core == 6);
    CU_ASSERT(f.p.cpu[0].socket == 1 && f.p.cpu[1].socket == 2 && f.p.cpu[2].socket == 3);
    end();
    for (size_t cut = 0; cut < 4; cut += 3) { /* and with dies, of which the last is cut off */
        begin();
        put_topology("0-2", "0,1");
        put(2, 4), put_text("0-1"), put_text("2");
        put(7, 4), put(8, 4), put(9, 4);
        take(3, 3, n - cut, 0);
        CU_ASSERT(f.p.ncpus == 3 && f.p.has_die == !cut);
        CU_ASSERT(f.p.cpu[0].die == 7 && f.p.cpu[1].die == 8 && (cut || f.p.cpu[2].die == 9));
        end();
    }
    begin();
    put_topology("0-2", "0,1"), put(1, 4); /* the list of dies is cut off */
    take(3, 3, n, 0);
    CU_ASSERT(f.p.ncpus == 3 && !f.p.has_die);
    end();
    for (size_t left = 0; left < before; left++) { /* without all of it nothing is known */
        begin();
        put_topology("0-2", "0,1");
        take(3, 3, left, 0);
        CU_ASSERT(f.p.ncpus == 0 && f.p.recording.stream.smt == TD_SMT_UNKNOWN && f.p.recording.stream.cpus == 3);
        end();
    }
}

/* Cores have more than one thread where some list of threads names more than one CPU. */
static void smt(void)
{
    static const struct {
        const char *cores, *threads;
        enum td_smt smt;
    } rows[] = {{"0-2", "0,1", TD_SMT_ON},
                {"0-2", "0-1", TD_SMT_ON},
                {"0-2", "0", TD_SMT_OFF},
                {"0,1", "", TD_SMT_OFF},
                {"0", "0-1", TD_SMT_ON}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin();
        put_topology(rows[i].cores, rows[i].threads);
        take(3, 3, n, 0);
        CU_ASSERT_EQUAL(f.p.recording.stream.smt, rows[i].smt);
        end();
    }
    begin();
    put(1, 4), put_text("0"), put(2, 4), put_text("0,1"), put_text("2"); /* the first list, too */
    put(0, 4), put(0, 4);
    take(1, 1, n, 0);
    CU_ASSERT_EQUAL(f.p.recording.stream.smt, TD_SMT_ON);
    end();
}

/* As many CPUs as there may be, and one more; none; and how many are online. */
static void counts(void)
{
    static const struct {
        uint32_t cpus, online;
        size_t known;
        unsigned told;
    } rows[] = {
        {TD_CPUS_MAX, TD_CPUS_MAX, TD_CPUS_MAX, TD_CPUS_MAX},
        {TD_CPUS_MAX + 1, TD_CPUS_MAX + 1, 0, 0},
        {17, 0, 17, 0},
        {0, 5, 0, 5},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin();
        put(0, 4), put(0, 4);
        for (size_t k = 0; k < rows[i].cpus; k++)
            put(k, 4), put(0, 4);
        take(rows[i].cpus, rows[i].online, n, 0);
        CU_ASSERT(f.p.ncpus == rows[i].known && f.p.recording.stream.cpus == rows[i].told);
        CU_ASSERT(!f.p.ncpus || f.p.cpu[f.p.ncpus - 1].core == f.p.ncpus - 1);
        CU_ASSERT_EQUAL(f.p.recording.stream.smt, rows[i].known ? TD_SMT_OFF : TD_SMT_UNKNOWN);
        end();
    }
    begin();
    CU_ASSERT_EQUAL(td_perf_data_topology(&f.p.recording, (struct td_perf_view){(const unsigned char *)"\3\0\0\0\3", 5},
                                          (struct td_perf_view){NULL, 0}, (struct td_perf_view){NULL, 0}),
                    0);
    CU_ASSERT_EQUAL(f.p.recording.stream.cpus, 0);
    end();
}

/* Nodes of three CPUs, by lists; a CPU that no list names is of node 0. */
static void nodes(void)
{
    static const struct {
        const char *five, *nine;
        uint32_t said, node[3];
        size_t cut;
        bool known;
    } rows[] = {
        {"0", "1-2", 2, {5, 9, 9}, 0, true},
        {"0", "1-2", 3, {5, 9, 9}, 0, true},
        {"0", "1-2", 1, {5, 0, 0}, 0, true},
        {"0", "1-2", 0, {0, 0, 0}, 0, false},
        {"0", "1-2", 2, {5, 0, 0}, 1, true},
        {"2,0", "1", 2, {5, 9, 5}, 0, true},
        {"2-9,0", "", 2, {5, 0, 5}, 0, true},
        {"7,1-2", "", 2, {0, 5, 5}, 0, true},
        {"1,x,2", "", 2, {0, 5, 0}, 0, true},
        {"0,0,1", "", 2, {5, 5, 0}, 0, true}, /* a node has no more than there are */
        {"0,0,0,1", "", 2, {5, 0, 0}, 0, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t topology;

        begin();
        topology = put_topology("0-2", "0");
        put(rows[i].said, 4);
        put(5, 4), put(1000, 8), put(2000, 8), put_text(rows[i].five);
        put(9, 4), put(1000, 8), put(2000, 8), put_text(rows[i].nine);
        take(3, 3, topology, n - topology - rows[i].cut);
        CU_ASSERT_EQUAL(f.p.has_node, rows[i].known);
        for (size_t k = 0; k < 3; k++)
            CU_ASSERT_EQUAL(f.p.cpu[k].node, rows[i].node[k]);
        end();
    }
}

/* ---- threads ------------------------------------------------------------------------------------------------------
 */

/* A map that is said to have so many threads and has others. */
static int threads_of(uint64_t said, size_t there)
{
    n = 0;
    put(said, 8);
    for (size_t i = 0; i < there; i++) {
        put(i ? 0xffffffff : 1234567890, 8);
        for (unsigned k = 0; k < 16; k++)
            put(i ? 0 : (unsigned char)"sixteen-byte-com"[k], 1);
    }
    return td_perf_data_threads(&f.p.recording, (struct td_perf_view){bytes, n});
}

static void threads(void)
{
    begin();
    CU_ASSERT(threads_of(2, 2) == 0 && f.p.nthreads == 2);
    CU_ASSERT_STRING_EQUAL(f.p.thread[0], "sixteen-byte-com-1234567890");
    CU_ASSERT_STRING_EQUAL(f.p.thread[1], "--1");
    CU_ASSERT(threads_of(1, 2) == 0 && f.p.nthreads == 1); /* another map takes the place of the first one */
    CU_ASSERT(threads_of(0, 2) == 0 && f.p.nthreads == 0);
    CU_ASSERT(threads_of(0, 0) == 0 && f.p.nthreads == 0);
    CU_ASSERT_EQUAL(threads_of(3, 2), -EBADMSG);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, "a thread map of 3 threads in 48 bytes"));
    n = 0;
    put(1, 8), put(7, 8), put(0, 8), put(0, 7); /* a byte is missing */
    CU_ASSERT_EQUAL(td_perf_data_threads(&f.p.recording, (struct td_perf_view){bytes, n}), -EBADMSG);
    CU_ASSERT(threads_of(THREADS_MAX, THREADS_MAX) == 0 && f.p.nthreads == THREADS_MAX);
    CU_ASSERT_EQUAL(threads_of(THREADS_MAX + 1, THREADS_MAX + 1), -EBADMSG);
    end();
}

/* ---- scopes ---------------------------------------------------------------------------------------------------------
 */

/* Whether that is the scope of a count: names of one kind have one number. */
static bool is(uint32_t cpu, uint32_t thread, const char *name, enum td_scope_kind kind)
{
    const int number = td_gather_scope(&f.p.recording, f.p.gather, name, strlen(name), kind);

    return td_perf_data_scope(&f.p.recording, cpu, thread) == number;
}

/* By enum aggr_mode of perf's util/stat.h, where CPU 2 is core 6 of socket 3, die 9, node 5; UINT32_MAX is no CPU. */
static void scopes(void)
{
    static const uint32_t no_cpu = UINT32_MAX;
    static const struct {
        unsigned mode;
        const char *name, *no_die, *no_node;
        enum td_scope_kind kind;
    } rows[] = {
        {0, "CPU2", "CPU2", "CPU2", TD_KIND_CPU},
        {1, "system", "system", "system", TD_KIND_SYSTEM},
        {2, "S3", "S3", "S3", TD_KIND_SOCKET},
        {3, "S3-D9", "S3-D0", "S3-D9", TD_KIND_SOCKET},
        {4, "S3-D9-C6", "S3-D0-C6", "S3-D9-C6", TD_KIND_CORE},
        {5, "S3-D9-C6", "S3-D0-C6", "S3-D9-C6", TD_KIND_CORE},
        {6, "S3-D9-C6", "S3-D0-C6", "S3-D9-C6", TD_KIND_CORE},
        {7, "N5", "N5", "system", TD_KIND_NODE},
        {8, "N5", "N5", "system", TD_KIND_NODE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        begin();
        CU_ASSERT_EQUAL_FATAL(threads_of(2, 2), 0);
        n = 0;
        put_topology("0-2", "0");
        take(3, 3, n, 0);
        f.p.cpu[2].die = 9, f.p.cpu[2].node = 5;
        f.p.has_die = f.p.has_node = true;
        f.p.aggregation = rows[i].mode;
        CU_ASSERT(is(2, 0, rows[i].name, rows[i].kind));
        CU_ASSERT(rows[i].mode == 0 || is(3, 0, "system", TD_KIND_SYSTEM)); /* no such CPU is described */
        if (rows[i].mode <= 4)
            CU_ASSERT(is(no_cpu, 0, "system", TD_KIND_SYSTEM));
        if (rows[i].mode > 4) {
            CU_ASSERT(is(no_cpu, 0, "sixteen-byte-com-1234567890", TD_KIND_THREAD));
            CU_ASSERT(is(no_cpu, 1, "--1", TD_KIND_THREAD));
            CU_ASSERT_EQUAL(td_perf_data_scope(&f.p.recording, no_cpu, 2), -EBADMSG);
            CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, "a count of thread 2 of 2"));
        }
        f.p.has_die = false;
        CU_ASSERT(is(2, 0, rows[i].no_die, rows[i].kind));
        f.p.has_die = true, f.p.has_node = false;
        CU_ASSERT(is(2, 0, rows[i].no_node, strcmp(rows[i].no_node, "system") ? rows[i].kind : TD_KIND_SYSTEM));
        end();
    }
}

static const CU_TestInfo tests[] = {
    {"the units that CPUs are part of", units},
    {"threads of a core", smt},
    {"how many CPUs", counts},
    {"nodes", nodes},
    {"maps of threads", threads},
    {"scopes", scopes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("scopes of perf.data", tests);
