/* SPDX-License-Identifier: MIT */
/* Runs of several scopes: each metric among those of its scope, by hand; and without memory. */
#include "stats/repeat.h"

#include "tests/support/made_result.h"
#include "tests/support/memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static struct made_result first, second;

static void begin(void)
{
    made_begin(&first);
    made_begin(&second);
    first.r.nmetrics = 2; /* retiring with sound bounds, bad_speculation with likely ones */
    second.r.nmetrics = 1;
    second.r.at.scope = "S1-C0";
    second.uarch.core = 'E';
}

static int add_all(struct td_repeat *s)
{
    int err = td_repeat_add(s, &first.r);

    err = err ? err : td_repeat_add(s, &second.r);
    first.r.nmetrics = MADE_METRICS; /* more metrics, which belong before those of the second scope */
    err = err ? err : td_repeat_add(s, &first.r);
    second.metric[0].value = 0.6;
    second.metric[0].bounds = TD_BOUNDS_NONE;
    return err ? err : td_repeat_add(s, &second.r);
}

static void check(const struct td_repeat_metric *m, size_t number, const char *name, unsigned runs, double mean,
                  unsigned bounded, bool sound)
{
    CU_ASSERT_EQUAL(m->number, number);
    CU_ASSERT_STRING_EQUAL(m->name, name);
    CU_ASSERT_STRING_EQUAL(m->scope, number ? "S1-C0" : "S0-C1");
    CU_ASSERT(number ? m->core && !strcmp(m->core, "E") : !m->core);
    CU_ASSERT_EQUAL(m->mean.n, runs);
    CU_ASSERT_DOUBLE_EQUAL(m->mean.mean, mean, 1e-12);
    CU_ASSERT(m->low.n == bounded && m->high.n == bounded && m->sound == sound);
}

/* Of the 12 metrics 9 have a value. */
static void several_scopes(void)
{
    struct td_repeat s = {.runs = 2, .until = true};

    begin();
    CU_ASSERT_EQUAL_FATAL(add_all(&s), 0);
    CU_ASSERT_EQUAL_FATAL(s.n, 10);
    check(&s.metric[0], 0, "retiring", 2, 0.5, 2, true);
    check(&s.metric[1], 0, "bad_speculation", 2, 0.06, 2, false);
    check(&s.metric[2], 0, "frontend_bound", 1, 0.18, 0, true);
    check(&s.metric[4], 0, "memory_bound", 1, 0.2, 1, true);
    check(&s.metric[8], 0, "bandwidth", 1, 2048.25, 0, true);
    check(&s.metric[9], 1, "retiring", 2, 0.55, 1, true);
    CU_ASSERT_STRING_EQUAL(s.metric[4].parent, "backend_bound");
    CU_ASSERT(s.metric[4].level == 2 && !s.metric[4].unit && s.metric[4].until);
    CU_ASSERT_STRING_EQUAL(s.metric[7].unit, "per cycle");
    CU_ASSERT(s.metric[0].low.mean == 0.44 && s.metric[0].high.mean == 0.56);
    for (size_t i = 0; i < s.n; i++)
        CU_ASSERT_EQUAL(td_repeat_first(&s, i), i == 0 || i == 9);
    CU_ASSERT_PTR_EQUAL(td_repeat_find(&s, &second.r, "retiring"), &s.metric[9]);
    CU_ASSERT_PTR_EQUAL(td_repeat_find(&s, &first.r, "bandwidth"), &s.metric[8]);
    CU_ASSERT_PTR_EQUAL(td_repeat_find(&s, &first.r, "retiring"), &s.metric[0]);
    CU_ASSERT_PTR_NULL(td_repeat_find(&s, &first.r, "core_bound"));
    CU_ASSERT_PTR_NULL(td_repeat_find(&s, &second.r, "bandwidth"));
    second.r.at.scope = "S2";
    CU_ASSERT_PTR_NULL(td_repeat_find(&s, &second.r, "retiring"));
    td_repeat_free(&s);
    CU_ASSERT_PTR_NULL(td_repeat_find(&(struct td_repeat){.n = 0}, &first.r, "retiring"));
}

static int repeated(void *ctx)
{
    struct td_repeat s = {.runs = 2};
    int err;

    (void)ctx;
    begin();
    err = add_all(&s);
    td_repeat_free(&s);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(repeated, NULL, 1, false) > 40);
}

static const CU_TestInfo tests[] = {
    {"several scopes", several_scopes},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("runs of several scopes", tests);
