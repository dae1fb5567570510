/* SPDX-License-Identifier: MIT */
/* The functions of a program, a library or the running kernel, by file offset or address.
 * A wrong name is worse than none: a file is used only if its build-id is the recorded one. */
#ifndef TD_SYMBOLS_H
#define TD_SYMBOLS_H

#include "include/td_samples.h"

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

/* The functions of the file at path below the folder root ("": of this machine), by their offsets in it; with a build-id also of
 * the file of the same name in the root itself. *out is NULL where there are none to be used, and *how says why. id_size 0: no
 * build-id is known, and any file will do. -ENOMEM. */
int td_symbols_of_file(const char *root, const char *path, const unsigned char *id, size_t id_size, struct td_symbol_table **out, enum td_symbols *how);
/* Those of the kernel, by their addresses, from proc/kallsyms and sys/kernel/notes below root. text: the address that
 * its symbol _text has to have: the kernel may be elsewhere since it was started again. */
int td_symbols_of_kernel(const char *root, const unsigned char *id, size_t id_size, uint64_t text, struct td_symbol_table **out, enum td_symbols *how);
/* Where a module of the kernel was, by a recording. */
struct td_symbol_module {
    const char *path; /* "/lib/modules/.../fs/ext4/ext4.ko", or "[ext4]" */
    const unsigned char *id; /* the build-id of its file */
    size_t id_size;
    uint64_t start, end; /* its first and last address */
};
/* Those of a module, by their addresses: from proc/kallsyms, if that is of the kernel as above, proc/modules says that the module is where it was, and sys/module
 * that it has this build-id; else from its file below root, of which the section that is loaded first, as a rule .text: where the others were is not
 * recorded. -ENOMEM. */
int td_symbols_of_module(const char *root, const struct td_symbol_module *, const unsigned char *id, size_t id_size, uint64_t text, struct td_symbol_table **out,
                         enum td_symbols *how);
/* The second half of it. id_size 0: any file will do. */
int td_symbols_of_module_file(const char *root, const struct td_symbol_module *, struct td_symbol_table **out, enum td_symbols *how);
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
