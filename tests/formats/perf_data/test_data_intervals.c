/* SPDX-License-Identifier: MIT */
/* What becomes of samples: each interval's members, for readings that are chosen here. */
#include "tests/support/perf_samples.h"

enum { INHERIT = 1 << 1, FREQ = 1 << 10 /* flags of an event */, TIMES = 3 /* the bits of PERF_SAMPLES_READ */ };

static struct perf_samples f;

/* A sample of the group that events first to first + n make up, which event by has taken: totals since the beginning.
 */
struct sample {
    size_t by, first, n;
    uint32_t tid, cpu;
    uint64_t time, enabled, running, value[80];
};

static unsigned char bytes[2048];
static size_t nbytes;

static void put(uint64_t value, size_t size)
{
    for (; size; size--, value >>= 8)
        bytes[nbytes++] = (unsigned char)value;
}

static void put_sample(const struct sample *s)
{
    const struct td_perf_data_event *e = &f.p.event[s->by < f.p.nevents ? s->by : 0];

    nbytes = 0;
    if (e->sample_type & PERF_SAMPLE_IDENTIFIER)
        put(PERF_SAMPLES_ID + s->by, 8);
    put(0x1234, 8), put(s->tid, 4), put(s->tid, 4);
    if (e->sample_type & PERF_SAMPLE_TIME)
        put(s->time, 8);
    put(s->cpu, 8), put(s->n, 8);
    if (e->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        put(s->enabled, 8);
    if (e->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        put(s->running, 8);
    for (size_t i = 0; i < s->n; i++)
        put(s->value[i], 8), put(PERF_SAMPLES_ID + s->first + i, 8);
}

static int take_bytes(void)
{
    const struct td_perf_record rec = {.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .v = {bytes, nbytes}};

    f.p.recording.stream.nbatch = 0;
    return td_perf_take_sample(&f.p.recording, &rec);
}

/* The interval that the sample ends; NULL: none. */
static const struct td_interval *take(const struct sample *s)
{
    put_sample(s);
    CU_ASSERT_EQUAL_FATAL(take_bytes(), 0);
    CU_ASSERT_FATAL(f.p.recording.stream.nbatch <= 1);
    return f.p.recording.stream.nbatch ? &f.p.recording.stream.batch[0] : NULL;
}

/* A file of events that each read the group, by name; those with a period sample. */
static void begin(enum td_samples_by by, const char *const *names, const uint64_t *periods, size_t n)
{
    perf_samples_begin(&f);
    f.wanted.by = by;
    for (size_t i = 0; i < n; i++)
        perf_samples_event(&f, names[i], periods[i]);
}

static const char *const two[] = {"slots", "cycles:u"};
static const uint64_t second[] = {0, 1000};

static void begin_two(enum td_samples_by by)
{
    begin(by, two, second, 2);
}

static void opened(void)
{
    CU_ASSERT_EQUAL_FATAL(perf_samples_open(&f), 0);
}

/* ---- one group ------------------------------------------------------------------------------------------------ */

/* From 5000 to 7000 ns, in 1500 ns of which the counters had half the time. */
static void members(void)
{
    struct sample s = {
        .by = 1, .n = 2, .tid = 9, .cpu = 3, .time = 5000, .enabled = 400, .running = 400, .value = {1000, 100}};
    const struct td_interval *v;

    begin_two(TD_SAMPLES_BY_THREAD);
    f.p.event[1].scale = 0.5;
    opened();
    v = take(&s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT(v->at.has_time && v->at.time == 0 && v->at.duration == 0 && v->at.start == TD_START_ENABLED);
    CU_ASSERT(!v->at.began && v->mixed && v->switched && v->at.scope_kind == TD_KIND_THREAD && v->core == 0);
    CU_ASSERT(v->at.pair == TD_PAIR_NONE && v->at.distance == 0 && v->at.back == TD_BACK_NONE && v->at.nth == 0);
    CU_ASSERT(v->at.course == 0 && v->lane == 0 && v->at.own == 0);
    CU_ASSERT_EQUAL_FATAL(v->counts.n, 2);
    CU_ASSERT(v->counts.c[0].value == 1000 && v->counts.c[0].enabled == 400 && v->counts.c[0].running == 400);
    s.time = 7000, s.enabled = 1900, s.running = 1150, s.value[0] = 1700, s.value[1] = 140;
    v = take(&s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT(v->at.time == 2000 && v->at.duration == 2000 && v->at.start == TD_START_SAMPLE);
    CU_ASSERT(v->at.began == v->at.scope && !v->mixed);
    CU_ASSERT_EQUAL_FATAL(v->counts.n, 2);
    CU_ASSERT(v->counts.c[0].value == 1400 && v->counts.c[0].enabled == 1500 && v->counts.c[0].running == 750);
    CU_ASSERT(v->counts.c[0].status == TD_OK && v->counts.c[0].text == 0 && v->counts.c[0].group == 0);
    CU_ASSERT(v->counts.c[1].value == 40 && v->counts.c[1].text == 1);
    CU_ASSERT(v->counts.c[0].modes == f.p.recording.stream.texts.entries[0].modes);
    CU_ASSERT(v->counts.c[1].modes == f.p.recording.stream.texts.entries[1].modes);
    CU_ASSERT_NOT_EQUAL(v->counts.c[0].modes, v->counts.c[1].modes);
    s.tid = 10, s.time = 4000, s.value[0]++, s.enabled++, s.running++; /* another thread, before the first sample */
    v = take(&s);
    CU_ASSERT(v && v->at.has_time && v->at.time == 0 && v->at.duration == 0 && v->mixed && v->at.began);
    CU_ASSERT(v && v->at.began != v->at.scope && v->at.course == 0 && v->lane == TD_CORES);
    CU_ASSERT(f.p.samples->info.samples == 3 && f.p.samples->info.first == 1 && f.p.samples->info.courses == 1);
    CU_ASSERT(f.p.samples->info.still == 0 && !f.p.samples->info.paired);
    perf_samples_end(&f);
}

/* What 100 counted are, in 2000 ns, by how long the group was enabled and had counters. */
static void times(void)
{
    static const struct {
        unsigned recorded; /* of TIMES */
        uint64_t enabled, running;
        double value, of, in; /* what is given as enabled and running */
        enum td_status status;
    } rows[] = {
        {3, 1000, 1000, 100, 1000, 1000, TD_OK},       {3, 1000, 250, 400, 1000, 250, TD_OK},
        {3, 1000, 999, 100 / 0.999, 1000, 999, TD_OK}, {3, 1000, 1001, 100, 1001, 1001, TD_OK},
        {3, 1000, 1, 100000, 1000, 1, TD_OK},          {3, 1000, 0, 100, 1000, 0, TD_NOT_COUNTED},
        {3, 0, 0, 100, 0, 0, TD_NOT_COUNTED},          {1, 1000, 0, 100, 2000, 2000, TD_OK},
        {2, 0, 250, 100, 2000, 2000, TD_OK},           {0, 0, 0, 100, 2000, 2000, TD_OK},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct sample s = {.by = 1, .n = 2, .tid = 9, .time = 1000, .value = {7, 7}};
        const struct td_interval *v;

        begin_two(TD_SAMPLES_BY_THREAD);
        for (size_t k = 0; k < 2; k++)
            f.p.event[k].read_format = (PERF_SAMPLES_READ & ~TIMES) | rows[i].recorded;
        opened();
        take(&s);
        s.time = 3000, s.enabled = rows[i].enabled, s.running = rows[i].running, s.value[0] = 107;
        v = take(&s);
        CU_ASSERT_PTR_NOT_NULL_FATAL(v);
        CU_ASSERT_DOUBLE_EQUAL(v->counts.c[0].value, rows[i].value, 1e-9);
        CU_ASSERT_EQUAL(v->counts.c[0].enabled, rows[i].of);
        CU_ASSERT_EQUAL(v->counts.c[0].running, rows[i].in);
        CU_ASSERT_EQUAL(v->counts.c[0].status, rows[i].status);
        perf_samples_end(&f);
    }
}

/* Without times of samples there is neither a time nor a duration; any will do. */
static void no_time(void)
{
    struct sample s = {.by = 1, .n = 2, .tid = 9, .time = 5000, .value = {1000, 100}};
    const struct td_interval *v;

    begin_two(TD_SAMPLES_BY_THREAD);
    for (size_t k = 0; k < 2; k++) {
        f.p.event[k].read_format = PERF_SAMPLES_READ & ~TIMES;
        f.p.event[k].sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
    }
    opened();
    take(&s);
    s.value[0] = 1100;
    v = take(&s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT(!v->at.has_time && v->at.time == 0 && v->at.duration == 0);
    CU_ASSERT(v->counts.c[0].value == 100 && v->counts.c[0].enabled == 1 && v->counts.c[0].running == 1);
    perf_samples_end(&f);
}

/* A counter that ran backwards: it is not known where the interval began, nor what it counted. */
static void resets(void)
{
    struct sample s = {.by = 1, .n = 2, .tid = 9, .time = 1000, .enabled = 10, .running = 10, .value = {50, 50}};
    const struct td_interval *v;

    for (unsigned by = 0; by < 2; by++) {
        begin_two(by ? TD_SAMPLES_BY_CPU : TD_SAMPLES_BY_THREAD);
        opened();
        s.value[0] = 50;
        v = take(&s);
        CU_ASSERT(v && v->mixed == !by);
        s.value[0] = 60;
        v = take(&s);
        CU_ASSERT(v && v->at.start == TD_START_SAMPLE && !v->mixed);
        s.value[0] = 59;
        v = take(&s);
        CU_ASSERT(v && v->at.start == TD_START_LOST && !v->at.began && v->mixed);
        CU_ASSERT(v && v->counts.c[0].status == TD_COUNTER_RESET && v->counts.c[1].status == TD_COUNTER_RESET);
        CU_ASSERT(f.p.samples->info.lost == 0);
        perf_samples_end(&f);
    }
}

/* ---- which samples are used ------------------------------------------------------------------------------------- */

static void used(void)
{
    struct sample s = {.by = 1, .n = 2, .tid = 9, .time = 1000, .enabled = 10, .running = 10, .value = {50, 50}};
    const struct td_samples_info *info;

    begin_two(TD_SAMPLES_BY_THREAD);
    perf_samples_event(&f, "alone", 1000)->read_format = PERF_SAMPLES_READ & ~PERF_FORMAT_GROUP;
    opened();
    info = &f.p.samples->info;
    s.by = 2; /* it does not read its group */
    CU_ASSERT_PTR_NULL(take(&s));
    put_sample(&s), nbytes = 1;
    CU_ASSERT_EQUAL(take_bytes(), 0);
    s.by = 3; /* the file has no such event */
    CU_ASSERT_PTR_NULL(take(&s));
    CU_ASSERT_EQUAL(info->samples, 0);
    s.by = 1, s.first = 10; /* nor has it the members */
    CU_ASSERT_PTR_NULL(take(&s));
    CU_ASSERT(info->samples == 1 && info->still == 1 && info->first == 0);
    s.first = 0;
    CU_ASSERT_PTR_NOT_NULL(take(&s));
    CU_ASSERT_PTR_NULL(take(&s)); /* nothing was counted since */
    CU_ASSERT(info->samples == 3 && info->still == 2 && info->first == 1);
    put_sample(&s), nbytes--;
    CU_ASSERT_EQUAL(take_bytes(), -EBADMSG);
    CU_ASSERT(info->samples == 3 && strstr(f.log.error, "too short"));
    perf_samples_end(&f);
}

/* Samples without ids are of the only counter that there is. */
static void no_ids(void)
{
    for (size_t n = 1; n <= 2; n++) {
        static const uint64_t periods[] = {1000, 0};
        struct sample s = {.n = 1, .tid = 9, .time = 1000, .enabled = 10, .running = 10, .value = {50}};

        begin(TD_SAMPLES_BY_THREAD, two, periods, n);
        for (size_t i = 0; i < n; i++)
            f.p.event[i].sample_type &= ~(uint64_t)PERF_SAMPLE_IDENTIFIER;
        opened();
        CU_ASSERT_EQUAL(take(&s) != NULL, n == 1);
        perf_samples_end(&f);
    }
}

/* More members than any PMU counts at a time. */
static void most_members(void)
{
    struct sample s = {.n = TD_MEMBERS_MAX + 1, .tid = 9, .time = 1000, .enabled = 10, .running = 10};
    const struct td_interval *v;

    perf_samples_begin(&f);
    for (size_t i = 0; i < s.n; i++) {
        perf_samples_event(&f, "cycles", i ? 0 : 1000);
        s.value[i] = i + 1;
    }
    opened();
    v = take(&s);
    CU_ASSERT_FATAL(v && v->counts.n == TD_MEMBERS_MAX);
    CU_ASSERT_EQUAL(v->counts.c[TD_MEMBERS_MAX - 1].value, TD_MEMBERS_MAX);
    perf_samples_end(&f);
}

/* ---- throttling, and threads ------------------------------------------------------------------------------------ */

/* The sample after a THROTTLE is the last before the hole, which the next interval goes over. Where threads inherit the
 * counter, it is a sample of the throttled one. */
static void throttled(void)
{
    struct sample s = {.by = 1, .n = 2, .tid = 9, .time = 1000};

    for (unsigned inherit = 0; inherit < 2; inherit++) {
        static const enum td_sample_start starts[2][6] = {
            {TD_START_ENABLED, TD_START_SAMPLE, TD_START_THROTTLED, TD_START_SAMPLE, TD_START_SAMPLE, TD_START_SAMPLE},
            {TD_START_ENABLED, TD_START_ENABLED, TD_START_SAMPLE, TD_START_THROTTLED, TD_START_SAMPLE,
             TD_START_THROTTLED},
        };

        begin_two(TD_SAMPLES_BY_THREAD);
        for (size_t k = 0; k < 2 && inherit; k++)
            f.p.event[k].flags |= INHERIT;
        opened();
        for (unsigned i = 0; i < 6; i++) { /* by turns of threads 9 and 10 */
            const struct td_interval *v;

            s.tid = 9 + i % 2, s.value[0] += 10, s.enabled += 10, s.running += 10, s.time += 10;
            if (i == 1 || (i == 3 && inherit))
                f.p.counter[1].held = true, f.p.counter[1].held_tid = inherit ? 10 : 77;
            v = take(&s);
            CU_ASSERT(v && v->at.course == (inherit ? i % 2 : 0));
            CU_ASSERT(v && v->at.start == starts[inherit][i]);
            CU_ASSERT_FALSE(f.p.counter[1].held);
        }
        CU_ASSERT_EQUAL(f.p.samples->info.throttled, inherit ? 2 : 1);
        CU_ASSERT_EQUAL(f.p.samples->info.courses, inherit ? 2 : 1);
        f.p.counter[1].held = true, f.p.counter[1].held_tid = 11;
        s.value[0]++;
        take(&s); /* of another thread than the throttled one */
        CU_ASSERT_EQUAL(f.p.counter[1].held, inherit == 1);
        perf_samples_end(&f);
    }
}

/* ---- pairs --------------------------------------------------------------------------------------------------------
 */

static const char *const of_pairs[] = {"slots", "cycles", "cpu-cycles", "instructions"};

/* The interval that ends with a sample by one event, after one by another in which the first of them counted 6000. */
static enum td_sample_pair pair_of(const uint64_t *periods, const uint64_t *flags, size_t from, size_t to, bool *paired)
{
    struct sample s = {.by = from, .n = 4, .tid = 9, .time = 10, .enabled = 10, .running = 10, .value = {1, 1, 1, 1}};
    const struct td_interval *v;
    enum td_sample_pair pair;

    begin(TD_SAMPLES_BY_THREAD, of_pairs, periods, 4);
    for (size_t i = 0; i < 4; i++)
        f.p.event[i].flags |= flags[i];
    opened();
    take(&s);
    s.by = to, s.time = 20, s.enabled = s.running = 20;
    s.value[0] += 60000, s.value[1] += 6000, s.value[2] += 60000, s.value[3] += 60000;
    v = take(&s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    pair = v->at.pair;
    CU_ASSERT_EQUAL(v->at.distance, pair == TD_PAIR_SHORT ? 6000 : 0);
    CU_ASSERT_EQUAL(f.p.samples->info.pairs, pair == TD_PAIR_SHORT);
    CU_ASSERT_EQUAL(v->mixed, pair == TD_PAIR_REST);
    *paired = f.p.samples->info.paired != NULL;
    CU_ASSERT(!*paired || !strcmp(f.p.samples->info.paired, "cycles"));
    perf_samples_end(&f);
    return pair;
}

static void pairs(void)
{
    static const struct {
        uint64_t periods[4], flags[4];
        size_t from, to;
        enum td_sample_pair pair;
        bool paired;
    } rows[] = {
        {{0, 1000, 1000, 0}, {0}, 1, 2, TD_PAIR_SHORT, true},
        {{0, 1000, 1000, 0}, {0}, 2, 1, TD_PAIR_REST, true},
        {{0, 1000, 1000, 0}, {0}, 1, 1, TD_PAIR_REST, true},
        {{0, 1000, 1000, 0}, {0}, 1, 3, TD_PAIR_REST, true},
        {{0, 1000, 1000, 1000}, {0}, 1, 2, TD_PAIR_SHORT, true}, /* of three the first two */
        {{0, 1000, 1001, 0}, {0}, 1, 2, TD_PAIR_NONE, false},
        {{0, 1000, 1001, 1000}, {0}, 1, 2, TD_PAIR_NONE, false},
        {{0, 1000, 1000, 0}, {0, FREQ, 0, 0}, 1, 2, TD_PAIR_NONE, false},
        {{0, 1000, 1000, 0}, {0, 0, FREQ, 0}, 1, 2, TD_PAIR_NONE, false},
        {{0, 1000, 1000, 0}, {FREQ, 0, 0, FREQ}, 1, 2, TD_PAIR_SHORT, true},
        {{0, 1000, 0, 0}, {0}, 1, 1, TD_PAIR_NONE, false},
        {{0, 1000, 0, 1000}, {0}, 1, 3, TD_PAIR_SHORT, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        bool paired;

        CU_ASSERT_EQUAL(pair_of(rows[i].periods, rows[i].flags, rows[i].from, rows[i].to, &paired), rows[i].pair);
        CU_ASSERT_EQUAL(paired, rows[i].paired);
    }
}

/* ---- groups that take turns ---------------------------------------------------------------------------------------
 */

/* Two groups of one event each. What a group counted is as it is, of the time that it was enabled, or where that is not
 * recorded, of all; between two turns it says nothing of a place: where it had no counters for more than a 64th. */
static void turns(void)
{
    static const struct {
        uint64_t enabled, running;
        double throughout;
        enum td_sample_pair pair;
    } rows[] = {
        {6400, 6400, 6400, TD_PAIR_NONE}, {6400, 6300, 6400, TD_PAIR_NONE}, {6400, 6299, 6400, TD_PAIR_REST},
        {6400, 0, 6400, TD_PAIR_REST},    {0, 0, 2000, TD_PAIR_NONE},
    };
    static const uint64_t both[] = {1000, 1000};

    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(*rows); i++) {
        const bool timed = i % 2 == 0, apart = !timed || rows[i / 2].pair == TD_PAIR_NONE;
        struct sample s = {.n = 1, .tid = 9, .time = 1000, .enabled = 10, .running = 10, .value = {50}}, other = s;
        const struct td_interval *v;

        begin(TD_SAMPLES_BY_THREAD, two, both, 2);
        opened();
        f.p.samples->info.times_recorded = timed;
        v = take(&s);
        CU_ASSERT(v && v->counts.c[0].group == 0);
        other.by = other.first = 1;
        v = take(&other);
        CU_ASSERT(v && v->counts.c[0].group == 1 && v->at.course == 1);
        s.time += 2000, s.enabled += rows[i / 2].enabled, s.running += rows[i / 2].running, s.value[0] += 100;
        v = take(&s);
        CU_ASSERT_PTR_NOT_NULL_FATAL(v);
        CU_ASSERT(v->counts.c[0].group == 0 && v->counts.c[0].value == 100 && v->counts.c[0].status == TD_OK);
        CU_ASSERT(v->counts.c[0].enabled == rows[i / 2].throughout && v->counts.c[0].running == rows[i / 2].throughout);
        CU_ASSERT_EQUAL(v->at.pair, apart ? TD_PAIR_NONE : TD_PAIR_REST);
        CU_ASSERT_EQUAL(v->mixed, !apart);
        perf_samples_end(&f);
    }
}

/* Groups of two kinds of cores take no turns with each other. */
static void kinds_of_cores(void)
{
    static const char *const names[] = {"cpu_core/cycles/", "cpu_atom/cycles/"};
    static const uint64_t both[] = {1000, 1000};
    struct sample s = {.n = 1, .tid = 9, .time = 1000, .enabled = 10, .running = 10, .value = {50}};

    begin(TD_SAMPLES_BY_THREAD, names, both, 2);
    opened();
    for (unsigned i = 0; i < 4; i++) {
        const struct td_interval *v;

        s.by = s.first = i % 2;
        s.time += 10, s.enabled += 10, s.running += 5, s.value[0] += 10;
        v = take(&s);
        CU_ASSERT(v && v->core == (i % 2 ? 'E' : 'P') && v->lane == td_core_index(v->core));
        CU_ASSERT(v && v->counts.c[0].group == 0 && v->at.pair == TD_PAIR_NONE);
    }
    perf_samples_end(&f);
}

static const CU_TestInfo tests[] = {
    {"members of an interval", members},     {"enabled and running", times},     {"samples without times", no_time},
    {"counters that run backwards", resets}, {"samples that are used", used},    {"samples without ids", no_ids},
    {"the most members", most_members},      {"throttled samples", throttled},   {"pairs", pairs},
    {"groups that take turns", turns},       {"kinds of cores", kinds_of_cores}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("intervals of samples", tests);
