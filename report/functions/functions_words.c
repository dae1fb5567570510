/* SPDX-License-Identifier: MIT */
/* What the formats of functions say in words. */
#include "report/digits.h"
#include "report/flags.h"
#include "report/functions/functions_report.h"
#include "report/verdict_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one function ------------------------------------------------------------------ */

static void tell_smeared(const struct td_function *f, char *buf)
{
    const struct td_smear smear = td_function_smear(f);

    if (isnan(smear.rate))
        snprintf(buf, TD_FUNCTIONS_TEXT, "smeared: the program leaves it and comes back between samples");
    else if (smear.pairs)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "smeared: the program leaves it and comes back between the two samples of a pair; "
                 "pairs %s%.2g times as close may resolve it",
                 smear.at_least ? "at least " : "", smear.rate);
    else
        snprintf(
            buf, TD_FUNCTIONS_TEXT,
            "smeared: the program leaves it and comes back between samples; %s%.2g times as many samples per second "
            "may resolve it",
            smear.at_least ? "at least " : "", smear.rate);
}

/* Without printf: a table has more rows with this than with all else. */
static void tell_few(const struct td_function *f, char *buf)
{
    const struct td_smear smear = td_function_smear(f);
    char *at = td_digits_integer(f->intervals, stpcpy(buf, "few_samples: "));

    at = stpcpy(at, smear.pairs ? " pair" : " interval");
    at = stpcpy(at, f->intervals == 1 ? "" : "s");
    if (smear.needed)
        stpcpy(td_digits_integer(smear.needed, stpcpy(at, "; about ")), " are needed, in a longer recording");
    else
        stpcpy(td_digits_integer(td_function_pure(f), stpcpy(at, ", ")), " of them between two samples in it");
}

const char *td_function_verdict(const struct td_function *f, char buf[TD_FUNCTIONS_TEXT])
{
    char line[TD_VERDICT_TEXT];

    if (f->status == TD_PLACE_SMEARED)
        tell_smeared(f, buf);
    else if (f->status == TD_PLACE_FEW_SAMPLES)
        tell_few(f, buf);
    else
        snprintf(buf, TD_FUNCTIONS_TEXT, "%s", td_verdict_line(f->of->verdict, NULL, line));
    return buf;
}

const char *td_function_status(const struct td_function *f, const struct td_metric *m, char buf[TD_FUNCTIONS_TEXT])
{
    char text[TD_STATUS_TEXT];
    const char *place = td_place_status_name(f->status);

    if (place && m->status == TD_NOT_COUNTED)
        return place;
    snprintf(buf, TD_FUNCTIONS_TEXT, "%s", td_status_text(m, text));
    return buf;
}

bool td_function_says(const struct td_function *f, size_t metric)
{
    return f->of->metric[metric]->status != TD_NOT_COUNTED || !isnan(td_function_naive(f, metric));
}

size_t td_functions_shown(const struct td_functions_report *r)
{
    return r->limit && r->limit < r->functions->n ? r->limit : r->functions->n;
}

/* ---- the whole ---------------------------------------------------------------------- */

/* How many percent of all counted slots are in intervals that were left out for that reason. */
static double percent_left(const struct td_functions *f, enum td_sample_start start)
{
    double all = f->slots;

    for (enum td_sample_start i = TD_START_ENABLED; i <= TD_START_THROTTLED; i++)
        all += f->left[i].slots;
    return all > 0 ? 100 * f->left[start].slots / all : 0;
}

static bool tell_left(const struct td_functions *f, enum td_sample_start start, char *buf)
{
    static const char *const why[] = {[TD_START_ENABLED] = "counted since counting was enabled, not since a sample",
                                      [TD_START_LOST] = "over lost samples",
                                      [TD_START_THROTTLED] = "over a time in which the kernel held samples back"};

    if (f->left[start].n)
        snprintf(buf, TD_FUNCTIONS_TEXT, "left out: %" PRIu64 " interval%s %s, %.1f %% of the slots", f->left[start].n,
                 f->left[start].n == 1 ? "" : "s", why[start], percent_left(f, start));
    return f->left[start].n;
}

static bool tell_bounds(const struct td_functions *f, char *buf)
{
    if (td_chance_available())
        snprintf(
            buf, TD_FUNCTIONS_TEXT,
            "bounds are likely ones, for %.0f of 100 values; seed %lu. A program that keeps step with a fixed period "
            "or rate can deceive: compare with another, or with tdprobe record --functions",
            100 * f->confidence, f->seed);
    else
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "there are no bounds: this tdprobe was built without GSL, the GNU Scientific Library");
    return true;
}

static bool tell_still(const struct td_functions_report *r, char *buf)
{
    if (r->about.still)
        snprintf(buf, TD_FUNCTIONS_TEXT, "left out: %" PRIu64 " sample%s that counted nothing since the one before",
                 r->about.still, r->about.still == 1 ? "" : "s");
    return r->about.still;
}

static bool tell_pairs(const struct td_functions_report *r, char *buf)
{
    const struct td_samples_info *a = &r->about;
    const struct td_distances *d = &r->functions->distances;

    if (a->paired && d->n)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "samples are pairs: %" PRIu64 " of them, %" PRIu64 " %s apart (median; %" PRIu64 " .. %" PRIu64
                 "); stay and values are by what lies between the two of a pair",
                 d->n, td_distances_median(d), a->paired, d->least, d->most);
    else if (a->paired)
        snprintf(buf, TD_FUNCTIONS_TEXT, "samples should be pairs, but none were %d to %d %s apart", TD_PAIR_LEAST,
                 TD_PAIR_MOST, a->paired);
    return a->paired;
}

static bool tell_broken(const struct td_samples_info *a, char *buf)
{
    if (a->paired && (a->far || a->broken))
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "no pairs: %" PRIu64 " that were not %d to %d %s apart, %" PRIu64
                 " of which a sample is missing, was lost or held back; they have weight only",
                 a->far, TD_PAIR_LEAST, TD_PAIR_MOST, a->paired, a->broken);
    return a->paired && (a->far || a->broken);
}

static bool tell_handler(const struct td_samples_info *a, char *buf)
{
    if (a->paired && a->handler)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "samples hold slots of the interrupt that took them, as Linux before 6.14 counts them in the kernel's "
                 "mode: values include them, and bounds allow for 24,000 a pair; record with --all-user");
    return a->paired && a->handler;
}

static bool tell_turns(const struct td_functions *f, char *buf)
{
    if (f->turns)
        snprintf(buf, TD_FUNCTIONS_TEXT,
                 "groups of events took turns: what each counted in a function is put together by the cycles that it "
                 "counted there");
    return f->turns;
}

static bool tell(const struct td_functions_report *r, size_t what, char *buf)
{
    switch (what) {
    case 0: return tell_bounds(r->functions, buf);
    case 1: return tell_left(r->functions, TD_START_ENABLED, buf);
    case 2: return tell_left(r->functions, TD_START_LOST, buf);
    case 3: return tell_left(r->functions, TD_START_THROTTLED, buf);
    case 4: return tell_pairs(r, buf);
    case 5: return tell_broken(&r->about, buf);
    case 6: return tell_handler(&r->about, buf);
    case 7: return tell_turns(r->functions, buf);
    default: return tell_still(r, buf);
    }
}

const char *td_functions_note(const struct td_functions_report *r, size_t i, char buf[TD_FUNCTIONS_TEXT])
{
    enum { NOTES = 9 };

    for (size_t what = 0; what < NOTES; what++)
        if (tell(r, what, buf) && !i--)
            return buf;
    return r->annotated ? td_annotated_note(r, i, buf) : td_functions_unnamed(r, i, buf);
}
