/* SPDX-License-Identifier: MIT */
/* Loads for the guest, whose shell has no threads, and a bare perf_event_open(). */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long deadline_ms;

static long now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Some threads sleep in between, so that tasks really leave the CPU and come back. */
static void *spin(void *unused)
{
    volatile unsigned long sink = 0;

    while (now_ms() < deadline_ms) {
        for (unsigned i = 0; i < 100000; i++)
            sink = sink + i;
        usleep(200);
    }
    return unused;
}

/* Voluntary and other switches so far of this process, as the kernel counts them. */
static int print_switches(void)
{
    struct rusage r;

    if (getrusage(RUSAGE_SELF, &r))
        return 1;
    printf("%ld %ld\n", r.ru_nvcsw, r.ru_nivcsw);
    fflush(stdout);
    return 0;
}

static int naps;

/* Never leaves its CPU by itself, except for the naps, which are spread evenly. */
static void *nap(void *unused)
{
    long begin = now_ms(), ms = deadline_ms - begin;
    int n = naps;

    for (int i = 1; i <= n + 1; i++) {
        while (now_ms() < begin + ms * i / (n + 1))
            ;
        if (i <= n)
            usleep(200);
    }
    return unused;
}

/* Runs n threads, including the first one. */
static int threads(int n, void *(*work)(void *))
{
    pthread_t *t = calloc((size_t)n, sizeof(*t));

    for (int i = 1; t && i < n; i++)
        if (pthread_create(&t[i], NULL, work, NULL))
            return 1;
    work(NULL);
    for (int i = 1; t && i < n; i++)
        pthread_join(t[i], NULL);
    free(t);
    return !t;
}

/* Forks children one after another, half of them with a child of their own. */
static int forks(int n)
{
    long end = deadline_ms, begin = now_ms();

    for (int i = 0; i < n; i++) {
        pid_t pid = fork();

        if (pid < 0)
            return 1;
        if (!pid) {
            deadline_ms = begin + (end - begin) * (i + 1) / n;
            if (i % 2 && fork() < 0)
                _exit(1);
            spin(NULL);
            wait(NULL);
            _exit(0);
        }
        if (waitpid(pid, NULL, 0) != pid)
            return 1;
    }
    return 0;
}

/* Opens type:config[:config1[:sample_period]] for each event, the first leads; prints 0 or the name of the error for
 * each. */
static int open_events(char **spec)
{
    int leader = -1;

    for (; *spec; spec++) {
        struct perf_event_attr attr = {.size = sizeof(attr), .disabled = leader < 0};
        char *at = *spec;
        long fd;

        attr.type = (unsigned)strtoul(at, &at, 0);
        attr.config = *at ? strtoull(at + 1, &at, 0) : 0;
        attr.config1 = *at ? strtoull(at + 1, &at, 0) : 0;
        attr.sample_period = *at ? strtoull(at + 1, &at, 0) : 0;
        fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
        printf("%s%s", fd < 0 ? strerrorname_np(errno) : "0", spec[1] ? " " : "\n");
        if (leader < 0)
            leader = (int)fd;
        if (leader < 0)
            break;
    }
    fflush(stdout);
    return 0;
}

enum { GROUP = 2000, USER = 1000 };

/* Who a command may be run as: a user with no capability, with one, or with what containers and units do to them. */
struct who {
    const char *name;
    int cap; /* -1: none */
    int bounded; /* the bounding set has no CAP_PERFMON, as in a container */
    int no_new_privs; /* as a unit with NoNewPrivileges= */
    int filtered; /* perf_event_open() fails with this error, as of Docker's filter: EPERM */
    int member; /* of GROUP */
    int rootless; /* root in a user namespace of its own */
};

static const struct who people[] = {
    {"none", .cap = -1},
    {"perfmon", .cap = CAP_PERFMON},
    {"sys_admin", .cap = CAP_SYS_ADMIN},
    {"member", .cap = -1, .member = 1},
    {"bounded", .cap = -1, .bounded = 1},
    {"confined", .cap = -1, .no_new_privs = 1},
    {"filtered", .cap = -1, .filtered = EPERM},
    {"filtered_perfmon", .cap = CAP_PERFMON, .filtered = EPERM},
    {"filtered_eacces", .cap = -1, .filtered = EACCES},
    {"rootless", .cap = -1, .rootless = 1},
};

static int filter(int err)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog all = {sizeof(code) / sizeof(*code), code};

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all);
}

static int put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    int err = !f || fputs(text, f) < 0;

    return f && fclose(f) ? 1 : err;
}

/* A user namespace in which the user is root, as Podman makes it for who is not. */
static int be_rootless(void)
{
    char map[40];

    snprintf(map, sizeof(map), "0 %d 1\n", USER);
    return prctl(PR_SET_DUMPABLE, 1) || unshare(CLONE_NEWUSER) || put("/proc/self/setgroups", "deny") ||
           put("/proc/self/uid_map", map) || put("/proc/self/gid_map", map);
}

static int be(const struct who *w)
{
    const gid_t group = GROUP;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};

    if (w->cap >= 0)
        data[w->cap / 32].effective = data[w->cap / 32].permitted = data[w->cap / 32].inheritable = 1u << w->cap % 32;
    return (w->bounded && prctl(PR_CAPBSET_DROP, CAP_PERFMON)) || (w->filtered && filter(w->filtered)) ||
           prctl(PR_SET_KEEPCAPS, 1) || setgroups(w->member ? 1 : 0, &group) || setgid(USER) || setuid(USER) ||
           syscall(SYS_capset, &header, data) ||
           (w->cap >= 0 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, w->cap, 0, 0)) ||
           (w->no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) || (w->rootless && be_rootless());
}

static int as_user(const char *name, char **argv)
{
    for (size_t i = 0; i < sizeof(people) / sizeof(*people); i++) {
        if (strcmp(people[i].name, name))
            continue;
        if (be(&people[i])) {
            perror("load as");
            return 125;
        }
        execvp(*argv, argv);
        return errno == EPERM ? 126 : 127;
    }
    return 125;
}

/* Whether perf_event_open() allows an own task in user mode, in kernel mode, and a whole CPU: yes or no for each. */
static int may(void)
{
    static const struct {
        pid_t pid;
        int cpu;
        unsigned user_only;
    } all[] = {{0, -1, 1}, {0, -1, 0}, {-1, 0, 0}};

    for (size_t i = 0; i < 3; i++) {
        struct perf_event_attr attr = {.size = sizeof(attr),
                                       .type = PERF_TYPE_SOFTWARE,
                                       .config = PERF_COUNT_SW_CPU_CLOCK,
                                       .disabled = 1,
                                       .exclude_kernel = all[i].user_only,
                                       .exclude_hv = 1};
        long fd = syscall(SYS_perf_event_open, &attr, all[i].pid, all[i].cpu, -1, 0);

        printf("%s%s", fd >= 0 ? "yes" : errno == EACCES ? "no" : strerrorname_np(errno), i < 2 ? " " : "\n");
        if (fd >= 0)
            close((int)fd);
    }
    fflush(stdout);
    return 0;
}

/* Of a command and of all that it waited for: user and system time in microseconds, or how often they waited and so
 * gave up their CPU. */
static int usage(char **argv, int switches)
{
    struct rusage r;
    int status;
    pid_t pid = fork();

    if (!pid) {
        execvp(*argv, argv);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &r))
        return 1;
    printf("%ld\n", switches
                        ? r.ru_nvcsw
                        : (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000 + r.ru_utime.tv_usec + r.ru_stime.tv_usec);
    fflush(stdout);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "open") && argc > 2)
        return open_events(argv + 2);
    if (!strcmp(what, "cputime") && argc > 2)
        return usage(argv + 2, 0);
    if (!strcmp(what, "switches") && argc > 2)
        return usage(argv + 2, 1);
    if (!strcmp(what, "as") && argc > 3)
        return as_user(argv[2], argv + 3);
    if (!strcmp(what, "may"))
        return may();
    if (argc > 2)
        deadline_ms = now_ms() + atol(argv[2]);
    if (!strcmp(what, "spin") && argc > 2)
        return spin(NULL) != NULL;
    if (!strcmp(what, "threads") && argc > 3)
        return threads(atoi(argv[3]), spin);
    if (!strcmp(what, "naps") && argc > 4) {
        naps = atoi(argv[4]);
        return threads(atoi(argv[3]), nap) || print_switches();
    }
    if (!strcmp(what, "fork") && argc > 3)
        return forks(atoi(argv[3]));
    fputs(
        "load spin MS | naps MS THREADS NAPS | threads MS N | fork MS N | open TYPE:CONFIG[:CONFIG1[:PERIOD]]... | cputime COMMAND... | switches COMMAND... | as WHO COMMAND... | may\n",
        stderr);
    return 2;
}
