/* SPDX-License-Identifier: MIT */
/* The columns of perf stat -x that say what was counted and when: a time and an id before the value, a cgroup after the
 * event (print_aggr_id_csv() and print_cgroup_csv() in Linux tools/perf/util/stat-display.c). In which order the
 * columns come is in csv_line.c. */
#include "formats/perf_stat/perf_csv.h"

#include "util/number.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_FIELDS = 16 /* the most that separators in a name may cut it into */ };

const char td_perf_decimal_comma[] = "a decimal comma beside the separator ',': record with 'perf stat -x\\;'";

static const struct {
    const char *form; /* 0: any digits */
    enum td_scope_kind kind;
} ids[] = {
    {"CPU0", TD_KIND_CPU}, {"S0-D0-C0", TD_KIND_CORE}, {"S0-C0", TD_KIND_CORE},        {"S0", TD_KIND_SOCKET},
    {"N0", TD_KIND_NODE},  {"S0-D0", TD_KIND_SOCKET},  {"S0-D0-CLS0", TD_KIND_SOCKET}, {"S0-D0-L0-ID0", TD_KIND_SOCKET},
};

bool td_perf_only(const char *field, size_t len, const char *set)
{
    return len && strspn(field, set) >= len;
}

bool td_perf_empty(const struct td_bytes *c, size_t from, size_t n)
{
    for (size_t i = from; i < from + n; i++)
        if (i >= c->nfields || c->length[i])
            return false;
    return true;
}

bool td_perf_no_count(const struct td_bytes *c, size_t f)
{
    return f >= c->nfields || td_perf_empty(c, f, c->nfields - f < 3 ? c->nfields - f : 3);
}

bool td_perf_is_value(const struct td_bytes *c, size_t f)
{
    if (f >= c->nfields)
        return false;
    if (*c->field[f] == '<')
        return !strcmp(c->field[f], "<not counted>") || !strcmp(c->field[f], "<not supported>");
    return td_is_digit(*c->field[f]) && !memchr(c->field[f], '-', c->length[f]); /* 7zip-12 is a thread */
}

/* Replaces a decimal comma, which occurs only where the comma does not separate, by a dot; false: there is none. */
static bool take_comma(char *field, size_t len)
{
    char *comma = memchr(field, ',', len);

    if (comma)
        *comma = '.';
    return comma;
}

const char *td_perf_number(struct td_recording *r, size_t f, double *out)
{
    char *field = r->bytes.field[f];
    size_t len = r->bytes.length[f];
    const char *wrong = td_number_decimal(field, len, out);

    return wrong == td_number_none && take_comma(field, len) ? td_number_decimal(field, len, out) : wrong;
}

/* A time that is not that of the line above. */
static bool read_time(char *field, size_t len, uint64_t *out)
{
    return td_number_time(field, len, out) ||
           (len > 10 && field[len - 10] == ',' && take_comma(field, len) && td_number_time(field, len, out));
}

int td_perf_time(struct td_recording *r, struct td_row *out)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    char *field = r->bytes.field[0];
    size_t len = r->bytes.length[0];
    uint64_t time = p->rows.time;
    int err = 0;

    out->has_time = td_perf_same_time(&p->rows, field, len);
    if (!out->has_time) {
        out->has_time = read_time(field, len, &time);
        err = out->has_time ? td_perf_rows_time(r, &p->rows, field, len, time) : 0;
    }
    out->time = out->has_time && !err ? time : 0;
    return err;
}

/* The text is NUL-terminated. */
static bool has_form(const char *text, size_t len, const char *form)
{
    size_t at = 0;

    for (; *form; form++) {
        const size_t n = *form == '0' ? strspn(text + at, "0123456789") : text[at] == *form;

        if (!n)
            return false;
        at += n;
    }
    return at == len;
}

static enum td_scope_kind id_kind(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        if (has_form(text, len, ids[i].form))
            return ids[i].kind;
    return TD_KIND_NONE;
}

/* The name is the task's own and may hold anything; the last "-" is perf's. */
static bool is_thread(const char *text, size_t len)
{
    size_t n = len;

    while (n && td_is_digit(text[n - 1]))
        n--;
    return n < len && n && text[n - 1] == '-';
}

/* The kind of scope whose id is fields first..last, joined as text; TD_KIND_NONE: they are no id. */
static enum td_scope_kind scope_kind(const struct td_bytes *c, const char *text, size_t len, size_t last)
{
    enum td_scope_kind kind = id_kind(text, len);
    bool counted = td_perf_is_value(c, last + 1);

    if (kind != TD_KIND_NONE)
        return counted || td_perf_empty(c, last + 1, 3) ? kind : TD_KIND_NONE;
    if (!is_thread(text, len))
        return TD_KIND_NONE;
    return (counted && !td_perf_is_value(c, last + 2)) || (!counted && len > 2 && td_perf_empty(c, last + 1, 3))
               ? TD_KIND_THREAD
               : TD_KIND_NONE;
}

/* Joins fields from the first on, which is there, until they are an id; returns its kind and gives its last field, or
 * TD_KIND_NONE with all as before. */
static enum td_scope_kind join_scope(struct td_recording *r, size_t first, size_t *len, size_t *last)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_bytes *c = &r->bytes;
    size_t limit = p->separator[1] ? first : first + NAME_FIELDS - 1;

    *len = c->length[first];
    for (*last = first;; ++*last) {
        enum td_scope_kind kind = scope_kind(c, c->field[first], *len, *last);

        if (kind != TD_KIND_NONE)
            return kind;
        if (*last + 1 >= c->nfields || *last == limit)
            break;
        c->field[first][*len] = *p->separator; /* fields come one after the other */
        *len += 1 + c->length[*last + 1];
    }
    for (size_t i = first; i < *last; i++)
        c->field[i][c->length[i]] = '\0';
    return TD_KIND_NONE;
}

/* The number of a scope, which is mostly that of the line above. */
static int set_scope(struct td_recording *r, const char *name, size_t len, enum td_scope_kind kind, struct td_row *out)
{
    struct td_perf_csv *p = td_perf_csv_of(r);

    if (p->scope_kind != kind || p->scope_len != len || memcmp(p->scope_text, name, len)) {
        int scope = td_gather_scope(r, p->rows.gather, name, len, kind);

        if (scope < 0)
            return scope;
        p->scope = scope;
        p->scope_kind = kind;
        p->scope_len = len < sizeof(p->scope_text) ? len : 0;
        memcpy(p->scope_text, name, p->scope_len);
    }
    out->scope = p->scope;
    return 0;
}

int td_perf_scope(struct td_recording *r, size_t *f, struct td_row *out)
{
    struct td_bytes *c = &r->bytes;
    size_t first = *f, last, len;
    enum td_scope_kind kind;

    if (first >= c->nfields || !c->length[first] || td_perf_is_value(c, first))
        return 0;
    kind = join_scope(r, first, &len, &last);
    if (kind == TD_KIND_NONE)
        return 0;
    *f = last + 1;
    if (kind != TD_KIND_CPU && td_perf_is_value(c, *f + 1) && td_perf_only(c->field[*f], c->length[*f], "0123456789"))
        ++*f; /* how many CPUs; --percore has none */
    return set_scope(r, c->field[first], len, kind, out);
}

/* A percentage as perf writes it: 100.00 */
static bool is_percentage(const char *text, size_t len)
{
    return len >= 4 && len <= 6 && (text[len - 3] == '.' || text[len - 3] == ',') && td_is_digit(text[0]) &&
           td_is_digit(text[len - 4]) && td_is_digit(text[len - 2]) && td_is_digit(text[len - 1]);
}

/* Whether f and the field after it are the run time and the percentage; loosely: with any number. */
static bool is_run_time(const struct td_bytes *c, size_t f, bool loosely)
{
    const char *run = c->field[f], *percent = c->field[f + 1];
    size_t len = c->length[f];

    if (!len || !td_is_digit(run[0]) || !td_is_digit(run[len - 1]))
        return false;
    if (!loosely)
        return is_percentage(percent, c->length[f + 1]);
    return td_perf_only(run, len, "0123456789") && td_perf_only(percent, c->length[f + 1], "0123456789.");
}

/* The field of the run time; 0: there is none. */
static size_t find_run_time(const struct td_bytes *c, size_t event, bool loosely)
{
    for (size_t f = event + 1; f + 1 < c->nfields; f++)
        if (is_run_time(c, f, loosely))
            return f;
    return 0;
}

bool td_perf_is_deviation(const struct td_bytes *c, size_t f)
{
    return f < c->nfields && c->length[f] && c->field[f][c->length[f] - 1] == '%';
}

/* Whether the name of the event may continue after its first len characters: inside
 * "cpu/event=0x9c,umask=0x1/", and where the separator is part of other names
 * (topdown-retiring, slots:u). */
static bool is_cut(const struct td_perf_csv *p, const char *name, size_t len)
{
    const char *open = memchr(name, '/', len);

    if (p->separator[1])
        return false;
    if (strchr(":-=_/", *p->separator))
        return true;
    return open && open == memrchr(name, '/', len) && strncmp(name, "mem:", 4);
}

/* Joins fields first..end-1, which come one after the other; returns how long they are together. */
static size_t join(const struct td_perf_csv *p, struct td_bytes *c, size_t first, size_t end)
{
    size_t len = c->length[first];

    for (size_t f = first + 1; f < end; f++) {
        c->field[first][len] = *p->separator;
        len += 1 + c->length[f];
    }
    return len;
}

void td_perf_name(struct td_recording *r, size_t event, struct td_perf_name *out)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_bytes *c = &r->bytes;
    size_t run = find_run_time(c, event, false), next = event + 1, end;

    if (!run)
        run = find_run_time(c, event, true);
    *out = (struct td_perf_name){.event_len = c->length[event],
                                 .run = run ? run : event + 1 + td_perf_is_deviation(c, event + 1)};
    end = run ? run - td_perf_is_deviation(c, run - 1) : next;
    while (next < end && is_cut(p, c->field[event], out->event_len))
        out->event_len = join(p, c, event, ++next);
    if (next < end) {
        out->cgroup = c->field[next];
        out->cgroup_len = join(p, c, next, end);
    }
}

int td_perf_cgroup(struct td_recording *r, const struct td_perf_name *n, struct td_row *out)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    char both[sizeof(p->scope_text) + 256];
    int len;

    if (!n->cgroup_len)
        return 0;
    if (!out->scope)
        return set_scope(r, n->cgroup, n->cgroup_len, TD_KIND_CGROUP, out);
    /* both -A and -G */
    len = snprintf(both, sizeof(both), "%.*s %.*s", (int)p->scope_len, p->scope_text, (int)n->cgroup_len, n->cgroup);
    if ((size_t)len >= sizeof(both) || !p->scope_len)
        return td_recording_bad(r, "the name of the cgroup '%.40s...' is too long beside a CPU's: record without -A",
                                n->cgroup);
    return set_scope(r, both, (size_t)len, TD_KIND_CGROUP, out);
}

/* Whether the field's text is a number, or a time; also with the decimal comma at point, where it has one. */
static bool reads(char *field, size_t len, char *point, bool (*read)(const char *, size_t))
{
    bool done;

    if (!point)
        return read(field, len);
    *point = '.';
    done = read(field, len);
    *point = ',';
    return done;
}

static bool reads_number(const char *field, size_t len)
{
    double ignored;

    /* one that is negative is damaged */
    return td_is_digit(field[*field == '-']) && td_number_decimal(field, len, &ignored) != td_number_none;
}

static bool reads_time(const char *field, size_t len)
{
    uint64_t ignored;

    return td_number_time(field, len, &ignored);
}

static bool is_count(const struct td_bytes *c, size_t f)
{
    return td_perf_status(c->field[f], c->length[f]) != TD_OK || !strncmp(c->field[f], "<not", 4) ||
           (c->length[f] && reads(c->field[f], c->length[f], memchr(c->field[f], ',', c->length[f]), reads_number));
}

static bool is_time(const struct td_bytes *c)
{
    char *point = c->length[0] > 10 ? c->field[0] + c->length[0] - 10 : NULL;

    return reads(c->field[0], c->length[0], point && *point == ',' ? point : NULL, reads_time);
}

/* Where a count is, after a time and an id. */
static size_t count_place(struct td_recording *r)
{
    struct td_bytes *c = &r->bytes;
    size_t f = is_time(c), last, len;

    if (f >= c->nfields || !c->length[f] || td_perf_is_value(c, f) || join_scope(r, f, &len, &last) == TD_KIND_NONE)
        return f;
    f = last + 1;
    return f + (td_perf_is_value(c, f + 1) && td_perf_only(c->field[f], c->length[f], "0123456789"));
}

/* Whether the line has an event of this recording whose name the separator cuts. */
static bool has_cut_event(const struct td_perf_csv *p)
{
    const struct td_texts *t = &p->recording.stream.texts;

    for (size_t i = 0; i < t->n; i++)
        if (strpbrk(t->names[i], p->separator) && strstr(p->memory.raw, t->names[i]))
            return true;
    return false;
}

bool td_perf_foreign(struct td_recording *r)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    const struct td_bytes *c = &r->bytes;
    const size_t f = count_place(r);

    if (td_perf_no_count(c, f) || is_count(c, f) || !strcmp(c->field[0], "summary"))
        return false;
    for (size_t i = 0; i < c->nfields; i++)
        if (td_recording_names_event(r, c->field[i], c->length[i], p->separator))
            return false;
    return !has_cut_event(p);
}

bool td_perf_header(const struct td_recording *r)
{
    const struct td_bytes *c = &r->bytes;

    for (size_t i = 0; i < c->nfields; i++)
        if (!strcasecmp(c->field[i], "event") || !strcasecmp(c->field[i], "event name") ||
            !strcasecmp(c->field[i], "counter"))
            return c->nfields >= 3;
    return false;
}
