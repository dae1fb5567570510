/* SPDX-License-Identifier: MIT */
/* What kernels prepare, and the kernels by files. */
#ifndef KERNELS_DATA_H
#define KERNELS_DATA_H

#include "kernels/kernels.h"

struct td_kernel_data {
    void *at; /* memory that is mapped for it; NULL: none */
    size_t size;
    void *next; /* where a chase goes on */
    uint64_t random; /* where random numbers go on */
};

/* Maps memory. 0 or -errno, with the reason. */
int td_kernel_map(struct td_kernel_data *, size_t size, char why[TD_KERNEL_WHY]);
/* A number from 0 to n - 1, n above 0; they look random, and are the same each time. */
uint64_t td_kernel_random(uint64_t *state, uint64_t n);

extern const struct td_kernel td_kernel_adds, td_kernel_chain, td_kernel_divider; /* arithmetic.c */
extern const struct td_kernel td_kernel_branches; /* branches.c */
extern const struct td_kernel td_kernel_icache; /* icache.c */
extern const struct td_kernel td_kernel_chase_l1, td_kernel_chase_memory, td_kernel_dtlb; /* chase.c */

#endif
