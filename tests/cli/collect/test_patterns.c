/* SPDX-License-Identifier: MIT */
/* Patterns of cgroups, in a tree that is written out here; names as they are shown. */
#include "cli/collect/patterns.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

/* Folders end in '/', in any order. */
static const char *const tree[] = {"cgroup.procs",
                                   "system.slice/",
                                   "system.slice/cgroup.procs",
                                   "system.slice/nginx.service/",
                                   "system.slice/nginx.service/cgroup.procs",
                                   "system.slice/a.b.service/",
                                   "system.slice/a.b.service/sub.service/",
                                   "system.slice/cron.service/",
                                   "system.slice/docker-12.scope/",
                                   "kubepods.slice/",
                                   "kubepods.slice/pod1.slice/",
                                   "kubepods.slice/pod1.slice/cri-1.scope/",
                                   "kubepods.slice/pod2.slice/",
                                   "kubepods.slice/pod2.slice/cri-2.scope/",
                                   "kubepods.slice/x.scope/",
                                   NULL};

static int names(void *ctx, const char *path, cli_name_fn *each, void *arg)
{
    const size_t len = strlen(path);
    bool found = !len;
    int err = 0;

    (void)ctx;
    for (size_t i = 0; tree[i] && !err; i++) {
        const char *rest = tree[i] + len + (len > 0);
        char name[64];

        if (len && (strncmp(tree[i], path, len) || tree[i][len] != '/'))
            continue;
        found = true;
        if (!*rest || strchr(rest, '/') != (rest[strlen(rest) - 1] == '/' ? rest + strlen(rest) - 1 : NULL))
            continue; /* the folder itself, or something below one in it */
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest, "/"), rest);
        err = each(arg, name);
    }
    return found ? err : -ENOENT;
}

/* The folders that a pattern has, with blanks between. */
static const char *found(const char *pattern)
{
    static char text[512];
    struct cli_paths p = {.n = 0};

    *text = '\0';
    CU_ASSERT_EQUAL(cli_paths_find(&p, pattern, names, NULL), 0);
    cli_paths_sort(&p);
    for (size_t i = 0; i < p.n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "", p.path[i]);
    cli_paths_free(&p);
    return text;
}

static void patterns(void)
{
    static const struct {
        const char *pattern, *found;
    } cases[] = {
        {"/system.slice/*.service", "system.slice/a.b.service system.slice/cron.service system.slice/nginx.service"},
        {"system.slice//*[nx].service/", "system.slice/cron.service system.slice/nginx.service"},
        {"system.slice/?ron.service", "system.slice/cron.service"},
        {"system.slice/nginx.service", "system.slice/nginx.service"},
        {"system.slice/nginx", ""},
        {"system.slice/cgroup.procs", ""}, /* a file */
        {"*.procs", ""},
        {"kubepods*", "kubepods.slice"},
        {"*", "kubepods.slice system.slice"},
        {"kubepods.slice/**/*.scope",
         "kubepods.slice/pod1.slice/cri-1.scope kubepods.slice/pod2.slice/cri-2.scope kubepods.slice/x.scope"},
        {"**/*.service", "system.slice/a.b.service system.slice/a.b.service/sub.service system.slice/cron.service "
                         "system.slice/nginx.service"},
        {"kubepods.slice/pod1.slice/**", "kubepods.slice/pod1.slice kubepods.slice/pod1.slice/cri-1.scope"},
        {"nowhere/*", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CU_ASSERT_STRING_EQUAL(found(cases[i].pattern), cases[i].found);
        CU_ASSERT_PTR_NULL(cli_pattern_fault(cases[i].pattern));
    }
}

static void faults(void)
{
    CU_ASSERT_PTR_NOT_NULL(cli_pattern_fault(""));
    CU_ASSERT_PTR_NOT_NULL(cli_pattern_fault("/"));
    CU_ASSERT_PTR_NOT_NULL(cli_pattern_fault("a/../b"));
    CU_ASSERT_PTR_NOT_NULL(cli_pattern_fault(".."));
    CU_ASSERT_PTR_NULL(cli_pattern_fault("a..b/..c"));
}

static void twice(void)
{
    struct cli_paths p = {.n = 0};

    CU_ASSERT_EQUAL(cli_paths_find(&p, "system.slice/c*", names, NULL), 0);
    CU_ASSERT_EQUAL(cli_paths_find(&p, "system.slice/*.service", names, NULL), 0);
    CU_ASSERT_EQUAL(p.n, 4);
    cli_paths_sort(&p);
    CU_ASSERT_EQUAL(p.n, 3);
    CU_ASSERT_TRUE(cli_paths_have(&p, "system.slice/cron.service"));
    CU_ASSERT_FALSE(cli_paths_have(&p, "system.slice/cron"));
    cli_paths_free(&p);
}

/* util/text_clean.h: a byte as \xe9, a backslash before such a text as \x5c. */
static void shown(void)
{
    CU_ASSERT_TRUE(cli_path_shown_as("a/b", "a/b"));
    CU_ASSERT_FALSE(cli_path_shown_as("a/b", "a/bc"));
    CU_ASSERT_FALSE(cli_path_shown_as("a/bc", "a/b"));
    CU_ASSERT_TRUE(cli_path_shown_as("a\xe9z", "a\\xe9z"));
    CU_ASSERT_TRUE(cli_path_shown_as("a\\xe9b", "a\\x5cxe9b"));
    CU_ASSERT_TRUE(cli_path_shown_as("a\\x2db", "a\\x2db")); /* as systemd has it */
    CU_ASSERT_FALSE(cli_path_shown_as("a-b", "a\\x2db"));
    CU_ASSERT_FALSE(cli_path_shown_as("a\xe9z", "a\\x5cxe9z"));
    CU_ASSERT_TRUE(cli_path_shown_as("a\\b", "a\\b"));
}

static const CU_TestInfo tests[] = {{"what a pattern has", patterns},
                                    {"patterns that cannot have any", faults},
                                    {"what two patterns have", twice},
                                    {"names as they are shown", shown},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("collect: patterns", tests);
