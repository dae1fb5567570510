/* SPDX-License-Identifier: MIT */
/* From the first counted slot to the last: what happens while tdprobe measures. */
#include "cli/stat/stat.h"

#include "cli/cli.h"
#include "private/run.h"

#include <errno.h>
#include <signal.h>

enum { LOOK_MS = 200 }; /* how often to check whether the tasks still exist */

static const uint64_t ms = 1000000;

static uint64_t now(const struct cli_stat *l)
{
    return td_run_now(l->set.td);
}

/* ---- readings ---------------------------------------------------------------- */

static void print(struct cli_stat *l)
{
    const struct td_result *r;
    int err;

    if (l->clear)
        td_report_again(&l->set.report);
    while (!(err = td_next(l->set.td, &r))) {
        td_report_result(&l->set.report, r);
        if (cli_drill_take(l->drill, r) || (l->repeat && l->whole && td_repeat_add(&l->means, r)))
            cli_stat_fail(l, EXIT_BUG, "out of memory");
    }
    if (err != -EAGAIN && err != -ENODATA) {
        cli_stat_fail_td(l, err);
        l->spoiled = l->stopping = true;
    }
    cli_stat_flush(l);
}

/* Ends an interval. */
static void take(struct cli_stat *l)
{
    int err = td_take(l->set.td);

    l->takes++;
    l->taken = true;
    l->last = now(l);
    l->counted = l->counting;
    if (!err || err == -ENODATA)
        print(l);
    if (l->trace.error)
        cli_trace_failed(l);
    else if (err && err != -ENODATA)
        cli_stat_fail_td(l, err);
    /* whatever fails, the command keeps running, and its exit status is returned */
    l->over = l->over || err || l->broken || l->spoiled;
    l->stopping = l->stopping || (err && err != -ENODATA) || l->broken;
}

/* For SIGUSR1 and snapshot; with -r, one run is one result, and with --no-multiplex all are. */
static void snapshot(struct cli_stat *l)
{
    if (!l->repeat && !l->no_multiplex)
        take(l);
}

/* Ends the last interval, unless it is empty. */
static void finish(struct cli_stat *l)
{
    if (l->over)
        return;
    l->idle = !l->taken && !l->counted;
    if (l->idle)
        cli_say("counting never began");
    if (!l->taken || (l->counted && now(l) > l->last))
        take(l);
    l->over = true;
}

static void stop(struct cli_stat *l)
{
    finish(l);
    l->stopping = true;
}

/* ---- what happens ------------------------------------------------------------ */

static uint64_t after(uint64_t from, long milliseconds)
{
    return milliseconds > 0 ? from + (uint64_t)milliseconds * ms : UINT64_MAX;
}

/* -D is over, or was not given: the clocks of -I and --timeout start. */
static void start_clocks(struct cli_stat *l, uint64_t from)
{
    l->enable_at = UINT64_MAX;
    l->start = from;
    l->next = after(from, l->interval);
    l->timeout_at = after(from, l->timeout);
}

static bool enable(struct cli_stat *l, bool on)
{
    int err = on == l->counting ? 0 : td_enable(l->set.td, on);

    l->paused = !on;
    if (on && l->enable_at != UINT64_MAX) /* -D is not over yet */
        start_clocks(l, now(l));
    if (err)
        cli_stat_fail_td(l, err);
    else
        l->counting = on;
    l->counted = l->counted || l->counting;
    return !err;
}

static void tick(struct cli_stat *l, uint64_t time)
{
    uint64_t every = (uint64_t)l->interval * ms;

    l->next += every;
    if (l->next <= time) /* late: the missed intervals become one long one */
        l->next += (time - l->next) / every * every + every;
    if (!l->counted)
        return; /* --control disabled: there is nothing to show */
    take(l);
    l->ticks++;
    if (l->most && l->ticks >= (unsigned long)l->most)
        l->over = l->stopping = true;
}

/* Whether any of the tasks is still running: nothing wakes us when the last one ends. */
static bool alive(const struct cli_stat *l)
{
    for (size_t i = 0; i < l->what.ntasks; i++)
        if (td_run_alive(l->set.td, l->what.tasks[i]))
            return true;
    return false;
}

static void on_time(struct cli_stat *l)
{
    uint64_t time = now(l);

    if (time >= l->enable_at && l->paused)
        start_clocks(l, time); /* until counting is enabled */
    else if (time >= l->enable_at && !enable(l, true))
        stop(l);
    if (time >= l->timeout_at) {
        finish(l); /* with -r, of this run */
        cli_child_end(&l->command, SIGTERM);
    } else if (time >= l->next) {
        tick(l, time);
    }
    if (!l->over && time >= l->look_at) {
        l->look_at = time + LOOK_MS * ms;
        if (!alive(l))
            finish(l);
    }
}

static void on_exit_of(struct cli_stat *l, int status)
{
    l->whole = !l->over;
    finish(l);
    if (l->status)
        return; /* from the first run that failed */
    l->signal = cli_child_signal(status);
    l->status = cli_child_code(status);
}

/* Forwards a signal that the command does not get from the terminal anyway. */
static void forward(struct cli_stat *l, const struct td_run_event *event)
{
    if (event->signal == SIGINT && ++l->interrupts > 1)
        cli_child_end(&l->command, SIGKILL);
    else if (event->signal != SIGINT && !event->group)
        cli_child_end(&l->command, event->signal);
}

static void on_signal(struct cli_stat *l, const struct td_run_event *event)
{
    switch (event->signal) {
    case SIGUSR1: snapshot(l); break;
    case SIGUSR2: enable(l, !l->counting); break;
    default: stop(l); forward(l, event);
    }
}

static bool obey(struct cli_stat *l, enum cli_order order)
{
    switch (order) {
    case CLI_ENABLE: return enable(l, true);
    case CLI_DISABLE: return enable(l, false);
    case CLI_SNAPSHOT: snapshot(l); return !l->stopping;
    case CLI_STOP: stop(l); return true;
    default: /* ping */ return true;
    }
}

/* Measuring is over, the command continues: only further runs are affected. */
static void note_order(struct cli_stat *l, enum cli_order order)
{
    if (order == CLI_ENABLE || order == CLI_DISABLE)
        l->paused = order == CLI_DISABLE;
    l->stopping = l->stopping || order == CLI_STOP;
}

static void answer(struct cli_stat *l)
{
    enum cli_order order;

    while ((order = cli_control_next(&l->control))) {
        note_order(l, order);
        cli_control_ack(&l->control);
    }
}

static void on_input(struct cli_stat *l)
{
    enum cli_order order;

    cli_control_read(&l->control);
    while (!l->over && (order = cli_control_next(&l->control)))
        if (obey(l, order))
            cli_control_ack(&l->control);
}

/* ---- the loops ----------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* False: waiting itself failed. */
static bool wait_for(struct cli_stat *l, uint64_t until, int fd, struct td_run_event *event)
{
    int err = cli_child_wait(&l->command, until, fd, event);

    if (err)
        cli_stat_fail(l, err == -EMFILE || err == -ENFILE ? EXIT_UNABLE : EXIT_BUG, "%s", td_error(l->set.td));
    return !err;
}

void cli_stat_watch(struct cli_stat *l)
{
    struct td_run_event event = {.size = sizeof(event)};

    l->over = l->stopping = l->broken || l->trace.error;
    l->taken = l->whole = false;
    l->ticks = 0;
    start_clocks(l, l->began);
    if (l->delay > 0 && !l->paused) {
        l->next = l->timeout_at = UINT64_MAX;
        l->enable_at = after(l->began, l->delay);
    }
    l->counting = l->counted = l->delay <= 0 && !l->paused;
    l->look_at = l->what.ntasks ? l->began + LOOK_MS * ms : UINT64_MAX;
    while (!l->over) {
        uint64_t until = least(least(l->enable_at, l->next), least(l->timeout_at, l->look_at));

        if (cli_control_ready(&l->control)) /* a simulated machine's wait() does not know descriptors */
            on_input(l);
        else if (!wait_for(l, until, l->control.in, &event))
            stop(l);
        else if (event.what == TD_RUN_EXIT)
            on_exit_of(l, event.status);
        else if (event.what == TD_RUN_SIGNAL)
            on_signal(l, &event);
        else if (event.what == TD_RUN_INPUT)
            on_input(l);
        else
            on_time(l);
    }
    l->ended = now(l);
}

void cli_stat_await(struct cli_stat *l)
{
    struct td_run_event event = {.size = sizeof(event)};

    if (l->command.running)
        answer(l); /* to what was read already */
    while (l->command.running) {
        bool input = cli_control_ready(&l->control); /* as in cli_stat_watch() */

        if (!input && !wait_for(l, UINT64_MAX, l->control.in, &event))
            break;
        if (input || event.what == TD_RUN_INPUT) {
            cli_control_read(&l->control);
            answer(l);
        } else if (event.what == TD_RUN_EXIT) {
            on_exit_of(l, event.status);
        } else if (event.what == TD_RUN_SIGNAL && event.signal != SIGUSR1 && event.signal != SIGUSR2) {
            l->stopping = true;
            forward(l, &event);
        }
    }
    l->command.running = false;
}
