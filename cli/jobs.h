/* SPDX-License-Identifier: MIT */
/* Several jobs in parallel, each in its own process; they print as if one ran
 * after another. */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "report/output.h"

enum { CLI_JOB_WHOLE = 0x80 }; /* added to a job's exit code: nothing is lacking in its output all the same */

/* Does the i-th job in its process, and returns the exit code. What it passes to write,
 * with to, is its part of the output; cli_say() still goes to stderr. */
typedef int cli_job_fn(void *ctx, size_t i, td_output_fn *write, void *to);

/* Runs n jobs with these names, at most side of them at once, and writes their output to out, which is
 * open. A bounded amount is kept for jobs whose turn has not come; then they wait. The exit
 * code of the first job, in their order, that failed; 0: none did; *whole: the output of none lacks anything. Ends all
 * jobs if out cannot be written, which sets out->error. */
int cli_jobs_run(char *const *name, size_t n, unsigned side, cli_job_fn *work, void *ctx, struct td_output *out,
                 bool *whole);

#endif
