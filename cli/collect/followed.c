/* SPDX-License-Identifier: MIT */
#include "cli/collect/followed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { RESERVED = 256 /* descriptors for everything else: files, connections */ };

const char *cli_followed_patterns(struct cli_followed *f, const char *list)
{
    char *copy = strdup(list), *rest = copy, *pattern;
    const char *fault = copy ? NULL : "out of memory";

    cli_paths_free(&f->patterns);
    while (!fault && (pattern = strsep(&rest, ","))) {
        fault = cli_pattern_fault(pattern);
        if (!fault && cli_paths_add(&f->patterns, pattern))
            fault = "out of memory";
    }
    free(copy);
    return fault;
}

/* Moves to come those of found that are new and have a place, and counts the others. */
static int admit(struct cli_followed *f, const struct cli_paths *found)
{
    int err = 0;

    f->left_out = 0;
    for (size_t i = 0; i < found->n && !err; i++) {
        if (cli_paths_have(&f->all, found->path[i]))
            continue;
        if (f->most && f->all.n + f->come.n >= f->most)
            f->left_out++;
        else
            err = cli_paths_add(&f->come, found->path[i]);
    }
    return err;
}

/* Moves to gone those that are counted and not in found. */
static int dismiss(struct cli_followed *f, const struct cli_paths *found)
{
    struct cli_paths kept = {.n = 0};
    int err = 0;

    for (size_t i = 0; i < f->all.n && !err; i++)
        err = cli_paths_add(cli_paths_have(found, f->all.path[i]) ? &kept : &f->gone, f->all.path[i]);
    cli_paths_free(&f->all);
    f->all = kept;
    return err;
}

int cli_followed_look(struct cli_followed *f, cli_names_fn *names, void *tree)
{
    struct cli_paths found = {.n = 0};
    int err = 0;

    cli_paths_free(&f->come);
    cli_paths_free(&f->gone);
    for (size_t i = 0; i < f->patterns.n && !err; i++)
        err = cli_paths_find(&found, f->patterns.path[i], names, tree);
    cli_paths_sort(&found);
    err = err ? err : dismiss(f, &found);
    err = err ? err : admit(f, &found);
    for (size_t i = 0; i < f->come.n && !err; i++)
        err = cli_paths_add(&f->all, f->come.path[i]);
    cli_paths_sort(&f->all);
    cli_paths_free(&found);
    return err;
}

void cli_followed_free(struct cli_followed *f)
{
    cli_paths_free(&f->patterns);
    cli_paths_free(&f->all);
    cli_paths_free(&f->come);
    cli_paths_free(&f->gone);
}

size_t cli_followed_most(size_t limit, size_t each)
{
    const size_t most = limit > RESERVED && each ? (limit - RESERVED) / each : 0;

    return most ? most : 1;
}

/* fs.nr_open, above which no limit of a process can be; 0: it cannot be read. */
static rlim_t kernels_most(void)
{
    FILE *f = fopen("/proc/sys/fs/nr_open", "re");
    unsigned long most = 0;

    if (f && fscanf(f, "%lu", &most) != 1)
        most = 0;
    if (f)
        fclose(f);
    return most;
}

size_t cli_descriptors_most(void)
{
    const rlim_t most = kernels_most();
    struct rlimit now, raised;

    if (getrlimit(RLIMIT_NOFILE, &now))
        return 0;
    raised = (struct rlimit){.rlim_cur = most, .rlim_max = most};
    if (!most || now.rlim_max >= most || setrlimit(RLIMIT_NOFILE, &raised)) { /* beyond the hard limit by root only */
        raised = (struct rlimit){.rlim_cur = now.rlim_max, .rlim_max = now.rlim_max};
        setrlimit(RLIMIT_NOFILE, &raised);
    }
    return getrlimit(RLIMIT_NOFILE, &now) ? 0 : (size_t)now.rlim_cur;
}
