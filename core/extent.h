/* SPDX-License-Identifier: MIT */
/* Of an interval, and so of the result for it: when it was, of what scope, and of samples from where to where. */
#ifndef TD_EXTENT_H
#define TD_EXTENT_H

#include "core/counts/scope_kind.h"
#include "private/code.h"
#include "private/result.h"

struct td_extent {
    bool has_time;
    uint64_t time; /* when it ended: ns since the recording began */
    uint64_t duration; /* how long it was, in ns; 0: not known */
    const char *scope; /* the stream's, valid until it is closed */
    enum td_scope_kind scope_kind;
    const char *began; /* of samples: the place where it began; NULL: not known; owned as scope is */
    const char *dso; /* by function: the program or library in which it ended, or NULL */
    enum td_symbols symbols; /* whether functions of dso have names */
    const struct td_code_at *code; /* for a line or instruction of one function; else NULL; owned as scope is */
    enum td_sample_start start;
    enum td_sample_pair pair;
    uint64_t distance; /* td_result_distance() */
    uint32_t course; /* of samples: the sequence that it belongs to */
    double own; /* of samples: td_result_course() */
    enum td_back back; /* the same */
    uint32_t nth; /* of samples: which of the intervals that one sample ends, from 1; 0: it is the only one */
};

#endif
