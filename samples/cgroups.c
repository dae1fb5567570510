/* SPDX-License-Identifier: MIT */
#include "samples/cgroups.h"

#include "util/hash_index.h"
#include "util/room.h"
#include "util/text_clean.h"

struct td_cgroups {
    struct cgroup {
        uint64_t id;
        char *path;
        uint32_t number;
    } * cgroup;
    size_t n, room;
    uint32_t names; /* how many paths were given so far, which numbers them */
    struct td_hash_index hashes;
};

/* NULL: not known. */
static struct cgroup *find(const struct td_cgroups *c, uint64_t id)
{
    long at = c->n ? td_hash_first(&c->hashes, td_hash(&c->hashes, &id, sizeof(id))) : -1;

    while (at >= 0 && c->cgroup[at].id != id)
        at = td_hash_next(&c->hashes, at);
    return at < 0 ? NULL : &c->cgroup[at];
}

/* NULL: out of memory. */
static struct cgroup *add(struct td_cgroups *c, uint64_t id)
{
    if (td_hash_room(&c->hashes) || td_room(&c->cgroup, &c->room, c->n + 1, sizeof(*c->cgroup)))
        return NULL;
    td_hash_add(&c->hashes, td_hash(&c->hashes, &id, sizeof(id)));
    c->cgroup[c->n] = (struct cgroup){.id = id};
    return &c->cgroup[c->n++];
}

int td_cgroups_name(struct td_cgroups *c, uint64_t id, const char *path, size_t len)
{
    struct cgroup *g = find(c, id);
    char *copy = td_text_copy(path, len);

    if (copy && g && !strcmp(g->path, copy)) {
        free(copy);
        return 0;
    }
    g = g || !copy ? g : add(c, id);
    if (!copy || !g) {
        free(copy);
        return -ENOMEM;
    }
    free(g->path);
    g->path = copy;
    g->number = ++c->names;
    return 0;
}

const char *td_cgroups_find(const struct td_cgroups *c, uint64_t id, uint32_t *number)
{
    const struct cgroup *g = find(c, id);

    *number = g ? g->number : 0;
    return g ? g->path : NULL;
}

struct td_cgroups *td_cgroups_new(void)
{
    return calloc(1, sizeof(struct td_cgroups));
}

void td_cgroups_free(struct td_cgroups *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++)
        free(c->cgroup[i].path);
    free(c->cgroup);
    td_hash_index_free(&c->hashes);
    free(c);
}
