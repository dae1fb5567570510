/* SPDX-License-Identifier: MIT */
/* How many instructions a reading and a region take, counted one by one: a child
 * with counters of a simulated machine (its description on stdin) is stepped
 * through them. The tracer answers rdpmc, so that what is counted is what is
 * shipped and nothing of the simulator. */
#include "tests/bench/bench.h"
#include "include/td_regions.h"

#if defined(__x86_64__)
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

/* ---- the child ---------------------------------------------------------------- */

#define MARK() __asm__ volatile("int3" ::: "memory")
/* The first time functions of other libraries are still being looked up. */
#define COUNT(code) \
    do { \
        for (int counted_ = 0; counted_ < 2; counted_++) { \
            if (counted_) \
                MARK(); \
            code; \
            if (counted_) \
                MARK(); \
        } \
    } while (0)

static const char *const names[] = {
    "td_point_read(), inline",         "td_read()",    "td_region_begin() and td_region_end()",
    "three regions inside each other", "td_measure()", "read(2) of a group of nine software events",
};
enum { NAMES = sizeof(names) / sizeof(*names), NOT_HERE = 77 };

static void nest(struct td *td, const int region[3])
{
    for (int i = 0; i < 3; i++)
        td_region_begin(td, region[i]);
    for (int i = 3; i-- > 0;)
        td_region_end(td, region[i]);
}

static int count_all(struct td *td)
{
    const int region[3] = {td_region(td, "outer"), td_region(td, "middle"), td_region(td, "inner")};
    const struct td_self *self = td_self_of(td);
    const struct td_result *r;
    struct group_reading group;
    struct td_point point;
    struct td_snapshot a, b;
    const int fd = open_software_group();
    int err = 0;

    COUNT(err |= td_point_read(self, &point));
    COUNT(err |= td_read(td, &a));
    COUNT((err |= td_region_begin(td, region[0]), err |= td_region_end(td, region[0])));
    COUNT(nest(td, region));
    err |= td_read(td, &b);
    COUNT(err |= td_measure(td, &a, &b, &r));
    if (fd >= 0) /* errors are -1, wherever the group may not be opened */
        COUNT(err |= read(fd, &group, sizeof(group)) < 0);
    return err;
}

static int child(void)
{
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .target = 0};
    struct td *td = td_new();
    int err = use_stdin(td);

    err = err ? err : td_open_self(td, &ask);
    if (err) {
        fprintf(stderr, "steps: %s\n", td ? td_error(td) : "out of memory");
        return 1;
    }
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP)) {
        perror("instructions cannot be counted here: ptrace");
        return NOT_HERE;
    }
    if (count_all(td)) {
        fprintf(stderr, "steps: a reading failed\n");
        return 1;
    }
    return 0;
}

/* ---- the tracer --------------------------------------------------------------- */

struct steps {
    unsigned long all, rdpmc, syscalls;
};

static unsigned code_at(pid_t pid, unsigned long long at)
{
    return (unsigned)ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)at, NULL) & 0xffff;
}

enum { RDPMC = 0x330f, SYSCALL = 0x050f, INT3 = 0xcc }; /* little endian */

/* Slots run on, and each reading of the register is as the one before. */
static bool answer(pid_t pid)
{
    static unsigned long long slots;
    struct user_regs_struct r;

    if (ptrace(PTRACE_GETREGS, pid, NULL, &r) || code_at(pid, r.rip) != RDPMC)
        return false;
    slots += 1000;
    r.rax = (uint32_t)r.rcx == 0x20000000 ? 0x5a401e47 : slots;
    r.rdx = (uint32_t)r.rcx == 0x20000000 ? 0x1e0f0a14 : 0;
    r.rip += 2;
    return !ptrace(PTRACE_SETREGS, pid, NULL, &r);
}

/* On to the next stop: its signal, or -1 when there is no more. */
static int resume(pid_t pid, enum __ptrace_request how, int sig)
{
    int status;

    if (ptrace(how, pid, NULL, (void *)(uintptr_t)sig) || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFSTOPPED(status) ? WSTOPSIG(status) : -1;
}

/* From behind the first mark to the second, which is jumped over. */
static bool step_through(pid_t pid, struct steps *n)
{
    struct user_regs_struct r;

    *n = (struct steps){0};
    for (;;) {
        unsigned code;
        int sig;

        if (ptrace(PTRACE_GETREGS, pid, NULL, &r))
            return false;
        code = code_at(pid, r.rip);
        if ((code & 0xff) == INT3) {
            r.rip++;
            return !ptrace(PTRACE_SETREGS, pid, NULL, &r);
        }
        n->all++;
        n->rdpmc += code == RDPMC;
        n->syscalls += code == SYSCALL;
        sig = resume(pid, PTRACE_SINGLESTEP, 0);
        if (sig != SIGTRAP && !(sig == SIGSEGV && answer(pid)))
            return false;
    }
}

static int trace(pid_t pid)
{
    struct steps n;
    size_t i = 0;
    int sig, status = 0;

    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE ? 0 : 1;
    printf("%-46s%14s%8s%14s\n", "instructions", "in user mode", "rdpmc", "system calls");
    for (sig = 0; (sig = resume(pid, PTRACE_CONT, sig)) >= 0;) {
        if (sig == SIGSEGV && answer(pid)) {
            sig = 0;
        } else if (sig == SIGTRAP) {
            if (i == NAMES || !step_through(pid, &n))
                return 1;
            printf("%-46s%14lu%8lu%14lu\n", names[i++], n.all, n.rdpmc, n.syscalls);
            sig = 0;
        }
    }
    if (i < NAMES - 1) {
        fprintf(stderr, "steps: the traced process ended early\n");
        return 1;
    }
    if (i < NAMES)
        printf("%-46s%14s\n", names[i], "not permitted");
    return 0;
}

int main(void)
{
    pid_t pid = fork();

    if (pid < 0) {
        perror("steps: fork");
        return 1;
    }
    return pid ? trace(pid) : child();
}

#else

int main(void)
{
    printf("instructions are counted on x86-64 only\n");
    return 0;
}

#endif
