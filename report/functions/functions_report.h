/* SPDX-License-Identifier: MIT */
/* The functions of a recording of samples in one of several formats. */
#ifndef REPORT_FUNCTIONS_REPORT_H
#define REPORT_FUNCTIONS_REPORT_H

#include "report/functions/annotation.h"
#include "report/output.h"
#include "stats/functions.h"

#include <string.h>
#include <time.h>

enum { TD_FUNCTIONS_NEXT = 4 /* most commands that are proposed */ };

/* What is reported. */
struct td_functions_report {
    const struct td_functions *functions;
    struct td_samples_info about;
    const char *name; /* the recording's */
    size_t limit; /* functions at most; 0: all */
    bool every; /* of text: a row of each function, also where there are too few samples for a number */
    const char *separator; /* of csv; NULL: a comma */
    enum td_samples_chain chain;
    bool kallsyms; /* the kernel's functions are by a copy of its kallsyms that the user named */
    unsigned width; /* of text: columns of the terminal; 0: lines are not cut */
    bool colour; /* of text: colours the node that limits a line */
    /* only these, by lines and instructions: limit is of lines; NULL: all functions */
    const struct td_annotated *annotated;
    size_t nannotated;
    const char *next[TD_FUNCTIONS_NEXT]; /* what to do next, up to the first NULL */
    /* what follows is only for pages */
    struct td_origin_info origin;
    time_t changed; /* when the recording's file was changed last; 0: it is no file */
    const char *of; /* with TD_CHAIN_CALLERS and TD_CHAIN_CALLEES: whose callers or callees */
    const struct td_functions *paths; /* by stack; NULL: there are none */
    const char *const *heard; /* notes of the library, nheard of them */
    size_t nheard;
    const char *(*meaning)(const char *node); /* returns a clause about a node; NULL: none is known */
};

/* A format: defined in one file, listed in functions_report.c. */
struct td_functions_format {
    const char *name;
    bool stacks; /* it shows functions by stack */
    bool page; /* it has room for what is only for pages */
    size_t limit; /* how many functions where the user asks for no number; 0: all */
    bool annotates; /* it can show functions by their lines */
    bool notes; /* it has room for td_functions_note() and what is next; otherwise they go where messages go */
    void (*put)(struct td_output *, const struct td_functions_report *);
};

/* The i-th format, NULL after the last. Static storage. */
const struct td_functions_format *td_functions_format_at(size_t i);

/* ---- words that the formats share ------------------------------------------------- */

enum { TD_FUNCTIONS_TEXT = 2560 };
/* Whether places contain each other by what they call, so that their shares do not add up. */
static inline bool td_functions_nested(const struct td_functions_report *r)
{
    return r->chain == TD_CHAIN_CHILDREN || (r->functions->kind && !strcmp(r->functions->kind, "stack"));
}
/* How many functions are shown. */
size_t td_functions_shown(const struct td_functions_report *);
/* The i-th thing that a reader must know: what bounds promise, what was left out. Returns buf; NULL after the last. */
const char *td_functions_note(const struct td_functions_report *, size_t i, char buf[TD_FUNCTIONS_TEXT]);
/* Why the functions of a program have no names, and what would name them: of the i-th of at most three programs that
 * took most slots (at least 1 %) in such functions. Returns buf; NULL after the last. */
const char *td_functions_unnamed(const struct td_functions_report *, size_t i, char buf[TD_FUNCTIONS_TEXT]);
/* The i-th thing to know of functions by lines: what slots of a line mean, why there is no text. Returns buf; NULL
 * after the last. */
const char *td_annotated_note(const struct td_functions_report *, size_t i, char buf[TD_FUNCTIONS_TEXT]);
/* "limited by backend_bound (likely)", or why there is no verdict and what would help. Returns buf. */
const char *td_function_verdict(const struct td_function *, char buf[TD_FUNCTIONS_TEXT]);
/* Why none of the functions has a value, and what would help. Returns buf. */
const char *td_functions_silent(const struct td_functions_report *, char buf[TD_FUNCTIONS_TEXT]);
/* A metric's status: "smeared" and the like of the whole function, else the metric's own. Returns buf, or static
 * storage. */
const char *td_function_status(const struct td_function *, const struct td_metric *, char buf[TD_FUNCTIONS_TEXT]);
/* Whether a metric of the function has more to say than the function's status: a value, one of all intervals, or a
 * status of its own. */
bool td_function_says(const struct td_function *, size_t metric);

#endif
