/* SPDX-License-Identifier: MIT */
/* The table of libtdprobe(3): how wide bounds are, against a region's length and
 * its distance from the last reset. Random mixes on the simulated registers go
 * through the library, opened on a machine of that kind (its description on
 * stdin). Ends with 1 if what really happened was ever outside. */
#include "tests/bench/bench.h"
#include "sim/sim.h"
#include "include/td_regions.h"
#include "tests/support/random.h"

#include <math.h>

enum { DRAWS = 2000, PHASES = 4 };

struct cell {
    double width; /* sum of all, of half the distance of the bounds */
    unsigned long bounded, others; /* others: no bounds, or no number */
    unsigned long wrong;
};

static struct unit_random random_state = {1};

static uint64_t random_below(uint64_t n)
{
    return unit_random_below(&random_state, n);
}

/* Any four shares are as likely as any others: three cuts through the whole. */
static void random_phase(uint64_t slots, struct td_pmu_phase *p)
{
    uint32_t cut[TD_PMU_LEVEL1 + 1] = {0};

    *p = (struct td_pmu_phase){.slots = 1 + random_below(2 * slots)};
    for (size_t i = 1; i < TD_PMU_LEVEL1; i++) {
        size_t at = i;

        cut[i] = (uint32_t)random_below(TD_PMU_WHOLE + 1);
        for (; cut[at - 1] > cut[at]; at--) {
            const uint32_t was = cut[at];

            cut[at] = cut[at - 1];
            cut[at - 1] = was;
        }
    }
    cut[TD_PMU_LEVEL1] = TD_PMU_WHOLE;
    for (size_t i = 0; i < TD_PMU_LEVEL1; i++)
        p->weight[i] = cut[i + 1] - cut[i];
}

static struct td_point point_of(const struct td_pmu *pmu)
{
    return (struct td_point){.slots = td_pmu_slots(pmu), .metrics = td_pmu_metrics(pmu)};
}

/* The level-1 metrics come in the order of the register's fields. */
static void add(struct cell *c, const struct td_result *r, const struct td_pmu_truth *from,
                const struct td_pmu_truth *to)
{
    for (size_t i = 0; i < TD_PMU_LEVEL1; i++) {
        const struct td_metric *m = td_result_metric(r, i);
        const double truth = (double)(to->part[i] - from->part[i]) / TD_PMU_WHOLE / (double)(to->slots - from->slots);

        if (m->status != TD_OK || isnan(m->low)) {
            c->others++;
            continue;
        }
        c->bounded++;
        c->width += (m->high - m->low) / 2;
        c->wrong += truth < m->low - 1e-9 || truth > m->high + 1e-9;
    }
}

static int draw(struct td *td, enum td_pmu_rounding rounding, uint64_t slots, uint64_t age, struct cell *c)
{
    struct td_pmu_phase phases[PHASES];
    struct td_pmu_truth from, to;
    const struct td_result *r;
    struct td_point a, b;
    struct td_pmu pmu;
    int err;

    for (size_t i = 0; i < PHASES; i++)
        random_phase(slots, &phases[i]);
    if (!td_pmu_init(&pmu, phases, PHASES, rounding, 0))
        return -EINVAL;
    td_pmu_advance(&pmu, random_below(8 * slots));
    td_pmu_reset(&pmu);
    td_pmu_advance(&pmu, age);
    td_pmu_truth(&pmu, &from);
    a = point_of(&pmu);
    td_pmu_advance(&pmu, slots);
    td_pmu_truth(&pmu, &to);
    b = point_of(&pmu);
    err = td_measure_points(td, &a, &b, &r);
    if (!err)
        add(c, r, &from, &to);
    return err;
}

static int table(struct td *td, enum td_pmu_rounding rounding, const char *name, unsigned long *wrong)
{
    static const uint64_t times[] = {0, 1, 10, 100, 1000};
    int err = 0;

    printf("fields %s: mean half-width of a level-1 share in points, and how many had none\n", name);
    printf("%11s%15s%15s%15s%15s%15s\n", "slots d", "0", "d", "10 d", "100 d", "1000 d");
    for (uint64_t d = 1000; d <= 100000000 && !err; d *= 10) {
        printf("%11llu", (unsigned long long)d);
        for (size_t t = 0; t < sizeof(times) / sizeof(*times) && !err; t++) {
            struct cell c = {0};

            for (int i = 0; i < DRAWS && !err; i++)
                err = draw(td, rounding, d, d * times[t], &c);
            printf("%8.2f", 100 * c.width / (double)c.bounded);
            printf(" (%2.0f %%)", 100 * (double)c.others / (double)(c.bounded + c.others));
            *wrong += c.wrong;
        }
        printf("\n");
    }
    return err;
}

int main(void)
{
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0};
    unsigned long wrong = 0;
    struct td *td = td_new();
    int err = use_stdin(td);

    err = err ? err : td_set_level(td, 1);
    err = err ? err : td_open_self(td, &ask);
    err = err ? err : table(td, TD_PMU_NEAREST, "rounded to nearest", &wrong);
    err = err ? err : table(td, TD_PMU_TRUNCATE, "truncated", &wrong);
    if (err)
        fprintf(stderr, "width: %s\n", td ? td_error(td) : "out of memory");
    printf("what really happened was outside: %lu times\n", wrong);
    td_free(td);
    return err || wrong ? 1 : 0;
}
