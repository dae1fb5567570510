/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: can this machine be measured, and what to do if not. */
#include "cli/bundle/bundle.h"
#include "cli/cli.h"
#include "cli/features.h"
#include "cli/sandbox/sandbox.h"
#include "cli/table/parse.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

struct doctor {
    struct cli_options set;
    bool features;
    const char *bundle_path;
};

static const struct cli_option options[] = {
    CLI_BUNDLE(struct doctor, bundle_path),
    CLI_JSON(cli_take_format),
    CLI_UARCH(.common = true, .help = "the CPU, instead of the detected one"),
    CLI_BACKEND(.common = true, .help = "only by this backend"),
    CLI_NO_FIXED(.common = true),
    CLI_MACHINE(.kind = CLI_TAKEN, .take = cli_take_machine, .common = true,
                .help = "a simulated machine, tdprobe-machine(5)"),
    {"features", CLI_SETS(struct doctor, features), .common = true,
     .help = "report instead which features of tdprobe work on this CPU, or on --uarch, and why others do not",
     .more = "(as tried on simulated machines)"},
    CLI_HELP_ROWS,
};

static const struct cli_rule rules[] = {
    {"--features", .with = "--backend --no-fixed --bundle"},
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
    .rule = rules,
    .rules = CLI_COUNT(rules),
};

/* Where findings go. */
struct diagnosed {
    struct td_report *shown, *kept; /* kept: of the bundle, or NULL */
};

static void take_finding(void *findings, const struct td_finding *f)
{
    const struct diagnosed *to = findings;

    td_report_finding(to->shown, f);
    if (to->kept)
        td_report_finding(to->kept, f);
    if (to->shown->out.terminal)
        td_output_flush(&to->shown->out);
}

/* Of this machine, not of a simulated one. */
static void find_sandbox(const struct cli_options *s, struct diagnosed *to)
{
    char text[CLI_SANDBOX_TEXT];
    const struct td_finding f = cli_sandbox_finding(text);

    if (!cli_given(&cli_doctor_command, s, "--machine"))
        take_finding(to, &f);
}

static int parse_options(struct cli_options *s, int argc, char **argv)
{
    int code = cli_parse(&cli_doctor_command, s, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc)
        return cli_usage("doctor takes no arguments such as '%s'", argv[optind]);
    code = cli_check(&cli_doctor_command, s, false);
    return code ? code : -1;
}

/* The last line is the answer. Returns the exit code. */
static int diagnose(struct cli_options *s, struct diagnosed *to)
{
    char text[2048] = "tdprobe can measure here";
    const int err = td_doctor(s->td, take_finding, to), code = cli_exit_code(err);

    find_sandbox(s, to);
    if (err) {
        const char *why = td_error(s->td);

        snprintf(text, sizeof(text), "%s%s%s",
                 err == -EILSEQ ? "the counters count, but they lie: do not trust them" : "tdprobe cannot measure here",
                 *why ? ": " : "", why);
    }
    td_report_diagnosis(to->shown, code, text);
    if (to->kept)
        td_report_diagnosis(to->kept, code, text);
    return code;
}

/* The same with a bundle, which is written after all else. */
static int diagnose_into(struct cli_options *s, const char *path)
{
    const bool json = cli_given(&cli_doctor_command, s, "-j");
    struct cli_bundle bundle = {.n = 0};
    struct td_report kept;
    int code = cli_bundle_machine(&bundle, s->td), written;

    code = code ? code : cli_bundle_report(&bundle, "doctor.json", "findings", &kept);
    if (!code) {
        code = diagnose(s, &(struct diagnosed){.shown = &s->report, .kept = &kept});
        td_report_end(&s->report, NULL);
        td_report_end(&kept, NULL);
        td_output_close(&kept.out, true);
        written = cli_bundle_write(&bundle, path, &s->report.out, json);
        code = written ? written : code;
    }
    cli_bundle_free(&bundle);
    return code;
}

static int run(struct cli_options *s, const char *bundle)
{
    int code = cli_stdout(&s->report.out);

    if (code)
        return code;
    if (bundle) {
        code = diagnose_into(s, bundle);
    } else {
        code = diagnose(s, &(struct diagnosed){.shown = &s->report});
        td_report_end(&s->report, NULL);
    }
    return cli_stdout_end(&s->report.out) ? EXIT_OUTPUT : code;
}

int cli_doctor_main(int argc, char **argv)
{
    struct doctor a = {.features = false};
    int code = cli_options_begin(&a.set);

    if (code)
        return code;
    code = parse_options(&a.set, argc, argv);
    if (code < 0 && a.features)
        code = cli_features_report(&a.set, cli_given(&cli_doctor_command, &a.set, "--uarch"));
    else if (code < 0)
        code = run(&a.set, a.bundle_path);
    td_free(a.set.td);
    return code;
}
