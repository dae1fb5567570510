/* SPDX-License-Identifier: MIT */
/* Recordings as text that were made to be slow cost about as much as harmless ones. */
#include "backends/nodes.h"
#include "core/counts/hints.h"
#include "include/tdprobe.h"
#include "tests/support/slow.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SIZE = 4 << 20,
    EVENTS = 4000,
    FEW = 40,
    SETS = 1200,
    MEMBERS = 6,
    FNV_BUCKETS = 256,
    SCOPES = 8000,
    SCOPE_BUCKETS = 4096
};

struct text {
    char *b;
    size_t n;
    const char *cpu; /* NULL: the recording names it */
    uint64_t end; /* ns: of the last interval */
};

static void __attribute__((format(printf, 2, 3))) put(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->n += (size_t)vsnprintf(t->b + t->n, 256, format, args);
    va_end(args);
}

static bool is_full(const struct text *t)
{
    return t->n >= SIZE;
}

static void read_text(void *ctx)
{
    const struct text *t = ctx;
    struct source s = {t->b, t->n, t->n, 0};
    struct td *td = td_new();
    const struct td_result *r;
    uint64_t ns;
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    if (t->cpu)
        CU_ASSERT_EQUAL(td_set_uarch(td, t->cpu), 0);
    td_set_intervals(td, false); /* solving is not what is slow */
    err = td_open(td, "f", source_read, &s);
    err = err ? err : td_next(td, &r);
    CU_ASSERT_EQUAL(err, -ENODATA);
    if (err != -ENODATA)
        printf("\n    %s", td_error(td));
    CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, &r), 0);
    CU_ASSERT(td_result_time(r, &ns));
    CU_ASSERT_EQUAL(ns, t->end);
    td_free(td);
}

/* times: a quarter above what it takes now. */
static void compare(void (*make)(struct text *, bool bomb), double times)
{
    static struct text t;

    for (int bomb = 0; bomb < 2; bomb++) {
        t = (struct text){.b = malloc(2 * SIZE)};
        CU_ASSERT_PTR_NOT_NULL_FATAL(t.b);
        make(&t, bomb);
        CU_ASSERT(t.n >= SIZE && t.n < 2 * SIZE);
        slow_run(read_text, &t);
        free(t.b);
    }
    slow_pair(times);
}

/* ---- the same events in another order ------------------------------------------ */

static const char *const metrics[] = {"slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
                                      "topdown-be-bound"};
enum { METRICS = sizeof(metrics) / sizeof(*metrics) };

/* Each interval has the reverse order of the one before; harmless: the same order. */
static void turned(struct text *t, bool bomb)
{
    unsigned n = 0;

    t->cpu = "spr";
    while (!is_full(t)) {
        const bool back = bomb && n % 2;

        n++;
        for (int i = 0; i < METRICS + EVENTS; i++) {
            const int at = back ? METRICS + EVENTS - 1 - i : i;

            if (at < METRICS)
                put(t, "%u.000000000,%d,,%s,1000,100.00,,\n", n, at ? 250 : 1000, metrics[at]);
            else
                put(t, "%u.000000000,5,,e%d,1000,100.00,,\n", n, at);
        }
    }
    t->end = UINT64_C(1000000000) * n;
}

/* ---- many events in a reading ---------------------------------------------------- */

static void head(struct text *t)
{
    put(t,
        "# tdprobe-trace: 1\n# cpu: skl\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n");
}

static unsigned put_level1(struct text *t, unsigned time)
{
    static const char *const names[] = {"CPU_CLK_UNHALTED.THREAD", "UOPS_RETIRED.RETIRE_SLOTS", "UOPS_ISSUED.ANY",
                                        "IDQ_UOPS_NOT_DELIVERED.CORE", "INT_MISC.RECOVERY_CYCLES"};
    const unsigned n = sizeof(names) / sizeof(*names);

    for (unsigned i = 0; i < n; i++)
        put(t, "%u,a,cpu,,0,0,%s,%u,%u,%u\n", time, names[i], 1000 * time, time, time);
    return n;
}

static void crowded(struct text *t, bool bomb)
{
    unsigned time = 0;

    head(t);
    while (!is_full(t)) {
        unsigned n = put_level1(t, ++time);

        for (unsigned i = 0; i < (bomb ? EVENTS : FEW); i++, n++)
            put(t, "%u,a,cpu,,0,0,e%u,%u,%u,%u\n", time, i, time, time, time);
        put(t, "%u,a,cpu,,0,0,end,%u,,\n", time, n);
    }
    t->end = time;
}

/* ---- sets of printed metrics whose FNV hashes collide ------------------------------ */

static unsigned fnv_bucket(const uint16_t *member, size_t n)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ member[i]) * 16777619u;
    return (hash >> 16 ^ hash) % FNV_BUCKETS;
}

/* The next set in their lexical order; its members rise. */
static bool next_set(uint16_t set[MEMBERS], uint16_t nodes)
{
    int i = MEMBERS - 1;

    while (i >= 0 && set[i] == nodes - (MEMBERS - 1 - i))
        i--;
    if (i < 0)
        return false;
    for (set[i]++; i + 1 < MEMBERS; i++)
        set[i + 1] = (uint16_t)(set[i] + 1);
    return true;
}

static void put_printed(struct text *t, unsigned hint)
{
    put(t, "1,a,cpu,,0,0,printed:tma_%s,,,\n", td_node_name(hint - td_hint_published(0)));
}

/* A bomb's are all in the bucket of the set of all nodes, before it in a chain that has the newest first. */
static unsigned put_sets(struct text *t, uint16_t nodes, unsigned bucket, bool bomb)
{
    uint16_t set[MEMBERS] = {1, 2, 3, 4, 5, 6};
    unsigned sets = 0;

    for (unsigned i = 0; sets < SETS && next_set(set, nodes); i++) {
        if (bomb ? fnv_bucket(set, MEMBERS) != bucket : i % FNV_BUCKETS != 0)
            continue;
        put(t, "1,a,cpu,,0,0,s%u,5,1,1\n", sets++);
        for (int k = 0; k < MEMBERS; k++)
            put_printed(t, set[k]);
    }
    CU_ASSERT_EQUAL(sets, SETS);
    return (1 + MEMBERS) * sets;
}

static void printed(struct text *t, bool bomb)
{
    uint16_t all[64], nodes = 0;
    unsigned rows;

    for (; td_node_name(nodes) && nodes < 64; nodes++)
        all[nodes] = td_hint_published(nodes);
    head(t);
    put(t, "1,a,cpu,,0,0,start,0,,\n");
    rows = put_level1(t, 1);
    for (unsigned i = 0; i < nodes; i++, rows++)
        put_printed(t, all[i]);
    rows += put_sets(t, nodes, fnv_bucket(all, nodes), bomb);
    put(t, "1,a,cpu,,0,0,last,5,1,1\n");
    for (rows++; !is_full(t); rows++)
        put_printed(t, all[rows % nodes]);
    put(t, "1,a,cpu,,0,0,end,%u,,\n", rows);
    t->end = 1;
}

/* ---- scopes whose names' FNV hashes collide ----------------------------------------- */

static uint32_t fnv(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

/* Names of one length. A bomb's have hashes that end with the same 12 bits. */
static void name_scopes(char name[SCOPES][16], bool bomb)
{
    unsigned n = 0;

    for (uint32_t i = 0; n < SCOPES; i += bomb ? 1 : SCOPE_BUCKETS) {
        snprintf(name[n], sizeof(name[n]), "t%09u-1", i);
        n += !bomb || fnv(name[n]) % SCOPE_BUCKETS == 0;
    }
}

/* The threads stand in another order in each interval. */
static void threads(struct text *t, bool bomb)
{
    static char name[SCOPES][16];
    unsigned time = 0;

    name_scopes(name, bomb);
    t->cpu = "spr";
    while (!is_full(t)) {
        time++;
        for (unsigned i = 0; i < SCOPES; i++)
            put(t, "%u.000000000,%s,1000,,slots,1000,100.00,,\n", time, name[(i * 3001 + time * 17) % SCOPES]);
    }
    t->end = UINT64_C(1000000000) * time;
}

/* ---- all -------------------------------------------------------------------------- */

static void other_order(void)
{
    compare(turned, 3.3);
}

static void many_events(void)
{
    compare(crowded, 1.85);
}

static void colliding_sets(void)
{
    compare(printed, 1.25);
}

static void colliding_scopes(void)
{
    compare(threads, 1.25);
}

static const CU_TestInfo tests[] = {
    {"events in another order", other_order},
    {"many events in a reading", many_events},
    {"sets of printed metrics that collide", colliding_sets},
    {"scopes that collide", colliding_scopes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("text bombs", tests);
