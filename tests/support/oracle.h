/* SPDX-License-Identifier: MIT */
/*
 * The oracle: top-down metrics computed straight from the published formulas, written without sight of the
 * project's own formula code. A test feeds both the same counts and compares the answers.
 *
 * Values are ratios (1 = all slots), with the clamps that the source publishes and no others.
 */
#ifndef TDPROBE_TESTS_ORACLE_H
#define TDPROBE_TESTS_ORACLE_H

/* The value of an event by the vendor's name, e.g. "UOPS_ISSUED.ANY"; NAN when it was not recorded. */
typedef double oracle_get(void *ctx, const char *event);

/* NAN: cannot be computed. A metric that the source does not publish for the variant is not in the answer at all. */
struct oracle_metric {
    const char *name;
    double value;
};

/*
 * All metrics of a variant; returns their number, or -1 for an unknown variant. out has room for 32.
 * width is slots per cycle, used where slots = width * cycles; variants that count slots ignore it.
 * An optional correction that was not recorded is left out: INT_MISC.UOP_DROPPING, INT_MISC.CLEARS_COUNT,
 * BR_MIS_PRED (except hip08) and STALL_FRONTEND_FLUSH.
 */
int oracle_solve(const char *variant, int width, oracle_get *get, void *ctx, struct oracle_metric *out);

/* The names of all variants, NULL-terminated. */
extern const char *const oracle_variants[];

/* The events of a variant, optional corrections included, NULL-terminated; NULL for an unknown variant. */
const char *const *oracle_events(const char *variant);

/* ---- from here on: shared by the oracle's own files ---- */

struct oracle {
    oracle_get *get;
    void *ctx;
    double width;
    struct oracle_metric *out;
    int count;
};

struct oracle_level1 {
    double slots, retiring, bad, frontend, backend;
};

typedef void oracle_solver(struct oracle *o, const char *variant);

double oracle_event(const struct oracle *o, const char *event);
double oracle_correction(const struct oracle *o, const char *event);
double oracle_max0(double x);
double oracle_min(double a, double b);
void oracle_emit(struct oracle *o, const char *name, double value);
void oracle_emit_level1(struct oracle *o, const struct oracle_level1 *t);

/* X(name, solver, list of events); the four forms of clock and recovery of the families before Ice Lake */
#define ORACLE_GENERIC(X, name, list) \
    X(name, generic, list) \
    X(name "-thread-any", generic, list##_thread_any) \
    X(name "-ebs", generic, list##_ebs) \
    X(name "-smt", generic, list##_smt)

#define ORACLE_VARIANTS(X) \
    ORACLE_GENERIC(X, "snb", snb) \
    ORACLE_GENERIC(X, "ivb", ivb) \
    ORACLE_GENERIC(X, "hsw", hsw) \
    ORACLE_GENERIC(X, "bdw", bdw) \
    ORACLE_GENERIC(X, "skl", skl) \
    X("kernel-topdown", kernel, kernel) \
    X("icl-perf-metrics", icl, icl_metrics) \
    X("icl-events", icl, icl_events) \
    X("glc-perf-metrics", glc_metrics, glc_metrics) \
    X("glc-events", glc_events, glc_events) \
    X("lnc-perf-metrics", lnc_metrics, lnc_metrics) \
    X("lnc-events", lnc_events, lnc_events) \
    X("slm", slm, slm) \
    X("knl", slm, knl) \
    X("goldmont", goldmont, goldmont) \
    X("tremont", tremont, tremont) \
    X("gracemont", gracemont, gracemont) \
    X("gracemont-perf-6.4", gracemont_old, gracemont_old) \
    X("crestmont", crestmont, crestmont) \
    X("skymont", skymont, skymont) \
    X("neoverse", neoverse, neoverse) \
    X("neoverse-less-cycles", neoverse, neoverse) \
    X("neoverse-v1", neoverse, neoverse) \
    X("neoverse-flush", neoverse, neoverse_flush) \
    X("ampereone", ampereone, ampereone) \
    X("hip08", hip08, hip08) \
    X("zen4-dispatch", zen4, zen4) \
    X("zen5-dispatch", zen5, zen5) \
    X("zen6-dispatch", zen6, zen6)

#define ORACLE_DECLARE(name, solver, list) \
    oracle_solver oracle_solve_##solver; \
    extern const char *const oracle_events_##list[];
ORACLE_VARIANTS(ORACLE_DECLARE)
#undef ORACLE_DECLARE

#endif
