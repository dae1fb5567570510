/* SPDX-License-Identifier: MIT */
/* Where a collector listens: a port alone is of the loopback. */
#include "cli/collect/address.h"
#include "tests/support/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/* "127.0.0.1 9123"; "" for what is refused. */
static const char *taken(const char *text)
{
    static char out[80];
    struct cli_address a;
    char host[64] = "";
    in_port_t port;

    if (!cli_address_take(text, &a))
        return "";
    if (a.at.ss_family == AF_INET) {
        inet_ntop(AF_INET, &((struct sockaddr_in *)&a.at)->sin_addr, host, sizeof(host));
        port = ((struct sockaddr_in *)&a.at)->sin_port;
        CU_ASSERT_EQUAL(a.size, sizeof(struct sockaddr_in));
    } else {
        inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&a.at)->sin6_addr, host, sizeof(host));
        port = ((struct sockaddr_in6 *)&a.at)->sin6_port;
        CU_ASSERT_EQUAL(a.size, sizeof(struct sockaddr_in6));
    }
    snprintf(out, sizeof(out), "%s %d", host, ntohs(port));
    return out;
}

static void addresses(void)
{
    CU_ASSERT_STRING_EQUAL(taken("9123"), "127.0.0.1 9123");
    CU_ASSERT_STRING_EQUAL(taken("0.0.0.0:1"), "0.0.0.0 1");
    CU_ASSERT_STRING_EQUAL(taken("10.0.0.1:65535"), "10.0.0.1 65535");
    CU_ASSERT_STRING_EQUAL(taken("[::1]:9123"), "::1 9123");
    CU_ASSERT_STRING_EQUAL(taken("[fe80::1]:80"), "fe80::1 80");
}

static void refused(void)
{
    static const char *const wrong[] = {"",      ":9123",        "0",    "65536", "-1",      "9123x",    "localhost:1",
                                        "::1:9", "[::1:9123",    "[]:1", "[1]:1", "1.2.3:4", "1.2.3.4:", "1.2.3.4:0",
                                        "[::1]", "[127.0.0.1]:1"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        CU_ASSERT_STRING_EQUAL(taken(wrong[i]), "");
}

static const CU_TestInfo tests[] = {{"addresses", addresses}, {"what is none", refused}, CU_TEST_INFO_NULL};
UNIT_SUITE("collect: addresses", tests);
