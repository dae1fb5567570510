/* SPDX-License-Identifier: MIT */
/* What is replayed: stdin, a file, or the folder that PerfSpect writes. */
#include "cli/input.h"

#include "cli/cli.h"
#include "cli/folder.h"
#include "cli/hints.h"
#include "cli/usual_file.h"
#include "cli/sandbox/sandbox.h"
#include "cli/table/parse.h"
#include "private/result.h"
#include "report/tar.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether stdin is a file or a pipe, not the terminal and not /dev/null. */
static bool is_piped(void)
{
    struct stat st;

    return !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode));
}

/* The recordings to read: those that are named, else what is piped, else what record wrote here. 0, or an exit code
 * after a message. */
static int list(const struct cli_subcommand *c, int argc, char **argv, struct cli_recordings *out)
{
    static char dash[] = "-";

    out->n = optind < argc ? (size_t)(argc - optind) : 1;
    out->name = optind < argc ? argv + optind : out->one;
    if (optind < argc)
        return 0;
    out->one[0] = is_piped() ? dash : cli_usual_file(c);
    return out->one[0] ? 0 : EXIT_USAGE;
}

static bool is_perfspect(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool any = false;

    while (dir && !any && (entry = readdir(dir)))
        any = cli_perfspect_events(entry->d_name);
    if (dir)
        closedir(dir);
    return any;
}

static bool is_folder(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISDIR(st.st_mode) && !is_perfspect(path);
}

/* Adds the recordings of a folder. 0, or an exit code after a message. */
static int add_folder(struct cli_recordings *in, const char *folder)
{
    const size_t before = in->found.n;
    char *where = NULL;
    const int err = cli_folder_add(&in->found, folder, &where);

    if (err == -ENOMEM)
        cli_no_memory();
    else if (err)
        cli_say("%s cannot be read: %s", where ? where : folder, strerror(-err));
    else if (in->found.n == before)
        cli_say(
            "%s: a directory without recordings, in it or below: no *%s as 'perfspect metrics --raw' writes, and none of %s; "
            "name recordings that are called otherwise",
            folder, CLI_PERFSPECT_EVENTS, CLI_FOLDER_HAS);
    free(where);
    return err ? cli_exit_code(err) : in->found.n == before ? EXIT_INPUT : 0;
}

/* Puts recordings in place of folders of them. 0, or an exit code after a message. */
static int expand(struct cli_recordings *in)
{
    for (size_t i = 0; i < in->n; i++) {
        const int code = is_folder(in->name[i])                   ? add_folder(in, in->name[i])
                         : cli_paths_add(&in->found, in->name[i]) ? cli_no_memory()
                                                                  : 0;

        if (code)
            return code;
    }
    in->name = in->found.path;
    in->n = in->found.n;
    return 0;
}

void cli_recordings_free(struct cli_recordings *in)
{
    cli_paths_free(&in->found);
}

int cli_input_options(const struct cli_subcommand *c, void *settings, int argc, char **argv, int most,
                      struct cli_recordings *out)
{
    const struct cli_options *s = settings;
    int code = cli_parse(c, settings, argc, argv);

    if (code >= 0)
        return code;
    code = cli_check(c, s, false);
    code = code ? code : list(c, argc, argv, out);
    code = code || most == 1 ? code : expand(out);
    if (code)
        return code;
    if (argc - optind > most)
        return cli_usage("%s takes one file, not '%s' too", c->name, argv[optind + 1]);
    cli_sandbox_plan(c, s, s->output, out->name, out->n);
    return -1;
}

static int cannot_open(const char *path)
{
    int err = errno;

    cli_say("%s cannot be opened: %s", path, strerror(err));
    return cli_exit_code(-err);
}

/* Finds the one file in a folder whose name has this ending; *found keeps its path. */
static int find_events(const char *folder, DIR *dir, char **found)
{
    char name[256] = "";
    const struct dirent *entry;

    while ((entry = readdir(dir))) {
        if (!cli_perfspect_events(entry->d_name))
            continue;
        if (*name) {
            cli_say("%s: holds the recordings of several hosts, %s and %s: name one of these files", folder, name,
                    entry->d_name);
            return EXIT_INPUT;
        }
        snprintf(name, sizeof(name), "%s", entry->d_name);
    }
    if (!*name) {
        cli_say(
            "%s: a directory without *%s, which 'perfspect metrics --raw' writes; for other recordings name the file",
            folder, CLI_PERFSPECT_EVENTS);
        return EXIT_INPUT;
    }
    if (asprintf(found, "%s%s%s", folder, *folder && folder[strlen(folder) - 1] == '/' ? "" : "/", name) < 0)
        return cli_no_memory();
    return 0;
}

static int open_folder(const char *folder, char **found)
{
    DIR *dir = opendir(folder);
    int code;

    if (!dir)
        return cannot_open(folder);
    code = find_events(folder, dir, found);
    closedir(dir);
    return code;
}

/* Reads HOST_metadata.json next to HOST_events.jsonl. */
static int read_metadata(struct cli_options *s, const char *events, bool wanted)
{
    char *path = cli_perfspect_metadata(events);
    int fd, err;

    if (!path)
        return cli_no_memory();
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        if (wanted)
            cli_say("%s is missing: the CPU is found by the events, or named with --uarch", path);
        err = 0;
    } else if (fd < 0) {
        err = cannot_open(path);
    } else {
        err = td_set_metadata(s->td, path, cli_read_fd, &fd);
        if (err)
            err = cli_library_error(s->td, err);
        close(fd);
    }
    free(path);
    return err;
}

static const char *kind(mode_t mode)
{
    return S_ISDIR(mode) ? "directory" : S_ISFIFO(mode) ? "FIFO" : S_ISSOCK(mode) ? "socket" : "device";
}

/* Opens a regular file and nothing else: a FIFO would wait for its writer, and to open a device may do something.
 * What the name stands for may change between the two looks. */
static int open_plain(struct cli_input *in, const char *path)
{
    struct stat st;

    in->name = path;
    if (stat(path, &st))
        return cannot_open(path);
    if (S_ISREG(st.st_mode)) {
        in->fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (in->fd < 0 || fstat(in->fd, &st))
            return cannot_open(path);
    }
    if (S_ISREG(st.st_mode) && st.st_size)
        return 0;
    cli_say(S_ISREG(st.st_mode) ? "%s: is empty" : "%s: is a %s, no file", path, kind(st.st_mode));
    return EXIT_INPUT;
}

static int open_path(struct cli_input *in, const char *path)
{
    struct stat st;
    bool folder = !stat(path, &st) && S_ISDIR(st.st_mode);
    int code = folder ? open_folder(path, &in->found) : 0;

    if (code)
        return code;
    in->name = folder ? in->found : path;
    in->fd = open(in->name, O_RDONLY | O_CLOEXEC);
    return in->fd < 0 ? cannot_open(in->name) : 0;
}

/* Reads the first bytes; a failure occurs again when more is read. */
static void read_head(struct cli_input *in)
{
    ssize_t n;

    do {
        n = cli_read_fd(&in->fd, in->head + in->nhead, sizeof(in->head) - in->nhead);
        in->nhead += n > 0 ? (size_t)n : 0;
    } while (n > 0 && in->nhead < sizeof(in->head));
}

/* ---- bundles ------------------------------------------------------------------------------------ */

enum { PIPED_MOST = 64 << 20 /* bytes of a bundle that comes through a pipe */ };

/* Copies what is left of a pipe, and what was read of it, into memory that is a file, as a bundle is read here and
 * there. False, after a message: it is too long. */
static bool keep_pipe(struct cli_input *in, int to)
{
    static char piece[64 * 1024];
    size_t total = in->nhead;
    ssize_t n = write(to, in->head, in->nhead);

    while (n > 0 && total <= PIPED_MOST && (n = cli_read_fd(&in->fd, piece, sizeof(piece))) > 0) {
        total += (size_t)n;
        n = write(to, piece, (size_t)n);
    }
    if (n || total > PIPED_MOST)
        cli_say("%s: a bundle of more than %d MiB, or one that cannot be read to its end: name its file", in->name,
                PIPED_MOST >> 20);
    return !n && total <= PIPED_MOST;
}

/* Finds out whether the input is a bundle: an archive, by the header that is its first block; of a pipe, which gives no
 * more than the first bytes, by the folder that tdprobe makes bundles in. 0, or an exit code after a message. */
static int find_bundle(struct cli_input *in)
{
    static const char folder[] = "tdprobe-bundle/";
    off_t at = lseek(in->fd, 0, SEEK_CUR);
    char block[TD_TAR_BLOCK];
    struct stat st;
    int fd;

    if (at < 0 && in->nhead == sizeof(in->head) && !memcmp(in->head, folder, sizeof(in->head))) {
        fd = memfd_create("bundle", MFD_CLOEXEC);
        if (fd < 0 || !keep_pipe(in, fd)) {
            close(fd);
            return EXIT_INPUT;
        }
        if (in->fd > STDIN_FILENO)
            close(in->fd);
        in->fd = fd;
        at = (off_t)in->nhead;
    }
    if (at < 0 || fstat(in->fd, &st) || !S_ISREG(st.st_mode))
        return 0;
    at -= (off_t)in->nhead;
    in->bundle = pread(in->fd, block, sizeof(block), at) == sizeof(block) && td_tar_is(block, sizeof(block));
    if (in->bundle) {
        in->part.begin = in->part.at = (uint64_t)at;
        in->part.end = (uint64_t)st.st_size;
    }
    return 0;
}

static int refuse_bundle(const char *name, const char *command)
{
    cli_say("%s: is an archive, which 'tdprobe replay' reads where it is a bundle; tdprobe %s takes single recordings: "
            "'tar -xf' unpacks them into tdprobe-bundle/traces",
            name, command);
    return EXIT_INPUT;
}

int cli_input_open(struct cli_options *s, const char *path, const char *command, struct cli_input *in)
{
    struct stat st;
    int code;

    *in = (struct cli_input){.fd = STDIN_FILENO, .name = "stdin"};
    code = s->plain ? open_plain(in, path) : strcmp(path, "-") ? open_path(in, path) : 0;
    if (!code) {
        read_head(in);
        cli_sandbox_enter(in->head, in->nhead);
        code = find_bundle(in);
    }
    if (!code && in->bundle && strcmp(command, "replay") != 0)
        code = refuse_bundle(in->name, command);
    if (!code && !s->plain && cli_perfspect_events(in->name))
        code = read_metadata(s, in->name, in->found);
    if (!code && cli_hint_packed(in->name, command, in->head, in->nhead))
        code = EXIT_INPUT;
    if (code) {
        cli_input_close(in);
        return code;
    }
    in->grows = fstat(in->fd, &st) || !S_ISREG(st.st_mode);
    in->size = in->grows ? 0 : (uint64_t)st.st_size;
    return 0;
}

bool cli_input_percentages(struct cli_input *in, struct td *td)
{
    static const char what[] = "what follows are the percentages as they were printed, without counts: nothing can be "
                               "checked, and there are no bounds";

    if (!cli_input_again(in) || td_open_printed(td, in->name, cli_input_read, in))
        return false;
    if (*td_error(td))
        cli_say("%s; %s", td_error(td), what);
    else
        cli_say("%s: by its counts no metric has a value; %s", in->name, what);
    return true;
}

void cli_input_close(struct cli_input *in)
{
    cli_line_erase();
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    free(in->found);
    free(in->kept);
    in->found = in->kept = NULL;
}
