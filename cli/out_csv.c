/* SPDX-License-Identifier: MIT */
/* Tidy CSV, with a separator of choice: one row per metric. */
#include "bench.h"
#include "cli.h"

#include <csv.h>
#include <math.h>
#include <string.h>

enum { ROW = 4096, SCOPE = 1024 };

/* A row being written; what does not fit is cut. */
struct row {
    char text[ROW];
    size_t n, field; /* field: where the one being written begins */
    const char *separator;
    size_t separator_len;
    bool own; /* the separator may be in our own words and numbers too */
    bool foreign; /* the field holds somebody else's text */
};

static void put_bytes(struct row *r, const char *bytes, size_t len)
{
    if (len > ROW - r->n)
        len = ROW - r->n;
    memcpy(r->text + r->n, bytes, len);
    r->n += len;
}

static void put(struct row *r, const char *text)
{
    put_bytes(r, text, strlen(text));
}

static void put_char(struct row *r, char ch)
{
    if (r->n < ROW)
        r->text[r->n++] = ch;
}

static void put_digits(struct row *r, unsigned long long n, int least)
{
    char digits[24];
    int at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n || (int)sizeof(digits) - at < least);
    put_bytes(r, digits + at, sizeof(digits) - (size_t)at);
}

/* A point and six digits. */
static void put_decimals(struct row *r, unsigned millionths)
{
    char text[7] = ".";

    for (size_t at = sizeof(text) - 1; at; at--, millionths /= 10)
        text[at] = (char)('0' + millionths % 10);
    put_bytes(r, text, sizeof(text));
}

/* Six decimals in any locale; printf() would take a fifth of the whole time. */
static void put_number(struct row *r, double value)
{
    double magnitude = fabs(value);
    unsigned long long parts;
    char text[64];

    if (isnan(value))
        return;
    if (magnitude >= 1e12) {
        snprintf(text, sizeof(text), "%.0f", value);
        put(r, text);
        return;
    }
    parts = (unsigned long long)(magnitude * 1e6 + 0.5);
    if (value < 0 && parts)
        put_char(r, '-');
    if (parts >= 1000000) /* most are ratios below 1 */
        put_digits(r, parts / 1000000, 1);
    else
        put_char(r, '0');
    put_decimals(r, (unsigned)(parts % 1000000));
}

/* Somebody else's text, which may hold anything. */
static void put_text(struct row *r, const char *text)
{
    put_bytes(r, text, strnlen(text, SCOPE));
    r->foreign = true;
}

/* Whether the end of a field and the separator behind it could be read as a
 * separator that begins earlier. */
static bool ends_like_separator(const char *field, size_t len, const struct row *r)
{
    for (size_t n = 1; n < r->separator_len && n <= len; n++)
        if (!memcmp(field + len - n, r->separator, n))
            return true;
    return false;
}

/* RFC 4180 for the field just written. */
static void quote(struct row *r)
{
    char quoted[2 * ROW + 2];
    size_t len = r->n - r->field;

    if (!memmem(r->text + r->field, len, r->separator, r->separator_len) && !memchr(r->text + r->field, '"', len) &&
        !memchr(r->text + r->field, '\r', len) && !memchr(r->text + r->field, '\n', len) &&
        !ends_like_separator(r->text + r->field, len, r))
        return;
    len = csv_write(quoted, sizeof(quoted), r->text + r->field, len);
    r->n = r->field;
    put_bytes(r, quoted, len);
}

static void end_field(struct row *r)
{
    if (r->own || r->foreign)
        quote(r);
    r->foreign = false;
}

/* Ends a field that another follows. */
static void next(struct row *r)
{
    end_field(r);
    if (r->separator_len == 1)
        put_char(r, *r->separator);
    else
        put_bytes(r, r->separator, r->separator_len);
    r->field = r->n;
}

static void begin_row(struct row *r, const struct cli_out *o)
{
    r->n = r->field = 0;
    r->separator = o->separator ? o->separator : ",";
    r->separator_len = strlen(r->separator);
    r->own = r->separator_len != 1 || (*r->separator != ',' && *r->separator != '\t');
    r->foreign = false;
}

static void put_flag(void *ctx, const char *flag, const char *about)
{
    struct row *r = ctx;

    if (r->n > r->field)
        put_char(r, ';');
    put(r, flag);
    if (!about)
        return;
    put_char(r, ':');
    put(r, about);
}

/* The columns that all rows of a result share. */
static void put_result(struct row *r, const struct td_result *result)
{
    const char *core = td_result_core(result);
    uint64_t ns;

    if (td_result_is_summary(result)) {
        put(r, "summary");
    } else if (td_result_time(result, &ns)) {
        put_digits(r, ns / 1000000000, 1);
        put_char(r, '.');
        put_digits(r, ns % 1000000000, 9);
    }
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

static void put_metric(struct row *r, const struct td_result *result, const struct td_metric *m, const struct row *coverage)
{
    char status[CLI_STATUS];

    put(r, m->name);
    next(r);
    put_number(r, m->value);
    next(r);
    put(r, m->unit);
    next(r);
    put_number(r, m->low);
    next(r);
    put_number(r, m->high);
    next(r);
    put_bytes(r, coverage->text, coverage->n);
    next(r);
    put(r, cli_status(m, status));
    next(r);
    cli_each_flag(result, m, put_flag, r);
}

static void put_count(struct row *r, const struct td_event_count *c)
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
}

static void write_row(struct cli_out *o, struct row *r, size_t prefix)
{
    end_field(r);
    put_char(r, '\n');
    fwrite_unlocked(r->text, 1, r->n, o->file);
    r->n = r->field = prefix;
}

static void put_header(struct cli_out *o, const char *const *columns, size_t n)
{
    struct row r;

    begin_row(&r, o);
    for (size_t i = 0; i < n; i++) {
        if (i)
            next(&r);
        put(&r, columns[i]);
    }
    write_row(o, &r, 0);
}

static void csv_begin(struct cli_out *o)
{
    static const char *const columns[] = {"time", "scope", "scope_kind", "core", "cpu", "metric", "value",
                                          "unit", "low", "high", "coverage", "status", "flags"};

    if (!o->appended) /* else the header is there */
        put_header(o, columns, sizeof(columns) / sizeof(*columns));
}

static void csv_result(struct cli_out *o, const struct td_result *result)
{
    struct row r, coverage;
    size_t prefix;

    begin_row(&r, o);
    begin_row(&coverage, o);
    put_result(&r, result);
    put_number(&coverage, td_result_coverage(result));
    prefix = r.n;
    for (size_t i = 0; i < td_result_metrics(result); i++) {
        put_metric(&r, result, td_result_metric(result, i), &coverage);
        write_row(o, &r, prefix);
    }
    for (size_t i = 0; o->counts && i < td_result_counts(result); i++) {
        struct td_event_count c = td_result_count(result, i);

        put_count(&r, &c);
        write_row(o, &r, prefix);
    }
}

static void csv_bench(struct cli_out *o, const struct cli_bench *b)
{
    static const char *const columns[] = {"event", "config", "cpu", "runs", "min", "median", "mean", "deviation", "max", "cost_min", "cost_median", "cost_max"};
    struct row r;

    put_header(o, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < b->n; i++) {
        const struct cli_bench_event *e = &b->event[i];
        const double value[] = {e->counted.min, e->counted.median, e->counted.mean, e->counted.deviation, e->counted.max, e->cost.min, e->cost.median, e->cost.max};
        char config[24];

        begin_row(&r, o);
        put_text(&r, e->event);
        next(&r);
        snprintf(config, sizeof(config), "0x%llx", (unsigned long long)e->config);
        put(&r, config);
        next(&r);
        put_digits(&r, (unsigned long long)b->cpu, 1);
        next(&r);
        put_digits(&r, b->runs, 1);
        for (size_t k = 0; k < sizeof(value) / sizeof(*value); k++) {
            next(&r);
            put_number(&r, value[k]);
        }
        write_row(o, &r, 0);
    }
}

const struct cli_format cli_format_csv = {.name = "csv", .begin = csv_begin, .result = csv_result, .bench = csv_bench};
