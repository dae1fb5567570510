/* SPDX-License-Identifier: MIT */
/* The lines of source that samples hit. The line tables of a file are loaded once, when it is first hit. */
#ifndef TD_LINES_OF_H
#define TD_LINES_OF_H

#include "samples/same_files.h"

struct td_lines_of;

/* Both arguments have to stay. NULL: out of memory. */
struct td_lines_of *td_lines_of_new(struct td_stores *, struct td_same_files *);
void td_lines_of_free(struct td_lines_of *);

/* A file of source has one number, from 0, whichever programs it is in. */
struct td_source_line {
    const char *file; /* safe to print, until td_lines_of_free() */
    uint32_t number;
    unsigned line; /* 0: neither the line nor the file is known */
};
/* A function that was inlined. Equal names have one number, as files have. */
struct td_inlined {
    const char *name; /* in the source's spelling; safe to print, until td_lines_of_free() */
    uint32_t number;
};
enum { TD_INLINED_MAX = 15 };
/* The functions that were inlined where the code at the offset is, the innermost first; beyond TD_INLINED_MAX the outer
 * ones are left out. -ENOMEM. */
int td_lines_of_inlined(struct td_lines_of *, const struct td_dso *, uint64_t offset,
                        struct td_inlined out[TD_INLINED_MAX], size_t *n);
/* The line that the code at the offset comes from. -ENOMEM. */
int td_lines_of_find(struct td_lines_of *, const struct td_dso *, uint64_t offset, struct td_source_line *out);

#endif
