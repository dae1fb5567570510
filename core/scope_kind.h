/* SPDX-License-Identifier: MIT */
/* The kinds of scope. */
#ifndef TD_SCOPE_KIND_H
#define TD_SCOPE_KIND_H

#include <stdbool.h>

/* Dies, clusters and caches are made of whole cores, as a socket is: they are called sockets. */
extern const char td_kind_system[], td_kind_cpu[], td_kind_core[], td_kind_socket[], td_kind_node[], td_kind_thread[],
    td_kind_cgroup[], td_kind_region[], td_kind_function[], td_kind_dso[], td_kind_comm[], td_kind_stack[], td_kind_line[], td_kind_source[], td_kind_instruction[];

/* The one of these that has the name; NULL: none. */
const char *td_kind_named(const char *name);
/* Whether the kernel switches its counters with tasks: threads and cgroups (see td_solve_ask.switched). */
bool td_kind_switched(const char *name);
/* Whether what was counted ran on one logical CPU at a time: "cpu", "thread", "region". */
bool td_kind_one_cpu(const char *name);
/* Whether it has all threads of each of its cores. */
bool td_kind_whole_core(const char *name);

#endif
