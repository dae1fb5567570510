/* SPDX-License-Identifier: MIT */
/* The functions of a jitdump file, in which a JIT compiler keeps the code that it made. */
#ifndef TD_JIT_DUMP_H
#define TD_JIT_DUMP_H

#include "symbols/symbols.h"

#include <stdbool.h>
#include <stdio.h>

/* Adds the functions by their addresses. Of a file that is damaged those before the damage are added. -ENOMEM. */
int td_jit_dump_read(FILE *, struct td_symbol_list *);
/* Reads the code of one of the functions, all of its bytes, and which machine's it is: e_machine of elf(5). false: the
 * file does not have it, or not any more. */
bool td_jit_dump_code(FILE *, const struct td_symbol *, unsigned char *bytes, unsigned *machine);

#endif
