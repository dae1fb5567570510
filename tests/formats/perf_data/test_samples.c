/* SPDX-License-Identifier: MIT */
/* Recordings of samples beside what perf says of them: tests/samples/README. */
#include "include/td_samples.h"

#include "symbols/symbols.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HAVE_ZSTD
#define HAVE_ZSTD 0
#endif

enum { EVENTS = 10, METRICS = 2 /* the first of them that is a field of the register */, CPUS = 2 };

/* One line of a NAME.script. */
struct line {
    double time; /* us; NAN: not recorded */
    char comm[32], symbol[128], dso[128];
    unsigned tid;
    size_t cpu; /* 0 where none was recorded */
    unsigned long long address;
    double count[EVENTS];
};

static FILE *open_file(const char *name, const char *end)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof(path), "%s/tests/samples/%s.%s", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".", name, end);
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    return f;
}

static bool read_line(FILE *f, struct line *l)
{
    char time[32], cpu[8];
    double *c = l->count;

    if (fscanf(f, "%31s %31s %u %llx %127s %127s", time, l->comm, &l->tid, &l->address, l->symbol, l->dso) != 6)
        return false;
    for (size_t i = 0; i < EVENTS; i++)
        if (fscanf(f, "%lf", &c[i]) != 1)
            return false;
    if (fscanf(f, "%7s", cpu) != 1)
        return false;
    l->cpu = strtoul(cpu, NULL, 10) % CPUS;
    l->time = *time == '-' ? (double)NAN : strtod(time, NULL) * 1e6;
    return true;
}

static ssize_t read_file(void *ctx, void *buf, size_t size)
{
    return (ssize_t)fread(buf, 1, size, ctx);
}

/* symbols: below tests/samples, or NULL. */
static struct td *open_samples(FILE *f, enum td_samples_by by, const char *symbols)
{
    struct td *td = td_new();
    char root[4096];

    snprintf(root, sizeof(root), "%s/tests/samples/%s", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".",
             symbols ? symbols : "");
    CU_ASSERT_EQUAL_FATAL(td_set_symbols(td, symbols ? root : NULL), 0);

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_by(td, by), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", read_file, f), 0);
    return td;
}

static size_t column_of(const char *event)
{
    static const char *const names[EVENTS] = {"slots",
                                              "cpu-cycles",
                                              "topdown-retiring",
                                              "topdown-bad-spec",
                                              "topdown-fe-bound",
                                              "topdown-be-bound",
                                              "topdown-heavy-ops",
                                              "topdown-br-mispredict",
                                              "topdown-fetch-lat",
                                              "topdown-mem-bound"};
    size_t i = 0;

    if (!strcmp(event, "instructions") || !strcmp(event, "CPU_CLK_UNHALTED.THREAD"))
        return 1;
    while (i < EVENTS && strcmp(names[i], event) != 0)
        i++;
    return i;
}

/* Whether perf saw a metric move: tdprobe leaves out samples in which none did, and has their counts in the next. */
static bool moved(const struct line *l)
{
    for (size_t i = METRICS; i < EVENTS; i++)
        if (l->count[i] > 0)
            return true;
    return false;
}

/* The next line that tdprobe has as well, with what came before it on its CPU. */
static bool next_line(FILE *f, struct line *l, double before[CPUS][EVENTS])
{
    while (read_line(f, l)) {
        const bool whole = moved(l);

        for (size_t i = 0; i < EVENTS; i++) {
            l->count[i] += before[l->cpu][i];
            before[l->cpu][i] = whole ? 0 : l->count[i];
        }
        if (whole)
            return true;
    }
    return false;
}

/* A group of pairs has cycles several times, of which NAME.script has one, and events that counted nothing, for which
 * perf has no line. */
static bool same_counts(const struct td_result *r, const struct line *l)
{
    bool seen[EVENTS] = {false};
    double sum = 0, wanted = 0;

    for (size_t i = 0; i < td_result_counts(r); i++) {
        const struct td_event_count c = *td_result_count(r, i);
        const size_t at = column_of(c.event);

        if (at == EVENTS && c.value == 0)
            continue;
        if (at == EVENTS || c.status != TD_OK || c.value != l->count[at])
            return false;
        sum += seen[at] ? 0 : c.value;
        seen[at] = true;
    }
    for (size_t i = 0; i < EVENTS; i++)
        wanted += l->count[i];
    return sum == wanted;
}

static bool same_time(const struct td_result *r, const struct line *l, double first)
{
    uint64_t ns;

    if (isnan(l->time))
        return !td_result_time(r, &ns);
    return td_result_time(r, &ns) && fabs((double)ns / 1e3 - (l->time - first)) <= 1.01;
}

static bool same_place(const struct td_result *r, const struct line *l)
{
    const char *dso = td_result_dso(r), *scope = td_result_scope(r), *plus = strrchr(scope, '+');
    unsigned long long at = plus ? strtoull(plus + 1, NULL, 16) : 0;

    if (!strcmp(l->dso, "[kernel.kallsyms]")) /* so perf calls modules, too */
        return at == l->address && (!strcmp(dso, "[kernel]") || strstr(dso, "samplepmu"));
    return dso && !strcmp(dso, l->dso) && (at & 0xfff) == (l->address & 0xfff);
}

/* Whether symfs has the file. */
static bool has_symbols(const struct line *l)
{
    return !strcmp(l->dso, "/usr/bin/kernels") || !strcmp(l->dso, "/usr/bin/crew");
}

static bool same_function(const struct td_result *r, const struct line *l)
{
    return !strcmp(td_result_dso(r), l->dso) && !strcmp(td_result_scope(r), l->symbol);
}

/* Each interval of a recording is what perf says of it, or of another form of it, in perf's order: returns how many
 * there are. */
static size_t agrees_with(const char *name, const char *said, const char *symbols)
{
    FILE *data = open_file(name, "data"), *script = open_file(said, "script");
    struct td *td = open_samples(data, TD_SAMPLES_BY_ADDRESS, symbols);
    const struct td_result *r;
    double first = (double)NAN, before[CPUS][EVENTS] = {{0}};
    struct line l;
    size_t n = 0;

    while (next_line(script, &l, before)) {
        const int err = td_next(td, &r);
        const bool good = !err && same_counts(r, &l) && same_time(r, &l, isnan(first) ? l.time : first) &&
                          (symbols && has_symbols(&l) ? same_function(r, &l) : same_place(r, &l));

        if (!good)
            fprintf(stderr, "%s, interval %zu: %s, not %s in %s\n", name, n, err ? td_error(td) : td_result_scope(r),
                    l.symbol, l.dso);
        CU_ASSERT_FATAL(good);
        first = isnan(first) ? l.time : first;
        n++;
    }
    CU_ASSERT_EQUAL(td_next(td, &r), -ENODATA);
    td_free(td);
    fclose(data);
    fclose(script);
    return n;
}

static size_t agrees(const char *name, const char *symbols)
{
    return agrees_with(name, name, symbols);
}

static void deltas(void)
{
    CU_ASSERT_EQUAL(agrees("long", NULL), 2430);
    CU_ASSERT_EQUAL(agrees("fast", NULL), 674);
    CU_ASSERT_EQUAL(agrees("nest", NULL), 1287);
    CU_ASSERT_EQUAL(agrees("system", NULL), 372);
    CU_ASSERT_EQUAL(agrees("regs", NULL), 1120);
    CU_ASSERT_EQUAL(agrees("throttled", NULL), 310);
    CU_ASSERT_EQUAL(agrees("perthread", NULL), 252);
    CU_ASSERT_EQUAL(agrees("pairs", NULL), 600);
}

/* As perf record -z writes it, and as perf record -z -o - does. */
static void compressed(void)
{
    if (!HAVE_ZSTD) {
        unit_skip("zstd");
        return;
    }
    CU_ASSERT_EQUAL(agrees_with("system-z", "system", NULL), 372);
    CU_ASSERT_EQUAL(agrees_with("system-pipe", "system", NULL), 372);
}

static void functions(void)
{
    if (!td_symbols_built()) {
        unit_skip("elfutils");
        return;
    }
    CU_ASSERT_EQUAL(agrees("long", "symfs"), 2430);
    CU_ASSERT_EQUAL(agrees("nest", "symfs"), 1287);
    CU_ASSERT_EQUAL(agrees("system", "symfs"), 372);
}

/* Each interval has an address where a name would be wrong: the file has another build-id. */
static void other_build_id(void)
{
    FILE *data = open_file("long", "data");
    struct td *td = open_samples(data, TD_SAMPLES_BY_ADDRESS, "symfs/other");
    const struct td_result *r;
    size_t n = 0;

    for (; !td_next(td, &r); n++)
        CU_ASSERT(*td_result_scope(r) == '[');
    CU_ASSERT_EQUAL(n, 2430);
    td_free(td);
    fclose(data);
}

/* Reads to the end; *first_hole: the number of the first interval that began with one. */
static struct td_samples_info read_all(const char *name, size_t *first_hole)
{
    FILE *data = open_file(name, "data");
    struct td *td = open_samples(data, TD_SAMPLES_BY_FUNCTION, NULL);
    struct td_samples_info info = {.size = sizeof(info), .samples = 0};
    const struct td_result *r;

    *first_hole = 0;
    for (size_t n = 1; !td_next(td, &r); n++) {
        const enum td_sample_start start = td_result_start(r);

        CU_ASSERT_EQUAL(td_result_began(r) != NULL, start == TD_START_SAMPLE);
        if (!*first_hole && (start == TD_START_LOST || start == TD_START_THROTTLED))
            *first_hole = n;
    }
    CU_ASSERT(!td_samples_about(td, &info));
    td_free(td);
    fclose(data);
    return info;
}

/* throttled.data, its records read by another program: counters on 2 CPUs; 28 THROTTLE, each before the sample that was
 * one too many, one of which is the last of its CPU; 2 LOST (of 4 and 7). The first THROTTLE is before sample 12:
 * interval 13 goes over its hole. */
static void holes(void)
{
    size_t first_hole;
    struct td_samples_info info = read_all("throttled", &first_hole);

    CU_ASSERT_EQUAL(info.samples, 311);
    CU_ASSERT_EQUAL(info.first, 2);
    CU_ASSERT_EQUAL(info.throttled, 27);
    CU_ASSERT_EQUAL(info.lost, 2);
    CU_ASSERT_EQUAL(info.missing, 11);
    CU_ASSERT_EQUAL(info.still, 1);
    CU_ASSERT_EQUAL(info.courses, 2);
    CU_ASSERT_FALSE(info.times_recorded);
    CU_ASSERT_EQUAL(first_hole, 13);
    info = read_all("system", &first_hole);
    CU_ASSERT(info.courses == 2 && info.first == 2 && !info.lost && !info.throttled && info.still == 6);
}

/* As perf report --header-only has them: hostname, and cmdline, whose end is what perf ran; of a file and of a pipe. */
static void origin(void)
{
    static const struct {
        const char *name, *end;
        bool chains;
    } of[] = {{"long", ":S kernels 25 1500000 1000000 700000", false},
              {"nest", ":S kernels 25 1000000 2000000 800000 nest", true},
              {"system-pipe", ":S crew 15 1000000", true}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        FILE *data = open_file(of[i].name, "data");
        struct td *td = open_samples(data, TD_SAMPLES_BY_FUNCTION, NULL);
        struct td_samples_info info = {.size = sizeof(info)};
        struct td_origin_info from = {.size = sizeof(from)};

        CU_ASSERT_FATAL(!td_origin_about(td, &from) && from.host && from.command);
        CU_ASSERT_STRING_EQUAL(from.host, "guest");
        CU_ASSERT(!strncmp(from.command, "/usr/bin/perf record -", 22));
        CU_ASSERT(strlen(from.command) > strlen(of[i].end) &&
                  !strcmp(from.command + strlen(from.command) - strlen(of[i].end), of[i].end));
        CU_ASSERT(!td_samples_about(td, &info) && info.chains == of[i].chains);
        td_free(td);
        fclose(data);
    }
}

/* When the first interval over lost samples ended; 0: there is none. */
static uint64_t first_lost(FILE *data)
{
    struct td *td = open_samples(data, TD_SAMPLES_BY_FUNCTION, NULL);
    const struct td_result *r;
    uint64_t time = 0;

    while (!time && !td_next(td, &r))
        if (td_result_start(r) == TD_START_LOST)
            td_result_time(r, &time);
    td_free(td);
    return time;
}

/* The first LOST of throttled.data is at 43544, of 152.960576852 s, and so is the sample after it: the first after the
 * hole. The kernel takes the time of a LOST after that of the sample: whatever it is, before the next sample, 1 ms
 * later, the hole is where it was. */
static void late_lost(void)
{
    enum { TIME_AT = 43544 + 32, SIZE = 71932 };
    static const uint64_t recorded = UINT64_C(152960576852), late = recorded + 500000;
    static char bytes[SIZE];
    FILE *data = open_file("throttled", "data"), *changed;
    const uint64_t time = first_lost(data);

    CU_ASSERT(time > 222654000 && time < 222656000); /* by perf script, from 152.737921 s on */
    rewind(data);
    CU_ASSERT_EQUAL_FATAL(fread(bytes, 1, SIZE, data), SIZE);
    CU_ASSERT_EQUAL_FATAL(memcmp(bytes + TIME_AT, &recorded, sizeof(recorded)), 0);
    memcpy(bytes + TIME_AT, &late, sizeof(late));
    changed = fmemopen(bytes, SIZE, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(changed);
    CU_ASSERT_EQUAL(first_lost(changed), time);
    fclose(changed);
    fclose(data);
}

static void keep_note(void *ctx, const char *text)
{
    char *notes = ctx;
    const size_t used = strlen(notes);

    snprintf(notes + used, 1024 - used, "%s\n", text);
}

static int no_write(void *ctx, const void *buf, size_t size)
{
    (void)ctx, (void)buf, (void)size;
    return -EIO;
}

/* What cannot answer is refused, with what to record instead; what is limited is noted. */
static void limits(void)
{
    FILE *nogroup = open_file("nogroup", "data"), *perthread = open_file("perthread", "data");
    struct td *td = td_new();
    char notes[1024] = "";

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL(td_open(td, "f", read_file, nogroup), -EBADMSG);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "no readings of a group"));
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "tdprobe perf-command --functions"));
    td_free(td);
    td = td_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    td_set_note(td, keep_note, notes);
    CU_ASSERT_EQUAL(td_open(td, "f", read_file, perthread), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes, "multiplexing would not be seen"));
    CU_ASSERT_PTR_NOT_NULL(strstr(notes, "no times"));
    td_free(td);
    rewind(perthread);
    td = td_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL(td_set_convert(td, no_write, NULL), 0);
    CU_ASSERT_EQUAL(td_open(td, "f", read_file, perthread), -EOPNOTSUPP);
    td_free(td);
    fclose(nogroup);
    fclose(perthread);
}

static const CU_TestInfo tests[] = {
    {"what was counted from sample to sample, as perf script says it", deltas},
    {"compressed, and written to a pipe", compressed},
    {"functions, as perf script names them", functions},
    {"a file that is another", other_build_id},
    {"intervals over holes", holes},
    {"what is known of the machine and the command", origin},
    {"lost samples that are recorded late", late_lost},
    {"recordings that cannot answer, or not all", limits},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("samples", tests);
