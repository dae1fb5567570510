/* SPDX-License-Identifier: MIT */
/* tdprobe replay: recorded counters to top-down metrics. */
#include "input.h"

#include <errno.h>
#include <getopt.h>

static const char help[] =
    "usage: tdprobe replay [options] FILE|FOLDER|-\n"
    "\n"
    "Reads a recording and prints the top-down metrics of each interval on stdout.\n"
    "FILE is what perf stat wrote (text, -x, -j, perf.data of 'perf stat record'), the\n"
    "events CSV of Arm's topdown-tool, or a tdprobe trace; - is stdin. FOLDER is what\n"
    "PerfSpect keeps with --raw.\n"
    "\n"
    "  --uarch NAME|ID    the CPU: spr, adl, neoverse-n2, ... ('tdprobe list uarchs'),\n"
    "                     GenuineIntel-6-55-7, or a MIDR such as 0x410fd493. A trace\n"
    "                     names its own. Without it, all CPUs that fit the events are\n"
    "                     tried, and it is an error if their answers differ\n"
    "  --import-format NAME  the format, where it is not found by itself: auto (the\n"
    "                     default), tdprobe-trace, perf-data, perf-json, perf-text,\n"
    "                     perf-csv or arm-events ('tdprobe list formats')\n"
    "  --backend=NAME     only CPUs of this backend; auto (the default): any\n"
    "  --no-fixed         not from the PERF_METRICS register, but from ordinary events\n"
    "  --level 1|2        how deep to go (as deep as a trace says, else 2)\n"
    "  --format NAME      text (the default), csv or json\n"
    "  --counts           the events' counts as well\n"
    "  --summary          the sum of all intervals as one more result\n"
    "  --summary-only     nothing but that\n"
    "  -o FILE            to FILE, which appears only when it is whole\n"
    "  -h, --help         this text\n";

struct replay {
    struct cli_settings set;
    const char *input;
    bool summary, summary_only;
    bool at_once; /* the input may still be growing: show each interval when it ends */
};

enum { OPT_SUMMARY = CLI_OTHER, OPT_SUMMARY_ONLY };

static const struct option options[] = {
    CLI_SETTINGS_OPTIONS,
    {"summary", no_argument, NULL, OPT_SUMMARY},
    {"summary-only", no_argument, NULL, OPT_SUMMARY_ONLY},
    {"import-format", required_argument, NULL, CLI_IMPORT_FORMAT},
    {0},
};

static int take_option(void *ctx, int option, const char *value)
{
    struct replay *r = ctx;

    if (option != OPT_SUMMARY && option != OPT_SUMMARY_ONLY)
        return cli_settings_take(&r->set, option, value);
    r->summary = true;
    r->summary_only = r->summary_only || option == OPT_SUMMARY_ONLY;
    return 0;
}

static int print_intervals(struct replay *r)
{
    struct cli_settings *s = &r->set;
    const struct td_result *result;
    int err;

    while (!(err = td_next(s->td, &result)) && !ferror(s->out.file)) {
        s->format->result(&s->out, result);
        if (r->at_once)
            fflush(s->out.file);
    }
    if (!err || err == -ENODATA)
        return 0; /* a failed write is said when the output is closed */
    fflush(s->out.file);
    return cli_library_error(s->td, err);
}

static int print_summary(struct cli_settings *s)
{
    const struct td_result *result;
    int err = 0;

    for (size_t i = 0; !err; i++) {
        err = td_summary(s->td, i, &result);
        if (!err)
            s->format->result(&s->out, result);
    }
    return err == -ENODATA ? 0 : cli_library_error(s->td, err);
}

static int run(struct replay *r, struct cli_input *in)
{
    struct cli_settings *s = &r->set;
    int err = td_open(s->td, in->name, cli_input_read, in), code, closed;

    if (err)
        return cli_library_error(s->td, err);
    code = cli_out_open(&s->out, s->output);
    if (code)
        return code;
    cli_input_watch(in, &s->out, !r->summary_only);
    s->format->begin(&s->out);
    code = print_intervals(r);
    if (!code && r->summary)
        code = print_summary(s);
    closed = cli_out_close(&s->out, !code);
    return code ? code : closed;
}

static int open_and_run(struct replay *r)
{
    struct cli_input in;
    int code = cli_input_open(&r->set, r->input, &in);

    if (code)
        return code;
    r->at_once = in.grows;
    code = run(r, &in);
    cli_input_close(&in);
    return code;
}

int cli_replay(int argc, char **argv)
{
    struct replay r = {0};
    int code = cli_settings_begin(&r.set);

    if (code)
        return code;
    code = cli_input_options("replay", argc, argv, options, help, take_option, &r, &r.input);
    td_set_intervals(r.set.td, !r.summary_only);
    if (code < 0)
        code = open_and_run(&r);
    td_free(r.set.td);
    return code;
}
