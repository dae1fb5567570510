/* SPDX-License-Identifier: MIT */
/* Samples of several groups, of groups that were counted part of the time, and in a file of more than 48 MiB: files
 * made byte by byte, of counts that are chosen here. */
#include "include/td_samples.h"

#include "tests/support/little.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    HEADER = 104,
    HEADER_FEATURES = 72,
    ATTR = 64,
    EVENTS_MAX = 16,
    FIRST_ID = 101,
    PID = 42,
    SAMPLE = 9,
    SKIPPED = 120,
    RECORD_MAX = 65528
};
enum { CPUID = 9, EVENT_DESC = 12 };
enum {
    SAMPLE_TYPE = 1 << 16 /* IDENTIFIER */ | 1 /* IP */ | 2 /* TID */ | 4 /* TIME */ | 16 /* READ */ | 128 /* CPU */,
    READ_FORMAT = 15 /* times, ID, GROUP */
};

struct event {
    const char *name;
    uint64_t type, config, period;
};

struct file {
    const struct event *event;
    size_t nevents;
    unsigned char *b;
    size_t n, room, data;
};

static void w(struct file *f, uint64_t value, size_t bytes)
{
    little_put(&f->b, &f->n, &f->room, value, bytes);
}

static void w_at(struct file *f, size_t at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++)
        f->b[at + i] = (unsigned char)(value >> 8 * i);
}

static void w_attr(struct file *f, size_t i)
{
    const struct event *e = &f->event[i];
    const uint64_t fields[] = {e->config, e->period, SAMPLE_TYPE, READ_FORMAT, 1 << 18 /* sample_id_all */, 0, 0};

    w(f, e->type, 4), w(f, ATTR, 4);
    for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++)
        w(f, fields[k], 8);
}

/* A text with its length before it, which is a multiple of 4. */
static void w_text(struct file *f, const char *text)
{
    const size_t len = strlen(text), size = len / 4 * 4 + 4;

    w(f, size, 4);
    for (size_t i = 0; i < size; i++)
        w(f, i < len ? (unsigned char)text[i] : 0, 1);
}

static void begin(struct file *f, const struct event *event, size_t n)
{
    *f = (struct file){.event = event, .nevents = n};
    for (size_t i = 0; i < HEADER / 8; i++)
        w(f, 0, 8);
    memcpy(f->b, "PERFILE2", 8);
    w_at(f, 8, HEADER), w_at(f, 16, ATTR + 16), w_at(f, 24, HEADER + 8 * n), w_at(f, 32, n * (ATTR + 16));
    for (size_t i = 0; i < n; i++)
        w(f, FIRST_ID + i, 8);
    for (size_t i = 0; i < n; i++)
        w_attr(f, i), w(f, HEADER + 8 * i, 8), w(f, 8, 8);
    f->data = f->n;
}

/* One sample of a group, which are some of the file's events; totals since the beginning. */
struct sample {
    size_t first, n, sampler; /* numbers of events */
    uint64_t cpu, time, enabled, running, value[EVENTS_MAX];
};

static void w_sample(struct file *f, const struct sample *s)
{
    w(f, SAMPLE, 4), w(f, 2, 2), w(f, 8 + 5 * 8 + 3 * 8 + 16 * s->n, 2);
    w(f, FIRST_ID + s->sampler, 8), w(f, 0x1234, 8), w(f, PID, 4), w(f, PID, 4), w(f, s->time, 8), w(f, s->cpu, 8);
    w(f, s->n, 8), w(f, s->enabled, 8), w(f, s->running, 8);
    for (size_t i = 0; i < s->n; i++)
        w(f, s->value[i], 8), w(f, FIRST_ID + s->first + i, 8);
}

/* The end of the data, and two features: the CPU and the names of the events. */
static void end(struct file *f, const char *cpuid)
{
    size_t table = f->n, at;

    w_at(f, 40, f->data), w_at(f, 48, f->n - f->data);
    w_at(f, HEADER_FEATURES, 1 << CPUID | 1 << EVENT_DESC);
    for (size_t i = 0; i < 4; i++)
        w(f, 0, 8);
    at = f->n;
    w_text(f, cpuid);
    w_at(f, table, at), w_at(f, table + 8, f->n - at);
    at = f->n;
    w(f, f->nevents, 4), w(f, ATTR, 4);
    for (size_t i = 0; i < f->nevents; i++)
        w_attr(f, i), w(f, 1, 4), w_text(f, f->event[i].name), w(f, FIRST_ID + i, 8);
    w_at(f, table + 16, at), w_at(f, table + 24, f->n - at);
}

/* ---- reading it ------------------------------------------------------------------------------- */

struct source {
    const struct file *f;
    uint64_t at;
};

static ssize_t source_read(void *ctx, void *buf, size_t size)
{
    struct source *s = ctx;
    const size_t left = s->f->n - s->at, n = left < size ? left : size;

    memcpy(buf, s->f->b + s->at, n);
    s->at += n;
    return (ssize_t)n;
}

static int source_seek(void *ctx, uint64_t offset)
{
    struct source *s = ctx;

    if (offset > s->f->n)
        return -EINVAL;
    s->at = offset;
    return 0;
}

static void keep_note(void *ctx, const char *text)
{
    char *notes = ctx;

    snprintf(notes + strlen(notes), 1024 - strlen(notes), "%s\n", text);
}

static struct td *open_file(struct source *s, const struct file *f, bool seek, char notes[1024])
{
    struct td *td = td_new();

    *s = (struct source){.f = f};
    *notes = '\0';
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    td_set_note(td, keep_note, notes);
    if (seek)
        CU_ASSERT_EQUAL(td_set_seek(td, source_seek), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, s), 0);
    return td;
}

static double count(const struct td_result *r, const char *event)
{
    for (size_t i = 0; i < td_result_counts(r); i++)
        if (!strcmp(td_result_count(r, i)->event, event))
            return td_result_count(r, i)->value;
    return (double)NAN;
}

static double share(const struct td_result *r, const char *name)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i)->value;
    return (double)NAN;
}

/* ---- groups that were counted part of the time ------------------------------------------------- */

static const struct event spr[] = {
    {"slots", 4, 0x400, 0},
    {"cycles", 0, 0, 1000000},
    {"topdown-retiring", 4, 0x8000, 0},
    {"topdown-bad-spec", 4, 0x8100, 0},
    {"topdown-fe-bound", 4, 0x8200, 0},
    {"topdown-be-bound", 4, 0x8300, 0},
};
enum { SPR = sizeof(spr) / sizeof(*spr) };

/* What is counted of 12,000 slots: half retiring, a quarter backend, an eighth each of the others; times a factor. */
static void add_spr(struct sample *s, uint64_t times)
{
    static const uint64_t one[SPR] = {12000, 2000, 6000, 1500, 1500, 3000};

    for (size_t i = 0; i < SPR; i++)
        s->value[i] += one[i] * times;
}

static const struct td_result *next(struct td *td)
{
    const struct td_result *r = NULL;

    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    return r;
}

/* All of the time; a quarter; half; an eighth. Counts are of the part that was counted: what is given is of all. */
static void multiplexed(void)
{
    static const uint64_t enabled = 8000000;
    static const unsigned parts[] = {1, 4, 2, 8};
    struct sample s = {.n = SPR, .sampler = 1, .time = 1000};
    struct file f;
    struct source source;
    char notes[1024];
    struct td *td;

    begin(&f, spr, SPR);
    for (size_t i = 0; i < 4; i++) {
        s.time += enabled;
        s.enabled += enabled;
        s.running += enabled / parts[i];
        add_spr(&s, 1 + i);
        w_sample(&f, &s);
    }
    end(&f, "GenuineIntel,6,143,8");
    td = open_file(&source, &f, false, notes);
    for (size_t i = 0; i < 4; i++) {
        const struct td_result *r = next(td);

        CU_ASSERT_EQUAL(count(r, "slots"), 12000.0 * (double)(1 + i) * parts[i]);
        CU_ASSERT_EQUAL(count(r, "topdown-be-bound"), 3000.0 * (double)(1 + i) * parts[i]);
        CU_ASSERT_DOUBLE_EQUAL(td_result_coverage(r), 1.0 / parts[i], 1e-9);
        CU_ASSERT_EQUAL(!!(td_result_metric(r, 0)->flags & TD_FLAG_MULTIPLEXED), parts[i] > 1);
        CU_ASSERT_DOUBLE_EQUAL(share(r, "retiring"), 0.5, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(share(r, "backend_bound"), 0.25, 1e-9);
    }
    CU_ASSERT_PTR_NULL(strstr(notes, "multiplexing would not be seen"));
    td_free(td);
    free(f.b);
}

/* ---- hybrids ----------------------------------------------------------------------------------- */

/* Intel's Alder Lake: types 4 and 10 are its PMUs. */
static const struct event adl[] = {
    {"cpu_core/slots/", 4, 0x400, 0},
    {"cpu_core/cycles/", 4, 0x3c, 1000000},
    {"cpu_core/topdown-retiring/", 4, 0x8000, 0},
    {"cpu_core/topdown-bad-spec/", 4, 0x8100, 0},
    {"cpu_core/topdown-fe-bound/", 4, 0x8200, 0},
    {"cpu_core/topdown-be-bound/", 4, 0x8300, 0},
    {"cpu_atom/cpu_clk_unhalted.core/", 10, 0x3c, 1000000},
    {"cpu_atom/topdown_be_bound.all/", 10, 0x74, 0},
    {"cpu_atom/topdown_fe_bound.all/", 10, 0x71, 0},
    {"cpu_atom/topdown_retiring.all/", 10, 0xc2, 0},
};
enum { ADL = sizeof(adl) / sizeof(*adl), ATOM = SPR };

/* One program, by turns on a P-core and an E-core: each has its own counters and results. Of 5 slots a cycle (1,000
 * cycles) the E-core retired 2,000 slots, lost 1,500 to the backend and 1,000 to the frontend; the rest is bad
 * speculation. */
static void hybrid(void)
{
    static const uint64_t one[] = {1000, 1500, 1000, 2000};
    struct sample p = {.n = SPR, .sampler = 1, .time = 1000},
                  e = {.first = ATOM, .n = ADL - ATOM, .sampler = ATOM, .cpu = 16, .time = 1500};
    const struct td_result *r;
    struct file f;
    struct source source;
    char notes[1024];
    struct td *td;

    begin(&f, adl, ADL);
    for (size_t i = 0; i < 3; i++) {
        p.time += 1000, p.enabled = p.running = p.time;
        e.time += 1000, e.enabled = e.running = e.time;
        add_spr(&p, 1);
        for (size_t k = 0; k < ADL - ATOM; k++)
            e.value[k] += one[k];
        w_sample(&f, &p);
        w_sample(&f, &e);
    }
    end(&f, "GenuineIntel,6,151,2");
    td = open_file(&source, &f, false, notes);
    for (size_t i = 0; i < 6; i++) {
        r = next(td);
        CU_ASSERT_STRING_EQUAL(td_result_core(r), i % 2 ? "E" : "P");
        CU_ASSERT_DOUBLE_EQUAL(share(r, "retiring"), i % 2 ? 0.4 : 0.5, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(share(r, "backend_bound"), i % 2 ? 0.3 : 0.25, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(share(r, "bad_speculation"), i % 2 ? 0.1 : 0.125, 1e-9);
    }
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    for (size_t i = 0; i < 2; i++) { /* what lies between two samples of one place: two intervals of three */
        CU_ASSERT_EQUAL_FATAL(td_summary(td, i, &r), 0);
        CU_ASSERT_EQUAL(count(r, i ? "cpu_atom/topdown_retiring.all/" : "cpu_core/slots/"), i ? 2 * 2000 : 2 * 12000);
    }
    td_free(td);
    free(f.b);
}

/* ---- groups that take turns ---------------------------------------------------------------------- */

/* Intel's Knights Landing, as perf record samples it: two groups, each led by cycles. */
static const struct event knl[] = {
    {"cpu_clk_unhalted.thread", 4, 0x3c, 1000},
    {"no_alloc_cycles.mispredicts", 4, 0x4ca, 0},
    {"no_alloc_cycles.not_delivered", 4, 0x90ca, 0},
    {"cpu_clk_unhalted.thread", 4, 0x3c, 1000},
    {"uops_retired.all", 4, 0x10c2, 0},
};
enum { KNL = sizeof(knl) / sizeof(*knl), SECOND = 3 };

/* A sample after so many ns more, of which the group had counters for so many. */
static void turn(struct file *f, struct sample *s, uint64_t time, uint64_t running, const uint64_t *counted)
{
    s->running += running;
    s->time = s->enabled = time;
    s->sampler = s->first;
    for (size_t i = 0; i < s->n; i++)
        s->value[i] += counted[i];
    w_sample(f, s);
}

/* The first group has two intervals of 1,000 cycles in its turns, with 50 of mispredicts and 100 of the frontend; and
 * one over the other's turn. The second has one of 3,000 cycles, in which 2,400 operations retire. */
static void make_turns(struct file *f)
{
    static const uint64_t one[] = {1000, 50, 100}, over[] = {1500, 300, 900}, two[] = {3000, 2400};
    struct sample a = {.n = SECOND}, b = {.first = SECOND, .n = KNL - SECOND};

    begin(f, knl, KNL);
    turn(f, &a, 1000, 1000, one);
    turn(f, &a, 2000, 1000, one);
    turn(f, &b, 4000, 1500, two);
    turn(f, &b, 7000, 3000, two);
    turn(f, &a, 8000, 1500, over);
    turn(f, &a, 9000, 1000, one);
    end(f, "GenuineIntel,6,87,1");
}

/* What an interval counted is not scaled, as the others' turns are counted by the others; what lies between two turns
 * has weight only. In the sum, of 5,000 cycles by either group, each event is scaled by the cycles of its group:
 * 200 * 5 / 2, and 2400 * 5 / 3; 2 slots are a cycle. */
static void turns(void)
{
    static const struct {
        double cycles;
        enum td_sample_start start;
        enum td_sample_pair pair;
        const char *metric;
        double share;
    } is[] = {
        {1000, TD_START_ENABLED, TD_PAIR_NONE, "frontend_bound", 0.1},
        {1000, TD_START_SAMPLE, TD_PAIR_NONE, "frontend_bound", 0.1},
        {3000, TD_START_ENABLED, TD_PAIR_REST, "retiring", 0.4},
        {3000, TD_START_SAMPLE, TD_PAIR_NONE, "retiring", 0.4},
        {1500, TD_START_SAMPLE, TD_PAIR_REST, "frontend_bound", 0.6},
        {1000, TD_START_SAMPLE, TD_PAIR_NONE, "frontend_bound", 0.1},
    };
    const struct td_result *r;
    struct file f;
    struct source source;
    char notes[1024];
    struct td *td;

    make_turns(&f);
    td = open_file(&source, &f, false, notes);
    for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
        r = next(td);
        CU_ASSERT_EQUAL(count(r, "cpu_clk_unhalted.thread"), is[i].cycles);
        CU_ASSERT_EQUAL(td_result_start(r), is[i].start);
        CU_ASSERT_EQUAL(td_result_pair(r), is[i].pair);
        CU_ASSERT_EQUAL(td_result_began(r) != NULL, is[i].start == TD_START_SAMPLE);
        CU_ASSERT_DOUBLE_EQUAL(share(r, is[i].metric), is[i].share, 1e-9);
        CU_ASSERT(isnan(share(r, "backend_bound")));
    }
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    CU_ASSERT_EQUAL_FATAL(td_summary(td, 0, &r), 0);
    CU_ASSERT_DOUBLE_EQUAL(count(r, "cpu_clk_unhalted.thread"), 5000, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(count(r, "no_alloc_cycles.not_delivered"), 500, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(count(r, "uops_retired.all"), 4000, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(share(r, "bad_speculation"), 0.05, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(share(r, "retiring"), 0.4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(share(r, "backend_bound"), 0.45, 1e-9);
    CU_ASSERT(td_result_flags(r) & TD_FLAG_SPLIT_GROUPS);
    CU_ASSERT_EQUAL(td_summary(td, 1, &r), -ENODATA);
    td_free(td);
    free(f.b);
}

/* ---- more than 48 MiB --------------------------------------------------------------------------- */

/* Samples at the beginning, before and after the part that is kept, and at the end; between them records that say
 * nothing. */
static void make_large(struct file *f, size_t size)
{
    struct sample s = {.n = SPR, .sampler = 1, .time = 1000};

    begin(f, spr, SPR);
    f->room = size + (1 << 20);
    f->b = realloc(f->b, f->room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f->b);
    for (unsigned i = 0; f->n < size; i++) {
        s.time += 1000, s.enabled = s.running = s.time;
        add_spr(&s, 1);
        w_sample(f, &s);
        w(f, SKIPPED, 4), w(f, 0, 2), w(f, RECORD_MAX, 2);
        memset(f->b + f->n, 0, RECORD_MAX - 8);
        f->n += RECORD_MAX - 8;
    }
    w_sample(f, &s); /* nothing was counted since */
    end(f, "GenuineIntel,6,143,8");
}

/* The first event's name and the CPU, of all intervals: how many there are. */
static size_t read_large(const struct file *f, bool seek, const char *slots, char notes[1024])
{
    const struct td_result *r;
    struct source source;
    struct td *td;
    size_t n = 0;
    int err;

    td = open_file(&source, f, seek, notes);
    for (; !(err = td_next(td, &r)); n++) {
        CU_ASSERT_EQUAL(count(r, slots), 12000);
        CU_ASSERT_DOUBLE_EQUAL(share(r, "retiring"), 0.5, 1e-9);
        CU_ASSERT(!seek || !strcmp(td_result_cpu(r), "spr"));
    }
    CU_ASSERT_EQUAL(err, -ENODATA);
    td_free(td);
    return n;
}

static void large(void)
{
    static const size_t size = (48 << 20) + 3 * (128 << 10), each = 8 + 8 * 8 + 16 * SPR + RECORD_MAX;
    struct file f;
    char notes[1024];
    size_t n;

    make_large(&f, size);
    n = (size - f.data + each - 1) / each;
    CU_ASSERT_EQUAL(read_large(&f, true, "slots", notes), n);
    CU_ASSERT_PTR_NULL(strstr(notes, "longer than"));
    CU_ASSERT_EQUAL(read_large(&f, false, "r400", notes), n);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes, "longer than 48 MiB"));
    free(f.b);
}

static const CU_TestInfo tests[] = {
    {"groups that were counted part of the time", multiplexed},
    {"two kinds of cores", hybrid},
    {"groups that take turns", turns},
    {"more than is kept, with the names at its end", large},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("groups of samples", tests);
