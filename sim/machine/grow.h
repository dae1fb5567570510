/* SPDX-License-Identifier: MIT */
/* Arrays that grow one element at a time. */
#ifndef TD_GROW_H
#define TD_GROW_H

#include <stddef.h>

/* Room for one more element after n, zeroed: the array, which may have moved; NULL: out
 * of memory, and the array is unchanged. Only this may allocate it. */
void *td_sim_grow(void *array, size_t n, size_t size);

#endif
