/* SPDX-License-Identifier: MIT */
#include "samples/same_files.h"

#include "util/room.h"

/* Compared and hashed byte by byte, so it must have no padding. */
struct file_key {
    /* td_store_identify()'s numbers; zeroes: no store here has the file, but a server may, by its build-id */
    uint64_t file[2];
    uint32_t id_size;
    unsigned char id[TD_BUILD_ID_MAX];
};

struct td_file_found {
    struct file_key key;
    uint32_t first; /* number of a dso */
};

struct td_recorded_file td_dso_file(const struct td_dso *d)
{
    return (struct td_recorded_file){d->path, d->build_id, d->build_id_size};
}

bool td_dso_is_certain(const struct td_stores *s, const struct td_dso *d)
{
    return d->build_id_size || *s->root;
}

/* *first gets the number of the first dso with that key, which is this one if there was none. -ENOMEM. */
static int first_of(struct td_same_files *s, const struct file_key *key, uint32_t number, uint32_t *first)
{
    uint32_t hash;
    long at;

    if (td_hash_room(&s->hashes) || td_room(&s->found, &s->room, s->n + 1, sizeof(*s->found)))
        return -ENOMEM;
    hash = td_hash(&s->hashes, key, sizeof(*key));
    at = td_hash_first(&s->hashes, hash);
    while (at >= 0 && memcmp(&s->found[at].key, key, sizeof(*key)))
        at = td_hash_next(&s->hashes, at);
    *first = at < 0 ? number : s->found[at].first;
    if (at >= 0)
        return 0;
    td_hash_add(&s->hashes, hash);
    s->found[s->n++] = (struct td_file_found){*key, number};
    return 0;
}

static int look(struct td_same_files *s, struct td_stores *stores, const struct td_dso *d, uint32_t *first)
{
    const struct td_recorded_file file = td_dso_file(d);
    struct file_key key = {.id_size = (uint32_t)d->build_id_size};

    *first = d->number;
    memcpy(key.id, d->build_id, d->build_id_size);
    if (!d->file || d->kernel || (!td_store_identify(stores, &file, key.file) && !d->build_id_size))
        return 0;
    return first_of(s, &key, d->number, first);
}

int td_same_files_first(struct td_same_files *s, struct td_stores *stores, const struct td_dso *d, uint32_t *number)
{
    int err;

    if (td_room_zeroed(&s->first, &s->dsos, d->number + 1, sizeof(*s->first)))
        return -ENOMEM;
    if (!s->first[d->number]) {
        err = look(s, stores, d, number);
        if (err)
            return err;
        s->first[d->number] = *number + 1;
    }
    *number = s->first[d->number] - 1;
    return 0;
}

void td_same_files_free(struct td_same_files *s)
{
    free(s->found);
    free(s->first);
    td_hash_index_free(&s->hashes);
}
