/* SPDX-License-Identifier: MIT */
/* Recordings whose group has two members that sample: which intervals lie between the two of a pair. */
#include "include/td_samples.h"

#include "private/result.h"
#include "samples/pairs.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

/* One sample; place 0: no sample, but a record of what comes after the last one. */
struct step {
    unsigned member;
    char place; /* 'l': LOST, '1' and '2': THROTTLE of that member's next sample */
    uint64_t cycles; /* since the sample before */
};

static void put_step(struct sampled_file *f, struct sampled_file_sample *s, const struct step *step)
{
    if (step->place == 'l') {
        sampled_file_lost(f, s->time, 1);
        return;
    }
    if (step->place == '1' || step->place == '2') {
        sampled_file_throttle(f, s->time, (unsigned)(step->place - '0'));
        return;
    }
    s->member = step->member;
    s->address = 0x1000u * (unsigned)step->place;
    s->time += step->cycles;
    s->value[0] += 6 * step->cycles;
    s->value[1] += step->cycles;
    s->value[2] += step->cycles;
    for (size_t i = 3; i < SAMPLED_FILE_MEMBERS; i++)
        s->value[i] += 6 * step->cycles / 4;
    sampled_file_sample(f, s);
}

static void make(struct sampled_file *f, uint64_t second, const struct step *step)
{
    struct sampled_file_sample s = {.time = 1000};

    sampled_file_begin(f, 1000000, second);
    for (; step->place; step++)
        put_step(f, &s, step);
    sampled_file_end(f);
}

static struct td *open_file(struct source *s, const struct sampled_file *f, enum td_samples_by by)
{
    struct td *td = td_new();

    *s = (struct source){(const char *)f->b, f->n, f->n, 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_by(td, by), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, s), 0);
    return td;
}

/* kinds: of each interval, 's'hort, 'r'est, 'f'ar, '-' none; '?' before one whose beginning is not known. */
static struct td_samples_info check(const struct step *steps, uint64_t second, const char *kinds, double *summed)
{
    static const char letters[] = {
        [TD_PAIR_NONE] = '-', [TD_PAIR_SHORT] = 's', [TD_PAIR_REST] = 'r', [TD_PAIR_FAR] = 'f'};
    struct sampled_file f;
    struct source s;
    struct td *td;
    struct td_samples_info info = {.size = sizeof(info), .samples = 0};
    const struct td_result *r;
    char seen[64] = "";
    size_t n = 0;

    make(&f, second, steps);
    td = open_file(&s, &f, TD_SAMPLES_BY_FUNCTION);
    while (n + 2 < sizeof(seen) && !td_next(td, &r)) {
        if (!td_result_began(r))
            seen[n++] = '?';
        seen[n++] = letters[td_result_pair(r)];
        CU_ASSERT_EQUAL(td_result_distance(r) != 0,
                        td_result_pair(r) == TD_PAIR_SHORT || td_result_pair(r) == TD_PAIR_FAR);
    }
    CU_ASSERT_STRING_EQUAL(seen, kinds);
    CU_ASSERT(!td_samples_about(td, &info));
    *summed = 0;
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        *summed += td_result_count(r, 0)->value;
    if (second == 1000000)
        CU_ASSERT_STRING_EQUAL(info.paired, "cycles")
    else
        CU_ASSERT_PTR_NULL(info.paired);
    info.paired = NULL;
    td_free(td);
    sampled_file_free(&f);
    return info;
}

/* Sums have what lies between two samples of one pair in one place: 10,000 and 20,000 cycles of 6 slots. */
static void whole_pairs(void)
{
    static const struct step steps[] = {{1, 'a', 500000},
                                        {2, 'a', 10000},
                                        {1, 'a', 990000},
                                        {2, 'b', 11000},
                                        {1, 'b', 989000},
                                        {2, 'b', 20000},
                                        {1, 'a', 980000},
                                        {2, 'a', 4999},
                                        {1, 'a', 990000},
                                        {2, 'a', 50001},
                                        {0}};
    double summed;
    const struct td_samples_info info = check(steps, 1000000, "?rsrsrsrfrf", &summed);

    CU_ASSERT_EQUAL(summed, 6 * 30000);
    CU_ASSERT_EQUAL(info.samples, 10);
    CU_ASSERT_EQUAL(info.pairs, 3);
    CU_ASSERT_EQUAL(info.far, 2);
    CU_ASSERT_EQUAL(info.broken, 0);
}

/* A second sample is missing; a first one is; one of the two was lost; after the first one samples are held back; after
 * the second they are, which breaks no pair. */
static void broken_pairs(void)
{
    static const struct step steps[] = {{1, 'a', 500000}, {1, 'a', 1000000}, {2, 'a', 10000},  {2, 'a', 1000000},
                                        {1, 'a', 500000}, {0, 'l', 0},       {2, 'a', 10000},  {0, '1', 0},
                                        {1, 'a', 500000}, {2, 'a', 10000},   {1, 'a', 500000}, {0, '2', 0},
                                        {2, 'a', 10000},  {1, 'a', 500000},  {2, 'a', 10000},  {0}};
    double summed;
    const struct td_samples_info info = check(steps, 1000000, "?rrsrr?rr?rrs?rs", &summed);

    CU_ASSERT_EQUAL(summed, 6 * 30000);
    CU_ASSERT_EQUAL(info.pairs, 3);
    CU_ASSERT_EQUAL(info.broken, 4);
    CU_ASSERT_EQUAL(info.lost, 1);
    CU_ASSERT_EQUAL(info.throttled, 2);
    CU_ASSERT_EQUAL(info.far, 0);
}

/* Both counters overflow at once: the second read finds nothing counted. */
static void no_distance(void)
{
    static const struct step steps[] = {
        {1, 'a', 500000}, {2, 'a', 10000}, {1, 'a', 990000}, {2, 'a', 0}, {1, 'a', 990000}, {2, 'a', 10000}, {0}};
    double summed;
    const struct td_samples_info info = check(steps, 1000000, "?rsrrs", &summed);

    CU_ASSERT_EQUAL(summed, 6 * 20000);
    CU_ASSERT_EQUAL(info.still, 1);
    CU_ASSERT_EQUAL(info.far, 1);
    CU_ASSERT_EQUAL(info.broken, 0);
}

/* One member that samples, or two of different periods: as ever. */
static void no_pairs(void)
{
    static const struct step steps[] = {{1, 'a', 500000}, {2, 'a', 10000}, {1, 'a', 990000}, {0}};
    double summed;
    struct td_samples_info info = check(steps, 0, "?---", &summed);

    CU_ASSERT_EQUAL(summed, 6 * 1000000);
    info = check(steps, 999999, "?---", &summed);
    CU_ASSERT_EQUAL(info.pairs + info.far + info.broken, 0);
}

/* By CPU, all that was counted is of the CPU. */
static void by_cpu(void)
{
    static const struct step steps[] = {{1, 'a', 500000}, {2, 'b', 10000}, {1, 'a', 990000}, {0}};
    struct sampled_file f;
    struct source s;
    const struct td_result *r;
    struct td *td;

    make(&f, 1000000, steps);
    td = open_file(&s, &f, TD_SAMPLES_BY_CPU);
    while (!td_next(td, &r))
        ;
    CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, &r), 0);
    CU_ASSERT_EQUAL(td_result_count(r, 0)->value, 6 * 1500000);
    td_free(td);
    sampled_file_free(&f);
}

/* What a pair's event is called where some modes are not counted: exclude_user, exclude_kernel, exclude_hv of
 * perf_event_open(2), as perf's names have it. */
static void by_mode(void)
{
    static const struct step steps[] = {{1, 'a', 500000}, {2, 'a', 10000}, {0}};
    static const struct {
        uint64_t flags;
        const char *name;
    } modes[] = {
        {0, "cycles"}, {1 << 4, "cycles:k"}, {1 << 5, "cycles:u"}, {1 << 5 | 1 << 6, "cycles:u"}, {1 << 6, "cycles"}};

    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        struct td_samples_info info = {.size = sizeof(info), .samples = 0};
        struct sampled_file f;
        struct source s;
        const struct td_result *r;
        struct td *td;

        make(&f, 1000000, steps);
        sampled_file_flags(&f, modes[i].flags);
        td = open_file(&s, &f, TD_SAMPLES_BY_FUNCTION);
        while (!td_next(td, &r))
            ;
        CU_ASSERT(!td_samples_about(td, &info));
        CU_ASSERT_PTR_NOT_NULL_FATAL(info.paired);
        CU_ASSERT_STRING_EQUAL(info.paired, modes[i].name);
        td_free(td);
        sampled_file_free(&f);
    }
}

/* The least and the greatest distance of a pair are of one. */
static void limits(void)
{
    static const struct {
        uint64_t distance;
        enum td_sample_pair kind;
    } rows[] = {{TD_PAIR_LEAST - 1, TD_PAIR_FAR},
                {TD_PAIR_LEAST, TD_PAIR_SHORT},
                {TD_PAIR_MOST, TD_PAIR_SHORT},
                {TD_PAIR_MOST + 1, TD_PAIR_FAR}};
    const struct td_course_delta d = {.start = TD_START_SAMPLE, .from = TD_SAMPLER_FIRST};
    struct td_samples_info info = {.paired = "cycles"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_pair p = td_pair_of(&d, TD_SAMPLER_SECOND, rows[i].distance, &info);

        CU_ASSERT(p.kind == rows[i].kind && p.distance == rows[i].distance);
    }
    CU_ASSERT(info.pairs == 2 && info.far == 2 && !info.broken);
}

static const CU_TestInfo tests[] = {
    {"what lies between the two samples of a pair", whole_pairs},
    {"pairs with a sample missing, lost or held back", broken_pairs},
    {"the limits of distances", limits},
    {"pairs without a distance", no_distance},
    {"recordings without pairs", no_pairs},
    {"by CPU everything counts", by_cpu},
    {"the name of the event has the modes", by_mode},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("pairs", tests);
