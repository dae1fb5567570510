/* SPDX-License-Identifier: MIT */
/* Which event of a CPU's row a text means. */
#ifndef TD_EVENT_MATCH_H
#define TD_EVENT_MATCH_H

#include "core/uarch.h"

/* Which event of the row a text means, or -1: names in either case, aliases,
 * raw encodings ("cpu/event=0x9c,umask=0x1/", "r19c"), a name with further
 * terms ("cpu/NAME,cmask=0x1/"), modifiers (":u"). */
int td_event_match(const struct td_uarch *, const char *text);
/* Whether any row has an event of that name, whatever PMU and modifiers are around it ("cpu_core/topdown-retiring/",
 * "slots:u"); also true for an encoding of a core's PMU. */
bool td_event_known(const char *name, size_t len);

#endif
