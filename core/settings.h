/* SPDX-License-Identifier: MIT */
/* What the caller of the API asked for, as far as it decides what is read, measured and solved. */
#ifndef TD_SETTINGS_H
#define TD_SETTINGS_H

#include "core/stream.h"
#include "include/td_samples.h"

struct td_settings {
    struct td_identity identity; /* the CPU; nparts 0: the one that the counts are from */
    enum td_smt smt; /* td_set_smt() for a recording; unknown: as it says itself */
    const struct td_backend *backend; /* only CPUs of this one; NULL: of any */
    bool fixed; /* forms of the metrics register may be used */
    bool fixed_tasks; /* and are used even where tasks are switched, which loses a part of what the register counts */
    /* each sample is of one thread: of a core's clock its formulas take a part, which has bounds (TD_FLAG_ONE_SIBLING)
     */
    bool part_of_core;
    char *metrics; /* besides those of the level: td_set_metrics(); NULL: none */
    enum td_samples_by samples_by;
    enum td_samples_chain samples_chain;
    char *samples_function; /* the function whose callers or callees are asked for, or NULL */
    char *samples_code, *samples_code_dso; /* the function whose lines and instructions are told apart, or NULL */
    bool samples_inlined; /* inlined functions count as functions */
    char *symbols; /* folder of the recorded machine's files; "": this machine's root; NULL: files are not read */
    char *symbol_cache; /* folder of perf's files by build-id, or NULL */
    bool symbol_servers; /* debuginfod servers are asked */
    int level; /* the deepest level; 0: what was recorded or can be counted */
    bool sampled; /* plans are of groups that are sampled: td_plan_ask.sampled */
    unsigned group; /* of groups that would take turns, only this one, from 1 on, is counted; 0: all of them */
};

#endif
