/* SPDX-License-Identifier: MIT */
#include "report/keeper.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* In memory that both share: to write to a process that was killed would be SIGPIPE, and its exit status is lost where
 * SIGCHLD is ignored. */
struct td_keeper_word {
    volatile bool whole;
    volatile int err;
};

static _Noreturn void keep(int fd, struct td_keeper_word *word, td_keeper_fn *end, void *ctx)
{
    char none;

    while (read(fd, &none, 1) < 0 && errno == EINTR)
        ;
    word->err = end(ctx, word->whole);
    _exit(0);
}

static void forget(struct td_keeper *k, int other)
{
    munmap(k->word, sizeof(*k->word));
    close(k->fd);
    if (other >= 0)
        close(other);
    *k = (struct td_keeper){.fd = -1};
}

bool td_keeper_start(struct td_keeper *out, td_keeper_fn *end, void *ctx)
{
    struct td_keeper k = {.word =
                              mmap(NULL, sizeof(*k.word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    sigset_t all, before;
    int ends[2];

    if (k.word == MAP_FAILED)
        return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        munmap(k.word, sizeof(*k.word));
        return false;
    }
    k.word->err = -EOWNERDEAD;
    k.fd = ends[0];
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    k.pid = fork();
    if (!k.pid) {
        close(ends[0]);
        keep(ends[1], k.word, end, ctx);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (k.pid < 0) {
        forget(&k, ends[1]);
        return false;
    }
    close(ends[1]);
    *out = k;
    return true;
}

int td_keeper_end(struct td_keeper *k, bool whole)
{
    int err;

    k->word->whole = whole;
    shutdown(k->fd, SHUT_RDWR); /* a child of this process may hold the descriptor too */
    while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    err = k->word->err;
    forget(k, -1);
    return err;
}
