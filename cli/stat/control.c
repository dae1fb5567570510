/* SPDX-License-Identifier: MIT */
/* --control, in the grammar of perf stat (tools/perf/Documentation/perf-stat.txt):
 * lines on a descriptor or fifo, each answered by "ack\n" on another. */
#include "cli/stat/control.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *word;
    enum cli_order order;
} orders[] = {{"enable", CLI_ENABLE},
              {"disable", CLI_DISABLE},
              {"ping", CLI_PING},
              {"snapshot", CLI_SNAPSHOT},
              {"stop", CLI_STOP}};

/* A descriptor that the caller left open for us. perf accepts a closed one and
 * then receives nothing. */
static int take_fd(const char *text, int wrong, int *out)
{
    char *end;
    long fd = strtol(text, &end, 10);
    int flags;

    if (end == text || *end || fd < 0 || fd > 1 << 20)
        return cli_usage("--control: '%s' is not a file descriptor", text);
    flags = fcntl((int)fd, F_GETFL);
    if (flags < 0)
        return cli_usage("--control: file descriptor %ld is not open", fd);
    if ((flags & O_ACCMODE) == wrong)
        return cli_usage("--control: file descriptor %ld cannot be %s", fd, wrong == O_WRONLY ? "read" : "written");
    *out = (int)fd;
    return 0;
}

/* Opened in both directions: so there is no end of file between two writers,
 * and it can be opened before its other end is. */
static int open_fifo(const char *path, int *out)
{
    struct stat st;

    *out = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (*out < 0)
        return cli_usage("--control: %s cannot be opened: %s", path, strerror(errno));
    if (!fstat(*out, &st) && S_ISFIFO(st.st_mode))
        return 0;
    return cli_usage("--control: %s is not a fifo (mkfifo makes one)", path);
}

int cli_control_open(struct cli_control *c, const char *text)
{
    bool fifo = !strncmp(text, "fifo:", 5);
    char *in, *ack;
    int code;

    if (!fifo && strncmp(text, "fd:", 3))
        return cli_usage("--control is fd:CTL[,ACK] or fifo:CTL[,ACK], not '%s'", text);
    c->own = fifo;
    in = strdup(text + (fifo ? 5 : 3));
    if (!in)
        return EXIT_BUG;
    ack = strchr(in, ',');
    if (ack)
        *ack++ = '\0';
    code = fifo ? open_fifo(in, &c->in) : take_fd(in, O_WRONLY, &c->in);
    if (!code && ack)
        code = fifo ? open_fifo(ack, &c->ack) : take_fd(ack, O_RDONLY, &c->ack);
    free(in);
    return code;
}

bool cli_control_ready(const struct cli_control *c)
{
    struct pollfd in = {.fd = c->in, .events = POLLIN};

    return c->in >= 0 && poll(&in, 1, 0) > 0;
}

void cli_control_read(struct cli_control *c)
{
    ssize_t n;

    if (c->n == sizeof(c->line)) { /* longer than any command */
        c->n = 0;
        c->cut = true;
    }
    do {
        n = read(c->in, c->line + c->n, sizeof(c->line) - c->n);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        c->n += (size_t)n;
        return;
    }
    if (n < 0 && errno == EAGAIN)
        return;
    if (n < 0)
        cli_say("--control cannot be read: %s", strerror(errno));
    if (c->n || c->cut) /* the last command may lack its newline */
        c->line[c->n++] = '\n';
    if (c->own)
        close(c->in);
    c->in = -1;
}

static enum cli_order find(char *word)
{
    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++)
        if (!strcmp(orders[i].word, word))
            return orders[i].order;
    if (*word) /* an empty line is no command */
        cli_say("--control: '%s' is not enable, disable, ping, snapshot or stop", word);
    return CLI_NO_ORDER;
}

enum cli_order cli_control_next(struct cli_control *c)
{
    enum cli_order order = CLI_NO_ORDER;

    while (!order && c->n) {
        char word[sizeof(c->line) + 1];
        size_t len = 0;

        while (len < c->n && c->line[len] != '\n' && c->line[len]) /* perf accepts a NUL as the end, too */
            len++;
        if (len == c->n)
            return CLI_NO_ORDER;
        memcpy(word, c->line, len);
        word[len] = '\0';
        c->n -= len + 1;
        memmove(c->line, c->line + len + 1, c->n);
        if (c->cut)
            cli_say("--control: a line of more than %zu bytes was skipped", sizeof(c->line));
        else
            order = find(word);
        c->cut = false;
    }
    return order;
}

void cli_control_ack(struct cli_control *c)
{
    ssize_t n;

    if (c->ack < 0)
        return;
    do {
        n = write(c->ack, "ack\n", 4);
    } while (n < 0 && errno == EINTR);
    if (n == 4)
        return;
    cli_say("--control: the acknowledgement cannot be written: %s", strerror(n < 0 ? errno : EIO));
    if (c->own)
        close(c->ack);
    c->ack = -1;
}

void cli_control_close(struct cli_control *c)
{
    if (c->own && c->in >= 0)
        close(c->in);
    if (c->own && c->ack >= 0)
        close(c->ack);
    c->in = c->ack = -1;
}
