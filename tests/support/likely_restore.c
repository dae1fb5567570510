/* SPDX-License-Identifier: MIT */
/* The metrics register of a task, written back at each context switch. */
#include "core/bounds/likely.h"
#include "core/bounds/written_back.h"
#include "core/formula/range.h"
#include "tests/support/likely_chance.h"
#include "tests/support/likely_sim.h"

#include <math.h>

enum { FIELDS = 4 };

const struct likely_task likely_tasks[] = {
    {"the same all the time", LIKELY_CONSTANT},
    {"noise from switch to switch", LIKELY_NOISY},
    {"two phases", LIKELY_HALVES},
    {"phases of about 10 switches", LIKELY_PHASES},
    {"another mix at each switch", LIKELY_EACH},
    {"computes, then switches", LIKELY_LATE},
    {"switches, then computes", LIKELY_EARLY},
};
const size_t likely_ntasks = sizeof(likely_tasks) / sizeof(*likely_tasks);

/* The register: its contents are exact until it is stopped. */
struct reg {
    enum likely_rounding rounding;
    uint64_t *random; /* of LIKELY_SCATTER */
    double slots, part[FIELDS]; /* since the last reset */
    double field[FIELDS]; /* as last read */
    double count[FIELDS], truth[FIELDS], all; /* count, truth: what the kernel added up, and what happened */
};

/* What is added before the fraction is cut off. */
static double upwards(const struct reg *r)
{
    return r->rounding == LIKELY_TRUNCATE ? 1e-9 : r->rounding == LIKELY_NEAREST ? 0.5 : chance(r->random);
}

/* When stopped, icl_update_topdown_event() adds what each field grew by, and nothing where
 * it shrank; when started, the register continues with the fields as they were read. */
static void reg_run(struct reg *r, double slots, const double mix[FIELDS])
{
    double before = r->slots;

    r->slots += slots;
    r->all += slots;
    for (size_t i = 0; i < FIELDS; i++) {
        double last = floor(before * r->field[i] / 255), now;

        r->truth[i] += mix[i] * slots;
        r->part[i] += mix[i] * slots;
        now = 255 * r->part[i] / r->slots;
        r->field[i] = floor(now + upwards(r));
        now = floor(r->slots * r->field[i] / 255);
        r->count[i] += fmax(now - last, 0);
        r->part[i] = r->field[i] / 255 * r->slots;
    }
}

static void add_noise(uint64_t *random, const double base[FIELDS], double noise, double mix[FIELDS])
{
    double sum = 0;

    for (size_t i = 0; i < FIELDS; i++)
        sum += mix[i] = base[i] * exp(noise * normal(random));
    for (size_t i = 0; i < FIELDS; i++)
        mix[i] /= sum;
}

static void any_mix(uint64_t *random, double mix[FIELDS])
{
    double base[FIELDS];

    for (size_t i = 0; i < FIELDS; i++)
        base[i] = exponential(random, chance(random) < 0.3 ? 0.02 : 1) + 1e-6;
    add_noise(random, base, 0, mix);
}

static void task_mix(const struct likely_task *t, unsigned i, unsigned switches, uint64_t *random,
                     double base[2][FIELDS], double mix[FIELDS])
{
    bool second = t->work >= LIKELY_LATE ? 2 * i > switches : t->work == LIKELY_HALVES && i > switches / 2;

    if (t->work == LIKELY_EACH || (t->work == LIKELY_PHASES && chance(random) < 0.1))
        any_mix(random, base[0]);
    add_noise(random, base[second], t->work == LIKELY_CONSTANT ? 0 : t->work == LIKELY_NOISY ? 1 : 0.1, mix);
}

static double stretch(const struct likely_task *t, unsigned i, unsigned switches, uint64_t *random)
{
    const double all = 1e12;
    bool longest = (t->work == LIKELY_LATE && i == 0) || (t->work == LIKELY_EARLY && i == switches);

    if (t->work >= LIKELY_LATE)
        return longest ? 0.9 * all : 0.1 * all / switches;
    return exponential(random, all / (switches + 1.0));
}

/* As the verdict does it: retiring, the first field, limits nothing. */
static void tell_leader(const struct reg *r, const struct td_range share[FIELDS], struct likely_cell *cell)
{
    bool overlap = false, ahead = true, clear = true, wrong = false;
    size_t most = 1;

    for (size_t i = 2; i < FIELDS; i++)
        most = share[i].value > share[most].value ? i : most;
    for (size_t i = 1; i < FIELDS; i++) {
        const double less = share[most].value - share[most].low, more = share[i].high - share[i].value;

        if (i == most)
            continue;
        overlap = overlap || share[i].high >= share[most].low;
        ahead = ahead && share[most].value - share[i].value > hypot(less, more);
        clear = clear && share[most].value >= 0.3 && share[most].value - share[i].value >= 0.15;
        wrong = wrong || r->truth[i] > r->truth[most];
    }
    cell->ahead += overlap && ahead;
    cell->wrong += overlap && ahead && wrong;
    cell->clear += clear;
    cell->misled += clear && wrong;
}

/* As the engine does it: share() of the fields' counts, each give or take the error that td_restored_cover() makes of
 * td_likely_restored()'s, and a unit of the last reading, which is a sound bound. The truth is a share of the slots. */
static void tell_register(const struct reg *r, unsigned switches, struct likely_cell *cell)
{
    struct td_range count[FIELDS], rest, shares[FIELDS];
    const unsigned long given = cell->given;
    double error, own, sum = 0;

    for (size_t i = 0; i < FIELDS; i++)
        sum += r->count[i];
    for (size_t i = 0; i < FIELDS; i++) {
        const double truth = r->truth[i] / r->all;
        struct td_range share;

        cell->runs++;
        if (td_likely_restored(switches, r->slots, r->all, &error) != TD_LIKELY_GIVEN)
            continue;
        own = error + r->all / 255;
        error = td_restored_cover(error, sum, r->all) + r->all / 255;
        rest = td_range_exact(0);
        for (size_t k = 0; k < FIELDS; k++) {
            count[k] = td_range_count(r->count[k], error);
            rest = k == i ? rest : td_range_add(rest, count[k]);
        }
        share = shares[i] = td_range_share(count[i], rest);
        cell->given++;
        cell->inside += share.low <= truth && truth <= share.high;
        cell->escaped += fabs(r->count[i] - r->truth[i]) <= own && !(share.low <= truth && truth <= share.high);
        cell->width += (fmin(share.high, 1) - fmax(share.low, 0)) / 2;
        cell->square += (share.value - truth) * (share.value - truth);
    }
    if (cell->given > given)
        tell_leader(r, shares, cell);
}

void likely_restore_run(const struct likely_task *t, unsigned switches, bool truncates, unsigned long runs,
                        uint64_t *random, struct likely_cell *cell)
{
    for (unsigned long n = 0; n < runs; n++) {
        struct reg r = {.rounding = truncates ? LIKELY_TRUNCATE : LIKELY_NEAREST};
        double base[2][FIELDS], mix[FIELDS];

        any_mix(random, base[0]);
        any_mix(random, base[1]);
        for (unsigned i = 0; i <= switches; i++) {
            task_mix(t, i, switches, random, base, mix);
            reg_run(&r, stretch(t, i, switches, random), mix);
        }
        tell_register(&r, switches, cell);
    }
}

/* As the engine does it where the four counts do not add up to the slots, or how often the register was written back is
 * not known: a share of their sum, give or take td_likely_sum_off(), or least if that is less, and a unit of the
 * register. */
static void tell_off(const struct reg *r, double least, struct likely_cell *cell)
{
    struct td_range shares[FIELDS];
    double sum = 0, off;

    for (size_t i = 0; i < FIELDS; i++)
        sum += r->count[i];
    off = td_likely_sum_off(sum, r->all);
    cell->runs += FIELDS;
    if (!isfinite(off) || (least < TD_LIKELY_SUM_LEAST && off <= least)) /* other bounds hold there */
        return;
    off = fmax(off, least) + 1 / 255.0;
    for (size_t i = 0; i < FIELDS; i++) {
        const double truth = r->truth[i] / r->all, value = r->count[i] / sum;

        shares[i] = (struct td_range){value - off, value, value + off};
        cell->given++;
        cell->inside += fabs(value - truth) <= off;
        cell->width += (fmin(value + off, 1) - fmax(value - off, 0)) / 2;
        cell->square += (value - truth) * (value - truth);
    }
    tell_leader(r, shares, cell);
}

void likely_off_run(const struct likely_task *t, unsigned switches, enum likely_rounding rounding, double least,
                    unsigned long runs, uint64_t *random, struct likely_cell *cell)
{
    for (unsigned long n = 0; n < runs; n++) {
        struct reg r = {.rounding = rounding, .random = random};
        double base[2][FIELDS], mix[FIELDS];

        any_mix(random, base[0]);
        any_mix(random, base[1]);
        for (unsigned i = 0; i <= switches; i++) {
            task_mix(t, i, switches, random, base, mix);
            reg_run(&r, stretch(t, i, switches, random), mix);
        }
        tell_off(&r, least, cell);
    }
}

/* One interval; only its counts and truth are left in the register. */
static void run_interval(struct reg *r, const struct likely_task *t, unsigned switches, uint64_t *random,
                         double base[2][FIELDS])
{
    double mix[FIELDS];

    for (size_t i = 0; i < FIELDS; i++)
        r->count[i] = r->truth[i] = 0;
    r->all = 0;
    for (unsigned i = 0; i <= switches; i++) {
        task_mix(t, i, switches, random, base, mix);
        reg_run(r, stretch(t, i, switches, random), mix);
    }
}

static void tell_interval(const struct reg *r, double switches, double held, struct likely_cell *cell)
{
    double error;

    for (size_t i = 0; i < FIELDS; i++) {
        cell->runs++;
        if (td_likely_restored(switches, held, r->all, &error) != TD_LIKELY_GIVEN)
            continue;
        error += held / 255; /* a unit of the last reading, which is a sound bound */
        cell->given++;
        cell->inside += fabs(r->count[i] - r->truth[i]) <= error;
        cell->width += error / r->all;
        cell->square += pow((r->count[i] - r->truth[i]) / r->all, 2);
    }
}

enum { READS = 20 };

void likely_reads_run(const struct likely_task *t, unsigned switches, bool truncates, double busy, unsigned long runs,
                      uint64_t *random, struct likely_cell *cell)
{
    const unsigned reads = td_likely_reads(busy);

    for (unsigned long n = 0; n < runs; n++) {
        struct reg r = {.rounding = truncates ? LIKELY_TRUNCATE : LIKELY_NEAREST};
        double base[2][FIELDS], slots[READS];

        any_mix(random, base[0]);
        any_mix(random, base[1]);
        for (unsigned i = 0; i < READS; i++) {
            unsigned first = i + 1 > reads ? i + 1 - reads : 0;
            double held = 0;

            run_interval(&r, t, switches, random, base);
            slots[i] = r.all;
            for (unsigned before = first; before <= i; before++)
                held += slots[before];
            tell_interval(&r, (i + 1 - first) * switches, held, cell);
            if (chance(random) < busy)
                r = (struct reg){.rounding = truncates ? LIKELY_TRUNCATE : LIKELY_NEAREST};
        }
    }
}
