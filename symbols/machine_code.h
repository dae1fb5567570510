/* SPDX-License-Identifier: MIT */
/* A program's code: its bytes, and its instructions as text. */
#ifndef TD_MACHINE_CODE_H
#define TD_MACHINE_CODE_H

#include "private/code.h"
#include "symbols/stores.h"
#include "symbols/symbols.h"

#include <stddef.h>
#include <stdint.h>

/* Of a program, or of what it made while it ran. */
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

struct td_decoded {
    uint64_t address;
    size_t text; /* where its text begins in td_disassembly.text */
};
/* By capstone. */
struct td_disassembly {
    struct td_decoded *at; /* in the order of addresses, without gaps: what is no instruction is ".byte 0x.." */
    size_t n, room;
    char *text;
    size_t used, text_room;
};

/* Decodes the code. Where *out gets nothing, *how says why. -ENOMEM. */
int td_disassemble(const struct td_elf_code *, struct td_disassembly *out, enum td_code_status *how);
void td_disassembly_free(struct td_disassembly *);

#endif
