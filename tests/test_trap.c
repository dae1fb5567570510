/* SPDX-License-Identifier: MIT */
/* Counters read by the instruction itself, which faults and is answered. */
#include "read_self.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define HOST BIG SPIN
enum { FAULT = SIGSEGV, ABSENT = 2, EVENT = 0xc2 };

static uint64_t counter(uint32_t which)
{
    uint32_t low, high;

    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(which));
    return (uint64_t)high << 32 | low;
}

static int open_event(void)
{
    return open_self(EVENT, -1);
}
#elif defined(__aarch64__)
#define HOST ARM ACCESS
enum { FAULT = SIGILL, ABSENT = 30, EVENT = 0x3b };

static uint64_t counter(uint32_t which)
{
    uint64_t value = 0;

    switch (which) {
    case 0:
        __asm__ volatile("mrs %0, S3_3_C14_C8_0" : "=r"(value));
        break;
    case 9:
        __asm__ volatile("mrs %0, S3_3_C14_C9_1" : "=r"(value));
        break;
    case ABSENT:
        __asm__ volatile("mrs %0, S3_3_C14_C11_6" : "=r"(value));
        break;
    case 31:
        __asm__ volatile("mrs %0, S3_3_C9_C13_0" : "=r"(value));
        break;
    }
    return value;
}

static int open_event(void)
{
    return open_arm(EVENT, 2, -1);
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)

/* ---- a handler of somebody else ------------------------------------------------ */

static volatile sig_atomic_t caught;
static sigjmp_buf back;

static void told(int sig, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    caught = sig;
    siglongjmp(back, 1);
}

static void told_plainly(int sig)
{
    caught = sig;
    siglongjmp(back, 1);
}

static void note(int sig, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    caught = sig;
}

static void take_signal(int sig, struct sigaction *was)
{
    struct sigaction a = {.sa_flags = SA_SIGINFO};

    a.sa_sigaction = told;
    sigaction(sig, &a, was);
}

/* What the signal was that reading a counter ended with; 0: none. Under valgrind
 * rdpmc is unknown and so SIGILL. */
static int fault_of(uint32_t which)
{
    caught = 0;
    if (!sigsetjmp(back, 1))
        counter(which);
    return caught == SIGILL ? FAULT : caught;
}

static struct sigaction before_segv, before_ill;

static bool begin_caught(const char *description)
{
    take_signal(SIGSEGV, &before_segv);
    take_signal(SIGILL, &before_ill);
    return begin(description);
}

static void end_caught(void)
{
    struct sigaction now;

    end();
    sigaction(SIGSEGV, &before_segv, &now);
    CU_ASSERT_TRUE(now.sa_flags & SA_SIGINFO && now.sa_sigaction == told); /* as before the machine */
    sigaction(SIGILL, &before_ill, &now);
    CU_ASSERT_TRUE(now.sa_flags & SA_SIGINFO && now.sa_sigaction == told);
}

/* ---- reading ----------------------------------------------------------------- */

static void reading(void)
{
    struct perf_event_mmap_page *p;
    uint64_t n = 0;

    if (!begin(HOST))
        return;
    p = map_fd(open_event());
    for (uint64_t i = 1; i <= 10; i++) {
        td_sim_self_run(sim, 1000);
        CU_ASSERT_TRUE(read_count(p, counter, &n) && n == 500 * i);
    }
    end();
}

/* Only what the machine has and allows is answered. */
static void real_faults(void)
{
    struct perf_event_mmap_page *p;

    if (!begin_caught(HOST))
        return;
    p = map_fd(open_event());
    CU_ASSERT_EQUAL(fault_of(0), 0);
    CU_ASSERT_EQUAL(fault_of(ABSENT), FAULT);
    unmap_page(p);
    CU_ASSERT_EQUAL(fault_of(0), FAULT);
    end_caught();
}

/* Faults that are not of such instructions, and signals that were sent. */
static void other_faults(void)
{
    struct sigaction plain = {.sa_flags = 0}, mapped;
    void (*volatile nowhere)(void) = NULL;
    void *constant = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (!begin_caught(HOST))
        return;
    map_fd(open_event());
    caught = 0;
    if (!sigsetjmp(back, 1))
        *(volatile int *)constant = 1;
    CU_ASSERT_EQUAL(caught, SIGSEGV);
    munmap(constant, PAGE);
    caught = 0;
    if (getenv("TD_QUICK"))
        caught = SIGSEGV; /* for valgrind a jump to nowhere is an error of its own */
    else if (!sigsetjmp(back, 1))
        nowhere();
    CU_ASSERT_EQUAL(caught, SIGSEGV);
    caught = 0;
    if (!sigsetjmp(back, 1))
        raise(SIGILL);
    CU_ASSERT_EQUAL(caught, SIGILL);
    end_caught();
    if (!begin_caught(HOST))
        return;
    plain.sa_handler = told_plainly;
    sigaction(FAULT, &plain, NULL);
    map_fd(open_event());
    sigaction(FAULT, NULL, &mapped);
    CU_ASSERT_TRUE(mapped.sa_flags & SA_SIGINFO);
    CU_ASSERT_EQUAL(fault_of(0), 0);
    CU_ASSERT_EQUAL(fault_of(ABSENT), FAULT);
    end();
    sigaction(SIGSEGV, &before_segv, NULL);
    sigaction(SIGILL, &before_ill, NULL);
}

/* How a child ends that does something while the action is the default one or none. */
static int child_ends(void (*action)(int), void (*what)(void))
{
    int status = 0;
    pid_t pid = fork();

    if (!pid) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGSEGV, action);
        signal(SIGILL, action);
        if (!begin(HOST))
            _exit(2);
        map_fd(open_event());
        what();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGILL ? FAULT : WTERMSIG(status) : -WEXITSTATUS(status);
}

static void read_absent(void)
{
    counter(ABSENT);
}

static void send_one(void)
{
    raise(FAULT);
}

static void read_one(void)
{
    counter(0);
}

static void default_actions(void)
{
    CU_ASSERT_EQUAL(child_ends(SIG_DFL, read_one), 0);
    CU_ASSERT_EQUAL(child_ends(SIG_DFL, read_absent), FAULT);
    CU_ASSERT_EQUAL(child_ends(SIG_DFL, send_one), FAULT);
    CU_ASSERT_EQUAL(child_ends(SIG_IGN, read_absent), FAULT); /* a fault cannot be ignored */
    CU_ASSERT_EQUAL(child_ends(SIG_IGN, send_one), 0);
}

/* A handler that came later stays, and what it was put on top of works as before. */
static void handlers_on_top(void)
{
    struct perf_event_mmap_page *p, *again;
    struct sigaction top = {.sa_flags = SA_SIGINFO}, ours, now;
    int fd;

    if (!begin_caught(HOST))
        return;
    fd = open_event();
    p = map_fd(fd);
    again = map_fd(open_event());
    unmap_page(again);
    CU_ASSERT_EQUAL(fault_of(0), 0); /* still mapped once */
    top.sa_sigaction = note;
    sigaction(FAULT, &top, &ours);
    unmap_page(p);
    sigaction(FAULT, &ours, &now);
    CU_ASSERT_TRUE(now.sa_flags & SA_SIGINFO && now.sa_sigaction == note);
    CU_ASSERT_EQUAL(fault_of(0), FAULT); /* passed on, though nothing is mapped */
    map_fd(fd);
    CU_ASSERT_EQUAL(fault_of(0), 0);
    CU_ASSERT_EQUAL(fault_of(ABSENT), FAULT);
    end_caught();
}

/* ---- threads -------------------------------------------------------------------- */

static pthread_barrier_t barrier;

static void *measure(void *arg)
{
    struct text t = {HOST};
    struct td_sim *mine = NULL;
    const struct td_os *o;
    struct perf_event_attr attr = attr_of(EVENT);
    const uint64_t ns = *(const uint64_t *)arg;
    void *at = NULL;
    char why[100];
    uint64_t n = 0, wrong = 0;

    if (td_sim_new("m", read_text, &t, &mine, why, sizeof(why)))
        return arg;
    o = td_sim_os(mine);
#ifdef __aarch64__
    attr.type = 8;
    attr.config1 = 2;
#endif
    if (o->map(o->ctx, o->perf_open(o->ctx, &attr, 0, -1, -1, 0), PAGE, &at))
        return arg;
    pthread_barrier_wait(&barrier);
    for (uint64_t i = 1; i <= 1000; i++) {
        td_sim_self_run(mine, ns);
        wrong += !read_count(at, counter, &n) || n != i * ns / 2;
    }
    pthread_barrier_wait(&barrier);
    td_sim_free(mine);
    return wrong ? arg : NULL;
}

static void threads(void)
{
    uint64_t ns[2] = {1000, 3000};
    pthread_t thread;
    void *bad = NULL;

    pthread_barrier_init(&barrier, NULL, 2);
    CU_ASSERT_EQUAL(pthread_create(&thread, NULL, measure, &ns[1]), 0);
    CU_ASSERT_PTR_NULL(measure(&ns[0]));
    pthread_join(thread, &bad);
    CU_ASSERT_PTR_NULL(bad);
    pthread_barrier_destroy(&barrier);
}

static void *fault_elsewhere(void *arg)
{
    *(int *)arg = fault_of(0);
    return NULL;
}

/* A thread has one machine, and what is mapped is its own alone. */
static void one_machine(void)
{
    struct td_sim *first;
    pthread_t thread;
    void *at = NULL;
    int other = 0;

    if (!begin_caught(HOST))
        return;
    map_fd(open_event());
    CU_ASSERT_EQUAL(pthread_create(&thread, NULL, fault_elsewhere, &other), 0);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(other, FAULT);
    first = sim;
    if (begin(HOST)) {
        CU_ASSERT_EQUAL(os->map(os->ctx, open_event(), PAGE, &at), -EBUSY);
        end();
    }
    sim = first;
    CU_ASSERT_EQUAL(fault_of(0), 0);
    end_caught();
}

#endif

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
    struct reading r;

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
        {read_it, 2, 2, true, 2550, 0}, /* nothing tells of another reader */
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

/* Behind a check of the page the thread may still migrate: then it faults. */
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

/* The handler is asked as the kernel would: not every processor can fault CPUID. */
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
    r[REG_TRAPNO] = 14; /* a page fault reads no code */
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

/* The fault does not abort the sequence, and the area says the simulated CPU. */
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
    CU_ASSERT_EQUAL(syscall(SYS_rseq, area(), __rseq_size > 32 ? __rseq_size : 32, 0, RSEQ_SIG), -1); /* it is registered, */
    CU_ASSERT_TRUE(errno == EBUSY && (int)area()->cpu_id >= 0); /* as before */
    end();
}
#endif
#endif
#endif

void suite_trap(void)
{
    static const CU_TestInfo tests[] = {
#if defined(__x86_64__) || defined(__aarch64__)
        {"reading", reading},
        {"real faults", real_faults},
        {"other faults", other_faults},
        {"default actions", default_actions},
        {"handlers on top", handlers_on_top},
        {"two threads", threads},
        {"one machine for a thread", one_machine},
#endif
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

    unit_suite("trap", tests);
}
