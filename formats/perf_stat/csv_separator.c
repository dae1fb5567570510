/* SPDX-License-Identifier: MIT */
/* The separator of perf stat -x: any text; nothing in the file says which. */
#include "formats/perf_stat/perf_csv.h"

#include <errno.h>
#include <string.h>

enum { UNIT_SEPARATOR = 0x1f }; /* replaces a separator of several characters, as libcsv takes only one */

static const char *const words[] = {"<not counted>", "<not supported>", "summary"};

bool td_perf_skipped(const char *line, size_t len)
{
    return *line == '#' || strspn(line, " \t") == len || !strcmp(line, "Events disabled") || !strcmp(line, "Events enabled");
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

static size_t digits_before(const char *line, size_t at)
{
    size_t n = 0;

    while (n < at && is_digit(line[at - n - 1]))
        n++;
    return n;
}

/* The length of the separator before line + at, where a percentage begins: before it there
 * are a run time and the same separator again. 0: there are not. */
static size_t separator_before(const char *line, size_t at)
{
    size_t start = at, len, run;

    while (start && !is_digit(line[start - 1]))
        start--;
    len = at - start;
    run = digits_before(line, start);
    if (!run || len > TD_PERF_SEPARATOR || start - run < len || memcmp(line + start - run - len, line + start, len))
        return 0;
    return len;
}

/* Every line with counts has "SEP run-time SEP percent", whatever comes before
 * it; perf writes the percentage with two decimals. 0: not such a line. */
static size_t find_by_run_time(const char *line, size_t len, const char **out)
{
    for (size_t point = 1; point + 2 < len; point++) {
        size_t whole = digits_before(line, point), n;

        if (!whole || whole > 3 || (line[point] != '.' && line[point] != ','))
            continue;
        if (!is_digit(line[point + 1]) || !is_digit(line[point + 2]) || is_digit(line[point + 3]))
            continue;
        n = separator_before(line, point - whole);
        *out = line + point - whole - n;
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

int td_perf_separator(struct td_recording *r, const char *line, size_t len)
{
    struct td_perf_csv *p = r->state;
    int err = td_recording_foreign(r, line);
    const char *at;
    size_t n;

    if (err)
        return err;
    n = find_by_run_time(line, len, &at);
    if (!n)
        n = find_by_value(line, len, &at);
    if (n) {
        memcpy(p->separator, at, n);
        return td_bytes_format(&r->bytes, n == 1 ? *at : UNIT_SEPARATOR, '\0') ? td_log_no_memory(r->log) : 0;
    }
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
    const struct td_perf_csv *p = r->state;

    while (*p->separator == ' ' && *line == ' ') /* perf pads the time: this is no empty column */
        line++, len--;
    if (p->separator[1]) {
        if (memchr(line, UNIT_SEPARATOR, len))
            return td_recording_bad(r, "the character 0x1f inside the line");
        len = shorten(p, line, len);
    }
    return td_recording_split(r, line, len);
}
