/* SPDX-License-Identifier: MIT */
/* The subcommands, and what lists and explains them: --help, help and version. */
#include "cli/subcommands.h"

#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/table/help.h"
#include "cli/table/parse.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_subcommand help_command, version_command;
static int help_main(int argc, char **argv), version_main(int argc, char **argv);

static const char usage[] = "usage: tdprobe [stat] [options] [--] command...\n"
                            "       tdprobe SUBCOMMAND [options] ... | --help | --help-all | --version\n"
                            "\n"
                            "Where a CPU's pipeline slots went: each share with bounds, or why it is absent.\n"
                            "\n";

const struct cli_entry cli_subcommands[] = {
    {&cli_stat_command, cli_stat_main, true},        {&cli_record_command, cli_record_main, true},
    {&cli_replay_command, cli_replay_main, false},   {&cli_compare_command, cli_compare_main, true},
    {&cli_phases_command, cli_phases_main, false},   {&cli_report_command, cli_report_main, false},
    {&cli_convert_command, cli_convert_main, false}, {&cli_merge_command, cli_merge_main, false},
    {&cli_collect_command, cli_collect_main, true},  {&cli_bench_command, cli_bench_main, true},
    {&cli_doctor_command, cli_doctor_main, true},    {&cli_selftest_command, cli_selftest_main, true},
    {&cli_explain_command, cli_explain_main, false}, {&cli_perf_command_command, cli_perf_command_main, true},
    {&cli_list_command, cli_list_main, false},       {&help_command, help_main, false},
    {&version_command, version_main, false},         {NULL, NULL, false},
};

const struct cli_entry *cli_subcommand_find(const char *word)
{
    for (const struct cli_entry *c = cli_subcommands; c->table; c++)
        if (!strcmp(word, c->table->name))
            return c;
    return NULL;
}

const char *cli_subcommand_near(const char *word)
{
    struct cli_nearest near = cli_nearest(word);

    for (const struct cli_entry *c = cli_subcommands; c->table; c++)
        cli_nearest_try(&near, c->table->name);
    return near.best;
}

/* ---- tdprobe's own help ------------------------------------------------------------- */

static void put_about(struct td_output *o)
{
    td_output_text(o, usage);
    for (const struct cli_entry *c = cli_subcommands; c->table; c++)
        td_output_format(o, "  tdprobe %-13s %s\n", c->table->name, c->table->brief);
    td_output_text(o, "\n'tdprobe SUBCOMMAND --help' has its usual options, --help-all all of them.\n");
}

int cli_print_about(bool all)
{
    struct td_output o;
    int code = cli_stdout(&o);

    if (code)
        return code;
    put_about(&o);
    if (all) {
        td_output_char(&o, '\n');
        cli_put_help(&o, &cli_stat_command, true);
    }
    return cli_stdout_end(&o);
}

int cli_print_no_words(void)
{
    struct td_output o;

    if (!cli_output_error(&o, td_output_open_live(&o, NULL, false, STDERR_FILENO))) {
        put_about(&o);
        td_output_close(&o, true);
    }
    return EXIT_USAGE;
}

int cli_print_version(void)
{
    char text[64];

    snprintf(text, sizeof(text), "tdprobe %s\n", td_version());
    return cli_help(text);
}

/* ---- tdprobe help ---------------------------------------------------------------------- */

static const char *subcommand_name(size_t i)
{
    return cli_subcommands[i].table ? cli_subcommands[i].table->name : NULL;
}

static const struct cli_option options[] = {CLI_HELP_ROWS};

static const struct cli_subcommand help_command = {
    .name = "help",
    .brief = "this, or a subcommand's options",
    .page = "tdprobe(1)",
    .usage = "help [SUBCOMMAND]",
    .about = "The same as 'tdprobe SUBCOMMAND --help'; without a word, the subcommands.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .order = "+",
    .choice = subcommand_name,
};

/* Its further words, as of "record --functions", choose between its helps. */
static int help_on(const struct cli_entry *c, int n, char **words)
{
    static char usual[] = "--help";
    char **line = calloc((size_t)n + 2, sizeof(*line));
    int code;

    if (!line)
        return cli_no_memory();
    memcpy(line, words, (size_t)n * sizeof(*line));
    line[n] = usual;
    optind = 0; /* glibc's getopt: from the beginning */
    cli_usage_of(c->table->name);
    code = c->run(n + 1, line);
    free(line);
    return code;
}

static int no_such_help(const char *word)
{
    const char *near = cli_subcommand_near(word);

    return cli_usage("help is on subcommands, and there is no '%s'%s%s; 'tdprobe explain' explains nodes and flags",
                     word, near ? "; the nearest is " : "", near ? near : "");
}

static int help_main(int argc, char **argv)
{
    struct cli_options set = {.td = NULL};
    const int code = cli_parse(&help_command, &set, argc, argv);
    const struct cli_entry *c;

    if (code >= 0)
        return code;
    if (optind == argc)
        return cli_print_about(false);
    c = cli_subcommand_find(argv[optind]);
    return c ? help_on(c, argc - optind, argv + optind) : no_such_help(argv[optind]);
}

/* ---- tdprobe version --------------------------------------------------------------------- */

static const struct cli_subcommand version_command = {
    .name = "version",
    .brief = "tdprobe's version",
    .page = "tdprobe(1)",
    .usage = "version",
    .about = "Prints which version of tdprobe this is.\n",
    .option = options,
    .options = CLI_COUNT(options),
};

static int version_main(int argc, char **argv)
{
    struct cli_options set = {.td = NULL};
    const int code = cli_parse(&version_command, &set, argc, argv);

    if (code >= 0)
        return code;
    return optind < argc ? cli_usage("version takes no word: '%s'", argv[optind]) : cli_print_version();
}
