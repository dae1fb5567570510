/* SPDX-License-Identifier: MIT */
/* Names and hardware ids to rows. */
#ifndef TD_FIND_IDENTITY_H
#define TD_FIND_IDENTITY_H

#include "core/identity.h"

/* By name, alias, hybrid name or id (see td_set_uarch()). -EINVAL: unknown or
 * ambiguous, -EOPNOTSUPP: known to have no top-down events; why says more. */
int td_identity_find(const char *text, struct td_identity *out, char *why, size_t whysize);
/* What td_identity_find() finds just this identity by, with the same flags; out. */
const char *td_identity_text(const struct td_identity *, char *out, size_t size);
/* The next of all: every row that is not part of a hybrid, every hybrid, and every CPU
 * that has but one kind of a hybrid's cores. *row: 0 for the first; it is moved on.
 * false after the last. */
bool td_identity_next(size_t *row, struct td_identity *out);
/* True if both are the same rows, whatever their names. */
bool td_identity_same(const struct td_identity *, const struct td_identity *);
/* Leaves the parts out that are not of the backend (NULL: keeps all); false: none is left. */
bool td_identity_restrict(struct td_identity *, const struct td_backend *);
/* Why there is no formula for the CPUs that an event is of, by its name; NULL: none
 * of those that are known to have none has it. */
const char *td_event_unable(const char *text);

#endif
