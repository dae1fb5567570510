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

/* What a look found. */
struct found {
    struct cli_paths paths; /* sorted */
    uint64_t *identity; /* of each */
    struct cli_paths same; /* those of them that were there before, sorted */
};

static void free_found(struct found *n)
{
    cli_paths_free(&n->paths);
    cli_paths_free(&n->same);
    free(n->identity);
}

static int find(const struct cli_followed *f, struct found *n, cli_names_fn *names, cli_identity_fn *identity,
                void *tree)
{
    int err = 0;

    for (size_t i = 0; i < f->patterns.n && !err; i++)
        err = cli_paths_find(&n->paths, f->patterns.path[i], names, tree);
    cli_paths_sort(&n->paths);
    n->identity = calloc(n->paths.n + 1, sizeof(*n->identity));
    err = err || n->identity ? err : -ENOMEM;
    for (size_t i = 0, k = 0; i < n->paths.n && !err; i++) {
        const char *path = n->paths.path[i];

        n->identity[i] = identity(tree, path);
        while (k < f->known.n && strcmp(f->known.path[k], path) < 0)
            k++;
        if (k < f->known.n && !strcmp(f->known.path[k], path) && f->identity[k] == n->identity[i])
            err = cli_paths_add(&n->same, path);
    }
    return err;
}

int cli_followed_look(struct cli_followed *f, cli_names_fn *names, cli_identity_fn *identity, void *tree)
{
    struct found now = {.identity = NULL};
    int err = find(f, &now, names, identity, tree);

    cli_paths_free(&f->come);
    cli_paths_free(&f->gone);
    err = err ? err : cli_paths_move(&f->all, &now.same, false, NULL);
    err = err ? err : cli_paths_move(&f->waiting, &now.same, false, NULL);
    err = err ? err : cli_paths_move(&f->known, &now.same, false, &f->gone);
    for (size_t i = 0; i < now.paths.n && !err; i++)
        if (!cli_paths_have(&now.same, now.paths.path[i]))
            err = cli_paths_add(&f->waiting, now.paths.path[i]);
    if (err) {
        free_found(&now);
        return err;
    }
    cli_paths_free(&f->known);
    free(f->identity);
    f->known = now.paths;
    f->identity = now.identity;
    cli_paths_free(&now.same);
    return 0;
}

bool cli_followed_fit(const struct cli_followed *f)
{
    return !f->most || f->known.n <= f->most;
}

/* Drops the first n of a list. */
static void drop_first(struct cli_paths *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(list->path[i]);
    list->n -= n;
    if (list->n)
        memmove(list->path, list->path + n, list->n * sizeof(*list->path));
}

int cli_followed_admit(struct cli_followed *f, size_t n)
{
    const size_t now = n < f->waiting.n ? n : f->waiting.n;

    if (cli_paths_add_first(&f->come, &f->waiting, now) || cli_paths_add_first(&f->all, &f->waiting, now))
        return -ENOMEM;
    drop_first(&f->waiting, now);
    cli_paths_sort(&f->all);
    return 0;
}

int cli_followed_rest(struct cli_followed *f, const struct cli_paths *turn)
{
    struct cli_paths over = {.n = 0};
    int err = cli_paths_add_first(&over, turn, turn->n);

    cli_paths_sort(&over);
    err = err ? err : cli_paths_move(&f->all, &over, true, &f->waiting);
    cli_paths_free(&over);
    return err;
}

int cli_followed_restart(struct cli_followed *f)
{
    const int err = cli_paths_add_first(&f->waiting, &f->all, f->all.n);

    cli_paths_free(&f->all);
    return err;
}

void cli_followed_free(struct cli_followed *f)
{
    cli_paths_free(&f->patterns);
    cli_paths_free(&f->known);
    free(f->identity);
    cli_paths_free(&f->all);
    cli_paths_free(&f->waiting);
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
