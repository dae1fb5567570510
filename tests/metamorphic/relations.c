/* SPDX-License-Identifier: MIT */
#include "tests/metamorphic/relations.h"

#include <ctype.h>
#include <inttypes.h>

enum { LINES_MAX = 4096, NUMBER = 40 };

/* ---- rows of a trace ----------------------------------------------------------------- */

bool piece_is(struct piece p, const char *text)
{
    return p.n == strlen(text) && !memcmp(p.at, text, p.n);
}

static bool begins_with(struct piece p, const char *text)
{
    return p.n >= strlen(text) && !memcmp(p.at, text, strlen(text));
}

/* The length of a field, whose commas are quoted. */
static size_t field_length(const char *at, size_t left)
{
    bool quoted = false;
    size_t n = 0;

    for (; n < left && (quoted || at[n] != ','); n++)
        quoted = quoted != (at[n] == '"');
    return n;
}

bool trace_row(struct piece line, struct piece column[TRACE_COLUMNS])
{
    size_t at = 0;

    if (!line.n || *line.at == '#' || begins_with(line, "time_ns,"))
        return false;
    for (size_t i = 0; i < TRACE_COLUMNS; i++) {
        if (at > line.n)
            return false;
        column[i] = (struct piece){line.at + at, field_length(line.at + at, line.n - at)};
        at += column[i].n + 1;
    }
    return true;
}

void trace_add_row(struct bytes *b, const struct piece column[TRACE_COLUMNS])
{
    for (size_t i = 0; i < TRACE_COLUMNS; i++) {
        bytes_add(b, column[i].at, column[i].n);
        bytes_add(b, i + 1 < TRACE_COLUMNS ? "," : "\n", 1);
    }
}

bool trace_is_event(struct piece event)
{
    static const char *const words[] = {"start",         "begin",           "end",
                                        "restores",      "switches",        "cpus_changed",
                                        "duration_time", "latency_samples", "latency_squares"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (piece_is(event, words[i]))
            return false;
    return !begins_with(event, "printed:") && !piece_is(event, "PERF_METRICS") && !begins_with(event, "PERF_METRICS:");
}

/* A row that belongs to the row before it. */
static bool is_beside(struct piece event)
{
    return begins_with(event, "printed:") || begins_with(event, "latency_s");
}

bool relation_one_group(const struct bytes *trace)
{
    struct piece line, c[TRACE_COLUMNS], group = {NULL, 0};
    size_t at = 0;

    while (bytes_line(trace, &at, &line)) {
        if (!trace_row(line, c))
            continue;
        if (piece_is(c[TRACE_EVENT], "start") || piece_is(c[TRACE_EVENT], "end"))
            group.at = NULL;
        else if (trace_is_event(c[TRACE_EVENT]) && group.at &&
                 (group.n != c[TRACE_GROUP].n || memcmp(group.at, c[TRACE_GROUP].at, group.n)))
            return false;
        else if (trace_is_event(c[TRACE_EVENT]))
            group = c[TRACE_GROUP];
    }
    return true;
}

static bool is_scaled(const struct bytes *trace)
{
    struct piece line;
    size_t at = 0;

    while (bytes_line(trace, &at, &line) && *line.at == '#')
        if (piece_is(line, "# scaled: yes"))
            return true;
    return false;
}

/* ---- numbers -------------------------------------------------------------------------- */

/* The whole part of a decimal number of up to 18 digits; false: it is another text. */
static bool number(struct piece p, uint64_t *whole, struct piece *fraction)
{
    size_t i = 0;

    *whole = 0;
    for (; i < p.n && isdigit((unsigned char)p.at[i]); i++)
        *whole = 10 * *whole + (uint64_t)(p.at[i] - '0');
    *fraction = (struct piece){p.at + i, p.n - i};
    return i && i < 18 && (i == p.n || p.at[i] == '.');
}

static struct piece print_whole(char *text, uint64_t whole, struct piece fraction)
{
    const int n = snprintf(text, NUMBER, "%" PRIu64 "%.*s", whole, (int)fraction.n, fraction.at);

    return (struct piece){text, (size_t)n};
}

/* ---- all events are counted three times as often --------------------------------------- */

static bool triple(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    struct piece line, c[TRACE_COLUMNS], fraction;
    size_t at = 0;

    (void)r;
    while (bytes_line(from, &at, &line)) {
        char text[NUMBER];
        uint64_t whole;

        if (begins_with(line, "# counter-bits"))
            return false;
        if (!trace_row(line, c) || !trace_is_event(c[TRACE_EVENT]) || !isdigit((unsigned char)*c[TRACE_VALUE].at)) {
            bytes_add_line(to, line);
            continue;
        }
        if (!number(c[TRACE_VALUE], &whole, &fraction) || whole > UINT64_MAX / 8)
            return false;
        if (fraction.n) {
            snprintf(text, sizeof(text), "%.6f", 3 * strtod(c[TRACE_VALUE].at, NULL));
            c[TRACE_VALUE] = (struct piece){text, strlen(text)};
        } else {
            c[TRACE_VALUE] = print_whole(text, 3 * whole, fraction);
        }
        trace_add_row(to, c);
    }
    return true;
}

/* ---- each interval becomes two --------------------------------------------------------- */

struct reading {
    struct piece line[LINES_MAX];
    size_t n;
    struct piece start[TRACE_COLUMNS];
};

/* Both halves of a number; false: it cannot be halved, as then nothing would be left of one half. */
static bool halve(struct piece *p, bool second, char *text)
{
    const struct piece none = {"", 0};
    struct piece fraction;
    uint64_t whole;

    if (!p->n || !isdigit((unsigned char)*p->at))
        return true;
    if (!number(*p, &whole, &fraction) || whole == 1 || (!whole && fraction.n))
        return false;
    *p = second ? print_whole(text, whole - whole / 2, fraction) : print_whole(text, whole / 2, none);
    return true;
}

static bool add_half(struct bytes *to, const struct reading *all, bool second, struct piece time)
{
    for (size_t i = 0; i < all->n; i++) {
        char value[NUMBER], enabled[NUMBER], running[NUMBER];
        struct piece c[TRACE_COLUMNS];
        bool beside;

        trace_row(all->line[i], c);
        beside = !trace_is_event(c[TRACE_EVENT]) && !piece_is(c[TRACE_EVENT], "duration_time");
        if (!beside && (!halve(&c[TRACE_ENABLED], second, enabled) || !halve(&c[TRACE_RUNNING], second, running)))
            return false;
        if (!beside && !halve(&c[TRACE_VALUE], second, value))
            return false;
        c[TRACE_TIME] = time;
        trace_add_row(to, c);
    }
    return true;
}

static bool add_halves(struct bytes *to, struct reading *all)
{
    struct piece last[TRACE_COLUMNS], start[TRACE_COLUMNS], none = {"", 0};
    char text[NUMBER];
    uint64_t begin, end;

    trace_row(all->line[all->n - 1], last);
    memcpy(start, all->start, sizeof(start));
    if (last[TRACE_TIME].n) {
        if (!number(start[TRACE_TIME], &begin, &none) || !number(last[TRACE_TIME], &end, &none) || end < begin + 2)
            return false;
        start[TRACE_TIME] = print_whole(text, begin + (end - begin) / 2, (struct piece){"", 0});
    }
    trace_add_row(to, all->start);
    if (!add_half(to, all, false, start[TRACE_TIME]))
        return false;
    trace_add_row(to, start);
    return add_half(to, all, true, last[TRACE_TIME]);
}

static bool split(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    static struct reading all;
    struct piece line, c[TRACE_COLUMNS];
    size_t at = 0;

    (void)r;
    if (!is_scaled(from))
        return false;
    while (bytes_line(from, &at, &line)) {
        if (!trace_row(line, c)) {
            bytes_add_line(to, line);
            continue;
        }
        if (piece_is(c[TRACE_EVENT], "start")) {
            memcpy(all.start, c, sizeof(c));
            all.n = 0;
            continue;
        }
        if (all.n == LINES_MAX || begins_with(c[TRACE_EVENT], "latency_s"))
            return false;
        all.line[all.n++] = line;
        if (piece_is(c[TRACE_EVENT], "end") && !add_halves(to, &all))
            return false;
    }
    return true;
}

/* ---- names in capitals, or not ----------------------------------------------------------- */

static bool other_case(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    struct piece line, c[TRACE_COLUMNS];
    size_t at = 0;

    (void)r;
    while (bytes_line(from, &at, &line)) {
        const size_t begin = to->n;

        bytes_add_line(to, line);
        if (!trace_row(line, c) || !trace_is_event(c[TRACE_EVENT]) || memchr(c[TRACE_EVENT].at, '/', c[TRACE_EVENT].n))
            continue;
        for (size_t i = 0; i < c[TRACE_EVENT].n && c[TRACE_EVENT].at[i] != ':'; i++) {
            const int letter = c[TRACE_EVENT].at[i];

            to->at[begin + (size_t)(c[TRACE_EVENT].at - line.at) + i] =
                (char)(isupper(letter) ? tolower(letter) : toupper(letter));
        }
    }
    return true;
}

/* ---- an event more, of which no formula knows --------------------------------------------- */

static bool unrelated(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    struct piece line, c[TRACE_COLUMNS], before[TRACE_COLUMNS];
    bool any = false;
    size_t at = 0;

    (void)r;
    while (bytes_line(from, &at, &line)) {
        if (!trace_row(line, c)) {
            bytes_add_line(to, line);
            continue;
        }
        if ((piece_is(c[TRACE_EVENT], "end") || piece_is(c[TRACE_EVENT], "begin")) && any) {
            char text[NUMBER];

            before[TRACE_EVENT] = (struct piece){"UNRELATED.EVENT", 15};
            before[TRACE_VALUE] = (struct piece){"12345", 5};
            trace_add_row(to, before);
            c[TRACE_VALUE] = print_whole(text, strtoull(c[TRACE_VALUE].at, NULL, 10) + 1, (struct piece){"", 0});
            trace_add_row(to, c);
            continue;
        }
        any = trace_is_event(c[TRACE_EVENT]) || (any && !piece_is(c[TRACE_EVENT], "start"));
        if (trace_is_event(c[TRACE_EVENT]))
            memcpy(before, c, sizeof(before));
        bytes_add_line(to, line);
    }
    return true;
}

/* ---- another order of lines ---------------------------------------------------------------- */

/* Lines that stay together: of each the first is in line, the others follow it in the text. */
struct shuffled {
    struct piece line[LINES_MAX];
    size_t n;
};

static void put_shuffled(struct shuffled *s, struct bytes *to, struct unit_random *r)
{
    for (size_t i = s->n; i > 1; i--) {
        const size_t j = unit_random_below(r, i);
        const struct piece p = s->line[i - 1];

        s->line[i - 1] = s->line[j];
        s->line[j] = p;
    }
    for (size_t i = 0; i < s->n; i++)
        bytes_add_line(to, s->line[i]);
    s->n = 0;
}

/* Of the rows of each reading. Where metrics were printed beside counts, their order is that in which perf opened its
 * events. */
static bool other_rows(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    static struct shuffled s;
    struct piece line, c[TRACE_COLUMNS];
    size_t at = 0;

    s.n = 0;
    if (memmem(from->at, from->n, ",printed:", strlen(",printed:")) && !relation_one_group(from))
        return false;
    while (bytes_line(from, &at, &line)) {
        const bool row = trace_row(line, c);

        if (row && is_beside(c[TRACE_EVENT]) && s.n) {
            s.line[s.n - 1].n = (size_t)(line.at + line.n - s.line[s.n - 1].at);
        } else if (row && trace_is_event(c[TRACE_EVENT]) && s.n < LINES_MAX) {
            s.line[s.n++] = line;
        } else {
            put_shuffled(&s, to, r);
            bytes_add_line(to, line);
        }
    }
    put_shuffled(&s, to, r);
    return true;
}

/* The time of a line of perf stat -I, in whatever format; empty: none. */
static struct piece time_of(struct piece line)
{
    static const char key[] = "{\"interval\" : ";
    size_t from = begins_with(line, key) ? strlen(key) : 0, n = 0;

    while (from < line.n && line.at[from] == ' ')
        from++;
    while (from + n < line.n && (isdigit((unsigned char)line.at[from + n]) || line.at[from + n] == '.'))
        n++;
    return n > 10 && line.at[from + n - 10] == '.' ? (struct piece){line.at + from, n} : (struct piece){line.at, 0};
}

/* Whether a line is a count, which may be moved among its like. */
static bool is_count(struct piece line)
{
    const struct piece time = time_of(line);
    size_t i = time.n ? (size_t)(time.at - line.at) + time.n : 0;

    while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
        i++;
    return i < line.n && (isdigit((unsigned char)line.at[i]) || strchr("{<,;SCN", line.at[i])) &&
           !strstr(line.at, "seconds ");
}

/* Of the lines of one interval of perf stat. */
static bool other_lines(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    static struct shuffled s;
    struct piece line, time = {NULL, 0};
    size_t at = 0;

    s.n = 0;
    if (begins_with((struct piece){from->at, from->n}, "# tdprobe-trace") || memchr(from->at, '\0', from->n))
        return false;
    while (bytes_line(from, &at, &line)) {
        const struct piece now = time_of(line);

        if (s.n == LINES_MAX || !is_count(line) || now.n != time.n || memcmp(now.at, time.at, now.n))
            put_shuffled(&s, to, r);
        time = now;
        if (is_count(line))
            s.line[s.n++] = line;
        else
            bytes_add_line(to, line);
    }
    put_shuffled(&s, to, r);
    return true;
}

/* ---- line ends of Windows ------------------------------------------------------------------- */

static bool carriage_returns(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    struct piece line;
    size_t at = 0;

    (void)r;
    if (memchr(from->at, '\0', from->n))
        return false;
    while (bytes_line(from, &at, &line)) {
        bytes_add(to, line.at, line.n - (line.n && line.at[line.n - 1] == '\r'));
        if (at <= from->n)
            bytes_add(to, "\r\n", 2);
    }
    return true;
}

static bool nothing_else(const struct bytes *from, struct bytes *to, struct unit_random *r)
{
    (void)r;
    bytes_add(to, from->at, from->n);
    return true;
}

const struct relation *relation_at(size_t i)
{
    static const struct relation all[] = {
        {"convert", true, false, false, ANSWER_ALL, nothing_else},
        {"CRLF", false, false, false, ANSWER_ALL, carriage_returns},
        {"lines in another order", false, true, true, ANSWER_ALL, other_lines},
        {"rows in another order", true, false, false, ANSWER_ALL, other_rows},
        {"names in another case", true, false, false, ANSWER_ALL, other_case},
        {"an unrelated event", true, false, false, ANSWER_ALL, unrelated},
        {"three times as much", true, false, false, ANSWER_VALUES, triple},
        {"each interval split", true, false, false, ANSWER_SUMMARY_VALUES, split},
    };

    return i < sizeof(all) / sizeof(*all) ? &all[i] : NULL;
}
