/* SPDX-License-Identifier: MIT */
/* Why counting failed: for every error the layer, the cause and the remedy. */
#include "tests/support/fake_os.h"
#include "live/obstacle.h"
#include "live/rights.h"
#include "backends/rows.h"

#define STATUS(caps, seccomp) \
    "Name:\ttdprobe\nCapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t" caps \
    "\nCapBnd:\t000001ffffffffff\nSeccomp:\t" seccomp "\nSeccomp_filters:\t0\n"
#define NONE "0000000000000000"
#define PERFMON "0000004000000000" /* bit 38 of include/uapi/linux/capability.h */
#define SYS_ADMIN "0000000000200000" /* bit 21 */
#define BOTH "0000004000200000"
#define UNGRANTABLE \
    "Name:\ttdprobe\nCapEff:\t0000000000000000\nCapBnd:\t00000000a80425fb\nNoNewPrivs:\t0\nSeccomp:\t0\n" /* Docker's \
                                                                                                             default \
                                                                                                           */
#define NO_NEW "Name:\ttdprobe\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\nNoNewPrivs:\t1\nSeccomp:\t0\n"

/* user_namespaces(7): the first one, and one of a user's */
#define FIRST "         0          0 4294967295\n"
#define ROOTLESS "         0       1000          1\n         1     100000      65536\n"

struct told {
    int err;
    int trial; /* what perf_event_open() says to a software event of the process itself in user mode */
    bool self; /* own tasks: the process itself */
    const char *status, *lockdown;
    int paranoid;
    bool system, kernel, guest, watchdog, container, cgroup, rootless;
    const char *layer, *text, *remedy; /* words that they must contain */
};

#define DENIED(err_, status_, paranoid_) .err = -(err_), .status = (status_), .paranoid = (paranoid_)
#define SHUT(caps, seccomp, paranoid_) DENIED(EACCES, STATUS(caps, seccomp), paranoid_), .trial = -EACCES
#define ALL_CPUS .system = true, .kernel = true
#define OWN .kernel = true
#define LOCKED .lockdown = "none integrity [confidentiality]\n"

static const struct told tellings[] = {
    /* perf_event_open(2): 2 allows user mode of one's own tasks, 1 also kernel mode, 0 whole CPUs */
    {DENIED(EACCES, STATUS(NONE, "0"), 2), OWN, .layer = "paranoid",
     .text = "paranoid is 2: counting kernel mode needs CAP_PERFMON or a value below 2",
     .remedy = "count user mode only (--all-user), or sysctl"},
    {DENIED(EACCES, STATUS(NONE, "0"), 2), ALL_CPUS, .layer = "paranoid",
     .text = "paranoid is 2: counting whole CPUs needs CAP_PERFMON or a value below 1",
     .remedy = "(-p), or setcap cap_perfmon+ep $(command -v tdprobe) (for one group alone: before it chgrp GROUP and "
               "chmod o-x), or sysctl"},
    {DENIED(EACCES, STATUS(NONE, "0"), 1), ALL_CPUS, .layer = "paranoid", .text = "paranoid is 1: counting whole CPUs",
     .remedy = "perf_event_paranoid=0"},
    {DENIED(EACCES, STATUS(NONE, "0"), TD_PARANOID_UNKNOWN), ALL_CPUS, .layer = "paranoid",
     .text = "paranoid cannot be read: counting whole CPUs", .remedy = "perf_event_paranoid=0"},
    /* kernel.org's kernels take 3 and 4 for 2 */
    {DENIED(EACCES, STATUS(NONE, "0"), 3), OWN, .layer = "paranoid", .text = "paranoid is 3: counting kernel mode",
     .remedy = "--all-user"},
    {DENIED(EACCES, STATUS(NONE, "0"), 4), ALL_CPUS, .layer = "paranoid", .text = "paranoid is 4: counting whole CPUs",
     .remedy = "-p"},
    /* Debian's and Ubuntu's refuse everything, to CAP_PERFMON as well */
    {SHUT(NONE, "0", 3), OWN, .layer = "paranoid",
     .text =
         "is 3: above 2 this kernel, like Debian's and Ubuntu's, refuses all without CAP_SYS_ADMIN; CAP_PERFMON is not enough",
     .remedy =
         "sysctl kernel.perf_event_paranoid=2 (own programs, user mode), or sysctl kernel.perf_event_paranoid=1 ("},
    {SHUT(NONE, "0", 4), .layer = "paranoid", .text = "is 4: above 2 this kernel",
     .remedy = "sysctl kernel.perf_event_paranoid=2 ("},
    {SHUT(NONE, "0", 4), .self = true, .layer = "paranoid", .text = "is 4: above 2 this kernel",
     .remedy = "sysctl kernel.perf_event_paranoid=2 ("},
    {SHUT(NONE, "0", 3), ALL_CPUS, .layer = "paranoid", .text = "CAP_PERFMON is not enough",
     .remedy =
         "sysctl kernel.perf_event_paranoid=2, and setcap cap_perfmon+ep $(command -v tdprobe) (for one group alone: "
         "before it chgrp GROUP and chmod o-x); or sysctl kernel.perf_event_paranoid=0"},
    {SHUT(PERFMON, "0", 3), ALL_CPUS, .layer = "paranoid",
     .text = "refuses all without CAP_SYS_ADMIN, also with CAP_PERFMON",
     .remedy = "sysctl kernel.perf_event_paranoid=2, at which CAP_PERFMON is enough"},
    {SHUT(PERFMON, "2", 4), ALL_CPUS, .layer = "paranoid", .text = "also with CAP_PERFMON",
     .remedy = "sysctl kernel.perf_event_paranoid=2, at"},
    {SHUT(NONE, "0", 3), ALL_CPUS, .container = true, .layer = "paranoid", .text = "CAP_PERFMON is not enough",
     .remedy = "or on the host sysctl kernel.perf_event_paranoid=0"},
    {SHUT(NONE, "0", 3), OWN, .container = true, .layer = "paranoid", .text = "CAP_PERFMON is not enough",
     .remedy = "on the host sysctl kernel.perf_event_paranoid=2 (own programs, user mode), or on the host sysctl "
               "kernel.perf_event_paranoid=1 ("},
    /* the trial is told apart from a filter's refusal, and is none at values that all kernels understand alike */
    {DENIED(EPERM, STATUS(PERFMON, "2"), 3), .trial = -EPERM, ALL_CPUS, .layer = "seccomp", .text = "seccomp",
     .remedy = "also sysctl kernel.perf_event_paranoid=2"},
    {DENIED(EPERM, STATUS(SYS_ADMIN, "2"), 3), .trial = -EPERM, ALL_CPUS, .layer = "seccomp", .text = "seccomp",
     .remedy = "seccomp=unconfined; systemd: SystemCallFilter=perf_event_open)"},
    {DENIED(EACCES, STATUS(BOTH, "0"), 3), .trial = -EACCES, ALL_CPUS, .layer = "capability",
     .text = "the kernel refuses perf_event_open in spite of CAP_PERFMON: a security module forbids it",
     .remedy = "measure outside the container, or see in"},
    {DENIED(EACCES, STATUS(SYS_ADMIN, "0"), 4), .trial = -EACCES, ALL_CPUS, .layer = "capability",
     .text = "in spite of CAP_SYS_ADMIN", .remedy = "outside"},
    {DENIED(EACCES, STATUS(NONE, "0"), 2), .trial = -EACCES, OWN, .layer = "paranoid",
     .text = "paranoid is 2: counting kernel mode", .remedy = "--all-user"},
    {DENIED(EACCES, STATUS(PERFMON, "0"), 2), .trial = -EACCES, ALL_CPUS, .layer = "capability",
     .text = "in spite of CAP_PERFMON", .remedy = "outside"},
    /* a file's capability that would not come into force is not advised */
    {DENIED(EACCES, UNGRANTABLE, 2), ALL_CPUS, .container = true, .layer = "paranoid", .text = "whole CPUs",
     .remedy = "give this container CAP_PERFMON (docker run --cap-add=PERFMON; Podman, and Docker before 23.0: with "
               "--security-opt seccomp=unconfined), or on the host sysctl kernel.perf_event_paranoid=0"},
    {DENIED(EACCES, NO_NEW, 2), ALL_CPUS, .layer = "paranoid", .text = "whole CPUs",
     .remedy = "seccomp=unconfined; systemd: AmbientCapabilities=CAP_PERFMON, and in CapabilityBoundingSet if that is "
               "set), or sysctl"},
    {DENIED(EACCES, NO_NEW, 3), .trial = -EACCES, ALL_CPUS, .layer = "paranoid", .text = "not enough",
     .remedy = "paranoid=2, and give this container or unit CAP_PERFMON ("},
    /* the value allows it, and there is no other task: neither is the reason */
    {DENIED(EACCES, STATUS(NONE, "0"), 0), ALL_CPUS, .layer = "security",
     .text =
         "the kernel refuses perf_event_open although kernel.perf_event_paranoid allows it: a security module (SELinux)",
     .remedy = "see in the security module's log (audit) what it denied, or measure"},
    {DENIED(EACCES, STATUS(NONE, "0"), -1), ALL_CPUS, .layer = "security",
     .text = "although kernel.perf_event_paranoid allows it", .remedy = "audit"},
    {DENIED(EACCES, STATUS(NONE, "0"), 2), .self = true, .layer = "security",
     .text = "although kernel.perf_event_paranoid allows it", .remedy = "audit"},
    {DENIED(EACCES, STATUS(NONE, "0"), 3), .self = true, .layer = "security",
     .text = "although kernel.perf_event_paranoid allows it", .remedy = "audit"},
    /* a task of another user */
    {DENIED(EACCES, STATUS(NONE, "0"), 2), .layer = "task",
     .text = "task 4711 belongs to another user, or may not be traced",
     .remedy = "measure as its user, or with CAP_PERFMON (setcap"},
    {DENIED(EACCES, STATUS(NONE, "0"), 1), OWN, .layer = "task", .text = "another user", .remedy = "as its user"},
    {DENIED(EPERM, STATUS(NONE, "0"), 0), OWN, .layer = "task", .text = "another user", .remedy = "as its user"},
    {DENIED(EACCES, NULL, TD_PARANOID_UNKNOWN), .layer = "task", .text = "another user", .remedy = "as its user"},
    /* with the capability the kernel does not check paranoid: a filter denied access, if it denies the trial too */
    {DENIED(EACCES, STATUS(PERFMON, "2"), 3), .trial = -EACCES, ALL_CPUS, .layer = "paranoid",
     .text = "also with CAP_PERFMON", .remedy = "=2, at"},
    {DENIED(EPERM, STATUS(PERFMON, "2"), 2), .trial = -EPERM, ALL_CPUS, .layer = "seccomp",
     .text = "a seccomp filter denies perf_event_open", .remedy = "let the filter of the container or unit allow"},
    {DENIED(EACCES, STATUS(PERFMON, "2"), 2), ALL_CPUS, .layer = "capability", .text = "in spite of CAP_PERFMON",
     .remedy = "outside"},
    {DENIED(EACCES, STATUS(PERFMON, "2"), 3), ALL_CPUS, .layer = "capability", .text = "in spite of CAP_PERFMON",
     .remedy = "outside"},
    /* capabilities of a user namespace do not count, and a file's neither */
    {DENIED(EACCES, STATUS(BOTH, "2"), 2), ALL_CPUS, .rootless = true, .layer = "paranoid",
     .text = "paranoid is 2: counting whole CPUs needs CAP_PERFMON outside of this user namespace, whose capabilities",
     .remedy = "(-p), or measure in a container that root starts (docker run --cap-add=PERFMON; "},
    {DENIED(EACCES, STATUS(BOTH, "2"), 2), OWN, .rootless = true, .layer = "paranoid",
     .text = "counting kernel mode needs CAP_PERFMON outside of this user namespace",
     .remedy = "count user mode only (--all-user), or on the host sysctl kernel.perf_event_paranoid=1"},
    {SHUT(BOTH, "0", 3), OWN, .rootless = true, .layer = "paranoid", .text = "CAP_PERFMON is not enough",
     .remedy = "on the host sysctl kernel.perf_event_paranoid=2 (own programs, user mode), or on the host sysctl"},
    {DENIED(EPERM, STATUS(BOTH, "2"), 2), .trial = -EPERM, .rootless = true, ALL_CPUS, .layer = "seccomp",
     .text = "a seccomp filter", .remedy = "Podman, and Docker before 23.0: with --security-opt seccomp=unconfined"},
    {DENIED(EPERM, STATUS(SYS_ADMIN, "2"), 2), .trial = -EPERM, ALL_CPUS, .container = true, .layer = "seccomp",
     .text = "a seccomp filter of this container denies", .remedy = "seccomp="},
    /* the filters of Docker, Podman and systemd answer EPERM: EACCES is of a security module, or of a filter that
       nobody ships */
    {DENIED(EACCES, STATUS(SYS_ADMIN, "2"), 2), .trial = -EACCES, ALL_CPUS, .container = true, .layer = "capability",
     .text =
         "refuses perf_event_open in spite of CAP_SYS_ADMIN: a security module forbids it, or a seccomp filter that",
     .remedy = "outside"},
    {DENIED(EACCES, STATUS(PERFMON, "2"), 2), .trial = -EPERM, ALL_CPUS, .layer = "capability",
     .text = "in spite of CAP_PERFMON", .remedy = "outside"},
    /* too many open files are none of a filter's answers */
    {DENIED(EPERM, STATUS(SYS_ADMIN, "2"), 2), .trial = -EMFILE, ALL_CPUS, .layer = "capability",
     .text = "in spite of CAP_SYS_ADMIN", .remedy = "outside"},
    {DENIED(EPERM, STATUS(NONE, "2"), 2), .trial = -EPERM, ALL_CPUS, .layer = "seccomp", .text = "a seccomp filter",
     .remedy = "systemd: SystemCallFilter=perf_event_open"},
    {DENIED(EPERM, STATUS(NONE, "2"), 2), ALL_CPUS, .layer = "paranoid", .text = "counting whole CPUs needs",
     .remedy = "measure a command (tdprobe -- COMMAND)"},
    {DENIED(EPERM, STATUS(NONE, "2"), 0), .trial = -EPERM, ALL_CPUS, .layer = "seccomp", .text = "a seccomp filter",
     .remedy = "let the filter of the container or unit allow perf_event_open (docker run --cap-add=PERFMON; Podman,"},
    {DENIED(EACCES, STATUS(NONE, "2"), 0), .trial = -EACCES, ALL_CPUS, .layer = "security",
     .text = "refuses perf_event_open although", .remedy = "audit"},
    {DENIED(EACCES, STATUS(NONE, "2"), 0), ALL_CPUS, .layer = "security", .text = "or the sandbox of a container",
     .remedy = "audit"},
    {DENIED(EACCES, STATUS(NONE, "2"), 2), ALL_CPUS, .layer = "paranoid", .text = "paranoid is 2", .remedy = "-p"},
    {DENIED(EPERM, STATUS(NONE, "2"), 2), .layer = "task", .text = "task 4711 belongs", .remedy = "as its user"},
    {DENIED(EACCES, STATUS(PERFMON, "0"), 3), ALL_CPUS, .layer = "capability", .text = "CAP_PERFMON",
     .remedy = "outside"},
    {DENIED(EPERM, STATUS(SYS_ADMIN, "0"), 3), ALL_CPUS, .layer = "capability", .text = "CAP_SYS_ADMIN",
     .remedy = "outside"},
    /* all but those */
    {DENIED(EACCES, STATUS("ffffffbfffdfffff", "0"), 3), ALL_CPUS, .layer = "paranoid", .text = "paranoid is 3",
     .remedy = "cap_perfmon"},
    /* a locked-down kernel counts: it checks LOCKDOWN_PERF only for PERF_SAMPLE_REGS_INTR (kernel/events/core.c), so it
       is the next layer */
    {DENIED(EPERM, STATUS(PERFMON, "2"), 3), .trial = -EPERM, ALL_CPUS, LOCKED, .layer = "seccomp", .text = "seccomp",
     .remedy = "perf_event_open"},
    {DENIED(EPERM, STATUS(PERFMON, "0"), 3), ALL_CPUS, LOCKED, .layer = "capability", .text = "CAP_PERFMON",
     .remedy = "outside"},
    {DENIED(EPERM, STATUS(NONE, "0"), 3), ALL_CPUS, LOCKED, .layer = "paranoid", .text = "paranoid is 3",
     .remedy = "cap_perfmon"},
    {DENIED(EACCES, STATUS(NONE, "0"), 2), OWN, LOCKED, .layer = "paranoid", .text = "paranoid is 2",
     .remedy = "--all-user"},
    {DENIED(EACCES, STATUS(NONE, "0"), 1), OWN, LOCKED, .layer = "task", .text = "another user",
     .remedy = "as its user"},
    {DENIED(EPERM, STATUS(NONE, "0"), 3), ALL_CPUS, .lockdown = "none [integrity] confidentiality\n",
     .layer = "paranoid", .text = "paranoid is 3", .remedy = "cap_perfmon"},
    /* the event */
    {.err = -ENOENT,
     .layer = "event",
     .text = "the kernel cannot count STALLS.IT (config 0x14a3): No such",
     .remedy = "a newer kernel may know it, if this is the CPU spr; 'tdprobe doctor' shows"},
    {.err = -EINVAL, .layer = "event", .text = "STALLS.IT", .remedy = "kernel"},
    {.err = -EOPNOTSUPP, .layer = "event", .text = "STALLS.IT", .remedy = "kernel"},
    {.err = -ENXIO,
     .guest = true,
     .layer = "guest",
     .text = "STALLS.IT",
     .remedy = "this is a guest (KVMKVMKVM), whose virtual PMU may lack the event"},
    {.err = -ENOENT, .guest = true, .layer = "guest", .text = "STALLS.IT", .remedy = "pmu=on"},
    /* the event cannot be opened in a cgroup but can be elsewhere: on any machine */
    {.err = -ENOENT,
     .cgroup = true,
     .layer = "cgroup",
     .text = "the kernel counts nothing for this cgroup: No such",
     .remedy = "cgroup.subtree_control"},
    {.err = -ENOENT,
     .cgroup = true,
     .guest = true,
     .layer = "cgroup",
     .text = "cgroup",
     .remedy = "perf_event hierarchy"},
    {DENIED(EACCES, STATUS(NONE, "0"), 1), ALL_CPUS, .cgroup = true, .layer = "paranoid", .text = "paranoid is 1",
     .remedy = "perf_event_paranoid=0"},
    {.err = -EBUSY, .cgroup = true, .layer = "counters", .text = "in use", .remedy = "perf"},
    /* the counters */
    {.err = -EBUSY,
     .watchdog = true,
     .layer = "watchdog",
     .text = "are in use: Device or resource busy; the NMI watchdog is on, which holds one unless",
     .remedy = "nmi_watchdog=0 while measuring, and end what else is measuring (perf,"},
    {.err = -EBUSY,
     .layer = "counters",
     .text = "the counters are in use: Device or resource busy",
     .remedy = "end what else is measuring (perf,"},
    {.err = -ENOSPC, .layer = "counters", .text = "in use", .remedy = "perf"},
    {.err = -ENOSPC, .watchdog = true, .layer = "watchdog", .text = "watchdog", .remedy = "nmi_watchdog=0"},
    /* the target, the process, the kernel */
    {.err = -ESRCH,
     .layer = "task",
     .text = "there is no task 4711",
     .remedy = "name one that runs: 'ps -eL' lists processes and threads"},
    {.err = -ENODEV, .layer = "cpu", .text = "CPU 12 is offline, or not of this PMU", .remedy = "online"},
    {.err = -EMFILE,
     .layer = "limit",
     .text = "the process has too many open files: each event",
     .remedy = "raise the limit (ulimit -n), or measure fewer CPUs (-C), tasks, or level 1 only (--level 1)"},
    {.err = -ENFILE,
     .layer = "limit",
     .text = "all processes together have too many open files",
     .remedy = "raise the limit (sysctl fs.file-max), or measure fewer CPUs"},
    {.err = -ENOSYS,
     .layer = "kernel",
     .text = "this kernel has no perf_event_open, or a seccomp filter hides it",
     .remedy =
         "allow perf_event_open in the container's seccomp profile; outside of containers boot a kernel that has CONFIG_PERF_EVENTS"},
};

/* Words of one layer's text, which that of no other has. */
static const struct {
    const char *layer, *words;
} marks[] = {
    {"paranoid", "kernel.perf_event_paranoid is"},
    {"seccomp", "denies perf_event_open"},
    {"capability", "in spite of"},
    {"task", "task 4711"},
    {"security", "although kernel.perf_event_paranoid allows it"},
    {"cgroup", "for this cgroup"},
    {"watchdog", "NMI watchdog"},
    {"cpu", "CPU 12"},
    {"limit", "too many open files"},
    {"kernel", "has no perf_event_open"},
};

/* What the process tries, to find out whether the kernel is shut or a filter denies: only above 2 or with a filter, and
 * only an event that no kernel of kernel.org refuses. */
static const struct told *tried;
static size_t trials, closed;

static int fake_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    (void)ctx;
    trials++;
    CU_ASSERT(attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY && attr->exclude_kernel &&
              attr->exclude_hv);
    CU_ASSERT(pid == 0 && cpu == -1 && group == -1 && flags == PERF_FLAG_FD_CLOEXEC);
    CU_ASSERT(tried->paranoid > 2 || strstr(tried->status, "Seccomp:\t2"));
    return tried->trial ? tried->trial : 77;
}

static int fake_close(void *ctx, int fd)
{
    (void)ctx;
    CU_ASSERT_EQUAL(fd, 77);
    closed++;
    return 0;
}

static void setting_of(const struct told *t, struct fake_os *f, struct td_host *h)
{
    fake_begin(f);
    f->os.perf_open = fake_open;
    f->os.close = fake_close;
    tried = t;
    trials = closed = 0;
    fake_put(f, t->status, "/proc/self/status");
    fake_put(f, t->lockdown, "/sys/kernel/security/lockdown");
    fake_put(f, t->container ? "" : NULL, "/run/.containerenv");
    fake_put(f, t->rootless ? ROOTLESS : FIRST, "/proc/self/uid_map");
    *h = (struct td_host){
        .os = &f->os, .guest = t->guest, .watchdog = t->watchdog, .paranoid = t->paranoid, .identity = {.name = "spr"}};
    if (t->guest)
        snprintf(h->hypervisor, sizeof(h->hypervisor), "KVMKVMKVM");
}

static const struct td_perf_error failed = {.call = "perf_event_open",
                                            .event = "STALLS.IT",
                                            .config = 0x14a3,
                                            .target = {.pid = 4711, .cpu = 12, .cgroup = -1}};

static void layers(void)
{
    for (size_t i = 0; i < TD_LENGTH(tellings); i++) {
        const struct told *t = &tellings[i];
        struct td_perf_error e = failed;
        struct td_obstacle o;
        struct fake_os f;
        struct td_host h;
        bool good;

        setting_of(t, &f, &h);
        e.err = t->err;
        e.cgroup = t->cgroup;
        e.target.pid = t->self ? 0 : failed.target.pid;
        td_obstacle_explain(&h, &e, t->system, t->kernel, &o);
        good = !strcmp(o.layer, t->layer) && strstr(o.text, t->text) && strstr(o.remedy, t->remedy);
        if (!good)
            printf("\n    telling %zu: %s: %s: %s", i, o.layer, o.text, o.remedy);
        CU_ASSERT(good);
        for (size_t m = 0; m < TD_LENGTH(marks); m++)
            CU_ASSERT(!strcmp(o.layer, marks[m].layer) || !strstr(o.text, marks[m].words));
        CU_ASSERT(trials <= 2 && closed == (t->trial ? 0 : trials));
        CU_ASSERT(!strstr(o.text, "lock") && !strstr(o.remedy, "lock") && !strstr(o.layer, "lock"));
        CU_ASSERT(*o.text && *o.remedy && strlen(o.text) < sizeof(o.text) - 1 &&
                  strlen(o.remedy) < sizeof(o.remedy) - 1);
    }
}

/* Every number that the kernel may return has a layer and a text, and one text with the code for the caller. */
static void every_error(void)
{
    for (int err = 1; err < 134; err++)
        for (int event = 0; event < 3; event++) { /* for none, for one, for one in a cgroup */
            static const struct told own = {.paranoid = 2};
            bool unable = err == ENOENT || err == EINVAL || err == ENXIO || err == ENOSYS || err == EOPNOTSUPP;
            struct td_perf_error e = event ? failed : (struct td_perf_error){.target = {-1, -1, -1}};
            struct td_obstacle o;
            struct fake_os f;
            struct td_host h;
            char text[1000], small[20];

            setting_of(&own, &f, &h);
            e.err = -err;
            e.cgroup = event == 2;
            td_obstacle_explain(&h, &e, false, true, &o);
            CU_ASSERT(o.layer && *o.layer && *o.text);
            CU_ASSERT_EQUAL(!strcmp(o.layer, "cgroup"), event == 2 && unable && err != ENOSYS);
            CU_ASSERT_EQUAL(td_obstacle_text(&h, &e, false, true, text, sizeof(text)), unable ? -EOPNOTSUPP : -err);
            CU_ASSERT(err == ENOMEM ? !strcmp(text, "out of memory")
                                    : !strncmp(text, o.text, strlen(o.text)) && strstr(text, o.remedy));
            CU_ASSERT_PTR_NULL(strstr(text, "(null)"));
            CU_ASSERT(!strstr(text, "What to do") == (err == ENOMEM || !*o.remedy));
            td_obstacle_text(&h, &e, false, true, small, sizeof(small));
            CU_ASSERT(!strncmp(small, text, sizeof(small) - 1) && strlen(small) < sizeof(small));
        }
}

static void rights(void)
{
    static const struct {
        const char *status;
        bool perfmon, admin, seccomp, grantable;
        const char *users;
    } all[] = {
        {STATUS(NONE, "0"), false, false, false, true, NULL},
        {STATUS(PERFMON, "1"), true, false, true, true, NULL},
        {STATUS(SYS_ADMIN, "2"), false, true, true, true, NULL},
        {STATUS(BOTH, "0"), true, true, false, true, NULL},
        {STATUS("ffffffbfffdfffff", "0"), false, false, false, true, NULL},
        {UNGRANTABLE, false, false, false, false, NULL},
        {NO_NEW, false, false, false, false, NULL},
        {STATUS(BOTH, "0"), true, true, false, true, FIRST},
        {STATUS(BOTH, "2"), false, false, true, false, ROOTLESS},
        {STATUS(BOTH, "0"), false, false, false, false, "0 0 65536\n"},
        {STATUS(BOTH, "0"), false, false, false, false, "0 1 4294967295\n"},
        {STATUS(BOTH, "0"), false, false, false, false, ""}, /* not yet mapped */
        {"Name:\tx\n", false, false, false, true, NULL},
        {NULL, false, false, false, true, NULL},
    };
    static const char *const folders[] = {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"};
    struct td_rights r;
    struct fake_os f;

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        fake_begin(&f);
        fake_put(&f, all[i].status, "/proc/self/status");
        fake_put(&f, all[i].users, "/proc/self/uid_map");
        td_rights_find(&f.os, &r);
        CU_ASSERT(r.perfmon == all[i].perfmon && r.admin == all[i].admin && r.capable == (r.perfmon || r.admin) &&
                  r.seccomp == all[i].seccomp);
        CU_ASSERT(r.grantable == all[i].grantable && !r.container && !r.lockdown);
    }
    for (size_t i = 0; i < TD_LENGTH(folders); i++) {
        fake_begin(&f);
        fake_put(&f, "", "%s", folders[i]);
        td_rights_find(&f.os, &r);
        CU_ASSERT_TRUE(r.container);
    }
}

/* Where a filter refuses, the value matters too if it may be one of Debian's or Ubuntu's, above 2. */
static void filters(void)
{
    static const struct {
        int paranoid;
        const char *status;
        bool also;
    } rows[] = {{1, STATUS(NONE, "2"), false},
                {2, STATUS(NONE, "2"), false},
                {3, STATUS(NONE, "2"), true},
                {4, STATUS(PERFMON, "2"), true},
                {TD_PARANOID_UNKNOWN, STATUS(NONE, "2"), false},
                {3, STATUS(SYS_ADMIN, "2"), false}};

    for (size_t i = 0; i < TD_LENGTH(rows); i++) {
        const struct told t = {.err = -EPERM, .trial = -EPERM, .status = rows[i].status, .paranoid = rows[i].paranoid};
        struct td_perf_error e = failed;
        struct td_obstacle o;
        struct fake_os f;
        struct td_host h;

        setting_of(&t, &f, &h);
        e.err = -EPERM;
        td_obstacle_explain(&h, &e, true, true, &o);
        CU_ASSERT_STRING_EQUAL(o.layer, "seccomp");
        CU_ASSERT_EQUAL(strstr(o.remedy, "kernel.perf_event_paranoid=2") != NULL, rows[i].also);
    }
}

static const CU_TestInfo tests[] = {
    {"layers", layers}, {"every error", every_error}, {"filters", filters}, {"rights", rights}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("obstacle", tests);
