/* SPDX-License-Identifier: MIT */
/* A description of a machine, tdprobe-machine(5), while it is read line by line: the
 * words of the line, and the numbers and lists in them. */
#ifndef TD_DESCRIPTION_H
#define TD_DESCRIPTION_H

#include "sim/kernel/kernel.h"

struct td_description {
    struct td_sim *sim; /* what the lines above describe */
    const char *name;
    unsigned long number; /* of the line */
    char *why;
    size_t whysize;
    char *word[64];
    bool used[64];
    size_t n;
    char *tail; /* after " = ", or NULL */
    const struct td_sim_places *all; /* of a task that may have all CPUs, or NULL */
};

/* Writes what is wrong with the line to why; returns -EBADMSG. */
int td_description_bad(struct td_description *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the blank-separated words of text, which is taken apart. */
int td_description_words(struct td_description *, char *text);
/* The value of KEY=VALUE, or NULL. */
const char *td_description_value(struct td_description *, const char *key);
/* A positional word, counted from 1; NULL after the last. */
const char *td_description_word(struct td_description *, size_t i);
/* True if the line has the bare word. */
bool td_description_flag(struct td_description *, const char *word);
/* Refuses words that were not used. */
int td_description_unused(struct td_description *);
/* A positional word that must be one of two; out: whether it is yes. */
int td_description_either(struct td_description *, size_t i, const char *yes, const char *no, bool *out);
/* The number of KEY=N; without the key, out is not changed. */
int td_description_number(struct td_description *, const char *key, uint64_t low, uint64_t high, uint64_t *out);
int td_description_number_of(struct td_description *, const char *what, const char *text, uint64_t low, uint64_t high,
                             uint64_t *out);
/* A decimal number, read as an integer of millionths. */
int td_description_millionths(struct td_description *, const char *what, const char *text, uint64_t high,
                              uint64_t *out);
/* A list of different CPUs, whether or not they were described, in its order; the caller frees out->cpu. */
int td_description_list(struct td_description *, const char *what, const char *text, struct td_cpu_list *out);
/* A list of CPUs that were described; a text of NULL is refused. */
int td_description_cpus(struct td_description *, const char *what, const char *text, struct td_cpu_list *out);
/* The set of cpus=LIST; empty without it. */
int td_description_cpu_set(struct td_description *, struct td_cpu_set *out);
/* The PMU that word 1 names; NULL: -EBADMSG. */
struct td_sim_pmu *td_description_pmu(struct td_description *);
/* Bits of counters from "0-3", "2", "fixed1", "cycle", separated by commas. */
int td_description_counters(struct td_description *, const char *what, const char *text, uint64_t *out);

#endif
