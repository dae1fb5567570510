/* SPDX-License-Identifier: MIT */
#include "cli/paths.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int cli_paths_add(struct cli_paths *p, const char *path)
{
    if (td_room(&p->path, &p->room, p->n + 1, sizeof(*p->path)) || !(p->path[p->n] = strdup(path)))
        return -ENOMEM;
    p->n++;
    return 0;
}

int cli_paths_add_first(struct cli_paths *p, const struct cli_paths *others, size_t n)
{
    int err = 0;

    for (size_t i = 0; i < n && !err; i++)
        err = cli_paths_add(p, others->path[i]);
    return err;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void cli_paths_sort(struct cli_paths *p)
{
    size_t kept = 0;

    if (p->n)
        qsort(p->path, p->n, sizeof(*p->path), by_bytes);
    for (size_t i = 0; i < p->n; i++)
        if (kept && !strcmp(p->path[kept - 1], p->path[i]))
            free(p->path[i]);
        else
            p->path[kept++] = p->path[i];
    p->n = kept;
}

bool cli_paths_have(const struct cli_paths *p, const char *path)
{
    return p->n && bsearch(&path, p->path, p->n, sizeof(*p->path), by_bytes);
}

int cli_paths_move(struct cli_paths *p, const struct cli_paths *sorted, bool has, struct cli_paths *to)
{
    size_t kept = 0;
    int err = 0;

    for (size_t i = 0; i < p->n; i++) {
        char *path = p->path[i];

        if (cli_paths_have(sorted, path) != has) {
            p->path[kept++] = path;
        } else if (!to) {
            free(path);
        } else if (td_room(&to->path, &to->room, to->n + 1, sizeof(*to->path))) {
            p->path[kept++] = path;
            err = -ENOMEM;
        } else {
            to->path[to->n++] = path;
        }
    }
    p->n = kept;
    return err;
}

void cli_paths_free(struct cli_paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->path[i]);
    free(p->path);
    *p = (struct cli_paths){.n = 0};
}
