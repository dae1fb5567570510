/* SPDX-License-Identifier: MIT */
/* Answers the faults of instructions that read counters. The only file of the simulator
 * that calls the system: sigaction(2) to catch them, rseq(2) and arch_prctl(2) so that
 * the instructions fault at their own address. */
#include "sim/kernel/trap.h"

#include "sim/kernel/kernel.h"
#include "sim/kernel/registers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif
#endif

enum {
    SET_CPUID = 0x1012, /* ARCH_SET_CPUID of <asm/prctl.h> */
    GENERAL_PROTECTION = 13, /* the exception's number */
    RSEQ_MIN = 32, /* the least that glibc registers, whatever __rseq_size is */
};

struct td_sim_trap {
    unsigned long uses;
    struct td_sim **thread; /* the variable below, of the thread that is trapped */
    bool rseq, cpuid; /* whether they were taken from it */
};

/* The machine of the thread. initial-exec: the handler must not allocate it. */
static _Thread_local struct td_sim *machine __attribute__((tls_model("initial-exec")));

#ifdef HAVE_RSEQ
static struct rseq *area(void)
{
    return (struct rseq *)(void *)((char *)__builtin_thread_pointer() + __rseq_offset);
}
#endif

/* ---- answers ------------------------------------------------------------------ */

#if defined(__x86_64__)
static const int signals[] = {SIGSEGV, SIGILL};
static bool cpuid_faulted; /* for some thread */

/* The kernel restarts a sequence if its thread was preempted or moved inside it
 * (rseq_ip_fixup() in Linux kernel/rseq.c). */
static bool break_off(const struct td_sim *s, greg_t *r)
{
#ifdef HAVE_RSEQ
    const struct rseq_cs *cs = s->trap && s->trap->rseq ? (const struct rseq_cs *)(uintptr_t)area()->rseq_cs : NULL;
    const uint64_t at = (uint64_t)r[REG_RIP];
    uint32_t signature;

    if (!cs || at - cs->start_ip >= cs->post_commit_offset)
        return false;
    memcpy(&signature, (const char *)(uintptr_t)cs->abort_ip - sizeof(signature), sizeof(signature));
    if (signature != RSEQ_SIG)
        return false;
    r[REG_RIP] = (greg_t)cs->abort_ip;
    area()->rseq_cs = 0;
    return true;
#else
    (void)s;
    (void)r;
    return false;
#endif
}

static bool answer_rdpmc(struct td_sim *s, greg_t *r)
{
    const unsigned long before = s->caller.preempted;
    uint64_t value;

    td_sim_rdpmc_before(s, (uint32_t)r[REG_RCX]);
    if (s->caller.preempted != before && break_off(s, r))
        return true;
    if (td_sim_rdpmc(s, (uint32_t)r[REG_RCX], &value))
        return false;
    r[REG_RAX] = (greg_t)(value & UINT32_MAX);
    r[REG_RDX] = (greg_t)(value >> 32);
    r[REG_RIP] += 2;
    return true;
}

/* Threads inherit the faulting of CPUID; those that are not trapped get CPUID back. */
static bool answer_cpuid(struct td_sim *s, greg_t *r)
{
    uint32_t out[4];

    if (!s)
        return cpuid_faulted && !syscall(SYS_arch_prctl, SET_CPUID, 1);
    if (s->os.cpuid(s->os.ctx, -1, (uint32_t)r[REG_RAX], (uint32_t)r[REG_RCX], out))
        return false;
    r[REG_RAX] = out[0];
    r[REG_RBX] = out[1];
    r[REG_RCX] = out[2];
    r[REG_RDX] = out[3];
    r[REG_RIP] += 2;
    return true;
}

/* After these two faults the instruction has been fetched, and can be read here. s: or NULL. */
static bool answer(struct td_sim *s, int sig, ucontext_t *u)
{
    greg_t *r = u->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)(uintptr_t)r[REG_RIP];

    if (sig == SIGSEGV && r[REG_TRAPNO] != GENERAL_PROTECTION)
        return false;
    if (code[0] != 0x0f)
        return false;
    if (code[1] == 0x33)
        return s && answer_rdpmc(s, r);
    return code[1] == 0xa2 && answer_cpuid(s, r);
}
#elif defined(__aarch64__)
static const int signals[] = {SIGILL};

/* n of mrs Xt, PMEVCNTR<n>_EL0 (op0 3, op1 3, CRn 14, CRm 8 + n / 8, op2 n % 8); 31 of
 * PMCCNTR_EL0 (CRn 9, CRm 13, op2 0); otherwise -1. Arm ARM, C6.2 MRS. */
static int counter_of(uint32_t code)
{
    int n = (int)(code >> 5 & 0x1f);

    if ((code & ~UINT32_C(0x1f)) == 0xd53b9d00)
        return 31;
    return (code & ~UINT32_C(0x3ff)) == 0xd53be800 && n < 31 ? n : -1;
}

static bool answer(struct td_sim *s, int sig, ucontext_t *u)
{
    uint32_t code = *(const uint32_t *)(uintptr_t)u->uc_mcontext.pc;
    int n = counter_of(code);
    uint64_t value;

    (void)sig;
    if (!s || n < 0)
        return false;
    td_sim_rdpmc_before(s, (uint32_t)n);
    if (td_sim_mrs(s, (unsigned)n, &value))
        return false;
    if ((code & 31) != 31) /* XZR */
        u->uc_mcontext.regs[code & 31] = value;
    u->uc_mcontext.pc += 4;
    return true;
}
#else
static const int signals[] = {SIGILL};

static bool answer(struct td_sim *s, int sig, ucontext_t *u)
{
    (void)s;
    (void)sig;
    (void)u;
    return false;
}
#endif

/* ---- the handler --------------------------------------------------------------- */

enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

static struct sigaction before[SIGNALS];
static unsigned long users; /* threads that are trapped */
static bool installed[SIGNALS];
static char lock;

static void handle(int sig, siginfo_t *info, void *context);

/* Handles the signal as it would be without this handler. With the default action the instruction
 * faults again; a signal that was sent is sent again. */
static void pass_on(int sig, siginfo_t *info, void *context, const struct sigaction *to)
{
    struct sigaction by_default = {.sa_flags = 0};
    const bool sent = info->si_code <= 0;

    if (to->sa_flags & SA_SIGINFO) {
        to->sa_sigaction(sig, info, context);
    } else if (to->sa_handler != SIG_DFL && to->sa_handler != SIG_IGN) {
        to->sa_handler(sig);
    } else if (to->sa_handler == SIG_DFL || !sent) {
        by_default.sa_handler = SIG_DFL;
        sigaction(sig, &by_default, NULL);
        if (sent)
            raise(sig);
    }
}

static void handle(int sig, siginfo_t *info, void *context)
{
    const int error = errno;
    size_t i = 0;

    if (info->si_code > 0 && answer(machine, sig, context)) {
        errno = error;
        return;
    }
    while (i + 1 < SIGNALS && signals[i] != sig)
        i++;
    errno = error;
    pass_on(sig, info, context, &before[i]);
}

/* A handler that could not be removed, because another was installed since, is still in place. */
static int install(size_t i)
{
    struct sigaction mine = {.sa_flags = SA_SIGINFO};

    if (installed[i])
        return 0;
    if (sigaction(signals[i], NULL, &before[i]))
        return -errno;
    mine.sa_sigaction = handle;
    mine.sa_mask = before[i].sa_mask;
    mine.sa_flags |= before[i].sa_flags & (SA_NODEFER | SA_ONSTACK | SA_RESTART);
    if (sigaction(signals[i], &mine, NULL))
        return -errno;
    installed[i] = true;
    return 0;
}

static void uninstall(size_t i)
{
    struct sigaction now;

    if (!installed[i] || sigaction(signals[i], NULL, &now) || !(now.sa_flags & SA_SIGINFO) ||
        now.sa_sigaction != handle)
        return;
    installed[i] = sigaction(signals[i], &before[i], NULL) != 0;
}

static int use_handlers(bool on)
{
    int err = 0;

    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        ;
    users += on ? 1 : (unsigned long)-1;
    for (size_t i = 0; on && users == 1 && !err && i < SIGNALS; i++)
        err = install(i);
    users -= err != 0;
    for (size_t i = 0; !users && i < SIGNALS; i++)
        uninstall(i);
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return err;
}

/* ---- rseq and CPUID -------------------------------------------------------------- */

int td_sim_os_rseq(void *ctx, ptrdiff_t *offset)
{
    (void)ctx;
#ifdef HAVE_RSEQ
    *offset = __rseq_offset;
    return __rseq_size ? 0 : -ENOSYS;
#else
    *offset = 0;
    return -ENOSYS;
#endif
}

#ifdef HAVE_RSEQ
static int set_rseq(bool on)
{
    const unsigned size = __rseq_size > RSEQ_MIN ? __rseq_size : RSEQ_MIN;

    if (!__rseq_size)
        return 0;
    if (on) {
        area()->cpu_id_start = 0;
        area()->cpu_id = (uint32_t)RSEQ_CPU_ID_UNINITIALIZED;
        area()->rseq_cs = 0;
    }
    return syscall(SYS_rseq, area(), size, on ? 0 : RSEQ_FLAG_UNREGISTER, RSEQ_SIG) ? -errno : 0;
}

/* The thread may be on another CPU now. */
static void show_cpu(const struct td_sim *s)
{
    int cpu;

    if (!s->trap->rseq || s->trap->thread != &machine)
        return;
    cpu = td_sim_os_here((void *)(uintptr_t)s);
    area()->cpu_id_start = cpu < 0 ? 0 : (uint32_t)cpu;
    area()->cpu_id = cpu < 0 ? (uint32_t)RSEQ_CPU_ID_UNINITIALIZED : (uint32_t)cpu;
}
#else
static int set_rseq(bool on)
{
    (void)on;
    return 0;
}

static void show_cpu(const struct td_sim *s)
{
    (void)s;
}
#endif

/* False if CPUID cannot be made to fault here, or the machine has none. */
static bool set_cpuid(const struct td_sim *s, bool allowed)
{
#ifdef __x86_64__
    const bool done = s->hw.ncpuid && !syscall(SYS_arch_prctl, SET_CPUID, allowed ? 1 : 0);

    if (done)
        cpuid_faulted = true;
    return done;
#else
    (void)s;
    (void)allowed;
    return false;
#endif
}

/* ---- on and off ------------------------------------------------------------------- */

int td_sim_trap_on(struct td_sim *s)
{
    struct td_sim_trap *t = s->trap;
    ptrdiff_t offset;
    int err;

#if !defined(__x86_64__) && !defined(__aarch64__)
    return -ENOSYS;
#endif
    if (t) {
        t->uses++;
        return 0;
    }
    if (machine)
        return -EBUSY;
    t = calloc(1, sizeof(*t));
    err = t ? use_handlers(true) : -ENOMEM;
    if (!err && !td_sim_os_rseq(s, &offset)) {
        err = set_rseq(false);
        if (err)
            use_handlers(false);
        t->rseq = !err;
    }
    if (err) {
        free(t);
        return err;
    }
    t->uses = 1;
    t->thread = &machine;
    s->trap = t;
    machine = s;
    t->cpuid = set_cpuid(s, false);
    s->caller.moved = show_cpu;
    show_cpu(s);
    return 0;
}

void td_sim_trap_off(struct td_sim *s)
{
    struct td_sim_trap *t = s->trap;
    const bool own = t && t->thread == &machine;

    if (!t || --t->uses)
        return;
    if (own && t->cpuid)
        set_cpuid(s, true);
    if (own && t->rseq)
        set_rseq(true);
    *t->thread = NULL;
    use_handlers(false);
    s->caller.moved = NULL;
    s->trap = NULL;
    free(t);
}
