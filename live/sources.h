/* SPDX-License-Identifier: MIT */
/* The registry of sources. */
#ifndef TD_SOURCES_H
#define TD_SOURCES_H

#include "live/source.h"

/* Finds a source by name; NULL: there is none. */
const struct td_source *td_source_find(const char *name);

#endif
