/* SPDX-License-Identifier: MIT */
/* One line of a description (machine_line.c), and what the lines say
 * (machine_lines.c, machine_tasks.c, machine_msr.c). */
#ifndef TD_SIM_MACHINE_LINE_H
#define TD_SIM_MACHINE_LINE_H

#include "machine_parts.h"

struct td_sim_line {
    struct td_sim *sim;
    const char *name;
    unsigned long number;
    char *why;
    size_t whysize;
    char *word[64];
    bool used[64];
    size_t n;
    char *tail; /* behind " = ", or NULL */
};

int td_sim_bad(struct td_sim_line *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the blank-separated words of text, which it takes apart. */
int td_sim_words(struct td_sim_line *, char *text);
/* The value of KEY=VALUE, or NULL. */
const char *td_sim_value(struct td_sim_line *, const char *key);
/* A positional word, counted from 1; NULL behind the last. */
const char *td_sim_word(struct td_sim_line *, size_t i);
/* True if the bare word is there. */
bool td_sim_flag(struct td_sim_line *, const char *word);
/* All words were understood? */
int td_sim_unused(struct td_sim_line *);
/* Numbers of KEY=; without the key out stays. */
int td_sim_number(struct td_sim_line *, const char *key, uint64_t low, uint64_t high, uint64_t *out);
int td_sim_number_of(struct td_sim_line *, const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *out);
/* A decimal in millionths. */
int td_sim_millionths(struct td_sim_line *, const char *what, const char *text, uint64_t high, uint64_t *out);
int td_sim_cpus(struct td_sim_line *, const char *key, const char *text, struct td_sim_set *set, uint16_t *order, size_t *n);
/* "0-3", "2", "fixed1", "cycle", separated by commas, to bits of counters. */
int td_sim_counters(struct td_sim_line *, const char *what, const char *text, uint64_t *out);
/* Room for one more; NULL: out of memory. What is new is zero. */
void *td_sim_grow(void *array, size_t n, size_t size);



typedef int td_sim_take_fn(struct td_sim_line *);
td_sim_take_fn td_sim_take_cpuid, td_sim_take_cpus, td_sim_take_midr, td_sim_take_file, td_sim_take_absent, td_sim_take_pmu,
    td_sim_take_event, td_sim_take_format, td_sim_take_caps, td_sim_take_lie;
td_sim_take_fn td_sim_take_workload, td_sim_take_phase, td_sim_take_count;
td_sim_take_fn td_sim_take_run, td_sim_take_command, td_sim_take_task, td_sim_take_cgroup, td_sim_take_hotplug, td_sim_take_signal,
    td_sim_take_spin, td_sim_take_privileged, td_sim_take_refuse, td_sim_take_msr;

#endif
