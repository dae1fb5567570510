/* SPDX-License-Identifier: MIT */
#include "cli/history.h"

#include "cli/cli.h"
#include "cli/shell.h"
#include "report/kept.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".trace";

static int cannot(const char *what, const char *path, int err)
{
    cli_say("--baseline: %s cannot be %s: %s", path, what, strerror(err));
    return err == ENOENT ? EXIT_INPUT : cli_output_code(-err);
}

/* ---- adding -------------------------------------------------------------------------------- */

static int make_folder(const char *folder)
{
    const int err = mkdir(folder, 0777) ? errno : 0;
    struct stat st;

    if (err == ENOENT) {
        cli_say("--baseline: %s cannot be made: the folder above it does not exist; 'mkdir -p' makes both", folder);
        return EXIT_INPUT;
    }
    if (err && err != EEXIST)
        return cannot("made", folder, err);
    if (stat(folder, &st))
        return cannot("opened", folder, errno);
    if (S_ISDIR(st.st_mode))
        return 0;
    return cli_usage("--baseline: %s is no directory", folder);
}

/* Whether it is the name of a recording of a history that was not completed, as cli_history_new() makes them. */
static int is_leftover(const struct dirent *entry)
{
    static const char form[] = "00000000T000000.000Z-";
    const char *at = entry->d_name;

    for (size_t i = 0; form[i]; i++, at++)
        if (form[i] == '0' ? !isdigit((unsigned char)*at) : *at != form[i])
            return 0;
    return isdigit((unsigned char)*at) && !strcmp(at + strspn(at, "0123456789"), ".trace" TD_KEPT_ENDING);
}

/* Removes what runs that were killed left in a folder: no later one has the same name. */
static void sweep(const char *folder)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, is_leftover, NULL);
    char *path;

    for (int i = 0; i < n; i++) {
        if (asprintf(&path, "%s/%s", folder, entry[i]->d_name) >= 0) {
            td_kept_sweep(path);
            free(path);
        }
        free(entry[i]);
    }
    free(entry);
}

char *cli_history_new(const char *folder, int *code)
{
    struct timespec now;
    struct tm utc;
    char *path;

    *code = make_folder(folder);
    if (*code)
        return NULL;
    sweep(folder);
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    if (asprintf(&path, "%s/%04d%02d%02dT%02d%02d%02d.%03ldZ-%ld%s", folder, utc.tm_year + 1900, utc.tm_mon + 1,
                 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, now.tv_nsec / 1000000, (long)getpid(), ending) < 0) {
        *code = cli_no_memory();
        return NULL;
    }
    return path;
}

/* ---- looking ------------------------------------------------------------------------------- */

static int is_recording(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name), len = strlen(ending);

    return *entry->d_name != '.' && n > len && !strcmp(entry->d_name + n - len, ending);
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int cli_history_list(const char *folder, struct cli_history *out)
{
    struct dirent **entry = NULL;
    const int n = scandir(folder, &entry, is_recording, by_name);
    char word[CLI_SHELL_WORD];
    int code = 0;

    *out = (struct cli_history){0};
    if (n < 0 && errno == ENOENT) {
        cli_say("--baseline: %s does not exist: 'tdprobe record --baseline %s -- command' makes it", folder,
                cli_shell_word(folder, word));
        return EXIT_INPUT;
    }
    if (n < 0)
        return cannot("read", folder, errno);
    out->path = calloc((size_t)n + 1, sizeof(*out->path));
    for (int i = 0; i < n; i++) {
        if (out->path && !code && asprintf(&out->path[out->n], "%s/%s", folder, entry[i]->d_name) >= 0)
            out->n++;
        else
            code = EXIT_BUG;
        free(entry[i]);
    }
    free(entry);
    if (out->path && !code)
        return 0;
    cli_history_free(out);
    return cli_no_memory();
}

size_t cli_history_find(const struct cli_history *h, const char *path)
{
    struct stat wanted, st;
    size_t i = 0;

    if (stat(path, &wanted))
        return h->n;
    while (i < h->n && (stat(h->path[i], &st) || st.st_dev != wanted.st_dev || st.st_ino != wanted.st_ino))
        i++;
    return i;
}

void cli_history_free(struct cli_history *h)
{
    for (size_t i = 0; i < h->n; i++)
        free(h->path[i]);
    free(h->path);
    *h = (struct cli_history){0};
}
