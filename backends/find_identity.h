/* SPDX-License-Identifier: MIT */
/* Finds the rows of a CPU by its name, by the name that it is sold under, or by its hardware id. */
#ifndef TD_FIND_IDENTITY_H
#define TD_FIND_IDENTITY_H

#include "core/identity.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds an identity by the name, alias, hybrid's name or id that text is (see td_set_uarch()). -EINVAL: it is unknown
 * or ambiguous; -EOPNOTSUPP: the CPU is known to have no top-down events; why has the reason. */
int td_identity_find(const char *text, struct td_identity *out, char *why, size_t whysize);
/* A text by which td_identity_find() finds exactly this identity, with the same flags; returns out. */
const char *td_identity_text(const struct td_identity *, char *out, size_t size);
/* Gives all identities one after the other: every row that is not part of a hybrid, every hybrid, and every CPU that
 * has only one kind of a hybrid's cores; but no rows without an id, which are only found by name. *row is 0 before the
 * first, and is moved on. false: there is no other. */
bool td_identity_next(size_t *row, struct td_identity *out);
/* True if both are the same rows, whatever their names. */
bool td_identity_same(const struct td_identity *, const struct td_identity *);
/* Drops the parts that are not of the backend (NULL: keeps all); false: none is left. */
bool td_identity_restrict(struct td_identity *, const struct td_backend *);
/* Why there is no formula for the CPUs that have an event, by its name; NULL: no CPU
 * that is known to have no formula has it. */
const char *td_event_unable(const char *text);

/* What a CPU is sold as: from a text such as "Intel(R) Xeon(R) Platinum 8480+", "AMD EPYC 9654 96-Core Processor",
 * "Neoverse-V2", or lscpu's "Vendor ID: GenuineIntel CPU family: 6 Model: 143", makes the name of a row or an id that
 * td_identity_find() takes. false: it is no CPU that is known. */
bool td_cpu_sold_as(const char *text, char *name, size_t size);

#endif
