/* SPDX-License-Identifier: MIT */
/* Hints: what to write instead of what was written. */
#include "cli/hints.h"

#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/shell.h"
#include "include/td_samples.h"
#include "private/packed.h"
#include "private/result.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

    return cli_usage("'%s' is not one of 'tdprobe list uarchs' (of a hybrid, name one kind of core: adl-p)%s%s", name,
                     near ? "; the nearest is " : "", near ? near : "");
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

/* ---- recordings where a command should be ----------------------------------------- */

static bool is_plain_file(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* Whether it gives a result, or only the CPU is not known. */
static bool is_recording(struct td *td, const char *path)
{
    const struct td_result *result;
    int err;

    td_set_each_cpu(td, true);
    err = td_open_file(td, path);
    if (!err)
        err = td_next(td, &result);
    return !err || err == -EOPNOTSUPP;
}

/* The subcommand that reads it: report where it has samples. NULL: it is no recording. */
static const char *reader_of(const char *path)
{
    struct td_samples_info about = {.size = sizeof(about)};
    struct td *td = td_new();
    const char *reader = !td || !is_recording(td, path) ? NULL : td_samples_about(td, &about) ? "replay" : "report";

    td_free(td);
    return reader;
}

bool cli_hint_recording(char *const *words)
{
    char *const first[] = {words[0], NULL};
    const bool program = strchr(words[0], '/') ? !access(words[0], X_OK) : cli_hint_is_program(words[0]);
    const char *reader = !program && is_plain_file(words[0]) ? reader_of(words[0]) : NULL;
    char *files = reader ? cli_shell_join(reader, strcmp(reader, "replay") ? first : words) : NULL;

    if (files)
        cli_say("%s is a recording, no program to measure: tdprobe %s", words[0], files);
    free(files);
    return reader;
}

/* ---- compressed recordings ------------------------------------------------------ */

/* Whether the name is that of an archive: a bundle is read from a pipe, but not from within a compressed file. */
static bool is_archive(const char *name)
{
    const char *dot = strrchr(name, '.');
    const size_t before = dot ? (size_t)(dot - name) : 0;

    return dot && (!strcmp(dot, ".tgz") || (before >= 4 && !strncmp(dot - 4, ".tar", 4)));
}

bool cli_hint_packed(const char *name, const char *command, const void *head, size_t n)
{
    const bool piped = !strcmp(name, "stdin");
    char word[CLI_SHELL_WORD];
    const char *program = NULL, *by = td_packed_by(head, n, &program);

    if (by && td_packed_readable(by) && !is_archive(name))
        return false;
    if (by)
        cli_say("%s is compressed by %s: decompress it first: %s %s%stdprobe %s -", name, by, program,
                piped ? "" : cli_shell_word(name, word), piped ? "| " : " | ", command);
    return by;
}
