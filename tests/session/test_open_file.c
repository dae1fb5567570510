/* SPDX-License-Identifier: MIT */
/* Files that are opened by name, in the folder where the tests run. */
#include "session/open_file.h"
#include "session/session.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "test_open_file.csv", text[] = "1.000000000,1000,,slots,1000000000,100.00,,\n";

static void put_file(const char *bytes, size_t n)
{
    FILE *file = fopen(name, "w");

    CU_ASSERT_FATAL(file && fwrite(bytes, 1, n, file) == n && !fclose(file));
}

static void one_file(void)
{
    struct source s = {text, sizeof(text) - 1, 4096, 0};
    struct td *td = td_new();

    put_file(text, strlen(text));
    CU_ASSERT_EQUAL(td_open_file(td, "no-such-file"), -ENOENT);
    CU_ASSERT_STRING_EQUAL(td_error(td), "no-such-file cannot be opened: No such file or directory");
    CU_ASSERT_EQUAL(td_open_file(td, name), 0); /* after that which is not there */
    CU_ASSERT_PTR_NOT_NULL(td->seek);
    CU_ASSERT_EQUAL(td_open_file(td, name), -EINVAL);
    td_free(td);
    td = td_new();
    CU_ASSERT_EQUAL(td_open(td, "f", source_read, &s), 0);
    CU_ASSERT_EQUAL(td_open_file(td, name), -EINVAL);
    td_free(td);
    remove(name);
}

/* Of what is shorter than all that is read to know what it is, all is read. */
static void short_files(void)
{
    for (size_t n = 0; n <= 4; n++) {
        struct td *td = td_new();

        put_file("#\n#\n", n);
        (void)td_open_file(td, name);
        CU_ASSERT(td->file && td->file->nhead == n);
        td_free(td);
    }
    remove(name);
}

/* The first descriptor is one, as any other. */
static void descriptor_0(void)
{
    const int input = dup(0);
    struct td *td = td_new();

    put_file(text, strlen(text));
    close(0);
    CU_ASSERT_EQUAL(td_open_file(td, name), 0);
    CU_ASSERT_FATAL(td->file && td->file->fd == 0);
    CU_ASSERT_PTR_NOT_NULL(td->seek);
    CU_ASSERT(td->file->nhead > 0);
    td_free(td);
    CU_ASSERT(fcntl(0, F_GETFD) < 0); /* it was closed */
    if (input >= 0) {
        dup2(input, 0);
        close(input);
    }
    remove(name);
}

/* What was read to know the format is read again from the beginning; after it was sought, not. */
static void sought(void)
{
    const struct td_result *r;
    struct td *td = td_new();

    put_file(text, strlen(text));
    CU_ASSERT_FATAL(!td_set_uarch(td, "spr") && !td_open_file(td, name));
    CU_ASSERT_EQUAL(td_next(td, &r), 0);
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    td->file->given = 0;
    CU_ASSERT_EQUAL(td->seek(td->file, 5), 0);
    CU_ASSERT_EQUAL(td->file->given, td->file->nhead);
    CU_ASSERT_EQUAL(lseek(td->file->fd, 0, SEEK_CUR), 5);
    CU_ASSERT(td->seek(td->file, UINT64_MAX) < 0);
    td_free(td);
    remove(name);
}

/* A pipe is read as a file is, and is not sought in. */
static void pipes(void)
{
    const struct td_result *r;
    struct td *td = td_new();
    char path[64];
    int ends[2];

    CU_ASSERT_FATAL(!pipe(ends) && write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    CU_ASSERT_FATAL(!td_set_uarch(td, "spr") && !td_open_file(td, path));
    CU_ASSERT_PTR_NULL(td->seek);
    CU_ASSERT_EQUAL(td_next(td, &r), 0);
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    td_free(td);
    close(ends[0]);
}

/* What comes slowly is waited for, until it is known how it is compressed. */
static void slow_pipes(void)
{
    static const char head[] = "\xfd"
                               "7zXZ\0";
    const struct timespec moment = {.tv_nsec = 20000000};
    struct td *td = td_new();
    char path[64];
    pid_t writer;
    int ends[2];

    CU_ASSERT_FATAL(!pipe(ends));
    writer = fork();
    if (!writer) {
        bool written = write(ends[1], head, 1) == 1;

        nanosleep(&moment, NULL);
        written = written && write(ends[1], head + 1, 5) == 5;
        _exit(written ? 0 : 1);
    }
    CU_ASSERT_FATAL(writer > 0);
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    CU_ASSERT_EQUAL(td_open_file(td, path), -EBADMSG);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), " is compressed by xz: "));
    td_free(td);
    close(ends[0]);
    waitpid(writer, NULL, 0);
}

static void compressed(void)
{
    struct td *td = td_new();

    put_file("\xfd"
             "7zXZ\0",
             6);
    CU_ASSERT_EQUAL(td_open_file(td, name), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(td_error(td),
                           "test_open_file.csv is compressed by xz: decompress it first: xz -dc PATH > FILE");
    td_free(td);
    remove(name);
}

static const CU_TestInfo tests[] = {
    {"one file", one_file},
    {"short files", short_files},
    {"descriptor 0", descriptor_0},
    {"files that are sought in", sought},
    {"pipes", pipes},
    {"slow pipes", slow_pipes},
    {"compressed files", compressed},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("opened files", tests);
