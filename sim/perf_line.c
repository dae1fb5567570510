/* SPDX-License-Identifier: MIT */
/* One line of perf stat -x: counts, a further metric, or something to refuse. */
#include "perf_csv.h"

#include "number.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char started[] = "# started on ";
static const char not_counted[] = "<not counted>", not_supported[] = "<not supported>";

const char td_perf_ratios_only[] = "ratios without counts (perf stat --metric-only): record again without --metric-only";

static const char td_system[] = "system";

static bool is(const char *field, size_t len, const char *word)
{
    return len == strlen(word) && !memcmp(field, word, len);
}

static bool is_value(const char *field, size_t len)
{
    return (len && *field >= '0' && *field <= '9') || is(field, len, not_counted) || is(field, len, not_supported);
}

/* The separator stands behind the first number (or <not ...>), or at the very
 * start of a line that has only a metric. 0: not such a line. */
static char find_separator(const char *line, size_t len)
{
    const char *at = line + strspn(line, " ");
    size_t n = strspn(at, "0123456789.");

    if (!strncmp(at, not_counted, strlen(not_counted)))
        n = strlen(not_counted);
    else if (!strncmp(at, not_supported, strlen(not_supported)))
        n = strlen(not_supported);
    else if (!strncmp(at, "summary", 7))
        n = 7;
    if (at + n >= line + len || (!n && !strchr(",;\t|", *at)))
        return 0;
    return at[n];
}

bool td_perf_skipped(const char *line, size_t len)
{
    return *line == '#' || strspn(line, " \t") == len;
}

int td_perf_separator(struct td_recording *r, const char *line, size_t len)
{
    struct td_perf_csv *p = r->state;
    int err;

    p->sep = find_separator(line, len);
    if (p->sep)
        return td_csv_format(&r->csv, p->sep, '\0') ? -ENOMEM : 0;
    err = td_recording_foreign(r, line);
    if (err)
        return err;
    if (strstr(line, "retiring") || strstr(line, ",cpus") || strstr(line, ",ctrs"))
        return td_recording_bad(r, "%s", td_perf_ratios_only);
    return td_recording_bad(r, "not a line of 'perf stat -x': it begins with neither a time nor a count; "
                               "this version reads perf stat -x, with or without -I but not with -A or --per-*, and tdprobe traces");
}

static bool only(const char *field, size_t len, const char *set)
{
    return len && strspn(field, set) >= len;
}

/* True if field f is a run time and the one behind it a percentage. */
static bool is_run_time(const struct td_csv *c, size_t f)
{
    return f + 1 < c->nfields && only(c->field[f], c->length[f], "0123456789") && only(c->field[f + 1], c->length[f + 1], "0123456789.");
}

/* -r: the relative deviation, which stands before the run time. */
static bool is_deviation(const struct td_csv *c, size_t f)
{
    return f < c->nfields && c->length[f] && c->field[f][c->length[f] - 1] == '%';
}

/* Whether the name of event goes on in the next field. With a comma it does
 * inside "cpu/event=0x9c,umask=0x1/"; a separator that stands in other names
 * (topdown-retiring, slots:u) has cut them until a run time follows. */
static bool is_cut(const struct td_csv *c, size_t event, size_t last, char sep)
{
    const char *open = memchr(c->field[event], '/', c->length[event]);

    if (sep == ',')
        return open && !memchr(open + 1, '/', c->length[event] - (size_t)(open + 1 - c->field[event]));
    if (is_deviation(c, last + 1))
        last++;
    return strchr(":-=_/", sep) && !is_run_time(c, last + 1);
}

/* Joins the parts of an event's name again; the last field it takes. */
static size_t join_event(struct td_csv *c, size_t event, char sep)
{
    size_t last = event;

    while (last + 1 < c->nfields && is_cut(c, event, last, sep)) {
        c->field[event][c->length[event]] = sep; /* fields lie one behind the other */
        last++;
        c->length[event] += 1 + c->length[last];
    }
    return last;
}

/* The time column, if the line has one. */
static int parse_time(struct td_recording *r, struct td_row *out)
{
    struct td_perf_csv *p = r->state;
    const char *field = r->csv.field[0];
    size_t len = r->csv.length[0];
    uint64_t time = p->time;

    out->has_time = len == p->time_len && len && !memcmp(field, p->time_text, len);
    if (!out->has_time) { /* not that of the line above */
        out->has_time = td_number_time(field, len, &time);
        out->time = 0;
        if (!out->has_time)
            return 0;
        if (p->any_line && p->has_time && time < p->time)
            return td_recording_bad(r, "time goes backwards: %.40s comes after %s", field, p->time_text);
        p->time = time;
        p->time_len = len < sizeof(p->time_text) ? len : 0;
        snprintf(p->time_text, sizeof(p->time_text), "%s", field);
    }
    out->time = time;
    return 0;
}

static int parse_value(struct td_recording *r, size_t f, struct td_row *out)
{
    const char *field = r->csv.field[f], *wrong;
    size_t len = r->csv.length[f];

    out->value = 0;
    if (is(field, len, not_counted)) {
        out->status = TD_NOT_COUNTED;
    } else if (is(field, len, not_supported)) {
        out->status = TD_NOT_SUPPORTED;
    } else {
        out->status = TD_OK;
        wrong = td_number_decimal(field, len, &out->value);
        if (wrong)
            return td_recording_bad(r, "the count '%.40s' %s", field, wrong);
    }
    return 0;
}

/* Run time in ns and the share of the time that the event was counted. The
 * share is cut to whole per cent, so it says little below one. */
static int parse_coverage(struct td_recording *r, size_t f, struct td_row *out)
{
    struct td_csv *c = &r->csv;
    double percent = 0;
    const char *wrong;

    if (f + 1 >= c->nfields)
        return td_recording_bad(r, "the line ends before the run time and the percentage: %zu columns", c->nfields);
    wrong = td_number_decimal(c->field[f], c->length[f], &out->running);
    if (wrong)
        return td_recording_bad(r, "the run time '%.40s' %s%s", c->field[f], wrong,
                                wrong == td_number_none && c->length[f] ? "; if it is a cgroup (perf stat -G): not read by this version" : "");
    wrong = td_number_decimal(c->field[f + 1], c->length[f + 1], &percent);
    if (!wrong && percent > 100.5)
        wrong = "is over 100";
    if (wrong)
        return td_recording_bad(r, "the percentage '%.40s' %s", c->field[f + 1], wrong);
    if (percent >= 100)
        out->enabled = out->running;
    else
        out->enabled = out->running * 100 / (percent > 1 ? percent : 1);
    return 0;
}

/* A last line without a newline may have been cut in the middle of a number:
 * it is whole if something follows the percentage, or if that has perf's two
 * decimals. */
static bool cut_off(const struct td_csv *c, size_t percent)
{
    if (!c->unterminated || percent + 1 < c->nfields)
        return false;
    return percent >= c->nfields || c->length[percent] < 4 || c->field[percent][c->length[percent] - 3] != '.';
}

enum kind { COUNTS, NO_COUNTS, CUT_OFF };

static int parse_counts(struct td_recording *r, size_t f, struct td_row *out, enum kind *kind)
{
    const struct td_perf_csv *p = r->state;
    struct td_csv *c = &r->csv;
    size_t event = f + 2, run;
    int err;

    *kind = COUNTS;
    if (event >= c->nfields) {
        if (cut_off(c, event + 2))
            *kind = CUT_OFF;
        return *kind == CUT_OFF ? 0 : td_recording_bad(r, "the line ends before the event: %zu columns", c->nfields);
    }
    if (only(c->field[event], c->length[event], "0123456789."))
        return td_recording_bad(r, "%s", td_perf_ratios_only);
    run = join_event(&r->csv, event, p->sep) + 1;
    run += is_deviation(c, run);
    if (cut_off(c, run + 1)) {
        *kind = CUT_OFF;
        return 0;
    }
    err = parse_value(r, f, out);
    if (!err)
        err = parse_coverage(r, run, out);
    if (err)
        return err;
    if (!c->length[event])
        return td_recording_bad(r, "the event has no name");
    out->text = td_recording_text(r, c->field[event], c->length[event]);
    return out->text < 0 ? out->text : 0;
}

static bool empty(const struct td_csv *c, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        if (i >= c->nfields || c->length[i])
            return false;
    return true;
}

static void note_summary(struct td_recording *r)
{
    struct td_perf_csv *p = r->state;

    if (!p->told_summary)
        td_recording_note(r, "the summary lines are left out: they repeat the intervals");
    p->told_summary = true;
}

/* What the fields of a line are. */
static int parse_fields(struct td_recording *r, struct td_row *out, enum kind *kind)
{
    struct td_perf_csv *p = r->state;
    struct td_csv *c = &r->csv;
    size_t f;
    int err;

    *kind = NO_COUNTS;
    if (is(c->field[0], c->length[0], "summary")) {
        note_summary(r);
        return 0;
    }
    err = parse_time(r, out);
    if (err)
        return err;
    f = out->has_time;
    if (f >= c->nfields && cut_off(c, f))
        *kind = CUT_OFF;
    if (f >= c->nfields || empty(c, f, c->nfields - f < 3 ? c->nfields - f : 3)) {
        p->metric_rows++;
        return 0; /* a further metric of the line above */
    }
    if (!is_value(c->field[f], c->length[f]) && *c->field[f] != '-')
        return td_recording_bad(r, "'%.40s' is neither a count nor <not counted>: perf stat -A, --per-* and the like "
                                   "are not read by this version", c->field[f]);
    if (p->has_time && !out->has_time) { /* perf stat -I --summary --no-csv-summary */
        note_summary(r);
        return 0;
    }
    if (p->any_line && out->has_time && !p->has_time && !out->new_run)
        return td_recording_bad(r, "this line has a time, the lines above have none");
    p->has_time = out->has_time;
    return parse_counts(r, f, out, kind);
}

int td_perf_line(struct td_recording *r, struct td_row *out)
{
    struct td_perf_csv *p = r->state;
    enum kind kind = NO_COUNTS;
    char *line;
    size_t len;
    int err;

    *out = (struct td_row){.scope = td_gather_scope(r, p->gather, "system", strlen("system"), td_system)};
    if (out->scope < 0)
        return out->scope;
    do {
        err = td_recording_line(r, &line, &len);
        if (err)
            return err;
        if (p->any_line && !strncmp(line, started, strlen(started))) {
            td_recording_note(r, "a further recording begins here (perf stat --append)");
            out->new_run = true;
            p->time_len = 0;
            p->time = 0;
            p->has_time = false;
        }
        if (td_perf_skipped(line, len))
            continue;
        if (!p->sep)
            err = td_perf_separator(r, line, len);
        while (p->sep == ' ' && *line == ' ') /* perf pads the time, which is no empty column */
            line++, len--;
        if (!err)
            err = td_recording_split(r, line, len);
        if (!err && r->csv.nfields)
            err = parse_fields(r, out, &kind);
        if (kind == CUT_OFF) {
            td_recording_note(r, "the last line was cut off; it is left out");
            return -ENODATA;
        }
    } while (!err && kind != COUNTS);
    p->any_line = p->any_line || !err;
    return err;
}
