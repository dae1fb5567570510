/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: can this machine be measured, and what to do if not. */
#include "cli/cli.h"
#include "cli/table/parse.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

static const struct cli_option options[] = {
    CLI_JSON(cli_take_format),
    CLI_UARCH(.common = true, .help = "the CPU, instead of the detected one"),
    CLI_BACKEND(.common = true, .help = "only by this backend"),
    CLI_NO_FIXED(.common = true),
    CLI_MACHINE(.kind = CLI_TAKEN, .take = cli_take_machine, .common = true,
                .help = "a simulated machine, tdprobe-machine(5)"),
    CLI_HELP_ROWS,
};

const struct cli_subcommand cli_doctor_command = {
    .name = "doctor",
    .brief = "can this machine be measured, and what to do if not",
    .page = "tdprobe-doctor(1)",
    .usage = "doctor [options]",
    .about = "Looks at everything that measuring depends on (CPU, PMU, kernel, permissions),\n"
             "counts a known loop for about a tenth of a second, and reports what prevents\n"
             "measuring and the least privileged remedy.\n",
    .end = "Exit codes: 0 tdprobe can measure here; 69 this machine cannot count top-down\n"
           "events, or its counters lie; 77 it is not permitted; 64 wrong usage; 65 bad machine\n"
           "file; 74 the output could not be written.\n",
    .option = options,
    .options = CLI_COUNT(options),
};

static void print_finding(void *report, const struct td_finding *f)
{
    struct td_report *r = report;

    td_report_finding(r, f);
    if (r->out.terminal)
        td_output_flush(&r->out);
}

static int parse_options(struct cli_options *s, int argc, char **argv)
{
    const int code = cli_parse(&cli_doctor_command, s, argc, argv);

    return code < 0 && optind < argc ? cli_usage("doctor takes no arguments such as '%s'", argv[optind]) : code;
}

/* The last line is the answer. */
static int diagnose(struct cli_options *s)
{
    struct td_report *r = &s->report;
    char text[2048] = "tdprobe can measure here";
    int code = cli_stdout(&r->out), err;

    if (code)
        return code;
    err = td_doctor(s->td, print_finding, r);
    code = cli_exit_code(err);
    if (err) {
        const char *why = td_error(s->td);

        snprintf(text, sizeof(text), "%s%s%s",
                 err == -EILSEQ ? "the counters count, but they lie: do not trust them" : "tdprobe cannot measure here",
                 *why ? ": " : "", why);
    }
    td_report_diagnosis(r, code, text);
    td_report_end(r, NULL);
    return cli_stdout_end(&r->out) ? EXIT_OUTPUT : code;
}

int cli_doctor_main(int argc, char **argv)
{
    struct cli_options s = {0};
    int code = cli_options_begin(&s);

    if (code)
        return code;
    code = parse_options(&s, argc, argv);
    if (code < 0)
        code = diagnose(&s);
    td_free(s.td);
    return code;
}
