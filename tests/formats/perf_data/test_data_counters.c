/* SPDX-License-Identifier: MIT */
/* Counters by their ids, in any order in the file. */
#include "tests/support/perf_samples.h"

enum { MOST = 8 };

static struct perf_samples f;

/* Counters with these ids, up to a 0. */
static int begin(const uint64_t *ids)
{
    perf_samples_begin(&f);
    perf_samples_event(&f, "cycles", 0);
    f.p.ncounters = 0;
    f.p.counter = realloc(f.p.counter, MOST * sizeof(*f.p.counter));
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.p.counter);
    for (; ids[f.p.ncounters]; f.p.ncounters++)
        f.p.counter[f.p.ncounters] = (struct td_perf_counter){.id = ids[f.p.ncounters]};
    return td_perf_data_index(&f.p.recording);
}

#define IDS(...) \
    (const uint64_t[MOST]) \
    { \
        __VA_ARGS__ \
    }

/* Each is found, and nothing before, between and after them. */
static void found(void)
{
    static const uint64_t sets[][MOST] = {
        {0}, {5}, {5, 3}, {3, 5, 9}, {9, 5, 3}, {9, 3, 7, 5, 11, 1, 13}, {UINT64_MAX, 1, UINT64_C(0x100000001)}};

    for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
        CU_ASSERT_EQUAL(begin(sets[i]), 0);
        for (size_t k = 0; sets[i][k]; k++) {
            CU_ASSERT_PTR_EQUAL(td_perf_data_find(&f.p, sets[i][k]), &f.p.counter[k]);
            CU_ASSERT_PTR_NULL(td_perf_data_find(&f.p, sets[i][k] - 1));
            CU_ASSERT_PTR_NULL(td_perf_data_find(&f.p, sets[i][k] + 1));
        }
        CU_ASSERT_PTR_NULL(td_perf_data_find(&f.p, 1000));
        perf_samples_end(&f);
    }
}

/* The first counter of the file that has the id of an earlier one is named. */
static void twins(void)
{
    static const struct {
        uint64_t ids[MOST];
        const char *twin;
    } rows[] = {{{5, 5}, "id 5"},       {{5, 7, 7, 5}, "id 7"},    {{7, 5, 5, 7}, "id 5"},    {{5, 7, 5, 7}, "id 5"},
                {{7, 5, 7, 5}, "id 7"}, {{9, 1, 2, 3, 9}, "id 9"}, {{1, 2, 3, 9, 1}, "id 1"}, {{4, 4, 4}, "id 4"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(begin(rows[i].ids), -EBADMSG);
        CU_ASSERT_PTR_NOT_NULL(strstr(f.log.error, rows[i].twin));
        perf_samples_end(&f);
    }
}

/* However they are asked for, the right one comes. */
static void followed(void)
{
    static const uint64_t asked[] = {3, 5, 9, 3, 5, 9, 4, 5, 9, 3, 9, 3, 3, 5, 4, 4, 9, 5, 3, 5, 9};

    CU_ASSERT_EQUAL(begin(IDS(3, 5, 9)), 0);
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        const struct td_perf_counter *c = td_perf_data_follow(&f.p, asked[i]);

        CU_ASSERT_EQUAL(c ? c->id : 4, asked[i]);
        CU_ASSERT(!c || f.p.last == (size_t)(c - f.p.counter));
    }
    for (size_t i = 0; i < 3; i++) /* by then each has its follower */
        CU_ASSERT_EQUAL(f.p.counter[i].follower, i == 0 ? 1 : i == 1 ? 2 : 1);
    perf_samples_end(&f);
}

static const CU_TestInfo tests[] = {
    {"found", found}, {"two of one id", twins}, {"followed", followed}, CU_TEST_INFO_NULL};
UNIT_SUITE("counters of perf.data", tests);
