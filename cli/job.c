/* SPDX-License-Identifier: MIT */
#include "cli/job.h"

#include "cli/cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Who starts the processes of a job, and what it calls their rank and number. The innermost comes first: mpirun inside
 * a job of Slurm gives ranks of its own. */
static const struct {
    const char *rank, *ranks;
} starters[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
    {"PMI_RANK", "PMI_SIZE"}, /* MPICH, Intel MPI */
    {"PMIX_RANK", NULL}, /* PMIx, which has the number only by a call */
    {"SLURM_PROCID", "SLURM_NTASKS"}, /* srun */
};

static const char *whole_number(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    const size_t len = value ? strlen(value) : 0;

    return len && len <= CLI_JOB_DIGITS && strspn(value, "0123456789") == len ? value : NULL;
}

/* The starter that this process has a rank of; the number of starters: none. */
static size_t starter(void)
{
    size_t i = 0;

    while (i < CLI_COUNT(starters) && !whole_number(starters[i].rank))
        i++;
    return i;
}

const char *cli_job_rank(void)
{
    const size_t i = starter();

    return i < CLI_COUNT(starters) ? whole_number(starters[i].rank) : NULL;
}

const char *cli_job_ranks(void)
{
    const size_t i = starter();

    return i < CLI_COUNT(starters) ? whole_number(starters[i].ranks) : NULL;
}

static int no_rank(const char *name)
{
    return cli_usage("-o %s: %%r is the rank of this process in a job, which none of OMPI_COMM_WORLD_RANK, PMI_RANK, "
                     "PMIX_RANK and SLURM_PROCID has: start it with mpirun or srun, or write %%%%r for the two "
                     "characters",
                     name);
}

/* What stands for a letter after a percent sign; NULL: it stays. */
static const char *meaning(char letter, char pid[static 16], struct utsname *host)
{
    switch (letter) {
    case 'r': return cli_job_rank();
    case 'h': return uname(host) ? "localhost" : host->nodename;
    case 'p': snprintf(pid, 16, "%d", (int)getpid()); return pid;
    case '%': return "%";
    default: return NULL;
    }
}

int cli_take_job_output(void *settings, const char *value)
{
    static char name[PATH_MAX]; /* of the one -o that counts, which outlives its settings */
    struct utsname host;
    char pid[16];
    size_t used = 0;

    for (const char *at = value; *at; at++) {
        const char *is = *at == '%' ? meaning(at[1], pid, &host) : NULL;
        const size_t n = is ? strlen(is) : 1;

        if (*at == '%' && at[1] == 'r' && !is)
            return no_rank(value);
        if (used + n >= sizeof(name))
            return cli_usage("-o: the name of the file has more than %d characters", PATH_MAX - 1);
        memcpy(name + used, is ? is : at, n);
        used += n;
        at += is != NULL;
    }
    name[used] = '\0';
    return cli_take_output(settings, name);
}
