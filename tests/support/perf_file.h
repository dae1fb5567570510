/* SPDX-License-Identifier: MIT */
/* perf.data of perf stat record, made in memory byte by byte. */
#ifndef PERF_FILE_H
#define PERF_FILE_H

#include "formats/perf_data/perf_data.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

enum { FILE_MAX = 16384, ATTR = 64, FILE_ATTR = ATTR + 16, EVENTS = 16 };
enum { MMAP2 = 10, THREADS = 73, CONFIG = 75, COUNT, ROUND, UPDATE };

struct event {
    uint32_t type;
    uint64_t config, flags;
    const char *name; /* in HEADER_EVENT_DESC */
    uint64_t id; /* of the first CPU; id + 1 for the next; 0: could not be counted */
};

struct file {
    unsigned char b[FILE_MAX];
    size_t n, data;
    struct event event[EVENTS];
    size_t nevents, ncpus;
    const char *cpuid, *release;
    bool desc, topology, pmus;
    size_t feature, features; /* the entry to fill in next */
};

static void w(struct file *f, uint64_t value, size_t bytes)
{
    for (; bytes; bytes--, value >>= 8)
        f->b[f->n++] = (unsigned char)value;
}

static void w_at(struct file *f, size_t at, uint64_t value, size_t bytes)
{
    size_t n = f->n;

    f->n = at;
    w(f, value, bytes);
    f->n = n;
}

static void w_text(struct file *f, const char *text, size_t size)
{
    size_t len = strlen(text);

    memcpy(f->b + f->n, text, len);
    f->n += size > len ? size : len;
}

static void w_string(struct file *f, const char *text)
{
    w(f, 64, 4);
    w_text(f, text, 64);
}

/* slots, topdown-retiring and one that cannot be counted, on two CPUs */
static struct file *begin(void)
{
    static struct file f;

    memset(&f, 0, sizeof(f));
    f.event[0] = (struct event){4, 0x400, 1 << 20, "slots", 11};
    f.event[1] = (struct event){4, 0x8000, 1 << 20, "topdown-retiring", 21};
    f.event[2] = (struct event){4, 0x19c, 1 << 5, "r19c:u", 0};
    f.nevents = 3;
    f.ncpus = 2;
    f.desc = true;
    return &f;
}

/* The header, ids and events; the records come next. */
static void head(struct file *f)
{
    w_text(f, "PERFILE2", 8);
    w(f, 104, 8);
    w(f, FILE_ATTR, 8);
    f->n = 104;
    for (size_t i = 0; i < f->nevents; i++)
        for (size_t c = 0; c < f->ncpus && f->event[i].id; c++)
            w(f, f->event[i].id + c, 8);
    w_at(f, 24, f->n, 8);
    w_at(f, 32, f->nevents * FILE_ATTR, 8);
    for (size_t i = 0, ids = 104; i < f->nevents; i++, f->n += 16) {
        size_t at = f->n, size = f->event[i].id ? 8 * f->ncpus : 0;

        w(f, f->event[i].type, 4);
        w(f, ATTR, 4);
        w(f, f->event[i].config, 8);
        w_at(f, at + 40, f->event[i].flags, 8);
        w_at(f, at + ATTR, ids, 8);
        w_at(f, at + ATTR + 8, size, 8);
        ids += size;
        f->n = at + ATTR;
    }
    f->data = f->n;
}

static void record(struct file *f, uint32_t type, size_t size)
{
    w(f, type, 4);
    w(f, 0, 2);
    w(f, size, 2);
}

static void config(struct file *f, uint64_t aggregation)
{
    record(f, CONFIG, 48);
    w(f, 2, 8);
    w(f, 0, 8);
    w(f, aggregation, 8);
    w(f, 1, 8);
    w(f, 1000, 8);
}

static void count(struct file *f, uint64_t id, uint32_t cpu, uint32_t thread, uint64_t value, uint64_t enabled,
                  uint64_t running)
{
    record(f, COUNT, 48);
    w(f, id, 8);
    w(f, cpu, 4);
    w(f, thread, 4);
    w(f, value, 8);
    w(f, enabled, 8);
    w(f, running, 8);
}

static void end_of_round(struct file *f, uint64_t final, uint64_t time)
{
    record(f, ROUND, 24);
    w(f, final, 8);
    w(f, time, 8);
}

static void update(struct file *f, uint64_t what, uint64_t id, const char *name, double scale)
{
    uint64_t bits;

    memcpy(&bits, &scale, sizeof(bits));
    record(f, UPDATE, 40);
    w(f, what, 8);
    w(f, id, 8);
    if (name)
        w_text(f, name, 16);
    else
        w(f, bits, 8), w(f, 0, 8);
}

static void feature(struct file *f, unsigned bit)
{
    size_t at = f->features + 16 * f->feature;

    if (f->feature) /* the section before this one ends here */
        w_at(f, at - 8, f->n - (size_t)(f->b[at - 16] | f->b[at - 15] << 8), 8);
    if (bit)
        w_at(f, at, f->n, 8);
    f->b[72 + bit / 8] |= (unsigned char)(bit ? 1 << bit % 8 : 0);
    f->feature += bit ? 1 : 0;
}

static void w_desc(struct file *f)
{
    w(f, f->nevents, 4);
    w(f, ATTR, 4);
    for (size_t i = 0; i < f->nevents; i++) {
        size_t at = f->n;

        w(f, f->event[i].type, 4);
        w(f, ATTR, 4);
        w(f, f->event[i].config, 8);
        f->n = at + ATTR;
        w(f, f->event[i].id ? f->ncpus : 0, 4);
        w_string(f, f->event[i].name);
        for (size_t c = 0; c < f->ncpus && f->event[i].id; c++)
            w(f, f->event[i].id + c, 8);
    }
}

/* Three CPUs: 0 and 1 are core 4 of socket 0, 2 is core 0 of socket 1, die 1. */
static void w_topology(struct file *f)
{
    w(f, 2, 4), w_string(f, "0-1"), w_string(f, "2");
    w(f, 2, 4), w_string(f, "0-1"), w_string(f, "2");
    w(f, 4, 4), w(f, 0, 4), w(f, 4, 4), w(f, 0, 4), w(f, 0, 4), w(f, 1, 4);
    w(f, 2, 4), w_string(f, "0-1"), w_string(f, "2");
    w(f, 0, 4), w(f, 0, 4), w(f, 1, 4);
}

/* The features, after the data. */
static void finish(struct file *f)
{
    w_at(f, 40, f->data, 8);
    w_at(f, 48, f->n - f->data, 8);
    f->features = f->n;
    f->n += 16 * (size_t)((f->topology ? 3 : 0) + (f->cpuid ? 1 : 0) + (f->release ? 1 : 0) + f->desc + f->pmus);
    if (f->release)
        feature(f, 4), w_string(f, f->release);
    if (f->topology)
        feature(f, 7), w(f, 3, 4), w(f, 3, 4);
    if (f->cpuid)
        feature(f, 9), w_string(f, f->cpuid);
    if (f->desc)
        feature(f, 12), w_desc(f);
    if (f->topology) {
        feature(f, 13), w_topology(f);
        feature(f, 14), w(f, 2, 4);
        w(f, 0, 4), w(f, 9, 8), w(f, 9, 8), w_string(f, "0");
        w(f, 1, 4), w(f, 9, 8), w(f, 9, 8), w_string(f, "7,1-2");
    }
    if (f->pmus)
        feature(f, 16), w(f, 3, 4), w(f, 1, 4), w_string(f, "software"), w(f, 4, 4), w_string(f, "cpu_core"),
            w(f, 10, 4), w_string(f, "cpu_atom");
    feature(f, 0);
}

#endif
