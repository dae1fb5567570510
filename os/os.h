/* SPDX-License-Identifier: MIT */
/* The seam: the only way to the machine. Linux answers in linux*.c; a
 * simulated machine (sim/sim.h) does the same from a
 * description. Every function returns what its comment says or -errno, and never sets errno. */
#ifndef TD_OS_H
#define TD_OS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { TD_OS_FILE_MAX = 65536 }; /* the most that is read from one file */

/* Called with each name in a folder; a nonzero result ends the listing and is returned. */
typedef int td_os_name_fn(void *arg, const char *name);

/* What ended a wait. */
struct td_os_event {
    enum {
        TD_OS_TIME, /* until was reached */
        TD_OS_EXIT, /* the spawned command ended */
        TD_OS_SIGNAL, /* SIGINT, SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2 came */
        TD_OS_INPUT, /* fd can be read, or its other end is closed */
    } what;
    int status; /* from waitpid(2), with TD_OS_EXIT */
    int signal; /* with TD_OS_SIGNAL */
    bool group; /* the signal came from a terminal, so the kernel sent it to the command too */
};

/* What a process used: all of its threads, including those that ended, and the children that it waited for. */
struct td_os_used {
    uint64_t switches; /* how often they were switched from their CPU */
    uint64_t ran; /* ns on a CPU */
};

/* "Auth", the beginning of the vendor's name in EBX of CPUID 0: AMD's. */
enum { TD_CPUID_AMD = 0x68747541 };

struct td_os {
    const char *name; /* "linux", "simulated" */

    /* CPUID on one CPU, -1: on any. out: EAX, EBX, ECX, EDX. -ENOSYS: no
     * such instruction here; -EINVAL: the thread cannot run on that CPU. */
    int (*cpuid)(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4]);

    /* perf_event_open(2), and ioctl(2), read(2) and close(2) for its descriptors. read does not retry: -EINTR and short
     * counts are the caller's to handle. */
    int (*perf_open)(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags);
    int (*perf_ioctl)(void *ctx, int fd, unsigned long request, unsigned long arg);
    ssize_t (*read)(void *ctx, int fd, void *buf, size_t size);
    int (*close)(void *ctx, int fd);

    /* Opens a file to read(), seek() and close(): a descriptor. Only td_os_linux has open and seek: recordings are
     * files of the machine that the process runs on, whichever machine is measured. */
    int (*open)(void *ctx, const char *path);
    int (*seek)(void *ctx, int fd, uint64_t offset);

    /* Reads a whole file (of procfs or sysfs), cut to size - 1 bytes and ended by NUL. Returns its length. */
    ssize_t (*file)(void *ctx, const char *path, char *buf, size_t size);
    /* Reads a file as a process sees it, up to size bytes, where it is a regular file of that user and neither it nor a
     * folder on the way is a link; pid 0: as the calling process does. Returns how many there are. -ESRCH: the process
     * has ended. */
    ssize_t (*file_of)(void *ctx, pid_t pid, const char *path, uid_t user, void *buf, size_t size);
    /* The names in a folder, without . and .., in any order. */
    int (*names)(void *ctx, const char *path, td_os_name_fn *each, void *arg);
    /* A number that a file or folder has for as long as it is there, its inode's: what is made anew in its place has
     * another one. */
    int (*identity)(void *ctx, const char *path, uint64_t *out);
    /* Opens a folder for PERF_FLAG_PID_CGROUP: a descriptor for close(). */
    int (*folder)(void *ctx, const char *path);

    /* Maps memory for counters that a thread reads by an instruction. fd is an event's descriptor: with 4096 bytes the
     * event's page, read-only, which a child of fork(2) does not have; with more also its ring of 2^n pages, where
     * data_tail can be written. fd is -1: size bytes of zeros, which a child of fork(2) finds zeroed again. */
    int (*map)(void *ctx, int fd, size_t size, void **out);
    void (*unmap)(void *ctx, void *at, size_t size);
    /* Makes a set of rings to wait for: a descriptor for wait() and close(). It can be read when one of its events has
     * woken its readers (attr.wakeup_events, wakeup_watermark), and when the task of one has ended. rings_add() adds an
     * event, which leaves when it is closed. */
    int (*rings)(void *ctx);
    int (*rings_add)(void *ctx, int rings, int fd);
    /* The CPU that the calling thread runs on, or -errno. */
    int (*here)(void *ctx);
    /* The offset of the thread's struct rseq from its thread pointer: rseq(2).
     * -ENOSYS: none is registered, and nothing may be written there. */
    int (*rseq)(void *ctx, ptrdiff_t *offset);

    /* Opens the model-specific registers of a CPU, msr(4): a descriptor for close(). */
    int (*msr_open)(void *ctx, int cpu);
    /* -EIO: the CPU has no such register, or refuses the value; -EPERM: locked down. */
    int (*msr_read)(void *ctx, int fd, uint32_t reg, uint64_t *value);
    int (*msr_write)(void *ctx, int fd, uint32_t reg, uint64_t value);

    uint64_t (*now)(void *ctx); /* CLOCK_MONOTONIC, ns */
    uint64_t (*realtime)(void *ctx); /* CLOCK_REALTIME, ns; NULL: the machine has no date, as simulated ones */
    /* Keeps the calling thread busy for at least ns with dependent additions that no
     * compiler removes: how many additions it made. */
    uint64_t (*spin)(void *ctx, uint64_t ns);
    /* Binds the calling thread to a CPU; -1: to all it may use. */
    int (*pin)(void *ctx, int cpu);

    /* Takes the signals of struct td_os_event from now on: they no longer end the process
     * but wait for wait(). spawn() and wait() do so too. 0 or -errno. */
    int (*signals)(void *ctx);
    /* Starts a process that will run argv but waits until release(). pid or -errno.
     * The command starts with the signals as they were before they were taken. */
    pid_t (*spawn)(void *ctx, char *const argv[]);
    /* 0 when the command runs, -errno of execvp(3) when it could not start. */
    int (*release)(void *ctx);
    /* Waits for the first of: time until (as of now(); UINT64_MAX: never), the end
     * of the command (reported once), a signal, input on fd (-1: none). */
    int (*wait)(void *ctx, uint64_t until, int fd, struct td_os_event *out);
    /* Sends the command a signal; 0 or -errno. */
    int (*kill)(void *ctx, int signal);
    /* What the command with that pid used, once wait() has reported its end: 0. -ESRCH: any other pid. */
    int (*used)(void *ctx, pid_t pid, struct td_os_used *out);

    void *ctx;
};

/* The machine that the process runs on. Static storage; one command at a time. */
extern const struct td_os td_os_linux;

#endif
