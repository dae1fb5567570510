/* SPDX-License-Identifier: MIT */
/* tdprobe replay: computes top-down metrics from recorded counters. */
#include "cli/bundle/parts.h"
#include "cli/cli.h"
#include "cli/drilldown.h"
#include "cli/exit_codes.h"
#include "cli/input.h"
#include "cli/jobs.h"
#include "cli/sandbox/sandbox.h"
#include "cli/shell.h"
#include "cli/table/parse.h"
#include "cli/usual_file.h"
#include "private/result.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    struct cli_options set;
    struct cli_recordings input;
    long jobs; /* how many at once */
    bool summary, summary_only;
    struct cli_drill drill; /* --drilldown */
    struct cli_input *in; /* the recording at hand */
    bool at_once; /* the input may still be growing: print each interval as soon as it ends */
};

enum { JOBS_MAX = 1024 };

#define TRACE_ENDING ".trace"

static const struct cli_option options[] = {
    CLI_GROUP("Reading:"),
    CLI_UARCH(.common = true, .help = "the CPU, where the recording does not name it",
              .more =
                  "(spr, adl, neoverse-n2, ...: 'tdprobe list uarchs', GenuineIntel-6-55-7, or a MIDR "
                  "such as 0x410fd493; without it, all CPUs that fit the events are tried; where their answers differ, "
                  "each one's is given)"),
    CLI_SMT,
    CLI_BACKEND_RECORDED,
    CLI_NO_FIXED(.common = false),
    CLI_IMPORT_FORMAT,
    CLI_TIME,
    CLI_GROUP("Metrics:"),
    CLI_LEVEL_RECORDED,
    CLI_METRICS_ROW(CLI_METRICS_HELP),
    {"drilldown", CLI_SETS(struct replay, drill.on), .common = true,
     .help = "below level 2 only what is below the node that limits",
     .more = "(down to the leaf, or to "
             "the last level that was recorded, and what to record then)"},
    CLI_GROUP("Samples:"),
    {"by", .arg = "WAY", .kind = CLI_CHOICE, .take = cli_take_by, .choice = cli_by_name, .usual = "function",
     .help = "tell samples apart by"},
    CLI_SYMBOLS,
    CLI_GROUP("The report:"),
    CLI_REPORT_FORMAT(.more = "(text: one result as a tree, several as lines; html: a page, with -o)"),
    CLI_HTML_METRICS,
    CLI_SEPARATOR(cli_take_format),
    CLI_JSON(cli_take_format),
    CLI_ALL,
    CLI_COUNTS(.common = true),
    {"summary", CLI_SETS(struct replay, summary), .common = true, .help = "print the sum of all intervals too"},
    {"summary-only", CLI_SETS(struct replay, summary_only), .common = true, .help = "print only the sum"},
    {"archive", CLI_SETS(struct replay, set.report.archive), .help = "csv for a database",
     .more =
         "of many recordings: each row names its file, host, labels and command, its time since 1970, and the slots "
         "or cycles that it is a share of"},
    CLI_STRICT_ROWS,
    {"jobs", 'J', "N", CLI_NUMBER_IN(struct replay, jobs, 1, JOBS_MAX), .usual = "1",
     .help = "work on N recordings at once", .more = "(the output is the same as without)"},
    CLI_OUTPUT_WHOLE,
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_replay_command = {
    .name = "replay",
    .brief = "recorded counters to top-down metrics",
    .page = "tdprobe-replay(1)",
    .usage = "replay [options] [FILE|FOLDER|-] ...",
    .about = "Reads recordings and prints the top-down metrics of each interval on stdout.\n"
             "FILE is what perf stat or perf record wrote, a tdprobe trace, or the bundle of\n"
             "tdprobe selftest; - is stdin.\n",
    .more = "perf stat: text, -x, -j, perf.data of 'perf stat record'; also the events CSV of\n"
            "Arm's topdown-tool. A pipe without FILE is read, too. FOLDER is what PerfSpect\n"
            "keeps with --raw, or has traces and perf.data, which are all read. Without FILE:\n"
            "tdprobe.trace or tdprobe.data, as record calls them, in this folder; the younger\n"
            "of the two.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .usual = CLI_USUAL_TRACE " " CLI_USUAL_DATA,
    .offer = CLI_RECORDINGS,
    .confined = true,
};

/* What the recording says of itself. */
static void take_origin(struct replay *r)
{
    struct td_report *report = &r->set.report;
    struct td_origin_info origin = {.size = sizeof(origin)};

    if (td_origin_about(r->set.td, &origin))
        return;
    report->recorded = origin.command;
    report->host = origin.host;
    report->started = td_recording_started(r->set.td, &report->monotonic, &report->realtime);
    report->labels = td_recording_labels(r->set.td);
}

/* An input that grows is shown while it grows: without waiting for a second result. Where several CPUs fit, each has
 * its tree. */
static void lay_out(struct replay *r, const struct td_result *result)
{
    uint64_t ns;

    take_origin(r);
    r->set.report.each_cpu = td_gives_each_cpu(r->set.td);
    if ((r->at_once || r->set.report.each_cpu) && r->set.report.layout == TD_LAYOUT_AUTO)
        r->set.report.layout = td_result_time(result, &ns) ? TD_LAYOUT_LINES : TD_LAYOUT_TREE;
}

/* Whether the counts give no answer, as td_next() ended. */
static bool no_answer(const struct replay *r, int err)
{
    const struct td_report *report = &r->set.report;

    if (err == -ENODATA)
        return report->results && !report->judged && !report->lies;
    return (err == -EBADMSG || err == -EOPNOTSUPP) && !report->results;
}

/* What has no counts that give a metric may have percentages. */
static int next_result(struct replay *r, const struct td_result **out)
{
    const int err = td_next(r->set.td, out);

    if (!no_answer(r, err) || !cli_input_percentages(r->in, r->set.td))
        return err;
    r->at_once = false; /* it has ended */
    return td_next(r->set.td, out);
}

static int print_intervals(struct replay *r)
{
    struct td_report *report = &r->set.report;
    const struct td_result *result;
    int err;

    while (!(err = next_result(r, &result)) && !report->out.error) {
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
        if (!err && r->summary) {
            if (r->set.report.archive)
                take_origin(r);
            r->set.report.each_cpu = td_gives_each_cpu(r->set.td);
            td_report_result(&r->set.report, result);
        }
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
    int err;

    in->keeps = true; /* for cli_input_percentages() */
    err = cli_input_begin(in, r->set.td);
    r->in = in;
    r->at_once = in->grows && !err;
    return err && !(err == -EBADMSG && cli_input_percentages(in, r->set.td)) ? cli_library_error(r->set.td, err) : 0;
}

/* After everything was printed: what is to be said about it. */
static int conclude(struct replay *r)
{
    const int code = cli_nothing_replayed(&r->set.report);

    if (!code)
        cli_drill_say(&r->drill, r->set.report.no_fixed);
    return code ? code : cli_strict(&r->set);
}

/* Whether each recording is named in what is printed of it. */
static bool is_among(const struct replay *r)
{
    return r->input.n > 1 || r->set.report.archive;
}

/* ---- one recording ------------------------------------------------------------ */

/* Of samples there is more to say. */
static void hint_report(const struct replay *r, const struct cli_input *in)
{
    char *const words[] = {(char *)(uintptr_t)in->name, NULL};
    struct td_samples_info about = {.size = sizeof(about)};
    char *file = !td_samples_about(r->set.td, &about) ? cli_shell_join("", words) : NULL;

    if (file)
        cli_say("%s: samples; which functions lost the slots, with bounds: tdprobe report%s%s", in->name,
                *file == ' ' ? "" : " ", file);
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

/* ---- several ------------------------------------------------------------------- */

/* Replays one of several recordings, in its own process, with the handle that the options set up. */
static int run_among(struct replay *r, struct cli_input *in, td_output_fn *write, void *to)
{
    struct td_output *o = &r->set.report.out;
    const bool terminal = o->terminal;
    int code = open_recording(r, in);

    code = code ? code : cli_output_error(o, td_output_open_fn(o, write, to));
    if (code)
        return code;
    o->terminal = terminal;
    o->appended = r->set.report.archive; /* run_all() has written the header */
    code = print(r);
    td_output_close(o, true);
    if (code)
        return code;
    code = conclude(r);
    return code ? code | CLI_JOB_WHOLE : 0;
}

/* ---- a bundle ------------------------------------------------------------------------------------ */

struct bundle {
    struct replay *r;
    const struct cli_input *in;
    bool among; /* other recordings are read, too */
    struct cli_parts parts;
};

/* A trace names its CPU. What perf stat wrote does not, and is of the bundle's, if that one is known. */
static int part_job(void *ctx, size_t i, td_output_fn *write, void *to)
{
    struct bundle *b = ctx;
    struct replay *r = b->r;
    const struct cli_part *part = &b->parts.part[i];
    const size_t n = strlen(part->name), end = strlen(TRACE_ENDING);
    char name[512], file[512];
    struct cli_input in = cli_parts_input(b->in, part, name);

    snprintf(file, sizeof(file), "%.250s%s%.250s", b->among ? b->in->name : "", b->among ? ":" : "", part->label);
    r->set.report.file = td_printable(file, sizeof(file));
    if (*b->parts.cpu && (n < end || strcmp(part->name + n - end, TRACE_ENDING) != 0) &&
        !cli_given(&cli_replay_command, &r->set, "--uarch"))
        td_set_uarch(r->set.td, b->parts.cpu);
    return run_among(r, &in, write, to);
}

/* Replays all recordings of a bundle to an output that is open. whole: as cli_jobs_run() has it. */
static int run_bundle(struct replay *r, const struct cli_input *in, unsigned jobs, struct td_output *out, bool *whole)
{
    struct bundle b = {.r = r, .in = in, .among = is_among(r)};
    int code = cli_parts_find(in, &b.parts);
    char **names = code ? NULL : calloc(b.parts.n, sizeof(*names));

    *whole = false;
    if (!code && !names)
        code = cli_no_memory();
    for (size_t i = 0; !code && i < b.parts.n; i++)
        names[i] = b.parts.part[i].label;
    code = code ? code : cli_jobs_run(names, b.parts.n, jobs, part_job, &b, out, whole);
    free(names);
    cli_parts_free(&b.parts);
    return code;
}

static int run_only_bundle(struct replay *r, const struct cli_input *in)
{
    int code = open_output(r), closed;
    bool whole;

    if (code)
        return code;
    code = run_bundle(r, in, (unsigned)r->jobs, &r->set.report.out, &whole);
    closed = close_output(r, whole);
    return code ? code : closed;
}

/* ---- what is named ---------------------------------------------------------------------------- */

static bool is_page(const struct replay *r)
{
    return r->set.report.format && r->set.report.format->page;
}

static int run_one(struct replay *r)
{
    struct cli_input in;
    int code = cli_input_open(&r->set, *r->input.name, "replay", &in);

    if (code)
        return code;
    r->set.report.subject = in.name;
    r->set.report.by = "replay";
    if (in.bundle && is_page(r))
        code =
            cli_usage("--format %s is of one recording, and %s is a bundle of several: unpack it by tar -xf and name "
                      "one of its traces, or use csv or json",
                      r->set.report.format->name, in.name);
    else
        code = in.bundle ? run_only_bundle(r, &in) : run(r, &in);
    cli_input_close(&in);
    return code;
}

/* One bundle of several names. */
static int bundle_job(struct replay *r, const struct cli_input *in, td_output_fn *write, void *to)
{
    struct td_output o;
    bool whole;
    int code = cli_output_error(&o, td_output_open_fn(&o, write, to));

    if (code)
        return code;
    code = run_bundle(r, in, 1, &o, &whole);
    td_output_close(&o, true);
    return code && whole ? code | CLI_JOB_WHOLE : code;
}

/* Runs in its own process. */
static int job(void *ctx, size_t i, td_output_fn *write, void *to)
{
    struct replay *r = ctx;
    struct cli_input in;
    char name[4 * 256 + 1];
    int code = cli_input_open(&r->set, r->input.name[i], "replay", &in);

    if (code)
        return code;
    if (in.bundle)
        return bundle_job(r, &in, write, to);
    snprintf(name, sizeof(name), "%s", r->input.name[i]);
    r->set.report.file = td_printable(name, sizeof(name));
    return run_among(r, &in, write, to);
}

static int run_all(struct replay *r)
{
    int code, closed;
    bool whole = true;

    cli_sandbox_enter(NULL, 0);
    code = open_output(r);
    if (code)
        return code;
    if (r->set.report.archive) { /* one table of all */
        td_report_begin(&r->set.report);
        td_output_flush(&r->set.report.out);
    }
    code = cli_jobs_run(r->input.name, r->input.n, (unsigned)r->jobs, job, r, &r->set.report.out, &whole);
    closed = close_output(r, whole);
    return code ? code : closed;
}

/* Standard input can only be read once. */
static int check(const struct replay *r)
{
    unsigned n = 0;

    for (size_t i = 0; i < r->input.n; i++)
        n += !strcmp(r->input.name[i], "-");
    if (r->set.report.archive && r->set.report.format && r->set.report.format != td_report_format_find("csv"))
        return cli_usage("--archive is csv, and --format %s is given: leave one of them out",
                         r->set.report.format->name);
    if (n > 1)
        return cli_usage("- is given %u times, but stdin can be read only once", n);
    return is_page(r) && r->input.n > 1
               ? cli_usage("--format %s is of one recording, and %zu are given: name one, or use csv or json",
                           r->set.report.format->name, r->input.n)
               : 0;
}

int cli_replay_main(int argc, char **argv)
{
    struct replay r = {.jobs = 1};
    int code = cli_options_begin(&r.set);

    if (code)
        return code;
    code = cli_input_options(&cli_replay_command, &r, argc, argv, INT_MAX, &r.input);
    if (r.set.report.archive && !r.set.report.format)
        r.set.report.format = td_report_format_find("csv");
    r.summary = r.summary || r.summary_only || is_page(&r);
    r.drill.recorded = r.set.report.branch = r.drill.on;
    td_set_intervals(r.set.td, !r.summary_only);
    r.drill.level = r.set.level;
    td_set_each_cpu(r.set.td, !r.drill.on);
    if (code < 0 && r.drill.on)
        cli_drill_ask(&r.drill, r.set.td);
    if (code < 0) {
        code = check(&r);
        code = code ? code : is_among(&r) ? run_all(&r) : run_one(&r);
    }
    cli_drill_free(&r.drill);
    cli_recordings_free(&r.input);
    td_free(r.set.td);
    return code;
}
