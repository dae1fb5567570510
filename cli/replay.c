/* SPDX-License-Identifier: MIT */
/* tdprobe replay: computes top-down metrics from recorded counters. */
#include "cli/cli.h"
#include "cli/drilldown.h"
#include "cli/nothing_said.h"
#include "cli/input.h"
#include "cli/jobs.h"
#include "cli/numbers.h"
#include "cli/shell.h"
#include "cli/strict.h"
#include "private/result.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>

static const char help[] =
    "usage: tdprobe replay [options] FILE|FOLDER|- ...\n"
    "\n"
    "Reads recordings and prints the top-down metrics of each interval on stdout.\n"
    "FILE is what perf stat wrote (text, -x, -j, perf.data of 'perf stat record'), the\n"
    "events CSV of Arm's topdown-tool, or a tdprobe trace; - is stdin, as is a pipe\n"
    "without FILE. FOLDER is what PerfSpect keeps with --raw.\n"
    "\n"
    "  --uarch NAME|ID    the CPU: spr, adl, neoverse-n2, ... ('tdprobe list uarchs'),\n"
    "                     GenuineIntel-6-55-7, or a MIDR such as 0x410fd493. A trace\n"
    "                     names its own. Without it, all CPUs that fit the events are\n"
    "                     tried, and it is an error if their answers differ\n"
    "  --import-format NAME  the format, if the content does not show it: auto (the\n"
    "                     default), tdprobe-trace, perf-data, perf-json, perf-text,\n"
    "                     perf-csv or arm-events ('tdprobe list formats')\n"
    "  --smt on|off       whether its cores had two threads online, where the recording does not\n"
    "                     say it or is wrong\n"
    "  --backend=NAME     only CPUs of this backend; auto (the default): any\n"
    "  --no-fixed         use ordinary events instead of the PERF_METRICS register\n"
    "  --level 1..6       the deepest level (default: the trace's, else 2)\n"
    "  -M, --metrics LIST further metrics: names, groups or all (tdprobe list metrics --uarch NAME)\n"
    "  --drilldown        below level 2 only what is below the node that limits, down to the\n"
    "                     leaf, or to the last level that was recorded, and what to record then\n"
    "  --format NAME      text (the default: one result as a tree, several as lines), tree,\n"
    "                     csv or json\n"
    "  -x, --field-separator SEP   csv, with SEP between the fields\n"
    "  -j, --json         json\n"
    "  --all              text: deeper nodes below their thresholds, too\n"
    "  --counts           print the events' counts too\n"
    "  --time FROM,TO     only intervals that end after FROM and not after TO, in s; either can be\n"
    "                     left out\n"
    "  --summary          print the sum of all intervals too\n"
    "  --summary-only     print only the sum\n"
    "  --by WAY           samples (perf record): by function (the default), line, source, dso, thread,\n"
    "                     comm, cpu, cgroup or stack\n"
    "  --symfs DIR        the recorded files are below DIR, not below /\n"
    "  --buildid-dir DIR  and those that are not there, in DIR by build-id: as perf record and\n"
    "                     perf archive keep them (default ~/.debug)\n"
    "  --debuginfod[=URLS]  and on these servers (default: those of DEBUGINFOD_URLS)\n"
    "  --strict           exit 3 in place of 0 if any value that is shown is flagged\n"
    "  --min-coverage 0..1   exit 3 in place of 0 if one was counted in less of the time\n"
    "  -J N, --jobs N     work on N recordings at once; the output is the same as without\n"
    "  -o FILE            write to FILE, which appears only when it is whole\n"
    "  -h, --help         this text\n";

struct replay {
    struct cli_options set;
    char **input; /* the recordings */
    size_t inputs;
    long jobs; /* how many at once */
    bool summary, summary_only;
    struct cli_drill drill; /* --drilldown */
    bool at_once; /* the input may still be growing: print each interval as soon as it ends */
};

enum { OPT_SUMMARY = CLI_OTHER, OPT_SUMMARY_ONLY, OPT_DRILLDOWN, JOBS_MAX = 1024 };

static const struct option options[] = {
    CLI_OPTIONS_COMMON,
    CLI_OPTIONS_STRICT,
    CLI_OPTIONS_SAMPLES,
    {"summary", no_argument, NULL, OPT_SUMMARY},
    {"summary-only", no_argument, NULL, OPT_SUMMARY_ONLY},
    {"drilldown", no_argument, NULL, OPT_DRILLDOWN},
    {"import-format", required_argument, NULL, CLI_IMPORT_FORMAT},
    CLI_OPTIONS_RECORDING,
    CLI_OPTIONS_LETTERS,
    {"time", required_argument, NULL, CLI_TIME},
    {"jobs", required_argument, NULL, 'J'},
    {0},
};

static int take_option(void *ctx, int option, const char *value)
{
    struct replay *r = ctx;

    if (option == 'j') {
        cli_options_json(&r->set);
        return 0;
    }
    if (option == 'x')
        return cli_options_separator(&r->set, value);
    if (option == 'M')
        return cli_options_take(&r->set, CLI_METRICS, value);
    if (option == 'J')
        return cli_number(value, 1, JOBS_MAX, &r->jobs) ? 0 : cli_usage("-J: '%s' is not a whole number from 1 to %d", value, JOBS_MAX);
    if (option == OPT_DRILLDOWN) {
        r->drill.on = r->drill.recorded = r->set.report.branch = true;
        return 0;
    }
    if (option != OPT_SUMMARY && option != OPT_SUMMARY_ONLY)
        return cli_options_take(&r->set, option, value);
    r->summary = true;
    r->summary_only = r->summary_only || option == OPT_SUMMARY_ONLY;
    return 0;
}

/* An input that grows is shown while it grows: without waiting for a second result. Where several CPUs fit, each has its tree. */
static void lay_out(struct replay *r, const struct td_result *result)
{
    uint64_t ns;

    r->set.report.each_cpu = td_gives_each_cpu(r->set.td);
    if ((r->at_once || r->set.report.each_cpu) && r->set.report.layout == TD_LAYOUT_AUTO)
        r->set.report.layout = td_result_time(result, &ns) ? TD_LAYOUT_LINES : TD_LAYOUT_TREE;
}

static int print_intervals(struct replay *r)
{
    struct td_report *report = &r->set.report;
    const struct td_result *result;
    int err;

    while (!(err = td_next(r->set.td, &result)) && !report->out.error) {
        if (td_result_depth(result) > 0) /* by stack: the callers' share of a sample that was printed */
            continue;
        lay_out(r, result);
        td_report_result(report, result);
        if (r->at_once || report->out.terminal)
            td_output_flush(&report->out);
    }
    if (!err || err == -ENODATA)
        return 0; /* closing the output reports a failed write */
    td_output_flush(&report->out);
    return cli_library_error(r->set.td, err);
}

static int summarize(struct replay *r)
{
    const struct td_result *result;
    int err = 0;

    for (size_t i = 0; !err; i++) {
        err = td_summary(r->set.td, i, &result);
        if (!err && r->summary)
            td_report_result(&r->set.report, result);
        if (!err && cli_drill_take(&r->drill, result))
            return cli_no_memory();
    }
    return err == -ENODATA ? 0 : cli_library_error(r->set.td, err);
}

/* Prints to an output that is open. */
static int print(struct replay *r)
{
    int code;

    td_report_begin(&r->set.report);
    code = print_intervals(r);
    if (!code && (r->summary || r->drill.on))
        code = summarize(r);
    td_report_end(&r->set.report, NULL);
    return code;
}

static int open_output(struct replay *r)
{
    struct td_output *o = &r->set.report.out;
    const int code = cli_output_error(o, td_output_open(o, r->set.output));

    if (!code)
        cli_screen_use(&r->set.report);
    return code;
}

/* whole: the file may get its name. */
static int close_output(struct replay *r, bool whole)
{
    struct td_output *o = &r->set.report.out;

    return cli_output_error(o, td_output_close(o, whole));
}

static int open_recording(struct replay *r, struct cli_input *in)
{
    int err = cli_input_begin(in, r->set.td);

    r->at_once = in->grows;
    return err ? cli_library_error(r->set.td, err) : 0;
}

/* After everything was printed: what is to be said about it. */
static int conclude(struct replay *r)
{
    const int code = cli_nothing_replayed(&r->set.report);

    if (!code)
        cli_drill_say(&r->drill, r->set.report.no_fixed);
    return code ? code : cli_strict(&r->set);
}

/* ---- one recording ------------------------------------------------------------ */

/* Of samples there is more to say. */
static void hint_report(const struct replay *r, const struct cli_input *in)
{
    char *const words[] = {(char *)(uintptr_t)in->name, NULL};
    struct td_samples_info about;
    char *file = td_samples_about(r->set.td, &about) ? cli_shell_join("", words) : NULL;

    if (file)
        cli_say("%s: samples; which functions lost the slots, with bounds: tdprobe report%s%s", in->name, *file == ' ' ? "" : " ", file);
    free(file);
}

static int run(struct replay *r, struct cli_input *in)
{
    int code = open_recording(r, in), closed;

    code = code ? code : open_output(r);
    if (code)
        return code;
    cli_input_watch(in, &r->set.report.out, !r->summary_only);
    code = print(r);
    closed = close_output(r, !code);
    code = code ? code : closed;
    if (code)
        return code;
    hint_report(r, in);
    return conclude(r);
}

static int run_one(struct replay *r)
{
    struct cli_input in;
    int code = cli_input_open(&r->set, *r->input, "replay", &in);

    if (code)
        return code;
    code = run(r, &in);
    cli_input_close(&in);
    return code;
}

/* ---- several ------------------------------------------------------------------- */

/* Runs in its own process, with the handle that the options set up. */
static int job(void *ctx, size_t i, td_output_fn *write, void *to)
{
    struct replay *r = ctx;
    struct td_output *o = &r->set.report.out;
    const bool terminal = o->terminal;
    struct cli_input in;
    int code = cli_input_open(&r->set, r->input[i], "replay", &in);

    code = code ? code : open_recording(r, &in);
    code = code ? code : cli_output_error(o, td_output_open_fn(o, write, to));
    if (code)
        return code;
    o->terminal = terminal;
    code = print(r);
    td_output_close(o, true);
    if (code)
        return code;
    code = conclude(r);
    return code ? code | CLI_JOB_WHOLE : 0;
}

static int run_all(struct replay *r)
{
    int code = open_output(r), closed;
    bool whole = true;

    if (code)
        return code;
    code = cli_jobs_run(r->input, r->inputs, (unsigned)r->jobs, job, r, &r->set.report.out, &whole);
    closed = close_output(r, whole);
    return code ? code : closed;
}

/* Standard input can only be read once. */
static int check(const struct replay *r)
{
    unsigned n = 0;

    for (size_t i = 0; i < r->inputs; i++)
        n += !strcmp(r->input[i], "-");
    return n > 1 ? cli_usage("- is given %u times, but stdin can be read only once", n) : 0;
}

int cli_replay_main(int argc, char **argv)
{
    struct replay r = {.jobs = 1};
    int code = cli_options_begin(&r.set);

    if (code)
        return code;
    code = cli_input_options("replay", argc, argv, "J:M:jx:", options, help, take_option, &r, INT_MAX);
    td_set_intervals(r.set.td, !r.summary_only);
    r.drill.level = r.set.level;
    td_set_each_cpu(r.set.td, !r.drill.on);
    if (code < 0 && r.drill.on)
        cli_drill_ask(&r.drill, r.set.td);
    if (code < 0) {
        r.input = cli_input_list(argc, argv, &r.inputs);
        code = check(&r);
        code = code ? code : r.inputs > 1 ? run_all(&r) : run_one(&r);
    }
    cli_drill_free(&r.drill);
    td_free(r.set.td);
    return code;
}
