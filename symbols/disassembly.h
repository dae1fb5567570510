/* SPDX-License-Identifier: MIT */
/* Instructions as text, by capstone. */
#ifndef TD_DISASSEMBLY_H
#define TD_DISASSEMBLY_H

#include "symbols/elf_code.h"

struct td_decoded {
    uint64_t address;
    size_t text; /* where its text begins in td_disassembly.text */
};
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
