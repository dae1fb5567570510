/* SPDX-License-Identifier: MIT */
/* What is counted for each way of asking, on an Ice Lake of eight CPUs, of which CPU 0 and CPU 4 share a core, and on a
 * hybrid. */
#include "live/meter.h"
#include "session/session.h"
#include "sim/sim.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lanes as text: each with its kind, its core and its units' targets. */
static const char *lanes(const struct td *td)
{
    static char text[2000];
    const struct td_scopes *s = &td->meter->scopes;
    size_t n = 0;

    *text = '\0';
    for (size_t i = 0; i < s->nlanes; i++) {
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s/%d:", s->lane[i].name,
                              s->lane[i].core == 'P'   ? " P"
                              : s->lane[i].core == 'E' ? " E"
                                                       : "",
                              (int)s->lane[i].kind);
        for (size_t u = 0; u < s->nunits; u++)
            if (s->unit[u].lane == i && s->unit[u].target.cpu >= 0)
                n += (size_t)snprintf(text + n, sizeof(text) - n, " %d", s->unit[u].target.cpu);
            else if (s->unit[u].lane == i)
                n += (size_t)snprintf(text + n, sizeof(text) - n, " t%d/%d", (int)s->unit[u].target.pid,
                                      (int)s->unit[u].process);
        n += (size_t)snprintf(text + n, sizeof(text) - n, "\n");
    }
    return text;
}

/* What is counted; with NULL nothing, for the reason of err. */
static void asks(const char *machine, struct td_live what, int err, const char *wanted)
{
    struct td *td = on_shipped_machine(machine);

    what.size = sizeof(what);
    CU_ASSERT_EQUAL(td_open_live(td, &what), err);
    if (err) {
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), wanted));
    } else {
        CU_ASSERT_STRING_EQUAL(lanes(td), wanted);
    }
    td_free(td);
}

static const char *line(const char *name, enum td_scope_kind kind, const char *units)
{
    static char text[4][100];
    static unsigned n;

    snprintf(text[++n % 4], sizeof(*text), "%s/%d: %s\n", name, (int)kind, units);
    return text[n % 4];
}

static void cpus(void)
{
    static const int two[] = {0, 4}, apart[] = {0, 2, 5}, twice[] = {3, 3}, missing[] = {0, 8};

    asks("icelake", (struct td_live){.by = TD_BY_ALL}, 0, line("system", TD_KIND_SYSTEM, "0 1 2 3 4 5 6 7"));
    asks("icelake", (struct td_live){.by = TD_BY_SOCKET}, 0, line("S0", TD_KIND_SOCKET, "0 1 2 3 4 5 6 7"));
    asks("icelake", (struct td_live){.by = TD_BY_NODE}, 0, line("N0", TD_KIND_NODE, "0 1 2 3 4 5 6 7"));
    asks("icelake", (struct td_live){.cpus = two, .ncpus = 2}, 0, line("CPU0,4", TD_KIND_SYSTEM, "0 4"));
    asks("icelake", (struct td_live){.cpus = apart, .ncpus = 3}, 0, line("CPU0,2,5", TD_KIND_CPU, "0 2 5"));
    asks("icelake", (struct td_live){.cpus = twice, .ncpus = 1, .by = TD_BY_CPU}, 0, line("CPU3", TD_KIND_CPU, "3"));
    asks("icelake", (struct td_live){.cpus = two, .ncpus = 2, .by = TD_BY_CORE}, 0,
         line("S0-D0-C0", TD_KIND_CORE, "0 4"));
    asks("icelake", (struct td_live){.cpus = two, .ncpus = 1, .by = TD_BY_CORE}, 0, line("S0-D0-C0", TD_KIND_CPU, "0"));
    asks("icelake", (struct td_live){.cpus = missing, .ncpus = 2}, -ENODEV, "CPU 8 is not online");
    asks("icelake", (struct td_live){.by = TD_BY_THREAD}, -EINVAL, "need the processes or threads");
}

/* Two sockets of four cores, which are numbered on from the first to the second; their threads are CPU i and CPU i + 8.
 * Each socket is a node. */
static void sockets(void)
{
    char wanted[400];

    snprintf(wanted, sizeof(wanted), "S0/%d: 0 1 2 3 8 9 10 11\nS1/%d: 4 5 6 7 12 13 14 15\n", TD_KIND_SOCKET,
             TD_KIND_SOCKET);
    asks("cascadelake", (struct td_live){.by = TD_BY_SOCKET}, 0, wanted);
    snprintf(wanted, sizeof(wanted), "N0/%d: 0 1 2 3 8 9 10 11\nN1/%d: 4 5 6 7 12 13 14 15\n", TD_KIND_NODE,
             TD_KIND_NODE);
    asks("cascadelake", (struct td_live){.by = TD_BY_NODE}, 0, wanted);
    {
        static const int cpus[] = {13, 5, 0, 3};

        snprintf(wanted, sizeof(wanted), "S0-D0-C0/%d: 0\nS0-D0-C3/%d: 3\nS1-D0-C5/%d: 5 13\n", TD_KIND_CPU,
                 TD_KIND_CPU, TD_KIND_CPU);
        asks("cascadelake", (struct td_live){.cpus = cpus, .ncpus = 4, .by = TD_BY_CORE}, 0, wanted);
    }
}

/* Each kind of core is a lane of its own. */
static void hybrids(void)
{
    char wanted[200];
    static const int some[] = {0, 8, 9};

    snprintf(wanted, sizeof(wanted), "CPU0,8-9 P/%d: 0\nCPU0,8-9 E/%d: 8 9\n", TD_KIND_CPU, TD_KIND_CPU);
    asks("alderlake", (struct td_live){.cpus = some, .ncpus = 3}, 0, wanted);
}

static void tasks(void)
{
    static const pid_t one[] = {701}, both[] = {701, 702}, none[] = {9999}, mixed[] = {9999, 701};
    static const int cpu[] = {0};

    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1}, 0,
         line("server-701", TD_KIND_THREAD, "t701/701 t702/701"));
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .threads = true}, 0,
         line("server-701", TD_KIND_THREAD, "t701/0"));
    asks("icelake", (struct td_live){.tasks = both, .ntasks = 2, .threads = true}, 0,
         line("2 threads", TD_KIND_THREAD, "t701/0 t702/0"));
    asks("icelake", (struct td_live){.tasks = mixed, .ntasks = 2}, 0,
         line("2 processes", TD_KIND_THREAD, "t701/701 t702/701"));
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .name = "mine"}, 0,
         line("mine", TD_KIND_COMMAND, "t701/701 t702/701"));
    asks("icelake", (struct td_live){.tasks = none, .ntasks = 1}, -ESRCH, "there is no process 9999");
    asks("icelake", (struct td_live){.tasks = none, .ntasks = 1, .threads = true}, -ESRCH, "there is no thread 9999");
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .by = TD_BY_CPU}, -EINVAL,
         "tasks cannot be measured by CPU");
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .cpus = cpu, .ncpus = 1}, -EINVAL,
         "tasks cannot be measured by CPU");
}

static void cgroups(void)
{
    static const char *const app[] = {"app", "app"}, *const rooted[] = {"/app"}, *const missing[] = {"nobody"},
                             *const up[] = {"app/../x"}, *const dots[] = {"app/..x"};
    static const int some[] = {1, 4};
    static const pid_t one[] = {701};

    asks("icelake", (struct td_live){.cgroups = app, .ncgroups = 1}, 0, line("app", TD_KIND_CGROUP, "0 1 2 3 4 5 6 7"));
    asks("icelake", (struct td_live){.cgroups = app, .ncgroups = 2, .cpus = some, .ncpus = 2}, 0,
         line("app", TD_KIND_CGROUP, "1 4"));
    asks("icelake", (struct td_live){.cgroups = rooted, .ncgroups = 1, .cpus = some, .ncpus = 1}, 0,
         line("/app", TD_KIND_CGROUP, "1"));
    asks("icelake", (struct td_live){.cgroups = missing, .ncgroups = 1}, -ENOENT, "there is no cgroup 'nobody'");
    asks("icelake", (struct td_live){.cgroups = up, .ncgroups = 1}, -EINVAL, "'app/../x' may lead out");
    asks("icelake", (struct td_live){.cgroups = dots, .ncgroups = 1}, -ENOENT, "there is no cgroup 'app/..x'");
    asks("icelake", (struct td_live){.cgroups = app, .ncgroups = 1, .by = TD_BY_CPU}, -EINVAL,
         "each cgroup is one scope");
    asks("icelake", (struct td_live){.cgroups = app, .ncgroups = 1, .tasks = one, .ntasks = 1}, -EINVAL,
         "tasks cannot");
}

/* ---- the seam: what is asked of the machine ------------------------------------------------------- */

static struct {
    struct td_os os;
    const struct td_os *real;
    char folders[9000]; /* that were opened, one a line */
    int first; /* the answer for a folder of cgroups of version 1: a descriptor, or an error */
    int all; /* the same for any folder; 0: as the machine answers */
} machine;

static int open_folder(void *ctx, const char *path)
{
    const size_t n = strlen(machine.folders);

    (void)ctx;
    snprintf(machine.folders + n, sizeof(machine.folders) - n, "%s\n", path);
    if (machine.all)
        return machine.all;
    return strncmp(path, "/sys/fs/cgroup/perf_event/", 26) ? machine.real->folder(machine.real->ctx, path)
                                                           : machine.first;
}

/* Further names than those of threads, as a folder may have. */
static int list_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    static const char *const names[] = {".", "0", "-1", "702"};
    int err = 0;

    (void)ctx;
    if (strcmp(path, "/proc/701/task"))
        return machine.real->names(machine.real->ctx, path, each, arg);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !err; i++)
        err = each(arg, names[i]);
    return err;
}

static struct td *watched(const char *more)
{
    struct td *td = on_shipped_machine_with("icelake", more);

    memset(&machine, 0, sizeof(machine));
    machine.first = -ENOENT;
    machine.real = td_session_os(td);
    machine.os = *machine.real;
    machine.os.folder = open_folder;
    td->os = &machine.os;
    return td;
}

static int open_cgroup(struct td *td, const char *name)
{
    const char *const one[] = {name};
    static const int cpu = 1;

    *machine.folders = '\0';
    return td_open_live(
        td, &(struct td_live){.size = sizeof(struct td_live), .cgroups = one, .ncgroups = 1, .cpus = &cpu, .ncpus = 1});
}

/* Cgroups of version 1 have a folder of their own for perf, which is preferred. */
static void folders(void)
{
    static const char first[] = "/sys/fs/cgroup/perf_event/app\n",
                      both[] = "/sys/fs/cgroup/perf_event/app\n/sys/fs/cgroup/app\n";
    char name[5000];
    struct td *td = watched("");

    CU_ASSERT_EQUAL(open_cgroup(td, "app"), 0);
    CU_ASSERT_STRING_EQUAL(machine.folders, both);
    CU_ASSERT_EQUAL(open_cgroup(td, "/app"), 0);
    CU_ASSERT_STRING_EQUAL(machine.folders, both);
    td_close_live(td);
    machine.first = machine.real->folder(machine.real->ctx, "/sys/fs/cgroup/app");
    CU_ASSERT_EQUAL(open_cgroup(td, "app"), 0);
    CU_ASSERT_STRING_EQUAL(machine.folders, first);
    CU_ASSERT(td->meter->scopes.ncgroups == 1 && td->meter->scopes.cgroup[0] == machine.first);
    CU_ASSERT_EQUAL(td->meter->scopes.unit[0].target.cgroup, machine.first);
    td_close_live(td);
    machine.first = 0; /* a descriptor, too, although here it is none of a folder */
    CU_ASSERT(open_cgroup(td, "app") < 0);
    CU_ASSERT_STRING_EQUAL(machine.folders, first);
    td_close_live(td);
    machine.all = -ENOMEM;
    CU_ASSERT_EQUAL(open_cgroup(td, "app"), -ENOMEM);
    machine.all = -EACCES;
    CU_ASSERT_EQUAL(open_cgroup(td, "app"), -ENOENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "there is no cgroup 'app' below /sys/fs/cgroup: Permission denied"));
    machine.all = -ENOENT;
    memset(name, 'x', sizeof(name)); /* with the folder before it 4,095 bytes, and one more */
    name[4095 - 26] = '\0';
    CU_ASSERT_EQUAL(open_cgroup(td, name), -ENOENT);
    CU_ASSERT_EQUAL(strlen(machine.folders), 4096 + 4096 - strlen("perf_event/"));
    name[4095 - 26] = 'x';
    name[4096 - 26] = '\0';
    CU_ASSERT_EQUAL(open_cgroup(td, name), -ENOENT);
    CU_ASSERT_STRING_EQUAL(machine.folders, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "below /sys/fs/cgroup: File name too long"));
    td_free(td);
}

/* A cgroup's folders are closed with the measurement. */
static void closed(void)
{
    struct td_sim_calls before, after;
    struct td *td = watched("");

    td_sim_calls(td->sim, &before);
    CU_ASSERT_EQUAL(open_cgroup(td, "app"), 0);
    td_close_live(td);
    td_sim_calls(td->sim, &after);
    CU_ASSERT_EQUAL(after.open_fds, before.open_fds);
    CU_ASSERT(!td->meter->scopes.cgroup && !td->meter->scopes.ncgroups && !td->meter->scopes.nunits);
    td_free(td);
}

/* Each cgroup is a lane with each CPU. */
static void two_cgroups(void)
{
    static const char *const both[] = {"app", "two"};
    static const int some[] = {1, 6};
    struct td *td = watched("task 801 x mixed cpus=3\ncgroup two tasks=801\n");
    char wanted[100];

    snprintf(wanted, sizeof(wanted), "app/%d: 1 6\ntwo/%d: 1 6\n", TD_KIND_CGROUP, TD_KIND_CGROUP);
    CU_ASSERT_EQUAL(
        td_open_live(td,
                     &(struct td_live){
                         .size = sizeof(struct td_live), .cgroups = both, .ncgroups = 2, .cpus = some, .ncpus = 2}),
        0);
    CU_ASSERT_STRING_EQUAL(lanes(td), wanted);
    CU_ASSERT_EQUAL(td->meter->scopes.ncgroups, 2);
    td_free(td);
}

/* ---- what sysfs does not show ----------------------------------------------------------------------- */

static void hidden(void)
{
#define NO_CPUS "absent /sys/devices/system/cpu/online\n"
#define NO_TOPOLOGY "absent /sys/devices/system/cpu/cpu0/topology/core_id\n"
    static const pid_t one[] = {701};
    static const struct {
        const char *more;
        struct td_live what;
        const char *why; /* NULL: it can be measured */
    } rows[] = {
        {NO_CPUS,
         {.by = TD_BY_ALL},
         "/sys/devices/system/cpu/online cannot be read: the CPUs to measure are not known"},
        {NO_CPUS, {.by = TD_BY_CPU}, "/sys/devices/system/cpu/online cannot be read"},
        {NO_CPUS, {.tasks = one, .ntasks = 1}, NULL},
        {NO_TOPOLOGY, {.by = TD_BY_CORE}, "sysfs does not tell the cores, sockets and nodes of the CPUs"},
        {NO_TOPOLOGY, {.by = TD_BY_SOCKET}, "sysfs does not tell the cores, sockets and nodes of the CPUs"},
        {NO_TOPOLOGY, {.by = TD_BY_NODE}, "sysfs does not tell the cores, sockets and nodes of the CPUs"},
        {NO_TOPOLOGY, {.by = TD_BY_CPU}, NULL},
        {NO_TOPOLOGY, {.by = TD_BY_ALL}, NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = watched(rows[i].more);
        struct td_live what = rows[i].what;

        what.size = sizeof(what);
        CU_ASSERT_EQUAL(td_open_live(td, &what), rows[i].why ? -EOPNOTSUPP : 0);
        if (rows[i].why)
            CU_ASSERT_EQUAL(strncmp(td_error(td), rows[i].why, strlen(rows[i].why)), 0);
        td_free(td);
    }
}

/* Whether any unit is open, and there. */
static void any(void)
{
    static const struct {
        size_t n;
        bool open[3], gone[3], any;
    } rows[] = {{0, {true}, {false}, false},
                {1, {true}, {false}, true},
                {1, {true}, {true}, false},
                {1, {false}, {false}, false},
                {3, {false, false, true}, {false}, true},
                {3, {true, false, false}, {true}, false},
                {3, {true, true, true}, {true, false, true}, true},
                {2, {false, false, true}, {false}, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_perf_event event = {.fd = 3};
        struct td_unit unit[3] = {{.gone = rows[i].gone[0]}, {.gone = rows[i].gone[1]}, {.gone = rows[i].gone[2]}};
        const struct td_scopes s = {.unit = unit, .nunits = rows[i].n};

        for (size_t u = 0; u < 3; u++)
            unit[u].perf.event = rows[i].open[u] ? &event : NULL;
        CU_ASSERT_EQUAL(td_scopes_any(&s), rows[i].any);
    }
}

/* ---- names of tasks ------------------------------------------------------------------------------ */

static void named(const char *more, struct td_live what, const char *wanted)
{
    struct td *td = watched(more);

    machine.os.names = list_names;
    what.size = sizeof(what);
    CU_ASSERT_EQUAL_FATAL(td_open_live(td, &what), 0);
    CU_ASSERT_STRING_EQUAL(lanes(td), wanted);
    td_free(td);
}

static void names(void)
{
    static const pid_t one[] = {701}, twice[] = {701, 701}, self[] = {0};
    char wanted[200];

    asks("icelake", (struct td_live){.tasks = self, .ntasks = 1, .name = "mine"}, 0,
         line("mine", TD_KIND_THREAD, "t0/0"));

    asks("icelake", (struct td_live){.tasks = twice, .ntasks = 2}, 0,
         line("2 processes", TD_KIND_THREAD, "t701/701 t702/701"));
    asks("icelake", (struct td_live){.tasks = twice, .ntasks = 2, .threads = true}, 0,
         line("2 threads", TD_KIND_THREAD, "t701/0"));
    snprintf(wanted, sizeof(wanted), "server-701/%d: t701/0\nserver-702/%d: t702/0\n", TD_KIND_THREAD, TD_KIND_THREAD);
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .by = TD_BY_THREAD}, 0, wanted);
    asks("icelake", (struct td_live){.tasks = one, .ntasks = 1, .by = TD_BY_THREAD, .name = "mine"}, 0, wanted);
    named("", (struct td_live){.tasks = one, .ntasks = 1}, line("server-701", TD_KIND_THREAD, "t702/701"));
}

/* Where all that were asked for are gone, the last one is named. */
static void gone(void)
{
    static const pid_t both[] = {9998, 9999};
    static const int e_core = 8;

    asks("icelake", (struct td_live){.tasks = both, .ntasks = 2}, -ESRCH, "there is no process 9999");
    {
        struct td *td = on_shipped_machine("alderlake");

        CU_ASSERT_EQUAL(td_set_uarch(td, "adl-p"), 0);
        CU_ASSERT_EQUAL(
            td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = &e_core, .ncpus = 1}), -ENODEV);
        CU_ASSERT_STRING_EQUAL(td_error(td), "none of the CPUs wanted has a PMU that is to be measured");
        td_free(td);
    }
}

/* Which parts of the machine are counted: all its CPUs, both threads of each core, tasks; whose clock of whole cores
 * means something, as each core has two threads. */
static void parts(void)
{
    static const int pair[] = {0, 4}, apart[] = {0, 2}, two_pairs[] = {5, 1, 3, 7};
    static const pid_t one[] = {701};
    static const char *const app[] = {"app"};
    const struct {
        const char *machine, *more;
        struct td_live what;
        bool tasks, all, whole, clock;
    } rows[] = {
        {"icelake", "", {.by = TD_BY_ALL}, false, true, true, true},
        {"icelake", "", {.by = TD_BY_CPU}, false, true, false, false},
        {"icelake", "", {.by = TD_BY_CORE}, false, true, true, true},
        {"icelake", "", {.cpus = pair, .ncpus = 2}, false, false, true, true},
        {"icelake", "", {.cpus = apart, .ncpus = 2}, false, false, false, false},
        {"icelake", "", {.cpus = two_pairs, .ncpus = 4}, false, false, true, true},
        {"icelake", "", {.cpus = two_pairs, .ncpus = 3}, false, false, false, false},
        {"icelake", "", {.tasks = one, .ntasks = 1}, true, false, false, false},
        {"icelake", "", {.cgroups = app, .ncgroups = 1}, false, true, false, false},
        {"icelake", "hotplug 4 off at=0\n", {.by = TD_BY_ALL}, false, true, true, false},
        {"skylake-nosmt", "", {.by = TD_BY_ALL}, false, true, true, false},
        {"alderlake", "", {.by = TD_BY_ALL}, false, true, true, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = on_shipped_machine_with(rows[i].machine, rows[i].more);
        const struct td_os *os = td_session_os(td);
        struct td_live what = rows[i].what;
        const struct td_scopes *s;
        struct td_os_event event;

        what.size = sizeof(what);
        os->wait(os->ctx, os->now(os->ctx) + 1000000, -1, &event);
        CU_ASSERT_EQUAL_FATAL(td_open_live(td, &what), 0);
        s = &td->meter->scopes;
        CU_ASSERT_EQUAL(s->tasks, rows[i].tasks);
        CU_ASSERT_EQUAL(s->all_cpus, rows[i].all);
        CU_ASSERT_EQUAL(s->whole_core, rows[i].whole);
        CU_ASSERT_EQUAL(s->core_clock, rows[i].clock);
        CU_ASSERT_EQUAL(td->meter->ask.clocks, false);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"CPUs", cpus},
    {"parts of the machine", parts},
    {"hybrids", hybrids},
    {"tasks", tasks},
    {"cgroups", cgroups},
    {"folders of cgroups", folders},
    {"two cgroups", two_cgroups},
    {"what sysfs hides", hidden},
    {"any unit", any},
    {"what is closed", closed},
    {"names of tasks", names},
    {"what is gone", gone},
    {"sockets", sockets},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("scopes", tests);
