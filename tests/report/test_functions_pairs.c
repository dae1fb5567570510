/* SPDX-License-Identifier: MIT */
/* From the bytes of a recording to the functions' table: a fast program sampled in pairs, and at one distance. */
#include "report/functions/functions_report.h"

#include "tests/support/chance.h"
#include "tests/support/sampled_file.h"
#include "tests/support/sampled_program.h"
#include "tests/support/source.h"

#include <math.h>
#include <stdio.h>

enum { CYCLES = 3000 /* per microsecond */ };

/* Two functions in turns of 20 us, which 200 us cannot tell apart. */
static const struct sampled_program fast = {
    .function = {{.fraction = {0.7, 0.1, 0.1, 0.1}, .stay = 20, .pace = 1},
                 {.fraction = {0.1, 0.1, 0.1, 0.7}, .stay = 20, .pace = 1},
                 {.fraction = {0.25, 0.25, 0.25, 0.25}}},
    .functions = 3,
    .law = SAMPLED_EXPONENTIAL,
    .leaf_stay = 1,
    .period = 200,
};

static void add_sample(struct sampled_file *f, struct sampled_file_sample *s, const struct sampled_delta *d)
{
    const uint64_t cycles = (uint64_t)(d->slots / 6);

    s->member = d->paired && !d->rest ? SAMPLED_FILE_SECOND : SAMPLED_FILE_FIRST;
    s->address = 0x1000 * (d->ended + 1);
    s->time += cycles / 3;
    s->value[0] += (uint64_t)d->slots;
    s->value[1] += cycles;
    s->value[2] += cycles;
    for (size_t i = 0; i < SAMPLED_NODES; i++)
        s->value[3 + i] += (uint64_t)d->count[i];
    sampled_file_sample(f, s);
}

/* distance: 0: no pairs; unsteady: of it. */
static void record(struct sampled_file *f, double distance, size_t samples)
{
    struct sampled_program p = fast;
    struct unit_random random = {5};
    struct sampled_run run = {.program = &p, .random = &random};
    struct sampled_file_sample s = {.time = 1000};
    struct sampled_delta d;

    p.distance = distance;
    p.unsteady = 0.1;
    sampled_file_begin(f, 200 * CYCLES, distance > 0 ? 200 * CYCLES : 0);
    for (size_t i = 0; i < samples; i++) {
        sampled_run_next(&run, &d);
        add_sample(f, &s, &d);
    }
    sampled_file_end(f);
}

static void read_functions(struct td *td, struct td_functions *f, struct td_samples_info *about)
{
    const struct td_result *r;

    while (!td_next(td, &r))
        CU_ASSERT_EQUAL_FATAL(td_functions_add(f, r), 0);
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(f, r), 0);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(f), 0);
    about->size = sizeof(*about);
    CU_ASSERT_FATAL(!td_samples_about(td, about));
}

static struct td *open_file(struct source *s, const struct sampled_file *f)
{
    struct td *td = td_new();

    *s = (struct source){(const char *)f->b, f->n, f->n, 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, 1), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, s), 0);
    return td;
}

/* Whether a note has the text. */
static bool notes(const struct td_functions_report *r, const char *text)
{
    char buf[TD_FUNCTIONS_TEXT];

    for (size_t i = 0; td_functions_note(r, i, buf); i++)
        if (strstr(buf, text))
            return true;
    return false;
}

/* retiring is the first node of the model. */
static void check_function(const struct td_function *f)
{
    static const char *const nodes[SAMPLED_NODES] = {"retiring", "bad_speculation", "frontend_bound", "backend_bound"};
    const size_t which = strstr(f->name, "0x2000") ? 1 : 0;

    CU_ASSERT_EQUAL(f->status, TD_PLACE_OK);
    CU_ASSERT(td_function_smear(f).pairs && td_function_pure(f) >= 150 && td_function_smear(f).stay > 0.75);
    CU_ASSERT(td_function_share(f) > 0.4 && td_function_share(f) < 0.6);
    for (size_t i = 0; i < f->of->metrics; i++)
        for (size_t k = 0; k < SAMPLED_NODES; k++)
            if (!strcmp(f->of->metric[i]->name, nodes[k])) {
                CU_ASSERT_DOUBLE_EQUAL(f->of->metric[i]->value, fast.function[which].fraction[k], 0.03);
                CU_ASSERT(isnan(f->of->metric[i]->low) || (f->of->metric[i]->low <= fast.function[which].fraction[k] &&
                                                           fast.function[which].fraction[k] <= f->of->metric[i]->high));
            }
}

/* 500 pairs, 4 us apart give or take a tenth: 12,000 cycles. */
static void pairs(void)
{
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    struct td_functions_report r = {.functions = &f};
    struct sampled_file file;
    struct source s;
    struct td *td;

    record(&file, 4, 1000);
    td = open_file(&s, &file);
    read_functions(td, &f, &r.about);
    CU_ASSERT_EQUAL(f.n, 2);
    CU_ASSERT_EQUAL(f.intervals, 500);
    CU_ASSERT_EQUAL(f.distances.n, 500);
    CU_ASSERT(f.distances.least >= 10800 && f.distances.most <= 13200);
    CU_ASSERT(td_distances_median(&f.distances) >= 11500 && td_distances_median(&f.distances) <= 12500);
    for (size_t i = 0; i < f.n; i++)
        check_function(f.function[i]);
    CU_ASSERT(notes(&r, "samples are pairs: 500 of them") && notes(&r, "cycles apart (median; "));
    td_functions_free(&f);
    td_free(td);
    sampled_file_free(&file);
}

/* The same program, as many samples. */
static void one_distance(void)
{
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    struct td_functions_report r = {.functions = &f};
    struct sampled_file file;
    struct source s;
    struct td *td;

    record(&file, 0, 1000);
    td = open_file(&s, &file);
    read_functions(td, &f, &r.about);
    CU_ASSERT_EQUAL(f.n, 2);
    for (size_t i = 0; i < f.n; i++)
        CU_ASSERT_EQUAL(f.function[i]->status, TD_PLACE_SMEARED);
    CU_ASSERT_FALSE(notes(&r, "pairs"));
    td_functions_free(&f);
    td_free(td);
    sampled_file_free(&file);
}

/* 12 pairs 60 us apart say nothing, and that is said. */
static void too_far(void)
{
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    struct td_functions_report r = {.functions = &f};
    struct sampled_file file;
    struct source s;
    struct td *td;

    record(&file, 60, 24);
    td = open_file(&s, &file);
    read_functions(td, &f, &r.about);
    CU_ASSERT_EQUAL(f.intervals, 0);
    CU_ASSERT(notes(&r, "none were 5000 to 50000 cycles apart") &&
              notes(&r, "no pairs: 12 that were not 5000 to 50000 cycles apart, 0 of which"));
    for (size_t i = 0; i < f.n; i++)
        CU_ASSERT_EQUAL(f.function[i]->status, TD_PLACE_FEW_SAMPLES);
    td_functions_free(&f);
    td_free(td);
    sampled_file_free(&file);
}

static const CU_TestInfo tests[] = {
    {"a fast program, sampled in pairs", pairs},
    {"the same program, sampled at one distance, is smeared", one_distance},
    {"pairs that are too far apart", too_far},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("functions by pairs", tests);
