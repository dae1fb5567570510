/* SPDX-License-Identifier: MIT */
#include "live/host/host_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 200 };

static bool file_text(const struct td_os *os, char *buf, size_t size, const char *format, va_list args)
{
    char path[PATH_SIZE];
    ssize_t n;

    vsnprintf(path, sizeof(path), format, args);
    n = os->file(os->ctx, path, buf, size);
    if (n < 0)
        return false;
    while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == ' '))
        buf[--n] = '\0';
    return true;
}

bool td_host_text(const struct td_os *os, char *buf, size_t size, const char *format, ...)
{
    va_list args;
    bool ok;

    va_start(args, format);
    ok = file_text(os, buf, size, format, args);
    va_end(args);
    return ok;
}

long td_host_number(const struct td_os *os, long otherwise, const char *format, ...)
{
    char text[64], *end;
    va_list args;
    bool ok;
    long n;

    va_start(args, format);
    ok = file_text(os, text, sizeof(text), format, args);
    va_end(args);
    n = ok ? strtol(text, &end, 0) : 0;
    return ok && end != text ? n : otherwise;
}

const char *td_host_field(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? at + strlen(key) : NULL;
}
