/* SPDX-License-Identifier: MIT */
/* Which CPUs a recording fits, and the cost of finding out; recordings with many scopes. */
#include "backends/find_identity.h"
#include "session/session.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is compiled ------------------------------------------------------------------ */

static size_t opened(const struct td_forms *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->form[i].p != NULL;
    return n;
}

/* Tables of events that the parts of CPUs have, of which several may have the same. */
static size_t event_tables(void)
{
    const struct td_event *seen[256];
    struct td_identity m;
    size_t n = 0;

    for (size_t row = 0; td_identity_next(&row, &m);)
        for (size_t part = 0; part < m.nparts; part++) {
            size_t first = 0;

            while (first < n && seen[first] != m.part[part]->events)
                first++;
            CU_ASSERT_FATAL(first < sizeof(seen) / sizeof(*seen));
            seen[first] = m.part[part]->events;
            n += first == n;
        }
    return n;
}

static size_t count_words(const char *text)
{
    size_t n = 1;

    for (; *text; text++)
        n += *text == ' ';
    return n;
}

#define ROW(event) "1.000000000,1000,,cpu_core/" event "/,1000000000,100.00,,\n"
#define PLAIN(time, event) time ",1000,," event ",1000000000,100.00,,\n"
#define LEVEL1(time) \
    PLAIN(time, "slots") \
    PLAIN(time, "topdown-retiring") \
    PLAIN(time, "topdown-bad-spec") PLAIN(time, "topdown-fe-bound") PLAIN(time, "topdown-be-bound")

/* Of the dozens of CPUs, five know these events of P-cores: nothing is made for the
 * others, and only the one form of a CPU that the events select is opened. */
static void only_what_fits(void)
{
    static const char text[] =
        ROW("slots") ROW("topdown-retiring") ROW("topdown-bad-spec") ROW("topdown-fe-bound") ROW("topdown-be-bound");
    struct source s = {text, strlen(text), 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();
    size_t all = 0;

    CU_ASSERT_FATAL(td && !td_open(td, "f", source_read, &s) && !td_next(td, &r));
    CU_ASSERT_STRING_EQUAL(td->candidates.names.at, "adl mtl lnl arl ptl");
    CU_ASSERT(td->candidates.nforms <= 2 * count_words(td->candidates.names.at)); /* P-cores and E-cores */
    for (size_t i = 0; i < td->candidates.nforms; i++) {
        CU_ASSERT(opened(td->candidates.forms[i]) <= 1);
        all += opened(td->candidates.forms[i]);
    }
    CU_ASSERT_EQUAL(td->candidates.nmeanings, event_tables()); /* what texts mean there is looked up once */
    CU_ASSERT(all > 0 && all <= count_words(td->candidates.names.at));
    td_free(td);
}

/* The first interval fits Ice Lake and Sapphire Rapids, the second has an event for which only one corrects: an error
 * has no result. */
static void answers_that_differ(void)
{
    static const char text[] =
        LEVEL1("1.000000000") LEVEL1("2.000000000") PLAIN("2.000000000", "INT_MISC.CLEARS_COUNT");
    struct source s = {text, strlen(text), 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();
    int err;

    CU_ASSERT_FATAL(td && !td_open(td, "f", source_read, &s));
    do
        err = td_next(td, &r);
    while (!err);
    CU_ASSERT_EQUAL(err, -EINVAL);
    CU_ASSERT_PTR_NULL(r);
    td_free(td);
}

/* What is of other metrics than those of levels 1 and 2 is named, four events of it. */
static void deeper_events(void)
{
#define DEEP1 PLAIN("1.000000000", "CYCLE_ACTIVITY.STALLS_L3_MISS")
#define DEEP2 DEEP1 PLAIN("1.000000000", "CYCLE_ACTIVITY.STALLS_L2_MISS")
#define DEEP4 DEEP2 PLAIN("1.000000000", "CYCLE_ACTIVITY.STALLS_L1D_MISS") PLAIN("1.000000000", "ARITH.DIVIDER_ACTIVE")
    static const struct {
        const char *text, *named;
    } of[] = {
        {DEEP1, "what skl has of the events are CYCLE_ACTIVITY.STALLS_L3_MISS, of other metrics"},
        {DEEP2, "CYCLE_ACTIVITY.STALLS_L3_MISS, CYCLE_ACTIVITY.STALLS_L2_MISS, of other metrics"},
        {DEEP4, "STALLS_L2_MISS, CYCLE_ACTIVITY.STALLS_L1D_MISS, ARITH.DIVIDER_ACTIVE, of other metrics"},
        {DEEP4 PLAIN("1.000000000", "INT_MISC.CLEAR_RESTEER_CYCLES"), "ARITH.DIVIDER_ACTIVE, ..., of other metrics"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
        for (size_t fixed = 0; fixed < 2; fixed++) {
            struct source s = {of[i].text, strlen(of[i].text), 4096, 0};
            const struct td_result *r;
            struct td *td = td_new();

            td_set_fixed(td, fixed);
            CU_ASSERT_FATAL(!td_set_uarch(td, "skl") && !td_open(td, "f", source_read, &s));
            CU_ASSERT_EQUAL(td_next(td, &r), -EBADMSG);
            CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), of[i].named));
            CU_ASSERT_EQUAL(strstr(td_error(td), "--uarch skl --no-fixed'") != NULL, !fixed);
            td_free(td);
        }
}

/* What is known is named whichever number its row has it under: the first of all that a Sapphire Rapids has, and what
 * the E-cores of a hybrid alone have. */
static void first_events(void)
{
    static const struct {
        const char *cpu, *text, *said;
    } rows[] = {
        {"spr", PLAIN("1.000000000", "CPU_CLK_UNHALTED.THREAD"),
         "f:1: no top-down events were recorded: what spr has of the events are CPU_CLK_UNHALTED.THREAD, of other"},
        {"adl", PLAIN("1.000000000", "LD_HEAD.ANY_AT_RET"),
         "f:1: no top-down events were recorded: what adl has of the events are LD_HEAD.ANY_AT_RET, of other"},
        {"spr", PLAIN("1.000000000", "ASE_SPEC"), "f:1: none of the events is one that the formulas of spr use"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {rows[i].text, strlen(rows[i].text), 4096, 0};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_uarch(td, rows[i].cpu) && !td_open(td, "f", source_read, &s));
        CU_ASSERT_EQUAL(td_next(td, &r), -EBADMSG);
        if (strncmp(td_error(td), rows[i].said, strlen(rows[i].said)) != 0)
            printf("\n    %s", td_error(td));
        CU_ASSERT(!strncmp(td_error(td), rows[i].said, strlen(rows[i].said)));
        CU_ASSERT_TRUE(td->no_topdown);
        td_free(td);
    }
}

/* A backend that has formulas for all, for a part or for nothing of the CPU that was named. */
static void backends(void)
{
    static const struct {
        const char *cpu, *backend;
        size_t nparts;
        int err;
        const char *said;
    } rows[] = {
        {"spr", "intel-perf-metrics", 1, 0, ""},
        {"spr", "amd-zen", 0, -EOPNOTSUPP, "f: backend amd-zen has no formulas for spr, which is intel-perf-metrics"},
        {"adl", "auto", 2, 0, ""},
        {"adl", "intel-perf-metrics", 1, 0, ""},
        {"adl", "amd-zen", 0, -EOPNOTSUPP, "f: backend amd-zen has no formulas for adl, which is intel-perf-metrics"},
    };
    static const char text[] = LEVEL1("1.000000000");

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {text, strlen(text), 4096, 0};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_uarch(td, rows[i].cpu) && !td_set_backend(td, rows[i].backend));
        CU_ASSERT_FATAL(!td_open(td, "f", source_read, &s));
        CU_ASSERT_EQUAL(td_next(td, &r), rows[i].err);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].said);
        CU_ASSERT_EQUAL(td->candidates.n, rows[i].nparts > 0);
        CU_ASSERT(!td->candidates.n || td->candidates.c[0].identity.nparts == rows[i].nparts);
        td_free(td);
    }
}

/* Where no CPU of a backend fits, the message names that. */
static void no_cpu_of_a_backend(void)
{
    static const char text[] = PLAIN("1.000000000", "slots") PLAIN("1.000000000", "topdown-bad-spec");
    struct source s = {text, strlen(text), 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_backend(td, "intel-perf-metrics") && !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL(td_next(td, &r), -EOPNOTSUPP);
    CU_ASSERT_STRING_EQUAL(td_error(td),
                           "f:2: the top-down events of this recording fit no CPU that tdprobe knows in backend "
                           "intel-perf-metrics; nearest is icl, but topdown-retiring, topdown-fe-bound, "
                           "topdown-be-bound are missing: 'tdprobe perf-command --uarch icl' prints what to record");
    td_free(td);
}

/* Host, CPU and command as a trace's header has them; the last command counts; nothing before it is opened. */
static void origin(void)
{
    static const char text[] =
        "# tdprobe-trace: 1\n# cpu: GenuineIntel-6-8F-8\n# x-host: build 7\n# command: first\n# command: make all\n"
        "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n";
    struct source s = {text, strlen(text), 4096, 0};
    struct td_origin_info from = {.size = sizeof(from)};
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    CU_ASSERT_FALSE(!td_origin_about(td, &from));
    CU_ASSERT_FATAL(!td_open(td, "f", source_read, &s));
    CU_ASSERT_FATAL(!td_origin_about(td, &from) && from.host && from.cpu && from.command);
    CU_ASSERT_STRING_EQUAL(from.host, "build 7");
    CU_ASSERT_STRING_EQUAL(from.cpu, "spr");
    CU_ASSERT_STRING_EQUAL(from.command, "make all");
    td_free(td);
}

/* ---- many scopes ------------------------------------------------------------------------ */

enum { SCOPES = 65536, INTERVALS = 2, EVENTS = 2 };

/* perf stat -A on a Gracemont, one row at a time: in the second interval the CPUs come in
 * the opposite order. */
struct crowd {
    unsigned scopes, row;
    char text[128];
    size_t length, at;
};

static unsigned cpu_at(const struct crowd *c, unsigned interval, unsigned i)
{
    return interval ? c->scopes - 1 - i : i;
}

/* Numbers that no two neighbouring CPUs share. */
static uint64_t cycles_of(unsigned interval, unsigned cpu)
{
    return 1000000 + 7 * cpu + 1000 * interval;
}

static uint64_t bound_of(unsigned interval, unsigned cpu)
{
    return 2000000 + UINT64_C(2654435761) * (cpu + interval) % 1000000;
}

static void write_row(struct crowd *c)
{
    const unsigned interval = c->row / EVENTS / c->scopes, cpu = cpu_at(c, interval, c->row / EVENTS % c->scopes);
    const bool first = c->row % EVENTS == 0;

    c->at = 0;
    c->length = (size_t)snprintf(c->text, sizeof(c->text), "%u.000000000,CPU%u,%" PRIu64 ",,%s,1000000000,100.00,,\n",
                                 1 + interval, cpu, first ? cycles_of(interval, cpu) : bound_of(interval, cpu),
                                 first ? "CPU_CLK_UNHALTED.CORE" : "TOPDOWN_FE_BOUND.ALL");
    c->row++;
}

static ssize_t crowd_read(void *ctx, void *buf, size_t size)
{
    struct crowd *c = ctx;
    size_t n;

    if (c->at == c->length && c->row == INTERVALS * EVENTS * c->scopes)
        return 0;
    if (c->at == c->length)
        write_row(c);
    n = size < c->length - c->at ? size : c->length - c->at;
    memcpy(buf, c->text + c->at, n);
    c->at += n;
    return (ssize_t)n;
}

/* Five slots a cycle. */
static bool is_right(const struct td_result *r, unsigned cpu, uint64_t bound, uint64_t cycles)
{
    char name[16];

    snprintf(name, sizeof(name), "CPU%u", cpu);
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        if (!strcmp(m->name, "frontend_bound"))
            return !strcmp(td_result_scope(r), name) && m->status == TD_OK &&
                   fabs(m->value - (double)bound / (5.0 * (double)cycles)) < 1e-12;
    }
    return false;
}

static void many_scopes(void)
{
    struct crowd c = {.scopes = (unsigned)unit_rounds(SCOPES)};
    unsigned n = 0, sums = 0, wrong = 0;
    const struct td_result *r;
    struct td *td = td_new();
    int err;

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "adl-e") && !td_set_level(td, 1) && !td_open(td, "f", crowd_read, &c));
    for (; !(err = td_next(td, &r)); n++) {
        const unsigned interval = n / c.scopes, cpu = n % c.scopes; /* in the order in which they first came */

        wrong += !is_right(r, cpu, bound_of(interval, cpu), cycles_of(interval, cpu));
    }
    CU_ASSERT_EQUAL(err, -ENODATA);
    CU_ASSERT_EQUAL(n, INTERVALS * c.scopes);
    for (; !td_summary(td, sums, &r); sums++)
        wrong += !is_right(r, sums, bound_of(0, sums) + bound_of(1, sums), cycles_of(0, sums) + cycles_of(1, sums));
    CU_ASSERT_EQUAL(sums, c.scopes);
    CU_ASSERT_EQUAL(wrong, 0);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"only what fits is compiled", only_what_fits},
    {"no result where answers differ", answers_that_differ},
    {"events of other metrics", deeper_events},
    {"events of the first number", first_events},
    {"backends of a CPU that is named", backends},
    {"a backend of which no CPU fits", no_cpu_of_a_backend},
    {"where a recording comes from", origin},
    {"65,536 CPUs", many_scopes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("identify", tests);
