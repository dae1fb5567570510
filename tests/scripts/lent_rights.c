/* SPDX-License-Identifier: MIT */
/* For lent-rights.sh, by whose copies with rights of root it is run: what the seam to Linux then still does.
 *     lent_rights msr | counters | run COMMAND...
 * And, run by root, it runs a program as a user whose kernel lets no capability be given back:
 *     lent_rights keep ID PROGRAM WORDS... */
#include "os/lent.h"
#include "os/os.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Opens a counter of the process 1, which is root's, and says whether it is open and what is in force afterwards. */
static int counters(const struct td_os *os)
{
    const struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1};
    char status[8192];
    const int fd = os->perf_open(os->ctx, &attr, 1, -1, -1, 0);

    os->file(os->ctx, "/proc/self/status", status, sizeof(status));
    printf("%s, %.28s\n", fd < 0 ? strerror(-fd) : "open", strstr(status, "CapEff:") ? strstr(status, "CapEff:") : "");
    return 0;
}

static int run(const struct td_os *os, char **words)
{
    struct td_os_event event;

    if (os->spawn(os->ctx, words) < 0 || os->release(os->ctx) || os->wait(os->ctx, UINT64_MAX, -1, &event))
        return 1;
    return event.status;
}

/* Exit code 99: there are no filters here. */
static int keep(uid_t user, char **words)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_capset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof(filter) / sizeof(*filter), .filter = filter};

    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) || setgid(user) || setuid(user))
        return 99;
    execv(*words, words);
    return 98;
}

int main(int argc, char **argv)
{
    const struct td_os *os = &td_os_linux;

    if (argc > 3 && !strcmp(argv[1], "keep"))
        return keep((uid_t)atoi(argv[2]), argv + 3);

    if (argc == 2 && !strcmp(argv[1], "msr")) { /* also before anything is given back */
        const int fd = os->msr_open(os->ctx, 0);

        puts(fd < 0 ? strerror(-fd) : "open");
        return 0;
    }
    if (td_lent_give_back(true))
        return 1;
    if (argc == 2 && !strcmp(argv[1], "counters"))
        return counters(os);
    return argc > 2 && !strcmp(argv[1], "run") ? run(os, argv + 2) : 2;
}
