/* SPDX-License-Identifier: MIT */
/* Several jobs in parallel, each in its own process; they print as if one ran after
 * another: the output and the messages of a job come through one pipe, in pieces that
 * name their destination, and are kept in memory until all jobs before it have ended. */
#include "cli/jobs.h"

#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    KEPT_MOST = 64 << 20, /* bytes, for all jobs whose turn has not come; beyond it their pipes fill up */
    PIECE = 64 * 1024, /* maximum bytes in a piece */
};

enum stream { TO_OUTPUT, TO_STDERR };

/* The head of a piece. */
struct piece {
    enum stream to;
    uint32_t n; /* bytes that follow */
};

struct job {
    pid_t pid;
    int fd; /* the pipe's; -1: it has ended */
    int status; /* after the end: from waitpid(2) */
    char *kept;
    size_t n, room; /* n: bytes in kept; room: its size */
};

struct jobs {
    cli_job_fn *work;
    void *ctx;
    struct td_output *out;
    char *const *name; /* of each job, for messages */
    struct job *job;
    struct pollfd *poll; /* for the running jobs */
    size_t n, begun, turn; /* turn: the job whose output is passed on */
    unsigned side, running;
    size_t kept; /* bytes, for all jobs */
    int code; /* of the first job that failed */
    bool lacking; /* the output of a job is not whole */
    bool broken; /* something that all jobs need failed */
};

/* ---- in a job's process ------------------------------------------------------ */

static int write_all(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n;) {
        ssize_t done = write(fd, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -errno;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

static int write_pieces(int fd, enum stream to, const char *bytes, size_t n)
{
    int err = 0;

    while (n && !err) {
        struct piece p;

        memset(&p, 0, sizeof(p)); /* padding is written to the pipe too */
        p.to = to;
        p.n = n < PIECE ? (uint32_t)n : PIECE;
        err = write_all(fd, &p, sizeof(p));
        err = err ? err : write_all(fd, bytes, p.n);
        bytes += p.n;
        n -= p.n;
    }
    return err;
}

static int write_output(void *fd, const char *bytes, size_t n)
{
    return write_pieces(*(int *)fd, TO_OUTPUT, bytes, n);
}

static int write_message(void *fd, const char *bytes, size_t n)
{
    return write_pieces(*(int *)fd, TO_STDERR, bytes, n);
}

static _Noreturn void be_job(const struct jobs *j, size_t i, int fd, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* without the parent nobody reads the pipe */
    if (getppid() != parent)
        _exit(EXIT_BUG);
    cli_say_through(write_message, &fd);
    _exit(j->work(j->ctx, i, write_output, &fd));
}

/* ---- in the parent process --------------------------------------------------- */

static void give_up(struct jobs *j, const char *what)
{
    cli_say("%s: %s; a smaller -J takes less", what, strerror(errno));
    j->code = j->code ? j->code : EXIT_BUG;
    j->broken = j->lacking = true;
}

static void begin_job(struct jobs *j)
{
    struct job *job = &j->job[j->begun];
    const pid_t parent = getpid();
    int ends[2];

    if (pipe(ends)) {
        give_up(j, "a pipe for a recording's process cannot be made");
        return;
    }
    job->pid = fork();
    if (!job->pid) {
        close(ends[0]);
        be_job(j, j->begun, ends[1], parent);
    }
    close(ends[1]);
    if (job->pid < 0) {
        close(ends[0]);
        give_up(j, "a recording's process cannot be started");
        return;
    }
    job->fd = ends[0];
    j->begun++;
    j->running++;
}

static void begin_jobs(struct jobs *j)
{
    while (!j->broken && j->begun < j->n && j->running < j->side && j->kept < KEPT_MOST)
        begin_job(j);
}

static void end_job(struct jobs *j, struct job *job)
{
    close(job->fd);
    job->fd = -1;
    while (waitpid(job->pid, &job->status, 0) < 0 && errno == EINTR)
        ;
    j->running--;
}

/* Keeps what a job has written. */
static void read_job(struct jobs *j, struct job *job)
{
    ssize_t n;

    if (job->room - job->n < PIECE) {
        const size_t room = 2 * job->room + 2 * PIECE;
        char *grown = realloc(job->kept, room);

        if (!grown) {
            give_up(j, "the output of a recording cannot be kept");
            return;
        }
        job->kept = grown;
        job->room = room;
    }
    n = read(job->fd, job->kept + job->n, job->room - job->n);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        end_job(j, job);
        return;
    }
    job->n += (size_t)n;
    j->kept += (size_t)n;
}

/* Waits for running jobs: only for the one whose turn it is, if enough is kept. */
static void read_jobs(struct jobs *j)
{
    nfds_t n = 0;
    size_t i;

    for (i = j->turn; i < j->begun && (i == j->turn || j->kept < KEPT_MOST); i++)
        if (j->job[i].fd >= 0)
            j->poll[n++] = (struct pollfd){.fd = j->job[i].fd, .events = POLLIN};
    if (poll(j->poll, n, -1) < 0) {
        if (errno != EINTR)
            give_up(j, "waiting for the recordings failed");
        return;
    }
    n = 0;
    for (size_t k = j->turn; k < i; k++)
        if (j->job[k].fd >= 0 && j->poll[n++].revents)
            read_job(j, &j->job[k]);
}

/* Passes on all complete pieces that are kept. The job made each with one write(2), as is done here. */
static void pass_on(struct jobs *j, struct job *job)
{
    const char *at = job->kept, *end = at + job->n;
    struct piece p;

    while ((size_t)(end - at) >= sizeof(p) && !j->out->error) {
        memcpy(&p, at, sizeof(p));
        if ((size_t)(end - at) - sizeof(p) < p.n)
            break;
        at += sizeof(p);
        if (p.to == TO_STDERR) {
            fwrite(at, 1, p.n, stderr);
        } else {
            td_output_bytes(j->out, at, p.n);
            td_output_flush(j->out);
        }
        at += p.n;
    }
    j->kept -= (size_t)(at - job->kept);
    job->n = (size_t)(end - at);
    if (job->n)
        memmove(job->kept, at, job->n);
}

static void take_code(struct jobs *j, const struct job *job)
{
    int code = WEXITSTATUS(job->status);

    if (WIFSIGNALED(job->status)) {
        cli_say("%s: its process was killed by signal %d", j->name[j->turn], WTERMSIG(job->status));
        code = EXIT_BUG;
    }
    j->lacking = j->lacking || (code && !(code & CLI_JOB_WHOLE));
    j->code = j->code ? j->code : code & ~CLI_JOB_WHOLE;
}

/* Advances to the first job that has not ended. */
static void take_turns(struct jobs *j)
{
    while (j->turn < j->begun) {
        struct job *job = &j->job[j->turn];

        pass_on(j, job);
        if (job->fd >= 0 || j->out->error)
            return;
        take_code(j, job);
        j->kept -= job->n; /* an incomplete piece */
        free(job->kept);
        job->kept = NULL;
        j->turn++;
    }
}

static void end_all(struct jobs *j)
{
    for (size_t i = j->turn; i < j->begun; i++) {
        struct job *job = &j->job[i];

        if (job->fd >= 0) {
            kill(job->pid, SIGKILL);
            end_job(j, job);
        }
        free(job->kept);
    }
    free(j->job);
    free(j->poll);
}

int cli_jobs_run(char *const *name, size_t n, unsigned side, cli_job_fn *work, void *ctx, struct td_output *out,
                 bool *whole)
{
    struct jobs j = {.work = work, .ctx = ctx, .out = out, .name = name, .n = n, .side = side};

    j.job = calloc(n, sizeof(*j.job));
    j.poll = calloc(side < n ? side : n, sizeof(*j.poll));
    if (!j.job || !j.poll)
        give_up(&j, "out of memory");
    while (j.turn < n && !j.broken && !out->error) {
        begin_jobs(&j);
        if (!j.broken)
            read_jobs(&j);
        take_turns(&j);
    }
    end_all(&j);
    *whole = !j.lacking;
    return j.code;
}
