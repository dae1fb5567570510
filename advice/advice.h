/* SPDX-License-Identifier: MIT */
/* What a metric, a flag or a status means for a program, and where to look next: words for people, and the events
 * to sample with perf record. */
#ifndef ADVICE_ADVICE_H
#define ADVICE_ADVICE_H

#include <stddef.h>

enum { TD_ADVICE_LINES = 6 }; /* the last one is NULL */

/* Sentences in plain text, without newlines. Static storage. */
struct td_advice {
    /* "memory_bound", or a pattern of fnmatch(3) for metrics that share a text: "info_memory_*_pki" */
    const char *node;
    const char *backend; /* it holds for this one only; NULL: for all without a row of their own */
    const char *brief; /* a clause to follow the node's name on one line */
    const char *meaning;
    const char *reading; /* what is good or bad; NULL: the meaning says it */
    const char *cause[TD_ADVICE_LINES], *remedy[TD_ADVICE_LINES]; /* ended by NULL */
};

/* Events to sample. */
struct td_advice_sample {
    const char *node;
    const char *cpus; /* names of td_uarch_name(), blank-separated; "": all others of the backend */
    const char *backend; /* NULL: all others */
    const char *events; /* as for perf record -e: perf's names, with modifiers; "": those of another node */
    const char *as; /* that node, the one above, or NULL */
};

/* The i-th, NULL after the last. */
const struct td_advice *td_advice_at(size_t i);
const struct td_advice_sample *td_advice_sample_at(size_t i);
/* The i-th flag, status or word of a verdict, NULL after the last. */
const struct td_advice *td_advice_mark_at(size_t i);
/* The one of that name; NULL: there is none. */
const struct td_advice *td_advice_mark(const char *name);
/* By the metric's name, or another vendor's name for the same; backend NULL: any. Returns NULL if there is none. */
const struct td_advice *td_advice_find(const char *node, const char *backend);
/* The i-th name of a node other than td_advice.node; NULL after the last. */
const char *td_advice_other_name(size_t i, const char **node);
/* Whether a text is that of several metrics, by a pattern of their names. */
int td_advice_is_shared(const struct td_advice *);
/* The events that show where in the program a node comes from, on that CPU of that backend; NULL: none is known.
 * of: the node whose events they are, the same or one above. */
const char *td_advice_events(const char *node, const char *backend, const char *cpu, const char **of);

enum { TD_ADVICE_COMMAND = 256 };
/* "perf record -e EVENTS". pmu: for a hybrid's kind of core, "cpu_core", else NULL. modes: those to sample in, "u", or
 * "": all. Returns buf; NULL: no event is known. */
const char *td_advice_command(const char *node, const char *backend, const char *cpu, const char *pmu,
                              const char *modes, char buf[TD_ADVICE_COMMAND]);

#endif
