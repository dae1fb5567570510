/* SPDX-License-Identifier: MIT */
/* The line on stderr that shows what goes on: how far a large file has been read, what is measured. */
#include "cli/input.h"

#include "cli/cli.h"
#include "private/result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 50000000 /* bytes */, LINE_MAX = 256, KEPT = 1 << 20 /* bytes of a pipe */ };

static const double period = 0.2; /* s between two updates */
static size_t drawn; /* columns of the line on the screen */

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool same_file(int a, int b)
{
    struct stat x, y;

    return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

void cli_input_watch(struct cli_input *in, const struct td_output *out, bool prints)
{
    in->line = in->size > LARGE && isatty(STDERR_FILENO) && !(prints && same_file(out->fd, STDERR_FILENO));
    in->begun = in->drawn = seconds();
}

static size_t columns(void)
{
    struct winsize w;

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || w.ws_col < 20 ? 80 : w.ws_col < LINE_MAX ? w.ws_col : LINE_MAX - 1;
}

void cli_line_erase(void)
{
    if (drawn)
        fprintf(stderr, "\r%*s\r", (int)drawn, "");
    drawn = 0;
}

void cli_line_show(const char *format, ...)
{
    char text[LINE_MAX];
    va_list args;

    if (!isatty(STDERR_FILENO))
        return;
    va_start(args, format);
    vsnprintf(text, columns(), format, args);
    va_end(args);
    cli_line_erase();
    drawn = (size_t)fprintf(stderr, "%s", text);
    fflush(stderr);
}

/* Draws a line: the end of the name is cut if it does not fit. */
static void draw(const struct cli_input *in, double now)
{
    double rate = (double)in->done / (now - in->begun);
    double left = in->done < in->size ? (double)(in->size - in->done) / rate : 0;
    size_t width = columns() - 1, n, room;
    char text[96], name[LINE_MAX];

    n = (size_t)snprintf(text, sizeof(text), ": %.0f %%  %.0f MB/s  %.0f s left",
                         100 * fmin(1, (double)in->done / (double)in->size), rate / 1e6, left);
    room = n < width ? width - n + 1 : 1;
    snprintf(name, room, "%s", in->name);
    cli_line_show("%s%.*s", td_printable(name, room), (int)width, text);
}

/* Reads on in what is a part of a file, whose position others use, too. */
static ssize_t read_part(struct cli_input *in, void *buf, size_t size)
{
    const uint64_t left = in->part.end - in->part.at;
    ssize_t n;

    do
        n = pread(in->fd, buf, left < size ? (size_t)left : size, (off_t)in->part.at);
    while (n < 0 && errno == EINTR);
    in->part.at += n > 0 ? (uint64_t)n : 0;
    return n < 0 ? -errno : n;
}

/* Passes on first what was read when the input was opened. */
static ssize_t read_on(struct cli_input *in, void *buf, size_t size)
{
    const size_t left = in->nhead - in->given, n = left < size ? left : size;

    if (in->part.end)
        return read_part(in, buf, size);
    if (!left)
        return cli_read_fd(&in->fd, buf, size);
    memcpy(buf, in->head + in->given, n);
    in->given += n;
    return (ssize_t)n;
}

/* Keeps what was read of a pipe, as long as it is not too long. */
static void keep(struct cli_input *in, const void *bytes, size_t n)
{
    char *kept;

    if (in->base >= 0 || in->lost || !in->keeps)
        return;
    kept = in->nkept + n <= KEPT ? realloc(in->kept, in->nkept + n) : NULL;
    in->lost = !kept;
    if (!kept)
        return;
    in->kept = kept;
    memcpy(in->kept + in->nkept, bytes, n);
    in->nkept += n;
}

static ssize_t give_kept(struct cli_input *in, void *buf, size_t size)
{
    const size_t left = in->nkept - in->again, n = left < size ? left : size;

    memcpy(buf, in->kept + in->again, n);
    in->again += n;
    return (ssize_t)n;
}

static int continue_at(void *input, uint64_t offset)
{
    struct cli_input *in = input;

    const uint64_t size = in->part.end - in->part.begin;

    in->given = in->nhead;
    in->done = offset ? in->done : 0; /* all of it is read again */
    if (in->part.end) {
        in->part.at = in->part.begin + (offset < size ? offset : size);
        return 0;
    }
    return lseek(in->fd, in->base + (off_t)offset, SEEK_SET) < 0 ? -errno : 0;
}

int cli_input_begin(struct cli_input *in, struct td *td)
{
    const off_t at = lseek(in->fd, 0, SEEK_CUR);

    in->base = in->part.end ? 0 : at < 0 ? -1 : at - (off_t)in->nhead;
    if (in->base >= 0)
        td_set_seek(td, continue_at);
    return td_open(td, in->name, cli_input_read, in);
}

bool cli_input_again(struct cli_input *in)
{
    if (in->part.end) {
        in->done = 0;
        return !continue_at(in, 0);
    }
    if (in->base >= 0) {
        if (lseek(in->fd, in->base, SEEK_SET) < 0)
            return false;
        in->given = in->nhead;
        in->done = 0;
        return true;
    }
    in->repeats = in->keeps && !in->lost;
    in->again = 0;
    return in->repeats;
}

ssize_t cli_input_read(void *input, void *buf, size_t size)
{
    struct cli_input *in = input;
    const bool again = in->repeats && in->again < in->nkept;
    ssize_t n = again ? give_kept(in, buf, size) : read_on(in, buf, size);
    double now;

    if (n > 0)
        in->done += (uint64_t)n;
    if (n > 0 && !in->repeats)
        keep(in, buf, (size_t)n);
    if (!in->line)
        return n;
    now = seconds();
    if (n <= 0) {
        cli_line_erase();
    } else if (now - in->drawn >= period) {
        draw(in, now);
        in->drawn = now;
    }
    return n;
}
