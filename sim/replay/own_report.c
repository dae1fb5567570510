/* SPDX-License-Identifier: MIT */
#include "sim/replay/own_report.h"

#include <ctype.h>
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

/* "#           time  scope           retiring" */
static bool is_table(const char *line)
{
    const char *at = *line == '#' ? past(line + 1, " ") : "";

    return !strncmp(at, "time ", 5) && !strncmp(past(at + 5, " "), "scope ", 6);
}

/* "     1.013634593  system  spr  [glc-perf-metrics]": a scope, a CPU and in brackets the formula's name, after a time,
 * "summary" or blanks */
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

bool td_begins_report(const char *line)
{
    return !strncmp(line, "{\"schema\":\"tdprobe", 18) || has_columns(line, "time", "scope", "scope_kind") ||
           has_columns(line, "scope", "kind", "dso") || has_columns(line, "recording_a", "recording_b", "scope") ||
           is_table(line) || is_tree(line) || is_phases(line) || strstr(line, " by slots lost, in percent of slots");
}
