/* SPDX-License-Identifier: MIT */
#include "sim/kernel/wait.h"

#include "sim/kernel/kernel.h"
#include "sim/kernel/ring.h"
#include "sim/machine/execute.h"

#include <errno.h>

/* Simulated time between two looks outside, where waiting takes no time outside. */
static const uint64_t look_every = 100 * TD_SIM_MSEC;

void td_sim_attach(struct td_sim *s, const struct td_os *os, bool paced)
{
    s->outside.os = os;
    s->outside.paced = paced;
}

int td_sim_os_signals(void *ctx)
{
    struct td_sim *s = ctx;
    const struct td_os *os = s->outside.os;

    s->outside.signals = os != NULL;
    return os ? os->signals(os->ctx) : 0; /* wait() gives those of the description anyway */
}

static bool report_exit(struct td_sim_child *c, struct td_os_event *out)
{
    if (!c->started || !c->task->dead || c->reported)
        return false;
    c->reported = true;
    out->what = TD_OS_EXIT;
    out->status = c->status;
    return true;
}

static bool report_signal(struct td_sim *s, struct td_os_event *out)
{
    const struct td_sim_happening *h = td_sim_happening_next(&s->clock.signals);

    if (!h || h->at > s->hw.now)
        return false;
    s->clock.signals.past++;
    out->what = TD_OS_SIGNAL;
    out->signal = h->which;
    return true;
}

/* Whether a descriptor is a set of rings, one of which has woken who waits; perf_poll() tells it once. */
static bool report_rings(struct td_sim *s, int fd, struct td_os_event *out)
{
    for (size_t i = 0; i < s->fds.room; i++)
        if (s->fds.fd[i].what == TD_SIM_FD_EVENT && s->fds.fd[i].event->rings == fd &&
            td_sim_ring_woken(s->fds.fd[i].event)) {
            out->what = TD_OS_INPUT;
            return true;
        }
    return false;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* When something happens (with rings: that may wake who waits), or when it is time to look outside. NEVER: nothing ever
 * will. */
static uint64_t next_stop(struct td_sim *s, uint64_t to, bool rings)
{
    const struct td_sim_happening *h = td_sim_happening_next(&s->clock.signals);
    const uint64_t next = least(td_sim_next(s), rings ? td_sim_cores_next(&s->hw, to) : to),
                   stop = h ? least(h->at, next) : next;

    return stop == TD_SIM_NEVER ? stop : least(stop, s->hw.now + look_every);
}

/* Looks outside until the outside clock has come as far as the simulated one is to go. ahead:
 * how far that clock is ahead of the simulated one. 1: reported, 0: it is time, -errno. */
static int look_outside(struct td_sim *s, uint64_t to, uint64_t ahead, int fd, struct td_os_event *out)
{
    const struct td_os *os = s->outside.os;
    const bool paced = s->outside.paced;
    const uint64_t due = !paced ? 0 : to == TD_SIM_NEVER ? to : to + ahead;
    int err;

    do
        err = os->wait(os->ctx, due, fd, out);
    while (err == -EINTR);
    if (err || out->what == TD_OS_TIME)
        return err;
    if (paced)
        td_sim_run(s, least(to, os->now(os->ctx) - ahead));
    if (out->what == TD_OS_SIGNAL && out->group)
        td_sim_os_kill(s, out->signal); /* a terminal's: the command gets it as well */
    return 1;
}

static int wait_until(struct td_sim *s, uint64_t to, int fd, struct td_os_event *out)
{
    const struct td_os *os = s->outside.paced || s->outside.signals ? s->outside.os : NULL;
    const struct td_sim_fd *own = td_sim_fd_find(&s->fds, fd);
    const bool rings = own && own->what == TD_SIM_FD_RINGS;
    const uint64_t ahead = os ? os->now(os->ctx) - s->hw.now : 0; /* modulo 2^64, like the sums */

    for (;;) {
        uint64_t stop;
        int came;

        *out = (struct td_os_event){.what = TD_OS_TIME};
        if (report_signal(s, out) || report_exit(&s->child, out) || (rings && report_rings(s, fd, out)))
            return 0;
        stop = to <= s->hw.now ? s->hw.now : next_stop(s, to, rings);
        if (stop == TD_SIM_NEVER && !(os && s->outside.paced))
            return -EDEADLK; /* it would wait for ever */
        came = os ? look_outside(s, stop, ahead, rings ? -1 : fd, out) : 0;
        if (came || to <= s->hw.now)
            return came < 0 ? came : 0;
        td_sim_run(s, stop);
    }
}

int td_sim_os_wait(void *ctx, uint64_t until, int fd, struct td_os_event *out)
{
    struct td_sim *s = ctx;
    int err;

    if (until != TD_SIM_NEVER)
        until = until > TD_SIM_CLOCK_START ? until - TD_SIM_CLOCK_START : 0;
    td_sim_self_stay(s, false); /* it sleeps */
    err = wait_until(s, until, fd, out);
    td_sim_self_stay(s, true);
    return err;
}
