/* SPDX-License-Identifier: MIT */
#include "symbols/stores.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_MAX = 64 };

int td_store_open_regular(const char *name)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s;

    if (fd >= 0 && (fstat(fd, &s) || !S_ISREG(s.st_mode))) {
        close(fd);
        errno = ENOENT;
        return -1;
    }
    return fd;
}

int td_store_open_below(const char *folder, const char *path, char name[TD_STORE_NAME])
{
    if (snprintf(name, TD_STORE_NAME, "%s%s", folder, path) < TD_STORE_NAME)
        return td_store_open_regular(name);
    errno = ENAMETOOLONG;
    return -1;
}

/* Opens FOLDER/.build-id/ab/cdef...REST, where abcdef... is the build-id. */
static int open_by_id(const char *folder, const unsigned char *id, size_t id_size, const char *rest,
                      char name[TD_STORE_NAME])
{
    char path[sizeof("/.build-id/") + 2 * ID_MAX + 16];
    size_t used = sizeof("/.build-id/") - 1;

    errno = ENOENT;
    if (id_size < 2 || id_size > ID_MAX)
        return -1;
    memcpy(path, "/.build-id/", used);
    for (size_t i = 0; i < id_size; i++)
        used += (size_t)snprintf(path + used, 4, i ? "%02x" : "%02x/", (unsigned)id[i]);
    snprintf(path + used, sizeof(path) - used, "%s", rest);
    return td_store_open_below(folder, path, name);
}

static int open_in_cache(const struct td_stores *s, const unsigned char *id, size_t id_size, const char *const kind[],
                         char name[TD_STORE_NAME])
{
    int fd = -1;

    errno = ENOENT;
    for (size_t i = 0; s->cache && kind[i] && fd < 0; i++)
        fd = open_by_id(s->cache, id, id_size, kind[i], name);
    return fd;
}

/* In perf's cache, a folder for each build-id has these files (tools/perf/util/build-id.c of Linux). */
static const char *const programs[] = {"/elf", "/vdso", NULL};
static const char *const debug[] = {"/debug", NULL};
static const char *const kallsyms[] = {"/kallsyms", NULL};

static int open_on_servers(struct td_stores *s, const struct td_recorded_file *f, enum td_server_file what,
                           char name[TD_STORE_NAME])
{
    int fd;

    errno = s->silent ? ETIMEDOUT : ENOENT;
    if (!s->servers || s->silent || !f->id_size)
        return -1;
    fd = td_servers_open(what, f->id, f->id_size, name, TD_STORE_NAME);
    s->silent = fd < 0 && errno != ENOENT;
    return fd;
}

/* If there is a root and a build-id: opens the file of that name in the root folder itself, wherever it was
 * recorded. */
static int open_beside(const struct td_stores *s, const struct td_recorded_file *f, char name[TD_STORE_NAME])
{
    const char *last = strrchr(f->path, '/');

    errno = ENOENT;
    return *s->root && f->id_size && last && last != f->path ? td_store_open_below(s->root, last, name) : -1;
}

int td_store_open(struct td_stores *s, enum td_store store, const struct td_recorded_file *f, char name[TD_STORE_NAME])
{
    switch (store) {
    case TD_STORE_PATH: return td_store_open_below(s->root, f->path, name);
    case TD_STORE_BESIDE: return open_beside(s, f, name);
    case TD_STORE_CACHE: return open_in_cache(s, f->id, f->id_size, programs, name);
    default: return open_on_servers(s, f, TD_SERVER_PROGRAM, name);
    }
}

bool td_store_identify(struct td_stores *s, const struct td_recorded_file *f, uint64_t out[2])
{
    char name[TD_STORE_NAME];
    struct stat found;
    bool known = false;

    for (enum td_store store = 0; store < TD_STORE_SERVERS && !known; store++) {
        const int fd = td_store_open(s, store, f, name);

        known = fd >= 0 && !fstat(fd, &found);
        if (fd >= 0)
            close(fd);
    }
    if (known) {
        out[0] = (uint64_t)found.st_dev;
        out[1] = (uint64_t)found.st_ino;
    }
    return known;
}

int td_store_open_debug(struct td_stores *s, const struct td_recorded_file *f, char name[TD_STORE_NAME])
{
    char folder[TD_STORE_NAME];
    int fd = -1;

    if (snprintf(folder, sizeof(folder), "%s/usr/lib/debug", s->root) < (int)sizeof(folder))
        fd = open_by_id(folder, f->id, f->id_size, ".debug", name);
    if (fd < 0)
        fd = open_in_cache(s, f->id, f->id_size, debug, name);
    return fd < 0 ? open_on_servers(s, f, TD_SERVER_DEBUG, name) : fd;
}

int td_store_open_kallsyms(const struct td_stores *s, const unsigned char *id, size_t id_size, char name[TD_STORE_NAME])
{
    return open_in_cache(s, id, id_size, kallsyms, name);
}
