/* SPDX-License-Identifier: MIT */
/* Three functions in each format, which are written out by hand: their intervals are those of a recording, their
 * estimates are given here. */
#include "report/functions/functions_report.h"

#include "tests/report/made_result.h"
#include "tests/support/chance.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"

#include <stdio.h>
#include <string.h>

enum { NODES = 4, FIRST_NODE = 3, WIDTH = 6, FUNCTIONS = 3, METRICS = 5, PERIOD = 1000000 /* ns */ };

/* Of 100,000 cycles 40,000 are in main, in 50 intervals, of which the first began in f;g; 38,000 in f;g, of whose 20
 * intervals the first has no beginning; and 22,000 in c, in one that began in main. So 49 of the 50 intervals that
 * began in main ended there, 19 of 20 in f;g, and none began in c. */
static const struct visit {
    uint64_t address;
    unsigned samples;
    uint64_t cycles[NODES];
} visits[] = {
    {0x2000, 20, {1000, 250, 250, 500}},
    {0x1000, 50, {200, 100, 100, 400}},
    {0x3000, 1, {5500, 2750, 2750, 11000}},
};

static void record(struct sampled_file *f)
{
    struct sampled_file_sample s = {.member = SAMPLED_FILE_FIRST, .time = PERIOD};

    sampled_file_begin(f, PERIOD, 0);
    for (size_t i = 0; i < FUNCTIONS; i++)
        for (unsigned k = 0; k < visits[i].samples; k++) {
            s.address = visits[i].address;
            s.time += PERIOD;
            for (size_t n = 0; n < NODES; n++) {
                s.value[FIRST_NODE + n] += WIDTH * visits[i].cycles[n];
                s.value[0] += WIDTH * visits[i].cycles[n];
                s.value[SAMPLED_FILE_FIRST] += visits[i].cycles[n];
                s.value[SAMPLED_FILE_SECOND] += visits[i].cycles[n];
            }
            sampled_file_sample(f, &s);
        }
    sampled_file_end(f);
}

struct made {
    struct td_functions all;
    struct td_function *function[FUNCTIONS]; /* main, f;g, c */
    struct td *td;
    struct td_estimates of[FUNCTIONS];
    struct td_metric metric[FUNCTIONS][METRICS];
    struct td_weighed naive[FUNCTIONS][METRICS];
    const struct td_metric *path[2];
    struct td_verdict verdict[FUNCTIONS];
};

static struct td_function *at(const struct td_functions *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->function[i]->name, name))
            return f->function[i];
    CU_FAIL_FATAL("a place is missing");
    return NULL;
}

static void read_functions(struct made *m)
{
    struct sampled_file file;
    const struct td_result *r;
    struct source s;

    m->all = (struct td_functions){.seed = 1, .confidence = 0.95};
    m->td = td_new();
    record(&file);
    s = (struct source){(const char *)file.b, file.n, file.n, 0};
    CU_ASSERT_FATAL(m->td && !td_set_uarch(m->td, "spr") && !td_set_level(m->td, 1) &&
                    !td_open(m->td, "f", source_read, &s));
    while (!td_next(m->td, &r))
        CU_ASSERT_EQUAL_FATAL(td_functions_add(&m->all, r), 0);
    for (size_t i = 0; !td_summary(m->td, i, &r); i++)
        CU_ASSERT_EQUAL_FATAL(td_functions_whole(&m->all, r), 0);
    CU_ASSERT_EQUAL_FATAL(td_functions_finish(&m->all), 0);
    CU_ASSERT_EQUAL_FATAL(m->all.n, FUNCTIONS);
    m->function[0] = at(&m->all, "[program+0x1000]");
    m->function[1] = at(&m->all, "[program+0x2000]");
    m->function[2] = at(&m->all, "[program+0x3000]");
    sampled_file_free(&file);
}

static void estimate(struct made *m, size_t i)
{
    struct td_metric *to = m->metric[i];

    to[0] = made_metric("retiring", "", 1, 0.25);
    made_bounds(&to[0], TD_BOUNDS_LIKELY, 0.2, 0.3);
    to[1] = made_metric("bad_speculation", "", 1, 0.125);
    to[2] = made_metric("frontend_bound", "", 1, (double)NAN);
    to[2].status = TD_NOT_COUNTED;
    to[3] = made_metric("backend_bound", "", 1, 0.5);
    made_bounds(&to[3], TD_BOUNDS_LIKELY, 0.45, 0.55);
    to[4] = made_metric("memory_bound", "backend_bound", 2, (double)NAN);
    to[4].status = TD_ZERO_DIVISOR;
    m->naive[i][0] = (struct td_weighed){4, 1};
    m->naive[i][3] = (struct td_weighed){2, 1};
    m->naive[i][4] = (struct td_weighed){8, 1};
    m->of[i] = (struct td_estimates){
        .metric = to, .metrics = METRICS, .verdict = &m->verdict[i], .all = m->naive[i], .of = m->function[i]->of->of};
    m->function[i]->of = &m->of[i];
    m->function[i]->kind = "function";
    m->function[i]->limit = &to[3];
    m->function[i]->symbols = TD_SYMBOLS_FOUND;
}

static void begin(struct made *m)
{
    *m = (struct made){.td = NULL};
    read_functions(m);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        estimate(m, i);
        m->all.function[i] = m->function[i];
    }
    m->all.cpu = "spr";
    m->all.formula = "perf_metrics";
    m->all.kind = "function";
    memset(m->all.left, 0, sizeof(m->all.left));
    m->function[0]->name = "main";
    m->function[0]->dso = "/p,q";
    m->function[0]->weight = 0.2;
    m->of[0].flags = TD_FLAG_MULTIPLEXED | TD_FLAG_COUNTS_DOUBTFUL;
    m->path[0] = &m->metric[0][3];
    m->verdict[0] = (struct td_verdict){.status = TD_VERDICT_LIKELY, .node = m->path[0], .path = m->path, .npath = 1};
    m->function[1]->name = "f;g";
    m->function[1]->dso = NULL;
    m->function[1]->weight = 0.095;
    m->of[1].core = "E";
    m->metric[1][4] = made_metric("memory_bound", "backend_bound", 2, 0.25);
    made_bounds(&m->metric[1][4], TD_BOUNDS_LIKELY, 0.2, 0.35);
    m->metric[1][4].unit = "stalls";
    m->path[1] = &m->metric[1][4];
    m->verdict[1] = (struct td_verdict){.status = TD_VERDICT_LIKELY, .node = m->path[1], .path = m->path, .npath = 2};
    m->function[2]->name = "c";
    m->function[2]->dso = "/r";
    m->verdict[2] = (struct td_verdict){.status = TD_VERDICT_UNDECIDED};
    for (size_t k = 0; k < METRICS; k++) {
        m->metric[2][k].status = TD_NOT_COUNTED;
        m->naive[2][k] = (struct td_weighed){0, 0};
    }
    CU_ASSERT_EQUAL(m->function[2]->status, TD_PLACE_FEW_SAMPLES);
    CU_ASSERT(m->function[0]->status == TD_PLACE_OK && m->function[1]->status == TD_PLACE_OK);
}

static void end(struct made *m)
{
    td_functions_free(&m->all);
    td_free(m->td);
}

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
    struct made m;
    struct td_functions_report r = {.functions = &m.all};

    begin(&m);
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
    for (size_t k = 1; k < METRICS; k++) {
        m.metric[0][k].status = TD_NOT_COUNTED;
        m.naive[0][k] = (struct td_weighed){0, 0};
    }
    is("csv", &r, NULL,
       "scope;kind;dso;core;slots_share;lost;intervals;pure;stay;metric;level;parent;unit;value;low;high;bounds;status;"
       "all_intervals;verdict\n"
       "main;function;/p,q;;0.4;;50;49;0.98;retiring;1;;slots;0.25;0.2;0.3;likely;ok;0.25;" MAIN_VERDICT);
    end(&m);
}

/* Names that are longer than what rows have in common keep their rows whole. */
static void csv_long(void)
{
    static char name[1000], wanted[5000];
    struct made m;
    struct td_functions_report r = {.functions = &m.all, .limit = 1};

    begin(&m);
    memset(name, 'x', sizeof(name) - 1);
    m.function[0]->name = name;
    m.of[0].metrics = 2;
    snprintf(wanted, sizeof(wanted),
             "%s%s,function,\"/p,q\",,0.4,0.2,50,49,0.98,retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25,%s"
             "%s,function,\"/p,q\",,0.4,0.2,50,49,0.98,bad_speculation,1,,slots,0.125,,,,ok,,%s",
             CSV_HEAD, name, MAIN_VERDICT, name, MAIN_VERDICT);
    is("csv", &r, NULL, wanted);
    end(&m);
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
    struct made m;
    struct td_functions_report r = {.functions = &m.all};

    begin(&m);
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
    end(&m);
}

/* What is known of pairs stands in each function, their distances where there are any. */
static void json_pairs(void)
{
    struct made m;
    struct td_functions_report r = {
        .functions = &m.all, .limit = 1, .about = {.paired = "cycles", .far = 3, .broken = 2}};

    begin(&m);
    is("json", &r, NULL, JSON_MAIN ",\"pairs\":{\"event\":\"cycles\",\"n\":0,\"far\":3,\"broken\":2}}," JSON_MAIN_END);
    end(&m);
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
    struct made m;
    struct td_functions_report r = {.functions = &m.all};

    begin(&m);
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
    end(&m);
}

/* Two and more functions with too few samples share a row, unless all have too few, or each is asked for; the limit is
 * of rows. */
static void text_folded(void)
{
    struct made m;
    struct td_functions_report r = {.functions = &m.all};

    begin(&m);
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
    end(&m);
}

/* ---- folded stacks -------------------------------------------------------------------------------- */

/* Slots by nodes, in proportion: 1/4, 1/8 and 1/2 of their sum 7/8, of 240,000 and of 228,000; without them where most
 * of the slots are those of what it calls. */
static void folded(void)
{
    struct made m;
    struct td_functions_report r = {.functions = &m.all};

    begin(&m);
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
    end(&m);
}

static const CU_TestInfo tests[] = {
    {"CSV", csv},
    {"CSV with long names", csv_long},
    {"JSON", json},
    {"JSON of pairs", json_pairs},
    {"text", text},
    {"rows that are one", text_folded},
    {"folded stacks", folded},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("formats of functions", tests);
