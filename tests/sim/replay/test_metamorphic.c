/* SPDX-License-Identifier: MIT */
/* Random counts, written in several ways: as perf -x, -j, text and perf.data,
 * k times as large, as one interval or two, with rows in another order, with raw
 * encodings. Their meaning is the same, so the answers must be too. */
#include "tests/support/perf_file.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST = 14, INTERVALS = 2, ANSWERS = 64, TEXT = 16384, ROUNDS = 60 };

static const struct machine {
    const char *cpu, *pmu; /* pmu: for raw encodings */
    const char *names; /* blank-separated; after PMU/ on hybrids */
} machines[] = {
    {"spr", "cpu",
     "slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat topdown-mem-bound INT_MISC.UOP_DROPPING"},
    {"adl", NULL,
     "cpu_core/slots/ cpu_core/topdown-retiring/ cpu_core/topdown-bad-spec/ cpu_core/topdown-fe-bound/ cpu_core/topdown-be-bound/ cpu_core/topdown-mem-bound/ "
     "cpu_atom/CPU_CLK_UNHALTED.CORE/ cpu_atom/TOPDOWN_RETIRING.ALL/ cpu_atom/TOPDOWN_FE_BOUND.ALL/ cpu_atom/TOPDOWN_BE_BOUND.ALL/ cpu_atom/TOPDOWN_BAD_SPECULATION.MACHINE_CLEARS/"},
    {"skl", "cpu",
     "CPU_CLK_UNHALTED.THREAD UOPS_ISSUED.ANY UOPS_RETIRED.RETIRE_SLOTS INT_MISC.RECOVERY_CYCLES IDQ_UOPS_NOT_DELIVERED.CORE "
     "IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE BR_MISP_RETIRED.ALL_BRANCHES MACHINE_CLEARS.COUNT"},
    {"srf", "cpu",
     "CPU_CLK_UNHALTED.CORE TOPDOWN_RETIRING.ALL_P TOPDOWN_FE_BOUND.ALL_P TOPDOWN_BE_BOUND.ALL_P TOPDOWN_BAD_SPECULATION.ALL_P TOPDOWN_FE_BOUND.FRONTEND_LATENCY "
     "TOPDOWN_BE_BOUND.ALLOC_RESTRICTIONS"},
    {"neoverse-n2", "armv8_pmuv3_0",
     "CPU_CYCLES STALL_SLOT STALL_SLOT_FRONTEND STALL_SLOT_BACKEND OP_RETIRED OP_SPEC BR_MIS_PRED"},
};

struct counts {
    const struct machine *m;
    size_t n, nintervals; /* 0: no -I */
    char name[MOST][96];
    uint64_t value[INTERVALS][MOST], part[MOST]; /* part: of the time it was counted, in 100ths */
};

struct answer {
    struct {
        double value;
        int status;
        unsigned flags;
        const char *name;
        bool contradicted;
    } a[ANSWERS];
    size_t n;
};

/* ---- the ways to write them -------------------------------------------------------- */

typedef size_t writer_fn(const struct counts *, char *out);

static size_t rows_of(const struct counts *k)
{
    return k->nintervals ? k->nintervals : 1;
}

static size_t write_csv(const struct counts *k, char *out)
{
    size_t n = 0;

    for (size_t t = 0; t < rows_of(k); t++)
        for (size_t i = 0; i < k->n; i++) {
            if (k->nintervals)
                n += (size_t)sprintf(out + n, "%zu.000000000,", t + 1);
            n += (size_t)sprintf(out + n, "%llu,,%s,%llu,%llu.00,,\n", (unsigned long long)k->value[t][i], k->name[i],
                                 (unsigned long long)k->part[i] * 10000000, (unsigned long long)k->part[i]);
        }
    return n;
}

static size_t write_json(const struct counts *k, char *out)
{
    size_t n = 0;

    for (size_t t = 0; t < rows_of(k); t++)
        for (size_t i = 0; i < k->n; i++) {
            n += (size_t)sprintf(out + n, "{");
            if (k->nintervals)
                n += (size_t)sprintf(out + n, "\"interval\" : %zu.000000000, ", t + 1);
            n += (size_t)sprintf(
                out + n,
                "\"counter-value\" : \"%llu.000000\", \"unit\" : \"\", \"event\" : \"%s\", \"event-runtime\" : %llu, \"pcnt-running\" : %llu.00}\n",
                (unsigned long long)k->value[t][i], k->name[i], (unsigned long long)k->part[i] * 10000000,
                (unsigned long long)k->part[i]);
        }
    return n;
}

static size_t put_grouped(char *out, uint64_t value)
{
    size_t n = value >= 1000 ? put_grouped(out, value / 1000) : 0;

    return n + (size_t)sprintf(out + n, n ? ",%03llu" : "%llu", (unsigned long long)value % 1000);
}

static size_t write_text(const struct counts *k, char *out)
{
    size_t n = k->nintervals ? (size_t)sprintf(out, "#           time             counts unit events\n")
                             : (size_t)sprintf(out, "\n Performance counter stats for 'system wide':\n\n");

    for (size_t t = 0; t < rows_of(k); t++)
        for (size_t i = 0; i < k->n; i++) {
            n += k->nintervals ? (size_t)sprintf(out + n, "     %zu.000000000     ", t + 1)
                               : (size_t)sprintf(out + n, "     ");
            n += put_grouped(out + n, k->value[t][i]);
            n += (size_t)sprintf(out + n, "      %s  ", k->name[i]);
            if (k->part[i] < 100)
                n += (size_t)sprintf(out + n, "   (%llu.00%%)", (unsigned long long)k->part[i]);
            n += (size_t)sprintf(out + n, "\n");
        }
    if (!k->nintervals)
        n += (size_t)sprintf(out + n, "\n       1.000000000 seconds time elapsed\n\n");
    return n;
}

/* Totals since the counters were opened, not scaled: value is a multiple of 100. */
static size_t write_data(const struct counts *k, char *out)
{
    struct file *f = begin();

    f->nevents = k->n;
    f->ncpus = 1;
    for (size_t i = 0; i < k->n; i++)
        f->event[i] = (struct event){4, 0x100 + i, 0, k->name[i], 11 + i};
    head(f);
    config(f, 1);
    update(f, 1, 11, NULL, 1);
    for (size_t t = 0; t < rows_of(k); t++) {
        for (size_t i = 0; i < k->n; i++) {
            uint64_t sum = k->value[0][i] + (t ? k->value[1][i] : 0);

            count(f, 11 + i, UINT32_MAX, 0, sum / 100 * k->part[i], (t + 1) * 1000000000,
                  (t + 1) * 10000000 * k->part[i]);
        }
        end_of_round(f, k->nintervals ? 0 : 1, k->nintervals ? (t + 1) * 1000000000 : 0);
    }
    finish(f);
    memcpy(out, f->b, f->n);
    return f->n;
}

static writer_fn *const writers[] = {write_csv, write_json, write_text, write_data};

/* ---- what comes out ------------------------------------------------------------------ */

/* Likely bounds, and why there are none, depend on what a format has about times. */
static void take(struct answer *a, const struct td_result *r)
{
    const unsigned of_times = TD_FLAG_MUX_INTERVAL_ASSUMED | TD_FLAG_FEW_WINDOWS | TD_FLAG_COVERAGE_UNKNOWN |
                              TD_FLAG_CPUS_UNKNOWN | TD_FLAG_IN_STEP | TD_FLAG_NO_LIMITS | TD_FLAG_MANY_SWITCHES |
                              TD_FLAG_SUM_OFF | TD_FLAG_COUNTS_DOUBTFUL;

    for (size_t i = 0; i < td_result_metrics(r) && a->n < ANSWERS; i++) {
        const struct td_metric *m = td_result_metric(r, i);

        a->a[a->n].name = m->name;
        a->a[a->n].status = (int)m->status;
        a->a[a->n].contradicted = m->status == TD_IMPOSSIBLE && td_result_contradiction(r, 0);
        a->a[a->n].flags = m->flags & (m->flags & TD_FLAG_MULTIPLEXED ? ~of_times : ~0u);
        a->a[a->n++].value = m->status == TD_OK ? m->value : m->status == TD_IMPOSSIBLE ? m->raw : 0;
    }
}

static struct answer answer(const struct counts *k, writer_fn *write, bool summary)
{
    static char text[TEXT];
    struct source s = {text, write(k, text), 997, 0};
    const struct td_result *r;
    struct answer a = {.n = 0};
    struct td *td = td_new();
    int err = td_set_uarch(td, k->m->cpu);

    CU_ASSERT_FATAL(s.left < TEXT);
    if (!err)
        err = td_open(td, "f", source_read, &s);
    while (!err && !(err = td_next(td, &r)))
        if (!summary)
            take(&a, r);
    if (err != -ENODATA)
        printf("\n    %s: %s\n%.300s", k->m->cpu, td_error(td), text);
    CU_ASSERT_EQUAL_FATAL(err, -ENODATA);
    for (size_t i = 0; summary && !td_summary(td, i, &r); i++)
        take(&a, r);
    td_free(td);
    return a;
}

/* Counts that no program can have made, as random ones may be, are told only where they are more than may be in flight:
 * of the same counts k times as large (b), and not of them as they are (a). */
static bool is_alike(const struct answer *a, const struct answer *b, size_t i)
{
    const bool told = b->a[i].contradicted && !a->a[i].contradicted && a->a[i].status == TD_OK;

    return (told || (a->a[i].status == b->a[i].status && a->a[i].flags == b->a[i].flags)) &&
           fabs(a->a[i].value - b->a[i].value) <= 1e-9;
}

static void same(const struct answer *a, const struct answer *b, const char *cpu, const char *what)
{
    bool alike = a->n == b->n && a->n > 0;
    size_t i = 0, numbers = 0;

    for (; alike && i < a->n; i++) {
        alike = is_alike(a, b, i);
        numbers += a->a[i].status == TD_OK || a->a[i].status == TD_IMPOSSIBLE;
    }
    if (!alike)
        printf("\n    %s, %s: %zu and %zu metrics; %s is %.9g (%d, flags %x) and %.9g (%d, flags %x)", cpu, what, a->n,
               b->n, i ? a->a[i - 1].name : "", i ? a->a[i - 1].value : 0, i ? a->a[i - 1].status : 0,
               i ? a->a[i - 1].flags : 0, i ? b->a[i - 1].value : 0, i ? b->a[i - 1].status : 0,
               i ? b->a[i - 1].flags : 0);
    CU_ASSERT(alike);
    CU_ASSERT(numbers >= 4);
}

/* ---- the counts ----------------------------------------------------------------------- */

/* Multiples of 100, such as a run of a second may give. */
static struct counts make(const struct machine *m, struct unit_random *r, size_t nintervals, bool multiplexed)
{
    struct counts k = {.m = m, .nintervals = nintervals};
    uint64_t part = multiplexed ? 1 + unit_random_below(r, 99) : 100;
    const char *at = m->names;

    for (; *at; k.n++, at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");

        sprintf(k.name[k.n], "%.*s", (int)len, at);
        at += len;
        k.part[k.n] = part;
        for (size_t t = 0; t < INTERVALS; t++)
            k.value[t][k.n] = 100 * (1000000 + unit_random_below(r, 9000000));
    }
    return k;
}

typedef void relation_fn(const struct counts *, struct unit_random *);

static void each(uint64_t seed, size_t nintervals, bool multiplexed, relation_fn *relation)
{
    struct unit_random r = {seed};

    for (unsigned long round = 0; round < unit_rounds(ROUNDS) + 1; round++)
        for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
            struct counts k = make(&machines[i], &r, nintervals, multiplexed);

            relation(&k, &r);
        }
}

/* ---- the relations ---------------------------------------------------------------------- */

static void other_formats(const struct counts *k, struct unit_random *r)
{
    static const char *const names[] = {"-x", "-j", "text", "perf.data"};
    struct answer first = answer(k, write_csv, false);

    (void)r;
    for (size_t w = 1; w < sizeof(writers) / sizeof(*writers); w++) {
        struct answer other = answer(k, writers[w], false);

        same(&first, &other, k->m->cpu, names[w]);
    }
}

static void formats(void)
{
    each(1, 0, false, other_formats);
    each(2, 2, false, other_formats);
    each(3, 0, true, other_formats);
    each(4, 2, true, other_formats);
}

static void more_of_all(const struct counts *k, struct unit_random *r)
{
    uint64_t factor = 2 + unit_random_below(r, 1000);
    struct answer a = answer(k, write_csv, false), b;
    struct counts more = *k;

    for (size_t i = 0; i < more.n; i++)
        more.value[0][i] *= factor;
    for (size_t w = 0; w < sizeof(writers) / sizeof(*writers); w++) {
        b = answer(&more, writers[w], false);
        same(&a, &b, k->m->cpu, "more of all");
    }
}

static void scaled(void)
{
    each(5, 0, false, more_of_all);
    each(6, 0, true, more_of_all);
}

/* Two intervals, and both as one: their sums. */
static void merged_intervals(const struct counts *k, struct unit_random *r)
{
    struct counts one = *k;
    struct answer a, b;

    (void)r;
    one.nintervals = 0;
    for (size_t i = 0; i < k->n; i++)
        one.value[0][i] += k->value[1][i];
    for (size_t w = 0; w < sizeof(writers) / sizeof(*writers); w++) {
        a = answer(k, writers[w], true);
        b = answer(&one, writers[w], false);
        same(&a, &b, k->m->cpu, "two intervals and one");
    }
}

static void merged(void)
{
    each(7, 2, false, merged_intervals);
    each(8, 2, true, merged_intervals);
}

static void swap(struct counts *k, size_t i, size_t j)
{
    struct counts was = *k;

    strcpy(k->name[i], was.name[j]);
    strcpy(k->name[j], was.name[i]);
    for (size_t t = 0; t < INTERVALS; t++) {
        k->value[t][i] = was.value[t][j];
        k->value[t][j] = was.value[t][i];
    }
}

/* Where no name repeats, no group ends: the order of a file's rows does not matter. The
 * first row stays, so that the kinds of core come in the same order. */
static void other_order(const struct counts *k, struct unit_random *r)
{
    struct counts mixed = *k;
    struct answer a, b;

    for (size_t i = mixed.n - 1; i > 1; i--)
        swap(&mixed, i, 1 + unit_random_below(r, i));
    for (size_t w = 0; w < sizeof(writers) / sizeof(*writers); w++) {
        a = answer(k, writers[w], false);
        b = answer(&mixed, writers[w], false);
        same(&a, &b, k->m->cpu, "another order of rows");
    }
}

static void permuted(void)
{
    each(9, 0, false, other_order);
    each(10, 2, true, other_order);
}

/* perf's raw config of an event, from the table that 'tdprobe list events' shows;
 * pmu: which kind of core's. */
static uint64_t config_of(const struct machine *m, const char *name)
{
    char cpu[24], event[80];
    struct td_event_info info = {.size = sizeof(info)};
    const char *slash = strchr(name, '/');

    snprintf(cpu, sizeof(cpu), "%s%s", m->cpu, m->pmu ? "" : strstr(name, "cpu_core") ? "-p" : "-e");
    snprintf(event, sizeof(event), "%s", slash ? slash + 1 : name);
    event[strcspn(event, "/")] = '\0';
    for (size_t i = 0; !td_uarch_event(td_uarch_by_name(cpu), i, &info); i++) {
        if (!strcasecmp(info.name, event) || (!strcmp(event, "slots") && !strcmp(info.name, "TOPDOWN.SLOTS")))
            return info.config;
    }
    CU_FAIL_FATAL(no such event);
    return 0;
}

/* perf's config: event in bits 0 to 7, umask 8 to 15, edge 18, any 21, inv 23, cmask 24 to 31; on Arm
 * only the event, 16 bits. */
static void rename_raw(const struct machine *m, bool by_terms, char name[96])
{
    uint64_t c = config_of(m, name);
    char pmu[32];
    int n;

    snprintf(pmu, sizeof(pmu), "%.*s", m->pmu ? 30 : (int)strcspn(name, "/"), m->pmu ? m->pmu : name);
    if (!by_terms && m->pmu) {
        sprintf(name, "r%llx", (unsigned long long)c);
    } else if (!strcmp(pmu, "armv8_pmuv3_0")) {
        sprintf(name, "%s/event=0x%llx/", pmu, (unsigned long long)c);
    } else {
        n = sprintf(name, "%s/event=0x%llx,umask=0x%llx", pmu, (unsigned long long)c & 0xff,
                    (unsigned long long)c >> 8 & 0xff);
        if (c >> 24 & 0xff)
            n += sprintf(name + n, ",cmask=0x%llx", (unsigned long long)c >> 24 & 0xff);
        if (c >> 18 & 1)
            n += sprintf(name + n, ",edge=1");
        if (c >> 23 & 1)
            n += sprintf(name + n, ",inv=1");
        sprintf(name + n, "/");
    }
}

static void other_names(const struct counts *k, struct unit_random *r)
{
    struct answer a, b;

    (void)r;
    for (int by_terms = 0; by_terms < 2; by_terms++) {
        struct counts raw = *k;

        for (size_t i = 0; i < raw.n; i++)
            rename_raw(k->m, by_terms, raw.name[i]);
        for (size_t w = 0; w < sizeof(writers) / sizeof(*writers); w++) {
            /* perf -x does not quote a name with commas in it, and neither does this */
            if (writers[w] == write_csv && strchr(raw.name[0], ','))
                continue;
            a = answer(k, writers[w], false);
            b = answer(&raw, writers[w], false);
            same(&a, &b, k->m->cpu, by_terms ? "terms" : "raw numbers");
        }
    }
}

static void renamed(void)
{
    each(11, 0, false, other_names);
    each(12, 2, true, other_names);
}

static const CU_TestInfo tests[] = {
    {"formats", formats},         {"more of all", scaled},
    {"intervals merged", merged}, {"rows in another order", permuted},
    {"raw encodings", renamed},   CU_TEST_INFO_NULL,
};
UNIT_SUITE("metamorphic", tests);
