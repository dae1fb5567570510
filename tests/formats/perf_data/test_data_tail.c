/* SPDX-License-Identifier: MIT */
/* A perf.data of which the beginning is kept, and what is after its data is read before them: as of a file that is
 * longer than what is kept, here with a few bytes. */
#include "tests/support/perf_file.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    KEPT_OF_DATA = 10,
    ATTRS = 104 + 2 * 16,
    IDS_AT = ATTRS + ATTR /* of the first event: their offset, and size */
};

/* A file that is read from anywhere; seek fails the so-manieth time, reading after it with an error. */
struct reading {
    const struct file *f;
    size_t at;
    unsigned seeks, fails_at;
    int read_error;
    struct td_settings settings;
    struct td_log log;
    char notes[1024];
    struct td_perf_data p;
};

static struct reading g;

static ssize_t read_on(void *ctx, void *buf, size_t size)
{
    struct reading *r = ctx;
    const size_t left = r->f->n - r->at, n = left < size ? left : size;

    if (r->seeks && r->read_error)
        return r->read_error;
    memcpy(buf, r->f->b + r->at, n);
    r->at += n;
    return (ssize_t)n;
}

static int seek(void *ctx, uint64_t offset)
{
    struct reading *r = ctx;

    r->seeks++;
    if (r->seeks == r->fails_at)
        return -ESPIPE;
    r->at = offset;
    return 0;
}

static void keep_note(void *ctx, const char *text)
{
    (void)ctx;
    snprintf(g.notes + strlen(g.notes), sizeof(g.notes) - strlen(g.notes), "%s\n", text);
}

static struct file *whole(void)
{
    struct file *f = begin();

    head(f), config(f, 1), update(f, 1, 11, NULL, 2);
    count(f, 11, 0, 0, 1000, 100, 100);
    end_of_round(f, 0, 1000000000);
    finish(f);
    return f;
}

/* Reads the header; of the file so many bytes of the data are kept. Call close_file() then. */
static int open_file(const struct file *f, bool seeks, unsigned fails_at, int read_error)
{
    g = (struct reading){.f = f, .fails_at = fails_at, .read_error = read_error, .log = {.note = keep_note}};
    g.p.recording.settings = &g.settings;
    g.p.recording.log = &g.log;
    g.p.recording.stream.name = "f";
    g.p.recording.seek = seeks ? seek : NULL;
    g.p.end = f->data + KEPT_OF_DATA;
    g.at = g.p.end;
    g.p.buf = malloc(g.p.end);
    CU_ASSERT_FATAL(g.p.buf && !td_bytes_open(&g.p.recording.bytes, read_on, &g));
    memcpy(g.p.buf, f->b, g.p.end);
    return td_perf_data_header(&g.p.recording);
}

static void close_file(void)
{
    td_bytes_close(&g.p.recording.bytes);
    td_stream_free(&g.p.recording.stream);
    free(g.p.event);
    free(g.p.counter);
    free(g.p.by_id);
    free(g.p.tail_bytes);
    free(g.p.buf);
}

static const char *first_name(void)
{
    return g.p.recording.stream.texts.names[g.p.event[0].text];
}

/* With names from the tail, reading goes on after what is kept; from a pipe there are none, which is noted. */
static void names(void)
{
    for (unsigned seeks = 0; seeks < 2; seeks++) {
        const struct file *f = whole();
        unsigned char next[4];

        CU_ASSERT_EQUAL(open_file(f, seeks, 0, 0), 0);
        CU_ASSERT_STRING_EQUAL(first_name(), seeks ? "slots" : "r400");
        CU_ASSERT_EQUAL(g.p.tail.n, seeks ? f->n - f->features : 0);
        CU_ASSERT(g.p.start == f->data && g.p.data_end == f->features);
        CU_ASSERT_EQUAL(td_bytes_take(&g.p.recording.bytes, next, 4), 4);
        CU_ASSERT(!memcmp(next, f->b + f->data + KEPT_OF_DATA, 4));
        CU_ASSERT_EQUAL(!strstr(g.notes, "longer than 48 MiB"), seeks);
        CU_ASSERT_PTR_NULL(strstr(g.notes, "cut off"));
        close_file();
    }
}

/* A tail that is not all there is used as far as it goes. */
static void cut(void)
{
    struct file *f = whole();

    f->n--;
    CU_ASSERT_EQUAL(open_file(f, true, 0, 0), 0);
    CU_ASSERT_STRING_EQUAL(first_name(), "r400"); /* of the only section a byte is missing */
    CU_ASSERT_PTR_NOT_NULL(strstr(g.notes, "cut off, and used as far as it goes"));
    close_file();
}

/* Of a file that perf did not finish nothing is after its data. */
static void unfinished(void)
{
    struct file *f = whole();

    w_at(f, 48, 0, 8);
    CU_ASSERT_EQUAL(open_file(f, true, 0, 0), 0);
    CU_ASSERT(g.seeks == 0 && g.p.data_end == UINT64_MAX && !strcmp(first_name(), "r400"));
    CU_ASSERT(strstr(g.notes, "did not finish") && !strstr(g.notes, "cut off"));
    close_file();
}

static void errors(void)
{
    CU_ASSERT_EQUAL(open_file(whole(), true, 1, 0), -ESPIPE);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.log.error, strerror(ESPIPE)));
    close_file();
    CU_ASSERT_EQUAL(open_file(whole(), true, 2, 0), -ESPIPE);
    close_file();
    CU_ASSERT_EQUAL(open_file(whole(), true, 0, -EIO), -EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(g.log.error, strerror(EIO)));
    close_file();
}

/* The ids of the first event are the file's last so many bytes: one more is not there. */
static void ids(void)
{
    static const size_t all[] = {0, 1, 100};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const size_t beyond = all[i];
        struct file *f = whole();
        int err;

        w(f, 71, 8), w(f, 72, 8), w(f, 73, 8);
        w_at(f, IDS_AT, f->n - 24 + beyond, 8);
        w_at(f, IDS_AT + 8, 24, 8);
        err = open_file(f, true, 0, 0);
        CU_ASSERT_EQUAL(err, beyond ? -EBADMSG : 0);
        if (beyond)
            CU_ASSERT_PTR_NOT_NULL(strstr(g.log.error, "the ids of an event are after the first 48 MiB of the file"));
        if (!beyond)
            CU_ASSERT(g.p.event[0].nids == 3 && g.p.counter[0].id == 71 && g.p.counter[2].id == 73);
        close_file();
    }
}

/* From a pipe ids that are after what is kept cannot be read; those before the end of the data are at no place where
 * perf writes them. */
static void ids_of_pipes(void)
{
    for (size_t before = 0; before < 2; before++) {
        struct file *f = whole();

        w_at(f, IDS_AT, f->features - before, 8);
        CU_ASSERT_EQUAL(open_file(f, false, 0, 0), -EBADMSG);
        CU_ASSERT_PTR_NOT_NULL(strstr(g.log.error, before ? "as is kept: the file is damaged"
                                                          : "as is kept: name the file instead of a pipe"));
        close_file();
    }
}

static const CU_TestInfo tests[] = {
    {"names", names},   {"cut off", cut}, {"not finished", unfinished},
    {"errors", errors}, {"ids", ids},     {"ids of pipes", ids_of_pipes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("what is after the data", tests);
