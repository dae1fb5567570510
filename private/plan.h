/* SPDX-License-Identifier: MIT */
/* Of plans, what the program needs besides the API: a machine that is only assumed, and one group at a time. */
#ifndef PRIVATE_PLAN_H
#define PRIVATE_PLAN_H

#include <limits.h>

#include "include/tdprobe.h"
#include "private/exported.h"

enum { TD_CPUS_MAX = 65536 }; /* CPU ids are below this */
/* The CPUs of a list such as "0-3,8", as the kernel writes them, for td_live: in
 * the order of the list, each once. The caller frees cpus with free(3). -EINVAL:
 * not such a list, or an id of TD_CPUS_MAX and above; -ENOMEM; cpus is NULL then. */
TD_PRIVATE int td_cpus_parse(const char *list, int **cpus, size_t *n);

/* For td_plan_uarch(): whether the NMI watchdog is on there, and holds a counter. Initially it is off. */
TD_PRIVATE void td_set_watchdog(struct td *, bool on);
/* As td_plan_live(), for a typical machine with the CPU that td_set_uarch() named: cores of two threads where
 * the formulas care, all counters free but for the NMI watchdog's, a kernel that offers the CPU's events. This machine
 * is not looked at; of td_live only the kind of scope matters. -EINVAL: no CPU was named, or the handle has a machine.
 */
TD_PRIVATE int td_plan_uarch(struct td *, const struct td_live *);
/* After td_plan_uarch(): whether a group of the plan would never run if the NMI watchdog were on after all. */
TD_PRIVATE bool td_plan_watchdog(const struct td *);

/* After a plan or td_open_live(): into how many groups the events are split that cannot all be counted at the same
 * time; on hybrids those of the kind of core that has most. 1: all are counted at the same time; 0: nothing is planned.
 */
TD_PRIVATE unsigned td_plan_groups(const struct td *);
/* After td_plan_live() or td_open_live(): how many descriptors the latter opens, one for each event on each CPU of each
 * scope. */
TD_PRIVATE size_t td_plan_descriptors(const struct td *);
/* Before a plan: no event is pinned, so that whoever else counts on this machine gets turns. Otherwise level 1 may be,
 * where groups take turns. */
TD_PRIVATE void td_set_flexible(struct td *);
/* As if td_set_level() had never been called: live, what is counted at once decides. */
TD_PRIVATE void td_unset_level(struct td *);
/* Of such groups, td_open_live() counts only this one, from 1 on, all the time, where the others would take turns with
 * it; td_plan() gives only this one. So a command that runs again for each group is measured without multiplexing:
 * td_summary() joins its runs, and what needs counts of several is TD_FLAG_SPLIT_GROUPS. A kind of core that has fewer
 * groups then counts nothing. 0, the default: all. */
TD_PRIVATE void td_set_group(struct td *, unsigned group);
/* In place of a number, for td_set_group() before a plan: all groups, as perf record samples them. Each then has what
 * slots are computed from. */
#define TD_GROUPS_SAMPLED UINT_MAX

#endif
