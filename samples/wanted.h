/* SPDX-License-Identifier: MIT */
/* How the samples of a recording are to be told apart, and where the files that name their places are. */
#ifndef TD_SAMPLES_WANTED_H
#define TD_SAMPLES_WANTED_H

#include "include/td_samples.h"

/* The texts belong to the handle, session/. */
struct td_samples_wanted {
    enum td_samples_by by;
    enum td_samples_chain chain;
    char *function; /* the function whose callers or callees are asked for, or NULL */
    char *code, *code_dso; /* the function whose lines and instructions are told apart, or NULL */
    bool inlined; /* inlined functions count as functions */
    char *root; /* folder of the recorded machine's files; "": this machine's root; NULL: files are not read */
    char *cache; /* folder of perf's files by build-id, or NULL */
    char *kallsyms; /* the recorded kernel's, or NULL */
    bool servers; /* debuginfod servers are asked */
};

#endif
