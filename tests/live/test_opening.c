/* SPDX-License-Identifier: MIT */
/* Which form is counted if other programs hold some of the counters, and what becomes of units that cannot be opened.
 */
#include "live/meter.h"
#include "live/opening.h"
#include "tests/support/shipped_machine.h"
#include "tests/support/thread_regions.h"

#include <errno.h>

/* The task's events on Golden Cove, as in sapphirerapids.machine: retired, backend, not delivered, dropped, cycles. */
#define EXACT_EVENTS \
    "count 0x2c2 0.25\ncount 0x2a4 0.5\ncount 0x19c 0.140625\ncount 0x10ad 0.015625\ncount 0x3c 0.166667 clock\ncount 0xc0 0.1875\n"
#define TASK(pmu) SPR(pmu) PHASE EXACT_EVENTS "spin w\ntask 7 app w cpus=0\n"

/* The exact form takes all eight programmable counters at level 2, and at level 1 those for retired slots, slots not
 * delivered and backend slots: with fewer only the register can be used. */
static void fewer_counters(void)
{
    static const struct {
        const char *machine, *formula;
        bool level2;
    } cases[] = {
        {TASK(""), "glc-events", true},
        {TASK(" taken=1"), "glc-events", false},
        {TASK(" taken=4"), "glc-events", false},
        {TASK(" taken=6"), "glc-perf-metrics", true},
    };
    static const pid_t task[] = {7};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td *td = handle_of(cases[i].machine);
        const struct td_os *os = td_session_os(td);
        const struct td_result *r;
        struct td_os_event event;

        CU_ASSERT_EQUAL_FATAL(
            td_open_live(td, &(struct td_live){.size = sizeof(struct td_live), .tasks = task, .ntasks = 1}), 0);
        os->wait(os->ctx, os->now(os->ctx) + 100 * (uint64_t)MSEC, -1, &event);
        CU_ASSERT_EQUAL_FATAL(td_take(td), 0);
        CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
        CU_ASSERT_EQUAL(strncmp(td_result_formula(r), cases[i].formula, strlen(cases[i].formula)), 0);
        CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 0.01);
        CU_ASSERT_DOUBLE_EQUAL(node(r, "backend_bound")->value, 0.5, 0.01);
        CU_ASSERT_EQUAL(td_result_metrics(r) > 4, cases[i].level2);
        if (!strcmp(cases[i].formula, "glc-events"))
            CU_ASSERT_EQUAL(node(r, "retiring")->bounds, TD_BOUNDS_SOUND);
        td_free(td);
    }
}

/* ---- the seam ------------------------------------------------------------------------------------- */

static struct {
    struct td_os os;
    const struct td_os *real;
    pid_t pid; /* events of this task, or of this CPU, are refused with err */
    int cpu, err;
    bool kernel; /* or those that count the kernel's mode */
    bool members; /* or those that join a group */
} machine;
static char told[2000];

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    (void)ctx;
    if (machine.err && ((pid >= 0 && pid == machine.pid) || (pid < 0 && cpu == machine.cpu) ||
                        (machine.kernel && !attr->exclude_kernel) || (machine.members && group >= 0)))
        return machine.err;
    return machine.real->perf_open(machine.real->ctx, attr, pid, cpu, group, flags);
}

static struct td *watched(const char *name, const char *more)
{
    struct td *td = on_shipped_machine_with(name, more);

    memset(&machine, 0, sizeof(machine));
    machine.real = td_session_os(td);
    machine.os = *machine.real;
    machine.os.perf_open = open_event;
    machine.cpu = machine.pid = -2;
    td->os = &machine.os;
    td_set_note(td, keep_note, NULL);
    *told = '\0';
    return td;
}

static const pid_t process = 701;

/* How many of the units are open. */
static size_t units(const struct td *td)
{
    size_t n = 0;

    for (size_t i = 0; i < td->meter->scopes.nunits; i++)
        n += td->meter->scopes.unit[i].perf.event != NULL;
    return n;
}

/* A CPU or task that goes away while others are opened is noted; any other error ends it. */
static void went_away(void)
{
    static const struct {
        bool tasks;
        pid_t pid;
        int cpu, err, wanted;
        size_t open;
    } rows[] = {
        {false, -2, 5, -ENODEV, 0, 7}, {false, -2, 0, -ENODEV, 0, 7},        {false, -2, 5, -EMFILE, -EMFILE, 0},
        {true, 702, -2, -ESRCH, 0, 1}, {true, 702, -2, -EACCES, -EACCES, 0}, {true, 701, -2, -ESRCH, 0, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = watched("icelake", "file /proc/sys/kernel/perf_event_paranoid = 1\n");
        struct td_live what = {.size = sizeof(what)};

        if (rows[i].tasks) {
            what.tasks = &process;
            what.ntasks = 1;
        }
        machine.pid = rows[i].pid;
        machine.cpu = rows[i].cpu;
        machine.err = rows[i].err;
        CU_ASSERT_EQUAL(td_open_live(td, &what), rows[i].wanted);
        if (!rows[i].wanted) {
            CU_ASSERT_EQUAL(units(td), rows[i].open);
            CU_ASSERT_EQUAL(strchr(told, '\n') != NULL, true);
        } else {
            CU_ASSERT_STRING_EQUAL(told, "");
        }
        td_free(td);
    }
}

/* Where the kernel's share may not be counted, tasks are counted in user mode, unless something else was asked for. */
static void user_mode(void)
{
#define PARANOID(level) "file /proc/sys/kernel/perf_event_paranoid = " level "\n"
    static const struct {
        const char *paranoid;
        bool tasks, no_kernel, no_user;
        int wanted;
    } rows[] = {
        {PARANOID("2"), true, false, false, 0},        {PARANOID("1"), true, false, false, -EACCES},
        {PARANOID("2"), false, false, false, -EACCES}, {PARANOID("2"), true, false, true, -EACCES},
        {PARANOID("2"), true, true, false, 0},         {PARANOID("3"), true, false, false, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = watched("icelake", rows[i].paranoid);
        struct td_live what = {.size = sizeof(what), .no_kernel = rows[i].no_kernel, .no_user = rows[i].no_user};

        if (rows[i].tasks) {
            what.tasks = &process;
            what.ntasks = 1;
        }
        machine.kernel = true;
        machine.err = -EACCES;
        CU_ASSERT_EQUAL(td_open_live(td, &what), rows[i].wanted);
        CU_ASSERT_EQUAL(td->meter->ask.no_kernel, !rows[i].wanted);
        CU_ASSERT_EQUAL(strstr(told, "user mode only: kernel.perf_event_paranoid forbids to count the kernel's share "
                                     "(CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1, allows it)\n") != NULL,
                        !rows[i].wanted && !rows[i].no_kernel);
        td_free(td);
    }
}

/* Where no group holds a second event, ever fewer counters are tried, and no form is left in the end. */
static void no_groups(void)
{
    static const char *const machines[] = {"icelake", "skylake", "sapphirerapids", "graviton4"};

    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        struct td *td = watched(machines[i], "");

        machine.members = true;
        machine.err = -EINVAL;
        CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}), -EOPNOTSUPP);
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "cannot count the top-down events of"));
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), ": no group of its events fits the counters"));
        td_free(td);
    }
}

/* ---- forms ---------------------------------------------------------------------------------------- */

/* Without the register's events in sysfs level 1 is counted by ordinary events, which is told where the register may be
 * used. */
static void without_register(void)
{
#define NO_REGISTER "absent /sys/bus/event_source/devices/cpu/events/slots\n"
    static const struct {
        const char *name, *more;
        bool fixed;
        const char *why;
    } rows[] = {
        {"icelake", NO_REGISTER, true,
         "cpu is measured by the form icl-events (PERF_METRICS: the kernel offers no slots and topdown-* events on it "
         "(Linux 5.10 and later does))\n"},
        {"icelake", NO_REGISTER, false, ""},
        {"icelake", "", true, ""},
        {"skylake", "", true, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = watched(rows[i].name, rows[i].more);

        CU_ASSERT_EQUAL(td_set_level(td, 1), 0);
        td->settings.fixed = rows[i].fixed;
        CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}), 0);
        CU_ASSERT_STRING_EQUAL(told, rows[i].why);
        td_free(td);
    }
}

/* A level that nothing is published of is refused, by the CPU that has the most. */
static void levels(void)
{
    static const struct {
        const char *name, *cpu;
        int deepest;
    } rows[] = {{"turin", "zen5", 2}, {"graviton4", "neoverse-v2", 2}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int level = 1; level <= rows[i].deepest + 1; level++) {
            struct td *td = watched(rows[i].name, "");
            char wanted[200];

            CU_ASSERT_EQUAL(td_set_level(td, level), 0);
            CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}),
                            level > rows[i].deepest ? -EOPNOTSUPP : 0);
            snprintf(wanted, sizeof(wanted), "level %d: what is published for %s ends at level %d (--level %d)", level,
                     rows[i].cpu, rows[i].deepest, rows[i].deepest);
            if (level > rows[i].deepest)
                CU_ASSERT_STRING_EQUAL(td_error(td), wanted);
            td_free(td);
        }
}

/* Events that are added take counters from the plan: of eight, level 1 by the register takes two for its corrections,
 * so that six are left. Of seven and eight there are no metrics; more do not fit. */
static void added(void)
{
    for (unsigned n = 0; n < 10; n++) {
        struct td *td = watched("icelake", "");
        const struct td_formcode *form;

        CU_ASSERT_EQUAL(td_set_source(td, "msr"), 0);
        for (unsigned i = 0; i < n; i++) {
            char name[20];

            snprintf(name, sizeof(name), "0x%x,1", 0x30 + i);
            CU_ASSERT_EQUAL(td_add_event(td, name), 0);
        }
        CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}), n < 9 ? 0 : -EOPNOTSUPP);
        form = td->meter->pmu[0].plan.form;
        CU_ASSERT_EQUAL(td->meter->pmu[0].plan.level, 1);
        if (n < 7)
            CU_ASSERT_FATAL(form && !strcmp(form->form->name, "icl-perf-metrics"));
        if (n > 6)
            CU_ASSERT_PTR_NULL(form);
        if (n == 9)
            CU_ASSERT_STRING_EQUAL(td_error(td), "the events added need more counters than there are at once, or the "
                                                 "same one (registers take no turns): add fewer");
        td_free(td);
    }
}

/* A level that was asked for is not given up for events that are added, which leave too few counters for it. */
static void added_to_level(void)
{
    static const struct {
        int level;
        bool counted;
    } rows[] = {{0, true}, {1, true}, {2, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = watched("icelake", "");

        CU_ASSERT_EQUAL(td_set_source(td, "msr"), 0);
        CU_ASSERT_EQUAL(rows[i].level ? td_set_level(td, rows[i].level) : 0, 0);
        for (unsigned n = 0; n < 6; n++) {
            char name[20];

            snprintf(name, sizeof(name), "0x%x,1", 0x30 + n);
            CU_ASSERT_EQUAL(td_add_event(td, name), 0);
        }
        CU_ASSERT_EQUAL(td_open_live(td, &(struct td_live){.size = sizeof(struct td_live)}), 0);
        CU_ASSERT_EQUAL(td->meter->pmu[0].plan.form != NULL, rows[i].counted);
        td_free(td);
    }
}

/* ---- a source that is made up ---------------------------------------------------------------------- */

enum { UNITS = 4 };

/* What it returns for each unit, and which of them it was called for. */
static struct {
    int err[UNITS];
    bool called[UNITS], on;
} made;

static int close_made(struct td_meter *m, struct td_unit *u, char why[TD_SOURCE_WHY])
{
    const size_t i = (size_t)(u - m->scopes.unit);

    made.called[i] = true;
    snprintf(why, TD_SOURCE_WHY, "unit %zu", i);
    return made.err[i];
}

static int enable_made(struct td_meter *m, struct td_unit *u, bool on)
{
    const size_t i = (size_t)(u - m->scopes.unit);

    made.called[i] = true;
    made.on = on;
    return made.err[i];
}

static const struct td_source source_made = {.name = "made", .close = close_made, .enable = enable_made};

/* All units are closed, whatever became of those before. What is given back later is noted, and the first of those that
 * cannot be given back is the error. */
static void closed(void)
{
    static const struct {
        int err[UNITS], wanted;
        const char *error, *notes;
    } rows[] = {
        {{0, 0, 0, 0}, 0, "", ""},
        {{0, -EIO, -EPERM, 0}, -ENOTRECOVERABLE, "unit 1", ""},
        {{-ENXIO, 0, -ENXIO, 0}, 0, "", "unit 0\nunit 2\n"},
        {{-ENXIO, 0, -EIO, -ENXIO}, -ENOTRECOVERABLE, "unit 2", "unit 0\nunit 3\n"},
        {{0, 0, 0, -ENOMEM}, -ENOTRECOVERABLE, "unit 3", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        static struct td_meter m;
        struct td_unit units_made[UNITS] = {{.lane = 0}};
        struct td_log log = {.note = keep_note};

        *told = '\0';
        memset(&made, 0, sizeof(made));
        memcpy(made.err, rows[i].err, sizeof(made.err));
        m.source = &source_made;
        m.log = &log;
        m.scopes.unit = units_made;
        m.scopes.nunits = UNITS;
        CU_ASSERT_EQUAL(td_units_close(&m), rows[i].wanted);
        CU_ASSERT_STRING_EQUAL(log.error, rows[i].error);
        CU_ASSERT_STRING_EQUAL(told, rows[i].notes);
        for (size_t u = 0; u < UNITS; u++)
            CU_ASSERT(made.called[u]);
    }
}

/* Units that are open and not gone are enabled or disabled, up to the first error. */
static void enabled(void)
{
    static const struct {
        int err[UNITS], wanted;
        bool open[UNITS], gone[UNITS], called[UNITS];
    } rows[] = {
        {{0, 0, 0, 0}, 0, {true, true, true, true}, {false}, {true, true, true, true}},
        {{0, 0, 0, 0}, 0, {true, false, true, true}, {false, false, true, false}, {true, false, false, true}},
        {{0, -EIO, 0, 0}, -EIO, {true, true, true, true}, {false}, {true, true, false, false}},
        {{-EIO, 0, 0, 0}, 0, {false, false, true, true}, {false}, {false, false, true, true}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (int on = 0; on < 2; on++) {
            static struct td_meter m;
            static struct td_perf_event event;
            struct td_unit units_made[UNITS] = {{.lane = 0}};

            memset(&made, 0, sizeof(made));
            memcpy(made.err, rows[i].err, sizeof(made.err));
            for (size_t u = 0; u < UNITS; u++) {
                units_made[u].perf.event = rows[i].open[u] ? &event : NULL;
                units_made[u].gone = rows[i].gone[u];
            }
            m.source = &source_made;
            m.scopes.unit = units_made;
            m.scopes.nunits = UNITS;
            m.counting = !on;
            CU_ASSERT_EQUAL(td_units_enable(&m, on), rows[i].wanted);
            CU_ASSERT(m.counting == on && made.on == on);
            CU_ASSERT_EQUAL(memcmp(made.called, rows[i].called, sizeof(made.called)), 0);
        }
}

static const CU_TestInfo tests[] = {
    {"fewer counters", fewer_counters},
    {"what goes away", went_away},
    {"user mode only", user_mode},
    {"no groups", no_groups},
    {"without the register", without_register},
    {"levels", levels},
    {"added events", added},
    {"events added to a level", added_to_level},
    {"units that are closed", closed},
    {"units that are enabled", enabled},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("opening", tests);
