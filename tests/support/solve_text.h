/* SPDX-License-Identifier: MIT */
/* Counts written as text, solved, and the answer checked: for the tests of the solver. */
#ifndef SOLVE_TEXT_H
#define SOLVE_TEXT_H

#include "backends/nodes.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct td_counts counts;
static struct td_hints hints;
static struct td_forms *forms; /* of the last answer, which uses their texts */
static const struct td_solve_ask usual = {
    .level = 2, .fixed = true, .smt_off = true, .whole_core = true, .hints = &hints};
static struct td_solve_ask ask = {.level = 2, .fixed = true, .smt_off = true, .whole_core = true, .hints = &hints};
static struct td_result r;

/* 0 to 14: a node by a published formula; 15: no node; 16 and more: a node by its plain name. */
static uint16_t hint_of(unsigned number)
{
    return number == 15 ? TD_HINT_OTHER : number < 15 ? td_hint_published(number) : td_hint_plain(number - 16);
}

/* What follows an event's value: @group, %running of 100, /enabled in place of these 100, m modes, or that it
 * was not counted (N), not supported (S), reset (R), or named as perf names it (G);
 * P: the metric with this number was printed beside it. */
static void parse_count(const char *at, struct td_count *c)
{
    for (char what; (what = *at);) {
        char *end = (char *)at + 1;
        double number = strchr("NSRG", what) ? 0 : strtod(at + 1, &end);

        switch (what) {
        case '@': c->group = (uint16_t)number; break;
        case '%': c->running = number; break;
        case '/': c->enabled = number; break;
        case 'G': c->generic = true; break;
        case 'P':
            c->printed = td_hints_join(&hints, c->printed, td_hints_one(&hints, hint_of((unsigned)number)));
            break;
        case 'm': c->modes = (uint8_t)number; break;
        default: c->status = what == 'N' ? TD_NOT_COUNTED : what == 'S' ? TD_NOT_SUPPORTED : TD_COUNTER_RESET;
        }
        at = end;
    }
}

/* "EVENT=1000@1%50 EVENT=..." */
static void parse_counts(const struct td_uarch *u, const char *text)
{
    char words[2048] = "", *save = NULL, *value;

    strncat(words, text, sizeof(words) - 1);
    counts.n = 0;
    for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        struct td_count c = {.enabled = 100, .running = 100};
        int event;

        word[strcspn(word, "=")] = '\0';
        event = td_uarch_event_number(u, word);
        CU_assertImplementation(event >= 0, __LINE__, word, __FILE__, "", CU_TRUE);
        c.event = (uint16_t)event;
        c.value = strtod(word + strlen(word) + 1, &value);
        parse_count(value, &c);
        CU_assertImplementation(td_counts_append(&counts, &c) == 0, __LINE__, word, __FILE__, "", CU_TRUE);
    }
    CU_assertImplementation(td_counts_quantise(&counts, u, 1) == 0, __LINE__, text, __FILE__, "", CU_TRUE);
}

static void use_forms(const struct td_uarch *u)
{
    td_forms_free(forms);
    forms = NULL;
    CU_ASSERT_FATAL(u && !td_forms_new(u, &forms));
}

static inline void solve(const char *cpu, const char *text)
{
    const struct td_uarch *u = td_uarch_by_name(cpu);

    use_forms(u);
    parse_counts(u, text);
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
}

/* With the forms of the last answer, including what they have kept of it. */
static inline void solve_again(const char *text)
{
    parse_counts(td_forms_uarch(forms), text);
    CU_ASSERT_EQUAL_FATAL(td_solve(forms, &counts, &ask, &r), 0);
}

static const struct td_metric *metric(const char *name)
{
    static const struct td_metric none = {.status = TD_EPOCH_CHANGED};

    for (size_t i = 0; i < r.nmetrics; i++)
        if (!strcmp(r.metrics[i].name, name))
            return &r.metrics[i];
    return &none;
}

static void check(bool good, const char *what, int line)
{
    CU_assertImplementation(good, (unsigned)line, what, __BASE_FILE__, "", CU_FALSE);
}

static inline void absent(const char *name, enum td_status why, const char *event, int line)
{
    const struct td_metric *m = metric(name);

    check(m->status == why && isnan(m->value) && isnan(m->low) && isnan(m->high), name, line);
    check(event ? m->event && !strcmp(m->event, event) : !m->event, name, line);
}

static inline bool is(double given, double wanted)
{
    return fabs(given - wanted) < 1e-12;
}

#define GIVES(n, number) check(metric(n)->status == TD_OK && is(metric(n)->value, number), n, __LINE__)
#define RAW(n, number) \
    check(metric(n)->status == TD_IMPOSSIBLE && is(metric(n)->raw, number) && isnan(metric(n)->value), n, __LINE__)
#define ABSENT(n, why, event) absent(n, why, event, __LINE__)
#define FLAGS(n, wanted) check(metric(n)->flags == (unsigned)(wanted), n, __LINE__)
#define BOUNDED(n) check(metric(n)->low < metric(n)->value && metric(n)->value < metric(n)->high, n, __LINE__)
#define UNBOUNDED(n) check(isnan(metric(n)->low) && isnan(metric(n)->high), n, __LINE__)
#define EXACT(n) check(metric(n)->low == metric(n)->value && metric(n)->value == metric(n)->high, n, __LINE__)
#define LIKELY(n, least, most) \
    check(metric(n)->bounds == TD_BOUNDS_LIKELY && is(metric(n)->low, least) && is(metric(n)->high, most), n, __LINE__)
#define FORMULA(text) check(!strcmp(r.formula, text), text, __LINE__)

/* A whole reading of Ice Lake and later, and of Golden Cove: 1000 slots, 500 of which retire. */
#define FOUR(g, ret, bad, fe, be) \
    "slots=1000@" g " topdown-retiring=" ret "@" g " topdown-bad-spec=" bad "@" g " topdown-fe-bound=" fe "@" g \
    " topdown-be-bound=" be "@" g " "
#define EIGHT \
    FOUR("2", "500", "100", "200", "200") \
    "topdown-heavy-ops=50@2 topdown-br-mispredict=80@2 topdown-fetch-lat=120@2 topdown-mem-bound=150@2 "

#endif
