/* SPDX-License-Identifier: MIT */
/* The source "msr" on simulated machines: which registers it touches, and what it counts. */
#include "tests/support/msr_machine.h"

#include <errno.h>
#include <math.h>

/* ---- registers --------------------------------------------------------------------- */

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
            if (log[k].reg == 0x30c || log[k].reg == 0x329 || log[k].err ||
                (log[k].write && log[k].reg == 0x38f && log[k].value >> 48))
                CU_FAIL("an E-core's register that there is not");
        td_free(td);
    }
}

/* Without full-width writes a counter is set to 32 bits, sign-extended. */
static void narrow_writes(void)
{
    static const struct {
        const char *more;
        int err;
    } of[] = {{"msr 0x4c1 = 0xffff80000000\n", 0},
              {"msr 0x4c1 = 0x7fffffff\n", 0},
              {"msr 0x4c1 = 0x80000000\n", -EOPNOTSUPP}};
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(of); i++) {
        struct td *td = begin("sapphirerapids", of[i].more);
        uint64_t before[REGISTERS];

        dump(td, cpu, before);
        change_cpuid(td, 1, 2, 0); /* no IA32_PERF_CAPABILITIES */
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

/* Six counters in turns with their controls, and those that switch them; one that cannot be read is all ones. */
enum { AMD_REGISTERS = 16 };

static uint32_t amd_register(unsigned i)
{
    return i < 4 ? 0xc0000300 + i : 0xc0010200 + i - 4;
}

static void dump_amd(struct td *td, int cpu, uint64_t out[AMD_REGISTERS])
{
    const struct td_os *os = td_sim_os(td->sim);
    int fd = os->msr_open(os->ctx, cpu);

    CU_ASSERT_TRUE_FATAL(fd >= 0);
    for (unsigned i = 0; i < AMD_REGISTERS; i++)
        if (os->msr_read(os->ctx, fd, amd_register(i), &out[i]))
            out[i] = UINT64_MAX;
    os->close(os->ctx, fd);
}

/* Every access of a measurement is to a register that an AMD CPU has; none asks for an interrupt; all is given back. */
static void amd(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    const struct td_sim_msr_access *log;
    uint64_t before[AMD_REGISTERS], after[AMD_REGISTERS];
    struct td *td = begin("genoa", "msr 0xc0010202 = 0x300000076\nmsr 0xc0010203 = 0xfedcba987654\n");
    size_t n, events = 0;

    dump_amd(td, cpu, before);
    CU_ASSERT(before[1] == 0x3f && before[6] == UINT64_C(0x300000076) && before[7] == UINT64_C(0xfedcba987654));
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    pass(td, 10);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    n = td_sim_msr_log(td->sim, &log);
    CU_ASSERT_TRUE(n > 40);
    for (size_t k = 0; k < n; k++) {
        const bool control = log[k].reg >= 0xc0010200 && log[k].reg <= 0xc001020a && !(log[k].reg & 1);

        if (log[k].err || !(control || (log[k].reg >= 0xc0010201 && log[k].reg <= 0xc001020b) ||
                            (log[k].reg >= 0xc0000300 && log[k].reg <= 0xc0000303)))
            CU_FAIL("a register that there is not");
        CU_ASSERT_FALSE(control && log[k].write && log[k].value >> 20 & 1);
        events += control && log[k].write && log[k].value == UINT64_C(0x1004301a0);
    }
    CU_ASSERT_EQUAL(events, 1); /* de_no_dispatch_per_slot.no_ops_from_frontend, with the upper bits of its number */
    dump_amd(td, cpu, after);
    CU_ASSERT_EQUAL(memcmp(before, after, sizeof(before)), 0);
    td_free(td);
    td = begin("genoa", "");
    change_cpuid(td, 0x80000022, 0, 0);
    CU_ASSERT_EQUAL(td_open_live(td, &what), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "no PerfMonV2): older than Zen 4"));
    CU_ASSERT_PTR_NULL(write_at(td, 0));
    td_free(td);
}

static uint64_t look(struct td *td, int fd, uint32_t reg)
{
    const struct td_os *os = td_sim_os(td->sim);
    uint64_t value = 0;

    CU_ASSERT_EQUAL(os->msr_read(os->ctx, fd, reg, &value), 0);
    return value;
}

static void put(struct td *td, int fd, uint32_t reg, uint64_t value)
{
    const struct td_os *os = td_sim_os(td->sim);

    CU_ASSERT_EQUAL(os->msr_write(os->ctx, fd, reg, value), 0);
}

/* What perf does to take counter 5 of six: it stops all, programs it, and starts all, as it knows nothing of those that
 * are ours (Linux arch/x86/events/amd/core.c, amd_pmu_v2_disable_all() and amd_pmu_v2_enable_all()). */
static void perf_takes_the_last(struct td *td, int fd)
{
    put(td, fd, 0xc0000301, 0);
    put(td, fd, 0xc001020a, 0x530076);
    put(td, fd, 0xc001020b, 0xffff00000000);
    put(td, fd, 0xc0000301, 0x3f);
}

/* The formula of Zen 4 needs all six counters, so that what switches them on is the same value as perf's. left: what
 * the kernel has left there, 0 before perf was first used (amd_pmu_cpu_reset()), all of them since. status: overflows
 * that were there before. */
static void taken_of_amd(uint64_t left, uint64_t status, bool take, bool disable)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    char more[120];
    struct td *td;
    int fd;

    snprintf(more, sizeof(more), "msr 0xc0000301 = 0x%llx\nmsr 0xc0000303 = 0x%llx\n", (unsigned long long)left,
             (unsigned long long)status);
    td = begin("genoa", more);
    fd = td_sim_os(td->sim)->msr_open(td_sim_os(td->sim)->ctx, cpu);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000301), left);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), status);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000301), 0x3f);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), 0);
    perf_takes_the_last(td, fd);
    put(td, fd, 0xc0000303, status & 0x20 ? 1 : 0x21); /* counter 0, which is ours, overflows; theirs does, or not */
    CU_ASSERT_EQUAL(disable ? td_enable(td, false) : -EBUSY, -EBUSY);
    CU_ASSERT_EQUAL(take ? td_take(td) : -EBUSY, -EBUSY);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    CU_ASSERT_EQUAL(look(td, fd, 0xc001020a), 0x530076);
    CU_ASSERT(look(td, fd, 0xc001020b) >= 0xffff00000000);
    CU_ASSERT(look(td, fd, 0xc0000301) == (disable ? left | 0x20 : 0x3f)); /* perf's counter goes on */
    /* the overflow of theirs is as they have it, and that of counter 1 is given back */
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), status & 0x20 ? 2 : 0x22);
    for (uint32_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(look(td, fd, 0xc0010200 + 2 * i), 0);
    td_free(td);
}

static void amd_taken(void)
{
    for (int how = 0; how < 4; how++) {
        taken_of_amd(0, 0x2, how & 1, how & 2);
        taken_of_amd(0, 0x22, how & 1, how & 2);
        taken_of_amd(0x3f, 0x2, how & 1, how & 2);
    }
}

/* How often a register was written so. */
static size_t writes_of(const struct td *td, uint32_t reg, uint64_t value)
{
    const struct td_sim_msr_access *a;
    size_t n = 0;

    for (size_t i = 0; (a = write_at(td, i)) != NULL; i++)
        n += a->reg == reg && a->value == value;
    return n;
}

/* perf takes a counter that is not ours, while we count or do not: it goes on at the end, also where what switches it
 * was 0 before. */
static void taken_beside(void)
{
    const int cpu = 3;
    struct td_live what = on(&cpu);

    for (int how = 0; how < 8; how++) {
        const uint64_t left = how & 1 ? UINT64_C(0xf000000ff) : 0;
        struct td *td = begin("sapphirerapids", how & 1 ? "" : "msr 0x38f = 0\n");
        int fd = td_sim_os(td->sim)->msr_open(td_sim_os(td->sim)->ctx, cpu);
        size_t stops;

        what.disabled = how & 2;
        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        CU_ASSERT_EQUAL(look(td, fd, 0x38f), how & 2 ? 0 : BIT(48) | BIT(35) | 1);
        put(td, fd, 0x38f, 0);
        put(td, fd, 0x18d, 0x53003c);
        put(td, fd, 0x38f, UINT64_C(0xf000000ff));
        CU_ASSERT(!(how & 4) || td_enable(td, how & 2) == (how & 2 ? -EBUSY : 0));
        stops = writes_of(td, 0x38f, 0);
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        CU_ASSERT_EQUAL(writes_of(td, 0x38f, 0), stops); /* it is not stopped meanwhile */
        CU_ASSERT_EQUAL(look(td, fd, 0x18d), 0x53003c);
        CU_ASSERT_EQUAL(look(td, fd, 0x38f), how == 4 ? BIT(7) : how == 5 ? left | BIT(7) : UINT64_C(0xf000000ff));
        td_free(td);
    }
}

/* Where nobody takes them, they are given back as the kernel has left them. */
static void amd_left(void)
{
    static const uint64_t left[] = {0, 0x3f, 0x15};
    const int cpu = 3;
    const struct td_live what = on(&cpu);

    for (size_t i = 0; i < LENGTH(left); i++) {
        uint64_t before[AMD_REGISTERS], after[AMD_REGISTERS];
        char more[100];
        struct td *td;

        snprintf(more, sizeof(more), "msr 0xc0000301 = 0x%llx\nmsr 0xc0000303 = 0x800000000000021\n",
                 (unsigned long long)left[i]);
        td = begin("genoa", more);
        dump_amd(td, cpu, before);
        CU_ASSERT(before[0] == UINT64_C(0x800000000000021) && before[1] == left[i]);
        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        pass(td, 10);
        CU_ASSERT_EQUAL(td_take(td), 0);
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        dump_amd(td, cpu, after);
        CU_ASSERT_EQUAL(memcmp(before, after, sizeof(before)), 0);
        td_free(td);
    }
}

/* An AMD CPU ignores what it does not have where an Intel one faults: Linux arch/x86/kvm/pmu.c, kvm_pmu_set_msr(), and
 * svm/pmu.c, amd_pmu_set_msr(). Bits 58 and 59 of the status are LBRs and counters that an overflow froze. */
static void amd_ignores(void)
{
    struct td *td = begin("genoa", "");
    int fd = td_sim_os(td->sim)->msr_open(td_sim_os(td->sim)->ctx, 3);

    put(td, fd, 0xc0000301, UINT64_MAX);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000301), 0x3f);
    put(td, fd, 0xc0000303, UINT64_MAX);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), UINT64_C(0xc0000000000003f));
    put(td, fd, 0xc0000300, 0);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), UINT64_C(0xc0000000000003f));
    put(td, fd, 0xc0000302, ~UINT64_C(0x400000000000030)); /* as the kernel acknowledges overflows */
    CU_ASSERT_EQUAL(look(td, fd, 0xc0000300), UINT64_C(0x400000000000030));
    CU_ASSERT(look(td, fd, 0xc0000302) == 0 && look(td, fd, 0xc0000303) == 0);
    put(td, fd, 0xc0010200, UINT64_MAX);
    CU_ASSERT_EQUAL(look(td, fd, 0xc0010200), UINT64_C(0x30fffd7ffff));
    td_free(td);
}

/* If counters cannot count for both threads, the forms that need this are not used. */
static void no_any_thread(void)
{
    static const int pair[] = {3, 7};
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = pair, .ncpus = 2};
    struct td *td = begin("skylake", "");

    change_counters(td, 0x07300404, 0x8603);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    CU_ASSERT_PTR_NULL(strstr(td->meter->pmu[0].plan.form->form->name, "any"));
    td_free(td);
    td = begin("skylake", "");
    change_counters(td, 0x07300404, 0x8603);
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

        if (m && m->status == TD_OK && fabs(m->value - s->value) < 0.005 &&
            (!bounds || (m->low - 1e-4 <= s->value && s->value <= m->high + 1e-4)))
            continue;
        printf("%s: %s is %f, not %f\n", td_result_cpu(r), s->name, m ? m->value : (double)NAN, s->value);
        CU_FAIL("not the share of the description");
    }
}

/* Three intervals and their sum. */
static void check_machine(const char *name, const int *cpus, size_t n, const struct share *s)
{
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = cpus, .ncpus = n};
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
    static const struct share big[] = {
        {"retiring", 0.25}, {"bad_speculation", 0.125}, {"frontend_bound", 0.125}, {"backend_bound", 0.5}, {0}};
    static const struct share both[] = {
        {"retiring", 0.25},
        {"bad_speculation", 0.125},
        {"frontend_bound", 0.125},
        {"backend_bound", 0.5},
        {"heavy_operations", 0.0625},
        {"light_operations", 0.1875},
        {"branch_mispredicts", 0.09375},
        {"machine_clears", 0.03125},
        {"fetch_latency", 0.0625},
        {"fetch_bandwidth", 0.0625},
        {"memory_bound", 0.375},
        {"core_bound", 0.125},
        {0},
    };
    static const struct share gracemont[] = {
        {"retiring", 0.375}, {"bad_speculation", 0.0625}, {"frontend_bound", 0.3125}, {"backend_bound", 0.25}, {0}};
    static const struct share skymont[] = {
        /* the plan has two groups, which the registers count as one */
        {"retiring", 0.375},
        {"bad_speculation", 0.0625},
        {"frontend_bound", 0.3125},
        {"backend_bound", 0.25},
        {"branch_mispredicts", 0.046875},
        {"machine_clears", 0.015625},
        {"fetch_latency", 0.1875},
        {"fetch_bandwidth", 0.125},
        {"core_bound", 0.0625},
        {0},
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

/* Counters of 40 bits pass 2^40 slots in 122 s, at 9e9 slots per second with a busy sibling. */
static void overflow(void)
{
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    const struct td_result *r;

    change_counters(td, 0x08280805, 0x8504);
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
    CU_ASSERT_TRUE(fabs(metric(r, "retiring")->value - 0.25) < 0.003); /* from the two that are complete */
    td_free(td);
}

/* During the measurement perf (or another program) programs a counter: it then belongs to that program. */
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

/* The same between the last reading and the end, when nobody reads: a counter belongs to whoever
 * owns its control, and in FIXED_CTR_CTRL the bits that are still ours are given back. */
static void somebody_else_at_the_end(void)
{
    static const struct {
        uint32_t reg;
        uint64_t value, end;
    } theirs[] = {{0x38f, 0xff, 0xff},
                  {0x186, 0x4300c4, 0x4300c4},
                  {0x4c1, 0x1234, 0x1234},
                  {0x38d, 0x3030, 0x30},
                  {0x187, 0x4300c5, 0x4300c5}};
    const int cpu = 3;
    const struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "msr 0x38d = 0x80\n");
    const struct td_os *os = td_sim_os(td->sim);
    int fd = os->msr_open(os->ctx, cpu);
    uint64_t value = 0;

    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    for (size_t i = 0; i < LENGTH(theirs); i++) {
        CU_ASSERT_EQUAL(os->msr_write(os->ctx, fd, 0x38f, 0xff), 0);
        CU_ASSERT_EQUAL(os->msr_write(os->ctx, fd, theirs[i].reg, theirs[i].value), 0);
    }
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    for (size_t i = 0; i < LENGTH(theirs); i++) {
        os->msr_read(os->ctx, fd, theirs[i].reg, &value);
        if (theirs[i].reg == 0x4c1 ? value < 0x1234 : value != theirs[i].end) {
            printf("register 0x%x is 0x%llx\n", theirs[i].reg, (unsigned long long)value);
            CU_FAIL("not as somebody else has it");
        }
    }
    os->msr_read(os->ctx, fd, 0x30c, &value);
    CU_ASSERT_EQUAL(value, 0);
    td_free(td);
}

/* enable and disable: only the time in between counts, and times add up. */
static void pauses(void)
{
    const int cpu = 3;
    struct td_live what = on(&cpu);
    struct td *td = begin("sapphirerapids", "");
    struct td_added_count a = {.size = sizeof(a)};

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
    CU_ASSERT_TRUE(!td_added_event(td, 0, &a) && a.status == TD_OK && a.config == 0x2c2);
    /* 9e9 slots per second with a busy sibling, a quarter of them retiring, for 2 * (10 ms + 1 us of disabling) */
    CU_ASSERT_EQUAL(a.value, 45004500);
    CU_ASSERT_FALSE(!td_added_event(td, 1, &a));
    CU_ASSERT_EQUAL(td->meter->scopes.unit[0].perf.event[0].running, 20002000);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_TRUE(!td_added_event(td, 0, &a) && a.value == 0);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"E-cores", e_core_untouched},
    {"narrow writes", narrow_writes},
    {"AMD", amd},
    {"AMD: perf takes a counter", amd_taken},
    {"a counter beside ours is taken", taken_beside},
    {"AMD: what was left there", amd_left},
    {"AMD: what it does not have", amd_ignores},
    {"no any thread", no_any_thread},
    {"shares", truth},
    {"overflow", overflow},
    {"somebody else", somebody_else},
    {"somebody else, at the end", somebody_else_at_the_end},
    {"pauses", pauses},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr live", tests);
