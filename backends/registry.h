/* SPDX-License-Identifier: MIT */
/* The backends in order. */
#ifndef TD_REGISTRY_H
#define TD_REGISTRY_H

#include "core/uarch.h"

extern const struct td_backend *const td_backends[]; /* ended by NULL */

const struct td_backend *td_uarch_backend_of(const struct td_uarch *);

#endif
