/* SPDX-License-Identifier: MIT */
/* What exists on x86 only: two instructions for one reading, CPUID, and rdpmc in
 * a restartable sequence. */
#include "tests/support/trap_self.h"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __x86_64__
/* ---- between the two instructions of one reading ---------------------------------- */

struct between {
    unsigned long at, seen;
    void (*what)(int fd);
    int fd;
};

static void happen(void *ctx, unsigned long n, uint32_t ecx)
{
    struct between *b = ctx;

    CU_ASSERT_EQUAL(ecx, n & 1 ? READ_SLOTS : READ_METRICS);
    b->seen = n;
    if (n == b->at)
        b->what(b->fd);
}

static void go_away(int fd)
{
    (void)fd;
    td_sim_self_away(sim, 5 * MSEC);
}

static void compute(int fd)
{
    go_away(fd);
    td_sim_self_run(sim, 2550);
}

static void read_it(int fd)
{
    struct sim_reading r;

    take(fd, &r);
}

static void switch_off(int fd)
{
    ioctl_group(fd, PERF_EVENT_IOC_DISABLE);
}

static void move_to_small(int fd)
{
    (void)fd;
    td_sim_self_move(sim, 2);
}

static void interruptions(void)
{
    static const struct {
        void (*what)(int fd);
        unsigned long at, instructions;
        bool readable;
        uint64_t slots, metrics;
    } cases[] = {
        {go_away, 2, 4, true, 2550, UINT64_C(0x3333333366333333)}, /* the page changed: again */
        {go_away, 1, 4, true, 2550, UINT64_C(0x3333333366333333)},
        {compute, 2, 4, true, 5100, UINT64_C(0x3333333366333333)},
        {switch_off, 2, 2, false, 0, 0},
        {read_it, 2, 2, true, 2550, 0}, /* nothing shows that another reader was there */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct between b = {.at = cases[i].at, .what = cases[i].what};
        struct perf_event_mmap_page *p;
        uint64_t slots = 0, metrics = 0;

        if (!begin(BIG "spin w cpus=0\ntask 7 x w cpus=0\n"))
            return;
        b.fd = open_metrics_of(0);
        open_metrics_of(7);
        p = map_fd(b.fd);
        td_sim_self_run(sim, 2550);
        td_sim_on_rdpmc(sim, happen, &b);
        CU_ASSERT_EQUAL(read_topdown(p, counter, &slots, &metrics), cases[i].readable);
        CU_ASSERT_EQUAL(b.seen, cases[i].instructions);
        CU_ASSERT_TRUE(!cases[i].readable || (slots == cases[i].slots && metrics == cases[i].metrics));
        td_sim_on_rdpmc(sim, NULL, NULL);
        end();
    }
}

/* After a check of the page the thread may still migrate: then it faults. */
static void wrong_kind(void)
{
    struct between b = {.what = move_to_small};
    struct perf_event_mmap_page *p;
    uint64_t slots, metrics;

    for (b.at = 1; b.at <= 2; b.at++) {
        if (!begin_caught(HYBRID "spin w cpus=0-3\n"))
            return;
        p = map_fd(open_metrics_of(0));
        td_sim_on_rdpmc(sim, happen, &b);
        caught = 0;
        if (!sigsetjmp(back, 1))
            read_topdown(p, counter, &slots, &metrics);
        CU_ASSERT_TRUE(caught != 0 && b.seen == b.at);
        td_sim_on_rdpmc(sim, NULL, NULL);
        CU_ASSERT_FALSE(read_topdown(p, counter, &slots, &metrics));
        end_caught();
    }
}

/* ---- CPUID -------------------------------------------------------------------------- */

#define IDS "cpuid 0x7.1 = 0x89abcdef 2 3 4 cpus=0\ncpuid 0x7.1 = 5 6 7 8 cpus=1\n"

/* The handler is called as the kernel would call it: not every processor can fault CPUID. */
static void cpuid(void)
{
    static const unsigned char code[] = {0x0f, 0xa2};
    struct sigaction ours;
    siginfo_t info = {.si_signo = SIGSEGV, .si_code = SI_KERNEL};
    ucontext_t u = {.uc_flags = 0};
    greg_t *r = u.uc_mcontext.gregs;
    enum { FAULTS = 0x1011 }; /* ARCH_GET_CPUID */

    if (!begin_caught(HOST IDS))
        return;
    map_fd(open_event());
    td_sim_self_move(sim, 0);
    sigaction(SIGSEGV, NULL, &ours);
    r[REG_RIP] = (greg_t)(uintptr_t)code;
    r[REG_TRAPNO] = 13;
    r[REG_RAX] = r[REG_RBX] = r[REG_RCX] = r[REG_RDX] = -1;
    r[REG_RAX] = 7;
    r[REG_RCX] = 1;
    ours.sa_sigaction(SIGSEGV, &info, &u);
    CU_ASSERT_TRUE(r[REG_RAX] == 0x89abcdef && r[REG_RBX] == 2 && r[REG_RCX] == 3 && r[REG_RDX] == 4);
    CU_ASSERT_EQUAL(r[REG_RIP], (greg_t)(uintptr_t)code + 2);
    td_sim_self_move(sim, 1);
    if (!syscall(SYS_arch_prctl, FAULTS, 0)) {
        uint32_t a = 7, b, c = 1, d;

        __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
        CU_ASSERT_TRUE(a == 5 && b == 6 && c == 7 && d == 8);
    }
    r[REG_RIP] = (greg_t)(uintptr_t)code;
    r[REG_TRAPNO] = 14; /* after a page fault no code is read */
    caught = 0;
    if (!sigsetjmp(back, 1))
        ours.sa_sigaction(SIGSEGV, &info, &u);
    CU_ASSERT_EQUAL(caught, SIGSEGV);
    end_caught();
    CU_ASSERT_TRUE(syscall(SYS_arch_prctl, FAULTS, 0) != 0);
}

/* ---- restartable sequences ------------------------------------------------------------ */

#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define HAVE_RSEQ 1

static struct rseq *area(void)
{
    return (struct rseq *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

/* rdpmc between the marks of a sequence; false: it was aborted. */
static bool read_in_sequence(uint32_t which, uint64_t *value)
{
    struct rseq *r = area();
    uint32_t low, high, done;

    __asm__ volatile(".pushsection .data\n"
                     ".balign 32\n"
                     "10: .long 0, 0\n"
                     ".quad 11f, 12f - 11f, 13f\n"
                     ".popsection\n"
                     "lea 10b(%%rip), %%rax\n"
                     "mov %%rax, %[cs]\n"
                     "11: mov $1, %[done]\n"
                     "rdpmc\n"
                     "12: jmp 14f\n"
                     ".long 0x53053053\n"
                     "13: xor %[done], %[done]\n"
                     "14: movq $0, %[cs]\n"
                     : "=&a"(low), "=&d"(high), [done] "=&r"(done), [cs] "+m"(r->rseq_cs)
                     : "c"(which)
                     : "memory", "cc");
    *value = (uint64_t)high << 32 | low;
    return done;
}

/* The fault does not abort the sequence, and the area has the simulated CPU. */
static void sequences(void)
{
    struct perf_event_mmap_page *p;
    ptrdiff_t offset = 1;
    uint64_t n = 0;

    if (!begin(BIG SPIN))
        return;
    CU_ASSERT_EQUAL(os->rseq(os->ctx, &offset), __rseq_size ? 0 : -ENOSYS);
    CU_ASSERT_TRUE(!__rseq_size || offset == __rseq_offset);
    if (!__rseq_size) {
        end();
        return;
    }
    p = map_fd(open_metrics_of(0));
    td_sim_self_run(sim, 1234);
    CU_ASSERT_TRUE(read_in_sequence(READ_SLOTS, &n) && n == 1234);
    td_sim_self_move(sim, 1);
    CU_ASSERT_TRUE(area()->cpu_id == 1 && area()->cpu_id_start == 1);
    td_sim_self_move(sim, 0);
    CU_ASSERT_EQUAL(area()->cpu_id, 0);
    unmap_page(p);
    /* it is registered, */
    CU_ASSERT_EQUAL(syscall(SYS_rseq, area(), __rseq_size > 32 ? __rseq_size : 32, 0, RSEQ_SIG), -1);
    CU_ASSERT_TRUE(errno == EBUSY && (int)area()->cpu_id >= 0); /* as before */
    end();
}
#endif
#endif
#endif

static const CU_TestInfo tests[] = {
#ifdef __x86_64__
    {"interruptions", interruptions},
    {"the wrong kind of CPU", wrong_kind},
    {"CPUID", cpuid},
#endif
#ifdef HAVE_RSEQ
    {"restartable sequences", sequences},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("trap: x86", tests);
