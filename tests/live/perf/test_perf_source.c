/* SPDX-License-Identifier: MIT */
/* The source "perf": what it asks of plans, how it tries whether groups run beside what others count, and what it says.
 * The row, the plans and the kernel's answers are written here. */
#include "backends/rows.h"
#include "live/meter.h"
#include "live/perf/perf_source.h"
#include "tests/support/fake_os.h"

#include <stdlib.h>

enum { A, B, C, D, Z, EVENTS };

static const struct td_event events[EVENTS] = {
    {"a", 0x1, "0-3", "0-3", -1, 1, 1, true, .config1 = 0}, {"b", 0x2, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    {"c", 0x3, "0-3", "0-3", -1, 1, 1, true, .config1 = 0}, {"d", 0x4, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
    {"z", 0x5, "0-3", "0-3", -1, 1, 1, true, .config1 = 0},
};
/* Only what has a and z has a node. */
static const struct td_def defs[] = {{.name = "slots", .expr = "a"}, {.name = "retiring", .expr = "z / a"}, {0}};
static const struct td_form form = {"a-form", "", 0, {defs}};
static const struct td_form *const all_forms[] = {&form, NULL};
static const struct td_uarch row = {
    .name = "a-row", .width = 4, .events = events, .nevents = EVENTS, .tree = &td_tree_big, .forms = all_forms};

/* ---- the kernel ------------------------------------------------------------------------------- */

enum { FDS = 24 };

static struct {
    struct td_os os;
    int next, open, pinned, pins, spins, reads;
    struct {
        uint64_t config;
        pid_t pid;
        int cpu, leader;
        bool pinned;
    } event[FDS];
    uint64_t refused; /* a config that there is not */
    int err; /* of opening anything; 0: none */
    uint64_t enabled[FDS], running[FDS]; /* by the leader's descriptor */
    ssize_t fails[FDS]; /* what reading gives, if not 1 */
    bool no_pin, no_spin;
    int enables[FDS];
} kernel;

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    (void)ctx, (void)flags;
    if (kernel.err || attr->config == kernel.refused)
        return kernel.err ? kernel.err : -ENOENT;
    CU_ASSERT_FATAL(kernel.next < FDS);
    kernel.event[kernel.next].config = attr->config;
    kernel.event[kernel.next].pid = pid;
    kernel.event[kernel.next].cpu = cpu;
    kernel.event[kernel.next].leader = group;
    kernel.event[kernel.next].pinned = attr->pinned;
    kernel.open++;
    return kernel.next++;
}

static int request(void *ctx, int fd, unsigned long what, unsigned long arg)
{
    (void)ctx, (void)arg;
    kernel.enables[fd] += what == PERF_EVENT_IOC_ENABLE;
    return 0;
}

static ssize_t read_group(void *ctx, int fd, void *buf, size_t size)
{
    uint64_t values[3 + EVENTS] = {0, kernel.enabled[fd], kernel.running[fd], 7, 7, 7, 7, 7};

    (void)ctx;
    kernel.reads++;
    for (int i = fd; i < kernel.next; i++)
        values[0] += i == fd || kernel.event[i].leader == fd;
    CU_ASSERT_FATAL(size >= (3 + values[0]) * sizeof(*values));
    if (kernel.fails[fd] != 1)
        values[0] = 0;
    memcpy(buf, values, (3 + values[0]) * sizeof(*values));
    return kernel.fails[fd] == 1 ? (ssize_t)((3 + values[0]) * sizeof(*values)) : kernel.fails[fd];
}

static int close_event(void *ctx, int fd)
{
    (void)ctx, (void)fd;
    kernel.open--;
    return 0;
}

static int pin(void *ctx, int cpu)
{
    (void)ctx;
    kernel.pinned = cpu;
    kernel.pins++;
    return kernel.no_pin ? -EINVAL : 0;
}

static uint64_t spin(void *ctx, uint64_t ns)
{
    (void)ctx;
    CU_ASSERT_EQUAL(ns, 200000);
    kernel.spins++;
    return kernel.no_spin ? 0 : 1;
}

/* ---- the meter -------------------------------------------------------------------------------- */

static struct fake_os files;
static struct td_log messages;
static struct td_settings settings;
static struct td_meter *meter;
static struct td_host_pmu host;
static struct td_forms *forms;
static uint64_t config[EVENTS] = {1, 2, 3, 4, 5}, none, able[4];
static uint16_t member[4][4];
static struct td_plan_group group[4];
static struct td_unit unit;
static struct td_lane lane;
static int cpus[] = {4, 5};
static char told[1000];

static void keep_note(void *ctx, const char *text)
{
    const size_t n = strlen(told);

    (void)ctx;
    snprintf(told + n, sizeof(told) - n, "%s\n", text);
}

static ssize_t no_file(void *ctx, const char *path, char *buf, size_t size)
{
    (void)ctx, (void)path, (void)buf, (void)size;
    return -ENOENT;
}

static void boot(void)
{
    memset(&kernel, 0, sizeof(kernel));
    kernel.refused = UINT64_MAX;
    for (size_t i = 0; i < FDS; i++) {
        kernel.fails[i] = 1;
        kernel.enabled[i] = kernel.running[i] = 100;
    }
    kernel.os = (struct td_os){.name = "calls",
                               .perf_open = open_event,
                               .perf_ioctl = request,
                               .read = read_group,
                               .close = close_event,
                               .file = no_file,
                               .pin = pin,
                               .spin = spin};
    *told = '\0';
}

static void finish(void)
{
    td_perf_close(&unit.perf, &kernel.os);
    CU_ASSERT_EQUAL(kernel.open, 0);
    td_forms_free(forms);
    free(meter);
    meter = NULL;
}

/* A meter of one unit with these groups: the digits are events. */
static void begin(enum td_plan_first first, const char *const *groups, size_t n)
{
    if (meter)
        finish();
    meter = calloc(1, sizeof(*meter));
    CU_ASSERT_FATAL(meter && !td_forms_new(&row, &forms));
    boot();
    memset(group, 0, sizeof(group));
    for (size_t g = 0; g < n; g++) {
        able[g] = 0;
        group[g] = (struct td_plan_group){.event = member[g], .able = {&able[g], 1}};
        for (const char *c = groups[g]; *c; c++) {
            member[g][group[g].n++] = (uint16_t)(*c - '0');
            able[g] |= UINT64_C(1) << (*c - '0');
        }
    }
    none = 0;
    settings = (struct td_settings){.level = 0};
    messages = (struct td_log){.note = keep_note};
    host = (struct td_host_pmu){.name = "cpu", .type = 4, .cpus = {cpus, 2}, .counters = {.general = 4}};
    lane = (struct td_lane){.kind = TD_KIND_CPU};
    unit = (struct td_unit){.target = {-1, 5, -1}};
    meter->log = &messages;
    meter->settings = &settings;
    meter->source = &td_source_perf;
    meter->ask.os = &kernel.os;
    meter->npmus = 1;
    meter->pmu[0] = (struct td_perf_pmu){.host = &host, .forms = forms, .config = config, .absent = {&none, 1}};
    meter->pmu[0].plan = (struct td_plan){.first = first, .group = group, .ngroups = n, .level1 = {&none, 1}};
    meter->scopes = (struct td_scopes){.unit = &unit, .nunits = 1, .lane = &lane, .nlanes = 1};
}

#define BEGIN(first, ...) \
    begin(first, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- what it asks of plans ---------------------------------------------------------------------- */

static struct td_plan_ask asked(void)
{
    struct td_plan_ask ask;

    CU_ASSERT_EQUAL_FATAL(td_perf_source_ask(meter, &unit, false, &ask), 0);
    return ask;
}

static void asks(void)
{
    struct td_plan_ask a;

    BEGIN(TD_FIRST_TAKES_TURNS, "0");
    a = asked();
    CU_ASSERT(a.forms == forms && a.absent == &meter->pmu[0].absent && a.counters.general == 4 && !a.metrics);
    CU_ASSERT(!a.level && !a.fixed && !a.whole_core && !a.any && !a.no_corrections && !a.one_group && !a.sampled);
    CU_ASSERT(a.beside && a.keep_level1);
    meter->ask.user_read = true; /* a thread that reads counters itself: all in one group */
    a = asked();
    CU_ASSERT(!a.beside && !a.keep_level1);
    meter->ask.user_read = false;
    meter->nadded = 1;
    a = asked();
    CU_ASSERT(!a.beside && !a.keep_level1);
    meter->nadded = 0;
    settings.group = 1;
    a = asked();
    CU_ASSERT(a.beside && !a.keep_level1);
    settings.group = 0;
    settings.sampled = true;
    a = asked();
    CU_ASSERT(a.beside && !a.keep_level1 && a.sampled);
    settings.sampled = false;
    settings.fixed = true;
    settings.metrics = (char *)(uintptr_t) "m";
    a = asked();
    CU_ASSERT(a.fixed && a.metrics == settings.metrics);
    finish();
}

/* What is lean counts only level 1 where the register has four fields, unless a level was asked for. */
static void levels(void)
{
    static const struct {
        bool lean, fixed;
        unsigned fields;
        int level, asks;
    } rows[] = {{true, true, 4, 0, 1},  {true, true, 8, 0, 0}, {true, true, 0, 0, 0}, {true, false, 4, 0, 0},
                {false, true, 4, 0, 0}, {true, true, 4, 2, 2}, {true, true, 7, 0, 1}, {false, false, 8, 3, 3},
                {true, true, 1, 0, 1},  {false, true, 8, 1, 1}};

    BEGIN(TD_FIRST_TAKES_TURNS, "0");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        meter->lean = rows[i].lean;
        settings.fixed = rows[i].fixed;
        settings.level = rows[i].level;
        host.counters.fields = rows[i].fields;
        CU_ASSERT_EQUAL(asked().level, rows[i].asks);
        CU_ASSERT_EQUAL(asked().no_corrections, rows[i].lean);
    }
    finish();
}

/* Events that count for all threads of a core: of CPUs with SMT where the PMU has them, of tasks only where what their
 * siblings do may be counted. */
static void siblings(void)
{
    static const struct {
        bool any, smt, tasks, part, core_clock;
        int paranoid;
        bool asks, whole;
    } rows[] = {
        {true, true, false, false, false, 2, true, false},   {false, true, false, false, false, 2, false, false},
        {true, false, false, false, false, 2, false, false}, {true, true, true, false, false, 0, false, false},
        {true, true, true, true, false, 0, true, true},      {true, true, true, true, false, 1, false, true},
        {true, true, false, false, true, 2, true, true},     {true, true, false, true, false, 2, true, true},
    };

    BEGIN(TD_FIRST_TAKES_TURNS, "0");
    fake_begin(&files);
    meter->host.os = &files.os;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        host.any = rows[i].any;
        meter->host.smt = rows[i].smt;
        meter->host.paranoid = rows[i].paranoid;
        meter->scopes.tasks = rows[i].tasks;
        meter->scopes.core_clock = rows[i].core_clock;
        settings.part_of_core = rows[i].part;
        CU_ASSERT_EQUAL(asked().any, rows[i].asks);
        CU_ASSERT_EQUAL(asked().whole_core, rows[i].whole);
    }
    finish();
}

/* ---- trials -------------------------------------------------------------------------------------- */

/* What becomes of the plan; its own events are the first that are opened. Without z they solve nothing: a plan whose
 * groups run is refused for that, which is TD_SOURCE_CANNOT. */
static int tries(bool one_group, bool dry)
{
    const struct td_plan_ask ask = {.one_group = one_group};
    char why[TD_SOURCE_WHY] = "";
    int answer = td_perf_source_plan(meter, &unit, &ask, dry, why);

    CU_ASSERT_EQUAL(kernel.open, 0);
    if (answer == TD_SOURCE_FEWER)
        CU_ASSERT_STRING_EQUAL(why, "others hold counters that its group needs");
    return answer;
}

/* The events of the trial, as digits: those from a descriptor on. They are of the calling thread. */
static const char *tried(int from)
{
    static char text[FDS];
    int n = 0;

    for (int i = from; i < kernel.next; i++) {
        text[n++] = (char)('0' + kernel.event[i].config - 1);
        CU_ASSERT(kernel.event[i].pid == 0 && kernel.event[i].cpu == -1);
    }
    text[n] = '\0';
    return text;
}

static void fullest(void)
{
    BEGIN(TD_FIRST_TAKES_TURNS, "01", "123", "2");
    CU_ASSERT_EQUAL(tries(true, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(6), "123");
    CU_ASSERT(!kernel.event[6].pinned && kernel.event[6].leader == -1 && kernel.event[8].leader == 6);
    CU_ASSERT(kernel.enables[6] == 1 && kernel.spins == 1 && kernel.reads == 1 && kernel.pins == 2);
    CU_ASSERT_EQUAL(kernel.pinned, -1);
    BEGIN(TD_FIRST_TAKES_TURNS, "01", "23"); /* of two that need as many, the first */
    CU_ASSERT_EQUAL(tries(true, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(4), "01");
    BEGIN(TD_FIRST_TAKES_TURNS, "0", "1", "23");
    kernel.running[4] = 0;
    CU_ASSERT_EQUAL(tries(true, false), TD_SOURCE_FEWER);
    CU_ASSERT_STRING_EQUAL(tried(4), "23");
    BEGIN(TD_FIRST_TAKES_TURNS, "0", "1", "23");
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT); /* where it may be multiplexed, nothing is tried */
    CU_ASSERT_STRING_EQUAL(tried(4), "");
    host.counters = (struct td_counters){.general = 4, .watchdog = true};
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(8), "");
    host.counters.general = 0; /* nobody knows whether the watchdog's counter is left to it */
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(12), "23");
    kernel.next = 0;
    CU_ASSERT_EQUAL(tries(true, true), 0);
    CU_ASSERT_EQUAL(kernel.next, 0);
    finish();
}

/* A group that was enabled and did not run cannot; where that cannot be tried, it is supposed to. */
static void runs(void)
{
    static const struct {
        uint64_t enabled, running;
        ssize_t fails;
        bool no_pin, no_spin;
        size_t cpus;
        int reads;
        bool runs;
    } rows[] = {
        {100, 100, 1, false, false, 2, 1, true},  {100, 1, 1, false, false, 2, 1, true},
        {100, 0, 1, false, false, 2, 1, false},   {1, 0, 1, false, false, 2, 1, false},
        {0, 0, 1, false, false, 2, 1, true},      {100, 0, 1, true, false, 2, 0, true},
        {100, 0, 1, false, true, 2, 0, true},     {100, 0, 1, false, false, 0, 0, true},
        {100, 0, -EIO, false, false, 2, 1, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        BEGIN(TD_FIRST_TAKES_TURNS, "01");
        kernel.enabled[2] = rows[i].enabled;
        kernel.running[2] = rows[i].running;
        kernel.fails[2] = rows[i].fails;
        kernel.no_pin = rows[i].no_pin;
        kernel.no_spin = rows[i].no_spin;
        host.cpus.n = rows[i].cpus;
        CU_ASSERT_EQUAL(tries(true, false), rows[i].runs ? TD_SOURCE_CANNOT : TD_SOURCE_FEWER);
        CU_ASSERT_EQUAL(kernel.reads, rows[i].reads);
        CU_ASSERT_EQUAL(kernel.spins, rows[i].cpus && !rows[i].no_pin);
        CU_ASSERT_STRING_EQUAL(tried(2), rows[i].cpus ? "01" : "");
    }
    finish();
}

/* A first group that is to stay is tried beside the fullest of the others. */
static void stays(void)
{
    BEGIN(TD_FIRST_STAYS, "012", "3", "12", "0");
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(7), "01212");
    CU_ASSERT(kernel.event[7].pinned && !kernel.event[10].pinned && kernel.event[10].leader == -1);
    BEGIN(TD_FIRST_STAYS, "01", "2");
    kernel.running[5] = 0; /* the second group of the trial */
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT_STAY);
    BEGIN(TD_FIRST_STAYS, "01", "2");
    kernel.running[3] = 0;
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT_STAY);
    BEGIN(TD_FIRST_STAYS, "01", "2");
    kernel.fails[5] = -EIO;
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT_STAY);
    BEGIN(TD_FIRST_STAYS, "01");
    CU_ASSERT_EQUAL(tries(false, false), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(tried(2), "01");
    BEGIN(TD_FIRST_STAYS, "01", "2");
    kernel.running[5] = 0;
    CU_ASSERT_EQUAL(tries(false, true), 0); /* nothing is opened */
    CU_ASSERT_EQUAL(kernel.next, 0);
    finish();
}

/* A plan that has what level 1 needs, and whose groups run, stays open. */
static void takes(void)
{
    const struct td_plan_ask ask = {.one_group = true};
    char why[TD_SOURCE_WHY];

    BEGIN(TD_FIRST_TAKES_TURNS, "04");
    CU_ASSERT_EQUAL(td_perf_source_plan(meter, &unit, &ask, false, why), 0);
    CU_ASSERT(kernel.open == 2 && unit.perf.n == 2 && kernel.event[0].cpu == 5);
    CU_ASSERT_STRING_EQUAL(tried(2), "04");
    finish();
}

/* The first event that the nodes of level 1 lack is named, with the reason. */
static void lacks(void)
{
    const struct td_plan_ask ask = {.one_group = false};
    uint64_t level1 = 1 << B | 1 << D;
    char why[TD_SOURCE_WHY] = "";

    BEGIN(TD_FIRST_TAKES_TURNS, "02", "13");
    meter->pmu[0].plan.level1 = (struct td_bits){&level1, 1};
    kernel.refused = 2;
    CU_ASSERT_EQUAL(td_perf_source_plan(meter, &unit, &ask, false, why), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(why, "b cannot be counted here: No such file or directory");
    kernel.refused = 4;
    CU_ASSERT_EQUAL(td_perf_source_plan(meter, &unit, &ask, false, why), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(why, "d cannot be counted here: No such file or directory");
    kernel.refused = 1;
    CU_ASSERT_EQUAL(td_perf_source_plan(meter, &unit, &ask, false, why), TD_SOURCE_CANNOT);
    CU_ASSERT_STRING_EQUAL(why, "an event cannot be counted here: No such file or directory");
    CU_ASSERT_EQUAL(kernel.open, 0);
    finish();
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* A further unit is opened once, with its PMU's plan, if it has what level 1 needs. */
static void opens(void)
{
    BEGIN(TD_FIRST_TAKES_TURNS, "04");
    CU_ASSERT_EQUAL(td_perf_source_open(meter, &unit), 0);
    CU_ASSERT_EQUAL(kernel.open, 2);
    CU_ASSERT_EQUAL(td_perf_source_open(meter, &unit), 0);
    CU_ASSERT_EQUAL(kernel.open, 2);
    BEGIN(TD_FIRST_TAKES_TURNS, "01");
    meter->host.os = &kernel.os;
    CU_ASSERT_EQUAL(td_perf_source_open(meter, &unit), -EOPNOTSUPP);
    CU_ASSERT(!kernel.open && *messages.error);
    finish();
}

/* What is refused is explained by what was asked for: whole CPUs, or tasks with the kernel's mode. */
static void explained(void)
{
    static const struct {
        bool tasks, no_kernel;
        const char *text;
    } rows[] = {{false, false, "paranoid is 2: counting whole CPUs"},
                {true, false, "paranoid is 2: counting kernel mode"},
                {false, true, "paranoid is 2: counting whole CPUs"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        BEGIN(TD_FIRST_TAKES_TURNS, "04");
        meter->host.os = &kernel.os;
        meter->host.paranoid = 2;
        meter->scopes.tasks = rows[i].tasks;
        meter->ask.no_kernel = rows[i].no_kernel;
        kernel.err = -EACCES;
        CU_ASSERT_EQUAL(td_perf_source_open(meter, &unit), -EACCES);
        CU_ASSERT_PTR_NOT_NULL(strstr(messages.error, rows[i].text));
        finish();
    }
}

/* After all forms were tried: why others than the one that is used cannot be counted, or why none can. */
static void settles(void)
{
    struct td_formcode code = {.form = &form};

    BEGIN(TD_FIRST_TAKES_TURNS, "04");
    meter->pmu[0].plan.form = &code;
    CU_ASSERT_EQUAL(td_perf_source_settle(meter, &unit, true, ""), 0);
    CU_ASSERT_STRING_EQUAL(told, "");
    CU_ASSERT_EQUAL(td_perf_source_settle(meter, &unit, true, "b-form: no"), 0);
    CU_ASSERT_STRING_EQUAL(told, "cpu is measured by the form a-form (b-form: no)\n");
    CU_ASSERT_EQUAL(td_perf_source_settle(meter, &unit, false, "b-form: no"), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(messages.error,
                           "PMU cpu cannot count the top-down events of a-row: b-form: no. A newer kernel may know "
                           "them; 'tdprobe doctor' shows what was found");
    meter->host.guest = true;
    CU_ASSERT_EQUAL(td_perf_source_settle(meter, &unit, false, ""), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(messages.error,
                           "PMU cpu cannot count the top-down events of a-row. This is a guest, whose virtual PMU may "
                           "lack them: give it the host's (KVM: -cpu host,pmu=on), or measure on the host");
    finish();
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void opened(struct td_perf_target target)
{
    struct td_perf_error e;

    unit.target = target;
    CU_ASSERT_EQUAL_FATAL(td_perf_open(&unit.perf, &meter->ask, &meter->pmu[0], &target, &e), 0);
}

static int reads(void)
{
    *told = '\0';
    return td_source_perf.read(meter, &unit);
}

static void unreadable(void)
{
    static const struct {
        struct td_perf_target target;
        const char *who;
    } rows[] = {{{71, -1, -1}, " of task 71"},
                {{0, -1, -1}, " of task 0"},
                {{-1, 5, -1}, " of CPU 5"},
                {{-1, 0, -1}, " of CPU 0"},
                {{-1, 5, 0}, " of CPU 5"},
                {{71, 5, 9}, " of CPU 5"},
                {{71, -1, 0}, ""}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char wanted[200];

        BEGIN(TD_FIRST_TAKES_TURNS, "0");
        opened(rows[i].target);
        kernel.fails[0] = -EPERM;
        snprintf(wanted, sizeof(wanted),
                 "the counters%s cannot be read (read: Operation not permitted); what was counted since the last "
                 "reading is not shown",
                 rows[i].who);
        CU_ASSERT_EQUAL(reads(), -EPERM);
        CU_ASSERT_STRING_EQUAL(messages.error, wanted);
        CU_ASSERT(!unit.gone && !*told);
        finish();
    }
}

/* A CPU that went offline is no error, a task is. */
static void offline(void)
{
    for (int cpu = -1; cpu < 2; cpu++) {
        BEGIN(TD_FIRST_TAKES_TURNS, "0");
        opened((struct td_perf_target){cpu < 0 ? 71 : -1, cpu, -1});
        kernel.fails[0] = -ENODEV;
        CU_ASSERT_EQUAL(reads(), cpu < 0 ? -ENODEV : 0);
        CU_ASSERT_EQUAL(unit.gone, cpu >= 0);
        CU_ASSERT_EQUAL(unit.lost, cpu >= 0);
        CU_ASSERT_EQUAL(!*told, cpu < 0);
        if (cpu >= 0) {
            snprintf(messages.error, sizeof(messages.error),
                     "CPU %d went offline: it is not measured until it is back, and its last counts are missing\n",
                     cpu);
            CU_ASSERT_STRING_EQUAL(told, messages.error);
        }
        finish();
    }
}

/* A first group that loses its counters to others is told of once, and counts again as soon as they are free. */
static void loses(void)
{
#define LOST(where) \
    "the level-1 group of cpu lost its counters " where \
    ": pinned events of somebody else have them (perf stat -e EVENT:D, a debugger, a guest). Level 1 is not counted " \
    "there until they are free. What to do: end what else measures\n"
    static const struct {
        struct td_perf_target target;
        const char *text;
    } rows[] = {{{-1, 5, -1}, LOST("on CPU 5")}, {{-1, 0, -1}, LOST("on CPU 0")}, {{71, -1, -1}, LOST("in task 71")}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        BEGIN(TD_FIRST_STAYS, "01", "2");
        opened(rows[i].target);
        CU_ASSERT_EQUAL(reads(), 0);
        CU_ASSERT_STRING_EQUAL(told, "");
        kernel.fails[0] = 0; /* the end of the file */
        CU_ASSERT_EQUAL(reads(), 0);
        CU_ASSERT_STRING_EQUAL(told, rows[i].text);
        CU_ASSERT_EQUAL(kernel.enables[0], 0); /* counting has not begun */
        meter->counting = true;
        CU_ASSERT_EQUAL(reads(), 0);
        CU_ASSERT_STRING_EQUAL(told, "");
        CU_ASSERT(kernel.enables[0] == 1 && !kernel.enables[1] && !kernel.enables[2]);
        kernel.fails[0] = 1;
        CU_ASSERT_EQUAL(reads(), 0);
        CU_ASSERT_EQUAL(kernel.enables[0], 1);
        finish();
    }
    BEGIN(TD_FIRST_STAYS, "01", "2"); /* in something that inherited it: enabled for 3 ms less than the other group */
    opened((struct td_perf_target){71, -1, -1});
    meter->counting = true;
    kernel.enabled[0] = kernel.running[0] = 100000000;
    kernel.enabled[2] = kernel.running[2] = 103000000;
    CU_ASSERT_EQUAL(reads(), 0);
    CU_ASSERT_STRING_EQUAL(told, LOST("in a thread or child"));
    CU_ASSERT_EQUAL(kernel.enables[0], 0);
    finish();
}

static const CU_TestInfo tests[] = {
    {"what it asks of plans", asks},    {"... of levels", levels},          {"... of siblings", siblings},
    {"the fullest group", fullest},     {"groups that run", runs},          {"a first group that stays", stays},
    {"a plan that is taken", takes},    {"events that are lacking", lacks}, {"further units", opens},
    {"what is refused", explained},     {"forms that were tried", settles}, {"what cannot be read", unreadable},
    {"CPUs that are offline", offline}, {"counters that are lost", loses},  CU_TEST_INFO_NULL,
};
UNIT_SUITE("the source perf", tests);
