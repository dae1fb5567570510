/* SPDX-License-Identifier: MIT */
/* Names in paths of cgroups, as container runtimes and systemd make them. */
#include "report/cgroup_name.h"

#include "tests/support/unit.h"

#include <string.h>

#define ID63 "123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define ID "0" ID63

/* An id is 64 digits, neither more nor fewer, at the end of the last name, but for what systemd adds. */
static void containers(void)
{
    static const struct {
        const char *path, *name; /* name NULL: none of a container */
    } of[] = {
        {ID, "0123456789ab"},
        {"/" ID, "0123456789ab"},
        {"/docker/" ID, "0123456789ab"},
        {"/system.slice/docker-" ID ".scope", "docker-0123456789ab"},
        {"/a/crio-" ID ".service", "crio-0123456789ab"},
        {"/a/b-" ID ".slice", "b-0123456789ab"},
        {"/a/" ID ".mount", NULL},
        {"/a/f" ID, NULL},
        {"/a/" ID63, NULL},
        {"/a/A" ID63, NULL},
        {"/a/g" ID, "g0123456789ab"},
        {"/a/" ID "/", NULL},
        {"/a/" ID ".scope/init", NULL},
        {"/", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        char name[40] = "before";

        CU_ASSERT_EQUAL(td_cgroup_container(of[i].path, name, sizeof(name)), of[i].name != NULL);
        CU_ASSERT_STRING_EQUAL(name, of[i].name ? of[i].name : "");
    }
    {
        char name[5] = "xxxx";

        CU_ASSERT(td_cgroup_container("/" ID, name, 4));
        CU_ASSERT_STRING_EQUAL(name, "012");
    }
}

/* The last .service or .scope of a path, which has a name besides. */
static void units(void)
{
    static const struct {
        const char *path;
        int at, len; /* at -1: none */
    } of[] = {
        {"/system.slice/nginx.service", 14, 13},
        {"/system.slice/nginx.service/x", 14, 13},
        {"/a.service/b.scope/c", 11, 7},
        {"/a.service/b.slice", 1, 9},
        {"a.service", 0, 9},
        {"a.service/", 0, 9},
        {"/.service", -1, 0},
        {"/a.scope/.service", 1, 7},
        {"/a.services", -1, 0},
        {"/service", -1, 0},
        {"/", -1, 0},
        {"", -1, 0},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        size_t len = 0;
        const char *found = td_cgroup_unit(of[i].path, &len);

        CU_ASSERT_PTR_EQUAL(found, of[i].at < 0 ? NULL : of[i].path + of[i].at);
        CU_ASSERT(!found || len == (size_t)of[i].len);
    }
}

static const CU_TestInfo tests[] = {{"containers", containers}, {"units", units}, CU_TEST_INFO_NULL};
UNIT_SUITE("names of cgroups", tests);
