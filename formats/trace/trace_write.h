/* SPDX-License-Identifier: MIT */
/* Writes tdprobe-trace(5): readings of scopes, as a source gave them. */
#ifndef TD_TRACE_WRITE_H
#define TD_TRACE_WRITE_H

#include "core/counts/counts.h"
#include "core/counts/event_names.h"
#include "core/counts/hints.h"
#include "core/stream.h"
#include "include/tdprobe.h"

/* Precedes the name of an event that is a word of the format: "event:end". */
#define TD_TRACE_EVENT "event:"

/* The header's key for the recorder's run, which the last row of each reading names again. */
#define TD_TRACE_RUN "x-run"
enum { TD_TRACE_RUN_TEXT = 17 /* as many as 16 hexadecimal digits */ };

/* Whether a name has a meaning of its own in the event column of a trace, as "end", "Restores" and "switches:u"
 * have. */
bool td_trace_is_word(const char *name);

struct td_trace_writer {
    td_write_fn *write; /* NULL: nothing is written */
    void *ctx;
    char *command; /* owned, or NULL */
    const struct td_hints *hints; /* what was printed beside counts, or NULL */
    bool header; /* the header is queued */
    bool begun; /* the header was written */
    char run[TD_TRACE_RUN_TEXT]; /* the run that the readings are of; "": none */
    char *buf; /* what is queued */
    size_t used, room;
    int err; /* what queueing failed with: -ENOMEM */
};

struct td_trace_facts {
    const char *cpu; /* a name that td_identity_find() knows */
    const char *smt; /* "on", "off", "unknown" */
    const char *source; /* "perf", "simulated", "import" */
    int cpus; /* 0: not known */
    int level[4]; /* by td_core_index(); 0: there are no cores of that kind */
    bool scaled, coverage_unknown;
    const char *host, *labels, *run, *origin, *note; /* NULL: none */
    enum td_times times;
    unsigned times_cpus; /* td_stream.times_cpus */
    double mux_interval; /* ns; 0: not known */
    uint64_t began; /* ns on the host's clock: when the time 0 was; 0: not known */
    uint64_t monotonic, realtime; /* what these clocks showed at time 0, ns; both 0: not known; then: */
    const char *started; /* when that was, in the words of another recording; NULL: not known */
};

/* Queues the header, if that was not done before. */
void td_trace_write_header(struct td_trace_writer *, const struct td_trace_facts *);
/* Queue one line of a header, and the line that ends the header. If a line names a run, all readings after it are of
 * that run. */
void td_trace_write_line(struct td_trace_writer *, const char *key, const char *value);
void td_trace_write_columns(struct td_trace_writer *);
/* Queues a start row: what follows for the scope counts from zero, since the
 * snapshot's time. */
void td_trace_write_start(struct td_trace_writer *, const char *scope, enum td_scope_kind, char core,
                          const struct td_snap *);
/* Queues one reading of one scope; core: 'P', 'E', 'L' or 0; begins: no interval
 * leads to it. */
void td_trace_write_reading(struct td_trace_writer *, const char *scope, enum td_scope_kind, char core,
                            const struct td_snap *, bool begins, const struct td_texts *);
/* Hands over what is queued: 0, -ENOMEM, or write's error. What could not be
 * written is dropped, so that the next call begins with a whole reading. */
int td_trace_write_flush(struct td_trace_writer *);
void td_trace_writer_free(struct td_trace_writer *);

#endif
