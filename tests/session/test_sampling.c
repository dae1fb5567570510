/* SPDX-License-Identifier: MIT */
/* The pace of samples that is asked for, and the one there is, on a simulated machine, by hand: a sample takes 5 us, so
 * that of 2 % of a CPU's time there are 4,000 a second, half as many pairs. Where the machine does not say how fast it
 * is, that is 3 GHz. And what stays open of tasks that end. */
#include "include/td_sampling.h"
#include "live/sampling/recorder.h"
#include "session/session.h"
#include "sim/sim.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/pieces.h"
#include "tests/support/sapphire_rapids.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>

#define MOST_500 SAPPHIRE_RAPIDS "file /proc/sys/kernel/perf_event_max_sample_rate = 500\n"
#define MOST_1 SAPPHIRE_RAPIDS "file /proc/sys/kernel/perf_event_max_sample_rate = 1\n"
#define SLOWER SAPPHIRE_RAPIDS "file /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq = 1500000\n"

static void keep_note(void *ctx, const char *text)
{
    put(ctx, "%s\n", text);
}

#define EACH(period_, percent_, there_) \
    "a sample every " period_ " cycles would take more than " percent_ \
    " % of the time, at 5 us a sample: the period is " there_ " cycles (--overhead)\n"

static const struct asked {
    const char *machine;
    bool leader;
    double rate, overhead;
    uint64_t period;
    uint64_t gives, freq; /* cycles, or samples a second */
    bool limited;
    const char *notes;
} all[] = {
    /* 3e9 * 5e-6 * 2 / 0.02 cycles at least, with a fixed period */
    {SAPPHIRE_RAPIDS, false, 0, 0, 3000000, 3000000, 0, false, ""},
    {SAPPHIRE_RAPIDS, false, 0, 0, 1500000, 1500000, 0, false, ""},
    {SAPPHIRE_RAPIDS, false, 0, 0, 1499999, 1500000, 0, false, EACH("1499999", "2", "1500000")},
    {SAPPHIRE_RAPIDS, false, 0, 0.05, 1, 600000, 0, false, EACH("1", "5", "600000")},
    {SAPPHIRE_RAPIDS, true, 0, 0.05, 1, 300000, 0, false, EACH("1", "5", "300000")},
    {SLOWER, true, 0, 0.05, 1, 150000, 0, false, EACH("1", "5", "150000")},
    /* pairs: 1,000 a second, or as many as are asked for */
    {SAPPHIRE_RAPIDS, false, 0, 0, 0, 3000000, 0, false, ""},
    {SLOWER, false, 0, 0, 0, 1500000, 0, false, ""},
    {SAPPHIRE_RAPIDS, false, 2000, 0, 0, 1500000, 0, false, ""},
    {SAPPHIRE_RAPIDS, false, 10000, 0.05, 0, 600000, 0, true, ""},
    /* single samples, by the kernel's frequency: 0.05 / 5e-6 at most, and what the kernel allows */
    {SAPPHIRE_RAPIDS, true, 0, 0, 0, 0, 1000, false, ""},
    {SAPPHIRE_RAPIDS, true, 0.5, 0, 0, 0, 1, false, ""},
    {SAPPHIRE_RAPIDS, true, 1.5, 0, 0, 0, 1, false, ""},
    {SAPPHIRE_RAPIDS, true, 1.9995, 0, 0, 0, 2, false, ""}, /* a whole number, but for roundings */
    {SAPPHIRE_RAPIDS, true, 0, 0.001, 0, 0, 200, false, ""}, /* no rate was asked for that could be refused */
    {SAPPHIRE_RAPIDS, true, 1000000, 0.05, 0, 0, 10000, false,
     "1000000 samples a second would take more than 5 % of the time, at 5 us a sample: the rate is 10000 (--overhead)\n"},
    {MOST_500, true, 500, 0, 0, 0, 500, false, ""},
    {MOST_500, true, 501, 0, 0, 0, 500, false,
     "kernel.perf_event_max_sample_rate allows 500 samples a second, which is the rate\n"},
    {MOST_1, true, 2, 0, 0, 0, 1, false,
     "kernel.perf_event_max_sample_rate allows 1 samples a second, which is the rate\n"},
};

static void pace(void)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct asked *a = &all[i];
        struct source s = {a->machine, strlen(a->machine), 4096, 0};
        const struct td_live what = {.size = sizeof(what)};
        struct td_sampling_info info = {.size = sizeof(info)};
        struct log l = {.n = 0};
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", source_read, &s) && !td_set_level(td, 1));
        td_set_note(td, keep_note, &l);
        CU_ASSERT_EQUAL_FATAL(td_sampling_open(td,
                                               &(struct td_sampling){.size = sizeof(struct td_sampling),
                                                                     .what = &what,
                                                                     .leader = a->leader,
                                                                     .rate = a->rate,
                                                                     .overhead = a->overhead,
                                                                     .period = a->period},
                                               keep_nothing, NULL),
                              0);
        CU_ASSERT_EQUAL(td_sampling_about(td, &info), 0);
        same_log(&l, a->notes, 4096);
        if (info.period != a->gives || td->recorder->how.freq != a->freq)
            printf("\n    case %zu: %lu cycles", i, (unsigned long)info.period);
        CU_ASSERT(info.period == a->gives && td->recorder->how.freq == a->freq && info.limited == a->limited);
        CU_ASSERT(info.pairs == !a->leader && info.cost == 5e-6 && !info.cost_measured);
        CU_ASSERT_EQUAL(td_sampling_end(td), 0);
        CU_ASSERT_STRING_EQUAL(td_error(td), "");
        td_free(td);
    }
}

/* A PMU that has fewer counters than it reports. The formulas take one, pairs two more for their cycles, without which
 * there are single samples, of which 0.02 / 5e-6 a second are allowed. All that is not as it was asked for is told
 * once, however often it is planned. */
static void few_counters(void)
{
#define OLD_KERNEL "file /proc/sys/kernel/osrelease = 6.13.9\n"
#define USER_ONLY \
    "user mode only: before Linux 6.14 samples of the kernel hold slots of their own handler (--handler samples it " \
    "anyway)\n"
#define SINGLE \
    "10000 samples a second would take more than 2 % of the time, at 5 us a sample: the rate is 4000 (--overhead)\n" \
    "single samples, not pairs: the counters do not hold two further events of cycles; functions of short turns may " \
    "be smeared\n"
    static const struct {
        char general;
        int err;
        bool pairs;
        const char *notes;
    } of[] = {
        {'0', -EOPNOTSUPP, false, USER_ONLY},
        {'1', 0, false, USER_ONLY SINGLE},
        {'2', 0, false, USER_ONLY SINGLE},
        {'3', 0, true, USER_ONLY},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        char machine[] = SAPPHIRE_RAPIDS OLD_KERNEL;
        struct source s = {machine, strlen(machine), 4096, 0};
        const struct td_live what = {.size = sizeof(what)};
        const struct td_sampling how = {.size = sizeof(how), .what = &what, .rate = 10000};
        struct td *td = td_new();
        struct log l = {.n = 0};

        strstr(machine, "general=8")[strlen("general=")] = of[i].general;
        CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", source_read, &s) && !td_set_level(td, 1));
        td_set_note(td, keep_note, &l);
        CU_ASSERT_EQUAL(td_sampling_open(td, &how, keep_nothing, NULL), of[i].err);
        CU_ASSERT_EQUAL(td->recorder->how.pairs, of[i].pairs);
        CU_ASSERT(of[i].err || td->recorder->how.freq == (of[i].pairs ? 0 : 4000));
        same_log(&l, of[i].notes, 4096);
        td_free(td);
    }
}

/* ctx: the error. */
static int write_or_fail(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    (void)at;
    (void)bytes;
    (void)n;
    return *(int *)ctx;
}

/* What cannot be written is said; an earlier error is not. */
static void full(void)
{
    static const char machine[] = SAPPHIRE_RAPIDS "run w cpus=0\n";
    struct source s = {machine, strlen(machine), 4096, 0};
    const struct td_live what = {.size = sizeof(what)};
    const struct td_sampling how = {.size = sizeof(how), .what = &what};
    struct td_os_event e;
    const struct td_os *os;
    struct td *td = td_new();
    int err = 0;

    CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", source_read, &s) && !td_set_level(td, 1));
    CU_ASSERT_EQUAL(td_sampling_take(td), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "nothing is open to be sampled (td_sampling_open)");
    CU_ASSERT_EQUAL(td_sampling_end(td), -EINVAL);
    CU_ASSERT_FATAL(!td_sampling_open(td, &how, write_or_fail, &err));
    os = td_sim_os(td->sim);
    CU_ASSERT_EQUAL(td_sampling_take(td), 0); /* nothing was sampled so far */
    CU_ASSERT_STRING_EQUAL(td_error(td), "");
    os->wait(os->ctx, os->now(os->ctx) + 500000000, -1, &e);
    err = -ENOSPC;
    CU_ASSERT_EQUAL(td_sampling_take(td), -ENOSPC);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the samples cannot be written");
    CU_ASSERT_EQUAL(td_sampling_end(td), -ENOSPC);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the samples cannot be written");
    td_free(td);
}

/* Samples these tasks of a Knights Landing for 200 ms; groups: how many there are at the end, in descriptors. */
static unsigned long sampled_to_the_end(const pid_t *tasks, size_t n, unsigned level)
{
    static const char more[] = "task 801 short mixed cpus=3 ms=50\ntask 802 long mixed cpus=0\n";
    const struct td_live what = {.size = sizeof(what), .tasks = tasks, .ntasks = n};
    const struct td_sampling how = {.size = sizeof(how), .what = &what, .leader = true, .rate = 1000};
    struct td_sim_calls calls;
    const struct td_os *os;
    struct td_os_event e;
    struct td *td = on_shipped_machine_with("knightslanding", more);

    CU_ASSERT_FATAL(!td_set_level(td, (int)level));
    CU_ASSERT_EQUAL_FATAL(td_sampling_open(td, &how, keep_nothing, NULL), 0);
    os = td_sim_os(td->sim);
    for (int i = 0; i < 4; i++) {
        os->wait(os->ctx, os->now(os->ctx) + 50000000, -1, &e);
        CU_ASSERT_EQUAL(td_sampling_take(td), 0);
    }
    td_sim_calls(td->sim, &calls);
    CU_ASSERT_EQUAL(td_sampling_end(td), 0);
    td_free(td);
    return calls.open_fds;
}

/* A task that has ended leaves no group behind: of those that take turns only the first has a ring, in which it is
 * told.
 */
static void ended(void)
{
    static const pid_t both[] = {801, 802};

    for (unsigned level = 1; level < 3; level++) {
        const unsigned long one = sampled_to_the_end(&both[1], 1, level);

        CU_ASSERT(one > 3);
        CU_ASSERT_EQUAL(sampled_to_the_end(both, 2, level), one);
    }
}

/* Groups that take turns have 5.3 samples in each turn, at least the 1,000 a second of others, at most 0.02 / 5e-6. */
static void turns(void)
{
    static const struct {
        const char *more;
        uint64_t freq;
    } of[] = {
#define INTERVAL(ms_) "file /sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms = " ms_ "\n"
        {INTERVAL("4"), 1325}, {INTERVAL("2"), 2650}, {INTERVAL("1"), 4000},
        {INTERVAL("5"), 1060}, {INTERVAL("6"), 1000}, {INTERVAL("0"), 1325}, /* not known: Linux' own */
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        static const int cpu = 2;
        const struct td_live what = {.size = sizeof(what), .cpus = &cpu, .ncpus = 1};
        struct td *td = on_shipped_machine_with("skylake", of[i].more);

        CU_ASSERT_EQUAL(td_set_level(td, 2), 0);
        CU_ASSERT_EQUAL(td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what},
                                         keep_nothing, NULL),
                        0);
        CU_ASSERT_TRUE(td->recorder->how.turns);
        CU_ASSERT_EQUAL(td->recorder->how.freq, of[i].freq);
        td_free(td);
    }
}

/* Before Linux 6.14 what samples read of the register has slots of the kernel's own handler. */
static void kernels(void)
{
    static const struct {
        const char *machine, *more;
        bool handler, no_kernel; /* asked for */
        bool user;
    } of[] = {
#define RELEASE(text_) "file /proc/sys/kernel/osrelease = " text_ "\n"
        {"icelake", RELEASE("6.13.9"), false, false, true},
        {"icelake", RELEASE("6.14.0"), false, false, false},
        {"icelake", RELEASE("6.15.1"), false, false, false},
        {"icelake", RELEASE("5.19.0"), false, false, true},
        {"icelake", RELEASE("5.4.0"), false, false, true},
        {"icelake", RELEASE("7.0.1"), false, false, false},
        {"icelake", RELEASE("9.1.0"), false, false, false},
        {"icelake", RELEASE("10.1.0"), false, false, false},
        {"icelake", RELEASE("6"), false, false, true},
        {"icelake", "absent /proc/sys/kernel/osrelease\n", false, false, true},
        {"icelake", RELEASE("6.13.9"), true, false, false},
        {"icelake", RELEASE("6.13.9"), false, true, false},
        {"graviton4", RELEASE("6.13.9"), false, false, false},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const struct td_live what = {.size = sizeof(what), .no_kernel = of[i].no_kernel};
        struct log l = {.n = 0};
        struct td *td = on_shipped_machine_with(of[i].machine, of[i].more);

        td_set_note(td, keep_note, &l);
        CU_ASSERT_EQUAL(td_set_level(td, 1), 0);
        CU_ASSERT_EQUAL(
            td_sampling_open(
                td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what, .handler = of[i].handler},
                keep_nothing, NULL),
            0);
        CU_ASSERT_EQUAL(td->meter->ask.no_kernel, of[i].user || of[i].no_kernel);
        CU_ASSERT_EQUAL(strstr(l.text, "user mode only: before Linux 6.14 samples of the kernel") != NULL, of[i].user);
        td_free(td);
    }
}

/* Where the kernel forbids to sample its own mode (perf_event_paranoid above 1), tasks are sampled in user mode, and
 * that is told, unless it is what was asked for; whole CPUs are not sampled then. */
static void user_mode_only(void)
{
#define TASK "task 801 t w cpus=0\n"
#define PARANOID "file /proc/sys/kernel/perf_event_paranoid = "
    static const char told[] =
        "user mode only: kernel.perf_event_paranoid forbids to sample the kernel (CAP_PERFMON, or "
        "sysctl kernel.perf_event_paranoid=1, allows it)\n";
    static const pid_t task[] = {801};
    static const struct {
        const char *machine;
        size_t tasks;
        bool no_kernel;
        int err;
        const char *notes;
    } rows[] = {
        {SAPPHIRE_RAPIDS TASK "privileged no\n" PARANOID "2\n", 1, false, 0, told},
        {SAPPHIRE_RAPIDS TASK "privileged no\n" PARANOID "2\n", 1, true, 0, ""},
        {SAPPHIRE_RAPIDS TASK "privileged no\n" PARANOID "2\n", 0, false, -EACCES, ""},
        {SAPPHIRE_RAPIDS TASK "privileged no\n" PARANOID "1\n", 1, false, 0, ""},
        {SAPPHIRE_RAPIDS TASK "privileged perfmon\n" PARANOID "2\n", 1, false, 0, ""},
        {SAPPHIRE_RAPIDS TASK "privileged yes\n" PARANOID "2\n", 0, false, 0, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {rows[i].machine, strlen(rows[i].machine), 4096, 0};
        const struct td_live what = {
            .size = sizeof(what), .tasks = task, .ntasks = rows[i].tasks, .no_kernel = rows[i].no_kernel};
        const struct td_sampling how = {.size = sizeof(how), .what = &what};
        struct log l = {.n = 0};
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", source_read, &s) && !td_set_level(td, 1));
        td_set_note(td, keep_note, &l);
        CU_ASSERT_EQUAL(td_sampling_open(td, &how, keep_nothing, NULL), rows[i].err);
        same_log(&l, rows[i].notes, 4096);
        CU_ASSERT_EQUAL(td->meter->ask.no_kernel, rows[i].no_kernel || *rows[i].notes != '\0');
        CU_ASSERT_FALSE(td->meter->ask.inherit); /* what the tasks start is sampled by counters of its own */
        td_free(td);
    }
}

static int refuse_open(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
                       unsigned long flags)
{
    (void)ctx;
    (void)attr;
    (void)pid;
    (void)cpu;
    (void)group;
    (void)flags;
    return -EACCES;
}

/* Where perf_event_paranoid is no reason to refuse the kernel's mode, user mode alone is not tried. */
static void refused_otherwise(void)
{
    static const pid_t task[] = {801};
    static const char *const levels[] = {"1\n", "2\n"};

    for (size_t i = 0; i < 2; i++) {
        char machine[4096];
        struct source s;
        const struct td_live what = {.size = sizeof(what), .tasks = task, .ntasks = 1};
        const struct td_sampling how = {.size = sizeof(how), .what = &what};
        struct td *td = td_new();
        struct td_os os;

        snprintf(machine, sizeof(machine), "%sprivileged no\n" PARANOID "%s", SAPPHIRE_RAPIDS TASK, levels[i]);
        s = (struct source){machine, strlen(machine), 4096, 0};
        CU_ASSERT_FATAL(td && !td_set_machine(td, "machine", source_read, &s) && !td_set_level(td, 1));
        os = *td_session_os(td);
        os.perf_open = refuse_open;
        td->os = &os;
        CU_ASSERT_EQUAL(td_sampling_open(td, &how, keep_nothing, NULL), -EACCES);
        CU_ASSERT_EQUAL(td->meter->ask.no_kernel, i == 1);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"user mode only", user_mode_only},
    {"refused for another reason", refused_otherwise},
    {"the pace of samples", pace},
    {"the pace of turns", turns},
    {"old kernels", kernels},
    {"tasks that end", ended},
    {"few counters", few_counters},
    {"no room", full},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("sampling", tests);
