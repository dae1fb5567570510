/* SPDX-License-Identifier: MIT */
/* What is known of a kernel by its measurements: worked by hand. */
#include "core/result.h"
#include "kernels/measured.h"

#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

static const struct td_kernel kernel = {.name = "k",
                                        .range = {{"backend_bound", 0.6, 0}, {"core_bound backend_bound_cpu", 0.4, 0}}};

/* Backend bound, between bounds, and the rest of the slots retiring; of the second range a value, or (NAN) none. */
static struct td_kernel_measured measured(double backend, double off, double core)
{
    struct td_kernel_measured m = {.done = true, .n = 2, .slots = 1000};

    m.level1[0] = (struct td_kernel_share){"retiring", 1 - backend, 1 - backend - off, 1 - backend + off};
    m.level1[1] = (struct td_kernel_share){"backend_bound", backend, backend - off, backend + off};
    m.range[0] = m.level1[1];
    if (!isnan(core))
        m.range[1] = (struct td_kernel_share){"core_bound", core, (double)NAN, (double)NAN};
    return m;
}

static enum td_kernel_status judge(struct td_kernel_measured task, struct td_kernel_measured cpu,
                                   char text[TD_KERNEL_TEXT])
{
    struct td_kernel_measured of[TD_KERNEL_WAYS] = {task, cpu};

    return td_kernel_judge(&kernel, of, text);
}

/* A range is missed where no value within the bounds, and 4 points, is in it. */
static void ranges(void)
{
    const struct td_kernel_measured none = {.done = false};
    char text[TD_KERNEL_TEXT];

    CU_ASSERT_EQUAL(judge(measured(0.6, 0, 0.4), none, text), TD_KERNEL_OK);
    CU_ASSERT_STRING_EQUAL(text, "");
    CU_ASSERT_EQUAL(judge(measured(0.59, 0.02, 0.4), none, text), TD_KERNEL_OK);
    CU_ASSERT_EQUAL(judge(measured(0.57, 0.02, 0.4), none, text), TD_KERNEL_UNEXPECTED);
    CU_ASSERT_STRING_EQUAL(text, "backend_bound is 57.0 %, not 60 % or more");
    CU_ASSERT_EQUAL(judge(measured(0.57, 0.2, 0.4), none, text), TD_KERNEL_OK); /* wide bounds are worth 4 points */
    CU_ASSERT_EQUAL(judge(measured(0.55, 0.2, 0.4), none, text), TD_KERNEL_UNEXPECTED);
    CU_ASSERT_EQUAL(judge(measured(0.7, 0, 0.3), none, text), TD_KERNEL_UNEXPECTED);
    CU_ASSERT_STRING_EQUAL(text, "core_bound is 30.0 %, not 40 % or more");
    CU_ASSERT_EQUAL(judge(measured(0.7, 0, (double)NAN), none, text), TD_KERNEL_OK); /* a CPU without that node */
    CU_ASSERT_EQUAL(judge(measured(0.7, 0, 0.5), measured(0.65, 0, 0.3), text),
                    TD_KERNEL_UNEXPECTED); /* the other way */
}

/* The same of an upper limit, 30 %. */
static void upper(void)
{
    static const struct td_kernel low = {.name = "low", .range = {{"backend_bound", 0, 0.3}}};
    static const struct {
        double backend, off;
        enum td_kernel_status status;
    } cases[] = {{0, 0, TD_KERNEL_OK},
                 {0.3, 0, TD_KERNEL_OK},
                 {0.31, 0, TD_KERNEL_UNEXPECTED},
                 {0.31, 0.02, TD_KERNEL_OK},
                 {0.33, 0.5, TD_KERNEL_OK},
                 {0.35, 0.5, TD_KERNEL_UNEXPECTED},
                 {0.35, 0.02, TD_KERNEL_UNEXPECTED}};
    char text[TD_KERNEL_TEXT];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_kernel_measured of[TD_KERNEL_WAYS] = {measured(cases[i].backend, cases[i].off, (double)NAN)};

        CU_ASSERT_EQUAL(td_kernel_judge(&low, of, text), cases[i].status);
    }
    CU_ASSERT_STRING_EQUAL(text, "backend_bound is 35.0 %, not 30 % or less");
}

/* What the core's other thread took of the slots is none of the kernel's: 30 points of the half that it left are 60 %.
 */
static void shared(void)
{
    static const struct {
        double backend, off, taken;
        enum td_kernel_status status;
    } cases[] = {{0.3, 0, 0.5, TD_KERNEL_OK},       {0.27, 0, 0.5, TD_KERNEL_UNEXPECTED},
                 {0.285, 0.02, 0.5, TD_KERNEL_OK}, /* 57 %, and up to 61 % by its bounds */
                 {0.3, 0, 0, TD_KERNEL_UNEXPECTED}, {0.6, 0, 0, TD_KERNEL_OK},
                 {0.15, 0, 0.75, TD_KERNEL_OK}};
    char text[TD_KERNEL_TEXT];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_kernel_measured of[TD_KERNEL_WAYS] = {measured(cases[i].backend, cases[i].off, (double)NAN)};
        const double taken = cases[i].taken;

        of[0].level1[of[0].n++] = (struct td_kernel_share){"smt_contention", taken, taken, taken};
        CU_ASSERT_EQUAL(td_kernel_judge(&kernel, of, text), cases[i].status);
        if (i == 1)
            CU_ASSERT_STRING_EQUAL(text, "backend_bound is 54.0 %, not 60 % or more");
    }
}

/* Two ways may be 10 points apart, besides their bounds, unless they counted different slots. */
static void ways(void)
{
    struct td_kernel_measured other = measured(0.75, 0, 0.5);
    char text[TD_KERNEL_TEXT];

    CU_ASSERT_EQUAL(judge(measured(0.84, 0, 0.5), other, text), TD_KERNEL_OK);
    CU_ASSERT_EQUAL(judge(measured(0.86, 0, 0.5), other, text), TD_KERNEL_OFF);
    CU_ASSERT_STRING_EQUAL(text, "retiring is 14.0 % by task and 25.0 % by cpu");
    CU_ASSERT_EQUAL(judge(other, measured(0.86, 0, 0.5), text), TD_KERNEL_OFF);
    CU_ASSERT_EQUAL(judge(measured(0.86, 0.02, 0.5), other, text), TD_KERNEL_OK);
    other.slots = 1049;
    CU_ASSERT_EQUAL(judge(measured(0.86, 0, 0.5), other, text), TD_KERNEL_OFF);
    other.slots = 1051;
    CU_ASSERT_EQUAL(judge(measured(0.86, 0, 0.5), other, text), TD_KERNEL_OK);
    other.slots = (double)NAN;
    CU_ASSERT_EQUAL(judge(measured(0.86, 0, 0.5), other, text), TD_KERNEL_OK);
}

static void nothing(void)
{
    struct td_kernel_measured none = {.done = false, .why = "no counters"}, broken = measured(0.7, 0, 0.5);
    char text[TD_KERNEL_TEXT];

    CU_ASSERT_EQUAL(judge(none, none, text), TD_KERNEL_SKIPPED);
    CU_ASSERT_STRING_EQUAL(text, "no counters");
    CU_ASSERT_EQUAL(judge(none, measured(0.7, 0, 0.5), text), TD_KERNEL_OK);
    broken.broken = true;
    strcpy(broken.why, "A < B");
    CU_ASSERT_EQUAL(judge(measured(0.7, 0, 0.5), broken, text), TD_KERNEL_OFF);
    CU_ASSERT_STRING_EQUAL(text, "A < B");
}

/* What is taken of a result: shares that have values, and whether they can be right. */
static void taken(void)
{
    struct td_metric m[] = {
        {.name = "backend_bound", .level = 1, .kind = TD_METRIC_NODE, .value = 0.75, .low = 0.7, .high = 0.8},
        {.name = "retiring", .level = 1, .kind = TD_METRIC_NODE, .status = TD_MISSING_EVENT},
        {.name = "backend_bound_cpu", .level = 2, .kind = TD_METRIC_NODE, .value = 0.5}};
    struct td_count c[] = {{.text = 0, .value = 1000}, {.text = 1, .value = 6000}};
    const struct td_counts counts = {.c = c, .n = 2};
    const char *const texts[] = {"cycles", "slots"};
    struct td_given given;
    struct td_result r = {.metrics = m, .nmetrics = 3, .counts = &counts, .texts = texts, .given = &given};
    struct td_kernel_measured k = {.done = false};

    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(k.done && !k.broken && k.n == 1 && k.slots == 6000);
    CU_ASSERT(k.level1[0].value == 0.75 && k.level1[0].low == 0.7 && k.level1[0].high == 0.8);
    CU_ASSERT_STRING_EQUAL(k.range[0].name, "backend_bound");
    CU_ASSERT_STRING_EQUAL(k.range[1].name, "backend_bound_cpu");
    CU_ASSERT_STRING_EQUAL(k.why, "retiring has no value that can be judged: missing_event");
    m[1].status = TD_OK;
    k = (struct td_kernel_measured){.done = false};
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(k.n == 2 && !*k.why);
    m[0].flags = TD_FLAG_SUM_OFF;
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(k.broken && strstr(k.why, "add up"));
    k = (struct td_kernel_measured){.done = false};
    m[0].flags = TD_FLAG_SMT_UNKNOWN; /* of a thread alone, nothing is known */
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(!k.broken && k.n == 1 && !k.range[0].name && k.range[1].name);
    CU_ASSERT_STRING_EQUAL(k.why, "backend_bound has no value that can be judged: smt_unknown");
    c[1].value = 0; /* what ran cannot have had none */
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(k.broken && strstr(k.why, "no slots"));
    k = (struct td_kernel_measured){.done = false};
    c[1].value = 6000;
    m[0].flags = 0, m[1].status = TD_IMPOSSIBLE;
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(k.broken);
    k = (struct td_kernel_measured){.done = false};
    m[1].status = TD_OK, m[2].status = TD_IMPOSSIBLE; /* deeper nodes are of other events */
    td_measured_take(&k, &kernel, &r);
    CU_ASSERT(!k.broken && k.n == 2);
}

static const CU_TestInfo tests[] = {
    {"ranges", ranges},   {"upper limits", upper}, {"ways", ways},    {"shared", shared},
    {"nothing", nothing}, {"taken", taken},        CU_TEST_INFO_NULL,
};
UNIT_SUITE("measured kernels", tests);
