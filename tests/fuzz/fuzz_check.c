/* SPDX-License-Identifier: MIT */
/* What the documentation in tdprobe.h promises of every result. */
#include "tests/fuzz/fuzz.h"

#include <math.h>

static const unsigned unbounded = TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_SUM_OFF | TD_FLAG_NO_BOUNDS |
                                  TD_FLAG_ONE_SIBLING | TD_FLAG_COUNTS_DOUBTFUL | TD_FLAG_CORRECTION_MISSING |
                                  TD_FLAG_REST_OF_SLOTS;

/* With these there are not even likely bounds. */
static const unsigned hopeless = TD_FLAG_COUNTS_DOUBTFUL | TD_FLAG_FEW_WINDOWS | TD_FLAG_COVERAGE_UNKNOWN |
                                 TD_FLAG_CPUS_UNKNOWN | TD_FLAG_IN_STEP | TD_FLAG_NO_LIMITS | TD_FLAG_SWITCHES_UNKNOWN |
                                 TD_FLAG_MANY_SWITCHES;

void fuzz_note(void *ctx, const char *text)
{
    (void)ctx;
    require(text && *text && !strchr(text, '\n'));
}

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

static void check_numbers(const struct td_metric *m)
{
    require((m->status == TD_OK) == !isnan(m->value));
    require(m->status != TD_OK || (m->value >= -0.05 && m->value <= 1.05));
    require((m->status == TD_IMPOSSIBLE) == !isnan(m->raw));
    require(isnan(m->low) == isnan(m->high));
    require(isnan(m->low) || (m->status == TD_OK && isfinite(m->low) && isfinite(m->high)));
    require(isnan(m->low) || (m->low <= m->value && m->value <= m->high));
    require((m->bounds == TD_BOUNDS_NONE) == isnan(m->low));
    require(m->status != TD_OK || (m->bounds == TD_BOUNDS_SOUND) == !(m->flags & unbounded));
    require(m->bounds != TD_BOUNDS_LIKELY || !(m->flags & hopeless));
    require(m->status != TD_OK || (m->value < 0) == !!(m->flags & TD_FLAG_NEGATIVE));
    require(m->status != TD_OK || (m->value > 1) == !!(m->flags & TD_FLAG_OVER_ONE));
}

static void check_metric(const struct td_result *r, const struct td_metric *m)
{
    require(m->name && *m->name && m->parent && m->unit && *m->unit);
    require(m->level == 1 || m->level == 2);
    require((m->level == 1) == !*m->parent);
    require(strcmp(td_status_name(m->status), "unknown"));
    require(m->status != TD_MISSING_EVENT || (m->event && *m->event));
    require(!(m->flags & ~td_result_flags(r)));
    require(!!m->corrections == !!(m->flags & TD_FLAG_CORRECTION_MISSING));
    for (size_t i = 0; m->corrections >> i; i++)
        require(!(m->corrections >> i & 1) || td_result_correction(r, i));
    check_numbers(m);
}

static void check_counts(const struct td_result *r)
{
    for (size_t i = 0; i < td_result_counts(r); i++) {
        struct td_event_count c = *td_result_count(r, i);

        require(c.event && *c.event);
        require(strcmp(td_status_name(c.status), "unknown"));
        require(c.status != TD_OK || isfinite(c.value));
        require(isnan(c.coverage) || is_share(c.coverage));
    }
}

static void check_verdict(const struct td_result *r)
{
    struct td_verdict v;

    v = *td_result_verdict(r);
    /* what is likely may be so by the values alone */
    require(!v.node || (v.node->status == TD_OK && (!isnan(v.node->low) || v.status == TD_VERDICT_LIKELY)));
    require(!v.absent || v.absent->status != TD_OK);
    require(!v.unbounded || v.namong || v.absent || v.remedy == TD_REMEDY_DOCTOR);
    require(!v.node == !v.npath && v.nsound <= v.npath && (!v.node || v.path[v.npath - 1] == v.node));
    require(!v.node == (v.status == TD_VERDICT_UNDECIDED || v.status == TD_VERDICT_NONE));
    require(!v.node || (v.status == TD_VERDICT_DECIDED) == (v.nsound == v.npath));
    require(v.namong <= td_result_metrics(r));
    for (size_t i = 0; i < v.namong; i++) {
        require(v.among[i]->status == TD_OK);
        require(!strcmp(v.among[i]->parent, v.node ? v.node->name : ""));
        require(!i || v.among[i]->value <= v.among[i - 1]->value);
        require(v.unbounded || v.absent || !isnan(v.among[i]->low));
    }
}

void fuzz_check(const struct td_result *r, bool summary)
{
    const char *core = td_result_core(r);
    uint64_t ns;

    require(td_result_scope(r) && *td_result_scope(r) && td_result_scope_kind(r) && *td_result_scope_kind(r));
    require(!core || !strcmp(core, "P") || !strcmp(core, "E") || !strcmp(core, "LP"));
    require(td_result_cpu(r) && *td_result_cpu(r) && *td_result_backend(r) && *td_result_formula(r));
    require(td_result_is_summary(r) == summary);
    td_result_time(r, &ns);
    require(isnan(td_result_coverage(r)) || is_share(td_result_coverage(r)));
    for (unsigned flags = td_result_flags(r), bit = 1; flags; bit <<= 1) {
        require(!(flags & bit) || td_flag_name(bit));
        flags &= ~bit;
    }
    require(td_result_metrics(r) && !td_result_metric(r, td_result_metrics(r)));
    for (size_t i = 0; i < td_result_metrics(r); i++)
        check_metric(r, td_result_metric(r, i));
    check_counts(r);
    check_verdict(r);
}
