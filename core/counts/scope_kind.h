/* SPDX-License-Identifier: MIT */
/* The kinds of scope. */
#ifndef TD_SCOPE_KIND_H
#define TD_SCOPE_KIND_H

#include "include/td_samples.h"

#include <stdbool.h>

/* Dies, clusters and caches are made of whole cores, as a socket is: they are called sockets. */
enum td_scope_kind {
    TD_KIND_NONE, /* not known */
    TD_KIND_SYSTEM,
    TD_KIND_CPU,
    TD_KIND_CORE,
    TD_KIND_SOCKET,
    TD_KIND_NODE,
    TD_KIND_THREAD,
    TD_KIND_CGROUP,
    TD_KIND_REGION,
    TD_KIND_FUNCTION,
    TD_KIND_DSO,
    TD_KIND_COMM,
    TD_KIND_STACK,
    TD_KIND_LINE,
    TD_KIND_SOURCE,
    TD_KIND_INSTRUCTION,
    TD_KIND_COMMAND, /* all tasks of a command */
    TD_KIND_ADDRESS, /* a function, or where its file has no symbols an address */
    TD_KIND_PROCESS, /* what perf stat -p and -t print as one */
    TD_KINDS
};

/* "system", "cpu", ...: what traces and the API say. NULL: not known. */
const char *td_kind_name(enum td_scope_kind);
/* The kind that has the name; TD_KIND_NONE: there is no such kind. */
enum td_scope_kind td_kind_named(const char *name);
/* The kind of the scopes of samples; TD_KIND_NONE: there is no such way. */
enum td_scope_kind td_kind_of_samples(enum td_samples_by);
/* Whether the kernel switches its counters with tasks: commands, processes, threads and cgroups (see
 * td_solve_ask.switched). */
bool td_kind_switched(enum td_scope_kind);
/* Whether the scope is on one logical CPU at a time: a CPU, a thread, a region. */
bool td_kind_one_cpu(enum td_scope_kind);
/* Whether its counters may go on while no thread runs: a CPU's, and what samples of CPUs have. Those of tasks stop;
 * those of whole cores are no thread's. */
bool td_kind_halts(enum td_scope_kind);
/* Whether the scope has all threads of each of its cores. */
bool td_kind_whole_core(enum td_scope_kind);

#endif
