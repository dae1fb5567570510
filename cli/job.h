/* SPDX-License-Identifier: MIT */
/* A process of a job: its rank, and names of outputs that differ from rank to rank. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/options.h"

/* In the header of a trace: which rank its recorder was, "3" or "3 of 4". */
#define CLI_JOB_KEY "x-rank"
enum { CLI_JOB_DIGITS = 9 /* of a rank */ };

/* This process's rank and how many there are, as whoever started it put them into the environment; NULL: it is not
 * known. Digits, at most CLI_JOB_DIGITS. */
const char *cli_job_rank(void);
const char *cli_job_ranks(void);
/* -o of what is measured: %r is the rank, %h the host, %p the process, %% a percent sign. Anything else after a percent
 * sign stays as it is. 0, or an exit code after a message: %r where no rank is known, or a name that is too long. */
int cli_take_job_output(void *settings, const char *value);
#define CLI_JOB_OUTPUT(...) \
    { \
        "output", 'o', "FILE", CLI_TAKEN, .take = cli_take_job_output, .offer = CLI_FILES, .common = true, __VA_ARGS__ \
    }

#endif
