/* SPDX-License-Identifier: MIT */
/* perf.data that was made to be slow costs about as much as a harmless file. */
#include "tests/support/little.h"
#include "tests/support/open_recording.h"
#include "tests/support/slow.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdlib.h>

enum { HEADER = 104, ATTR = 64, CPUS = 8000, ROUNDS = 60000, MAPPINGS = 300000, IDS = 1 << 16, EVENTS = 1024 };
enum { ALL_CPUS = 65536, NODES = 200, RANGES = 500 };

struct bomb {
    size_t nevents, nids; /* of each event */
    uint32_t type;
    uint64_t (*id)(size_t i);
    size_t unable; /* further events, without ids */
    size_t scopes, rounds; /* CPUs that are counted in the first round; rounds of only the first CPU */
    size_t mappings; /* mappings of PMUs, all of type 7 */
    size_t nodes, ranges; /* NUMA nodes, and how often the list of each names all CPUs */
};

struct file {
    unsigned char *b;
    size_t n, room;
};

static void w(struct file *f, uint64_t value, size_t bytes)
{
    little_put(&f->b, &f->n, &f->room, value, bytes);
}

static void w_attr(struct file *f, const struct bomb *b, size_t event, size_t ids, size_t nids)
{
    w(f, b->type, 4), w(f, ATTR, 4), w(f, 0x400 + event, 8);
    for (size_t at = 16; at < ATTR; at += 8)
        w(f, 0, 8);
    w(f, ids, 8), w(f, 8 * nids, 8);
}

static void w_stat(struct file *f, uint64_t id, size_t cpu, uint64_t value)
{
    w(f, 76, 4), w(f, 0, 2), w(f, 48, 2);
    w(f, id, 8), w(f, cpu, 4), w(f, 0, 4), w(f, 1000 + value, 8), w(f, 9 + value, 8), w(f, 9 + value, 8);
}

static void w_round(struct file *f, uint64_t time)
{
    w(f, 77, 4), w(f, 0, 2), w(f, 24, 2), w(f, 0, 8), w(f, time, 8);
}

static void w_data(struct file *f, const struct bomb *b)
{
    w(f, 75, 4), w(f, 0, 2), w(f, 32, 2), w(f, 1, 8), w(f, 0, 8), w(f, 0, 8); /* -A */
    for (size_t i = 0; i < b->scopes; i++)
        w_stat(f, b->id(i), i, 0);
    w_round(f, 1);
    for (size_t i = 1; i <= b->rounds; i++)
        w_stat(f, b->id(0), 0, i), w_round(f, 1 + i);
}

/* HEADER_PMU_MAPPINGS */
static void w_mappings(struct file *f, const struct bomb *b)
{
    w(f, f->n + 16, 8), w(f, 4 + 8 * b->mappings, 8), w(f, b->mappings, 4);
    for (size_t i = 0; i < b->mappings; i++)
        w(f, 7, 4), w(f, 0, 4);
}

/* HEADER_NRCPUS, HEADER_CPU_TOPOLOGY, HEADER_NUMA_TOPOLOGY: lists of one length, however often they name the CPUs. */
static void w_nodes(struct file *f, const struct bomb *b)
{
    static const char range[8] = "0-65535,";
    const size_t sizes[] = {8, 8 + 8 * ALL_CPUS, 4 + b->nodes * (4 + 8 + 8 + 4 + RANGES * sizeof(range))};
    size_t at = f->n + 3 * 16;

    for (size_t i = 0; i < 3; at += sizes[i++])
        w(f, at, 8), w(f, sizes[i], 8);
    w(f, ALL_CPUS, 4), w(f, ALL_CPUS, 4), w(f, 0, 4), w(f, 0, 4);
    for (size_t i = 0; i < ALL_CPUS; i++)
        w(f, i, 4), w(f, 0, 4);
    w(f, b->nodes, 4);
    for (size_t node = 0; node < b->nodes; node++) {
        w(f, node, 4), w(f, 0, 8), w(f, 0, 8), w(f, RANGES * sizeof(range), 4);
        for (size_t i = 0; i < RANGES * sizeof(range); i++)
            w(f, i / sizeof(range) < b->ranges ? (unsigned char)range[i % sizeof(range)] : 0, 1);
    }
}

static void w_file(struct file *f, const struct bomb *b)
{
    const size_t nattrs = b->nevents + b->unable, ids = HEADER + nattrs * (ATTR + 16),
                 data = ids + 8 * b->nevents * b->nids;
    const size_t size = 32 + 48 * b->scopes + 24 + b->rounds * (48 + 24);

    f->n = 0;
    w(f, UINT64_C(0x32454c4946524550), 8), w(f, HEADER, 8), w(f, ATTR + 16, 8), w(f, HEADER, 8),
        w(f, nattrs * (ATTR + 16), 8);
    w(f, data, 8), w(f, size, 8), w(f, 0, 8), w(f, 0, 8);
    w(f, b->mappings ? 1 << 16 : b->nodes ? 1 << 7 | 1 << 13 | 1 << 14 : 0, 8), w(f, 0, 8), w(f, 0, 8), w(f, 0, 8);
    for (size_t i = 0; i < nattrs; i++)
        w_attr(f, b, i, ids + 8 * i * b->nids, i < b->nevents ? b->nids : 0);
    for (size_t i = 0; i < b->nevents * b->nids; i++)
        w(f, b->id(i), 8);
    CU_ASSERT_EQUAL(f->n, data);
    w_data(f, b);
    CU_ASSERT_EQUAL(f->n, data + size);
    (b->nodes ? w_nodes : w_mappings)(f, b);
}

/* Reads the file; batches: how many it is to give. */
struct reading {
    const struct file *f;
    size_t batches;
};

static void read_file(void *ctx)
{
    const struct reading *r = ctx;
    struct source s = {(const char *)r->f->b, r->f->n, r->f->n, 0};
    static struct opened o;
    size_t batches = 0;
    int err = open_recording(&o, &s, NULL, NULL, NULL);

    for (; !err; batches += !err)
        err = next_batch(&o);
    CU_ASSERT_EQUAL(err, -ENODATA);
    CU_ASSERT_EQUAL(batches, r->batches);
    close_recording(&o);
}

/* times: a quarter above what it takes now. */
static void compare(const struct bomb *bomb, const struct bomb *harmless, double times)
{
    static struct file f;

    w_file(&f, harmless);
    slow_run(read_file, &(struct reading){&f, harmless->rounds + 1});
    w_file(&f, bomb);
    CU_ASSERT(f.n <= 8 << 20);
    slow_run(read_file, &(struct reading){&f, bomb->rounds + 1});
    slow_pair(times);
    free(f.b);
    f = (struct file){NULL, 0, 0};
}

static uint64_t rising(size_t i)
{
    return i + 1;
}

/* Multiplied by 2^64 / the golden ratio, they differ in their highest and lowest bits alone, so
 * hashes that use the bits between see no difference. */
static uint64_t colliding(size_t i)
{
    const uint64_t n = i + 1, inverse = UINT64_C(0xf1de83e19937733d); /* of 0x9e3779b97f4a7c15, modulo 2^64 */

    return ((n & 0x1fff) << 51 | n >> 13) * inverse;
}

static void ids(void)
{
    struct bomb bomb = {.nevents = 1, .nids = IDS, .type = 4, .id = colliding, .scopes = 1}, harmless = bomb;

    CU_ASSERT_EQUAL(UINT64_C(0x9e3779b97f4a7c15) * UINT64_C(0xf1de83e19937733d), 1);
    harmless.id = rising;
    compare(&bomb, &harmless, 2);
}

static void mappings(void)
{
    struct bomb bomb = {.nevents = EVENTS, .nids = 1, .type = 99, .id = rising, .scopes = 1, .mappings = MAPPINGS},
                harmless = bomb;

    harmless.nevents = 1;
    compare(&bomb, &harmless, 1.7);
}

static void nodes(void)
{
    struct bomb bomb =
                    {.nevents = 1, .nids = 1, .type = 4, .id = rising, .scopes = 1, .nodes = NODES, .ranges = RANGES},
                harmless = bomb;

    harmless.ranges = 1;
    compare(&bomb, &harmless, 1.25);
}

static void scopes(void)
{
    struct bomb bomb = {.nevents = 1, .nids = CPUS, .type = 4, .id = rising, .scopes = CPUS, .rounds = ROUNDS},
                harmless = bomb;

    harmless.nids = harmless.scopes = 1;
    harmless.rounds = ROUNDS + 1;
    compare(&bomb, &harmless, 2.2);
}

/* Each interval has a row of each event that could not be counted, up to a limit. */
static void unable(void)
{
    static struct file f;
    struct bomb bomb = {
        .nevents = 1, .nids = 1, .type = 4, .id = rising, .scopes = 1, .unable = EVENTS - 1, .rounds = ROUNDS};
    struct source s;
    static struct opened o;
    size_t rows = 0, batches = 0;

    w_file(&f, &bomb);
    s = (struct source){(const char *)f.b, f.n, f.n, 0};
    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    for (; !next_batch(&o); batches++)
        rows += o.r->stream.batch[0].counts.n;
    CU_ASSERT_EQUAL(batches, ROUNDS + 1);
    CU_ASSERT_EQUAL(rows, (1 << 22) + ROUNDS + 1);
    close_recording(&o);
    free(f.b);
    f = (struct file){NULL, 0, 0};
}

static const CU_TestInfo tests[] = {
    {"ids that collide", ids},
    {"mappings of PMUs", mappings},
    {"lists of NUMA nodes", nodes},
    {"many scopes, one counted", scopes},
    {"events that could not be counted", unable},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf.data bombs", tests);
