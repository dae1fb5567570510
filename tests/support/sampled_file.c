/* SPDX-License-Identifier: MIT */
/* The layout: linux/perf_event.h (struct perf_event_attr, enum perf_event_type), and perf.data-file-format.txt of the
 * kernel's tools. */
#include "tests/support/little.h"
#include "tests/support/sampled_file.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 104, ATTR = 64, FLAGS = 40, FILE_ATTR = ATTR + 16, FIRST_ID = 11, PID = 42, TRAILER = 32 };
enum { USER = 2, KERNEL = 1 /* misc */, CALLCHAIN = 32, FIRST_USER_TYPE = 64 };
enum { SAMPLE_ID_ALL = 1 << 18 };
enum { MMAP = 1, LOST = 2, THROTTLE = 5, SAMPLE = 9 };
enum {
    SAMPLE_TYPE =
        1 /* IP */ | 2 /* TID */ | 4 /* TIME */ | 16 /* READ */ | 64 /* ID */ | 128 /* CPU */ | 256 /* PERIOD */,
    READ_FORMAT = 15 /* TIMES, ID, GROUP */
};

static void put(struct sampled_file *f, uint64_t value, size_t bytes)
{
    little_put(&f->b, &f->n, &f->room, value, bytes);
}

static void put_at(struct sampled_file *f, size_t at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++)
        f->b[at + i] = (unsigned char)(value >> 8 * i);
}

static void put_attr(struct sampled_file *f, size_t member, uint64_t period)
{
    static const uint64_t config[SAMPLED_FILE_MEMBERS] = {0x400, 0, 0x3c, 0x8000, 0x8100, 0x8200, 0x8300};
    const size_t at = f->n;

    put(f, config[member] ? 4 : 0, 4); /* PERF_TYPE_RAW, or cycles by PERF_TYPE_HARDWARE */
    put(f, ATTR, 4);
    put(f, config[member], 8);
    put(f, period, 8);
    put(f, SAMPLE_TYPE | (f->chains ? CALLCHAIN : 0), 8);
    put(f, READ_FORMAT, 8);
    put(f, SAMPLE_ID_ALL, 8);
    while (f->n < at + ATTR)
        put(f, 0, 8);
    put(f, HEADER + 8 * member, 8); /* where its id is */
    put(f, 8, 8);
}

static void put_head(struct sampled_file *f, uint32_t type, unsigned misc, size_t size)
{
    put(f, type, 4);
    put(f, misc, 2);
    put(f, size, 2);
}

/* What each record but a sample ends with. */
static void put_trailer(struct sampled_file *f, uint64_t time, unsigned member)
{
    put(f, PID, 4);
    put(f, PID, 4);
    put(f, time, 8);
    put(f, FIRST_ID + member, 8);
    put(f, 0, 8);
}

void sampled_file_record(struct sampled_file *f, unsigned type, unsigned misc, uint64_t time, const uint64_t *numbers,
                         size_t n, const char *text)
{
    const size_t len = text ? strlen(text) : 0, padded = text ? len / 8 * 8 + 8 : 0;

    put_head(f, type, misc, 8 + 8 * n + padded + (type < FIRST_USER_TYPE ? TRAILER : 0));
    for (size_t i = 0; i < n; i++)
        put(f, numbers[i], 8);
    for (size_t i = 0; i < padded; i++)
        put(f, i < len ? (unsigned char)text[i] : 0, 1);
    if (type < FIRST_USER_TYPE)
        put_trailer(f, time, 0);
}

void sampled_file_map(struct sampled_file *f, uint64_t time, const struct sampled_file_mapping *m)
{
    const uint64_t who = m->kernel ? UINT64_C(0x00000000ffffffff) /* pid -1, tid 0 */ : (uint64_t)PID << 32 | PID;

    sampled_file_record(f, MMAP, m->kernel ? KERNEL : USER, time, (const uint64_t[]){who, m->start, m->size, m->offset},
                        4, m->path);
}

static void begin(struct sampled_file *f, uint64_t first, uint64_t second, bool chains)
{
    *f = (struct sampled_file){.chains = chains};
    for (size_t i = 0; i < HEADER / 8; i++)
        put(f, 0, 8);
    memcpy(f->b, "PERFILE2", 8);
    put_at(f, 8, HEADER);
    put_at(f, 16, FILE_ATTR);
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        put(f, FIRST_ID + i, 8);
    put_at(f, 24, f->n);
    put_at(f, 32, SAMPLED_FILE_MEMBERS * FILE_ATTR);
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        put_attr(f, i, i == SAMPLED_FILE_FIRST ? first : i == SAMPLED_FILE_SECOND ? second : 0);
    f->data = f->n;
    sampled_file_map(f, 1, &(struct sampled_file_mapping){.start = 0x10000, .size = 0x100000, .path = "program"});
}

void sampled_file_begin(struct sampled_file *f, uint64_t first, uint64_t second)
{
    begin(f, first, second, false);
}

void sampled_file_begin_chains(struct sampled_file *f, uint64_t first, uint64_t second)
{
    begin(f, first, second, true);
}

void sampled_file_flags(struct sampled_file *f, uint64_t flags)
{
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        put_at(f, HEADER + 8 * SAMPLED_FILE_MEMBERS + i * FILE_ATTR + FLAGS, SAMPLE_ID_ALL | flags);
}

void sampled_file_sample(struct sampled_file *f, const struct sampled_file_sample *s)
{
    put_head(f, SAMPLE, s->kernel ? KERNEL : USER,
             8 + 8 + 8 + 8 + 8 + 8 + 8 + 24 + 16 * SAMPLED_FILE_MEMBERS + (f->chains ? 8 + 8 * s->nchain : 0));
    put(f, s->kernel ? s->address : 0x10000 + s->address, 8);
    put(f, PID, 4);
    put(f, PID, 4);
    put(f, s->time, 8);
    put(f, FIRST_ID + s->member, 8);
    put(f, 0, 8); /* CPU */
    put(f, 1, 8); /* period */
    put(f, SAMPLED_FILE_MEMBERS, 8);
    put(f, s->time, 8); /* enabled and running */
    put(f, s->time, 8);
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++) {
        put(f, s->value[i], 8);
        put(f, FIRST_ID + i, 8);
    }
    if (!f->chains)
        return;
    put(f, s->nchain, 8);
    for (size_t i = 0; i < s->nchain; i++)
        put(f, s->chain[i], 8);
}

void sampled_file_lost(struct sampled_file *f, uint64_t time, uint64_t n)
{
    put_head(f, LOST, USER, 8 + 16 + TRAILER);
    put(f, FIRST_ID, 8);
    put(f, n, 8);
    put_trailer(f, time, 0);
}

void sampled_file_throttle(struct sampled_file *f, uint64_t time, unsigned member)
{
    put_head(f, THROTTLE, USER, 8 + 24 + TRAILER);
    put(f, time, 8);
    put(f, FIRST_ID + member, 8);
    put(f, FIRST_ID + member, 8);
    put_trailer(f, time, member);
}

void sampled_file_end(struct sampled_file *f)
{
    put_at(f, 40, f->data);
    put_at(f, 48, f->n - f->data);
}

void sampled_file_free(struct sampled_file *f)
{
    free(f->b);
    *f = (struct sampled_file){.n = 0};
}
