/* SPDX-License-Identifier: MIT */
#include "live/obstacle.h"

#include "live/rights.h"
#include "live/watchdog.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void say(char text[400], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, 400, format, args);
    va_end(args);
}

/* Docker's own filter allows perf_event_open with CAP_PERFMON since 23.0 (moby/moby 43987), Podman's since late 2025
 * (containers/common 2534): before that, the capability alone is refused again. */
#define CONTAINER_OPTIONS \
    "docker run --cap-add=PERFMON; Podman, and Docker before 23.0: with --security-opt seccomp=unconfined"

/* How an own program gets the one capability that is enough where the kernel is not shut. A change of a file's group
 * takes its capabilities away, so it comes first. */
static const char *granting(const struct td_rights *r)
{
    if (r->grantable)
        return "setcap cap_perfmon+ep $(command -v tdprobe) (for one group alone: before it chgrp GROUP and chmod o-x)";
    if (r->user_namespace)
        return "measure in a container that root starts (" CONTAINER_OPTIONS ")";
    if (r->container)
        return "give this container CAP_PERFMON (" CONTAINER_OPTIONS ")";
    return "give this container or unit CAP_PERFMON (" CONTAINER_OPTIONS
           "; systemd: AmbientCapabilities=CAP_PERFMON, and in CapabilityBoundingSet if that is set)";
}

/* Values of kernel.perf_event_paranoid are those of the whole system, which no container may change. */
static const char *where(const struct td_rights *r)
{
    return r->container || r->user_namespace ? "on the host " : "";
}

/* Explains that the kernel refuses everything, which a value of 2 or less changes. */
static void explain_shut(const struct td_host *h, const struct td_rights *r, bool system, struct td_obstacle *o)
{
    const char *at = where(r);

    o->layer = "paranoid";
    say(o->text,
        "kernel.perf_event_paranoid is %d: above 2 this kernel, like Debian's and Ubuntu's, "
        "refuses all without CAP_SYS_ADMIN%s",
        h->paranoid, r->perfmon ? ", also with CAP_PERFMON" : "; CAP_PERFMON is not enough");
    if (r->perfmon)
        say(o->remedy, "%ssysctl kernel.perf_event_paranoid=2, at which CAP_PERFMON is enough", at);
    else if (system)
        say(o->remedy, "%ssysctl kernel.perf_event_paranoid=2, and %s; or %ssysctl kernel.perf_event_paranoid=0", at,
            granting(r), at);
    else
        say(o->remedy,
            "%ssysctl kernel.perf_event_paranoid=2 (own programs, user mode), or %ssysctl kernel.perf_event_paranoid=1 "
            "(the kernel's share too)",
            at, at);
}

/* Explains that a filter refuses perf_event_open(), as those of Docker, Podman and systemd do with EPERM. */
static void explain_seccomp(const struct td_host *h, const struct td_rights *r, struct td_obstacle *o)
{
    o->layer = "seccomp";
    say(o->text, "a seccomp filter%s denies perf_event_open", r->container ? " of this container" : "");
    say(o->remedy,
        "let the filter of the container or unit allow perf_event_open (" CONTAINER_OPTIONS
        "; systemd: SystemCallFilter=perf_event_open)%s",
        h->paranoid > 2 && h->paranoid != TD_PARANOID_UNKNOWN && !r->admin
            ? "; if the host's kernel is Debian's or Ubuntu's, there also sysctl "
              "kernel.perf_event_paranoid=2"
            : "");
}

/* Explains that the value forbids to count whole CPUs, or the kernel. */
static void explain_value(const struct td_host *h, const struct td_rights *r, bool system, struct td_obstacle *o)
{
    const char *which = r->user_namespace ? " outside of this user namespace, whose capabilities do not count," : "";
    char value[40] = "cannot be read";

    if (h->paranoid != TD_PARANOID_UNKNOWN)
        snprintf(value, sizeof(value), "is %d", h->paranoid);
    o->layer = "paranoid";
    if (system) {
        say(o->text, "kernel.perf_event_paranoid %s: counting whole CPUs needs CAP_PERFMON%s or a value below 1", value,
            which);
        say(o->remedy,
            "measure a command (tdprobe -- COMMAND) or a process of your own (-p), or %s, "
            "or %ssysctl kernel.perf_event_paranoid=0",
            granting(r), where(r));
    } else {
        say(o->text, "kernel.perf_event_paranoid %s: counting kernel mode needs CAP_PERFMON%s or a value below 2",
            value, which);
        say(o->remedy, "count user mode only (--all-user), or %ssysctl kernel.perf_event_paranoid=1", where(r));
    }
}

/* Explains an error that neither the value nor the lack of a capability causes. */
static void explain_other(const struct td_perf_error *e, const struct td_rights *r, bool system, struct td_obstacle *o)
{
    if (r->capable) {
        o->layer = "capability";
        say(o->text,
            "the kernel refuses perf_event_open in spite of %s: a security module forbids it, or a seccomp filter that "
            "answers so",
            r->perfmon ? "CAP_PERFMON" : "CAP_SYS_ADMIN");
        say(o->remedy, "measure outside the container, or see in the security module's log (audit) what it denied");
    } else if (!system && e->target.pid > 0) {
        o->layer = "task";
        say(o->text, "task %d belongs to another user, or may not be traced", (int)e->target.pid);
        say(o->remedy, "measure as its user, or with CAP_PERFMON (%s)", granting(r));
    } else {
        o->layer = "security";
        say(o->text,
            "the kernel refuses perf_event_open although kernel.perf_event_paranoid allows it: a security module (SELinux) "
            "forbids it, or the sandbox of a container");
        say(o->remedy, "see in the security module's log (audit) what it denied, or measure outside the container");
    }
}

/* Access was denied: checks the layers in the order in which the kernel asks them. */
static void explain_denied(const struct td_host *h, const struct td_perf_error *e, bool system, bool kernel,
                           struct td_obstacle *o)
{
    struct td_rights r;

    td_rights_find(h->os, &r);
    if (!r.admin && e->err == -EACCES && td_rights_shut(h))
        explain_shut(h, &r, system, o);
    else if (r.seccomp && e->err == -EPERM && td_rights_trial(h->os) == -EPERM)
        explain_seccomp(h, &r, o);
    else if (!r.capable && ((system && h->paranoid > 0) || (kernel && h->paranoid > 1)))
        explain_value(h, &r, system, o);
    else
        explain_other(e, &r, system, o);
}

static void explain_unknown(const struct td_host *h, const struct td_perf_error *e, struct td_obstacle *o)
{
    if (e->cgroup) {
        o->layer = "cgroup";
        say(o->text, "the kernel counts nothing for this cgroup: %s", strerror(-e->err));
        say(o->remedy, "with cgroup v2 a controller must be enabled below the root "
                       "(echo +cpu > /sys/fs/cgroup/cgroup.subtree_control); "
                       "with v1 the perf_event hierarchy must be mounted");
        return;
    }
    o->layer = h->guest ? "guest" : "event";
    say(o->text, "the kernel cannot count %s (config 0x%llx): %s", e->event ? e->event : "the event",
        (unsigned long long)e->config, strerror(-e->err));
    if (h->guest)
        say(o->remedy,
            "this is a guest (%s), whose virtual PMU may lack the event: give it the host's (KVM: "
            "-cpu host,pmu=on) or measure on the host",
            h->hypervisor);
    else
        say(o->remedy, "a newer kernel may know it, if this is the CPU %s; 'tdprobe doctor' shows what was found",
            h->identity.name);
}

static void explain_use(const struct td_host *h, const struct td_perf_error *e, struct td_obstacle *o)
{
    o->layer = h->watchdog ? "watchdog" : "counters";
    say(o->text, "the counters are in use: %s%s", strerror(-e->err),
        h->watchdog ? "; " TD_WATCHDOG_MAY_HOLD("one") : "");
    say(o->remedy, "%send what else is measuring (perf, another tdprobe, a debugger, a guest)",
        h->watchdog ? TD_WATCHDOG_REMEDY ", and " : "");
}

static void explain_target(const struct td_perf_error *e, struct td_obstacle *o)
{
    if (e->err == -ESRCH) {
        o->layer = "task";
        say(o->text, "there is no task %d", (int)e->target.pid);
        say(o->remedy, "name one that runs: 'ps -eL' lists processes and threads");
    } else {
        o->layer = "cpu";
        say(o->text, "CPU %d is offline, or not of this PMU", e->target.cpu);
        say(o->remedy, "see /sys/devices/system/cpu/online");
    }
}

static void explain_limit(const struct td_perf_error *e, struct td_obstacle *o)
{
    const bool own = e->err == -EMFILE;

    o->layer = "limit";
    say(o->text, "%s too many open files: each event of each CPU or task is one",
        own ? "the process has" : "all processes together have");
    say(o->remedy, "raise the limit (%s), or measure fewer CPUs (-C), tasks, or level 1 only (--level 1)",
        own ? "ulimit -n" : "sysctl fs.file-max");
}

void td_obstacle_explain(const struct td_host *h, const struct td_perf_error *e, bool system, bool kernel,
                         struct td_obstacle *o)
{
    *o = (struct td_obstacle){.layer = "kernel"};
    switch (e->err) {
    case -EACCES:
    case -EPERM: explain_denied(h, e, system, kernel, o); break;
    case -ENOENT:
    case -EINVAL:
    case -EOPNOTSUPP:
    case -ENXIO: explain_unknown(h, e, o); break;
    case -EBUSY:
    case -ENOSPC: explain_use(h, e, o); break;
    case -ESRCH:
    case -ENODEV: explain_target(e, o); break;
    case -EMFILE:
    case -ENFILE: explain_limit(e, o); break;
    case -ENOSYS:
        o->layer = "kernel";
        say(o->text, "this kernel has no perf_event_open, or a seccomp filter hides it");
        say(o->remedy,
            "allow perf_event_open in the container's seccomp profile; outside of containers boot a kernel that has CONFIG_PERF_EVENTS");
        break;
    default: say(o->text, "%s failed: %s", e->call ? e->call : "measuring", strerror(-e->err));
    }
}

int td_obstacle_text(const struct td_host *h, const struct td_perf_error *e, bool system, bool kernel, char *buf,
                     size_t size)
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
    case -ENOSYS: return -EOPNOTSUPP;
    default: return e->err;
    }
}
