/* SPDX-License-Identifier: MIT */
/* What the caller of the API asked for, as far as it decides what is read, measured and solved. */
#ifndef TD_SETTINGS_H
#define TD_SETTINGS_H

#include "core/stream.h"

struct td_samples_wanted;

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
    char *labels; /* of a trace that is written: td_set_label(); NULL: none */
    const struct td_samples_wanted *samples; /* what is asked of a recording of samples; never NULL for one */
    int level; /* the deepest level; 0: what was recorded or can be counted */
    bool flexible; /* no event is pinned, so that others of the machine get their turns: td_set_flexible() */
    bool sampled; /* plans are of groups that are sampled: td_plan_ask.sampled */
    unsigned group; /* of groups that would take turns, only this one, from 1 on, is counted; 0: all of them */
};

#endif
