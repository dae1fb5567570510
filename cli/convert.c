/* SPDX-License-Identifier: MIT */
/* tdprobe convert: a recording of any format to a tdprobe trace. */
#include "input.h"

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
    "  --import-format NAME   the recording's format ('tdprobe list formats'), not found by\n"
    "                     its content\n"
    "  -o FILE            to FILE, which appears only when it is whole; else to stdout\n"
    "  -h, --help         this text\n";

struct convert {
    struct cli_settings set;
    struct cli_out out;
    const char *input, *output;
};

enum { OPT_FORMAT = CLI_OTHER };

static const struct option options[] = {
    {"uarch", required_argument, NULL, CLI_UARCH}, {"import-format", required_argument, NULL, OPT_FORMAT}, {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0},
};

static int take_option(struct convert *c, int option)
{
    if (option == CLI_UARCH) {
        int err = td_set_uarch(c->set.td, optarg);

        return err ? cli_library_error(c->set.td, err) : 0;
    }
    if (option == OPT_FORMAT) {
        int err = td_set_format(c->set.td, optarg);

        return err ? cli_library_error(c->set.td, err) : 0;
    }
    c->output = optarg;
    return *optarg ? 0 : cli_usage("-o: the name of the file is empty");
}

/* -1: go on; else the exit code. */
static int parse_options(struct convert *c, int argc, char **argv)
{
    int option, code;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_settings_wrong("convert", option, argv, options);
        code = take_option(c, option);
        if (code)
            return code;
    }
    if (optind + 1 != argc)
        return cli_usage(optind == argc ? "no file to convert" : "convert takes one file, not '%s' too", argv[optind < argc ? optind + 1 : 0]);
    c->input = argv[optind];
    return -1;
}

static int write_out(void *ctx, const void *buf, size_t size)
{
    struct cli_out *o = ctx;

    return fwrite(buf, 1, size, o->file) == size ? 0 : -EIO;
}

static int read_all(struct convert *c)
{
    const struct td_result *ignored;
    int err = td_next(c->set.td, &ignored);

    /* a failed write is said when the output is closed */
    return err == -ENODATA || ferror(c->out.file) ? 0 : cli_library_error(c->set.td, err);
}

static int run(struct convert *c, struct cli_input *in)
{
    int err, code, closed;

    td_set_intervals(c->set.td, false);
    err = td_convert(c->set.td, write_out, &c->out);
    if (!err)
        err = td_open(c->set.td, in->name, cli_input_read, in);
    if (err)
        return cli_library_error(c->set.td, err);
    code = cli_out_open(&c->out, c->output);
    if (code)
        return code;
    cli_input_watch(in, &c->out, true);
    code = read_all(c);
    closed = cli_out_close(&c->out, !code);
    return code ? code : closed;
}

static int open_and_run(struct convert *c)
{
    struct cli_input in;
    int code = cli_input_open(&c->set, c->input, &in);

    if (code)
        return code;
    code = run(c, &in);
    cli_input_close(&in);
    return code;
}

int cli_convert(int argc, char **argv)
{
    struct convert c = {0};
    int code = cli_settings_begin(&c.set);

    if (code)
        return code;
    code = parse_options(&c, argc, argv);
    if (code < 0)
        code = open_and_run(&c);
    td_free(c.set.td);
    return code;
}
