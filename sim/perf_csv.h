/* SPDX-License-Identifier: MIT */
/* perf stat -x: shared by its lines (perf_line.c) and their intervals (perf_csv.c). */
#ifndef TD_PERF_CSV_H
#define TD_PERF_CSV_H

#include "recording.h"

/* One line of counts. */
struct td_perf_line {
    bool has_time;
    bool new_run; /* a recording that perf stat --append added begins here */
    uint64_t time;
    int text;
    enum td_status status;
    double value, enabled, running;
};

struct td_perf_csv {
    char sep;
    bool any_line, has_time; /* has_time: what the first line said */
    uint64_t time;
    char time_text[32]; /* the last time as it was written, to know it again */
    size_t time_len;
    bool pending, ended, told_summary;
    struct td_perf_line held; /* the first line of the next interval */
    unsigned long metric_rows;
    /* Groups are not marked: one ends where the name of an event repeats. */
    uint32_t seen_in[TD_TEXTS_MAX]; /* segment that had the text last, over the whole file */
    uint32_t segment[TD_BATCH_MAX]; /* of each kind of core, numbered over the whole file */
    uint16_t group[TD_BATCH_MAX]; /* the same, numbered within the interval */
    uint32_t next_segment;
};

/* What to say of a recording that has no counts. */
extern const char td_perf_ratios_only[];
/* A comment or a blank line. */
bool td_perf_skipped(const char *line, size_t len);
/* Finds the separator from the first line that is not skipped; errors said in why. */
int td_perf_separator(struct td_recording *, const char *line, size_t len);
/* The next line with counts; -ENODATA: the end; errors said in why. */
int td_perf_line(struct td_recording *, struct td_perf_line *out);

#endif
