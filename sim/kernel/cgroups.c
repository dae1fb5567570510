/* SPDX-License-Identifier: MIT */
#include "sim/kernel/cgroups.h"

#include "sim/kernel/kernel.h"
#include "sim/machine/grow.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of a path, or -1. */
static long number_of(const struct td_sim_cgroups *c, const char *path)
{
    long i = c->n ? td_hash_first(&c->index, td_hash(&c->index, path, strlen(path))) : -1;

    while (i >= 0 && strcmp(c->path[i], path) != 0)
        i = td_hash_next(&c->index, i);
    return i;
}

int td_sim_cgroup_add(struct td_sim_cgroups *c, const char *path)
{
    char **more;
    bool *absent;
    unsigned *made;

    if (number_of(c, path) >= 0)
        return -EEXIST;
    if (td_hash_room(&c->index))
        return -ENOMEM;
    more = td_sim_grow(c->path, c->n, sizeof(*more));
    if (!more)
        return -ENOMEM;
    c->path = more;
    absent = td_sim_grow(c->absent, c->n, sizeof(*absent));
    if (!absent)
        return -ENOMEM;
    c->absent = absent;
    made = td_sim_grow(c->made, c->n, sizeof(*made));
    if (!made)
        return -ENOMEM;
    c->made = made;
    made[c->n] = 0;
    absent[c->n] = false;
    more[c->n] = strdup(path);
    if (!more[c->n])
        return -ENOMEM;
    td_hash_add(&c->index, td_hash(&c->index, path, strlen(path)));
    c->n++;
    return 0;
}

void td_sim_cgroup_be(struct td_sim *s, size_t cgroup, bool there)
{
    s->cgroups.absent[cgroup] = !there;
    s->cgroups.made[cgroup] += there;
    s->sysfs.tasks_stale = true;
}

bool td_sim_cgroup_has(const struct td_sim_cgroups *c, size_t outer, size_t inner)
{
    const size_t len = strlen(c->path[outer]);
    const char *path = c->path[inner];

    return !len || (!strncmp(c->path[outer], path, len) && (!path[len] || path[len] == '/'));
}

void td_sim_cgroups_free(struct td_sim_cgroups *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->path[i]);
    free(c->path);
    free(c->absent);
    free(c->made);
    td_hash_index_free(&c->index);
    *c = (struct td_sim_cgroups){0};
}

/* Writes where a walk along the path ends: the path without "//", "." and "..". */
static void walk(const char *path, char end[PATH_MAX])
{
    size_t len = 0;

    for (size_t n; *path; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        if (!n || (n == 1 && *path == '.'))
            continue;
        if (n == 2 && !strncmp(path, "..", n))
            while (len && end[--len] != '/')
                ;
        else
            len += (size_t)snprintf(end + len, PATH_MAX - len, "/%.*s", (int)n, path);
    }
    end[len] = '\0';
}

/* The cgroup of a path that is there, or -errno. */
static int find(const struct td_sim_cgroups *c, const char *name)
{
    static const char root[] = "/sys/fs/cgroup";
    char end[PATH_MAX];
    const char *path = end;
    long i;

    if (strlen(name) >= PATH_MAX)
        return -ENAMETOOLONG;
    walk(name, end);
    if (strncmp(path, root, strlen(root)) || (path[strlen(root)] && path[strlen(root)] != '/'))
        return -ENOENT;
    path += strlen(root);
    path += *path == '/';
    i = number_of(c, path);
    return i < 0 || c->absent[i] ? -ENOENT : (int)i;
}

int td_sim_os_folder(void *ctx, const char *name)
{
    struct td_sim *s = ctx;
    const int cgroup = find(&s->cgroups, name);

    return cgroup < 0
               ? cgroup
               : td_sim_fd_open(&s->fds, &(struct td_sim_fd){.what = TD_SIM_FD_CGROUP, .number = (size_t)cgroup});
}

int td_sim_os_identity(void *ctx, const char *name, uint64_t *out)
{
    const struct td_sim *s = ctx;
    const int cgroup = find(&s->cgroups, name);

    if (cgroup < 0)
        return cgroup;
    *out = ((uint64_t)s->cgroups.made[cgroup] << 32) + (uint64_t)cgroup + 1;
    return 0;
}
