/* SPDX-License-Identifier: MIT */
/* Results from percentages that toplev printed: row by row as they are, and their means, worked out by hand. */
#include "session/session.h"
#include "private/result.h"
#include "tests/support/memory.h"
#include "tests/support/pieces.h"

#include <errno.h>
#include <math.h>

/* Two CPUs at two times, in per cent of the slots. latency: of level 2, which one row lacks: 0. */
static const struct {
    double seconds;
    const char *cpu;
    int retiring, bad, frontend, backend, latency;
} rows[] = {
    {1.5, "C0", 20, 10, 50, 20, 40},
    {1.5, "C1", 20, 10, 10, 60, 4},
    {2.5, "C0", 40, 0, 30, 30, 0},
    {2.5, "C1", 20, 0, 20, 60, 8},
};

static size_t write_file(char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[\n");

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        n += (size_t)snprintf(
            out + n, size - n,
            "{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"%s\", \"ts\": %ge-06, \"args\": {\"Frontend_Bound\": %d, \"Backend_Bound\": %d, \"Bad_Speculation\": %d, \"Retiring\": %d}},\n",
            rows[i].cpu, rows[i].seconds, rows[i].frontend, rows[i].backend, rows[i].bad, rows[i].retiring);
        if (rows[i].latency)
            n += (size_t)snprintf(
                out + n, size - n,
                "{\"name\": \"Level2\", \"ph\": \"C\", \"pid\": \"%s\", \"ts\": %ge-06, \"args\": {\"Frontend_Bound.Fetch_Latency\": %d}},\n",
                rows[i].cpu, rows[i].seconds, rows[i].latency);
    }
    return n - 2 + (size_t)snprintf(out + n - 2, size - n + 2, "\n]\n");
}

static void put_result(struct log *l, const struct td_result *r)
{
    uint64_t time = 0;

    if (td_result_time(r, &time))
        put(l, "%.1f", (double)time / 1e9);
    else
        put(l, "mean");
    put(l, " %s %s", td_result_scope(r), td_result_cpu(r));
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        put(l, " %s %.4g", m->name, 100 * m->value);
        CU_ASSERT(isnan(m->low) && isnan(m->high) && isnan(m->raw) && m->status == TD_OK &&
                  m->bounds == TD_BOUNDS_NONE && m->kind == TD_METRIC_NODE);
        CU_ASSERT_EQUAL(m->flags, TD_FLAG_NO_BOUNDS);
        CU_ASSERT(!r->per_cpu[i] && r->lacks[i] == 0);
        CU_ASSERT_EQUAL(r->family[i], i < 4 ? 0 : 4); /* the first with the same parent */
    }
    CU_ASSERT(r->printed && td_result_flags(r) == TD_FLAG_NO_BOUNDS);
    put(l, " [%.23s]\n", td_result_formula(r));
}

/* What a handle with these settings gives of the file: its rows, then its means. */
static void give(struct td *td, struct log *l)
{
    const struct td_result *r;
    char text[4096];
    struct source s = {text, write_file(text, sizeof(text)), 4096, 0};
    int err;

    CU_ASSERT_EQUAL_FATAL(td_open_printed(td, "f", source_read, &s), 0);
    CU_ASSERT_EQUAL(td_open(td, "f", source_read, &s), -EINVAL); /* it is open */
    while (!(err = td_next(td, &r))) {
        CU_ASSERT_FALSE(td_result_is_summary(r));
        put_result(l, r);
    }
    CU_ASSERT_PTR_NULL(r);
    for (size_t i = 0; err == -ENODATA && !(err = td_summary(td, i, &r)); i++) {
        CU_ASSERT_TRUE(td_result_is_summary(r));
        put_result(l, r);
        err = -ENODATA;
    }
    if (err != -ENODATA)
        put(l, "%d %s\n", err, td_error(td));
    CU_ASSERT_EQUAL(td_take(td), -EINVAL);
    td_free(td);
}

#define ROW(time_, scope_, level1_, more_) time_ " " scope_ " unknown " level1_ more_ " [percentages as printed;]\n"
#define MEAN(scope_, level1_, more_) "mean " scope_ " unknown " level1_ more_ " [mean of 2 intervals' pe]\n"
#define C0 "retiring 20 bad_speculation 10 frontend_bound 50 backend_bound 20"
#define C1 "retiring 20 bad_speculation 10 frontend_bound 10 backend_bound 60"
#define C0_LATER "retiring 40 bad_speculation 0 frontend_bound 30 backend_bound 30"
#define C1_LATER "retiring 20 bad_speculation 0 frontend_bound 20 backend_bound 60"

/* What not all rows of a scope have is not in their mean: (20 + 40) / 2, (10 + 0) / 2, (50 + 30) / 2, (20 + 30) / 2 of
 * C0; 20, 5, 15, 60 of C1, and (4 + 8) / 2. */
#define MEANS(more_) \
    MEAN("C0", "retiring 30 bad_speculation 5 frontend_bound 40 backend_bound 25", "") \
    MEAN("C1", "retiring 20 bad_speculation 5 frontend_bound 15 backend_bound 60", more_)

static void all(void)
{
    struct log l = {.n = 0};

    give(td_new(), &l);
    same_log(&l,
             ROW("1.5", "C0", C0, " fetch_latency 40") ROW("1.5", "C1", C1, " fetch_latency 4")
                 ROW("2.5", "C0", C0_LATER, "") ROW("2.5", "C1", C1_LATER, " fetch_latency 8")
                     MEANS(" fetch_latency 6"),
             4096);
}

static void level_1(void)
{
    struct td *td = td_new();
    struct log l = {.n = 0};

    CU_ASSERT_EQUAL(td_set_level(td, 1), 0);
    give(td, &l);
    same_log(&l,
             ROW("1.5", "C0", C0, "") ROW("1.5", "C1", C1, "") ROW("2.5", "C0", C0_LATER, "")
                 ROW("2.5", "C1", C1_LATER, "") MEANS(""),
             4096);
}

/* After 1.5 s, to 2.5 s: a mean of one row is that row, with its time. */
static void later(void)
{
    struct td *td = td_new();
    struct log l = {.n = 0};

    CU_ASSERT_EQUAL(td_set_times(td, 1500000000, 2500000000), 0);
    give(td, &l);
    same_log(&l,
             ROW("2.5", "C0", C0_LATER, "") ROW("2.5", "C1", C1_LATER, " fetch_latency 8")
                 ROW("2.5", "C0", C0_LATER, "") ROW("2.5", "C1", C1_LATER, " fetch_latency 8"),
             4096);
}

static void never(void)
{
    struct td *td = td_new();
    struct log l = {.n = 0};

    CU_ASSERT_EQUAL(td_set_times(td, 1500000000, 2400000000), 0);
    give(td, &l);
    same_log(&l, "-74 f: no interval ends after 1.5 s and not after 2.4 s\n", 4096);
    l.n = 0;
    td = td_new();
    CU_ASSERT_EQUAL(td_set_times(td, 2500000000, UINT64_MAX), 0);
    give(td, &l);
    same_log(&l, "-74 f: no interval ends after 2.5 s\n", 4096);
}

static void means_alone(void)
{
    struct td *td = td_new();
    struct log l = {.n = 0};

    td_set_intervals(td, false);
    give(td, &l);
    same_log(&l, MEANS(" fetch_latency 6"), 4096);
}

/* What is no percentages, and what is after counts that give level 1, stays what it is. */
static void others(void)
{
    static const char counts[] = "100,,slots,9,100.00,,\n40,,topdown-retiring,9,100.00,,\n"
                                 "10,,topdown-bad-spec,9,100.00,,\n30,,topdown-fe-bound,9,100.00,,\n"
                                 "20,,topdown-be-bound,9,100.00,,\n";
    struct source s = {counts, sizeof(counts) - 1, 4096, 0};
    char text[4096];
    struct source printed = {text, write_file(text, sizeof(text)), 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_EQUAL(td_open_printed(td, "f", source_read, &s), -EBADMSG);
    CU_ASSERT_EQUAL(td_next(td, &r), -EINVAL);
    s = (struct source){counts, sizeof(counts) - 1, 4096, 0};
    CU_ASSERT_EQUAL(td_open(td, "f", source_read, &s), 0);
    CU_ASSERT_EQUAL(td_next(td, &r), 0);
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    CU_ASSERT_EQUAL(td_open_printed(td, "f", source_read, &printed), -EBADMSG);
    td_free(td);
}

/* Counts that give no metric do not hide what was printed: the CPU is not found by them, or its formulas lack some. */
static void after_counts(void)
{
    static const char counts[] = "1000,,slots,9,100.00,,\n5,,topdown-retiring,9,100.00,,\n";

    for (int named = 0; named < 2; named++) {
        struct source s = {counts, sizeof(counts) - 1, 4096, 0};
        char text[4096];
        struct source printed = {text, write_file(text, sizeof(text)), 4096, 0};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && (!named || !td_set_uarch(td, "srf")) && !td_open(td, "f", source_read, &s));
        while (!td_next(td, &r))
            CU_ASSERT_PTR_NOT_NULL(r);
        CU_ASSERT_EQUAL_FATAL(td_open_printed(td, "f", source_read, &printed), 0);
        CU_ASSERT_EQUAL(td_next(td, &r), 0);
        CU_ASSERT_DOUBLE_EQUAL(td_result_metric(r, 0)->value, 0.2, 1e-9); /* of rows[0] */
        td_free(td);
    }
}

/* The CPU that is named is the result's, and its tree. */
static void named(void)
{
    char text[4096];
    struct source s = {text, write_file(text, sizeof(text)), 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_open_printed(td, "f", source_read, &s) && !td_next(td, &r));
    CU_ASSERT_STRING_EQUAL(td_result_cpu(r), "spr");
    CU_ASSERT_STRING_EQUAL(td_result_backend(r), "intel-perf-metrics");
    td_free(td);
}

/* Of a hybrid that is named, the kind of core whose PMU the scope is, else the first; where none is named, the first
 * CPU that has all nodes, as the first of all has those of level 1. */
static void kinds_of_core(void)
{
    static const struct {
        const char *named, *scope, *node, *cpu, *backend;
    } of[] = {
        {"adl", "cpu_core", "Retiring", "adl-p", "intel-perf-metrics"},
        {"adl", "cpu_atom", "Retiring", "adl-e", "intel-atom"},
        {"adl", "C0", "Retiring", "adl-p", "intel-perf-metrics"},
        {"adl", "cpu_lowpower", "Retiring", "adl-p", "intel-perf-metrics"},
        {NULL, "C0", "Retiring", "unknown", "intel-perf-metrics"},
        {NULL, "C0", "SMT_Contention", "unknown", "amd-zen"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        char text[1024];
        struct source s;
        const struct td_result *r;
        struct td *td = td_new();

        snprintf(text, sizeof(text),
                 "[\n{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"%s\", \"ts\": 1.5e-06, \"args\": "
                 "{\"Frontend_Bound\": 20, \"Backend_Bound\": 30, \"Bad_Speculation\": 10, \"%s\": 40}}\n]\n",
                 of[i].scope, of[i].node);
        s = (struct source){text, strlen(text), 4096, 0};
        CU_ASSERT_FATAL(td && (!of[i].named || !td_set_uarch(td, of[i].named)));
        CU_ASSERT_FATAL(!td_open_printed(td, "f", source_read, &s) && !td_next(td, &r));
        CU_ASSERT_STRING_EQUAL(td_result_cpu(r), of[i].cpu);
        CU_ASSERT_STRING_EQUAL(td_result_backend(r), of[i].backend);
        CU_ASSERT_STRING_EQUAL(td_result_scope(r), of[i].scope);
        td_free(td);
    }
}

/* Where no CPU is named and one node alone is printed, it is the first CPU's that has it; where none has all, the first
 * of all. */
static void nodes_of_others(void)
{
    static const struct {
        const char *text, *backend;
    } of[] = {
        {"C0  RET  Retiring  % Slots  40\n", "intel-perf-metrics"},
        {"C0  SMT  SMT_Contention  % Slots  40\n", "amd-zen"},
        {"C0  FE  Fetch_Latency  % Slots  40\nC0  SMT  SMT_Contention  % Slots  40\n", "intel-perf-metrics"},
    };

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        struct source s = {of[i].text, strlen(of[i].text), 4096, 0};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_open_printed(td, "f", source_read, &s) && !td_next(td, &r));
        CU_ASSERT_STRING_EQUAL(td_result_backend(r), of[i].backend);
        td_free(td);
    }
}

enum { SCOPES = 40 /* more than the means have room for at first */ };

/* The means of scopes that retired 10 and 30 percent; where memory ends among the rows, they are asked for again. */
static int averaged_again(void *ctx)
{
    struct source s = *(const struct source *)ctx;
    const struct td_result *r;
    struct td *td;
    int err;

    memory_hold();
    td = td_new();
    CU_ASSERT_FATAL(td && !td_open_printed(td, "f", source_read, &s));
    memory_go();
    err = td_summary(td, 0, &r);
    memory_hold();
    for (size_t i = 0; i < SCOPES; i++) {
        CU_ASSERT_EQUAL_FATAL(td_summary(td, i, &r), 0);
        CU_ASSERT_DOUBLE_EQUAL(td_result_metric(r, 0)->value, 0.2, 1e-9);
    }
    CU_ASSERT_EQUAL(td_summary(td, SCOPES, &r), -ENODATA);
    td_free(td);
    memory_go();
    return err;
}

static void without_memory(void)
{
    static char text[32768];
    size_t n = (size_t)snprintf(text, sizeof(text), "[\n");

    for (int i = 0; i < 2 * SCOPES; i++)
        n += (size_t)snprintf(
            text + n, sizeof(text) - n,
            "{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"C%d\", \"ts\": %d.5e-06, \"args\": {\"Frontend_Bound\": 20, \"Backend_Bound\": %d, \"Bad_Speculation\": 10, \"Retiring\": %d}}%s\n",
            i % SCOPES, 1 + i / SCOPES, i < SCOPES ? 60 : 40, i < SCOPES ? 10 : 30, i < 2 * SCOPES - 1 ? "," : "");
    n += (size_t)snprintf(text + n, sizeof(text) - n, "]\n");
    CU_ASSERT(memory_each(averaged_again, &(struct source){text, n, 4096, 0}, 1, false) > 1);
}

/* The first row of a file, by a handle that needs memory for it. */
static int opened(void *ctx)
{
    struct source s = *(const struct source *)ctx;
    const struct td_result *r;
    struct td *td = td_new();
    int err = td ? td_open_printed(td, "f", source_read, &s) : -ENOMEM;

    err = err ? err : td_next(td, &r);
    CU_ASSERT(err || !strcmp(td->name, "f"));
    td_free(td);
    return err;
}

static void opened_without_memory(void)
{
    char text[4096];

    CU_ASSERT(memory_each(opened, &(struct source){text, write_file(text, sizeof(text)), 4096, 0}, 1, true) > 4);
}

static const CU_TestInfo tests[] = {
    {"rows and their means", all},
    {"of level 1 alone", level_1},
    {"of a part of the time", later},
    {"of a time when nothing was printed", never},
    {"means alone", means_alone},
    {"what is no percentages", others},
    {"after counts that give nothing", after_counts},
    {"a CPU that is named", named},
    {"kinds of core", kinds_of_core},
    {"nodes of other CPUs", nodes_of_others},
    {"means once more, after memory was out", without_memory},
    {"opened without memory", opened_without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("percentages as printed", tests);
