/* SPDX-License-Identifier: MIT */
/* The separator of perf stat -x: any text; nothing in the file says which. */
#include "formats/perf_stat/perf_csv.h"

#include "backends/event_match.h"
#include "util/log_prefix.h"
#include "util/number.h"

#include <errno.h>
#include <string.h>

enum { UNIT_SEPARATOR = 0x1f }; /* replaces a separator of several characters, as libcsv takes only one */

static const char *const words[] = {"<not counted>", "<not supported>", "summary"};

bool td_perf_skipped(const char *line, size_t len)
{
    line += *line == '"'; /* of a spreadsheet */
    return *line == '#' || !strcmp(line, "\"") || strspn(line, " \t") == len || !strcmp(line, "Events disabled") ||
           !strcmp(line, "Events enabled");
}

static size_t digits_before(const char *line, size_t at)
{
    size_t n = 0;

    while (n < at && td_is_digit(line[at - n - 1]))
        n++;
    return n;
}

/* The length of the separator before line + at, where a percentage begins: before it there
 * are a run time and the same separator again. 0: there are not. */
static size_t separator_before(const char *line, size_t at)
{
    size_t start = at, len, run;

    while (start && !td_is_digit(line[start - 1]))
        start--;
    len = at - start;
    run = digits_before(line, start);
    if (len > TD_PERF_SEPARATOR || start - run < len || memcmp(line + start - run - len, line + start, len))
        return 0;
    return len;
}

/* Every line with counts has "SEP run-time SEP percent", whatever comes before
 * it; perf writes the percentage with two decimals. 0: not such a line. */
static size_t find_by_run_time(const char *line, const char **out)
{
    for (const char *point = strpbrk(line, ".,"); point; point = strpbrk(point + 1, ".,")) {
        const size_t at = (size_t)(point - line), whole = digits_before(line, at);
        size_t n;

        if (!whole || whole > 3 || !td_is_digit(point[1]) || !td_is_digit(point[2]) || td_is_digit(point[3]))
            continue;
        n = separator_before(line, at - whole);
        *out = point - whole - n;
        if (n)
            return n;
    }
    return 0;
}

/* After the first number (or <not ...>), or at the very start of a line that
 * has only a metric. 0: not such a line. */
static size_t find_by_value(const char *line, size_t len, const char **out)
{
    const char *at = line + strspn(line, " ");
    size_t n = strspn(at, "0123456789.");

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (!strncmp(at, words[i], strlen(words[i])))
            n = strlen(words[i]);
    *out = at + n;
    return at + n < line + len && (n || strchr(",;\t|", *at));
}

struct separator {
    const char *at; /* len bytes */
    size_t len;
    bool quoted; /* cells have quotes, which are none of it */
};

/* Finds it by a run time and a percentage; false: the line does not have them. */
static bool find_separator(const char *line, size_t len, struct separator *out)
{
    out->len = find_by_run_time(line, &out->at);
    out->quoted = out->len && memchr(line, '"', len) && (out->len > 1 || *out->at != '"');
    if (out->len > 2 && *out->at == '"' && out->at[out->len - 1] == '"') { /* "100","100.00" */
        out->at++;
        out->len -= 2;
    }
    return out->len;
}

enum { FRONT = 24 /* fields up to the event, at most */ };

/* A field without the blanks and quotes around it. */
struct cell {
    const char *at;
    size_t len;
};

static struct cell bare(const char *at, size_t len)
{
    while (len && (*at == ' ' || *at == '"'))
        at++, len--;
    while (len && (at[len - 1] == ' ' || at[len - 1] == '"'))
        len--;
    return (struct cell){at, len};
}

/* Splits the line at the separator; returns how many fields there are, FRONT at most. */
static size_t split_front(const char *line, size_t len, const struct separator *s, struct cell out[FRONT])
{
    const char *const end = line + len;
    size_t n = 0;

    while (n < FRONT) {
        const char *next = memmem(line, (size_t)(end - line), s->at, s->len);

        out[n++] = bare(line, (size_t)((next ? next : end) - line));
        if (!next)
            break;
        line = next + s->len;
    }
    return n;
}

static bool is_count(const struct cell *f)
{
    double ignored;

    return f->len && (td_perf_status(f->at, f->len) != TD_OK || !td_number_decimal(f->at, f->len, &ignored));
}

/* count SEP unit SEP event SEP ..., where any event will do (the line has a run time and a percentage), or one that is
 * known. */
static bool has_count(const char *line, size_t len, const struct separator *s, bool any)
{
    struct cell f[FRONT];
    const size_t n = split_front(line, len, s, f);

    for (size_t i = 0; i + 4 < n; i++) {
        const struct cell *event = &f[i + 2];

        if (is_count(&f[i]) && event->len && !is_count(event) && !is_count(&f[i + 1]) &&
            (any || td_event_known(event->at, event->len)))
            return true;
    }
    return false;
}

/* The separator where the percentage is one that a spreadsheet wrote anew; 0: none gives a count of a known event. */
static size_t find_by_cells(const char *line, size_t len, const char **out)
{
    for (const char *mark = ",;|\t"; *mark; mark++)
        if (has_count(line, len, &(struct separator){mark, 1, false}, false)) {
            *out = mark;
            return 1;
        }
    return 0;
}

bool td_perf_sure(const char *line, size_t len)
{
    struct separator s;
    const char *ignored;

    if (*line == '#')
        return false;
    if (find_separator(line, len, &s) && has_count(line, len, &s, true))
        return true;
    return find_by_cells(line, len, &ignored);
}

/* The first line that can only be a count, as a copy; false: no such line is within reach. */
static bool find_sure(struct td_recording *r, char **line, size_t *len)
{
    size_t at = 0, before;

    while (!td_bytes_ahead(&r->bytes, &at, line, len)) {
        before = r->prefixed ? td_log_prefix(*line) : 0;
        *line += before;
        *len -= before;
        if (td_perf_sure(*line, *len))
            return true;
    }
    return false;
}

static int use_separator(struct td_recording *r, const char *at, size_t n, bool quoted)
{
    struct td_perf_csv *p = td_perf_csv_of(r);

    memcpy(p->separator, at, n);
    p->quoted = quoted;
    return td_bytes_format(&r->bytes, n == 1 ? *at : UNIT_SEPARATOR, quoted ? '"' : '\0') ? td_log_no_memory(r->log)
                                                                                          : 0;
}

int td_perf_separator(struct td_recording *r, const char *line, size_t len)
{
    struct separator s;
    const char *at;
    char *ahead;
    size_t n, n_ahead;
    int err;

    if (!td_perf_sure(line, len) && find_sure(r, &ahead, &n_ahead))
        line = ahead, len = n_ahead;
    else if ((err = td_recording_foreign(r, line)))
        return err;
    if (find_separator(line, len, &s))
        return use_separator(r, s.at, s.len, s.quoted);
    n = find_by_cells(line, len, &at);
    if (!n)
        n = find_by_value(line, len, &at);
    if (n)
        return use_separator(r, at, n, *at != '"' && memchr(line, '"', len));
    if (strstr(line, "retiring") || strstr(line, ",cpus") || strstr(line, ",ctrs"))
        return td_recording_bad(r, "%s", td_perf_ratios_only);
    return td_recording_bad(r, "not a line of 'perf stat -x': it has no run time with a percentage after it; "
                               "'tdprobe list formats' names what is read");
}

/* Writes one character for each separator; returns the line's new length. */
static size_t shorten(const struct td_perf_csv *p, char *line, size_t len)
{
    size_t n = strlen(p->separator), to = 0;

    for (size_t from = 0; from < len; to++)
        if (len - from >= n && !memcmp(line + from, p->separator, n)) {
            line[to] = UNIT_SEPARATOR;
            from += n;
        } else {
            line[to] = line[from++];
        }
    return to;
}

int td_perf_split(struct td_recording *r, char *line, size_t len)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);

    while (*p->separator == ' ' && *line == ' ') /* perf pads the time: this is no empty column */
        line++, len--;
    if (p->separator[1]) {
        if (memchr(line, UNIT_SEPARATOR, len))
            return td_recording_bad(r, "the character 0x1f inside the line");
        len = shorten(p, line, len);
    }
    return td_recording_split(r, line, len);
}
