/* SPDX-License-Identifier: MIT */
/* Reports without memory: each says -ENOMEM, and leaves nothing behind. */
#include "report/functions/functions_stacks.h"

#include "tests/report/made_functions.h"
#include "tests/support/memory.h"

#include <errno.h>
#include <string.h>

static struct made_result result;
static struct made_functions functions;

/* What a format does with a result and its end. */
static int reported(void *ctx)
{
    struct captured c;
    struct td_report r = {.format = td_report_format_find(ctx), .counts = true, .width = 80, .verdict = result.verdict};
    int err;

    memory_hold();
    r.out = *captured_begin(&c);
    memory_go();
    r.format->result(&r, &result.r);
    if (!strcmp(ctx, "text") || !strcmp(ctx, "html"))
        r.format->result(&r, &result.r);
    result.r.summary = true;
    if (!strcmp(ctx, "html"))
        r.format->result(&r, &result.r);
    result.r.summary = false;
    td_report_end(&r, NULL);
    memory_hold();
    err = r.out.error;
    r.out.error = 0;
    c.out = r.out;
    captured_end(&c);
    memory_go();
    return err;
}

static void results(void)
{
    static const char *texts[] = {"cycles", "not \x01 clean", "\x02"};

    made_begin(&result);
    result.r.texts = texts; /* names of which json makes copies */
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "json", 1, false) >= 4);
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "tree", 1, false) >= 3);
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "text", 1, false) >= 5);
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "chrome", 1, false) >= 2);
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "openmetrics", 1, false) >= 5);
    CU_ASSERT(memory_each(reported, (void *)(uintptr_t) "html", 1, false) >= 12);
}

static int stacked(void *ctx)
{
    struct td_stacks s;
    const int err = td_stacks_of(ctx, &s);

    td_stacks_free(&s);
    return err;
}

static int put(void *ctx)
{
    const struct td_functions_format *format = ctx;
    const struct td_functions_report r = {.functions = &functions.all, .name = "n", .width = 80};
    struct captured c;
    struct td_output *o;
    int err;

    memory_hold();
    o = captured_begin(&c);
    memory_go();
    format->put(o, &r);
    memory_hold();
    err = o->error;
    o->error = 0;
    captured_end(&c);
    memory_go();
    return err;
}

static void of_functions(void)
{
    made_functions_begin(&functions);
    CU_ASSERT_EQUAL(memory_each(stacked, &functions.all, 1, false), 3);
    for (size_t i = 0; i < 5; i++) { /* text, csv, json, which needs none, folded and svg */
        const struct td_functions_format *format = td_functions_format_at(i);

        if (strcmp(format->name, "json") != 0)
            memory_each(put, (void *)(uintptr_t)format, 1,
                        !strcmp(format->name, "text")); /* notes can do without some */
    }
    made_functions_end(&functions);
}

/* ---- by lines ---------------------------------------------------------------------------------------- */

static const char name[] = "f", file[] = "a.c";
static const struct td_code_at at[] = {{.function = name, .file = file, .line = 1, .offset = 1},
                                       {.function = name, .file = file, .line = 2, .offset = 9}};
static const struct td_estimates no_estimates;
static struct td_function seen[] = {
    {.name = name, .kind = "function", .of = &no_estimates, .slots = 4},
    {.name = name, .kind = "line", .of = &no_estimates, .slots = 3, .code = &at[0]},
    {.name = name, .kind = "instruction", .of = &no_estimates, .slots = 3, .code = &at[0]},
    {.name = name, .kind = "instruction", .of = &no_estimates, .slots = 1, .code = &at[1]}};

static int annotated(void *ctx)
{
    struct td_function *all[] = {&seen[0], &seen[1], &seen[2], &seen[3]};
    const struct td_functions f = {.function = all, .n = 4};
    const struct td_code code = {.dso = "/f", .status = TD_CODE_KERNEL};
    struct td_annotated a;
    const int err = td_annotated_make(&f, &seen[0], &code, *(const size_t *)ctx, &a);

    td_annotated_free(&a);
    return err;
}

static void by_lines(void)
{
    static const size_t limits[] = {0, 1};

    for (size_t i = 0; i < 2; i++)
        CU_ASSERT(memory_each(annotated, (void *)(uintptr_t)&limits[i], 1, false) >= 2);
}

static const CU_TestInfo tests[] = {
    {"results", results},
    {"functions", of_functions},
    {"functions by lines", by_lines},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("reports without memory", tests);
