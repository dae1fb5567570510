/* SPDX-License-Identifier: MIT */
/* An embedder's view: tdprobe.h and the shared library, recordings in memory
 * that arrive a byte at a time, in a process whose locale has a decimal comma. */
#include "include/tdprobe.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD \
    "# tdprobe-trace: 1\n# cpu: spr\ntime_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n"

/* The bytes of the register, lowest first: 71 30 64 90 (255 in all), 20 10 15 30 */
static const char recording[] = HEAD "0,CPU3,cpu,,0,0,slots,0,0,0\n"
                                     "0,CPU3,cpu,,0,0,PERF_METRICS,0x0,0,0\n"
                                     "0,CPU3,cpu,,,0,end,2,,\n"
                                     "1000000000,CPU3,cpu,,0,0,slots,255000,1000000000,1000000000\n"
                                     "1000000000,CPU3,cpu,,0,0,PERF_METRICS,0x1e0f0a145a401e47,1000000000,1000000000\n"
                                     "1000000000,CPU3,cpu,,,0,end,2,,\n"
                                     "2000000001,CPU3,cpu,,0,0,slots,510000,2000000000,2000000000\n"
                                     "2000000001,CPU3,cpu,,0,0,PERF_METRICS,0x1e0f0a145a401e47,2000000000,2000000000\n"
                                     "2000000001,CPU3,cpu,,,0,end,2,,\n"
                                     "2000000002,CPU3,cpu,,0,0,slots,510000,2000000000,2000000000\n";

static int failures;

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    printf("FAIL: %s\n", what);
    failures++;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static ssize_t read_byte(void *ctx, void *buf, size_t size)
{
    const char **at = ctx;

    if (!size || !**at)
        return 0;
    *(char *)buf = *(*at)++;
    return 1;
}

static ssize_t read_nothing(void *ctx, void *buf, size_t size)
{
    (void)ctx;
    (void)buf;
    (void)size;
    return -EIO;
}

static void take_note(void *ctx, const char *text)
{
    if (!strncmp(text, "memory:13: ", 11) && strstr(text, "cut off"))
        ++*(int *)ctx;
}

static const struct td_metric *find(const struct td_result *r, const char *name)
{
    static const struct td_metric none = {.name = "", .value = NAN, .low = NAN, .high = NAN};

    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (!strcmp(td_result_metric(r, i)->name, name))
            return td_result_metric(r, i);
    return &none;
}

/* ends: how many units each field is uncertain by, 1 for each time slots/255
 * went by since the reset, at both ends of the interval */
static void check_metrics(const struct td_result *r, double ends)
{
    static const struct {
        const char *name, *parent;
        int level, parts; /* of 255 */
    } all[] = {
        {"retiring", "", 1, 71},
        {"bad_speculation", "", 1, 30},
        {"frontend_bound", "", 1, 64},
        {"backend_bound", "", 1, 90},
        {"heavy_operations", "retiring", 2, 20},
        {"light_operations", "retiring", 2, 51},
        {"branch_mispredicts", "bad_speculation", 2, 10},
        {"machine_clears", "bad_speculation", 2, 20},
        {"fetch_latency", "frontend_bound", 2, 15},
        {"fetch_bandwidth", "frontend_bound", 2, 49},
        {"memory_bound", "backend_bound", 2, 30},
        {"core_bound", "backend_bound", 2, 60},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_metric *m = find(r, all[i].name);
        double value = all[i].parts / 255.0;
        double term = m->corrections ? 0.02 : 0; /* uops that were dropped, of which the recording has no count */

        check(m->status == TD_OK && near(m->value, value), all[i].name);
        /* half a unit either way is inside at the least, and so is the value */
        check(m->low <= value - 0.5 / 255 && m->high >= value + 0.5 / 255, "the bounds hold what the field stands for");
        check(m->low >= value - 4 * ends / 255 - term && m->high <= value + 4 * ends / 255 + term,
              "the bounds are no wider than the fields");
        check(m->bounds == (m->corrections ? TD_BOUNDS_LIKELY : TD_BOUNDS_SOUND),
              "they are sound where nothing is left out");
        check(m->level == all[i].level && !strcmp(m->parent, all[i].parent) && !strcmp(m->unit, "slots"),
              "level, parent and unit");
    }
    check(find(r, "resource_bound")->status == TD_NOT_ON_THIS_CPU, "resource_bound is not on this CPU");
}

static void check_result(const struct td_result *r, uint64_t time, double ends)
{
    const struct td_event_count *c;
    const struct td_verdict *v;
    uint64_t ns = 0;

    check_metrics(r, ends);
    check(td_result_time(r, &ns) && ns == time, "the time");
    check(!strcmp(td_result_scope(r), "CPU3") && !strcmp(td_result_scope_kind(r), "cpu"), "the scope is CPU3");
    check(!td_result_core(r) && !strcmp(td_result_cpu(r), "spr"), "the CPU is spr, no hybrid");
    check(!strcmp(td_result_backend(r), "intel-perf-metrics"), "the backend");
    check(!strcmp(td_result_formula(r), "glc-perf-metrics without INT_MISC.UOP_DROPPING"),
          "the formula and what it lacks");
    check(td_result_correction(r, 0) && !strcmp(td_result_correction(r, 0), "INT_MISC.UOP_DROPPING") &&
              !td_result_correction(r, 1),
          "the correction");
    check(td_result_flags(r) == TD_FLAG_CORRECTION_MISSING && !td_result_common_flags(r) &&
              find(r, "frontend_bound")->corrections == 1 && !find(r, "retiring")->flags,
          "the flags");
    check(near(td_result_coverage(r), 1), "it was counted all the time");
    check(td_result_counts(r) == 9, "slots and eight fields");
    c = td_result_count(r, 0);
    check(!strcmp(c->event, "slots") && c->status == TD_OK && near(c->coverage, 1), "the first count is of slots");
    check(!td_result_count(r, 9), "and there are no more");
    v = td_result_verdict(r);
    /* 90 of 255 is above its threshold, 20 %, and above the 71 of retiring by far more than the bounds */
    check(v->node && strstr(v->node->name, "_bound") && !v->unbounded, "it is limited by the backend");
}

static void check_replay(const char *locale)
{
    const char *at = recording;
    const struct td_result *r = NULL;
    struct td *td = td_new();
    int notes = 0;

    setlocale(LC_ALL, locale); /* where it is not installed this changes nothing */
    if (!td) {
        check(false, "memory");
        return;
    }
    td_set_note(td, take_note, &notes);
    check(!*td_error(td) && td_set_uarch(td, "no-such-cpu") == -EINVAL && strstr(td_error(td), "no-such-cpu"),
          "an unknown CPU is refused with a text");
    check(td_set_uarch(td, "nehalem") == -EOPNOTSUPP && *td_error(td), "so is one that has no such events");
    check(td_set_level(td, 7) == -EINVAL && td_set_level(td, 0) == -EINVAL && !td_set_level(td, 6) &&
              !td_set_level(td, 2),
          "levels are 1 to 6");
    check(td_set_backend(td, "none") == -EINVAL && !td_set_backend(td, "auto"), "an unknown backend is refused");
    check(td_set_smt(td, "maybe") == -EINVAL && strstr(td_error(td), "maybe") && !td_set_smt(td, "off") &&
              !td_set_smt(td, "on") && !td_set_smt(td, "auto"),
          "SMT is on, off or auto");
    check(td_next(td, &r) == -EINVAL && !r, "nothing to read before td_open()");
    check(!td_open(td, "memory", read_byte, &at), "the recording opens");
    check(td_open(td, "memory", read_byte, &at) == -EINVAL, "and only once");
    check(!td_next(td, &r) && r, "it has an interval");
    if (r)
        check_result(r, 1000000000, 1);
    check(!td_next(td, &r) && r, "and another");
    if (r)
        check_result(r, 2000000001, 1 + 2);
    check(!notes && td_next(td, &r) == -ENODATA && notes == 1, "and one that was cut off, which is said");
    check(!td_summary(td, 0, &r) && td_result_is_summary(r) && near(find(r, "retiring")->value, 71.0 / 255),
          "it has a summary");
    check(td_summary(td, 1, &r) == -ENODATA, "of one scope");
    td_free(td);
}

/* td_next() of a recording, with what was asked for */
static int first(const char *text, td_read_fn *read, int level, const char *uarch, struct td *td)
{
    const struct td_result *r = NULL;
    int err;

    td_set_level(td, level);
    if (uarch)
        check(!td_set_uarch(td, uarch), "a CPU is known");
    err = td_open(td, "memory", read, &text);
    if (!err)
        err = td_next(td, &r);
    if (!err)
        check(td_result_metrics(r) > 0 && find(r, "retiring")->level == 1, "it has metrics");
    if (!err && level == 1)
        check(!*find(r, "memory_bound")->name, "at level 1 there is no level 2");
    check(!err == !*td_error(td) || err == -ENODATA, "an error has a text");
    return err;
}

static void check_errors(void)
{
    static const struct {
        const char *text;
        td_read_fn *read;
        int level;
        const char *uarch;
        int err;
        const char *said;
    } all[] = {
        {recording, read_byte, 1, NULL, 0, ""},
        {recording, read_byte, 2, "icl", 0, ""},
        {"", read_byte, 2, NULL, -EBADMSG, "memory"},
        {HEAD, read_byte, 2, NULL, -EBADMSG, "memory:3: "},
        {HEAD "x\n", read_byte, 2, NULL, -EBADMSG, "memory:4: "},
        {"", read_nothing, 2, NULL, -EIO, "memory"},
        {"5,,slots,9,100.00,,\n", read_byte, 2, "neoverse-v2", -EBADMSG, "neoverse-v2"},
        {"5,,task-clock,9,100.00,,\n", read_byte, 2, NULL, -EBADMSG, "no top-down events"},
        {"5,,CPU_CYCLES,9,100.00,,\n5,,STALL_SLOT_BACKEND,9,100.00,,\n", read_byte, 2, NULL, -EINVAL, "neoverse-v1"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td *td = td_new();
        int err = td ? first(all[i].text, all[i].read, all[i].level, all[i].uarch, td) : -ENOMEM;

        if (err != all[i].err || !td || !strstr(td_error(td), all[i].said)) {
            printf("FAIL: recording %zu: %d '%s', not %d '%s'\n", i, err, td ? td_error(td) : "", all[i].err,
                   all[i].said);
            failures++;
        }
        td_free(td);
    }
    td_free(NULL);
}

static void check_register(void)
{
    double slots = -1, err = -1;

    check(td_metrics_field(0x1e0f0a145a401e47, TD_FIELD_RETIRING) == 0x47 &&
              td_metrics_field(0x1e0f0a145a401e47, TD_FIELD_MEMORY_BOUND) == 0x1e,
          "the fields");
    /* (2550 * 128 - 255 * 51) / 255 and (2550 + 255) / 255 */
    check(!td_metrics_delta(TD_FIELD_BAD_SPECULATION, 255, 0x3300, 2550, 0x8000, &slots, &err) && near(slots, 1229) &&
              near(err, 11),
          "the delta");
    check(td_metrics_delta(TD_FIELD_RETIRING, 256, 0, 255, 0, &slots, &err) == -ESTALE && near(slots, 1229),
          "slots that ran backwards");
}

static void check_lists(void)
{
    const struct td_uarch *u = td_uarch_by_name("kbl");
    struct td_event_info e = {.size = sizeof(e)};
    struct td_metric_info m = {.size = sizeof(m)};
    size_t n = 0, idq = 0;

    check(strspn(td_version(), "0123456789.") == strlen(td_version()) && *td_version(), "the version");
    check(td_backend_name(4) && td_backend_about(4) && !td_backend_name(5) && !td_backend_about(5), "five backends");
    check(u && !strcmp(td_uarch_name(u), "skl") && td_uarch_width(u) == 4 &&
              !strcmp(td_uarch_backend(u), "intel-generic"),
          "kbl is an alias of skl");
    check(!td_uarch_by_name("adl") && !td_uarch_by_name("") && !td_uarch_by_name("nehalem"), "what is no single CPU");
    for (; td_uarch_at(n); n++)
        check(td_uarch_by_name(td_uarch_name(td_uarch_at(n))) == td_uarch_at(n), td_uarch_name(td_uarch_at(n)));
    check(n >= 40 && !td_uarch_at(n + 1), "the CPUs");
    if (!u)
        return;
    check(strstr(td_uarch_ids(u), "6-9E") && strstr(td_uarch_aliases(u), "cfl") && *td_uarch_title(u) &&
              *td_uarch_source(u),
          "what is known of skl");
    check(td_uarch_formula(u, 0) && !td_uarch_formula(u, 100), "its formulas");
    for (size_t i = 0; !td_uarch_event(u, i, &e); i++)
        idq += !strcmp(e.name, "IDQ_UOPS_NOT_DELIVERED.CORE") && e.config == 0x19c && !strcmp(e.counters, "0-3");
    check(idq == 1, "its events");
    check(!td_uarch_metric(u, 0, &m) && m.formula && m.name && td_uarch_metric(u, 10000, &m), "its metrics");
    for (int s = TD_OK; s <= TD_NOT_IN_THIS_FORMULA; s++)
        check(td_status_name((enum td_status)s) && *td_status_name((enum td_status)s), "a status has a name");
    for (unsigned bit = TD_FLAG_NEGATIVE; bit <= TD_FLAG_REST_OF_SLOTS; bit <<= 1)
        check(td_flag_name(bit), "a flag has a name");
    check(!td_flag_name(1u << 24), "a flag that there is not");
}

/* ---- structs of older and newer programs ------------------------------------------ */

enum { MORE = 16 /* bytes that a newer header has */ };

static void check_given_sizes(void)
{
    const struct td_uarch *u = td_uarch_by_name("skl");
    union {
        struct td_event_info info;
        unsigned char byte[sizeof(struct td_event_info) + MORE];
    } e;
    bool zeros = true;

    memset(&e, 0xaa, sizeof(e));
    e.info.size = 0;
    check(td_uarch_event(u, 0, &e.info) == -EINVAL && e.byte[sizeof(size_t)] == 0xaa,
          "without a size nothing is written");
    e.info.size = sizeof(size_t) - 1;
    check(td_uarch_event(u, 0, &e.info) == -EINVAL, "nor with one that has no room for the size itself");
    e.info.size = offsetof(struct td_event_info, config);
    check(!td_uarch_event(u, 0, &e.info) && *e.info.name && e.info.config == UINT64_C(0xaaaaaaaaaaaaaaaa),
          "an older program gets what it has room for");
    check(e.info.size == offsetof(struct td_event_info, config), "the size stays the caller's");
    e.info.size = sizeof(e);
    check(!td_uarch_event(u, 0, &e.info) && e.info.counters && e.info.size == sizeof(e),
          "a newer program gets what there is");
    for (size_t i = sizeof(e.info); i < sizeof(e); i++)
        zeros = zeros && !e.byte[i];
    check(zeros, "and zeros for what there is not");
    check(td_uarch_event(u, 100000, &e.info) == -ENODATA, "the end of the events");
}

static ssize_t read_stream(void *ctx, void *buf, size_t size)
{
    const size_t n = fread(buf, 1, size, ctx);

    return ferror(ctx) ? -EIO : (ssize_t)n;
}

/* A file of the source. */
static const char *source(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof(path), "%s/%s", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", name);
    return path;
}

/* A handle with a simulated machine. */
static struct td *simulated(void)
{
    FILE *in = fopen(source("sim/machines/sapphirerapids.machine"), "r");
    struct td *td = td_new();

    check(in && td && !td_set_machine(td, "m", read_stream, in), "the simulated machine");
    if (in)
        fclose(in);
    return td;
}

static void check_taken_sizes(void)
{
    struct td *td = simulated();
    struct td_origin_info from = {.size = 0};
    union {
        struct td_live what;
        unsigned char byte[sizeof(struct td_live) + MORE];
    } w;

    memset(&w, 0, sizeof(w));
    check(td_plan_live(td, &w.what) == -EINVAL && strstr(td_error(td), "struct td_live"),
          "a size that is not set is named");
    w.what.no_user = w.what.no_kernel = true;
    w.what.size = sizeof(w.what);
    check(td_plan_live(td, &w.what) == -EINVAL && strstr(td_error(td), "nothing is left"), "all members are read");
    w.what.size = offsetof(struct td_live, no_user);
    check(!td_plan_live(td, &w.what) && td_plan(td, TD_PLAN_EVENTS, 0) && !td_plan(td, TD_PLAN_EVENTS, 1),
          "of an older program's no more than it has");
    check(td_plan(td, TD_PLAN_ENCODINGS, 0) && td_plan(td, TD_PLAN_LATENCIES, 0) && td_plan(td, TD_PLAN_TEXT, 0) &&
              !td_plan(td, (enum td_plan_what)99, 0),
          "the plan");
    w.what.no_user = w.what.no_kernel = false;
    w.what.size = sizeof(w);
    check(!td_plan_live(td, &w.what), "a newer program that asks for nothing new");
    w.byte[sizeof(w) - 1] = 1;
    check(td_plan_live(td, &w.what) == -E2BIG && strstr(td_error(td), "newer"), "and one that does");
    check(td_open_live(td, &w.what) == -E2BIG && td_origin_about(td, &from) == -EINVAL &&
              strstr(td_error(td), "td_origin_info"),
          "elsewhere, too");
    from.size = sizeof(from);
    check(!td_origin_about(td, &from) && from.cpu, "what machine it is");
    td_free(td);
}

/* ---- td_open_file() ---------------------------------------------------------------- */

static void check_files(void)
{
    const struct td_result *r = NULL;
    struct td *td = td_new(), *packed = td_new();

    if (!td || !packed)
        return;
    check(!td_set_uarch(packed, "spr") && (!td_open_file(packed, source("traces/series/spr-infersuite-sympy.csv.gz")) ||
                                           strstr(td_error(packed), "gzip -dc ")),
          "a compressed one, which is read, or refused with what reads it");
    td_free(packed);
    check(td_open_file(td, source("no/such.trace")) == -ENOENT && strstr(td_error(td), "no/such.trace"),
          "a file that is not there");
    check(!td_open_file(td, source("traces/spr-lkml-default-events-capitalised.trace")) && !td_next(td, &r) &&
              !strcmp(td_result_cpu(r), "spr"),
          "a recording, after these");
    check(td_open_file(td, source("traces/spr-lkml-default-events-capitalised.trace")) == -EINVAL, "and only one");
    td_free(td);
}

int main(void)
{
    check_given_sizes();
    check_taken_sizes();
    check_files();
    check_replay("C");
    check_replay("de_DE.UTF-8");
    check_errors();
    check_register();
    check_lists();
    return failures != 0;
}
