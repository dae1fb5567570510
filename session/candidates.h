/* SPDX-License-Identifier: MIT */
/* The CPUs that a stream's counts may belong to. */
#ifndef TD_CANDIDATES_H
#define TD_CANDIDATES_H

#include "core/solve/solve.h"
#include "core/stream.h"

enum { TD_LABELS = TD_CORES };

/* What the texts of a stream mean to rows that have the same events with the same names. */
struct td_meanings {
    const struct td_uarch *uarch; /* one of these rows */
    int *event; /* by text: its number; -1: the row does not have it; or TD_MEANING_UNKNOWN */
    size_t n, room;
};

/* One CPU, ready to solve: for each kind of core its formulas, and what the texts of
 * the stream mean there; both belong to the candidates. */
struct td_candidate {
    struct td_identity identity;
    struct td_forms *forms[TD_PARTS_MAX]; /* NULL: not needed yet */
    struct td_meanings *meanings[TD_PARTS_MAX];
    struct td_text_buffer label[TD_LABELS]; /* its parts' names, and those of the CPUs that compute alike */
};

/* All CPUs that fit. Of several that compute alike only the first is kept; the
 * labels name them all. */
struct td_candidates {
    struct td_candidate *c;
    size_t n, room;
    bool told; /* it is the one of several that the text around the counts names */
    struct td_text_buffer label[TD_LABELS]; /* by kind of core, of hybrids: see td_candidate_label() */
    struct td_text_buffer names; /* CPUs, blank-separated */
    struct td_text_buffer nearest; /* if none fits: which CPU is nearest, and what keeps it from fitting; or empty */
    struct td_text_buffer untold; /* if none fits: the CPUs that have all events, of which some lack a part of level 1,
                                     and others all of it */
    struct td_text_buffer unprinted; /* the CPUs that the printed shares rule out, of several; or empty */
    const char *nearest_name; /* the name of that CPU; NULL: none is near */
    struct td_forms **forms; /* each is shared by all candidates with the same formulas over the same events */
    size_t nforms, forms_room;
    struct td_meanings **meanings;
    size_t nmeanings, meanings_room;
};

/* Makes one known CPU the only candidate. -ENOMEM. */
int td_candidates_one(struct td_candidates *, const struct td_identity *);
/* Finds all CPUs (of one backend, if backend is not NULL) that know every
 * top-down event of the stream's batch and can compute a level-1 metric from
 * them. n is 0 if there is none, and nearest says which fits but for what; *told is whether the batch has any event
 * that distinguishes CPUs. -ENOMEM; td_solve()'s errors, with why. */
int td_candidates_fit(struct td_candidates *, const struct td_stream *, const struct td_backend *backend, bool *told,
                      char *why, size_t whysize);
void td_candidates_free(struct td_candidates *);

/* Whether one of the candidates computes as another recording's does. */
bool td_candidates_alike(const struct td_candidates *, const struct td_candidate *);

/* Of the labels of all candidates, or of one: the one for a part of a candidate. */
const char *td_candidate_label(const struct td_text_buffer labels[TD_LABELS], const struct td_candidate *, int part);
/* The part of a candidate that counted an interval, or -1. */
int td_candidate_part(const struct td_candidate *, char core);
/* Gives an interval's counts the event numbers of that part, TD_EVENT_UNKNOWN to others, and the fields of the metrics
 * register the error of their bits: then those of a sum are added up interval by interval, as those of readings are.
 * -ENOMEM. */
int td_candidate_number(struct td_candidate *, int part, const struct td_texts *, struct td_interval *);
/* An interval's counts with the event numbers of that part; others are left
 * out. Replaces what out held. -ENOMEM. */
int td_candidate_bind(struct td_candidate *, int part, const struct td_texts *, const struct td_interval *,
                      struct td_counts *out);

#endif
