/* SPDX-License-Identifier: MIT */
/* tdprobe report: where in the code the slots went, by a recording of samples. */
#include "cli/report/annotate.h"
#include "cli/report/next_steps.h"
#include "cli/report/page.h"

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/places.h"
#include "cli/shell.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: tdprobe report [options] FILE|-\n"
    "\n"
    "Says of each function how many slots it lost, and to what, by a perf.data of samples:\n"
    "'perf record -e {slots,cpu-cycles,topdown-retiring,...}:S'. Only what lies between two\n"
    "samples in one function counts for it; a function that the samples cannot tell from\n"
    "others is smeared, and has no value.\n"
    "\n"
    "  --by WHAT          function (the default), line, source, dso, thread, comm, cpu, cgroup\n"
    "                     (perf record --all-cgroups) or stack (path of calls)\n"
    "  --children         each function with all that it calls, by call chains (perf record -g)\n"
    "  --callers NAME     who called the function; --callees NAME: what it called\n"
    "  --annotate NAME    the function by lines of source, each with its instructions; --dso FILE:\n"
    "                     the one in that program or library\n"
    "  --inline           inlined functions on their own, by debug information: 'mix (inlined)'\n"
    "  --sort WHAT        lost (the default: the slots of the node that limits it), slots,\n"
    "                     intervals or name\n"
    "  --limit N          the first N (default: text 20, html 200, others all; 0: all), with\n"
    "                     --annotate the lines and instructions with most slots\n"
    "  --symfs DIR        the recorded files are below DIR, not below /\n"
    "  --buildid-dir DIR  and those that are not there, in DIR by build-id: as perf record and\n"
    "                     perf archive keep them (default ~/.debug)\n"
    "  --debuginfod[=URLS]  and on these servers (default: those of DEBUGINFOD_URLS)\n"
    "  --seed N           of the random resampling (default 1); the same gives the same bounds\n"
    "  --uarch NAME|ID    the CPU, where the recording does not name it\n"
    "  --smt on|off       whether its cores had two threads online, where it does not say it\n"
    "  --backend=NAME     only CPUs of this backend; auto (the default): any\n"
    "  --no-fixed         use ordinary events instead of the PERF_METRICS register\n"
    "  --level 1..6       the deepest level (default 2)\n"
    "  -M, --metrics LIST further metrics: names, groups or all (tdprobe list metrics --uarch NAME)\n"
    "  --format NAME      text (the default), csv, json, folded (stacks for flame graphs),\n"
    "                     svg (a flame graph: width slots, colour the node that limits) or\n"
    "                     html (a page in one file: all of it, with the flame graph)\n"
    "  -x, --field-separator SEP   csv, with SEP between the fields\n"
    "  -j, --json         json\n"
    "  -o FILE            write to FILE, which appears only when it is whole\n"
    "  -h, --help         this text\n";

enum { OPT_SORT = CLI_OTHER, OPT_LIMIT, OPT_SEED, OPT_CHILDREN, OPT_CALLERS, OPT_CALLEES, OPT_INLINE, OPT_ANNOTATE, OPT_DSO };

static const struct option options[] = {
    CLI_OPTIONS_SAMPLES,
    {"sort", required_argument, NULL, OPT_SORT},
    {"limit", required_argument, NULL, OPT_LIMIT},
    {"seed", required_argument, NULL, OPT_SEED},
    {"children", no_argument, NULL, OPT_CHILDREN},
    {"callers", required_argument, NULL, OPT_CALLERS},
    {"callees", required_argument, NULL, OPT_CALLEES},
    {"inline", no_argument, NULL, OPT_INLINE},
    {"annotate", required_argument, NULL, OPT_ANNOTATE},
    {"dso", required_argument, NULL, OPT_DSO},
    CLI_OPTIONS_BASIC,
    CLI_OPTIONS_RECORDING,
    CLI_OPTIONS_LETTERS,
    {0},
};

struct report {
    struct cli_options set; /* reading, and where the output goes */
    const struct td_functions_format *format;
    const char *by; /* --by, or NULL */
    enum td_functions_order order;
    long limit; /* -1: the format's */
    const char *apart; /* the option by which samples count otherwise than for their own function, or NULL */
    const char *sort; /* --sort was given */
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

static int set_order(struct report *r, const char *text)
{
    const int order = cli_options_pick("--sort", text, order_name);

    r->sort = text;
    r->order = order < 0 ? r->order : (enum td_functions_order)order;
    return order < 0 ? EXIT_USAGE : 0;
}

static int set_format(struct report *r, const char *text)
{
    const int format = cli_options_pick("the format", text, format_name);

    r->format = format < 0 ? NULL : td_functions_format_at((size_t)format);
    return format < 0 ? EXIT_USAGE : 0;
}

static int set_number(const char *option, const char *text, long *out)
{
    return cli_number(text, 0, INT_MAX, out) ? 0 : cli_usage("%s: '%s' is not a whole number from 0 to %d", option, text, INT_MAX);
}

static int set_seed(struct report *r, const char *text)
{
    long seed = 0;
    const int code = set_number("--seed", text, &seed);

    r->functions.seed = (unsigned long)seed;
    return code;
}

static int set_chain(struct report *r, const char *option, enum td_samples_chain chain, const char *function)
{
    const int err = td_set_samples_chain(r->set.td, chain, function);

    r->apart = option;
    r->page.chain = chain;
    r->page.of = function;
    return err ? cli_library_error(r->set.td, err) : 0;
}

static int set_inlined(struct report *r)
{
    r->apart = "--inline";
    r->page.inlined = true;
    return td_set_samples_inlined(r->set.td, true) ? EXIT_BUG : 0;
}

/* Those that say how recordings are read. */
static int take_reading(struct report *r, int option, const char *value)
{
    const int code = cli_options_take(&r->set, option, value);

    return code ? code : cli_reading_add(&r->reading, option, value);
}

static int take_option(void *ctx, int option, const char *value)
{
    struct report *r = ctx;
    int code;

    switch (option) {
    case OPT_SORT: return set_order(r, value);
    case OPT_LIMIT: return set_number("--limit", value, &r->limit);
    case OPT_SEED: return set_seed(r, value);
    case OPT_CHILDREN: return set_chain(r, "--children", TD_CHAIN_CHILDREN, NULL);
    case OPT_CALLERS: return set_chain(r, "--callers", TD_CHAIN_CALLERS, value);
    case OPT_CALLEES: return set_chain(r, "--callees", TD_CHAIN_CALLEES, value);
    case OPT_INLINE: return set_inlined(r);
    case OPT_ANNOTATE: r->annotate.function = value; return 0;
    case OPT_DSO: r->annotate.dso = value; return 0;
    case CLI_BY: r->by = value; return cli_options_take(&r->set, option, value);
    case 'o': return cli_options_take(&r->set, option, value);
    case CLI_FORMAT: return set_format(r, value);
    case 'j': return set_format(r, "json");
    case 'x':
        code = cli_options_separator(&r->set, value);
        return code ? code : set_format(r, "csv");
    case 'M': return take_reading(r, CLI_METRICS, value);
    default: return take_reading(r, option, value);
    }
}

/* ---- reading ---------------------------------------------------------------------------- */

static int not_samples(const struct cli_input *in)
{
    cli_say("%s: a recording without samples of groups; for others use 'tdprobe replay'; "
            "samples are recorded by perf record -e '{slots,cpu-cycles,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}:S'",
            in->name);
    return EXIT_UNABLE;
}

static int read_all(struct report *r, struct cli_input *in, struct td_samples_info *about)
{
    const int err = cli_input_begin(in, r->set.td);
    int code = err ? cli_library_error(r->set.td, err) : 0;

    if (code)
        return code;
    if (!td_samples_about(r->set.td, about))
        return not_samples(in);
    cli_input_watch(in, &r->set.report.out, false);
    code = cli_places_read(r->set.td, &r->functions);
    td_samples_about(r->set.td, about);
    return code;
}

/* ---- printing ----------------------------------------------------------------------------- */

static int nothing_said(const struct report *r, const struct cli_input *in)
{
    if (!r->functions.n)
        cli_say("%s: holds no interval between two samples: record for longer, or at a higher rate (perf record -F)", in->name);
    else
        cli_say("%s: no %s has a value: the samples are too few or too far apart: record for longer, or at a higher rate (perf record -F); "
                "'--by dso' puts more of them together",
                in->name, r->functions.kind);
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

/* Whether the i-th option that was chosen says how to read the functions and their names; of one that comes again, the last counts. */
static bool is_of_next(const struct cli_reading *chosen, size_t i)
{
    static const int names[] = {CLI_SYMFS, CLI_BUILDID_DIR, CLI_DEBUGINFOD, CLI_UARCH, CLI_SMT, CLI_BACKEND, CLI_NO_FIXED};
    bool is = false;

    for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
        is = is || chosen->chosen[i].option == names[k];
    for (size_t later = i + 1; later < chosen->n; later++)
        is = is && chosen->chosen[later].option != chosen->chosen[i].option;
    return is;
}

/* "--uarch=spr"; the caller's. NULL: out of memory. */
static char *option_word(const struct cli_chosen *c)
{
    const struct option *o = options;
    char *word;

    while (o->val != c->option)
        o++;
    return asprintf(&word, "--%s%s%s", o->name, c->value ? "=" : "", c->value ? c->value : "") < 0 ? NULL : word;
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
    const bool functions = !r->apart && !r->annotate.function && (!r->by || !strcmp(r->by, td_samples_by_name(TD_SAMPLES_BY_FUNCTION))) && !r->format->stacks;

    return functions && in->name == r->path && strcmp(r->path, "-") != 0 ? reading_command(&r->reading) : NULL;
}

static int print(struct report *r, const struct cli_input *in, const struct td_samples_info *about)
{
    struct td_functions_report report = {.functions = &r->functions, .about = *about, .name = in->name, .limit = r->limit < 0 ? r->format->limit : (size_t)r->limit,
                                         .separator = r->set.report.separator, .chain = r->page.chain};
    char *command;
    int code;

    if (r->order != TD_FUNCTIONS_BY_LOST && td_functions_sort(&r->functions, r->order)) /* as they are at first */
        return cli_no_memory();
    code = r->annotate.function && r->functions.n ? cli_annotate_find(&r->annotate, r->set.td, &report) : 0;
    if (code)
        return code;
    command = next_command(r, in);
    cli_next_steps(&report, command);
    if (r->functions.n && r->format->page)
        code = cli_page_fill(&r->page, r->set.td, in, &r->reading, &report);
    if (r->functions.n && !code)
        code = put(r, &report);
    cli_next_steps_free(&report);
    free(command);
    return code ? code : r->annotate.n || td_functions_estimated(&r->functions) ? 0 : nothing_said(r, in);
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
        return a->dso ? cli_usage("--dso says in which program or library the function of --annotate is: there is no --annotate") : 0;
    if (r->apart)
        return cli_usage("--annotate is of a function's own samples: leave %s out", r->apart);
    if (r->by && strcmp(r->by, td_samples_by_name(TD_SAMPLES_BY_FUNCTION)) != 0)
        return cli_usage("--annotate is of a function: leave --by out");
    if (r->sort)
        return cli_usage("--annotate has lines in their order in the source: leave --sort out");
    if (!r->format->annotates)
        return cli_usage("--format %s has no lines and instructions; text, csv and json have", r->format->name);
    return td_set_samples_code(r->set.td, a->function, a->dso) ? cli_no_memory() : 0;
}

static int run(struct report *r, const char *path)
{
    struct td_samples_info about = {0};
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
    cli_input_erase();
    code = code ? code : print(r, &in, &about);
    cli_input_close(&in);
    return code;
}

int cli_report_main(int argc, char **argv)
{
    struct report r = {.format = td_functions_format_at(0), .limit = -1, .functions = {.seed = 1, .confidence = 0.95}};
    int code = cli_options_begin(&r.set);
    size_t n;

    if (code)
        return code;
    code = cli_input_options("report", argc, argv, "M:jx:", options, help, take_option, &r, 1);
    if (code < 0)
        code = run(&r, *cli_input_list(argc, argv, &n));
    cli_annotate_free(&r.annotate);
    td_functions_free(&r.functions);
    cli_page_free(&r.page);
    cli_reading_free(&r.reading);
    td_free(r.set.td);
    return code;
}
