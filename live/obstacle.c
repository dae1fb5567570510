/* SPDX-License-Identifier: MIT */
#include "live/obstacle.h"

#include "live/host/host_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAP_SYS_ADMIN_BIT = 21, CAP_PERFMON_BIT = 38 };

__attribute__((format(printf, 2, 3))) static void say(char text[400], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, 400, format, args);
    va_end(args);
}

static const char *field_of(const char *status, const char *key)
{
    const char *at = strstr(status, key);

    return at ? at + strlen(key) : NULL;
}

void td_rights_find(const struct td_os *os, struct td_rights *r)
{
    char text[4096];
    const char *at;

    *r = (struct td_rights){0};
    if (td_host_text(os, text, sizeof(text), "/proc/self/status")) {
        at = field_of(text, "\nCapEff:");
        if (at) {
            unsigned long long caps = strtoull(at, NULL, 16);

            r->capable = caps >> CAP_SYS_ADMIN_BIT & 1 || caps >> CAP_PERFMON_BIT & 1;
        }
        at = field_of(text, "\nSeccomp:");
        r->seccomp = at && strtol(at, NULL, 10) > 0;
    }
    if (td_host_text(os, text, sizeof(text), "/sys/kernel/security/lockdown"))
        r->lockdown = strstr(text, "[confidentiality]") != NULL;
    r->container = td_host_text(os, text, sizeof(text), "/.dockerenv") || td_host_text(os, text, sizeof(text), "/run/.containerenv") ||
                   td_host_text(os, text, sizeof(text), "/run/systemd/container");
}

/* Access was denied: checks the layers in the order in which the kernel asks them. */
static void explain_denied(const struct td_host *h, int err, bool system, bool kernel, struct td_obstacle *o)
{
    struct td_rights r;

    td_rights_find(h->os, &r);
    if (r.seccomp && (r.capable || err == -EPERM || h->paranoid < 1)) {
        o->layer = "seccomp";
        say(o->text, "a seccomp filter%s denies perf_event_open", r.container ? " of this container" : "");
        say(o->remedy, "let the container's profile allow perf_event_open (Docker: --security-opt seccomp=PROFILE, with --cap-add=PERFMON)");
    } else if (r.capable) {
        o->layer = "capability";
        say(o->text, "denied in spite of CAP_PERFMON: a security module, or a user namespace in which the capability does not count");
        say(o->remedy, "measure outside the container or namespace, or ask the security module's log (audit)");
    } else if (h->paranoid > 2 && h->paranoid != TD_PARANOID_UNKNOWN) {
        o->layer = "paranoid";
        say(o->text, "kernel.perf_event_paranoid is %d: nobody without CAP_PERFMON may count", h->paranoid);
        say(o->remedy, "setcap cap_perfmon+ep on a copy of tdprobe for your group, or sysctl kernel.perf_event_paranoid=2 (own programs, user mode)");
    } else if (system) {
        o->layer = "paranoid";
        say(o->text, "kernel.perf_event_paranoid is %d: counting whole CPUs needs CAP_PERFMON or a value below 1", h->paranoid);
        say(o->remedy, "measure a command (tdprobe -- COMMAND) or a process of your own (-p), or setcap cap_perfmon+ep on tdprobe, "
            "or sysctl kernel.perf_event_paranoid=0");
    } else if (kernel && h->paranoid > 1) {
        o->layer = "paranoid";
        say(o->text, "kernel.perf_event_paranoid is %d: counting kernel mode needs CAP_PERFMON or a value below 2", h->paranoid);
        say(o->remedy, "count user mode only (--all-user), or sysctl kernel.perf_event_paranoid=1");
    } else {
        o->layer = "task";
        say(o->text, "the task belongs to another user, or may not be traced");
        say(o->remedy, "measure as its user, or with CAP_PERFMON (setcap cap_perfmon+ep on tdprobe)");
    }
}

static void explain_unknown(const struct td_host *h, const struct td_perf_error *e, struct td_obstacle *o)
{
    if (e->cgroup) {
        o->layer = "cgroup";
        say(o->text, "the kernel counts nothing for this cgroup: %s", strerror(-e->err));
        say(o->remedy, "with cgroup v2 a controller must be enabled below the root (echo +cpu > /sys/fs/cgroup/cgroup.subtree_control); "
            "with v1 the perf_event hierarchy must be mounted");
        return;
    }
    o->layer = h->guest ? "guest" : "event";
    say(o->text, "the kernel cannot count %s (config 0x%llx): %s", e->event ? e->event : "the event", (unsigned long long)e->config, strerror(-e->err));
    if (h->guest)
        say(o->remedy, "this is a guest (%s): its virtual PMU lacks the event; give it the host's (KVM: -cpu host,pmu=on) or measure on the host", h->hypervisor);
    else
        say(o->remedy, "a newer kernel may know it, if this is the CPU %s; 'tdprobe doctor' shows what was found", h->identity.name);
}

static void explain_use(const struct td_host *h, const struct td_perf_error *e, struct td_obstacle *o)
{
    o->layer = h->watchdog ? "watchdog" : "counters";
    say(o->text, "the counters are in use: %s%s", strerror(-e->err), h->watchdog ? "; the NMI watchdog holds one" : "");
    say(o->remedy, h->watchdog ? "sysctl kernel.nmi_watchdog=0 while measuring" : "end what else is measuring (perf, another tdprobe, a debugger, a guest)");
}

static void explain_target(const struct td_perf_error *e, struct td_obstacle *o)
{
    if (e->err == -ESRCH) {
        o->layer = "task";
        say(o->text, "there is no task %d", (int)e->target.pid);
        say(o->remedy, "it may have ended; see 'ps -e'");
    } else {
        o->layer = "cpu";
        say(o->text, "CPU %d is offline, or not of this PMU", e->target.cpu);
        say(o->remedy, "see /sys/devices/system/cpu/online");
    }
}

void td_obstacle_explain(const struct td_host *h, const struct td_perf_error *e, bool system, bool kernel, struct td_obstacle *o)
{
    *o = (struct td_obstacle){.layer = "kernel"};
    switch (e->err) {
    case -EACCES:
    case -EPERM:
        explain_denied(h, e->err, system, kernel, o);
        break;
    case -ENOENT:
    case -EINVAL:
    case -EOPNOTSUPP:
    case -ENXIO:
        explain_unknown(h, e, o);
        break;
    case -EBUSY:
    case -ENOSPC:
        explain_use(h, e, o);
        break;
    case -ESRCH:
    case -ENODEV:
        explain_target(e, o);
        break;
    case -EMFILE:
    case -ENFILE:
        o->layer = "limit";
        say(o->text, "too many open files: each event of each CPU or task is one");
        say(o->remedy, "raise the limit (ulimit -n), or measure fewer CPUs (-C), tasks, or level 1 only (--level 1)");
        break;
    case -ENOSYS:
        o->layer = "kernel";
        say(o->text, "this kernel has no perf_event_open, or a seccomp filter hides it");
        say(o->remedy, "in a container allow perf_event_open in its seccomp profile; otherwise a kernel with CONFIG_PERF_EVENTS");
        break;
    default:
        say(o->text, "%s failed: %s", e->call ? e->call : "measuring", strerror(-e->err));
    }
}

int td_obstacle_text(const struct td_host *h, const struct td_perf_error *e, bool system, bool kernel, char *buf, size_t size)
{
    struct td_obstacle o;

    if (e->err == -ENOMEM) {
        snprintf(buf, size, "out of memory");
        return -ENOMEM;
    }
    td_obstacle_explain(h, e, system, kernel, &o);
    snprintf(buf, size, "%s%s%s", o.text, o.remedy[0] ? ". What to do: " : "", o.remedy);
    switch (e->err) {
    case -ENOENT:
    case -EINVAL:
    case -ENXIO:
    case -ENOSYS:
        return -EOPNOTSUPP;
    default:
        return e->err;
    }
}
