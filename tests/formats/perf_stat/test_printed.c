/* SPDX-License-Identifier: MIT */
/* The names of the metrics beside counts, and the counts to which they are attached. */
#include "formats/perf_stat/metric_names.h"
#include "tests/support/recorded.h"

#define BIT(n) (UINT32_C(1) << (n))
#define PLAIN(n) (UINT32_C(1) << ((n) + 16))

enum { RET, BAD, FE, BE, HEAVY, LIGHT, BRM, CLEARS, LATENCY, BANDWIDTH, MEM, CORE, OTHER = 15 };

static void names(void)
{
    static const struct {
        const char *text;
        uint32_t wanted;
    } all[] = {
        {"%  tma_retiring", BIT(RET)},
        {"tma_backend_bound", BIT(BE)},
        {"tma_frontend_bound      ", BIT(FE)},
        {"%  tma_branch_mispredicts     <---------- BAD", BIT(BRM)},
        {"%  tma_machine_clears", BIT(CLEARS)},
        {"TMA_Core_Bound", BIT(CORE)},
        {"tma_ifetch_latency", BIT(LATENCY)},
        {"tma_memory_bound_smt", BIT(MEM)},
        {"Retiring", PLAIN(RET)},
        {"retiring", PLAIN(RET)},
        {"Bad Speculation", PLAIN(BAD)},
        {"bad speculation  ", PLAIN(BAD)},
        {"Bad_Speculation", PLAIN(BAD)},
        {"Frontend_Bound_SMT", PLAIN(FE)},
        {"backend bound", PLAIN(BE)},
        {"Heavy Operations", PLAIN(HEAVY)},
        {"Light Operations", PLAIN(LIGHT)},
        {"Branch Mispredict", PLAIN(BRM)},
        {"Fetch Bandwidth", PLAIN(BANDWIDTH)},
        {"Core Bound", PLAIN(CORE)},
        {"percent of slots  frontend_bound", PLAIN(FE)},
        {"wasted", PLAIN(BAD)},
        {"cpu_core/retiring", PLAIN(RET)},
        {"cpu_atom.tma_retiring", BIT(RET)},
        /* metrics of other names */
        {"%  tma_backend_bound_aux", BIT(OTHER)},
        {"IPC", BIT(OTHER)},
        {"SLOTS", BIT(OTHER)},
        {"GHz  cycles_frequency", BIT(OTHER)},
        {"%  tma_dtlb_store", BIT(OTHER)},
        {"tma_retiring_of_a_name_that_is_no_node_at_all_and_far_too_long_to_be_remembered", BIT(OTHER)},
        {"cpu_core", BIT(OTHER)},
        /* what perf prints beside every event of a kind, and nothing */
        {"GHz", 0},
        {"M/sec", 0},
        {"/sec", 0},
        {"CPUs utilized", 0},
        {"insn per cycle", 0},
        {"of all branches", 0},
        {"(null)", 0},
        {"", 0},
        {"  ", 0},
        {"%", 0},
        {"%  ", 0},
    };
    struct td_printed_memory memory = {0};
    struct td_hints hints = {0};

    for (size_t i = 0; i < 3 * sizeof(all) / sizeof(*all); i++) {
        const char *text = all[i % (sizeof(all) / sizeof(*all))].text;
        uint32_t wanted = all[i % (sizeof(all) / sizeof(*all))].wanted,
                 got = bit_of(td_printed_name(text, strlen(text)));

        if (got != wanted)
            printf("\n    %s: %x, not %x", text, (unsigned)got, (unsigned)wanted);
        CU_ASSERT_EQUAL(got, wanted);
        CU_ASSERT_EQUAL(bits_of(&hints, td_printed_again(&memory, &hints, text, strlen(text))), wanted);
    }
    td_hints_free(&hints);
}

static void rests(void)
{
    struct td_printed_memory memory = {0};
    struct td_printed_shares shares = {.n = 0};
    struct td_hints hints = {0};
    static const struct {
        const char *text;
        uint32_t wanted;
    } all[] = {
        {"#     26.6 %  tma_bad_speculation    ", BIT(BAD)},
        {"#     52.7 %  tma_branch_mispredicts     <---------- BAD       ", BIT(BRM)},
        {"#      1.0 %  tma_machine_clears       (99.43%)", BIT(CLEARS)},
        {"#     54.1% Frontend Bound           ", PLAIN(FE)},
        {"#      2.7% Heavy Operations          #      4.8% Light Operations         (66.65%)",
         PLAIN(HEAVY) | PLAIN(LIGHT)},
        {"#     0.47 Backend_Bound_SMT        (12.45%)", PLAIN(BE)},
        {"# 2865823806.05 SLOTS_SMT           (11.06%)", BIT(OTHER)},
        {"#     24,2 %  tma_backend_bound     ( +-  0,87% )", BIT(BE)},
        {"#      nan %  tma_core_bound", BIT(CORE)},
        {"# -1780.4% backend bound", PLAIN(BE)},
        {"#     12.3 percent of slots  retiring  ( +-  1.33% )", PLAIN(RET)},
        {"#    3.635 GHz                         (41.66%)", 0},
        {"# 1.526 G/sec", 0},
        {"4.12  insn per cycle              (90.91%)", 0},
        {"96.8 %  tma_retiring  (90.90%)", BIT(RET)},
        {"(66.65%)", 0},
        {"", 0},
        {"#", 0},
        {"<not counted> #  1.0% Retiring", PLAIN(RET)},
        {"( +-  0.30% )  (66.65%)", 0},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        uint32_t got = bits_of(&hints, td_printed_rest(&memory, &hints, &shares, all[i].text));

        if (got != all[i].wanted)
            printf("\n    %s: %x, not %x", all[i].text, (unsigned)got, (unsigned)all[i].wanted);
        CU_ASSERT_EQUAL(got, all[i].wanted);
    }
    td_hints_free(&hints);
}

static void in_text(void)
{
    static const struct recorded all[] = {
        {" 10 a-b #  1.0 %  tma_retiring\n            #  2.0 %  tma_bad_speculation   (50.00%)\n 20 c-d\n 30 a-b  # 3.0% Light Operations  # 1.0% Heavy Operations\n",
         "- system system: a-b=10@0*0.5#3 c-d=20@0 a-b=30@1#300000\n"},
        /* a metric group is not a count, and what is below it does not belong to the count above */
        {" 10 a-b # 1.0 %  tma_retiring\n   TopdownL1   # 2.0 %  tma_bad_speculation\n       # 3.0 %  tma_frontend_bound\n",
         "- system system: a-b=10@0#1\n"},
        {"1.000000000 10 a-b # 1.0 % tma_retiring\n1.000000000     # 2.0 % tma_bad_speculation\n2.000000000 10 a-b\n2.000000000    # 2.0 % tma_bad_speculation\n",
         "1.000 system system: a-b=10@0#3\n2.000 system system: a-b=10@0#2\n"},
        {0},
    };

    show_printed = true;
    read_all(all);
    show_printed = false;
}

static void in_csv(void)
{
    static const struct recorded all[] = {
        {"5,,a,9,100.00,25.1,Retiring\n6,,b,9,100.00,3.9,Heavy Operations,21.2,Light Operations\n7,,a,9,100.00,,\n",
         "- system system: a=5@0#10000 b=6@0#300000 a=7@1\n"},
        {"5,,a,9,97.00,20.5,%  tma_retiring\n,,,,,16.5,%  tma_bad_speculation\n,,,,,,%  tma_frontend_bound\n6,,b,9,97.00,,\n",
         "- system system: a=5@0*0.97#7 b=6@0*0.97\n"},
        /* from newer perf: a threshold after each */
        {"5,,a,9,100.00,20.5,%  tma_retiring,good\n,,,,,16.5,%  tma_bad_speculation,nearly bad\n",
         "- system system: a=5@0#3\n"},
        /* further metrics with a time and an id; the first line of the next interval has some too */
        {"1.000000000,S0,2,5,,a,9,100.00,,\n1.000000000,S0,2,,,,,,16.5,tma_retiring\n2.000000000,S0,2,5,,a,9,100.00,1.0,tma_retiring\n2.000000000,S0,2,,,,,,16.5,tma_bad_speculation\n",
         "1.000 S0 socket: a=5@0#1\n2.000 S0 socket: a=5@0#3\n"},
        {"5,,a,9,100.00,,\n6,,b,9,100.00,,\n,,,,,16.5,tma_retiring\n", "- system system: a=5@0 b=6@0#1\n"},
        {"S0,2,5,,a,9,100.00,,\nS1,2,6,,a,9,100.00,,\nS1,2,,,,,,16.5,tma_retiring\n",
         "- S0 socket: a=5@0\n- S1 socket: a=6@0#1\n"},
        /* below a metric group, a summary, the start of another recording, or nothing */
        {"5,,a,9,100.00,,\n,,,9,100.00,,TopdownL1\n,,,,,16.5,tma_retiring\n6,,b,9,100.00,1.0,IPC\n",
         "- system system: a=5@0 b=6@0#8000\n"},
        {"1.000000000,5,,a,9,100.00,,\n5,,a,9,100.00,1.0,tma_retiring\n,,,,,16.5,tma_retiring\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: a=5@0\n"},
        {",,,,,16.5,tma_retiring\n5,,a,9,100.00,,\n", "- system system: a=5@0\n"},
        {"5,,a,9,100.00,,\n# started on x\n,,,,,16.5,tma_retiring\n6,,a,9,100.00,,\n",
         "{f:2: a further recording begins here (perf stat --append)}- system system: a=5@0\n- system system: a=6@0\n"},
        {0},
    };

    show_printed = true;
    read_all(all);
    show_printed = false;
}

#define COUNT(value, name, metric) \
    "{\"counter-value\" : \"" value "\", \"event\" : \"" name \
    "\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00, " metric "}"
#define METRIC(name) "\"metric-value\" : \"1.0\", \"metric-unit\" : \"" name "\""

static void in_json(void)
{
    static const struct recorded all[] = {
        {COUNT("5", "a", METRIC("%  tma_retiring")) "\n{" METRIC("%  tma_bad_speculation") "}\n" COUNT(
             "6", "b", METRIC("(null)")) "\n" COUNT("7", "a", METRIC("Retiring")) "\n",
         "- system system: a=5@0#3 b=6@0 a=7@1#10000\n"},
        {"{\"interval\" : 1.000000000, \"counter-value\" : \"5\", \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00, " METRIC(
             "tma_retiring") "}\n{" METRIC("tma_frontend_bound") "}\n",
         "1.000 system system: a=5@0#5\n"},
        /* perf 6.1 writes further metrics after the object */
        {COUNT("5", "a", METRIC("Heavy Operations")) METRIC("Light Operations") "}\n",
         "- system system: a=5@0#300000\n"},
        /* what is not JSON is left out, except for the name */
        {COUNT("5", "a", "\"metric-value\" : -nan, \"metric-unit\" : \"tma_retiring\"") "\n",
         "- system system: a=5@0#1\n"},
        /* below a metric group, or a summary */
        {COUNT("5", "a", METRIC("IPC")) "\n{\"event-runtime\" : 9, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n{" METRIC(
             "tma_retiring") "}\n",
         "- system system: a=5@0#8000\n"},
        {"{\"interval\" : 1.000000000, \"counter-value\" : \"5\", \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n" COUNT(
             "5", "a", METRIC("IPC")) "\n{" METRIC("tma_retiring") "}\n",
         "{f:2: the summary lines are left out: they repeat the intervals}1.000 system system: a=5@0\n"},
        {COUNT("5", "a", METRIC("IPC")) "\n# started on x\n{" METRIC("tma_retiring") "}\n" COUNT("6", "a",
                                                                                                 METRIC("IPC")) "\n",
         "{f:2: a further recording begins here (perf stat --append)}- system system: a=5@0#8000\n- system system: a=6@0#8000\n"},
        {"{" METRIC("tma_retiring") "}\n" COUNT("5", "a", METRIC("IPC")) "\n", "- system system: a=5@0#8000\n"},
        {0},
    };

    show_printed = true;
    read_all(all);
    show_printed = false;
}

static const CU_TestInfo tests[] = {
    {"names", names},
    {"what stands behind an event", rests},
    {"in perf's text", in_text},
    {"in perf's CSV", in_csv},
    {"in perf's JSON", in_json},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("printed", tests);
