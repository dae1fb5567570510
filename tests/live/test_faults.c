/* SPDX-License-Identifier: MIT */
/* Every call through the seam fails once, in every possible way: no crash,
 * no descriptor left open, no wrong number, and a message with the reason. */
#include "tests/support/faulty.h"
#include "session/session.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one measurement ------------------------------------------------------- */

enum { NUMBERS = 400 };

/* The result of a measurement: the values by interval, scope and metric. */
struct outcome {
    int err; /* from the call that failed, 0: none */
    size_t n;
    struct number {
        char name[160];
        double value, low, high;
        enum td_status status;
        unsigned flags;
    } number[NUMBERS];
};

static void keep(struct outcome *o, const struct td_result *r, int take)
{
    for (size_t i = 0; i < td_result_metrics(r) && o->n < NUMBERS; i++) {
        const struct td_metric *m = td_result_metric(r, i);
        struct number *x = &o->number[o->n++];

        snprintf(x->name, sizeof(x->name), "%d %s %s %s", take, td_result_scope(r),
                 td_result_core(r) ? td_result_core(r) : "", m->name);
        x->value = m->value;
        x->low = m->low;
        x->high = m->high;
        x->status = m->status;
        x->flags = m->flags | td_result_flags(r);
    }
}

static void measure(struct td *td, const struct td_os *machine, const struct td_live *what, struct outcome *o)
{
    struct td_os_event event;
    const struct td_result *r;

    o->err = td_open_live(td, what);
    for (int take = 0; take < 2 && !o->err; take++) {
        machine->wait(machine->ctx, machine->now(machine->ctx) + 100000000, -1, &event);
        o->err = td_take(td);
        while (!o->err && !(o->err = td_next(td, &r)))
            keep(o, r, take);
        o->err = o->err == -EAGAIN ? 0 : o->err;
    }
    for (size_t i = 0; !o->err; i++) {
        o->err = td_summary(td, i, &r);
        if (!o->err)
            keep(o, r, 9);
    }
    o->err = o->err == -ENODATA ? 0 : o->err;
}

static void run(const char *path, const struct td_live *what, struct faulty *f, struct outcome *o)
{
    struct input in = {shipped_machine(path)};
    struct td *td = td_new();

    *o = (struct outcome){0};
    if (!in.file || !td || td_set_machine(td, path, read_file, &in)) {
        CU_FAIL_FATAL("the machine cannot be read");
        return;
    }
    make_faulty(f, td_session_os(td));
    td->os = &f->os;
    measure(td, f->real, what, o);
    if (o->err && (!*td_error(td) || strlen(td_error(td)) < 10)) {
        printf("%s: error %d without a text\n", path, o->err);
        CU_FAIL("no text");
    }
    td_free(td);
    fclose(in.file);
    if (f->open) {
        printf("%s: %ld descriptors left open\n", path, f->open);
        CU_FAIL("descriptors left open");
    }
}

static const struct number *find(const struct outcome *o, const char *name)
{
    for (size_t i = 0; i < o->n; i++)
        if (!strcmp(o->number[i].name, name))
            return &o->number[i];
    return NULL;
}

/* A value must have the truth within its bounds, or be as near to it as in the
 * undisturbed measurement; or have a flag that marks it as unreliable. */
static bool honest(const struct number *x, const struct number *truth)
{
    const unsigned warned = TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_SUM_OFF | TD_FLAG_SMT_UNKNOWN |
                            TD_FLAG_ONE_SIBLING | TD_FLAG_CORRECTION_MISSING;

    if (x->status != TD_OK || x->flags & warned)
        return true;
    if (!truth || truth->status != TD_OK) /* another form of the formulas */
        return x->value >= -0.05 && x->value <= 1.05;
    return fabs(x->value - truth->value) < 0.012 || (x->low - 0.004 <= truth->value && truth->value <= x->high + 0.004);
}

static void compare(const char *path, const struct faulty *f, const struct outcome *o, const struct outcome *truth)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct number *x = &o->number[i];

        if (honest(x, find(truth, x->name)))
            continue;
        printf("%s: call %lu of kind %d, trick %d, error %d: %s is %f\n", path, f->at, f->kind, f->trick, f->err,
               x->name, x->value);
        CU_FAIL("a wrong number");
    }
}

/* One kind of call and one kind of failure: at every call in turn. */
static unsigned long strike(const char *path, const struct td_live *what, enum kind kind, enum trick trick, int err,
                            const struct outcome *truth)
{
    struct outcome *o = malloc(sizeof(*o));
    unsigned long n = 0;
    bool hit = o != NULL;

    while (hit) {
        struct faulty f = {.kind = kind, .trick = trick, .err = err, .at = n++};

        run(path, what, &f, o);
        compare(path, &f, o, truth);
        if (kind == READ && trick != NO_RUNNING && trick != NO_ENABLED && err != -EINTR && err != -ENODEV && f.hit &&
            !f.trial && !o->err)
            CU_FAIL("a failed read was not noticed");
        hit = f.hit;
    }
    free(o);
    return n - 1;
}

/* Under valgrind one error and two machines must suffice. */
static bool quick(void)
{
    return unit_rounds(100) == 1;
}

/* With every step-th error from the first one on; TD_LONG: with all. */
static void machine_with(const char *path, const struct td_live *what, size_t first, size_t step)
{
    static const int errors[] = {-EACCES, -EPERM, -ENOENT, -EINVAL, -EMFILE, -ENOSPC,
                                 -ENODEV, -EINTR, -EBUSY,  -ESRCH,  -EIO};
    const bool all = quick() || unit_long_rounds(100) == 100;
    struct outcome *truth = malloc(sizeof(*truth));
    struct faulty none = {.kind = KINDS};
    unsigned long calls = 0;

    run(path, what, &none, truth);
    CU_ASSERT_EQUAL(truth->err, 0);
    CU_ASSERT(truth->n > 0);
    for (enum kind k = 0; k < KINDS; k++)
        for (size_t i = all ? 0 : first; i < (quick() ? 1 : sizeof(errors) / sizeof(*errors)); i += all ? 1 : step)
            calls += strike(path, what, k, FAIL, errors[i], truth);
    for (enum kind k = 0; k < KINDS; k++)
        calls += strike(path, what, k, FAIL_ON, k == FILE_ ? -ENOENT : -EACCES, truth);
    for (enum trick t = SHORT; t <= NO_RUNNING; t++)
        calls += strike(path, what, READ, t, 0, truth);
    CU_ASSERT(calls > 100);
    free(truth);
}

/* What an error means does not depend on the CPU, so that the machines share them. */
static void system_wide(void)
{
    static const struct {
        const char *name;
        size_t first, step;
    } of[] = {
        {"skylake", 0, 2}, {"sapphirerapids", 0, 3}, {"alderlake", 1, 2}, {"elkhartlake", 1, 3}, {"yitian710", 2, 3}};
    const struct td_live all = {.size = sizeof(struct td_live)};

    for (size_t i = 0; i < (quick() ? 2 : sizeof(of) / sizeof(*of)); i++)
        machine_with(of[i].name, &all, of[i].first, of[i].step);
}

static void by_core(void)
{
    const struct td_live cores = {.size = sizeof(struct td_live), .by = TD_BY_CORE};

    machine_with("skylake", &cores, 0, 2);
}

static void tasks(void)
{
    const pid_t self = 0;
    const struct td_live own = {.size = sizeof(struct td_live), .tasks = &self, .ntasks = 1, .name = "self"};

    machine_with("sapphirerapids", &own, 0, 2);
    machine_with("alderlake", &own, 1, 2);
}

/* A PMU that knows only the kernel's old top-down events: RECOVERY_CYCLES
 * without cmask, which all of the vendor's forms need, is refused. */
static int old_open(void *ctx, const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags)
{
    struct faulty *f = ctx;

    if ((a->config & 0xffff) == 0x10d && !(a->config >> 24))
        return -EINVAL;
    return f->real->perf_open(f->real->ctx, a, pid, cpu, group, flags);
}

static void keep_note(void *ctx, const char *text)
{
    snprintf(ctx, 600, "%s", text);
}

/* The shares of sim/machines/skylake-nosmt.machine; there the kernel's event counts
 * recoveries with cmask=1, as often as the vendor's. */
static void falls_to_the_kernels_events(void)
{
    struct input in = {shipped_machine("skylake-nosmt")};
    const struct td_live all = {.size = sizeof(struct td_live)};
    struct faulty f = {.kind = KINDS};
    struct outcome *o = calloc(1, sizeof(*o));
    struct td *td = td_new();
    char told[600] = "";

    CU_ASSERT_EQUAL_FATAL(td_set_machine(td, "machine", read_file, &in), 0);
    make_faulty(&f, td_session_os(td));
    f.os.perf_open = old_open;
    td->os = &f.os;
    td_set_note(td, keep_note, told);
    measure(td, f.real, &all, o);
    CU_ASSERT_EQUAL(o->err, 0);
    CU_ASSERT(strstr(told, "kernel-topdown") && strstr(told, "INT_MISC.RECOVERY_CYCLES cannot be counted here"));
    CU_ASSERT(find(o, "0 system  retiring") && fabs(find(o, "0 system  retiring")->value - 0.25) < 1e-3);
    CU_ASSERT(find(o, "0 system  backend_bound") && fabs(find(o, "0 system  backend_bound")->value - 0.5) < 1e-3);
    td_free(td);
    free(o);
    fclose(in.file);
}

static const CU_TestInfo tests[] = {
    {"whole machines", system_wide},
    {"by core", by_core},
    {"a task", tasks},
    {"the kernel's old events", falls_to_the_kernels_events},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("faults", tests);
