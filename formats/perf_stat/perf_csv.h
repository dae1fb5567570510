/* SPDX-License-Identifier: MIT */
/* perf stat -x: shared by its separators (csv_separator.c), its columns (csv_columns.c), its
 * lines (csv_line.c, csv_known.c) and their intervals (perf_csv.c). */
#ifndef TD_PERF_CSV_H
#define TD_PERF_CSV_H

#include "formats/perf_stat/perf_rows.h"
#include "formats/perf_stat/metric_names.h"

enum { TD_PERF_SEPARATOR = 8 /* longest */ };

struct td_perf_known;

/* The lines of the interval before, by their places in it. */
struct td_perf_memory {
    struct td_perf_known *line;
    size_t n, room;
    size_t place; /* of the last line with counts */
    uint64_t time; /* of that line */
    bool begun; /* there was one */
    char raw[256]; /* the line being read, as it was before it was split */
    size_t raw_len; /* 0: it did not fit */
};

struct td_perf_csv {
    struct td_recording recording; /* first: td_perf_csv_of() */
    char separator[TD_PERF_SEPARATOR + 1]; /* "": not known yet */
    bool quoted; /* cells may have quotes, as a spreadsheet writes them */
    struct td_perf_rows rows;
    enum td_scope_kind scope_kind; /* of the last scope that is not the system; TD_KIND_NONE: none yet */
    char scope_text[256];
    size_t scope_len; /* 0: it did not fit */
    int scope;
    bool metrics; /* there were lines of metrics alone */
    struct td_printed_memory names;
    struct td_perf_memory memory;
};

static inline struct td_perf_csv *td_perf_csv_of(struct td_recording *r)
{
    return (struct td_perf_csv *)r; /* its first member */
}

/* What is between an event and the run time. */
struct td_perf_name {
    size_t event_len; /* of the event's field, with the parts that the separator cut it into */
    const char *cgroup; /* NULL: no such column; "": the event is in none */
    size_t cgroup_len;
    size_t run; /* field of the run time, if it has one */
};

/* The message for numbers that the separator cuts. */
extern const char td_perf_decimal_comma[];

/* A comment, a blank line, or what perf stat -D prints. */
bool td_perf_skipped(const char *line, size_t len);
/* Whether a line can only be a count of perf stat -x. */
bool td_perf_sure(const char *line, size_t len);
/* Finds the separator from the first line that can only be a count, or else from this one, the first that is not
 * skipped; logs errors. */
int td_perf_separator(struct td_recording *, const char *line, size_t len);
/* td_recording_split() with a separator of any length. */
int td_perf_split(struct td_recording *, char *line, size_t len);

/* Whether field consists of characters of set, and is not empty. */
bool td_perf_only(const char *field, size_t len, const char *set);
bool td_perf_empty(const struct td_bytes *, size_t from, size_t n);
/* Whether the columns of a count's value, unit and event are empty from field f on, as far as there are such. */
bool td_perf_no_count(const struct td_bytes *, size_t f);
/* A number or <not counted>, <not supported>. */
bool td_perf_is_value(const struct td_bytes *, size_t f);
/* td_number_decimal() of field f; also with a decimal comma, where the comma does not separate. */
const char *td_perf_number(struct td_recording *, size_t f, double *out);
/* The time column, if the line has one; logs errors. */
int td_perf_time(struct td_recording *, struct td_row *out);
/* CPU3, S0-D0-C0 and how many CPUs that is, comm-tid: moves f past them.
 * Logs errors. */
int td_perf_scope(struct td_recording *, size_t *f, struct td_row *out);
/* -r: the relative deviation, which comes before the run time. */
bool td_perf_is_deviation(const struct td_bytes *, size_t f);
/* Finds the end of the event's name and what follows. */
void td_perf_name(struct td_recording *, size_t event, struct td_perf_name *out);
/* Whether the line, which was split and is kept, is of another program: it has neither a count in its place, nor the
 * name of an event. */
bool td_perf_foreign(struct td_recording *);
/* Whether the line names the columns, as spreadsheets do. */
bool td_perf_header(const struct td_recording *);
/* Makes a cgroup the row's scope; logs errors. */
int td_perf_cgroup(struct td_recording *, const struct td_perf_name *, struct td_row *out);
/* Whether the field is the name of a metric, and not its value. */
static inline bool td_perf_names_metric(const char *field, size_t len)
{
    return len > 1 && (*field < '0' || *field > '9') && *field != '-';
}
/* Reads a line that differs only in its numbers from the one at the same place in the interval
 * before. false: it does not, or in more, and nothing has been done. */
bool td_perf_known(struct td_recording *, const char *line, size_t len, struct td_row *out, int *err);
/* Keeps a line until it is known what it is. */
void td_perf_keep(struct td_recording *, const char *line, size_t len);
/* Remembers the kept line, whose count and run time are these fields. 0, or -ENOMEM, logged. */
int td_perf_learn(struct td_recording *, size_t value, size_t run, const struct td_row *);
/* The next line with counts; -ENODATA: the end; logs errors. */
int td_perf_line(struct td_recording *, struct td_row *out);

#endif
