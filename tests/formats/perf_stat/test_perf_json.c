/* SPDX-License-Identifier: MIT */
/* perf stat -j, from bytes to intervals; what must come out is written out by hand. */
#include "tests/support/recorded.h"

/* A row of perf 6.1, with or without keys before the count; one with its interval. */
#define OBJECT(keys_, value_, event_, run_, percent_) \
    "{" keys_ "\"counter-value\" : \"" value_ "\", \"unit\" : \"\", \"event\" : \"" event_ \
    "\", \"event-runtime\" : " run_ ", \"pcnt-running\" : " percent_
#define ROW(keys_, value_, event_) \
    OBJECT(keys_, value_, event_, "9", "100.00") ", \"metric-value\" : 0.000000, \"metric-unit\" : \"(null)\"}"
#define AT(time_) "\"interval\" : " time_ ", "
#define A ROW("", "5.000000", "a") "\n"
#define IS_A "- system system: a=5@0\n"
#define CUT "the last line was cut off; it is left out}"
#define SUMMARY "the summary lines are left out: they repeat the intervals}"
#define NO_COUNT "no line has a 'counter-value': ratios without counts~"

/* As published. */
static void published(void)
{
    static const struct recorded all[] = {
        /* LKML 2023-06, Kan Liang, perf stat -j with the default metric groups on Sapphire Rapids */
        {"{\"counter-value\" : \"48433482.000000\", \"unit\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : 225903792732, \"pcnt-running\" : 100.00, \"metric-value\" : \"0.000214\", \"metric-unit\" : \"GHz\"}\n"
         "{\"counter-value\" : \"38620409.000000\", \"unit\" : \"\", \"event\" : \"instructions\", \"event-runtime\" : 225903657830, \"pcnt-running\" : 100.00, \"metric-value\" : \"0.797391\", \"metric-unit\" : \"insn per cycle\"}\n"
         "{\"counter-value\" : \"7369473.000000\", \"unit\" : \"\", \"event\" : \"branches\", \"event-runtime\" : 225903464328, \"pcnt-running\" : 100.00, \"metric-value\" : \"32.622026\", \"metric-unit\" : \"K/sec\"}\n"
         "{\"counter-value\" : \"54747.000000\", \"unit\" : \"\", \"event\" : \"branch-misses\", \"event-runtime\" : 225903234523, \"pcnt-running\" : 100.00, \"metric-value\" : \"0.742889\", \"metric-unit\" : \"of all branches\"}\n"
         "{\"event-runtime\" : 225902840555, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n"
         "{\"metric-value\" : \"69.950631\", \"metric-unit\" : \"%  tma_backend_bound\"}\n"
         "{\"metric-value\" : \"2.771783\", \"metric-unit\" : \"%  tma_bad_speculation\"}\n"
         "{\"metric-value\" : \"12.026074\", \"metric-unit\" : \"%  tma_frontend_bound\"}\n"
         "{\"metric-value\" : \"15.251513\", \"metric-unit\" : \"%  tma_retiring\"}\n"
         "{\"event-runtime\" : 225902840555, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL2\"}\n"
         "{\"metric-value\" : \"2.351757\", \"metric-unit\" : \"%  tma_branch_mispredicts\"}\n"
         "{\"metric-value\" : \"19.729771\", \"metric-unit\" : \"%  tma_core_bound\"}\n"
         "{\"metric-value\" : \"4.555207\", \"metric-unit\" : \"%  tma_fetch_bandwidth\"}\n"
         "{\"metric-value\" : \"7.470867\", \"metric-unit\" : \"%  tma_fetch_latency\"}\n"
         "{\"metric-value\" : \"2.938808\", \"metric-unit\" : \"%  tma_heavy_operations\"}\n"
         "{\"metric-value\" : \"12.312705\", \"metric-unit\" : \"%  tma_light_operations\"}\n"
         "{\"metric-value\" : \"0.420026\", \"metric-unit\" : \"%  tma_machine_clears\"}\n"
         "{\"metric-value\" : \"50.220860\", \"metric-unit\" : \"%  tma_memory_bound\"}\n",
         "- system system: cycles=48433482@0 instructions=38620409@0 branches=7369473@0 branch-misses=54747@0\n"},
        /* LKML 2024-10, Ian Rogers, metric-threshold in perf stat -a -j -I 1000 */
        {"{\"interval\" : 1.001089747, \"counter-value\" : \"914974294.000000\", \"unit\" : \"\", \"event\" : \"branches\", \"event-runtime\" : 16045379877, \"pcnt-running\" : 100.00, \"metric-value\" : \"57.024509\", \"metric-unit\" : \"M/sec\"}\n"
         "{\"interval\" : 1.001089747, \"counter-value\" : \"9237201.000000\", \"unit\" : \"\", \"event\" : \"branch-misses\", \"event-runtime\" : 16045375017, \"pcnt-running\" : 100.00, \"metric-value\" : \"1.009559\", \"metric-unit\" : \"of all branches\", \"metric-threshold\" : \"good\"}\n"
         "{\"interval\" : 1.001089747, \"event-runtime\" : 16045397172, \"pcnt-running\" : 100.00, \"metricgroup\" : \"TopdownL1\"}\n"
         "{\"interval\" : 1.001089747, \"metric-value\" : \"22.036686\", \"metric-unit\" : \"%  tma_backend_bound\", \"metric-threshold\" : \"bad\"}\n"
         "{\"interval\" : 1.001089747, \"metric-value\" : \"7.610161\", \"metric-unit\" : \"%  tma_bad_speculation\", \"metric-threshold\" : \"good\"}\n"
         "{\"interval\" : 1.001089747, \"metric-value\" : \"36.729687\", \"metric-unit\" : \"%  tma_frontend_bound\", \"metric-threshold\" : \"bad\"}\n"
         "{\"interval\" : 1.001089747, \"metric-value\" : \"33.623465\", \"metric-unit\" : \"%  tma_retiring\"}\n",
         "1.001 system system: branches=914974294@0 branch-misses=9237201@0\n"},
        /* a public report of a hybrid, rewritten by another program */
        {"[\n"
         "        {\"counter_value\": \"23560\", \"event\": \"cpu_core/branch-misses/\", \"event-runtime\": \"1669538\", \"pcnt-running\": \"85.00\", \"metric-value\": \"3.5\", \"metric-unit\": \"%  branch_miss_rate\"},\n"
         "        {\"counter_value\": \"4030987\", \"event\": \"cpu_core/cpu-cycles/\", \"event-runtime\": \"1669538\", \"pcnt-running\": \"85.00\", \"metric-value\": \"2.1\", \"metric-unit\": \"GHz  cycles_frequency\"},\n"
         "        {\"counter_value\": \"<not counted>\", \"event\": \"cpu_core/L1-icache-load-misses/\", \"event-runtime\": \"0\", \"pcnt-running\": \"100.00\", \"metric-unit\": \"%  l1i_miss_rate\"},\n"
         "        {\"counter_value\": \"<not counted>\", \"event\": \"cpu_atom/cpu-cycles/\", \"event-runtime\": \"0\", \"pcnt-running\": \"0.00\", \"metric-unit\": \"GHz  cycles_frequency\"},\n"
         "        {\"unit\": \"0\", \"event\": \"0.00\", \"metric-unit\": \"TopdownL1 (cpu_core)\"},\n"
         "        {\"metric-value\": \"0.0\", \"metric-unit\": \"%  tma_bad_speculation\"},\n"
         "        {\"metric-unit\": \"%  tma_frontend_bound\"},\n"
         "        {\"unit\": \"0\", \"event\": \"0.00\", \"metric-unit\": \"%  tma_backend_bound\"},\n"
         "        {\"metric-unit\": \"%  tma_retiring\"}\n"
         "]\n",
         "- system system P: cpu_core/branch-misses/=23560@0*0.85 cpu_core/cpu-cycles/=4030987@0*0.85 cpu_core/L1-icache-load-misses/=not_counted@0\n"
         "- system system E: cpu_atom/cpu-cycles/=not_counted@0*0\n"},
        {0},
    };

    read_all(all);
}

static void rows(void)
{
    static const struct recorded all[] = {
        /* what perf 6.1 puts around the rows, and further metrics after them */
        {"# started on Fri Nov 20 12:12:27 2026\n\n" A
             OBJECT("", "6.000000", "b", "9", "100.00") ", \"metric-value\" : 3.9, \"metric-unit\" : \"Heavy\"}\"metric-value\" : 21.1, \"metric-unit\" : \"Light\"}\n" ROW(
                 "", "7.000000", "c") "{\"metric-value\" : \"\"}\n{}\n" A,
         "- system system: a=5@0 b=6@0 c=7@0 a=5@1\n"},
        {"\xef\xbb\xbf"
         "# origin: x\r\n" ROW("", "5.000000", "a") "\r\n",
         IS_A},
        {A "# some remark\n\n" A, "- system system: a=5@0 a=5@1\n"},
        /* the count, and the other values, in and without quotes; keys in any order, with '_', unknown, null */
        {OBJECT("", "0.916048", "task-clock", "916048", "100.00") "}\n", "- system system: task-clock=0.916048@0\n"},
        {"{\"counter-value\" : 5.000000, \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : 100}\n", IS_A},
        {"{\"pcnt_running\":\"50.00\",\"event_runtime\":\"9\",\"x\":[],\"event\":\"a\",\"counter_value\":5,\"cpu\":null}\n",
         "- system system: a=5@0*0.5\n"},
        {OBJECT("", "5.000000", "a", "9", "100.00") ", \"variance\" : 3.16, }\n", IS_A},
        {A OBJECT("", "<not counted>", "b", "0", "100.00") "}\n" OBJECT(
             "", "<not supported>", "c", "0", "100.00") "}\n" OBJECT("", "0.000000", "d", "0", "100.00") "}\n",
         "- system system: a=5@0 b=not_counted@0 c=not_supported@0 d=not_counted@0\n"},
        {OBJECT("", "10.000000", "a", "25000", "25.00") "}\n" OBJECT("", "10", "b", "50", "66.00") "}\n" OBJECT(
             "", "10", "c", "50", "0.00") "}\n" OBJECT("", "10", "d", "50", "100.49") "}\n",
         "- system system: a=10@0*0.25 b=10@0*0.66 c=10@0*0.01 d=10@0\n"},
        /* copied from an array, and put into one */
        {"[\n" ROW("", "5.000000", "a") ",\n  " ROW("", "6.000000", "b") " ,\n]\n", "- system system: a=5@0 b=6@0\n"},
        {"[" ROW("", "5.000000", "a") ",\n," ROW("", "6.000000", "b") "]", "- system system: a=5@0 b=6@0\n"},
        /* events as perf names them */
        {ROW("", "5", "cpu/event=0x9c,umask=0x1/u") "\n" ROW("", "6", "cpu_core/slots/") "\n" ROW(
             "", "7", "\\u0063pu_atom\\/x\\/") "\n",
         "- system system: cpu/event=0x9c,umask=0x1/u=5@0\n- system system P: cpu_core/slots/=6@0\n- system system E: cpu_atom/x/=7@0\n"},
        {0},
    };

    read_all(all);
}

static void intervals(void)
{
    static const struct recorded all[] = {
        {ROW(AT("0.200000000"), "5", "a") "\n" ROW(AT("0.200000000"), "6", "b") "\n{" AT(
             "0.200000000") "\"metric-value\" : \"1.0\"}\n" ROW(AT("0.413680980"), "7", "a") "\n",
         "0.200 system system: a=5@0 b=6@0\n0.414 system system: a=7@0\n"},
        /* rewritten times: fewer decimals, more, in quotes, none */
        {ROW(AT("0.2"), "5", "a") "\n" ROW(AT("0.20000000000000001"), "6",
                                           "b") "\n" ROW(AT("\"0.25\""), "7", "a") "\n" ROW(AT("3"), "8", "a") "\n",
         "0.200 system system: a=5@0 b=6@0\n0.250 system system: a=7@0\n3.000 system system: a=8@0\n"},
        {ROW(AT("1.000000000"), "5", "a") "\n" ROW("", "5", "a") "\n" ROW("", "5", "a") "\n",
         "{f:2: " SUMMARY "1.000 system system: a=5@0\n"},
        {"# started on x\n\n" A "# started on y\n\n" A,
         "{f:4: a further recording begins here (perf stat --append)}" IS_A IS_A},
        {ROW(AT("2.000000000"), "5", "a") "\n# started on y\n\n" ROW(AT("1.000000000"), "6", "a") "\n",
         "{f:2: a further recording begins here (perf stat --append)}2.000 system system: a=5@0\n1.000 system system: a=6@0\n"},
        {A "# started on y\n" ROW(AT("1.000000000"), "6", "a") "\n",
         "{f:2: a further recording begins here (perf stat --append)}" IS_A "1.000 system system: a=6@0\n"},
        {0},
    };

    read_all(all);
}

static void scopes(void)
{
    static const struct recorded all[] = {
        {ROW("\"cpu\" : \"1\", ", "5", "a") "\n" ROW("\"cpu\" : \"0\", ", "6", "a") "\n" ROW(
             "\"cpu\" : \"1\", ", "7", "b") "\n" ROW("\"cpu\" : 0, ", "8", "a") "\n",
         "- CPU1 cpu: a=5@0 b=7@0\n- CPU0 cpu: a=6@0 a=8@1\n"},
        {ROW("\"core\" : \"S0-D0-C1\", \"aggregate-number\" : 2, ", "5", "a") "\n", "- S0-D0-C1 core: a=5@0\n"},
        {ROW("\"socket\" : \"S1\", \"counters\" : 8, ", "5", "a") "\n", "- S1 socket: a=5@0\n"},
        {ROW("\"die\" : \"S0-D1\", \"cpu-count\" : 8, ", "5", "a") "\n", "- S0-D1 socket: a=5@0\n"},
        {ROW("\"cluster\" : \"S0-D0-CLS8\", ", "5", "a") "\n", "- S0-D0-CLS8 socket: a=5@0\n"},
        {ROW("\"cache\" : \"S0-D0-L3-ID0\", ", "5", "a") "\n", "- S0-D0-L3-ID0 socket: a=5@0\n"},
        {ROW("\"node\" : \"N0\", ", "5", "a") "\n" A, "- system system: a=5@0\n- N0 node: a=5@0\n"},
        {ROW("\"thread\" : \"kworker/1:1-virtio_vsock-2975\", ", "5", "a") "\n",
         "- kworker/1:1-virtio_vsock-2975 thread: a=5@0\n"},
        {"{\"counter-value\" : \"5\", \"event\" : \"a\", \"cgroup\" : \"a.slice/b\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n",
         "- a.slice/b cgroup: a=5@0\n"},
        {ROW("\"cpu\" : \"3\", \"cgroup\" : \"/\", ", "5", "a") "\n", "- CPU3 / cgroup: a=5@0\n"},
        /* a core of the other kind; but not if no kind is named, or if another CPU counted */
        {A ROW("\"core\" : \"S0-D0-C32\", \"aggregate-number\" : 0, ", "<not counted>", "cpu_core/cycles/") "\n" ROW(
             "\"core\" : \"S0-D0-C0\", \"counters\" : 0, ", "<not counted>",
             "b") "\n" ROW("\"core\" : \"S0-D0-C1\", \"counters\" : 2, ", "<not counted>",
                           "cpu_core/cycles/") "\n" ROW("\"core\" : \"S0-D0-C2\", \"counters\" : 0, ", "5",
                                                        "cpu_core/cycles/") "\n",
         IS_A
         "- S0-D0-C0 core: b=not_counted@0\n- S0-D0-C1 core P: cpu_core/cycles/=not_counted@0\n- S0-D0-C2 core P: cpu_core/cycles/=5@0\n"},
        {0},
    };

    read_all(all);
}

/* What perf writes that is not JSON. */
static void broken(void)
{
    static const struct recorded all[] = {
        {OBJECT("", "5.000000", "a", "9", "100.00") ", \"metric-value\" : -nan, \"metric-unit\" : \"x\"}\n", IS_A},
        {OBJECT("", "5.000000", "a", "9",
                "100.00") ", \"metric-value\" : inf, \"metric-unit\" : \"x\"}\"metric-value\" : -nan}\n",
         IS_A},
        {OBJECT("", "0,916048", "a", "9", "50,00") ", \"metric-value\" : 0,009160, \"metric-unit\" : \"CPUs\"}\n",
         "- system system: a=0.916048@0*0.5\n"},
        {OBJECT("", "12,500000", "cpu/config1=0,5/", "9", "100,00") "}\n",
         "- system system: cpu/config1=0,5/=12.5@0\n"},
        {"{\"counter-value\" : \"5\", \"event\" : \"a\", \"cgroup\" : \"a\\x2db \\\"\\\\\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n",
         "- a\\x2db \"\\ cgroup: a=5@0\n"},
        /* a last line without its newline: whole, or left out */
        {A ROW("", "6", "b"), "- system system: a=5@0 b=6@0\n"},
        {A OBJECT("", "6", "b", "9", "100.00"), "{f:2: " CUT IS_A},
        {A "{\"counter-value\" : \"60", "{f:2: " CUT IS_A},
        {A OBJECT("", "6", "b", "9", "100.00") ", \"metric-value\" : 0.0", "{f:2: " CUT IS_A},
        {A "{", "{f:2: " CUT IS_A},
        {A "[", IS_A},
        /* cut off after the object */
        {A OBJECT("", "6", "b", "9", "100.00") "}\"metric-val", "- system system: a=5@0 b=6@0\n"},
        {A ROW("", "6", "b") "{\"met", "- system system: a=5@0 b=6@0\n"},
        {A ROW("", "6", "b") "{\"mex", "!f:2: several objects on one line~"},
        {A ROW("", "6", "b") "\"metric-value\" : 2", "- system system: a=5@0 b=6@0\n"},
        {A ROW("", "6", "b") "\"met\n", "!f:2: text after the object: '\"met'"},
        {0},
    };

    read_all(all);
}

static void refusals(void)
{
    static const struct recorded all[] = {
        {"# started on x\n\n", "!f:2: the file ends without a single count"},
        {"[]\n", "!f:1: no line has a 'counter-value', which perf stat -j writes for each count"},
        /* ratios, as perf 6.1 and later ones write them */
        {"{}\n{\"metric-value\" : \"\"}\n", "!f:2: " NO_COUNT},
        {"{}\n{\"interval\" : 0.020130254}{\"metric-value\" : \"\"}\n", "!f:2: " NO_COUNT},
        {"{\"interval\" : 1.000000000, \"retiring\" : \"25.0\"}\n", "!f:1: " NO_COUNT},
        {"{\"metric-value\" : \"25.0\", \"metric-unit\" : \"%  tma_retiring\"}\n", "!f:1: " NO_COUNT},
        /* -j -x, and -j -x; of perf 6.1 */
        {OBJECT("", "0.661816", "task-clock", "661816", "100.00") ", ,0.509,CPUs utilized\n",
         "!f:1: no JSON: perf stat -j together with -x~"},
        {A OBJECT("", "0.661816", "task-clock", "661816", "100.00") ", ;0.535;CPUs utilized\n" A,
         "!f:2: no JSON: perf stat -j together with -x~"},
        /* objects, but not one on each line */
        {"{\n\"counter-value\" : \"5\"\n}\n", "!f:1: the object does not end on its line~"},
        {"[\n{\n", "!f:2: the object does not end on its line~"},
        {"[{\n\"a\" : 1}]\n", "!f:1: the object does not end on its line~"},
        {"[" ROW("", "5", "a") ", " ROW("", "6", "b") "]\n", "!f:1: several objects on one line~"},
        {ROW("", "5", "a") ROW("", "6", "b") "\n", "!f:1: several objects on one line~"},
        {"{\"metrics\" : {\"a\" : {\"b\" : {\"c\" : {\"d\" : 1}}}}}\n", "!f:1: objects inside the object~"},
        {"[[[[[[[[{\"a\" : [[[[[[1\n{}\n", "!f:1: objects inside the object~"},
        {A "5,,a,9,100.00,,\n", "!f:2: '5,,a,9,100.00,,' is no object of perf stat -j"},
        {A "warning, a\n", "!f:2: 'warning, a' is no object of perf stat -j"},
        {ROW("", "5", "a") " x\n", "!f:1: text after the object: 'x'"},
        {"{\"event\" ; \"a\"}\n{}", "!f:1: no JSON: ~"},
        {"{\"event\" : tru}\n{}", "!f:1: no JSON: ~"},
        {0},
    };

    read_all(all);
}

static void bad_values(void)
{
    static const struct recorded all[] = {
        {A ROW("", "-5", "b") "\n", "!f:2: the count '-5' is negative"},
        {ROW("", "1e9", "b") "\n", "!f:1: the count '1e9' is not a number"},
        {ROW("", "", "b") "\n", "!f:1: the count '' is not a number"},
        {ROW("", "18446744073709551616.000000", "b") "\n",
         "!f:1: the count '18446744073709551616.000000' is beyond 2^64-1"},
        {ROW("", "nan", "b") "\n", "!f:1: the count 'nan' is not a number"},
        {ROW("", "12x345678", "b") "\n", "!f:1: the count '12x345678' is not a number"},
        {ROW("", "1,234", "b") "\n", "!f:1: the count '1,234' is not a number"},
        {ROW("", "1.2,345678", "b") "\n", "!f:1: the count '1.2,345678' is not a number"},
        {"{\"counter-value\" : -5}\n", "!f:1: the count '-5' is negative"},
        {"{\"counter-value\" : 99999999999999999999}\n", "!f:1: the count '~"},
        {"{\"counter-value\" : NaN}\n", "!f:1: the count 'NaN' is not a number"},
        {"{\"counter-value\" : {}}\n", "!f:1: the count '{ }' is not a number"},
        {"{\"counter-value\" : [5]}\n", "!f:1: the count '[ 5 ]' is not a number"},
        {"{\"counter-value\" : true}\n", "!f:1: the count 'true' is not a number"},
        {"{\"counter-value\" : \"5\"}\n", "!f:1: the count has no 'event-runtime'"},
        {"{\"counter-value\" : \"5\", \"event-runtime\" : 9}\n", "!f:1: the count has no 'pcnt-running'"},
        {OBJECT("", "5", "b", "-9", "100.00") "}\n", "!f:1: the run time '-9' is negative"},
        {OBJECT("", "5", "b", "\"x\"", "100.00") "}\n", "!f:1: the run time 'x' is not a number"},
        {OBJECT("", "5", "b", "9", "101.00") "}\n", "!f:1: the percentage '101.00' is over 100"},
        {OBJECT("", "5", "b", "9", "-1.00") "}\n", "!f:1: the percentage '-1.00' is negative"},
        {ROW("", "5", "") "\n", "!f:1: the event has no name"},
        {"{\"counter-value\" : \"5\", \"event-runtime\" : 9, \"pcnt-running\" : 100.00}\n",
         "!f:1: the event has no name"},
        {ROW("", "5", "a\\u0000b") "\n", "!f:1: a control character in the name of the event"},
        {ROW("", "5", "a\\nb") "\n", "!f:1: a control character in the name of the event"},
        {ROW("", "5", "\\u0001b") "\n", "!f:1: a control character in the name of the event"},
        {ROW("", "5", "b\\u001f") "\n", "!f:1: a control character in the name of the event"},
        {ROW("\"cpu\" : \"0\\u0000\", ", "5", "a") "\n", "!f:1: a control character in the name of the cpu"},
        {ROW("\"cgroup\" : \"\", ", "5", "a") "\n", "!f:1: the cgroup has no name"},
        {ROW("\"node\" : {}, ", "5", "a") "\n", "!f:1: the node has no name"},
        {ROW(AT("2.000000000"), "5", "a") "\n" ROW(AT("1.999999999"), "5", "a") "\n",
         "2.000 system system: a=5@0\n!f:2: time goes backwards: 1.999999999 comes after 2.000000000"},
        {A ROW(AT("1.000000000"), "5", "a") "\n", "!f:2: this line has an interval, the lines above have none"},
        {ROW(AT("\"x\""), "5", "a") "\n", "!f:1: the interval 'x' is no time in seconds"},
        {ROW(AT("-1.5"), "5", "a") "\n", "!f:1: the interval '-1.5' is no time in seconds"},
        {ROW(AT("\"1.\""), "5", "a") "\n", "!f:1: the interval '1.' is no time in seconds"},
        {ROW(AT("\"\""), "5", "a") "\n", "!f:1: the interval '' is no time in seconds"},
        {ROW(AT("1e9"), "5", "a") "\n", "!f:1: the interval '1e9' is no time in seconds"},
        {ROW(AT("[]"), "5", "a") "\n", "!f:1: the interval '[ ]' is no time in seconds"},
        {0},
    };

    read_all(all);
}

/* Counts to the last digit, and names of any length up to the limit. */
static void exact(void)
{
    static char text[8192];
    static struct opened o;
    const struct td_stream *r;
    struct source s = {ROW("", "9007199254740991.000000",
                           "a") "\n" ROW("", "9007199254740993",
                                         "b") "\n"
                                              "{\"counter-value\" : 9007199254740991, \"event\" : \"c\", "
                                              "\"event-runtime\" : 18446744073709551614, \"pcnt-running\" : 33.00}\n",
                       0, 100, 0};

    s.left = strlen(s.text);
    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    r = &o.r->stream;
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    CU_ASSERT_EQUAL_FATAL(r->nbatch, 1);
    CU_ASSERT_EQUAL_FATAL(r->batch[0].counts.n, 3);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[0].value, 9007199254740991.0);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[1].value, 9007199254740992.0); /* the nearest double */
    CU_ASSERT_EQUAL(r->batch[0].counts.c[2].value, 9007199254740991.0);
    CU_ASSERT_EQUAL(r->batch[0].counts.c[2].running, 18446744073709551616.0);
    close_recording(&o);
    for (size_t n = 4095; n <= 4097; n++) {
        struct source l = {text, 0, 1000, 0};
        char name[4098];

        memset(name, 'x', n);
        name[n] = '\0';
        l.left = (size_t)snprintf(
            text, sizeof(text),
            "{\"counter-value\" : 5, \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : 100.0, \"cgroup\" : \"%s\"}\n",
            name);
        CU_ASSERT_EQUAL_FATAL(open_recording(&o, &l, NULL, NULL, NULL), 0);
        r = &o.r->stream;
        CU_ASSERT_EQUAL(next_batch(&o), n <= 4096 ? 0 : -EBADMSG);
        CU_ASSERT(n <= 4096 ? r->nbatch && strlen(r->batch[0].at.scope) == n
                            : !strcmp(o.log.error, "f:1: the name of the cgroup is longer than 4096 bytes"));
        close_recording(&o);
    }
}

/* Objects of other programs have nothing of perf's, not even an event's name; one that is empty is of nobody. */
static void foreign(void)
{
#define LEFT_OUT(line_) "{f:" line_ ": 1 line is of another program; it is left out}"
    static const struct recorded all[] = {
        {A "{\"x\" : \"y\"}\n", IS_A LEFT_OUT("2")},
        {A "{\"cpu\" : 1}\n", IS_A LEFT_OUT("2")},
        {A "{\"event-runtime\" : 5}\n", IS_A},
        {A "{\"pcnt-running\" : 5}\n", IS_A},
        {A "{\"metric-unit\" : 5}\n", IS_A},
        {A "{\"metric-value\" : 5}\n", IS_A},
        {A "{\"interval\" : 5}\n", IS_A},
        {A "{\"x\" : \"a\"}\n", IS_A}, /* the event */
        {A "{}\n[{ }]\n", IS_A},
        {"{\"x\" : \"y\"}\n" A, IS_A LEFT_OUT("1")},
        {"{\"x\" : \"y\"}\n", "!f:1: no line has a 'counter-value', which perf stat -j writes for each count"},
        {"{\"cpu\" : 1, \"interval\" : 5}\n", "!f:1: " NO_COUNT},
        {"{\"cpu\" : 1, \"metric-unit\" : \"x\"}\n", "!f:1: " NO_COUNT},
        {"{\"cpu\" : 1, \"metric-value\" : 5}\n", "!f:1: " NO_COUNT},
        {"{\"cpu\" : 1, \"pcnt-running\" : 5}\n",
         "!f:1: no line has a 'counter-value', which perf stat -j writes for each count"},
        {0},
    };

    read_all(all);
}

/* What a CPU is called, and both names where a cgroup is beside it, each as long as it may be. */
static void names(void)
{
    static const struct recorded all[] = {
        {ROW("\"cpu\" : \"9\", ", "5", "a") "\n", "- CPU9 cpu: a=5@0\n"},
        {ROW("\"cpu\" : \"0\", ", "5", "a") "\n", "- CPU0 cpu: a=5@0\n"},
        {ROW("\"cpu\" : \"CPU3\", ", "5", "a") "\n", "- CPU3 cpu: a=5@0\n"},
        {ROW("\"cpu\" : \"/\", ", "5", "a") "\n", "- / cpu: a=5@0\n"},
        {ROW("\"cpu\" : \":\", ", "5", "a") "\n", "- : cpu: a=5@0\n"},
        {ROW("\"core\" : \"0\", ", "5", "a") "\n", "- 0 core: a=5@0\n"},
        {ROW("\"thread\" : \"x-1\", \"cgroup\" : \"/\", ", "5", "a") "\n", "- x-1 / cgroup: a=5@0\n"},
        {0},
    };
    static char text[3 * 4096], id[4097], group[4097];
    static struct opened o;
    struct source s = {text, 0, 4096, 0};

    read_all(all);
    memset(id, '7', 4096);
    memset(group, 'x', 4095), group[4095] = 'y';
    s.left =
        (size_t)snprintf(text, sizeof(text), ROW("\"cpu\" : \"%s\", \"cgroup\" : \"%s\", ", "5", "a") "\n", id, group);
    CU_ASSERT_EQUAL_FATAL(open_recording(&o, &s, NULL, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(next_batch(&o), 0);
    CU_ASSERT_EQUAL(strlen(o.r->stream.batch[0].at.scope), 3 + 4096 + 1 + 4096);
    CU_ASSERT_EQUAL(o.r->stream.batch[0].at.scope[3 + 4096 + 4096], 'y');
    close_recording(&o);
}

/* Which first lines begin such a file, and which lines only such files have. */
static void sniffed(void)
{
    static const struct {
        const char *line;
        bool first, sure;
    } all[] = {
        {"{", true, false},
        {"[", true, false},
        {" \t{\"x\" : 1}", true, false},
        {" \t[{\"x\" : 1}", true, false},
        {",{\"counter-value\" : 1}", false, true},
        {" \t[],{\"counter-value\" : 1}", true, true},
        {"\"counter-value\" : 1", false, false},
        {"{\"counter_value\" : 1}", true, false},
        {"x", false, false},
        {"", false, false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        CU_ASSERT_EQUAL(td_reader_perf_json.sniff(all[i].line, strlen(all[i].line)), all[i].first);
        CU_ASSERT_EQUAL(td_reader_perf_json.sure(all[i].line, strlen(all[i].line)), all[i].sure);
    }
}

static const CU_TestInfo tests[] = {
    {"objects of other programs", foreign},
    {"names", names},
    {"which lines are its", sniffed},
    {"as published", published},
    {"rows", rows},
    {"intervals", intervals},
    {"scopes", scopes},
    {"broken by perf", broken},
    {"refusals", refusals},
    {"bad values", bad_values},
    {"exact counts", exact},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf_json", tests);
