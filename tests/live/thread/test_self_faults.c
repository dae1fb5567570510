/* SPDX-License-Identifier: MIT */
/* Handles of a thread when something fails: whatever fails while one is
 * opened leaves nothing open, and counters that were zeroed give no number. */
#include "tests/support/faulty.h"
#include "live/meter.h"
#include "tests/support/thread_regions.h"
#include "live/thread/thread.h"

#ifdef __x86_64__
enum { USEC = 1000 };

/* A pass through a region, with a handle that may be open or not: its share is
 * the machine's, 25 % retiring, or there is a reason why not. */
static void use(struct td *td, struct faulty *f, int err)
{
    const struct td_metric *m;
    struct td_region_info info = {.size = sizeof(info)};
    const struct td_result *r;
    struct td_snapshot s;

    if (err) {
        CU_ASSERT_EQUAL(td_read(td, &s), -EINVAL);
        CU_ASSERT_EQUAL(td_region(td, "r"), -EINVAL);
        CU_ASSERT_EQUAL(f->open, 0); /* closed at once, not only when it is freed */
        CU_ASSERT_EQUAL(f->mapped, 0);
        return;
    }
    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    err = td_region_begin(td, 0);
    CU_ASSERT_TRUE(err == 0 || err == -EXDEV); /* without its file cpu_core is no PMU, and the other kind is measured */
    td_sim_self_run(td->sim, 1000 * USEC);
    CU_ASSERT_EQUAL(td_region_end(td, 0), err);
    CU_ASSERT_EQUAL(td_region_result(td, 0, &info, &r), 0);
    CU_ASSERT_EQUAL(info.passes + info.discarded[TD_DISCARD_OTHER_CORE], 1);
    m = node(r, "retiring");
    if (m->status == TD_OK)
        CU_ASSERT_DOUBLE_EQUAL(m->value, 0.25, 0.01);
}

static int open_faulty(const char *machine, const struct td_self_ask *ask, struct faulty *f)
{
    struct input in = {shipped_machine(machine)};
    struct td *td = td_new();
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in.file);
    CU_ASSERT_EQUAL_FATAL(td_set_machine(td, machine, read_file, &in), 0);
    make_faulty(f, td_session_os(td));
    td->os = &f->os;
    err = td_open_self(td, ask);
    if (err && strlen(td_error(td)) < 10) {
        fprintf(stderr, "%s: error %d without a text\n", machine, err);
        CU_FAIL("no text");
    }
    use(td, f, err);
    td_free(td);
    fclose(in.file);
    CU_ASSERT_EQUAL(f->open, 0);
    CU_ASSERT_EQUAL(f->mapped, 0);
    return err;
}

/* Fails each call of opening in turn. */
static void opening(void)
{
    static const char *const machines[] = {"sapphirerapids", "alderlake", "skylake-nosmt"};
    static const int errors[] = {-EMFILE, -EACCES, -ENOENT, -EINVAL, -ENOMEM};
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask), .corrections = true, .ring = 2};
    unsigned long failed[KINDS] = {0};

    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++)
        for (enum kind k = 0; k < KINDS; k++)
            for (size_t i = 0; i < (unit_rounds(100) == 1 ? 1 : sizeof(errors) / sizeof(*errors)); i++) {
                bool hit = true;

                for (unsigned long n = 0; hit; n++) {
                    struct faulty f = {.kind = k, .at = n, .err = errors[i]};

                    failed[k] += open_faulty(machines[m], &ask, &f) != 0;
                    hit = f.hit;
                }
            }
    CU_ASSERT_TRUE(failed[OPEN] != 0 && failed[IOCTL] != 0 && failed[MAP] != 0);
    CU_ASSERT_TRUE(failed[RSEQ] != 0); /* on a hybrid */
}

/* Maps fail in their order: a page for each event, then the handle's own, which fork(2) wipes. */
static void mapping(void)
{
    static const char *const why[] = {
        "the event's page cannot be mapped (mmap): Operation not permitted; kernel.perf_event_mlock_kb and "
        "RLIMIT_MEMLOCK limit it",
        "no memory that fork(2) wipes (Linux 4.14 and later have it): Operation not permitted",
    };
    const struct td_self_ask ask = {.size = sizeof(struct td_self_ask)};
    unsigned told[2] = {0};
    bool hit = true;

    for (unsigned long n = 0; hit; n++) {
        struct faulty f = {.kind = MAP, .at = n, .err = -EPERM};
        struct input in = {shipped_machine("skylake-nosmt")};
        struct td *td = td_new();

        CU_ASSERT_PTR_NOT_NULL_FATAL(in.file);
        CU_ASSERT_EQUAL_FATAL(td_set_machine(td, "skylake-nosmt", read_file, &in), 0);
        make_faulty(&f, td_session_os(td));
        td->os = &f.os;
        hit = td_open_self(td, &ask) == -EPERM;
        CU_ASSERT_EQUAL(hit, f.hit);
        for (size_t i = 0; i < 2 && hit; i++)
            told[i] += strstr(td_error(td), why[i]) != NULL;
        td_free(td);
        fclose(in.file);
    }
    CU_ASSERT(told[0] == 5 && told[1] == 1); /* the five events of level 1 */
}

static struct td *open_with(const char *machine, struct td_self_ask ask, struct faulty *f, struct input *in)
{
    struct td *td = td_new();

    in->file = shipped_machine(machine);
    CU_ASSERT_PTR_NOT_NULL_FATAL(in->file);
    CU_ASSERT_EQUAL_FATAL(td_set_machine(td, machine, read_file, in), 0);
    make_faulty(f, td_session_os(td));
    td->os = &f->os;
    CU_ASSERT_EQUAL_FATAL(td_open_self(td, &ask), 0);
    return td;
}

/* What was planned for a CPU of the other kind does not affect what the thread's handle counts. */
static void planned_before(void)
{
    static const int e_core[] = {9};
    struct input in = {has_rseq() ? shipped_machine("alderlake") : NULL};
    struct td_snapshot a, b;
    const struct td_result *r;
    struct td *td;

    if (!in.file)
        return;
    td = td_new();
    CU_ASSERT_EQUAL_FATAL(td_set_machine(td, "alderlake", read_file, &in), 0);
    CU_ASSERT_EQUAL_FATAL(
        td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live), .cpus = e_core, .ncpus = 1}), 0);
    CU_ASSERT_EQUAL_FATAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), 0);
    CU_ASSERT_EQUAL(td->meter->scopes.nunits, 1);
    CU_ASSERT_EQUAL(td->meter->scopes.unit[0].target.pid, 0);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, 100 * USEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(node(r, "retiring")->value, 0.25, 0.01);
    CU_ASSERT_EQUAL(td->own->core, 'P');
    td_free(td);
    fclose(in.file);
}

/* The PMU of the other kind of core cannot be counted, but its cores may be in use. */
static void lone_pmu(void)
{
    struct td *td = handle_of(
        "# tdprobe-machine: 1\ncpus 0-1\ncpuid 0x0 = 0x23 0x756e6547 0x6c65746e 0x49656e69\ncpuid 0x1 = 0x00090672 0x0 0x00008000 0x0\n"
        "cpuid 0xa = 0x08300805 0x0 0xf 0x8604\ncpuid 0x7.0 = 0x0 0x0 0x0 0x8000\ncpuid 0x1a = 0x40000001 0x0 0x0 0x0\n"
        "pmu cpu_core type=4 cpus=0-1 general=8 fixed=0-3 metrics=8\n" EVENTS(
            "cpu_core") "workload w pmu=cpu_core rate=1000000000\n" PHASE "spin w\n");
    struct faulty f = {.kind = RSEQ, .err = -ENOSYS};

    make_faulty(&f, td_session_os(td));
    td->os = &f.os;
    CU_ASSERT_EQUAL(td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask)}), -EOPNOTSUPP);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "several kinds of cores"));
    td_free(td);
}

/* The ioctl zeroes what it can, and then fails. */
static int half_reset(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    struct faulty *f = ctx;
    int err = f->real->perf_ioctl(f->real->ctx, fd, request, arg);

    return err ? err : request == PERF_EVENT_IOC_RESET ? -EIO : 0;
}

static void reset_fails(void)
{
    struct faulty f = {.kind = KINDS};
    struct input in;
    struct td *td =
        open_with("sapphirerapids", (struct td_self_ask){.size = sizeof(struct td_self_ask), .target = 0.02}, &f, &in);
    struct td_region_info info = {.size = sizeof(info)};
    const struct td_result *r;
    struct td_snapshot a, b;

    f.os.perf_ioctl = half_reset;
    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    td_sim_self_run(td->sim, 10 * USEC);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_EQUAL(td_reset(td), -EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "the counters cannot be zeroed (ioctl PERF_EVENT_IOC_RESET): "));
    td_sim_self_run(td->sim, 100 * USEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    for (int i = 0; i < 2; i++) { /* the second one is too long after the reset */
        td_sim_self_run(td->sim, 1000 * USEC);
        CU_ASSERT_EQUAL(td_region_begin(td, 0), 0);
        td_sim_self_run(td->sim, 100 * USEC);
        CU_ASSERT_EQUAL(td_region_end(td, 0), 0);
    }
    CU_ASSERT_EQUAL(td_region_result(td, 0, &info, NULL), 0);
    CU_ASSERT_EQUAL(info.passes, 2);
    td_free(td);
    fclose(in.file);
}

/* The number that marks a failed reading is not used as an epoch. */
static void epochs(void)
{
    struct faulty f = {.kind = KINDS};
    struct input in;
    struct td *td = open_with("sapphirerapids", (struct td_self_ask){.size = sizeof(struct td_self_ask)}, &f, &in);
    const struct td_result *r;
    struct td_snapshot a, b;

    td->own->page->regions.self.epoch = TD_OWN_FAILED - 1;
    CU_ASSERT_EQUAL(td_reset(td), 0);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    td_sim_self_run(td->sim, 100 * USEC);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), 0);
    CU_ASSERT_EQUAL(td_measure(td, &b, &a, &r), -ESTALE);
    CU_ASSERT_STRING_EQUAL(td_error(td),
                           "the counters were zeroed between the two readings, or these are in the wrong order");
    a.point.epoch = TD_OWN_FAILED; /* as a reading that failed leaves it */
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "one of the two readings had failed");
    td_free(td);
    fclose(in.file);
}

/* Ordinary events have no epoch that others would change: they decrease. */
static void ordinary_zeroed(void)
{
    struct faulty f = {.kind = KINDS};
    struct input in;
    struct td *td = open_with("skylake-nosmt", (struct td_self_ask){.size = sizeof(struct td_self_ask)}, &f, &in);
    struct td_region_info info = {.size = sizeof(info)};
    const struct td_result *r;
    struct td_snapshot a, b;

    CU_ASSERT_EQUAL(td_region(td, "r"), 0);
    td_sim_self_run(td->sim, 1000 * USEC);
    CU_ASSERT_EQUAL(td_read(td, &a), 0);
    CU_ASSERT_EQUAL(td_region_begin(td, 0), 0);
    CU_ASSERT_EQUAL(f.real->perf_ioctl(f.real->ctx, td->meter->scopes.unit[0].perf.event[0].fd, PERF_EVENT_IOC_RESET,
                                       PERF_IOC_FLAG_GROUP),
                    0);
    td_sim_self_run(td->sim, 100 * USEC);
    CU_ASSERT_EQUAL(td_region_end(td, 0), -ESTALE);
    CU_ASSERT_EQUAL(td_read(td, &b), 0);
    CU_ASSERT_EQUAL(td_measure(td, &a, &b, &r), -ESTALE);
    CU_ASSERT_EQUAL(td_region_result(td, 0, &info, NULL), 0);
    CU_ASSERT_EQUAL(info.passes, 0);
    CU_ASSERT_EQUAL(info.discarded[TD_DISCARD_RESET], 1);
    CU_ASSERT_EQUAL(td_region_result(td, 0, NULL, &r), 0);
    CU_ASSERT_EQUAL(node(r, "retiring")->status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(td_region(td, NULL), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "a region has a name"));
    td_free(td);
    fclose(in.file);
}
#endif

static const CU_TestInfo tests[] = {
#ifdef __x86_64__
    {"opening", opening},
    {"mapping", mapping},
    {"planned before", planned_before},
    {"a lone PMU", lone_pmu},
    {"a reset fails", reset_fails},
    {"epochs", epochs},
    {"ordinary events are zeroed", ordinary_zeroed},
#endif
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("self faults", tests);
