/* SPDX-License-Identifier: MIT */
/* A machine of a few files and CPUID words behind the seam, for the tests of detection. */
#ifndef FAKE_OS_H
#define FAKE_OS_H

#include "os/os.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEV "/sys/bus/event_source/devices/"
#define CPUS "/sys/devices/system/cpu/"
#define NODES "/sys/devices/system/node/"

struct fake_os {
    struct td_os os;
    size_t nfiles, nleaves;
    struct {
        char path[160], text[600];
    } file[64];
    struct {
        int cpu;
        uint32_t leaf, r[4];
    } leaf[12]; /* cpu -1: all */
};

static int fake_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    const struct fake_os *f = ctx;

    memset(out, 0, 4 * sizeof(*out));
    if (!f->nleaves)
        return -ENOSYS;
    for (size_t i = 0; i < f->nleaves && !subleaf; i++)
        if (f->leaf[i].leaf == leaf && (f->leaf[i].cpu < 0 || f->leaf[i].cpu == cpu))
            memcpy(out, f->leaf[i].r, sizeof(f->leaf[i].r));
    return 0;
}

static ssize_t fake_file(void *ctx, const char *path, char *buf, size_t size)
{
    const struct fake_os *f = ctx;

    for (size_t i = 0; i < f->nfiles; i++)
        if (!strcmp(f->file[i].path, path)) {
            snprintf(buf, size, "%s", f->file[i].text);
            return (ssize_t)strlen(buf);
        }
    return -ENOENT;
}

/* The first folder of each path below this one, each folder once, the last one first. */
static int fake_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    const struct fake_os *f = ctx;
    size_t n = strlen(path), found = 0;
    int err = 0;

    for (size_t i = f->nfiles; i-- > 0 && !err;) {
        char name[64];
        bool seen = false;

        if (strncmp(f->file[i].path, path, n))
            continue;
        found++;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(f->file[i].path + n, "/"), f->file[i].path + n);
        for (size_t k = i + 1; k < f->nfiles; k++)
            seen = seen || (!strncmp(f->file[k].path, path, n) && !strncmp(f->file[k].path + n, name, strlen(name)) &&
                            f->file[k].path[n + strlen(name)] == '/');
        if (!seen)
            err = each(arg, name);
    }
    return found ? err : -ENOENT;
}

__attribute__((format(printf, 3, 4), unused)) static void fake_put(struct fake_os *f, const char *text,
                                                                   const char *path, ...)
{
    char name[160];
    va_list args;
    size_t i = 0;

    va_start(args, path);
    vsnprintf(name, sizeof(name), path, args);
    va_end(args);
    while (i < f->nfiles && strcmp(f->file[i].path, name))
        i++;
    if (!text) { /* removes the file */
        if (i < f->nfiles)
            f->file[i] = f->file[--f->nfiles];
        return;
    }
    CU_ASSERT_FATAL(i < sizeof(f->file) / sizeof(*f->file));
    f->nfiles += i == f->nfiles;
    snprintf(f->file[i].path, sizeof(f->file[i].path), "%s", name);
    snprintf(f->file[i].text, sizeof(f->file[i].text), "%s", text);
}

__attribute__((unused)) static void fake_leaf(struct fake_os *f, int cpu, uint32_t leaf, uint32_t a, uint32_t b,
                                              uint32_t c, uint32_t d)
{
    size_t i = 0;

    while (i < f->nleaves && (f->leaf[i].leaf != leaf || f->leaf[i].cpu != cpu))
        i++;
    CU_ASSERT_FATAL(i < sizeof(f->leaf) / sizeof(*f->leaf));
    f->nleaves += i == f->nleaves;
    f->leaf[i].cpu = cpu;
    f->leaf[i].leaf = leaf;
    memcpy(f->leaf[i].r, (uint32_t[4]){a, b, c, d}, 4 * sizeof(a));
}

static void fake_begin(struct fake_os *f)
{
    memset(f, 0, sizeof(*f));
    f->os = (struct td_os){.name = "fake", .cpuid = fake_cpuid, .file = fake_file, .names = fake_names, .ctx = f};
}

#endif
