/* SPDX-License-Identifier: MIT */
/* Where reports go: the buffer, errors, and files that are complete or absent. */
#include "report/output.h"
#include "report/kept.h"

#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "output-test-XXXXXX";
static char path[64];

/* The whole file; "(none)": there is none. */
static const char *file_text(void)
{
    static char text[256];
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

    if (fd < 0)
        return "(none)";
    close(fd);
    text[n < 0 ? 0 : n] = '\0';
    return text;
}

static void write_file(const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static unsigned files(void)
{
    DIR *dir = opendir(folder);
    unsigned n = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    for (const struct dirent *entry; (entry = readdir(dir));)
        n += *entry->d_name != '.';
    closedir(dir);
    return n;
}

static void remove_all(void)
{
    DIR *dir = opendir(folder);

    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (*entry->d_name != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
}

static void begin(void)
{
    strcpy(folder, "output-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/report", folder);
}

static void end(void)
{
    unlink(path);
    CU_ASSERT_EQUAL(rmdir(folder), 0); /* nothing else is left */
}

/* Pieces of every size arrive as they were written. */
static void pieces(void)
{
    enum { ALL = 1 << 20 };
    struct unit_random random = {1};
    char *wanted = malloc(ALL);
    struct captured c;
    struct td_output *o = captured_begin(&c);
    size_t n = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(wanted);
    for (size_t i = 0; i < ALL; i++)
        wanted[i] = (char)('a' + unit_random_below(&random, 26));
    while (n < ALL) {
        static const size_t most[] = {2, 100, TD_OUTPUT_ROOM + 2, 2 * TD_OUTPUT_BUFFER};
        size_t piece = unit_random_below(&random, most[unit_random_below(&random, 4)]);

        piece = piece < ALL - n ? piece : ALL - n;
        if (piece == 1) {
            td_output_char(o, wanted[n]);
        } else if (piece <= TD_OUTPUT_ROOM && unit_random_below(&random, 2)) {
            char *at = td_output_room(o, piece);

            memcpy(at, wanted + n, piece);
            td_output_take(o, at + piece);
        } else if (piece && piece < 100) {
            td_output_format(o, "%.*s", (int)piece, wanted + n);
        } else {
            td_output_bytes(o, wanted + n, piece);
        }
        n += piece;
    }
    CU_ASSERT_EQUAL(td_output_flush(o), 0);
    CU_ASSERT(c.n == ALL && !memcmp(c.text, wanted, ALL));
    CU_ASSERT(c.writes <= 4 * ALL / TD_OUTPUT_BUFFER + 1); /* fewer than one per piece */
    captured_end(&c);
    free(wanted);
}

/* The first error is kept, and nothing is written after it. */
static void errors(void)
{
    struct captured c;
    struct td_output *o = captured_begin(&c);

    td_output_text(o, "one");
    CU_ASSERT_EQUAL(td_output_flush(o), 0);
    c.fail = -ENOSPC;
    td_output_text(o, "two");
    CU_ASSERT_EQUAL(o->error, 0);
    CU_ASSERT_EQUAL(td_output_flush(o), -ENOSPC);
    c.fail = 0;
    for (int i = 0; i < 3 * TD_OUTPUT_BUFFER; i++)
        td_output_char(o, 'x');
    CU_ASSERT_EQUAL(td_output_flush(o), -ENOSPC);
    CU_ASSERT_EQUAL(c.writes, 2);
    CU_ASSERT_STRING_EQUAL(c.text, "one");
    CU_ASSERT_EQUAL(td_output_close(o, true), -ENOSPC);
    free(c.text);
}

static void formats(void)
{
    struct captured c;
    struct td_output *o = captured_begin(&c);

    td_output_format(o, "%d%%", 42);
    td_output_format(o, "%5000s", "");
    CU_ASSERT_EQUAL(strlen(captured_text(&c)), 3 + TD_OUTPUT_ROOM - 1); /* cut off, as documented */
    captured_end(&c);
}

/* A file has its name only when it is complete. */
static void whole_files(void)
{
    struct td_output o;

    begin();
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, path), 0);
    td_output_text(&o, "new\n");
    td_output_flush(&o);
    CU_ASSERT_STRING_EQUAL(file_text(), "(none)");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "new\n");
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, path), 0);
    td_output_text(&o, "worse\n");
    CU_ASSERT_STRING_EQUAL(td_output_name(&o), path);
    CU_ASSERT_EQUAL(td_output_close(&o, false), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "new\n");
    CU_ASSERT_EQUAL(files(), 1);
    CU_ASSERT_EQUAL(td_output_open(&o, "output-test-none/report"), -ENOENT);
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, "/dev/full"), 0);
    td_output_text(&o, "much");
    CU_ASSERT_EQUAL(td_output_close(&o, true), -ENOSPC);
    end();
}

/* A file that is replaced keeps everything besides its content. */
static void modes_and_owners(void)
{
    static const mode_t modes[] = {0600, 0640, 0444, 0777, 04755};
    const mode_t mask = umask(027);
    struct td_output o;
    struct stat st;

    begin();
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, path), 0);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT(!stat(path, &st) && (st.st_mode & 07777) == 0640); /* like any new file */
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        const uid_t owner = geteuid() ? geteuid() : 4242;

        CU_ASSERT(geteuid() || !chown(path, owner, owner + 1));
        CU_ASSERT_EQUAL(chmod(path, modes[i]), 0);
        CU_ASSERT_EQUAL_FATAL(td_output_open(&o, path), 0);
        td_output_text(&o, "new\n");
        CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
        CU_ASSERT(!stat(path, &st) && (st.st_mode & 07777) == modes[i] && st.st_uid == owner);
        CU_ASSERT(geteuid() || st.st_gid == owner + 1);
    }
    CU_ASSERT_STRING_EQUAL(file_text(), "new\n");
    umask(mask);
    end();
}

/* Succeeds by running another program: valgrind would report what a child inherited as lost at its exit. */
static void leave(int code)
{
    if (!code)
        execl("/bin/true", "true", (char *)NULL);
    _exit(code);
}

/* As a user who may write the file, but may not give it to its owner. */
static int by_another(void)
{
    struct td_output o;
    struct stat before, after;

    if (stat(path, &before) || setgid(4242) || setuid(4242))
        return 1;
    if (td_output_open(&o, path))
        return 2;
    td_output_text(&o, "new, and longer\n");
    td_output_flush(&o);
    if (strcmp(file_text(), "old\n"))
        return 3;
    if (td_output_close(&o, true) || stat(path, &after))
        return 4;
    if (before.st_ino != after.st_ino || before.st_mode != after.st_mode || before.st_uid != after.st_uid)
        return 5;
    if (td_output_open(&o, path))
        return 6;
    td_output_text(&o, "short\n");
    if (td_output_close(&o, true) || strcmp(file_text(), "short\n"))
        return 7;
    return files() == 1 ? 0 : 8;
}

static void files_of_others(void)
{
    int status = -1;
    pid_t pid;

    if (geteuid()) {
        unit_skip("only root can make a file of another owner");
        return;
    }
    begin();
    write_file("old\n");
    CU_ASSERT(!chmod(path, 0666) && !chmod(folder, 0777));
    fflush(stdout);
    pid = fork();
    if (!pid)
        leave(by_another());
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "short\n");
    end();
}

/* A signal that ends the process removes the file that has no name yet. */
static void ended_by_a_signal(void)
{
    static const int ending[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ, SIGPIPE, SIGKILL};

    for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++) {
        int status = -1;
        pid_t pid;

        begin();
        fflush(stdout);
        pid = fork();
        if (!pid) {
            struct td_output o;
            sigset_t none;

            sigemptyset(&none);
            sigprocmask(SIG_SETMASK, &none, NULL); /* other tests blocked some */
            signal(ending[i], SIG_DFL);
            signal(SIGTERM, SIG_DFL);
            if (td_output_open(&o, path))
                _exit(1);
            if (!fork()) /* whose end does not affect the file */
                _exit(raise(SIGTERM));
            waitpid(-1, &status, 0);
            if (!WIFSIGNALED(status) || files() != 1)
                _exit(2);
            raise(ending[i]);
            _exit(3);
        }
        CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
        CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == ending[i]);
        CU_ASSERT_EQUAL(files(), ending[i] == SIGKILL); /* which shows that there was one */
        if (ending[i] == SIGKILL)
            remove_all();
        end();
    }
}

/* A folder took the name meanwhile: no partial file is left next to it. */
static void taken_names(void)
{
    struct td_output o;

    begin();
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, path), 0);
    td_output_text(&o, "new\n");
    CU_ASSERT_EQUAL_FATAL(mkdir(path, 0777), 0);
    CU_ASSERT_EQUAL(td_output_close(&o, true), -EISDIR);
    CU_ASSERT_EQUAL(files(), 1);
    CU_ASSERT_EQUAL(rmdir(path), 0);
    end();
}

/* A file that is followed keeps its content until the report starts. */
static void live_files(void)
{
    struct td_output o;

    begin();
    write_file("old\n");
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, false, -1), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "old\n");
    CU_ASSERT_EQUAL(td_output_start(&o), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "");
    td_output_text(&o, "new");
    CU_ASSERT_EQUAL(td_output_flush(&o), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "new");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, true, -1), 0);
    CU_ASSERT(o.appended);
    CU_ASSERT_EQUAL(td_output_start(&o), 0);
    td_output_text(&o, "more");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "new\nmore"); /* its last line was incomplete */
    write_file(""); /* it was there before: it stays */
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, true, -1), 0);
    CU_ASSERT(!o.appended);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "");
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, true, -1), 0);
    CU_ASSERT(!o.appended);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "(none)"); /* it was never started */
    end();
}

/* What was written to a file is replaced in place, after what is still held; a pipe has no places. */
static void replaced(void)
{
    struct td_output o;
    int ends[2];

    begin();
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, false, -1), 0);
    CU_ASSERT_EQUAL(td_output_start(&o), 0);
    td_output_text(&o, "abcdef");
    errno = EINTR; /* of an earlier call, which is none of theirs */
    CU_ASSERT_EQUAL(td_output_again(&o, 2, "XY", 2), 0);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "abXYef");
    end();
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, NULL, false, ends[1]), 0);
    CU_ASSERT_EQUAL(td_output_again(&o, 0, "X", 1), -ESPIPE);
    CU_ASSERT_EQUAL(td_output_close(&o, true), -ESPIPE);
    close(ends[0]);
    close(ends[1]);
}

static void descriptors(void)
{
    struct td_output o;
    char text[8] = "";
    int ends[2];

    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL(td_output_open_live(&o, NULL, false, ends[0]), -EBADF); /* it can only be read */
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, NULL, false, ends[1]), 0);
    CU_ASSERT(!strncmp(td_output_name(&o), "file descriptor ", 16));
    td_output_text(&o, "all");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_EQUAL(write(ends[1], ".", 1), 1); /* the caller's stays open */
    CU_ASSERT_EQUAL(read(ends[0], text, sizeof(text)), 4);
    CU_ASSERT_STRING_EQUAL(text, "all.");
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(td_output_open_live(&o, NULL, false, ends[1]), -EBADF);
}

/* A file that is written in place is made where there is none, and else kept as it is; what was made and is still empty
 * goes away, unless it is another file by then. */
static void kept(void)
{
    const mode_t mask = umask(027);
    struct stat st;
    bool created = false;
    int fd;

    begin();
    fd = td_output_open_kept(path, 0, &created);
    CU_ASSERT_FATAL(fd >= 0 && created);
    CU_ASSERT((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CU_ASSERT(!fstat(fd, &st) && (st.st_mode & 07777) == 0640 && files() == 1);
    td_output_drop_empty(path, fd);
    CU_ASSERT_STRING_EQUAL(file_text(), "(none)");
    write_file("");
    td_output_drop_empty(path, fd); /* another file has that name */
    CU_ASSERT_STRING_EQUAL(file_text(), "");
    close(fd);
    write_file("x");
    created = true;
    fd = td_output_open_kept(path, O_APPEND, &created);
    CU_ASSERT_FATAL(fd >= 0 && !created);
    CU_ASSERT(fcntl(fd, F_GETFD) == FD_CLOEXEC && fcntl(fd, F_GETFL) & O_APPEND);
    td_output_drop_empty(path, fd); /* it has a byte */
    CU_ASSERT_STRING_EQUAL(file_text(), "x");
    CU_ASSERT_EQUAL(write(fd, "y", 1), 1);
    CU_ASSERT_STRING_EQUAL(file_text(), "xy");
    CU_ASSERT_EQUAL(td_output_open_kept(path, 0, &created), -EALREADY); /* two that append may write, */
    close(fd);
    fd = td_output_open_kept(path, 0, &created);
    CU_ASSERT(fd >= 0 && !(fcntl(fd, F_GETFL) & O_APPEND));
    CU_ASSERT_EQUAL(td_output_open_kept(path, O_APPEND, &created), -EALREADY); /* and none beside one that does not */
    CU_ASSERT_FALSE(created);
    close(fd);
    CU_ASSERT_EQUAL(files(), 1);
    umask(mask);
    end();
    CU_ASSERT_EQUAL(td_output_open_kept("output-test-none/report", 0, &created), -ENOENT);
}

/* What a link names is written in place: emptied at once, unless another process has it. */
static void in_place(void)
{
    char link[64];
    struct td_output o;
    struct stat before, after;
    int fd;

    begin();
    snprintf(link, sizeof(link), "%s/link", folder);
    write_file("old\n");
    CU_ASSERT(!symlink("report", link) && !stat(path, &before));
    fd = open(path, O_RDWR);
    CU_ASSERT_EQUAL(flock(fd, LOCK_EX | LOCK_NB), 0);
    CU_ASSERT_EQUAL(td_output_open(&o, link), -EALREADY);
    CU_ASSERT_PTR_NULL(o.buffer);
    CU_ASSERT_STRING_EQUAL(file_text(), "old\n");
    close(fd);
    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, link), 0);
    CU_ASSERT(!o.terminal && !o.temporary.name);
    CU_ASSERT_STRING_EQUAL(file_text(), "");
    td_output_text(&o, "new\n");
    fd = o.fd;
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_EQUAL(fcntl(fd, F_GETFD), -1);
    CU_ASSERT_STRING_EQUAL(file_text(), "new\n");
    CU_ASSERT(!stat(path, &after) && before.st_ino == after.st_ino && files() == 2);
    unlink(link);
    end();
}

/* Where nothing else has it, 0 is a descriptor as any other: the file that gets it is locked. */
static int without_stdin(void)
{
    char link[64];
    bool created = true;

    snprintf(link, sizeof(link), "%s/link", folder);
    close(STDIN_FILENO);
    if (symlink("report", link) || td_output_open_kept(link, 0, &created) != 0 || created)
        return 1;
    return td_output_open_kept(link, 0, &created) == -EALREADY && fcntl(0, F_GETFD) == FD_CLOEXEC ? 0 : 2;
}

static void descriptor_0(void)
{
    int status = -1;
    pid_t pid;

    begin();
    write_file("old\n");
    fflush(stdout);
    pid = fork();
    if (!pid)
        leave(without_stdin());
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "old\n");
    remove_all();
    end();
}

/* What descriptors are called; stdout and stderr, which others use, stay open. */
static void names(void)
{
    static const char *const wanted[] = {"stdout", "stderr"};
    struct td_output o;
    char name[40];
    int fd;

    CU_ASSERT_EQUAL_FATAL(td_output_open(&o, NULL), 0);
    CU_ASSERT(o.fd == STDOUT_FILENO && o.terminal == (isatty(STDOUT_FILENO) == 1));
    CU_ASSERT_STRING_EQUAL(td_output_name(&o), "stdout");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
        CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, NULL, false, i), 0);
        CU_ASSERT(o.fd > STDERR_FILENO && fcntl(o.fd, F_GETFD) == FD_CLOEXEC);
        CU_ASSERT(o.terminal == (isatty(i) == 1) && !o.appended);
        CU_ASSERT_STRING_EQUAL(td_output_name(&o), wanted[i - STDOUT_FILENO]);
        CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
        CU_ASSERT(fcntl(i, F_GETFD) >= 0);
    }
    fd = open("/dev/null", O_WRONLY);
    snprintf(name, sizeof(name), "file descriptor %d", fd);
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, NULL, false, fd), 0);
    CU_ASSERT_STRING_EQUAL(td_output_name(&o), name);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    close(fd);
}

/* Lines that are complete are followed by the next one; a file that was started stays, though nothing is in it. */
static void appended(void)
{
    struct td_output o;

    begin();
    write_file("a\n");
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, true, -1), 0);
    CU_ASSERT(o.appended && !o.created);
    CU_ASSERT_EQUAL(td_output_start(&o), 0);
    td_output_text(&o, "b\n");
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "a\nb\n");
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(td_output_open_live(&o, path, false, -1), 0);
    CU_ASSERT(o.created);
    CU_ASSERT_EQUAL(td_output_start(&o), 0);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT_STRING_EQUAL(file_text(), "");
    end();
}

/* What stands where an incomplete file would be keeps the file from being written in place, too, and so does a process
 * that writes it. */
static void kept_off(void)
{
    char beside[80];
    bool created = true;
    int fd;

    begin();
    snprintf(beside, sizeof(beside), "%s" TD_KEPT_ENDING, path);
    CU_ASSERT_EQUAL(mkdir(beside, 0700), 0);
    CU_ASSERT_EQUAL(td_output_open_kept(path, 0, &created), -EEXIST);
    CU_ASSERT_FALSE(created);
    rmdir(beside);
    fd = td_kept_begin(beside);
    CU_ASSERT_EQUAL(td_output_open_kept(path, O_APPEND, &created), -EALREADY);
    CU_ASSERT(!created && files() == 1);
    close(fd);
    unlink(beside);
    end();
}

static const CU_TestInfo tests[] = {
    {"pieces of every size", pieces},
    {"errors", errors},
    {"formats", formats},
    {"a file that is whole or not there", whole_files},
    {"a name that is taken", taken_names},
    {"a file that is replaced", modes_and_owners},
    {"a file of somebody else", files_of_others},
    {"a signal ends the process", ended_by_a_signal},
    {"a file that is followed", live_files},
    {"what is replaced", replaced},
    {"descriptors", descriptors},
    {"a file that is written in place", kept},
    {"a link to a file", in_place},
    {"descriptor 0", descriptor_0},
    {"names", names},
    {"what is appended", appended},
    {"a file that is kept off", kept_off},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("output", tests);
