/* SPDX-License-Identifier: MIT */
/* The filter lists what is refused: what the C library, a sanitizer or valgrind does is not for this program to know,
 * and changes with them. What may be opened is Landlock's. It is written by hand, as it is two comparisons per call:
 * libseccomp would take more lines here, and a hundred times the instructions. */
#include "cli/sandbox/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__LP64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__LP64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

enum {
    /* Since Linux 5.1 all architectures have the same numbers, which older headers lack. */
    IO_URING_SETUP = 425,
    IO_URING_REGISTER = 427,
    OPEN_TREE = 428,
    FSPICK = 433,
    CLONE3 = 435,
    PIDFD_GETFD = 438,
    PROCESS_MADVISE = 440,
    MOUNT_SETATTR = 442,
    FCHMODAT2 = 452,
    NEWEST = 462, /* mseal, of Linux 6.10 */
    X32 = 0x40000000, /* x86-64: from here on the same calls again */
    NAMESPACES = 0x7e020000, /* CLONE_NEWNS and so on */
    MOST = 256, /* instructions */
};

/* No library makes these for this program: whatever does has taken it over. */
static const uint16_t deadly[] = {
    SYS_execve,
    SYS_execveat,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    PIDFD_GETFD,
    PROCESS_MADVISE,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_fanotify_init,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    MOUNT_SETATTR,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_acct,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
#ifdef __x86_64__
    SYS_kexec_file_load,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
#endif
#ifndef CLI_SANITIZED /* whose leak detector traces the process that it is in */
    SYS_ptrace,
#endif
};

/* Landlock has nothing about modes, owners and attributes of files by name; the program changes those of its own file
 * by its descriptor. Truncation is not in its first two versions. */
static const uint16_t refused[] = {
    SYS_fchmodat,  FCHMODAT2,     SYS_fchownat,    SYS_utimensat,    SYS_truncate,     SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_personality,
#ifdef __x86_64__
    SYS_chmod,     SYS_chown,     SYS_lchown,      SYS_utime,        SYS_utimes,       SYS_futimesat,
#endif
};

static const uint16_t sockets_only[] = {
    SYS_socket, SYS_socketpair, SYS_bind,   SYS_connect, SYS_listen,
    SYS_accept, SYS_accept4,    SYS_sendto, SYS_sendmsg, SYS_sendmmsg,
};

struct bpf_code {
    struct sock_filter code[MOST];
    uint16_t n;
};

static void put(struct bpf_code *p, unsigned code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
    p->code[p->n++] = (struct sock_filter){(uint16_t)code, if_true, if_false, k};
}

static void load(struct bpf_code *p, size_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct bpf_code *p, uint32_t action)
{
    put(p, BPF_RET | BPF_K, action, 0, 0);
}

/* Gives an action where the loaded word compares so with k: BPF_JEQ, BPF_JGE, BPF_JGT or BPF_JSET. */
static void where(struct bpf_code *p, unsigned compares, uint32_t k, uint32_t action)
{
    put(p, BPF_JMP | compares | BPF_K, k, 0, 1);
    give(p, action);
}

static void where_any(struct bpf_code *p, const uint16_t *call, size_t n, uint32_t action)
{
    for (size_t i = 0; i < n; i++)
        where(p, BPF_JEQ, call[i], action);
}

static void where_between(struct bpf_code *p, uint32_t first, uint32_t last, uint32_t action)
{
    put(p, BPF_JMP | BPF_JGE | BPF_K, first, 0, 2);
    put(p, BPF_JMP | BPF_JGT | BPF_K, last, 1, 0);
    give(p, action);
}

/* Gives an action where an argument of a call, of 32 bits, compares so with one of two values. It is the last that is
 * asked of this call. */
static void where_argument(struct bpf_code *p, uint32_t call, unsigned argument, unsigned compares,
                           const uint32_t value[2], uint32_t action)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 6);
    load(p, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t)); /* its lower half comes first */
    where(p, compares, value[0], action);
    where(p, compares, value[1], action);
    give(p, SECCOMP_RET_ALLOW);
}

#define LIST(calls) (calls), sizeof(calls) / sizeof(*(calls))

static void write_all(struct bpf_code *p, bool sockets)
{
    static const uint32_t namespaces[] = {NAMESPACES, NAMESPACES};
    static const uint32_t typing[] = {TIOCSTI, 0x541c /* TIOCLINUX, which pastes */};
    const uint32_t no = SECCOMP_RET_ERRNO | EACCES, unknown = SECCOMP_RET_ERRNO | ENOSYS;

    load(p, offsetof(struct seccomp_data, arch));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    give(p, SECCOMP_RET_KILL_PROCESS);
    load(p, offsetof(struct seccomp_data, nr));
    where(p, BPF_JEQ, UINT32_MAX, SECCOMP_RET_ALLOW); /* a tracer has taken the call away */
    where(p, BPF_JGE, X32, SECCOMP_RET_KILL_PROCESS);
    where(p, BPF_JGT, NEWEST, unknown);
    where(p, BPF_JEQ, CLONE3, unknown); /* glibc then uses clone(2), whose flags can be seen */
    where_any(p, LIST(deadly), SECCOMP_RET_KILL_PROCESS);
    where_between(p, IO_URING_SETUP, IO_URING_REGISTER, SECCOMP_RET_KILL_PROCESS); /* it makes calls past this filter */
    where_between(p, OPEN_TREE, FSPICK, SECCOMP_RET_KILL_PROCESS); /* mounts */
    where_any(p, LIST(refused), no);
    if (!sockets)
        where_any(p, LIST(sockets_only), no);
    where_argument(p, SYS_clone, 0, BPF_JSET, namespaces, no);
    where_argument(p, SYS_ioctl, 1, BPF_JEQ, typing, no); /* into the terminal, where a shell would run it */
    give(p, SECCOMP_RET_ALLOW);
}

bool cli_filter_known(void)
{
    const uint32_t kill = SECCOMP_RET_KILL_PROCESS;

    return !syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &kill);
}

/* Before Linux 5.16 a filter slows down the whole process on x86, as if it were to keep secrets from itself, unless it
 * is told not to; Linux before 4.17 does not know that flag. */
bool cli_filter_begin(bool sockets)
{
    struct bpf_code p = {.n = 0};
    struct sock_fprog all;
    const unsigned flags = SECCOMP_FILTER_FLAG_TSYNC, as_fast = flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW;

    write_all(&p, sockets);
    all = (struct sock_fprog){p.n, p.code};
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, as_fast, &all) ||
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &all);
}

#else

bool cli_filter_known(void)
{
    return false;
}

bool cli_filter_begin(bool sockets)
{
    (void)sockets;
    return false;
}

#endif
