/* SPDX-License-Identifier: MIT */
/* tdprobe convert: converts a recording of any format to a tdprobe trace. */
#include "cli/cli.h"
#include "cli/input.h"

#include <errno.h>
#include <getopt.h>

static const char help[] =
    "usage: tdprobe convert [options] FILE|FOLDER|- [-o FILE]\n"
    "\n"
    "Writes a recording as a tdprobe trace, which 'tdprobe replay' answers as it answers\n"
    "the recording. FILE is anything that replay reads; - is stdin.\n"
    "\n"
    "  --uarch NAME|ID    the CPU: spr, adl, neoverse-n2, ... ('tdprobe list uarchs'),\n"
    "                     GenuineIntel-6-55-7, or a MIDR such as 0x410fd493. Without it,\n"
    "                     the one that the recording names, or the first that fits\n"
    "  --smt on|off       whether its cores had two threads online, for the trace to say it\n"
    "  --import-format NAME   the recording's format ('tdprobe list formats'), instead of\n"
    "                     the one that its content shows\n"
    "  -o FILE            to FILE, which appears only when it is whole; else to stdout\n"
    "  -h, --help         this text\n";

static const struct option options[] = {
    {"uarch", required_argument, NULL, CLI_UARCH}, CLI_OPTIONS_RECORDING, {"import-format", required_argument, NULL, CLI_IMPORT_FORMAT}, {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'}, {0},
};

static int take_option(void *settings, int option, const char *value)
{
    return cli_options_take(settings, option, value);
}

static int write_out(void *ctx, const void *buf, size_t size)
{
    struct td_output *o = ctx;

    td_output_bytes(o, buf, size);
    return o->error;
}

static int read_all(struct cli_options *s)
{
    const struct td_result *ignored;
    int err = td_next(s->td, &ignored);

    /* closing the output reports a failed write */
    return err == -ENODATA || s->report.out.error ? 0 : cli_library_error(s->td, err);
}

static int run(struct cli_options *s, struct cli_input *in)
{
    struct td_output *o = &s->report.out;
    int err, code, closed;

    td_set_intervals(s->td, false);
    err = td_convert(s->td, write_out, o);
    if (!err)
        err = cli_input_begin(in, s->td);
    if (err)
        return cli_library_error(s->td, err);
    code = cli_output_error(o, td_output_open(o, s->output));
    if (code)
        return code;
    cli_input_watch(in, o, true);
    code = read_all(s);
    closed = cli_output_error(o, td_output_close(o, !code));
    return code ? code : closed;
}

static int open_and_run(struct cli_options *s, const char *path)
{
    struct cli_input in;
    int code = cli_input_open(s, path, "convert", &in);

    if (code)
        return code;
    code = run(s, &in);
    cli_input_close(&in);
    return code;
}

int cli_convert_main(int argc, char **argv)
{
    struct cli_options s = {0};
    int code = cli_options_begin(&s);

    if (code)
        return code;
    code = cli_input_options("convert", argc, argv, "", options, help, take_option, &s, 1);
    if (code < 0) {
        size_t n;

        code = open_and_run(&s, *cli_input_list(argc, argv, &n));
    }
    td_free(s.td);
    return code;
}
