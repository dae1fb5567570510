/* SPDX-License-Identifier: MIT */
/* Functions in each format, which are written out by hand. */
#include "report/functions/functions_report.h"

#include "tests/report/made_functions.h"

#include <stdio.h>
#include <string.h>

/* What a format makes of them, up to the text stop. */
static void is(const char *format, const struct td_functions_report *r, const char *stop, const char *wanted)
{
    struct captured c;
    size_t i = 0;
    char *at_stop;

    while (td_functions_format_at(i) && strcmp(td_functions_format_at(i)->name, format) != 0)
        i++;
    CU_ASSERT_PTR_NOT_NULL_FATAL(td_functions_format_at(i));
    td_functions_format_at(i)->put(captured_begin(&c), r);
    CU_ASSERT_EQUAL(c.out.error, 0);
    captured_text(&c);
    at_stop = stop ? strstr(c.text, stop) : NULL;
    CU_ASSERT(!stop || at_stop);
    if (at_stop)
        *at_stop = '\0';
    CU_ASSERT_STRING_EQUAL(c.text, wanted);
    if (strcmp(c.text, wanted) != 0)
        printf("\n    %s: not as written, but\n%s", format, c.text);
    captured_end(&c);
}

/* ---- csv --------------------------------------------------------------------------------------- */

#define CSV_HEAD \
    "scope,kind,dso,core,slots_share,lost,intervals,pure,stay,metric,level,parent,unit,value,low,high,bounds,status," \
    "all_intervals,verdict\n"
#define MAIN "main,function,\"/p,q\",,0.4,0.2,50,49,0.98,"
#define MAIN_VERDICT "probably backend_bound (likely)\n"
#define F_G "f;g,function,,E,0.38,0.095,19,19,0.95,"
#define F_G_VERDICT "probably backend_bound: memory_bound (likely)\n"
#define FEW "few_samples: 1 interval, 0 of them between two samples in it"

/* A metric without anything to say has no row, a function has one at least. */
static void csv(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};

    made_functions_begin(&m);
    is("csv", &r, NULL,
       CSV_HEAD MAIN "retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25," MAIN_VERDICT MAIN
                     "bad_speculation,1,,slots,0.125,,,,ok,," MAIN_VERDICT MAIN
                     "backend_bound,1,,slots,0.5,0.45,0.55,likely,ok,0.5," MAIN_VERDICT MAIN
                     "memory_bound,2,backend_bound,slots,,,,,zero_divisor,0.125," MAIN_VERDICT F_G
                     "retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25," F_G_VERDICT F_G
                     "bad_speculation,1,,slots,0.125,,,,ok,," F_G_VERDICT F_G
                     "backend_bound,1,,slots,0.5,0.45,0.55,likely,ok,0.5," F_G_VERDICT F_G
                     "memory_bound,2,backend_bound,stalls,0.25,0.2,0.35,likely,ok,0.125," F_G_VERDICT
                     "c,function,/r,,0.22,,1,0,,,,,,,,,,few_samples,,\"" FEW "\"\n");
    r.limit = 1;
    r.separator = ";";
    for (size_t k = 1; k < MADE_ESTIMATES; k++) {
        m.metric[0][k].status = TD_NOT_COUNTED;
        m.naive[0][k] = (struct td_weighed){0, 0};
    }
    is("csv", &r, NULL,
       "scope;kind;dso;core;slots_share;lost;intervals;pure;stay;metric;level;parent;unit;value;low;high;bounds;status;"
       "all_intervals;verdict\n"
       "main;function;/p,q;;0.4;;50;49;0.98;retiring;1;;slots;0.25;0.2;0.3;likely;ok;0.25;" MAIN_VERDICT);
    made_functions_end(&m);
}

/* Names that are longer than what rows have in common keep their rows whole. */
static void csv_long(void)
{
    static char name[1000], wanted[5000];
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all, .limit = 1};

    made_functions_begin(&m);
    memset(name, 'x', sizeof(name) - 1);
    m.function[0]->name = name;
    m.of[0].metrics = 2;
    snprintf(wanted, sizeof(wanted),
             "%s%s,function,\"/p,q\",,0.4,0.2,50,49,0.98,retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25,%s"
             "%s,function,\"/p,q\",,0.4,0.2,50,49,0.98,bad_speculation,1,,slots,0.125,,,,ok,,%s",
             CSV_HEAD, name, MAIN_VERDICT, name, MAIN_VERDICT);
    is("csv", &r, NULL, wanted);
    made_functions_end(&m);
}

/* ---- json --------------------------------------------------------------------------------------- */

#define JSON_NODES \
    "\"metrics\":{\"retiring\":{\"value\":0.25,\"low\":0.2,\"high\":0.3,\"bounds\":\"likely\",\"all_intervals\":0.25}," \
    "\"bad_speculation\":{\"value\":0.125,\"low\":null,\"high\":null,\"all_intervals\":null}," \
    "\"backend_bound\":{\"value\":0.5,\"low\":0.45,\"high\":0.55,\"bounds\":\"likely\",\"all_intervals\":0.5},"
#define JSON_MAIN \
    "{\"schema\":\"tdprobe/1\",\"scope\":\"main\",\"scope_kind\":\"function\",\"core\":null,\"cpu\":\"spr\",\"formula\":" \
    "\"perf_metrics\",\"function\":{\"dso\":\"/p,q\",\"symbols\":\"found\",\"slots_share\":0.4,\"lost\":0.2," \
    "\"intervals\":50,\"pure\":49,\"stay\":0.98,\"status\":\"ok\""
#define JSON_MAIN_END \
    JSON_NODES "\"memory_bound\":{\"value\":null,\"status\":\"zero_divisor\",\"all_intervals\":0.125}}," \
               "\"flags\":[\"multiplexed\",\"counts_doubtful\"],\"verdict\":{\"status\":\"likely\",\"node\":" \
               "\"backend_bound\",\"path\":[\"backend_bound\"],\"among\":[],\"text\":\"probably backend_bound " \
               "(likely)\"}}\n"

static void json(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};

    made_functions_begin(&m);
    is("json", &r, NULL,
       JSON_MAIN
       "}," JSON_MAIN_END
       "{\"schema\":\"tdprobe/1\",\"scope\":\"f;g\",\"scope_kind\":\"function\",\"core\":\"E\",\"cpu\":"
       "\"spr\",\"formula\":\"perf_metrics\",\"function\":{\"dso\":null,\"symbols\":null,\"slots_share\":0.38,"
       "\"lost\":0.095,\"intervals\":19,\"pure\":19,\"stay\":0.95,\"status\":\"ok\"}," JSON_NODES
       "\"memory_bound\":{\"value\":0.25,\"low\":0.2,\"high\":0.35,\"bounds\":\"likely\",\"unit\":\"stalls\","
       "\"all_intervals\":0.125}},\"flags\":[],\"verdict\":{\"status\":\"likely\",\"node\":\"memory_bound\","
       "\"path\":[\"backend_bound\",\"memory_bound\"],\"among\":[],\"text\":\"probably backend_bound: "
       "memory_bound (likely)\"}}\n"
       "{\"schema\":\"tdprobe/1\",\"scope\":\"c\",\"scope_kind\":\"function\",\"core\":null,\"cpu\":\"spr\","
       "\"formula\":\"perf_metrics\",\"function\":{\"dso\":\"/r\",\"symbols\":\"found\",\"slots_share\":0.22,"
       "\"lost\":null,\"intervals\":1,\"pure\":0,\"stay\":null,\"status\":\"few_samples\"},\"metrics\":{},"
       "\"flags\":[],\"verdict\":{\"status\":\"undecided\",\"node\":null,\"path\":[],\"among\":[],\"text\":"
       "\"" FEW "\"}}\n");
    made_functions_end(&m);
}

/* What is known of pairs stands in each function, their distances where there are any. */
static void json_pairs(void)
{
    struct made_functions m;
    struct td_functions_report r = {
        .functions = &m.all, .limit = 1, .about = {.paired = "cycles", .far = 3, .broken = 2}};

    made_functions_begin(&m);
    is("json", &r, NULL, JSON_MAIN ",\"pairs\":{\"event\":\"cycles\",\"n\":0,\"far\":3,\"broken\":2}}," JSON_MAIN_END);
    made_functions_end(&m);
}

/* ---- text --------------------------------------------------------------------------------------- */

#define TITLE "spr  [perf_metrics]: function by slots lost, in percent of slots\n"
#define TEXT_MAIN \
    "   40.0   20.0  25.0 20.0..30.0            12.5?                -  50.0 45.0..55.0  0.98  main\n" \
    "    => probably backend_bound (likely)\n"
#define TEXT_F_G \
    "   38.0    9.5  25.0 20.0..30.0            12.5?                -  50.0 45.0..55.0  0.95  f;g (E)\n" \
    "    => probably backend_bound: memory_bound (likely): 25.0 %, 20.0 .. 35.0\n"
#define TEXT_C \
    "   22.0      -                -                -                -                -     -  c\n    => " FEW "\n"
#define HEAD "  slots   lost         retiring         bad_spec         frontend          backend  stay  function\n"

static void text(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};

    made_functions_begin(&m);
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN TEXT_F_G TEXT_C);
    r.width = 110;
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN TEXT_F_G TEXT_C);
    r.width = 109;
    is("text", &r, "# ",
       TITLE "  slots   lost retiring bad_spec frontend  backend  stay  function\n"
             "   40.0   20.0    25.0~    12.5?        -    50.0~  0.98  main\n"
             "    => probably backend_bound (likely): 50.0 %, 45.0 .. 55.0\n"
             "   38.0    9.5    25.0~    12.5?        -    50.0~  0.95  f;g (E)\n"
             "    => probably backend_bound: memory_bound (likely): 25.0 %, 20.0 .. 35.0\n"
             "   22.0      -        -        -        -        -     -  c\n    => " FEW "\n");
    made_functions_end(&m);
}

/* What was recorded stands before the table, and what to do next after the notes. */
static void text_around(void)
{
    struct made_functions m;
    struct td_functions_report r = {
        .functions = &m.all, .limit = 1, .next = {"do a", "do b"}, .origin = {.command = "./app", .host = "h"}};
    struct captured c;
    const char *next;

    made_functions_begin(&m);
    td_functions_format_at(0)->put(captured_begin(&c), &r);
    captured_text(&c);
    CU_ASSERT(!strncmp(c.text, "# ./app on h\n" TITLE, strlen("# ./app on h\n" TITLE)));
    next = strstr(c.text, "\nnext:\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(next);
    CU_ASSERT_STRING_EQUAL(next, "\nnext:\ndo a\ndo b\n");
    captured_end(&c);
    r.next[0] = NULL;
    td_functions_format_at(0)->put(captured_begin(&c), &r);
    CU_ASSERT_PTR_NULL(strstr(captured_text(&c), "next:"));
    captured_end(&c);
    made_functions_end(&m);
}

/* Two and more functions with too few samples share a row, unless all have too few, or each is asked for; the limit is
 * of rows. */
static void text_folded(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};

    made_functions_begin(&m);
    r.limit = 1;
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN "2 more: --limit 0 shows all\n");
    r.limit = 2;
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN TEXT_F_G "1 more: --limit 0 shows all\n");
    r.limit = 3;
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN TEXT_F_G TEXT_C);
    r.limit = 1;
    m.function[0]->status = TD_PLACE_FEW_SAMPLES;
    is("text", &r, "# ", TITLE HEAD TEXT_F_G "2 functions with too few samples: 62.0 % of the slots; -v shows them\n");
    r.chain = TD_CHAIN_CHILDREN; /* their shares do not add up */
    m.all.kind = "address";
    is("text", &r, "# ",
       "spr  [perf_metrics]: address by slots lost, in percent of slots\n"
       "  slots   lost         retiring         bad_spec         frontend          backend  stay  address\n" TEXT_F_G
       "2 addresses with too few samples; -v shows them\n");
    m.all.kind = "function";
    r.every = true;
    m.function[0]->status = TD_PLACE_OK;
    m.function[1]->status = TD_PLACE_FEW_SAMPLES;
    is("text", &r, "# ", TITLE HEAD TEXT_MAIN "2 more: --limit 0 shows all\n");
    r.every = false;
    m.function[0]->status = TD_PLACE_FEW_SAMPLES; /* all three */
    is("text", &r, "    =>",
       TITLE HEAD "   40.0   20.0  25.0 20.0..30.0            12.5?                -  50.0 45.0..55.0  0.98  main\n");
    made_functions_end(&m);
}

/* ---- folded stacks -------------------------------------------------------------------------------- */

/* Slots by nodes, in proportion: 1/4, 1/8 and 1/2 of their sum 7/8, of 240,000 and of 228,000; without them where most
 * of the slots are those of what it calls. */
static void folded(void)
{
    struct made_functions m;
    struct td_functions_report r = {.functions = &m.all};

    made_functions_begin(&m);
    m.function[1]->name = "g";
    is("folded", &r, NULL,
       "c 132000\nmain;[retiring] 68571\nmain;[bad_speculation] 34286\nmain;[backend_bound] 137143\n"
       "E;g;[retiring] 65143\nE;g;[bad_speculation] 32571\nE;g;[backend_bound] 130286\n");
    m.function[1]->name = "main;g";
    m.of[1].core = NULL;
    is("folded", &r, NULL,
       "c 132000\nmain 12000\nmain;g;[retiring] 65143\nmain;g;[bad_speculation] 32571\nmain;g;[backend_bound] 130286\n");
    m.function[1]->slots = 24000; /* a tenth */
    m.metric[0][3].status = TD_NO_SLOTS;
    m.function[1]->status = TD_PLACE_SMEARED;
    m.function[2]->slots = 0.4;
    is("folded", &r, NULL, "main;[retiring] 144000\nmain;[bad_speculation] 72000\nmain;g 24000\n");
    m.function[1]->slots = 24001;
    m.function[2]->slots = 1;
    is("folded", &r, NULL, "c 1\nmain 215999\nmain;g 24001\n");
    made_functions_end(&m);
}

static const CU_TestInfo tests[] = {
    {"CSV", csv},
    {"CSV with long names", csv_long},
    {"JSON", json},
    {"JSON of pairs", json_pairs},
    {"text", text},
    {"rows that are one", text_folded},
    {"what is around the text", text_around},
    {"folded stacks", folded},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formats of functions", tests);
