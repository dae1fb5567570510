/* SPDX-License-Identifier: MIT */
#include "cli/usual_file.h"

#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct file {
    char name[32];
    struct timespec changed;
};

/* Whether a name of n characters is a file here. */
static bool find(struct file *f, const char *name, size_t n)
{
    struct stat st;

    snprintf(f->name, sizeof(f->name), "%.*s", (int)n, name);
    if (stat(f->name, &st) || !S_ISREG(st.st_mode))
        return false;
    f->changed = st.st_mtim;
    return true;
}

static bool is_younger(const struct file *a, const struct file *b)
{
    return a->changed.tv_sec != b->changed.tv_sec ? a->changed.tv_sec > b->changed.tv_sec
                                                  : a->changed.tv_nsec > b->changed.tv_nsec;
}

static void none(const struct cli_subcommand *c)
{
    const char *names = c->usual ? c->usual : "";
    const size_t first = strcspn(names, " ");

    if (*names)
        cli_usage("no file to %s, and no %.*s%s%s in this folder, as 'tdprobe record%s' writes", c->name, (int)first,
                  names, names[first] ? " or " : "", names[first] ? names + first + 1 : "",
                  strstr(names, "trace") ? "" : " --functions");
    else
        cli_usage("no file to %s", c->name);
}

char *cli_usual_file(const struct cli_subcommand *c)
{
    static struct file youngest;
    struct file f;
    size_t found = 0;

    for (const char *at = c->usual ? c->usual : ""; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (find(&f, at, strcspn(at, " ")) && (!found++ || is_younger(&f, &youngest)))
            youngest = f;
    if (found > 1)
        cli_say("%s is read, the younger of the usual recordings in this folder", youngest.name);
    if (!found)
        none(c);
    return found ? youngest.name : NULL;
}
