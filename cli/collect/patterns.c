/* SPDX-License-Identifier: MIT */
#include "cli/collect/patterns.h"

#include "private/run.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step of a walk: a folder, and the part of the pattern that is still to be found below it. */
struct step {
    struct cli_paths *found;
    cli_names_fn *names;
    void *tree;
    const char *folder; /* "": the root */
    const char *rest;
    int depth;
};

enum { DEEPEST = 64 /* folders */, FOLDER = 1 /* what ends a listing at the first name */ };

/* ---- patterns -------------------------------------------------------------------------- */

static const char *without_slashes(const char *text)
{
    return text + strspn(text, "/");
}

const char *cli_pattern_fault(const char *pattern)
{
    size_t n;

    for (const char *at = without_slashes(pattern); *at; at = without_slashes(at + n)) {
        n = strcspn(at, "/");
        if (n > NAME_MAX)
            return "a part of it is longer than a name can be";
        if (n == 2 && !strncmp(at, "..", n))
            return "it leads up by '..': give the path below /sys/fs/cgroup (/proc/PID/cgroup shows a process's)";
    }
    return *without_slashes(pattern) ? NULL
                                     : "it names the root of all cgroups: leave it out, and -a counts the whole system";
}

static int stop(void *ctx, const char *name)
{
    (void)ctx;
    (void)name;
    return FOLDER;
}

/* Other files of a cgroup have no names in them; each cgroup has some. */
static bool is_folder(const struct step *s, const char *path)
{
    return s->names(s->tree, path, stop, NULL) >= 0;
}

static int walk(const struct step *s);

/* Goes on with a folder in the step's, if it is one. */
static int enter(const struct step *s, const char *name, const char *rest)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof(path), "%s%s%s", s->folder, *s->folder ? "/" : "", name);
    struct step next = *s;

    if (n < 0 || (size_t)n >= sizeof(path) || s->depth == DEEPEST || !is_folder(s, path))
        return 0;
    next.folder = path;
    next.rest = rest;
    next.depth++;
    return *rest ? walk(&next) : cli_paths_add(s->found, path);
}

static bool is_any(const char *part, size_t n)
{
    return n == 2 && !strncmp(part, "**", n);
}

/* Each name in the folder of a step. */
static int try_name(void *ctx, const char *name)
{
    const struct step *s = ctx;
    const size_t n = strcspn(s->rest, "/");
    char part[NAME_MAX + 1];

    if (is_any(s->rest, n))
        return enter(s, name, s->rest);
    snprintf(part, sizeof(part), "%.*s", (int)n, s->rest);
    return fnmatch(part, name, 0) ? 0 : enter(s, name, without_slashes(s->rest + n));
}

static int walk(const struct step *s)
{
    const size_t n = strcspn(s->rest, "/");
    struct step below = *s;
    int err = 0;

    if (is_any(s->rest, n)) { /* no folder between, or what is in each */
        below.rest = without_slashes(s->rest + n);
        err = *below.rest ? walk(&below) : *s->folder ? cli_paths_add(s->found, s->folder) : 0;
        below.rest = s->rest;
    }
    err = err ? err : s->names(s->tree, s->folder, try_name, &below);
    return err == -ENOMEM ? err : 0; /* a folder may vanish while it is looked at */
}

int cli_paths_find(struct cli_paths *found, const char *pattern, cli_names_fn *names, void *tree)
{
    const struct step s = {
        .found = found, .names = names, .tree = tree, .folder = "", .rest = without_slashes(pattern), .depth = 0};

    return walk(&s);
}

/* ---- names ------------------------------------------------------------------------------ */

/* The number of a hexadecimal digit; -1: it is none. */
static int digit(char ch)
{
    const char *at = ch ? strchr("0123456789abcdef", ch) : NULL;

    return at ? (int)(at - "0123456789abcdef") : -1;
}

/* The byte that an escape such as \xe9 is shown for; -1: it is none, as of a name that has the text \x2d itself: what
 * can be printed is not escaped, but for the backslash. */
static int escaped(const char *shown)
{
    const bool hex = shown[0] == '\\' && shown[1] == 'x' && digit(shown[2]) >= 0 && digit(shown[3]) >= 0;
    const int byte = hex ? 16 * digit(shown[2]) + digit(shown[3]) : -1;

    return byte == '\\' || byte < ' ' || byte > '~' ? byte : -1;
}

bool cli_path_shown_as(const char *path, const char *shown)
{
    for (; *path && *shown; path++) {
        const int byte = escaped(shown);

        if ((unsigned char)*path != (byte < 0 ? (unsigned char)*shown : byte))
            return false;
        shown += byte < 0 ? 1 : 4;
    }
    return !*path && !*shown;
}

bool cli_paths_shown(const struct cli_paths *p, const char *shown)
{
    for (size_t i = 0; i < p->n; i++)
        if (cli_path_shown_as(p->path[i], shown))
            return true;
    return false;
}

/* Gives the names in a cgroup's folder to each, or else its identity: of version 1, or where that lacks it of
 * version 2. 0 or -errno. */
static int ask(void *td, const char *path, cli_name_fn *each, void *ctx, uint64_t *identity)
{
    static const char *const root[] = {"/sys/fs/cgroup/perf_event", "/sys/fs/cgroup"};
    char full[PATH_MAX];
    int err = -ENOENT;

    for (size_t i = 0; i < sizeof(root) / sizeof(*root) && (err == -ENOENT || err == -ENOTDIR); i++) {
        if (snprintf(full, sizeof(full), "%s%s%s", root[i], *path ? "/" : "", path) >= (int)sizeof(full))
            return -ENAMETOOLONG;
        err = each ? td_run_names(td, full, each, ctx) : td_run_identity(td, full, identity);
    }
    return err;
}

int cli_cgroup_names(void *td, const char *path, cli_name_fn *each, void *ctx)
{
    return ask(td, path, each, ctx, NULL);
}

uint64_t cli_cgroup_identity(void *td, const char *path)
{
    uint64_t found;

    return ask(td, path, NULL, NULL, &found) ? 0 : found;
}
