/* SPDX-License-Identifier: MIT */
/* The files in which programs name the code that they make while they run, and the copies of them that a recording
 * keeps (util/made_files.h). */
#ifndef TD_JIT_FILES_H
#define TD_JIT_FILES_H

#include "symbols/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct td_kept_files;

/* Adds the functions of a perf-PID.map by their addresses. It has a line "START SIZE NAME" for each, both in
 * hexadecimal (Linux tools/perf/Documentation/jit-interface.txt). What is no such line is left out. -ENOMEM. */
int td_perf_map_read(FILE *, struct td_symbol_list *);

/* Adds the functions of a jitdump, which keeps their code too, by their addresses. Of a file that is damaged those
 * before the damage are added. -ENOMEM. */
int td_jit_dump_read(FILE *, struct td_symbol_list *);
/* Reads the code of one of the functions, all of its bytes, and which machine's it is: e_machine of elf(5). false: the
 * file does not have it, or not any more. */
bool td_jit_dump_code(FILE *, const struct td_symbol *, unsigned char *bytes, unsigned *machine);

/* Takes a copy of the bytes of the feature apart. What does not fit into them is left out; *out is NULL where that is
 * all. -ENOMEM. */
int td_kept_files_new(const void *bytes, size_t n, struct td_kept_files **out);
void td_kept_files_free(struct td_kept_files *);
/* Opens a process's jitdump at a path, or its map where path is NULL. NULL: the recording has none. */
FILE *td_kept_files_open(const struct td_kept_files *, uint32_t pid, const char *path);

#endif
