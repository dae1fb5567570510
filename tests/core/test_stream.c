/* SPDX-License-Identifier: MIT */
/* What two readings show of the interval between them, by hand; samples, scopes and intervals while memory runs out. */
#include "core/counts/reading.h"
#include "core/counts/scope_index.h"
#include "core/stream.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

/* How long it took is what the recordings say, unless they say nothing, and neither reading is without a time; what
 * goes backwards is not known. */
static void between(void)
{
    static const struct {
        struct td_snap from, to;
        uint64_t duration;
        bool known;
        double switches;
    } rows[] = {
        {{.time = 5, .elapsed = 100}, {.time = 9, .elapsed = 350}, 250, false, 0},
        {{.time = 1000}, {.time = 1500}, 500, false, 0},
        {{.time = 1000, .elapsed = 7}, {.time = 1500, .elapsed = 7}, 500, false, 0},
        {{.time = 1000, .elapsed = 8}, {.time = 1500, .elapsed = 7}, 500, false, 0},
        {{.time = 1000, .elapsed = 7}, {.time = 1500, .elapsed = 8}, 1, false, 0},
        {{.time = 1500}, {.time = 1000}, 0, false, 0},
        {{.time = 1000}, {.time = 1000}, 0, false, 0},
        {{.untimed = true}, {.time = 1500}, 0, false, 0},
        {{.time = 1000}, {.untimed = true}, 0, false, 0},
        {{.untimed = true, .elapsed = 9}, {.time = 1500, .elapsed = 4}, 0, false, 0},
        {{.untimed = true, .elapsed = 4}, {.untimed = true, .elapsed = 9}, 5, false, 0},
        {{.switches_known = true, .switches = 3}, {.switches_known = true, .switches = 10}, 0, true, 7},
        {{.switches_known = true, .switches = 3}, {.switches_known = true, .switches = 3}, 0, true, 0},
        {{.switches_known = true, .switches = 4}, {.switches_known = true, .switches = 3}, 0, false, 0},
        {{.switches = 3}, {.switches_known = true, .switches = 10}, 0, false, 0},
        {{.switches_known = true, .switches = 3}, {.switches = 10}, 0, false, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct td_interval v = {.at.duration = 77, .switches = 77};

        td_interval_between(&v, &rows[i].from, &rows[i].to);
        CU_ASSERT(v.at.duration == rows[i].duration && v.switches_known == rows[i].known &&
                  v.switches == rows[i].switches);
    }
    CU_ASSERT_STRING_EQUAL(td_times_name(TD_TIMES_RECORDED), "recorded");
    CU_ASSERT_STRING_EQUAL(td_times_name(TD_TIMES_RELATIVE), "relative");
    CU_ASSERT_STRING_EQUAL(td_times_name(TD_TIMES_CPUS), "cpus");
    CU_ASSERT_STRING_EQUAL(td_times_name(TD_TIMES_TASKS), "tasks");
}

enum { MANY = 40 };

/* Intervals whose counts are used again by those of the next batch. */
static int intervals(void *ctx)
{
    struct td_stream s = {.nbatch = 0};
    int err = 0;

    (void)ctx;
    for (unsigned batch = 0; batch < 2 && !err; batch++) {
        s.nbatch = 0;
        for (unsigned i = 0; i < MANY && !err; i++) {
            struct td_interval *v = td_stream_interval(&s);
            const struct td_count c = {.value = i};

            err = v ? td_counts_append(&v->counts, &c) : -ENOMEM;
            CU_ASSERT(err || (v == &s.batch[i] && s.nbatch == i + 1 && v->counts.n == 1 && v->counts.c[0].value == i));
        }
    }
    td_stream_free(&s);
    CU_ASSERT(!s.batch && !s.room && !s.nbatch);
    return err;
}

static int samples(void *ctx)
{
    struct td_reading r = {.room = 0};
    int err = 0;

    (void)ctx;
    for (uint64_t i = 0; i < MANY && !err; i++) {
        err = td_reading_append(&r, &(struct td_sample){.value = i});
        CU_ASSERT(err || (r.snap.n == i + 1 && r.snap.s[0].value == 0 && r.snap.s[i].value == i));
    }
    td_reading_free(&r);
    CU_ASSERT(!r.snap.n && !r.snap.s && !r.room);
    return err;
}

/* Of two kinds and two kinds of core each; a second time they are known. */
static int scopes(void *ctx)
{
    struct td_scope_index x = {.n = 0};
    int at = 0;

    (void)ctx;
    for (int i = 0; i < 2 * MANY && at >= 0; i++) {
        const int n = i % MANY;
        const char name[2] = {(char)('a' + n / 4), '\n'};

        at = td_scope_number(&x, name, 2, n % 2 ? TD_KIND_CPU : TD_KIND_THREAD, n / 2 % 2 ? 'P' : 'E');
        CU_ASSERT(at < 0 || at == n);
        if (at >= 0) {
            const char shown[] = {name[0], '\\', 'x', '0', 'a', '\0'};

            CU_ASSERT_STRING_EQUAL(x.key[n].name, shown);
            CU_ASSERT(x.key[n].core == (n / 2 % 2 ? 'P' : 'E') &&
                      x.key[n].kind == (n % 2 ? TD_KIND_CPU : TD_KIND_THREAD));
        }
    }
    td_scope_index_free(&x);
    CU_ASSERT(!x.n && !x.room && !x.key && !x.table.n);
    return at < 0 ? at : 0;
}

static void without_memory(void)
{
    memory_each(intervals, NULL, 1, false);
    memory_each(samples, NULL, 1, false);
    memory_each(scopes, NULL, 1, false);
}

static const CU_TestInfo tests[] = {
    {"between two readings", between}, {"without memory", without_memory}, CU_TEST_INFO_NULL};
UNIT_SUITE("streams", tests);
