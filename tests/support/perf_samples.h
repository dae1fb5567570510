/* SPDX-License-Identifier: MIT */
/* A perf.data of perf record whose header has been read: events are set as members of their structs, and records are
 * written one by one. */
#ifndef PERF_SAMPLES_H
#define PERF_SAMPLES_H

#include "formats/perf_data/data_samples_parts.h"
#include "samples/wanted.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PERF_SAMPLES_BYTES = 8192,
    PERF_SAMPLES_ID = 101, /* of the first event's counter; 102 of the second's */
    /* what events have unless a test says otherwise */
    PERF_SAMPLES_TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                        PERF_SAMPLE_READ | PERF_SAMPLE_CPU,
    PERF_SAMPLES_READ =
        PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | PERF_FORMAT_GROUP,
    PERF_SAMPLES_FLAGS = 1 << 18, /* sample_id_all */
    PERF_SAMPLES_TID = 42 /* and pid */
};

struct perf_samples {
    struct td_perf_data p;
    struct td_settings settings;
    struct td_samples_wanted wanted;
    struct td_log log;
    char notes[2048];
    size_t n; /* bytes of records in p.buf */
};

static inline void perf_samples_note(void *ctx, const char *text)
{
    char *notes = ctx;
    const size_t n = strlen(notes);

    snprintf(notes + n, sizeof(((struct perf_samples *)0)->notes) - n, "%s\n", text);
}

static inline void perf_samples_begin(struct perf_samples *f)
{
    memset(f, 0, sizeof(*f));
    f->settings.samples = &f->wanted;
    f->log.note = perf_samples_note;
    f->log.note_ctx = f->notes;
    f->p.recording.settings = &f->settings;
    f->p.recording.log = &f->log;
    f->p.recording.stream.name = "f";
    f->p.whole = true;
    f->p.buf = calloc(1, PERF_SAMPLES_BYTES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->p.buf);
}

/* Adds an event with one counter. period: 0 where it takes no samples. */
static inline struct td_perf_data_event *perf_samples_event(struct perf_samples *f, const char *name, uint64_t period)
{
    const size_t n = f->p.nevents++;

    f->p.event = realloc(f->p.event, f->p.nevents * sizeof(*f->p.event));
    f->p.counter = realloc(f->p.counter, f->p.nevents * sizeof(*f->p.counter));
    CU_ASSERT_FATAL(f->p.event && f->p.counter);
    f->p.ncounters = f->p.nevents;
    f->p.counter[n] = (struct td_perf_counter){.id = PERF_SAMPLES_ID + n, .event = (uint32_t)n, .scope = -1};
    f->p.event[n] = (struct td_perf_data_event){.type = 4,
                                                .flags = PERF_SAMPLES_FLAGS,
                                                .period = period,
                                                .sample_type = PERF_SAMPLES_TYPE,
                                                .read_format = PERF_SAMPLES_READ,
                                                .text = td_recording_text(&f->p.recording, name, strlen(name)),
                                                .named = true,
                                                .nids = 1,
                                                .scale = 1};
    return &f->p.event[n];
}

static inline int perf_samples_open(struct perf_samples *f)
{
    const int err = td_perf_data_index(&f->p.recording);

    return err ? err : td_perf_samples_open(&f->p.recording);
}

static inline void perf_samples_put(struct perf_samples *f, uint64_t value, size_t bytes)
{
    CU_ASSERT_FATAL(f->n + bytes <= PERF_SAMPLES_BYTES);
    for (; bytes; bytes--, value >>= 8)
        f->p.buf[f->n++] = (unsigned char)value;
    f->p.end = f->p.data_end = f->n;
}

/* A record's header, and so many numbers of 64 bits. */
static inline void perf_samples_record(struct perf_samples *f, uint32_t type, unsigned misc, const uint64_t *numbers,
                                       size_t n)
{
    perf_samples_put(f, type, 4);
    perf_samples_put(f, misc, 2);
    perf_samples_put(f, 8 + 8 * n, 2);
    for (size_t i = 0; i < n; i++)
        perf_samples_put(f, numbers[i], 8);
}

static inline void perf_samples_end(struct perf_samples *f)
{
    td_perf_samples_free(f->p.samples);
    td_stream_free(&f->p.recording.stream);
    free(f->p.by_id);
    free(f->p.counter);
    free(f->p.event);
    free(f->p.buf);
}

#endif
