/* SPDX-License-Identifier: MIT */
/* What is set before a handle is opened is refused after, and stays as it is. */
#include "private/code.h"
#include "private/plan.h"
#include "include/td_regions.h"
#include "include/td_run.h"
#include "include/td_sampling.h"
#include "live/source.h"
#include "session/machine.h"
#include "session/session.h"
#include "tests/support/keep_nothing.h"
#include "tests/support/sapphire_rapids.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

static const char recording[] = "1.000000000,1000,,slots,1000000000,100.00,,\n";

/* It is read later, too. */
static int open_recording(struct td *td)
{
    static struct source s;

    s = (struct source){recording, sizeof(recording) - 1, 4096, 0};
    return td_open(td, "f", source_read, &s);
}

static int seek(void *ctx, uint64_t at)
{
    (void)ctx, (void)at;
    return 0;
}

static int set_metadata(struct td *td)
{
    struct source s = {"CPU Vendor,GenuineIntel\n", 24, 4096, 0};

    return td_set_metadata(td, "m", source_read, &s);
}

static int set_seek(struct td *td)
{
    return td_set_seek(td, seek);
}

static int set_samples_by(struct td *td)
{
    return td_set_samples_by(td, TD_SAMPLES_BY_DSO);
}

static int set_samples_chain(struct td *td)
{
    return td_set_samples_chain(td, TD_CHAIN_CALLEES, "main");
}

static int set_samples_inlined(struct td *td)
{
    return td_set_samples_inlined(td, true);
}

static int set_samples_code(struct td *td)
{
    return td_set_samples_code(td, "main", "app");
}

static int set_symbols(struct td *td)
{
    return td_set_symbols(td, "/");
}

static int set_symbol_cache(struct td *td)
{
    return td_set_symbol_cache(td, "/cache");
}

static int set_debuginfod(struct td *td)
{
    return td_set_debuginfod(td, true);
}

static int open_self(struct td *td)
{
    return td_open_self(td, &(struct td_self_ask){.size = sizeof(struct td_self_ask), .target = 0.02});
}

static int open_sampling(struct td *td)
{
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = NULL};

    return td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, NULL, NULL);
}

static int (*const setting[])(struct td *) = {
    set_metadata, set_seek,         set_samples_by, set_samples_chain, set_samples_inlined, set_samples_code,
    set_symbols,  set_symbol_cache, set_debuginfod, open_recording,    open_self,           open_sampling,
};

static void refused(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !open_recording(td));
    for (size_t i = 0; i < sizeof(setting) / sizeof(*setting); i++) {
        struct td_settings before;
        struct td_samples_wanted samples;

        memcpy(&before, &td->settings, sizeof(before));
        memcpy(&samples, &td->samples, sizeof(samples));
        CU_ASSERT_EQUAL(setting[i](td), -EINVAL);
        CU_ASSERT_STRING_EQUAL(td_error(td), "the handle has been opened already");
        CU_ASSERT(!memcmp(&before, &td->settings, sizeof(before)));
        CU_ASSERT(!memcmp(&samples, &td->samples, sizeof(samples)));
        CU_ASSERT(!td->seek && !td->own && !td->recorder);
    }
    td_free(td);
}

/* All that needs no CPU. */
static void allowed(void)
{
    for (size_t i = 1; setting[i] != open_self; i++) {
        struct td *td = td_new();

        CU_ASSERT_FATAL(td != NULL);
        CU_ASSERT_EQUAL(setting[i](td), 0);
        td_free(td);
    }
}

static int wrong_level(struct td *td)
{
    return td_set_level(td, TD_LEVELS + 1);
}

static int deepest_level(struct td *td)
{
    return td_set_level(td, TD_LEVELS);
}

static int rdpmc(struct td *td)
{
    return td_set_source(td, "rdpmc");
}

static int no_source(struct td *td)
{
    return td_set_source(td, "msrs");
}

static int msr(struct td *td)
{
    return td_set_source(td, "msr");
}

static int no_level(struct td *td)
{
    return td_set_level(td, TD_LEVEL_TOP - 1);
}

static int top_level(struct td *td)
{
    return td_set_level(td, TD_LEVEL_TOP);
}

static int wrong_smt(struct td *td)
{
    return td_set_smt(td, "yes");
}

static int smt_off(struct td *td)
{
    const int err = td_set_smt(td, "off");

    CU_ASSERT_EQUAL(td->settings.smt, TD_SMT_OFF);
    return err;
}

static int no_backend(struct td *td)
{
    return td_set_backend(td, "zen");
}

static int last_backend(struct td *td)
{
    const int err = td_set_backend(td, "amd-zen");

    CU_ASSERT_STRING_EQUAL(td->settings.backend->name, "amd-zen");
    return err;
}

static int no_format(struct td *td)
{
    return td_set_format(td, "perf");
}

static int last_format(struct td *td)
{
    const int err = td_set_format(td, "perf-csv");

    CU_ASSERT_STRING_EQUAL(td->format->name, "perf-csv");
    return err;
}

static int unknown_metric(struct td *td)
{
    return td_set_metrics(td, "retiring,tiring,frontend_bound");
}

static int empty_times(struct td *td)
{
    return td_set_times(td, 2500000000, 2500000000);
}

static int short_times(struct td *td)
{
    const int err = td_set_times(td, 2499999999, 2500000000);

    CU_ASSERT(td->after == 2499999999 && td->until == 2500000000);
    return err;
}

static int wrong_way(struct td *td)
{
    return td_set_samples_by(td, (enum td_samples_by)99);
}

static int wrong_chain(struct td *td)
{
    return td_set_samples_chain(td, (enum td_samples_chain)(TD_CHAIN_CALLEES + 1), "main");
}

static int function_without_chain(struct td *td)
{
    return td_set_samples_chain(td, (enum td_samples_chain)(TD_CHAIN_CALLERS - 1), "main");
}

static int callers(struct td *td)
{
    return td_set_samples_chain(td, TD_CHAIN_CALLERS, "main");
}

static int without_chain(struct td *td)
{
    return td_set_samples_chain(td, (enum td_samples_chain)(TD_CHAIN_CALLERS - 1), NULL);
}

static int add_to_perf(struct td *td)
{
    return td_add_event(td, "instructions");
}

static const char longest_name[] =
    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"; /* 63 and a zero */

/* 63 bytes are a name, 64 are not. */
static int add_long(struct td *td)
{
    char name[65] = "n";

    memset(name, 'n', 64);
    CU_ASSERT_EQUAL(msr(td), 0);
    return td_add_event(td, name);
}

static int add_longest(struct td *td)
{
    struct td_added_count count = {.size = sizeof(count)};
    const int err = td_add_event(td, longest_name);

    CU_ASSERT_FATAL(!err && !td_added_event(td, 0, &count));
    CU_ASSERT_STRING_EQUAL(count.event, longest_name);
    CU_ASSERT_EQUAL(count.status, TD_NOT_COUNTED);
    CU_ASSERT_EQUAL(td_added_event(td, 1, &count), -ENODATA);
    return err;
}

static int add_all(struct td *td)
{
    int err = msr(td);

    for (unsigned i = 0; i < 16 && !err; i++)
        err = td_add_event(td, "instructions");
    return err;
}

static int add_too_many(struct td *td)
{
    CU_ASSERT_EQUAL(add_all(td), 0);
    return td_add_event(td, "cycles");
}

static int plan_without_name(struct td *td)
{
    return td_plan_uarch(td, &(struct td_live){.size = sizeof(struct td_live)});
}

static int plan_with_name(struct td *td)
{
    const int err = td_set_uarch(td, "skl");

    return err ? err : plan_without_name(td);
}

static int plan_after_plan(struct td *td)
{
    CU_ASSERT_EQUAL(plan_with_name(td), 0);
    return plan_without_name(td);
}

static int sample_cgroups(struct td *td)
{
    const char *const group = "g";
    const struct td_live what = {.size = sizeof(struct td_live), .cgroups = &group, .ncgroups = 1};

    return td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, NULL, NULL);
}

static int sample_kernel(struct td *td)
{
    const struct td_live what = {.size = sizeof(struct td_live), .no_user = true};

    return td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what}, NULL, NULL);
}

static int code_of_none(struct td *td)
{
    struct td_code *code;
    const int err = td_code_open(td, "main", &code);

    CU_ASSERT_PTR_NULL(code);
    return err == -ENOENT ? -EINVAL : err;
}

static int write_nothing(void *ctx, const void *buf, size_t size)
{
    (void)ctx, (void)buf, (void)size;
    return 0;
}

static int convert(struct td *td)
{
    return td_set_convert(td, write_nothing, NULL);
}

static int convert_twice(struct td *td)
{
    CU_ASSERT_EQUAL(convert(td), 0);
    return convert(td);
}

static int enable(struct td *td)
{
    return td_enable(td, true);
}

static int write_regions(struct td *td)
{
    return td_regions_write(td, write_nothing, NULL, NULL);
}

static int nothing(struct td *td)
{
    (void)td;
    return 0;
}

static int no_metric(struct td *td)
{
    return td_set_metrics(td, ",");
}

static int a_metric(struct td *td)
{
    return td_set_metrics(td, "retiring");
}

static int chain_without_function(struct td *td)
{
    return td_set_samples_chain(td, TD_CHAIN_CALLEES, NULL);
}

static int next(struct td *td)
{
    const struct td_result *r;
    const int err = td_next(td, &r);

    return err == -EINVAL ? err : 0;
}

/* What a new handle refuses, with the reason; beside it what it takes, or the same call once a recording is open. */
static const struct {
    int (*wrong)(struct td *);
    const char *reason;
    int (*right)(struct td *);
    bool open;
} reasons[] = {
    {wrong_level, "the level is 1 to 6", deepest_level, false},
    {no_source, "the source is auto, perf or msr, not 'msrs'", msr, false},
    {rdpmc,
     "the source rdpmc measures the calling thread only, from inside a program: see td_open_self() in td_regions(3)",
     msr, false},
    {no_metric, "no metric is named", a_metric, false},
    {chain_without_function, "TD_CHAIN_CALLERS and TD_CHAIN_CALLEES need a function, and others take none",
     set_samples_chain, false},
    {next, "no recording is open", next, true},
    {no_level, "the level is 1 to 6", top_level, false},
    {wrong_smt, "SMT is on, off or auto, not 'yes'", smt_off, false},
    {no_backend, "no backend 'zen'; 'tdprobe list backends' names them", last_backend, false},
    {no_format,
     "no format 'perf'; 'tdprobe list formats' says what they are: auto, perf-data, tdprobe-trace, perf-json, arm-events, perf-text, perf-csv",
     last_format, false},
    {unknown_metric, "no CPU has a metric or a group 'tiring'; 'tdprobe list metrics --uarch NAME' lists them",
     a_metric, false},
    {empty_times, "no time is after 2.5 s and not after 2.5 s", short_times, false},
    {wrong_way, "there is no way of number 99 to tell samples apart", set_samples_by, false},
    {wrong_chain, "TD_CHAIN_CALLERS and TD_CHAIN_CALLEES need a function, and others take none", callers, false},
    {function_without_chain, "TD_CHAIN_CALLERS and TD_CHAIN_CALLEES need a function, and others take none",
     without_chain, false},
    {add_to_perf, "events can be added to the source msr only (td_set_source)", add_all, false},
    {add_long,
     "the event 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn' cannot be added: its name is too long",
     add_longest, false},
    {add_too_many, "the event 'cycles' cannot be added: 16 are the most", nothing, false},
    {plan_without_name, "a plan without a machine needs the CPU's name", plan_with_name, false},
    {plan_after_plan, "the handle has a machine, or reads a recording", nothing, false},
    {sample_cgroups, "cgroups cannot be sampled: sample CPUs or processes", nothing, false},
    {sample_kernel, "the kernel alone is sampled with --handler only: its samples hold slots of their own handler",
     nothing, false},
    {td_sampling_take, "nothing is open to be sampled (td_sampling_open)", nothing, false},
    {td_sampling_end, "nothing is open to be sampled (td_sampling_open)", nothing, false},
    {code_of_none, "the result is of no function that td_set_samples_code() named", nothing, false},
    {convert_twice, "the handle converts already: td_set_convert() is called once", nothing, false},
    {td_take, "nothing is open to be read (td_open_live)", nothing, false},
    {enable, "nothing is open to be counted (td_open_live)", nothing, false},
    {write_regions, "no counters of this thread are open (td_open_self)", nothing, false},
};

static void reasoned(void)
{
    for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
        struct td *td = td_new();

        CU_ASSERT_FATAL(td != NULL);
        CU_ASSERT_EQUAL(reasons[i].wrong(td), -EINVAL);
        CU_ASSERT_STRING_EQUAL(td_error(td), reasons[i].reason);
        CU_ASSERT(!reasons[i].open || !open_recording(td));
        CU_ASSERT_EQUAL(reasons[i].right(td), 0);
        td_free(td);
    }
}

static void source_after_opening(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !msr(td) && !open_recording(td));
    CU_ASSERT_EQUAL(msr(td), -EINVAL);
    CU_ASSERT_STRING_EQUAL(td_error(td), "the source is set once, before anything is measured");
    td_free(td);
}

static int set_times(struct td *td)
{
    return td_set_times(td, 1, 2);
}

static int set_smt(struct td *td)
{
    return td_set_smt(td, "on");
}

static int add_event(struct td *td)
{
    td->source = td_source_find("msr");
    return td_add_event(td, "cycles");
}

static int set_machine(struct td *td)
{
    struct source s = {"", 0, 1, 0};

    return td_set_machine(td, "m", source_read, &s);
}

/* What a handle refuses that reads a recording. */
static void reading(void)
{
    static const struct {
        int (*wrong)(struct td *);
        const char *reason;
    } rows[] = {
        {set_times, "times are set before the handle is opened"},
        {add_event, "the event 'cycles' cannot be added: the handle is open"},
        {plan_with_name, "the handle has a machine, or reads a recording"},
        {td_detect, "the handle reads a recording"},
        {set_machine, "the machine is set once, before anything is measured"},
        {convert, "td_set_convert() comes before the recording is opened"},
        {set_smt, "the handle has been opened already"},
        {code_of_none, "the result is of no function that td_set_samples_code() named"},
        {td_take, "nothing is open to be read (td_open_live)"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !open_recording(td));
        CU_ASSERT_EQUAL(rows[i].wrong(td), -EINVAL);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].reason);
        td_free(td);
    }
}

static int detect(struct td *td)
{
    struct source s = {SAPPHIRE_RAPIDS, strlen(SAPPHIRE_RAPIDS), 4096, 0};
    const int err = td_set_machine(td, "m", source_read, &s);

    return err ? err : td_detect(td);
}

static int describe(struct td *td)
{
    struct source s = {SAPPHIRE_RAPIDS, strlen(SAPPHIRE_RAPIDS), 4096, 0};

    return td_set_machine(td, "m", source_read, &s);
}

static int plan_machine(struct td *td)
{
    const int err = describe(td);

    return err ? err : td_plan_live(td, &(struct td_live){.size = sizeof(struct td_live)});
}

#ifdef __x86_64__ /* where threads read their own counters */
static int open_machine(struct td *td)
{
    const int err = describe(td);

    return err ? err : open_self(td);
}
#endif

static int sample_machine(struct td *td)
{
    const struct td_live what = {.size = sizeof(struct td_live), .cpus = NULL};
    const int err = describe(td);

    return err ? err
               : td_sampling_open(td, &(struct td_sampling){.size = sizeof(struct td_sampling), .what = &what},
                                  keep_nothing, NULL);
}

static int next_interval(struct td *td)
{
    const struct td_result *r;

    return td_next(td, &r);
}

/* What a handle refuses that has looked at a machine, or has been told which, before anything is opened; and what it
 * refuses that measures its own thread, or samples. */
static void measuring(void)
{
    static const struct {
        int (*before)(struct td *), (*wrong)(struct td *);
        const char *reason;
    } rows[] = {
        {detect, set_smt, "the handle has been opened already"},
        {detect, msr, "the source is set once, before anything is measured"},
        {detect, set_machine, "the machine is set once, before anything is measured"},
        {describe, set_machine, "the machine is set once, before anything is measured"},
        {detect, plan_with_name, "the handle has a machine, or reads a recording"},
        {describe, plan_with_name, "the handle has a machine, or reads a recording"},
        {plan_machine, next_interval, "no recording is open"},
#ifdef __x86_64__
        {open_machine, next_interval, "no recording is open"},
        {open_machine, open_self, "the handle has been opened already"},
#endif
        {sample_machine, open_sampling, "the handle has been opened already"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_level(td, 1));
        CU_ASSERT_EQUAL(rows[i].before(td), 0);
        CU_ASSERT_EQUAL(rows[i].wrong(td), -EINVAL);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].reason);
        td_free(td);
    }
}

static CU_TestInfo tests[] = {
    {"what a handle refuses that measures", measuring},
    {"a handle that is open takes no settings", refused},
    {"a new handle takes them", allowed},
    {"what a new handle refuses has its reason, and its neighbour none", reasoned},
    {"a source is not set after opening", source_after_opening},
    {"what a handle refuses that reads a recording", reading},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("what is set before a handle is opened", tests);
