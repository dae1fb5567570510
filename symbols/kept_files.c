/* SPDX-License-Identifier: MIT */
#include "symbols/jit_files.h"

#include "util/made_files.h"
#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct td_kept_files {
    unsigned char *bytes;
    struct kept_file {
        uint32_t pid;
        const char *path; /* path_size bytes; 0: it is a map */
        size_t path_size;
        const unsigned char *at;
        size_t n;
    } * file;
    size_t n, room;
};

/* Takes a number of so many bytes; false: they are not there. */
static bool take(const unsigned char **at, size_t *left, void *out, size_t n)
{
    if (*left < n)
        return false;
    memcpy(out, *at, n);
    *at += n;
    *left -= n;
    return true;
}

/* Takes the next file. *more: there was one. */
static int take_file(struct td_kept_files *k, const unsigned char **at, size_t *left, bool *more)
{
    struct kept_file f = {.pid = 0};
    uint32_t path;
    uint64_t size;

    *more = take(at, left, &f.pid, sizeof(f.pid)) && take(at, left, &path, sizeof(path)) &&
            take(at, left, &size, sizeof(size)) && path <= *left && size <= *left - path;
    if (!*more)
        return 0;
    f.path = (const char *)*at;
    f.path_size = path;
    f.at = *at + path;
    f.n = (size_t)size;
    *at += path + f.n;
    *left -= path + f.n;
    if (td_room(&k->file, &k->room, k->n + 1, sizeof(*k->file)))
        return -ENOMEM;
    k->file[k->n++] = f;
    return 0;
}

int td_kept_files_new(const void *bytes, size_t n, struct td_kept_files **out)
{
    static const char begins[] = TD_KEPT_BEGINS;
    struct td_kept_files *k;
    const unsigned char *at;
    bool more = true;
    int err = 0;

    *out = NULL;
    if (n < sizeof(begins) || memcmp(bytes, begins, sizeof(begins)) != 0)
        return 0;
    k = calloc(1, sizeof(*k));
    if (k)
        k->bytes = malloc(n);
    if (!k || !k->bytes) {
        td_kept_files_free(k);
        return -ENOMEM;
    }
    memcpy(k->bytes, bytes, n);
    at = k->bytes + sizeof(begins);
    n -= sizeof(begins);
    while (more && !err)
        err = take_file(k, &at, &n, &more);
    if (err || !k->n)
        td_kept_files_free(k);
    else
        *out = k;
    return err;
}

void td_kept_files_free(struct td_kept_files *k)
{
    if (!k)
        return;
    free(k->file);
    free(k->bytes);
    free(k);
}

FILE *td_kept_files_open(const struct td_kept_files *k, uint32_t pid, const char *path)
{
    const size_t path_size = path ? strlen(path) : 0;

    for (size_t i = 0; k && i < k->n; i++) {
        const struct kept_file *f = &k->file[i];

        if (f->pid == pid && f->n && f->path_size == path_size && !memcmp(f->path, path ? path : "", path_size))
            return fmemopen((void *)(uintptr_t)f->at, f->n, "r");
    }
    return NULL;
}
