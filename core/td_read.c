/* SPDX-License-Identifier: MIT */
/* The functions of td_read.h out of line, for programs that cannot inline them. */
#include "td_read.h"

extern inline uintptr_t td_thread(void);
extern inline int td_point_try(const struct td_self *self, struct td_point *out);
extern inline int td_point_read(const struct td_self *self, struct td_point *out);
