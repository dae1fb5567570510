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
    uint64_t start, end; /* of the kernel and its modules only: the first and last address */
    bool moved; /* a module of which an earlier dso was elsewhere; where its symbols are now is not known */
    bool kernel; /* the kernel, a module of it, or a function below: offsets in it are addresses */
    /* path is the name of one function, which the kernel made while it ran: a BPF program, a trampoline */
    bool function;
    bool file; /* path can be that of a file, unlike "[vdso]" and "//anon" */
    bool made; /* memory without a file, in which a program executes what it has made, as JIT compilers do */
};

struct td_spaces;

/* NULL: out of memory. */
struct td_spaces *td_spaces_new(void);
void td_spaces_free(struct td_spaces *);

/* What a record says is mapped. */
struct td_mapping {
    uint64_t start, size; /* addresses */
    uint64_t offset; /* in the file, of start */
    const char *path;
    size_t path_size;
    const unsigned char *build_id;
    size_t build_id_size;
    uint64_t text; /* see td_dso; td_spaces_map() finds it */
    bool kernel; /* it is in the kernel's space, which all processes share */
    bool function; /* one that the kernel made: see td_dso */
};

/* A file is mapped, in place of what was at these addresses. Mappings beyond TD_MAPS_MAX are left out, as if there were
 * no record of them. Like all that return int here: 0 or -ENOMEM. */
int td_spaces_map(struct td_spaces *, uint32_t pid, const struct td_mapping *);
/* A function that the kernel made is gone; what else is mapped there is there again. */
int td_spaces_unmap_function(struct td_spaces *, uint64_t start, uint64_t size);
/* What a record says of a new process or thread. */
struct td_birth {
    uint32_t pid, parent; /* equal: it is a thread */
    uint32_t tid, parent_tid;
    bool seen; /* it is forked now, rather than there when recording began, when it may have executed a file since */
    uint64_t time; /* ns of CLOCK_MONOTONIC; 0: not known */
};
/* A new process gets its parent's mappings and name; a new thread gets the name of the one that made it. */
int td_spaces_fork(struct td_spaces *, const struct td_birth *);
/* A thread gets a name. exec: because its process executed a file, so that nothing that was mapped is left. */
int td_spaces_name(struct td_spaces *, uint32_t pid, uint32_t tid, const char *name, size_t len, bool exec);
void td_spaces_exit(struct td_spaces *, uint32_t pid, uint32_t tid);
/* A build-id that is recorded apart from the mappings. Every file of that path that has none gets it, also those that
 * are mapped already. */
int td_spaces_build_id(struct td_spaces *, const char *path, size_t len, const unsigned char *id, size_t size);

/* What is mapped at the address; NULL: nothing that is known. *offset gets the address's offset in the file, or in the
 * kernel the address itself. */
const struct td_dso *td_spaces_find(struct td_spaces *, uint32_t pid, bool kernel, uint64_t address, uint64_t *offset);
/* A process that made code which another one may run: that one itself, or one that it was forked from. */
struct td_maker {
    uint32_t pid;
    const struct td_dso *dump; /* the jitdump that it mapped last; NULL: none */
    uint64_t until; /* when its memory was copied, ns of CLOCK_MONOTONIC; 0: not known; UINT64_MAX: it is its own */
};
enum { TD_MAKERS = 9 /* a process, and how many that it was forked from are known */ };
/* Those of a process: itself, then the one that it was seen to be forked from, and so on. They are known by what was
 * there when it was forked, whatever became of them. Returns how many there are. */
size_t td_spaces_makers(struct td_spaces *, uint32_t pid, struct td_maker out[TD_MAKERS]);
/* The dso of the kernel that ran; NULL: not recorded. */
const struct td_dso *td_spaces_kernel(const struct td_spaces *);
/* The name of a thread and its number among all names, from 1; "" and 0 if it is not known. */
const char *td_spaces_comm(struct td_spaces *, uint32_t tid, uint32_t *number);

#endif
