/* SPDX-License-Identifier: MIT */
/* tdprobe convert: converts a recording of any format to a tdprobe trace. */
#include "cli/cli.h"
#include "cli/input.h"

#include <errno.h>

static const struct cli_option options[] = {
    CLI_UARCH(.common = true, .help = "the CPU, where the recording does not name it",
              .more = "(spr, adl, neoverse-n2, ...: 'tdprobe list uarchs', GenuineIntel-6-55-7, or a MIDR "
                      "such as 0x410fd493; without it, the first that fits)"),
    CLI_SMT,
    CLI_IMPORT_FORMAT,
    {"label", .arg = "KEY=VALUE", .kind = CLI_TAKEN, .take = cli_take_label, .help = "call the trace so: build=4711",
     .more = "(any number of labels; they come before those that the recording has)"},
    CLI_OUTPUT(.help = "to FILE, not to stdout", .more = "(which appears only when it is whole)"),
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_convert_command = {
    .name = "convert",
    .brief = "recorded counters to a tdprobe trace",
    .page = "tdprobe-replay(1)",
    .usage = "convert [options] FILE|FOLDER|- [-o FILE]",
    .about = "Writes a recording as a tdprobe trace, which 'tdprobe replay' answers as it\n"
             "answers the recording. FILE is anything that replay reads; - is stdin.\n",
    .option = options,
    .options = CLI_COUNT(options),
    .offer = CLI_RECORDINGS,
    .confined = true,
};

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
    err = td_set_convert(s->td, td_output_write, o);
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
    struct cli_recordings input;
    int code = cli_options_begin(&s);

    if (code)
        return code;
    code = cli_input_options(&cli_convert_command, &s, argc, argv, 1, &input);
    if (code < 0)
        code = open_and_run(&s, *input.name);
    td_free(s.td);
    return code;
}
