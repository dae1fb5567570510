/* SPDX-License-Identifier: MIT */
/* The CSV of perf stat -x: one line per event, scaled already by perf.
 *
 *   [time SEP] value SEP unit SEP event SEP run-time SEP percent [SEP metric SEP unit]...
 *
 * perf quotes nothing. Columns: Linux tools/perf/Documentation/perf-stat.txt,
 * and what perf 6.1 really prints (with -r the variance stands before the run
 * time; a percentage of 100 beside a run time of 0 means that it never ran). */
#include "perf_csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool sniff(const char *first, size_t len)
{
    (void)first;
    (void)len;
    return true; /* the last reader: says itself what is wrong */
}

static int add_line(struct td_recording *r, const struct td_perf_line *l)
{
    struct td_perf_csv *p = r->state;
    const struct td_text_entry *text = &r->texts.entries[l->text];
    size_t core = td_core_index(text->core);
    struct td_count c = {
        .value = l->value, .enabled = l->enabled, .running = l->running, .modes = text->modes,
        .status = l->status, .text = (uint32_t)l->text,
    };
    int err;

    if (p->seen_in[l->text] == p->segment[core]) {
        p->segment[core] = ++p->next_segment;
        p->group[core]++;
    }
    p->seen_in[l->text] = p->segment[core];
    c.group = p->group[core];
    err = td_counts_append(&r->batch[core].counts, &c);
    if (err == -E2BIG)
        return td_recording_bad(r, "more than %d events at one time%s", TD_COUNTS_MAX, l->has_time ? "" : " (was -I's time column lost?)");
    return err;
}

/* Empties the four collectors, one for each kind of core, for a new interval. */
static void begin(struct td_recording *r, const struct td_perf_line *l)
{
    static const char cores[TD_BATCH_MAX] = {0, 'P', 'E', 'L'};
    struct td_perf_csv *p = r->state;

    for (size_t i = 0; i < TD_BATCH_MAX; i++) {
        struct td_interval *v = &r->batch[i];

        v->has_time = l->has_time;
        v->time = l->time;
        v->scope = v->scope_kind = "system";
        v->core = cores[i];
        v->counts.status = TD_OK;
        v->counts.n = 0;
        p->segment[i] = ++p->next_segment;
        p->group[i] = 0;
    }
    r->nbatch = TD_BATCH_MAX;
}

static int end_of_file(struct td_recording *r, bool any)
{
    struct td_perf_csv *p = r->state;

    p->ended = true;
    if (any)
        return 0;
    if (p->metric_rows && !p->any_line)
        return td_recording_bad(r, "%s", td_perf_ratios_only);
    return p->any_line ? -ENODATA : td_recording_bad(r, "the file ends without a single count");
}

static int next(struct td_recording *r)
{
    struct td_perf_csv *p = r->state;
    struct td_perf_line l = p->held;
    int err = 0;

    if (p->ended)
        return -ENODATA;
    if (!p->pending)
        err = td_perf_line(r, &l);
    if (err == -ENODATA)
        return end_of_file(r, false);
    if (err)
        return err;
    begin(r, &l);
    do {
        p->held = l;
        err = add_line(r, &l);
        if (!err)
            err = td_perf_line(r, &l);
    } while (!err && !l.new_run && l.has_time == p->held.has_time && l.time == p->held.time);
    if (err == -ENODATA)
        return end_of_file(r, true);
    p->pending = true;
    p->held = l;
    return err;
}

static void perf_csv_close(struct td_recording *r)
{
    free(r->state);
}

static int perf_csv_open(struct td_recording *r, char *first, size_t len, const struct td_machine *machine)
{
    struct td_perf_csv *p = r->state = calloc(1, sizeof(*p));
    int err = 0;

    (void)machine;
    if (!p)
        return td_recording_no_memory(r);
    if (td_perf_skipped(first, len))
        return 0;
    err = td_perf_separator(r, first, len);
    if (err)
        return err;
    td_csv_again(&r->csv);
    return 0;
}

const struct td_reader td_reader_perf_csv = {"perf-csv", sniff, perf_csv_open, next, perf_csv_close};
