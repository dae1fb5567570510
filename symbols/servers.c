/* SPDX-License-Identifier: MIT */
#include "symbols/stores.h"

#include <errno.h>

#ifdef HAVE_DEBUGINFOD

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The library is loaded when a server is to be asked: linked, it would make each start of the program slower. It stays
 * loaded. */
struct library {
    __typeof__(debuginfod_begin) *begin;
    __typeof__(debuginfod_find_executable) *find_program;
    __typeof__(debuginfod_find_debuginfo) *find_debug;
    __typeof__(debuginfod_end) *end;
};

static bool load(struct library *l)
{
    void *library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);

    if (!library)
        return false;
    l->begin = (__typeof__(l->begin))dlsym(library, "debuginfod_begin");
    l->find_program = (__typeof__(l->find_program))dlsym(library, "debuginfod_find_executable");
    l->find_debug = (__typeof__(l->find_debug))dlsym(library, "debuginfod_find_debuginfo");
    l->end = (__typeof__(l->end))dlsym(library, "debuginfod_end");
    return l->begin && l->find_program && l->find_debug && l->end;
}

const char *td_servers_missing(void)
{
    struct library l;

    return load(&l) ? NULL : "libdebuginfod.so.1 of elfutils is not installed (Debian: libdebuginfod1)";
}

int td_servers_open(enum td_server_file what, const unsigned char *id, size_t id_size, char *name, size_t room)
{
    struct library l;
    debuginfod_client *client = load(&l) ? l.begin() : NULL;
    char *path = NULL;
    int fd;

    errno = ETIMEDOUT;
    if (!client)
        return -1;
    fd = (what == TD_SERVER_PROGRAM ? l.find_program : l.find_debug)(client, id, (int)id_size, &path);
    l.end(client);
    if (fd >= 0)
        snprintf(name, room, "%s", path);
    free(path);
    /* libdebuginfod returns ENOSYS if DEBUGINFOD_URLS is empty */
    errno = fd == -ENOENT || fd == -ENOSYS ? ENOENT : ETIMEDOUT;
    return fd < 0 ? -1 : fd;
}

#else

const char *td_servers_missing(void)
{
    return "this tdprobe was built without libdebuginfod: install libdebuginfod-dev and build it again";
}

int td_servers_open(enum td_server_file what, const unsigned char *id, size_t id_size, char *name, size_t room)
{
    (void)what, (void)id, (void)id_size, (void)name, (void)room;
    errno = ETIMEDOUT;
    return -1;
}

#endif
