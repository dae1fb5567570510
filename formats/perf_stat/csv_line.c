/* SPDX-License-Identifier: MIT */
/* One line of perf stat -x: a count, metrics that belong to the count above, or something to refuse. A count is
 *
 *   [time] [id [CPUs]] value unit event [cgroup] [deviation] run-time percentage [metric name [threshold]]...
 *
 * parse_fields() takes the columns before the value, parse_counts() all from the value on. What the columns in
 * brackets look like is in csv_columns.c; csv_known.c takes a short cut for lines like the one an interval before. */
#include "formats/perf_stat/perf_csv.h"

#include "util/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool is(const char *field, size_t len, const char *word)
{
    return len == strlen(word) && !memcmp(field, word, len);
}

static int parse_value(struct td_recording *r, size_t f, struct td_row *out)
{
    const char *field = r->bytes.field[f], *wrong;
    size_t len = r->bytes.length[f];

    out->status = td_perf_status(field, len);
    if (out->status != TD_OK)
        return 0;
    wrong = td_perf_number(r, f, &out->value);
    return wrong ? td_recording_bad(r, "the count '%.40s' %s", field, wrong) : 0;
}

/* Run time in ns and the share of the time that the event was counted. */
static int parse_coverage(struct td_recording *r, size_t f, struct td_row *out)
{
    struct td_bytes *c = &r->bytes;
    double percent;
    const char *wrong;

    if (f + 1 >= c->nfields)
        return td_recording_bad(r, "the line ends before the run time and the percentage: %zu columns", c->nfields);
    wrong = td_number_decimal(c->field[f], c->length[f], &out->running);
    if (wrong)
        return td_recording_bad(r, "the run time '%.40s' %s", c->field[f], wrong);
    wrong = td_perf_number(r, f + 1, &percent);
    if (!wrong)
        wrong = td_perf_enabled(out->running, percent, &out->enabled);
    return wrong ? td_recording_bad(r, "the percentage '%.40s' %s", c->field[f + 1], wrong) : 0;
}

/* A last line without a newline may have been cut in the middle of a number:
 * it is whole if something follows the percentage, or if the percentage has perf's two
 * decimals. */
static bool cut_off(const struct td_bytes *c, size_t percent)
{
    if (!c->unterminated || percent + 1 < c->nfields)
        return false;
    return percent >= c->nfields || c->length[percent] < 4 || !strchr(".,", c->field[percent][c->length[percent] - 3]);
}

enum kind { COUNTS, METRICS, NO_COUNTS, CUT_OFF };

/* Whether the line has a name somewhere after its first column: of a count, then, and not only ratios. */
static bool names_any(const struct td_bytes *c, size_t f)
{
    for (; f < c->nfields; f++)
        for (size_t i = 0; i < c->length[f]; i++)
            if (isalpha((unsigned char)c->field[f][i]))
                return true;
    return false;
}

/* Whether a number of the line has a decimal point, so that its commas are none. */
static bool has_point(const struct td_bytes *c, size_t f)
{
    for (; f < c->nfields; f++)
        if (td_perf_only(c->field[f], c->length[f], "0123456789.") && memchr(c->field[f], '.', c->length[f]))
            return true;
    return false;
}

/* Refuses a count whose unit or event is a number, or that has no event. 0, or an error, logged. */
static int check_count(struct td_recording *r, size_t unit)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_bytes *c = &r->bytes;
    bool is_named = unit + 1 < c->nfields,
         of_event = is_named && td_perf_only(c->field[unit + 1], c->length[unit + 1], "0123456789.");
    bool of_unit = unit < c->nfields && td_perf_only(c->field[unit], c->length[unit], "0123456789.");

    if (of_unit && is_named && !of_event && *p->separator == ',' && !has_point(c, unit))
        return td_recording_bad(r, "%s", td_perf_decimal_comma);
    if ((of_unit || of_event) && names_any(c, unit))
        return td_recording_bad(r,
                                "the number '%.40s' is where a count has its %s: is there more before the counts, "
                                "as a log has it? perf stat -x -o FILE writes them alone",
                                c->field[of_unit ? unit : unit + 1], of_unit ? "unit" : "event");
    if (of_unit || of_event)
        return td_recording_bad(r, "%s", has_point(c, unit) ? td_perf_ratios_only : td_perf_no_names);
    return is_named ? 0 : td_recording_bad(r, "the line ends before the event: %zu columns", c->nfields);
}

/* -r with a decimal comma: the deviation is cut into two fields, the first of which passes for a cgroup. */
static bool has_cut_deviation(const struct td_bytes *c, const struct td_perf_name *name)
{
    return name->cgroup && td_perf_is_deviation(c, name->run - 1) && !strpbrk(c->field[name->run - 1], ".,");
}

/* The names of metrics from field f on: each follows its value; newer perf has a threshold after it. */
static uint32_t printed_from(struct td_recording *r, size_t f)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    const struct td_bytes *c = &r->bytes;
    uint32_t all = 0;

    for (; f < c->nfields; f++)
        if (td_perf_names_metric(c->field[f], c->length[f])) {
            all = td_hints_join(&r->stream.hints, all,
                                td_printed_again(&p->names, &r->stream.hints, c->field[f], c->length[f]));
            f++;
        }
    return all;
}

static int parse_counts(struct td_recording *r, size_t f, struct td_row *out, enum kind *kind)
{
    struct td_bytes *c = &r->bytes;
    struct td_perf_name name;
    size_t event = f + 2;
    int err;

    *kind = event >= c->nfields && c->unterminated ? CUT_OFF : COUNTS;
    if (*kind == CUT_OFF)
        return 0;
    err = check_count(r, f + 1);
    if (err)
        return err;
    td_perf_name(r, event, &name);
    if (cut_off(c, name.run + 1)) {
        *kind = CUT_OFF;
        return 0;
    }
    if (has_cut_deviation(c, &name))
        return td_recording_bad(r, "%s", td_perf_decimal_comma);
    err = parse_value(r, f, out);
    if (!err)
        err = parse_coverage(r, name.run, out);
    if (!err)
        err = td_perf_cgroup(r, &name, out);
    if (err)
        return err;
    if (!name.event_len)
        return td_recording_bad(r, "the event has no name");
    out->printed = printed_from(r, name.run + 2);
    out->text = td_recording_text(r, c->field[event], name.event_len);
    return out->text < 0 ? out->text : td_perf_learn(r, f, name.run, out);
}

/* A metric alone, before which perf leaves a count's columns empty; after an
 * id it still writes the number of CPUs. */
static bool is_metric(const struct td_bytes *c, size_t f, int scope)
{
    if (scope && f + 1 < c->nfields && td_perf_only(c->field[f], c->length[f], "0123456789"))
        f++;
    return td_perf_no_count(c, f);
}

/* "TopdownL1", before metrics that belong to no count */
static bool names_group(const struct td_bytes *c)
{
    return !strncmp(c->field[c->nfields - 1], "TopdownL", 8);
}

/* The line begins with something that is neither a count nor may come before one. */
static int refuse_front(struct td_recording *r, size_t f, enum kind *kind)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);

    if (r->bytes.unterminated && p->scope_kind != TD_KIND_NONE) {
        *kind = CUT_OFF;
        return 0;
    }
    return td_recording_bad(r, "'%.40s' is neither a count, nor <not counted>, nor a CPU, core, socket, node or thread",
                            r->bytes.field[f]);
}

/* Further metrics of the line above; after the name of a metric group, they are of that group. */
static void take_metrics(struct td_recording *r, size_t f, struct td_row *out, enum kind *kind)
{
    struct td_perf_csv *p = td_perf_csv_of(r);

    p->metrics = p->metrics || !td_perf_empty(&r->bytes, 0, r->bytes.nfields);
    p->rows.counted = p->rows.counted && !names_group(&r->bytes);
    if (!p->rows.counted)
        return;
    out->printed = printed_from(r, f);
    out->more = true;
    *kind = METRICS;
}

/* Finds out what the fields of a line are. */
static int parse_fields(struct td_recording *r, struct td_row *out, enum kind *kind)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_bytes *c = &r->bytes;
    size_t f;
    int err;

    *kind = NO_COUNTS;
    /* otherwise an id may be cut off */
    if ((!c->unterminated || p->scope_kind == TD_KIND_NONE) && td_perf_foreign(r)) {
        if (p->rows.any || !td_perf_header(r))
            td_recording_skip(r);
        return 0;
    }
    if (is(c->field[0], c->length[0], "summary")) {
        td_perf_rows_summary(r, &p->rows);
        return 0;
    }
    err = td_perf_time(r, out);
    if (err)
        return err;
    f = out->has_time;
    if (f >= c->nfields && c->unterminated)
        *kind = CUT_OFF;
    out->scope = 0; /* the system */
    err = td_perf_scope(r, &f, out);
    if (err)
        return err;
    if (is_metric(c, f, out->scope)) {
        take_metrics(r, f, out, kind);
        return 0;
    }
    if (!td_perf_is_value(c, f) && *c->field[f] != '-')
        return refuse_front(r, f, kind);
    if (p->rows.has_time && !out->has_time) { /* perf stat -I --summary --no-csv-summary */
        td_perf_rows_summary(r, &p->rows);
        return 0;
    }
    if (p->rows.any && out->has_time && !p->rows.has_time && !out->new_run)
        return td_recording_bad(r, "this line has a time, the lines above have none");
    p->rows.has_time = out->has_time;
    return parse_counts(r, f, out, kind);
}

int td_perf_line(struct td_recording *r, struct td_row *out)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    enum kind kind = NO_COUNTS;
    char *line;
    size_t len;
    int err;

    *out = (struct td_row){0};
    do {
        err = td_recording_line(r, &line, &len);
        if (err)
            return err;
        if (td_perf_known(r, line, len, out, &err))
            break;
        if (td_perf_rows_begin(r, &p->rows, line, out) || td_perf_skipped(line, len))
            continue;
        if (!*p->separator)
            err = td_perf_separator(r, line, len);
        td_perf_keep(r, line, len);
        if (!err)
            err = td_perf_split(r, line, len);
        if (err == -EBADMSG && *p->separator && !isdigit((unsigned char)p->memory.raw[strspn(p->memory.raw, " \"")]) &&
            !td_recording_names_event(r, line, len, p->separator)) {
            td_recording_skip(r);
            err = 0;
            continue;
        }
        if (!err && r->bytes.nfields)
            err = parse_fields(r, out, &kind);
        if (kind == CUT_OFF) {
            td_recording_note(r, "the last line was cut off; it is left out");
            return -ENODATA;
        }
    } while (!err && kind > METRICS);
    p->rows.counted = !err;
    p->rows.any = p->rows.any || !err;
    return err;
}
