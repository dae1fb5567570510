/* SPDX-License-Identifier: MIT */
/* The CPUs that a recording may be of. */
#ifndef TD_CANDIDATES_H
#define TD_CANDIDATES_H

#include "recording.h"
#include "solve.h"

enum { TD_CANDIDATES_MAX = 64, TD_LABELS = 4 };

/* One machine, ready to solve: for each kind of core its formulas, and what
 * the texts of the recording mean there. */
struct td_candidate {
    struct td_machine machine;
    struct td_solver *solver[TD_PARTS_MAX];
    uint64_t used[TD_PARTS_MAX]; /* events that its formulas use */
    signed char *event[TD_PARTS_MAX]; /* by text; TD_EVENT_UNRESOLVED, -1: none */
};

/* All that fit. Of several that compute alike only the first is kept; the
 * labels name them all. */
struct td_candidates {
    size_t n;
    struct td_candidate c[TD_CANDIDATES_MAX];
    char label[TD_LABELS][TD_TEXT]; /* by td_core_index() */
    char names[TD_TEXT]; /* machines, blank-separated */
};

/* One machine that is known. */
int td_candidates_one(struct td_candidates *, const struct td_machine *, char *why, size_t whysize);
/* All machines (of one backend, if backend is not NULL) that know every
 * top-down event of the recording's batch and can compute a level-1 metric from
 * them. n is 0 if there is none; *told says whether the batch has any event that
 * tells one CPU from another. */
int td_candidates_fit(struct td_candidates *, const struct td_recording *, const struct td_backend *backend, bool *told,
                      char *why, size_t whysize);
void td_candidates_free(struct td_candidates *);

/* The part of a candidate that counted an interval, or -1. */
int td_candidate_part(const struct td_candidate *, char core);
/* An interval's counts with the event numbers of that part; others are left
 * out. Replaces what out held. */
int td_candidate_bind(struct td_candidate *, int part, const struct td_texts *, const struct td_interval *, struct td_counts *out);
/* Takes the parts off that are not of the backend; false: none is left. */
bool td_machine_restrict(struct td_machine *, const struct td_backend *);

#endif
