/* SPDX-License-Identifier: MIT */
/* What several CPUs that fit make of one recording, and what is noted of it: results worked out by hand. */
#include "session/solution.h"
#include "private/result.h"
#include "tests/support/pieces.h"

#include <errno.h>
#include <math.h>

#define COUNT(value_, event_) value_ ",," event_ ",1000000,100.00,,\n"
#define AT(time_, value_, event_) time_ "," value_ ",," event_ ",1000000,100.00,,\n"
#define FIELDS \
    COUNT("640", "topdown-retiring") \
    COUNT("260", "topdown-bad-spec") COUNT("770", "topdown-fe-bound") COUNT("880", "topdown-be-bound")
#define LEVEL1 COUNT("2550", "slots") FIELDS
#define CORE(pmu_, value_, event_) COUNT(value_, pmu_ "/" event_ "/")
#define P_CORES \
    CORE("cpu_core", "2550", "slots") \
    CORE("cpu_core", "640", "topdown-retiring") \
    CORE("cpu_core", "260", "topdown-bad-spec") \
    CORE("cpu_core", "770", "topdown-fe-bound") CORE("cpu_core", "880", "topdown-be-bound")
/* 5 slots a cycle */
#define E_CORES \
    CORE("cpu_atom", "40", "CPU_CLK_UNHALTED.CORE") \
    CORE("cpu_atom", "50", "TOPDOWN_FE_BOUND.ALL") \
    CORE("cpu_atom", "90", "TOPDOWN_BE_BOUND.ALL") CORE("cpu_atom", "40", "TOPDOWN_RETIRING.ALL")
/* events of Tremont, 4 slots a cycle, and of Gracemont, 5 */
#define ATOM(time_, cycles_, fe_, be_, ret_) \
    time_ cycles_ ",,cpu/event=0x3c/,9,100.00,,\n" time_ fe_ ",,cpu/event=0x71/,9,100.00,,\n" time_ be_ \
                  ",,cpu/event=0x74/,9,100.00,,\n" time_ ret_ ",,cpu/event=0xc2/,9,100.00,,\n"

static void keep_note(void *ctx, const char *text)
{
    put(ctx, "# %s\n", text);
}

static void put_metric(struct log *l, const struct td_metric *m)
{
    put(l, " %s", m->name);
    if (m->status == TD_OK)
        put(l, " %.4g", 100 * m->value);
    else
        put(l, " -%s%s", m->event ? ":" : "", m->event ? m->event : "");
    if (m->bounds != TD_BOUNDS_NONE)
        put(l, " %.4g..%.4g%s", 100 * m->low, 100 * m->high, m->bounds == TD_BOUNDS_LIKELY ? " likely" : "");
}

static void put_result(struct log *l, const struct td_result *r, const char *metrics)
{
    put(l, "%s%s", r->summary ? "sum " : "", td_result_cpu(r));
    for (size_t i = 0; i < td_result_metrics(r); i++)
        if (strstr(metrics, td_result_metric(r, i)->name))
            put_metric(l, td_result_metric(r, i));
    put(l, "\n");
}

/* A recording, with what is asked of it. */
struct asked {
    const char *cpu; /* NULL: those that fit */
    const char *names; /* metrics that are asked for; NULL: the usual ones */
    const char *metrics; /* those of which the log has the results */
    bool each; /* td_set_each_cpu() */
    const char *text;
};

static void replay(const struct asked *a, struct log *l)
{
    struct source s = {a->text, strlen(a->text), 4096, 0};
    struct td *td = td_new();
    const struct td_result *r;
    int err = a->cpu ? td_set_uarch(td, a->cpu) : 0;

    td_set_note(td, keep_note, l);
    td_set_each_cpu(td, a->each);
    err = err ? err : td_set_metrics(td, a->names);
    err = err ? err : td_open(td, "f", source_read, &s);
    while (!err && !(err = td_next(td, &r)))
        put_result(l, r, a->metrics);
    if (err != -ENODATA) {
        CU_ASSERT_PTR_NULL(r);
        put(l, "%d %s\n", err, td_error(td));
    }
    for (size_t i = 0; err == -ENODATA && !td_summary(td, i, &r); i++)
        put_result(l, r, a->metrics);
    CU_ASSERT(err != -ENODATA || td_summary(td, 99, &r) == -ENODATA);
    td_free(td);
}

static void gives(const struct asked *a, const char *wanted)
{
    struct log l = {.n = 0};

    replay(a, &l);
    same_log(&l, wanted, 4096);
}

/* ---- CPUs that agree ------------------------------------------------------------- */

/* Of 2550 slots the fields are known to 2550 / 255 + 1 = 11: 640 of all of which the rest is 1910: (640 - 11) / (640 -
 * 11
 * + 1910 + 33) = 0.24456, (640 + 11) / (640 + 11 + 1910 - 33) = 0.25752. */
static void one_answer(void)
{
    gives(&(struct asked){.metrics = "retiring", .text = LEVEL1},
          "icl|icx|tgl|rkl|spr|emr|gnr retiring 25.1 24.46..25.75\n"
          "sum icl|icx|tgl|rkl|spr|emr|gnr retiring 25.1 24.46..25.75\n");
}

/* The counts are those of the first of the CPUs that agree, as its events have their numbers: 510 cycles, in which
 * 1,020 instructions retired. */
static void counts_of_one_answer(void)
{
    static const char text[] = COUNT("510", "cycles") COUNT("1020", "instructions") LEVEL1;
    struct source s = {text, sizeof(text) - 1, 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_open(td, "f", source_read, &s) && !td_next(td, &r));
    CU_ASSERT_EQUAL(td->candidates.n, 2);
    CU_ASSERT_EQUAL(td_result_cycles(r), 510);
    CU_ASSERT_EQUAL(td_result_ipc(r), 2);
    CU_ASSERT(td_next(td, &r) == -ENODATA && !td_summary(td, 0, &r));
    CU_ASSERT_EQUAL(td_result_cycles(r), 510);
    td_free(td);
}

/* 6,000,000 slots are more than icl's 5 a cycle of 1,000,000 cycles: of one CPU that is more than what is in flight
 * when counting begins and ends; of several CPUs, as 2 s in a second show, or of a system with any number, it is not.
 */
static void more_than_may_be(void)
{
    static const struct {
        const char *scope, *enabled; /* ns of the first second */
        bool broken;
    } rows[] = {{"1.000000000,CPU0", "1000000000", true},
                {"1.000000000,CPU0", "2000000000", false},
                {"1.000000000", "1000000000", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char text[1024];
        struct source s;
        const struct td_result *r = NULL;
        struct td *td = td_new();

        snprintf(text, sizeof(text),
                 "%s,6000000,,slots,%s,100.00,,\n%s,1000000,,CPU_CLK_UNHALTED.THREAD,%s,100.00,,\n"
                 "%s,3000000,,topdown-retiring,%s,100.00,,\n",
                 rows[i].scope, rows[i].enabled, rows[i].scope, rows[i].enabled, rows[i].scope, rows[i].enabled);
        s = (struct source){text, strlen(text), 4096, 0};
        CU_ASSERT_FATAL(td && !td_set_uarch(td, "icl") && !td_open(td, "f", source_read, &s) && !td_next(td, &r));
        CU_ASSERT_EQUAL(r->too_wide, rows[i].broken);
        td_free(td);
    }
}

/* Another CPU's interval of the same second has none of the events: it has its row, in which those lack that formulas
 * without the metrics register need, and that is noted. */
static void one_without(void)
{
    gives(&(struct asked){.metrics = "retiring",
                          .text = AT("1.000000000,CPU0", "5", "unrelated") AT("1.000000000,CPU1", "2550", "slots")
                              AT("1.000000000,CPU1", "640", "topdown-retiring")
                                  AT("1.000000000,CPU1", "260", "topdown-bad-spec")
                                      AT("1.000000000,CPU1", "770", "topdown-fe-bound")
                                          AT("1.000000000,CPU1", "880", "topdown-be-bound")},
          "# f:6: the interval that ends here has no event of the formulas that the file began with (several CPUs): if "
          "another machine was recorded from here on, put that part into a file of its own\n"
          "icl|icx|tgl|rkl|spr|emr|gnr retiring -:UOPS_RETIRED.SLOTS\n"
          "icl|icx|tgl|rkl|spr|emr|gnr retiring 25.1 24.46..25.75\n"
          "sum icl|icx|tgl|rkl|spr|emr|gnr retiring -:UOPS_RETIRED.SLOTS\n"
          "sum icl|icx|tgl|rkl|spr|emr|gnr retiring 25.1 24.46..25.75\n");
}

/* 1,600 of 1,000 cycles' 4,000 slots retired. In the next second there is one of the file's events, and all that
 * another CPU needs: that is noted. */
static void another_machine(void)
{
#define OLD_CPUS "snb|jkt|ivb|ivt|hsw|hsx|bdw|bdx|bdw-de|skl|skx|clx retiring "
    gives(
        &(struct asked){
            .metrics = "retiring",
            .text = AT("1.000000000", "1000", "CPU_CLK_UNHALTED.THREAD") AT("1.000000000", "1600",
                                                                            "UOPS_RETIRED.RETIRE_SLOTS")
                AT("1.000000000", "1800", "UOPS_ISSUED.ANY") AT("1.000000000", "400", "IDQ_UOPS_NOT_DELIVERED.CORE")
                    AT("1.000000000", "50", "INT_MISC.RECOVERY_CYCLES") AT("2.000000000", "2550", "slots")
                        AT("2.000000000", "640", "topdown-retiring") AT("2.000000000", "260", "topdown-bad-spec")
                            AT("2.000000000", "770", "topdown-fe-bound") AT("2.000000000", "880", "topdown-be-bound")
                                AT("2.000000000", "77", "UOPS_ISSUED.ANY")},
        OLD_CPUS "40 40..40\n"
                 "# f:11: the interval that ends here has the events of another CPU than the file began with (several "
                 "CPUs): put each machine's part into a file of its own\n" OLD_CPUS
                 "-:UOPS_RETIRED.RETIRE_SLOTS\nsum " OLD_CPUS "40\n");
}

/* ---- CPUs that differ ------------------------------------------------------------- */

#define DIFFER(where_) where_ ": several CPUs fit these events, and their retiring differs; "
#define EACH(where_) "# " DIFFER(where_) "each has its results, and --uarch names the one: ehl snr adl-e\n"
#define TREMONT "ehl|snr retiring 40 40..40 backend_bound 35 35..35\n"
#define GRACEMONT "adl-e retiring 32 32..32 backend_bound 28 28..28\n"

/* 140 of 4 * 100 slots are 35 %, of 5 * 100 they are 28 %; 160 are 40 and 32 %; 100 are 25 and 20 %: there the back end
 * leads bad speculation, which has the rest, 0 and 20 %. Of a reading with a time nobody is told what they agree on. */
static void each_answer(void)
{
    struct asked a = {.each = true, .metrics = "retiring backend_bound", .text = ATOM("", "100", "100", "140", "160")};

    gives(&a, EACH("f:4") TREMONT "# f: probably backend_bound on each of ehl snr adl-e\n" GRACEMONT "sum " TREMONT
                                  "sum " GRACEMONT);
    a.text = ATOM("CPU7,", "100", "100", "140", "160");
    gives(&a, EACH("f:4") TREMONT "# f: CPU7: probably backend_bound on each of ehl snr adl-e\n" GRACEMONT
                                  "sum " TREMONT "sum " GRACEMONT);
    a.text = ATOM("1.000000000,", "100", "100", "140", "160");
    gives(&a, EACH("f:4") TREMONT GRACEMONT "sum " TREMONT "sum " GRACEMONT);
    a.each = false;
    gives(&a, "-22 " DIFFER("f:4") "name the CPU with --uarch: ehl snr adl-e\n");
}

/* Of 4 * 100 slots 60 are 15 %, of 5 * 100 they are 12 %. Tremont's formulas need an event of bad speculation, so that
 * it has no verdict; to Gracemont's it is what is left, most of them. */
static void no_agreement(void)
{
    gives(&(struct asked){.each = true, .metrics = "frontend_bound", .text = ATOM("", "100", "60", "0", "160")},
          EACH("f:4") "ehl|snr frontend_bound 15 15..15\nadl-e frontend_bound 12 12..12\n"
                      "sum ehl|snr frontend_bound 15 15..15\nsum adl-e frontend_bound 12 12..12\n");
}

#define LEVEL1_AT(time_) \
    AT(time_, "2550", "slots") \
    AT(time_, "640", "topdown-retiring") \
    AT(time_, "260", "topdown-bad-spec") \
    AT(time_, "770", "topdown-fe-bound") AT(time_, "880", "topdown-be-bound")

/* In the second second, of two CPUs, there is an event for which Ice Lake's formulas correct, and the others' do not:
 * they differ there, and in the sums. The sum of CPU0 has twice as much of all. */
static void later_answers(void)
{
#define RETIRING " retiring 25.1 24.46..25.75\n"
#define ICE "icl|icx|tgl|rkl" RETIRING
#define SAPPHIRE "spr|emr|gnr" RETIRING
    gives(
        &(struct asked){.each = true,
                        .metrics = "retiring",
                        .text = LEVEL1_AT("1.000000000,CPU0") LEVEL1_AT("2.000000000,CPU0")
                            AT("2.000000000,CPU0", "9", "INT_MISC.CLEARS_COUNT") LEVEL1_AT("2.000000000,CPU1")
                                AT("2.000000000,CPU1", "9", "INT_MISC.CLEARS_COUNT")},
        "icl|icx|tgl|rkl|spr|emr|gnr" RETIRING
        "# f:17: several CPUs fit these events, and their bad_speculation differs; each has its results, and --uarch names the one: icl icx tgl rkl spr emr gnr\n" ICE
            SAPPHIRE ICE SAPPHIRE "sum " ICE "sum " SAPPHIRE "sum " ICE "sum " SAPPHIRE);
}

/* Of 4,000 slots 1,600 / 1,800 of the 180 that the microcode issued are 4 % to all old CPUs but the last, which lack an
 * event of theirs: that the last differ is seen, too. */
static void last_differs(void)
{
    gives(&(struct asked){.metrics = "none",
                          .text = COUNT("1000", "CPU_CLK_UNHALTED.THREAD") COUNT("1600", "UOPS_RETIRED.RETIRE_SLOTS")
                              COUNT("1800", "UOPS_ISSUED.ANY") COUNT("400", "IDQ_UOPS_NOT_DELIVERED.CORE")
                                  COUNT("50", "INT_MISC.RECOVERY_CYCLES") COUNT("180", "IDQ.MS_UOPS")
                                      COUNT("1500", "INST_RETIRED.ANY")},
          "-22 f:7: several CPUs fit these events, and their heavy_operations differs; name the CPU with --uarch: snb "
          "jkt ivb ivt hsw hsx bdw bdx bdw-de skl skx clx\n");
}

/* That they differ in the first second is seen though only the next one is asked for. */
static void differ_before(void)
{
    static const char text[] =
        LEVEL1_AT("1.000000000") AT("1.000000000", "9", "INT_MISC.CLEARS_COUNT") LEVEL1_AT("2.000000000");
    struct source s = {text, sizeof(text) - 1, 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_times(td, 1500000000, UINT64_MAX) && !td_open(td, "f", source_read, &s));
    CU_ASSERT_EQUAL(td_next(td, &r), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "several CPUs fit these events, and their bad_speculation differs"));
    td_free(td);
}

/* ---- kinds of cores -------------------------------------------------------------- */

#define P_ROW(name_) name_ " retiring 25.1 24.46..25.75 backend_bound 34.51 33.79..35.25\n"
#define E_ROW "adl-e retiring 20 20..20 backend_bound 45 45..45\n"
#define LEFT_OUT(line_, kind_, cpu_) "# f:" line_ ": the counts of " kind_ "-cores are left out: " cpu_ " has none\n"

/* 40 of 5 * 40 slots retired, 50 lacked from the front end, 90 waited for the back end: 20, 25, 45 %. Of the P-cores
 * 880 with 1670 beside them: 869 / (869 + 1703), 891 / (891 + 1637). */
static void hybrid(void)
{
    struct asked a = {.cpu = "adl", .metrics = "retiring backend_bound", .text = P_CORES E_CORES};

    gives(&a, P_ROW("adl-p") E_ROW "sum " P_ROW("adl-p") "sum " E_ROW);
    a.cpu = "adl-p";
    gives(&a, P_ROW("adl-p") LEFT_OUT("9", "E", "adl-p") "sum " P_ROW("adl-p"));
    a.cpu = "adl-e";
    gives(&a, LEFT_OUT("9", "P", "adl-e") E_ROW "sum " E_ROW);
}

/* The E-cores of some lack one event, of others another: each is named once. */
static void reasons(void)
{
#define ALL_P "adl-p|mtl-p|lnl-p|arl-p|ptl-p"
#define E_LACK "adl-e|mtl-e|lnl-e|arl-e|ptl-e retiring -:TOPDOWN_RETIRING.ALL|TOPDOWN_RETIRING.ALL_P\n"
    gives(&(struct asked){.metrics = "retiring", .text = P_CORES CORE("cpu_atom", "5", "cycles")},
          ALL_P " retiring 25.1 24.46..25.75\n" E_LACK "sum " ALL_P " retiring 25.1 24.46..25.75\nsum " E_LACK);
}

/* Noted once, of however many intervals. */
static void left_out_once(void)
{
#define SECOND(time_) \
    AT(time_, "100", "cpu_core/slots/") \
    AT(time_, "25", "cpu_core/topdown-retiring/") \
    AT(time_, "25", "cpu_core/topdown-bad-spec/") \
    AT(time_, "25", "cpu_core/topdown-fe-bound/") \
    AT(time_, "25", "cpu_core/topdown-be-bound/") AT(time_, "5", "cpu_atom/cycles/")
    gives(&(struct asked){.cpu = "adl-p", .metrics = "none", .text = SECOND("1.000000000") SECOND("2.000000000")},
          "adl-p\n" LEFT_OUT("7", "E", "adl-p") "adl-p\nsum adl-p\n");
}

/* Of the CPUs that have the events of the first second, only Gracemont is a kind of core, which the second one's lines
 * name: the others have no answer to it. Of 500 slots 160 retired, 32 %, of 600 they are 26.67 %. */
static void lines_of_a_core_later(void)
{
#define E_SECOND(time_, pmu_, end_) \
    AT(time_, "100", pmu_ "CPU_CLK_UNHALTED.CORE" end_) \
    AT(time_, "100", pmu_ "TOPDOWN_FE_BOUND.ALL" end_) \
    AT(time_, "140", pmu_ "TOPDOWN_BE_BOUND.ALL" end_) AT(time_, "160", pmu_ "TOPDOWN_RETIRING.ALL" end_)
#define GRACEMONT_E "adl-e retiring 32 32..32\n"
#define CRESTMONT "srf|grr retiring 26.67 26.67..26.67\n"
    gives(
        &(struct asked){.each = true,
                        .metrics = "retiring",
                        .text = E_SECOND("1.000000000", "", "") AT("1.000000000", "10", "LD_HEAD.ANY_AT_RET")
                            E_SECOND("2.000000000", "cpu_atom/", "/")},
        "# f:6: several CPUs fit these events, and their retiring differs; each has its results, and --uarch names the one: adl-e srf grr\n" GRACEMONT_E
            CRESTMONT GRACEMONT_E "sum " GRACEMONT_E "sum " CRESTMONT "sum " GRACEMONT_E);
}

/* ---- SMT --------------------------------------------------------------------------- */

#define SMT \
    COUNT("1000", "cpu_clk_unhalted.distributed") \
    COUNT("1500", "cpu_clk_unhalted.thread") COUNT("3000", "inst_retired.any") LEVEL1
#define NOT_RECORDED(what_) \
    "# f:8: whether SMT was on is not recorded, and " what_ " on it: --smt on or --smt off says it\n"

/* The core ran for 1,000 cycles if it has two threads, and for its one thread's 1,500 if not: 3 or 2 instructions each.
 * That of the thread, 2, does not depend on it. */
static void smt(void)
{
    struct asked a = {.cpu = "spr", .names = "info_core_core_clks", .metrics = "info_core_core_clks", .text = SMT};

    gives(&a, NOT_RECORDED("info_core_core_clks depends") "spr info_core_core_clks 1e+05 1e+05..1.5e+05 likely\n"
                                                          "sum spr info_core_core_clks 1e+05 1e+05..1.5e+05 likely\n");
    a.names = "info_core_core_clks,info_core_coreipc";
    a.metrics = "info_core_coreipc";
    gives(&a,
          NOT_RECORDED("info_core_coreipc and other metrics depend") "spr info_core_coreipc 300 200..300 likely\n"
                                                                     "sum spr info_core_coreipc 300 200..300 likely\n");
    a.names = a.metrics = "info_thread_ipc";
    gives(&a, "spr info_thread_ipc 200 200..200\nsum spr info_thread_ipc 200 200..200\n");
}

/* The kernel's slots of old CPUs as they are in a trace are those without SMT: already the first metric depends on it.
 */
static void smt_of_the_first(void)
{
    char *names[] = {"an event"};
    struct td_text_entry entries[] = {{.generic = false}};
    const struct td_uarch *u = td_uarch_by_name("hsw");
    struct td_count c[] = {
        {.event = (uint16_t)td_uarch_event_number(u, "topdown-total-slots"), .value = 4000},
        {.event = (uint16_t)td_uarch_event_number(u, "topdown-slots-retired"), .value = 1600},
    };
    const struct td_interval v = {
        .at = {.scope = "CPU0", .scope_kind = TD_KIND_CPU}, .uarch = u, .counts = {.c = c, .n = 2}};
    struct log l = {.n = 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "hsw") && !td_candidates_one(&td->candidates, &td->settings.identity));
    td_set_note(td, keep_note, &l);
    td->stream = &td->recording->stream;
    *td->stream =
        (struct td_stream){.name = "f", .line = 7, .texts = {.n = 1, .names = names, .entries = entries}, .raw = true};
    CU_ASSERT_EQUAL(td_session_solve(td, &v, false, &r), 0);
    CU_ASSERT_EQUAL(td_session_solve(td, &v, false, &r), 0);
    same_log(&l,
             "# f:7: whether SMT was on is not recorded, and retiring depends on it: --smt on or --smt off says it\n",
             4096);
    *td->stream = (struct td_stream){.name = NULL};
    td_free(td);
}

/* Of two that depend on it the first second had both, the next one has one. */
static void smt_of_fewer(void)
{
#define CLOCKS(time_) \
    AT(time_, "1000", "cpu_clk_unhalted.distributed") \
    AT(time_, "1500", "cpu_clk_unhalted.thread") AT(time_, "3000", "inst_retired.any")
    static const char text[] =
        CLOCKS("1.000000000") LEVEL1_AT("1.000000000") CLOCKS("2.000000000") LEVEL1_AT("2.000000000");
    struct source s = {text, sizeof(text) - 1, 4096, 0};
    struct log l = {.n = 0};
    const struct td_result *r;
    struct td *td = td_new();

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_set_metrics(td, "info_core_core_clks,info_core_coreipc"));
    CU_ASSERT_FATAL(!td_open(td, "f", source_read, &s) && !td_next(td, &r));
    CU_ASSERT_FATAL(td->told_smt && !td_set_metrics(td, "info_core_core_clks"));
    td->told_smt = false;
    td_set_note(td, keep_note, &l);
    CU_ASSERT_EQUAL(td_next(td, &r), 0);
    same_log(&l,
             "# f:16: whether SMT was on is not recorded, and info_core_core_clks depends on it: --smt on or --smt off "
             "says it\n",
             4096);
    td_free(td);
}

/* A million lines of 64 bytes in the first second, and as many in the next half: 0.064 and 0.128 GB/s; in all, 0.085.
 */
static void rates(void)
{
#define LINES(time_) AT(time_, "2000000", "CPU_CLK_UNHALTED.THREAD") AT(time_, "1000000", "L1D.REPLACEMENT")
    gives(&(struct asked){.cpu = "skl",
                          .names = "info_memory_l1d_cache_fill_bw",
                          .metrics = "info_memory_l1d_cache_fill_bw",
                          .text = LINES("1.000000000") LINES("1.500000000")},
          "skl info_memory_l1d_cache_fill_bw 6.4 6.4..6.4\nskl info_memory_l1d_cache_fill_bw 12.8 12.8..12.8\n"
          "sum skl info_memory_l1d_cache_fill_bw 8.533 8.533..8.533\n");
}

/* ---- intervals without a result ---------------------------------------------------------- */

/* Nothing was counted, unless the interval says why, or there were counts of no event that is known; a kind of core
 * that the CPU does not have; on a hybrid, no kind of core and nothing of the first. */
static void skipped(void)
{
    static const struct {
        const char *cpu, *event;
        size_t n;
        bool unknown;
        enum td_status status;
        char core;
        bool skips;
    } rows[] = {
        {"spr", "slots", 0, false, TD_OK, 0, true},
        {"spr", "slots", 0, true, TD_OK, 0, false},
        {"spr", "slots", 0, false, TD_COUNTER_RESET, 0, false},
        {"spr", "slots", 1, false, TD_OK, 0, false},
        {"spr", "none_such", 1, false, TD_OK, 0, false},
        {"spr", "slots", 1, false, TD_OK, 'E', true},
        {"adl", "slots", 1, false, TD_OK, 'E', false},
        {"adl", "slots", 1, false, TD_OK, 0, false},
        {"adl", "none_such", 1, false, TD_OK, 0, true},
        {"adl", "none_such", 1, false, TD_OK, 'P', false},
        {"adl", "none_such", 1, false, TD_COUNTER_RESET, 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char event[16], *names[] = {event};
        struct td_text_entry entries[] = {{.generic = false}};
        struct td_stream stream = {.name = "f", .texts = {.n = 1, .names = names, .entries = entries}};
        struct td_count c = {.value = 9, .enabled = 9, .running = 9};
        const struct td_interval v = {.core = rows[i].core,
                                      .unknown = rows[i].unknown,
                                      .counts = {.c = &c, .n = rows[i].n, .status = rows[i].status}};
        struct td *td = td_new();

        snprintf(event, sizeof(event), "%s", rows[i].event);
        CU_ASSERT_FATAL(td && !td_set_uarch(td, rows[i].cpu) &&
                        !td_candidates_one(&td->candidates, &td->settings.identity));
        td->stream = &stream;
        if (td_session_skips(td, &v) != rows[i].skips)
            printf("\n    case %zu", i);
        CU_ASSERT_EQUAL(td_session_skips(td, &v), rows[i].skips);
        td_free(td);
    }
}

/* ---- what is known of an interval ------------------------------------------------------ */

/* What the stream, the scope and the CPU say of it, beside its one count. The kernel's slots of old CPUs were scaled as
 * if without SMT; a clock of the core counts for all siblings of a core that was counted as a whole. */
static void what_is_known(void)
{
#define TOTAL "topdown-total-slots"
#define ANY "CPU_CLK_UNHALTED.THREAD_ANY"
#define CLOCK "CPU_CLK_UNHALTED.THREAD"
    static const struct {
        const char *event;
        enum td_scope_kind kind;
        enum td_times times;
        bool raw, changed;
        enum td_smt smt;
        unsigned assumed; /* of the CPU: its flags */
        unsigned flags;
        bool several;
    } rows[] = {
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, true, false, TD_SMT_UNKNOWN, 0, TD_FLAG_SMT_UNKNOWN, false},
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_UNKNOWN, 0, 0, false},
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, true, false, TD_SMT_ON, 0, 0, false},
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, true, false, TD_SMT_OFF, 0, 0, false},
        {CLOCK, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_UNKNOWN, 0, TD_FLAG_SMT_UNKNOWN, false},
        {CLOCK, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_ON, 0, TD_FLAG_SMT_UNKNOWN, false},
        {CLOCK, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_OFF, 0, 0, false},
        {ANY, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_UNKNOWN, 0, TD_FLAG_ONE_SIBLING, false},
        {ANY, TD_KIND_CORE, TD_TIMES_RECORDED, false, false, TD_SMT_UNKNOWN, 0, 0, false},
        {ANY, TD_KIND_CORE, TD_TIMES_RECORDED, false, false, TD_SMT_OFF, 0, TD_FLAG_ONE_SIBLING, false},
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, false, true, TD_SMT_ON, 0, TD_FLAG_CPUS_CHANGED, false},
        {TOTAL, TD_KIND_CPU, TD_TIMES_RECORDED, false, false, TD_SMT_ON, TD_FLAG_REVISION_ASSUMED,
         TD_FLAG_REVISION_ASSUMED, false},
        {TOTAL, TD_KIND_COMMAND, TD_TIMES_TASKS, false, false, TD_SMT_ON, 0, 0, true},
        {TOTAL, TD_KIND_COMMAND, TD_TIMES_RECORDED, false, false, TD_SMT_ON, 0, 0, false},
        {TOTAL, TD_KIND_SYSTEM, TD_TIMES_TASKS, false, false, TD_SMT_ON, 0, 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *names[] = {"an event"};
        struct td_text_entry entries[] = {{.generic = false}};
        struct td_stream stream = {.name = "f",
                                   .texts = {.n = 1, .names = names, .entries = entries},
                                   .times = rows[i].times,
                                   .raw = rows[i].raw,
                                   .smt = rows[i].smt};
        const struct td_uarch *u = td_uarch_by_name("hsw");
        struct td_count c = {
            .event = (uint16_t)td_uarch_event_number(u, rows[i].event), .value = 9, .enabled = 9, .running = 9};
        const struct td_interval v = {.at = {.scope = "a", .scope_kind = rows[i].kind},
                                      .uarch = u,
                                      .cpus_changed = rows[i].changed,
                                      .counts = {.c = &c, .n = 1}};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_uarch(td, "hsw") && !td_candidates_one(&td->candidates, &td->settings.identity));
        td->stream = &stream;
        td->candidates.c[0].identity.flags = rows[i].assumed;
        CU_ASSERT_EQUAL_FATAL(td_session_solve(td, &v, false, &r), 0);
        if (r->flags != (rows[i].flags | u->flags))
            printf("\n    case %zu: %x", i, r->flags);
        CU_ASSERT_EQUAL(r->flags, rows[i].flags | u->flags);
        CU_ASSERT_EQUAL(r->several_cpus, rows[i].several);
        CU_ASSERT_FALSE(r->smt_unknown); /* nobody can be asked */
        td_free(td);
    }
}

/* 6 slots in each of 1,000,000 cycles are more than a CPU that has 5 can count, unless counting began and ended any
 * number of times, in regions and between samples. Samples of which times are recorded tell how long a thread waited.
 */
static void pieces(void)
{
    static const struct {
        enum td_scope_kind kind;
        bool samples, switched;
        double enabled; /* of 1,000 ns */
        bool broken, waits;
        uint64_t waited;
    } rows[] = {
        {TD_KIND_CPU, false, false, 1000, true, false, 0},   {TD_KIND_REGION, false, false, 1000, false, false, 0},
        {TD_KIND_THREAD, false, true, 400, true, false, 0},  {TD_KIND_THREAD, true, true, 400, false, true, 600},
        {TD_KIND_THREAD, true, false, 400, false, false, 0}, {TD_KIND_THREAD, true, true, 1000, false, true, 0},
        {TD_KIND_THREAD, true, true, 1001, false, true, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *names[] = {"an event"};
        struct td_text_entry entries[] = {{.generic = false}};
        struct td_samples_info samples = {.times_recorded = true};
        struct td_stream stream = {.name = "f",
                                   .texts = {.n = 1, .names = names, .entries = entries},
                                   .samples = rows[i].samples ? &samples : NULL};
        const struct td_uarch *u = td_uarch_by_name("icl");
        struct td_count c[] = {
            {.event = (uint16_t)td_uarch_slots(u), .value = 6e6},
            {.event = (uint16_t)td_uarch_event_number(u, "CPU_CLK_UNHALTED.THREAD"), .value = 1e6},
        };
        const struct td_interval v = {.at = {.scope = "a", .scope_kind = rows[i].kind, .duration = 1000},
                                      .uarch = u,
                                      .switched = rows[i].switched,
                                      .counts = {.c = c, .n = 2}};
        const struct td_result *r;
        struct td *td = td_new();

        for (size_t k = 0; k < 2; k++)
            c[k].enabled = c[k].running = rows[i].enabled;
        CU_ASSERT_FATAL(td && !td_set_uarch(td, "icl") && !td_candidates_one(&td->candidates, &td->settings.identity));
        td->stream = &stream;
        CU_ASSERT_EQUAL_FATAL(td_session_solve(td, &v, false, &r), 0);
        if (r->too_wide != rows[i].broken || r->waits != rows[i].waits || r->waited != rows[i].waited)
            printf("\n    case %zu: %d %d", i, r->too_wide, (int)r->waited);
        CU_ASSERT_EQUAL(r->too_wide, rows[i].broken);
        CU_ASSERT(r->waits == rows[i].waits && r->waited == rows[i].waited);
        td_free(td);
    }
}

/* The ticks of the time of 1,000 ns are 500 where it is known that 1,000 were counted for 2,000 ns: on two CPUs. */
static void ticks(void)
{
    static const struct {
        enum td_times times;
        double utilized; /* 500 of these ticks */
    } rows[] = {{TD_TIMES_RECORDED, 1}, {TD_TIMES_RELATIVE, 0.5}, {TD_TIMES_CPUS, 0.5}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *names[] = {"an event"};
        struct td_text_entry entries[] = {{.generic = false}};
        struct td_stream stream = {
            .name = "f", .texts = {.n = 1, .names = names, .entries = entries}, .times = rows[i].times};
        const struct td_uarch *u = td_uarch_by_name("skl");
        struct td_count c[] = {
            {.event = (uint16_t)td_uarch_event_number(u, "CPU_CLK_UNHALTED.REF_TSC"), .value = 500},
            {.event = (uint16_t)td_uarch_event_number(u, "msr/tsc/"), .value = 1000},
        };
        const struct td_interval v = {.at = {.scope = "system", .scope_kind = TD_KIND_SYSTEM, .duration = 1000},
                                      .uarch = u,
                                      .counts = {.c = c, .n = 2}};
        const struct td_metric *m = NULL;
        const struct td_result *r;
        struct td *td = td_new();

        for (size_t k = 0; k < 2; k++)
            c[k].enabled = c[k].running = 2000;
        CU_ASSERT_FATAL(td && !td_set_uarch(td, "skl") && !td_set_metrics(td, "info_system_cpus_utilized") &&
                        !td_candidates_one(&td->candidates, &td->settings.identity));
        td->stream = &stream;
        CU_ASSERT_EQUAL_FATAL(td_session_solve(td, &v, false, &r), 0);
        for (size_t k = 0; k < td_result_metrics(r) && !m; k++)
            m = strcmp(td_result_metric(r, k)->name, "info_system_cpus_utilized") ? NULL : td_result_metric(r, k);
        CU_ASSERT_FATAL(m != NULL && m->status == TD_OK);
        CU_ASSERT_DOUBLE_EQUAL(m->value, rows[i].utilized, 1e-12);
        td_free(td);
    }
}

/* ---- parts of sums ------------------------------------------------------------------- */

/* Eight seconds in each of which a group was counted for half of the time: 1,000 cycles with 4 slots each. In the
 * seventh 3,000 of them retired, else 1,000, and 500 lacked from the front end, in the last one 1,200. The sums are
 * 10,000 and 4,700 of 32,000; without a second there are 28,000. */
static void parts(void)
{
#define HALF(time_, value_, event_) time_ ".000000000,CPU0," value_ ",," event_ ",500000000,50.00,,\n"
#define PART(time_, retired_, lacked_) \
    HALF(time_, "1000", "CPU_CLK_UNHALTED.THREAD") \
    HALF(time_, retired_, "UOPS_RETIRED.RETIRE_SLOTS") HALF(time_, lacked_, "IDQ_UOPS_NOT_DELIVERED.CORE")
    enum { PARTS = 8 };
    static const char text[] =
        PART("1", "1000", "500") PART("2", "1000", "500") PART("3", "1000", "500") PART("4", "1000", "500")
            PART("5", "1000", "500") PART("6", "1000", "500") PART("7", "3000", "500") PART("8", "1000", "1200");
    struct source s = {text, sizeof(text) - 1, 4096, 0};
    const struct td_result *r;
    struct td *td = td_new();
    int err;

    CU_ASSERT_FATAL(td && !td_set_uarch(td, "skl") && !td_open(td, "f", source_read, &s));
    while (!(err = td_next(td, &r)))
        CU_ASSERT_EQUAL(td->spread.room, 0); /* of sums only */
    CU_ASSERT_FATAL(err == -ENODATA && !td_summary(td, 0, &r));
    for (size_t m = 0; m < r->nmetrics; m++)
        for (size_t i = 0; i < PARTS && r->metrics[m].status == TD_OK; i++) {
            const double part = td->spread.parts[m * PARTS + i];

            if (!strcmp(r->metrics[m].name, "retiring"))
                CU_ASSERT_DOUBLE_EQUAL(part, 10.0 / 32 - (i == 6 ? 7.0 : 9.0) / 28, 1e-12);
            if (!strcmp(r->metrics[m].name, "frontend_bound"))
                CU_ASSERT_DOUBLE_EQUAL(part, 4.7 / 32 - (i == 7 ? 3.5 : 4.2) / 28, 1e-12);
        }
    CU_ASSERT_STRING_EQUAL(r->metrics[0].name, "retiring");
    CU_ASSERT(r->metrics[0].status == TD_OK && r->metrics[2].status == TD_OK);
    td_free(td);
}

/* ---- what was solved before ---------------------------------------------------------- */

/* Of 1,000 cycles with 4 slots each 1,600 slots retired: 40 %. */
static double retiring_of(struct td *td, struct td_interval *v, double slots)
{
    struct td_count c[] = {
        {.event = (uint16_t)td_uarch_event_number(v->uarch, "CPU_CLK_UNHALTED.THREAD"), .value = 1000},
        {.event = (uint16_t)td_uarch_event_number(v->uarch, "UOPS_RETIRED.RETIRE_SLOTS"), .value = slots},
    };
    const struct td_result *r;

    v->counts.c = c;
    v->counts.n = sizeof(c) / sizeof(*c);
    CU_ASSERT_EQUAL_FATAL(td_session_solve(td, v, false, &r), 0);
    CU_ASSERT_EQUAL(r->at.nth, v->at.nth);
    return td_result_metric(r, 0)->value;
}

/* The second function of a sample's chain has the counts of the first, so that these are not looked at again: those
 * that are here stand for what is the same. Each row differs from that in one thing. */
static void chains(void)
{
    static const struct {
        unsigned nth, next;
        uint64_t time;
        uint32_t course;
        bool summary, multiplexed, again;
    } rows[] = {
        {1, 2, 7, 3, false, false, false}, {2, 3, 7, 3, false, false, false}, {0, 1, 7, 3, false, false, true},
        {1, 1, 7, 3, false, false, true},  {1, 3, 7, 3, false, false, true},  {0, 0, 7, 3, false, false, true},
        {1, 2, 8, 3, false, false, true},  {1, 2, 7, 4, false, false, true},  {1, 2, 6, 3, false, false, true},
        {1, 2, 7, 2, false, false, true},  {1, 2, 7, 3, true, false, true},   {1, 2, 7, 3, false, true, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *names[] = {"an event"};
        struct td_text_entry entries[] = {{.generic = false}};
        struct td_stream stream = {.name = "f", .texts = {.n = 1, .names = names, .entries = entries}};
        struct td *td = td_new();
        struct td_interval v = {.at = {.scope = "t-1", .scope_kind = TD_KIND_THREAD, .time = 7, .has_time = true}};

        CU_ASSERT_FATAL(td && !td_set_uarch(td, "skl") && !td_candidates_one(&td->candidates, &td->settings.identity));
        td->stream = &stream;
        v.uarch = td->settings.identity.part[0];
        v.at.nth = rows[i].nth;
        v.at.course = 3;
        CU_ASSERT_DOUBLE_EQUAL(retiring_of(td, &v, 1600), 0.4, 1e-12);
        td->result.summary = rows[i].summary;
        td->result.flags |= rows[i].multiplexed ? TD_FLAG_MULTIPLEXED : 0;
        v.at.nth = rows[i].next;
        v.at.time = rows[i].time;
        v.at.course = rows[i].course;
        CU_ASSERT_DOUBLE_EQUAL(retiring_of(td, &v, 800), rows[i].again ? 0.2 : 0.4, 1e-12);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"CPUs that agree", one_answer},
    {"counts of CPUs that agree", counts_of_one_answer},
    {"more than may be", more_than_may_be},
    {"CPUs that agree, and an interval that lacks all", one_without},
    {"another machine's interval", another_machine},
    {"CPUs that differ", each_answer},
    {"CPUs that differ, and agree on nothing", no_agreement},
    {"CPUs that differ later", later_answers},
    {"the last of several CPUs differs", last_differs},
    {"CPUs that differed before", differ_before},
    {"kinds of cores", hybrid},
    {"what other CPUs lack", reasons},
    {"a kind of core that is left out", left_out_once},
    {"lines of a kind of core that come later", lines_of_a_core_later},
    {"SMT that is not recorded", smt},
    {"SMT that fewer metrics depend on", smt_of_fewer},
    {"SMT that the first metric depends on", smt_of_the_first},
    {"rates of intervals and of all", rates},
    {"what is known of an interval", what_is_known},
    {"intervals without a result", skipped},
    {"pieces", pieces},
    {"ticks", ticks},
    {"parts of sums", parts},
    {"functions of one sample's chain", chains},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("solutions", tests);
