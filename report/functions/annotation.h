/* SPDX-License-Identifier: MIT */
/* One function by its lines of source, each with its instructions. */
#ifndef REPORT_ANNOTATION_H
#define REPORT_ANNOTATION_H

#include "stats/functions.h"

struct td_annotated_instruction {
    uint64_t offset, address; /* offset: from the function's beginning */
    bool addressed; /* address is known */
    const char *text; /* NULL: not known */
    const struct td_function *seen; /* NULL: no interval ended there */
    const char *file; /* NULL: no line is known */
    unsigned line;
    bool shown; /* it is shown, if its line is */
};
struct td_annotated_line {
    const char *file; /* NULL: this is for instructions of no known line */
    unsigned line;
    const char *text; /* or NULL */
    const struct td_function *seen; /* NULL: no interval ended there */
    size_t first, n; /* its instructions */
    bool shown;
};

/* A function. Its texts belong to the td_functions and to the td_code. */
struct td_annotated {
    const struct td_function *function;
    const struct td_code *code;
    /* sorted by file, of which the one where the function begins is first, and by line; no known line is last */
    struct td_annotated_line *line;
    size_t lines;
    /* those of the code and those that were seen, sorted by line, then by address */
    struct td_annotated_instruction *instruction;
    size_t instructions;
};

/* Makes it of one of the functions and its code. limit: only so many lines and instructions are shown, those with most
 * slots; 0: all. 0 or -ENOMEM. */
int td_annotated_make(const struct td_functions *, const struct td_function *, const struct td_code *, size_t limit,
                      struct td_annotated *out);
void td_annotated_free(struct td_annotated *);

/* What is shown and was seen, one row after the other: the function, then each line with its instructions. */
struct td_annotated_row {
    const struct td_function *seen;
    const char *function, *file, *text; /* file and text: NULL: not known */
    double share; /* of the function's slots */
    unsigned line; /* 0: not known */
    bool addressed;
    uint64_t address;
};
struct td_annotated_walk {
    const struct td_annotated *a;
    bool begun;
    bool in_line; /* the line was given, and its instructions are next */
    size_t line, instruction;
};
struct td_annotated_walk td_annotated_begin(const struct td_annotated *);
/* Gives the next row; false: there is none any more. */
bool td_annotated_next(struct td_annotated_walk *, struct td_annotated_row *out);
/* The share of the function's slots that a line or instruction has; NAN: no interval ended there. */
double td_annotated_share(const struct td_annotated *, const struct td_function *seen);
/* The file of the code that a line is from; NULL: not known. */
const struct td_code_source *td_annotated_source(const struct td_annotated *, const char *file);
/* The text of a line of source; NULL: there is none. */
const char *td_annotated_text(const struct td_annotated *, const char *file, unsigned line);

#endif
