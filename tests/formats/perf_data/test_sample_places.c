/* SPDX-License-Identifier: MIT */
/* Samples at as many places as there may be, and at one more. */
#include "formats/perf_data/data_samples_parts.h"
#include "formats/perf_data/perf_data.h"
#include "include/td_samples.h"
#include "samples/places.h"
#include "session/session.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

enum { FIRST_TID = 1 << 24 /* of threads that no sample of the file is of */, SAMPLES = 3 };

/* Samples of one thread, in a file of its own. */
static void write_samples(struct sampled_file *f)
{
    struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST, .time = 1000};

    sampled_file_begin(f, 1000000, 0);
    for (size_t i = 0; i < SAMPLES; i++) {
        s.time += 1000;
        for (size_t m = 0; m < SAMPLED_FILE_MEMBERS; m++)
            s.value[m] += 4000;
        sampled_file_sample(f, &s);
    }
    sampled_file_end(f);
}

/* As if samples of n other threads had been before. */
static void fill(struct td *td, size_t n)
{
    const struct td_perf_samples *s = td_perf_data_of((struct td_recording *)td->stream)->samples;
    const struct td_place *at[TD_PLACES_AT];
    size_t found;
    int err = 0;

    for (size_t i = 0; i < n && !err; i++) {
        const struct td_hit hit = {.pid = FIRST_TID, .tid = FIRST_TID + (uint32_t)i};

        err = td_places_find(s->places, s->spaces, &hit, at, &found);
    }
    CU_ASSERT_EQUAL(err, 0);
}

static void check(size_t before, const char *refused)
{
    struct sampled_file f = {.n = 0};
    const struct td_result *r;
    struct td *td = td_new();
    struct source s;
    int err;

    write_samples(&f);
    s = (struct source){(const char *)f.b, f.n, f.n, 0};
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_samples_by(td, TD_SAMPLES_BY_THREAD) &&
                    !td_open(td, "f", source_read, &s));
    fill(td, before);
    while (!(err = td_next(td, &r)))
        ;
    CU_ASSERT_EQUAL(err, refused ? -EBADMSG : -ENODATA);
    CU_ASSERT_EQUAL(!strstr(td_error(td), "different places"), !refused);
    CU_ASSERT(!refused || strstr(td_error(td), refused));
    td_free(td);
    sampled_file_free(&f);
}

static void most_places(void)
{
    check(TD_PLACES_MAX - 1, NULL);
    check(TD_PLACES_MAX,
          "perf.data: the samples are at more than 1048576 different places: ask for fewer, as by --by dso");
}

static const CU_TestInfo tests[] = {
    {"as many as there may be, and one more", most_places},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("places of samples", tests);
