/* SPDX-License-Identifier: MIT */
/* What all formats print about a metric besides its numbers: its status and its flags. */
#ifndef REPORT_FLAGS_H
#define REPORT_FLAGS_H

#include "include/tdprobe.h"

enum { TD_STATUS_TEXT = 256 };
/* A status as text, such as "missing_event:NAME"; in buf where that is needed. */
const char *td_status_text(const struct td_metric *, char buf[TD_STATUS_TEXT]);

/* Whether no event was counted, for whatever reason. */
bool td_none_counted(const struct td_result *);
/* Whether nothing ran in the scope: its events were never enabled, as those of a cgroup without a running task. */
bool td_never_ran(const struct td_result *);
/* The status in the words of text: "idle" where no slot passed or nothing ran. */
const char *td_status_said(const struct td_result *, const struct td_metric *, char buf[TD_STATUS_TEXT]);

/* Gets a flag's name, and what it is about or NULL: "correction_missing" is about an event. */
typedef void td_flag_fn(void *ctx, const char *flag, const char *about);
/* Calls each for every flag of a result (m: NULL), or of a metric: its own and those that
 * are about the whole result. "correction_missing" is passed once for each event, "latency_assumed" for each table. */
void td_flags_each(const struct td_result *, const struct td_metric *m, td_flag_fn *each, void *ctx);
/* Calls each for these flags of a result; corrections and latencies are bits as in td_metric. */
void td_flags_each_of(const struct td_result *, unsigned flags, unsigned corrections, unsigned latencies,
                      td_flag_fn *each, void *ctx);
/* Those flags of a result that apply to all of it. */
unsigned td_flags_of_whole(const struct td_result *);

enum td_mark {
    TD_MARK_LIKELY = 1 << 0, /* "~": bounds are likely, or a verdict is by likely bounds */
    TD_MARK_UNBOUNDED = 1 << 1, /* "no bounds", "24.2?": a value has no bounds */
    TD_MARK_LIMITS = 1 << 2, /* "> node": the verdict names it */
    TD_MARK_OPEN = 1 << 3, /* "node?": it may be the one that limits */
    TD_MARK_LEADS = 1 << 4, /* "node~": it has no bounds, but is clearly ahead */
};
/* The mark of a value by its bounds: TD_MARK_LIKELY, TD_MARK_UNBOUNDED, or 0 with sound ones, or without a value. */
unsigned td_mark_of(const struct td_metric *);

#endif
