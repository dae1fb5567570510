/* SPDX-License-Identifier: MIT */
/* Where on this machine the files of a recording may be: at their paths, or by their build-ids in perf's cache and on
 * servers. */
#ifndef TD_STORES_H
#define TD_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_STORE_BUILDS = 64, TD_STORE_ID = 64 /* bytes of a build-id; that of a longer one is not kept */ };

/* Which build a file is that was opened here. */
struct td_store_build {
    uint64_t device, inode;
    size_t id_size; /* 0: it has no build-id, or nothing is kept */
    unsigned char id[TD_STORE_ID];
};

struct td_stores {
    const char *root; /* the folder below which paths are: "": this machine's own */
    /* perf's files by build-id: ~/.debug, as perf record fills it and perf archive packs it; NULL: none */
    const char *cache;
    bool servers; /* those of debuginfod that DEBUGINFOD_URLS names are asked */
    bool silent; /* one of these did not answer: they are not asked again */
    /* by inode: a recording of many builds of a file does not open it for each */
    struct td_store_build build[TD_STORE_BUILDS];
};

/* In the order in which they are tried. */
enum td_store {
    TD_STORE_PATH, /* ROOT/PATH */
    TD_STORE_BESIDE, /* ROOT/NAME, with a root and a build-id */
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

/* Opens the file in one of the stores, and writes its path there to name. -1 and errno, ENOENT where the store has none
 * (a device or pipe is none), or ETIMEDOUT where it did not answer. Which file it is, is not looked at. */
int td_store_open(struct td_stores *, enum td_store, const struct td_recorded_file *, char name[TD_STORE_NAME]);
/* Which file that is, of the first store that has one, whatever its path there: the same numbers for the same file.
 * Servers are not asked. false: there is none. */
bool td_store_identify(struct td_stores *, const struct td_recorded_file *, uint64_t out[2]);
/* As td_store_open(), of the separate debug information: below the root's usr/lib/debug/.build-id, in the cache, and on
 * servers. */
int td_store_open_debug(struct td_stores *, const struct td_recorded_file *, char name[TD_STORE_NAME]);
/* The symbols of a kernel as perf kept them when it recorded. */
int td_store_open_kallsyms(const struct td_stores *, const unsigned char *id, size_t id_size, char name[TD_STORE_NAME]);
/* A regular file; paths are a recording's, so that nothing else is touched. -1 and errno. */
int td_store_open_regular(const char *name);

#endif
