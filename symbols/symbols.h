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
    uint64_t start, end; /* end: after the last byte */
    const char *name; /* as in the file; td_symbol_name() makes it readable */
    unsigned rank; /* of several symbols with one start, the one of the highest rank is used */
    /* of one that a program made, see made_symbols.h */
    unsigned function; /* its number: the same wherever it was moved */
    unsigned named; /* in a table of them: the same for all that have its name */
    uint64_t since; /* when it was there, ns of CLOCK_MONOTONIC; 0: not known */
    uint64_t code; /* where its code is in the jitdump, bytes; 0: in none */
};

struct td_symbol_table;
struct td_made_symbols;

/* Whether the program was built with the library that reads symbols. */
bool td_symbols_built(void);

/* The functions of a file, by their offsets in it. *out is NULL where there are none to be used, and *how says why. If
 * no build-id was recorded, the file at the path is used whatever its build. -ENOMEM. */
int td_symbols_of_file(struct td_stores *, const struct td_recorded_file *, struct td_symbol_table **out,
                       enum td_symbols *how);
/* A kernel that was recorded. */
struct td_recorded_kernel {
    const unsigned char *id; /* its build-id */
    size_t id_size; /* 0: not known */
    /* the address of its symbol _text, which tells where this start of the kernel was; 0: not known */
    uint64_t text;
};
/* The kernel's functions, by their addresses: from proc/kallsyms below the root, if sys/kernel/notes there has its
 * build-id; else from perf's cache. */
int td_symbols_of_kernel(const struct td_stores *, const struct td_recorded_kernel *, struct td_symbol_table **out,
                         enum td_symbols *how);
/* A module of the kernel, and where it was when it was recorded. */
struct td_symbol_module {
    struct td_recorded_file file; /* "/lib/modules/.../fs/ext4/ext4.ko", or "[ext4]" */
    uint64_t start, end; /* its first and last address */
};
/* A module's functions, by their addresses. They come from proc/kallsyms if that is of the recorded kernel,
 * proc/modules has the module where it was, and sys/module has its build-id; else from td_symbols_of_module_file().
 * -ENOMEM. */
int td_symbols_of_module(struct td_stores *, const struct td_symbol_module *, const struct td_recorded_kernel *,
                         struct td_symbol_table **out, enum td_symbols *how);
/* The functions of a module from its file, but only those in the section that is loaded first, which as a rule is
 * .text: where the other sections were is not recorded. -ENOMEM. */
int td_symbols_of_module_file(struct td_stores *, const struct td_symbol_module *, struct td_symbol_table **out,
                              enum td_symbols *how);
/* The functions that a process made while it ran, by their addresses, from its map, tmp/perf-PID.map below the root, or
 * from a jitdump that it mapped; from the recording's copy, if it has one. dump: its path, or NULL for the map. *out is
 * NULL where there are none, and *how says why: TD_SYMBOLS_NO_MAP, or TD_SYMBOLS_DENIED for a file of another user.
 * -ENOMEM. */
int td_symbols_of_process(const struct td_stores *, uint32_t pid, const char *dump, struct td_made_symbols **out,
                          enum td_symbols *how);
void td_symbols_free(struct td_symbol_table *);

/* The function that an offset or address is in, valid as long as the table; NULL: none. */
const struct td_symbol *td_symbols_find(const struct td_symbol_table *, uint64_t at);
/* The symbol's name in the source's spelling where it is one of C++ or Rust, else as it is; the caller's. NULL: out of
 * memory. */
char *td_symbol_name(const struct td_symbol *);

/* What tables are made of; zeroed to begin with. td_symbol_add() copies the name; a symbol whose end is 0 ends where
 * the next one starts. -ENOMEM. */
struct td_symbol_list {
    struct td_symbol *symbol;
    size_t n, room;
};
int td_symbol_add(struct td_symbol_list *, const struct td_symbol *);
/* Makes a table, which takes over what is in the list; *out is NULL where the list is empty. -ENOMEM. */
int td_symbols_new(struct td_symbol_list *, struct td_symbol_table **out);
void td_symbol_list_free(struct td_symbol_list *);

#endif
