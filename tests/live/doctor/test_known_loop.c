/* SPDX-License-Identifier: MIT */
/* The doctor's known loop on simulated machines whose counters show after it what is written out here. */
#include "core/solve/solve.h"
#include "live/doctor/doctor.h"
#include "session/machine.h"
#include "session/session.h"
#include "tests/support/findings_text.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FDS = 4096, ANY = 0x7fff, MS = 1000000 };

/* What the events with that code count in the second pass of the loop. */
struct count {
    uint64_t config, n;
};

/* The seam of a machine in which a loop of 50 ms makes so many additions, and counters count what the test wants. */
static struct {
    struct td_os os;
    const struct td_os *real;
    const struct count *counts; /* ended by one of code ANY, which all others have */
    uint64_t additions, enabled, running; /* of the second pass */
    unsigned spins;
    int pinned, most_pinned;
    int refused_cpus, refused_tasks; /* the errors of opening for CPUs, and for tasks */
    long open;
    int leader[FDS];
    uint64_t config[FDS];
} machine;

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    int err = pid < 0 ? machine.refused_cpus : machine.refused_tasks, fd;

    (void)ctx;
    if (err)
        return err;
    fd = machine.real->perf_open(machine.real->ctx, attr, pid, cpu, group, flags);
    CU_ASSERT_FATAL(fd < FDS);
    if (fd >= 0) {
        machine.open++;
        machine.leader[fd] = group < 0 ? fd : group;
        machine.config[fd] = attr->config;
    }
    return fd;
}

static int close_event(void *ctx, int fd)
{
    (void)ctx;
    machine.open--;
    if (fd >= 0 && fd < FDS)
        machine.leader[fd] = -1;
    return machine.real->close(machine.real->ctx, fd);
}

static uint64_t counts_of(uint64_t config)
{
    const struct count *c = machine.counts;

    while (c->config != ANY && c->config != config)
        c++;
    return c->n;
}

/* n, enabled, running, values: after the first pass 1000 each, after the second so much more. */
static ssize_t read_group(void *ctx, int fd, void *buf, size_t size)
{
    ssize_t got = machine.real->read(machine.real->ctx, fd, buf, size);
    uint64_t *v = buf;
    size_t n = 0;

    (void)ctx;
    if (got < 24 || !machine.counts || fd >= FDS || machine.leader[fd] != fd)
        return got;
    v[1] = 100 * MS + (machine.spins > 1 ? machine.enabled : 0);
    v[2] = 100 * MS + (machine.spins > 1 ? machine.running : 0);
    for (int e = fd; e < FDS && n < v[0]; e++)
        if (machine.leader[e] == fd)
            v[3 + n++] = 1000 + (machine.spins > 1 ? counts_of(machine.config[e]) : 0);
    return got;
}

static uint64_t spin(void *ctx, uint64_t ns)
{
    (void)ctx;
    CU_ASSERT_EQUAL(ns, 50 * MS);
    machine.spins++;
    machine.real->spin(machine.real->ctx, ns);
    return machine.spins > 1 ? machine.additions : 7;
}

static int pin(void *ctx, int cpu)
{
    (void)ctx;
    machine.pinned = cpu;
    machine.most_pinned = cpu > machine.most_pinned ? cpu : machine.most_pinned;
    return machine.real->pin(machine.real->ctx, cpu);
}

static struct td *td;

static void begin(const char *name)
{
    td = on_shipped_machine(name);
    memset(&machine, 0, sizeof(machine));
    machine.real = td_session_os(td);
    machine.os = *machine.real;
    machine.os.perf_open = open_event;
    machine.os.close = close_event;
    machine.os.read = read_group;
    machine.os.spin = spin;
    machine.os.pin = pin;
    machine.enabled = machine.running = 50 * MS;
    machine.additions = 100000000;
    machine.pinned = machine.most_pinned = -1;
    for (size_t i = 0; i < FDS; i++)
        machine.leader[i] = -1;
    td->os = &machine.os;
    CU_ASSERT_EQUAL_FATAL(td_detect(td), 0);
    CU_ASSERT_EQUAL_FATAL(td_session_find_pmus(td), 0);
}

static int measure(void)
{
    struct td_doctor d = {.meter = td->meter, .each = add};
    int err;

    *text = '\0';
    machine.spins = 0;
    err = td_doctor_measure(&d);
    CU_ASSERT_EQUAL(machine.open, 0);
    CU_ASSERT_EQUAL(machine.pinned, -1);
    return err;
}

static void finish(void)
{
    td_free(td);
}

static void line(const char *wanted)
{
    if (!strstr(text, wanted))
        printf("\n    %s is not in\n%s", wanted, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted));
}

#define OWN "ok source: perf: usable for own tasks on cpu, by the form icl-perf-metrics\n"
#define WHOLE "ok source: perf: usable for whole CPUs on cpu\n"
#define LIES " -> do not trust this PMU: measure on the host, or on an instance type that has a PMU of its own\n"
#define TASKS \
    "ok source: perf: tasks on cpu are counted by the form icl-events, level 1: one group of ordinary events is exact, " \
    "and PERF_METRICS loses a part at each switch of a task\n"

/* 100 million cycles of 5 slots. By the register 25 %, 12.5 %, 12.5 % and 50 %, without anything to correct; the loop
 * shares its core with a thread that may be active, so 0.2 to 1.02 of the slots are possible. */
#define CYCLES \
    { \
        0x3c, 100000000 \
    }
#define SHARES \
    {0x8000, 125000000}, {0x8100, 62500000}, {0x8200, 62500000}, \
    { \
        0x8300, 250000000 \
    }
#define REST \
    {0xc0, 100000000}, {0x100d, 0}, {0x104010d, 0}, \
    { \
        ANY, 77 \
    }

static void with(const struct count *counts, int err, const char *wanted)
{
    machine.counts = counts;
    CU_ASSERT_EQUAL(measure(), err);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    CU_ASSERT_EQUAL(machine.spins, 2);
    CU_ASSERT_EQUAL(machine.most_pinned, 0); /* its first CPU */
}

static void plausible(void)
{
    static const struct count counts[] = {{0x400, 500000000}, CYCLES, SHARES, REST};

    begin("icelake");
    with(counts, 0, OWN "ok pmu: cpu: a loop of 50.0 ms was measured and is plausible (retiring 25 %)\n" TASKS WHOLE);
    finish();
}

/* As they are counted by the simulated machines: by hand in their files. */
static void machines(void)
{
    begin("alderlake");
    CU_ASSERT_EQUAL(measure(), 0);
    CU_ASSERT_STRING_EQUAL(
        text,
        "ok source: perf: usable for own tasks on cpu_core, by the form glc-perf-metrics\n"
        "ok pmu: cpu_core: a loop of 50.0 ms was measured and is plausible (retiring 25 %)\n"
        "ok source: perf: tasks on cpu_core are counted by the form glc-events, level 2: one group of ordinary events "
        "is exact, and PERF_METRICS loses a part at each switch of a task\n"
        "ok source: perf: usable for whole CPUs on cpu_core\n"
        "ok source: perf: usable for own tasks on cpu_atom, by the form gracemont\n"
        "ok pmu: cpu_atom: a loop of 50.0 ms was measured and is plausible (retiring 37 %)\n"
        "ok source: perf: usable for whole CPUs on cpu_atom\n");
    CU_ASSERT_EQUAL(machine.most_pinned, 8); /* the first of cpu_atom */
    finish();
    begin("guest-lying-pmu"); /* nine counters: five of the register, two corrections, cycles and instructions */
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: all 9 counters say the same number, ");
    line(WHOLE);
    finish();
}

/* The edges of what nine counters can show. */
static void dead(void)
{
    static const struct count still[] = {{ANY, 0}}, same[] = {{ANY, 123456}}, one[] = {{0x3c, 1}, {ANY, 0}};

    begin("icelake");
    with(still, -EILSEQ, OWN "OBSTACLE lies: cpu: the counters stood still while a loop ran" LIES WHOLE);
    with(same, -EILSEQ, OWN "OBSTACLE lies: cpu: all 9 counters say the same number, 123456" LIES WHOLE);
    CU_ASSERT_STRING_EQUAL(td->log.error, "cpu: all 9 counters say the same number, 123456");
    machine.counts = one; /* one cycle, and nothing that is dead */
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 1 cycles in 50.0 ms of a loop of 100000000 additions are impossible" LIES);
    finish();
}

/* 50 ms have 5 million to 500 million cycles. Fewer are no lie where the additions confirm them: 5 in a cycle. */
static void cycles(void)
{
    struct count counts[] = {{0x400, 25000000}, {0x3c, 5000000},    {0x8000, 6250000}, {0x8100, 3125000},
                             {0x8200, 3125000}, {0x8300, 12500000}, {0xc0, 1000000},   {0x100d, 0},
                             {0x104010d, 0},    {ANY, 77}};

    begin("icelake");
    machine.counts = counts;
    CU_ASSERT_EQUAL(measure(), 0);
    line("ok pmu: cpu: a loop of 50.0 ms was measured and is plausible (retiring 25 %)\n");
    counts[1].n--;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 4999999 cycles in 50.0 ms of a loop of 100000000 additions are impossible" LIES);
    machine.additions = 5 * 4999999;
    CU_ASSERT_EQUAL(measure(), 0);
    line(
        "note pmu: cpu: a loop of 50.0 ms had the CPU for only 4999999 cycles, which its 24999995 additions confirm: the "
        "CPU is very slow now, or a hypervisor ran something else meanwhile (steal)\n");
    line("ok pmu: cpu: a loop of 50.0 ms was measured and is plausible (retiring 25 %)\n");
    machine.additions++;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 4999999 cycles in 50.0 ms of a loop of 24999996 additions are impossible" LIES);
    for (size_t i = 0; i < 6; i++)
        counts[i].n = (i == 1 ? 5000000 : counts[i].n) * 100;
    machine.additions = 100000000;
    CU_ASSERT_EQUAL(measure(), 0);
    line("ok pmu: cpu: a loop of 50.0 ms was measured and is plausible (retiring 25 %)\n");
    counts[1].n++;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 500000001 cycles in 50.0 ms of a loop of 100000000 additions are impossible" LIES);
    finish();
}

/* 100 million cycles have 500 million slots; 2 % more are let pass, and with an active sibling a fifth, else 0.9. */
static void slots(void)
{
    struct count counts[] = {{0x400, 510000000}, CYCLES,         SHARES,   {0xc0, 1000000},
                             {0x100d, 0},        {0x104010d, 0}, {ANY, 77}};

    begin("icelake");
    machine.counts = counts;
    CU_ASSERT_EQUAL(measure(), 0);
    counts[0].n++;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 510000001 slots in 100000000 cycles, which have 5 each, are impossible" LIES);
    counts[0].n = 100000000;
    for (size_t i = 2; i < 6; i++)
        counts[i].n /= 5;
    CU_ASSERT_EQUAL(measure(), 0);
    counts[0].n--;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 99999999 slots in 100000000 cycles, which have 5 each, are impossible" LIES);
    td->meter->host.pmu[0].counters.sibling = false;
    counts[0].n = 450000000;
    for (size_t i = 2; i < 6; i++)
        counts[i].n = counts[i].n / 2 * 9;
    CU_ASSERT_EQUAL(measure(), 0);
    counts[0].n--;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: 449999999 slots in 100000000 cycles, which have 5 each, are impossible" LIES);
    finish();
}

/* Somebody else has the counters for more than a twentieth of the time, or all of it. */
static void taken(void)
{
    static const struct count counts[] = {{0x400, 500000000}, CYCLES, SHARES, REST};
#define OTHERS "end what else is measuring (perf, another tdprobe, a debugger, a guest)\n"

    begin("icelake");
    machine.counts = counts;
    machine.running = 50 * MS - 50 * MS / 20;
    CU_ASSERT_EQUAL(measure(), 0);
    CU_ASSERT_PTR_NULL(strstr(text, "taken"));
    machine.running--;
    CU_ASSERT_EQUAL(measure(), 0);
    line("note counters: cpu: counters are taken by somebody else: the level-1 group ran 95 % of the time -> " OTHERS);
    machine.running = 25 * MS;
    CU_ASSERT_EQUAL(measure(), 0);
    line("note counters: cpu: counters are taken by somebody else: the level-1 group ran 50 % of the time -> " OTHERS);
    machine.running = 0;
    CU_ASSERT_EQUAL(measure(), -EBUSY);
    CU_ASSERT_STRING_EQUAL(text,
                           OWN "OBSTACLE counters: cpu: counters are taken by somebody else: the level-1 group ran 0 "
                               "% of the time -> " OTHERS);
    machine.enabled = 0;
    CU_ASSERT_EQUAL(measure(), -EBUSY);
    line("the level-1 group ran 0 % of the time -> " OTHERS);
    td->meter->host.pmu[0].counters.watchdog = true;
    CU_ASSERT_EQUAL(measure(), -EBUSY);
    line(
        "OBSTACLE watchdog: cpu: counters are taken by somebody else: the level-1 group ran 0 % of the time; the NMI "
        "watchdog is on, which holds one unless it is the kernel's buddy detector (CONFIG_HARDLOCKUP_DETECTOR_BUDDY) -> "
        "sysctl kernel.nmi_watchdog=0 while measuring, and " OTHERS);
    finish();
}

/* Counts of the register that are more or less than all slots. */
static void sums(void)
{
    static const struct count less[] =
        {{0x400, 500000000},  CYCLES, {0x8000, 110000000}, {0x8100, 60000000}, {0x8200, 60000000},
         {0x8300, 220000000}, REST},
                              none[] = {{0x400, 0}, {0x8000, 1}, {0x8100, 0}, {0x8200, 0}, {0x8300, 0}, REST};

    begin("icelake");
    machine.counts = less;
    measure();
    line("note pmu: cpu: the level-1 counts of the loop are not its slots; results will be flagged sum_off\n");
    machine.counts = none;
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: ");
    finish();
}

/* More instructions than two in each slot that retires, which are fused ones. */
static void contradictions(void)
{
    struct count counts[] = {{0x400, 500000000}, CYCLES,         SHARES,   {0xc0, 250000000},
                             {0x100d, 0},        {0x104010d, 0}, {ANY, 77}};

    begin("icelake");
    machine.counts = counts;
    CU_ASSERT_EQUAL(measure(), 0);
    counts[6].n = 300000000; /* far beyond the error of eight bits a field */
    CU_ASSERT_EQUAL(measure(), -EILSEQ);
    line("OBSTACLE lies: cpu: the counts of a loop contradict each other: INST_RETIRED.ANY <= 2 * ");
    line("does not hold: 300000000 > 250000000" LIES);
    CU_ASSERT(!strstr(text, "plausible") && !strstr(text, "shares of slots"));
    finish();
}

/* What may not be opened. */
static void refused(void)
{
    static const struct count counts[] = {{0x400, 500000000}, CYCLES, SHARES, REST};

    begin("icelake");
    machine.counts = counts;
    machine.refused_cpus = -EACCES;
    CU_ASSERT_EQUAL(measure(), 0);
    line(OWN);
    line("source perf, whole CPUs: ");
    CU_ASSERT_PTR_NULL(strstr(text, "usable for whole CPUs"));
    CU_ASSERT_PTR_NULL(strstr(text, "OBSTACLE"));
    machine.refused_tasks = -EACCES;
    CU_ASSERT_EQUAL(measure(), -EACCES);
    line("source perf, own tasks: ");
    line("source perf, whole CPUs: ");
    CU_ASSERT_EQUAL(machine.spins, 0);
    machine.refused_tasks = -EMFILE; /* of which no right would help */
    CU_ASSERT_EQUAL(measure(), -EMFILE);
    CU_ASSERT_PTR_NULL(strstr(text, "whole CPUs"));
    machine.refused_tasks = -ENOENT; /* no event is there */
    CU_ASSERT_EQUAL(measure(), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(text,
                           "OBSTACLE event: cpu can count no form of the formulas of icx -> use a newer kernel\n");
    td->meter->host.guest = true;
    CU_ASSERT_EQUAL(measure(), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(text,
                           "OBSTACLE guest: cpu can count no form of the formulas of icx -> measure on the host: this "
                           "virtual PMU lacks the events\n");
    finish();
}

/* How tasks are counted is only told where it differs. */
static void tasks(void)
{
    static const struct count counts[] = {{0x400, 500000000}, CYCLES, SHARES, REST};

    begin("icelake");
    machine.counts = counts;
    td->settings.fixed_tasks = true;
    CU_ASSERT_EQUAL(measure(), 0);
    CU_ASSERT_PTR_NULL(strstr(text, "tasks on cpu are"));
    td->settings.fixed_tasks = false;
    td->meter->host.pmu[0].counters.general = 1;
    CU_ASSERT_EQUAL(measure(), 0);
    line(
        "note source: perf: tasks on cpu are counted by PERF_METRICS, which loses a part at each switch: no group holds the "
        "ordinary events -> measure whole CPUs (-a)\n");
    finish();
}

static const CU_TestInfo tests[] = {
    {"plausible", plausible}, {"machines", machines}, {"dead counters", dead}, {"cycles", cycles},
    {"slots", slots},         {"taken", taken},       {"sums", sums},          {"contradictions", contradictions},
    {"refused", refused},     {"tasks", tasks},       CU_TEST_INFO_NULL,
};
UNIT_SUITE("doctor: the known loop", tests);
