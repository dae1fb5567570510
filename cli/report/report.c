/* SPDX-License-Identifier: MIT */
/* tdprobe report: where in the code the slots went, by a recording of samples. */
#include "cli/report/additions.h"
#include "cli/report/page.h"

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/reading.h"
#include "cli/shell.h"
#include "cli/table/parse.h"
#include "cli/usual_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
    struct cli_options set; /* reading, and where the output goes */
    const struct td_functions_format *format;
    const char *by; /* --by, or NULL */
    enum td_functions_order order;
    long limit; /* -1: the format's */
    bool every; /* functions with too few samples have rows of their own */
    long seed;
    const char *apart; /* the option by which samples count otherwise than for their own function, or NULL */
    const char *path; /* of the recording, as it was given */
    struct cli_annotate annotate;
    struct td_functions functions;
    struct cli_reading reading; /* how the recording is read */
    struct cli_page page;
};

/* ---- options --------------------------------------------------------------------------- */

static const char *order_name(size_t i)
{
    return td_functions_order_name((enum td_functions_order)i);
}

static const char *format_name(size_t i)
{
    return td_functions_format_at(i) ? td_functions_format_at(i)->name : NULL;
}

static int take_format(void *settings, const char *value)
{
    struct report *r = settings;

    for (size_t i = 0; format_name(i); i++)
        if (!strcmp(format_name(i), value))
            r->format = td_functions_format_at(i);
    return 0;
}

static int take_order(void *settings, const char *value)
{
    struct report *r = settings;

    for (r->order = 0; strcmp(order_name(r->order), value) != 0; r->order++)
        ;
    return 0;
}

static int take_by(void *settings, const char *value)
{
    ((struct report *)settings)->by = value;
    return cli_take_by(settings, value);
}

static int set_chain(struct report *r, const char *option, enum td_samples_chain chain, const char *function)
{
    const int err = td_set_samples_chain(r->set.td, chain, function);

    r->apart = option;
    r->page.chain = chain;
    r->page.of = function;
    return err ? cli_library_error(r->set.td, err) : 0;
}

static int take_children(void *settings, const char *value)
{
    (void)value;
    return set_chain(settings, "--children", TD_CHAIN_CHILDREN, NULL);
}

static int take_callers(void *settings, const char *value)
{
    return set_chain(settings, "--callers", TD_CHAIN_CALLERS, value);
}

static int take_callees(void *settings, const char *value)
{
    return set_chain(settings, "--callees", TD_CHAIN_CALLEES, value);
}

static int take_inline(void *settings, const char *value)
{
    struct report *r = settings;

    (void)value;
    r->apart = "--inline";
    r->page.inlined = true;
    return td_set_samples_inlined(r->set.td, true) ? EXIT_BUG : 0;
}

static const struct cli_option options[] = {
    CLI_GROUP("What is told apart:"),
    {"by", .arg = "WHAT", .kind = CLI_CHOICE, .take = take_by, .choice = cli_by_name, .usual = "function",
     .common = true, .help = "what samples are told apart by",
     .more = "(cgroup: perf record --all-cgroups; stack: path of calls)"},
    {"children", .kind = CLI_TAKEN, .take = take_children, .common = true,
     .help = "each function with all that it calls", .more = "(by call chains: perf record -g)"},
    {"callers", .arg = "NAME", .kind = CLI_TAKEN, .take = take_callers, .common = true,
     .help = "who called the function"},
    {"callees", .arg = "NAME", .kind = CLI_TAKEN, .take = take_callees, .help = "what it called"},
    {"inline", .kind = CLI_TAKEN, .take = take_inline, .common = true, .help = "inlined functions on their own",
     .more = "(by debug information: 'mix (inlined)')"},
    {"annotate", .arg = "FUNCTION", CLI_TEXT_IN(struct report, annotate.function), .common = true,
     .help = "this function by lines of source and instructions"},
    {"dso", .arg = "FILE", CLI_TEXT_IN(struct report, annotate.dso), .offer = CLI_FILES,
     .help = "with --annotate: the one in that program or library"},
    {"sort", .arg = "WHAT", .kind = CLI_CHOICE, .take = take_order, .choice = order_name, .usual = "lost",
     .common = true, .help = "what comes first", .more = "(lost: the slots of the node that limits it)"},
    {"limit", .arg = "N", CLI_NUMBER_IN(struct report, limit, 0, INT_MAX), .common = true, .help = "only the first N",
     .more = "(default: text 20, html 200, others all; 0: all), with "
             "--annotate the lines and instructions with most slots"},
    {"seed", .arg = "N", CLI_NUMBER_IN(struct report, seed, 0, INT_MAX), .usual = "1",
     .help = "seed of the random resampling", .more = "(the same gives the same bounds)"},
    CLI_GROUP("Reading:"),
    CLI_SYMBOLS,
    CLI_UARCH_RECORDED,
    CLI_SMT,
    CLI_BACKEND_RECORDED,
    CLI_NO_FIXED(.common = false),
    CLI_LEVEL_RECORDED,
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    CLI_GROUP("The report:"),
    CLI_FORMAT(.take = take_format, .choice = format_name, .help = "the format",
               .more = "(folded: stacks for flame graphs; svg: a flame graph, width slots, "
                       "colour the node that limits; html: a page in one file, all of it, with the flame graph)"),
    CLI_SEPARATOR(take_format),
    CLI_JSON(take_format),
    {"verbose", 'v', CLI_SETS(struct report, every), .help = "text: a row of each function",
     .more = "(otherwise those with too few samples for a number share one)"},
    CLI_OUTPUT_WHOLE,
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {"--dso", .without = "--annotate",
     .says = "--dso needs --annotate: it says in which program or library that function is"},
    {"--annotate", "--children --callers --callees --inline",
     .says = "--annotate is of a function's own samples: leave %2 out"},
    {"--annotate", "--sort", .says = "--annotate has lines in their order in the source: leave --sort out"},
};

const struct cli_subcommand cli_report_command = {
    .name = "report",
    .brief = "where in the code the slots went, by samples",
    .page = "tdprobe-report(1)",
    .usage = "report [options] [FILE|-]",
    .about = "Shows for each function how many slots it lost, and to what, by a perf.data of\n"
             "samples: 'tdprobe record --functions', or perf record -e '{slots,...}:S'.\n",
    .more = "Only what lies between two samples in one function counts for it; a function that\n"
            "the samples cannot tell from others is smeared, and has no value. Without FILE:\n"
            "tdprobe.data in this folder, as record calls it.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .rule = rules,
    .rules = CLI_COUNT(rules),
    .reading = offsetof(struct report, reading),
    .usual = CLI_USUAL_DATA,
    .offer = CLI_SAMPLES,
    .confined = true,
};

/* ---- reading ---------------------------------------------------------------------------- */

static int not_samples(const struct cli_input *in)
{
    cli_say("%s: a recording without samples of groups; for others use 'tdprobe replay'; "
            "samples are recorded by perf record -e "
            "'{slots,cpu-cycles,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}:S'",
            in->name);
    return EXIT_UNABLE;
}

static int read_all(struct report *r, struct cli_input *in, struct td_samples_info *about)
{
    const int err = cli_input_begin(in, r->set.td);
    int code = err ? cli_library_error(r->set.td, err) : 0;

    if (code)
        return code;
    if (td_samples_about(r->set.td, about))
        return not_samples(in);
    cli_input_watch(in, &r->set.report.out, false);
    code = cli_places_read(r->set.td, &r->functions);
    td_samples_about(r->set.td, about);
    return code;
}

/* ---- printing ----------------------------------------------------------------------------- */

static int nothing_said(const struct td_functions_report *report)
{
    char text[TD_FUNCTIONS_TEXT];

    cli_say("%s: %s", report->name, td_functions_silent(report, text));
    return EXIT_UNABLE;
}

static int put(struct report *r, struct td_functions_report *report)
{
    struct td_output *o = &r->set.report.out;
    char text[TD_FUNCTIONS_TEXT];
    int code = cli_output_error(o, td_output_open(o, r->set.output));

    if (code)
        return code;
    cli_screen_use(&r->set.report);
    report->width = r->set.report.width;
    report->colour = r->set.report.colour;
    r->format->put(o, report);
    code = cli_output_error(o, td_output_close(o, true));
    for (size_t i = 0; !code && !r->format->notes && td_functions_note(report, i, text); i++)
        cli_say("%s", text);
    return code;
}

/* Whether the i-th option that was chosen says how to read the functions and their names; of one that comes again, the
 * last counts. */
static bool is_of_next(const struct cli_reading *chosen, size_t i)
{
    static const char *const names[] = {"symfs", "buildid-dir", "kallsyms", "debuginfod",
                                        "uarch", "smt",         "backend",  "no-fixed"};
    bool is = false;

    for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
        is = is || !strcmp(chosen->chosen[i].option->name, names[k]);
    for (size_t later = i + 1; later < chosen->n; later++)
        is = is && chosen->chosen[later].option != chosen->chosen[i].option;
    return is;
}

/* "--uarch=spr"; the caller's. NULL: out of memory. */
static char *option_word(const struct cli_chosen *c)
{
    char *word;

    return asprintf(&word, "--%s%s%s", c->option->name, c->value ? "=" : "", c->value ? c->value : "") < 0 ? NULL
                                                                                                           : word;
}

/* "tdprobe report --uarch=spr". NULL: out of memory. */
static char *reading_command(const struct cli_reading *chosen)
{
    char **word = calloc(chosen->n + 1, sizeof(*word)), *command = NULL;
    bool all = word;
    size_t n = 0;

    for (size_t i = 0; all && i < chosen->n; i++)
        if (is_of_next(chosen, i))
            all = (word[n++] = option_word(&chosen->chosen[i])) != NULL;
    if (all)
        command = cli_shell_join("tdprobe report", word);
    for (size_t i = 0; i < n; i++)
        free(word[i]);
    free(word);
    return command;
}

/* The same; NULL: with --annotate it would not find the functions that are shown. */
static char *next_command(const struct report *r, const struct cli_input *in)
{
    const bool functions = !r->apart && !r->annotate.function &&
                           (!r->by || !strcmp(r->by, td_samples_by_name(TD_SAMPLES_BY_FUNCTION))) && !r->format->stacks;

    return functions && in->name == r->path && strcmp(r->path, "-") != 0 ? reading_command(&r->reading) : NULL;
}

static int print(struct report *r, const struct cli_input *in, const struct td_samples_info *about)
{
    struct td_functions_report report = {.functions = &r->functions,
                                         .about = *about,
                                         .name = in->name,
                                         .limit = r->limit < 0 ? r->format->limit : (size_t)r->limit,
                                         .every = r->every,
                                         .separator = r->set.report.separator,
                                         .chain = r->page.chain,
                                         .kallsyms = cli_given(&cli_report_command, &r->set, "--kallsyms") != NULL,
                                         .origin.size = sizeof(report.origin)};
    char *command;
    int code;

    if (r->order != TD_FUNCTIONS_BY_LOST && td_functions_sort(&r->functions, r->order)) /* as they are at first */
        return cli_no_memory();
    code = r->annotate.function && r->functions.n ? cli_annotate_find(&r->annotate, r->set.td, &report) : 0;
    if (code)
        return code;
    td_origin_about(r->set.td, &report.origin);
    command = next_command(r, in);
    cli_next_steps(&report, command);
    if (r->functions.n && r->format->page)
        code = cli_page_fill(&r->page, in, &r->reading, &report);
    if (r->functions.n && !code)
        code = put(r, &report);
    cli_next_steps_free(&report);
    free(command);
    return code ? code : r->annotate.n || td_functions_estimated(&r->functions) ? 0 : nothing_said(&report);
}

/* Formats of call paths. */
static int set_stacks(struct report *r)
{
    if (r->format->stacks && r->by)
        return cli_usage("--format %s is of call paths: leave --by out", r->format->name);
    return r->format->stacks && td_set_samples_by(r->set.td, TD_SAMPLES_BY_STACK) ? EXIT_BUG : 0;
}

/* Of one function, by its own samples. */
static int set_annotate(struct report *r)
{
    const struct cli_annotate *a = &r->annotate;

    if (!a->function)
        return 0;
    if (r->by && strcmp(r->by, td_samples_by_name(TD_SAMPLES_BY_FUNCTION)) != 0)
        return cli_usage("--annotate is of a function: leave --by out");
    if (!r->format->annotates)
        return cli_usage("--format %s has no lines and instructions; text, csv and json have", r->format->name);
    return td_set_samples_code(r->set.td, a->function, a->dso) ? cli_no_memory() : 0;
}

static int run(struct report *r, const char *path)
{
    struct td_samples_info about = {.size = sizeof(about)};
    struct cli_input in;
    int code = set_stacks(r);

    r->path = path;
    code = code ? code : set_annotate(r);
    code = code ? code : cli_input_open(&r->set, path, "report", &in);
    if (code)
        return code;
    if (r->format->page)
        cli_page_listen(&r->page, r->set.td);
    code = read_all(r, &in, &about);
    cli_line_erase();
    code = code ? code : print(r, &in, &about);
    cli_input_close(&in);
    return code;
}

int cli_report_main(int argc, char **argv)
{
    struct report r = {.format = td_functions_format_at(0), .limit = -1, .seed = 1, .functions = {.confidence = 0.95}};
    struct cli_recordings input;
    int code = cli_options_begin(&r.set);

    if (code)
        return code;
    code = cli_input_options(&cli_report_command, &r, argc, argv, 1, &input);
    r.functions.seed = (unsigned long)r.seed;
    if (code < 0)
        code = run(&r, *input.name);
    cli_annotate_free(&r.annotate);
    td_functions_free(&r.functions);
    cli_page_free(&r.page);
    cli_reading_free(&r.reading);
    td_free(r.set.td);
    return code;
}
