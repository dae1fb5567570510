/* SPDX-License-Identifier: MIT */
/* perf stat's text, from bytes to intervals. Recordings are read in pieces of
 * 1, 2, 3, ... bytes; what they must give is written out by hand. */
#include "formats/perf_stat/perf_text.h"
#include "tests/support/recorded.h"

#include <math.h>
#include <stdlib.h>

static void number_of(const char *text, char decimal, double wanted)
{
    size_t len = td_text_number_len(text);
    double got = -1;

    if (!td_text_number(text, len, decimal, &got))
        got = -1;
    if (fabs(got - wanted) > 1e-9 * fabs(wanted))
        printf("\n    %s with %c: %.17g, not %.17g", text, decimal, got, wanted);
    CU_ASSERT(fabs(got - wanted) <= 1e-9 * fabs(wanted));
}

/* -1: no number */
static void numbers(void)
{
    static const struct {
        const char *text;
        double dot, comma; /* as read if '.' is the decimal point, if ',' is */
    } all[] = {
        {"0", 0, 0},
        {"1234", 1234, 1234},
        {"3,245,820", 3245820, -1},
        {"1,234", 1234, 1.234},
        {"0.54", 0.54, -1},
        {"0,54", -1, 0.54},
        {"1.5", 1.5, -1},
        {"2.749.563.850", -1, 2749563850.0},
        {"3,033,250.65", 3033250.65, -1},
        {"3.033.250,65", -1, 3033250.65},
        {"131,3528,1701", 13135281701.0, -1},
        {"12,34,56,789", 123456789, -1},
        {"1,23", -1, 1.23},
        {"1,23,45", -1, -1},
        {"1,23456", -1, 1.23456},
        {"1'234'567", 1234567, 1234567},
        {"1\xe2\x80\x99"
         "234\xe2\x80\x99"
         "567.25",
         1234567.25, -1},
        {"11 931 501 930      cycles", 11931501930.0, 11931501930.0},
        {"3 137,17 msec", -1, 3137.17},
        {"12\xc2\xa0"
         "345\xc2\xa0"
         "678\xc2\xa0x",
         12345678, 12345678},
        {"12\xe2\x80\xaf"
         "345,5",
         -1, 12345.5},
        {"12\xa0"
         "345 x",
         12345, 12345},
        {"12 34", 12, 12},
        {"12  345", 12, 12},
        {"12\t345", 12, 12},
        {"1,234 567", 1234, 1.234},
        {"1234 567", 1234, 1234},
        {"1. x", 1, 1},
        {"18446744073709551615", 18446744073709551615.0, 18446744073709551615.0},
        {"18446744073709551616", -1, -1},
        {"18,446,744,073,709,551,616", -1, -1},
        {"1.0000000000000000001", -1, -1},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        number_of(all[i].text, '.', all[i].dot);
        number_of(all[i].text, ',', all[i].comma);
    }
    CU_ASSERT_EQUAL(td_text_number_len("x1"), 0);
    CU_ASSERT_EQUAL(td_text_number_len("1,234,"), 5);
}

/* "KIND TIME SCOPE/kind VALUE UNIT NAME PERCENT" */
static void put_line(struct log *l, const char *text)
{
    static const char *const kinds[] = {"other", "count", "more", "head", "started", "elapsed", "columns", "ratios"};
    struct td_text_line t;
    double percent;
    bool sure;
    char decimal;

    td_text_parse(text, &t);
    put(l, "%s", kinds[t.kind]);
    if (t.has_time)
        put(l, " @%.9f", (double)t.time / 1e9);
    if (t.scope)
        put(l, " %.*s/%s", (int)t.scope_len, t.scope, td_kind_name(t.scope_kind));
    if (t.kind == TD_TEXT_COUNT)
        put(l, " %.*s%s %.*s", (int)t.value_len, t.value, t.unit ? " unit" : "", (int)t.name_len, t.name);
    if (td_text_coverage(t.rest, &percent))
        put(l, " %.2f%%", percent);
    decimal = td_text_decimal(&t, &sure);
    if (decimal)
        put(l, " %c%s", decimal, sure ? "" : "?");
}

static void lines(void)
{
    static const struct {
        const char *text, *wanted;
    } all[] = {
        {"              0.54 msec task-clock:u                     #    0.001 CPUs utilized",
         "count 0.54 unit task-clock:u ."},
        {"            129,06 msec task-clock                #    1,015 CPUs utilized          ",
         "count 129,06 unit task-clock ,"},
        {"         1.543.512      slots", "count 1.543.512 slots ,?"},
        {"         1,543,512      slots", "count 1,543,512 slots .?"},
        {"  77 slots:u", "count 77 slots:u"},
        {"  77 slots", "count 77 slots"},
        {"  77 apples", "other"},
        {"  77 stall_slot", "count 77 stall_slot"},
        {" 77 slots # 1", "count 77 slots"},
        {"             1'088      slots", "count 1'088 slots .?"},
        {"             0.00 a/b/", "count 0.00 a/b/"},
        {"       3.137,17 msec task-clock", "count 3.137,17 unit task-clock ,"},
        {" 0,54 msec task-clock", "count 0,54 unit task-clock ,"},
        {"    49,591,815      CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE #   23.867 M/sec                       (24.99%)",
         "count 49,591,815 CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE 24.99% ."},
        {"            55,052      cpu/INT_MISC.RECOVERY_CYCLES,cmask=1,edge/",
         "count 55,052 cpu/INT_MISC.RECOVERY_CYCLES,cmask=1,edge/ .?"},
        {"     <not counted>      cpu_atom/cycles/                                   (0,00%)",
         "count <not counted> cpu_atom/cycles/ 0.00% ,"},
        {"   <not supported>      slots", "count <not supported> slots"},
        {"S0-D0-C32          0      <not counted>      cpu_core/cycles/",
         "count S0-D0-C32/core <not counted> cpu_core/cycles/"},
        {"> >     14,208,222      topdown-retiring          #     41.5% Retiring   ( +-  0.30% )  (69.23%)",
         "count 14,208,222 topdown-retiring 69.23% ."},
        {">\t1 slots   ( +-  0,30% )", "count 1 slots ,"},
        {"  5      slots    +-  0.30%", "count 5 slots ."},
        {"     1.000548528         34,505,682      slots", "count @1.000548528 34,505,682 slots .?"},
        {"     1.000548528 S0-D0-C0  2  34,505,682      slots   (50.00%)",
         "count @1.000548528 S0-D0-C0/core 34,505,682 slots 50.00% ."},
        {"CPU12                5      slots", "count CPU12/cpu 5 slots"},
        {"S1   8   5      slots", "count S1/socket 5 slots"},
        {"N0   8   5      slots", "count N0/node 5 slots"},
        {"S0-D1   8   5      slots", "count S0-D1/socket 5 slots"},
        {"S56-D0-CLS158   4   5      slots", "count S56-D0-CLS158/socket 5 slots"},
        {"S0-D0-L3-ID0   4   5      slots", "count S0-D0-L3-ID0/socket 5 slots"},
        {"S0-D0-C0  2     480 530  cycles", "count S0-D0-C0/core 480 530 cycles ,?"},
        {"  kworker/u8:3-ext4-rsv-2728        19,327      cycles",
         "count kworker/u8:3-ext4-rsv-2728/thread 19,327 cycles .?"},
        {"      Web Content-1234        19      cycles", "count Web Content-1234/thread 19 cycles"},
        /* a word of digits alone ends no name */
        {"      Web 12 Content-1234     19      cycles", "count Web 12 Content-1234/thread 19 cycles"},
        {"a b c d-12     19     cycles", "count a b c d-12/thread 19 cycles"},
        {"a b c d e-12     19     cycles", "other"}, /* the kernel's names of threads have no more words */
        {"   5      cycles  my.slice", "count my.slice/cgroup 5 cycles"},
        {"   5      cycles my.slice", "other"},
        {"   5      twenty-four-characters-x my.slice", "count my.slice/cgroup 5 twenty-four-characters-x"},
        {"   5      twenty-three-characters my.slice", "other"},
        {"   -12     19     cycles", "other"},
        {"x 12     19     cycles", "other"},
        {"        19,327      cycles                    system.slice  #  1.5 GHz",
         "count system.slice/cgroup 19,327 cycles ."},
        {"   5  cycles   /", "count //cgroup 5 cycles"},
        {"     1,006,816,667 ns   duration_time", "count 1,006,816,667 unit duration_time"},
        {"   128,102.17 MiB  uncore_imc/data_read/  ", "count 128,102.17 unit uncore_imc/data_read/ ."},
        {"   128 cl  uncore_imc/x/  ", "other"},
        {"   128 cl uncore_imc/x/  ", "count 128 unit uncore_imc/x/"},
        {"   5 msec task-clock    a.slice", "count a.slice/cgroup 5 unit task-clock"},
        {"        6,961,591      page-faults:u                      414.292 K/sec   (90.91%)",
         "count 6,961,591 page-faults:u 90.91% ."},
        {"              0.00 MEM_INST_RETIRED.STLB_HIT_STORES:p       0        0",
         "count 0.00 MEM_INST_RETIRED.STLB_HIT_STORES:p"},
        {" 34,107,761,311      cpu_core/TOPDOWN.SLOTS/          #     52.7 %  tma_branch_mispredicts     <---------- BAD       ",
         "count 34,107,761,311 cpu_core/TOPDOWN.SLOTS/ ."},
        {"                                                  #     41.4 %  tma_frontend_bound       (37.47%)",
         "more 37.47% ."},
        {" #      nan %  tma_core_bound", "more"},
        {"# 5,5 x", "more ,"},
        {"     1.000548528                       #     41.4 %  tma_x", "more @1.000548528 ."},
        {"S0-D0-C0  2     #     41.4 %  tma_x", "more S0-D0-C0/core ."},
        {"                                                       96.8 %  tma_bad_speculation    ", "other"},
        {"             TopdownL1 (cpu_core)                 #      8.6 %  tma_backend_bound", "other"},
        {"S0-D0-C1           1                 8.5%                 0.0%                 0.1%                91.4% ",
         "other"},
        {" Performance counter stats for 'x':", "head"},
        {"> Performance counter stats", "head"},
        {"# started on Fri", "started"},
        {"#           time             counts unit events", "columns"},
        {"       1.001798215 seconds time elapsed", "elapsed ."},
        {"       0,1271 +- 0,0306 seconds time elapsed  ( +-  3,92% )", "elapsed ,"},
        {"       0.000193000 seconds user", "other"},
        {"#           time             retiring      bad speculation", "ratios"},
        {"             retiring:k    bad speculation:k", "ratios"},
        {"retiring,bad speculation", "other"},
        {"", "other"},
        {"> ", "other"},
        {"12 files were changed", "other"},
        {"12 cores (24 threads)", "other"},
        {"12      cores (24 threads)", "other"},
        {"5,,slots,9,100.00,,", "other"},
        {"1.000000000,5,,slots", "other"},
        {"5  slots 9 100.00", "other"},
        {"28\tslots\t9\t100.00", "other"},
        {"5", "other"},
        {"5 ", "other"},
        {"### note", "other"},
        {"S0-C0    FE             Frontend_Bound:          13.81 +-     0.00 % Slots below", "other"},
        {"elapsed              706.488", "other"},
        {"-- ucode             3594551115 #     0.0%", "other"},
        {"5      slots (66.6", "count 5 slots ."},
        {"5      slots (6666.00%)", "count 5 slots ."},
        /* names begin with any letter, and the last digit may be any */
        {"  1,999      ASSISTS.ANY", "count 1,999 ASSISTS.ANY .?"},
        {"  1,000      Zen.event", "count 1,000 Zen.event .?"},
        {"  5      arith.divider", "count 5 arith.divider"},
        {"  5      zero.idioms", "count 5 zero.idioms"},
        {"  5      @event", "other"},
        {"  5      [event]", "other"},
        {"  5      `event`", "other"},
        {"  5      {event}", "other"},
        /* decimals of what has a unit are told by fewer digits than a group has */
        {"  0.5 msec task-clock", "count 0.5 unit task-clock ."},
        {"  0.541 msec task-clock", "count 0.541 unit task-clock"},
        {"  541 msec task-clock", "count 541 unit task-clock"},
        {"  1,23      slots", "count 1,23 slots"},
        {"  1,2345      slots", "count 1,2345 slots .?"},
        /* a time has up to nine digits, a point and nine more */
        {"  999999999.000000000  5  slots", "count @999999999.000000000 5 slots"},
        {"  1234567890.123456789  5  slots", "other"},
        {"  1.12345678  5  slots", "other"},
        {"  1.1234567890  5  slots", "other"},
        {"  1,123456789  5  slots", "other"},
        {"  1.123456789x  5  slots", "other"},
        /* how much of the time it was counted */
        {"  5      slots  (100.00%)", "count 5 slots 100.00% ."},
        {"  5      slots  (1000.00%)", "count 5 slots ."},
        {"  5      slots  (66%)", "count 5 slots 66.00%"},
        {"  5      slots  (66.%)", "count 5 slots"},
        {"  5      slots  (%)", "count 5 slots"},
        {"  5      slots  (66.50)", "other"},
        {"  5      slots  (x) (66.50%)", "other"},
        {"  5      slots  # (x) (66.50%)", "count 5 slots 66.50%"},
        /* words of a sentence */
        {" 77 apples # 1", "count 77 apples"},
        {" 77 apples (50.00%)", "count 77 apples 50.00% ."},
        {" 77 apples +- 1.5%", "count 77 apples ."},
        {" 77 apples + 1", "other"},
        {" 77 ops/sec", "other"},
        {" 77 apples_pears", "count 77 apples_pears"},
        {" 77 apples:u", "count 77 apples:u"},
        {" 77 cyclesx", "count 77 cyclesx"},
        /* of pages */
        {"  5      slots</td>", "count 5 slots"},
        {"  5      slots<b", "count 5 slots<b"},
        {"  &lt;not counted&gt;      slots", "count &lt;not counted&gt; slots"},
        {"  &lt;not supported&gt;      slots", "count &lt;not supported&gt; slots"},
        /* scopes: of CPUs it is not said how many there are; what follows a thread's last '-' are digits */
        {"CPU1   2   5      slots", "other"},
        {"CPU   5      slots", "other"},
        {"S0-X0   5      slots", "other"},
        {"S0_D0   2   5      slots", "other"},
        {"thread-x   19      cycles", "other"},
        {"thread12   19      cycles", "other"},
        {"t-1   19      cycles", "count t-1/thread 19 cycles"},
        {"t #x-1   19      cycles", "other"},
        {"t -1   19      cycles", "count t -1/thread 19 cycles"},
        /* metrics with which a line continues */
        {"#41.4 %  tma_x", "other"},
        {"#   -4.1 %  tma_x", "more ."},
        {"#   -x %  tma_x", "other"},
        {"#   inf %  tma_x", "more"},
        {"CPU0   #   4.1 %  tma_x", "more CPU0/cpu ."},
        {"t-1   #   4.1 %  tma_x", "more t-1/thread ."},
        /* ratios, and what is none */
        {"x # retiring      bad speculation", "other"},
        {"# retiring      bad speculation", "ratios"},
        {"retiring      frontend bound", "other"},
        {"# times", "other"},
        {"seconds time elapsed", "other"},
        {"1 seconds time elapsed", "elapsed"},
        {"1.5 seconds time elapsed", "elapsed ."},
        {"1,5 seconds time elapsed", "elapsed ,"},
        {"#time x", "columns"},
        /* what may follow an event, and after how many blanks */
        {"  5      slots  9 x", "count 5 slots"},
        {"  5      slots  [5%]", "count 5 slots 5.00%"},
        {"  5      slots  [66,50%]", "count 5 slots 66.50% ,"},
        {"  5      slots  [66.50%)", "count 5 slots ."},
        {"  5      slots  (66.50%]", "count 5 slots ."},
        {"  5      slots  ((66.50%)", "count 5 slots 66.50%"},
        {"  5slots", "other"},
        {"S0   2,500      slots", "count S0/socket 2,500 slots .?"},
        {"CPU0   5      cycles  my.slice", "count my.slice/cgroup 5 cycles"},
        {"1.000000000\xe2\x80\xaf"
         "5      slots",
         "count @1.000000000 5 slots"},
        {"  5      slots  ()", "other"},
        {"  5      slots  (%)x", "count 5 slots"},
        {"  5      slots  ( )", "other"},
        {"  5      cycles  my.slice  9", "other"},
        {"  5      cycles  my.slice  #  9", "count my.slice/cgroup 5 cycles"},
        {"  77  apples", "count 77 apples"},
        {" 77 a//", "count 77 a//"},
        {" 77 a/b", "other"},
        {" 77 operationsoperations/second /x", "other"},
        {" 77 operationsoperations/second/ /x", "count /x/cgroup 77 operationsoperations/second/"},
        {" 77 apples pears:", "other"},
        /* the first number after it shows how all are written */
        {"  5      slots  # -1,5 x", "count 5 slots ,"},
        {"  5      slots  # 1.5 x  (66,50%)", "count 5 slots 66.50% ."},
        {"  5      slots  # x  (66,50%)", "count 5 slots 66.50% ,"},
        {"  5      slots  # 1.", "count 5 slots"},
        /* quoted in mails, or a row of a table */
        {">5      slots", "count 5 slots"},
        {"|5      slots", "count 5 slots"},
        {"||   5      slots", "other"},
        {"|   5      slots |", "other"},
        /* threads, of which the digits may be all of a word that is not the first */
        {"t 12   19      cycles", "other"},
        {"t 12 u-3   19      cycles", "count t 12 u-3/thread 19 cycles"},
        {"t-3-12   19      cycles", "count t-3-12/thread 19 cycles"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct log l = {.n = 0};

        put_line(&l, all[i].text);
        if (!same_log(&l, all[i].wanted, 0))
            printf("\n    of %s", all[i].text);
    }
}

#define STATS " Performance counter stats for 'system wide':\n\n"
#define FOR(what_) " Performance counter stats for " what_ ":\n\n     5      slots\n"
#define ELAPSED "\n       1.001798215 seconds time elapsed\n"
#define SUMMARY "the summary lines are left out: they repeat the intervals}"

static void recordings(void)
{
    static const struct recorded all[] = {
        {STATS
         "         1,234      slots     #   25.1 %  tma_retiring\n         1,088      topdown-retiring   #  99.9% Retiring   (50.00%)\n" ELAPSED
         "\n       0.1 seconds user\n",
         "- system system: slots=1234@0 topdown-retiring=1088@0*0.5\n"},
        /* the line that shows how numbers are written may come last */
        {STATS
         "         1.234      slots\n         1.088      topdown-retiring\n       0,001798215 seconds time elapsed\n",
         "- system system: slots=1234@0 topdown-retiring=1088@0\n"},
        {STATS "         1,234      slots\n   0.50 msec task-clock\n",
         "- system system: slots=1234@0 task-clock=0.5@0\n"},
        {STATS "         1,234      slots\n   0,50 msec task-clock\n", "{f:3: '1,234' is no~"},
        {"   1.234      slots\n", "- system system: slots=1234@0\n"},
        {"   1,234      slots\n", "- system system: slots=1234@0\n"},
        {"  1 234 567      slots\n  12 345      cycles   (33,50%)\n",
         "- system system: slots=1234567@0 cycles=12345@0*0.335\n"},
        {"  1.50 power/energy-pkg/\n", "- system system: power/energy-pkg/=1.5@0\n"},
        {"  2,5 a/b/  # 1.5 x\n   5      slots\n  2,6 a/b/\n",
         "{f:1: '2,5' is no count where '.' makes decimals; such lines are left out}- system system: slots=5@0\n"},
        /* the percentage may be on the last of a count's lines, and belongs to the count only there */
        {"   5      slots\n     #    0.1 a\n     #    0.2 b   (25.00%)\n   6      cycles   (75.00%)\n     #    0.2 c  (12.00%)\n",
         "- system system: slots=5@0*0.25 cycles=6@0*0.75\n"},
        {"   5      slots\nTopdownL1   # 0.5 %  a\n     #    0.2 b   (25.00%)\n", "- system system: slots=5@0\n"},
        {"   5      slots  (0.00%)\n  6      cycles  (100.00%)\n", "- system system: slots=5@0*5e-05 cycles=6@0\n"},
        {"   5      slots  (99.50%)\n  6      cycles  (99.00%)\n",
         "- system system: slots=5@0*0.995 cycles=6@0*0.99\n"},
        {"   5      slots  (0.01%)\n  6      cycles  (1.00%)\n", "- system system: slots=5@0*0.0001 cycles=6@0*0.01\n"},
        {"     <not counted>      slots  (50.00%)\n   <not supported>      cycles\n",
         "- system system: slots=not_counted@0*0 cycles=not_supported@0*0\n"},
        /* kinds of core, scopes, times */
        {"  5      cpu_core/slots/\n  <not counted>   cpu_atom/cycles/  (0.00%)\n  7      cpu_core/slots/\n  8   TSC\n",
         "- system system: TSC=8@0\n- system system P: cpu_core/slots/=5@0 cpu_core/slots/=7@1\n- system system E: cpu_atom/cycles/=not_counted@0*0\n"},
        {"CPU0      5      slots\nCPU1      6      slots\nCPU0      7      cycles\n",
         "- CPU0 cpu: slots=5@0 cycles=7@0\n- CPU1 cpu: slots=6@0\n"},
        {"     1.000000000    5   slots\n     1.000000000    6   cycles\n     1.000000000       #  0.5 x (50.00%)\n     2.000000000    7   slots\n#           time             counts unit events\n     3.000000000    8   slots\n",
         "1.000 system system: slots=5@0 cycles=6@0*0.5\n2.000 system system: slots=7@0\n3.000 system system: slots=8@0\n"},
        /* what a header says was counted */
        {FOR("'make -s -j96 bzImage' (5 runs)"), "- make command: slots=5@0\n"},
        {FOR("'./a/b.out'"), "- b.out command: slots=5@0\n"},
        {FOR("'x y'") FOR("'x z'"),
         "{f:6: a further recording begins here}- x command: slots=5@0\n- x z command: slots=5@0\n"},
        {FOR("'CPU(s) 1'"), "- CPU1 cpu: slots=5@0\n"},
        {FOR("'CPU(s) 0-3,7'"), "- CPU0-3,7 system: slots=5@0\n"},
        {FOR("process id '12,13'"), "- process 12,13 process: slots=5@0\n"},
        {FOR("thread id '14'"), "- thread 14 process: slots=5@0\n"},
        {FOR("'it's'"), "- it's command: slots=5@0\n"},
        {FOR("''"), "- system system: slots=5@0\n"},
        {"     1.000000000    5   slots\n" STATS "    5   slots\n    5   cycles\n" ELAPSED,
         "{f:4: " SUMMARY "1.000 system system: slots=5@0\n"},
        /* more than one recording */
        {STATS "  5   slots\n" ELAPSED STATS "  6   slots\n" ELAPSED,
         "{f:8: a further recording begins here}- system system: slots=5@0\n- system system: slots=6@0\n"},
        {STATS "  5   slots\n" STATS "  6   slots\n",
         "{f:6: a further recording begins here}- system system: slots=5@0\n- system system: slots=6@0\n"},
        {"  5   slots\n" ELAPSED "  6   slots\n",
         "{f:4: a further recording begins here}- system system: slots=5@0\n- system system: slots=6@0\n"},
        {"     1.000000000    5   slots\n     0.500000000    6   slots\n",
         "{f:2: a further recording begins here}1.000 system system: slots=5@0\n0.500 system system: slots=6@0\n"},
        {"     1.000000000    5   slots\n# started on Fri\n\n     2.000000000    6   slots\n",
         "{f:4: a further recording begins here}1.000 system system: slots=5@0\n2.000 system system: slots=6@0\n"},
        {"     1.000000000    5   slots\n# started on Fri\n" STATS "  6   slots\n",
         "{f:5: a further recording begins here}1.000 system system: slots=5@0\n- system system: slots=6@0\n"},
        {"  5   slots\n     1.000000000    6   slots\n",
         "{f:2: a further recording begins here}- system system: slots=5@0\n1.000 system system: slots=6@0\n"},
        /* text around it */
        {"# started on Fri\n\n\n" STATS "  5   slots\n", "- system system: slots=5@0\n"},
        {"WARNING: events in group\n\n" STATS "  5   slots\nand so on, a, b\n  6   cycles\n",
         "- system system: slots=5@0 cycles=6@0\n"},
        {"$ perf stat -e a,b,c x\n  5   slots\n", "- system system: slots=5@0\n"},
        {"> > " STATS "> >  5   slots\r\n> >\r\n> >  6   cycles\r\n", "- system system: slots=5@0 cycles=6@0\n"},
        {"Hi, all,\n  5   slots\n", "- system system: slots=5@0\n"},
        {"#           time             counts unit events\n     1.000000000    5   slots\n",
         "1.000 system system: slots=5@0\n"},
        /* a last line without its end */
        {"  5   slots\n  6   cycles",
         "{f:2: the last line may have been cut off; it is left out}- system system: slots=5@0\n"},
        {"  5   slots\n  6   cycles ", "- system system: slots=5@0 cycles=6@0\n"},
        {"  5   slots\n  6   cycles  (66.6",
         "{f:2: the last line may have been cut off; it is left out}- system system: slots=5@0\n"},
        {"  5   slots\n  6   cycles  (60.00%)", "- system system: slots=5@0 cycles=6@0*0.6\n"},
        {"  5   slots\n  6", "- system system: slots=5@0\n"},
        {"  5   slots  ( +-  0.50% )  (50.00%)", "- system system: slots=5@0*0.5\n"},
        {" | Performance counter stats for 'system wide':\n |\n |    5   slots\n | | 6 | cycles |\n",
         "- system system: slots=5@0\n"},
        /* before Linux 3.19 */
        {"  5 slots   # 0.5 G/sec  [50.00%]\n  6 cycles  [25.00%]\n",
         "- system system: slots=5@0*0.5 cycles=6@0*0.25\n"},
        {"  5   slots  [50.00%]\n  6   cycles  [66.6",
         "{f:2: the last line may have been cut off; it is left out}- system system: slots=5@0*0.5\n"},
        {0},
    };

    usual_reader = &td_reader_perf_text;
    read_all(all);
}

static void refusals(void)
{
    static const struct recorded all[] = {
        {STATS, "!f:2: no line is a count~"},
        {"Hello\n", "!f:1: no line is a count~"},
        {"# started on Fri\n\n", "!f:2: the file ends without a single count"},
        {STATS "       retiring      bad speculation\nS0-D0-C1  1  8.5%  0.0%\n",
         "!f:3: perf stat's table has only ratios (--topdown, --metric-only): record counts with~"},
        {"#           time             retiring      bad speculation\n     1.001195802                 6.7%   \n",
         "!f:1: perf stat's table has only ratios~"},
        {"     #  41.4 %  tma_retiring\n     #  41.4 %  tma_x\n", "!f:1: perf stat's table~"},
        {"S0-C0    FE             Frontend_Bound:          13.81 +-     0.00 % Slots below\n",
         "!f:1: toplev's results~"},
        {"Processor Counter Monitor\n Core (SKT) | UTIL | IPC\n", "!f:2: pcm's results~"},
        {"Hello\nCPU0 5.1 % Clocks\n", "!f:2: toplev's results~"},
        {"Hello\nLIKWID\n\n\n", "!f:2: likwid's~"},
        /* wspy: its header, then its groups; and a table of the groups alone */
        {"elapsed              706.488\non_cpu               0.983          # 15.73 / 16 cores\nutime                11068.352\nslots                92244259994346 #\nretiring             15038788420725 # 16.3% (19.9%)\n",
         "!f:2: wspy's table has names of its own, and counts that are not scaled to the whole time: record counts with 'perf stat -x~"},
        {"slots                92244259994346 #\nsmt-contention       16797000000000 # 18.2% ( 0.0%)\n",
         "!f:2: wspy's table~"},
        /* an error in a file that is being read ahead is reported after what was counted before it */
        {"  5   slots\na\rb\n", "!f:2: a carriage return~"},
        {"Hi\na\rb\n", "!f:2: a carriage return~"},
        /* not of this format */
        {"a b,c,d\n", "[perf-csv]!f:1: ~"},
        {"5,,slots,9,100.00,,\n", "[perf-csv]- system system: slots=5@0\n"},
        {"# started on Fri\n5,,slots,9,100.00,,\n", "[perf-csv]- system system: slots=5@0\n"},
        {"# note\n5,,slots,9,100.00,,\n", "[perf-csv]- system system: slots=5@0\n"},
        {"# 12 notes\n5,,slots,9,100.00,,\n", "[perf-csv]- system system: slots=5@0\n"},
        {"     1.000000000,5,,slots,9,100.00,,\n", "[perf-csv]1.000 system system: slots=5@0\n"},
        {"5\t\tslots\t9\t100.00\t\t\n", "[perf-csv]- system system: slots=5@0\n"},
        {"5  slots 9 100.00  \n", "[perf-csv]- system system: slots=5@0\n"},
        {"retiring,bad speculation\n1,2\n", "[perf-csv]!f:1: ratios without counts~"},
        {"<not counted>;;slots;0;100.00;;\n", "[perf-csv]- system system: slots=not_counted@0\n"},
        {"1.5;msec;task-clock;5;100.00;;\n", "[perf-csv]- system system: task-clock=1.5@0\n"},
        {0},
    };

    usual_reader = &td_reader_perf_text;
    read_all(all);
}

/* Lines that do not show how numbers are written are kept, but only a limited number of them. */
static void look_ahead(void)
{
    static const struct {
        int lines;
        const char *wanted;
    } all[] = {
        {1, "- system system: slots=5@0 cycles=1000000@0\n"},
        {255, "- system system: slots=5@0 cycles=1000000@0\n"},
        {256,
         "{f:258: '1.000.000' is no count where '.' makes decimals; such lines are left out}- system system: slots=5@0\n"},
    };
    static char text[8192];

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        size_t n = (size_t)snprintf(text, sizeof(text), "Hello\n  5   slots\n");
        struct log l = {.n = 0};
        struct source s = {text, 0, 1000, 0};

        for (int line = 1; line < all[i].lines; line++)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "x\n");
        n += (size_t)snprintf(text + n, sizeof(text) - n, "   1.000.000   cycles   # 1,0 x\n");
        s.left = n;
        put_recording(&l, &s);
        same_log(&l, all[i].wanted, 1000);
    }
}

/* Cut anywhere, a recording gives what is whole before the cut, and never another number. */
static void cut(void)
{
    static const char whole[] = STATS
        "  1,000      stall_slot_backend   #  1.00 x\n  3,000      stall_slot                                (50.00%)\n  2,000      topdown-retiring\n" ELAPSED;
    static const char *const wanted[] = {" stall_slot_backend=1000@0", " stall_slot=3000@0*0.5",
                                         " topdown-retiring=2000@0"};

    for (size_t len = 1; len < sizeof(whole); len++) {
        struct source s = {whole, len, 64, 0};
        struct log l = {.n = 0};
        char *at;

        put_recording(&l, &s);
        at = strstr(l.text, "- system system:");
        at = at ? at + strlen("- system system:") : NULL;
        for (size_t i = 0; at && i < sizeof(wanted) / sizeof(*wanted); i++)
            if (!strncmp(at, wanted[i], strlen(wanted[i])))
                at += strlen(wanted[i]);
            else if (i == 1 && !strncmp(at, " stall_slot=3000@0\n", 19))
                at += 18; /* cut before the percentage */
        if (at && *at != '\n')
            printf("\n    the first %zu bytes: %s", len, l.text);
        CU_ASSERT(!at || *at == '\n');
    }
}

static const CU_TestInfo tests[] = {
    {"numbers of any locale", numbers},
    {"lines", lines},
    {"recordings", recordings},
    {"refused, or of another format", refusals},
    {"reading ahead", look_ahead},
    {"cut anywhere", cut},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf_text", tests);
