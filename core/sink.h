/* SPDX-License-Identifier: MIT */
/* Where readings go as they are taken, besides the intervals that are made of them:
 * whoever reads counters calls the sink, and the session writes a trace. */
#ifndef TD_SINK_H
#define TD_SINK_H

#include "core/counts/counts.h"
#include "core/counts/scope_kind.h"

/* None of these can fail: the sink's errors are reported when it is flushed. */
struct td_sink {
    /* A line of the header of a trace that is read; key NULL: it is complete. Other
     * streams have no header, and the session writes one. */
    void (*header)(void *ctx, const char *key, const char *value);
    /* What follows for the scope counts from zero, since the snapshot's time. */
    void (*start)(void *ctx, const char *scope, enum td_scope_kind, char core, const struct td_snap *);
    /* One reading of a scope; begins: no interval leads to it. */
    void (*reading)(void *ctx, const char *scope, enum td_scope_kind, char core, const struct td_snap *, bool begins);
    void *ctx;
};

#endif
