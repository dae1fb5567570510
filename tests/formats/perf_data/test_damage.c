/* SPDX-License-Identifier: MIT */
/* What is said of a perf.data that is damaged or too large: each reason beside a file that gives none, or its
 * neighbour's. */
#include "include/td_samples.h"

#include "tests/support/little.h"
#include "tests/support/sampled_file.h"

#include <errno.h>
#include <string.h>

enum { SAMPLE = 9, HEADER_ATTR = 64, AUXTRACE = 71, COMPRESSED2 = 83 /* types of records */ };
enum { PID = 42, FIRST_ID = 11, IDS = 7, ATTR = 64, FILE_ATTR = ATTR + 16, SAMPLE_TYPE = 24, PERIOD = 256 };

/* A file that goes on with zeros. */
struct file {
    const unsigned char *b;
    size_t n, at, size;
};

static ssize_t read_padded(void *ctx, void *buf, size_t room)
{
    struct file *f = ctx;
    const size_t n = room < f->size - f->at ? room : f->size - f->at, known = f->at < f->n ? f->n - f->at : 0;

    memset(buf, 0, n);
    if (known)
        memcpy(buf, f->b + f->at, known < n ? known : n);
    f->at += n;
    return (ssize_t)n;
}

static int seek(void *ctx, uint64_t offset)
{
    ((struct file *)ctx)->at = offset;
    return 0;
}

/* Reads the file to its end, or to an error, which text then has; otherwise it is empty. */
static void read_to(struct file f, bool seeks, char text[512])
{
    const struct td_result *r;
    struct td *td = td_new();
    int err;

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && (!seeks || !td_set_seek(td, seek)));
    err = td_open(td, "f", read_padded, &f);
    while (!err)
        err = td_next(td, &r);
    snprintf(text, 512, "%s", err == -ENODATA ? "" : td_error(td));
    td_free(td);
}

/* ---- samples ------------------------------------------------------------------------------------------ */

static void trace_data(struct sampled_file *f)
{
    sampled_file_record(f, AUXTRACE, 0, 0, (const uint64_t[]){0, 0, 0, 0, 0}, 5, NULL);
}

/* 100 bytes of 0 are compressed. */
static void cut_off(struct sampled_file *f)
{
    sampled_file_record(f, COMPRESSED2, 0, 0, (const uint64_t[]){100}, 1, NULL);
}

/* IP, TID, TIME and ID are there; after them there are no values. */
static void too_short(struct sampled_file *f)
{
    const uint64_t begin[] = {0x10000, (uint64_t)PID << 32 | PID, 9000, FIRST_ID + SAMPLED_FILE_FIRST};

    sampled_file_record(f, SAMPLE, 2, 9000, begin, sizeof(begin) / sizeof(*begin), NULL);
}

/* The third member's samples have no period. */
static void other_fields(struct sampled_file *f)
{
    const size_t at = 104 + 8 * IDS + 2 * FILE_ATTR + SAMPLE_TYPE;

    f->b[at + 1] &= (unsigned char)~(PERIOD >> 8);
}

static const struct {
    void (*damage)(struct sampled_file *);
    const char *reason;
} damages[] = {
    {trace_data, "perf.data with trace data (intel_pt and the like) is not read: record top-down events alone"},
    {cut_off, "perf.data: compressed records are cut off: the file is damaged"},
    {too_short, "perf.data: a sample is too short for its fields: the file is damaged"},
    {other_fields,
     "perf.data: the events' samples have different fields, and no id at one place: record the group alone"},
    {NULL, NULL}, /* nothing is said of a file without any of these */
};

static void samples(void)
{
    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST};
        struct sampled_file f;
        char text[512];

        sampled_file_begin(&f, 1000, 0);
        for (unsigned n = 1; n <= 4; n++) {
            s.time = 1000 * n;
            for (size_t m = 0; m < SAMPLED_FILE_MEMBERS; m++)
                s.value[m] = n * 4000;
            sampled_file_sample(&f, &s);
        }
        if (damages[i].damage)
            damages[i].damage(&f);
        sampled_file_end(&f);
        read_to((struct file){f.b, f.n, 0, f.n}, false, text);
        CU_ASSERT(damages[i].reason ? strstr(text, damages[i].reason) != NULL : !*text);
        sampled_file_free(&f);
    }
}

/* ---- what comes before the data ---------------------------------------------------------------------------- */

struct bytes {
    unsigned char *b;
    size_t n, room;
};

static void put(struct bytes *f, uint64_t value, size_t bytes)
{
    little_put(&f->b, &f->n, &f->room, value, bytes);
}

/* A pipe's record of an event whose attr has the size, and of its counters' ids. */
static void put_event(struct bytes *f, uint32_t size, size_t nids)
{
    static uint64_t id;

    put(f, HEADER_ATTR, 4), put(f, 0, 2), put(f, 8 + ATTR + 8 * nids, 2);
    put(f, 4, 4), put(f, size, 4);
    for (size_t at = 8; at < ATTR; at += 8)
        put(f, 0, 8);
    for (size_t i = 0; i < nids; i++)
        put(f, ++id, 8);
}

static void pipes(void)
{
    static const struct {
        size_t events, ids;
        uint32_t size;
        const char *reason;
    } all[] = {
        {1, 1, ATTR, "perf.data without counts"},
        {1, 1, ATTR - 1, "perf.data: an event's description of 72 bytes is damaged"},
        {1, 1, ATTR + 9, "perf.data: an event's description of 72 bytes is damaged"},
        {1024, 1, ATTR, "perf.data without counts"},
        {1025, 1, ATTR, "perf.data: more than 1024 events: record fewer"},
        {32, 1 << 12, ATTR, "perf.data without counts"},
        {64, 1 << 12, ATTR, "perf.data without counts"},
        {65, 1 << 12, ATTR, "perf.data: more than 262144 counters: record fewer CPUs, threads or events"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct bytes f = {NULL, 0, 0};
        char text[512];

        for (const char *magic = "PERFILE2"; *magic; magic++)
            put(&f, (unsigned char)*magic, 1);
        put(&f, 16, 8);
        for (size_t n = 0; n < all[i].events; n++)
            put_event(&f, all[i].size, all[i].ids);
        read_to((struct file){f.b, f.n, 0, f.n}, false, text);
        if (!strstr(text, all[i].reason))
            printf("\n    pipe %zu: %s", i, text);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, all[i].reason));
        free(f.b);
    }
}

static void set(struct sampled_file *f, size_t at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++)
        f->b[at + i] = (unsigned char)(value >> 8 * i);
}

/* The events, or the ids of the first, are said to be 64 bytes after 48 MiB. perf has ids after the data, which a pipe
 * does not get to; the events are always before. */
static void far_away(void)
{
    enum { MIB = 1 << 20, EVENTS_AT = 24, IDS_AT = 104 + 8 * IDS + ATTR };
    static const struct {
        size_t field, size;
        bool seeks;
        const char *reason;
    } all[] = {
        {EVENTS_AT, 20 * MIB, false, "perf.data: the events lie outside the file"},
        {EVENTS_AT, 52 * MIB, false,
         "the events are after the first 48 MiB of the file, which is as much as is kept: the file is damaged"},
        {EVENTS_AT, 52 * MIB, true,
         "the events are after the first 48 MiB of the file, which is as much as is kept: the file is damaged"},
        {IDS_AT, 20 * MIB, false, "perf.data: the ids of an event lie outside the file"},
        {IDS_AT, 52 * MIB, false,
         "the ids of an event are after the first 48 MiB of the file, which is as much as is kept: name the file instead of a pipe"},
        {IDS_AT, 52 * MIB, true, "perf.data of 'perf record' without a sample of a group"}, /* they are there */
        {0, 52 * MIB, true, "perf.data of 'perf record' without a sample of a group"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct sampled_file f;
        char text[512];

        sampled_file_begin(&f, 1000, 0);
        sampled_file_end(&f);
        if (all[i].field)
            set(&f, all[i].field, 48 * MIB + 64);
        read_to((struct file){f.b, f.n, 0, all[i].size}, all[i].seeks, text);
        if (!strstr(text, all[i].reason))
            printf("\n    far %zu: %s", i, text);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, all[i].reason));
        sampled_file_free(&f);
    }
}

static CU_TestInfo tests[] = {
    {"damaged samples", samples},
    {"events in a pipe that are damaged, or too many", pipes},
    {"parts that are far behind the beginning", far_away},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("damaged perf.data", tests);
