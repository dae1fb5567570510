/* SPDX-License-Identifier: MIT */
/* Samples while memory runs out: address spaces, places of each kind, call chains, cgroups and courses say so, and free
 * what they have. */
#include "samples/calls.h"
#include "samples/cgroups.h"
#include "samples/courses.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIDS = 6, ADDRESSES = 3 };

static int map(struct td_spaces *s, uint32_t pid, const char *path, uint64_t start)
{
    return td_spaces_map(s, pid,
                         &(struct td_mapping){.start = start, .size = 0x1000, .path = path, .path_size = strlen(path)});
}

/* Processes of two files each, a thread, and a child that executes another file. */
static int fill(struct td_spaces *s)
{
    int err = 0;

    for (uint32_t pid = 1; pid <= PIDS && !err; pid++) {
        err = map(s, pid, "/a", 0x1000);
        err = err ? err : map(s, pid, "/b", 0x3000);
        err = err ? err : td_spaces_name(s, pid, pid, "name", 4, false);
        err =
            err ? err
                : td_spaces_fork(s, &(struct td_birth){.pid = pid, .parent = pid, .tid = 10 * pid, .parent_tid = pid});
    }
    err = err ? err
              : td_spaces_fork(s, &(struct td_birth){.pid = 7, .parent = 1, .tid = 7, .parent_tid = 1, .seen = true});
    err = err ? err : td_spaces_name(s, 7, 7, "other", 5, true);
    err = err ? err : map(s, 7, "/c", 0x1000);
    return err ? err : td_spaces_build_id(s, "/a", 2, (const unsigned char *)"12345678901234567890", 20);
}

static int find_all(struct td_places *p, struct td_spaces *s)
{
    const struct td_place *place[TD_PLACES_AT];
    size_t n;
    int err = 0;

    for (uint32_t pid = 1; pid <= 7 && !err; pid++)
        for (unsigned i = 0; i < ADDRESSES && !err; i++)
            err = td_places_find(p, s,
                                 &(struct td_hit){.pid = pid,
                                                  .tid = pid,
                                                  .cpu = pid,
                                                  .cgroup_id = pid,
                                                  .address = 0x1010 + 0x2000 * i,
                                                  .has_address = true},
                                 place, &n);
    return err;
}

static int found(void *ctx)
{
    const enum td_samples_by *by = ctx;
    const struct td_stores stores = {.root = "/nowhere"};
    struct td_spaces *s = td_spaces_new();
    struct td_places *p = td_places_new(*by, &stores, false, true);
    int err = s && p ? fill(s) : -ENOMEM;

    err = err ? err : find_all(p, s);
    td_places_free(p);
    td_spaces_free(s);
    return err;
}

static void places(void)
{
    static const enum td_samples_by all[] = {
        TD_SAMPLES_BY_FUNCTION, TD_SAMPLES_BY_DSO,    TD_SAMPLES_BY_THREAD, TD_SAMPLES_BY_COMM,  TD_SAMPLES_BY_CPU,
        TD_SAMPLES_BY_LINE,     TD_SAMPLES_BY_SOURCE, TD_SAMPLES_BY_CGROUP, TD_SAMPLES_BY_STACK, TD_SAMPLES_BY_ADDRESS};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT(memory_each(found, (void *)(uintptr_t)&all[i], 1, false) >= 10);
}

/* Names, lines and inlined functions of two programs of tests/samples/symfs, and the code of one of its functions. */
static int named(void *ctx)
{
    const enum td_samples_by *by = ctx;
    char root[4096];
    const struct td_stores stores = {.root = root};
    const struct td_mapping
        kernels = {.start = 0x401000, .size = 0x1000, .offset = 0x1000, .path = "/usr/bin/kernels", .path_size = 16},
        crew = {.start = 0x601000, .size = 0x1000, .offset = 0x1000, .path = "/usr/bin/crew", .path_size = 13};
    const struct td_place *place[TD_PLACES_AT];
    struct td_spaces *s = td_spaces_new();
    struct td_places *p;
    struct td_code *code = NULL;
    size_t n;
    int err = 0;

    snprintf(root, sizeof(root), "%s/tests/samples/symfs", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    p = td_places_new(*by, &stores, *by == TD_SAMPLES_BY_ADDRESS, false);
    err = s && p ? td_places_split(p, "scan", NULL) : -ENOMEM;
    err = err ? err : td_spaces_map(s, 1, &kernels);
    err = err ? err : td_spaces_map(s, 1, &crew);
    err = err ? err
              : td_places_find(p, s, &(struct td_hit){.pid = 1, .address = 0x601200, .has_address = true}, place, &n);
    for (uint64_t address = 0x401159; address < 0x401190 && !err; address += 0x13)
        err = td_places_find(p, s, &(struct td_hit){.pid = 1, .address = address, .has_address = true}, place, &n);
    if (!err && *by == TD_SAMPLES_BY_FUNCTION) {
        err = td_places_code(p, place[n - 1]->name, &code);
        td_code_free(code);
    }
    td_places_free(p);
    td_spaces_free(s);
    return err;
}

static void names(void)
{
    static const enum td_samples_by all[] = {TD_SAMPLES_BY_FUNCTION, TD_SAMPLES_BY_LINE, TD_SAMPLES_BY_ADDRESS};

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CU_ASSERT(memory_each(named, (void *)(uintptr_t)&all[i], 1, false) >= 10);
}

/* A chain of 150 functions, by their paths or by one function's callers. */
static int entered(void *ctx)
{
    static char name[] = "a name that is not short";
    static const struct td_place function[2] = {{.name = name}, {.name = name, .number = 1}};
    const bool *stacks = ctx;
    struct td_calls *c = td_calls_new(*stacks ? TD_SAMPLES_BY_STACK : TD_SAMPLES_BY_FUNCTION,
                                      *stacks ? TD_CHAIN_SELF : TD_CHAIN_CALLERS, name, false);
    const struct td_call *call = NULL;
    int err = c ? 0 : -ENOMEM;

    for (size_t depth = 0; depth < 150 && !err; depth++)
        err = td_calls_enter(c, call, &function[depth % 2], &call);
    td_calls_free(c);
    return err;
}

static void chains(void)
{
    static const bool stacks[] = {false, true};

    for (size_t i = 0; i < 2; i++)
        CU_ASSERT(memory_each(entered, (void *)(uintptr_t)&stacks[i], 1, false) >= 10);
}

/* Cgroups, each of which is named three times, twice alike. */
static int called(void *ctx)
{
    struct td_cgroups *c = td_cgroups_new();
    int err = c ? 0 : -ENOMEM;

    (void)ctx;
    for (uint64_t i = 0; i < 3 * 40 && !err; i++)
        err = td_cgroups_name(c, i / 3, i % 3 ? "/a" : "/b/c", i % 3 ? 2 : 4);
    td_cgroups_free(c);
    return err;
}

static void cgroups(void)
{
    CU_ASSERT(memory_each(called, NULL, 1, false) >= 10);
}

/* Courses of several counters, threads and CPUs, which are switched. */
static int taken(void *ctx)
{
    static const char place;
    struct td_courses *t = td_courses_new();
    int err = t ? 0 : -ENOMEM;

    (void)ctx;
    for (uint32_t i = 0; i < 20 && !err; i++) {
        const struct td_member m[2] = {{.id = 2 * i, .value = 5}, {.id = 2 * i + 1, .value = 7}};
        const struct td_group_reading g = {
            .time = i, .tid = i, .thread = i, .cpu = i, .has_cpu = true, .n = 2, .member = m};
        struct td_course_delta d;

        err = td_courses_take(t, &g, (const struct td_place *)(const void *)&place, &d);
        err = err ? err : td_courses_switched(t, i + 1, i, i, false);
        err = err ? err : td_courses_lost(t, true, i);
    }
    td_courses_free(t);
    return err;
}

static void courses(void)
{
    CU_ASSERT(memory_each(taken, NULL, 1, false) >= 10);
}

static const CU_TestInfo tests[] = {
    {"places", places},   {"named places", names}, {"call chains", chains},
    {"cgroups", cgroups}, {"courses", courses},    CU_TEST_INFO_NULL,
};
UNIT_SUITE("samples without memory", tests);
