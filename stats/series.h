/* SPDX-License-Identifier: MIT */
/* What one recording says, ready to be compared: each scope's metrics as a series of intervals and as a whole. */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include "include/tdprobe.h"
#include "stats/bootstrap.h"
#include "stats/functions.h"
#include "util/scope_table.h"

/* How much passed in all; NAN: not counted. */
enum td_total { TD_TOTAL_SLOTS, TD_TOTAL_CYCLES, TD_TOTAL_INSTRUCTIONS, TD_TOTAL_TIME /* s */, TD_TOTALS };

struct td_series_metric {
    char *name, *parent, *unit;
    enum td_metric_kind kind;
    int level;
    struct td_weighted *point; /* the intervals with a value, in their order */
    size_t n, room;
    double width; /* sum of half the widths of the intervals' bounds */
    size_t bounded; /* intervals with bounds */
    double value, low, high; /* of the whole recording; NAN: none */
    enum td_bounds bounds;
    unsigned flags;
};

struct td_series_scope {
    char *name, *kind, *core, *cpu, *backend, *formula; /* core: NULL where there is one kind */
    double total[TD_TOTALS];
    bool started; /* there was an interval */
    enum td_total weighed; /* what its intervals are weighed by; TD_TOTALS: all the same */
    char *verdict; /* the node of the whole recording's verdict, or NULL */
    enum td_verdict_status judged;
    struct td_series_metric *metric;
    size_t n, room;
};

/* Zeroed: nothing. */
struct td_series {
    struct td_series_scope *scope;
    size_t n, room;
    struct td_scope_table ids;
    size_t *first, first_room; /* by number in this table: the scope that has it. Places of one name may be several */
};

/* Adds an interval, or the whole recording if td_result_is_summary(). 0 or -ENOMEM. */
int td_series_add(struct td_series *, const struct td_result *);
/* The same for a result that is all of a recording: an interval, and the whole. */
int td_series_add_all(struct td_series *, const struct td_result *);
/* The places of a recording of samples that have an estimate, each a scope: its slots, and its metrics with their
 * likely bounds. Of places of one name in several programs or libraries, the name has theirs: "init [libc.so.6]". 0 or
 * -ENOMEM. */
int td_series_add_functions(struct td_series *, const struct td_functions *);
/* The scope of a series that is the one given; NULL: it has none. */
struct td_series_scope *td_series_find(const struct td_series *, const struct td_scope_id *);
void td_series_free(struct td_series *);
/* "slots", "cycles", "instructions", "time" */
const char *td_total_name(enum td_total);
/* How much passed in an interval or a recording, as far as it was counted; NAN: it was not. */
void td_totals_counted(const struct td_result *, double total[TD_TOTALS]);
/* The same, with the slots by the cycles and the CPU's width where slots were not counted. */
void td_totals_of(const struct td_result *, double total[TD_TOTALS]);
/* Instructions per cycle, which series give as a metric of their own besides those of results. */
#define TD_SERIES_IPC "ipc"

#endif
