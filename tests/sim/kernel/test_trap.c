/* SPDX-License-Identifier: MIT */
/* Counters read by the instruction itself, which faults and gets an answer. */
#include "tests/support/trap_self.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)

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

/* Only counters that the machine has and allows are answered. */
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

/* Faults of other instructions, and signals that were sent. */
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
        caught = SIGSEGV; /* valgrind reports a jump to nowhere as an error of its own */
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

/* How a child ends that does something while the signals' action is the default one or to ignore them. */
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

/* A handler that was installed later stays, and the one under it works as before. */
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
    struct sim_text t = {HOST};
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

/* A thread has one machine; only that machine's events are mapped. */
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
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("trap", tests);
