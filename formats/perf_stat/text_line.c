/* SPDX-License-Identifier: MIT */
/* One line of perf stat's text, wherever it was pasted: what it is, and its parts.
 *
 *   [> ] [time] [scope [CPUs]] count [unit] event [cgroup] [# metric] [( +- 0.30% )] [(66.65%)]
 *
 * Linux tools/perf/util/stat-display.c. What follows '#' is never taken for a
 * value: it is often not even that event's metric. */
#include "formats/perf_stat/perf_text.h"

#include <string.h>

static bool is_letter(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool starts(const char *at, const char *word)
{
    return !strncmp(at, word, strlen(word));
}

/* Bytes up to the next blank. */
static size_t word_len(const char *at)
{
    size_t n = 0;

    while (at[n] && at[n] != ' ' && !td_text_blank(at + n))
        n++;
    return n;
}

/* Perf before Linux 3.19 prints it as "[66.65%]". */
bool td_text_coverage(const char *rest, double *percent)
{
    for (const char *open = strpbrk(rest, "(["); open; open = strpbrk(open + 1, "([")) {
        size_t whole = td_text_digits(open + 1), part = 0;

        if (whole && (open[1 + whole] == '.' || open[1 + whole] == ','))
            part = 1 + td_text_digits(open + 2 + whole);
        if (!whole || whole > 3 || part == 1 || !starts(open + 1 + whole + part, *open == '(' ? "%)" : "%]"))
            continue;
        return td_text_number(open + 1, whole + part, part ? open[1 + whole] : '.', percent);
    }
    return false;
}

/* "( +-  0.30% )" or "(66.65%)"; at is its first bracket. */
static bool is_share(const char *at)
{
    const char *close = strchr(at, ')');

    while (close && close[-1] == ' ')
        close--;
    return close && close[-1] == '%';
}

/* What perf prints with a scale (stat.c, sysfs *.unit) and a blank before the event. */
static bool is_unit(const char *at, size_t len)
{
    static const char *const units[] = {"msec", "usec", "nsec", "sec", "ns", "us",    "ms", "Joules", "MiB",
                                        "KiB",  "GiB",  "MB",   "KB",  "GB", "Bytes", "C",  "W"};

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (strlen(units[i]) == len && !memcmp(at, units[i], len))
            return true;
    return false;
}

/* What may follow an event, including the end of the line; apart: after two blanks at least. */
static bool is_rest(const char *at, bool apart)
{
    switch (*at) {
    case '\0':
    case '#':
    case '<': return true;
    case '(': return is_share(at) || !strchr(at, ')');
    case '[': return td_text_digits(at + 1);
    case '+': return at[1] == '-';
    default: return apart && td_text_digits(at); /* metrics without a '#' column */
    }
}

/* Whether it is an event's name, and not a word of a sentence. */
static bool is_event(const struct td_text_line *l, size_t gap)
{
    if (gap >= 2 || l->unit || (*l->rest && strchr("#([+", *l->rest)) || starts(l->name, "slots") ||
        starts(l->name, "cycles") || strcspn(l->name, "-_:") < l->name_len)
        return true;
    return memchr(l->name, '/', l->name_len) != memrchr(l->name, '/', l->name_len); /* pmu/event/, not ops/sec */
}

/* The word after an event, if it is neither a metric nor a percentage. */
static bool take_cgroup(const char *at, size_t gap, struct td_text_line *l)
{
    if (gap < 2 && l->name_len < 24) /* perf's column */
        return false;
    l->scope = at;
    l->scope_len = word_len(at);
    l->scope_kind = TD_KIND_CGROUP;
    l->rest = td_text_skip(at + l->scope_len);
    return is_rest(l->rest, false);
}

/* event [cgroup], or the unit before it */
static bool take_event(const char *at, struct td_text_line *l)
{
    size_t gap;

    const char *tag;

    l->name = at;
    l->name_len = word_len(at);
    tag = memchr(at, '<', l->name_len);
    if (tag && tag[1] == '/') /* of a page */
        l->name_len = (size_t)(tag - at);
    at = td_text_skip(at + l->name_len);
    gap = (size_t)(at - (l->name + l->name_len));
    l->rest = at;
    if (!is_letter(*at) && *at != '/')
        return is_rest(at, gap >= 2);
    if (!l->unit && is_letter(*at) && (is_unit(l->name, l->name_len) || (gap < 2 && memchr(at, '/', word_len(at))))) {
        l->unit = true;
        return take_event(at, l);
    }
    return take_cgroup(at, gap, l);
}

/* count [unit] event ... */
static bool take_count(const char *at, struct td_text_line *l)
{
    size_t n = td_text_number_len(at), gap;

    l->status = TD_OK;
    l->unit = false;
    l->scope = NULL;
    if (starts(at, "<not counted>"))
        n = strlen("<not counted>"), l->status = TD_NOT_COUNTED;
    else if (starts(at, "<not supported>"))
        n = strlen("<not supported>"), l->status = TD_NOT_SUPPORTED;
    else if (starts(at, "&lt;not counted&gt;")) /* a page's text */
        n = strlen("&lt;not counted&gt;"), l->status = TD_NOT_COUNTED;
    else if (starts(at, "&lt;not supported&gt;"))
        n = strlen("&lt;not supported&gt;"), l->status = TD_NOT_SUPPORTED;
    if (!td_text_blank(at + n)) /* without a number there is none: at is no blank */
        return false;
    l->value = at;
    l->value_len = n;
    at = td_text_skip(at + n);
    gap = (size_t)(at - (l->value + n));
    return is_letter(*at) && take_event(at, l) && is_event(l, gap);
}

/* "S0-D0-C1": letters and digits alternate; the last letters give the kind. */
static enum td_scope_kind scope_kind(const char *at, size_t len)
{
    static const struct {
        const char *letters;
        enum td_scope_kind kind;
    } parts[] = {{"S", TD_KIND_SOCKET},  {"D", TD_KIND_SOCKET}, {"CLS", TD_KIND_SOCKET}, {"L", TD_KIND_SOCKET},
                 {"ID", TD_KIND_SOCKET}, {"C", TD_KIND_CORE},   {"N", TD_KIND_NODE},     {"CPU", TD_KIND_CPU}};
    const char *end = at + len;
    enum td_scope_kind kind = TD_KIND_NONE;

    while (at < end) {
        size_t letters = 0, digits, i = 0;

        while (is_letter(at[letters]))
            letters++;
        digits = td_text_digits(at + letters);
        while (i < sizeof(parts) / sizeof(*parts) &&
               (strlen(parts[i].letters) != letters || strncmp(parts[i].letters, at, letters)))
            i++;
        if (!digits || i == sizeof(parts) / sizeof(*parts))
            return TD_KIND_NONE;
        kind = parts[i].kind;
        at += letters + digits;
        if (at < end && *at++ != '-')
            return TD_KIND_NONE;
    }
    return kind;
}

/* A metric with which a line continues: "#   41.4 %  tma_frontend_bound" */
static bool is_more(const char *at)
{
    const char *number = td_text_skip(at + 1);

    if (*at != '#' || number == at + 1)
        return false;
    return td_text_digits(number + (*number == '-')) || starts(number, "nan") || starts(number, "inf");
}

static bool take_tail(const char *at, struct td_text_line *l)
{
    if (is_more(at)) {
        l->kind = TD_TEXT_MORE;
        l->rest = at;
        return true;
    }
    if (take_count(at, l))
        l->kind = TD_TEXT_COUNT;
    return l->kind == TD_TEXT_COUNT;
}

/* --per-thread: comm-tid, where comm, whose first character is a letter, may have blanks and '-'. */
static void take_thread(const char *at, struct td_text_line *l)
{
    const char *word = at;

    for (int words = 0; words < 4 && *word && *word != '#'; words++) {
        size_t len = word_len(word), digits = 0;

        while (digits < len && td_text_digits(word + len - digits - 1))
            digits++;
        if (digits && digits < len && word[len - digits - 1] == '-' && take_tail(td_text_skip(word + len), l)) {
            l->scope = at;
            l->scope_len = (size_t)(word + len - at);
            l->scope_kind = TD_KIND_THREAD;
            return;
        }
        word = td_text_skip(word + len);
    }
}

/* A line that begins with a word: a scope of -A or --per-*. */
static void take_scope(const char *at, struct td_text_line *l)
{
    size_t len = word_len(at), digits;
    const char *tail = td_text_skip(at + len);
    const enum td_scope_kind kind = scope_kind(at, len);

    if (kind == TD_KIND_NONE) {
        take_thread(at, l);
        return;
    }
    digits = td_text_digits(tail);
    if (kind != TD_KIND_CPU && digits && td_text_blank(tail + digits)) /* how many CPUs were added up */
        tail = td_text_skip(tail + digits);
    if (take_tail(tail, l) && !l->scope) {
        l->scope = at;
        l->scope_len = len;
        l->scope_kind = kind;
    }
}

/* -I: seconds and nine digits, with a dot in every locale. */
static const char *take_time(const char *at, struct td_text_line *l)
{
    size_t n = td_text_digits(at);
    uint64_t ns = 0;

    if (!n || n > 9 || at[n] != '.' || td_text_digits(at + n + 1) != 9 || !td_text_blank(at + n + 10))
        return at;
    for (size_t i = 0; i < n + 10; i++)
        ns = at[i] == '.' ? ns : ns * 10 + (unsigned)(at[i] - '0');
    l->has_time = true;
    l->time = ns;
    return td_text_skip(at + n + 10);
}

static enum td_text_kind other_kind(const char *at)
{
    const char *hash = strchr(at, '#');

    if (td_text_digits(at) && strstr(at, "seconds time elapsed"))
        return TD_TEXT_ELAPSED;
    if (starts(at, "Performance counter stats"))
        return TD_TEXT_HEAD;
    if (starts(at, "# started on "))
        return TD_TEXT_STARTED;
    if ((!hash || hash == at) && !strchr(at, ',') && strstr(at, "retiring") && strstr(at, "bad spec"))
        return TD_TEXT_RATIOS;
    return hash == at && starts(td_text_skip(at + 1), "time ") ? TD_TEXT_COLUMNS : TD_TEXT_OTHER;
}

void td_text_parse(const char *line, struct td_text_line *out)
{
    const char *at = td_text_skip(line), *tail;

    *out = (struct td_text_line){.kind = TD_TEXT_OTHER};
    while (*at == '>' || (*at == '|' && !strchr(at + 1, '|'))) /* of a mail; two bars are of a table */
        at = td_text_skip(at + 1);
    tail = take_time(at, out);
    if (is_letter(*tail))
        take_scope(tail, out);
    else if (*tail)
        take_tail(tail, out);
    if (out->kind != TD_TEXT_OTHER)
        return;
    *out = (struct td_text_line){.kind = other_kind(at), .rest = ""};
    if (out->kind == TD_TEXT_HEAD)
        out->rest = at;
    if (out->kind == TD_TEXT_ELAPSED) {
        out->value = at;
        out->value_len = td_text_number_len(at);
    }
}

/* The mark between digits at a place: '.', ',' or 0. */
static char point(const char *at)
{
    size_t n = td_text_digits(at);

    return n && (at[n] == '.' || at[n] == ',') && td_text_digits(at + n + 1) ? at[n] : '\0';
}

/* From what follows an event: one number each, with decimals and no groups. */
static char decimal_behind(const char *rest)
{
    static const char *const before[] = {"#", "+-", "(", "["};
    char found = 0;

    for (size_t i = 0; !found && i < sizeof(before) / sizeof(*before); i++) {
        const char *at = strstr(rest, before[i]);

        if (at)
            at = td_text_skip(at + strlen(before[i]));
        if (at)
            found = point(at + (*at == '-'));
    }
    return found;
}

char td_text_decimal(const struct td_text_line *l, bool *sure)
{
    size_t last = l->value_len;
    char found = decimal_behind(l->rest), ch;

    *sure = true;
    if (found)
        return found;
    if (!l->value_len || l->status != TD_OK)
        return '\0';
    if (l->kind == TD_TEXT_ELAPSED)
        return point(l->value);
    while (last && l->value[last - 1] >= '0' && l->value[last - 1] <= '9')
        last--;
    ch = last ? l->value[last - 1] : '\0'; /* what precedes the last group */
    if (l->unit && (ch == '.' || ch == ',') && l->value_len - last < 3)
        return ch;
    *sure = false; /* a count without a unit has no decimals */
    if (!ch || l->unit || l->value_len - last < 3)
        return '\0';
    return ch == ',' || ch == '\'' ? '.' : ',';
}
