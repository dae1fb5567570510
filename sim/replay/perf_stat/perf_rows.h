/* SPDX-License-Identifier: MIT */
/* What the rows of perf stat -x and -j have in common. */
#ifndef TD_PERF_ROWS_H
#define TD_PERF_ROWS_H

#include "sim/replay/intervals.h"

#include <string.h>

struct td_perf_rows {
    struct td_gather *gather;
    bool any, has_time; /* any: a row was read; has_time: what the first of the run said */
    uint64_t time;
    char time_text[32]; /* the last time as it was written, to know it again */
    size_t time_len;
    bool told_summary;
    bool counted; /* the lines above are a count that was taken, and its metrics */
};

/* What to say of a recording that has no counts. */
extern const char td_perf_ratios_only[];

/* 0, or -ENOMEM, said; scope 0 is the system. td_gather_free() in any case. */
int td_perf_rows_open(struct td_recording *, struct td_perf_rows *);
/* Whether the line begins another recording in the file ("# started on ..."):
 * then it is said, and the row behind it is the first of a run. */
bool td_perf_rows_begin(struct td_recording *, struct td_perf_rows *, const char *line, struct td_row *out);
/* Says once that the rows of a summary are left out. */
void td_perf_rows_summary(struct td_recording *, struct td_perf_rows *);
/* Makes a time that is not that of the line above the row's; errors said in why. */
int td_perf_rows_time(struct td_recording *, struct td_perf_rows *, const char *text, size_t len, uint64_t time);
/* TD_OK, or what "<not counted>" and "<not supported>" say. */
enum td_status td_perf_status(const char *value, size_t len);
/* The enabled time by the share in per cent that the event ran, cut to whole per
 * cent: it says little below one. NULL, or what is wrong with the share. */
const char *td_perf_enabled(double running, double percent, double *out);

static inline bool td_perf_same_time(const struct td_perf_rows *p, const char *text, size_t len)
{
    return len && len == p->time_len && !memcmp(text, p->time_text, len);
}

#endif
