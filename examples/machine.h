/* SPDX-License-Identifier: MIT */
/* For the examples: a description of a machine as a file, so that they can be
 * tried where there is no PMU. C and C++. */
#ifndef EXAMPLES_MACHINE_H
#define EXAMPLES_MACHINE_H

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <tdprobe.h>

static inline ssize_t read_file(void *ctx, void *buf, size_t size)
{
    FILE *f = (FILE *)ctx;
    size_t n = fread(buf, 1, size, f);

    return n || !ferror(f) ? (ssize_t)n : -EIO;
}

/* The handle measures the machine that is described in a file. 0 or -errno. */
static inline int use_machine(struct td *td, const char *path)
{
    FILE *f = fopen(path, "r");
    int err = f ? td_set_machine(td, path, read_file, f) : -errno;

    if (f)
        fclose(f);
    return err;
}

/* The text of an error: the handle's, if it has one. td may be NULL. */
static inline const char *what_failed(const struct td *td, int err)
{
    return td && *td_error(td) ? td_error(td) : strerror(-err);
}

#endif
