/* SPDX-License-Identifier: MIT */
#include "cli/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether what is left of a name, without the last n characters, ends so and has something before that. */
static bool ends(const char *name, size_t n, const char *ending)
{
    const size_t len = strlen(ending);

    return n > len && !memcmp(name + n - len, ending, len);
}

static bool is_recording(const char *name)
{
    const size_t all = strlen(name), n = all - (ends(name, all, ".gz") ? 3 : ends(name, all, ".zst") ? 4 : 0);

    return ends(name, n, ".trace") || ends(name, n, ".data");
}

static int is_shown(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

/* In the order of the bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_entry(struct cli_paths *all, const char *folder, const char *name, char **where)
{
    const char *slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
    struct stat st;
    char *path;
    int err = 0;

    if (asprintf(&path, "%s%s%s", folder, slash, name) < 0)
        return -ENOMEM;
    if (!lstat(path, &st) && S_ISDIR(st.st_mode))
        err = cli_folder_add(all, path, where);
    else if (is_recording(name) && !stat(path, &st) && S_ISREG(st.st_mode))
        err = cli_paths_add(all, path);
    free(path);
    return err;
}

int cli_folder_add(struct cli_paths *all, const char *folder, char **where)
{
    struct dirent **entry;
    const int entries = scandir(folder, &entry, is_shown, by_name);
    int err = entries < 0 ? -errno : 0;

    if (err) {
        *where = strdup(folder);
        return err;
    }
    for (int i = 0; i < entries; i++) {
        err = err ? err : add_entry(all, folder, entry[i]->d_name, where);
        free(entry[i]);
    }
    free(entry);
    return err;
}
