/* SPDX-License-Identifier: MIT */
/* Reads a file descriptor, again where a signal interrupted it. */
#include "cli/cli.h"

#include <errno.h>
#include <unistd.h>

ssize_t cli_read_fd(void *fd, void *buf, size_t size)
{
    ssize_t n;

    do {
        n = read(*(int *)fd, buf, size);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}
