/* SPDX-License-Identifier: MIT */
/* The CSV of perf stat -x: one line per event, scaled already by perf.
 *
 *   [time SEP] [id SEP [CPUs SEP]] value SEP unit SEP event SEP [cgroup SEP] [deviation SEP] run-time SEP percent
 *       [SEP metric SEP unit]...
 *
 * perf quotes nothing. Columns: Linux tools/perf/Documentation/perf-stat.txt,
 * and what perf 6.1 really prints (with -r the variance comes before the run
 * time; a percentage of 100 beside a run time of 0 means that it never ran). */
#include "formats/perf_stat/perf_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool sniff(const char *first, size_t len)
{
    (void)first;
    (void)len;
    return true; /* the last reader: it reports what is wrong */
}

/* A row, or the error for the end of a file without one. */
static int next_row(struct td_recording *r, struct td_row *out)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    bool any = p->rows.any;
    int err = td_perf_line(r, out);

    if (err != -ENODATA || any)
        return err;
    return td_recording_bad(r, "%s", p->metrics ? td_perf_ratios_only : "the file ends without a single count");
}

static int next(struct td_recording *r)
{
    return td_gather_next(r, td_perf_csv_of(r)->rows.gather, next_row);
}

static void perf_csv_close(struct td_recording *r)
{
    struct td_perf_csv *p = td_perf_csv_of(r);

    td_gather_free(p->rows.gather);
    free(p->memory.line);
}

static int perf_csv_open(struct td_recording *r, char *first, size_t len)
{
    int err = td_perf_rows_open(r, &td_perf_csv_of(r)->rows);

    if (err)
        return err;
    if (td_perf_skipped(first, len))
        return 0;
    err = td_perf_separator(r, first, len);
    if (err)
        return err;
    td_bytes_again(&r->bytes);
    return 0;
}

const struct td_reader td_reader_perf_csv = {
    .name = "perf-csv",
    .size = sizeof(struct td_perf_csv),
    .sniff = sniff,
    .sure = td_perf_sure,
    .open = perf_csv_open,
    .next = next,
    .close = perf_csv_close,
    .about = "perf stat -x, any separator",
};
