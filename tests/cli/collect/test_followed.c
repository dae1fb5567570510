/* SPDX-License-Identifier: MIT */
/* Cgroups that come and go, up to the most that there are descriptors for. */
#include "cli/collect/followed.h"
#include "tests/support/unit.h"

#include <string.h>

/* The root has a folder for each letter of this text. */
static int names(void *letters, const char *path, cli_name_fn *each, void *arg)
{
    char name[2] = "";
    int err = 0;

    for (const char *at = letters; !*path && *at && !err; at++) {
        name[0] = *at;
        err = each(arg, name);
    }
    return err;
}

static const char *text_of(const struct cli_paths *p)
{
    static char text[4][64];
    static unsigned turn;
    char *out = text[turn++ % 4];

    *out = '\0';
    for (size_t i = 0; i < p->n; i++)
        strcat(out, p->path[i]);
    return out;
}

static void look(struct cli_followed *f, const char *there, const char *all, const char *come, const char *gone,
                 size_t left_out)
{
    CU_ASSERT_EQUAL(cli_followed_look(f, names, (char *)(uintptr_t)there), 0);
    CU_ASSERT_STRING_EQUAL(text_of(&f->all), all);
    CU_ASSERT_STRING_EQUAL(text_of(&f->come), come);
    CU_ASSERT_STRING_EQUAL(text_of(&f->gone), gone);
    CU_ASSERT_EQUAL(f->left_out, left_out);
}

static void follow(void)
{
    struct cli_followed f = {.most = 0};

    CU_ASSERT_PTR_NULL(cli_followed_patterns(&f, "[a-m],[k-z]"));
    look(&f, "", "", "", "", 0);
    look(&f, "kab", "abk", "abk", "", 0);
    look(&f, "abk", "abk", "", "", 0);
    look(&f, "zbA", "bz", "z", "ak", 0);
    f.most = 3;
    look(&f, "abcdz", "abz", "a", "", 2); /* those that are counted stay */
    look(&f, "bcdz", "bcz", "c", "a", 1);
    look(&f, "c", "c", "", "bz", 0);
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

static const CU_TestInfo tests[] = {{"those that come and go", follow},
                                    {"lists that are wrong", wrong},
                                    {"how many there can be", most},
                                    CU_TEST_INFO_NULL};
UNIT_SUITE("collect: cgroups", tests);
