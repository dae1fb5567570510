/* SPDX-License-Identifier: MIT */
/* Where a collector listens. Pure. */
#ifndef CLI_COLLECT_ADDRESS_H
#define CLI_COLLECT_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

struct cli_address {
    struct sockaddr_storage at;
    socklen_t size;
};

/* "9100", "127.0.0.1:9100" or "[::1]:9100": a port alone is of this machine's loopback, so that nobody else can ask.
 * false: it is none of these. */
bool cli_address_take(const char *text, struct cli_address *out);

#endif
