/* SPDX-License-Identifier: MIT */
/* The tree of files against a plain list of them, and what the machine shows of several trees. */
#include "sim/kernel/files.h"
#include "tests/support/sim_text.h"

#include <stdlib.h>

enum { FILES = 40 };

/* "/a", "/b/a/c": few names, so that files, folders and parts of names meet. */
static void random_path(struct unit_random *r, char out[32])
{
    static const char *const names[] = {"a", "b", "aa", "ab", "a.b"};
    size_t n = 0;

    for (uint64_t parts = 1 + unit_random_below(r, 4); parts; parts--)
        n += (size_t)snprintf(out + n, 32 - n, "/%s", names[unit_random_below(r, 5)]);
}

static bool is_below(const char *path, const char *folder)
{
    return !strncmp(path, folder, strlen(folder)) && path[strlen(folder)] == '/';
}

/* A folder's names, each after a blank, in the order of the files below it, found in the list. */
static void names_by_list(char (*path)[32], size_t n, const char *folder, char *out)
{
    strcpy(out, " ");
    for (size_t i = 0; i < n; i++) {
        const char *rest = path[i] + strlen(folder) + 1;
        char name[40];

        if (!is_below(path[i], folder))
            continue;
        snprintf(name, sizeof(name), " %.*s ", (int)strcspn(rest, "/"), rest);
        if (!strstr(out, name))
            strcat(out, name + 1);
    }
}

static void trees(void)
{
    struct unit_random r = {7};

    for (unsigned long round = unit_rounds(2000); round-- > 0;) {
        struct td_sim_tree t = {0};
        char path[FILES][32], number[24], wanted[400], got[400];
        const size_t n = 1 + (size_t)unit_random_below(&r, FILES);

        for (size_t i = 0; i < n; i++) {
            random_path(&r, path[i]);
            snprintf(number, sizeof(number), "%zu", i);
            CU_ASSERT_EQUAL(td_sim_file_format(&t, number, "%s", path[i]), 0);
        }
        for (size_t i = 0; i < n; i++) {
            const struct td_sim_node *node = td_sim_file_find(&t, path[i], strlen(path[i]));
            size_t first = 0;

            while (strcmp(path[first], path[i]))
                first++;
            CU_ASSERT_TRUE_FATAL(node && node->text && (size_t)atoi(node->text) == first); /* the first stays */
            CU_ASSERT_STRING_EQUAL(td_sim_file_name(node), strrchr(path[i], '/') + 1);
            names_by_list(path, n, path[i], wanted);
            strcpy(got, " ");
            for (const struct td_sim_node *c = node->child; c; c = c->next)
                strcat(strcat(got, td_sim_file_name(c)), " ");
            CU_ASSERT_STRING_EQUAL(got, wanted);
        }
        CU_ASSERT_PTR_NULL(td_sim_file_find(&t, "/aaa", 4));
        CU_ASSERT_PTR_NULL(td_sim_file_find(&t, "/c/a", 2));
        td_sim_tree_free(&t);
    }
}

static void hiding(void)
{
    struct unit_random r = {11};

    for (unsigned long round = unit_rounds(2000); round-- > 0;) {
        struct td_sim_tree t = {0};
        char path[FILES][32], asked[32];
        size_t n = (size_t)unit_random_below(&r, 4);

        for (size_t i = 0; i < n; i++) {
            random_path(&r, path[i]);
            CU_ASSERT_EQUAL(td_sim_file_hide(&t, path[i]), 0);
        }
        for (int i = 0; i < 20; i++) {
            bool hidden = false;

            random_path(&r, asked);
            for (size_t k = 0; k < n; k++)
                hidden = hidden || !strcmp(asked, path[k]) || is_below(asked, path[k]);
            CU_ASSERT_EQUAL(td_sim_file_hidden(&t, asked), hidden);
        }
        td_sim_tree_free(&t);
    }
}

static int join_names(void *arg, const char *name)
{
    strcat(strcat(arg, name), " ");
    return 0;
}

static int stop_at_comm(void *arg, const char *name)
{
    join_names(arg, name);
    return strcmp(name, "comm") ? 0 : 5;
}

static int list(const char *path, td_os_name_fn *each, char names[512])
{
    *names = '\0';
    return os->names(os->ctx, path, each, names);
}

/* Files of the description and of the machine can be in the same folder. */
static void several_trees(void)
{
    char names[512], text[8];

    if (!begin(
            BIG
            "file /proc/7/maps = m\nfile /proc/7/comm = mine\\n\nabsent /proc/7/task/8\nfile /proc/9 = x\nabsent /proc/8\n"
            "task 7 its w cpus=0 threads=8\n"))
        return;
    CU_ASSERT_TRUE(list("/proc/7", join_names, names) == 0);
    CU_ASSERT_STRING_EQUAL(names, "maps comm task status schedstat cgroup ");
    CU_ASSERT_TRUE(list("/proc/7/", stop_at_comm, names) == 5 && !strcmp(names, "maps comm "));
    CU_ASSERT_TRUE(list("/proc/7/task", join_names, names) == 0 && !strcmp(names, "7 "));
    CU_ASSERT_TRUE(list("/proc", join_names, names) == 0 && !strcmp(names, "7 9 sys self "));
    CU_ASSERT_TRUE(list("/", join_names, names) == 0 && !strcmp(names, "proc sys "));
    CU_ASSERT_TRUE(file_is("/proc/7/comm", "mine\n") && file_is("/proc/7/task/7/comm", "its\n"));
    CU_ASSERT_TRUE(list("/proc/9", join_names, names) == -ENOTDIR &&
                   list("/proc/7/comm", join_names, names) == -ENOTDIR);
    CU_ASSERT_TRUE(list("/proc/8", join_names, names) == -ENOENT &&
                   list("/proc/7/task/8", join_names, names) == -ENOENT);
    CU_ASSERT_EQUAL(os->file(os->ctx, "/proc/8/comm", text, sizeof(text)), -ENOENT); /* hidden, though it is there */
    CU_ASSERT_EQUAL(os->file(os->ctx, "/proc/7/task", text, sizeof(text)), -EISDIR);
    CU_ASSERT_EQUAL(os->file(os->ctx, "/proc/7/comm", text, 3), 2); /* cut */
    CU_ASSERT_STRING_EQUAL(text, "mi");
    end();
}

/* What changes is made anew once somebody reads it. */
static void anew(void)
{
    char *const argv[] = {"x", NULL};
    char names[512];
    pid_t pid;

    if (!begin(BIG "command w ms=5\nhotplug 1 on at=20\nhotplug 1 off at=10\n"))
        return;
    CU_ASSERT_EQUAL(list("/proc/5000", join_names, names), -ENOENT);
    pid = os->spawn(os->ctx, argv);
    CU_ASSERT_TRUE(pid == 5000 && list("/proc/5000", join_names, names) == 0);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(pass(8), TD_OS_EXIT);
    CU_ASSERT_EQUAL(list("/proc/5000", join_names, names), -ENOENT);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0-1\n"));
    pass(8);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0\n"));
    pass(8);
    CU_ASSERT_TRUE(file_is("/sys/devices/system/cpu/online", "0-1\n"));
    end();
}

/* What tasks used: a file that is made anew each time it is read. */
static void counts_of_tasks(void)
{
    char *const argv[] = {"x", NULL};
    struct td_os_used used;
    pid_t pid;

    if (!begin(BIG "command w ms=25 slice=10 cpus=0-1\ntask 7 it w cpus=0-1 slice=10 threads=8\n"))
        return;
    CU_ASSERT_TRUE(
        file_is("/proc/7/status", "Name:\tit\nvoluntary_ctxt_switches:\t0\nnonvoluntary_ctxt_switches:\t0\n"));
    pass(25);
    CU_ASSERT_TRUE(
        file_is("/proc/7/task/8/status", "Name:\tit\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1\n"));
    CU_ASSERT_TRUE(file_is("/proc/8/schedstat", "25000000 0 2\n"));
    end();
    if (!begin(BIG "command w ms=25 slice=10 cpus=0-1\n"))
        return;
    pid = os->spawn(os->ctx, argv);
    CU_ASSERT_EQUAL(os->release(os->ctx), 0);
    CU_ASSERT_EQUAL(os->used(os->ctx, pid, &used), -ESRCH);
    CU_ASSERT_EQUAL(pass(100), TD_OS_EXIT);
    CU_ASSERT_EQUAL(os->used(os->ctx, pid + 1, &used), -ESRCH);
    CU_ASSERT_EQUAL_FATAL(os->used(os->ctx, pid, &used), 0);
    CU_ASSERT_EQUAL(used.switches, 3); /* after 10 and 20 ms, and its end */
    CU_ASSERT_EQUAL(used.ran, 25000000);
    end();
}

static const CU_TestInfo tests[] = {
    {"trees", trees},
    {"hiding", hiding},
    {"several trees", several_trees},
    {"anew", anew},
    {"what tasks used", counts_of_tasks},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("simulated files", tests);
