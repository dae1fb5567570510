/* SPDX-License-Identifier: MIT */
/* Recordings that were made to be slow: each is compared with a harmless one of the same size and form.
 * Callgrind counts their instructions (make check-bombs), which neither the machine nor what else it does
 * changes; without it they are read, and not compared. */
#ifndef SLOW_H
#define SLOW_H

/* What is counted: one reading. The harmless recording comes first, the bomb second. */
void slow_run(void (*read)(void *), void *ctx);

/* The bomb may take so many times the instructions of the harmless one. Appends to the file TD_BOMBS, if it is set. */
void slow_pair(double times);

#endif
