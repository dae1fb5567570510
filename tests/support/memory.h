/* SPDX-License-Identifier: MIT */
/* What happens without memory: this program's malloc() and the like, of which one after the other fails. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/* Something that allocates and frees it all again: 0, or the error that it met, -ENOMEM. */
typedef int memory_scenario(void *ctx);
/* Runs a scenario, whose blocks end each where a page begins that may not be touched: what reads beyond one
 * ends the program. Under the address sanitizer, which finds that itself, it only runs. */
void memory_fenced(memory_scenario *, void *ctx);
/* Runs a scenario so, then with its first allocation failing, its second, and so on, until none is left, every step-th
 * where that is enough: it must return -ENOMEM each time, and leave nothing behind. tolerant: some it can do without.
 * Returns how often an allocation failed. */
unsigned long memory_each(memory_scenario *, void *ctx, unsigned long step, bool tolerant);
/* In a scenario: what is allocated between the two does not fail. */
void memory_hold(void);
void memory_go(void);

#endif
