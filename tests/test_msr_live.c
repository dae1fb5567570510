/* SPDX-License-Identifier: MIT */
/* The source "msr" on simulated machines: what it refuses, and what it counts. */
#include "msr_machine.h"

#include <errno.h>
#include <math.h>

/* ---- what is refused ------------------------------------------------------------- */

/* Opening fails so, with a text that has both words, and writes nothing. */
static void refused(const char *name, const char *more, int cpu, int err, const char *word, const char *other)
{
    const struct td_live what = on(&cpu);
    struct td *td = begin(name, more);
    int got = td_open_live(td, &what);

    if (got != err || !strstr(td_error(td), word) || !strstr(td_error(td), other)) {
        printf("%s with %s: %d, %s\n", name, more, got, td_error(td));
        CU_FAIL("refused otherwise, or not at all");
    }
    CU_ASSERT_PTR_NULL(write_at(td, 0));
    CU_ASSERT_EQUAL(descriptors(td), 0);
    td_free(td);
}

static void in_use(void)
{
    refused("sapphirerapids", "msr 0x186 = 0x4300c0\n", 3, -EBUSY, "programmable counter 0 is enabled", "perf");
    refused("sapphirerapids", "msr 0x18d = 0x400000\n", 3, -EBUSY, "programmable counter 7 is enabled", "perf");
    refused("sapphirerapids", "msr 0x38d = 0x1000\n", 3, -EBUSY, "fixed counter 3 is taken", "GLOBAL_INUSE");
    refused("sapphirerapids", "file /proc/sys/kernel/nmi_watchdog = 1\\n\n", 3, -EBUSY, "NMI watchdog", "nmi_watchdog=0");
}

/* What Linux leaves when perf ends: the event is selected, with INT, but without EN;
 * a flag of adaptive PEBS. That is free, and comes back bit for bit. */
static void perf_was_there(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "msr 0x186 = 0x1301c0\nmsr 0x18d = 0x13003c\nmsr 0x4c1 = 0xfffff0000000\nmsr 0x38d = 0x100000000\n");
    uint64_t before[REGISTERS];

    dump(td, cpu, before);
    CU_ASSERT_EQUAL(before[0x392], BIT(63) | BIT(7) | BIT(0));
    CU_ASSERT_EQUAL(before[0x38d], BIT(32));
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    pass(td, 10);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    CU_ASSERT_TRUE(same(td, cpu, before));
    td_free(td);
}

/* Counters of these widths, by another version of them. */
static void change_cpuid(struct td *td, uint32_t eax, uint32_t edx)
{
    for (size_t i = 0; i < td->sim->ncpuid; i++)
        if (td->sim->cpuid[i].leaf == 0xa) {
            td->sim->cpuid[i].word[0] = eax;
            td->sim->cpuid[i].word[3] = edx;
        }
}

/* Version 3 has no GLOBAL_INUSE, and a status that was cleared cannot be set again. */
static void in_use_before_skylake(void)
{
    static const struct {
        const char *more, *word;
    } of[] = {
        {"msr 0x38d = 0x2\n", "fixed counter 0 is enabled"}, {"msr 0x187 = 0x400000\n", "programmable counter 1 is enabled"},
        {"msr 0x391 = 0x1\n", "shows overflows (0x1)"},
    };
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("skylake-nosmt", of[i].more);
        const struct td_os *os = td_sim_os(td->sim);

        os->close(os->ctx, os->msr_open(os->ctx, cpu)); /* takes the presets */
        change_cpuid(td, 0x07300803, 0x603);
        td->sim->cpu[cpu].msr->version = 3;
        CU_ASSERT_EQUAL(td_open_live(td, &what), -EBUSY);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].word));
        CU_ASSERT_PTR_NULL(write_at(td, 0));
        td_free(td);
    }
}

/* An event that perf counts is an enabled counter. */
static void perf_is_there(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    const struct td_os *os = td_sim_os(td->sim);
    struct perf_event_attr attr = {.type = 4, .size = sizeof(attr), .config = 0x1a4};
    int fd = os->perf_open(os->ctx, &attr, -1, cpu, -1, 0);

    CU_ASSERT_TRUE(fd >= 0);
    CU_ASSERT_EQUAL(td_open_live(td, &what), -EBUSY);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "programmable counter 7 is enabled"));
    os->close(os->ctx, fd);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    td_free(td);
}

static void layers(void)
{
    const pid_t self = 0;
    const struct td_live task = {.tasks = &self, .ntasks = 1};
    struct td *td = begin("sapphirerapids", "");

    CU_ASSERT_EQUAL(td_open_live(td, &task), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "not tasks"));
    CU_ASSERT_EQUAL(td_set_source(td, "perf"), -EINVAL); /* too late */
    td_free(td);
    td = td_new();
    CU_ASSERT_EQUAL(td_set_source(td, "rdpmc"), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "td_open_self()"));
    CU_ASSERT_EQUAL(td_set_source(td, "nonesuch"), -EINVAL);
    CU_ASSERT_EQUAL(td_set_source(td, "auto"), 0);
    CU_ASSERT_EQUAL(td_add_event(td, "cycles"), -EINVAL);
    td_free(td);
    refused("sapphirerapids", "msr absent\n", 3, -EOPNOTSUPP, "modprobe msr", "/dev/cpu/3/msr");
    refused("sapphirerapids", "privileged no\n", 3, -EACCES, "root", "CAP_SYS_RAWIO");
    refused("yitian710", "", 3, -EOPNOTSUPP, "Intel", "perf");
    refused("sapphirerapids", "", 99, -ENODEV, "CPU 99", "online");
    refused("guest-without-pmu", "", 0, -EOPNOTSUPP, "", "");
}

/* The first write fails: nothing was changed, and nothing needs to be written back. */
static void lockdown(void)
{
    static const struct {
        const char *more, *word;
    } of[] = {
        {"msr locked\nfile /sys/kernel/security/lockdown = none [integrity] confidentiality\\n\n", "locked down"},
        {"msr locked\nfile /sys/module/msr/parameters/allow_writes = off\\n\n", "allow_writes"},
        {"msr locked\n", "does not permit"},
    };
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", of[i].more);
        uint64_t before[REGISTERS];

        dump(td, cpu, before);
        CU_ASSERT_EQUAL(td_open_live(td, &what), -EPERM);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].word));
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "--source=perf"));
        CU_ASSERT_TRUE(same(td, cpu, before));
        CU_ASSERT_EQUAL(descriptors(td), 0);
        td_free(td);
    }
}

/* The E-core's accesses of a whole measurement. */
static void e_core_untouched(void)
{
    static const struct {
        const char *name;
        int cpu;
    } of[] = {{"alderlake", 8}, {"sierraforest", 0}, {"elkhartlake", 0}, {"lunarlake", 4}};
    const struct td_sim_msr_access *log;

    for (size_t i = 0; i < LENGTH(of); i++) {
        const struct td_live what = on(&of[i].cpu);
        struct td *td = begin(of[i].name, "");
        size_t n;

        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        pass(td, 10);
        CU_ASSERT_EQUAL(td_take(td), 0);
        td_close_live(td);
        n = td_sim_msr_log(td->sim, &log);
        CU_ASSERT_TRUE(n > 20);
        for (size_t k = 0; k < n; k++)
            if (log[k].reg == 0x30c || log[k].reg == 0x329 || log[k].err || (log[k].write && log[k].reg == 0x38f && log[k].value >> 48))
                CU_FAIL("an E-core's register that there is not");
        td_free(td);
    }
}

/* Without full-width writes a counter takes what 32 bits, sign-extended, are. */
static void narrow_writes(void)
{
    static const struct {
        const char *more;
        int err;
    } of[] = {{"msr 0x4c1 = 0xffff80000000\n", 0}, {"msr 0x4c1 = 0x7fffffff\n", 0}, {"msr 0x4c1 = 0x80000000\n", -EOPNOTSUPP}};
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", of[i].more);
        uint64_t before[REGISTERS];

        dump(td, cpu, before);
        td->sim->cpu[cpu].msr->capabilities = 0;
        dump(td, cpu, before);
        CU_ASSERT_TRUE(before[0x4c1] == UINT64_MAX && before[0xc1] != 0);
        CU_ASSERT_EQUAL(td_open_live(td, &what), of[i].err);
        CU_ASSERT_TRUE(!of[i].err || (strstr(td_error(td), "full-width") && !write_at(td, 0)));
        pass(td, 10);
        CU_ASSERT_TRUE(of[i].err || !td_take(td));
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        CU_ASSERT_TRUE(same(td, cpu, before));
        td_free(td);
    }
}

/* Where counters cannot count for both threads, the forms that need it are not used. */
static void no_any_thread(void)
{
    static const int pair[] = {3, 7};
    const struct td_live what = {.cpus = pair, .ncpus = 2};
    struct td *td = begin("skylake", "");

    change_cpuid(td, 0x07300404, 0x8603);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    CU_ASSERT_PTR_NULL(strstr(td->live->pmu[0].plan.form->form->name, "any"));
    td_free(td);
    td = begin("skylake", "");
    change_cpuid(td, 0x07300404, 0x8603);
    CU_ASSERT_EQUAL(td_add_event(td, "INT_MISC.RECOVERY_CYCLES_ANY"), 0);
    CU_ASSERT_EQUAL(td_open_live(td, &what), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "all threads of a core"));
    CU_ASSERT_PTR_NULL(write_at(td, 0));
    td_free(td);
}

/* ---- numbers ---------------------------------------------------------------------------- */

static const struct td_metric *metric(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    return NULL;
}

struct share {
    const char *name;
    double value;
};

/* The descriptions' rates are rounded to 65536ths. */
static void check_shares(const struct td_result *r, const struct share *s)
{
    for (; s->name; s++) {
        const struct td_metric *m = metric(r, s->name);
        const bool bounds = m && m->status == TD_OK && !isnan(m->low);

        if (m && m->status == TD_OK && fabs(m->value - s->value) < 0.005 && (!bounds || (m->low - 1e-4 <= s->value && s->value <= m->high + 1e-4)))
            continue;
        printf("%s: %s is %f, not %f\n", td_result_cpu(r), s->name, m ? m->value : (double)NAN, s->value);
        CU_FAIL("not the share of the description");
    }
}

/* Three intervals and their sum. */
static void check_machine(const char *name, const int *cpus, size_t n, const struct share *s)
{
    const struct td_live what = {.cpus = cpus, .ncpus = n};
    struct td *td = begin(name, "");
    const struct td_result *r;

    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    for (int i = 0; i < 3; i++) {
        pass(td, 100);
        CU_ASSERT_EQUAL(td_take(td), 0);
        CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
        check_shares(r, s);
        CU_ASSERT_EQUAL(td_next(td, &r), -EAGAIN);
    }
    CU_ASSERT_EQUAL(td_summary(td, 0, &r), 0);
    check_shares(r, s);
    CU_ASSERT_EQUAL(td_result_flags(r), 0);
    td_free(td);
}

static void truth(void)
{
    static const struct share big[] = {{"retiring", 0.25}, {"bad_speculation", 0.125}, {"frontend_bound", 0.125}, {"backend_bound", 0.5}, {0}};
    static const struct share both[] = {
        {"retiring", 0.25}, {"bad_speculation", 0.125}, {"frontend_bound", 0.125}, {"backend_bound", 0.5}, {"heavy_operations", 0.0625},
        {"light_operations", 0.1875}, {"branch_mispredicts", 0.09375}, {"machine_clears", 0.03125}, {"fetch_latency", 0.0625},
        {"fetch_bandwidth", 0.0625}, {"memory_bound", 0.375}, {"core_bound", 0.125}, {0},
    };
    static const struct share gracemont[] = {{"retiring", 0.375}, {"bad_speculation", 0.0625}, {"frontend_bound", 0.3125}, {"backend_bound", 0.25}, {0}};
    static const struct share skymont[] = { /* in two groups of the plan, which the registers count as one */
        {"retiring", 0.375}, {"bad_speculation", 0.0625}, {"frontend_bound", 0.3125}, {"backend_bound", 0.25}, {"branch_mispredicts", 0.046875},
        {"machine_clears", 0.015625}, {"fetch_latency", 0.1875}, {"fetch_bandwidth", 0.125}, {"core_bound", 0.0625}, {0},
    };
    static const int one[] = {3}, four[] = {4}, pair[] = {3, 7}, some[] = {1, 3, 6}, e[] = {9}, two_e[] = {9, 10};

    check_machine("skylake-nosmt", one, 1, big);
    check_machine("skylake", pair, 2, big);
    check_machine("icelake", one, 1, big);
    check_machine("sapphirerapids", one, 1, both);
    check_machine("sapphirerapids", some, 3, both);
    check_machine("alderlake", one, 1, both);
    check_machine("alderlake", e, 1, gracemont);
    check_machine("alderlake", two_e, 2, gracemont);
    check_machine("lunarlake", four, 1, skymont);
    check_machine("sierraforest", one, 1, gracemont);
}

static unsigned notes;

static void count_note(void *ctx, const char *text)
{
    (void)ctx;
    notes += strstr(text, "overflowed") != NULL;
}

/* Counters of 40 bits pass 2^40 slots in 122 s, at 9e9 a second beside a busy sibling. */
static void overflow(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    const struct td_result *r;

    change_cpuid(td, 0x08280805, 0x8504);
    notes = 0;
    td_set_note(td, count_note, NULL);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &what), 0);
    for (int i = 0; i < 3; i++) {
        pass(td, i == 1 ? 125000 : 120000);
        CU_ASSERT_EQUAL(td_take(td), 0);
        CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
        CU_ASSERT_EQUAL(metric(r, "retiring")->status, i == 1 ? TD_EPOCH_CHANGED : TD_OK);
        CU_ASSERT_EQUAL(notes, (unsigned)(i > 0));
    }
    CU_ASSERT_TRUE(fabs(metric(r, "retiring")->value - 0.25) < 0.003);
    CU_ASSERT_EQUAL(td_summary(td, 0, &r), 0);
    CU_ASSERT_TRUE(fabs(metric(r, "retiring")->value - 0.25) < 0.003); /* of the two that are whole */
    td_free(td);
}

/* While it measures, perf (or whoever) programs a counter: that is theirs then. */
static void somebody_else(void)
{
    static const struct {
        uint32_t reg;
        uint64_t value;
    } theirs[] = {{0x38f, 0xff}, {0x186, 0x4300c4}, {0x38d, 0x33}};
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(theirs); i++) {
        struct td *td = begin("sapphirerapids", "");
        const struct td_os *os = td_sim_os(td->sim);
        uint64_t value = 0;
        int fd = os->msr_open(os->ctx, cpu);

        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        CU_ASSERT_EQUAL(os->msr_write(os->ctx, fd, theirs[i].reg, theirs[i].value), 0);
        CU_ASSERT_EQUAL(td_take(td), -EBUSY);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "somebody else"));
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        os->msr_read(os->ctx, fd, theirs[i].reg, &value);
        CU_ASSERT_EQUAL(value, theirs[i].value);
        td_free(td);
    }
}

/* enable and disable: only the time between counts, and times add up. */
static void pauses(void)
{
    const int cpu = 3;
    struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    struct td_added_count a;

    what.disabled = true;
    CU_ASSERT_EQUAL(td_add_event(td, "0xc2,2"), 0);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    pass(td, 50);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(td_enable(td, true), 0);
        CU_ASSERT_EQUAL(td_enable(td, true), 0); /* twice is once */
        pass(td, 10);
        CU_ASSERT_EQUAL(td_enable(td, false), 0);
        pass(td, 50);
    }
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_TRUE(td_added_event(td, 0, &a) && a.status == TD_OK && a.config == 0x2c2);
    /* 9e9 slots a second beside a busy sibling, a quarter of them retiring, for 2 * (10 ms + 1 us of disabling) */
    CU_ASSERT_EQUAL(a.value, 45004500);
    CU_ASSERT_FALSE(td_added_event(td, 1, &a));
    CU_ASSERT_EQUAL(td->live->unit[0].perf.event[0].running, 20002000);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_TRUE(td_added_event(td, 0, &a) && a.value == 0);
    td_free(td);
}

void suite_msr_live(void)
{
    static const CU_TestInfo tests[] = {
        {"counters in use", in_use},
        {"counters in use before Skylake", in_use_before_skylake},
        {"counters in use by perf", perf_is_there},
        {"counters that perf has left", perf_was_there},
        {"layers", layers},
        {"lockdown", lockdown},
        {"E-cores", e_core_untouched},
        {"narrow writes", narrow_writes},
        {"no any thread", no_any_thread},
        {"shares", truth},
        {"overflow", overflow},
        {"somebody else", somebody_else},
        {"pauses", pauses},
        CU_TEST_INFO_NULL,
    };

    unit_suite("msr live", tests);
}
