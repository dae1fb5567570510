/* SPDX-License-Identifier: MIT */
/* The scope of a result, for tables of scopes. */
#ifndef STATS_SCOPE_OF_H
#define STATS_SCOPE_OF_H

#include "include/tdprobe.h"
#include "util/scope_table.h"

#include <string.h>

/* Its texts are the result's. */
static inline struct td_scope_id td_scope_of(const struct td_result *r)
{
    const char *name = td_result_scope(r);

    return (struct td_scope_id){
        .kind = td_result_scope_kind(r), .name = name, .core = td_result_core(r), .length = strlen(name)};
}

#endif
