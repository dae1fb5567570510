/* SPDX-License-Identifier: MIT */
/* Lines of source that instructions come from, by the DWARF line tables of a program or library, or of its separate
 * debug information. As for symbols, a file is used only if its build-id is the recorded one. */
#ifndef TD_LINES_H
#define TD_LINES_H

#include "symbols/stores.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TD_LINES_RANGES_MAX = 1 << 21 /* most address ranges of a file's units; code in further ones has no lines */ };

struct td_lines;

/* The lines of a file, which is found as td_symbols_of_file() finds it. *out is NULL where there are none:
 * td_symbols_of_file() gives the reason, or the file has no line tables. The stores and the file's path have to stay.
 * -ENOMEM. */
int td_lines_of_file(struct td_stores *, const struct td_recorded_file *, struct td_lines **out);
void td_lines_free(struct td_lines *);

/* Its texts are valid until td_lines_free(). */
struct td_line {
    const char *folder; /* the folder that file is in; NULL: file begins with a slash, or it is not known */
    const char *file; /* as the compiler was told */
    unsigned line; /* from 1 */
};
/* The line of the instruction at an offset in the file; of inlined code, its own line, not that of the call. false:
 * none is known. */
bool td_lines_find(struct td_lines *, uint64_t offset, struct td_line *out);
/* The functions that were inlined where the instruction at an offset is, the innermost first. name gets their names as
 * they are in the file (see td_symbol_name()), valid until td_lines_free(); beyond room the outer ones are left out.
 * Returns how many name has. */
size_t td_lines_inlined(struct td_lines *, uint64_t offset, const char *name[], size_t room);

#endif
