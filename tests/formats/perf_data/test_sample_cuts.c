/* SPDX-License-Identifier: MIT */
/* Recordings of samples that were cut off, as where the disk was full: what is whole up to there is used. */
#include "include/td_samples.h"

#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_AT = 40, RECORD = 8, SAMPLE = 9, PIPE_HEADER = 16 };

struct whole {
    unsigned char *bytes;
    size_t n, from, to; /* from .. to: its data */
};

static uint64_t number(const unsigned char *at, size_t bytes)
{
    uint64_t n = 0;

    while (bytes--)
        n = n << 8 | at[bytes];
    return n;
}

static struct whole load(const char *name)
{
    struct whole w = {.n = 0};
    char path[4096];
    long size;
    FILE *f;

    snprintf(path, sizeof(path), "%s/tests/samples/%s.data", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", name);
    f = fopen(path, "r");
    CU_ASSERT_FATAL(f && !fseek(f, 0, SEEK_END));
    size = ftell(f);
    CU_ASSERT_FATAL(size > DATA_AT + 16);
    rewind(f);
    w.bytes = malloc((size_t)size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w.bytes);
    w.n = fread(w.bytes, 1, (size_t)size, f);
    fclose(f);
    CU_ASSERT_EQUAL_FATAL(w.n, (size_t)size);
    w.from = number(w.bytes + DATA_AT, 8);
    w.to = w.from + number(w.bytes + DATA_AT + 8, 8);
    if (number(w.bytes + 8, 8) == PIPE_HEADER) {
        w.from = PIPE_HEADER;
        w.to = w.n;
    }
    return w;
}

/* What was noted of the end. */
struct told {
    unsigned samples; /* that the samples are cut off */
    bool all; /* every note is one line */
};

static void take_note(void *ctx, const char *text)
{
    struct told *t = ctx;

    t->samples += strstr(text, "cut off; the samples up to there are used") != NULL;
    t->all = t->all && !strchr(text, '\n');
}

/* Reads the first n bytes. Its error; *samples: how many it used. */
static int read_cut(const struct whole *w, size_t n, struct told *told, uint64_t *samples)
{
    char *exact = malloc(n + !n); /* so that a read beyond its end is noticed */
    struct source s = {exact, n, n, 0};
    struct td_samples_info about = {.size = sizeof(about)};
    const struct td_result *r;
    struct td *td = td_new();
    int err;

    CU_ASSERT_FATAL(exact && td);
    memcpy(exact, w->bytes, n);
    *told = (struct told){.all = true};
    td_set_note(td, take_note, told);
    CU_ASSERT_FATAL(!td_set_uarch(td, "spr"));
    err = td_open(td, "f", source_read, &s);
    while (!err)
        err = td_next(td, &r);
    *samples = !td_samples_about(td, &about) ? about.samples : 0;
    CU_ASSERT(err == -ENODATA || (err == -EBADMSG && *td_error(td) && !strchr(td_error(td), '\n')));
    CU_ASSERT(told->all);
    td_free(td);
    free(exact);
    return err;
}

/* How many samples are in the records of the data that end by there; *records: how many records these are. */
static uint64_t samples_by(const struct whole *w, size_t end, size_t *records)
{
    uint64_t n = 0;

    *records = 0;
    for (size_t at = w->from; at < w->to; (*records)++) {
        const size_t size = (size_t)number(w->bytes + at + 6, 2);

        CU_ASSERT_FATAL(size >= RECORD);
        if (at + size > end)
            break;
        n += number(w->bytes + at, 4) == SAMPLE;
        at += size;
    }
    return n;
}

static void cut_at(const struct whole *w, size_t n, bool packed)
{
    struct told told;
    size_t ignored;
    uint64_t samples;
    const int err = read_cut(w, n, &told, &samples);
    const uint64_t wanted = samples_by(w, n, &ignored);

    if (packed) /* their samples are not records of the file */
        return;
    CU_ASSERT_EQUAL(samples, wanted);
    CU_ASSERT_EQUAL(err, wanted ? -ENODATA : -EBADMSG);
    CU_ASSERT_EQUAL(told.samples, wanted && n < w->to);
}

/* At the end of some of its records, and a byte before and after. */
static void cut(const char *name, bool packed)
{
    enum { SOME = 113 };
    struct whole w = load(name);
    size_t records, nth = 0;
    const bool any = samples_by(&w, w.to, &records) > 0;

    CU_ASSERT(any || packed);
    for (size_t at = w.from; at < w.to; at += (size_t)number(w.bytes + at + 6, 2))
        for (size_t n = at - 1; n <= at + 1 && nth++ / 3 % (records / SOME + 1) == 0; n++)
            cut_at(&w, n, packed);
    cut_at(&w, w.to - 1, packed);
    cut_at(&w, w.to, packed);
    cut_at(&w, w.n, packed);
    free(w.bytes);
}

static void plain(void)
{
    static const char *const names[] = {"fast", "long", "nest", "pairs", "perthread", "regs", "system", "throttled"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        cut(names[i], false);
}

static void packed(void)
{
    cut("system-z", true);
    cut("system-pipe", true);
}

/* The header, its attributes and ids: never more than a message. */
static void header(void)
{
    struct whole w = load("system");
    struct told told;
    uint64_t samples;

    for (size_t n = 0; n < w.from; n++)
        CU_ASSERT(read_cut(&w, n, &told, &samples) && !samples);
    free(w.bytes);
}

static const CU_TestInfo tests[] = {
    {"at records", plain},
    {"in compressed records", packed},
    {"in the header", header},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("cut samples", tests);
