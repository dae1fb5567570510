/* SPDX-License-Identifier: MIT */
#include "cli/table/help.h"

#include "cli/table/offers.h"

#include <string.h>

/* A command line, as far as it was read. */
struct line {
    const struct cli_entry *commands;
    const struct cli_subcommand *command;
    bool named; /* the subcommand was */
    bool ended; /* by -- */
    const struct cli_option *wants; /* the next word is its value */
    const char *uarch; /* the CPU that was named, or NULL */
    int program; /* the number of the word that begins a program's own words; -1: none does */
};

static const struct cli_subcommand *find_command(const struct line *l, const char *word)
{
    for (const struct cli_entry *c = l->commands; c->table; c++)
        if (!strcmp(c->table->name, word))
            return c->table;
    return NULL;
}

/* The option that a long name of n characters stands for: its own, or the only one that begins so; NULL: none. */
static const struct cli_option *find_long(const struct cli_subcommand *c, const char *name, size_t n)
{
    const struct cli_option *o, *found = NULL;
    bool several = false;

    for (size_t i = 0; (o = cli_option_at(c, i)); i++) {
        if (strncmp(o->name, name, n))
            continue;
        if (!o->name[n])
            return o;
        several = found;
        found = o;
    }
    return several ? NULL : found;
}

static const struct cli_option *find_letter(const struct cli_subcommand *c, char letter)
{
    const struct cli_option *o;

    for (size_t i = 0; (o = cli_option_at(c, i)); i++)
        if (o->letter == letter)
            return o;
    return NULL;
}

/* value: NULL: there is none in the same word. */
static void note(struct line *l, const struct cli_option *o, const char *value)
{
    l->wants = o->arg && *o->arg != '[' && !value ? o : NULL;
    if (value && !strcmp(o->name, "uarch"))
        l->uarch = value;
    if (l->command->instead_if && !strcmp(o->name, l->command->instead_if))
        l->command = l->command->instead;
}

static void read_option(struct line *l, const char *word)
{
    const char *equal = strchr(word, '=');
    const struct cli_option *o;

    if (word[1] == '-') {
        o = find_long(l->command, word + 2, equal ? (size_t)(equal - word) - 2 : strlen(word + 2));
        if (o)
            note(l, o, equal ? equal + 1 : NULL);
        return;
    }
    for (word++; *word && (o = find_letter(l->command, *word)); word++) {
        note(l, o, o->arg && word[1] ? word + 1 : NULL);
        if (o->arg)
            return;
    }
}

static void read_word(struct line *l, int i, const char *word)
{
    const struct cli_subcommand *named = l->named || l->ended ? NULL : find_command(l, word);

    if (l->wants) {
        note(l, l->wants, word);
        l->wants = NULL;
    } else if (l->program >= 0) {
        if (l->command->offer == CLI_PROGRAMS && !strcmp(word, "--vs"))
            l->program = i + 1;
    } else if (!l->ended && !strcmp(word, "--")) {
        l->ended = true;
        l->program = l->command->offer == CLI_PROGRAM || l->command->offer == CLI_PROGRAMS ? i + 1 : -1;
    } else if (!l->ended && word[0] == '-' && word[1]) {
        read_option(l, word);
    } else if (named) {
        l->command = named;
        l->named = true;
    } else if (l->command->offer == CLI_PROGRAM) {
        l->program = i;
    }
}

static void offer_options(const struct cli_offers *f, const struct cli_subcommand *c)
{
    struct cli_offers after = *f;
    const struct cli_option *o;

    after.lead = "--";
    after.nlead = 2;
    after.typed = f->typed[1] ? f->typed + 2 : "";
    for (size_t i = 0; (o = cli_option_at(c, i)); i++) {
        const char letter[] = {'-', o->letter, '\0'};

        if (o->letter)
            cli_offer_word(f, letter, o->help);
        if (!f->typed[1] || f->typed[1] == '-')
            cli_offer_word(&after, o->name, o->help);
    }
}

/* The value of an option that is in one word with it: "--uarch=em". False: it is none. */
static bool offer_joined(const struct cli_offers *f, const struct cli_subcommand *c)
{
    const char *equal = strncmp(f->typed, "--", 2) ? NULL : strchr(f->typed, '=');
    const struct cli_option *o = equal ? find_long(c, f->typed + 2, (size_t)(equal - f->typed) - 2) : NULL;
    struct cli_offers after = *f;

    after.lead = f->typed;
    after.nlead = equal ? (size_t)(equal + 1 - f->typed) : 0;
    after.typed = equal ? equal + 1 : "";
    if (o && o->arg)
        cli_offer(&after, o->offer, o->choice);
    return equal;
}

static void offer_program(const struct cli_offers *f, const struct line *l, int at)
{
    if (l->command->offer == CLI_PROGRAMS && at > l->program)
        cli_offer_word(f, "--vs", "the next command begins");
    td_output_format(f->out, ":program %d\n", l->program);
}

/* at: the number of the word. */
static void offer_argument(const struct cli_offers *f, const struct line *l, int at)
{
    for (const struct cli_entry *c = l->commands; !l->named && !l->ended && c->table; c++)
        cli_offer_word(f, c->table->name, c->table->brief);
    if (l->command->offer == CLI_PROGRAM)
        td_output_format(f->out, ":program %d\n", at);
    else
        cli_offer(f, l->command->offer == CLI_PROGRAMS ? CLI_RECORDINGS : l->command->offer, l->command->choice);
}

void cli_complete(struct td_output *out, const struct cli_entry *commands, int n, char **words)
{
    struct line l = {.commands = commands, .command = commands->table, .program = -1};
    struct cli_offers f = {.out = out, .lead = "", .typed = n > 0 ? words[n - 1] : ""};

    for (int i = 0; i < n - 1; i++)
        read_word(&l, i, words[i]);
    f.uarch = l.uarch;
    if (l.wants)
        cli_offer(&f, l.wants->offer, l.wants->choice);
    else if (l.program >= 0)
        offer_program(&f, &l, n - 1);
    else if (l.ended || *f.typed != '-')
        offer_argument(&f, &l, n > 0 ? n - 1 : 0);
    else if (!offer_joined(&f, l.command))
        offer_options(&f, l.command);
}
