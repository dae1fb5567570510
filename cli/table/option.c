/* SPDX-License-Identifier: MIT */
#include "cli/table/option.h"

#include <stdio.h>
#include <string.h>

bool cli_option_of(const struct cli_subcommand *c, const struct cli_option *o)
{
    return o->kind != CLI_HEADING && (!o->only || !strcmp(o->only, c->name));
}

bool cli_option_named(const struct cli_option *o, const char *word, size_t n, const char **value)
{
    const char *equal = memchr(word, '=', n);
    const size_t len = equal ? (size_t)(equal - word) : n;

    *value = equal ? equal + 1 : NULL;
    if (len == 2)
        return word[1] == o->letter;
    return strlen(o->name) + 2 == len && !strncmp(o->name, word + 2, len - 2);
}

/* Whether a list has the option itself, without a value. */
static bool names(const char *list, const struct cli_option *o)
{
    const char *value;

    for (size_t n; *list; list += n + strspn(list + n, " ")) {
        n = strcspn(list, " ");
        if (cli_option_named(o, list, n, &value) && !value)
            return true;
    }
    return false;
}

bool cli_option_refused(const struct cli_subcommand *c, const struct cli_option *o)
{
    for (size_t i = 0; i < c->rules; i++) {
        const struct cli_rule *r = &c->rule[i];

        if (r->given && !r->with && !r->without && (!r->only || !strcmp(r->only, c->name)) && names(r->given, o))
            return true;
    }
    return false;
}

const struct cli_option *cli_option_at(const struct cli_subcommand *c, size_t i)
{
    for (size_t k = 0; k < c->options; k++)
        if (cli_option_of(c, &c->option[k]) && !cli_option_refused(c, &c->option[k]) && !i--)
            return &c->option[k];
    return NULL;
}

const char *cli_option_called(const struct cli_option *o, char text[static 40])
{
    if (o->letter)
        snprintf(text, 40, "-%c", o->letter);
    else
        snprintf(text, 40, "--%s", o->name);
    return text;
}
