/* SPDX-License-Identifier: MIT */
/* Structs that begin with their size. */
#include "core/sized.h"

#include <errno.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The size that the caller's struct begins with, also where it is not aligned; 0: none was set. */
static size_t size_of(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof(size));
    return size < sizeof(size) ? 0 : size;
}

static int no_size(struct td_log *log, const char *name)
{
    return log ? td_log_fail(log, -EINVAL, "the size that struct %s begins with is not set: it is sizeof(struct %s)",
                             name, name)
               : -EINVAL;
}

static int too_new(struct td_log *log, const char *name)
{
    return log ? td_log_fail(log, -E2BIG,
                             "struct %s asks for something that libtdprobe %s does not know: "
                             "the program was built for a newer one",
                             name, td_version())
               : -E2BIG;
}

int td_sized_take(struct td_log *log, const char *name, void *to, size_t known, const void *given)
{
    const size_t size = size_of(given);
    const unsigned char *byte = given;

    if (!size)
        return no_size(log, name);
    for (size_t i = known; i < size; i++)
        if (byte[i])
            return too_new(log, name);
    memset(to, 0, known);
    memcpy(to, given, smaller(size, known));
    memcpy(to, &known, sizeof(known));
    return 0;
}

int td_sized_give(struct td_log *log, const char *name, void *to, size_t known, const void *from)
{
    const size_t size = size_of(to), head = sizeof(size_t);
    int err = td_sized_clear(log, name, to);

    if (!err)
        memcpy((char *)to + head, (const char *)from + head, smaller(size, known) - head);
    return err;
}

int td_sized_clear(struct td_log *log, const char *name, void *to)
{
    const size_t size = size_of(to);

    if (!size)
        return no_size(log, name);
    memset((char *)to + sizeof(size_t), 0, size - sizeof(size_t));
    return 0;
}
