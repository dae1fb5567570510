/* SPDX-License-Identifier: MIT */
/* struct td, shared by the parts of a session: reading and adding up
 * (session.c), finding the CPU (session_cpu.c), solving (session_solve.c). */
#ifndef TD_SESSION_H
#define TD_SESSION_H

#include "candidates.h"
#include "os.h"
#include "scope_index.h"

struct td_convert;
struct td_liveset;
struct td_own;
struct td_sim;
struct td_added;

enum td_source { TD_SOURCE_PERF, TD_SOURCE_MSR };

struct td {
    struct td_machine machine; /* asked for; nparts 0: none */
    const struct td_backend *backend; /* asked for, or NULL */
    bool fixed, skip_intervals;
    int level;
    bool level_asked;
    enum td_source source; /* of measuring */
    struct td_added *added; /* of td_add_event(); freed by td_live_free() */
    size_t nadded;
    bool opened, any, ready, matched; /* any: an interval was read; ready: candidates are known; matched: and their events were seen */
    struct td_recording recording;
    char *name; /* of the recording, for messages */
    size_t at; /* next of the batch */
    struct td_candidates candidates;
    bool told_core[TD_LABELS];
    struct td_interval *sums; /* one scope and kind of core over the whole recording */
    size_t nsums;
    struct td_scope_index sum_index;
    struct td_counts bound[2]; /* of the result given, and of one compared with it */
    struct td_result result, other;
    struct td_convert *convert; /* the recording becomes a trace (convert.h), or NULL */
    struct td_liveset *live; /* measuring (backends/linux/live.h), or NULL */
    struct td_own *own; /* counters of this thread (backends/linux/self.h), or NULL */
    struct td_sim *sim; /* the machine to measure, NULL: this one */
    const struct td_os *os; /* for tests: what answers instead of either */
    char error[2 * TD_WHY];
};

/* The machine that is measured: this one, or td_set_machine()'s. */
const struct td_os *td_session_os(const struct td *);
/* Frees what measuring holds. */
void td_live_free(struct td *);
/* The same of td_open_self(); before it. */
void td_own_free(struct td *);
/* Tells the caller's td_note_fn what is no error. */
void td_session_note(const struct td *, const char *text);
/* Keeps the text for td_error() and returns err. */
int td_session_fail(struct td *, int err, const char *text);
/* When the first intervals are there: which CPU they are of; errors said. */
int td_session_find_cpu(struct td *);
/* Whether an interval has any event of the CPU's formulas; and what to say
 * (-EBADMSG; -EOPNOTSUPP as for td_session_no_events()) where none has. */
bool td_session_matches(struct td *, const struct td_interval *);
int td_session_no_match(struct td *);
/* What to say where the recording has no event of any formula: -EBADMSG, or -EOPNOTSUPP
 * where its events are of a CPU that there is no formula for. */
int td_session_no_events(struct td *);
/* What to say where no CPU fits: -EOPNOTSUPP. */
int td_session_no_candidate(struct td *);
/* Nothing to give of this interval: no counts, or those of a kind of core that
 * the CPU does not have (which is said once). */
bool td_session_skips(struct td *, const struct td_interval *);
/* Solves an interval for all candidates. -EINVAL: their answers differ. */
int td_session_solve(struct td *, const struct td_interval *, bool summary, const struct td_result **out);

#endif
