/* SPDX-License-Identifier: MIT */
/* Address spaces: which file is mapped at an address of a process, and what its threads are called. */
#ifndef TD_SPACES_H
#define TD_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_BUILD_ID_MAX = 20, TD_MAPS_MAX = 1 << 21 /* in all processes */, TD_THREADS_KEPT = 1 << 20 };

/* A program, a library or the kernel, as one recording maps it. */
struct td_dso {
    char *path; /* safe to print */
    unsigned char build_id[TD_BUILD_ID_MAX];
    size_t build_id_size; /* 0: not recorded */
    uint32_t number; /* from 0 */
    uint64_t text; /* address of the kernel's symbol _text; 0: not recorded, or not the kernel */
    uint64_t start, end; /* of the kernel and its modules: the first and last address */
    bool moved; /* a module that was loaded again, at any other address than first: symbols do not tell where */
    bool kernel; /* or a module of it, or a function: offsets in it are addresses */
    /* path is the name of one function, which the kernel made while it ran: a BPF program, a trampoline */
    bool function;
    bool file; /* path can be one: no "[vdso]", no "//anon" */
};

struct td_spaces;

/* NULL: out of memory. */
struct td_spaces *td_spaces_new(void);
void td_spaces_free(struct td_spaces *);

/* What a record says is mapped. */
struct td_mapping {
    uint64_t start, size, offset; /* addresses, and the offset in the file */
    const char *path;
    size_t path_size;
    const unsigned char *build_id;
    size_t build_id_size;
    uint64_t text; /* see td_dso; td_spaces_map() finds it */
    bool kernel; /* into the kernel's addresses, whatever the process */
    bool function; /* of the kernel: see td_dso */
};

/* Each returns 0 or -ENOMEM. What was mapped at the same addresses before is gone. Mappings
 * beyond TD_MAPS_MAX are left out, as if there were no record of them. */
int td_spaces_map(struct td_spaces *, uint32_t pid, const struct td_mapping *);
/* A function that the kernel made is gone; what else is mapped there is there again. */
int td_spaces_unmap_function(struct td_spaces *, uint64_t start, uint64_t size);
/* A new process has its parent's mappings and name, a new thread the name. */
int td_spaces_fork(struct td_spaces *, uint32_t pid, uint32_t parent, uint32_t tid, uint32_t parent_tid);
/* exec: the process has executed a file, and nothing that was mapped is left. */
int td_spaces_name(struct td_spaces *, uint32_t pid, uint32_t tid, const char *name, size_t len, bool exec);
void td_spaces_exit(struct td_spaces *, uint32_t pid, uint32_t tid);
/* A build-id that is recorded apart from the mappings, for every file of that path that has none; also for those
 * that are mapped already. */
int td_spaces_build_id(struct td_spaces *, const char *path, size_t len, const unsigned char *id, size_t size);

/* What is mapped at the address; NULL: nothing that is known. *offset: in the file; in the kernel the address. */
const struct td_dso *td_spaces_find(struct td_spaces *, uint32_t pid, bool kernel, uint64_t address, uint64_t *offset);
/* The kernel that ran; NULL: not recorded. */
const struct td_dso *td_spaces_kernel(const struct td_spaces *);
/* The name of a thread and its number among all names, from 1; "" and 0 if it is not known. */
const char *td_spaces_comm(struct td_spaces *, uint32_t tid, uint32_t *number);

#endif
