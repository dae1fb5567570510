/* SPDX-License-Identifier: MIT */
/* perf stat -x: shared by its lines (perf_line.c) and their intervals (perf_csv.c). */
#ifndef TD_PERF_CSV_H
#define TD_PERF_CSV_H

#include "gather.h"

struct td_perf_csv {
    char sep;
    bool any_line, has_time; /* has_time: what the first line said */
    uint64_t time;
    char time_text[32]; /* the last time as it was written, to know it again */
    size_t time_len;
    bool told_summary;
    unsigned long metric_rows;
    struct td_gather *gather;
};

/* What to say of a recording that has no counts. */
extern const char td_perf_ratios_only[];
/* A comment or a blank line. */
bool td_perf_skipped(const char *line, size_t len);
/* Finds the separator from the first line that is not skipped; errors said in why. */
int td_perf_separator(struct td_recording *, const char *line, size_t len);
/* The next line with counts; -ENODATA: the end; errors said in why. */
int td_perf_line(struct td_recording *, struct td_row *out);

#endif
