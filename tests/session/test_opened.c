/* SPDX-License-Identifier: MIT */
/* What is set before a handle is opened is refused after, and stays as it is. */
#include "private/code.h"
#include "include/td_regions.h"
#include "include/td_sampling.h"
#include "session/session.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

static const char recording[] = "1.000000000,1000,,slots,1000000000,100.00,,\n";

static int open_recording(struct td *td)
{
    struct source s = {recording, sizeof(recording) - 1, 4096, 0};

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
     "the source rdpmc measures the calling thread only, from inside a program: see td_open_self() in libtdprobe(3)",
     msr, false},
    {no_metric, "no metric is named", a_metric, false},
    {chain_without_function, "callers and callees are of one function, and nothing else of call chains is",
     set_samples_chain, false},
    {next, "no recording is open", next, true},
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

static CU_TestInfo tests[] = {
    {"a handle that is open takes no settings", refused},
    {"a new handle takes them", allowed},
    {"what a new handle refuses has its reason, and its neighbour none", reasoned},
    {"a source is not set after opening", source_after_opening},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("what is set before a handle is opened", tests);
