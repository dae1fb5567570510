/* SPDX-License-Identifier: MIT */
/* Percentages of every form in which tools print them, with what they must be read as, written out by hand. */
#include "formats/percentages/percentages.h"
#include "tests/support/pieces.h"

#include <errno.h>

/* A row as text: "1.500 S0-C1: retiring 20 bad_speculation 10.5", with "!" where its form is sure. */
static void put_rows(struct log *l, const struct td_percent_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct td_percent_row *row = &rows->row[i];

        if (row->has_time)
            put(l, "%.3f ", (double)row->time / 1e9);
        put(l, "%s%s:", row->scope, row->sure ? "!" : "");
        for (size_t k = 0; k < row->n; k++)
            put(l, " %s %.4g", row->value[k].node->name, 100 * row->value[k].share);
        put(l, "\n");
    }
}

static void reads_of(const char *text, bool beside_counts, const char *wanted)
{
    for (size_t piece = 1; piece <= 4096; piece *= 64) {
        struct source s = {.text = text, .left = strlen(text), .piece = piece};
        struct td_percent_rows rows = {.beside_counts = beside_counts};
        struct log l = {.n = 0};

        CU_ASSERT_EQUAL(td_percentages_read(&rows, source_read, &s), 0);
        put_rows(&l, &rows);
        same_log(&l, wanted, piece);
        td_percentages_free(&rows);
        CU_ASSERT(!rows.n && !rows.row && !rows.room);
    }
}

static void reads(const char *text, const char *wanted)
{
    reads_of(text, false, wanted);
}

#define LEVEL_1 "retiring 20 bad_speculation 10 frontend_bound 30 backend_bound 40\n"

static void tables(void)
{
    reads("  retiring      bad speculation       frontend bound        backend bound\n"
          "     20.0%                10.0%                30.0%                40.0%\n",
          ": " LEVEL_1);
    /* commas of other languages, times, scopes of one or two words, and how many CPUs they have */
    reads("#  time  cpus   backend_bound  retiring  bad-speculation  frontend bound\n"
          "  1.0005 S0-D0-C1  2  40,0  20,0  10,0  30,0\n"
          "  2.000000000 my group 40 20 10 30\n"
          "  3 4 40 20 10 30\n",
          "1.000 S0-D0-C1: " LEVEL_1 "2.000 my-group: " LEVEL_1 ": " LEVEL_1);
    /* a row with less numbers than nodes, of words, and the line of the time are none */
    reads("retiring bad_speculation\n20\n20 x\nx 20\n  30 40 seconds time elapsed\nseconds 30 40\n1 2\n",
          ": retiring 1 bad_speculation 2\n");
    reads("retiring 5 bad_speculation\n20 30\n", ""); /* a header has no numbers, */
    reads("retiring memory_bound\n20 30\n", ""); /* and two nodes of level 1 */
    reads("retiring bad_speculation\n20 30\nfrontend_bound backend_bound\n40 50\n",
          ": retiring 20 bad_speculation 30\n: frontend_bound 40 backend_bound 50\n");
    /* numbers that are none: -e, infinite, too long */
    reads("retiring bad_speculation\n1e999 1\n--1 1\n1 1.00000000000000000000000000000001\n1 %\n-1 1e1\n",
          ": retiring -1 bad_speculation 10\n");
    /* one has at most 31 characters, all of it is one, and it may have several signs of the percentage after it */
    reads("retiring bad_speculation\n1 1.00000000000000000000000000000\n2 1.000000000000000000000000000000\n1.2.3 1\n"
          "3%% 4%\n",
          ": retiring 1 bad_speculation 1\n: retiring 3 bad_speculation 4\n");
    /* a word with a point is no time; it takes a brace and a colon to be JSON */
    reads("retiring bad_speculation\nmy.group 40 20\na:b 30 20\n{x} 40 20\n",
          "my.group: retiring 40 bad_speculation 20\na:b: retiring 30 bad_speculation 20\n"
          "{x}: retiring 40 bad_speculation 20\n");
}

/* A second word that could be a time belongs to the scope's counts; a time is below 1e10 s and has a point. */
static void times(void)
{
    reads("time retiring bad_speculation\n1.5 2.5 10 20\n10000000000.0 30 40\n9999999999.0 50 60\n-1.5 1 2\n0.0 3 4\n"
          "0.0000000006 5 6\n",
          "1.500 : retiring 10 bad_speculation 20\n: retiring 30 bad_speculation 40\n"
          "9999999999.000 : retiring 50 bad_speculation 60\n: retiring 1 bad_speculation 2\n"
          "0.000 : retiring 3 bad_speculation 4\n0.000 : retiring 5 bad_speculation 6\n");
}

/* To the nearest nanosecond. */
static void rounded_times(void)
{
    static const struct {
        const char *text;
        uint64_t ns;
    } of[] = {{"0.0000000004", 0}, {"0.0000000006", 1},          {"0.0000000014", 1},
              {"1.5", 1500000000}, {"2.000000001", 2000000001u}, {"7.0", UINT64_C(7000000000)}};

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        char text[100];
        const int n = snprintf(text, sizeof(text), "time retiring bad_speculation\n%s 10 20\n", of[i].text);
        struct source s = {.text = text, .left = (size_t)n, .piece = 4096};
        struct td_percent_rows rows = {.n = 0};

        CU_ASSERT_EQUAL(td_percentages_read(&rows, source_read, &s), 0);
        CU_ASSERT_FATAL(rows.n == 1 && rows.row->has_time);
        CU_ASSERT_EQUAL(rows.row->time, of[i].ns);
        td_percentages_free(&rows);
    }
}

static void fractions(void)
{
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.25\n",
          ": retiring 50 bad_speculation 25 frontend_bound 25\n");
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.16\n",
          ": retiring 50 bad_speculation 25 frontend_bound 16\n");
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.14\n",
          ": retiring 0.5 bad_speculation 0.25 frontend_bound 0.14\n");
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.34\n",
          ": retiring 50 bad_speculation 25 frontend_bound 34\n");
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.36\n",
          ": retiring 0.5 bad_speculation 0.25 frontend_bound 0.36\n");
    reads("retiring bad_speculation frontend_bound\n0.5 0.25 0.15\n0.5 0.25 0.35\n",
          ": retiring 0.5 bad_speculation 0.25 frontend_bound 0.15\n"
          ": retiring 0.5 bad_speculation 0.25 frontend_bound 0.35\n"); /* 0.9 and 1.1 are too far off themselves */
    reads("retiring bad_speculation\n0.5 0.5\n", ": retiring 0.5 bad_speculation 0.5\n"); /* too few to tell */
    /* of level 2 nothing adds up, and it is divided likewise */
    reads("memory_bound retiring bad_speculation frontend_bound\n0.4 0.5 0.25 0.25\n",
          ": retiring 50 bad_speculation 25 frontend_bound 25 memory_bound 40\n");
}

static void csv(void)
{
    reads("core,cpus,retiring,bad speculation,frontend bound,backend bound\nS0-D0-C0,2,20.0,10.0,30.0,40.0\n"
          "S0-D0-C1,2,20,10,30,\n",
          "S0-D0-C0: " LEVEL_1 "S0-D0-C1: retiring 20 bad_speculation 10 frontend_bound 30\n");
    reads("Timestamp;SKT;CPU;\"retiring\";backend_bound;retiring\n1.25;0;3;\"20%\"; 40 ;99\n\n2.25;;;1;2;\n",
          "1.250 0-3: retiring 20 backend_bound 40\n2.250 : retiring 1 backend_bound 2\n");
    reads("retiring|bad_spec\n1|2\n", ": retiring 1 bad_speculation 2\n");
    reads("retiring\tbad_spec\n1\t2\n", ": retiring 1 bad_speculation 2\n");
    reads("retiring,memory_bound\n1,2\n", "");
    reads("retiring,bad_spec\nx,y\n1,y\n", ""); /* one node of level 1 is too few */
    /* another header is in force from where it stands */
    reads("retiring,bad_spec\n1,2\nbad_spec,retiring\n1,2\n",
          ": retiring 1 bad_speculation 2\n: retiring 2 bad_speculation 1\n");
    /* empty scopes, with quotes and without, are none */
    reads("retiring,bad_spec,cpu\n1,2,\n3,4,5\n6,7,\"\"\n",
          ": retiring 1 bad_speculation 2\n5: retiring 3 bad_speculation 4\n: retiring 6 bad_speculation 7\n");
    reads("retiring,cpu,bad_spec\n1,\"\",2\n3,\" \",4\n5, \"a b\" ,6\n7,a:b,8\n9,{a,10\n",
          ": retiring 1 bad_speculation 2\n: retiring 3 bad_speculation 4\na b: retiring 5 bad_speculation 6\n"
          "a:b: retiring 7 bad_speculation 8\n{a: retiring 9 bad_speculation 10\n");
    /* each of the names of times and scopes */
    reads("time,core,retiring,bad_spec\n1.5,a,1,2\n", "1.500 a: retiring 1 bad_speculation 2\n");
    reads("interval,die,node,retiring,bad_spec\n1.5,a,b,1,2\n", "1.500 a-b: retiring 1 bad_speculation 2\n");
    reads("ts,cluster,cgroup,retiring,bad_spec\n1.5,a,b,1,2\n", "1.500 a-b: retiring 1 bad_speculation 2\n");
    reads("socket,pid,cmd,thread,task,retiring,bad_spec\na,b,c,d,e,1,2\n", "a-b-c-d-e: retiring 1 bad_speculation 2\n");
    /* the first separator that gives two nodes is taken: a header by ';' would have two as well */
    reads("retiring,bad_spec;x,backend_bound\n1,2,3\n", ": retiring 1 backend_bound 3\n");
    /* less fields than columns, after a line that has them, and more */
    reads("retiring,bad_spec,frontend_bound\n1,2,3\n4,5\n",
          ": retiring 1 bad_speculation 2 frontend_bound 3\n: retiring 4 bad_speculation 5\n");
    reads("retiring,bad_spec\n1,2,3,4\n", ": retiring 1 bad_speculation 2\n");
}

/* toplev -x, and topdown-tool: a line for each node. */
static void listed(void)
{
    reads(
        "CPUs,Area,Value,Unit,Description\nC0,FE,30,% Slots,\nC0,Frontend_Bound,30.5,% Slots,\nC0,Retiring,20,% Slots <,\n"
        "C1,Retiring,25,% Slots,\nC1,Frontend_Bound,26,% Slots,\nC0,Memory_Bound,7,% Stalls,\nC0,Memory_Bound,8,%,\n"
        "C0,Backend_Bound,x,%,\nC0,Core_Bound,9,% Slot,\n",
        "C0: retiring 20 frontend_bound 30.5 memory_bound 8\nC1: retiring 25 frontend_bound 26\n");
    reads("time,cpu,metric,value,units\n1.5,3,Retiring,20,%\n1.5,3,Bad_Speculation,10,%\n2.5,3,Retiring,21,%\n"
          "1.5,3,Retiring,19,%\n2.5,3,bad_spec,11,%\n1.5,3,bad_spec,12,%\n",
          "1.500 3: retiring 20 bad_speculation 10\n2.500 3: retiring 21 bad_speculation 11\n"
          "1.500 3: retiring 19 bad_speculation 12\n");
    /* a value goes to a row of its time and scope that has none of its node yet, the last of them */
    reads("time,metric,value,unit\n1.5,Retiring,20,%\n1.5,bad_spec,10,%\n1.5,backend_bound,5,%\n1.5,bad_spec,12,%\n"
          "1.5,retiring,22,%\n",
          "1.500 : retiring 20 bad_speculation 10 backend_bound 5\n1.500 : retiring 22 bad_speculation 12\n");
    reads("time,metric,value,unit\n0.0,Retiring,20,%\n,bad_spec,10,%\n", ""); /* no time is not time 0 */
    reads("area,value,unit\nRetiring,20\nbad_spec,10\n", ""); /* a line without its unit */
    /* columns of nodes in such a list */
    reads("area,value,unit,retiring\nfrontend_bound,5,%,20\n", ": retiring 20 frontend_bound 5\n");
    reads("area,value\nRetiring,20\nbad_spec,10\n", ""); /* without units they may be anything */
    /* here CPUs are no scope, but how many there are */
    reads("core,CPUs,metric,value,unit\nS0,4,retiring,1,%\nS0,4,bad_spec,2,%\n", "S0: retiring 1 bad_speculation 2\n");
    reads("core,CPUs,area,value,unit\nS0,4,retiring,1,%\nS0,4,bad_spec,2,%\n", "S0-4: retiring 1 bad_speculation 2\n");
    reads("value,unit,cpus,area\n1,%,4,retiring\n2,%,4,bad_spec\n", "4: retiring 1 bad_speculation 2\n");
    /* after the last column there is none, whatever a line before had there */
    reads("a,b,c,area,d\nretiring,bad_spec,cpus\n1,2,4\n", ": retiring 1 bad_speculation 2\n");
}

/* toplev -x without its header: the scope, the node, its value and unit; what follows is passed over. */
static void toplev_csv(void)
{
    reads(
        "S0-C0,Frontend_Bound,22.1,% Slots,,,3.00\nS0-C0,Retiring,30,% Slots <,,\nS0-C1,Retiring,31,%\nRetiring,5,%\n",
        "S0-C0!: retiring 30 frontend_bound 22.1\nS0-C1!: retiring 31\n!: retiring 5\n");
    reads("1.5,S0,C1,,Frontend_Bound,22.1,% Slots\n2.5;2.7;C1;Retiring;5;%\n",
          "1.500 S0-C1!: frontend_bound 22.1\n2.500 2.7-C1!: retiring 5\n");
    reads("a|Retiring|5|%|,Retiring,6,%\n", "a|Retiring|5|%|!: retiring 6\n"); /* once, by the first separator */
    reads("C0,Frontend_Bound,22.1,% Stalls\nC0,Frontend_Bound,x,%\nC0,Frontend_Bound,22.1\nC0,Other,5,%\n", "");
}

/* perf stat -I --metric-only -x, has no header, but each name after its value. */
static void pairs(void)
{
    reads(
        "1.000000000,,,,,,18.0,retiring,,\n1.000000000,,,,,,12.0,bad_speculation,,\n2.5,1,retiring,2,memory_bound\n2.5,3,bad_spec\n",
        "1.000 : retiring 18 bad_speculation 12\n2.500 : retiring 1 bad_speculation 3 memory_bound 2\n");
    reads("1.0,,x,retiring\n1.0,2,bad_spec\n1.0,3,retiring\n", "1.000 : retiring 3 bad_speculation 2\n");
    /* beside a count, which has the time and the share of it before: counts are to be read */
    reads("1.0,500,cycles,1000,100.00,18.0,retiring\n1.0,500,cycles,1000,100.00,18.0,bad_spec\n", "");
    reads("1.0,1000,x,18.0,retiring\n1.0,1000,x,18.0,bad_spec\n", "1.000 : retiring 18 bad_speculation 18\n");
    reads("1.0,1,2,retiring\n1.0,1,2,bad_spec\n", ""); /* two numbers before: the time and its share */
    reads("1.0,2,retiring\n1.0,2,bad_spec\n", "1.000 : retiring 2 bad_speculation 2\n");
    reads("5,retiring\n6,bad_spec\n", ": retiring 5 bad_speculation 6\n"); /* no time: it has no point */
    reads("5,retiring,6,%\n7,bad_spec\n", ": retiring 5 bad_speculation 7\n"); /* each line is of one form */
    reads("1.0,x,5,retiring\n1.0,x,6,bad_spec\n", "1.000 : retiring 5 bad_speculation 6\n");
    reads("x,1,5,retiring\nx,1,6,bad_spec\n", ": retiring 5 bad_speculation 6\n");
    reads("1,5x,8,retiring\n5x,1,9,bad_spec\n", ": retiring 8 bad_speculation 9\n");
    reads("1.0,x,5,retiring\n1.0,bound,6\n1.0,x,7,bad_spec\n", "1.000 : retiring 5 bad_speculation 7\n");
    /* in a table of text a line may be such a pair, too; in a table of CSV it is a row */
    reads("retiring bad_spec\n1 2\n1.0,5,retiring\n1.0,6,bad_spec\n",
          ": retiring 1 bad_speculation 2\n1.000 : retiring 5 bad_speculation 6\n");
    reads("retiring,bad_spec\n1,2\n5,retiring\n6,bad_spec\n", ": retiring 1 bad_speculation 2\n");
}

static void json(void)
{
    reads("{\"retiring\" : \"20\", \"bad speculation\" : 10.5}\n", ": retiring 20 bad_speculation 10.5\n");
    reads("{\"interval\" : 1.5, \"cpu\" : \"3\", \"retiring\" : 20, \"bad_spec\" : 10 }\n",
          "1.500 CPU3: retiring 20 bad_speculation 10\n");
    reads("{\"core\" : \"S0-C1\", \"retiring\":20,\"bad_spec\":\"10%\"}\n", "S0-C1: retiring 20 bad_speculation 10\n");
    reads(
        "{\"interval\" : 1.5, \"cgroup\" : \"\", \"metric-value\" : \"18.0\", \"metric-unit\" : \"%  tma_retiring\"}\n"
        "{\"interval\" : 1.5, \"metric-value\" : \"12.0\", \"metric-unit\" : \"%  tma_bad_speculation\"}\n"
        "{\"interval\" : 1.5, \"metric-value\" : \"none\", \"metric-unit\" : \"%  tma_backend_bound\"}\n"
        "{\"interval\" : 1.5, \"metric-value\" : \"12.0\", \"metric-unit\" : \"GHz\"}\n",
        "1.500 : retiring 18 bad_speculation 12\n");
    /* beside a count, counts are to be read; words instead of one are none */
    reads("{\"counter-value\" : \"5\", \"retiring\" : 20, \"bad_spec\" : 10}\n", "");
    reads("{\"counter-value\" : \"<not counted>\", \"retiring\" : 20, \"bad_spec\" : 10}\n",
          ": retiring 20 bad_speculation 10\n");
    reads("{\"counter-value\" : \"\", \"retiring\" : 20, \"bad_spec\" : 10}\n", ": retiring 20 bad_speculation 10\n");
    reads("{\"other\" : 5, \"retiring\" : 20, \"bad_spec\" : 10}\n", ": retiring 20 bad_speculation 10\n");
    /* nested, cut off, without a value */
    reads("{\"a\" : {\"retiring\" : 20}, \"b\" : [{\"bad_spec\" : 10}]}\n", ": retiring 20 bad_speculation 10\n");
    reads("{\"retiring\" : 20, \"bad_spec\" : \"10\n", ": retiring 20 bad_speculation 10\n");
    reads("{\"retiring\" : 20, \"bad_spec\n", "");
    reads("{\"x\"\"retiring\" : 20, \"bad_spec\":10}\n", ": retiring 20 bad_speculation 10\n");
    reads("{\"retiring\" :20]\"bad_spec\":\"10\"\"core\":\"a\"}\n", "a: retiring 20 bad_speculation 10\n");
    /* keys that are empty, have no value, or have objects */
    reads("{\"\":5,\"retiring\":20,\"bad_spec\":10}\n", ": retiring 20 bad_speculation 10\n");
    reads("{\"cpu\", \"core\":{\"retiring\":20}, \"die\" : [{\"bad_spec\":10}]}\n",
          ": retiring 20 bad_speculation 10\n");
    reads("{\"cpu\":\"\",\"retiring\":20,\"bad_spec\":10,\"core\":a]}\n", "a: retiring 20 bad_speculation 10\n");
    /* a single node of a line goes to no others, nor does half of a metric */
    reads("{\"retiring\" : 20}\n{\"metric-value\" : \"12.0\", \"metric-unit\" : \"%  tma_bad_speculation\"}\n", "");
    reads("{\"metric-unit\" : \"retiring\"}\n{\"metric-value\" : \"1\"}\n", "");
    reads("{\"x\", \"retiring\" : 20, \"bad_spec\" : 10}\n", ": retiring 20 bad_speculation 10\n");
}

/* toplev --json: an event for each level; a time of 1e-06 there is 1 s, and as Chrome has it, in microseconds. */
static void events(void)
{
    reads(
        "{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"C0\", \"ts\": 1.0e-06, \"args\": {\"Frontend_Bound\": 22.1, "
        "\"Retiring\": 30}}, {\"name\": \"Level2\", \"ph\": \"C\", \"pid\": \"C0\", \"ts\": 1.0e-06, \"args\": "
        "{\"Fetch_Latency\": 12}}\n",
        "1.000 C0: retiring 30 frontend_bound 22.1 fetch_latency 12\n");
    reads(
        "{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"C0\", \"ts\": 2500000.0, \"args\": {\"Frontend_Bound\": 22.1, "
        "\"Retiring\": 30}}\n",
        "2.500 C0: retiring 30 frontend_bound 22.1\n");
    reads(
        "{\"name\": \"Level1\", \"ph\": \"C\", \"pid\": \"C0\", \"args\": {\"Frontend_Bound\": 1, \"Retiring\": 2}}\n",
        "C0: retiring 2 frontend_bound 1\n");
    /* below 1 it is in seconds divided by a million, else in microseconds */
#define EVENT(time_) "{\"ph\": \"C\", \"ts\": " time_ ", \"args\": {\"Frontend_Bound\": 1, \"Retiring\": 2}}\n"
    reads(EVENT("0.999999999"), "999999.999 : retiring 2 frontend_bound 1\n");
    reads(EVENT("9000000000.0"), "9000.000 : retiring 2 frontend_bound 1\n");
    reads(EVENT("1.0"), "0.000 : retiring 2 frontend_bound 1\n");
}

static void toplev(void)
{
    /* one node of level 1 is enough */
    reads("C0    FE    Frontend_Bound    % Slots    53.9\n", "C0!: frontend_bound 53.9\n");
    reads("1.500 S0-C0    FE    Frontend_Bound    % Slots    53.9  <==\n1.500 S0-C0  RET Retiring % Slots< 20\n",
          "1.500 S0-C0!: retiring 20 frontend_bound 53.9\n");
    reads("BE/Mem    Backend_Bound.Memory_Bound    % Slots    5\n", "!: memory_bound 5\n"); /* of level 2 alone */
    reads("BE   Backend_Bound    % Slots    x\nBE   Backend_Bound    % Slots\nFE  Other   % Slots  7\n", "");
    reads("Backend_Bound    % Slots    7\n", ""); /* an area is always there */
    reads("BE   Backend_Bound    % Slots    7\n", "!: backend_bound 7\n");
    reads("my core   BE   Backend_Bound    % Slots    7\n", "my-core!: backend_bound 7\n");
    reads("1.500 2.500   BE   Backend_Bound    % Slots    7\n", "1.500 2.500!: backend_bound 7\n");
    reads("C0 BE Backend_Bound % Slot 7 % Slots\n", "");
}

static void beside(void)
{
    reads("        TopdownL1    #   18.4 %  tma_backend_bound(lower)\n      #   20.5 %  tma_retiring\n",
          ": retiring 20.5 backend_bound 18.4\n");
    reads("  5 slots  #   18.4 %  tma_backend_bound\n  #   20.5 %  tma_retiring\n", ""); /* beside a count */
    reads("x  #   18.4 Hz  tma_backend_bound\nx  #   20.5 %  tma_retiring\n", "");
    reads("x  #   x %  tma_backend_bound\nx  #   20.5 %  tma_retiring\n", "");
    reads("x  #   18.4 %\nx  #   20.5 %  tma_retiring\n", "");
    /* with no blanks, another mark before, and two on one line */
    reads("x #18.4%backend_bound\nx #20.5%retiring(#1)\n", ": retiring 20.5 backend_bound 18.4\n");
    reads("x ## 18.4 % backend_bound\nx # 20.5 % retiring\n", ": retiring 20.5 backend_bound 18.4\n");
    reads("# 18 % backend_bound\n# 20 % retiring\n# 3 % tma_base\n# 2 % tma_ms_uops\n# 1 % of all\n",
          ": retiring 20 backend_bound 18 base 3 ms_uops 2\n");
    reads("x # 18.4 % backend_bound # 20.5 % retiring\n", ": retiring 20.5 backend_bound 18.4\n");
}

/* Those of a hybrid's kinds of core are apart, by the line that begins a group. */
static void kinds_of_core(void)
{
    reads(" TopdownL1 (cpu_core)  #  40 %  tma_backend_bound\n  #  10 %  tma_bad_speculation\n"
          " TopdownL1 (cpu_atom)  #  7 %  tma_retiring\n  #  8 %  tma_bad_speculation\n  #  9 %  tma_backend_bound\n"
          " TopdownL1  #  1 %  tma_retiring\n  #  2 %  tma_backend_bound\n",
          "cpu_core: bad_speculation 10 backend_bound 40\ncpu_atom: retiring 7 bad_speculation 8 backend_bound 9\n"
          ": retiring 1 backend_bound 2\n");
    reads(" TopdownL1 (cpu_atom)  #  7 %  tma_retiring  #  8 %  tma_bad_speculation\n   #  9 %  tma_backend_bound\n",
          "cpu_atom: retiring 7 bad_speculation 8 backend_bound 9\n");
    reads_of("  6  cpu_core/topdown-be-bound/  #  21.0% Backend Bound\n  7  cpu_core/topdown-fe-bound/  # 9 % fe\n"
             "  5  cpu_atom/TOPDOWN_FE_BOUND.ALL/  #  25.0 %  tma_frontend_bound\n"
             "  5  cpu_atom/TOPDOWN_BE_BOUND.ALL/  #  53.0 %  tma_backend_bound\n",
             true, "cpu_atom: frontend_bound 25 backend_bound 53\n"); /* of the P-cores there is only one */
}

/* Beside counts that give nothing: several in a line, and the commas of the counts are none of CSV. */
static void beside_counts(void)
{
    static const char text[] =
        "  360,000,000   topdown-heavy-ops   # 2.0% heavy operations   #  17.0% light operations\n"
        "  4,320,000   topdown-bad-spec   # 24.0% bad speculation (66.6%)\n"
        "  21,000   topdown-fe-bound   # 21,5% Frontend Bound\n  5  cycles  #  3.1 GHz\n"
        "  5  branch-misses  #  0.63% of all branches\n";

    reads_of(text, true, ": bad_speculation 24 frontend_bound 21.5 heavy_operations 2 light_operations 17\n");
    reads(text, "");
}

/* Only what was printed is read so: not what has counts. */
static void others(void)
{
    static const char trace[] = "# tdprobe-trace: 1\nretiring bad_speculation\n20 30\n";

    reads(trace, "");
    reads("", "");
    reads("nothing of it\n\n1 2 3\n", "");
}

static void errors(void)
{
    static const char text[] = "retiring bad_speculation\n20 30\n";
    struct source s = {.text = text, .left = sizeof(text) - 1, .piece = 100, .err = -EIO};
    struct td_percent_rows rows = {.n = 0};

    CU_ASSERT_EQUAL(td_percentages_read(&rows, source_read, &s), -EIO);
    CU_ASSERT_EQUAL(rows.n, 1); /* what was read before */
    td_percentages_free(&rows);
}

/* Values of one time and scope find each other over 512 rows, and not over more. */
static void far_apart(void)
{
    static char text[65536];

    for (int between = 511; between <= 512; between++) {
        struct source s = {.text = text, .piece = 4096};
        struct td_percent_rows rows = {.n = 0};
        size_t n = (size_t)sprintf(text, "time,metric,value,unit\n1.0,retiring,1,%%\n");

        for (int i = 0; i < between; i++)
            n += (size_t)sprintf(text + n, "%d.5,retiring,1,%%\n", i);
        s.left = n + (size_t)sprintf(text + n, "1.0,bad_spec,2,%%\n");
        CU_ASSERT_EQUAL(td_percentages_read(&rows, source_read, &s), 0);
        CU_ASSERT_EQUAL(rows.n, between == 511);
        td_percentages_free(&rows);
    }
}

/* A row has room for 24 nodes in each form; the 25th is left out. In the order in which rows have them. */
static void most_nodes(void)
{
    static const char *const names[] = {
        "retiring",
        "bad_speculation",
        "frontend_bound",
        "backend_bound",
        "smt_contention",
        "heavy_operations",
        "light_operations",
        "branch_mispredicts",
        "machine_clears",
        "fetch_latency",
        "fetch_bandwidth",
        "memory_bound",
        "core_bound",
        "resource_bound",
        "base",
        "ms_uops",
        "retiring_microcode",
        "retiring_fastpath",
        "bad_speculation_mispredicts",
        "bad_speculation_pipeline_restarts",
        "frontend_bound_latency",
        "frontend_bound_bandwidth",
        "backend_bound_memory",
        "backend_bound_cpu",
        "retiring_from_microcode",
    };
    const int n = sizeof(names) / sizeof(*names);
    struct log of_csv = {.n = 0}, of_text = {.n = 0}, of_json = {.n = 0}, list = {.n = 0}, wanted = {.n = 0};

    put(&list, "metric,value,unit\n");
    put(&wanted, ":");
    for (int i = 0; i < n; i++) {
        put(&of_csv, "%s%s", i ? "," : "", names[i]);
        put(&of_text, "%s%s", i ? " " : "", names[i]);
        put(&of_json, "%s\"%s\" : %d", i ? ", " : "{", names[i], i + 1);
        put(&list, "%s,%d,%%\n", names[i], i + 1);
    }
    put(&of_csv, "\n1");
    put(&of_text, "\n1");
    for (int i = 0; i < n - 1; i++) {
        put(&of_csv, ",%d", i + 2);
        put(&of_text, i < n - 2 ? " %d" : "\n", i + 2);
        put(&wanted, " %s %d", names[i], i + 1);
    }
    put(&of_csv, "\n");
    put(&of_json, "}\n");
    put(&wanted, "\n");
    reads(of_csv.text, wanted.text);
    reads(of_text.text, wanted.text);
    reads(of_json.text, wanted.text);
    reads(list.text, wanted.text);
}

/* Of a header the first 512 columns count, and of a row of text the first 256 words. */
static void most_columns(void)
{
    struct log columns = {.n = 0}, words = {.n = 0};

    put(&columns, "retiring");
    for (int i = 2; i < 512; i++)
        put(&columns, ",");
    put(&columns, ",bad_spec,frontend_bound\n1");
    for (int i = 2; i < 512; i++)
        put(&columns, ",");
    put(&columns, ",2,3\n");
    reads(columns.text, ": retiring 1 bad_speculation 2\n");
    put(&words, "retiring bad_spec\n");
    for (int i = 1; i <= 254; i++)
        put(&words, " 0");
    put(&words, " 1 2 3\n");
    reads(words.text, ": retiring 1 bad_speculation 2\n");
}

/* Scopes are cut at TD_PERCENT_SCOPE - 1 bytes: 40, the hyphen and 22 more. The kind of core is looked for in as many
 * bytes before the mark as two scopes have. */
static void long_words(void)
{
#define TEN_A "aaaaaaaaaa"
#define TEN_B "bbbbbbbbbb"
#define BLANKS "                              " /* 30 */
    reads("core,die,retiring,bad_spec\n" TEN_A TEN_A TEN_A TEN_A "," TEN_B TEN_B TEN_B TEN_B ",1,2\n",
          TEN_A TEN_A TEN_A TEN_A "-" TEN_B TEN_B "bb: retiring 1 bad_speculation 2\n");
    reads("core,die,retiring,bad_spec\n" TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A ",b,1,2\n",
          TEN_A TEN_A TEN_A TEN_A TEN_A TEN_A "aaa: retiring 1 bad_speculation 2\n");
    reads("x" BLANKS BLANKS BLANKS BLANKS "cpu_atom  #  7 %  tma_retiring\n  #  8 %  tma_bad_speculation\n",
          ": retiring 7 bad_speculation 8\n"); /* it would end at 129 */
    reads("x" BLANKS BLANKS BLANKS
          "                      cpu_atom  #  7 %  tma_retiring\n  #  8 %  tma_bad_speculation\n",
          "cpu_atom: retiring 7 bad_speculation 8\n"); /* at 121 */
    /* what is no header leaves that in force which was before */
    reads("retiring bad_speculation\nretiring memory_bound\n20 30\n", ": retiring 20 bad_speculation 30\n");
}

/* wspy has a line for each node: its name there, a whole number, "#" and a percentage. */
static void wspy(void)
{
    reads("slots                92244259994346 #\n"
          "retiring             45000000000000 # 48.8% (59.6%)\n"
          "frontend              4500000000000 #  5.1% ( 6.0%)\n"
          "backend              33122828809181 # 35.9% (43.9%)\n"
          "speculation           3000000000000 # 10.2% (12.5%)\n"
          "smt-contention       16797000000000 # 18.2% ( 0.0%)\n",
          ": retiring 48.8 bad_speculation 10.2 frontend_bound 5.1 backend_bound 35.9 smt_contention 18.2\n");
    reads("retiring 5 # 48%\nbackend 5 # 35.9%\n", ": retiring 48 backend_bound 35.9\n");
    reads("retiring 5 # 48\nbackend 5 # 35.9\n", ""); /* no percentage */
    reads("retiring 5 # x%\nbackend 5 # y%\n", "");
    reads("retiring 5 # 4x%\nbackend 5 # 5x%\n", "");
    reads("retiring 5 48% x\nbackend 5 35.9% x\n", ""); /* no mark */
    reads("retiring x # 48%\nbackend y # 35.9%\n", ""); /* no count */
    reads("retiring 5x # 48%\nbackend 5x # 35.9%\n", "");
    reads("retired 5 # 48%\nbackends 5 # 35.9%\n", ""); /* not its names */
    reads("retiring 5 #\nbackend 5 #\n", "");
}

static const CU_TestInfo tests[] = {
    {"tables", tables},
    {"times", times},
    {"rounded times", rounded_times},
    {"fractions", fractions},
    {"CSV", csv},
    {"a line for each node", listed},
    {"toplev -x without a header", toplev_csv},
    {"pairs", pairs},
    {"JSON", json},
    {"events", events},
    {"toplev", toplev},
    {"wspy", wspy},
    {"beside nothing", beside},
    {"kinds of core", kinds_of_core},
    {"beside counts", beside_counts},
    {"most nodes", most_nodes},
    {"most columns", most_columns},
    {"others", others},
    {"errors", errors},
    {"far apart", far_apart},
    {"words that are too long", long_words},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("percentages", tests);
