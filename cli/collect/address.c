/* SPDX-License-Identifier: MIT */
#include "cli/collect/address.h"

#include "cli/numbers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

enum { PORTS = 65535 };

static bool take_v6(const char *text, in_port_t port, struct cli_address *out)
{
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = port};

    out->size = sizeof(a);
    if (inet_pton(AF_INET6, text, &a.sin6_addr) != 1)
        return false;
    memcpy(&out->at, &a, sizeof(a));
    return true;
}

static bool take_v4(const char *text, in_port_t port, struct cli_address *out)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = port};

    out->size = sizeof(a);
    if (inet_pton(AF_INET, text, &a.sin_addr) != 1)
        return false;
    memcpy(&out->at, &a, sizeof(a));
    return true;
}

bool cli_address_take(const char *text, struct cli_address *out)
{
    const char *colon = strrchr(text, ':');
    const size_t n = colon ? (size_t)(colon - text) : 0;
    char host[64];
    long port;

    memset(out, 0, sizeof(*out));
    if (n >= sizeof(host) || !cli_number(colon ? colon + 1 : text, 1, PORTS, &port))
        return false;
    if (!colon)
        return take_v4("127.0.0.1", htons((in_port_t)port), out);
    memcpy(host, text, n);
    host[n] = '\0';
    if (*host != '[')
        return take_v4(host, htons((in_port_t)port), out);
    if (n < 2 || host[n - 1] != ']')
        return false;
    host[n - 1] = '\0';
    return take_v6(host + 1, htons((in_port_t)port), out);
}
