/* SPDX-License-Identifier: MIT */
/* Sound bounds of all that is published for a CPU: whatever the true fields of PERF_METRICS are, within the
 * uncertainty of their 8 bits, the metric by them is within the bounds, through each formula. */
#include "core/solve/solve.h"
#include "tests/support/any_counts.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 1000000 };

struct trial {
    const struct td_uarch *u;
    struct td_counts counts;
    struct td_result read, truth;
    unsigned long checked, wide;
};

/* All events once, in one group; the fields' counts give or take their error. */
static void count_all(struct trial *t, struct unit_random *r)
{
    double share[TD_FIELDS], sum = 0;

    for (size_t f = 0; f < TD_FIELDS; f++)
        share[f] = unit_random_ratio(r) < 0.3 ? 0 : unit_random_ratio(r);
    for (size_t f = 0; f < 4; f++)
        sum += share[f];
    t->counts.n = 0;
    for (size_t e = 0; e < t->u->nevents; e++) {
        const struct td_event *event = &t->u->events[e];
        struct td_count c = {.event = (uint16_t)e, .enabled = 1e9, .running = 1e9};

        if (event->kind != TD_EVENT_COUNT || event->modes)
            continue;
        c.value = td_event_is_slots(event)
                      ? SLOTS
                      : floor(SLOTS / 6.0 * unit_random_ratio(r) * (unit_random_ratio(r) < 0.5 ? 1 : 1e-3));
        if (event->field >= 0) {
            c.value =
                SLOTS * (sum > 0 ? share[event->field % 4] / sum : 0.25) * (event->field < 4 ? 1 : share[event->field]);
            c.err = SLOTS / 255.0;
        }
        CU_ASSERT_EQUAL_FATAL(td_counts_append(&t->counts, &c), 0);
    }
}

/* What the fields may have been. */
static void move_fields(struct trial *t, struct unit_random *r)
{
    for (size_t i = 0; i < t->counts.n; i++) {
        struct td_count *c = &t->counts.c[i];

        c->value = fmax(0, c->value + c->err * (2 * unit_random_ratio(r) - 1));
        c->err = 0;
    }
}

static void compare(struct trial *t)
{
    for (size_t i = 0; i < t->read.nmetrics; i++) {
        const struct td_metric *m = &t->read.metrics[i], *truth = &t->truth.metrics[i];
        const bool share = m->kind == TD_METRIC_NODE && !strcmp(m->unit, "slots"); /* no true one is more than 1 */
        const double value = truth->value;
        const double rounding = 1e-9 * fabs(value) + 1e-12;
        bool inside;

        if (m->status != TD_OK || truth->status != TD_OK || m->bounds != TD_BOUNDS_SOUND)
            continue;
        inside = m->low <= value + rounding && (share ? fmin(value, 1) : value) - rounding <= m->high;
        if (!inside)
            printf("\n    %s %s: %g is not in %g .. %g", t->u->name, m->name, value, m->low, m->high);
        CU_ASSERT(inside);
        t->checked++;
        t->wide += m->high > m->low;
    }
}

static void try_row(const char *cpu)
{
    const struct td_solve_ask ask = {
        .level = TD_LEVELS,
        .names = "all",
        .fixed = true,
        .smt_off = true,
        .whole_core = true,
        .one_cpu = true,
        .duration = {1, 1, 1},
        .cpus = 1,
    };
    struct trial t = {.u = td_uarch_by_name(cpu)};
    struct td_uarch lenient;
    struct unit_random r = {UINT64_C(88172645463325252)};
    struct td_forms *forms = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t.u);
    lenient = any_counts(t.u);
    CU_ASSERT_EQUAL_FATAL(td_forms_new(&lenient, &forms), 0);
    for (unsigned long n = 0; n < unit_rounds(1000); n++) {
        count_all(&t, &r);
        CU_ASSERT_EQUAL_FATAL(td_solve(forms, &t.counts, &ask, &t.read), 0);
        move_fields(&t, &r);
        CU_ASSERT_EQUAL_FATAL(td_solve(forms, &t.counts, &ask, &t.truth), 0);
        compare(&t);
    }
    CU_ASSERT(t.checked > 50 * unit_rounds(1000));
    CU_ASSERT(t.wide > 10 * unit_rounds(1000));
    td_result_free(&t.read);
    td_result_free(&t.truth);
    td_counts_free(&t.counts);
    td_forms_free(forms);
}

static void rows(void)
{
    static const char *const cpus[] = {"icl", "icx", "spr", "gnr", "lnl-p"};

    for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
        try_row(cpus[i]);
}

static const CU_TestInfo tests[] = {
    {"fields of PERF_METRICS", rows},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sound bounds of all levels", tests);
