/* SPDX-License-Identifier: MIT */
/* Where on this machine the files of a recording may be: at their paths, or by their build-ids in perf's cache and on
 * the debuginfod servers that the variable DEBUGINFOD_URLS names, by libdebuginfod of elfutils, which keeps them in a
 * cache of its own (debuginfod_find_debuginfo(3)). */
#ifndef TD_STORES_H
#define TD_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_kept_files;

enum {
    TD_STORE_BUILDS = 64, /* how many files' builds are kept */
    TD_STORE_ID = 64, /* bytes of a build-id; a longer one is not kept */
};

/* The build-id of a file that was opened here. */
struct td_store_build {
    uint64_t device, inode;
    size_t id_size; /* 0: it has no build-id, or nothing is kept */
    unsigned char id[TD_STORE_ID];
};

struct td_stores {
    const char *root; /* the folder below which recorded paths are; "": this machine's own root */
    /* perf's cache of files by build-id: ~/.debug, which perf record fills and perf archive packs; NULL: none */
    const char *cache;
    const char *kallsyms; /* a copy of the recorded kernel's /proc/kallsyms, whatever its build; NULL: none */
    const struct td_kept_files *kept; /* the recording's copies of files that name what processes made; NULL: none */
    bool servers; /* debuginfod servers that DEBUGINFOD_URLS names are asked */
    bool silent; /* a server did not answer: none is asked again */
    /* by inode: if a recording has many builds of a file, this one is not opened again for each */
    struct td_store_build build[TD_STORE_BUILDS];
};

/* In the order in which they are tried. */
enum td_store {
    TD_STORE_PATH, /* ROOT/PATH */
    TD_STORE_BESIDE, /* ROOT/NAME, only with a root and a build-id */
    TD_STORE_CACHE, /* CACHE/.build-id/ab/cdef.../elf, or vdso */
    TD_STORE_SERVERS,
    TD_STORES,
};

/* What is known of a file from the recording. */
struct td_recorded_file {
    const char *path; /* begins with a slash */
    const unsigned char *id; /* its build-id */
    size_t id_size; /* 0: not known */
};

enum { TD_STORE_NAME = 8192 };

/* Opens the file in one of the stores, and writes its path there to name. Does not check its build-id. -1 and errno:
 * ENOENT: the store has no such regular file; ETIMEDOUT: a server did not answer. */
int td_store_open(struct td_stores *, enum td_store, const struct td_recorded_file *, char name[TD_STORE_NAME]);
/* Two numbers that are the same for the same file, whatever its paths: those of the file in the first store that has
 * it. Servers are not asked. false: no store has it. */
bool td_store_identify(struct td_stores *, const struct td_recorded_file *, uint64_t out[2]);
/* Like td_store_open(), for the file's separate debug information, which is looked for by build-id below the root's
 * usr/lib/debug, in the cache and on servers. */
int td_store_open_debug(struct td_stores *, const struct td_recorded_file *, char name[TD_STORE_NAME]);
/* Opens the kallsyms of a kernel that perf kept in its cache when it recorded. */
int td_store_open_kallsyms(const struct td_stores *, const unsigned char *id, size_t id_size, char name[TD_STORE_NAME]);
/* Opens a regular file. Paths come from a recording, so devices and pipes are left alone. -1 and errno. */
int td_store_open_regular(const char *name);
/* Opens the regular file FOLDER followed by PATH, and writes that to name. */
int td_store_open_below(const char *folder, const char *path, char name[TD_STORE_NAME]);

enum td_server_file { TD_SERVER_PROGRAM, TD_SERVER_DEBUG /* its separate debug information */ };

/* Why servers cannot be asked, and what to do about it; NULL: they can. */
const char *td_servers_missing(void);
/* A descriptor of the file, whose path in the cache name gets. -1 and errno: ENOENT: no server has it; ETIMEDOUT: one
 * did not answer. */
int td_servers_open(enum td_server_file, const unsigned char *id, size_t id_size, char *name, size_t room);

#endif
