/* SPDX-License-Identifier: MIT */
/* The source "msr" while the machine fails: whichever call through the seam
 * fails, the registers are restored and no descriptor stays open. */
#include "tests/support/msr_machine.h"

#include <errno.h>
#include <math.h>

enum kind { CPUID, FILE_, NAMES, OPEN, READ, WRITE, KINDS };

/* The registers of counters. */
static const struct {
    uint32_t first, end;
} ranges[] = {{0xc1, 0xcb}, {0x186, 0x190}, {0x309, 0x311}, {0x329, 0x32a}, {0x38d, 0x391}, {0x4c1, 0x4cb}};

enum { WATCHED = 10 + 10 + 8 + 1 + 4 + 10 };

/* The call that fails; the machine's own context is passed through. */
static struct {
    const struct td_os *real;
    enum kind kind;
    unsigned long at, n;
    int err;
    bool on, hit;
} fault;

static bool strikes(enum kind kind)
{
    bool now = fault.on && kind == fault.kind && fault.n++ == fault.at;

    fault.hit = fault.hit || now;
    return now;
}

static int faulty_cpuid(void *ctx, int cpu, uint32_t leaf, uint32_t sub, uint32_t out[4])
{
    return strikes(CPUID) ? fault.err : fault.real->cpuid(ctx, cpu, leaf, sub, out);
}

static ssize_t faulty_file(void *ctx, const char *path, char *buf, size_t size)
{
    return strikes(FILE_) ? fault.err : fault.real->file(ctx, path, buf, size);
}

static int faulty_names(void *ctx, const char *path, td_os_name_fn *each, void *arg)
{
    return strikes(NAMES) ? fault.err : fault.real->names(ctx, path, each, arg);
}

static int faulty_open(void *ctx, int cpu)
{
    return strikes(OPEN) ? fault.err : fault.real->msr_open(ctx, cpu);
}

static int faulty_read(void *ctx, int fd, uint32_t reg, uint64_t *value)
{
    return strikes(READ) ? fault.err : fault.real->msr_read(ctx, fd, reg, value);
}

static int faulty_write(void *ctx, int fd, uint32_t reg, uint64_t value)
{
    return strikes(WRITE) ? fault.err : fault.real->msr_write(ctx, fd, reg, value);
}

/* Registers with contents: stopped, but used before. */
static const char used[] =
    "msr 0x186 = 0x300c4\nmsr 0x4c1 = 0xfedcba987654\nmsr 0x30a = 0x111122223333\nmsr 0x30c = 0x9876543210\n"
    "msr 0x329 = 0x1020304050607080\nmsr 0x391 = 0x200000001\nmsr 0x38f = 0x5\n";

static void dump_ranges(const struct td_os *os, const int *cpus, size_t n, uint64_t *out)
{
    for (size_t i = 0; i < n; i++) {
        int fd = os->msr_open(os->ctx, cpus[i]);

        for (size_t k = 0; k < sizeof(ranges) / sizeof(*ranges); k++)
            for (uint32_t reg = ranges[k].first; reg < ranges[k].end; reg++, out++)
                if (os->msr_read(os->ctx, fd, reg, out))
                    *out = UINT64_MAX;
        os->close(os->ctx, fd);
    }
}

/* Opens, reads twice, pauses: until something fails. */
static int measure(struct td *td, const int *cpus, size_t n)
{
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = cpus, .ncpus = n};
    const struct td_os *os = td_sim_os(td->sim);
    const struct td_result *r;
    struct td_os_event e;
    int err = td_open_live(td, &what);

    for (int i = 0; i < 2 && !err; i++) {
        os->wait(os->ctx, os->now(os->ctx) + 50000000, -1, &e);
        err = td_take(td);
        while (!err && !(err = td_next(td, &r)))
            for (size_t k = 0; k < td_result_metrics(r); k++) {
                const struct td_metric *m = td_result_metric(r, k);

                if (m->status == TD_OK && (m->value < -0.05 || m->value > 1.05))
                    CU_FAIL("a wrong number");
            }
        err = err == -EAGAIN ? 0 : err;
        if (!err)
            err = td_enable(td, i > 0);
    }
    return err;
}

/* True as long as there was a call to fail. */
static bool strike(const char *name, const int *cpus, size_t n, enum kind kind, int error, unsigned long at, bool later)
{
    struct td *td = begin(name, later ? used : "");
    uint64_t *before = calloc(2 * n * WATCHED, sizeof(*before)), *after = before + n * WATCHED;
    struct td_sim_calls calls;
    struct td_os os;
    int err;

    os = *td_sim_os(td->sim);
    os.cpuid = faulty_cpuid;
    os.file = faulty_file;
    os.names = faulty_names;
    os.msr_open = faulty_open;
    os.msr_read = faulty_read;
    os.msr_write = faulty_write;
    fault.real = td_sim_os(td->sim);
    fault.kind = kind;
    fault.at = at;
    fault.err = error;
    fault.hit = false;
    fault.n = 0;
    dump_ranges(fault.real, cpus, n, before);
    td->os = &os;
    fault.on = true;
    err = measure(td, cpus, n);
    if (err && strlen(td_error(td)) < 10)
        CU_FAIL("an error without a text");
    err = td_close_live(td);
    fault.on = false;
    CU_ASSERT_EQUAL(err, 0);
    dump_ranges(fault.real, cpus, n, after);
    if (memcmp(before, after, n * WATCHED * sizeof(*before))) {
        printf("%s: call %lu of kind %d, error %d\n", name, at, kind, error);
        CU_FAIL("registers are not as before");
    }
    td_sim_calls(td->sim, &calls);
    CU_ASSERT_EQUAL(calls.open_fds, 0);
    td_free(td);
    free(before);
    return fault.hit;
}

static void machine(const char *name, const int *cpus, size_t n)
{
    static const int errors[] = {-EIO, -ENXIO, -EPERM};
    unsigned long calls = 0;

    for (enum kind k = 0; k < KINDS; k++)
        for (size_t i = 0; i < (unit_rounds(100) == 1 ? 1 : sizeof(errors) / sizeof(*errors)); i++) {
            unsigned long at = 0;

            if (k > OPEN && errors[i] == -ENXIO) /* the CPU is gone, so nothing can be given back to it */
                continue;
            while (strike(name, cpus, n, k, errors[i], at, at % 2))
                at++;
            calls += at;
        }
    CU_ASSERT(calls > 100);
}

static void any_call(void)
{
    static const int one[] = {3}, two[] = {2, 8};

    machine("sapphirerapids", one, 1);
    machine("skylake-nosmt", one, 1);
    machine("alderlake", two, 2);
}

/* A CPU goes offline while it is measured: the others are still measured. */
static void offline(void)
{
    static const int cpus[] = {2, 4};
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = cpus, .ncpus = 2, .by = TD_BY_CPU};
    struct td *td = begin("sapphirerapids", "hotplug 4 off at=100\n");
    const struct td_os *os = td_sim_os(td->sim);
    const struct td_result *r;
    struct td_os_event e;
    unsigned values = 0;

    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    os->wait(os->ctx, os->now(os->ctx) + 200000000, -1, &e);
    CU_ASSERT_EQUAL(td_take(td), 0);
    while (!td_next(td, &r))
        values += td_result_metric(r, 0)->status == TD_OK && fabs(td_result_metric(r, 0)->value - 0.25) < 0.01;
    CU_ASSERT_EQUAL(values, 1);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    td_free(td);
}

/* Where it was the only one there is nothing left to measure. */
static void all_offline(void)
{
    static const int cpus[] = {4, 5};

    for (size_t n = 1; n < 3; n++) {
        const struct td_live what = {.size = sizeof(struct td_live), .cpus = cpus, .ncpus = n};
        struct td *td = begin("sapphirerapids", "hotplug 4 off at=100\n");
        const struct td_os *os = td_sim_os(td->sim);
        struct td_os_event e;

        CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
        os->wait(os->ctx, os->now(os->ctx) + 200000000, -1, &e);
        CU_ASSERT_EQUAL(td_take(td), n == 1 ? -ENODATA : 0);
        CU_ASSERT_EQUAL(n == 1, strstr(td_error(td), "all CPUs that were measured went offline") != NULL);
        CU_ASSERT_EQUAL(td_close_live(td), 0);
        td_free(td);
    }
}

static unsigned left; /* notes about registers that were not restored */

static void count_note(void *ctx, const char *text)
{
    (void)ctx;
    left += strstr(text, "CPU 7 is offline: its registers") != NULL;
}

/* Both threads of a core, whose formulas need both: with only one there is no result. */
static void sibling_offline(void)
{
    static const int cpus[] = {3, 7};
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = cpus, .ncpus = 2};
    struct td *td = begin("skylake", "hotplug 7 off at=100\n");
    const struct td_os *os = td_sim_os(td->sim);
    const struct td_result *r;
    struct td_os_event e;

    left = 0;
    td_set_note(td, count_note, NULL);
    CU_ASSERT_EQUAL(td_open_live(td, &what), 0);
    os->wait(os->ctx, os->now(os->ctx) + 200000000, -1, &e);
    CU_ASSERT_EQUAL(td_enable(td, false), 0); /* the other one continues */
    CU_ASSERT_EQUAL(td_enable(td, true), 0);
    CU_ASSERT_EQUAL(td_take(td), 0);
    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    CU_ASSERT_NOT_EQUAL(td_result_metric(r, 0)->status, TD_OK);
    CU_ASSERT_EQUAL(left, 0);
    CU_ASSERT_EQUAL(td_close_live(td), 0);
    CU_ASSERT_EQUAL(left, 1);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"any call fails", any_call},
    {"a CPU goes offline", offline},
    {"all CPUs go offline", all_offline},
    {"a sibling goes offline", sibling_offline},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("msr faults", tests);
