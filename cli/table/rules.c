/* SPDX-License-Identifier: MIT */
/* What excludes what, and what needs what. */
#include "cli/cli.h"
#include "cli/table/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAYS = 512 };

/* Whether a value is the one of a list, numbers by what they are. */
static bool is_value(const struct cli_option *o, const char *given, const char *want, size_t n)
{
    if (o->kind == CLI_NUMBER)
        return atol(given) == atol(want);
    return strlen(given) == n && !strncmp(given, want, n);
}

/* What was given of the option that a word of a list names; NULL: nothing. *want: the value that it has to have, or
 * NULL. */
static const char *given_of(const struct cli_subcommand *c, const struct cli_options *s, const char *word, size_t n,
                            const struct cli_option **option, const char **want)
{
    for (size_t i = 0; i < c->options; i++) {
        *option = &c->option[i];
        if (s->given[i] && cli_option_of(c, *option) && cli_option_named(*option, word, n, want))
            return s->given[i];
    }
    return NULL;
}

static bool is_given(const struct cli_subcommand *c, const struct cli_options *s, const char *word, size_t n)
{
    const struct cli_option *option;
    const char *want, *given = given_of(c, s, word, n, &option, &want);

    return given && (!want || is_value(option, given, want, n - (size_t)(want - word)));
}

const char *cli_given(const struct cli_subcommand *c, const struct cli_options *s, const char *name)
{
    const struct cli_option *option;
    const char *want;

    return given_of(c, s, name, strlen(name), &option, &want);
}

/* The first word of a list that was given; NULL: none. *n: its length. */
static const char *first_given(const struct cli_subcommand *c, const struct cli_options *s, bool command,
                               const char *list, size_t *n)
{
    for (; *list; list += *n + strspn(list + *n, " ")) {
        *n = strcspn(list, " ");
        if (*n == 7 && !strncmp(list, "COMMAND", *n) ? command : is_given(c, s, list, *n))
            return list;
    }
    return NULL;
}

/* Puts the words of a list, with or before the last. */
static void put_or(char *out, size_t size, const char *list)
{
    size_t used = strlen(out);

    for (size_t n; *list && used < size; list += n + strspn(list + n, " ")) {
        const char *before = list;

        n = strcspn(list, " ");
        used += (size_t)snprintf(out + used, size - used, "%.*s", (int)n, before);
        if (list[n] && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s", strchr(list + n + 1, ' ') ? ", " : " or ");
    }
}

/* %1 and %2 in says stand for the two words. */
static void put_says(char *out, size_t size, const char *says, const char *one, size_t none, const char *two,
                     size_t ntwo)
{
    size_t used = 0;

    for (; *says && used < size; says++) {
        const bool first = !strncmp(says, "%1", 2), second = !strncmp(says, "%2", 2);

        if (first || second)
            says++;
        used += first    ? (size_t)snprintf(out + used, size - used, "%.*s", (int)none, one)
                : second ? (size_t)snprintf(out + used, size - used, "%.*s", (int)ntwo, two)
                         : (size_t)snprintf(out + used, size - used, "%c", *says);
    }
}

static int refuse(const struct cli_rule *r, const char *one, size_t none, const char *two, size_t ntwo)
{
    char text[SAYS] = "";

    put_says(text, sizeof(text),
             r->says   ? r->says
             : r->with ? "%1 and %2 exclude each other"
                       : "%1 needs ",
             one, none, two, ntwo);
    if (!r->says && !r->with)
        put_or(text, sizeof(text), r->without);
    return cli_usage("%s", text);
}

int cli_check(const struct cli_subcommand *c, const struct cli_options *s, bool command)
{
    for (size_t i = 0; i < c->rules; i++) {
        const struct cli_rule *r = &c->rule[i];
        size_t none = 0, ntwo = 0, n;
        const char *one, *two;

        if (r->only && strcmp(r->only, c->name) != 0)
            continue;
        one = r->given ? first_given(c, s, command, r->given, &none) : "";
        two = r->with ? first_given(c, s, command, r->with, &ntwo) : "";
        if (one && two && !(r->without && first_given(c, s, command, r->without, &n)))
            return refuse(r, one, none, two, ntwo);
    }
    return 0;
}
