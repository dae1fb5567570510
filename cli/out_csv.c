/* SPDX-License-Identifier: MIT */
/* Tidy CSV: one row per metric. */
#include "cli.h"

#include <csv.h>
#include <math.h>
#include <string.h>

enum { ROW = 4096, SCOPE = 1024 };

/* A row being written; what does not fit is cut. */
struct row {
    char text[ROW];
    size_t n;
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
    if (parts >= 1000000) { /* most are ratios below 1 */
        put_digits(r, parts / 1000000, 1);
        parts %= 1000000;
    } else {
        put_char(r, '0');
    }
    put_char(r, '.');
    put_digits(r, parts, 6);
}

/* A field that is somebody else's text: quoted where it must be. */
static void put_text(struct row *r, const char *text)
{
    char quoted[2 * SCOPE + 2];
    size_t len = strlen(text);

    len = len < SCOPE ? len : SCOPE;
    if (!strpbrk(text, ",\"\r\n")) {
        put_bytes(r, text, len);
        return;
    }
    len = csv_write(quoted, sizeof(quoted) - 1, text, len);
    quoted[len < sizeof(quoted) ? len : sizeof(quoted) - 1] = '\0';
    put(r, quoted);
}

static void put_flag(void *ctx, const char *flag, const char *about)
{
    struct row *r = ctx;

    if (r->n && r->text[r->n - 1] != ',')
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
    put_char(r, ',');
    put_text(r, td_result_scope(result));
    put_char(r, ',');
    put(r, td_result_scope_kind(result));
    put_char(r, ',');
    put(r, core ? core : "");
    put_char(r, ',');
    put(r, td_result_cpu(result));
    put_char(r, ',');
}

static void put_metric(struct row *r, const struct td_result *result, const struct td_metric *m, const struct row *coverage)
{
    char status[CLI_STATUS];

    put(r, m->name);
    put_char(r, ',');
    put_number(r, m->value);
    put_char(r, ',');
    put(r, m->unit);
    put_char(r, ',');
    put_number(r, m->low);
    put_char(r, ',');
    put_number(r, m->high);
    put_char(r, ',');
    put_bytes(r, coverage->text, coverage->n);
    put_char(r, ',');
    put(r, cli_status(m, status));
    put_char(r, ',');
    cli_each_flag(result, m, put_flag, r);
}

static void put_count(struct row *r, const struct td_event_count *c)
{
    put_text(r, c->event);
    put_char(r, ',');
    if (c->status == TD_OK)
        put_number(r, c->value);
    put(r, ",count,,,");
    put_number(r, c->coverage);
    put_char(r, ',');
    put(r, td_status_name(c->status));
    put_char(r, ',');
}

static void write_row(struct cli_out *o, struct row *r, size_t prefix)
{
    put_char(r, '\n');
    fwrite_unlocked(r->text, 1, r->n, o->file);
    r->n = prefix;
}

static void csv_begin(struct cli_out *o)
{
    fputs("time,scope,scope_kind,core,cpu,metric,value,unit,low,high,coverage,status,flags\n", o->file);
}

static void csv_result(struct cli_out *o, const struct td_result *result)
{
    struct row r, coverage;
    size_t prefix;

    r.n = coverage.n = 0;
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

const struct cli_format cli_format_csv = {"csv", csv_begin, csv_result};
