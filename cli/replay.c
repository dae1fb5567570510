/* SPDX-License-Identifier: MIT */
/* tdprobe replay: recorded counters to top-down metrics. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char cli_replay_help[] =
    "usage: tdprobe replay [options] FILE|-\n"
    "\n"
    "Reads a recording and prints the top-down metrics of each interval on stdout.\n"
    "FILE is the CSV of 'perf stat -x SEP [-I ms]' or a tdprobe trace; - is stdin.\n"
    "\n"
    "  --uarch NAME|ID    the CPU: spr, adl, neoverse-n2, ... ('tdprobe list uarchs'),\n"
    "                     GenuineIntel-6-55-7, or a MIDR such as 0x410fd493. A trace\n"
    "                     names its own. Without it, all CPUs that fit the events are\n"
    "                     tried, and it is an error if their answers differ\n"
    "  --backend=NAME     only CPUs of this backend; auto (the default): any\n"
    "  --no-fixed         not from the PERF_METRICS register, but from ordinary events\n"
    "  --level 1|2        how deep to go (2)\n"
    "  --format NAME      text (the default), csv or json\n"
    "  --counts           the events' counts as well\n"
    "  --summary          the sum of all intervals as one more result\n"
    "  --summary-only     nothing but that\n"
    "  -o FILE            to FILE, which appears only when it is whole\n"
    "  -h, --help         this text\n";

struct replay {
    struct td *td;
    const struct cli_format *format;
    const char *output, *input;
    bool summary, summary_only;
    bool at_once; /* the input may still be growing: show each interval when it ends */
    struct cli_out out;
};

enum { OPT_UARCH = 256, OPT_BACKEND, OPT_NO_FIXED, OPT_LEVEL, OPT_FORMAT, OPT_COUNTS, OPT_SUMMARY, OPT_SUMMARY_ONLY };

static const struct option options[] = {
    {"uarch", required_argument, NULL, OPT_UARCH},
    {"backend", required_argument, NULL, OPT_BACKEND},
    {"no-fixed", no_argument, NULL, OPT_NO_FIXED},
    {"level", required_argument, NULL, OPT_LEVEL},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"counts", no_argument, NULL, OPT_COUNTS},
    {"summary", no_argument, NULL, OPT_SUMMARY},
    {"summary-only", no_argument, NULL, OPT_SUMMARY_ONLY},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int library_error(const struct td *td, int err)
{
    cli_say("%s", td_error(td));
    return cli_exit_code(err);
}

static int set_format(struct replay *r, const char *name)
{
    static const struct cli_format *const formats[] = {&cli_format_text, &cli_format_csv, &cli_format_json};

    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        if (!strcmp(formats[i]->name, name)) {
            r->format = formats[i];
            return 0;
        }
    return cli_usage("the format is text, csv or json, not '%s'", name);
}

static int set_level(struct replay *r, const char *text)
{
    int err = td_set_level(r->td, !strcmp(text, "1") ? 1 : !strcmp(text, "2") ? 2 : 0);

    return err ? cli_usage("the level is 1 or 2, not '%s'", text) : 0;
}

static int take_option(struct replay *r, int option)
{
    int err = 0;

    switch (option) {
    case OPT_UARCH:
        err = td_set_uarch(r->td, optarg);
        break;
    case OPT_BACKEND:
        err = td_set_backend(r->td, optarg);
        break;
    case OPT_NO_FIXED:
        td_set_fixed(r->td, false);
        break;
    case OPT_LEVEL:
        return set_level(r, optarg);
    case OPT_FORMAT:
        return set_format(r, optarg);
    case OPT_COUNTS:
        r->out.counts = true;
        break;
    case OPT_SUMMARY:
        r->summary = true;
        break;
    case OPT_SUMMARY_ONLY:
        r->summary = r->summary_only = true;
        break;
    case 'o':
        r->output = optarg;
        break;
    default: /* getopt_long() gives no other */
        return EXIT_BUG;
    }
    return err ? library_error(r->td, err) : 0;
}

/* -1: go on; else the exit code. */
static int parse_options(struct replay *r, int argc, char **argv)
{
    int option, code;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(cli_replay_help, stdout);
            return fflush(stdout) ? EXIT_OUTPUT : 0;
        }
        if (option == '?' || option == ':')
            return cli_usage(option == ':' ? "%s lacks its value" : "replay has no option %s", argv[optind - 1]);
        code = take_option(r, option);
        if (code)
            return code;
    }
    if (optind + 1 != argc)
        return cli_usage(optind == argc ? "no file to replay" : "replay takes one file, not '%s' too", argv[optind < argc ? optind + 1 : 0]);
    r->input = argv[optind];
    td_set_intervals(r->td, !r->summary_only);
    return -1;
}

static ssize_t read_fd(void *ctx, void *buf, size_t size)
{
    ssize_t n;

    do {
        n = read(*(int *)ctx, buf, size);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

static void note(void *ctx, const char *text)
{
    (void)ctx;
    cli_say("%s", text);
}

static int print_intervals(struct replay *r)
{
    const struct td_result *result;
    int err;

    while (!(err = td_next(r->td, &result)) && !ferror(r->out.file)) {
        r->format->result(&r->out, result);
        if (r->at_once)
            fflush(r->out.file);
    }
    if (!err || err == -ENODATA)
        return 0; /* a failed write is said when the output is closed */
    fflush(r->out.file);
    return library_error(r->td, err);
}

static int print_summary(struct replay *r)
{
    const struct td_result *result;
    int err = 0;

    for (size_t i = 0; !err; i++) {
        err = td_summary(r->td, i, &result);
        if (!err)
            r->format->result(&r->out, result);
    }
    return err == -ENODATA ? 0 : library_error(r->td, err);
}

static int run(struct replay *r, int fd)
{
    const char *name = fd == STDIN_FILENO ? "stdin" : r->input;
    int err = td_open(r->td, name, read_fd, &fd), code, closed;

    if (err)
        return library_error(r->td, err);
    code = cli_out_open(&r->out, r->output);
    if (code)
        return code;
    r->format->begin(&r->out);
    code = print_intervals(r);
    if (!code && r->summary)
        code = print_summary(r);
    closed = cli_out_close(&r->out, !code);
    return code ? code : closed;
}

static int open_and_run(struct replay *r)
{
    struct stat st;
    int fd = STDIN_FILENO, code;

    if (strcmp(r->input, "-"))
        fd = open(r->input, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        cli_say("%s cannot be opened: %s", r->input, strerror(errno));
        return cli_exit_code(-errno);
    }
    r->at_once = fstat(fd, &st) || !S_ISREG(st.st_mode);
    code = run(r, fd);
    if (fd != STDIN_FILENO)
        close(fd);
    return code;
}

int cli_replay(int argc, char **argv)
{
    struct replay r = {.td = td_new(), .format = &cli_format_text};
    int code;

    if (!r.td) {
        cli_say("out of memory");
        return EXIT_BUG;
    }
    td_set_note(r.td, note, NULL);
    code = parse_options(&r, argc, argv);
    if (code < 0)
        code = open_and_run(&r);
    td_free(r.td);
    return code;
}
