/* SPDX-License-Identifier: MIT */
/* The lines of a description, by their first word. */
#ifndef TD_KEYWORDS_H
#define TD_KEYWORDS_H

struct td_description;

/* Takes a line that begins with the keyword. 0; -EBADMSG, with the reason in the description; -ENOMEM. */
typedef int td_keyword_fn(struct td_description *);

/* hardware_lines.c */
td_keyword_fn td_keyword_cpuid, td_keyword_cpus, td_keyword_lie, td_keyword_midr, td_keyword_pmu;
/* kernel_lines.c */
td_keyword_fn td_keyword_absent, td_keyword_caps, td_keyword_event, td_keyword_file, td_keyword_format, td_keyword_msr,
    td_keyword_paranoid, td_keyword_privileged, td_keyword_refuse, td_keyword_sampling, td_keyword_tsc,
    td_keyword_watchdog;
/* workload_lines.c */
td_keyword_fn td_keyword_count, td_keyword_phase, td_keyword_workload;
/* running_lines.c */
td_keyword_fn td_keyword_cgroup, td_keyword_command, td_keyword_hotplug, td_keyword_rival, td_keyword_run,
    td_keyword_signal, td_keyword_spin, td_keyword_start, td_keyword_task;

#endif
