/* SPDX-License-Identifier: MIT */
#include "live/rights.h"

#include "live/host/host_files.h"
#include "os/lent.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAP_SYS_ADMIN_BIT = 21,
    CAP_PERFMON_BIT = 38,
    PARANOID_MAINLINE = 2 /* the last value that means something at kernel.org */
};

/* A set of capabilities in /proc/PID/status; those of a missing line are as given. */
static unsigned long long set_of(const char *status, const char *key, unsigned long long missing)
{
    const char *at = td_host_field(status, key);

    return at ? strtoull(at, NULL, 16) : missing;
}

static bool number_of(const char *status, const char *key)
{
    const char *at = td_host_field(status, key);

    return at && strtol(at, NULL, 10) > 0;
}

/* Only the first namespace maps all numbers of users to themselves (user_namespaces(7)). */
static bool in_user_namespace(const struct td_os *os)
{
    static const unsigned long first[] = {0, 0, UINT32_MAX}; /* inside, outside, how many */
    char text[256], *at = text, *end;

    if (!td_host_text(os, text, sizeof(text), "/proc/self/uid_map"))
        return false;
    for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++, at = end)
        if (strtoul(at, &end, 10) != first[i])
            return true;
    return false;
}

void td_rights_find(const struct td_os *os, struct td_rights *r)
{
    char text[4096];

    *r = (struct td_rights){.grantable = true};
    if (td_host_text(os, text, sizeof(text), "/proc/self/status")) {
        /* what is kept for counters is in force only while one is opened */
        const unsigned long long kept = td_lent_counting() ? set_of(text, "\nCapPrm:", 0) : 0;
        const unsigned long long caps = set_of(text, "\nCapEff:", 0) | kept, bounds = set_of(text, "\nCapBnd:", ~0ULL);

        r->user_namespace = in_user_namespace(os);
        r->admin = !r->user_namespace && caps >> CAP_SYS_ADMIN_BIT & 1;
        r->perfmon = !r->user_namespace && caps >> CAP_PERFMON_BIT & 1;
        r->capable = r->admin || r->perfmon;
        r->grantable = !r->user_namespace && bounds >> CAP_PERFMON_BIT & 1 && !number_of(text, "\nNoNewPrivs:");
        r->seccomp = number_of(text, "\nSeccomp:");
    }
    if (td_host_text(os, text, sizeof(text), "/sys/kernel/security/lockdown"))
        r->lockdown = strstr(text, "[confidentiality]") != NULL;
    r->container = td_host_text(os, text, sizeof(text), "/.dockerenv") ||
                   td_host_text(os, text, sizeof(text), "/run/.containerenv") ||
                   td_host_text(os, text, sizeof(text), "/run/systemd/container");
}

bool td_rights_any_thread(const struct td_host *h)
{
    struct td_rights r;

    if (h->paranoid <= 0)
        return true;
    td_rights_find(h->os, &r);
    return r.capable;
}

int td_rights_trial(const struct td_os *os)
{
    const struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof(attr),
                                         .config = PERF_COUNT_SW_DUMMY,
                                         .disabled = 1,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    int fd = os->perf_open(os->ctx, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0)
        return fd;
    os->close(os->ctx, fd);
    return 0;
}

bool td_rights_shut(const struct td_host *h)
{
    return h->paranoid > PARANOID_MAINLINE && h->paranoid != TD_PARANOID_UNKNOWN && td_rights_trial(h->os) == -EACCES;
}
