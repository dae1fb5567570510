/* SPDX-License-Identifier: MIT */
#include "util/made_files.h"

#include <string.h>

bool td_jit_dump_named(const char *path)
{
    static const char begin[] = "jit-", end[] = ".dump";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t digits;

    if (!slash || strncmp(name, begin, strlen(begin)) != 0)
        return false;
    name += strlen(begin);
    digits = strspn(name, "0123456789");
    return digits && !strcmp(name + digits, end);
}
