/* SPDX-License-Identifier: MIT */
/* Hints: what to write instead of what was written. */
#include "cli/hints.h"

#include "cli/cli.h"
#include "cli/nearest.h"
#include "private/packed.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Habits from perf, toplev and their like. */
static const struct {
    const char *option; /* with its dashes */
    const char *instead;
} reflexes[] = {
    {"--topdown", "top-down is all that tdprobe measures: leave it out; --level 2 goes one level deeper than --level 1"},
    {"-M", "the metrics are those of the top-down tree: leave it out; --level says how deep, 'tdprobe list metrics' what there is"},
    {"--metrics", "the metrics are those of the top-down tree: leave it out; --level says how deep, 'tdprobe list metrics' what there is"},
    {"-e", "tdprobe takes the events that the CPU's formulas need: leave it out; --counts prints them, 'tdprobe bench -e' counts others"},
    {"--event", "tdprobe takes the events that the CPU's formulas need: leave it out; --counts prints them, 'tdprobe bench -e' counts others"},
    {"-d", "--level 2 is the detail that top-down has, --counts prints the events too"},
    {"--detailed", "--level 2 is the detail that top-down has, --counts prints the events too"},
    {"--metric-only", "only metrics are printed: leave it out; --counts adds the events"},
    {"-G", "--for-each-cgroup LIST measures cgroups"},
    {"--cgroup", "--for-each-cgroup LIST measures cgroups"},
    {"--cputype", "each kind of core has a result of its own: leave it out; -C LIST measures some CPUs"},
    {"--per-die", "--per-socket, --per-node and --per-core are there"},
    {"-l", "--level N says how deep"},
    {"--import", "'tdprobe replay FILE' reads recordings"},
    {"--describe", "'tdprobe explain NODE' describes a node"},
};

const char *cli_hint_reflex(const char *option)
{
    const size_t n = strcspn(option, "=");

    for (size_t i = 0; i < sizeof(reflexes) / sizeof(*reflexes); i++)
        if (strlen(reflexes[i].option) == n && !strncmp(reflexes[i].option, option, n))
            return reflexes[i].instead;
    return NULL;
}

const char *cli_hint_option(const char *text, const struct option *options)
{
    struct cli_nearest near;

    if (strncmp(text, "--", 2))
        return NULL;
    near = cli_nearest_of(text + 2, strcspn(text + 2, "="));
    for (; options->name; options++)
        cli_nearest_try(&near, options->name);
    return near.best;
}

const char *cli_hint_uarch(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        cli_nearest_try(&near, td_uarch_name(u));
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        cli_nearest_try_list(&near, td_uarch_aliases(u));
    return near.best;
}

int cli_hint_unknown_uarch(const char *name)
{
    const char *near = cli_hint_uarch(name);

    return cli_usage("'%s' is not one of 'tdprobe list uarchs' (of a hybrid, name one kind of core: adl-p)%s%s", name, near ? "; the nearest is " : "", near ? near : "");
}

const char *cli_hint_format(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    const char *format;

    for (size_t i = 0; (format = td_format_name(i)); i++)
        cli_nearest_try(&near, format);
    return near.best;
}

const char *cli_hint_backend(const char *name)
{
    struct cli_nearest near = cli_nearest(name);
    const char *backend;

    for (size_t i = 0; (backend = td_backend_name(i)); i++)
        cli_nearest_try(&near, backend);
    return near.best;
}

/* Whether the folder that PATH begins with has it. *path: moves to the next one, or NULL. */
static bool is_in_first(const char **path, const char *name)
{
    const size_t n = strcspn(*path, ":");
    char *file;
    bool found;

    if (asprintf(&file, "%.*s%s%s", (int)n, *path, n ? "/" : "./", name) < 0)
        return true;
    *path = (*path)[n] ? *path + n + 1 : NULL;
    found = !access(file, X_OK);
    free(file);
    return found;
}

bool cli_hint_is_program(const char *name)
{
    const char *path = getenv("PATH");
    bool found = strchr(name, '/') || !path;

    while (!found && path)
        found = is_in_first(&path, name);
    return found;
}

/* ---- compressed recordings ------------------------------------------------------ */

bool cli_hint_packed(const char *name, const char *command, const void *head, size_t n)
{
    const bool piped = !strcmp(name, "stdin");
    const char *program = NULL, *by = td_packed_by(head, n, &program);

    if (by)
        cli_say("%s is compressed by %s: decompress it first: %s %s%stdprobe %s -", name, by, program, piped ? "" : name, piped ? "| " : " | ", command);
    return by;
}
