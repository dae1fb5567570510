/* SPDX-License-Identifier: MIT */
/* Settings of samples: what each keeps of what it is given, what replaces it, and what asks for the code of a function.
 */
#include "private/code.h"
#include "session/session.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

static bool same(const char *kept, const char *wanted)
{
    return kept && wanted ? !strcmp(kept, wanted) : kept == wanted;
}

/* A file's name without a function means nothing. */
static void code(void)
{
    static const struct {
        const char *function, *dso, *kept, *kept_dso;
    } rows[] = {
        {"main", "app", "main", "app"}, {"main", NULL, "main", NULL}, {"f", "lib.so", "f", "lib.so"},
        {NULL, "app", NULL, NULL},      {"g", "app", "g", "app"},     {NULL, NULL, NULL, NULL},
    };
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_set_samples_code(td, rows[i].function, rows[i].dso), 0);
        CU_ASSERT(same(td->samples.code, rows[i].kept));
        CU_ASSERT(same(td->samples.code_dso, rows[i].kept_dso));
    }
    td_free(td);
}

static void chains(void)
{
    static const struct {
        enum td_samples_chain chain;
        const char *function;
        int err;
        enum td_samples_chain kept;
        const char *kept_function;
    } rows[] = {
        {TD_CHAIN_CALLERS, "main", 0, TD_CHAIN_CALLERS, "main"},
        {TD_CHAIN_CALLEES, "f", 0, TD_CHAIN_CALLEES, "f"},
        {TD_CHAIN_CALLERS, NULL, -EINVAL, TD_CHAIN_CALLEES, "f"},
        {TD_CHAIN_CALLERS - 1, "g", -EINVAL, TD_CHAIN_CALLEES, "f"},
        {TD_CHAIN_CALLEES + 1, "g", -EINVAL, TD_CHAIN_CALLEES, "f"},
        {TD_CHAIN_CALLERS - 1, NULL, 0, TD_CHAIN_CALLERS - 1, NULL},
    };
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        CU_ASSERT_EQUAL(td_set_samples_chain(td, rows[i].chain, rows[i].function), rows[i].err);
        CU_ASSERT_EQUAL(td->samples.chain, rows[i].kept);
        CU_ASSERT(same(td->samples.function, rows[i].kept_function));
    }
    td_free(td);
}

/* Each is a text of its own. */
static void paths(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (int again = 0; again < 2; again++) {
        CU_ASSERT(!td_set_symbols(td, "/root") && !td_set_symbol_cache(td, "/cache") &&
                  !td_set_kallsyms(td, "/kernel"));
        CU_ASSERT_STRING_EQUAL(td->samples.root, "/root");
        CU_ASSERT_STRING_EQUAL(td->samples.cache, "/cache");
        CU_ASSERT_STRING_EQUAL(td->samples.kallsyms, "/kernel");
        CU_ASSERT(!td_set_symbols(td, NULL) && !td_set_symbol_cache(td, NULL) && !td_set_kallsyms(td, NULL));
        CU_ASSERT(!td->samples.root && !td->samples.cache && !td->samples.kallsyms);
    }
    td->opened = true;
    CU_ASSERT_EQUAL(td_set_kallsyms(td, "/kernel"), -EINVAL);
    CU_ASSERT_PTR_NULL(td->samples.kallsyms);
    td_free(td);
}

static void switches(void)
{
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    for (int on = 1; on >= 0; on--) {
        CU_ASSERT(!td_set_samples_inlined(td, on) && !td_set_debuginfod(td, on));
        CU_ASSERT(td->samples.inlined == on && td->samples.servers == on);
    }
    CU_ASSERT_EQUAL(td_set_samples_by(td, TD_SAMPLES_BY_DSO), 0);
    CU_ASSERT_EQUAL(td->samples.by, TD_SAMPLES_BY_DSO);
    CU_ASSERT_EQUAL(td_set_samples_by(td, (enum td_samples_by)99), -EINVAL);
    CU_ASSERT_EQUAL(td->samples.by, TD_SAMPLES_BY_DSO);
    td_free(td);
}

static int set_all(void *ctx)
{
    struct td *td = td_new();
    int err = td ? td_set_symbols(td, "/root") : -ENOMEM;

    (void)ctx;
    err = err ? err : td_set_samples_chain(td, TD_CHAIN_CALLERS, "main");
    err = err ? err : td_set_samples_code(td, "main", "app");
    CU_ASSERT(!td || !err || same(td_error(td), "out of memory"));
    td_free(td);
    return err;
}

/* The handle, its recording, and four texts. */
static void without_memory(void)
{
    CU_ASSERT(memory_each(set_all, NULL, 1, false) >= 6);
}

/* ---- the code of a function ------------------------------------------------------------------ */

static int code_error;

static int give_code(struct td_stream *s, const char *function, struct td_code **out)
{
    (void)s, (void)out;
    CU_ASSERT_STRING_EQUAL(function, "main");
    return code_error;
}

static void code_of_a_function(void)
{
    static const struct {
        int from, err;
        const char *said;
    } rows[] = {
        {0, 0, ""},
        {-ENOMEM, -ENOMEM, "out of memory"},
        {-ENOENT, -ENOENT, "the result is of no function that td_set_samples_code() named"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_stream stream = {.code = give_code};
        struct td *td = td_new();
        struct td_code *out = (void *)&stream;

        CU_ASSERT_FATAL(td != NULL);
        td->stream = &stream;
        code_error = rows[i].from;
        CU_ASSERT_EQUAL(td_code_open(td, "main", &out), rows[i].err);
        CU_ASSERT_PTR_NULL(out);
        CU_ASSERT_STRING_EQUAL(td_error(td), rows[i].said);
        td_free(td);
    }
}

/* What a recording has of samples, and whether its handler was counted, which the stream has beside them. */
static void about(void)
{
    struct td_samples_info samples = {.size = sizeof(samples)};
    struct td_samples_info info = {.size = sizeof(info)};
    struct td_stream stream = {.samples = &samples, .handler_counted = true}, none = {.samples = NULL};
    struct td *td = td_new();

    CU_ASSERT_FATAL(td != NULL);
    CU_ASSERT_EQUAL(td_samples_about(td, &info), -ENODATA);
    td->stream = &none;
    CU_ASSERT_EQUAL(td_samples_about(td, &info), -ENODATA);
    td->stream = &stream;
    CU_ASSERT_EQUAL(td_samples_about(td, &info), 0);
    CU_ASSERT_TRUE(info.handler);
    stream.handler_counted = false;
    CU_ASSERT_EQUAL(td_samples_about(td, &info), 0);
    CU_ASSERT_FALSE(info.handler);
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"code", code},
    {"chains", chains},
    {"paths", paths},
    {"switches", switches},
    {"without memory", without_memory},
    {"the code of a function", code_of_a_function},
    {"about samples", about},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("settings of samples", tests);
