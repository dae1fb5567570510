/* SPDX-License-Identifier: MIT */
/* A thread's readings of its own counters, and what may happen in between. */
#include "live/meter.h"
#include "tests/support/thread_regions.h"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
/* ---- readings ----------------------------------------------------------------- */

static void shares(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
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

/* UOP_DROPPING is 1/64 of the slots, which it moves from frontend_bound to bad_speculation. */
static void corrections(void)
{
    struct td *td =
        open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask), .corrections = true});
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

/* Ordinary counters: shares are exact, also when a 48-bit counter wraps. */
static void ordinary(void)
{
    struct td *td = open_regions(SKYLAKE, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
    const struct td_result *r;
    struct td_snapshot a, b;
    struct td_point p;

    CU_ASSERT_EQUAL(td_point_read(td_self_of(td), &p), -EOPNOTSUPP);
    for (size_t i = 0; i < 5; i++)
        td_sim_counter_set(td->sim, td->meter->scopes.unit[0].perf.event[i].fd, (UINT64_C(1) << 47) - 1000 * (i + 1));
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, MSEC);
    td_sim_self_away(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT(!b.point.slots && !b.point.metrics); /* there is no register of them */
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "frontend_bound")->value, 0.125, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "bad_speculation")->value, 0.125, 1e-5);
    CU_ASSERT_EQUAL(node(r, "retiring")->low, node(r, "retiring")->high);
    CU_ASSERT_EQUAL(td_result_flags(r), 0);
    CU_ASSERT_EQUAL(td_measure_points(td, &a.point, &b.point, &r), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "there is no PERF_METRICS here: td_read() reads what there is"));
    td_free(td);
}

/* Another thread zeroes the registers with this thread's descriptor, unseen by it. */
static void zeroed_elsewhere(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
    const struct td_os *os = td_sim_os(td->sim);
    const struct td_result *r;
    struct td_snapshot a, b;
    uint64_t buf[32];

    td_sim_self_run(td->sim, MSEC);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_TRUE(os->read(os->ctx, td->meter->scopes.unit[0].perf.event[0].fd, buf, sizeof(buf)) > 0);
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
    b.point.metrics = 0; /* read(2) occurred between the two rdpmc */
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    td_free(td);
}

/* ---- the reading is interrupted --------------------------------------------------- */

struct interruption {
    struct td_sim *sim;
    unsigned long at, seen;
    int cpu; /* it moves there and, if back, to CPU 0 again; -1: it waits until it is scheduled */
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

/* Before each of its two rdpmc the thread loses its CPU, or gets one without
 * the registers: the sequence begins again, and nothing faults. */
static void interrupted(void)
{
    for (int what = 0; what < 6 && has_rseq(); what++) {
        struct td *td = open_regions(HYBRID, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
        struct interruption i = {
            .sim = td->sim, .at = 1 + (unsigned)what % 2, .cpu = what / 2 ? 2 : -1, .back = what / 2 == 2};
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

/* Where the kernel lets the thread continue, and whether that is still at the rdpmc. */
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

/* Not simulated: the rdpmc of a real sequence faults, and while delivering a signal the
 * real kernel aborts the sequence. If its descriptor or signature were wrong, it
 * would end the process. */
static void real_sequence(void)
{
    struct perf_event_mmap_page page = {.lock = 2, .index = TD__SLOTS_INDEX};
    struct td_self self = {.page = &page, .thread = td__thread()};
    struct sigaction mine = {.sa_flags = SA_SIGINFO}, before;
    struct td_point p;

    if (td_os_linux.rseq(NULL, &self.rseq))
        return; /* an emulator, or an old kernel */
    mine.sa_sigaction = fault;
    CU_ASSERT_EQUAL_FATAL(sigaction(SIGSEGV, &mine, &before), 0);
    faults = inside = 0;
    CU_ASSERT_NOT_EQUAL(td__point_try(&self, &p), 0);
    sigaction(SIGSEGV, &before, NULL);
    CU_ASSERT_EQUAL(faults, 1);
    CU_ASSERT_EQUAL(inside, 0);
    CU_ASSERT_EQUAL(*(volatile uint64_t *)(td__thread() + (uintptr_t)self.rseq + 8), 0); /* rseq_cs */
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

/* An interrupt changed the page between the two rdpmc: the reading is repeated.
 * A page that is being changed is not used. */
static void changed(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
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

/* Changes a page like the kernel, but from another CPU, a thousand times without a
 * pause; the pauses after that are long enough for a reading. */
static void *hammer(void *arg)
{
    struct hammer *h = arg;

    for (unsigned n = 1; !h->stop; n++) {
        uint64_t enabled = h->page->time_enabled;

        __atomic_fetch_add(&h->page->lock, 1, __ATOMIC_SEQ_CST);
        h->page->index = 0;
        h->page->time_enabled = 0;
        h->page->time_enabled = enabled;
        h->page->index = TD__SLOTS_INDEX;
        __atomic_fetch_add(&h->page->lock, 1, __ATOMIC_SEQ_CST);
        if (n % 1000 == 0)
            usleep(500);
    }
    return NULL;
}

static void hammered(void)
{
    struct td *td = open_regions(SPR("") PHASE SPIN, (struct td_self_ask){.size = sizeof(struct td_self_ask)});
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
#endif

static const CU_TestInfo tests[] = {
#ifdef __x86_64__
    {"shares", shares},
    {"corrections", corrections},
    {"ordinary events", ordinary},
    {"zeroed elsewhere", zeroed_elsewhere},
    {"interrupted", interrupted},
    {"real sequence", real_sequence},
    {"changed", changed},
    {"hammered", hammered},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("self", tests);
