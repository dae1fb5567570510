/* SPDX-License-Identifier: MIT */
/* Lines of source that instructions come from, by the DWARF line tables of a program or library, or of its separate
 * debug information. As for symbols, a file is used only if its build-id is the recorded one. */
#ifndef TD_LINES_H
#define TD_LINES_H

#include "symbols/stores.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_LINES_RANGES_MAX = 1 << 21 /* of addresses, in all units of a file; the others have no lines */ };

struct td_lines;

/* Those of a file, found as td_symbols_of_file() finds it. *out is NULL where there are none to be used: then
 * td_symbols_of_file() has the reason, or the file has no line tables. The stores and the file's path have to stay.
 * -ENOMEM. */
int td_lines_of_file(struct td_stores *, const struct td_recorded_file *, struct td_lines **out);
void td_lines_free(struct td_lines *);

/* Texts: until td_lines_free(). */
struct td_line {
    const char *folder; /* that file is in, where it is no path from the root; else NULL */
    const char *file; /* as the compiler was told */
    unsigned line; /* 1 and above */
};
/* The line of the instruction at an offset in the file; of inlined code, its own line, not that of the call. false:
 * none is known. */
bool td_lines_find(struct td_lines *, uint64_t offset, struct td_line *out);
/* The functions that the instruction at an offset was inlined of, the innermost first: their names as in the file
 * (td_symbol_name()), until td_lines_free(). Their number; of more than room only the innermost are given. */
size_t td_lines_inlined(struct td_lines *, uint64_t offset, const char *name[], size_t room);

#endif
