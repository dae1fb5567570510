/* SPDX-License-Identifier: MIT */
/* One file by several paths, in tests/samples/symfs. */
#include "samples/same_files.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MAX = 16 };

struct file {
    const char *path, *id;
    uint32_t first; /* the number of the first of its kind */
};

static struct td_dso *dso(const struct file *f, uint32_t number)
{
    struct td_dso *d = calloc(1, sizeof(*d));

    CU_ASSERT_FATAL(d && (d->path = strdup(f->path)));
    d->number = number;
    d->file = *f->path == '/';
    d->build_id_size = strlen(f->id);
    memcpy(d->build_id, f->id, d->build_id_size);
    return d;
}

/* Each is asked for when the ones before it are known, and again when all are. */
static void check(const char *folder, bool kernel, const struct file *file, uint32_t n)
{
    struct td_same_files files = {.n = 0};
    struct td_dso *d[CASES_MAX];
    char root[4096];
    struct td_stores stores = {.root = root};
    uint32_t first;

    snprintf(root, sizeof(root), "%s/tests/samples/%s", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", folder);
    for (uint32_t i = 0; i < 2 * n; i++) {
        if (i < n) {
            d[i] = dso(&file[i], i);
            d[i]->kernel = kernel;
        }
        CU_ASSERT_FATAL(!td_same_files_first(&files, &stores, d[i % n], &first));
        CU_ASSERT_EQUAL(first, file[i % n].first);
    }
    for (uint32_t i = 0; i < n; i++) {
        free(d[i]->path);
        free(d[i]);
    }
    td_same_files_free(&files);
}

static void paths(void)
{
    static const struct file files[] = {
        {"/usr/bin/kernels", "a", 0},
        {"/usr/./bin/kernels", "a", 0},
        {"/usr/bin/../bin/kernels", "a", 0},
        {"/usr/bin/kernels", "b", 3}, /* it cannot have both build-ids */
        {"/usr/bin/crew", "a", 4},
        {"/./usr/bin/kernels", "b", 3},
        {"/usr/bin/none", "", 6}, /* there is none */
        {"/usr/bin/./none", "", 7},
        {"/usr/bin/kernels", "", 8}, /* whatever its build-id */
        {"/usr//bin/kernels", "", 8},
        {"[vdso]", "a", 10},
        {"/usr/bin", "", 11}, /* a folder */
        {"/usr/./bin", "", 12},
        {"/usr//bin/crew", "a", 4},
        {"/usr/bin/none", "a", 14}, /* a server may have it */
        {"/usr/bin/gone", "a", 14},
    };

    check("symfs", false, files, sizeof(files) / sizeof(*files));
}

/* By its build-id, a file is also looked for in the root itself. */
static void beside(void)
{
    static const struct file files[] = {
        {"/a/crew", "a", 0}, {"/b/crew", "a", 0},    {"/crew", "a", 0},      {"/a/crew", "", 3},
        {"/b/crew", "", 4},  {"/b/kernels", "a", 5}, {"/c/kernels", "a", 5},
    };

    check("symfs/usr/bin", false, files, sizeof(files) / sizeof(*files));
}

/* A module of the kernel has the kernel's addresses, whatever its file. */
static void modules(void)
{
    static const struct file files[] = {{"/usr/bin/kernels", "a", 0}, {"/usr/./bin/kernels", "a", 1}};

    check("symfs", true, files, sizeof(files) / sizeof(*files));
}

/* By its path alone, a file here may be another one than was recorded. */
static void certain(void)
{
    static const struct {
        const char *root;
        size_t build_id_size;
        bool certain;
    } cases[] = {{"", 0, false}, {"", 20, true}, {"/mnt", 0, true}, {"/mnt", 20, true}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct td_stores stores = {.root = cases[i].root};
        const struct td_dso d = {.build_id_size = cases[i].build_id_size};

        CU_ASSERT_EQUAL(td_dso_is_certain(&stores, &d), cases[i].certain);
    }
}

/* Two files, of which one is there and one is known by its build-id. */
static int found(void *ctx)
{
    static char paths[2][20] = {"/usr/bin/kernels", "/usr/bin/none"};
    struct td_same_files files = {.n = 0};
    struct td_stores stores = {.root = ctx};
    uint32_t first;
    int err = 0;

    for (uint32_t i = 0; i < 40 && !err; i++) {
        const struct td_dso d = {.path = paths[i % 2], .file = true, .number = i, .build_id_size = 1 + i / 2 % 20};

        err = td_same_files_first(&files, &stores, &d, &first);
        CU_ASSERT(err || first == i);
    }
    td_same_files_free(&files);
    return err;
}

static void memory(void)
{
    char root[4096];

    snprintf(root, sizeof(root), "%s/tests/samples/symfs", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    CU_ASSERT(memory_each(found, root, 1, false) >= 10);
}

static const CU_TestInfo tests[] = {
    {"by several paths", paths},       {"in the root", beside},    {"modules of the kernel", modules},
    {"that are as recorded", certain}, {"without memory", memory}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("same files", tests);
