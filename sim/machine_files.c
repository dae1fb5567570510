/* SPDX-License-Identifier: MIT */
/* The simulated files: a list of paths and texts, and the folders that follow from it. */
#include "machine_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_sim_file_put(struct td_sim_files *f, const char *path, const char *text)
{
    if (f->n == f->room) {
        size_t room = f->room ? 2 * f->room : 64;
        struct td_sim_file *more = realloc(f->file, room * sizeof(*more));

        if (!more)
            return -ENOMEM;
        f->file = more;
        f->room = room;
    }
    f->file[f->n] = (struct td_sim_file){strdup(path), text ? strdup(text) : NULL};
    if (!f->file[f->n].path || (text && !f->file[f->n].text)) {
        free(f->file[f->n].path);
        free(f->file[f->n].text);
        return -ENOMEM;
    }
    f->n++;
    return 0;
}

int td_sim_file_format(struct td_sim_files *f, const char *text, const char *path, ...)
{
    char full[512];
    va_list args;

    va_start(args, path);
    vsnprintf(full, sizeof(full), path, args);
    va_end(args);
    return td_sim_file_put(f, full, text);
}

void td_sim_files_free(struct td_sim_files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->file[i].path);
        free(f->file[i].text);
    }
    free(f->file);
    *f = (struct td_sim_files){0};
}

/* What stands behind folder/ in path, or NULL. */
static const char *below(const char *path, const char *folder)
{
    size_t len = strlen(folder);

    while (len && folder[len - 1] == '/')
        len--;
    return !strncmp(path, folder, len) && path[len] == '/' ? path + len + 1 : NULL;
}

/* True if an "absent" line hides the path. */
static bool hidden(const struct td_sim *s, const char *path)
{
    for (size_t i = 0; i < s->given.n; i++) {
        const struct td_sim_file *f = &s->given.file[i];

        if (!f->text && (!strcmp(f->path, path) || below(path, f->path)))
            return true;
    }
    return false;
}

/* The i-th of all visible files; false behind the last. */
static bool file_at(const struct td_sim *s, size_t i, const struct td_sim_file **out)
{
    if (i >= s->given.n + s->made.n)
        return false;
    *out = i < s->given.n ? &s->given.file[i] : &s->made.file[i - s->given.n];
    return true;
}

ssize_t td_sim_os_file(void *ctx, const char *path, char *buf, size_t size)
{
    const struct td_sim *s = ctx;
    const struct td_sim_file *f;

    for (size_t i = 0; file_at(s, i, &f); i++) {
        size_t len;

        if (!f->text || strcmp(f->path, path) || hidden(s, path)) {
            if (below(f->path, path) && !hidden(s, f->path))
                return -EISDIR;
            continue;
        }
        if (!size)
            return 0;
        len = strlen(f->text) < size ? strlen(f->text) : size - 1;
        memcpy(buf, f->text, len);
        buf[len] = '\0';
        return (ssize_t)len;
    }
    return -ENOENT;
}

/* True if an earlier file stands in the same part of the folder, so the name was told. */
static bool told(const struct td_sim *s, const char *folder, const char *name, size_t len, size_t before)
{
    const struct td_sim_file *f;

    /* files of a folder are made one after the other: look at the nearest first */
    while (before-- && file_at(s, before, &f)) {
        const char *rest = f->text ? below(f->path, folder) : NULL;

        if (rest && !strncmp(rest, name, len) && (rest[len] == '/' || !rest[len]) && !hidden(s, f->path))
            return true;
    }
    return false;
}

int td_sim_os_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    const struct td_sim *s = ctx;
    const struct td_sim_file *f;
    bool found = false;

    for (size_t i = 0; file_at(s, i, &f); i++) {
        const char *rest = f->text ? below(f->path, path) : NULL;
        char name[256];
        size_t len;
        int stop;

        if (f->text && !strcmp(f->path, path) && !hidden(s, path))
            return -ENOTDIR;
        if (!rest || !*rest || hidden(s, f->path))
            continue;
        found = true;
        len = strcspn(rest, "/");
        if (len >= sizeof(name) || told(s, path, rest, len, i))
            continue;
        memcpy(name, rest, len);
        name[len] = '\0';
        stop = each(arg, name);
        if (stop)
            return stop;
    }
    return found ? 0 : -ENOENT;
}

int td_sim_os_folder(void *ctx, const char *path)
{
    struct td_sim *s = ctx;
    static const char root[] = "/sys/fs/cgroup";
    const char *rest = strcmp(path, root) ? below(path, root) : "";
    struct td_sim_event *e;

    for (size_t i = 0; rest && i < s->ngroups; i++) {
        int fd;

        if (strcmp(rest, s->group[i].path))
            continue;
        e = calloc(1, sizeof(*e));
        if (!e)
            return -ENOMEM;
        e->kind = TD_SIM_FOLDER;
        e->index = i;
        fd = td_sim_fd_new(s, e);
        if (fd < 0)
            free(e);
        return fd;
    }
    return -ENOENT;
}
