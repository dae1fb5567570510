/* SPDX-License-Identifier: MIT */
/* A perf.data of samples of one group, made byte by byte: slots, two members that sample cycles, and the four
 * nodes of level 1, on one CPU or task. */
#ifndef SAMPLED_FILE_H
#define SAMPLED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLED_FILE_MEMBERS = 7, SAMPLED_FILE_FIRST = 1, SAMPLED_FILE_SECOND = 2 /* members that sample */ };

struct sampled_file {
    unsigned char *b;
    size_t n, room, data;
    bool chains;
};

/* Totals since the beginning, of each member, when one of them takes a sample. */
struct sampled_file_sample {
    unsigned member; /* 1 or 2 */
    uint64_t time, address, value[SAMPLED_FILE_MEMBERS];
    bool kernel; /* address is one of the kernel; else it is in the program's mapping, from 0 */
    const uint64_t *chain; /* of a file with chains: as recorded, the innermost first */
    size_t nchain;
};

/* period: of each member that samples; second 0: only the first does. */
void sampled_file_begin(struct sampled_file *, uint64_t first, uint64_t second);
/* The same, of samples with call chains. */
void sampled_file_begin_chains(struct sampled_file *, uint64_t first, uint64_t second);
/* Flags of struct perf_event_attr that all members have, beside sample_id_all. */
void sampled_file_flags(struct sampled_file *, uint64_t flags);
void sampled_file_sample(struct sampled_file *, const struct sampled_file_sample *);
/* The kernel lost samples; it holds back those of a member from the next one on. */
void sampled_file_lost(struct sampled_file *, uint64_t time, uint64_t n);
void sampled_file_throttle(struct sampled_file *, uint64_t time, unsigned member);
/* Any record: its body, in numbers of 64 bits and then a text, padded to 64 bits, or none; of the kernel's (type below
 * 64) with what each ends with. */
void sampled_file_record(struct sampled_file *, unsigned type, unsigned misc, uint64_t time, const uint64_t *numbers,
                         size_t n, const char *text);
/* A file or a function that is mapped: into the program, or with kernel into the kernel. */
struct sampled_file_mapping {
    uint64_t start, size, offset;
    bool kernel;
    const char *path;
};
void sampled_file_map(struct sampled_file *, uint64_t time, const struct sampled_file_mapping *);
/* f->b has f->n bytes until sampled_file_free(). */
void sampled_file_end(struct sampled_file *);
void sampled_file_free(struct sampled_file *);

#endif
