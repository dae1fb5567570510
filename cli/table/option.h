/* SPDX-License-Identifier: MIT */
/* A subcommand as data: its options, what excludes what, its help. Parsing, messages, --help, completion and the check
 * of the manuals read these tables and nothing else: a new option is a row. */
#ifndef CLI_TABLE_OPTION_H
#define CLI_TABLE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_ROWS_MOST = 96, CLI_HELP_WIDTH = 80, CLI_HELP_LINES = 24, CLI_ENDLESS = 1000000000 };

/* How an option's value is read. */
enum cli_kind {
    CLI_HEADING, /* no option: the group of those that follow */
    CLI_SWITCH, /* no value: sets a bool */
    CLI_LAST, /* no value: stores low in an enum, of several of which the last counts */
    CLI_NUMBER, /* a whole number, low to high: a long */
    CLI_MS, /* the same for a time in milliseconds, which may have another unit: "2s" */
    CLI_REAL, /* a number, low to high, divided by per: a double */
    CLI_TEXT, /* any: a const char * */
    CLI_CHOICE, /* one of choice(): its number, an int, or take() */
    CLI_TAKEN, /* whatever take() reads */
    CLI_IMPLIES, /* no value: what also() takes */
    CLI_HELP,
    CLI_HELP_ALL,
};

/* What a shell offers for a value, or for a subcommand's arguments. */
enum cli_offer {
    CLI_NOTHING, /* or the choices */
    CLI_FILES,
    CLI_FOLDERS,
    CLI_RECORDINGS,
    CLI_SAMPLES,
    CLI_MACHINES, /* files of these kinds */
    CLI_METRICS, /* names and groups, in a list */
    CLI_LEVELS,
    CLI_EVENTS, /* of the CPU */
    CLI_NODES, /* what explain explains */
    CLI_PROGRAM, /* a program, with its own arguments after it */
    CLI_PROGRAMS, /* after --; several of them, between --vs; before it, recordings */
};

struct cli_option {
    const char *name; /* without dashes; of a heading the group's */
    char letter; /* or 0 */
    const char *arg; /* its value's name; "[URLS]": may be left out; NULL: it has none */
    enum cli_kind kind;
    size_t at; /* where it is stored, in the subcommand's settings */
    long low, high;
    bool above; /* low itself is not in the range */
    double per; /* 0: 1 */
    const char *unit; /* what may follow the number */
    /* what a value has to be, in messages: "a number of points, 0 to 100"; NULL: a whole number in the range */
    const char *is;
    const char *(*choice)(size_t i); /* the values that it can have, NULL after the last */
    const char *what; /* how messages about a choice begin; NULL: the option */
    int (*take)(void *settings, const char *value); /* 0, or an exit code after a message */
    /* take() of another option, which this one implies with also_value; or NULL */
    int (*also)(void *settings, const char *value);
    const char *also_value;
    enum cli_offer offer;
    bool common; /* listed by --help; the others by --help-all */
    bool reads; /* says how recordings are read, and is kept for handles that are made later */
    const char *only; /* the subcommand that has it, where others have the same table */
    const char *usual; /* the value that counts without it */
    const char *help; /* in a line */
    const char *more; /* what --help-all adds to it */
};

/* A combination of options that is refused: one of these was given, and one of those, and none of the last. Lists with
 * blanks between, of "-I" or "--until", "--level=3" for a value, COMMAND for a command to be run; NULL: always, and
 * nothing. */
struct cli_rule {
    const char *given, *with, *without;
    const char *says; /* %1 and %2: the first of given and of with that was given; NULL: what is usual */
    const char *only;
};

struct cli_subcommand {
    const char *name;
    const char *called; /* in messages; NULL: by its name */
    const char *brief; /* what it does, in the list of subcommands */
    const char *usage; /* lines, without "usage: tdprobe " */
    const char *about; /* at the top of --help */
    const char *more; /* and of --help-all */
    const char *end; /* at its end */
    const char *page; /* of the manual */
    const struct cli_option *option;
    size_t options;
    const struct cli_rule *rule;
    size_t rules;
    const char *order; /* as getopt() has it: "+" stops at the first word that is no option, "-" takes them in turn */
    int (*word)(void *settings, const char *word); /* takes those of "-" */
    size_t reading; /* where the options that say how recordings are read are kept; 0: nowhere */
    enum cli_offer offer; /* its arguments */
    /* it only reads recordings, and programs that they are samples of, and writes its output: cli/sandbox/ */
    bool confined;
    const char *usual; /* the recordings that it reads without any, as record writes them: names with blanks between */
    const char *(*choice)(size_t i); /* the same, where they are names */
    const char *instead_if; /* an option with which another command is meant, */
    const struct cli_subcommand *instead; /* this one */
};

/* A subcommand, and what runs it: argv[0] is its name. */
struct cli_entry {
    const struct cli_subcommand *table; /* NULL after the last */
    int (*run)(int argc, char **argv);
    bool counts; /* it may open counters of this machine */
};

#define CLI_COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Where a value goes: wrong types do not compile. */
#define CLI_STORE(type, field, as) .at = offsetof(type, field) + 0 * sizeof(char[_Generic(((type *)0)->field, as : 1)])
#define CLI_SETS(type, field) .kind = CLI_SWITCH, CLI_STORE(type, field, bool)
#define CLI_LAST_OF(type, field, value) .kind = CLI_LAST, .at = offsetof(type, field), .low = (value)
#define CLI_NUMBER_IN(type, field, lowest, highest) \
    .kind = CLI_NUMBER, CLI_STORE(type, field, long), .low = (lowest), .high = (highest)
#define CLI_MS_IN(type, field, lowest, highest) \
    .kind = CLI_MS, CLI_STORE(type, field, long), .low = (lowest), .high = (highest)
#define CLI_REAL_IN(type, field, lowest, highest) \
    .kind = CLI_REAL, CLI_STORE(type, field, double), .low = (lowest), .high = (highest)
#define CLI_TEXT_IN(type, field) .kind = CLI_TEXT, CLI_STORE(type, field, const char *)
#define CLI_GROUP(text) \
    { \
        .kind = CLI_HEADING, .name = (text) \
    }
#define CLI_HELP_ROWS \
    {"help", 'h', .kind = CLI_HELP, .help = "the usual options"}, \
    { \
        "help-all", .kind = CLI_HELP_ALL, .help = "all options" \
    }

/* Whether a command has the option of this row, which another with the same table may lack, and whether a rule always
 * refuses it. */
bool cli_option_of(const struct cli_subcommand *, const struct cli_option *);
bool cli_option_refused(const struct cli_subcommand *, const struct cli_option *);
/* Whether an option is the one that a word of n characters in a rule's list names; *value: the one that it has to have
 * there, or NULL. */
bool cli_option_named(const struct cli_option *, const char *word, size_t n, const char **value);
/* The i-th option that it has and does not refuse; NULL after the last. */
const struct cli_option *cli_option_at(const struct cli_subcommand *, size_t i);
/* "-I", or "--until" where there is no letter. */
const char *cli_option_called(const struct cli_option *, char text[static 40]);

#endif
