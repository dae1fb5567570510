/* SPDX-License-Identifier: MIT */
/* The inline functions of td_read.h and td_regions.h, out of line for programs that cannot inline them. */
#include "include/td_regions.h"

extern inline uintptr_t td__thread(void);
extern inline int td__point_try(const struct td_self *self, struct td_point *out);
extern inline int td_point_read(const struct td_self *self, struct td_point *out);
extern inline int td_region_begin(struct td *td, int region);
extern inline int td_region_end(struct td *td, int region);
