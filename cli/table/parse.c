/* SPDX-License-Identifier: MIT */
#include "cli/table/parse.h"

#include "cli/cli.h"
#include "cli/habits.h"
#include "cli/hints.h"
#include "cli/reading.h"
#include "cli/table/help.h"
#include "cli/table/values.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 256 }; /* plus the number of its row: what getopt_long() returns for a long name */

/* What getopt_long() wants to know. */
struct asked {
    struct option names[CLI_ROWS_MOST + 1];
    char letters[3 * CLI_ROWS_MOST];
    size_t n, used; /* names, and characters of letters */
};

static void ask_for(struct asked *a, const struct cli_option *o, size_t row)
{
    const int has = !o->arg ? no_argument : *o->arg == '[' ? optional_argument : required_argument;

    if (a->n == CLI_ROWS_MOST)
        abort();
    a->names[a->n++] = (struct option){o->name, has, NULL, LONG + (int)row};
    if (o->letter)
        a->used += (size_t)snprintf(a->letters + a->used, 4, "%c%s", o->letter, has == required_argument ? ":" : "");
}

static void ask(struct asked *a, const struct cli_subcommand *c)
{
    memset(a, 0, sizeof(*a));
    a->used = (size_t)snprintf(a->letters, 4, "%s:", c->order ? c->order : "");
    for (size_t i = 0; i < c->options; i++)
        if (cli_option_of(c, &c->option[i]))
            ask_for(a, &c->option[i], i);
}

/* The row that getopt_long() found. */
static size_t row_of(const struct cli_subcommand *c, int found)
{
    size_t row = found >= LONG ? (size_t)(found - LONG) : 0;

    while (found < LONG && (c->option[row].letter != found || !cli_option_of(c, &c->option[row])))
        row++;
    return row;
}

/* ---- what is wrong ----------------------------------------------------------------------- */

/* The options that "--text" may stand for, joined; false: at most one. */
static bool ambiguous(const char *text, const struct option *options, char *out, size_t size)
{
    size_t len = strcspn(text + 2, "="), used = 0, n = 0;

    for (; options->name; options++) {
        if (strncmp(options->name, text + 2, len))
            continue;
        if (!options->name[len])
            return false;
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s--%s", n ? ", " : "", options->name);
        n++;
    }
    return n > 1;
}

/* What was written with an unknown option: after its letter or "=", or as a number in the next word; "" if nothing. */
static const char *value_with(int argc, char **argv, bool long_name)
{
    const char *word = argv[optind - 1], *equal = strchr(word, '=');
    /* of a letter: in its word, which getopt() has left */
    const bool last = long_name || (word[0] == '-' && word[strlen(word) - 1] == optopt);
    const char *next = optind < argc ? argv[optind] : "", *letter = last ? NULL : strchr(next, optopt);

    if (long_name && equal)
        return equal + 1;
    return letter ? letter + 1 : *next >= '0' && *next <= '9' ? next : "";
}

/* What getopt_long()'s '?' and ':' mean. */
static int wrong(const struct cli_subcommand *c, int found, int argc, char **argv, const struct option *options)
{
    const char *habit, *near, *command = c->called ? c->called : c->name;
    char names[512], instead[CLI_HABIT_TEXT];
    char letter[] = {'-', (char)optopt, '\0'};
    const char *text = argv[optind - 1]; /* the previous word, if a letter is not the last in its word */
    bool long_name = !strncmp(text, "--", 2) && (found == ':' || !optopt || strchr(text, '='));

    if (!long_name && optopt > 0 && optopt < LONG)
        text = letter;
    if (found == ':')
        return cli_usage("%s lacks its value", text);
    if (long_name && ambiguous(text, options, names, sizeof(names)))
        return cli_usage("%s may be %s", text, names);
    habit = cli_habit(c, text, value_with(argc, argv, long_name), instead);
    if (habit)
        return cli_usage("%s has no option %s: %s", command, text, habit);
    near = long_name ? cli_hint_option(text, options) : NULL;
    return cli_usage("%s has no option %s%s%s", command, text, near ? "; the nearest is --" : "", near ? near : "");
}

/* ---- options that are right ----------------------------------------------------------------- */

/* Remembers that it was given; of those of which the last counts, that the others were not. */
static void note_given(const struct cli_subcommand *c, struct cli_options *s, size_t row, const char *value)
{
    const struct cli_option *o = &c->option[row];

    for (size_t i = 0; o->kind == CLI_LAST && i < c->options; i++)
        if (c->option[i].kind == CLI_LAST && c->option[i].at == o->at)
            s->given[i] = NULL;
    s->given[row] = value ? value : "";
}

int cli_parse(const struct cli_subcommand *c, void *settings, int argc, char **argv)
{
    struct asked a;
    int found, code = 0;

    ask(&a, c);
    opterr = 0;
    while (!code && (found = getopt_long(argc, argv, a.letters, a.names, NULL)) != -1) {
        const struct cli_option *o;
        size_t row;

        if (found == '?' || found == ':')
            return wrong(c, found, argc, argv, a.names);
        if (found == 1) { /* a word, of "-" */
            code = c->word(settings, optarg);
            continue;
        }
        row = row_of(c, found);
        o = &c->option[row];
        if (o->kind == CLI_HELP || o->kind == CLI_HELP_ALL)
            return cli_print_help(c, o->kind == CLI_HELP_ALL);
        code = cli_take(o, settings, optarg);
        note_given(c, settings, row, optarg);
        if (!code && o->reads && c->reading)
            code = cli_reading_add((struct cli_reading *)(void *)((char *)settings + c->reading), o, optarg);
    }
    return code ? code : -1;
}

int cli_first_word(const struct cli_subcommand *c, const struct cli_subcommand *other, const char *const *names,
                   int argc, char **argv)
{
    struct asked a;
    int found;

    ask(&a, c);
    for (size_t i = 0; other && i < other->options; i++)
        for (const char *const *name = names; *name; name++)
            if (!strcmp(other->option[i].name, *name))
                ask_for(&a, &other->option[i], 0);
    opterr = 0;
    while ((found = getopt_long(argc, argv, a.letters, a.names, NULL)) != -1 && found != '?' && found != ':')
        ;
    found = found == -1 ? optind : argc;
    optind = 0; /* glibc's getopt: from the beginning */
    return found;
}

bool cli_has_option(const struct cli_subcommand *c, const char *name, int argc, char **argv)
{
    struct asked a;
    bool has = false;
    int found;

    ask(&a, c);
    opterr = 0;
    while (!has && (found = getopt_long(argc, argv, a.letters, a.names, NULL)) != -1)
        has = found >= LONG && !strcmp(c->option[found - LONG].name, name);
    optind = 0; /* glibc's getopt: from the beginning */
    return has;
}
