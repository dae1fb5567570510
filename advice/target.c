/* SPDX-License-Identifier: MIT */
#include "advice/target.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

bool td_advice_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=@%+";

    return *word && !word[strspn(word, plain)];
}

char *td_advice_word(char *at, const char *word)
{
    *at++ = ' ';
    if (td_advice_plain(word))
        return stpcpy(at, word);
    *at++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            at = stpcpy(at, "'\\''");
        else
            *at++ = *word;
    *at++ = '\'';
    *at = '\0';
    return at;
}

/* Whether the scope has the name of the command's program, without its folders. */
static bool is_of(const char *scope, const char *command)
{
    const size_t n = strcspn(command, " ");
    const char *name = command + n;

    while (name > command && name[-1] != '/')
        name--;
    return strlen(scope) == (size_t)(command + n - name) && !strncmp(scope, name, strlen(scope));
}

/* "-- WORDS"; a recording has them apart by blanks, without the quotes that they had. */
static const char *words_of(const char *command, char *buf)
{
    char *at = stpcpy(buf, "--"), word[WORD];

    for (command += strspn(command, " "); *command; command += strspn(command, " ")) {
        const size_t n = strcspn(command, " ");

        if (n >= sizeof(word) || (size_t)(at - buf) + 4 * n + 4 > TD_ADVICE_TARGET)
            return strcpy(buf, "-- COMMAND");
        snprintf(word, sizeof(word), "%.*s", (int)n, command);
        at = td_advice_word(at, word);
        command += n;
    }
    return buf;
}

static const char *of_command(const char *scope, const char *command, char *buf)
{
    if (strchr(scope, ' ')) /* of another run in the same file */
        return words_of(scope, buf);
    return command && is_of(scope, command) ? words_of(command, buf) : strcpy(buf, "-- COMMAND");
}

/* "process 1,2", "thread 3" */
static const char *of_process(const char *scope, char *buf)
{
    const char *ids = strchr(scope, ' ');
    /* from a file's header: what is no list of numbers is no word for a shell */
    const bool numbers = ids && ids[1] && !ids[1 + strspn(ids + 1, "0123456789,")];

    snprintf(buf, TD_ADVICE_TARGET, "-%c %s", *scope == 't' ? 't' : 'p',
             numbers         ? ids + 1
             : *scope == 't' ? "TID"
                             : "PID");
    return buf;
}

/* "comm-TID" */
static const char *of_thread(const char *scope, char *buf)
{
    const char *id = strrchr(scope, '-');

    if (!id || !id[1] || id[1 + strspn(id + 1, "0123456789")])
        return strcpy(buf, "-- COMMAND");
    snprintf(buf, TD_ADVICE_TARGET, "-t %s", id + 1);
    return buf;
}

/* The CPUs that a scope begins with, "CPU0-3"; 0: it does not. */
static int cpus_of(const char *scope)
{
    const size_t n = strncmp(scope, "CPU", 3) ? 0 : strspn(scope + 3, "0123456789,-");

    return n && (!scope[3 + n] || scope[3 + n] == ' ') ? (int)n : 0;
}

/* A cgroup, also on one CPU: "CPU3 NAME". */
static const char *of_cgroup(const char *scope, char *buf)
{
    const int cpus = cpus_of(scope);
    const char *name = cpus && scope[3 + cpus] ? scope + 4 + cpus : scope;
    char word[4 * WORD / 2 + 4];

    if (strlen(name) >= WORD / 2)
        name = "CGROUP";
    td_advice_word(word, name);
    if (name != scope && cpus)
        snprintf(buf, TD_ADVICE_TARGET, "-C %.*s -G%s -- sleep 10", cpus, scope + 3, word);
    else
        snprintf(buf, TD_ADVICE_TARGET, "-a -G%s -- sleep 10", word);
    return buf;
}

const char *td_advice_target(const char *kind, const char *scope, const char *command, char buf[TD_ADVICE_TARGET])
{
    const int cpus = cpus_of(scope);

    if (!strcmp(kind, "command"))
        return of_command(scope, command, buf);
    if (!strcmp(kind, "process"))
        return of_process(scope, buf);
    if (!strcmp(kind, "thread"))
        return of_thread(scope, buf);
    if (!strcmp(kind, "cgroup"))
        return of_cgroup(scope, buf);
    if (cpus)
        snprintf(buf, TD_ADVICE_TARGET, "-C %.*s -- sleep 10", cpus, scope + 3);
    else
        strcpy(buf, "-a -- sleep 10");
    return buf;
}

const char *td_advice_uarch(const char *cpus, char buf[TD_ADVICE_TARGET])
{
    snprintf(buf, TD_ADVICE_TARGET, "%s", strchr(cpus, '|') ? "NAME" : cpus);
    return buf;
}

const char *td_advice_names(const char *cpus, char buf[TD_ADVICE_TARGET])
{
    size_t used = 0;

    *buf = '\0';
    for (const char *at = cpus, *bar = strchr(cpus, '|'); (at != cpus || bar) && used < TD_ADVICE_TARGET;
         at = bar + 1, bar = strchr(at, '|')) {
        used += (size_t)snprintf(buf + used, TD_ADVICE_TARGET - used, "%s%.*s",
                                 at == cpus ? ", where NAME is "
                                 : bar      ? ", "
                                            : " or ",
                                 (int)strcspn(at, "|"), at);
        if (!bar)
            break;
    }
    return buf;
}
