/* SPDX-License-Identifier: MIT */
/* The code of a function that samples hit, with the text of its instructions and of its source. */
#ifndef TD_CODE_OF_H
#define TD_CODE_OF_H

#include "private/code.h"
#include "samples/lines_of.h"
#include "symbols/made_symbols.h"

/* The code of a dso from offset start up to end; both are equal where the function's ends are not known. The names of
 * files in it belong to the td_lines_of, which has to stay. -ENOMEM. */
int td_code_of(const struct td_dso *, uint64_t start, uint64_t end, struct td_stores *, struct td_lines_of *,
               struct td_code **out);
/* The code of what a process made under one name while it ran, every time that it did, from its jitdump; dump NULL: it
 * has none. -ENOMEM. */
int td_code_of_made(const struct td_dso *, const struct td_made_symbols *, unsigned named, uint32_t pid,
                    const char *dump, const struct td_stores *, struct td_code **out);

#endif
