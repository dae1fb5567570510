/* SPDX-License-Identifier: MIT */
#include "sim/replay/recording.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SEPARATOR = 32 /* bytes between two columns, at most */ };

/* Three column names with the same separator between them, whatever it is. */
static bool has_columns(const char *line, const char *first, const char *second, const char *third)
{
    const size_t n = strlen(first);
    const char *at = strncmp(line, first, n) ? NULL : strstr(line + n, second), *next;
    const size_t separator = at ? (size_t)(at - line) - n : 0;

    if (!separator || separator > SEPARATOR)
        return false;
    next = at + strlen(second);
    return !strncmp(next, line + n, separator) && !strncmp(next + separator, third, strlen(third));
}

static const char *past(const char *text, const char *set)
{
    return text + strspn(text, set);
}

/* "#           time  scope           retiring", "# scope             ret" */
static bool is_table(const char *line)
{
    const char *at = *line == '#' ? past(line + 1, " ") : "";

    if (!strncmp(at, "time ", 5))
        return !strncmp(past(at + 5, " "), "scope ", 6);
    return !strncmp(at, "scope ", 6) && !strncmp(past(at + 6, " "), "ret", 3);
}

/* "1.013634593  system  spr  [glc-perf-metrics]": a scope, a CPU and in brackets the formula's name, after a time,
 * "summary" or nothing */
static bool is_tree(const char *line)
{
    const char *bracket = strstr(line, "  ["), *cpu = bracket, *end;

    if (!bracket || !isalpha((unsigned char)bracket[3]) || bracket[strcspn(bracket, "]%")] != ']')
        return false;
    end = strchr(bracket, ']') + 1; /* report/tree.c writes nothing else there */
    if (*end && strncmp(end, "  counted ", 10) != 0)
        return false;
    while (cpu > line && (isalnum((unsigned char)cpu[-1]) || strchr("-|.", cpu[-1])))
        cpu--;
    return cpu < bracket && cpu - line > 2 && cpu[-1] == ' ' && cpu[-2] == ' ';
}

/* "3 phases in 20 intervals, " */
static bool is_phases(const char *line)
{
    unsigned phases, intervals;
    int n = 0;

    sscanf(line, "%u phase%*[s ]in %u interval%n", &phases, &intervals, &n);
    return n > 0;
}

/* "b is 12.9 % slower: ", and what else report/compare/compare_words.c begins a comparison with; "| metric | ... |" of
 * Markdown. */
static bool is_comparison(const char *line)
{
    static const char *const begin[] = {"b: ", "b took ", "b takes the same time", "b is not shown to take "};
    static const char schema[] = "{\"schema\":\"tdprobe-compare";
    int n = 0;

    for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
        if (!strncmp(line, begin[i], strlen(begin[i])))
            return true;
    sscanf(line, "b is %*f %% %*[a-z]%n", &n);
    return n > 0 || !strncmp(line, schema, strlen(schema)) ||
           has_columns(line, "recording_a", "recording_b", "scope") ||
           (!strncmp(line, "| metric |", 10) && strstr(line, "| difference | bounds | |"));
}

const char *td_own_report(const char *line)
{
    if (is_comparison(line))
        return "a comparison";
    return !strncmp(line, "{\"schema\":\"tdprobe", 18) || has_columns(line, "time", "scope", "scope_kind") ||
                   has_columns(line, "scope", "kind", "dso") || is_table(line) || is_tree(line) || is_phases(line) ||
                   strstr(line, " by slots lost, in percent of slots")
               ? "a report"
               : NULL;
}
