/* SPDX-License-Identifier: MIT */
/* The lines of a description that say what runs on the machine, and what happens to it. */
#include "machine_line.h"

#include "number.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PID_MAX = 4194304 };

/* True if the workload is described for each PMU of the CPUs; else why says what is missing. */
static int work_known(struct td_sim_line *l, const char *name, const struct td_sim_set *cpus)
{
    const struct td_sim *s = l->sim;

    for (unsigned i = 0; i < s->ncpus; i++) {
        size_t pmu = s->cpu[i].pmu < TD_SIM_PMUS ? s->cpu[i].pmu : 0;

        if (!td_sim_set_has(cpus, i))
            continue;
        if (!name || !td_sim_work_find(s, name, pmu))
            return td_sim_bad(l, "no workload '%.31s' above for CPU %u%s%s", name ? name : "", i, s->npmus ? ", PMU " : "", s->pmu[pmu].name);
    }
    return 0;
}

/* cpus= and slice= of a task, or all CPUs and no moves. */
static int task_places(struct td_sim_line *l, struct td_sim_task *t, struct td_sim_set *set)
{
    const char *list = td_sim_value(l, "cpus");
    uint16_t order[TD_SIM_CPUS];
    uint64_t slice = 0;
    size_t n = 0;
    int err = td_sim_number(l, "slice", 1, 1000000, &slice);

    *set = (struct td_sim_set){0};
    if (!err && list)
        err = td_sim_cpus(l, "cpus", list, set, order, &n);
    for (unsigned i = 0; !list && i < l->sim->ncpus; i++)
        if (l->sim->cpu[i].exists) {
            td_sim_set_add(set, i);
            order[n++] = (uint16_t)i;
        }
    if (!err && !n)
        err = td_sim_bad(l, "no 'cpus' line above");
    if (err)
        return err;
    t->cpus = malloc(n * sizeof(*order));
    if (!t->cpus)
        return -ENOMEM;
    memcpy(t->cpus, order, n * sizeof(*order));
    t->ncpus = n;
    t->slice = slice * TD_SIM_MSEC;
    return 0;
}

/* Adds a copy of the task behind the others. */
static int add_task(struct td_sim *s, const struct td_sim_task *like, pid_t tid, size_t turn, struct td_sim_task **out)
{
    struct td_sim_task *t = malloc(sizeof(*t)), **end = &s->tasks;

    if (!t)
        return -ENOMEM;
    *t = *like;
    t->cpus = malloc(like->ncpus * sizeof(*t->cpus));
    if (!t->cpus) {
        free(t);
        return -ENOMEM;
    }
    memcpy(t->cpus, like->cpus, like->ncpus * sizeof(*t->cpus));
    t->tid = tid;
    t->turn = turn;
    t->cpu = -1;
    while (*end)
        end = &(*end)->link;
    *end = t;
    *out = t;
    return 0;
}

int td_sim_take_run(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    const char *name = td_sim_word(l, 1);
    struct td_sim_set set;
    int err = td_sim_cpus(l, "cpus", td_sim_value(l, "cpus"), &set, NULL, NULL);

    if (!err)
        err = work_known(l, name, &set);
    for (unsigned i = 0; !err && i < s->ncpus; i++) {
        if (!td_sim_set_has(&set, i))
            continue;
        if (s->cpu[i].back)
            return td_sim_bad(l, "CPU %u runs something already", i);
        s->cpu[i].back = calloc(1, sizeof(*s->cpu[i].back));
        if (!s->cpu[i].back)
            return -ENOMEM;
        snprintf(s->cpu[i].back->work, sizeof(s->cpu[i].back->work), "%s", name);
    }
    return err;
}

static int exit_of(struct td_sim_line *l)
{
    uint64_t code = 0, signal = 0;
    int err = td_sim_number(l, "exit", 0, 255, &code);

    if (!err)
        err = td_sim_number(l, "signal", 1, 64, &signal);
    if (!err && code && signal)
        err = td_sim_bad(l, "exit and signal exclude each other");
    l->sim->child.exit = (int)code;
    l->sim->child.signal = (int)signal;
    return err;
}

int td_sim_take_command(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_task t = {.cpu = -1};
    const char *name = td_sim_word(l, 1);
    struct td_sim_set set;
    uint64_t ms;
    int err;

    if (s->command)
        return td_sim_bad(l, "a second command");
    snprintf(t.name, sizeof(t.name), "command");
    err = td_sim_number_of(l, "ms", td_sim_value(l, "ms"), 1, 1000000000, &ms);
    if (!err)
        err = exit_of(l);
    if (!err)
        err = task_places(l, &t, &set);
    if (!err)
        err = work_known(l, name, &set);
    if (!err) {
        snprintf(t.runner.work, sizeof(t.runner.work), "%s", name);
        t.length = ms * TD_SIM_MSEC;
        t.dead = true; /* until it is spawned */
        err = add_task(s, &t, 0, 0, &s->command);
    }
    free(t.cpus);
    return err;
}

static bool tid_known(const struct td_sim *s, pid_t tid)
{
    for (const struct td_sim_task *t = s->tasks; t; t = t->link)
        if (t->tid == tid)
            return true;
    return false;
}

/* The main thread, then those of threads=: each begins one CPU further. */
static int add_threads(struct td_sim_line *l, const struct td_sim_task *t, const char *threads)
{
    struct td_sim_task *added;
    pid_t tid = t->pid;

    for (size_t i = 0;; i++) {
        size_t len;
        uint64_t n;
        int err;

        if (tid_known(l->sim, tid))
            return td_sim_bad(l, "the task %d stands twice", (int)tid);
        err = add_task(l->sim, t, tid, i, &added);
        if (err || !threads || !*threads)
            return err;
        len = strcspn(threads, ",");
        if (td_number_u64(threads, len, &n) || !n || n > PID_MAX)
            return td_sim_bad(l, "threads '%.*s' is not a number of a thread", (int)len, threads);
        tid = (pid_t)n;
        threads += threads[len] ? len + 1 : len;
    }
}

int td_sim_take_task(struct td_sim_line *l)
{
    struct td_sim_task t = {.cpu = -1};
    const char *name, *work, *threads = td_sim_value(l, "threads");
    struct td_sim_set set;
    uint64_t pid, ms = 0;
    int err = td_sim_number_of(l, "the process", td_sim_word(l, 1), 1, PID_MAX, &pid);

    name = td_sim_word(l, 2);
    work = td_sim_word(l, 3);
    if (!err && !work)
        err = td_sim_bad(l, "not 'task PID NAME WORKLOAD'");
    if (!err)
        err = td_sim_number(l, "ms", 1, 1000000000, &ms);
    if (!err)
        err = task_places(l, &t, &set);
    if (!err)
        err = work_known(l, work, &set);
    if (!err) {
        t.pid = (pid_t)pid;
        t.length = ms * TD_SIM_MSEC;
        snprintf(t.name, sizeof(t.name), "%s", name);
        snprintf(t.runner.work, sizeof(t.runner.work), "%s", work);
        err = add_threads(l, &t, threads);
    }
    free(t.cpus);
    return err;
}

/* Puts the processes of "12,34" into the cgroup. */
static int group_tasks(struct td_sim_line *l, const char *list, size_t group)
{
    while (*list) {
        size_t len = strcspn(list, ",");
        bool found = false;
        uint64_t pid;

        if (len == 7 && !strncmp(list, "command", 7) && l->sim->command) {
            l->sim->command->cgroup = group;
            found = true;
        } else if (!td_number_u64(list, len, &pid)) {
            for (struct td_sim_task *t = l->sim->tasks; t; t = t->link)
                if (t->pid == (pid_t)pid && pid) {
                    t->cgroup = group;
                    found = true;
                }
        }
        if (!found)
            return td_sim_bad(l, "no task '%.*s' above", (int)len, list);
        list += list[len] ? len + 1 : len;
    }
    return 0;
}

int td_sim_take_cgroup(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    const char *name = td_sim_word(l, 1), *list = td_sim_value(l, "tasks");
    struct td_sim_group *more;

    if (!name || *name == '/' || name[strlen(name) - 1] == '/')
        return td_sim_bad(l, "a cgroup needs a path without a '/' at its ends");
    for (size_t i = 0; i < s->ngroups; i++)
        if (!strcmp(s->group[i].path, name))
            return td_sim_bad(l, "the cgroup %s stands twice", name);
    more = td_sim_grow(s->group, s->ngroups, sizeof(*more));
    if (!more)
        return -ENOMEM;
    s->group = more;
    more[s->ngroups].path = strdup(name);
    if (!more[s->ngroups].path)
        return -ENOMEM;
    return list ? group_tasks(l, list, s->ngroups++) : (s->ngroups++, 0);
}

static int add_happening(struct td_sim_line *l, enum td_sim_what what, int which)
{
    struct td_sim *s = l->sim;
    struct td_sim_happening *more;
    uint64_t ms;
    int err = td_sim_number_of(l, "at", td_sim_value(l, "at"), 0, 1000000000, &ms);

    if (err)
        return err;
    more = td_sim_grow(s->happening, s->nhappenings, sizeof(*more));
    if (!more)
        return -ENOMEM;
    s->happening = more;
    more += s->nhappenings++;
    more->at = ms * TD_SIM_MSEC;
    more->what = what;
    more->which = which;
    return 0;
}

int td_sim_take_hotplug(struct td_sim_line *l)
{
    uint64_t cpu;
    const char *how;
    int err = td_sim_number_of(l, "the CPU", td_sim_word(l, 1), 0, TD_SIM_CPUS - 1, &cpu);

    how = td_sim_word(l, 2);
    if (err)
        return err;
    if (!l->sim->cpu[cpu].exists)
        return td_sim_bad(l, "no 'cpus' line has CPU %u", (unsigned)cpu);
    if (!how || (strcmp(how, "on") && strcmp(how, "off")))
        return td_sim_bad(l, "'%.40s' is not on or off", how ? how : "");
    return add_happening(l, strcmp(how, "on") ? TD_SIM_CPU_OFF : TD_SIM_CPU_ON, (int)cpu);
}

int td_sim_take_signal(struct td_sim_line *l)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}, {"SIGHUP", SIGHUP}, {"SIGUSR1", SIGUSR1}, {"SIGUSR2", SIGUSR2}};
    const char *name = td_sim_word(l, 1);

    for (size_t i = 0; name && i < sizeof(signals) / sizeof(*signals); i++)
        if (!strcmp(signals[i].name, name))
            return add_happening(l, TD_SIM_SIGNAL, signals[i].number);
    return td_sim_bad(l, "'%.40s' is not SIGINT, SIGTERM, SIGHUP, SIGUSR1 or SIGUSR2", name ? name : "");
}

int td_sim_take_spin(struct td_sim_line *l)
{
    struct td_sim *s = l->sim;
    struct td_sim_task t = {.cpu = -1};
    const char *name = td_sim_word(l, 1);
    struct td_sim_set set;
    int err;

    if (s->self)
        return td_sim_bad(l, "a second line 'spin'");
    err = td_sim_number(l, "adds", 1, UINT64_C(100000000000), &s->adds);
    if (!err)
        err = td_sim_number(l, "each", 1, UINT64_C(10000000000), &s->each);
    if (!err)
        err = task_places(l, &t, &set);
    if (!err)
        err = work_known(l, name, &set);
    if (!err) {
        snprintf(t.runner.work, sizeof(t.runner.work), "%s", name);
        snprintf(t.name, sizeof(t.name), "tdprobe");
        err = add_task(s, &t, 0, 0, &s->self);
    }
    free(t.cpus);
    return err;
}

/* "yes" or "no" */
int td_sim_take_privileged(struct td_sim_line *l)
{
    const char *how = td_sim_word(l, 1);

    if (!how || (strcmp(how, "yes") && strcmp(how, "no")))
        return td_sim_bad(l, "'%.40s' is not yes or no", how ? how : "");
    l->sim->privileged = !strcmp(how, "yes");
    return 0;
}

int td_sim_take_refuse(struct td_sim_line *l)
{
    static const struct {
        const char *name;
        int number;
    } errors[] = {{"EPERM", EPERM}, {"EACCES", EACCES}, {"ENOSYS", ENOSYS}, {"EMFILE", EMFILE}, {"EBUSY", EBUSY}, {"EOPNOTSUPP", EOPNOTSUPP}};
    const char *name = td_sim_word(l, 1);

    for (size_t i = 0; name && i < sizeof(errors) / sizeof(*errors); i++)
        if (!strcmp(errors[i].name, name)) {
            l->sim->refuse = errors[i].number;
            return 0;
        }
    return td_sim_bad(l, "'%.40s' is not EPERM, EACCES, ENOSYS, EMFILE, EBUSY or EOPNOTSUPP", name ? name : "");
}
