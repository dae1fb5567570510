/* SPDX-License-Identifier: MIT */
/* Sets of CPUs, and lists as the kernel, perf and users write them: "0-3,8,16-31"
 * (Documentation/admin-guide/kernel-parameters.rst, "cpu lists"; no strides). */
#ifndef TD_CPU_LIST_H
#define TD_CPU_LIST_H

#include "include/tdprobe.h"
#include "util/bits.h"

/* CPU ids as bits, sized by their largest member. Zeroed: empty. */
struct td_cpu_set {
    struct td_bits ids; /* owned; td_cpu_set_free() */
};

bool td_cpu_set_empty(const struct td_cpu_set *);
bool td_cpu_set_has(const struct td_cpu_set *, unsigned cpu);
/* Adds first to last, which is below TD_CPUS_MAX: 0 or -ENOMEM. */
int td_cpu_set_add(struct td_cpu_set *, unsigned first, unsigned last);
/* The first member from cpu on; TD_CPUS_MAX: there is none. */
unsigned td_cpu_set_next(const struct td_cpu_set *, unsigned cpu);
void td_cpu_set_free(struct td_cpu_set *);

/* Gets each range of a list in the list's order; anything but 0 ends the reading and is its result. */
typedef int td_cpu_range_fn(void *ctx, unsigned first, unsigned last);
/* The only parser of such lists. 0 at the end of the text, which may be empty; -EINVAL: the
 * rest is no such list, or has an id of TD_CPUS_MAX and above; or what the function returned. */
int td_cpu_ranges(const char *text, size_t len, td_cpu_range_fn *range, void *ctx);

/* CPUs as numbers; the owner frees cpu. */
struct td_cpu_list {
    int *cpu;
    size_t n;
};

/* Reads a list: out gets each CPU once, in rising order. -EINVAL, -ENOMEM: out is empty. */
int td_cpu_list_parse(const char *text, struct td_cpu_list *out);
/* Reads a list as above, but in the order of the text. -EEXIST: a CPU is there twice. */
int td_cpu_list_parse_distinct(const char *text, struct td_cpu_list *out);
/* Whether the list, which must be sorted, has the CPU. */
bool td_cpu_list_has(const struct td_cpu_list *, int cpu);
/* Writes the list as "0-3,8", cut off where it does not fit. */
void td_cpu_list_text(const struct td_cpu_list *, char *buf, size_t size);
/* A set as such a text, which the caller frees; NULL: out of memory. */
char *td_cpu_set_text(const struct td_cpu_set *);

#endif
