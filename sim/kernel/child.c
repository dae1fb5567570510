/* SPDX-License-Identifier: MIT */
#include "sim/kernel/child.h"

#include "sim/kernel/count.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/records.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PID = 5000, NOT_FOUND = 127 };

int td_sim_program_add(struct td_sim_child *c, const struct td_sim_program *like)
{
    struct td_sim_program *grown = realloc(c->program, (c->nprograms + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    c->program = grown;
    grown[c->nprograms++] = *like;
    return 0;
}

const struct td_sim_program *td_sim_program_find(const struct td_sim_child *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const struct td_sim_program *any = NULL;

    for (size_t i = 0; i < c->nprograms; i++) {
        if (*name && !strcmp(c->program[i].name, name))
            return &c->program[i];
        if (!*c->program[i].name)
            any = &c->program[i];
    }
    return any;
}

bool td_sim_program_is(const struct td_sim_child *c, const struct td_sim_task *t)
{
    for (size_t i = 0; i < c->nprograms; i++)
        if (c->program[i].task == t)
            return true;
    return false;
}

void td_sim_child_free(struct td_sim_child *c)
{
    free(c->program);
}

static bool running(const struct td_sim_child *c)
{
    return c->started && !c->task->dead;
}

pid_t td_sim_os_spawn(void *ctx, char *const argv[])
{
    struct td_sim *s = ctx;
    struct td_sim_child *c = &s->child;
    const char *path = argv && argv[0] ? argv[0] : "";
    const bool missing = !strcmp(path, "no-such-command");
    const struct td_sim_program *p = missing && c->nprograms ? c->program : td_sim_program_find(c, path);
    struct td_sim_task *t = p ? p->task : NULL;

    if (!t)
        return -EAGAIN; /* the description has no such command */
    if (c->started && !c->reported)
        return -EBUSY;
    c->task = t;
    if (td_sim_task_number(&s->tasks, t, t->pid ? t->pid + 1 : FIRST_PID))
        return -ENOMEM;
    t->dead = false;
    t->started = false;
    t->runner.from = p->by_clock ? s->hw.now : 0;
    t->runner.ran = 0;
    t->voluntary = t->involuntary = 0;
    t->turn = 0;
    t->bound = (unsigned)(s->caller.pinned + 1);
    c->started = true;
    c->released = c->reported = false;
    c->missing = missing;
    c->status = p->signal ? p->signal : p->exit << 8;
    s->sysfs.tasks_stale = true;
    return t->pid;
}

/* The command has ended with a status of waitpid(2). */
static void end_command(struct td_sim *s, int status)
{
    td_sim_task_exit(s, s->child.task);
    s->child.status = status;
    td_sim_place(s);
}

/* What execve(2) does to events that wait for it. */
static void enable_on_exec(struct td_sim *s, struct td_sim_context *x)
{
    for (struct td_sim_event *e = x->first; e; e = e->next)
        for (struct td_sim_event *m = e; m; m = m->sibling)
            if (m->on_exec && m->state == TD_SIM_OFF) {
                td_sim_event_time(s, m);
                m->state = TD_SIM_INACTIVE;
            }
}

int td_sim_os_release(void *ctx)
{
    struct td_sim *s = ctx;
    struct td_sim_child *c = &s->child;

    if (!running(c) || c->released)
        return -ESRCH;
    c->released = true;
    if (c->missing) {
        end_command(s, NOT_FOUND << 8);
        c->reported = true;
        return -ENOENT;
    }
    enable_on_exec(s, &c->task->events);
    td_sim_task_start(s, c->task);
    td_sim_task_parent(s, c->task);
    td_sim_record_exec(s, c->task);
    td_sim_place(s);
    return 0;
}

int td_sim_os_kill(void *ctx, int signal)
{
    struct td_sim *s = ctx;

    if (!running(&s->child))
        return -ESRCH;
    if (signal && signal != SIGCONT) /* it is never stopped */
        end_command(s, signal);
    return 0;
}

int td_sim_os_used(void *ctx, pid_t pid, struct td_os_used *out)
{
    const struct td_sim *s = ctx;
    const struct td_sim_task *t = s->child.task;

    if (!t || !s->child.reported || pid != t->pid)
        return -ESRCH;
    *out = (struct td_os_used){t->voluntary + t->involuntary, t->runner.ran};
    return 0;
}
