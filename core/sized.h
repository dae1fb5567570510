/* SPDX-License-Identifier: MIT */
/* Structs of the API that callers allocate: they begin with a size_t, which says how much of them the caller's header
 * has. An older program has less of a struct than this library, a newer one more. */
#ifndef TD_SIZED_H
#define TD_SIZED_H

#include "core/log.h"

/* In all of these log may be NULL: no text; name is the struct's, and known its sizeof here. */

/* What a caller asks for: to gets what given has of it, and zeros. -EINVAL: its size is 0; -E2BIG: beyond known it has
 * a byte that is not 0. */
int td_sized_take(struct td_log *, const char *name, void *to, size_t known, const void *given);
/* Fills what a caller gets: as much of from as to has room for, and zeros beyond known; to keeps its size. -EINVAL:
 * that is 0. */
int td_sized_give(struct td_log *, const char *name, void *to, size_t known, const void *from);
/* Fills it with zeros, likewise. */
int td_sized_clear(struct td_log *, const char *name, void *to);

#endif
