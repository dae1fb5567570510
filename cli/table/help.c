/* SPDX-License-Identifier: MIT */
#include "cli/table/help.h"

#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 29, TEXT = 768, CHOICES_MOST = 16 };

/* Adds to a text, as far as there is room. */
static void add(char text[static TEXT], const char *more)
{
    const size_t used = strlen(text);

    snprintf(text + used, TEXT - used, "%s", more);
}

/* "-I, --interval-print MS" */
static void head_of(const struct cli_option *o, char text[static TEXT])
{
    const char *arg = o->arg ? o->arg : "";

    if (o->letter)
        snprintf(text, TEXT, "-%c, --%s", o->letter, o->name);
    else
        snprintf(text, TEXT, "--%s", o->name);
    if (*arg == '[') {
        add(text, "[=");
        arg++;
    } else if (*arg) {
        add(text, " ");
    }
    add(text, arg);
}

/* Whether the values are listed: not where they are very many, or the argument's name has them. */
static bool lists_choices(const struct cli_option *o)
{
    size_t n = 0;

    while (o->choice && o->choice(n))
        n++;
    return n && n <= CHOICES_MOST && !strchr(o->arg, '|');
}

static void add_choices(char text[static TEXT], const struct cli_option *o)
{
    for (size_t i = 0; lists_choices(o) && o->choice(i); i++) {
        add(text, !i ? ": " : o->choice(i + 1) ? ", " : " or ");
        add(text, o->choice(i));
    }
}

/* "1 to 1024"; nothing if there is no range, or none that anybody meets. */
static void add_range(char text[static TEXT], const struct cli_option *o)
{
    char range[64];

    if (o->low == o->high || o->kind == CLI_LAST || (o->high >= CLI_ENDLESS && o->low <= 1))
        return;
    if (o->high >= CLI_ENDLESS)
        snprintf(range, sizeof(range), "from %ld on", o->low);
    else
        snprintf(range, sizeof(range), o->above ? "above %ld, up to %ld" : "%ld to %ld", o->low, o->high);
    add(text, range);
}

/* ", 1 to 1024 (default: 1; the output is the same)" */
static void add_more(char text[static TEXT], const struct cli_option *o)
{
    const char *more = o->more ? o->more : "";
    char range[TEXT] = "";

    add_range(range, o);
    add(text, *range ? ", " : "");
    add(text, range);
    if (o->usual) {
        add(text, " (default: ");
        add(text, o->usual);
        add(text, *more == '(' ? "; " : ")");
        more += *more == '(';
    }
    add(text, *more && (!o->usual || o->more == more) && !strchr(",;:", *more) ? " " : "");
    add(text, more);
}

/* Prints words in lines, all of which begin at the same column. */
static void put_words(struct td_output *o, const char *text, size_t indent)
{
    size_t at = indent;
    bool first = true;

    for (const char *end; *text; text = end + strspn(end, " "), first = false) {
        const size_t n = strcspn(text, " ");

        end = text + n;
        if (!first && at + 1 + n > CLI_HELP_WIDTH) {
            td_output_format(o, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            td_output_char(o, ' ');
            at++;
        }
        td_output_bytes(o, text, n);
        at += n;
    }
    td_output_char(o, '\n');
}

static void put_option(struct td_output *o, const struct cli_option *option, size_t indent, bool all)
{
    char head[TEXT], text[TEXT] = "", choices[TEXT] = "";
    size_t column;

    head_of(option, head);
    column = 2 + strlen(head);
    add(text, option->help);
    add_choices(choices, option);
    if (all || indent + strlen(text) + strlen(choices) <= CLI_HELP_WIDTH)
        add(text, choices);
    if (all)
        add_more(text, option);
    td_output_format(o, "  %s%s", head, column + 2 > indent ? "\n" : "");
    td_output_format(o, "%*s", (int)(column + 2 > indent ? indent : indent - column), "");
    put_words(o, text, indent);
}

static size_t width_of(const struct cli_subcommand *c, bool all)
{
    const struct cli_option *option;
    size_t width = 0;
    char head[TEXT];

    for (size_t i = 0; (option = cli_option_at(c, i)); i++) {
        head_of(option, head);
        if ((all || option->common) && strlen(head) + 4 > width)
            width = strlen(head) + 4;
    }
    return all && width > INDENT ? INDENT : width;
}

static void put_usage(struct td_output *o, const struct cli_subcommand *c)
{
    const char *lead = "usage: ";

    for (const char *line = c->usage; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        td_output_format(o, "%stdprobe %.*s\n", lead, (int)strcspn(line, "\n"), line);
        lead = "       ";
    }
}

static void put_all(struct td_output *o, const struct cli_subcommand *c)
{
    const size_t width = width_of(c, true);

    for (size_t i = 0; i < c->options; i++) {
        const struct cli_option *option = &c->option[i];

        if (option->kind == CLI_HEADING)
            td_output_format(o, "%s\n", option->name);
        else if (cli_option_of(c, option) && !cli_option_refused(c, option))
            put_option(o, option, width, true);
    }
}

void cli_put_help(struct td_output *o, const struct cli_subcommand *c, bool all)
{
    const struct cli_option *option;
    const size_t width = width_of(c, false);

    put_usage(o, c);
    td_output_format(o, "\n%s", c->about);
    if (all && c->more)
        td_output_text(o, c->more);
    td_output_char(o, '\n');
    for (size_t i = 0; !all && (option = cli_option_at(c, i)); i++)
        if (option->common)
            put_option(o, option, width, false);
    if (all)
        put_all(o, c);
    if (!all)
        td_output_format(o, "\n'tdprobe %s --help-all' has all options; %s\n", c->name, c->page);
    else if (c->end)
        td_output_format(o, "\n%s", c->end);
}

int cli_print_help(const struct cli_subcommand *c, bool all)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    cli_put_help(&o, c, all);
    return cli_stdout_end(&o);
}

void cli_put_options(struct td_output *o, const struct cli_subcommand *c)
{
    const struct cli_option *option;

    for (size_t i = 0; (option = cli_option_at(c, i)); i++) {
        char range[TEXT] = "";
        const char letter[] = {option->letter, '\0'};

        add_range(range, option);
        td_output_format(o, "%s;%s;%s;%s;%s;", option->name, letter, option->arg ? option->arg : "", range,
                         option->usual ? option->usual : "");
        for (size_t k = 0; lists_choices(option) && option->choice(k); k++)
            td_output_format(o, "%s%s", k ? " " : "", option->choice(k));
        td_output_char(o, '\n');
    }
}
