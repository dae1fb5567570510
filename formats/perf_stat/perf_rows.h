/* SPDX-License-Identifier: MIT */
/* What the rows of perf stat -x and -j have in common. */
#ifndef TD_PERF_ROWS_H
#define TD_PERF_ROWS_H

#include "sim/replay/intervals.h"

#include <string.h>

struct td_perf_rows {
    struct td_gather *gather;
    bool any, has_time; /* any: a row was read; has_time: whether the run's first row had one */
    uint64_t time;
    char time_text[32]; /* the last time as it was written, to recognise it */
    size_t time_len;
    bool told_summary;
    bool counted; /* the lines above are a count that was taken, with its metrics */
};

/* The message for a recording without counts. */
extern const char td_perf_ratios_only[];
/* The message for a line of whole numbers, which are no ratios either. */
extern const char td_perf_no_names[];

/* 0, or -ENOMEM, logged; scope 0 is the system. td_gather_free() in any case. */
int td_perf_rows_open(struct td_recording *, struct td_perf_rows *);
/* Whether the line begins another recording in the file ("# started on ..."):
 * if so, reports it, and makes the next row the first of a run. */
bool td_perf_rows_begin(struct td_recording *, struct td_perf_rows *, const char *line, struct td_row *out);
/* Reports once that the rows of a summary are left out. */
void td_perf_rows_summary(struct td_recording *, struct td_perf_rows *);
/* Makes a time that is not that of the line above the row's; logs errors. */
int td_perf_rows_time(struct td_recording *, struct td_perf_rows *, const char *text, size_t len, uint64_t time);
/* TD_OK, or what "<not counted>" and "<not supported>" mean. */
enum td_status td_perf_status(const char *value, size_t len);
/* The enabled time, from the percentage of it that the event ran, cut to whole per
 * cent: it says little below one. NULL, or what is wrong with the percentage. */
const char *td_perf_enabled(double running, double percent, double *out);

static inline bool td_perf_same_time(const struct td_perf_rows *p, const char *text, size_t len)
{
    return len && len == p->time_len && !memcmp(text, p->time_text, len);
}

#endif
