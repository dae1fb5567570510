/* SPDX-License-Identifier: MIT */
/* Cgroups that come and go, and their turns where there are more than can be counted at one time. */
#include "cli/collect/followed.h"
#include "tests/support/unit.h"

#include <string.h>

/* The root has a folder for each letter of this text; a digit after it tells which folder it is. */
static int names(void *letters, const char *path, cli_name_fn *each, void *arg)
{
    char name[2] = "";
    int err = 0;

    for (const char *at = letters; !*path && *at && !err; at++) {
        name[0] = *at;
        err = *at < 'A' ? 0 : each(arg, name);
    }
    return err;
}

static uint64_t identity(void *letters, const char *path)
{
    const char *at = strchr(letters, *path);

    return at && at[1] > '0' && at[1] < 'A' ? (uint64_t)(at[1] - '0') : 0;
}

static const char *text_of(const struct cli_paths *p)
{
    static char text[8][64];
    static unsigned turn;
    char *out = text[turn++ % 8];

    *out = '\0';
    for (size_t i = 0; i < p->n; i++)
        strcat(out, p->path[i]);
    return out;
}

static void has(const struct cli_followed *f, const char *all, const char *waiting, const char *come)
{
    CU_ASSERT_STRING_EQUAL(text_of(&f->all), all);
    CU_ASSERT_STRING_EQUAL(text_of(&f->waiting), waiting);
    CU_ASSERT_STRING_EQUAL(text_of(&f->come), come);
}

static void look(struct cli_followed *f, const char *there, const char *waiting, const char *gone)
{
    CU_ASSERT_EQUAL(cli_followed_look(f, names, identity, (char *)(uintptr_t)there), 0);
    CU_ASSERT_STRING_EQUAL(text_of(&f->waiting), waiting);
    CU_ASSERT_STRING_EQUAL(text_of(&f->gone), gone);
    CU_ASSERT_EQUAL(f->come.n, 0);
}

static void admit(struct cli_followed *f, size_t n, const char *all, const char *waiting, const char *come)
{
    CU_ASSERT_EQUAL(cli_followed_admit(f, n), 0);
    has(f, all, waiting, come);
}

static void follow(void)
{
    struct cli_followed f = {.most = 0};

    CU_ASSERT_PTR_NULL(cli_followed_patterns(&f, "[a-m],[k-z]"));
    look(&f, "", "", "");
    look(&f, "kab", "abk", "");
    admit(&f, 9, "abk", "", "abk");
    look(&f, "abk", "", "");
    has(&f, "abk", "", "");
    look(&f, "zbA", "z", "ak");
    admit(&f, 1, "bz", "", "z");
    look(&f, "bc", "c", "z");
    look(&f, "b", "", "c"); /* one that waited is told of as gone too: it may have counted before */
    has(&f, "b", "", "");
    cli_followed_free(&f);
}

/* One whose folder was made anew is gone and new at once. */
static void anew(void)
{
    struct cli_followed f = {.most = 0};

    CU_ASSERT_PTR_NULL(cli_followed_patterns(&f, "*"));
    look(&f, "a1b1c1", "abc", "");
    admit(&f, 2, "ab", "c", "ab");
    look(&f, "a1b1c1d1", "cd", "");
    look(&f, "a2b1c2d1", "dac", "ac");
    has(&f, "b", "dac", "");
    admit(&f, 3, "abcd", "", "dac");
    look(&f, "a2b1c2d1", "", "");
    cli_followed_free(&f);
}

/* Five where two can be counted at one time, one of which ends its turn after each interval. */
static void turns(void)
{
    struct cli_followed f = {.most = 2};
    char name[2] = "a", *path = name;
    const struct cli_paths a = {.path = &path, .n = 1};

    CU_ASSERT_PTR_NULL(cli_followed_patterns(&f, "*"));
    look(&f, "ab", "ab", "");
    CU_ASSERT_TRUE(cli_followed_fit(&f));
    admit(&f, 2, "ab", "", "ab");
    look(&f, "abcde", "cde", "");
    CU_ASSERT_FALSE(cli_followed_fit(&f));
    CU_ASSERT_EQUAL(cli_followed_rest(&f, &a), 0);
    has(&f, "b", "cdea", "");
    admit(&f, 1, "bc", "dea", "c");
    CU_ASSERT_EQUAL(cli_followed_rest(&f, &a), 0); /* it is not counted */
    has(&f, "bc", "dea", "c");
    name[0] = 'b';
    CU_ASSERT_EQUAL(cli_followed_rest(&f, &a), 0);
    admit(&f, 1, "cd", "eab", "cd");
    look(&f, "bcde", "eb", "a");
    CU_ASSERT_EQUAL(cli_followed_restart(&f), 0); /* the turn goes on with those that wait */
    admit(&f, 2, "be", "cd", "eb");
    look(&f, "cd", "cd", "be");
    CU_ASSERT_TRUE(cli_followed_fit(&f));
    cli_followed_free(&f);
}

static void wrong(void)
{
    struct cli_followed f = {.most = 0};

    CU_ASSERT_PTR_NOT_NULL(cli_followed_patterns(&f, "a,,b"));
    CU_ASSERT_PTR_NOT_NULL(cli_followed_patterns(&f, "a/../b"));
    CU_ASSERT_PTR_NOT_NULL(cli_followed_patterns(&f, ""));
    cli_followed_free(&f);
}

/* 64 CPUs and 9 events: 576 descriptors for each. */
static void most(void)
{
    CU_ASSERT_EQUAL(cli_followed_most(1048576, 576), 1820); /* (1048576 - 256) / 576 = 1820.0 */
    CU_ASSERT_EQUAL(cli_followed_most(1024, 576), 1);
    CU_ASSERT_EQUAL(cli_followed_most(1024, 384), 2);
    CU_ASSERT_EQUAL(cli_followed_most(1024, 385), 1);
    CU_ASSERT_EQUAL(cli_followed_most(100, 576), 1);
    CU_ASSERT_EQUAL(cli_followed_most(0, 0), 1);
}

static const CU_TestInfo tests[] = {
    {"those that come and go", follow}, {"those that are made anew", anew}, {"turns", turns},
    {"lists that are wrong", wrong},    {"how many there can be", most},    CU_TEST_INFO_NULL};
UNIT_SUITE("collect: cgroups", tests);
