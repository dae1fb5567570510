/* SPDX-License-Identifier: MIT */
/* A group of events as perf record samples it. */
#ifndef CLI_SAMPLED_GROUP_H
#define CLI_SAMPLED_GROUP_H

/* "{slots,cycles,topdown-retiring,...}:S" of td_plan()' "{slots,topdown-retiring,...}"; the caller frees it. cycles:
 * how to write that event. NULL: out of memory.
 *
 * The kernel samples the first event of a group that can interrupt: slots cannot, it has to be first all the same, and
 * perf takes the next one (Linux tools/perf/Documentation/topdown.txt). What the next one is must not depend on the
 * program: cycles. */
char *cli_sampled_group(const char *group, const char *cycles);

#endif
