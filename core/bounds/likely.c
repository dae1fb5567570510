/* SPDX-License-Identifier: MIT */
/* Likely bounds from windows of the rotation, from the spread of intervals, and
 * from the kernel's restores of the metrics register. */
#include "core/bounds/likely.h"

#include "core/formula/range.h"
#include "util/student.h"

#include <math.h>

/* Half the width of fair bounds, in standard deviations. 1.96 would do if windows
 * were drawn at random. They come at equal distances, and where a program's phases
 * recur too, windows hit some phases too often: 2.2 keeps 95 % for phases shorter
 * than a quarter of a rotation. */
#define FAIR 2.2
/* What never happened in n independent windows happens in at most 3 / n of all, in 95 of 100 cases. */
#define RARE 3.0
/* td_likely_in_step(): the difference of two groups that saw the windows by chance
 * has at most the relative variance 2 / windows, that of an event that comes all or none. */
#define APART_MANY 2.2 /* over that variance: the mean of 8 and more squares */
#define APART_FEW 3.5 /* for fewer */
#define APART_MEAN 2.0 /* over td_student(): the mean difference, in its standard errors */
#define APART_LEAST 0.01 /* below this it matters to no bound */
/* 1.96 / sqrt(12): roundings are evenly distributed over one unit. */
#define ROUNDING 0.57
#define FIELD_UNIT (1 / 255.0)
/* td_likely_reads(): the probability that all of the reads missed, at most. */
#define MISSED 0.05
#define READS_MAX 1000 /* an event that counts for less than 3 parts of 1,000 */

static const char *const names[] = {
    [TD_LIKELY_FEW_WINDOWS] = "few_windows",     [TD_LIKELY_NO_COVERAGE] = "coverage_unknown",
    [TD_LIKELY_NO_CPUS] = "cpus_unknown",        [TD_LIKELY_IN_STEP] = "in_step",
    [TD_LIKELY_NO_LIMITS] = "no_limits",         [TD_LIKELY_NO_SWITCHES] = "switches_unknown",
    [TD_LIKELY_MANY_SWITCHES] = "many_switches",
};

const char *td_likely_name(enum td_likely_why why)
{
    return names[why];
}

enum td_likely_why td_likely_windows(const struct td_likely_times *t, struct td_likely_windows *out)
{
    double cpus = t->cpus;

    *out = (struct td_likely_windows){NAN, NAN};
    if (!(t->running >= 0 && t->enabled > 0 && t->interval > 0))
        return TD_LIKELY_NO_COVERAGE;
    if (cpus <= 0 && t->elapsed > 0)
        cpus = td_most(1, t->enabled / t->elapsed);
    if (!(cpus > 0))
        return TD_LIKELY_NO_CPUS;
    out->all = t->enabled / cpus / t->interval;
    out->seen = td_least(t->running, t->enabled) / cpus / t->interval;
    return TD_LIKELY_GIVEN;
}

double td_likely_pull(double value, double up, double down)
{
    return isnan(up) || isnan(down) ? NAN : td_most(fabs(up - value), fabs(down - value)) / TD_LIKELY_STEP;
}

/* ---- fair bounds: from the number of windows alone ---------------------------- */

static double unseen(const struct td_likely_group *g)
{
    return td_most(1 - g->windows.seen / g->windows.all, 0); /* 0 where no windows are known */
}

/* A variance added up over groups. Variances of independent windows add. Windows of
 * different groups exclude each other, which cancels the benefit of the share of the windows
 * that each has seen; that share helps only as far as fully dependent errors allow. */
struct variance {
    double sum, root; /* root: sum of standard deviations */
};

static void variance_add(struct variance *v, const struct td_likely_group *g, double missed, double of_one_window)
{
    v->sum += of_one_window / g->windows.seen;
    v->root += sqrt(of_one_window * missed / g->windows.seen);
}

static double variance_of(const struct variance *v)
{
    return td_least(v->sum, v->root * v->root);
}

/* The greatest variance, from window to window, of counts that make up this part of the
 * metric: all that is known is that they are not negative, and that one window
 * counts for uneven at most (Bhatia and Davis: (most - mean) * (mean - least)). A part
 * that is more than half, or more than all, may come in every second window. */
static double part_variance(double part, double uneven)
{
    if (part < uneven / 2)
        return part * (uneven - part);
    return uneven * uneven / 4 * td_most(1, part * part);
}

/* The question, on a scale where the metric goes from 0 to 1. */
struct scale {
    double least, width, share;
};

static struct scale scale_of(const struct td_likely_ask *ask)
{
    /* a value beyond its limits may really be twice as far beyond them */
    double least = ask->least - ask->slack - 2 * td_most(0, ask->least - ask->value);
    double most = ask->most + ask->slack + 2 * td_most(0, ask->value - ask->most);

    return (struct scale){least, most - least, (ask->value - least) / (most - least)};
}

/* What a group adds beyond the metric's own variance: differences of counts that
 * were seen at different times vary more than what remains of the counts. */
static double beyond(const struct td_likely_ask *ask, const struct scale *s, size_t g)
{
    const struct td_likely_group *group = &ask->groups[g];

    return td_most(0, part_variance(group->pull / s->width, group->uneven) - group->uneven * s->share * (1 - s->share));
}

/* The share p, at one side of x, that is the furthest for which x is likely:
 * |p - x| = FAIR * sqrt(p * (1 - p) / windows) (Wilson). */
static double furthest(double x, double windows, int side)
{
    double k = FAIR * FAIR / windows;

    return (x + k / 2 + side * sqrt(k * x * (1 - x) + k * k / 4)) / (1 + k);
}

static double clamp01(double x)
{
    return td_least(td_most(x, 0), 1);
}

/* Two independent errors together. */
static double away(double a, double b)
{
    return sqrt(a * a + b * b);
}

struct interval {
    double low, high; /* distances from the value, both >= 0 */
};

static struct interval fair(const struct td_likely_ask *ask)
{
    const struct scale s = scale_of(ask);
    struct variance own = {0, 0}, more = {0, 0};
    double least_all = HUGE_VAL, windows, step, extra;

    for (size_t g = 0; g < ask->ngroups; g++) {
        const double missed = unseen(&ask->groups[g]);

        if (missed == 0)
            continue;
        variance_add(&own, &ask->groups[g], missed, ask->groups[g].uneven);
        if (ask->ngroups > 1)
            variance_add(&more, &ask->groups[g], missed, beyond(ask, &s, g));
        least_all = td_least(least_all, ask->groups[g].windows.all);
    }
    windows = 1 / variance_of(&own);
    step = td_most(1 / windows, 1 / least_all) / 2; /* shares of windows come in steps */
    extra = FAIR * sqrt(variance_of(&more));
    return (struct interval){
        s.width * away(s.share - furthest(clamp01(s.share - step), windows, -1), extra),
        s.width * away(furthest(clamp01(s.share + step), windows, 1) - s.share, extra),
    };
}

/* ---- spread of the recording's intervals -------------------------------------- */

/* Joins the intervals into at most TD_LIKELY_PARTS_MAX, as equal in length as possible. */
static size_t join(const double *parts, size_t n, double out[TD_LIKELY_PARTS_MAX])
{
    size_t room = n < TD_LIKELY_PARTS_MAX ? n : TD_LIKELY_PARTS_MAX;

    for (size_t i = 0; i < room; i++)
        out[i] = 0;
    for (size_t i = 0; i < n; i++)
        out[i * room / n] += parts[i];
    return room;
}

/* Joins pairs; a last one without a partner joins the pair before it. */
static size_t halve(double *parts, size_t n)
{
    for (size_t i = 0; i < n / 2; i++)
        parts[i] = parts[2 * i] + parts[2 * i + 1];
    if (n % 2)
        parts[n / 2 - 1] += parts[n - 1];
    return n / 2;
}

/* t times the standard error of the sum of all parts, from how they differ. degrees: of t. */
static double error_of(const double *parts, size_t n, size_t degrees)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        mean += parts[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (parts[i] - mean) * (parts[i] - mean);
    return td_student(degrees) * sqrt(squares * (double)n / (double)(n - 1));
}

static double sum_error(const double *parts, size_t n)
{
    return error_of(parts, n, n - 1);
}

/* The distance from the least to the greatest of the intervals' own values. */
static double parts_range(const double *parts, size_t n)
{
    double least = parts[0], most = parts[0];

    for (size_t i = 1; i < n; i++) {
        least = fmin(least, parts[i]);
        most = fmax(most, parts[i]);
    }
    return (double)n * (most - least);
}

/* The intervals differ by their errors and by what the program did: taking all of it as
 * error is safe if errors are independent from interval to interval. If they are
 * correlated, joined intervals differ more than single ones suggest: the widest
 * spread counts. All intervals may have missed a rare phase. */
static struct interval spread(const struct td_likely_ask *ask)
{
    double parts[TD_LIKELY_PARTS_MAX], width, error = 0, rare = 0;
    size_t n = join(ask->parts, ask->nparts, parts);

    width = isfinite(ask->most - ask->least) ? ask->most - ask->least : parts_range(parts, n);
    for (size_t g = 0; g < ask->ngroups; g++)
        rare += RARE * unseen(&ask->groups[g]) * ask->groups[g].uneven / ask->groups[g].windows.seen;
    for (; n >= TD_LIKELY_PARTS_MIN; n = halve(parts, n))
        error = fmax(error, sum_error(parts, n));
    return (struct interval){error + rare * width, error + rare * width};
}

/* ---- runs that counted different groups --------------------------------------- */

enum td_likely_why td_likely_apart(const struct td_likely_apart *ask, double *low, double *high)
{
    double parts[TD_LIKELY_PARTS_MAX], error = 0;
    size_t n = join(ask->parts, ask->nparts, parts);

    *low = *high = NAN;
    if (n < TD_LIKELY_PARTS_MIN || ask->times < TD_LIKELY_PARTS_MIN || !isfinite(ask->value))
        return TD_LIKELY_NO_LIMITS;
    for (; n >= TD_LIKELY_PARTS_MIN; n = halve(parts, n))
        error = fmax(error, error_of(parts, n, n < ask->times ? n - 1 : ask->times - 1));
    *low = (isnan(ask->low) ? ask->value : fmin(ask->low, ask->value)) - error;
    *high = (isnan(ask->high) ? ask->value : fmax(ask->high, ask->value)) + error;
    return TD_LIKELY_GIVEN;
}

/* ---- both --------------------------------------------------------------------- */

static bool limited(const struct td_likely_ask *ask)
{
    if (!isfinite(ask->least) || !isfinite(ask->most))
        return false;
    for (size_t g = 0; ask->ngroups > 1 && g < ask->ngroups; g++)
        if (!isfinite(ask->groups[g].pull))
            return false;
    return true;
}

static enum td_likely_why check_windows(const struct td_likely_group *g)
{
    if (!(g->windows.seen >= 0 && g->windows.all > 0))
        return TD_LIKELY_NO_COVERAGE;
    return unseen(g) > 0 && g->windows.seen < TD_LIKELY_WINDOWS_MIN * g->uneven ? TD_LIKELY_FEW_WINDOWS
                                                                                : TD_LIKELY_GIVEN;
}

static enum td_likely_why sampling_error(const struct td_likely_ask *ask, struct interval *out)
{
    enum td_likely_why why = TD_LIKELY_GIVEN;
    struct interval narrower = {HUGE_VAL, HUGE_VAL}, s;
    bool multiplexed = false;

    for (size_t g = 0; g < ask->ngroups && why == TD_LIKELY_GIVEN; g++) {
        why = check_windows(&ask->groups[g]);
        multiplexed = multiplexed || unseen(&ask->groups[g]) > 0;
    }
    *out = (struct interval){0, 0};
    if (why != TD_LIKELY_GIVEN || !multiplexed)
        return why;
    if (limited(ask))
        narrower = fair(ask);
    if (ask->nparts >= TD_LIKELY_PARTS_MIN) {
        s = spread(ask);
        narrower = (struct interval){fmin(narrower.low, s.low), fmin(narrower.high, s.high)};
    }
    *out = narrower;
    return isfinite(narrower.low) && isfinite(narrower.high) ? TD_LIKELY_GIVEN : TD_LIKELY_NO_LIMITS;
}

enum td_likely_why td_likely_bounds(const struct td_likely_ask *ask, double *low, double *high)
{
    struct interval error = {0, 0};
    enum td_likely_why why = isfinite(ask->value) ? sampling_error(ask, &error) : TD_LIKELY_NO_LIMITS;

    *low = *high = NAN;
    if (why != TD_LIKELY_GIVEN)
        return why;
    *low = (isnan(ask->low) ? ask->value : td_least(ask->low, ask->value)) - error.low;
    *high = (isnan(ask->high) ? ask->value : td_most(ask->high, ask->value)) + error.high;
    return TD_LIKELY_GIVEN;
}

/* ---- resonance ---------------------------------------------------------------- */

static bool squares_too_large(const double *apart, size_t n, double windows)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++)
        squares += apart[i] * apart[i] / (double)n;
    return squares > (n >= TD_LIKELY_PARTS_MIN ? APART_MANY : APART_FEW) * 2 / windows;
}

/* Locked: the same difference in all intervals. */
static bool mean_too_large(const double *apart, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += apart[i] / (double)n;
    /* sum_error(): of the sum */
    return fabs(mean) > APART_LEAST && fabs(mean) > APART_MEAN * sum_error(apart, n) / (double)n;
}

bool td_likely_in_step(const double *apart, size_t n, double windows)
{
    double mean[TD_LIKELY_PARTS_MAX];
    size_t joined;

    if (n < TD_LIKELY_PARTS_MIN || !(windows > 0))
        return false;
    joined = join(apart, n, mean);
    for (size_t i = 0; i < joined; i++)
        mean[i] *= (double)joined / (double)n;
    windows *= (double)n / (double)joined;
    if (mean_too_large(mean, joined))
        return true;
    /* a slow beat, or a rhythm that loses step now and then, shows in longer stretches */
    for (; joined > 0; joined = joined > 1 ? halve(mean, joined) : 0, windows *= 2) {
        if (squares_too_large(mean, joined, windows))
            return true;
        for (size_t i = 0; i < joined; i++)
            mean[i] /= 2;
    }
    return false;
}

/* ---- restores of the metrics register ----------------------------------------- */

enum td_likely_why td_likely_restored(double switches, double held, double of, double *slots)
{
    *slots = NAN;
    if (!(switches >= 0))
        return TD_LIKELY_NO_SWITCHES;
    /* Hardware that truncates loses half a unit of all that the register holds each
     * time, on average; hardware that rounds loses or gains up to half a unit, and may
     * do the same each time. The second term is the scatter of roundings. */
    *slots = (switches / 2 + ROUNDING * sqrt(switches)) * FIELD_UNIT * held;
    return *slots <= TD_LIKELY_RESTORED_MAX * of ? TD_LIKELY_GIVEN : TD_LIKELY_MANY_SWITCHES;
}

double td_likely_sum_off(double sum, double slots)
{
    const double off = fabs(sum - slots) / slots;

    return off <= TD_LIKELY_SUM_OFF_MOST ? off : HUGE_VAL;
}

unsigned td_likely_reads(double busy)
{
    unsigned reads = 1;

    if (!(busy > 0))
        return 0;
    for (double missed = 1 - busy; missed > MISSED && reads <= READS_MAX; missed *= 1 - busy)
        reads++;
    return reads <= READS_MAX ? reads : 0;
}
