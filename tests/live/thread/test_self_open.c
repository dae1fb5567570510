/* SPDX-License-Identifier: MIT */
/* Who may open counters of a thread, and use them; Arm's counters. */
#include "live/meter.h"
#include "tests/support/thread_regions.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
/* ---- who may use a handle --------------------------------------------------------------- */

static struct td_os wiping; /* a simulated machine whose memory fork(2) really wipes */
static void *wiped; /* its memory */

static int map_wiping(void *ctx, int fd, size_t size, void **out)
{
    const struct td_sim *sim = ctx;
    int err = fd < 0 ? td_os_linux.map(NULL, fd, size, out) : td_sim_os(sim)->map(ctx, fd, size, out);

    wiped = fd < 0 && !err ? *out : wiped;
    return err;
}

static void unmap_wiping(void *ctx, void *at, size_t size)
{
    const struct td_sim *sim = ctx;

    if (at == wiped)
        td_os_linux.unmap(NULL, at, size);
    else
        td_sim_os(sim)->unmap(ctx, at, size);
}

static void *use(void *arg)
{
    struct td *td = arg;
    struct td_snapshot s;
    struct td_point p;

    return (void *)(intptr_t)(td_read(td, &s) == -EPERM && td_point_read(td_self_of(td), &p) == -EPERM &&
                              td_region_begin(td, 0) == -EPERM && td_region_end(td, 0) == -EPERM &&
                              td_reset(td) == -EPERM);
}

static void others(void)
{
    struct td *td = handle_of(SPR("") PHASE SPIN);
    struct td_snapshot s;
    struct td_point p;
    pthread_t thread;
    void *refused = NULL;
    int status = 0;
    pid_t child;

    wiping = *td_sim_os(td->sim);
    wiping.map = map_wiping;
    wiping.unmap = unmap_wiping;
    td->os = &wiping;
    CU_ASSERT_EQUAL_FATAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), 0);
    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    CU_ASSERT_EQUAL(td_region_begin(td, 0), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, use, td), 0);
    pthread_join(thread, &refused);
    CU_ASSERT_PTR_NOT_NULL(refused);
    child = fork();
    if (!child) {
        bool ok = td_read(td, &s) == -ECHILD && td_point_read(td_self_of(td), &p) == -ECHILD &&
                  td_region_end(td, 0) == -ECHILD &&
                  strstr(td_error(td),
                         "these are the counters of the parent process: after fork(2) open a handle of your own");

        td_free(td);
        _exit(ok ? 0 : 1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(td_read(td, &s), 0); /* the parent can continue */
    CU_ASSERT_EQUAL(td_region_end(td, 0), 0);
    td_free(td);
}

/* ---- opening ------------------------------------------------------------------------------- */

static void refused(const char *description, struct td_self_ask ask, int err, const char *text)
{
    struct td *td = handle_of(description);
    struct td_snapshot s;

    CU_ASSERT_EQUAL(td_open_self(td, &ask), err);
    if (!strstr(td_error(td), text))
        fprintf(stderr, "%s\n", td_error(td));
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), text));
    CU_ASSERT_PTR_NULL(td_self_of(td));
    CU_ASSERT_EQUAL(td_read(td, &s), -EINVAL);
    CU_ASSERT_EQUAL(td_region(td, "r"), -EINVAL);
    td_free(td);
}

/* The register has only level 1: level 2 must be asked for. */
static void levels(void)
{
    for (int level = 0; level <= 2; level++) {
        struct td *td = handle_of(ICE_LAKE);

        CU_ASSERT_TRUE(level == 0 || td_set_level(td, level) == 0);
        CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}),
                        level == 2 ? -EOPNOTSUPP : 0);
        CU_ASSERT_EQUAL(td->meter->pmu[0].plan.level, level == 2 ? 2 : 1);
        td_free(td);
    }
}

static void opening(void)
{
    struct td *td;

    refused(SPR("") PHASE SPIN "file /sys/bus/event_source/devices/cpu/rdpmc = 0\\n\n",
            (struct td_self_ask){.size = sizeof(struct td_self_ask)}, -EACCES, "rdpmc is 0");
    refused(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask), .target = 1}, -EINVAL,
            "target");
    refused(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask), .target = NAN}, -EINVAL,
            "target");
    refused(SPR("") PHASE SPIN,
            (struct td_self_ask){.size = sizeof(struct td_self_ask), .no_user = true, .no_kernel = true}, -EINVAL,
            "nothing is left");
    if (!has_rseq())
        refused(HYBRID, (struct td_self_ask){.size = sizeof(struct td_self_ask)}, -EOPNOTSUPP, "restartable sequence");
    refused(SKYLAKE_SMT, (struct td_self_ask){.size = sizeof(struct td_self_ask)}, -EOPNOTSUPP,
            "; with SMT off there are twice as many");
    td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), -EINVAL);
    CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}), -EINVAL);
    td_free(td);
}

/* ---- a kernel that refuses late -------------------------------------------------------------- */

static struct td_os refusing; /* a simulated machine whose kernel maps pages, and refuses the next step */

static int map_unreadable(void *ctx, int fd, size_t size, void **out)
{
    const struct td_sim *sim = ctx;
    int err = td_sim_os(sim)->map(ctx, fd, size, out);

    if (!err && fd >= 0)
        ((struct perf_event_mmap_page *)*out)->cap_user_rdpmc = 0;
    return err;
}

static int switch_nothing_on(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx, (void)fd, (void)request, (void)arg;
    return -EIO;
}

/* The page of an event says whether its counter may be read; then all of them are switched on. */
static void refused_late(void)
{
    for (int step = 0; step < 3; step++) {
        static const struct {
            int err;
            const char *text;
        } wanted[] = {{0, ""},
                      {-EOPNOTSUPP, "the kernel does not let this program read the counters of cpu by itself"},
                      {-EIO, "the counters cannot be switched on (ioctl): Input/output error"}};
        struct td *td = handle_of(SPR("") PHASE SPIN);

        refusing = *td_sim_os(td->sim);
        if (step == 1)
            refusing.map = map_unreadable;
        if (step == 2)
            refusing.perf_ioctl = switch_nothing_on;
        td->os = &refusing;
        CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), wanted[step].err);
        CU_ASSERT(!wanted[step].err || strstr(td_error(td), wanted[step].text));
        td_free(td);
    }
}
#endif

#ifdef __aarch64__
/* A Neoverse N2 r0p3 (no correction needed), 5-wide; shares in 64ths. */
#define N2 \
    "# tdprobe-machine: 1\ncpus 0\nmidr 0x410fd493\npmu armv8_pmuv3_0 type=8 cpus=0 general=6 fixed=cycle\n" \
    "caps armv8_pmuv3_0 slots = 0x00000005\nevent armv8_pmuv3_0 cpu_cycles = event=0x0011\nevent armv8_pmuv3_0 br_mis_pred = event=0x0010\n" \
    "event armv8_pmuv3_0 op_retired = event=0x003a\nevent armv8_pmuv3_0 op_spec = event=0x003b\n" \
    "event armv8_pmuv3_0 stall_slot_backend = event=0x003d\nevent armv8_pmuv3_0 stall_slot_frontend = event=0x003e\n" \
    "event armv8_pmuv3_0 stall_slot = event=0x003f\nworkload w rate=5000000000\n" PHASE \
    "count 0x11 0.2\ncount 0x10 0\ncount 0x3a 0.25\ncount 0x3b 0.3125\ncount 0x3f 0.6875\ncount 0x3e 0.203125\ncount 0x3d 0.484375\n" \
    "spin w\ntask 7 other w cpus=0\n"

/* mrs instead of rdpmc; retiring is 4/5 of 5/16, the stalls are unchanged. A rate
 * of 0.2 is 13108/65536. */
static void arm(void)
{
    struct td *td = open_regions(N2 "file /proc/sys/kernel/perf_user_access = 1\\n\n",
                                 (struct td_self_ask){.size = sizeof(struct td_self_ask), .corrections = true});
    int region = td_region(td, "r");
    struct td_region_info info = {.size = sizeof(info)};
    const struct td_result *r;

    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
        td_sim_self_run(td->sim, 2000000);
        td_sim_self_away(td->sim, 1000000);
        CU_ASSERT_EQUAL(td_region_end(td, region), 0);
    }
    CU_ASSERT_EQUAL(td_region_result(td, 0, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 3);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "frontend_bound")->value, 0.203125, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "backend_bound")->value, 0.484375, 1e-4);
    td_free(td);
}

static void arm_refused(void)
{
    static const struct {
        const char *files, *text;
        int err;
    } cases[] = {
        {"file /proc/sys/kernel/perf_user_access = 0\\n\n",
         "programs may not read the counters of armv8_pmuv3_0 here: kernel.perf_user_access is 0", -EACCES},
        {"absent /proc/sys/kernel/perf_user_access\n",
         "programs cannot read the counters of armv8_pmuv3_0 here: the kernel has no perf_user_access", -EOPNOTSUPP},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[4096];
        struct td *td;

        snprintf(text, sizeof(text), N2 "%s", cases[i].files);
        td = handle_of(text);
        CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), cases[i].err);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), cases[i].text));
        td_free(td);
    }
}

#define N2_WORK(pmu) \
    "workload w pmu=" pmu " rate=5000000000\n" PHASE \
    "count 0x11 0.2\ncount 0x3a 0.25\ncount 0x3b 0.3125\ncount 0x3f 0.6875\n"

/* mrs faults on a core where the thread's event has no counter, and checking
 * the page and the mrs are not one restartable sequence here. */
static void arm_kinds(void)
{
    struct td *td = handle_of(
        "# tdprobe-machine: 1\ncpus 0-1\nmidr 0x410fd493\npmu armv8_pmuv3_0 type=8 cpus=0 general=6 fixed=cycle\n"
        "pmu armv8_pmuv3_1 type=9 cpus=1 general=6 fixed=cycle\nfile /proc/sys/kernel/perf_user_access = 1\\n\n" N2_WORK(
            "armv8_pmuv3_0") N2_WORK("armv8_pmuv3_1") "spin w\n");

    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "several kinds of cores"));
    td_free(td);
}
#endif

#ifdef __x86_64__
/* The kernel's events on Skylake, with one thread per core and with two (EVENT_ATTR_STR_HT in
 * Linux arch/x86/events/intel/core.c): 4 slots per cycle, 2 for each of two threads. */
#define KERNELS_EVENTS(scale) \
    "format cpu event = config:0-7\nformat cpu umask = config:8-15\nformat cpu any = config:21\nformat cpu cmask = config:24-31\n" \
    "event cpu topdown-total-slots = event=0x3c,umask=0x0 scale=" scale \
    "\nevent cpu topdown-slots-issued = event=0xe,umask=0x1\n" \
    "event cpu topdown-slots-retired = event=0xc2,umask=0x2\nevent cpu topdown-fetch-bubbles = event=0x9c,umask=0x1\n" \
    "event cpu topdown-recovery-bubbles = event=0xd,umask=0x1,cmask=1 scale=" scale "\n"

static const struct td_os *whole;

/* A machine that cannot count INT_MISC.RECOVERY_CYCLES, which the published formulas need. */
static int open_most(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags)
{
    return (a->config & 0xffffff) == 0x10d && !(a->config >> 24) ? -EOPNOTSUPP
                                                                 : whole->perf_open(ctx, a, pid, cpu, group, flags);
}

/* 250,000 cycles with 1,000,000 slots, a quarter of which retire. */
static void kernels_events(void)
{
    static const struct {
        const char *machine;
        double retiring;
    } cases[] = {
        {SKYLAKE KERNELS_EVENTS("4"), 0.25},
        {SKYLAKE_SMT KERNELS_EVENTS("2"), 0.5},
    };

    for (size_t i = 0; i < 2; i++) {
        struct td *td = handle_of(cases[i].machine);
        const struct td_result *r;
        struct td_snapshot a, b;
        struct td_os os;

        whole = td_session_os(td);
        os = *whole;
        os.perf_open = open_most;
        td->os = &os;
        CU_ASSERT_EQUAL_FATAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), 0);
        CU_ASSERT_EQUAL(td_read(td, &a), 0);
        td_sim_self_run(td->sim, MSEC);
        CU_ASSERT_EQUAL(td_read(td, &b), 0);
        CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
        CU_ASSERT_STRING_EQUAL(td_result_formula(r), "kernel-topdown");
        CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, cases[i].retiring, 1e-5);
        td_free(td);
    }
}
#endif

static const CU_TestInfo tests[] = {
#ifdef __aarch64__
    {"arm", arm},
    {"arm, refused", arm_refused},
    {"arm, kinds of cores", arm_kinds},
#endif
#ifdef __x86_64__
    {"other threads and children", others},
    {"levels", levels},
    {"opening", opening},
    {"a kernel that refuses late", refused_late},
    {"the kernel's events", kernels_events},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("self: opening", tests);
