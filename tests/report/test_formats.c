/* SPDX-License-Identifier: MIT */
/* The rows of csv and text, compared with printf(), number by number, over random recordings;
 * and json: json-c reads it, and writes it again unchanged. */
#include "report/flags.h"
#include "report/report.h"

#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTERVALS = 20, ROW = 256 };

/* perf stat -x output for a Sapphire Rapids: shares that fit the slots, that are far off,
 * that are zero; events that ran part of the time, or never. */
static char *recording(struct unit_random *random)
{
    static const char *const event[] = {"slots",
                                        "topdown-retiring",
                                        "topdown-bad-spec",
                                        "topdown-fe-bound",
                                        "topdown-be-bound",
                                        "topdown-heavy-ops",
                                        "topdown-br-mispredict",
                                        "topdown-fetch-lat",
                                        "topdown-mem-bound"};
    const size_t events = sizeof(event) / sizeof(*event);
    char *text = malloc(INTERVALS * events * ROW), *at = text;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (unsigned i = 0; i < INTERVALS; i++) {
        const uint64_t slots =
            unit_random_below(random, 8) ? unit_random(random) >> (4 + unit_random_below(random, 50)) : 0;
        const uint64_t most = slots / (1 + unit_random_below(random, 5)) + 1;
        const bool part = !unit_random_below(random, 4);
        uint64_t retiring = 0;

        for (size_t e = 0; e < events; e++) {
            uint64_t count = e ? unit_random_below(random, most) : slots;

            if (e == 1)
                retiring = count;
            if (e == 5 && i % 3 == 0) /* the rest of retiring is hardly below 0 */
                count = retiring + 1;
            at += sprintf(at, "%u.%09u,%llu,,%s,%u,%s,,\n", i * 7, 123456789 + i, (unsigned long long)count, event[e],
                          part ? 500 : 1000, part ? "50.00" : "100.00");
        }
    }
    return text;
}

static ssize_t read_text(void *ctx, void *buf, size_t size)
{
    const char **at = ctx;
    size_t n = strlen(*at) < size ? strlen(*at) : size;

    memcpy(buf, *at, n);
    *at += n;
    return (ssize_t)n;
}

static void csv_number(char *out, double value)
{
    unsigned long long parts = (unsigned long long)(fabs(value) * 1e6 + 0.5);

    if (isnan(value))
        *out = '\0';
    else if (fabs(value) >= 1e12)
        sprintf(out, "%.0f", value);
    else
        sprintf(out, "%s%llu.%06llu", value < 0 && parts ? "-" : "", parts / 1000000, parts % 1000000);
}

/* ",retiring,0.241953,slots,0.236181,0.247816,": these columns of a row of csv. */
static void csv_has(const char *text, const struct td_metric *m)
{
    char value[400], low[400], high[400], row[ROW + 1200];

    csv_number(value, m->value);
    csv_number(low, m->low);
    csv_number(high, m->high);
    sprintf(row, ",%s,%s,%s,%s,%s,", m->name, value, m->unit, low, high);
    CU_ASSERT_EQUAL(!strstr(text, row), m->level && m->status == TD_NOT_ON_THIS_CPU);
    if (!strstr(text, row) && m->status != TD_NOT_ON_THIS_CPU)
        printf("\n    no %s in %s\n", row, text);
}

static void text_has(const char *text, const struct td_metric *m)
{
    const double percent = fabs(m->value) < 0.0005 ? 0 : 100 * m->value;
    char row[ROW], bounds[64] = "", status[TD_STATUS_TEXT];
    int n;

    if (m->status == TD_NOT_ON_THIS_CPU)
        return;
    if (isnan(m->low))
        strcpy(bounds, "  no bounds");
    else if (m->high - m->low >= 0.0005)
        sprintf(bounds, "  %s%.1f .. %.1f", m->bounds == TD_BOUNDS_LIKELY ? "~ " : "", 100 * m->low, 100 * m->high);
    n = sprintf(row, "\n%2s%*s%-*s", "", 2 * (m->level - 1), "", 22 - 2 * (m->level - 1), m->name);
    if (m->status == TD_OK)
        sprintf(row + n, "%6.1f %%%s", percent, bounds);
    else
        sprintf(row + n, "%8s  %s", "-", m->status == TD_NO_SLOTS ? "idle" : td_status_text(m, status));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, row));
    if (!strstr(text, row))
        printf("\n    no %s in %s\n", row, text);
}

static void object_reads(const char *text, size_t len)
{
    struct json_tokener *tokener = json_tokener_new();
    struct json_object *o = json_tokener_parse_ex(tokener, text, (int)len);
    const char *again =
        o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE) : "";

    CU_ASSERT(len == strlen(again) && !strncmp(text, again, len));
    json_object_put(o);
    json_tokener_free(tokener);
}

/* Each line is an object. */
static void json_reads(const char *text)
{
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        object_reads(text, (size_t)(end - text));
    }
}

static void check(const char *format, const struct td_result *r)
{
    struct captured c;
    struct td_report report = {.format = td_report_format_find(format), .counts = true};
    const char *text;
    char *folded;

    captured_begin(&c);
    report.out = c.out;
    td_report_result(&report, r);
    c.out = report.out;
    text = captured_text(&c);
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        if (!strcmp(format, "csv"))
            csv_has(text, td_result_metric(r, i));
        else if (!strcmp(format, "text"))
            text_has(text, td_result_metric(r, i));
    }
    for (size_t i = 0; !strcmp(format, "text") && i < td_result_counts(r); i++) {
        const struct td_event_count count = *td_result_count(r, i);

        CU_ASSERT_FATAL(asprintf(&folded, "\n%2s%20.0f  %s\n", "", count.value, count.event) > 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, folded));
        free(folded);
    }
    if (!strcmp(format, "json"))
        json_reads(text);
    report.out = c.out;
    td_report_end(&report, NULL);
    c.out = report.out;
    captured_end(&c);
}

static void random_recordings(void)
{
    struct unit_random random = {1};

    for (unsigned long i = 0; i < unit_long_rounds(2000); i++) {
        char *text = recording(&random);
        const char *at = text;
        const struct td_result *r;
        struct td *td = td_new();
        unsigned n = 0;

        CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_open(td, "memory", read_text, &at));
        for (; !td_next(td, &r); n++)
            for (size_t f = 0; td_report_format_at(f); f++)
                check(td_report_format_at(f)->name, r);
        CU_ASSERT_EQUAL(n, INTERVALS);
        td_free(td);
        free(text);
    }
}

static void text_number(char *out, double value)
{
    if (isnan(value))
        sprintf(out, "%15s", "-");
    else
        sprintf(out, "%15.*f", value == floor(value) ? 0 : 1, value);
}

/* The table of bench accepts any number. */
static void bench_has(const double value[8])
{
    const struct td_bench_event event = {.event = "cycles",
                                         .config = 0x3c,
                                         .counted = {value[0], value[1], value[2], value[3], value[4]},
                                         .cost = {value[5], value[6], NAN, NAN, value[7]}};
    const struct td_bench bench = {.cpu = 3, .machine = "spr", .runs = 7, .empties = 9, .event = &event, .n = 1};
    struct captured c;
    struct td_report report = {.format = td_report_format_find("csv")};
    char row[8 * 400], *at = row;

    captured_begin(&c);
    report.out = c.out;
    td_report_bench(&report, &bench);
    at += sprintf(at, "\ncycles,0x3c,3,7");
    for (size_t i = 0; i < 8; i++) {
        *at++ = ',';
        csv_number(at, value[i]);
        at += strlen(at);
    }
    strcpy(at, "\n");
    td_output_flush(&report.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(c.text, row));
    if (!strstr(c.text, row))
        printf("\n    no %s in %s\n", row, c.text);
    report.format = td_report_format_find("text");
    td_report_bench(&report, &bench);
    at = row + sprintf(row, "\n  %-26s", "cycles");
    for (size_t i = 0; i < 5; i++) {
        text_number(at, value[i < 4 ? i : 6]);
        at += strlen(at);
    }
    strcpy(at, "\n");
    td_output_flush(&report.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(c.text, row));
    report.format = td_report_format_find("json");
    captured_clear(&c);
    td_report_bench(&report, &bench);
    td_output_flush(&report.out);
    json_reads(c.text);
    c.out = report.out;
    captured_end(&c);
}

static void benches(void)
{
    struct unit_random random = {2};

    for (unsigned long i = 0; i < unit_rounds(20000) + 100; i++) {
        double value[8];

        for (size_t k = 0; k < 8; k++) {
            double sign = unit_random_below(&random, 2) ? 1 : -1;

            value[k] = unit_random_below(&random, 10)
                           ? sign * ldexp(unit_random_ratio(&random), (int)unit_random_below(&random, 90) - 30)
                           : (double)NAN;
            if (!unit_random_below(&random, 4))
                value[k] = round(value[k]);
        }
        bench_has(value);
    }
}

/* A format is found by its name; the default is text. */
static void registry(void)
{
    struct captured c;
    struct td_report report = {0};

    CU_ASSERT_STRING_EQUAL(td_report_format_at(0)->name, "text");
    for (size_t i = 0; td_report_format_at(i); i++)
        CU_ASSERT_PTR_EQUAL(td_report_format_find(td_report_format_at(i)->name), td_report_format_at(i));
    CU_ASSERT_PTR_NULL(td_report_format_find("nonesuch"));
    captured_begin(&c);
    report.out = c.out;
    td_report_diagnosis(&report, 0, "fine");
    td_report_error(&report, 65, "text has no errors");
    td_report_end(&report, NULL);
    c.out = report.out;
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "fine\n");
    captured_end(&c);
}

/* The first interval of a recording of the CPU. */
static void report_one(struct td_report *report, const char *cpu, const char *text)
{
    const struct td_result *r = NULL;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_uarch(td, cpu) && !td_open(td, "f", read_text, &text));
    CU_ASSERT_EQUAL_FATAL(td_next(td, &r), 0);
    td_report_result(report, r);
    td_free(td);
}

/* json names the tree of each CPU once, however many CPUs a report has and in whatever order. */
static void trees(void)
{
    static const char *const cpus[] = {"spr", "emr", "gnr", "icl", "icx", "rkl", "tgl", "adl-p", "mtl-p"};
    const size_t n = sizeof(cpus) / sizeof(*cpus);
    struct unit_random random = {7};
    struct captured c;
    struct td_report report = {.format = td_report_format_find("json")};
    char *text = recording(&random);
    size_t found = 0;

    captured_begin(&c);
    report.out = c.out;
    for (size_t i = 0; i < 3 * n; i++)
        report_one(&report, cpus[i % n], text);
    td_report_end(&report, NULL);
    CU_ASSERT(!report.told && !report.ntold);
    c.out = report.out;
    for (const char *at = captured_text(&c); (at = strstr(at, "\"type\":\"tree\"")); at++, found++)
        CU_ASSERT(found < n && !strncmp(at + strlen("\"type\":\"tree\",\"cpu\":\""), cpus[found < n ? found : 0],
                                        strlen(cpus[found < n ? found : 0])));
    CU_ASSERT_EQUAL(found, n);
    free(text);
    captured_end(&c);
}

static const CU_TestInfo tests[] = {
    {"rows of random recordings", random_recordings},
    {"tables of any number", benches},
    {"by name", registry},
    {"trees of many CPUs", trees},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formats", tests);
