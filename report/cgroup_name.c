/* SPDX-License-Identifier: MIT */
/* Reads paths of cgroups. */
#include "report/cgroup_name.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *text, size_t len, const char *end)
{
    const size_t n = strlen(end);

    return len > n && !memcmp(text + len - n, end, n);
}

bool td_cgroup_container(const char *path, char *out, size_t size)
{
    enum { ID = 64, SHORT_ID = 12 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t n = dot && (!strcmp(dot, ".scope") || !strcmp(dot, ".service") || !strcmp(dot, ".slice"))
                   ? (size_t)(dot - name)
                   : strlen(name),
           id = n;

    while (id && strchr("0123456789abcdef", name[id - 1]))
        id--;
    snprintf(out, size, "%.*s", n - id == ID ? (int)(id + SHORT_ID) : 0, name);
    return n - id == ID;
}

const char *td_cgroup_unit(const char *path, size_t *len)
{
    for (const char *end = path + strlen(path), *begin = end; begin > path; end = begin - 1) {
        for (begin = end; begin > path && begin[-1] != '/';)
            begin--;
        *len = (size_t)(end - begin);
        if (ends_with(begin, *len, ".service") || ends_with(begin, *len, ".scope"))
            return begin;
    }
    return NULL;
}
