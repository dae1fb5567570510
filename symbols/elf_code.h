/* SPDX-License-Identifier: MIT */
/* The bytes of a program's code, or of what it made while it ran. */
#ifndef TD_ELF_CODE_H
#define TD_ELF_CODE_H

#include "private/code.h"
#include "symbols/stores.h"
#include "symbols/symbols.h"

#include <stddef.h>
#include <stdint.h>

struct td_elf_code {
    unsigned char *bytes; /* the caller frees them; NULL: there are none */
    size_t n;
    uint64_t address; /* of the first byte, as the file is linked; of what was made, where it was made */
    unsigned machine; /* e_machine of elf(5) */
    int64_t written; /* when the file was written last: s since 1970; 0: not known */
};

/* Reads the bytes from offset start up to end of a file, which is found as td_symbols_of_file() finds it. Where out
 * gets none, *how says why. -ENOMEM. */
int td_elf_code_read(struct td_stores *, const struct td_recorded_file *, uint64_t start, uint64_t end,
                     struct td_elf_code *out, enum td_code_status *how);
/* The same for a function that a process made, and keeps in a jitdump at that path (see td_symbols_of_process()). */
int td_made_code_read(const struct td_stores *, uint32_t pid, const char *dump, const struct td_symbol *,
                      struct td_elf_code *out, enum td_code_status *how);

#endif
