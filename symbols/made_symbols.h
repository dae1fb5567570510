/* SPDX-License-Identifier: MIT */
/* The functions that a program made while it ran. Code is made where other code was, and moved: which function an
 * address is in depends on when. */
#ifndef TD_MADE_SYMBOLS_H
#define TD_MADE_SYMBOLS_H

#include "symbols/symbols.h"

/* Makes a table, which takes over what is in the list; *out is NULL where the list is empty. -ENOMEM. */
int td_made_symbols_new(struct td_symbol_list *, struct td_made_symbols **out);
/* The function that was at an address at a time: the last one that was made there before, or, where there was none, the
 * first one after, as programs tell of code that runs already. time 0, or a table without times: the last one of all.
 * It is valid as long as the table; NULL: none. */
const struct td_symbol *td_made_symbols_find(const struct td_made_symbols *, uint64_t address, uint64_t time);
/* The function that a child, which was forked at a time, has at an address: the last one that was made there before. At
 * time 0, or in a table without times, that is known only where all that were ever there have one name. */
const struct td_symbol *td_made_symbols_inherited(const struct td_made_symbols *, uint64_t address, uint64_t time);
/* Those of a name (see td_symbol), by their addresses: the first where after is NULL, or the next one. NULL: none. */
const struct td_symbol *td_made_symbols_named(const struct td_made_symbols *, unsigned named,
                                              const struct td_symbol *after);
void td_made_symbols_free(struct td_made_symbols *);

#endif
