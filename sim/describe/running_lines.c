/* SPDX-License-Identifier: MIT */
/* The lines of a description about what runs on the machine, and what happens to it. */
#include "private/plan.h"
#include "sim/describe/description.h"
#include "sim/describe/keywords.h"

#include "util/number.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PID_MAX = 4194304 };

/* Refuses a workload that is not described for each of the CPUs' PMUs. */
static int check_work(struct td_description *d, const char *name, const int *cpu, size_t n)
{
    const struct td_sim_hw *hw = &d->sim->hw;
    size_t known = TD_SIM_NONE;

    for (size_t i = 0; i < n; i++) {
        const size_t pmu = hw->cpu[cpu[i]].pmu == TD_SIM_NONE ? 0 : hw->cpu[cpu[i]].pmu;

        if (pmu == known)
            continue;
        if (!name || !td_sim_work_find(&hw->works, name, pmu))
            return td_description_bad(d, "no workload '%.31s' above for CPU %d%s%s", name ? name : "", cpu[i],
                                      hw->npmus ? ", PMU " : "", hw->npmus ? hw->pmu[pmu].name : "");
        known = pmu;
    }
    return 0;
}

static const struct td_sim_places *all_places(struct td_description *d)
{
    const struct td_sim_hw *hw = &d->sim->hw;
    int *cpu;
    size_t n = 0;

    if (d->all && d->all->n == hw->existing)
        return d->all;
    cpu = calloc(hw->existing, sizeof(*cpu));
    for (unsigned i = 0; cpu && i < hw->ncpus; i++)
        if (hw->cpu[i].exists)
            cpu[n++] = (int)i;
    return d->all = cpu ? td_sim_places_add(&d->sim->tasks, cpu, n) : NULL;
}

/* cpus= of a task, or all CPUs. */
static int find_places(struct td_description *d, const struct td_sim_places **out)
{
    const char *text = td_description_value(d, "cpus");
    struct td_cpu_list list = {0};
    int err = 0;

    if (text)
        err = td_description_cpus(d, "cpus", text, &list);
    else if (!d->sim->hw.existing)
        err = td_description_bad(d, "no 'cpus' line above");
    if (err) {
        free(list.cpu);
        return err;
    }
    *out = text ? td_sim_places_add(&d->sim->tasks, list.cpu, list.n) : all_places(d);
    return *out ? 0 : -ENOMEM;
}

/* The workload of a task, and its words cpus= and slice=. */
static int describe_task(struct td_description *d, const char *work, struct td_sim_task *t)
{
    uint64_t slice = 0;
    int err = td_description_number(d, "slice", 1, 1000000, &slice);

    if (!err)
        err = find_places(d, &t->places);
    if (!err)
        err = check_work(d, work, t->places->cpu, t->places->n);
    if (err)
        return err;
    t->slice = slice * TD_SIM_MSEC;
    snprintf(t->runner.work, sizeof(t->runner.work), "%s", work);
    return 0;
}

int td_keyword_run(struct td_description *d)
{
    struct td_sim_hw *hw = &d->sim->hw;
    const char *name = td_description_word(d, 1);
    struct td_cpu_list list;
    int err = td_description_cpus(d, "cpus", td_description_value(d, "cpus"), &list);

    if (!err)
        err = check_work(d, name, list.cpu, list.n);
    for (size_t i = 0; !err && i < list.n; i++) {
        struct td_sim_runner *back = &hw->cpu[list.cpu[i]].back;

        if (*back->work)
            err = td_description_bad(d, "CPU %d runs something already", list.cpu[i]);
        else
            snprintf(back->work, sizeof(back->work), "%s", name);
    }
    free(list.cpu);
    return err;
}

static int exit_of(struct td_description *d, struct td_sim_program *p)
{
    uint64_t code = 0, signal = 0;
    int err = td_description_number(d, "exit", 0, 255, &code);

    if (!err)
        err = td_description_number(d, "signal", 1, 64, &signal);
    if (!err && code && signal)
        err = td_description_bad(d, "exit and signal exclude each other");
    p->exit = (int)code;
    p->signal = (int)signal;
    return err;
}

/* Takes name=: the line describes only a program of that name. */
static int name_of(struct td_description *d, struct td_sim_program *p)
{
    const char *name = td_description_value(d, "name");
    const struct td_sim_program *other = td_sim_program_find(&d->sim->child, name ? name : "");

    if (name && (!*name || strlen(name) >= sizeof(p->name) || strchr(name, '/')))
        return td_description_bad(d,
                                  "name '%.40s' is not the name of a program, of at most %zu characters and without /",
                                  name, sizeof(p->name) - 1);
    if (other && !strcmp(other->name, name ? name : ""))
        return td_description_bad(d, name ? "a second command of this name" : "a second command without name=");
    snprintf(p->name, sizeof(p->name), "%s", name ? name : "");
    return 0;
}

int td_keyword_command(struct td_description *d)
{
    struct td_sim_task t = {.name = "command", .dead = true /* until it is started */};
    const char *work = td_description_word(d, 1);
    struct td_sim_program p = {.task = NULL};
    uint64_t ms = 0;
    int err = name_of(d, &p);

    if (!err)
        err = td_description_number_of(d, "ms", td_description_value(d, "ms"), 1, 1000000000, &ms);
    if (!err)
        err = exit_of(d, &p);
    if (!err)
        err = describe_task(d, work, &t);
    if (err)
        return err;
    snprintf(t.name, sizeof(t.name), "%s", *p.name ? p.name : "command");
    t.length = ms * TD_SIM_MSEC;
    p.by_clock = td_description_flag(d, "by-clock");
    p.task = td_sim_task_add(&d->sim->tasks, &t);
    return p.task ? td_sim_program_add(&d->sim->child, &p) : -ENOMEM;
}

int td_keyword_start(struct td_description *d)
{
    const struct td_sim_child *all = &d->sim->child;
    const char *work = td_description_word(d, 1), *name = td_description_value(d, "name");
    struct td_sim_task t = {.dead = true /* until the command starts it */};
    uint64_t ms = 0, at = 0;
    int err = all->nprograms ? 0 : td_description_bad(d, "no 'command' above, which would start it");

    if (!err)
        err = td_description_number_of(d, "at", td_description_value(d, "at"), 0, 1000000000, &at);
    if (!err)
        err = td_description_number_of(d, "ms", td_description_value(d, "ms"), 1, 1000000000, &ms);
    if (!err)
        err = describe_task(d, work, &t);
    if (err)
        return err;
    t.thread = td_description_flag(d, "thread");
    t.parent = all->program[all->nprograms - 1].task;
    snprintf(t.name, sizeof(t.name), "%s", name ? name : t.parent->name);
    t.after = at * TD_SIM_MSEC;
    t.length = ms * TD_SIM_MSEC;
    return td_sim_task_add(&d->sim->tasks, &t) ? 0 : -ENOMEM;
}

/* Adds the main thread, then those of threads=, each of which starts on the CPU after that of the one before. */
static int add_threads(struct td_description *d, struct td_sim_task *t, const char *threads)
{
    for (t->tid = t->pid, t->turn = 0;; t->turn++) {
        size_t len;
        uint64_t n;

        if (td_sim_task_find(&d->sim->tasks, t->tid))
            return td_description_bad(d, "the task %d is described twice", (int)t->tid);
        if (!td_sim_task_add(&d->sim->tasks, t))
            return -ENOMEM;
        if (!threads || !*threads)
            return 0;
        len = strcspn(threads, ",");
        if (td_number_u64(threads, len, &n) || !n || n > PID_MAX)
            return td_description_bad(d, "threads '%.*s' is not a number of a thread", (int)len, threads);
        t->tid = (pid_t)n;
        threads += threads[len] ? len + 1 : len;
    }
}

int td_keyword_task(struct td_description *d)
{
    struct td_sim_task t = {.pid = 0};
    const char *name, *work, *threads = td_description_value(d, "threads");
    uint64_t pid = 0, ms = 0;
    int err = td_description_number_of(d, "the process", td_description_word(d, 1), 1, PID_MAX, &pid);

    name = td_description_word(d, 2);
    work = td_description_word(d, 3);
    if (!err && !work)
        err = td_description_bad(d, "not 'task PID NAME WORKLOAD'");
    if (!err)
        err = td_description_number(d, "ms", 1, 1000000000, &ms);
    if (!err)
        err = describe_task(d, work, &t);
    if (err)
        return err;
    t.pid = (pid_t)pid;
    t.length = ms * TD_SIM_MSEC;
    snprintf(t.name, sizeof(t.name), "%s", name);
    return add_threads(d, &t, threads);
}

/* Puts the processes of "12,34" into the cgroup. */
static int move_tasks(struct td_description *d, const char *list, size_t cgroup)
{
    while (*list) {
        const size_t len = strcspn(list, ",");
        const bool command = len == 7 && !strncmp(list, "command", 7);
        uint64_t pid = 0;
        bool found = false;

        if (!command && td_number_u64(list, len, &pid))
            pid = 0;
        for (struct td_sim_task *t = d->sim->tasks.first; t; t = t->link)
            if (command ? td_sim_program_is(&d->sim->child, t) : pid && t->pid == (pid_t)pid) {
                t->cgroup = cgroup;
                found = true;
            }
        if (!found)
            return td_description_bad(d, "no task '%.*s' above", (int)len, list);
        list += list[len] ? len + 1 : len;
    }
    return 0;
}

/* Of a cgroup that is not there all of the time: "from=MS until=MS"; until comes first if it is made anew. */
static int bound_cgroup(struct td_description *d, size_t cgroup)
{
    struct td_sim_clock *clock = &d->sim->clock;
    struct td_sim_happening h = {.which = (int)cgroup};
    uint64_t from = 0, until = 0;
    int err = td_description_number(d, "from", 1, 1000000000, &from);

    if (!err)
        err = td_description_number(d, "until", 1, 1000000000, &until);
    if (!err && from && from == until)
        err = td_description_bad(d, "the cgroup comes and goes at one time");
    d->sim->cgroups.absent[cgroup] = from > 0 && (!until || from < until);
    h.what = TD_SIM_CGROUP_ON;
    h.at = from * TD_SIM_MSEC;
    err = err || !from ? err : td_sim_happening_add(clock, &h);
    h.what = TD_SIM_CGROUP_OFF;
    h.at = until * TD_SIM_MSEC;
    return err || !until ? err : td_sim_happening_add(clock, &h);
}

int td_keyword_cgroup(struct td_description *d)
{
    struct td_sim_cgroups *all = &d->sim->cgroups;
    const char *name = td_description_word(d, 1), *list = td_description_value(d, "tasks");
    int err;

    if (!name || *name == '/' || name[strlen(name) - 1] == '/')
        return td_description_bad(d, "a cgroup needs a path without a '/' at its ends");
    err = td_sim_cgroup_add(all, name);
    if (err == -EEXIST)
        return td_description_bad(d, "the cgroup %s is described twice", name);
    err = err || !list ? err : move_tasks(d, list, all->n - 1);
    return err ? err : bound_cgroup(d, all->n - 1);
}

static int add_happening(struct td_description *d, struct td_sim_happening *h)
{
    uint64_t ms = 0;
    int err = td_description_number_of(d, "at", td_description_value(d, "at"), 0, 1000000000, &ms);

    h->at = ms * TD_SIM_MSEC;
    return err ? err : td_sim_happening_add(&d->sim->clock, h);
}

/* The CPU that is the line's first word. */
static int cpu_of(struct td_description *d, uint64_t *cpu)
{
    const struct td_sim_hw *hw = &d->sim->hw;
    int err = td_description_number_of(d, "the CPU", td_description_word(d, 1), 0, TD_CPUS_MAX - 1, cpu);

    if (!err && (*cpu >= hw->ncpus || !hw->cpu[*cpu].exists))
        err = td_description_bad(d, "no 'cpus' line has CPU %u", (unsigned)*cpu);
    return err;
}

/* An event of another program that counts from one time, in ms, until another; 0: until the end. */
static int add_rival(struct td_description *d, unsigned cpu, uint64_t at, uint64_t until)
{
    struct td_sim_clock *clock = &d->sim->clock;
    struct td_sim_happening h = {.what = TD_SIM_RIVAL_ON, .at = at * TD_SIM_MSEC};
    int err;

    h.which = td_sim_rival_add(d->sim, cpu);
    if (h.which < 0)
        return h.which;
    err = td_sim_happening_add(clock, &h);
    h.what = TD_SIM_RIVAL_OFF;
    h.at = until * TD_SIM_MSEC;
    return err || !until ? err : td_sim_happening_add(clock, &h);
}

int td_keyword_rival(struct td_description *d)
{
    uint64_t cpu = 0, events = 0, at = 0, until = 0;
    int err = cpu_of(d, &cpu);

    if (!err)
        err = td_description_number_of(d, "how many events", td_description_word(d, 2), 1, TD_SIM_FIXED, &events);
    if (!err)
        err = td_description_number_of(d, "at", td_description_value(d, "at"), 0, 1000000000, &at);
    if (!err)
        err = td_description_number(d, "until", at, 1000000000, &until);
    for (; !err && events; events--)
        err = add_rival(d, (unsigned)cpu, at, until);
    return err;
}

int td_keyword_hotplug(struct td_description *d)
{
    struct td_sim_happening h = {.at = 0};
    uint64_t cpu = 0;
    bool on;
    int err = cpu_of(d, &cpu);

    if (!err)
        err = td_description_either(d, 2, "on", "off", &on);
    if (err)
        return err;
    h.what = on ? TD_SIM_CPU_ON : TD_SIM_CPU_OFF;
    h.which = (int)cpu;
    return add_happening(d, &h);
}

int td_keyword_signal(struct td_description *d)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {
        {"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}, {"SIGHUP", SIGHUP}, {"SIGUSR1", SIGUSR1}, {"SIGUSR2", SIGUSR2}};
    const char *name = td_description_word(d, 1);

    for (size_t i = 0; name && i < sizeof(signals) / sizeof(*signals); i++)
        if (!strcmp(signals[i].name, name))
            return add_happening(d, &(struct td_sim_happening){.what = TD_SIM_SIGNAL, .which = signals[i].number});
    return td_description_bad(d, "'%.40s' is not SIGINT, SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2", name ? name : "");
}

int td_keyword_spin(struct td_description *d)
{
    struct td_sim_caller *c = &d->sim->caller;
    struct td_sim_task t = {.name = "tdprobe"};
    const char *name = td_description_word(d, 1);
    int err;

    if (c->task)
        return td_description_bad(d, "a second line 'spin'");
    err = td_description_number(d, "adds", 1, UINT64_C(100000000000), &c->adds);
    if (!err)
        err = td_description_number(d, "each", 1, UINT64_C(10000000000), &c->each);
    if (!err)
        err = describe_task(d, name, &t);
    if (err)
        return err;
    c->task = td_sim_task_add(&d->sim->tasks, &t);
    return c->task ? 0 : -ENOMEM;
}
