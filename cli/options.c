/* SPDX-License-Identifier: MIT */
/* The options that subcommands share: what their values can be, and how each is taken. */
#include "cli/options.h"

#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/metric_names.h"
#include "cli/nearest.h"
#include "cli/numbers.h"
#include "private/plan.h"
#include "private/result.h"
#include "private/rights.h"

#include <errno.h>
#include <fcntl.h>
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
    const char *home = td_rights_environment("HOME");
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
    s->min_coverage = -1;
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
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
                                 !i            ? ""
                                 : name(i + 1) ? ", "
                                               : " or ",
                                 name(i));
        cli_nearest_try(&near, name(i));
    }
    cli_usage("%s is %s, not '%s'%s%s", what, names, text, near.best ? "; the nearest is " : "",
              near.best ? near.best : "");
    return -1;
}

/* ---- choices ------------------------------------------------------------------------ */

const char *cli_uarch_name(size_t i)
{
    const struct td_uarch *u = td_uarch_at(i);

    return u ? td_uarch_name(u) : NULL;
}

const char *cli_backend_name(size_t i)
{
    return i ? td_backend_name(i - 1) : "auto";
}

const char *cli_import_format_name(size_t i)
{
    return i ? td_format_name(i - 1) : "auto";
}

const char *cli_format_name(size_t i)
{
    const struct td_report_format *f = td_report_format_at(i);

    return f ? f->name : NULL;
}

const char *cli_stream_format_name(size_t i)
{
    const struct td_report_format *f;

    for (size_t k = 0; (f = td_report_format_at(k)); k++)
        if (!f->page && !i--)
            return f->name;
    return NULL;
}

const char *cli_phases_format_name(size_t i)
{
    const struct td_report_format *f;

    for (size_t k = 0; (f = td_report_format_at(k)); k++)
        if (!f->intervals && !i--)
            return f->name;
    return NULL;
}

const char *cli_smt_state(size_t i)
{
    static const char *const states[] = {"on", "off", NULL};

    return states[i];
}

const char *cli_by_name(size_t i)
{
    return td_samples_by_name((enum td_samples_by)i);
}

/* ---- values ------------------------------------------------------------------------- */

int cli_take_format(void *settings, const char *value)
{
    struct cli_options *s = settings;

    for (size_t i = 0; cli_format_name(i); i++)
        if (!strcmp(cli_format_name(i), value))
            s->report.format = td_report_format_at(i);
    return 0;
}

int cli_take_label(void *settings, const char *value)
{
    const struct cli_options *s = settings;

    return td_set_label(s->td, value) ? cli_usage("--label: %s", td_error(s->td)) : 0;
}

/* What is no node of a tree has no share. */
static int refuse_no_node(const char *name)
{
    const char *near = cli_metric_near_listed(name);
    bool share;

    if (near && cli_metric_compared(near, &share) && share && strcmp(near, name) != 0)
        return cli_usage("--html-metrics: no CPU has a node '%s'; the nearest is %s", name, near);
    return cli_usage("--html-metrics: no CPU has a node '%s'; 'tdprobe explain --uarch NAME' lists them", name);
}

int cli_take_html_metrics(void *settings, const char *value)
{
    struct cli_options *s = settings;
    char *copy = strdup(value), *rest = copy, *name;
    int code = copy ? 0 : cli_no_memory();
    bool share;

    while (!code && (name = strsep(&rest, ",")))
        code = cli_metric_compared(name, &share) && share ? 0 : refuse_no_node(name);
    free(copy);
    s->report.heat = value;
    return code;
}

int cli_take_separator(void *settings, const char *value)
{
    struct cli_options *s = settings;
    const char *text = strcmp(value, "\\t") ? value : "\t"; /* as perf does */

    if (!*text || strpbrk(text, "\"\r\n"))
        return cli_usage("-x: the separator is one or more characters, but no quotes and no newlines");
    s->report.separator = text;
    return 0;
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

int cli_take_metrics(void *settings, const char *value)
{
    struct cli_options *s = settings;
    int err;

    s->report.named = value;
    err = td_set_metrics(s->td, value);
    return err ? unknown_metric(s, err, value) : 0;
}

int cli_take_uarch(void *settings, const char *value)
{
    const struct cli_options *s = settings;
    const int err = td_set_uarch(s->td, value);

    return err ? unknown(s, err, cli_hint_uarch(value)) : 0;
}

int cli_take_backend(void *settings, const char *value)
{
    const struct cli_options *s = settings;
    const int err = td_set_backend(s->td, value);

    return err ? unknown(s, err, cli_hint_backend(value)) : 0;
}

int cli_take_import_format(void *settings, const char *value)
{
    const struct cli_options *s = settings;
    const int err = td_set_format(s->td, value);

    return err ? unknown(s, err, cli_hint_format(value)) : 0;
}

int cli_take_no_fixed(void *settings, const char *value)
{
    struct cli_options *s = settings;

    (void)value;
    td_set_fixed(s->td, false);
    s->report.no_fixed = true;
    return 0;
}

int cli_take_level(void *settings, const char *value)
{
    struct cli_options *s = settings;

    s->level = value[0] >= '0' + TD_LEVEL_TOP && value[0] <= '0' + TD_LEVELS && !value[1] ? value[0] - '0' : 0;
    return td_set_level(s->td, s->level) ? cli_usage("the level is %d to %d, not '%s'", TD_LEVEL_TOP, TD_LEVELS, value)
                                         : 0;
}

int cli_take_time(void *settings, const char *value)
{
    const struct cli_options *s = settings;
    uint64_t after, until;

    if (!cli_times(value, &after, &until))
        return cli_usage("--time: '%s' is no pair of times in seconds such as 1.5,20 or 1.5,", value);
    return td_set_times(s->td, after, until) ? cli_usage("--time: %s", td_error(s->td)) : 0;
}

int cli_take_smt(void *settings, const char *value)
{
    return td_set_smt(((struct cli_options *)settings)->td, value) ? EXIT_BUG : 0;
}

int cli_take_by(void *settings, const char *value)
{
    enum td_samples_by by = 0;

    while (strcmp(cli_by_name(by), value) != 0)
        by++;
    return td_set_samples_by(((struct cli_options *)settings)->td, by) ? EXIT_BUG : 0;
}

int cli_take_symfs(void *settings, const char *value)
{
    return td_set_symbols(((struct cli_options *)settings)->td, value) ? EXIT_BUG : 0;
}

int cli_take_buildid_dir(void *settings, const char *value)
{
    return td_set_symbol_cache(((struct cli_options *)settings)->td, value) ? EXIT_BUG : 0;
}

int cli_take_kallsyms(void *settings, const char *value)
{
    if (!access(value, R_OK))
        return td_set_kallsyms(((struct cli_options *)settings)->td, value) ? EXIT_BUG : 0;
    cli_say("--kallsyms: '%s' cannot be read: %s; on the recorded machine 'sudo cat /proc/kallsyms > FILE' makes a "
            "copy, while sysctl kernel.kptr_restrict is not 2",
            value, strerror(errno));
    return EXIT_INPUT;
}

/* Without a value: the servers of the environment. */
int cli_take_debuginfod(void *settings, const char *value)
{
    const char *named = value ? value : td_rights_environment("DEBUGINFOD_URLS");

    if (td_set_debuginfod(((struct cli_options *)settings)->td, true)) {
        cli_say("--debuginfod: %s", td_error(((struct cli_options *)settings)->td));
        return EXIT_PERMISSION;
    }
    if (!named || !*named)
        return cli_usage(
            "--debuginfod: no server is named: write --debuginfod=URL, or set the variable DEBUGINFOD_URLS");
    if (value && setenv("DEBUGINFOD_URLS", value, 1))
        return cli_no_memory();
    return 0;
}

int cli_take_output(void *settings, const char *value)
{
    ((struct cli_options *)settings)->output = value;
    return *value ? 0 : cli_usage("-o: the name of the file is empty");
}

int cli_take_machine(void *settings, const char *value)
{
    return cli_options_machine(settings, value);
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
