/* SPDX-License-Identifier: MIT */
/* Several jobs side by side, each in a process of its own, that print as if one came
 * after the other. */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "report/output.h"

/* Does the i-th job in its process, and returns the exit code. What it writes by write,
 * with to, is its part of the output; cli_say() still goes to stderr. */
typedef int cli_job_fn(void *ctx, size_t i, td_output_fn *write, void *to);

/* Runs n jobs of these names, at most side of them at once, and puts what they write into out, which is
 * open. Of jobs whose turn has not come, a bounded amount is kept; then they wait. The exit
 * code of the first job, in their order, that failed; 0 of none. Ends all jobs where out
 * cannot be written, which is out->error. */
int cli_jobs_run(char *const *name, size_t n, unsigned side, cli_job_fn *work, void *ctx, struct td_output *out);

#endif
