/* SPDX-License-Identifier: MIT */
/* What a thread's readings and passes must survive, or refuse with a reason. */
#include "live.h"
#include "regions.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
/* A P-core machine with two E-cores beside it; as alderlake.machine. */
#define HYBRID \
    "# tdprobe-machine: 1\ncpus 0-1\ncpus 2-3\ncpuid 0x0 = 0x23 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x00090672 0x0 0x00008000 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604 cpus=0-1\ncpuid 0xa = 0x08300605 0x0 0x7 0x8603 cpus=2-3\ncpuid 0x7.0 = 0x0 0x0 0x0 0x8000\n" \
    "cpuid 0x1a = 0x40000001 0x0 0x0 0x0 cpus=0-1\ncpuid 0x1a = 0x20000001 0x0 0x0 0x0 cpus=2-3\n" \
    "pmu cpu_core type=4 cpus=0-1 general=8 fixed=0-3 metrics=8\n" EVENTS("cpu_core") "pmu cpu_atom type=8 cpus=2-3 general=6 fixed=0-2\n" \
    "workload w pmu=cpu_core rate=1000000000\n" PHASE "workload w pmu=cpu_atom rate=500000000\n" PHASE "count 0x3c 0.2 clock\ncount 0x71 0.3125\n" \
    "count 0x74 0.25\ncount 0xc2 0.375\nspin w\n"

/* A 4-wide core without PERF_METRICS, SMT off: clock, slots not delivered, issued, retired, recovery. */
#define SKYLAKE SKYLAKE_OF("0xa = 0x07300804 0x0 0x0 0x603\ncpus 0\npmu cpu type=4 cpus=0 general=8")
#define SKYLAKE_SMT SKYLAKE_OF("0xa = 0x07300404 0x0 0x0 0x603\ncpus 0-1 smt=2\npmu cpu type=4 cpus=0-1 general=4")
#define SKYLAKE_OF(counters) \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x16 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000506e3 0x0 0x0 0x0\n" \
    "cpuid " counters " fixed=0-2\nworkload w rate=4000000000\n" PHASE \
    "count 0x3c 0.25 clock\ncount 0x19c 0.125\ncount 0x10e 0.375\ncount 0x2c2 0.25\ncount 0x10d 0\nspin w\ntask 7 other w cpus=0\n"

#define ICE_LAKE \
    "# tdprobe-machine: 1\ncpuid 0x0 = 0x1b 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x000606a6 0x0 0x0 0x0\n" \
    "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpus 0\npmu cpu type=4 cpus=0 general=8 fixed=0-3 metrics=4\n" \
    "event cpu slots = event=0x00,umask=0x4\nevent cpu topdown-retiring = event=0x00,umask=0x80\n" \
    "event cpu topdown-bad-spec = event=0x00,umask=0x81\nevent cpu topdown-fe-bound = event=0x00,umask=0x82\n" \
    "event cpu topdown-be-bound = event=0x00,umask=0x83\nworkload w rate=5000000000\n" PHASE SPIN

enum { MSEC = 1000000 };

/* ---- readings ----------------------------------------------------------------- */

static void shares(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){0});
    const struct td_self *self = td_self_of(td);
    const struct td_result *r;
    struct td_point a, b;
    struct td_snapshot c, d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(self);
    CU_ASSERT_EQUAL(td_point_read(self, &a), 0);
    CU_ASSERT_EQUAL(td_read(td, &c), 0);
    td_sim_self_run(td->sim, 255 * 1024);
    CU_ASSERT_EQUAL(td_point_read(self, &b), 0);
    CU_ASSERT_EQUAL(td_read(td, &d), 0);
    CU_ASSERT_EQUAL(b.slots - a.slots, 255 * 1024);
    CU_ASSERT_EQUAL(b.slots, d.point.slots);
    CU_ASSERT_EQUAL(b.metrics, d.point.metrics);
    CU_ASSERT_EQUAL(td_measure_points(td, &a, &b, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 0.005);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "memory_bound")->value, 0.375, 0.005);
    CU_ASSERT_TRUE(node(r, "bad_speculation")->flags & TD_FLAG_CORRECTION_MISSING);
    CU_ASSERT_STRING_EQUAL(td_result_scope_kind(r), "region");
    CU_ASSERT_EQUAL(td_measure(td, &c, &d, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "backend_bound")->value, 0.5, 0.005);
    CU_ASSERT_TRUE(td_result_flags(r) & TD_FLAG_CORRECTION_MISSING);
    td_free(td);
}

/* UOP_DROPPING is 1/64 of the slots: it goes from frontend_bound to bad_speculation. */
static void corrections(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.corrections = true});
    const struct td_result *r;
    struct td_snapshot a, b;

    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, 10 * MSEC);
    td_sim_self_away(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_EQUAL(td_result_flags(r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "frontend_bound")->value, 0.109375, 0.006);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "bad_speculation")->value, 0.140625, 0.006);
    CU_ASSERT_EQUAL(td_measure_points(td, &a.point, &b.point, &r), 0);
    CU_ASSERT_TRUE(node(r, "bad_speculation")->flags & TD_FLAG_CORRECTION_MISSING);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_EQUAL(td_result_flags(r), 0);
    td_free(td);
}

/* Ordinary counters: shares are exact, also across the end of a 48-bit counter. */
static void ordinary(void)
{
    struct td *td = open_regions(SKYLAKE, (struct td_self_ask){0});
    const struct td_result *r;
    struct td_snapshot a, b;
    struct td_point p;

    CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), -EOPNOTSUPP);
    for (size_t i = 0; i < 5; i++)
        td_sim_counter_set(td->sim, td->live->unit[0].perf.event[i].fd, (UINT64_C(1) << 47) - 1000 * (i + 1));
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, MSEC);
    td_sim_self_away(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "frontend_bound")->value, 0.125, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "bad_speculation")->value, 0.125, 1e-5);
    CU_ASSERT_EQUAL(node(r, "retiring")->low, node(r, "retiring")->high);
    CU_ASSERT_EQUAL(td_result_flags(r), 0);
    CU_ASSERT_EQUAL(td_measure_points(td, &a.point, &b.point, &r), -EOPNOTSUPP);
    td_free(td);
}

/* Others zero the registers with the thread's own descriptor, unseen by it. */
static void zeroed_elsewhere(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){0});
    const struct td_os *os = td_sim_os(td->sim);
    const struct td_result *r;
    struct td_snapshot a, b;
    uint64_t buf[32];

    td_sim_self_run(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_TRUE(os->read(os->ctx, td->live->unit[0].perf.event[0].fd, buf, sizeof(buf)) > 0);
    td_sim_self_run(td->sim, MSEC / 2);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "zeroed"));
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_EQUAL(td_reset(td), 0);
    td_sim_self_run(td->sim, 5 * MSEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    a = b;
    b.point.metrics = 0; /* read(2) between the two rdpmc */
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    td_free(td);
}

/* ---- the reading is interrupted --------------------------------------------------- */

struct interruption {
    struct td_sim *sim;
    unsigned long at, seen;
    int cpu; /* it moves there and, if back, to CPU 0 again; -1: it waits its turn */
    bool back;
};

static void interrupt(void *ctx, unsigned long n, uint32_t ecx)
{
    struct interruption *i = ctx;

    (void)ecx;
    i->seen = n;
    if (n != i->at)
        return;
    if (i->cpu < 0) {
        td_sim_self_away(i->sim, MSEC);
    } else {
        td_sim_self_move(i->sim, i->cpu);
        if (i->back)
            td_sim_self_move(i->sim, 0);
    }
}

/* In front of each of its two rdpmc the thread loses its CPU, or gets one without
 * the registers: the sequence begins again, and nothing faults. */
static void interrupted(void)
{
    for (int what = 0; what < 6 && has_rseq(); what++) {
        struct td *td = open_regions(HYBRID, (struct td_self_ask){0});
        struct interruption i = {.sim = td->sim, .at = 1 + (unsigned)what % 2, .cpu = what / 2 ? 2 : -1, .back = what / 2 == 2};
        struct td_point before, p;

        td_sim_self_run(td->sim, 2550);
        CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &before), 0);
        td_sim_on_rdpmc(td->sim, interrupt, &i);
        if (what / 2 == 1) {
            CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), -EXDEV);
            CU_ASSERT_EQUAL(i.seen, i.at);
            CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), -EXDEV);
            CU_ASSERT_EQUAL(i.seen, i.at); /* no rdpmc at all */
            td_sim_self_move(td->sim, 1);
        }
        CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), 0);
        CU_ASSERT_TRUE(i.seen >= i.at + 2);
        CU_ASSERT_EQUAL(p.slots, before.slots);
        CU_ASSERT_EQUAL(p.metrics, before.metrics);
        td_free(td);
    }
}

struct hammer {
    volatile struct perf_event_mmap_page *page;
    volatile bool stop;
    unsigned long read;
};

static volatile sig_atomic_t faults, inside;

/* Where the kernel lets the thread go on, and whether that is still the rdpmc. */
static void fault(int sig, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *at = (const unsigned char *)(uintptr_t)r[REG_RIP];

    (void)sig;
    (void)info;
    faults++;
    inside += at[0] == 0x0f && at[1] == 0x33;
    if (inside)
        r[REG_RIP] += 2;
}

/* No simulation: the rdpmc of a real sequence faults, and as it delivers a signal the
 * real kernel breaks the sequence off. Were its descriptor or signature wrong, it
 * would end the process. */
static void real_sequence(void)
{
    struct perf_event_mmap_page page = {.lock = 2, .index = TD_SLOTS_INDEX};
    struct td_self self = {.page = &page, .thread = td_thread()};
    struct sigaction mine = {.sa_flags = SA_SIGINFO}, before;
    struct td_point p;

    if (td_os_linux.rseq(NULL, &self.rseq))
        return; /* an emulator, or an old kernel */
    mine.sa_sigaction = fault;
    CU_ASSERT_EQUAL_FATAL(sigaction(SIGSEGV, &mine, &before), 0);
    faults = inside = 0;
    CU_ASSERT_NOT_EQUAL(td_point_try(&self, &p), 0);
    sigaction(SIGSEGV, &before, NULL);
    CU_ASSERT_EQUAL(faults, 1);
    CU_ASSERT_EQUAL(inside, 0);
    CU_ASSERT_EQUAL(*(volatile uint64_t *)(td_thread() + (uintptr_t)self.rseq + 8), 0); /* rseq_cs */
    CU_ASSERT_EQUAL(page.lock, 2);
}

static void change_page(void *ctx, unsigned long n, uint32_t ecx)
{
    struct hammer *h = ctx;

    (void)ecx;
    if (n == 2)
        h->page->lock += 2;
    h->read = n;
}

/* An interrupt changed the page between the two rdpmc: the reading is made again.
 * A page that is being changed is no page. */
static void changed(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){0});
    struct hammer h = {.page = (volatile struct perf_event_mmap_page *)td_self_of(td)->page};
    struct td_point p;

    td_sim_on_rdpmc(td->sim, change_page, &h);
    CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), 0);
    CU_ASSERT_EQUAL(h.read, 4);
    h.page->lock |= 1;
    CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), -EAGAIN);
    h.page->lock++;
    CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), 0);
    CU_ASSERT_EQUAL(p.updates, h.page->lock);
    td_free(td);
}

/* As the kernel changes a page, but from another CPU, a thousand times without a
 * pause; in the pauses behind that a reading has time enough. */
static void *hammer(void *arg)
{
    struct hammer *h = arg;

    for (unsigned n = 1; !h->stop; n++) {
        uint64_t enabled = h->page->time_enabled;

        __atomic_fetch_add(&h->page->lock, 1, __ATOMIC_SEQ_CST);
        h->page->index = 0;
        h->page->time_enabled = 0;
        h->page->time_enabled = enabled;
        h->page->index = TD_SLOTS_INDEX;
        __atomic_fetch_add(&h->page->lock, 1, __ATOMIC_SEQ_CST);
        if (n % 1000 == 0)
            usleep(500);
    }
    return NULL;
}

static void hammered(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){0});
    struct hammer h = {.page = (volatile struct perf_event_mmap_page *)td_self_of(td)->page};
    const uint64_t unscheduled = h.page->time_enabled - h.page->time_running;
    unsigned long read = 0, rounds = unit_rounds(5000);
    pthread_t writer;

    td_sim_self_run(td->sim, 2550);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&writer, NULL, hammer, &h), 0);
    for (unsigned long i = 0; i < rounds; i++) {
        struct td_point p;

        if (td_point_read(td_self_of(td), &p))
            continue;
        read++;
        CU_ASSERT_EQUAL(p.slots, 2550);
        CU_ASSERT_EQUAL(p.unscheduled, unscheduled);
        CU_ASSERT_EQUAL(p.updates & 1, 0);
    }
    h.stop = true;
    pthread_join(writer, NULL);
    CU_ASSERT_TRUE(2 * read > rounds);
    td_free(td);
}

/* ---- passes ------------------------------------------------------------------------- */

static void pass(struct td *td, int region, uint64_t ns)
{
    CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
    td_sim_self_run(td->sim, ns);
    CU_ASSERT_EQUAL(td_region_end(td, region), 0);
}

static void nested(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.regions = 3, .depth = 2});
    int outer = td_region(td, "outer"), inner = td_region(td, "inner"), third = td_region(td, "third");
    struct td_region_info info;
    const struct td_result *r;

    CU_ASSERT_EQUAL(td_region(td, "inner"), inner);
    CU_ASSERT_EQUAL(td_region(td, "fourth"), -ENOSPC);
    CU_ASSERT_EQUAL(td_region(td, ""), -EINVAL);
    CU_ASSERT_EQUAL(td_region_begin(td, 3), -EINVAL);
    CU_ASSERT_EQUAL(td_region_begin(td, -1), -EINVAL);
    CU_ASSERT_EQUAL(td_region_end(td, outer), -EINVAL);
    for (int i = 0; i < 10; i++) {
        CU_ASSERT_EQUAL(td_region_begin(td, outer), 0);
        td_sim_self_run(td->sim, 1000);
        pass(td, inner, 500);
        CU_ASSERT_EQUAL(td_region_begin(td, inner), 0);
        CU_ASSERT_EQUAL(td_region_begin(td, inner), 0); /* goes on */
        CU_ASSERT_EQUAL(td_region_begin(td, third), -ENOSPC);
        CU_ASSERT_EQUAL(td_region_end(td, outer), -EINVAL);
        CU_ASSERT_EQUAL(td_region_end(td, inner), 0);
        td_sim_self_run(td->sim, 200);
        CU_ASSERT_EQUAL(td_region_end(td, inner), 0);
        CU_ASSERT_EQUAL(td_region_end(td, outer), 0);
    }
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)outer, &info, &r), 0);
    CU_ASSERT_STRING_EQUAL(info.name, "outer");
    CU_ASSERT_EQUAL(info.passes, 10);
    CU_ASSERT_EQUAL(info.slots, 17000);
    CU_ASSERT_STRING_EQUAL(td_result_scope(r), "outer");
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)inner, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 20);
    CU_ASSERT_EQUAL(info.slots, 7000);
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)third, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 0);
    CU_ASSERT_EQUAL(node(r, "retiring")->status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(td_region_result(td, 3, &info, NULL), -ENODATA);
    td_free(td);
}

/* The sum of passes is theirs: its truth lies inside its bounds. */
static void added_up(void)
{
    struct td *td = open_regions(SPR(" rounding=scatter") PHASE "phase ms=3 retiring=0.75 bad=0 frontend=0.25 backend=0\n" SPIN, (struct td_self_ask){.target = 0.05});
    struct unit_random random = {.state = 5};
    int region = td_region(td, "r");
    struct td_pmu_truth before, after;
    struct td_region_info info;
    const struct td_result *r;
    double retired = 0, slots = 0;

    for (int i = 0; i < 200; i++) {
        td_sim_self_run(td->sim, unit_random_below(&random, 2 * MSEC));
        td_sim_self_truth(td->sim, 4, &before);
        pass(td, region, 1 + unit_random_below(&random, 4 * MSEC));
        td_sim_self_truth(td->sim, 4, &after);
        slots += (double)(after.slots - before.slots);
        retired += (double)(after.part[0] - before.part[0]) / TD_PMU_WHOLE;
    }
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)region, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 200);
    CU_ASSERT_EQUAL((double)info.slots, slots);
    CU_ASSERT_TRUE(node(r, "retiring")->low <= retired / slots && retired / slots <= node(r, "retiring")->high);
    CU_ASSERT_TRUE(node(r, "retiring")->high - node(r, "retiring")->low < 0.1);
    td_free(td);
}

static void target(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.target = 0.02});
    int outer = td_region(td, "outer"), inner = td_region(td, "inner");
    struct td_sim_calls before, after;
    struct td_region_info info;
    const struct td_result *r;
    struct td_snapshot a, b;

    pass(td, outer, MSEC); /* nothing is known of it yet */
    td_sim_calls(td->sim, &before);
    for (int i = 0; i < 100; i++) {
        CU_ASSERT_EQUAL(td_region_begin(td, outer), 0);
        CU_ASSERT_EQUAL(td_read(td, &a), 0);
        td_sim_self_run(td->sim, MSEC / 2);
        pass(td, inner, MSEC / 2); /* no reset in here */
        CU_ASSERT_EQUAL(td_read(td, &b), 0);
        CU_ASSERT_EQUAL(td_region_end(td, outer), 0);
        CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
        CU_ASSERT_TRUE(node(r, "retiring")->high - node(r, "retiring")->low <= 0.04);
        CU_ASSERT_TRUE(node(r, "backend_bound")->high - node(r, "backend_bound")->low <= 0.04);
    }
    td_sim_calls(td->sim, &after);
    CU_ASSERT_TRUE(after.ioctl - before.ioctl >= 40 && after.ioctl - before.ioctl <= 100); /* one for every second pass, or each */
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)outer, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 101);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_RESET], 0);
    td_free(td);
}

static void discarded(void)
{
    struct td *td = has_rseq() ? open_regions(HYBRID, (struct td_self_ask){0}) : NULL;
    int region = td ? td_region(td, "r") : -1;
    struct td_region_info info;
    struct td_snapshot a;
    const struct td_result *r;

    if (!td)
        return;
    pass(td, region, MSEC);
    CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
    CU_ASSERT_EQUAL(td_reset(td), 0);
    td_sim_self_run(td->sim, 5 * MSEC);
    CU_ASSERT_EQUAL(td_region_end(td, region), -ESTALE);
    CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
    td_sim_self_move(td->sim, 2);
    td_sim_self_run(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &a), -EXDEV);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "kind of core"));
    CU_ASSERT_EQUAL(td_measure(td, &a, &a, &r), -EINVAL);
    CU_ASSERT_EQUAL(td_region_end(td, region), -EXDEV); /* it ends there, */
    CU_ASSERT_EQUAL(td_region_begin(td, region), -EXDEV); /* begins there, */
    td_sim_self_move(td->sim, 0);
    CU_ASSERT_EQUAL(td_region_end(td, region), -EXDEV);
    CU_ASSERT_EQUAL(td_region_begin(td, region), 0); /* was there */
    td_sim_self_move(td->sim, 3);
    td_sim_self_run(td->sim, MSEC);
    td_sim_self_move(td->sim, 1);
    CU_ASSERT_EQUAL(td_region_end(td, region), -EAGAIN);
    pass(td, region, MSEC);
    CU_ASSERT_EQUAL(td_region_result(td, (size_t)region, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes, 2);
    CU_ASSERT_EQUAL(info.slots, 2 * MSEC);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_RESET], 1);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_OTHER_CORE], 2);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_UNSCHEDULED], 1);
    CU_ASSERT_STRING_EQUAL(td_result_core(r), "P");
    td_free(td);
}

/* Somebody who may pin events takes the counters away for a time. */
static void unscheduled(void)
{
    struct td *td = open_regions(SKYLAKE, (struct td_self_ask){0});
    const struct td_os *os = td_sim_os(td->sim);
    struct perf_event_attr attr = {.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = 0x3c, .pinned = 1};
    int region = td_region(td, "r"), fd[11];
    struct td_region_info info;
    struct td_snapshot a;

    CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
    for (size_t i = 0; i < 11; i++)
        fd[i] = os->perf_open(os->ctx, &attr, -1, 0, -1, 0);
    td_sim_self_run(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &a), -EAGAIN);
    for (size_t i = 0; i < 11; i++)
        CU_ASSERT_EQUAL(os->close(os->ctx, fd[i]), 0);
    td_sim_self_run(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_EQUAL(td_region_end(td, region), -EAGAIN);
    CU_ASSERT_EQUAL(td_region_result(td, 0, &info, NULL), 0);
    CU_ASSERT_EQUAL(info.passes, 0);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_UNSCHEDULED], 1);
    td_free(td);
}

/* ---- the ring, as a trace -------------------------------------------------------------- */

struct text {
    char buf[65536];
    size_t used, read;
};

static int keep(void *ctx, const void *buf, size_t size)
{
    struct text *t = ctx;

    if (size > sizeof(t->buf) - t->used)
        return -ENOSPC;
    memcpy(t->buf + t->used, buf, size);
    t->used += size;
    return 0;
}

static ssize_t give(void *ctx, void *buf, size_t size)
{
    struct text *t = ctx;
    size_t n = t->used - t->read < size ? t->used - t->read : size;

    memcpy(buf, t->buf + t->read, n);
    t->read += n;
    return (ssize_t)n;
}

static unsigned counted(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void ring(void)
{
    static const uint64_t length[] = {9000, 1000, 2000, 4000, 8000};
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.ring = 4, .no_kernel = true}), *replay = td_new();
    int region = td_region(td, "a,b");
    const struct td_result *r;
    struct text *t = calloc(1, sizeof(*t));
    double bounds[5][2], slots[5];
    uint64_t lost;

    for (size_t i = 0; i < 5; i++) {
        struct td_snapshot a, b;

        td_sim_self_run(td->sim, 700);
        CU_ASSERT_EQUAL(td_region_begin(td, region), 0);
        CU_ASSERT_EQUAL(td_read(td, &a), 0);
        td_sim_self_run(td->sim, length[i]);
        td_sim_self_away(td->sim, i * MSEC);
        CU_ASSERT_EQUAL(td_read(td, &b), 0);
        CU_ASSERT_EQUAL(td_region_end(td, region), 0);
        CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
        slots[i] = (double)length[i];
        bounds[i][0] = node(r, "retiring")->low;
        bounds[i][1] = node(r, "retiring")->high;
    }
    CU_ASSERT_EQUAL(td_regions_write(td, keep, t, &lost), 0);
    CU_ASSERT_EQUAL(lost, 1);
    CU_ASSERT_EQUAL(td_open(replay, "ring", give, t), 0);
    for (size_t i = 1; i < 5; i++) {
        CU_ASSERT_EQUAL_FATAL(td_next(replay, &r), 0);
        CU_ASSERT_STRING_EQUAL(td_result_scope(r), "a,b");
        CU_ASSERT_STRING_EQUAL(td_result_scope_kind(r), "region");
        CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->low, bounds[i][0], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->high, bounds[i][1], 1e-12);
        for (size_t k = 0; k < td_result_counts(r); k++)
            if (strstr(td_result_count(r, k).event, "SLOTS"))
                CU_ASSERT_EQUAL(td_result_count(r, k).value, slots[i]);
    }
    CU_ASSERT_EQUAL(td_next(replay, &r), -ENODATA);
    memset(t, 0, sizeof(*t));
    CU_ASSERT_EQUAL(td_regions_write(td, keep, t, &lost), 0); /* it is empty now: a header */
    CU_ASSERT_EQUAL(lost, 0);
    CU_ASSERT_PTR_NULL(strstr(t->buf, "region"));
    pass(td, region, 4711);
    pass(td, region, 815);
    CU_ASSERT_EQUAL(td_regions_write(td, keep, t, &lost), 0);
    CU_ASSERT_EQUAL(counted(t->buf, ",begin,"), 2);
    CU_ASSERT_EQUAL(counted(t->buf, ",4711,4711\n"), 2); /* SLOTS and PERF_METRICS ran so long */
    CU_ASSERT_TRUE(strstr(t->buf, ",4711,4711\n") < strstr(t->buf, ",815,815\n"));
    td_free(replay);
    td_free(td);
    free(t);
}

/* ---- who may use a handle --------------------------------------------------------------- */

static struct td_os wiping; /* a simulated machine whose memory fork(2) wipes really */
static void *wiped; /* of it */

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

    return (void *)(intptr_t)(td_read(td, &s) == -EPERM && td_point_read(td_self_of(td), &p) == -EPERM && td_region_begin(td, 0) == -EPERM &&
                              td_region_end(td, 0) == -EPERM && td_reset(td) == -EPERM);
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
    CU_ASSERT_EQUAL_FATAL(td_open_self(td, &(struct td_self_ask){0}), 0);
    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    CU_ASSERT_EQUAL(td_region_begin(td, 0), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, use, td), 0);
    pthread_join(thread, &refused);
    CU_ASSERT_PTR_NOT_NULL(refused);
    child = fork();
    if (!child) {
        bool ok = td_read(td, &s) == -ECHILD && td_point_read(td_self_of(td), &p) == -ECHILD && td_region_end(td, 0) == -ECHILD &&
                  strstr(td_error(td), "fork");

        td_free(td);
        _exit(ok ? 0 : 1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(td_read(td, &s), 0); /* the parent goes on */
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

/* The register has level 1 only: level 2 is for those who ask for it. */
static void levels(void)
{
    for (int level = 0; level <= 2; level++) {
        struct td *td = handle_of(ICE_LAKE);

        CU_ASSERT_TRUE(level == 0 || td_set_level(td, level) == 0);
        CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){0}), level == 2 ? -EOPNOTSUPP : 0);
        CU_ASSERT_EQUAL(td->live->pmu[0].plan.level, level == 2 ? 2 : 1);
        td_free(td);
    }
}

static void opening(void)
{
    struct td *td;

    refused(SPR("") PHASE SPIN "file /sys/bus/event_source/devices/cpu/rdpmc = 0\\n\n", (struct td_self_ask){0}, -EACCES, "rdpmc is 0");
    refused(SPR("") PHASE SPIN, (struct td_self_ask){.target = 1}, -EINVAL, "target");
    refused(SPR("") PHASE SPIN, (struct td_self_ask){.target = NAN}, -EINVAL, "target");
    refused(SPR("") PHASE SPIN, (struct td_self_ask){.no_user = true, .no_kernel = true}, -EINVAL, "nothing is left");
    if (!has_rseq())
        refused(HYBRID, (struct td_self_ask){0}, -EOPNOTSUPP, "restartable sequence");
    refused(SKYLAKE_SMT, (struct td_self_ask){0}, -EOPNOTSUPP, "with SMT off");
    td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){0});
    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){0}), -EINVAL);
    CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){0}), -EINVAL);
    td_free(td);
}

#endif

#ifdef __aarch64__
/* A Neoverse N2 r0p3 (nothing to correct), 5-wide; shares of 64ths. */
#define N2 \
    "# tdprobe-machine: 1\ncpus 0\nmidr 0x410fd493\npmu armv8_pmuv3_0 type=8 cpus=0 general=6 fixed=cycle\n" \
    "caps armv8_pmuv3_0 slots = 0x00000005\nevent armv8_pmuv3_0 cpu_cycles = event=0x0011\nevent armv8_pmuv3_0 br_mis_pred = event=0x0010\n" \
    "event armv8_pmuv3_0 op_retired = event=0x003a\nevent armv8_pmuv3_0 op_spec = event=0x003b\n" \
    "event armv8_pmuv3_0 stall_slot_backend = event=0x003d\nevent armv8_pmuv3_0 stall_slot_frontend = event=0x003e\n" \
    "event armv8_pmuv3_0 stall_slot = event=0x003f\nworkload w rate=5000000000\n" PHASE \
    "count 0x11 0.2\ncount 0x10 0\ncount 0x3a 0.25\ncount 0x3b 0.3125\ncount 0x3f 0.6875\ncount 0x3e 0.203125\ncount 0x3d 0.484375\n" \
    "spin w\ntask 7 other w cpus=0\n"

/* mrs in place of rdpmc; retiring is 4/5 of 5/16, the stalls are as they stand. A rate
 * of 0.2 is one of 13108/65536. */
static void arm(void)
{
    struct td *td = open_regions(N2 "file /proc/sys/kernel/perf_user_access = 1\\n\n", (struct td_self_ask){.corrections = true});
    int region = td_region(td, "r");
    struct td_region_info info;
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
        {"file /proc/sys/kernel/perf_user_access = 0\\n\n", "perf_user_access is 0", -EACCES},
        {"absent /proc/sys/kernel/perf_user_access\n", "no perf_user_access", -EOPNOTSUPP},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[4096];
        struct td *td;

        snprintf(text, sizeof(text), N2 "%s", cases[i].files);
        td = handle_of(text);
        CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){0}), cases[i].err);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), cases[i].text));
        td_free(td);
    }
}

#define N2_WORK(pmu) "workload w pmu=" pmu " rate=5000000000\n" PHASE "count 0x11 0.2\ncount 0x3a 0.25\ncount 0x3b 0.3125\ncount 0x3f 0.6875\n"

/* mrs faults on a core where the thread's event has no counter, and the look at
 * the page and the mrs are not one restartable sequence here. */
static void arm_kinds(void)
{
    struct td *td = handle_of("# tdprobe-machine: 1\ncpus 0-1\nmidr 0x410fd493\npmu armv8_pmuv3_0 type=8 cpus=0 general=6 fixed=cycle\n"
                              "pmu armv8_pmuv3_1 type=9 cpus=1 general=6 fixed=cycle\nfile /proc/sys/kernel/perf_user_access = 1\\n\n"
                              N2_WORK("armv8_pmuv3_0") N2_WORK("armv8_pmuv3_1") "spin w\n");

    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){0}), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "several kinds of cores"));
    td_free(td);
}
#endif

void suite_self(void)
{
    static const CU_TestInfo tests[] = {
#ifdef __aarch64__
        {"arm", arm},
        {"arm, refused", arm_refused},
        {"arm, kinds of cores", arm_kinds},
#endif
#ifdef __x86_64__
        {"shares", shares},
        {"corrections", corrections},
        {"ordinary events", ordinary},
        {"zeroed elsewhere", zeroed_elsewhere},
        {"interrupted", interrupted},
        {"real sequence", real_sequence},
        {"changed", changed},
        {"hammered", hammered},
        {"nested", nested},
        {"added up", added_up},
        {"target", target},
        {"discarded", discarded},
        {"unscheduled", unscheduled},
        {"ring", ring},
        {"other threads and children", others},
        {"levels", levels},
        {"opening", opening},
#endif
        CU_TEST_INFO_NULL,
    };

    unit_suite("self", tests);
}
