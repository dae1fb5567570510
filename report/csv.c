/* SPDX-License-Identifier: MIT */
/* Tidy CSV, with any separator: one row per metric. */
#include "private/result.h"
#include "report/digits.h"
#include "report/flags.h"
#include "report/report.h"
#include "report/shown.h"
#include "report/verdict_line.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>

/* The most of a text from a recording, of such a text in quotes, of a whole row (which has three of them, our own words
 * and numbers, and separators of up to 60 bytes) and of a few numbers. */
enum { TEXT = 1024, QUOTED = 2 * TEXT + 2, ROW = 3 * QUOTED + 2560, NUMBERS = 256 };

/* A row being written, or some columns of one; what does not fit is cut off, but for the row's end. */
struct csv_row {
    char *text; /* this much and TD_DIGITS_FIXED: a number is written in full and then cut */
    size_t room;
    size_t n;
    size_t field; /* where the current field begins */
    const char *separator;
    size_t separator_len;
    char one; /* the separator, if it is one character */
    bool own; /* the separator may occur in our own words and numbers too */
    bool foreign; /* the field has text from a recording, which may be anything */
};

static void put_bytes(struct csv_row *r, const char *bytes, size_t len)
{
    if (len > r->room - r->n)
        len = r->room - r->n;
    memcpy(r->text + r->n, bytes, len);
    r->n += len;
}

static inline void put(struct csv_row *r, const char *text)
{
    put_bytes(r, text, strlen(text));
}

static void put_char(struct csv_row *r, char ch)
{
    if (r->n < r->room)
        r->text[r->n++] = ch;
}

/* Takes what was written up to end, the end of a number. */
static void take(struct csv_row *r, const char *end)
{
    r->n = (size_t)(end - r->text);
    if (r->n > r->room)
        r->n = r->room;
}

static void put_integer(struct csv_row *r, uint64_t n)
{
    take(r, td_digits_integer(n, r->text + r->n));
}

static void put_seconds(struct csv_row *r, uint64_t ns)
{
    char *at = td_digits_integer(ns / 1000000000, r->text + r->n);

    *at++ = '.';
    take(r, td_digits_padded((uint32_t)(ns % 1000000000), 9, at));
}

/* Puts a number with six decimals, rounded half up; nothing for one that is absent. */
static void put_number(struct csv_row *r, double value)
{
    const double magnitude = fabs(value);
    char *at = r->text + r->n;
    uint64_t parts;

    if (isnan(value))
        return;
    if (magnitude >= 1e12) { /* such a number has fewer than four decimals */
        take(r, td_digits_fixed(value, 0, at));
        return;
    }
    parts = (uint64_t)(magnitude * 1e6 + 0.5);
    if (value < 0 && parts)
        *at++ = '-';
    if (parts < 1000000) /* most are ratios below 1 */
        *at++ = '0';
    else
        at = td_digits_integer(parts / 1000000, at);
    *at++ = '.';
    take(r, td_digits_padded((uint32_t)(parts % 1000000), 6, at));
}

/* Puts text from a recording, which may be anything. */
static void put_text(struct csv_row *r, const char *text)
{
    put_bytes(r, text, strnlen(text, TEXT));
    r->foreign = true;
}

/* Whether the end of a field and the separator after it could be taken for a
 * separator that begins earlier. */
static bool ends_like_separator(const char *field, size_t len, const struct csv_row *r)
{
    for (size_t n = 1; n < r->separator_len && n <= len; n++)
        if (!memcmp(field + len - n, r->separator, n))
            return true;
    return false;
}

/* Quotes the field just written, by RFC 4180; of more than TEXT bytes the first. */
static void quote(struct csv_row *r)
{
    char quoted[QUOTED];
    size_t len = r->n - r->field;

    if (!memmem(r->text + r->field, len, r->separator, r->separator_len) && !memchr(r->text + r->field, '"', len) &&
        !memchr(r->text + r->field, '\r', len) && !memchr(r->text + r->field, '\n', len) &&
        !ends_like_separator(r->text + r->field, len, r))
        return;
    len = csv_write(quoted, sizeof(quoted), r->text + r->field, len < TEXT ? len : TEXT);
    r->n = r->field;
    put_bytes(r, quoted, len);
}

static void end_field(struct csv_row *r)
{
    if (r->own || r->foreign)
        quote(r);
    r->foreign = false;
}

/* Ends a field that is followed by another. */
static inline void next(struct csv_row *r)
{
    if (r->own || r->foreign)
        end_field(r);
    if (r->separator_len == 1)
        put_char(r, r->one);
    else
        put_bytes(r, r->separator, r->separator_len);
    r->field = r->n;
}

/* Begins a row, or columns, in text, which has room bytes and those of a number. */
static void begin_row(struct csv_row *row, const struct td_report *r, char *text, size_t room)
{
    row->text = text;
    row->room = room;
    row->n = row->field = 0;
    row->separator = r->separator ? r->separator : ",";
    row->separator_len = strlen(row->separator);
    row->one = *row->separator;
    row->own = row->separator_len != 1 || (*row->separator != ',' && *row->separator != '\t');
    row->foreign = false;
}

/* Ends the row; the next row begins with its first prefix bytes. last: where there are several files, what the column
 * of their names has. */
static void end_row_with(struct csv_row *row, struct td_report *r, size_t prefix, const char *last)
{
    end_field(row);
    if (r->file && !r->archive) {
        put_bytes(row, row->separator, row->separator_len);
        row->field = row->n;
        put_text(row, last);
        end_field(row);
    }
    row->text[row->n++] = '\n';
    td_output_bytes(&r->out, row->text, row->n);
    row->n = row->field = prefix;
}

/* ---- what names a recording, for an archive ------------------------------------------------------ */

#define TD_CSV_ARCHIVE "1" /* the version of the columns below, which each row names */
enum {
    ARCHIVE_COLUMNS = 7, /* archive, ended, whole, and */
    ARCHIVED = 4, /* the texts that name it */
};

/* The columns that each row of an archive ends with besides those of a file's: of a result they differ in the whole
 * alone. */
struct archived {
    double whole[2]; /* slots and cycles that passed; NAN: not known */
    struct csv_row ended; /* when, s since 1970 in UTC */
    struct csv_row named; /* file, host, labels and command, each after a separator */
    char when[NUMBERS + TD_DIGITS_FIXED], text[ARCHIVED * QUOTED + NUMBERS + TD_DIGITS_FIXED];
};

static void fill_archived(struct archived *a, const struct td_report *r, const struct td_result *result)
{
    const char *const text[ARCHIVED] = {r->file, r->host, r->labels, r->recorded};
    uint64_t ns;

    a->whole[0] = td_result_slots(result);
    a->whole[1] = td_result_cycles(result);
    begin_row(&a->ended, r, a->when, NUMBERS);
    if (r->realtime && td_result_time(result, &ns))
        put_seconds(&a->ended, r->realtime + ns);
    begin_row(&a->named, r, a->text, ARCHIVED * QUOTED + NUMBERS);
    for (size_t i = 0; i < ARCHIVED; i++) {
        next(&a->named);
        put_text(&a->named, text[i] ? text[i] : "");
    }
    end_field(&a->named);
}

static void put_flag(void *ctx, const char *flag, const char *about)
{
    struct csv_row *r = ctx;

    if (r->n > r->field)
        put_char(r, ';');
    put(r, flag);
    if (!about)
        return;
    put_char(r, ':');
    put(r, about);
}

/* Puts the columns that all rows of a result share. */
static void put_result(struct csv_row *r, const struct td_result *result)
{
    const char *core = td_result_core(result);
    uint64_t ns;

    if (td_result_time(result, &ns))
        put_seconds(r, ns);
    next(r);
    put_text(r, td_result_scope(result));
    next(r);
    put(r, td_result_scope_kind(result));
    next(r);
    put(r, core ? core : "");
    next(r);
    put(r, td_result_cpu(result));
    next(r);
}

/* Columns that all rows of a result have, each with the separators before and after it. */
struct shared {
    struct csv_row coverage, duration;
    struct csv_row nothing; /* the separator before an empty node, then an empty text, and the duration */
    const struct archived *archived; /* NULL: the rows are of no archive */
    char text[3][NUMBERS + TD_DIGITS_FIXED];
};

/* Ends the field at hand with the columns that follow it. */
static inline void put_shared(struct csv_row *r, const struct csv_row *columns)
{
    if (r->own || r->foreign)
        end_field(r);
    put_bytes(r, columns->text, columns->n);
    r->field = r->n;
}

/* Puts the last columns, after the duration; m is NULL if the row has no node. */
static void put_last(struct csv_row *r, const struct td_result *result, const struct td_metric *m)
{
    if (m && m->level)
        put_integer(r, (uint64_t)m->level);
    next(r);
    put(r, m ? m->parent : "");
    next(r);
    put(r, td_result_is_summary(result) ? "summary" : "");
}

static void put_metric(struct csv_row *r, const struct td_result *result, const struct td_metric *m,
                       const struct shared *s)
{
    char status[TD_STATUS_TEXT];

    put(r, m->name);
    next(r);
    put_number(r, m->value);
    next(r);
    put(r, m->unit);
    next(r);
    put_number(r, m->low);
    next(r);
    put_number(r, m->high);
    put_shared(r, &s->coverage);
    put(r, td_status_text(m, status));
    next(r);
    td_flags_each(result, m, put_flag, r);
    next(r);
    put(r, m->bounds == TD_BOUNDS_NONE ? "" : td_bounds_name(m->bounds));
    put_shared(r, &s->nothing);
    put_last(r, result, m);
}

/* Puts the verdict after the metrics: it has no number of its own. */
static void put_verdict(struct csv_row *r, const struct td_result *result, const struct td_verdict *v,
                        const struct shared *s)
{
    char text[TD_VERDICT_TEXT];

    put(r, "verdict");
    for (int empty = 0; empty < 4; empty++) /* value, unit, low, high */
        next(r);
    put_shared(r, &s->coverage);
    put(r, td_verdict_name(v->status));
    next(r);
    next(r);
    put(r, v->status == TD_VERDICT_DECIDED  ? td_bounds_name(TD_BOUNDS_SOUND)
           : v->status == TD_VERDICT_LIKELY ? td_bounds_name(TD_BOUNDS_LIKELY)
                                            : "");
    next(r);
    put(r, v->node ? v->node->name : "");
    next(r);
    put_text(r, td_verdict_line(v, result, text));
    put_shared(r, &s->duration);
    put_last(r, result, v->node);
}

static void put_count(struct csv_row *r, const struct td_result *result, const struct td_event_count *c,
                      const struct shared *s)
{
    put_text(r, c->event);
    next(r);
    if (c->status == TD_OK)
        put_number(r, c->value);
    next(r);
    put(r, "count");
    next(r);
    next(r);
    next(r);
    put_number(r, c->coverage);
    next(r);
    put(r, td_status_name(c->status));
    next(r);
    next(r); /* no flags, no bounds */
    put_shared(r, &s->nothing);
    put_last(r, result, NULL);
}

static void put_columns(struct td_report *r, const char *const *columns, size_t n)
{
    char text[ROW + TD_DIGITS_FIXED];
    struct csv_row row;

    begin_row(&row, r, text, ROW);
    for (size_t i = 0; i < n; i++) {
        if (i)
            next(&row);
        put(&row, columns[i]);
    }
    end_row_with(&row, r, 0, "file");
}

static void csv_begin(struct td_report *r)
{
    static const char *const columns[] = {"time",  "scope", "scope_kind", "core",     "cpu",    "metric",  "value",
                                          "unit",  "low",   "high",       "coverage", "status", "flags",   "bounds",
                                          "node",  "text",  "duration",   "level",    "parent", "summary", "archive",
                                          "ended", "whole", "file",       "host",     "labels", "command"};

    static const size_t n = sizeof(columns) / sizeof(*columns);

    if (!r->out.appended) /* a file that is appended to has a header already */
        put_columns(r, columns, r->archive ? n : n - ARCHIVE_COLUMNS);
}

static void put_duration(struct csv_row *row, const struct td_result *result)
{
    uint64_t ns;

    next(row);
    if (td_result_duration(result, &ns))
        put_seconds(row, ns);
    next(row);
}

static void make_shared(struct shared *s, const struct td_report *r, const struct td_result *result)
{
    begin_row(&s->coverage, r, s->text[0], NUMBERS);
    next(&s->coverage);
    put_number(&s->coverage, td_result_coverage(result));
    next(&s->coverage);
    begin_row(&s->duration, r, s->text[1], NUMBERS);
    put_duration(&s->duration, result);
    begin_row(&s->nothing, r, s->text[2], NUMBERS);
    next(&s->nothing);
    next(&s->nothing);
    put_duration(&s->nothing, result);
}

/* Ends a row of a result; unit: of its metric, NULL: it has none. The next row begins with its first prefix bytes. */
static void end_row(struct csv_row *row, struct td_report *r, size_t prefix, const struct shared *s, const char *unit)
{
    const struct archived *a = s->archived;

    if (!a) {
        end_row_with(row, r, prefix, r->file);
        return;
    }
    next(row);
    put(row, TD_CSV_ARCHIVE);
    next(row);
    put_bytes(row, a->ended.text, a->ended.n);
    next(row);
    if (unit && !strcmp(unit, "slots"))
        put_number(row, a->whole[0]);
    else if (unit && !strcmp(unit, "cycles"))
        put_number(row, a->whole[1]);
    end_field(row);
    td_output_bytes(&r->out, row->text, row->n);
    td_output_bytes(&r->out, a->named.text, a->named.n);
    td_output_bytes(&r->out, "\n", 1);
    row->n = row->field = prefix;
}

static void put_result_rows(struct td_report *r, const struct td_result *result, const struct archived *archived)
{
    char text[ROW + TD_DIGITS_FIXED];
    struct csv_row row;
    struct shared shared;
    size_t prefix;

    begin_row(&row, r, text, ROW);
    put_result(&row, result);
    make_shared(&shared, r, result);
    shared.archived = archived;
    prefix = row.n;
    for (size_t i = 0; i < td_result_metrics(result); i++) {
        const struct td_metric *m = td_result_metric(result, i);

        if (!td_report_shows(r, m))
            continue;
        if (m->level && m->status == TD_NOT_ON_THIS_CPU) /* 'tdprobe list metrics' shows those that the CPU has */
            continue;
        put_metric(&row, result, m, &shared);
        end_row(&row, r, prefix, &shared, m->unit);
    }
    put_verdict(&row, result, &r->verdict, &shared);
    end_row(&row, r, prefix, &shared, NULL);
    for (size_t i = 0; r->counts && i < td_result_counts(result); i++) {
        const struct td_event_count c = *td_result_count(result, i);

        put_count(&row, result, &c, &shared);
        end_row(&row, r, prefix, &shared, NULL);
    }
}

/* In a function of its own, so that only archives need this much of the stack. */
__attribute__((noinline)) static void archive_result(struct td_report *r, const struct td_result *result)
{
    struct archived archived;

    fill_archived(&archived, r, result);
    put_result_rows(r, result, &archived);
}

static void csv_result(struct td_report *r, const struct td_result *result)
{
    if (r->archive)
        archive_result(r, result);
    else
        put_result_rows(r, result, NULL);
}

static void csv_bench(struct td_report *r, const struct td_bench *b)
{
    static const char *const columns[] = {"event", "config",    "cpu", "runs",     "min",         "median",
                                          "mean",  "deviation", "max", "cost_min", "cost_median", "cost_max"};
    char text[ROW + TD_DIGITS_FIXED];
    struct csv_row row;

    put_columns(r, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < b->n; i++) {
        const struct td_bench_event *e = &b->event[i];
        const double value[] = {e->counted.min, e->counted.median, e->counted.mean, e->counted.deviation,
                                e->counted.max, e->cost.min,       e->cost.median,  e->cost.max};
        char config[24];

        begin_row(&row, r, text, ROW);
        put_text(&row, e->event);
        next(&row);
        snprintf(config, sizeof(config), "0x%llx", (unsigned long long)e->config);
        put(&row, config);
        next(&row);
        put_integer(&row, (uint64_t)b->cpu);
        next(&row);
        put_integer(&row, b->runs);
        for (size_t k = 0; k < sizeof(value) / sizeof(*value); k++) {
            next(&row);
            put_number(&row, value[k]);
        }
        end_row_with(&row, r, 0, r->file);
    }
}

const struct td_report_format td_report_csv = {
    .name = "csv", .one_table = true, .begin = csv_begin, .result = csv_result, .bench = csv_bench};
