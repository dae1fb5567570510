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

/* How long the uid is that a part of a path ends in, after "pod"; 0: it has none. A uid has 36 characters, and 32
 * digits where the kubelet made it for a pod of its own; systemd's names have '_' for its '-', which divides slices. */
static size_t pod_uid(const char *part, size_t len)
{
    static const size_t lengths[] = {36, 32};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        const size_t n = lengths[i];

        if (len >= n + 3 && !memcmp(part + len - n - 3, "pod", 3) && strspn(part + len - n, "0123456789abcdef-_") >= n)
            return n;
    }
    return 0;
}

bool td_cgroup_pod(const char *path, char *out, size_t size)
{
    static const char slice[] = ".slice";

    *out = '\0';
    for (const char *at = path; *at; at += *at == '/') {
        const size_t len = strcspn(at, "/");
        const size_t named = ends_with(at, len, slice) ? len - strlen(slice) : len;
        const size_t n = pod_uid(at, named);

        if (n)
            snprintf(out, size, "%.*s", (int)n, at + named - n);
        at += len;
    }
    for (char *at = out; (at = strchr(at, '_'));)
        *at = '-';
    return *out;
}
