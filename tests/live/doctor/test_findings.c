/* SPDX-License-Identifier: MIT */
/* What the doctor reports of machines and of rights that are written out here, finding by finding. */
#include "backends/find_identity.h"
#include "live/doctor/doctor.h"
#include "tests/support/fake_os.h"
#include "tests/support/findings_text.h"

/* The machine at hand, and its files. */
static struct fake_os fake;
static struct td_log failures;
static struct td_meter meter;

static const char *look(void)
{
    struct td_doctor d = {.meter = &meter, .each = add};

    *text = *failures.error = '\0';
    td_doctor_look(&d);
    return text;
}

/* Whether that line is among what the doctor reports. */
static bool has(const char *line)
{
    const size_t n = strlen(line);

    for (const char *at = look(); *at; at += strcspn(at, "\n") + 1)
        if (!strncmp(at, line, n) && at[n] == '\n')
            return true;
    printf("\n    %s is not in\n%s", line, text);
    return false;
}

static bool has_any(const char *part)
{
    return strstr(look(), part) != NULL;
}

static int cpus_of_two[] = {0, 1};

/* One PMU of two CPUs. */
static void begin(const char *cpu, const char *pmu)
{
    char why[200];

    fake_begin(&fake);
    memset(&meter, 0, sizeof(meter));
    meter.log = &failures;
    meter.ask.os = &fake.os;
    meter.host.os = &fake.os;
    meter.host.ncpus = 2;
    meter.host.npmus = 1;
    strcpy(meter.host.id, "an-id");
    strcpy(meter.host.origin, "hand");
    CU_ASSERT_EQUAL_FATAL(td_identity_find(cpu, &meter.host.identity, why, sizeof(why)), 0);
    strcpy(meter.host.pmu[0].name, pmu);
    meter.host.pmu[0].type = 4;
    meter.host.pmu[0].uarch = meter.host.identity.part[0];
    meter.host.pmu[0].cpus = (struct td_cpu_list){.cpu = cpus_of_two, .n = 2};
}

/* Everything of one machine, in order. */
static void in_order(void)
{
    begin("skl", "cpu");
    meter.host.pmu[0].counters.general = 4;
    CU_ASSERT_STRING_EQUAL(look(), "ok cpu: an-id: skl (named by hand), 2 CPUs online\n"
                                   "ok pmu: cpu (type 4) on CPUs 0-1: 4 programmable counters, no PERF_METRICS\n"
                                   "note backend: intel-perf-metrics: not for this CPU\n"
                                   "ok backend: intel-generic: for skl on cpu\n"
                                   "note backend: intel-atom: not for this CPU\n"
                                   "note backend: arm-neoverse: not for this CPU\n"
                                   "note backend: amd-zen: not for this CPU\n"
                                   "note paranoid: kernel.perf_event_paranoid is 0: whole CPUs without CAP_PERFMON\n"
                                   "note capability: no CAP_PERFMON\n");
    CU_ASSERT_STRING_EQUAL(failures.error, ""); /* nothing of it is an obstacle */
}

static void cpus(void)
{
    begin("skl", "cpu");
    fake_put(&fake, "6.1.2\n", "/proc/sys/kernel/osrelease");
    meter.host.smt = meter.host.renamed = meter.host.guest = true;
    strcpy(meter.host.hypervisor, "KVMKVMKVM");
    CU_ASSERT(has("note kernel: Linux 6.1.2"));
    CU_ASSERT(has("note cpu: an-id is measured as skl (named by hand), 2 CPUs online, SMT on"));
    CU_ASSERT(has("note guest: this is a guest of KVMKVMKVM"));
    meter.host.id[0] = '\0';
    CU_ASSERT(has("note cpu: no id is measured as skl (named by hand), 2 CPUs online, SMT on"));
    /* a CPU that nobody knows */
    meter.host.identity.nparts = 0;
    strcpy(meter.host.cpu_why, "it is new");
    CU_ASSERT(has("OBSTACLE cpu: it is new -> --uarch NAME measures it as a CPU whose events are the same"));
    CU_ASSERT_STRING_EQUAL(failures.error, "it is new");
    meter.host.foreign = true;
    CU_ASSERT(has("OBSTACLE cpu: it is new"));
    meter.host.npmus = 0;
    CU_ASSERT(has("note cpu: it is new"));
    meter.host.foreign = false;
    CU_ASSERT(has("note cpu: it is new"));
}

static void pmus(void)
{
    begin("icx", "cpu");
    meter.host.pmu[0].counters.general = 8;
    CU_ASSERT(has("ok pmu: cpu (type 4) on CPUs 0-1: 8 programmable counters, no PERF_METRICS"));
    CU_ASSERT(
        has("note event: cpu lacks the events slots and topdown-*: icx is measured by ordinary events, if they count"
            " -> use Linux 5.10 or later (hybrids: 5.13)"));
    meter.host.guest = true;
    CU_ASSERT(
        has("note event: cpu lacks the events slots and topdown-*: icx is measured by ordinary events, if they count"
            " -> measure on the host: KVM does not give PERF_METRICS to guests"));
    meter.host.pmu[0].counters.fields = 4;
    CU_ASSERT(has("ok pmu: cpu (type 4) on CPUs 0-1: 8 programmable counters, PERF_METRICS with level 1"));
    CU_ASSERT(!has_any(" lacks "));
    meter.host.pmu[0].counters = (struct td_counters){.fields = 8};
    CU_ASSERT(
        has("ok pmu: cpu (type 4) on CPUs 0-1: an unknown number of programmable counters, PERF_METRICS with level 2"));
    meter.host.pmu[0].counters.fields = 0;
    meter.host.pmu[0].uarch = NULL; /* then it has no backend, and lacks nothing */
    CU_ASSERT(
        has("note pmu: cpu (type 4) on CPUs 0-1: an unknown number of programmable counters, no PERF_METRICS; not of "
            "a kind of core that is to be measured"));
    CU_ASSERT(!has_any(" lacks "));
    CU_ASSERT(has("note backend: intel-perf-metrics: its PMU is missing"));
    CU_ASSERT(has("note backend: intel-generic: not for this CPU"));
}

static void no_pmu(void)
{
    begin("icx", "cpu");
    meter.host.err = -EOPNOTSUPP;
    strcpy(meter.host.why, "the PMU is another's");
    CU_ASSERT(has("OBSTACLE pmu: the PMU is another's"));
    CU_ASSERT_STRING_EQUAL(failures.error, "the PMU is another's");
    meter.host.npmus = 0;
    CU_ASSERT(has("OBSTACLE pmu: the kernel shows no PMU of the cores"));
    CU_ASSERT(!has_any("another's"));
    meter.host.guest = true;
    CU_ASSERT(has("OBSTACLE guest: the kernel shows no PMU of the cores -> let the hypervisor give it one (KVM: -cpu "
                  "host,pmu=on), or measure on the host"));
    meter.host.npmus = 1;
    meter.host.err = 0;
    CU_ASSERT(!has_any("another's"));
    meter.host.err = -EOPNOTSUPP;
    meter.host.identity.nparts = 0; /* of which see_cpu tells */
    CU_ASSERT(!has_any("another's"));
    CU_ASSERT(!has_any("watchdog"));
    meter.host.watchdog = true;
    CU_ASSERT(
        has("note watchdog: the NMI watchdog is on, which holds a counter of each CPU unless it is the kernel's buddy "
            "detector (CONFIG_HARDLOCKUP_DETECTOR_BUDDY) -> sysctl kernel.nmi_watchdog=0 while measuring"));
}

/* By the names of their PMUs CPUs are of one kind, by CPUID of another. */
static void kinds(void)
{
    static const struct {
        const char *pmu, *wanted;
        char kind;
    } all[] = {
        {"cpu_core", NULL, 'P'},
        {"cpu_core", NULL, 0},
        {"cpu", NULL, 'E'},
        {"cpu_atom", NULL, 'E'},
        {"cpu_lowpower", NULL, 'E'},
        {"cpu_core",
         "OBSTACLE pmu: cpu_core counts on CPU 0, which says by CPUID 0x1A that it is an E- core -> do not trust "
         "this PMU: measure on the host",
         'E'},
        {"cpu_atom",
         "OBSTACLE pmu: cpu_atom counts on CPU 0, which says by CPUID 0x1A that it is a P- core -> do not trust "
         "this PMU: measure on the host",
         'P'},
        {"cpu_lowpower",
         "OBSTACLE pmu: cpu_lowpower counts on CPU 0, which says by CPUID 0x1A that it is a P- core -> do "
         "not trust this PMU: measure on the host",
         'P'},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        begin("skl", all[i].pmu);
        meter.host.pmu[0].kind = all[i].kind;
        CU_ASSERT(all[i].wanted ? has(all[i].wanted) : !has_any("0x1A"));
    }
}

/* Arm's kernels tell how many slots a cycle has. */
static void arm_slots(void)
{
    begin("neoverse-v2", "armv8_pmuv3_0"); /* 8 slots: Neoverse V2 has STALL_SLOT counts of 8 a cycle */
    CU_ASSERT(
        has("note pmu: armv8_pmuv3_0 has no caps/slots (a kernel before 5.11): the slots per cycle are those of the "
            "table, 8"));
    meter.host.pmu[0].has_slots_cap = true;
    CU_ASSERT(
        has("OBSTACLE guest: armv8_pmuv3_0 says that its CPU has no STALL_SLOT events (caps/slots is 0): KVM hides "
            "them from guests -> measure on the host, or on a bare-metal instance"));
    meter.host.pmu[0].slots_cap = 8;
    CU_ASSERT(!has_any("slots"));
    meter.host.pmu[0].slots_cap = 5;
    CU_ASSERT(has("note pmu: armv8_pmuv3_0 says 5 slots per cycle, the table of neoverse-v2 says 8"));
    begin("skl", "cpu");
    CU_ASSERT(!has_any("slots"));
}

/* A kernel that lets nobody open anything, or everybody. */
static int answer;
static unsigned closed;

static int open_nothing(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                        unsigned long flags)
{
    (void)ctx;
    CU_ASSERT(attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY && attr->exclude_kernel);
    CU_ASSERT(pid == 0 && cpu == -1 && group == -1 && flags == PERF_FLAG_FD_CLOEXEC);
    return answer;
}

static int close_it(void *ctx, int fd)
{
    (void)ctx;
    CU_ASSERT_EQUAL(fd, answer);
    closed++;
    return 0;
}

static void status(const char *caps, const char *rest)
{
    char all[400];

    snprintf(all, sizeof(all), "Name:\ttdprobe\nCapEff:\t%s\n%s", caps, rest);
    fake_put(&fake, all, "/proc/self/status");
}

static void paranoid(void)
{
    begin("skl", "cpu");
    fake.os.perf_open = open_nothing;
    fake.os.close = close_it;
    closed = 0;
    meter.host.paranoid = -1;
    CU_ASSERT(has("note paranoid: kernel.perf_event_paranoid is -1: whole CPUs without CAP_PERFMON"));
    meter.host.paranoid = 1;
    CU_ASSERT(has("note paranoid: kernel.perf_event_paranoid is 1: own tasks without CAP_PERFMON"));
    meter.host.paranoid = 2;
    CU_ASSERT(has("note paranoid: kernel.perf_event_paranoid is 2: own tasks in user mode without CAP_PERFMON"));
    meter.host.paranoid = TD_PARANOID_UNKNOWN;
    CU_ASSERT(has("note paranoid: kernel.perf_event_paranoid cannot be read"));
    meter.host.paranoid = 3;
    answer = -EACCES;
    CU_ASSERT(
        has("note paranoid: kernel.perf_event_paranoid is 3: nothing without CAP_SYS_ADMIN, also with CAP_PERFMON: "
            "above 2 this kernel, like Debian's and Ubuntu's, refuses it"));
    answer = -EPERM; /* a filter's, before the kernel is asked */
    CU_ASSERT(
        has("note paranoid: kernel.perf_event_paranoid is 3: without CAP_SYS_ADMIN nothing on kernels of Debian and "
            "Ubuntu, also with CAP_PERFMON; on others, as with 2, own tasks in user mode without CAP_PERFMON"));
    CU_ASSERT_EQUAL(closed, 0);
    answer = 0; /* a descriptor, too */
    CU_ASSERT(
        has("note paranoid: kernel.perf_event_paranoid is 3: on this kernel the same as 2, own tasks in user mode "
            "without CAP_PERFMON"));
    CU_ASSERT_EQUAL(closed, 1);
    status("0000000000200000", ""); /* bit 21 */
    CU_ASSERT(
        has("note paranoid: kernel.perf_event_paranoid is 3: without CAP_SYS_ADMIN nothing on kernels of Debian and "
            "Ubuntu, also with CAP_PERFMON; on others, as with 2, own tasks in user mode without CAP_PERFMON"));
    CU_ASSERT_EQUAL(closed, 1); /* it was not tried */
}

static void rights(void)
{
    begin("skl", "cpu");
    status("0000000000200000", "Seccomp:\t0\n"); /* bit 21 */
    CU_ASSERT(has("note capability: CAP_SYS_ADMIN is there"));
    CU_ASSERT(!has_any("seccomp") && !has_any("container") && !has_any("lockdown"));
    status("0000004000000000", "Seccomp:\t2\n"); /* bit 38 */
    CU_ASSERT(has("note capability: CAP_PERFMON is there"));
    CU_ASSERT(has("note seccomp: a seccomp filter is active"));
    fake_put(&fake, "0 1000 1\n", "/proc/self/uid_map");
    CU_ASSERT(has("note capability: none that counts: perf_event_open asks for those outside of this user namespace (a "
                  "rootless container)"));
    fake_put(&fake, "0 0 4294967295\n", "/proc/self/uid_map");
    CU_ASSERT(has("note capability: CAP_PERFMON is there"));
    status("ffffffbfffdfffff", ""); /* all but these */
    CU_ASSERT(has("note capability: no CAP_PERFMON"));
    for (size_t i = 0; i < 3; i++) {
        static const char *const files[] = {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"};

        fake_put(&fake, "", "%s", files[i]);
        CU_ASSERT(has("note container: this is a container"));
        fake_put(&fake, NULL, "%s", files[i]);
        CU_ASSERT(!has_any("container"));
    }
    fake_put(&fake, "none [integrity] confidentiality\n", "/sys/kernel/security/lockdown");
    CU_ASSERT(!has_any("lockdown"));
    fake_put(&fake, "none integrity [confidentiality]\n", "/sys/kernel/security/lockdown");
    CU_ASSERT(
        has("note lockdown: the kernel is locked down (confidentiality): that forbids writing MSRs, not counting by "
            "perf"));
}

static const CU_TestInfo tests[] = {
    {"in order", in_order}, {"CPUs", cpus},           {"PMUs", pmus},
    {"no PMU", no_pmu},     {"kinds of core", kinds}, {"slots of Arm", arm_slots},
    {"paranoid", paranoid}, {"rights", rights},       CU_TEST_INFO_NULL,
};
UNIT_SUITE("doctor: findings", tests);
