/* SPDX-License-Identifier: MIT */
/* Which node is the bottleneck, if the bounds allow one to be named: certainly (TD_VERDICT_DECIDED), or only by likely
 * bounds or a clear lead ("probably", TD_VERDICT_LIKELY). decide_level() decides one level of the tree. */
#include "core/result.h"
#include "core/counts/scope_kind.h"
#include "private/result.h"

#include <math.h>

/* A winner by this much has it whatever the few points are that shares without bounds are off by. */
#define CLEAR_SHARE 0.30
#define CLEAR_LEAD 0.15
#define CLEAR_LACK (0.05 + 1e-9) /* and a term that was left out, if it moves a share by no more, rounded */

static bool bounded(const struct td_metric *m)
{
    return !isnan(m->low) && !isnan(m->high);
}

static double threshold_of(const struct td_result *r, const struct td_metric *m)
{
    return r->nodes[m - r->metrics]->threshold;
}

/* By the tree's own threshold, or else by the published condition. */
static bool has_condition(const struct td_result *r, const struct td_metric *m)
{
    return r->judged && r->nodes[m - r->metrics]->number == TD_NODE_UNNUMBERED && isfinite(threshold_of(r, m));
}

static bool may_be_over(const struct td_result *r, const struct td_metric *m)
{
    if (has_condition(r, m))
        return r->judged[m - r->metrics] & TD_JUDGED_MAY;
    return (isnan(m->high) ? m->value : m->high) > threshold_of(r, m);
}

static bool must_be_over(const struct td_result *r, const struct td_metric *m)
{
    return has_condition(r, m) ? r->judged[m - r->metrics] & TD_JUDGED_MUST : m->low > threshold_of(r, m);
}

/* ---- one node in two names ------------------------------------------------------- */

static bool has_children(const struct td_table *t, const char *node)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->row[i].kind == TD_ROW_NODE && !strcmp(t->texts + t->row[i].parent, node))
            return true;
    return false;
}

static bool same_text(const struct td_table *t, uint32_t a, uint32_t b)
{
    return *(t->texts + a) && !strcmp(t->texts + a, t->texts + b);
}

static bool same_number(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9 * fabs(a);
}

/* Siblings with one value, which the same samples show: publications name a node differently, as
 * perfmon L3_Miss_Bound what toplev calls DRAM_Bound. */
static bool are_one(const struct td_table *t, const struct td_metric *a, const struct td_metric *b)
{
    const int x = td_table_find(t, a->name, strlen(a->name)), y = td_table_find(t, b->name, strlen(b->name));

    return x >= 0 && y >= 0 && x != y && same_text(t, t->row[x].samples, t->row[y].samples) &&
           same_text(t, t->row[x].threshold, t->row[y].threshold) && same_text(t, t->row[x].domain, t->row[y].domain) &&
           same_number(a->value, b->value) && same_number(a->low, b->low) && same_number(a->high, b->high);
}

/* Whether another metric is the same node, under the name that has children. */
static bool is_second_name(const struct td_result *r, const struct td_metric *m)
{
    const struct td_table *t = r->uarch ? r->uarch->table : NULL;
    const uint32_t family = r->family[m - r->metrics];
    bool second = false;

    for (size_t i = 0; t && i < r->nmetrics && !second; i++) {
        const struct td_metric *other = &r->metrics[i];

        if (other != m && other->status == TD_OK && r->family[i] == family && are_one(t, m, other))
            second = has_children(t, other->name) && !has_children(t, m->name);
    }
    return second;
}

/* ---- siblings --------------------------------------------------------------------- */

enum { NO_FAMILY = UINT32_MAX };

/* The children of a node, by the number that they share. */
static uint32_t children_of(const struct td_result *r, const char *parent)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (*r->metrics[i].parent == *parent && !strcmp(r->metrics[i].parent, parent))
            return r->family[i];
    return NO_FAMILY;
}

/* The nodes of a family that may be above their thresholds, largest first.
 * The others limit nothing, however large: retiring 40 % is no bottleneck. */
static size_t suspects(const struct td_result *r, uint32_t family)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];
        size_t at;

        if (r->family[i] != family || m->kind != TD_METRIC_NODE || m->status != TD_OK || !may_be_over(r, m) ||
            (m->level > TD_LEVEL_USUAL && is_second_name(r, m)))
            continue;
        for (at = n++; at > 0 && r->among[at - 1]->value < m->value; at--)
            r->among[at] = r->among[at - 1];
        r->among[at] = m;
    }
    return n;
}

static bool is_top_share(const struct td_result *r, const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && !strcmp(m->unit, "slots") &&
           r->family[m - r->metrics] == children_of(r, "");
}

/* The share of the slots that the level-1 shares with a value leave to one without. NAN: there are no bounds. */
static double left_over(const struct td_result *r)
{
    double left = 1;

    for (size_t i = 0; i < r->nmetrics; i++)
        if (is_top_share(r, &r->metrics[i]) && r->metrics[i].status == TD_OK)
            left -= r->metrics[i].low;
    return left;
}

/* Whether a node of those that have bounds is certain to take more than the others of level 1 leave to an absent one:
 * it is not the absent one then that limits. A term that was left out of one of them may be a part of the absent one.
 */
static bool is_outdone(const struct td_result *r, double left)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (is_top_share(r, &r->metrics[i]) && r->metrics[i].flags & TD_FLAG_CORRECTION_MISSING)
            return false;
    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (is_top_share(r, m) && m->status == TD_OK && must_be_over(r, m) && m->low > left)
            return true;
    }
    return false;
}

/* Whether the others of level 1 leave a node no more than its threshold, or less than the greatest of them takes. If
 * they take more than all slots, an impossible one shows that the counts contradict each other; where counts do, the
 * others may be wrong too. */
static bool has_no_room(const struct td_result *r, const struct td_metric *m)
{
    const double left = is_top_share(r, m) && !r->ncontradictions ? left_over(r) : NAN;

    return (left <= threshold_of(r, m) || is_outdone(r, left)) && (m->status != TD_IMPOSSIBLE || left >= 0);
}

/* A node that should have a value and has none: it might be the bottleneck, unless there is no room for it. */
static const struct td_metric *find_absent(const struct td_result *r, uint32_t family)
{
    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (r->family[i] == family && m->kind == TD_METRIC_NODE && m->status != TD_OK &&
            m->status != TD_NOT_ON_THIS_CPU && m->status != TD_NOT_IN_THIS_FORMULA &&
            m->status != TD_PUBLISHED_FORMULA_WRONG && !has_no_room(r, m))
            return m;
    }
    return NULL;
}

/* What is known of the nodes of a family that have a value. */
struct siblings {
    size_t n;
    bool unbounded; /* the counts contradict each other, and not all have bounds that hold all the same */
    bool likely; /* what is known of them holds in 95 of 100 cases */
    unsigned flags; /* of all */
};

static struct siblings look(const struct td_result *r, uint32_t family)
{
    struct siblings s = {.n = 0};

    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (r->family[i] != family || m->kind != TD_METRIC_NODE || m->status != TD_OK)
            continue;
        s.n++;
        s.likely = s.likely || m->bounds == TD_BOUNDS_LIKELY;
        s.flags |= m->flags;
        s.unbounded = s.unbounded || m->flags & TD_FLAG_COUNTS_DOUBTFUL ||
                      (m->flags & TD_FLAG_SUM_OFF && !bounded(m) && !r->sum_near);
    }
    return s;
}

static bool any_value(const struct td_result *r)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].status == TD_OK)
            return true;
    return false;
}

/* Whether all rests on what is not known of the machine, and not in the bounds: another revision, or threads that share
 * a core, may have another winner. */
static bool assumed(const struct td_result *r)
{
    return r->flags & (TD_FLAG_REVISION_ASSUMED | TD_FLAG_SMT_UNKNOWN);
}

static void decide(const struct td_result *r, struct td_verdict *v, const struct siblings *s)
{
    v->node = r->among[0];
    r->path[v->npath++] = v->node;
    if (!s->likely && !assumed(r) && v->nsound + 1 == v->npath)
        v->nsound++;
    v->status = v->nsound == v->npath ? TD_VERDICT_DECIDED : TD_VERDICT_LIKELY;
}

/* Whether retiring alone may be above its threshold: nothing stalls then, above it or not. */
static bool only_retires(const struct td_result *r, size_t suspects)
{
    return suspects == 1 && !strcmp(r->among[0]->name, "retiring") && !must_be_over(r, r->among[0]);
}

/* How many of the n largest may be the one that limits: those that overlap the largest, and where it need not be above
 * its threshold itself, the next ones until one must be. */
static size_t count_rivals(const struct td_result *r, size_t n)
{
    bool sure = must_be_over(r, r->among[0]);
    size_t rivals = 1;

    while (rivals < n && (!sure || r->among[rivals]->high >= r->among[0]->low)) {
        sure = sure || must_be_over(r, r->among[rivals]);
        rivals++;
    }
    return rivals;
}

/* By how much the terms that its formula lacks may move a share. */
static double lack_of(const struct td_result *r, const struct td_metric *m)
{
    return r->lacks ? r->lacks[m - r->metrics] : 0;
}

/* What a share without bounds is off by is not known, but these are reasons for a few points: that it was scaled up,
 * that events were counted at different times, how long or on how many CPUs, and how often the kernel wrote the
 * metrics register back. Beside these two, no_bounds tells only that no sound ones exist. Of percentages that were
 * printed there is nothing but themselves. */
static bool is_off_by_little(const struct td_result *r, const struct td_metric *m)
{
    const unsigned untold = TD_FLAG_CPUS_UNKNOWN | TD_FLAG_SWITCHES_UNKNOWN;
    const unsigned small = TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS | TD_FLAG_COVERAGE_UNKNOWN |
                           TD_FLAG_CORRECTION_MISSING | TD_FLAG_NEGATIVE | TD_FLAG_OVER_ONE |
                           TD_FLAG_MUX_INTERVAL_ASSUMED | TD_FLAG_REST_OF_SLOTS | untold |
                           (m->flags & untold ? TD_FLAG_NO_BOUNDS : 0u) | (r->sum_near ? TD_FLAG_SUM_OFF : 0u);

    return bounded(m) || r->printed || (m->flags && !(m->flags & ~small) && lack_of(r, m) <= CLEAR_LACK);
}

/* What the shares of level 1 leave to those of its nodes that were not printed. */
static double unprinted(const struct td_result *r)
{
    double left = 1;

    for (size_t i = 0; i < r->nmetrics; i++)
        if (is_top_share(r, &r->metrics[i]) && r->metrics[i].status == TD_OK)
            left -= r->metrics[i].value;
    return left;
}

/* Whether the largest of the n suspects, of which some have no bounds, is so far before the others that no few points
 * matter. */
static bool is_clear(const struct td_result *r, size_t n)
{
    if (!n || r->among[0]->level > TD_LEVEL_USUAL || r->among[0]->value < CLEAR_SHARE)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_off_by_little(r, r->among[i]) || (i && r->among[0]->value - r->among[i]->value < CLEAR_LEAD))
            return false;
    return !r->printed || r->among[0]->level > TD_LEVEL_TOP || r->among[0]->value - unprinted(r) >= CLEAR_LEAD;
}

/* Whether a share is likely to be greater than another, though the bounds of the two overlap: their difference is off
 * by less than both of them together, where what each is off by is its own, as what the kernel dropped of a field of
 * the metrics register is. Terms that were left out add to one what they take from the other; what windows of the
 * rotation did not see does so, too. */
static bool exceeds(const struct td_result *r, const struct td_metric *a, const struct td_metric *b)
{
    const unsigned own = TD_FLAG_NO_BOUNDS | TD_FLAG_SUM_OFF | TD_FLAG_SWITCHES_UNKNOWN | TD_FLAG_CORRECTION_MISSING |
                         TD_FLAG_NEGATIVE | TD_FLAG_OVER_ONE;
    const double less = a->value - a->low - lack_of(r, a), more = b->high - b->value - lack_of(r, b);

    return !((a->flags | b->flags) & ~own) &&
           a->value - b->value > sqrt(less * less + more * more) + lack_of(r, a) + lack_of(r, b);
}

/* Whether the largest of level 1 is likely to be greater than each of the others of the n whose bounds overlap its. */
static bool exceeds_all(const struct td_result *r, size_t n)
{
    if (!must_be_over(r, r->among[0]) || !is_top_share(r, r->among[0]))
        return false;
    for (size_t i = 1; i < n; i++)
        if (!exceeds(r, r->among[0], r->among[i]))
            return false;
    return true;
}

/* Whether the node that was not recorded takes what the other shares of level 1 leave by their values, and the largest
 * is as far before that as before the others: bounds of each, which are wide because each may be off by itself, do not
 * know that together they are all slots. */
static bool leads_absent(const struct td_result *r, const struct td_metric *absent, size_t n)
{
    double left = 1;

    if (!n || !is_top_share(r, absent) || absent->status != TD_MISSING_EVENT || r->ncontradictions)
        return false;
    for (size_t i = 0; i < r->nmetrics; i++) {
        const struct td_metric *m = &r->metrics[i];

        if (!is_top_share(r, m) || m == absent)
            continue;
        if (m->status != TD_OK || m->flags & TD_FLAG_CORRECTION_MISSING || !is_off_by_little(r, m))
            return false;
        left -= m->value;
    }
    return r->among[0]->value >= CLEAR_SHARE && r->among[0]->value - left >= CLEAR_LEAD;
}

/* Settles one level: true if its winner is decided and has become v->node. */
static bool decide_level(const struct td_result *r, uint32_t family, const struct siblings *s, struct td_verdict *v)
{
    const size_t n = suspects(r, family);
    struct siblings known = *s;
    size_t rivals;

    v->namong = 0;
    v->absent = find_absent(r, family);
    if (v->absent && leads_absent(r, v->absent, n)) {
        v->absent = NULL;
        known.likely = true;
    }
    v->unbounded = s->unbounded;
    for (size_t i = 0; i < n; i++)
        v->unbounded = v->unbounded || !bounded(v->among[i]);
    if (!v->absent && v->unbounded && !s->unbounded && is_clear(r, n)) {
        v->unbounded = false;
        decide(r, v, &(struct siblings){.likely = true});
        return true;
    }
    v->unbounded = v->unbounded || (r->printed && family == children_of(r, "") && unprinted(r) >= CLEAR_LEAD);
    if (v->absent || v->unbounded) {
        v->namong = n;
        return false;
    }
    if (!n || only_retires(r, n))
        return false;
    rivals = count_rivals(r, n);
    if ((rivals > 1 && !(s->likely && exceeds_all(r, rivals))) || !must_be_over(r, v->among[0])) {
        v->namong = rivals;
        return false;
    }
    decide(r, v, &known);
    return true;
}

/* ---- what would decide it ----------------------------------------------------- */

static bool deeper(const struct td_result *r)
{
    for (size_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].level > TD_LEVEL_TOP && r->metrics[i].status == TD_OK)
            return true;
    return false;
}

/* Without bounds: by the reason that a flag gives. */
static enum td_remedy for_bounds(const struct td_result *r, unsigned flags)
{
    if (flags & TD_FLAG_COUNTS_DOUBTFUL || (flags & TD_FLAG_SUM_OFF && !r->sum_near))
        return TD_REMEDY_DOCTOR;
    if (flags & TD_FLAG_ONE_SIBLING)
        return TD_REMEDY_CORES;
    if (flags & TD_FLAG_SMT_UNKNOWN && !(flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)))
        return r->smt_unknown ? TD_REMEDY_SMT : TD_REMEDY_NONE;
    if (flags & TD_FLAG_FEW_WINDOWS)
        return TD_REMEDY_LONGER;
    if (flags & TD_FLAG_SPLIT_GROUPS && !(flags & TD_FLAG_MULTIPLEXED) && r->summary)
        return TD_REMEDY_RUNS;
    if (flags & (TD_FLAG_CPUS_UNKNOWN | TD_FLAG_COVERAGE_UNKNOWN | TD_FLAG_NO_LIMITS))
        return TD_REMEDY_INTERVALS;
    if (flags & TD_FLAG_MULTIPLEXED)
        return deeper(r) ? TD_REMEDY_LEVEL_1 : TD_REMEDY_FEWER_EVENTS;
    return flags & (TD_FLAG_SWITCHES_UNKNOWN | TD_FLAG_MANY_SWITCHES) ? TD_REMEDY_WHOLE_CPUS : TD_REMEDY_NONE;
}

/* Whether a node is undecided whose formula is of one CPU's counts, where those of several were added up. */
static bool sums_cpus(const struct td_result *r, const struct td_verdict *v)
{
    bool sums = false;

    for (size_t i = 0; r->per_cpu && i < v->namong; i++)
        sums = sums || r->per_cpu[v->among[i] - r->metrics];
    return sums && r->at.scope_kind != TD_KIND_NONE && (r->several_cpus || !td_kind_one_cpu(r->at.scope_kind));
}

/* Likely bounds get narrower with more windows, or with fewer groups to share the time, or
 * where no task's register is written back. */
static enum td_remedy for_narrower(const struct td_result *r, const struct siblings *s, const char *parent)
{
    if (!s->likely)
        return TD_REMEDY_NONE;
    if (s->flags & TD_FLAG_SMT_UNKNOWN && !(s->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)))
        return r->smt_unknown ? TD_REMEDY_SMT : TD_REMEDY_NONE;
    if (s->flags & TD_FLAG_ONE_SIBLING && !(s->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS)))
        return TD_REMEDY_CORES;
    if (!(s->flags & TD_FLAG_MULTIPLEXED))
        return s->flags & TD_FLAG_SPLIT_GROUPS ? TD_REMEDY_RUNS : TD_REMEDY_WHOLE_CPUS;
    return !*parent && deeper(r) ? TD_REMEDY_LEVEL_1 : TD_REMEDY_LONGER;
}

static void find_remedy(const struct td_result *r, const char *parent, const struct siblings *s, struct td_verdict *v)
{
    if (v->absent && v->absent->status == TD_IMPOSSIBLE && !*parent &&
        (r->ncontradictions || !(s->flags & TD_FLAG_MULTIPLEXED)))
        v->remedy = TD_REMEDY_DOCTOR;
    if (v->absent || (!v->unbounded && !v->namong))
        return;
    v->remedy = v->unbounded      ? for_bounds(r, s->flags)
                : sums_cpus(r, v) ? TD_REMEDY_ONE_CPU
                                  : for_narrower(r, s, parent);
}

const struct td_verdict *td_result_verdict(const struct td_result *r)
{
    td_result_verdict_below(r, "", &r->given->verdict);
    return &r->given->verdict;
}

void td_result_verdict_below(const struct td_result *r, const char *parent, struct td_verdict *out)
{
    uint32_t family = children_of(r, parent);
    struct siblings s = look(r, family);

    *out = (struct td_verdict){
        .among = r->among, .path = r->path, .status = TD_VERDICT_UNDECIDED, .no_values = !any_value(r)};
    if (!s.n) {
        out->absent = find_absent(r, family);
        out->remedy = out->absent && out->absent->why && r->ncontradictions ? TD_REMEDY_DOCTOR : TD_REMEDY_NONE;
        return;
    }
    while (s.n && decide_level(r, family, &s, out)) {
        parent = out->node->name;
        family = children_of(r, parent);
        s = look(r, family);
    }
    if (!out->node && !out->namong && !out->absent && !out->unbounded)
        out->status = TD_VERDICT_NONE;
    find_remedy(r, parent, &s, out);
}

/* The conditions of deeper nodes were judged by the result's own bounds: here their thresholds alone count. */
void td_result_verdict_by(const struct td_result *r, const struct td_metric *metrics, struct td_verdict *out)
{
    struct td_result other = *r;

    other.metrics = (struct td_metric *)(uintptr_t)metrics; /* only read */
    other.judged = NULL;
    td_result_verdict_below(&other, "", out);
}
