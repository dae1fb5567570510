/* SPDX-License-Identifier: MIT */
/* Which CPUs a recording fits, which of them the text around the counts names, and which nearly fits: by the events
 * that their formulas use, and by counts worked out by hand. */
#include "session/session.h"
#include "private/result.h"
#include "tests/support/pieces.h"

#include <errno.h>

#define COUNT(value_, event_) value_ ",," event_ ",1000000,100.00,,\n"
#define NO_COUNT(event_) "<not supported>,," event_ ",0,100.00,,\n"

static void keep_note(void *ctx, const char *text)
{
    put(ctx, "# %s\n", text);
}

/* One recording, and what is said of it: the CPUs, or the error, without what to do about it. */
struct fit {
    const char *text, *said;
    const char *backend, *metrics; /* NULL: any, the usual ones */
    int err;
};

static void fits(const struct fit *f, size_t n)
{
    for (; n; n--, f++) {
        struct source s = {f->text, strlen(f->text), 4096, 0};
        struct log l = {.n = 0};
        struct td *td = td_new();
        const struct td_result *r;
        int err = td_set_backend(td, f->backend ? f->backend : "auto");

        td_set_note(td, keep_note, &l);
        td_set_each_cpu(td, true);
        err = err ? err : td_set_metrics(td, f->metrics);
        err = err ? err : td_open(td, "f", source_read, &s);
        err = err ? err : td_next(td, &r);
        CU_ASSERT_EQUAL(err, f->err);
        put(&l, "%s", err ? td_error(td) : td->candidates.names.at);
        if (!err) {
            same_log(&l, f->said, 4096);
        } else if (strncmp(l.text, f->said, strlen(f->said)) != 0) {
            printf("\n    got    %s\n    wanted %s", l.text, f->said);
            CU_FAIL("another error");
        }
        if (!err) { /* the sums are of the same CPUs, and are marked as such */
            while (!td_next(td, &r))
                CU_ASSERT_FALSE(td_result_is_summary(r));
            for (size_t i = 0; !td_summary(td, i, &r); i++)
                CU_ASSERT(td_result_is_summary(r));
        }
        td_free(td);
    }
}

#define SLOTS COUNT("6000000", "slots")
#define RETIRING COUNT("1400000", "topdown-retiring")
#define BAD COUNT("1000000", "topdown-bad-spec")
#define FRONTEND COUNT("1500000", "topdown-fe-bound")
#define BACKEND COUNT("2100000", "topdown-be-bound")
#define RETIRED COUNT("4000000", "inst_retired.any")
#define NO_CPU(line_, cpu_, why_) \
    "f:" line_ ": the top-down events of this recording fit no CPU that tdprobe knows; nearest is " cpu_ ", but " why_ \
    ": 'tdprobe perf-command --uarch " cpu_ "' prints what to record"
#define UNTOLD(line_) "f:" line_ ": what was recorded of level 1 does not show which CPU it was"
#define NONE(line_) \
    "f:" line_ ": no top-down events were recorded, and the percentages that perf prints are no counts: 'tdprobe " \
    "perf-command --uarch NAME' prints what to record"

/* What some CPU lacks of level 1, the first four of it by name, and what no CPU has. */
static void near(void)
{
    static const struct fit all[] = {
        {.text = SLOTS BAD,
         .said = NO_CPU("2", "icl", "topdown-retiring, topdown-fe-bound, topdown-be-bound are missing"),
         .err = -EOPNOTSUPP},
        {.text = SLOTS BAD RETIRING FRONTEND, .said = "icl icx tgl rkl spr emr gnr"}, /* the rest of the slots */
        {.text = COUNT("5", "idq_uops_not_delivered.core") COUNT("5", "uops_retired.retire_slots")
             COUNT("5", "uops_issued.any") COUNT("5", "int_misc.recovery_cycles"),
         .said = NO_CPU("4", "snb", "CPU_CLK_UNHALTED.THREAD is missing"),
         .err = -EOPNOTSUPP},
        {.text = SLOTS BAD RETIRING FRONTEND BACKEND, .said = "icl icx tgl rkl spr emr gnr"},
        {.text = COUNT("5", "ex_ret_ops"),
         .said = NO_CPU("1", "zen4",
                        "LS_NOT_HALTED_CYC, DE_SRC_OP_DISP.ALL, DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND, "
                        "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS are missing"),
         .err = -EOPNOTSUPP},
        {.text = COUNT("5", "ex_ret_ops") SLOTS,
         .said = NO_CPU("2", "icl", "it has no 'ex_ret_ops'"),
         .err = -EOPNOTSUPP},
        /* of the others it lacks two, Zen 4 only slots */
        {.text = COUNT("5", "ex_ret_ops") COUNT("5", "de_src_op_disp.all") SLOTS,
         .said = NO_CPU("3", "zen4", "it has no 'slots'"),
         .err = -EOPNOTSUPP},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

/* No event of level 1, of all CPUs or of those of a backend; where other metrics are asked for, the CPU is to be named.
 */
static void nothing_to_tell_by(void)
{
    static const struct fit all[] = {
        {.text = COUNT("80", "cycle_activity.stalls_l3_miss"), .said = NONE("1"), .err = -EBADMSG},
        {.text = COUNT("80", "cycle_activity.stalls_l3_miss"),
         .said =
             "f:1: no events of level 1 were recorded, which tell the CPU: name it with --uarch ('tdprobe perf-command",
         .metrics = "dram_bound",
         .err = -EINVAL},
        {.text = SLOTS BAD RETIRED,
         .said = UNTOLD("3") ": name it with --uarch ('tdprobe perf-command",
         .metrics = "info_thread_clks",
         .err = -EINVAL},
        {.text = COUNT("5", "ex_ret_ops"), .said = NONE("1"), .backend = "arm-neoverse", .err = -EBADMSG},
        {.text = COUNT("5", "instructions") COUNT("5", "cycles"), .said = NONE("2"), .err = -EBADMSG},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define ARM \
    COUNT("4000", "cpu_cycles") \
    COUNT("5900", "inst_retired") \
    COUNT("6900", "inst_spec") COUNT("920", "stall_frontend") COUNT("1520", "stall_backend")
#define OF_ARM \
    ", of those that have these events, neoverse-n1, neoverse-n2, neoverse-n2-r0p3, neoverse-v1, neoverse-v2, " \
    "neoverse-n3, neoverse-v3, ampereone, ampereonex, hip08: name it with --uarch"

/* All of Arm's cores have these events, of which one's formulas make a part of level 1; text around them may name it.
 */
static void told(void)
{
    static const struct fit all[] = {
        {.text = ARM, .said = UNTOLD("5") OF_ARM, .err = -EINVAL},
        {.text = ARM, .said = UNTOLD("5") OF_ARM, .backend = "arm-neoverse", .err = -EINVAL},
        {.text = "# c6g.xlarge (AWS Graviton2)\n" ARM,
         .said = "# f: of the CPUs that have these events, the text around the counts names neoverse-n1; --uarch names "
                 "another\nneoverse-n1"},
        {.text = ARM COUNT("2400", "r2014"), .said = "hip08"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define ZEN(frontend_, backend_, retired_, dispatched_) \
    COUNT("1000", "ls_not_halted_cyc") \
    COUNT(frontend_, "de_no_dispatch_per_slot.no_ops_from_frontend") \
    COUNT(backend_, "de_no_dispatch_per_slot.backend_stalls") \
    COUNT(retired_, "ex_ret_ops") \
    COUNT(dispatched_, "de_src_op_disp.all") COUNT("0", "de_no_dispatch_per_slot.smt_contention")
#define SEVERAL_ZEN(metric_) \
    "# f:6: several CPUs fit these events, and their " metric_ \
    " differs; each has its results, and --uarch names the one: zen4 zen5 zen6\nzen4 zen5 zen6"

/* In 1,000 cycles Zen 4 has 6,000 slots, the later ones 8,000: what all that was counted adds up to tells which it was,
 * where it is the one or the other. */
static void widths(void)
{
    static const struct fit all[] = {
        {.text = ZEN("1500", "2000", "2400", "2500"), .said = "zen4"},
        {.text = ZEN("1500", "2900", "3400", "3600"), .said = "zen5 zen6"},
        {.text = ZEN("5999", "0", "0", "0"), .said = "zen4"},
        {.text = ZEN("7999", "0", "0", "0"), .said = "zen5 zen6"},
        {.text = ZEN("6600", "0", "0", "0"), .said = SEVERAL_ZEN("frontend_bound")},
        {.text = COUNT("1000", "ls_not_halted_cyc") COUNT("7999", "de_no_dispatch_per_slot.no_ops_from_frontend"),
         .said = "zen5 zen6"},
        /* the first metric alone */
        {.text = COUNT("1000", "ls_not_halted_cyc") COUNT("7000", "ex_ret_ops"), .said = "zen5 zen6"},
        {.text = COUNT("1000", "ls_not_halted_cyc") COUNT("2000", "ex_ret_ops"),
         .said = "# f:2: several CPUs fit these events, and their retiring differs; each has its results, and --uarch "
                 "names the one: zen4 zen5 zen6\nzen4 zen5 zen6"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define PARTLY(value_, event_, percent_) value_ ",," event_ ",1000000," percent_ ",,\n"
#define BELOW(dispatched_, percent_) \
    PARTLY("1000", "ls_not_halted_cyc", percent_) \
    PARTLY("2000", "de_no_dispatch_per_slot.backend_stalls", percent_) \
    PARTLY("2500", "ex_ret_ops", percent_) PARTLY(dispatched_, "de_src_op_disp.all", percent_)
#define BELOW_EACH \
    "# f:4: several CPUs fit these events, and their retiring differs; each has its results, and --uarch names the one: " \
    "zen4 zen5 zen6\nzen4 zen5 zen6"

/* More retired than were dispatched, by 70 of 6,000 slots, 1.2 %, or of 8,000, 0.9 %: counts of one time are off by no
 * more than 1 %, as by 60 of 6,000. By 55, 0.9 and 0.7 %, it may be either, and by 90, 1.5 and 1.1 %, as well; so it
 * may where counts were not of one time. That no front end was recorded leaves open whether the shares add up. */
static void below_zero(void)
{
    static const struct fit all[] = {
        {.text = BELOW("2430", "100.00"), .said = "zen5 zen6"}, {.text = BELOW("2445", "100.00"), .said = BELOW_EACH},
        {.text = BELOW("2410", "100.00"), .said = BELOW_EACH},  {.text = BELOW("2430", "50.00"), .said = BELOW_EACH},
        {.text = BELOW("2445", "50.00"), .said = BELOW_EACH},   {.text = BELOW("2440", "100.00"), .said = BELOW_EACH},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define NAMED(cpu_) \
    "# f: of the CPUs that have these events, the text around the counts names " cpu_ "; --uarch names another\n"
#define ARM_ALL \
    ARM COUNT("100", "stall_slot") COUNT("10", "stall_slot_frontend") COUNT("100", "stall_slot_backend") \
        COUNT("6900", "op_spec") COUNT("5900", "op_retired")

/* Of several CPUs that fit it is the one that the text names, and where the text has no revision, any of these that
 * fits. What does not fit is not it; of one that fits alone nothing is to be said. */
static void named(void)
{
    static const struct fit all[] = {
        /* the first of those that have these events, and a later one */
        {.text = "model name : Intel(R) Core(TM) i7-1065G7 CPU @ 1.30GHz\n" SLOTS BAD RETIRING FRONTEND BACKEND,
         .said = NAMED("icl") "icl"},
        {.text = "model name : Intel(R) Xeon(R) Platinum 8480+\n" SLOTS BAD RETIRING FRONTEND BACKEND,
         .said = NAMED("spr") "spr"},
        {.text = "# AMD EPYC 9654\n" ZEN("6600", "0", "0", "0"), .said = NAMED("zen4") "zen4"},
        {.text = "# AMD EPYC 9755\n" ZEN("6600", "0", "0", "0"), .said = NAMED("zen5") "zen5"},
        {.text = "# AMD EPYC 9755\n" ZEN("7999", "0", "0", "0"), .said = NAMED("zen5") "zen5"}, /* of two */
        {.text = "# AMD EPYC 9654\n" ZEN("5999", "0", "0", "0"), .said = "zen4"},
        {.text = "# AMD EPYC 9755\n" ZEN("5999", "0", "0", "0"), .said = "zen4"},
        {.text = "# Neoverse-N2\n" ARM, .said = NAMED("neoverse-n2") "neoverse-n2 neoverse-n2-r0p3"},
        {.text = "# Neoverse-N2\n" ARM_ALL, .said = NAMED("neoverse-n2") "neoverse-n2-r0p3"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

/* That a revision is assumed is true of the CPU that the text names without one, not of its revision that fits. */
static void revisions(void)
{
    static const struct {
        const char *text, *names;
        bool assumed;
    } rows[] = {
        {"# Neoverse-N2\n" ARM, "neoverse-n2 neoverse-n2-r0p3", true},
        {"# Neoverse-N2\n" ARM_ALL, "neoverse-n2-r0p3", false},
        {"# c6g.xlarge (AWS Graviton2)\n" ARM, "neoverse-n1", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct source s = {rows[i].text, strlen(rows[i].text), 4096, 0};
        const struct td_result *r;
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_open(td, "f", source_read, &s) && !td_next(td, &r));
        CU_ASSERT_STRING_EQUAL(td->candidates.names.at, rows[i].names);
        CU_ASSERT_EQUAL((td->candidates.c[0].identity.flags & TD_FLAG_REVISION_ASSUMED) != 0, rows[i].assumed);
        td_free(td);
    }
}

#define LINE(value_, event_, more_) "     " value_ "      " event_ "  " more_ "\n"
#define PRINTED(frontend_, backend_) \
    LINE("1,000", "ls_not_halted_cyc", "") \
    LINE("3,000", "de_no_dispatch_per_slot.no_ops_from_frontend", frontend_) \
    LINE("3,600", "de_no_dispatch_per_slot.backend_stalls", backend_) \
    LINE("0", "ex_ret_ops", "") \
    LINE("0", "de_src_op_disp.all", "") LINE("0", "de_no_dispatch_per_slot.smt_contention", "")
#define FRONTEND_BOUND(percent_) "#  " percent_ " %  frontend_bound"
#define BACKEND_BOUND(percent_) "#  " percent_ " %  backend_bound"
#define LEFT_OUT(cpus_) \
    "# f: the percentages beside the counts are not those of other CPUs that have these events, which are left out: " cpus_ \
    "; --uarch names one\n"

/* Of 6,000 slots, Zen 4's, 3,000 are 50 % and 3,600 are 60 %; of 8,000 they are 37.5 and 45 %: neither is all. What was
 * printed tells the CPU where two shares are its own to the last digit, and none is off by more than a point. */
static void printed(void)
{
    static const struct fit all[] = {
        {.text = PRINTED(FRONTEND_BOUND("50.0"), BACKEND_BOUND("60.0")), .said = LEFT_OUT("zen5, zen6") "zen4"},
        {.text = PRINTED(FRONTEND_BOUND("37.5"), BACKEND_BOUND("45.0")), .said = LEFT_OUT("zen4") "zen5 zen6"},
        {.text = PRINTED(FRONTEND_BOUND("50.0"), ""), .said = SEVERAL_ZEN("frontend_bound")}, /* one may be chance */
        {.text = PRINTED(FRONTEND_BOUND("50.0"), BACKEND_BOUND("45.0")), .said = SEVERAL_ZEN("frontend_bound")},
        {.text = PRINTED(FRONTEND_BOUND("50.0"), BACKEND_BOUND("60.3")), .said = SEVERAL_ZEN("frontend_bound")},
        {.text = PRINTED(FRONTEND_BOUND("70.0"), BACKEND_BOUND("30.0")), .said = SEVERAL_ZEN("frontend_bound")},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define NOT_SUPPORTED \
    NO_COUNT("slots") \
    NO_COUNT("topdown-retiring") \
    NO_COUNT("topdown-bad-spec") NO_COUNT("topdown-fe-bound") NO_COUNT("topdown-be-bound")
#define SKYLAKE \
    COUNT("1000", "CPU_CLK_UNHALTED.THREAD") \
    COUNT("1600", "UOPS_RETIRED.RETIRE_SLOTS") \
    COUNT("1800", "UOPS_ISSUED.ANY") COUNT("400", "IDQ_UOPS_NOT_DELIVERED.CORE") COUNT("50", "INT_MISC.RECOVERY_CYCLES")
#define OLD "snb jkt ivb ivt hsw hsx bdw bdx bdw-de skl skx clx"

/* What the machine did not support is no sign of a CPU, unless nothing else is there. */
static void unsupported(void)
{
    static const struct fit all[] = {
        {.text = NOT_SUPPORTED, .said = "icl icx tgl rkl spr emr gnr"},
        {.text = NOT_SUPPORTED SKYLAKE, .said = OLD},
        {.text = SKYLAKE NOT_SUPPORTED, .said = OLD},
        {.text = NO_COUNT("ex_ret_ops") SLOTS RETIRING BAD FRONTEND BACKEND, .said = "icl icx tgl rkl spr emr gnr"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define CORE(pmu_, value_, event_) COUNT(value_, pmu_ "/" event_ "/")
#define P_FIELDS \
    CORE("cpu_core", "25", "topdown-retiring") \
    CORE("cpu_core", "25", "topdown-bad-spec") \
    CORE("cpu_core", "25", "topdown-fe-bound") CORE("cpu_core", "25", "topdown-be-bound")

#define E_CORES \
    CORE("cpu_atom", "100", "CPU_CLK_UNHALTED.CORE") \
    CORE("cpu_atom", "100", "TOPDOWN_FE_BOUND.ALL") \
    CORE("cpu_atom", "100", "TOPDOWN_BE_BOUND.ALL") CORE("cpu_atom", "100", "TOPDOWN_RETIRING.ALL")
#define E_FRONTEND CORE("cpu_atom", "7", "TOPDOWN_FE_BOUND.ALL")
#define NO_E_CYCLES NO_CPU("6", "adl", "TOPDOWN_RETIRING.ALL, CPU_CLK_UNHALTED.CORE, TOPDOWN_BE_BOUND.ALL are missing")

/* Lines of kinds of cores are of hybrids, of which one kind is enough, unless the other has a part of level 1 that
 * gives nothing, before or after it; what is counted beside them on no kind of core is no sign, nor an event that no
 * hybrid's core has. Of the E-cores some have 5 slots a cycle, others 6 or 8. */
static void hybrids(void)
{
    static const struct fit all[] = {
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS, .said = "adl mtl lnl arl ptl"},
        {.text = "model name : 12th Gen Intel(R) Core(TM) i9-12900K\n" CORE("cpu_core", "100", "slots") P_FIELDS,
         .said = NAMED("adl") "adl"},
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS COUNT("7", "task-clock"), .said = "adl mtl lnl arl ptl"},
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS CORE("cpu_atom", "7", "branches"),
         .said = "adl mtl lnl arl ptl"},
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS COUNT("7", "ex_ret_ops"), .said = "adl mtl lnl arl ptl"},
        {.text = CORE("cpu_atom", "7", "branches") COUNT("7", "ex_ret_ops"),
         .said = "f:2: the top-down events of this recording fit no CPU that tdprobe knows: 'tdprobe perf-command",
         .err = -EOPNOTSUPP},
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS E_FRONTEND, .said = NO_E_CYCLES, .err = -EOPNOTSUPP},
        {.text = E_FRONTEND CORE("cpu_core", "100", "slots") P_FIELDS, .said = NO_E_CYCLES, .err = -EOPNOTSUPP},
        {.text = CORE("cpu_core", "100", "slots") CORE("cpu_core", "25", "topdown-bad-spec") E_CORES,
         .said = NO_CPU("6", "adl", "topdown-retiring, topdown-fe-bound, topdown-be-bound are missing"),
         .err = -EOPNOTSUPP},
        {.text = P_FIELDS, .said = "adl mtl lnl arl ptl"},
        {.text = CORE("cpu_core", "100", "slots") P_FIELDS CORE("cpu_core", "7", "ex_ret_ops"),
         .said = "adl mtl lnl arl ptl"},
        {.text = E_CORES,
         .said =
             "# f:4: several CPUs fit these events, and their retiring differs; each has its results, and --uarch names the one: adl mtl lnl arl ptl\nadl mtl lnl arl ptl"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define AT(place_, value_, event_) place_ value_ ",," event_ ",1000000,100.00,,\n"

/* What is nearest is found by the first interval that tells CPUs apart, and by what tells them apart there; a CPU that
 * knows nothing of it is not near. */
static void nearest(void)
{
    static const struct fit all[] = {
        {.text = COUNT("7", "task-clock") COUNT("7", "unknown") COUNT("5", "ex_ret_ops") SLOTS,
         .said = NO_CPU("4", "icl", "it has no 'ex_ret_ops'"),
         .err = -EOPNOTSUPP},
        {.text = AT("1.000000000,CPU0,", "7", "unknown") AT("1.000000000,CPU1,", "5", "ex_ret_ops")
             AT("1.000000000,CPU1,", "5", "slots"),
         .said = NO_CPU("3", "icl", "it has no 'ex_ret_ops'"),
         .err = -EOPNOTSUPP},
        /* the first event of icl, which it knows, and that of zen6, which no other CPU has */
        {.text = COUNT("5", "br_misp_retired.all_branches") COUNT("5", "ex_ret_ops"),
         .said = NO_CPU("2", "icl", "it has no 'ex_ret_ops'"),
         .err = -EOPNOTSUPP},
        {.text = SLOTS RETIRING BAD FRONTEND BACKEND COUNT("5", "bp_fe_redir.resync"),
         .said = NO_CPU("6", "icl", "it has no 'bp_fe_redir.resync'"),
         .err = -EOPNOTSUPP},
        /* a later interval is of other CPUs than the first, of which its CPUs know all, and others nothing */
        {.text = AT("1.000000000,CPU0,", "5", "slots") AT("1.000000000,CPU1,", "5", "ex_ret_ops"),
         .said = "f:2: the top-down events of this recording fit no CPU that tdprobe knows: 'tdprobe perf-command",
         .err = -EOPNOTSUPP},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

/* What lies in the room of an interval's counts after the last of them is none: with it zen4 would lack fewer. */
static void nearest_of_two_counts(void)
{
    char slots[] = "slots", retired[] = "ex_ret_ops", dispatched[] = "de_src_op_disp.all";
    char *names[] = {slots, retired, dispatched};
    struct td_text_entry entries[] = {{.generic = false}, {.generic = false}, {.generic = false}};
    struct td_count c[] = {{.text = 0, .value = 5}, {.text = 1, .value = 5}, {.text = 2, .value = 5}};
    struct td_interval v = {.counts = {.c = c, .n = 2}};
    const struct td_stream s = {
        .texts = {.n = 3, .names = names, .entries = entries}, .batch = &v, .nbatch = 1, .name = "f"};
    struct td_candidates k = {.n = 0};
    char why[64];
    bool told;

    CU_ASSERT_EQUAL_FATAL(td_candidates_fit(&k, &s, NULL, &told, why, sizeof(why)), 0);
    CU_ASSERT(told && k.n == 0);
    CU_ASSERT_STRING_EQUAL(k.nearest_name, "icl");
    CU_ASSERT_STRING_EQUAL(k.nearest.at, "it has no 'ex_ret_ops'");
    td_candidates_free(&k);
}

#define ATOM_FIELDS \
    COUNT("100", "topdown-retiring") \
    COUNT("100", "topdown-bad-spec") COUNT("100", "topdown-fe-bound") COUNT("100", "topdown-be-bound")

/* Fields of the metrics register come with slots: without, they are counts of an Atom. They are all of 100 cycles'
 * slots if these are 4 a cycle; Gracemont's bad speculation is what is left of 5. Of 6 and 8 they are not all. */
static void fields_without_slots(void)
{
    static const struct fit all[] = {
        {.text = COUNT("100", "cycles") ATOM_FIELDS,
         .said = "# f:5: several CPUs fit these events, and their retiring differs; each has its results, and --uarch "
                 "names the one: ehl snr adl-e\nehl snr adl-e"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define GIGA_SLOTS \
    COUNT("60000000000", "slots") \
    COUNT("14000000000", "topdown-retiring") \
    COUNT("10000000000", "topdown-bad-spec") \
    COUNT("15000000000", "topdown-fe-bound") COUNT("21000000000", "topdown-be-bound")

/* 60 * 10^9 slots are 5 a cycle, as all of these have, or 6, as the later ones have. */
static void more_slots_than_fit(void)
{
    static const struct fit all[] = {
        {.text = COUNT("12000000000", "CPU_CLK_UNHALTED.THREAD") GIGA_SLOTS, .said = "icl icx tgl rkl spr emr gnr"},
        {.text = COUNT("10000000000", "CPU_CLK_UNHALTED.THREAD") GIGA_SLOTS, .said = "spr emr gnr"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

#define E_OF(kind_, fe_, be_, ret_) \
    CORE(kind_, "100", "CPU_CLK_UNHALTED.CORE") \
    CORE(kind_, fe_, "TOPDOWN_FE_BOUND.ALL") \
    CORE(kind_, be_, "TOPDOWN_BE_BOUND.ALL") CORE(kind_, ret_, "TOPDOWN_RETIRING.ALL")

#define E_FIELDS(fe_, bad_, be_, ret_) \
    CORE("cpu_atom", "100", "cycles") \
    CORE("cpu_atom", fe_, "topdown-fe-bound") \
    CORE("cpu_atom", bad_, "topdown-bad-spec") \
    CORE("cpu_atom", be_, "topdown-be-bound") CORE("cpu_atom", ret_, "topdown-retiring")
#define SEVERAL(line_, metric_, cpus_) \
    "# f:" line_ ": several CPUs fit these events, and their " metric_ \
    " differs; each has its results, and --uarch names the one: " cpus_ "\n" cpus_

/* In 100 cycles an E-core of adl has 500 slots, of mtl 600, of the others 800. Where bad speculation was not counted it
 * is what is left to adl, of which there is none of 550; others have none, and no sum that is off. Only arl has cores
 * of low power. */
static void widths_of_hybrids(void)
{
    static const struct fit all[] = {
        {.text = E_OF("cpu_atom", "300", "190", "0"), .said = SEVERAL("4", "bad_speculation", "adl mtl lnl arl ptl")},
        {.text = E_OF("cpu_atom", "300", "250", "0"), .said = SEVERAL("4", "frontend_bound", "mtl lnl arl ptl")},
        {.text = E_OF("cpu_atom", "300", "250", "0") CORE("cpu_core", "100", "slots") P_FIELDS,
         .said = SEVERAL("9", "frontend_bound", "mtl lnl arl ptl")},
        {.text = E_FIELDS("300", "50", "150", "100"), .said = "mtl"},
        {.text = E_FIELDS("200", "100", "100", "100"), .said = "adl", .backend = "intel-atom"}, /* the first of these */
        {.text = E_FIELDS("300", "200", "200", "100"), .said = "lnl arl ptl"},
        {.text = E_OF("cpu_lowpower", "300", "190", "0"), .said = "arl"},
        {.text = E_OF("cpu_lowpower", "450", "250", "0"), .said = "arl"},
    };

    fits(all, sizeof(all) / sizeof(*all));
}

/* Which of these texts, without a PMU, are counts of a part of adl: those of fields, and those that the other part does
 * not know, whichever number it has them under (cycles is an E-core's first event); of a part that is named, all. */
static void bound(void)
{
    static const char *const texts[] = {"topdown-retiring",   "cycles",    "slots",
                                        "LD_HEAD.ANY_AT_RET", "none_such", "INST_RETIRED.ANY"};
    static const struct {
        int part;
        char core;
        unsigned bits; /* the first text's is 1 */
    } rows[] = {{0, 0, 1 | 4}, {1, 0, 8}, {0, 'P', 1 | 2 | 4 | 32}, {1, 'E', 1 | 2 | 8 | 32}};
    enum { N = sizeof(texts) / sizeof(*texts) };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_text_entry entries[N] = {{.generic = false}};
        char *names[N];
        struct td_texts t = {.n = N, .names = names, .entries = entries};
        struct td_count c[N];
        struct td_interval v = {.core = rows[i].core, .counts = {.c = c, .n = N}};
        struct td_counts out = {.status = TD_COUNTER_RESET, .balanced = 3}; /* of another interval */
        unsigned bits = 0;
        struct td *td = td_new();

        for (uint32_t k = 0; k < N; k++) {
            names[k] = (char *)(uintptr_t)texts[k];
            c[k] = (struct td_count){.text = k, .value = 100, .enabled = 1, .running = 1};
        }
        CU_ASSERT_FATAL(td && !td_set_uarch(td, "adl") && !td_candidates_one(&td->candidates, &td->settings.identity));
        CU_ASSERT_EQUAL(td_candidate_bind(&td->candidates.c[0], rows[i].part, &t, &v, &out), 0);
        CU_ASSERT(out.status == TD_OK && out.balanced == 0);
        for (size_t k = 0; k < out.n; k++) {
            bits |= 1U << out.c[k].text;
            /* a P-core's field is known to a unit of 100 slots, and to one that a reading rounds; an E-core counts */
            if (!out.c[k].text)
                CU_ASSERT_DOUBLE_EQUAL(out.c[k].err, rows[i].part ? 0 : 100.0 / 255 + 1, 1e-12);
        }
        if (bits != rows[i].bits)
            printf("\n    row %zu: %x", i, bits);
        CU_ASSERT_EQUAL(bits, rows[i].bits);
        td_counts_free(&out);
        td_free(td);
    }
}

/* Which part of a CPU counted: that of the lines' kind of core, or the first where they name none. */
static void parts(void)
{
    static const struct {
        const char *cpu;
        int none, p, e, l;
    } rows[] = {
        {"adl", 0, 0, 1, -1},    {"arl", 0, 0, 2, 1},    {"adl-p", 0, 0, -1, -1},
        {"adl-e", 0, -1, 0, -1}, {"spr", 0, -1, -1, -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_candidate c = {.forms = {NULL}};
        struct td *td = td_new();

        CU_ASSERT_FATAL(td && !td_set_uarch(td, rows[i].cpu));
        c.identity = td->settings.identity;
        CU_ASSERT_EQUAL(td_candidate_part(&c, 0), rows[i].none);
        CU_ASSERT_EQUAL(td_candidate_part(&c, 'P'), rows[i].p);
        CU_ASSERT_EQUAL(td_candidate_part(&c, 'E'), rows[i].e);
        CU_ASSERT_EQUAL(td_candidate_part(&c, 'L'), rows[i].l);
        td_free(td);
    }
}

static const CU_TestInfo tests[] = {
    {"counts of a part", bound},
    {"parts", parts},
    {"CPUs that nearly fit", near},
    {"the nearest of them", nearest},
    {"the nearest to two counts", nearest_of_two_counts},
    {"fields without slots", fields_without_slots},
    {"more slots than fit", more_slots_than_fit},
    {"widths of hybrids", widths_of_hybrids},
    {"nothing that tells the CPU", nothing_to_tell_by},
    {"text that tells the CPU", told},
    {"slots that tell the CPU", widths},
    {"shares below 0", below_zero},
    {"text that names one of several", named},
    {"revisions that are assumed", revisions},
    {"percentages that tell the CPU", printed},
    {"events that are not supported", unsupported},
    {"hybrids", hybrids},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("candidates", tests);
