/* SPDX-License-Identifier: MIT */
/* perf stat -x -I writes the same lines in each interval, but for their numbers: what a line
 * means is known from the one at the same place in the interval before. Such a line is
 *
 *   [blanks] time SEP front digits middle digits SEP percentage [SEP metric SEP name]...
 *
 * where front (an id, how many CPUs that is) and middle (unit, event, cgroup) are byte for byte
 * the same. With a count and a run time of digits alone, and a percentage as perf writes it,
 * nothing that csv_line.c and csv_columns.c decide depends on which digits these are. All other
 * lines are theirs. A line so known takes 1,500 instructions, with all that replay --summary-only does with it, instead
 * of 4,900. */
#include "formats/perf_stat/perf_csv.h"

#include "util/number.h"
#include "util/room.h"

#include <errno.h>
#include <string.h>

enum {
    SAFE_DIGITS = 19, /* numbers with this many digits are below 2^64 */
    TEXT_MAX = 96,
    PLACES_MAX = 16384, /* places of one interval that are remembered */
};

struct td_perf_known {
    char text[TEXT_MAX]; /* front and middle */
    unsigned char front, middle; /* their lengths; middle 0: no line of this form */
    unsigned char columns; /* up to the percentage, and with it */
    int scope, event;
};

struct numbers {
    uint64_t time, count, run;
    double percent;
    uint32_t printed;
};

/* The end of the digits at at, or NULL: there are none, or too many. Lines end with a NUL byte. */
static const char *take_digits(const char *at, uint64_t *out)
{
    const char *begin = at;
    uint64_t n = 0; /* of too many digits it means nothing */

    for (unsigned digit; (digit = (unsigned char)*at - (unsigned)'0') <= 9; at++)
        n = n * 10 + digit;
    *out = n;
    return at == begin || at - begin > SAFE_DIGITS ? NULL : at;
}

/* The end of a percentage with perf's two decimals, or NULL. */
static const char *take_percent(const char *at, const char *end, double *out)
{
    const char *point = at;

    if (end - at >= 6 && !memcmp(at, "100.00", 6)) {
        *out = 100;
        return at + 6;
    }
    while (td_is_digit(*point) && point - at < 3)
        point++;
    return *point != '.' || td_number_decimal(at, (size_t)(point + 3 - at), out) ? NULL : point + 3;
}

/* The end of text, or NULL: something else is there. */
static const char *take_text(const char *at, const char *end, const char *text, size_t len)
{
    return (size_t)(end - at) >= len && !memcmp(at, text, len) ? at + len : NULL;
}

/* The names of the metrics after a percentage; false: too many columns. */
static bool take_metrics(struct td_recording *r, const struct td_perf_known *k, const char *at, const char *end,
                         uint32_t *out)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_hints *hints = &r->stream.hints;
    const char separator = *p->separator;
    bool skip = false;

    *out = 0;
    for (size_t columns = k->columns; at < end; columns++) {
        const char *begin = at + 1, *next = memchr(begin, separator, (size_t)(end - begin)), *last;

        if (columns == TD_FIELDS_MAX)
            return false;
        at = last = next ? next : end;
        while (begin < last && (*begin == ' ' || *begin == '\t'))
            begin++;
        while (last > begin && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        skip = !skip && td_perf_names_metric(begin, (size_t)(last - begin));
        if (skip)
            *out = td_hints_join(hints, *out, td_printed_again(&p->names, hints, begin, (size_t)(last - begin)));
    }
    return true;
}

/* Reads what is after the time; false: it is not as in k. */
static bool take_rest(struct td_recording *r, const struct td_perf_known *k, const char *at, const char *end,
                      struct numbers *out)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    const char separator = *p->separator;

    at = k->middle ? take_text(at, end, k->text, k->front) : NULL;
    at = at ? take_digits(at, &out->count) : NULL;
    at = at ? take_text(at, end, k->text + k->front, k->middle) : NULL;
    at = at ? take_digits(at, &out->run) : NULL;
    at = at && *at == separator ? take_percent(at + 1, end, &out->percent) : NULL;
    if (!at || (at < end && *at != separator))
        return false;
    return take_metrics(r, k, at, end, &out->printed);
}

/* The end of the time and its separator, or NULL; text: how the time is written, in *len bytes. */
static const char *take_time(const struct td_perf_csv *p, const char *line, const char *end, const char **text,
                             size_t *len, uint64_t *out)
{
    const char *at = line, *next;

    while (*at == ' ')
        at++;
    *text = at;
    *len = p->rows.time_len;
    *out = p->rows.time;
    if (*len && !strncmp(at, p->rows.time_text, *len) && at[*len] == *p->separator)
        return at + *len + 1;
    next = memchr(at, *p->separator, (size_t)(end - at));
    if (!next)
        return NULL;
    *len = (size_t)(next - at);
    return td_number_time(at, *len, out) ? next + 1 : NULL;
}

/* The place of a line in its interval. */
static size_t place_of(const struct td_perf_memory *m, uint64_t time)
{
    return m->begun && m->time == time ? m->place + 1 : 0;
}

static void move_to(struct td_perf_memory *m, size_t place, uint64_t time)
{
    m->place = place;
    m->time = time;
    m->begun = true;
}

bool td_perf_known(struct td_recording *r, const char *line, size_t len, struct td_row *out, int *err)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    const char *text, *at;
    const struct td_perf_known *k;
    struct numbers n;
    size_t place, text_len;

    if (!p->memory.n || !p->rows.has_time || r->bytes.by_libraries)
        return false;
    at = take_time(p, line, line + len, &text, &text_len, &n.time);
    place = place_of(&p->memory, n.time);
    if (!at || place >= p->memory.n)
        return false;
    k = &p->memory.line[place];
    if (!take_rest(r, k, at, line + len, &n) || td_perf_enabled((double)n.run, n.percent, &out->enabled))
        return false;
    *err = td_perf_same_time(&p->rows, text, text_len) ? 0 : td_perf_rows_time(r, &p->rows, text, text_len, n.time);
    move_to(&p->memory, place, n.time);
    out->has_time = true;
    out->time = n.time;
    out->scope = k->scope;
    out->text = k->event;
    out->status = TD_OK;
    out->value = (double)n.count;
    out->running = (double)n.run;
    out->printed = n.printed;
    return true;
}

void td_perf_keep(struct td_recording *r, const char *line, size_t len)
{
    struct td_perf_memory *m = &td_perf_csv_of(r)->memory;

    m->raw_len = len < sizeof(m->raw) ? len : 0;
    memcpy(m->raw, line, m->raw_len);
    m->raw[m->raw_len] = '\0';
}

/* Where a field of the kept line begins, found by the separators; NULL: there is no such field. */
static const char *raw_field(const struct td_perf_csv *p, size_t field)
{
    const char *at = p->memory.raw;

    for (; field && at; field--) {
        at = strchr(at, *p->separator);
        at = at ? at + 1 : NULL;
    }
    return at;
}

/* Splits the kept line into front and middle, if it is a line that can be recognised again. */
static void learn(struct td_recording *r, size_t value, size_t run, struct td_perf_known *k)
{
    const struct td_perf_csv *p = td_perf_csv_of(r);
    const char *front = raw_field(p, 1), *count = raw_field(p, value), *unit = raw_field(p, value + 1);
    const char *time = raw_field(p, run);
    size_t middle;
    struct numbers n;

    if (!time) /* the last of them */
        return;
    middle = (size_t)(time - unit) + 1; /* including the separator after the count */
    if ((size_t)(count - front) + middle > sizeof(k->text))
        return;
    k->front = (unsigned char)(count - front);
    k->middle = (unsigned char)middle;
    k->columns = (unsigned char)(run + 2);
    memcpy(k->text, front, k->front);
    memcpy(k->text + k->front, unit - 1, middle);
    if (!take_rest(r, k, front, p->memory.raw + p->memory.raw_len, &n))
        k->middle = 0;
}

int td_perf_learn(struct td_recording *r, size_t value, size_t run, const struct td_row *row)
{
    struct td_perf_csv *p = td_perf_csv_of(r);
    struct td_perf_memory *m = &p->memory;
    const size_t place = place_of(m, row->time);

    if (!row->has_time || p->separator[1] || place >= PLACES_MAX)
        return 0;
    if (td_room(&m->line, &m->room, place + 1, sizeof(*m->line)))
        return td_log_no_memory(r->log);
    if (place == m->n)
        m->n++;
    m->line[place] = (struct td_perf_known){.scope = row->scope, .event = row->text};
    learn(r, value, run, &m->line[place]);
    move_to(m, place, row->time);
    return 0;
}
