/* SPDX-License-Identifier: MIT */
#include "tests/support/synthetic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CORRECTIONS = 20, /* events that formulas take as corrections only: the last ones */
    COUNTED = SYNTHETIC_EVENTS - CORRECTIONS,
    OF_A_GROUP = SYNTHETIC_COPIES / SYNTHETIC_GROUPS, /* and one more in the first groups */
};

static unsigned below(struct synthetic *s, unsigned n)
{
    return (unsigned)unit_random_below(&s->random, n);
}

/* ---- which events are in a group --------------------------------------------------- */

static size_t group_start(size_t group)
{
    return group * SYNTHETIC_COPIES / SYNTHETIC_GROUPS;
}

/* Every event is in a group; no event is twice in one. */
static void fill_groups(struct synthetic *s)
{
    unsigned next = 0;

    for (size_t g = 0; g < SYNTHETIC_GROUPS; g++)
        for (size_t i = group_start(g); i < group_start(g + 1); i++) {
            s->member[i] = (uint16_t)(next % SYNTHETIC_EVENTS);
            next += next < SYNTHETIC_EVENTS ? 1 : 1 + below(s, 7);
        }
}

/* ---- formulas ------------------------------------------------------------------------- */

static const struct synthetic_term *term(struct synthetic *s, struct synthetic_term t)
{
    if (s->nterms == SYNTHETIC_TERMS)
        abort();
    s->term[s->nterms] = t;
    return &s->term[s->nterms++];
}

/* An event that is no correction, mostly of the metric's group. */
static const struct synthetic_term *any_event(struct synthetic *s, size_t group)
{
    unsigned event = below(s, COUNTED);

    for (unsigned tries = 0; tries < 100 && below(s, 10); tries++) {
        event = s->member[group_start(group) + below(s, OF_A_GROUP)];
        if (event < COUNTED)
            break;
    }
    return term(s,
                (struct synthetic_term){.kind = SYNTHETIC_EVENT, .index = event < COUNTED ? event : below(s, COUNTED)});
}

static const struct synthetic_term *leaf(struct synthetic *s, size_t group, unsigned metric)
{
    const unsigned what = below(s, 16);

    if (what == 0)
        return term(s, (struct synthetic_term){.kind = SYNTHETIC_NUMBER, .number = below(s, 64) / 8.0});
    if (what == 1 && metric)
        return term(s, (struct synthetic_term){.kind = SYNTHETIC_METRIC, .index = below(s, metric)});
    return any_event(s, group);
}

static const struct synthetic_term *expression(struct synthetic *s, size_t group, unsigned metric, unsigned depth)
{
    static const enum synthetic_kind kinds[] = {
        SYNTHETIC_ADD,  SYNTHETIC_ADD, SYNTHETIC_ADD,  SYNTHETIC_SUB,    SYNTHETIC_MUL,
        SYNTHETIC_MAX0, SYNTHETIC_MIN, SYNTHETIC_WHEN, SYNTHETIC_EITHER,
    };
    struct synthetic_term t = {.kind = kinds[below(s, sizeof(kinds) / sizeof(*kinds))]};
    const unsigned args = t.kind == SYNTHETIC_MAX0 ? 1 : t.kind == SYNTHETIC_WHEN ? 4 : 2;

    if (!depth || !below(s, 3))
        return leaf(s, group, metric);
    for (unsigned i = 0; i < args; i++)
        t.arg[i] = expression(s, group, metric, depth - 1);
    return term(s, t);
}

/* x with a correction added to it or taken from it. */
static const struct synthetic_term *corrected(struct synthetic *s, const struct synthetic_term *x)
{
    struct synthetic_term c = {.kind = below(s, 4) ? SYNTHETIC_CORRECTION : SYNTHETIC_SAME_TIME,
                               .index = COUNTED + below(s, CORRECTIONS)};
    struct synthetic_term half = {.kind = SYNTHETIC_NUMBER, .number = 0.5};
    struct synthetic_term scaled = {.kind = SYNTHETIC_MUL};
    struct synthetic_term sum = {.kind = below(s, 2) ? SYNTHETIC_ADD : SYNTHETIC_SUB};

    scaled.arg[0] = term(s, half);
    scaled.arg[1] = term(s, c);
    sum.arg[0] = x;
    sum.arg[1] = term(s, scaled);
    return term(s, sum);
}

/* Mostly a share; some may be outside 0 to 1. */
static const struct synthetic_term *formula(struct synthetic *s, unsigned metric)
{
    const size_t group = below(s, SYNTHETIC_GROUPS);
    struct synthetic_term t = {.kind = below(s, 4) ? SYNTHETIC_SHARE : SYNTHETIC_DIV}, rest = {.kind = SYNTHETIC_ADD};

    t.arg[0] = expression(s, group, metric, 2);
    if (!below(s, 3))
        t.arg[0] = corrected(s, t.arg[0]);
    if (t.kind == SYNTHETIC_SHARE)
        t.arg[0] = term(s, (struct synthetic_term){.kind = SYNTHETIC_MAX0, .arg = {t.arg[0]}});
    rest.arg[0] = any_event(s, group);
    rest.arg[1] = any_event(s, group);
    t.arg[1] = term(s, rest);
    return term(s, t);
}

/* ---- as text ---------------------------------------------------------------------------- */

static void print(const struct synthetic *s, FILE *f, const struct synthetic_term *t)
{
    static const char *const before[] = {
        [SYNTHETIC_CORRECTION] = "?", [SYNTHETIC_SAME_TIME] = "~",    [SYNTHETIC_ADD] = "(",
        [SYNTHETIC_SUB] = "(",        [SYNTHETIC_MUL] = "(",          [SYNTHETIC_DIV] = "(",
        [SYNTHETIC_MAX0] = "max0(",   [SYNTHETIC_MIN] = "min(",       [SYNTHETIC_SHARE] = "share(",
        [SYNTHETIC_WHEN] = "when(",   [SYNTHETIC_EITHER] = "either(",
    };
    static const char between[] = {[SYNTHETIC_ADD] = '+',
                                   [SYNTHETIC_SUB] = '-',
                                   [SYNTHETIC_MUL] = '*',
                                   [SYNTHETIC_DIV] = '/',
                                   [SYNTHETIC_EITHER] = 0};

    fputs(before[t->kind] ? before[t->kind] : "", f);
    if (t->kind == SYNTHETIC_NUMBER) {
        fprintf(f, "%.3f", t->number);
    } else if (t->kind <= SYNTHETIC_METRIC) {
        fprintf(f, "{%s}", t->kind == SYNTHETIC_METRIC ? s->node[t->index].name : s->event[t->index].name);
    } else {
        for (size_t i = 0; i < 4 && t->arg[i]; i++) {
            if (i)
                fprintf(f, " %c ", between[t->kind] ? between[t->kind] : ',');
            print(s, f, t->arg[i]);
        }
        fputc(')', f);
    }
}

/* Definitions come in another order than that in which they refer to each other. */
static int write_defs(struct synthetic *s)
{
    for (size_t i = 0; i < SYNTHETIC_METRICS; i++) {
        const size_t m = i * 7 % SYNTHETIC_METRICS;
        size_t length;
        FILE *f = open_memstream(&s->text[i], &length);

        if (!f)
            return -ENOMEM;
        print(s, f, s->formula[m]);
        if (fclose(f))
            return -ENOMEM;
        s->def[i] = (struct td_def){.name = s->node[m].name, .expr = s->text[i], .unit = m % 5 ? NULL : "cycles"};
    }
    return 0;
}

/* ---- the row -------------------------------------------------------------------------------- */

static void name_all(struct synthetic *s)
{
    for (size_t i = 0; i < SYNTHETIC_EVENTS; i++) {
        snprintf(s->name[i], sizeof(s->name[i]), "EVENT_%zu", i);
        s->event[i] = (struct td_event){
            .name = s->name[i], .config = 0x1000 + i, .field = -1, .scale = 1, .scale_smt = 1, .used = true};
    }
    for (size_t i = 0; i < SYNTHETIC_METRICS; i++) {
        char *name = s->name[SYNTHETIC_EVENTS + i];

        snprintf(name, sizeof(s->name[i]), "metric_%zu", i);
        s->node[i] = (struct td_node){
            .name = name, .parent = i < 3 ? "" : s->node[i / 3].name, .number = (uint16_t)i, .threshold = 0.1};
        s->node[i].level = i < 3 ? TD_LEVEL_TOP : s->node[i / 3].level + 1; /* the last one is of level 6 */
    }
}

struct synthetic *synthetic_new(uint64_t seed)
{
    struct synthetic *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->random.state = seed;
    name_all(s);
    fill_groups(s);
    for (unsigned m = 0; m < SYNTHETIC_METRICS; m++)
        s->formula[m] = formula(s, m);
    s->tree = (struct td_tree){s->node, SYNTHETIC_METRICS};
    s->form = (struct td_form){.name = "synthetic", .when = "", .lists = {s->def}};
    s->forms[0] = &s->form;
    s->uarch = (struct td_uarch){
        .name = "synthetic",
        .aliases = "",
        .ids = "",
        .title = "",
        .source = "",
        .width = 4,
        .events = s->event,
        .nevents = SYNTHETIC_EVENTS,
        .tree = &s->tree,
        .forms = s->forms,
    };
    if (write_defs(s)) {
        synthetic_free(s);
        return NULL;
    }
    return s;
}

void synthetic_free(struct synthetic *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < SYNTHETIC_METRICS; i++)
        free(s->text[i]);
    td_counts_free(&s->counts);
    free(s);
}

/* ---- an interval ------------------------------------------------------------------------------- */

static enum td_status any_status(struct synthetic *s)
{
    static const enum td_status bad[] = {TD_NOT_COUNTED, TD_NOT_SUPPORTED, TD_COUNTER_RESET};

    return below(s, 12) ? TD_OK : bad[below(s, 3)];
}

int synthetic_count(struct synthetic *s, bool whole)
{
    int err = 0;

    s->counts.n = 0;
    for (size_t g = 0; g < SYNTHETIC_GROUPS; g++) {
        const double running = whole || below(s, 3) ? 1e9 : 1e6 * (1 + below(s, 999));

        for (size_t i = group_start(g); i < group_start(g + 1) && !err; i++) {
            struct td_count c = {
                .value = 1 + below(s, 1000000),
                .enabled = 1e9,
                .running = running,
                .group = (uint16_t)(g + 1),
                .event = s->member[i],
                .generic = i % 8 == 0,
                .intervals = 1,
            };

            if (!whole) {
                c.status = any_status(s);
                c.value = c.status == TD_OK && below(s, 30) ? c.value : 0;
                if (!below(s, 20))
                    continue;
            }
            err = td_counts_append(&s->counts, &c);
        }
    }
    return err;
}
