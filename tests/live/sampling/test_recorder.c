/* SPDX-License-Identifier: MIT */
/* What the recorder makes of each kind of record, of threads and children that begin and end, and of groups that cannot
 * be opened. Records are put into the rings here, as perf_event_open(2) describes them. */
#include "include/td_sampling.h"
#include "live/meter.h"
#include "live/sampling/recorder.h"
#include "session/session.h"
#include "sim/sim.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/shipped_machine.h"

#include <errno.h>
#include <search.h>

enum { ROUND = 8, SWITCH_OUT = PERF_RECORD_MISC_SWITCH_OUT };

/* ---- the seam: what cannot be opened ---------------------------------------------------------------- */

static struct {
    struct td_os os;
    const struct td_os *real;
    pid_t pid; /* of this task or CPU events are refused: 0 and -2: of none */
    int cpu, err;
    unsigned after; /* so many of its leaders are not refused */
    bool members; /* only members of groups are refused */
} machine;

static int open_event(void *ctx, const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
    (void)ctx;
    if ((group >= 0) == machine.members && (pid == machine.pid || (pid < 0 && cpu == machine.cpu))) {
        if (!machine.after)
            return machine.err;
        machine.after--;
    }
    return machine.real->perf_open(machine.real->ctx, attr, pid, cpu, group, flags);
}

static struct td *on(const char *name, const char *more, int level)
{
    struct td *td = on_shipped_machine_with(name, more);

    memset(&machine, 0, sizeof(machine));
    machine.real = td_session_os(td);
    machine.os = *machine.real;
    machine.os.perf_open = open_event;
    machine.cpu = -2;
    td->os = &machine.os;
    CU_ASSERT_EQUAL_FATAL(td_set_level(td, level), 0);
    return td;
}

static int open_samples(struct td *td, const struct td_live *what, bool leader)
{
    return td_sampling_open(
        td,
        &(struct td_sampling){.size = sizeof(struct td_sampling), .what = what, .leader = leader, .period = 100000000},
        keep_nothing, NULL);
}

/* Samples a process whose threads are followed, or CPUs, and stops the counters, so that the rings are the test's. */
static struct td *begin(const char *more, const struct td_live *what, bool leader)
{
    struct td *td = on("icelake", more, 1);
    struct td_recorder *r;

    CU_ASSERT_EQUAL_FATAL(open_samples(td, what, leader), 0);
    r = td->recorder;
    for (size_t i = 0; i < r->ngroups; i++)
        machine.real->perf_ioctl(machine.real->ctx, r->group[i]->fd[0], PERF_EVENT_IOC_DISABLE, 0);
    CU_ASSERT_EQUAL(td_recorder_take(r), 0);
    r->counts.samples = 0;
    return td;
}

static void end(struct td *td)
{
    CU_ASSERT_EQUAL(td_sampling_end(td), 0);
    td_free(td);
}

/* Puts a record of so many bytes into the group's ring: its words of 32 bits after the header, then zeros. */
static void put(struct td *td, size_t group, uint32_t type, uint16_t misc, uint16_t size, const uint32_t *word,
                size_t words)
{
    struct perf_event_mmap_page *page = td->recorder->group[group]->ring.page;
    unsigned char record[256] = {0};
    const struct perf_event_header h = {.type = type, .misc = misc, .size = size};

    CU_ASSERT_FATAL(page && 8 + 4 * words <= sizeof(record) && size <= sizeof(record));
    memcpy(record, &h, sizeof(h));
    memcpy(record + 8, word, 4 * words);
    for (size_t i = 0; i < (size ? size : 8); i++)
        ((unsigned char *)page)[page->data_offset + (page->data_head + i) % page->data_size] = record[i];
    page->data_head += size ? size : 8;
}

#define PUT(td, group, type, misc, size, ...) \
    put(td, group, type, misc, size, (const uint32_t[]){__VA_ARGS__}, \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* A thread's record of what it starts or of its end: the process, its parent's, the thread and its parent. */
static void tell(struct td *td, size_t group, uint32_t type, pid_t pid, pid_t tid)
{
    PUT(td, group, type, 0, 40, (uint32_t)pid, 701, (uint32_t)tid, 701, 0, 0);
}

/* Takes what is there: how many bytes the file got. */
static uint64_t taken(struct td *td)
{
    const uint64_t before = td->recorder->file.at;

    CU_ASSERT_EQUAL(td_recorder_take(td->recorder), 0);
    return td->recorder->file.at - before;
}

static bool sampled(const struct td *td, pid_t tid)
{
    for (size_t i = 0; i < td->recorder->ngroups; i++)
        if (td->recorder->group[i]->target.pid == tid)
            return true;
    return false;
}

static const pid_t process = 701;
static const int cpu_2 = 2;
#define LIVE(...) \
    { \
        .size = sizeof(struct td_live), __VA_ARGS__ \
    }
static const struct td_live of_process = LIVE(.tasks = &process, .ntasks = 1),
                            of_cpu = LIVE(.cpus = &cpu_2, .ncpus = 1);

/* ---- records ------------------------------------------------------------------------------------------ */

/* Each record is counted as what it is, and written as it is; rounds end where anything was. */
static void counted(void)
{
    struct td *td = begin("", &of_cpu, true);
    const struct td_recorder_counts *c = &td->recorder->counts;

    CU_ASSERT(c->sampled == 1 && !c->missed);
    CU_ASSERT_EQUAL(taken(td), 0);
    PUT(td, 0, PERF_RECORD_LOST, 0, 24, 1, 0, 5, 0);
    CU_ASSERT_EQUAL(taken(td), 24 + ROUND);
    CU_ASSERT(c->lost == 5 && !c->samples && !c->throttled);
    PUT(td, 0, PERF_RECORD_THROTTLE, 0, 32, 9, 0, 7, 0);
    PUT(td, 0, PERF_RECORD_LOST, 0, 24, 1, 0, 2, 0);
    CU_ASSERT_EQUAL(taken(td), 32 + 24 + ROUND);
    CU_ASSERT(c->lost == 7 && c->throttled == 1 && !c->samples);
    PUT(td, 0, PERF_RECORD_LOST, 0, 16, 1, 0, 2); /* too short to say how many */
    CU_ASSERT_EQUAL(taken(td), 16 + ROUND);
    CU_ASSERT_EQUAL(c->lost, 7);
    PUT(td, 0, PERF_RECORD_SAMPLE, 0, 120, 0x1000, 0, 7, 7);
    PUT(td, 0, PERF_RECORD_SAMPLE, 0, 120, 0x1000, 0, 7, 7);
    CU_ASSERT_EQUAL(taken(td), 240 + ROUND);
    CU_ASSERT(c->lost == 7 && c->throttled == 1 && c->samples == 2 && !c->near && !c->far);
    /* of a switch between threads both tell: the one that leaves tells of the next */
    PUT(td, 0, PERF_RECORD_SWITCH_CPU_WIDE, 0, 24, 7, 7);
    CU_ASSERT_EQUAL(taken(td), 0);
    PUT(td, 0, PERF_RECORD_SWITCH_CPU_WIDE, SWITCH_OUT, 24, 7, 7);
    PUT(td, 0, PERF_RECORD_SWITCH, 0, 16, 7, 7);
    CU_ASSERT_EQUAL(taken(td), 40 + ROUND);
    tell(td, 0, PERF_RECORD_FORK, 701, 702); /* of CPUs no threads are followed, nor counted */
    tell(td, 0, PERF_RECORD_EXIT, -1, -1);
    CU_ASSERT_EQUAL(taken(td), 80 + ROUND);
    CU_ASSERT(c->sampled == 1 && !c->missed && td->recorder->ngroups == 1);
    end(td);
}

/* What is inherited is counted by its records: nothing is opened for it. */
static void inherited(void)
{
    struct td *td = begin("", &of_process, true);
    const struct td_recorder_counts *c = &td->recorder->counts;
    const size_t groups = td->recorder->ngroups;

    CU_ASSERT(td->recorder->how.inherit && c->sampled == 2 && groups == 16);
    tell(td, 0, PERF_RECORD_FORK, 701, 703);
    tell(td, 2, PERF_RECORD_FORK, 801, 801);
    tell(td, 0, PERF_RECORD_EXIT, 701, 701);
    CU_ASSERT_EQUAL(taken(td), 120 + ROUND);
    CU_ASSERT(c->sampled == 4 && !c->missed && td->recorder->ngroups == groups);
    end(td);
}

static unsigned rounds; /* records that end one: PERF_RECORD_FINISHED_ROUND, 68, of Linux' tools/lib/perf */

static int find_rounds(void *ctx, uint64_t at, const void *bytes, size_t n)
{
    static const struct perf_event_header round = {.type = 68, .size = 8};

    (void)ctx, (void)at;
    for (size_t i = 0; i + sizeof(round) <= n; i += 8)
        rounds += !memcmp((const char *)bytes + i, &round, sizeof(round));
    return 0;
}

/* Each time that something was taken a round ends, once. */
static void in_rounds(void)
{
    struct td *td = begin("", &of_cpu, true);

    td->recorder->file.write = find_rounds;
    rounds = 0;
    CU_ASSERT_EQUAL(td_recorder_take(td->recorder), 0);
    CU_ASSERT_EQUAL(rounds, 0);
    for (unsigned i = 1; i <= 2; i++) {
        tell(td, 0, PERF_RECORD_EXIT, 701, 701);
        CU_ASSERT_EQUAL(td_recorder_take(td->recorder), 0);
        CU_ASSERT_EQUAL(rounds, i);
    }
    td->recorder->file.write = keep_nothing;
    end(td);
}

/* No record has no size. */
static void broken(void)
{
    struct td *td = begin("", &of_cpu, true);

    PUT(td, 0, PERF_RECORD_SAMPLE, 0, 0, 1);
    CU_ASSERT_EQUAL(td_recorder_take(td->recorder), -EIO);
    CU_ASSERT_STRING_EQUAL(td_error(td),
                           "the kernel's ring of samples holds a record of no possible size: report this as a bug, "
                           "with the kernel's version");
    td_free(td);
}

/* ---- threads and children ----------------------------------------------------------------------------- */

#define FOLLOWS \
    "sampling inherit=no\ntask 801 child mixed cpus=3 threads=802\ntask 901 other mixed cpus=4\n" \
    "task 911 more mixed cpus=5\ntask 912 more mixed cpus=6\n"

/* A process that is started is sampled with the threads that it has by then; what has ended before is missed. */
static void followed(void)
{
    struct td *td = begin(FOLLOWS, &of_process, true);
    const struct td_recorder_counts *c = &td->recorder->counts;

    CU_ASSERT(!td->recorder->how.inherit && c->sampled == 2 && td->recorder->ngroups == 2);
    tell(td, 0, PERF_RECORD_FORK, 801, 801);
    taken(td);
    CU_ASSERT(c->sampled == 4 && !c->missed && td->recorder->ngroups == 4 && sampled(td, 801) && sampled(td, 802));
    CU_ASSERT(td->recorder->group[2]->process == 801 && td->recorder->group[3]->process == 801);
    for (size_t i = 2; i < 4; i++)
        CU_ASSERT(td->recorder->group[i]->target.cpu == -1 && td->recorder->group[i]->target.cgroup == -1);
    tell(td, 0, PERF_RECORD_FORK, 801, 802); /* it is sampled already */
    taken(td);
    CU_ASSERT(c->sampled == 4 && !c->missed && td->recorder->ngroups == 4);
    tell(td, 1, PERF_RECORD_FORK, 9999, 9999);
    tell(td, 0, PERF_RECORD_FORK, 901, 901);
    taken(td);
    CU_ASSERT(c->sampled == 5 && c->missed == 1 && td->recorder->ngroups == 5 && sampled(td, 901));
    end(td);
}

/* What a process has mapped is written when its first thread is sampled, and not again. */
static void known(void)
{
    struct td *td = begin(FOLLOWS, &of_process, true);

    tell(td, 0, PERF_RECORD_FORK, 701, 911);
    CU_ASSERT_EQUAL(taken(td), 40 + ROUND);
    tell(td, 0, PERF_RECORD_FORK, 801, 801);
    CU_ASSERT(taken(td) > 100 + ROUND);
    tell(td, 0, PERF_RECORD_FORK, 801, 912);
    CU_ASSERT_EQUAL(taken(td), 40 + ROUND);
    CU_ASSERT(sampled(td, 911) && sampled(td, 912) && td->recorder->counts.sampled == 6);
    end(td);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All files that a process has mapped are looked up for their build ids. */
static void mapped(void)
{
    struct td *td = begin(FOLLOWS "file /proc/801/maps = 1000-2000 r-xp 0 08:02 7 /a\\n2000-3000 r--p 0 08:02 8 /b\\n"
                                  "3000-4000 r-xp 0 08:02 9 /c\\n\n",
                          &of_process, true);
    void *const *tree = &td->recorder->images.tree;

    CU_ASSERT_PTR_NULL(tfind("/a", tree, by_path));
    tell(td, 0, PERF_RECORD_FORK, 801, 801);
    taken(td);
    CU_ASSERT(tfind("/a", tree, by_path) && tfind("/c", tree, by_path));
    CU_ASSERT_PTR_NULL(tfind("/b", tree, by_path)); /* it cannot be executed */
    end(td);
}

/* Children that a process has started before it was sampled are found by their starter's list. */
static void found(void)
{
    struct td *td = begin(FOLLOWS "file /proc/801/task/801/children = 901 9999 \n", &of_process, true);
    const struct td_recorder_counts *c = &td->recorder->counts;

    tell(td, 0, PERF_RECORD_FORK, 801, 801);
    taken(td);
    CU_ASSERT(c->sampled == 5 && c->missed == 1 && td->recorder->ngroups == 5 && sampled(td, 901));
    end(td);
}

/* A thread's groups go with it, by its own record of its end. */
static void ended(void)
{
    struct td *td = begin(FOLLOWS, &of_process, true);

    tell(td, 0, PERF_RECORD_EXIT, 701, 702); /* in the ring of another one */
    taken(td);
    CU_ASSERT(td->recorder->ngroups == 2 && sampled(td, 701) && sampled(td, 702));
    tell(td, 0, PERF_RECORD_EXIT, 701, 701);
    taken(td);
    CU_ASSERT(td->recorder->ngroups == 1 && !sampled(td, 701) && sampled(td, 702));
    CU_ASSERT_EQUAL(td->recorder->counts.sampled, 2);
    end(td);
}

/* ---- groups that cannot be opened ----------------------------------------------------------------------- */

static void refused(void)
{
    static const struct {
        pid_t pid;
        int cpu, err, wanted;
        size_t sampled, missed;
    } rows[] = {
        {702, -2, -ESRCH, 0, 1, 1}, {702, -2, -ENODEV, 0, 1, 0},    {702, -2, -EMFILE, -EMFILE, 0, 0},
        {0, 5, -ENODEV, 0, 7, 0},   {0, 0, -EMFILE, -EMFILE, 0, 0}, {701, -2, -EACCES, -EACCES, 0, 0},
    };
    static const struct td_live all = LIVE(.by = TD_BY_ALL);

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = on("icelake", "sampling inherit=no\n", 1);
        struct td_sampling_info info = {.size = sizeof(info)};

        machine.pid = rows[i].pid;
        machine.cpu = rows[i].cpu;
        machine.err = rows[i].err;
        CU_ASSERT_EQUAL(open_samples(td, rows[i].pid ? &of_process : &all, true), rows[i].wanted);
        if (!rows[i].wanted) {
            CU_ASSERT_EQUAL(td_sampling_about(td, &info), 0);
            CU_ASSERT(info.groups == rows[i].sampled && info.missed == rows[i].missed);
            CU_ASSERT_EQUAL(td->recorder->ngroups, rows[i].sampled);
        }
        td_free(td);
    }
}

/* A first event that the kernel does not know is no matter of how many counters there are, a further one is. */
static void too_many(void)
{
    for (int members = 0; members < 2; members++) {
        struct td *td = on("icelake", "sampling inherit=no\n", 1);

        machine.pid = 701;
        machine.err = -EINVAL;
        machine.members = members;
        CU_ASSERT(open_samples(td, &of_process, true) < 0);
        CU_ASSERT_EQUAL(strstr(td_error(td), "the counters do not hold the formulas' events together") != NULL,
                        members);
        td_free(td);
    }
}

/* Each event has an id for each group, by which readers find it. */
static void ids(void)
{
    struct td *td = begin(FOLLOWS, &of_process, true);
    const struct td_data_file *f = &td->recorder->file;

    for (size_t i = 0; i < f->nevents; i++)
        CU_ASSERT_EQUAL(f->event[i].nids, 2);
    tell(td, 0, PERF_RECORD_FORK, 801, 801);
    taken(td);
    for (size_t i = 0; i < f->nevents; i++)
        CU_ASSERT_EQUAL(f->event[i].nids, 4);
    end(td);
}

/* Of groups that take turns all are open, or none: here the second is refused. */
static void turns(void)
{
    static const int both[] = {2, 5};
    static const struct td_live what = LIVE(.cpus = both, .ncpus = 2);
    struct td *td = on("skylake", "", 2);
    size_t kinds;

    CU_ASSERT_EQUAL_FATAL(open_samples(td, &what, true), 0);
    kinds = td->recorder->nkinds;
    CU_ASSERT(kinds > 1 && td->recorder->ngroups == 2 * kinds);
    end(td);
    td = on("skylake", "", 2);
    machine.cpu = 5;
    machine.after = 1;
    machine.err = -ENODEV;
    CU_ASSERT_EQUAL_FATAL(open_samples(td, &what, true), 0);
    CU_ASSERT(td->recorder->ngroups == kinds && td->recorder->counts.sampled == 1);
    for (size_t i = 0; i < kinds; i++)
        CU_ASSERT_EQUAL(td->recorder->group[i]->target.cpu, 2);
    end(td);
}

/* ---- frequencies ------------------------------------------------------------------------------------------ */

enum { SETS = 64 };

static struct {
    int fd[SETS];
    uint64_t freq[SETS];
    size_t n;
} set;

static int note_set(void *ctx, int fd, unsigned long request, unsigned long arg)
{
    (void)ctx;
    if (request == PERF_EVENT_IOC_PERIOD) {
        CU_ASSERT_FATAL(set.n < SETS);
        set.fd[set.n] = fd;
        set.freq[set.n++] = *(const uint64_t *)(uintptr_t)arg;
    }
    return machine.real->perf_ioctl(machine.real->ctx, fd, request, arg);
}

/* Puts so many samples into the group's ring, and takes them. */
static void hit(struct td *td, size_t group, size_t samples)
{
    set.n = 0;
    for (size_t i = 0; i < samples; i++) {
        PUT(td, group, PERF_RECORD_SAMPLE, 0, 120, 0x1000, 0, 7, 7);
        CU_ASSERT_EQUAL(td_sampling_take(td), 0);
    }
}

/* Whether just the groups from a number on have got that frequency. */
static bool have(const struct td *td, size_t from, size_t groups, uint64_t freq)
{
    for (size_t i = 0; i < set.n && i < groups; i++)
        if (set.fd[i] != td->recorder->group[from + i]->fd[TD_SAMPLED_FIRST] || set.freq[i] != freq)
            return false;
    return set.n == groups;
}

/* Groups of one ring get another frequency after 16 samples each in it, those of other CPUs keep theirs: 1000 by 0.55 +
 * 1.1 * 0.618034, then * 0.236068. */
static void varied(void)
{
    static const int both[] = {2, 5};
    static const struct td_live what = LIVE(.cpus = both, .ncpus = 2);
    struct td *td = on("skylake", "", 2);
    size_t kinds;

    CU_ASSERT_EQUAL_FATAL(
        td_sampling_open(
            td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what, .leader = true, .rate = 1000},
            keep_nothing, NULL),
        0);
    kinds = td->recorder->nkinds;
    CU_ASSERT_FATAL(kinds > 1 && td->recorder->ngroups == 2 * kinds);
    for (size_t i = 0; i < 2 * kinds; i++)
        machine.real->perf_ioctl(machine.real->ctx, td->recorder->group[i]->fd[0], PERF_EVENT_IOC_DISABLE, 0);
    CU_ASSERT_EQUAL(td_recorder_take(td->recorder), 0);
    td->recorder->group[0]->hits = td->recorder->group[kinds]->hits = 0;
    machine.os.perf_ioctl = note_set;
    hit(td, 0, 16 * kinds - 1);
    CU_ASSERT_EQUAL(set.n, 0);
    hit(td, 0, 1);
    CU_ASSERT(have(td, 0, kinds, 813));
    hit(td, kinds, 16 * kinds);
    CU_ASSERT(have(td, kinds, kinds, 813));
    hit(td, 0, 16 * kinds);
    CU_ASSERT(have(td, 0, kinds, 1235));
    end(td);
}

/* A fixed period is fixed. Threads do not inherit a frequency, which could not vary. */
static void fixed(void)
{
    struct td *td = begin("", &of_cpu, true);

    machine.os.perf_ioctl = note_set;
    hit(td, 0, 50);
    CU_ASSERT_EQUAL(set.n, 0);
    end(td);
    td = on("icelake", "", 1);
    CU_ASSERT_EQUAL_FATAL(
        td_sampling_open(td,
                         &(struct td_sampling){
                             .size = sizeof(struct td_sampling), .what = &of_process, .leader = true, .rate = 1000},
                         keep_nothing, NULL),
        0);
    CU_ASSERT(!td->recorder->how.inherit && td->recorder->ngroups == 2);
    end(td);
}

static const CU_TestInfo tests[] = {
    {"what is counted", counted},
    {"what is inherited", inherited},
    {"a record of no size", broken},
    {"what is followed", followed},
    {"what is known", known},
    {"what is mapped", mapped},
    {"children that are found", found},
    {"what has ended", ended},
    {"what is refused", refused},
    {"too many events", too_many},
    {"ids", ids},
    {"groups that take turns", turns},
    {"frequencies that vary", varied},
    {"a fixed period", fixed},
    {"rounds", in_rounds},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("the recorder", tests);
