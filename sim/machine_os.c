/* SPDX-License-Identifier: MIT */
/* The seam's calls about the caller's process, its command, CPUID and time. */
#include "kernel_page.h"
#include "machine_parts.h"
#include "trap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { FIRST_PID = 5000 };

static bool online(const struct td_sim *s, int cpu)
{
    return cpu >= 0 && (unsigned)cpu < s->ncpus && s->cpu[cpu].online;
}

static int os_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    const struct td_sim *s = ctx;

    if (!s->ncpuid)
        return -ENOSYS;
    if (cpu >= 0 && !online(s, cpu))
        return -EINVAL;
    if (cpu < 0)
        cpu = td_sim_os_here(ctx);
    memset(out, 0, 4 * sizeof(*out));
    for (size_t i = 0; i < s->ncpuid; i++) {
        const struct td_sim_cpuid *c = &s->cpuid[i];

        if (c->leaf != leaf || (!c->any && c->subleaf != subleaf) || !td_sim_set_has(&c->cpus, (unsigned)cpu))
            continue;
        memcpy(out, c->word, sizeof(c->word));
        break;
    }
    return 0;
}

static uint64_t os_now(void *ctx)
{
    const struct td_sim *s = ctx;

    return s->now + TD_SIM_NSEC; /* a clock that began before the description's time 0 */
}

static uint64_t os_spin(void *ctx, uint64_t ns)
{
    struct td_sim *s = ctx;

    td_sim_self_compute(s, ns);
    return s->adds / 1000 * ns / TD_SIM_MSEC;
}

static int os_pin(void *ctx, int cpu)
{
    struct td_sim *s = ctx;

    if (cpu >= 0 && !online(s, cpu))
        return -EINVAL;
    s->pinned = cpu < 0 ? -1 : cpu;
    if (s->resident)
        td_sim_place(s);
    return 0;
}

static int os_signals(void *ctx)
{
    (void)ctx; /* those of the description come by wait() anyway */
    return 0;
}

static pid_t os_spawn(void *ctx, char *const argv[])
{
    struct td_sim *s = ctx;
    struct td_sim_task *t = s->command;

    if (!t)
        return -EAGAIN; /* the description has no command */
    if (s->child.spawned && !s->child.told)
        return -EBUSY;
    t->pid = t->tid = t->pid ? t->pid + 1 : FIRST_PID;
    t->dead = false;
    t->started = false;
    t->runner.ran = 0;
    t->turn = 0;
    t->bound = (unsigned)(s->pinned + 1);
    s->child.spawned = true;
    s->child.released = s->child.over = s->child.told = false;
    s->child.missing = argv && argv[0] && !strcmp(argv[0], "no-such-command");
    td_sim_files_make(s);
    return t->pid;
}

/* The command is gone with a status of waitpid(2). */
static void child_end(struct td_sim *s, int status)
{
    td_sim_task_exit(s, s->command);
    s->child.status = status;
    td_sim_place(s);
    td_sim_files_make(s);
}

static int os_release(void *ctx)
{
    struct td_sim *s = ctx;

    if (!s->child.spawned || s->child.released || s->child.over)
        return -ESRCH;
    s->child.released = true;
    if (s->child.missing) {
        child_end(s, 127 << 8);
        s->child.told = true;
        return -ENOENT;
    }
    for (struct td_sim_event *e = s->command->events.first; e; e = e->next)
        for (struct td_sim_event *m = e; m; m = m->sibling)
            if (m->on_exec && m->state == TD_SIM_OFF) {
                td_sim_event_time(s, m);
                m->state = TD_SIM_INACTIVE;
            }
    td_sim_task_start(s, s->command);
    td_sim_place(s);
    return 0;
}

static int os_kill(void *ctx, int signal)
{
    struct td_sim *s = ctx;

    if (!s->child.spawned || s->child.over)
        return -ESRCH;
    if (signal && signal != SIGCONT) /* it is never stopped */
        child_end(s, signal);
    return 0;
}

/* The earliest signal that was not told yet, or NULL. */
static struct td_sim_happening *next_signal(struct td_sim *s)
{
    struct td_sim_happening *first = NULL;

    for (size_t i = 0; i < s->nhappenings; i++) {
        struct td_sim_happening *h = &s->happening[i];

        if (h->what == TD_SIM_SIGNAL && !h->done && (!first || h->at < first->at))
            first = h;
    }
    return first;
}

static bool child_told(struct td_sim *s, struct td_os_event *out)
{
    if (!s->child.over || s->child.told)
        return false;
    s->child.told = true;
    out->what = TD_OS_EXIT;
    out->status = s->child.status;
    return true;
}

static int wait_for(struct td_sim *s, uint64_t until, struct td_os_event *out)
{
    uint64_t to = until == UINT64_MAX ? UINT64_MAX : until > TD_SIM_NSEC ? until - TD_SIM_NSEC : 0;

    *out = (struct td_os_event){.what = TD_OS_TIME};
    for (;;) {
        struct td_sim_happening *h = next_signal(s);
        uint64_t next;

        if (h && h->at <= s->now) {
            h->done = true;
            out->what = TD_OS_SIGNAL;
            out->signal = h->which;
            return 0;
        }
        if (child_told(s, out) || to <= s->now)
            return 0;
        next = td_sim_next(s);
        if (h && h->at < next)
            next = h->at;
        if (next == UINT64_MAX && to == UINT64_MAX)
            return -EDEADLK; /* it would wait for ever */
        td_sim_run(s, next < to ? next : to);
    }
}

static int os_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    struct td_sim *s = ctx;
    int err;

    (void)fd; /* nothing here writes to a descriptor */
    td_sim_self_stay(s, false); /* it sleeps */
    err = wait_for(s, until, out);
    td_sim_self_stay(s, true);
    return err;
}

void td_sim_os_init(struct td_sim *s)
{
    s->os = (struct td_os){
        .name = "simulated",
        .cpuid = os_cpuid,
        .perf_open = td_sim_os_perf_open,
        .perf_ioctl = td_sim_os_perf_ioctl,
        .read = td_sim_os_read,
        .close = td_sim_os_close,
        .file = td_sim_os_file,
        .names = td_sim_os_names,
        .folder = td_sim_os_folder,
        .map = td_sim_os_map,
        .unmap = td_sim_os_unmap,
        .here = td_sim_os_here,
        .rseq = td_sim_os_rseq,
        .msr_open = td_sim_os_msr_open,
        .msr_read = td_sim_os_msr_read,
        .msr_write = td_sim_os_msr_write,
        .now = os_now,
        .spin = os_spin,
        .pin = os_pin,
        .signals = os_signals,
        .spawn = os_spawn,
        .release = os_release,
        .wait = os_wait,
        .kill = os_kill,
        .ctx = s,
    };
}
