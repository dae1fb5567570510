/* SPDX-License-Identifier: MIT */
/* Which scopes are the same. */
#include "tests/support/memory.h"
#include "tests/support/unit.h"
#include "util/scope_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct td_scope_id id(const char *kind, const char *name, const char *core)
{
    return (struct td_scope_id){.kind = kind, .name = name, .core = core, .length = strlen(name)};
}

/* All of them differ from each other, each by one thing. */
static const struct {
    const char *kind, *name, *core;
} different[] = {
    {"cpu", "X", NULL},       {"cgroup", "X", NULL}, {"cpu", "X", "P"},  {"cpu", "X", "E"},
    {"cgroup", "X", "P"},     {"cpu", "Y", NULL},    {"cpu", "x", NULL}, {"cpu", "", NULL},
    {"cgroup", "", NULL},     {"cpu", "XP", NULL},   {"cpu", "", "P"},   {"cpu", "cgroup", NULL},
    {"cgroup", "cpu", NULL},  {"cpu", "P", NULL},    {"P", "cpu", NULL}, {"cpu", "caf\xe8", NULL},
    {"cpu", "caf\xe9", NULL}, {"cpu", "caf", NULL},  {"", "", NULL},
};
enum { DIFFERENT = sizeof(different) / sizeof(*different) };

static struct td_scope_id one(size_t i)
{
    return id(different[i].kind, different[i].name, different[i].core);
}

static void same(void)
{
    char name[] = "X", kind[] = "cpu", none[] = "";
    const struct td_scope_id here = one(0), there = id(kind, name, none),
                             part = {.kind = "cpu", .name = "XY", .length = 1};

    CU_ASSERT(td_scope_same(&here, &there)); /* no kind of core: NULL or "" */
    CU_ASSERT(td_scope_same(&here, &part));
    for (size_t i = 0; i < DIFFERENT; i++)
        for (size_t k = 0; k < DIFFERENT; k++) {
            const struct td_scope_id a = one(i), b = one(k);

            CU_ASSERT_EQUAL(td_scope_same(&a, &b), i == k);
        }
}

static void numbers(void)
{
    struct td_scope_table t = {.n = 0};

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < DIFFERENT; i++) {
            const struct td_scope_id a = one(i);

            CU_ASSERT_EQUAL(td_scope_table_find(&t, &a), round ? (long)i : -1);
            CU_ASSERT_EQUAL(td_scope_table_number(&t, &a), (long)i);
            CU_ASSERT(td_scope_same(&t.id[i], &a) && t.id[i].name != a.name);
        }
    for (size_t i = DIFFERENT; i-- > 0;) { /* against the order that is expected */
        const struct td_scope_id a = one(i);

        CU_ASSERT_EQUAL(td_scope_table_number(&t, &a), (long)i);
    }
    CU_ASSERT_EQUAL(t.n, DIFFERENT);
    td_scope_table_free(&t);
    CU_ASSERT(t.n == 0 && t.kinds == 0 && !t.id && !t.kind); /* and may be filled again */
}

/* Only the kind tells "X", "" and "cpu" from another, and "X" of P-cores, but not "X" of E-cores. */
static void namesakes(void)
{
    struct td_scope_table t = {.n = 0};

    for (size_t i = 0; i < DIFFERENT; i++) {
        const struct td_scope_id a = one(i);

        CU_ASSERT_FATAL(td_scope_table_number(&t, &a) >= 0);
    }
    for (size_t i = 0; i < DIFFERENT; i++) {
        const struct td_scope_id a = one(i);
        const bool two =
            (!strcmp(a.name, "X") && (!a.core || *a.core == 'P')) || (!*a.name && !a.core) || !strcmp(a.name, "cpu");

        CU_ASSERT_EQUAL(td_scope_table_namesake(&t, &a), two);
    }
    td_scope_table_free(&t);
}

static int fill(void *ctx)
{
    struct td_scope_table t = {.n = 0};
    long at = 0;

    (void)ctx;
    for (size_t i = 0; i < 60 && at >= 0; i++) {
        char kind[8], name[8];
        const struct td_scope_id a = {kind, name, i % 3 ? "P" : NULL, 2};

        snprintf(kind, sizeof(kind), "k%zu", i % 20);
        snprintf(name, sizeof(name), "%zu", 10 + i);
        at = td_scope_table_number(&t, &a);
        CU_ASSERT(at == (long)i || at == -ENOMEM);
        CU_ASSERT_EQUAL(td_scope_table_find(&t, &a) >= 0, t.n == i + 1);
    }
    td_scope_table_free(&t);
    return at < 0 ? (int)at : 0;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(fill, NULL, 1, false) > 60);
}

static const CU_TestInfo tests[] = {
    {"without memory", without_memory}, {"the same", same}, {"numbers", numbers},
    {"namesakes", namesakes},           CU_TEST_INFO_NULL,
};
UNIT_SUITE("scope_table", tests);
