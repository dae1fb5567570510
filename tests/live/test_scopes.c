/* SPDX-License-Identifier: MIT */
/* What is counted for each way of asking, on an Ice Lake of eight CPUs, of which CPU 0 and CPU 4 share a core, and on a
 * hybrid. */
#include "live/meter.h"
#include "session/session.h"
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

static const CU_TestInfo tests[] = {
    {"CPUs", cpus}, {"hybrids", hybrids}, {"tasks", tasks}, {"cgroups", cgroups}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("scopes", tests);
