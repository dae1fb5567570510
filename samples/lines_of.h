/* SPDX-License-Identifier: MIT */
/* The lines of source that samples hit: of each file that is hit the line tables are loaded once. */
#ifndef TD_LINES_OF_H
#define TD_LINES_OF_H

#include "samples/same_files.h"

struct td_lines_of;

/* The stores, and which files are one, have to stay. NULL: out of memory. */
struct td_lines_of *td_lines_of_new(struct td_stores *, struct td_same_files *);
void td_lines_of_free(struct td_lines_of *);

/* A file of source has one number, from 0, whichever programs it is in. */
struct td_source_line {
    const char *file; /* safe to print, until td_lines_of_free() */
    uint32_t number;
    unsigned line; /* 0: none is known, and the file neither */
};
/* A function that was inlined. Names have numbers as files have. */
struct td_inlined {
    const char *name; /* as files; in the source's spelling */
    uint32_t number;
};
enum { TD_INLINED_MAX = 15 };
/* -ENOMEM. The functions that the code at the offset was inlined of, the innermost first; those farther out are left
 * out. */
int td_lines_of_inlined(struct td_lines_of *, const struct td_dso *, uint64_t offset,
                        struct td_inlined out[TD_INLINED_MAX], size_t *n);
/* -ENOMEM. */
int td_lines_of_find(struct td_lines_of *, const struct td_dso *, uint64_t offset, struct td_source_line *out);

#endif
