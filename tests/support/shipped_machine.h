/* SPDX-License-Identifier: MIT */
/* The machines of sim/machines/. */
#ifndef SHIPPED_MACHINE_H
#define SHIPPED_MACHINE_H

#include "include/tdprobe.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The description of one; NULL: it cannot be read. */
static inline FILE *shipped_machine(const char *name)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/sim/machines/%s.machine", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", name);
    return fopen(path, "r");
}

static inline ssize_t shipped_machine_read(void *ctx, void *buf, size_t size)
{
    return (ssize_t)fread(buf, 1, size, ctx);
}

/* A description with further lines after its own. */
struct shipped_machine_more {
    FILE *file;
    const char *more;
};

static inline ssize_t shipped_machine_read_more(void *ctx, void *buf, size_t size)
{
    struct shipped_machine_more *m = ctx;
    const size_t n = fread(buf, 1, size, m->file), left = strlen(m->more), take = left < size ? left : size;

    if (n)
        return (ssize_t)n;
    memcpy(buf, m->more, take);
    m->more += take;
    return (ssize_t)take;
}

/* A new handle that measures on it, with these further lines. */
static inline struct td *on_shipped_machine_with(const char *name, const char *more)
{
    struct td *td = td_new();
    struct shipped_machine_more m = {shipped_machine(name), more};

    CU_ASSERT_FATAL(td && m.file && !td_set_machine(td, name, shipped_machine_read_more, &m));
    fclose(m.file);
    return td;
}

static inline struct td *on_shipped_machine(const char *name)
{
    return on_shipped_machine_with(name, "");
}

#endif
