/* SPDX-License-Identifier: MIT */
#include "cli/sandbox/sandbox.h"

#include "cli/options.h"
#include "cli/usual_file.h"
#include "cli/sandbox/landlock.h"
#include "cli/table/parse.h"
#include "include/tdprobe.h"
#include "private/packed.h"
#include "private/rights.h"
#include "report/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef CLI_SANITIZED
static const bool reads_all = true; /* of a sanitizer: /proc, and debug information wherever it is */
#else
static const bool reads_all = false;
#endif

/* What was planned, until it is entered. */
static struct {
    const struct cli_subcommand *of; /* NULL: nothing */
    const struct cli_options *set;
    const char *output;
    char *const *name;
    size_t n;
} plan;

void cli_sandbox_plan(const struct cli_subcommand *c, const struct cli_options *s, const char *output,
                      char *const *name, size_t n)
{
    if (!c->confined)
        return;
    plan.of = c;
    plan.set = s;
    plan.output = output;
    plan.name = name;
    plan.n = n;
}

static bool is_off(void)
{
    const char *how = td_rights_environment("TDPROBE_SANDBOX");

    return how && !strcmp(how, "off");
}

/* ---- which recordings may have samples ------------------------------------------------------------ */

/* Whether a recording may be a perf.data, of either byte order: its reader loads libraries and looks for the programs
 * that were sampled, wherever they are. */
static bool is_perf_data(const char *head, size_t n)
{
    return n >= 4 && (!memcmp(head, "PERF", 4) || !memcmp(head, "2ELI", 4));
}

/* The same of the first bytes of a file: what is compressed may be one if its name or the subcommand says so. What
 * decompresses it is loaded now, as its library will be out of reach. */
static bool may_have_samples(const char *name, const char *head, size_t n)
{
    const char *command, *by = td_packed_by(head, n, &command);

    if (by && td_packed_readable(by))
        return !strcmp(plan.of->name, "report") || strstr(name, ".data");
    return is_perf_data(head, n);
}

/* Looks into a file and leaves it as it was. What is no file cannot be looked into and left alone: it may be one. */
static bool may_be_perf_data(const char *name)
{
    const bool is_stdin = !strcmp(name, "-");
    struct stat st;
    char head[8];
    ssize_t n;
    int fd;

    if (is_stdin ? fstat(STDIN_FILENO, &st) : stat(name, &st))
        return false;
    if (!S_ISREG(st.st_mode))
        return !S_ISDIR(st.st_mode);
    fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = pread(fd, head, sizeof(head), is_stdin ? lseek(fd, 0, SEEK_CUR) : 0);
    if (!is_stdin)
        close(fd);
    return n < 0 || may_have_samples(name, head, (size_t)n);
}

static bool any_may(void)
{
    bool may = false;

    for (size_t i = 0; i < plan.n && !may; i++)
        may = may_be_perf_data(plan.name[i]);
    return may;
}

/* ---- files ---------------------------------------------------------------------------------------- */

static void allow_recording(struct cli_landlock *l, const char *name)
{
    char *beside = cli_perfspect_events(name) ? cli_perfspect_metadata(name) : NULL;

    cli_landlock_allow(l, name, CLI_LANDLOCK_READ);
    if (beside)
        cli_landlock_allow(l, beside, CLI_LANDLOCK_READ);
    free(beside);
}

/* Files in the folder of a path; the path may be of PATH_MAX bytes. */
static void allow_beside(struct cli_landlock *l, const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%.*s", slash > path ? (int)(slash - path) : 1, slash ? path : ".");
    cli_landlock_allow(l, folder, CLI_LANDLOCK_READ | CLI_LANDLOCK_WRITE | CLI_LANDLOCK_MAKE);
}

/* A file is written beside its name and renamed, report/temporary.h, by a process that does nothing else: a right to
 * rename one file in a folder would be one to replace them all. What is no file is written where it is, and a link to
 * nothing makes what it leads to. /proc/locks says who else is writing. */
static void allow_output(struct cli_landlock *l, const char *path)
{
    char target[PATH_MAX];
    struct stat st;

    cli_landlock_allow(l, "/proc/locks", CLI_LANDLOCK_READ);
    if (lstat(path, &st) || S_ISREG(st.st_mode)) {
        if (!td_temporary_entrust(path))
            allow_beside(l, path);
    } else if (realpath(path, target) || errno != ENOENT)
        cli_landlock_allow(l, path, CLI_LANDLOCK_WRITE);
    else
        allow_beside(l, target); /* glibc leaves there what was not found */
}

/* Makes a folder and those above it, from a place in its path on. */
static void make_folders(char *path, size_t from)
{
    for (char *at = path + from; (at = strchr(at + 1, '/'));) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

/* Where libdebuginfod keeps what servers gave, debuginfod_find_debuginfo(3); the second place only if it is there. The
 * library would make the folder itself, but to be allowed that it has to be there. */
static void allow_cache(struct cli_landlock *l)
{
    static const char *const places[][2] = {{"DEBUGINFOD_CACHE_PATH", ""},
                                            {"HOME", "/.debuginfod_client_cache"},
                                            {"XDG_CACHE_HOME", "/debuginfod_client"},
                                            {"HOME", "/.cache/debuginfod_client"}};
    const unsigned all = CLI_LANDLOCK_READ | CLI_LANDLOCK_WRITE | CLI_LANDLOCK_MAKE | CLI_LANDLOCK_FOLDERS;
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        const char *begin = getenv(places[i][0]);

        if (!begin || !*begin || snprintf(path, sizeof(path), "%s%s", begin, places[i][1]) >= (int)sizeof(path) ||
            (i == 1 && access(path, F_OK)))
            continue;
        make_folders(path, strlen(begin));
        cli_landlock_allow(l, path, all);
        return;
    }
}

static void restrict_files(bool samples, bool servers)
{
    struct cli_landlock l;

    if (!cli_landlock_begin(&l, servers))
        return;
    if (samples || reads_all)
        cli_landlock_allow(&l, "/", CLI_LANDLOCK_READ);
    for (size_t i = 0; i < plan.n; i++)
        allow_recording(&l, plan.name[i]);
    if (plan.output)
        allow_output(&l, plan.output);
    if (servers)
        allow_cache(&l);
    cli_landlock_end(&l);
}

/* ---- entering ------------------------------------------------------------------------------------- */

void cli_sandbox_enter(const char *head, size_t n)
{
    bool samples, servers;

    if (!plan.of || is_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return;
    samples = head ? may_have_samples(plan.n ? *plan.name : "", head, n) : any_may();
    servers = samples && cli_given(plan.of, plan.set, "--debuginfod");
    restrict_files(samples, servers);
    cli_filter_begin(servers);
    plan.of = NULL;
}

/* ---- what it can do ------------------------------------------------------------------------------- */

/* What would give the kernel Landlock. */
static const char *remedy(int version)
{
    if (version == -ENOSYS)
        return "use Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK; a container's profile of seccomp has to let "
               "landlock_create_ruleset through";
    return version == -EOPNOTSUPP ? "boot with landlock in the list of lsm= on the kernel's command line" : NULL;
}

struct td_finding cli_sandbox_finding(char text[static CLI_SANDBOX_TEXT])
{
    const int version = cli_landlock_version();
    const bool filter = cli_filter_known(), whole = version > 0 && filter && !reads_all, off = is_off();
    char files[128];

    if (version > 0)
        snprintf(files, sizeof(files), "other files %s (Landlock, version %d)",
                 reads_all ? "can be read, for this build's sanitizer, not written" : "are refused", version);
    else
        snprintf(files, sizeof(files), "other files can be opened (no Landlock: %s)", strerror(-version));
    if (off)
        snprintf(text, CLI_SANDBOX_TEXT, "recordings are read without a sandbox: TDPROBE_SANDBOX is off");
    else
        snprintf(text, CLI_SANDBOX_TEXT, "recordings are read in %s sandbox: %s, programs %s",
                 whole ? "a" : "part of a", files,
                 filter ? "are not started (seccomp)" : "can be started (no seccomp)");
    return (struct td_finding){.kind = whole && !off ? TD_FINDING_OK : TD_FINDING_NOTE,
                               .layer = "sandbox",
                               .text = text,
                               .remedy = off           ? "unset TDPROBE_SANDBOX"
                                         : version < 1 ? remedy(version)
                                                       : NULL};
}
