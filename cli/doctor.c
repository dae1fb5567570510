/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: whether this machine can be measured, and what to do if not. */
#include "cli/cli.h"
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

static const char help[] =
    "usage: tdprobe doctor [--json] [--uarch NAME|ID] [--backend=NAME] [--no-fixed] [--machine FILE]\n"
    "\n"
    "Looks at everything that measuring depends on (CPU, PMU, kernel, permissions),\n"
    "counts a known loop for about a tenth of a second, and reports what prevents\n"
    "measuring and the least privileged remedy.\n"
    "\n"
    "Exit codes: 0 tdprobe can measure here; 69 this machine cannot count top-down\n"
    "events, or its counters lie; 77 it is not permitted; 64 wrong usage; 65 bad machine\n"
    "file; 74 the output could not be written.\n";

enum { OPT_JSON = CLI_OTHER, OPT_MACHINE };

static const struct option options[] = {
    {"json", no_argument, NULL, 'j'},
    {"machine", required_argument, NULL, OPT_MACHINE},
    {"uarch", required_argument, NULL, CLI_UARCH},
    {"backend", required_argument, NULL, CLI_BACKEND},
    {"no-fixed", no_argument, NULL, CLI_NO_FIXED},
    {"help", no_argument, NULL, 'h'},
    {0},
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
    int option, code = 0;

    opterr = 0;
    while (!code && (option = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_options_wrong("doctor", option, argv, options);
        if (option == 'j')
            cli_options_json(s);
        else
            code = option == OPT_MACHINE ? cli_options_machine(s, optarg) : cli_options_take(s, option, optarg);
    }
    if (!code && optind < argc)
        return cli_usage("doctor takes no arguments such as '%s'", argv[optind]);
    return code ? code : -1;
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

        snprintf(text, sizeof(text), "%s%s%s", err == -EILSEQ ? "the counters count, but they lie: do not trust them" : "tdprobe cannot measure here",
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
