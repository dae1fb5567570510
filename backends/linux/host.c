/* SPDX-License-Identifier: MIT */
/* Detection as a whole, and what its parts share: small files, lists of CPUs. */
#include "host.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS_MAX = 65536 };

static bool file_text(const struct td_os *os, char *buf, size_t size, const char *format, va_list args)
{
    char path[TD_HOST_PATH];
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

static int list_add(struct td_cpu_list *l, long lo, long hi)
{
    int *grown = realloc(l->cpu, (l->n + (size_t)(hi - lo) + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    l->cpu = grown;
    while (lo <= hi)
        l->cpu[l->n++] = (int)lo++;
    return 0;
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

int td_cpu_list_parse(const char *text, struct td_cpu_list *out)
{
    size_t kept = 0;
    int err = 0;

    *out = (struct td_cpu_list){0};
    while (*text && !err) {
        char *end;
        long lo = strtol(text, &end, 10), hi = lo;

        if (end == text || *text < '0' || *text > '9')
            err = -EINVAL;
        text = end;
        if (!err && *text == '-') {
            hi = strtol(text + 1, &end, 10);
            err = text[1] < '0' || text[1] > '9' ? -EINVAL : 0;
            text = end;
        }
        if (!err && (lo < 0 || hi < lo || hi >= CPUS_MAX || (*text && *text != ',') || (*text && !text[1])))
            err = -EINVAL;
        if (!err)
            err = list_add(out, lo, hi);
        text += *text == ',';
    }
    if (err) {
        free(out->cpu);
        *out = (struct td_cpu_list){0};
        return err;
    }
    if (out->n)
        qsort(out->cpu, out->n, sizeof(*out->cpu), compare);
    for (size_t i = 0; i < out->n; i++)
        if (!i || out->cpu[i] != out->cpu[i - 1])
            out->cpu[kept++] = out->cpu[i];
    out->n = kept;
    return 0;
}

bool td_cpu_list_has(const struct td_cpu_list *l, int cpu)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->cpu[i] == cpu)
            return true;
    return false;
}

void td_cpu_list_text(const struct td_cpu_list *l, char *buf, size_t size)
{
    size_t used = 0;

    *buf = '\0';
    for (size_t i = 0; i < l->n; i++) {
        size_t last = i;
        int n;

        while (last + 1 < l->n && l->cpu[last + 1] == l->cpu[last] + 1)
            last++;
        n = last > i ? snprintf(buf + used, size - used, "%s%d-%d", used ? "," : "", l->cpu[i], l->cpu[last])
                     : snprintf(buf + used, size - used, "%s%d", used ? "," : "", l->cpu[i]);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
        i = last;
    }
}

const struct td_host_cpu *td_host_cpu_find(const struct td_host *h, int cpu)
{
    for (size_t i = 0; i < h->ncpus; i++)
        if (h->cpus[i].cpu == cpu)
            return &h->cpus[i];
    return NULL;
}

int td_host_detect(struct td_host *h, const struct td_os *os, const struct td_machine *asked)
{
    int err;

    *h = (struct td_host){.os = os};
    h->paranoid = (int)td_host_number(os, TD_PARANOID_UNKNOWN, "/proc/sys/kernel/perf_event_paranoid");
    h->watchdog = td_host_number(os, 0, "/proc/sys/kernel/nmi_watchdog") > 0;
    td_host_identify(h, asked);
    err = td_host_find_cpus(h);
    return err ? err : td_host_find_pmus(h, asked);
}

void td_host_free(struct td_host *h)
{
    for (size_t i = 0; i < h->npmus; i++)
        free(h->pmu[i].cpus.cpu);
    free(h->cpus);
    *h = (struct td_host){0};
}
