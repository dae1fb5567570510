/* SPDX-License-Identifier: MIT */
/* Each piece of a prefix has a function, which returns how many bytes such a piece takes at a place, or 0. */
#include "util/log_prefix.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64, PIECES = 8 /* pieces of one prefix, at most */ };

/* Whether text begins with the form, in which 0 is any digit, a any letter and all else itself. */
static bool has_form(const char *text, const char *form)
{
    for (; *form; form++, text++)
        if (*form == '0'   ? !isdigit((unsigned char)*text)
            : *form == 'a' ? !isalpha((unsigned char)*text)
                           : *form != *text)
            return false;
    return true;
}

static size_t blanks(const char *at)
{
    return strspn(at, " \t");
}

static size_t digits(const char *at)
{
    return strspn(at, "0123456789");
}

/* 10:11:12, 10:11:12.123, 10:11:12,123 */
static size_t clock_time(const char *at)
{
    size_t n = strlen("00:00:00"), part;

    if (!has_form(at, "00:00:00"))
        return 0;
    part = at[n] == '.' || at[n] == ',' ? digits(at + n + 1) : 0;
    n += part ? 1 + part : 0;
    return isdigit((unsigned char)at[n]) || at[n] == ':' ? 0 : n;
}

/* Z, +01:00, +0100, or nothing */
static size_t zone(const char *at)
{
    if (*at == 'Z')
        return 1;
    if (*at != '+' && *at != '-')
        return 0;
    return has_form(at + 1, "00:00") ? 6 : has_form(at + 1, "0000") ? 5 : 0;
}

/* 2026-11-20T10:11:12Z, 2026/11/20 10:11:12 */
static size_t full_time(const char *at)
{
    static const size_t date = sizeof("0000-00-00") - 1;
    size_t n;

    if (!has_form(at, "0000-00-00") && !has_form(at, "0000/00/00"))
        return 0;
    if (at[date] != 'T' && at[date] != ' ')
        return 0;
    n = clock_time(at + date + 1);
    return n ? date + 1 + n + zone(at + date + 1 + n) : 0;
}

static bool is_month(const char *at)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    for (const char *m = months; *m; m += 3)
        if (!strncmp(at, m, 3))
            return true;
    return false;
}

/* Nov 20 10:11:12, Fri Nov 20 10:11:12 */
static size_t syslog_time(const char *at)
{
    const size_t day = has_form(at, "aaa aaa ") ? 4 : 0;
    size_t n = day + 4, number, time;

    if (!is_month(at + day) || at[day + 3] != ' ')
        return 0;
    n += at[n] == ' ';
    number = digits(at + n);
    if (!number || number > 2 || at[n + number] != ' ')
        return 0;
    n += number + 1;
    time = clock_time(at + n);
    return time ? n + time + zone(at + n + time) : 0;
}

/* Fri 2026-11-20 10:11:12 CET */
static size_t journal_time(const char *at)
{
    size_t n = has_form(at, "aaa 0") ? full_time(at + 4) : 0, name;

    if (!n)
        return 0;
    n += 4;
    name = at[n] == ' ' ? strspn(at + n + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
    return name > 1 && name < 6 && at[n + 1 + name] == ' ' ? n + 1 + name : n;
}

/* A time, alone or in brackets; a blank, or a bracket's end, is after it. */
static size_t time_at(const char *at)
{
    static size_t (*const forms[])(const char *) = {full_time, clock_time, syslog_time, journal_time};

    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        const size_t n = forms[i](at);

        if (n && (at[n] == ' ' || at[n] == '\t' || at[n] == ']' || at[n] == '\0'))
            return n;
    }
    return 0;
}

static size_t word(const char *at)
{
    size_t n = 0;

    while (n < WORD_MAX && at[n] && (isalnum((unsigned char)at[n]) || strchr("_.-@/", at[n])))
        n++;
    return n;
}

/* "host perf[12]: " or "perf: ", which may come after a time */
static size_t writer(const char *at)
{
    size_t n = word(at), pid;

    if (n && at[n] == ' ') { /* the host */
        const size_t name = word(at + n + 1);

        n = name ? n + 1 + name : 0;
    }
    if (n && at[n] == '[') {
        pid = digits(at + n + 1);
        n = pid && at[n + 1 + pid] == ']' ? n + pid + 2 : 0;
    }
    return n && at[n] == ':' && (at[n + 1] == ' ' || !at[n + 1]) ? n + 1 : 0;
}

/* "[info]", "[12345.678901]", "[2026-11-20 10:11:12]" */
static size_t bracketed(const char *at)
{
    size_t n = *at == '[' ? strcspn(at, "]\",{") : 0;

    if (n < 2 || n > WORD_MAX || at[n] != ']')
        return 0;
    return at[n + 1] == ' ' || at[n + 1] == ':' || !at[n + 1] ? n + 1 + (at[n + 1] == ':') : 0;
}

/* "web_1  |" */
static size_t container(const char *at)
{
    const size_t n = isalpha((unsigned char)*at) ? word(at) : 0, gap = n ? blanks(at + n) : 0;

    return gap && at[n + gap] == '|' && (at[n + gap + 1] == ' ' || !at[n + gap + 1]) ? n + gap + 1 : 0;
}

/* "<pre>", "<code>" */
static size_t tag(const char *at)
{
    static const char *const tags[] = {"<pre>", "<code>"};

    for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
        if (!strncasecmp(at, tags[i], strlen(tags[i])))
            return strlen(tags[i]);
    return 0;
}

/* How urgent the line is, after a time: "INFO", "INFO:"; or what GitLab writes there: "01O" */
static size_t level(const char *at)
{
    static const char *const levels[] = {"TRACE", "DEBUG", "INFO", "NOTICE", "WARNING", "WARN", "ERROR"};

    if (has_form(at, "00O ") || has_form(at, "00E "))
        return 3;
    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
        const size_t n = strlen(levels[i]);

        if (!strncasecmp(at, levels[i], n) && (at[n] == ' ' || at[n] == ':'))
            return n + (at[n] == ':');
    }
    return 0;
}

size_t td_log_prefix(const char *line)
{
    bool timed = false;
    size_t at = 0;

    for (int i = 0; i < PIECES; i++) {
        const char *begin = line + at + blanks(line + at);
        size_t n = *begin == '>' ? 1 : tag(begin);

        if (!n && (n = time_at(begin)))
            timed = true;
        else if (!n && !(n = bracketed(begin)) && !(n = container(begin)) && timed && !(n = level(begin)))
            n = writer(begin);
        else if (*begin == '[')
            timed = true;
        if (!n)
            break;
        at = (size_t)(begin - line) + n;
    }
    return at;
}
