/* SPDX-License-Identifier: MIT */
/* The machines of sim/machines/. */
#ifndef SHIPPED_MACHINE_H
#define SHIPPED_MACHINE_H

#include "include/tdprobe.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>

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

/* A new handle that measures on it. */
static inline struct td *on_shipped_machine(const char *name)
{
    struct td *td = td_new();
    FILE *file = shipped_machine(name);

    CU_ASSERT_FATAL(td && file && !td_set_machine(td, name, shipped_machine_read, file));
    fclose(file);
    return td;
}

#endif
