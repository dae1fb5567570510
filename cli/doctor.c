/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: whether this machine can be measured, and what to do if not. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>

static const char help[] =
    "usage: tdprobe doctor [--json] [--uarch NAME|ID] [--backend=NAME] [--no-fixed] [--machine FILE]\n"
    "\n"
    "Looks at everything that measuring depends on (CPU, PMU, kernel, permissions),\n"
    "counts a known loop for about a tenth of a second, and says what is in the way\n"
    "and the least privileged thing to do about it.\n"
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

struct doctor {
    struct cli_settings set;
    bool json;
};

/* Parts of the texts come from the machine's own files. */
static void print_line(const char *mark, const char *layer, const char *arrow, const char *text)
{
    char buf[2048];

    snprintf(buf, sizeof(buf), "%s%s", arrow, text);
    printf("%-8s  %-12s  %s\n", mark, layer, cli_printable(buf));
}

static void print_finding(void *ctx, const struct td_finding *f)
{
    static const char *const marks[] = {[TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "OBSTACLE"};
    const struct doctor *d = ctx;

    if (d->json) {
        cli_json_finding(stdout, f);
        return;
    }
    print_line(marks[f->kind], f->layer, "", f->text);
    if (f->remedy)
        print_line("", "", "  -> ", f->remedy);
}

static int parse_options(struct doctor *d, int argc, char **argv)
{
    int option, code = 0;

    opterr = 0;
    while (!code && (option = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option == '?' || option == ':')
            return cli_settings_wrong("doctor", option, argv, options);
        if (option == 'j')
            d->json = true;
        else
            code = option == OPT_MACHINE ? cli_settings_machine(&d->set, optarg) : cli_settings_take(&d->set, option, optarg);
    }
    if (!code && optind < argc)
        return cli_usage("doctor takes no word such as '%s'", argv[optind]);
    return code ? code : -1;
}

/* The last line: the answer. */
static int diagnose(struct doctor *d)
{
    int err = td_doctor(d->set.td, print_finding, d), code = cli_exit_code(err);
    const char *error = td_error(d->set.td);
    char text[2048];

    if (!err)
        snprintf(text, sizeof(text), "tdprobe can measure here");
    else
        snprintf(text, sizeof(text), "%s%s%s", err == -EILSEQ ? "the counters count, but they lie: do not trust them" : "tdprobe cannot measure here",
                 *error ? ": " : "", error);
    if (d->json)
        cli_json_diagnosis(stdout, code, text);
    else
        printf("%s\n", cli_printable(text));
    return cli_flush() ? EXIT_OUTPUT : code;
}

int cli_doctor(int argc, char **argv)
{
    struct doctor d = {0};
    int code = cli_settings_begin(&d.set);

    if (code)
        return code;
    code = parse_options(&d, argc, argv);
    if (code < 0)
        code = diagnose(&d);
    td_free(d.set.td);
    return code;
}
