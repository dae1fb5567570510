/* SPDX-License-Identifier: MIT */
#include "cli/selftest/measure.h"

#include "cli/cli.h"
#include "private/facts.h"
#include "private/plan.h"
#include "private/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- which it is ------------------------------------------------------------------------ */

struct sought {
    int cpu, sibling;
    int err;
};

/* A line of the facts: "# siblings: 0,8". */
static void take_fact(void *ctx, const char *line)
{
    static const char key[] = "# siblings: ";
    struct sought *s = ctx;
    int *cpus = NULL, other = -1;
    bool here = false;
    size_t n = 0;

    if (strncmp(line, key, strlen(key)) != 0 || s->sibling >= 0 || s->err)
        return;
    s->err = td_cpus_parse(line + strlen(key), &cpus, &n);
    for (size_t i = 0; i < n; i++) {
        here = here || cpus[i] == s->cpu;
        other = other < 0 && cpus[i] != s->cpu ? cpus[i] : other;
    }
    s->sibling = here ? other : -1;
    free(cpus);
}

int cli_sibling_find(struct td *td, int cpu, int *sibling)
{
    struct sought s = {.cpu = cpu, .sibling = -1};
    const int err = td_facts(td, take_fact, &s);

    *sibling = s.sibling;
    return err ? cli_library_error(td, err) : s.err == -ENOMEM ? cli_no_memory() : 0;
}

/* ---- this machine ----------------------------------------------------------------------- */

/* What a thread starts runs where the thread is bound. */
pid_t cli_sibling_start(int sibling, const struct td_kernel *k, const struct td_caches *caches, char why[TD_KERNEL_WHY])
{
    struct td *td = td_new();
    int err = td ? td_run_pin(td, sibling) : -ENOMEM;
    pid_t pid;

    if (err) {
        snprintf(why, TD_KERNEL_WHY, "%s", td ? td_error(td) : "out of memory");
        td_free(td);
        return err;
    }
    pid = td_kernel_start(k, caches, why);
    td_run_pin(td, -1);
    td_free(td);
    return pid;
}

/* ---- a simulated machine ---------------------------------------------------------------- */

struct described {
    int fd;
    char more[128]; /* what comes after the file */
    size_t given; /* of more */
};

/* A td_read_fn. */
static ssize_t read_described(void *ctx, void *buf, size_t size)
{
    struct described *d = ctx;
    const ssize_t n = cli_read_fd(&d->fd, buf, size);
    size_t left;

    if (n)
        return n;
    left = strlen(d->more + d->given);
    left = left < size ? left : size;
    memcpy(buf, d->more + d->given, left);
    d->given += left;
    return (ssize_t)left;
}

int cli_sibling_machine(struct td *td, const char *path, int sibling, const struct td_kernel *k)
{
    static const int pid = (1 << 22) - 1; /* the last that Linux can give (PID_MAX_LIMIT): no description has it */
    struct described d = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    int err;

    if (d.fd < 0)
        return -errno;
    snprintf(d.more, sizeof(d.more), "\ntask %d sibling %s cpus=%d\n", pid, k->name, sibling);
    err = td_set_machine(td, path, read_described, &d);
    close(d.fd);
    return err;
}
