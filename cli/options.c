/* SPDX-License-Identifier: MIT */
/* The options that replaying and measuring share. */
#include "cli/options.h"

#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/metric_names.h"
#include "cli/nearest.h"
#include "cli/numbers.h"
#include "cli/strict.h"
#include "private/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note(void *ctx, const char *text)
{
    (void)ctx;
    cli_say("%s", text);
}

/* ~/.debug, perf's default (perf-buildid-cache(1)). */
static int set_cache(struct td *td)
{
    const char *home = getenv("HOME");
    char *folder = NULL;
    int err;

    if (!home || !*home)
        return 0;
    if (asprintf(&folder, "%s/.debug", home) < 0)
        return -ENOMEM;
    err = td_set_symbol_cache(td, folder);
    free(folder);
    return err;
}

int cli_options_begin(struct cli_options *s)
{
    s->td = td_new();
    if (!s->td)
        return cli_no_memory();
    td_set_note(s->td, note, NULL);
    if (td_set_symbols(s->td, "") || set_cache(s->td)) {
        cli_say("%s", td_error(s->td));
        return EXIT_BUG;
    }
    return 0;
}

int cli_options_pick(const char *what, const char *text, const char *(*name)(size_t i))
{
    struct cli_nearest near = cli_nearest(text);
    char names[256] = "";

    for (size_t i = 0, used = 0; name(i) && used < sizeof(names); i++) {
        if (!strcmp(name(i), text))
            return (int)i;
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", !i ? "" : name(i + 1) ? ", " : " or ", name(i));
        cli_nearest_try(&near, name(i));
    }
    cli_usage("%s is %s, not '%s'%s%s", what, names, text, near.best ? "; the nearest is " : "", near.best ? near.best : "");
    return -1;
}

static const char *format_name(size_t i)
{
    const struct td_report_format *f = td_report_format_at(i);

    return f ? f->name : NULL;
}

static int set_format(struct cli_options *s, const char *name)
{
    const int at = cli_options_pick("the format", name, format_name);

    s->report.format = at < 0 ? NULL : td_report_format_at((size_t)at);
    return at < 0 ? EXIT_USAGE : 0;
}

/* Prints td_error(), and the known name most similar to the one the library did not know. */
static int unknown(const struct cli_options *s, int err, const char *near)
{
    if (err != -EINVAL || !near)
        return cli_library_error(s->td, err);
    cli_say("%s; the nearest is %s", td_error(s->td), near);
    return EXIT_USAGE;
}

/* The same for the first of the names after -M that is not known. */
static int unknown_metric(const struct cli_options *s, int err, const char *names)
{
    char name[64];

    for (size_t len; *(names += strspn(names, ", ")); names += len) {
        len = strcspn(names, ", ");
        if (len < sizeof(name) && td_set_metrics(s->td, memcpy(memset(name, 0, sizeof(name)), names, len)))
            return unknown(s, err, cli_metric_near_listed(name));
    }
    return cli_library_error(s->td, err);
}

static int set_level(struct cli_options *s, const char *text)
{
    const int level = text[0] >= '0' + TD_LEVEL_TOP && text[0] <= '0' + TD_LEVELS && !text[1] ? text[0] - '0' : 0;

    s->level = level;
    return td_set_level(s->td, level) ? cli_usage("the level is %d to %d, not '%s'", TD_LEVEL_TOP, TD_LEVELS, text) : 0;
}

static int set_times(struct cli_options *s, const char *text)
{
    uint64_t after, until;

    if (!cli_times(text, &after, &until))
        return cli_usage("--time: '%s' is no pair of times in seconds such as 1.5,20 or 1.5,", text);
    return td_set_times(s->td, after, until) ? cli_usage("--time: %s", td_error(s->td)) : 0;
}

static const char *smt_state(size_t i)
{
    static const char *const states[] = {"on", "off", NULL};

    return states[i];
}

static int set_smt(struct cli_options *s, const char *state)
{
    if (cli_options_pick("--smt", state, smt_state) < 0)
        return EXIT_USAGE;
    return td_set_smt(s->td, state) ? EXIT_BUG : 0;
}

static const char *by_name(size_t i)
{
    return td_samples_by_name((enum td_samples_by)i);
}

static int set_by(struct cli_options *s, const char *name)
{
    const int by = cli_options_pick("--by", name, by_name);

    if (by < 0)
        return EXIT_USAGE;
    return td_set_samples_by(s->td, (enum td_samples_by)by) ? EXIT_BUG : 0;
}

/* urls: NULL: those of the environment. */
static int set_debuginfod(struct td *td, const char *urls)
{
    const char *named = urls ? urls : getenv("DEBUGINFOD_URLS");

    if (!named || !*named)
        return cli_usage("--debuginfod: no server is named: write --debuginfod=URL, or set the variable DEBUGINFOD_URLS");
    if (urls && setenv("DEBUGINFOD_URLS", urls, 1))
        return cli_no_memory();
    return td_set_debuginfod(td, true) ? EXIT_BUG : 0;
}

int cli_options_take(struct cli_options *s, int option, const char *value)
{
    int err;

    switch (option) {
    case CLI_UARCH:
        err = td_set_uarch(s->td, value);
        return err ? unknown(s, err, cli_hint_uarch(value)) : 0;
    case CLI_BACKEND:
        err = td_set_backend(s->td, value);
        return err ? unknown(s, err, cli_hint_backend(value)) : 0;
    case CLI_IMPORT_FORMAT:
        err = td_set_format(s->td, value);
        return err ? unknown(s, err, cli_hint_format(value)) : 0;
    case CLI_SMT:
        return set_smt(s, value);
    case CLI_TIME:
        return set_times(s, value);
    case CLI_NO_FIXED:
        td_set_fixed(s->td, false);
        s->report.no_fixed = true;
        break;
    case CLI_LEVEL:
        return set_level(s, value);
    case CLI_ALL:
        s->report.all = true;
        break;
    case CLI_METRICS:
        s->report.named = value;
        err = td_set_metrics(s->td, value);
        return err ? unknown_metric(s, err, value) : 0;
    case CLI_FORMAT:
        return set_format(s, value);
    case CLI_COUNTS:
        s->report.counts = true;
        break;
    case CLI_STRICT:
        s->strict = true;
        break;
    case CLI_MIN_COVERAGE:
        return cli_strict_coverage(s, value);
    case CLI_BY:
        return set_by(s, value);
    case CLI_SYMFS:
        return td_set_symbols(s->td, value) ? EXIT_BUG : 0;
    case CLI_BUILDID_DIR:
        return td_set_symbol_cache(s->td, value) ? EXIT_BUG : 0;
    case CLI_DEBUGINFOD:
        return set_debuginfod(s->td, value);
    case 'o':
        s->output = value;
        return *value ? 0 : cli_usage("-o: the name of the file is empty");
    default: /* getopt_long() returns no other */
        return EXIT_BUG;
    }
    return 0;
}

int cli_options_cpus(const char *text, const int **cpus, size_t *n)
{
    int *list = NULL;
    const int err = td_cpus_parse(text, &list, n);

    free((int *)(uintptr_t)*cpus);
    *cpus = list;
    if (err == -ENOMEM)
        return cli_no_memory();
    return err ? cli_usage("-C: '%s' is not a list of CPUs from 0 to %d such as 0-3,7", text, TD_CPUS_MAX - 1) : 0;
}

int cli_options_tasks(int letter, const char *text, const pid_t **tasks, size_t *n)
{
    static const long most = 1 << 22; /* PID_MAX_LIMIT */
    int *list = (int *)(uintptr_t)*tasks; /* pid_t is an int */

    if (!cli_list_numbers(text, most, &list, n))
        *n = 0;
    *tasks = list;
    for (size_t i = 0; i < *n; i++)
        if (!list[i])
            *n = 0;
    return *n ? 0 : cli_usage("-%c: '%s' is not a list of numbers from 1 to %ld such as 12,345", letter, text, most);
}

bool cli_options_by(int option, enum td_by *by)
{
    switch (option) {
    case 'A': *by = TD_BY_CPU; return true;
    case CLI_PER_CORE: *by = TD_BY_CORE; return true;
    case CLI_PER_SOCKET: *by = TD_BY_SOCKET; return true;
    case CLI_PER_NODE: *by = TD_BY_NODE; return true;
    case CLI_PER_THREAD: *by = TD_BY_THREAD; return true;
    default: return false;
    }
}

int cli_options_separator(struct cli_options *s, const char *text)
{
    if (!strcmp(text, "\\t")) /* as perf does */
        text = "\t";
    if (!*text || strpbrk(text, "\"\r\n"))
        return cli_usage("-x: the separator is one or more characters, but no quotes and no newlines");
    s->report.separator = text;
    return set_format(s, "csv");
}

void cli_options_json(struct cli_options *s)
{
    set_format(s, "json");
}

/* The options that "--text" may stand for, joined; false: at most one. */
static bool ambiguous(const char *text, const struct option *options, char *out, size_t size)
{
    size_t len = strcspn(text + 2, "="), used = 0, n = 0;

    for (; options->name; options++) {
        if (strncmp(options->name, text + 2, len))
            continue;
        if (!options->name[len])
            return false;
        if (used < size)
            used += (size_t)snprintf(out + used, size - used, "%s--%s", n ? ", " : "", options->name);
        n++;
    }
    return n > 1;
}

int cli_options_wrong(const char *command, int option, char **argv, const struct option *options)
{
    const char *reflex, *near;
    char names[512];
    char letter[] = {'-', (char)optopt, '\0'};
    const char *text = argv[optind - 1]; /* the previous word, if a letter is not the last in its word */
    bool long_name = !strncmp(text, "--", 2) && (option == ':' || !optopt || strchr(text, '='));

    if (!long_name && optopt > 0 && optopt < CLI_UARCH)
        text = letter;
    if (option == ':')
        return cli_usage("%s lacks its value", text);
    if (long_name && ambiguous(text, options, names, sizeof(names)))
        return cli_usage("%s may be %s", text, names);
    reflex = cli_hint_reflex(text);
    if (reflex)
        return cli_usage("%s has no option %s: %s", command, text, reflex);
    near = long_name ? cli_hint_option(text, options) : NULL;
    return cli_usage("%s has no option %s%s%s", command, text, near ? "; the nearest is --" : "", near ? near : "");
}

int cli_options_machine(struct cli_options *s, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), err;

    if (fd < 0) {
        cli_say("%s cannot be opened: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    err = td_set_machine(s->td, path, cli_read_fd, &fd);
    close(fd);
    return err ? cli_library_error(s->td, err) : 0;
}

int cli_options_word(int argc, char **argv, const char *help, const char *what, int (*print)(const char *word, const struct td_uarch *only))
{
    static const struct option options[] = {{"uarch", required_argument, NULL, CLI_UARCH}, {"help", no_argument, NULL, 'h'}, {0}};
    const struct td_uarch *only = NULL;
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        if (option == 'h')
            return cli_help(help);
        if (option != CLI_UARCH)
            return cli_options_wrong(argv[0], option, argv, options);
        only = td_uarch_by_name(optarg);
        if (!only)
            return cli_hint_unknown_uarch(optarg);
    }
    if (argc - optind > 1)
        return cli_usage("%s takes one %s, not '%s' too", argv[0], what, argv[optind + 1]);
    return print(argv[optind], only);
}
