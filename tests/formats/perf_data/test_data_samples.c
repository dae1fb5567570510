/* SPDX-License-Identifier: MIT */
/* Which events make a recording of samples that can be read, which are fields of the metrics register, and what is
 * noted of a recording's limits. */
#include "symbols/stores.h"
#include "tests/support/perf_samples.h"

static struct perf_samples f;

/* ---- fields of the metrics register ----------------------------------------------------------------------- */

/* By the name, in any case and of any PMU; where the file has none by the encodings, 0x8000 to 0x8700. */
static void metrics(void)
{
    static const struct {
        const char *name;
        bool named;
        uint64_t config;
        bool metric;
    } rows[] = {
        {"topdown-retiring", true, 0x8000, true},
        {"topdown-mem-bound", true, 0, true},
        {"TopDown-Be-Bound", true, 0, true},
        {"cpu_core/topdown-fe-bound/", true, 0, true},
        {"topdown-/x/", true, 0, false}, /* a PMU's name is none of an event */
        {"topdown_be_bound.all", true, 0, false},
        {"topdown", true, 0, false},
        {"a-topdown-retiring", true, 0, false},
        {"cpu_core/slots/", true, 0, false},
        {"slots", true, 0x400, false},
        {"slots", true, 0x8000, false},
        {"r8000", false, 0x8000, true},
        {"r8100", false, 0x8100, true},
        {"r8700", false, 0x8700, true},
        {"r8800", false, 0x8800, false},
        {"r7f00", false, 0x7f00, false},
        {"r8001", false, 0x8001, false},
        {"r8080", false, 0x8080, false},
        {"r18000", false, 0x18000, false},
        {"r0", false, 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_perf_data_event *e;

        perf_samples_begin(&f);
        perf_samples_event(&f, "cycles", 1000);
        e = perf_samples_event(&f, rows[i].name, 0);
        e->named = rows[i].named;
        e->config = rows[i].config;
        CU_ASSERT_EQUAL(perf_samples_open(&f), 0);
        CU_ASSERT_FALSE(f.p.event[0].metric);
        if (f.p.event[1].metric != rows[i].metric)
            CU_FAIL(rows[i].name);
        perf_samples_end(&f);
    }
}

/* ---- events whose samples can be read ----------------------------------------------------------------------- */

#define FIELDS "different fields"
#define GROUP "no readings of a group"

/* Opens a file of two events, which take samples where their periods are not 0: what is refused. */
static void opens(const uint64_t period[2], const uint64_t type[2], const uint64_t read_format[2], const char *refused)
{
    int err;

    perf_samples_begin(&f);
    for (size_t i = 0; i < 2; i++) {
        struct td_perf_data_event *e = perf_samples_event(&f, i ? "two" : "one", period[i]);

        e->sample_type = type[i];
        e->read_format = read_format[i];
    }
    err = perf_samples_open(&f);
    CU_ASSERT_EQUAL(err, refused ? -EBADMSG : 0);
    CU_ASSERT(!refused || strstr(f.log.error, refused));
    CU_ASSERT_PTR_EQUAL(f.p.samples->like, &f.p.event[0]);
    perf_samples_end(&f);
}

#define PAIR(one_, two_) \
    (const uint64_t[2]) \
    { \
        (one_), (two_) \
    }

enum {
    ALL = PERF_SAMPLES_TYPE,
    NO_IDENTIFIER = ALL & ~PERF_SAMPLE_IDENTIFIER,
    NO_CPU = ALL & ~PERF_SAMPLE_CPU,
    NEITHER = NO_IDENTIFIER & NO_CPU,
    READ = PERF_SAMPLES_READ
};

/* Samples may have different fields if each begins with its event's id. */
static void fields(void)
{
    const uint64_t *both = PAIR(1000, 1000), *all = PAIR(READ, READ);

    opens(both, PAIR(ALL, ALL), all, NULL);
    opens(both, PAIR(ALL, NO_CPU), all, NULL);
    opens(both, PAIR(NO_IDENTIFIER, NO_IDENTIFIER), all, NULL);
    opens(both, PAIR(NO_IDENTIFIER, NEITHER), all, FIELDS);
    opens(both, PAIR(ALL, NO_IDENTIFIER), all, FIELDS);
    opens(both, PAIR(NO_IDENTIFIER, ALL), all, FIELDS);
}

/* One event, which takes samples, has to read its group, whose counters have ids. */
static void groups(void)
{
    const uint64_t *both = PAIR(1000, 1000), *all = PAIR(ALL, ALL);
    const uint64_t no_id = READ & ~(uint64_t)PERF_FORMAT_ID, no_group = READ & ~(uint64_t)PERF_FORMAT_GROUP;
    const uint64_t no_read = ALL & ~(uint64_t)PERF_SAMPLE_READ;

    opens(both, all, PAIR(READ, no_group), NULL);
    opens(both, all, PAIR(no_group, READ), NULL);
    opens(both, all, PAIR(no_group, no_group), GROUP);
    opens(both, all, PAIR(no_id, no_id), GROUP);
    opens(both, PAIR(no_read, no_read), PAIR(READ, READ), GROUP);
    opens(PAIR(0, 1000), all, PAIR(READ, no_group), GROUP);
    opens(PAIR(0, 1000), all, PAIR(no_group, READ), NULL);
    opens(PAIR(1000, 0), all, PAIR(READ, no_group), NULL);
}

/* By cgroup samples have to say theirs. */
static void cgroups(void)
{
    for (unsigned i = 0; i < 4; i++) {
        const bool has = i & 1, asked = i & 2;
        struct td_perf_data_event *e;

        perf_samples_begin(&f);
        f.wanted.by = asked ? TD_SAMPLES_BY_CGROUP : TD_SAMPLES_BY_THREAD;
        e = perf_samples_event(&f, "cycles", 1000);
        e->sample_type |= has ? PERF_SAMPLE_CGROUP : 0;
        CU_ASSERT_EQUAL(perf_samples_open(&f), asked && !has ? -EBADMSG : 0);
        CU_ASSERT_EQUAL(strstr(f.log.error, "--all-cgroups") != NULL, asked && !has);
        perf_samples_end(&f);
    }
}

/* Servers are only asked where there is a library for that. */
static void servers(void)
{
    const char *missing = td_servers_missing();

    perf_samples_begin(&f);
    f.wanted.servers = true;
    perf_samples_event(&f, "cycles", 1000);
    CU_ASSERT_EQUAL(perf_samples_open(&f), missing ? -ENOTSUP : 0);
    CU_ASSERT(!missing || strstr(f.log.error, missing));
    perf_samples_end(&f);
}

/* A recording without periods is of counts; one event with a period is enough. */
static void kinds(void)
{
    perf_samples_begin(&f);
    CU_ASSERT_FALSE(td_perf_samples_are(&f.p));
    perf_samples_event(&f, "one", 0);
    CU_ASSERT_FALSE(td_perf_samples_are(&f.p));
    perf_samples_event(&f, "two", 1);
    CU_ASSERT_TRUE(td_perf_samples_are(&f.p));
    perf_samples_end(&f);
}

/* ---- limits -------------------------------------------------------------------------------------------------------
 */

enum { INHERITED = 1, UNTIMED = 2, NO_TIMES = 4, NO_CHAINS = 8, INHERIT = 1 << 1 /* flag of an event */ };

static void notes_are(unsigned wanted)
{
    static const char *const texts[] = {"threads inherited", "for how long", "the samples have no times",
                                        "no call chains"};

    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(strstr(f.notes, texts[i]) != NULL, wanted >> i & 1);
}

/* The event that takes samples is the last of three; the first does not read its group, the second takes none: both
 * have all that could be noted. */
static void limits_of(uint64_t type, uint64_t read_format, uint64_t flags, enum td_samples_chain chain, unsigned wanted)
{
    struct td_perf_data_event *e;

    perf_samples_begin(&f);
    f.wanted.chain = chain;
    for (unsigned i = 0; i < 3; i++) {
        e = perf_samples_event(&f, i == 0 ? "one" : i == 1 ? "two" : "three", i == 1 ? 0 : 1000);
        e->sample_type = type;
    }
    f.p.event[0].read_format = flags & INHERIT ? READ & ~PERF_FORMAT_GROUP : 0;
    f.p.event[1].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
    e->read_format = read_format;
    e->flags |= flags;
    CU_ASSERT_EQUAL(perf_samples_open(&f), 0);
    notes_are(wanted);
    CU_ASSERT_EQUAL(f.p.samples->info.times_recorded, !(wanted & (INHERITED | UNTIMED)));
    CU_ASSERT_EQUAL(f.p.samples->info.chains, (type & PERF_SAMPLE_CALLCHAIN) != 0);
    CU_ASSERT(f.p.samples->tasks);
    CU_ASSERT_PTR_EQUAL(f.p.recording.stream.samples, &f.p.samples->info);
    CU_ASSERT_PTR_NOT_NULL(f.p.recording.stream.code);
    perf_samples_end(&f);
}

static void limits(void)
{
    const uint64_t no_enabled = READ & ~(uint64_t)PERF_FORMAT_TOTAL_TIME_ENABLED,
                   no_running = READ & ~(uint64_t)PERF_FORMAT_TOTAL_TIME_RUNNING;

    limits_of(ALL, READ, 0, TD_CHAIN_SELF, 0);
    limits_of(ALL, READ, INHERIT, TD_CHAIN_SELF, INHERITED);
    limits_of(ALL, no_enabled, INHERIT, TD_CHAIN_SELF, INHERITED);
    limits_of(ALL, no_enabled, 0, TD_CHAIN_SELF, UNTIMED);
    limits_of(ALL, no_running, 0, TD_CHAIN_SELF, UNTIMED);
    limits_of(ALL & ~PERF_SAMPLE_TIME, READ, 0, TD_CHAIN_SELF, NO_TIMES);
    limits_of(ALL, READ, 0, TD_CHAIN_CHILDREN, NO_CHAINS);
    limits_of(ALL | PERF_SAMPLE_CALLCHAIN, READ, 0, TD_CHAIN_CHILDREN, 0);
    limits_of(ALL | PERF_SAMPLE_CALLCHAIN, READ, 0, TD_CHAIN_SELF, 0);
}

static const CU_TestInfo tests[] = {
    {"fields of the metrics register", metrics},
    {"samples of different fields", fields},
    {"samples that read their group", groups},
    {"cgroups", cgroups},
    {"servers", servers},
    {"samples or counts", kinds},
    {"limits", limits},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("events of samples", tests);
