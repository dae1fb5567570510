/* SPDX-License-Identifier: MIT */
#include "sim/machine/pmu.h"

__extension__ typedef unsigned __int128 td_pmu_wide;

/* A field before it is written to the register. */
struct field {
    unsigned floor, value;
    uint64_t rest; /* remainder of the division; 0: floor is exact */
};

static bool phase_valid(const struct td_pmu_phase *f)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < TD_PMU_LEVEL1; i++) {
        sum += f->weight[i];
        if (f->weight[TD_PMU_LEVEL1 + i] > f->weight[i])
            return false;
    }
    return sum == TD_PMU_WHOLE;
}

static void add_slots(struct td_pmu_truth *t, const struct td_pmu_phase *f, uint64_t slots)
{
    t->slots += slots;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        t->part[i] += slots * f->weight[i];
    for (size_t i = 0; i < TD_PMU_RATES; i++)
        t->event[i] += slots * f->rate[i];
}

bool td_pmu_switch(struct td_pmu *p, const struct td_pmu_phase *phases, size_t nphases)
{
    struct td_pmu_truth cycle = {0};

    for (size_t i = 0; i < nphases; i++) {
        if (!phase_valid(&phases[i]))
            return false;
        add_slots(&cycle, &phases[i], phases[i].slots);
    }
    if (!cycle.slots)
        return false;
    p->cycle = cycle;
    p->phases = phases;
    p->nphases = nphases;
    p->phase = 0;
    p->left = phases[0].slots;
    return true;
}

bool td_pmu_init(struct td_pmu *p, const struct td_pmu_phase *phases, size_t nphases, enum td_pmu_rounding rounding,
                 int skew)
{
    *p = (struct td_pmu){.rounding = rounding, .skew = skew};
    return td_pmu_switch(p, phases, nphases);
}

void td_pmu_advance(struct td_pmu *p, uint64_t slots)
{
    uint64_t cycles = slots / p->cycle.slots;

    p->total.slots += cycles * p->cycle.slots;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        p->total.part[i] += cycles * p->cycle.part[i];
    for (size_t i = 0; i < TD_PMU_RATES; i++)
        p->total.event[i] += cycles * p->cycle.event[i];
    slots -= cycles * p->cycle.slots;
    while (slots) {
        uint64_t step = slots < p->left ? slots : p->left;

        add_slots(&p->total, &p->phases[p->phase], step);
        slots -= step;
        p->left -= step;
        if (!p->left) {
            p->phase = (p->phase + 1) % p->nphases;
            p->left = p->phases[p->phase].slots;
        }
    }
}

void td_pmu_reset(struct td_pmu *p)
{
    p->at_reset = p->total;
}

void td_pmu_write_slots(struct td_pmu *p, uint64_t slots)
{
    p->at_reset.slots = p->total.slots - slots;
}

void td_pmu_write_metrics(struct td_pmu *p, uint64_t slots, uint64_t metrics)
{
    /* slots * TD_PMU_WHOLE / 255, rounded up */
    const uint64_t unit = slots / 0xff * TD_PMU_WHOLE + (slots % 0xff * TD_PMU_WHOLE + 0xfe) / 0xff;

    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        p->at_reset.part[i] = p->total.part[i] - unit * (metrics >> (8 * i) & 0xff);
}

uint64_t td_pmu_slots(const struct td_pmu *p)
{
    return (p->total.slots - p->at_reset.slots) & ((UINT64_C(1) << TD_PMU_BITS) - 1);
}

/* part * 255 / whole, bit by bit: a kernel has no 128-bit division. */
static struct field divide(uint64_t part, uint64_t whole)
{
    const td_pmu_wide scaled = (td_pmu_wide)part * 0xff;
    struct field f = {0};

    for (unsigned bit = 0x80; bit; bit >>= 1)
        if ((td_pmu_wide)whole * (f.floor | bit) <= scaled)
            f.floor |= bit;
    f.value = f.floor;
    f.rest = (uint64_t)(scaled - (td_pmu_wide)whole * f.floor);
    return f;
}

static bool rounds_up(const struct td_pmu *p, const struct field *f, size_t i, uint64_t whole)
{
    if (f->floor == 0xff)
        return false;
    switch (p->rounding) {
    case TD_PMU_NEAREST: return f->rest >= whole - f->rest;
    case TD_PMU_SCATTER: /* Knuth's multiplicative hash; the top byte has a bit for each field */
        return p->total.slots * UINT64_C(0x9e3779b97f4a7c15) >> (56 + i) & 1;
    default: return false;
    }
}

/* Moves level-1 fields by one unit, but none by more than one from the truth. Each
 * reading begins with another field. */
static void skew_fields(const struct td_pmu *p, struct field *f)
{
    int off = -0xff - p->skew;

    for (size_t i = 0; i < TD_PMU_LEVEL1; i++)
        off += (int)f[i].value;
    for (size_t n = 0; n < TD_PMU_LEVEL1 && off; n++) {
        struct field *x = &f[(n + (size_t)p->total.slots) % TD_PMU_LEVEL1];

        if (off < 0 && x->value == x->floor && x->value < 0xff) {
            x->value++;
            off++;
        } else if (off > 0 && (x->value > x->floor || (x->rest == 0 && x->value > 0))) {
            x->value--;
            off--;
        }
    }
}

uint64_t td_pmu_metrics(const struct td_pmu *p)
{
    uint64_t whole = td_pmu_slots(p) * TD_PMU_WHOLE, packed = 0;
    struct field f[TD_PMU_FIELDS];

    if (!whole)
        return 0;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++) {
        f[i] = divide(p->total.part[i] - p->at_reset.part[i], whole);
        f[i].value += rounds_up(p, &f[i], i, whole);
    }
    if (p->skew)
        skew_fields(p, f);
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        packed |= (uint64_t)f[i].value << (8 * i);
    return packed;
}

void td_pmu_truth(const struct td_pmu *p, struct td_pmu_truth *out)
{
    *out = p->total;
}

void td_pmu_read(struct td_pmu *p, struct td_pmu_counts *k)
{
    uint64_t slots = td_pmu_slots(p), metrics = td_pmu_metrics(p);

    if (!slots)
        return;
    k->slots += slots;
    for (size_t i = 0; i < TD_PMU_FIELDS; i++)
        k->field[i] += slots * (metrics >> (8 * i) & 0xff) / 0xff;
    td_pmu_reset(p);
}
