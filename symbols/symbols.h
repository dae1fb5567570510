/* SPDX-License-Identifier: MIT */
/* The functions of a program, a library or the running kernel, by file offset or address.
 * A wrong name is worse than none: a file is used only if its build-id is the recorded one. */
#ifndef TD_SYMBOLS_H
#define TD_SYMBOLS_H

#include "include/td_samples.h"
#include "symbols/stores.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct td_symbol {
    uint64_t start, end; /* end: behind the last byte */
    const char *name; /* as in the file: td_symbol_name() */
    unsigned rank; /* of several with one start, the one with the greatest is used */
};

struct td_symbol_table;

/* Whether the program was built with what reads symbols. */
bool td_symbols_built(void);

/* The functions of a file, by their offsets in it. *out is NULL where there are none to be used, and *how says why. A
 * file without a build-id may be any one at its path. -ENOMEM. */
int td_symbols_of_file(struct td_stores *, const struct td_recorded_file *, struct td_symbol_table **out,
                       enum td_symbols *how);
/* A kernel of a recording. */
struct td_recorded_kernel {
    const unsigned char *id; /* its build-id */
    size_t id_size; /* 0: not known */
    /* where its symbol _text was: the kernel is elsewhere, as a whole, each time that it is started; 0: not known */
    uint64_t text;
};
/* Its functions, by their addresses, from proc/kallsyms if sys/kernel/notes, both below the root, says that it runs
 * there; else from perf's cache. */
int td_symbols_of_kernel(const struct td_stores *, const struct td_recorded_kernel *, struct td_symbol_table **out,
                         enum td_symbols *how);
/* Where a module of the kernel was, by a recording. */
struct td_symbol_module {
    struct td_recorded_file file; /* "/lib/modules/.../fs/ext4/ext4.ko", or "[ext4]" */
    uint64_t start, end; /* its first and last address */
};
/* Those of a module, by their addresses: from proc/kallsyms, if that is of the kernel as above, proc/modules says that
 * the module is where it was, and sys/module that it has this build-id; else from its file, of which the section that
 * is loaded first, as a rule .text: where the others were is not recorded. -ENOMEM. */
int td_symbols_of_module(struct td_stores *, const struct td_symbol_module *, const struct td_recorded_kernel *,
                         struct td_symbol_table **out, enum td_symbols *how);
/* The second half of it. */
int td_symbols_of_module_file(struct td_stores *, const struct td_symbol_module *, struct td_symbol_table **out,
                              enum td_symbols *how);
void td_symbols_free(struct td_symbol_table *);

/* The function at an offset or address; NULL: none. Valid as long as the table. */
const struct td_symbol *td_symbols_find(const struct td_symbol_table *, uint64_t at);
/* Its name in the source's spelling (C++, Rust, ...), or else as it is; the caller's. NULL: out of memory. */
char *td_symbol_name(const struct td_symbol *);

/* For those who make tables: zeroed to begin with. A copy is made of the name; end 0: up to the next
 * one. -ENOMEM. */
struct td_symbol_list {
    struct td_symbol *symbol;
    size_t n, room;
};
int td_symbol_add(struct td_symbol_list *, const struct td_symbol *);
/* Takes over what is in the list; *out is NULL where that is nothing. -ENOMEM. */
int td_symbols_new(struct td_symbol_list *, struct td_symbol_table **out);
void td_symbol_list_free(struct td_symbol_list *);

#endif
