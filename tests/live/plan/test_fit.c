/* SPDX-License-Identifier: MIT */
/* Whether events can be counted at once: compares td_fit() with trying every assignment,
 * and tests plans with events that cannot be counted at all. */
#include "backends/rows.h"
#include "core/solve/solve.h"
#include "tests/support/sets.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* places: general 0-9, fixed 10-16, the cycle counter */
enum { GENERAL_UNKNOWN = 10, CYCLE = 17, PLACES = 18, FAKES = 5 };

/* True if a counter can hold an event: intel.md 1.1 (fixed 1 lost to the
 * watchdog), Linux intel_pmu_check_event_constraints(): an event with a fixed
 * counter may use any general one, except the pseudo encodings, whose event code
 * is 0 (use_fixed_pseudo_encoding()): 0x0300, 0x0400. */
/* The programmable counters that the events of the row name: all existing ones, if their number is not known; 0: none
 * is named. */
static unsigned named;

static unsigned names_of(const struct td_counters *c, const struct td_event *e, size_t n)
{
    unsigned all = 0;

    for (size_t i = 0; i < n; i++) {
        int low, high, got = sscanf(c->sibling ? e[i].counters : e[i].counters_alone, "%d-%d", &low, &high);

        for (int place = low; got > 0 && place <= (got == 2 ? high : low); place++)
            all |= 1u << place;
    }
    return all;
}

static bool may_hold(const struct td_counters *c, const struct td_event *e, int place)
{
    const char *text = c->sibling ? e->counters : e->counters_alone;
    int general = c->general ? (int)c->general : GENERAL_UNKNOWN, low, high;
    bool is_general = place < GENERAL_UNKNOWN;

    if (is_general && (place >= general || (!c->general && named && !(named >> place & 1))))
        return false;
    if (!strcmp(text, "any"))
        return is_general;
    if (!strcmp(text, "cycle counter"))
        return is_general || (place == CYCLE && !c->watchdog);
    if (sscanf(text, "fixed %d", &low) == 1) {
        bool there = !(c->fixed && !(c->fixed & UINT64_C(1) << low)) && !(low == 1 && c->watchdog);

        return place == 10 + low ? there : is_general && e->config % 256 != 0;
    }
    switch (sscanf(text, "%d-%d", &low, &high)) {
    case 2: return is_general && place >= low && place <= high;
    default: return is_general && place == low;
    }
}

/* The smallest number of general counters in any assignment; -1: there is none. */
static int fewest(const struct td_counters *c, const struct td_event *e, size_t n, unsigned taken)
{
    int best = -1;

    if (!n)
        return 0;
    if (e->field >= 0)
        return e->field < (int)c->fields ? fewest(c, e + 1, n - 1, taken) : -1;
    for (int place = 0; place < PLACES; place++) {
        int rest;

        if (taken >> place & 1 || !may_hold(c, e, place))
            continue;
        rest = fewest(c, e + 1, n - 1, taken | 1u << place);
        if (rest < 0)
            continue;
        rest += place < GENERAL_UNKNOWN;
        best = best < 0 || rest < best ? rest : best;
    }
    return best;
}

static void random_event(struct unit_random *r, struct td_event *e)
{
    static const char *const texts[] = {
        "0-3",           "0-7",           "0-1",     "2",       "0",       "3",
        "fixed 0",       "fixed 1",       "fixed 1", "fixed 2", "fixed 3", "fixed 5",
        "cycle counter", "cycle counter", "any",     "any",
    };
    /* 0x1c2 for an ordinary event, and codes that are 0 except in the low byte, or only in that byte */
    static const uint64_t configs[] = {0x13c, 0x1c2, 0x3c, 0xff, 0x01, 0x80, 0x300, 0x400, 0x8100, 0x1000000, 0};
    const char *text = texts[unit_random_below(r, TD_LENGTH(texts))],
               *other = texts[unit_random_below(r, TD_LENGTH(texts))];
    bool field = !unit_random_below(r, 8);

    *e = (struct td_event){
        .name = "fake", .counters = text, .counters_alone = text, .field = -1, .scale = 1, .scale_smt = 1};
    e->config = configs[unit_random_below(r, TD_LENGTH(configs))];
    if (!unit_random_below(r, 4))
        e->counters_alone = other;
    if (field) {
        e->counters = e->counters_alone = "metrics";
        e->field = (signed char)unit_random_below(r, 8);
    }
}

static void fits(void)
{
    struct unit_random r = {20};
    struct td_event events[FAKES];
    unsigned long yes = 0, no = 0;

    for (unsigned long round = unit_rounds(40000); round-- > 0;) {
        const struct td_uarch row = {.name = "fake", .events = events, .nevents = FAKES};
        struct td_counters c = {.general = (unsigned)unit_random_below(&r, 9),
                                .fixed = unit_random_below(&r, 2) ? unit_random_below(&r, 128) : 0,
                                .fields = 4 * (unsigned)unit_random_below(&r, 3),
                                .sibling = unit_random_below(&r, 2),
                                .watchdog = unit_random_below(&r, 2)};
        uint64_t set = 1 + unit_random_below(&r, (1 << FAKES) - 1);
        struct td_event chosen[FAKES];
        size_t n = 0;
        int wanted;

        for (size_t i = 0; i < FAKES; i++) {
            random_event(&r, &events[i]);
            if (set >> i & 1)
                chosen[n++] = events[i];
        }
        named = names_of(&c, events, FAKES);
        wanted = fewest(&c, chosen, n, 0);
        *(wanted < 0 ? &no : &yes) += 1;
        CU_ASSERT_EQUAL(fit(&c, &row, set), wanted >= 0);
        if (wanted >= 0)
            CU_ASSERT_EQUAL(fit_general(&c, &row, set), (unsigned)wanted);
    }
    CU_ASSERT(no > yes / 20 && yes > no / 20);
}

/* Facts: intel.md 1.1 and 7.12, arm.md 1.1. An event's config follows a colon, if it is not 0x1c2. */
static void known_counters(void)
{
    static const struct {
        struct td_counters c;
        const char *events;
        bool fits;
        unsigned general;
    } all[] = {
        {{.general = 4, .fixed = 7, .sibling = true}, "0-3;0-3;0-3;0-3;fixed 1;fixed 0", true, 4},
        {{.general = 4, .fixed = 7}, "0-3;0-3;0-3;0-3;0-3", false, 0},
        {{.general = 4, .fixed = 7, .watchdog = true}, "0-3;0-3;0-3;0-3;fixed 1", false, 0},
        {{.general = 4, .fixed = 7, .watchdog = true}, "0-3;0-3;0-3;fixed 1", true, 4},
        {{.general = 4, .fixed = 7}, "2;0-3;0-3;0-3", true, 4},
        {{.general = 4, .fixed = 7}, "0-3;0-3;0-3;2", true, 4},
        {{.general = 4, .fixed = 7}, "2;2", false, 0},
        {{.general = 4, .fixed = 7}, "fixed 1;fixed 1;0-3;0-3;0-3", true, 4},
        {{.general = 2, .fixed = 7}, "2", false, 0},
        {{.general = 8}, "fixed 3:400;fixed 3:400", false, 0},
        {{.general = 8, .fixed = 7}, "fixed 3:400", false, 0},
        {{.general = 8, .fixed = 7}, "fixed 3:400;0-7", false, 0},
        {{.general = 8, .fixed = 15}, "fixed 3:400;0-7", true, 1},
        {{.general = 6}, "cycle counter;any;any;any;any;any;any", true, 6},
        {{.general = 6, .watchdog = true}, "cycle counter;any;any;any;any;any;any", false, 0},
        {{.general = 6}, "cycle counter;cycle counter;any", true, 2},
        {{.general = 8, .fixed = 0x77}, "fixed 4;fixed 5;fixed 6;0", true, 1},
        /* any event with a code other than 0 can also use a programmable counter, whichever fixed counter is its own,
           even if that is missing */
        {{.general = 8}, "fixed 3;fixed 3", true, 1},
        {{.general = 8, .fixed = 7}, "fixed 3", true, 1},
        {{.general = 6, .fixed = 7}, "fixed 4:73;fixed 5:19c;fixed 6:2c2;0", true, 4},
        {{.general = 4, .fixed = 7}, "fixed 2:300;fixed 2:300", false, 0},
        {{.general = 4, .fixed = 7}, "fixed 2:13c;fixed 2:300", true, 1},
        {{.general = 4, .fixed = 7}, "fixed 2:300;0-3;0-3;0-3;0-3", true, 4},
        {{.general = 4, .fixed = 3}, "fixed 2:13c;0-3;0-3;0-3;0-3", false, 0},
        {{.general = 4, .fixed = 7, .watchdog = true}, "fixed 1:3c", true, 1},
        {{.general = 4, .fixed = 7, .watchdog = true}, "fixed 1:100", false, 0},
        /* others may have any code */
        {{.general = 4}, "0-3:400;any:0", true, 2},
        {{.general = 4, .watchdog = true}, "cycle counter:11", true, 1},
    };

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        struct td_event events[8] = {{0}};
        struct td_uarch row = {.name = "fake", .events = events};
        char text[120], *save = NULL, *config;

        snprintf(text, sizeof(text), "%s", all[i].events);
        for (char *word = strtok_r(text, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
            config = strchr(word, ':');
            events[row.nevents++] = (struct td_event){
                .name = "fake",
                .config = config ? strtoull(config + 1, NULL, 16) : 0x1c2,
                .counters = word,
                .counters_alone = word,
                .field = -1,
            };
            if (config)
                *config = '\0';
        }
        CU_ASSERT_EQUAL(fit(&all[i].c, &row, (UINT64_C(1) << row.nevents) - 1), all[i].fits);
        CU_ASSERT(!all[i].fits || fit_general(&all[i].c, &row, (UINT64_C(1) << row.nevents) - 1) == all[i].general);
        CU_ASSERT(fit(&all[i].c, &row, 0) && fit_general(&all[i].c, &row, 0) == 0);
    }
}

/* ---- plans with events that cannot be counted ------------------------------------- */

/* The bits of blank-separated events of the row. */
static uint64_t bits(const struct td_plan_ask *a, const char *names)
{
    uint64_t set = 0;
    char text[200], *save = NULL;

    snprintf(text, sizeof(text), "%s", names);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        int e = td_uarch_event_number(td_forms_uarch(a->forms), word);

        CU_ASSERT_FATAL(e >= 0);
        set |= UINT64_C(1) << e;
    }
    return set;
}

static int make(const struct td_plan_ask *a, struct td_plan *out)
{
    return td_plan_make(a, best_form(a), out);
}

#define FIELDS1 "topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound"
#define FIELDS2 "topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat topdown-mem-bound"

/* The first possible reading of a plan: 1000 slots, whichever event counts them. */
static void solve(const struct td_plan_ask *a, const struct td_plan *p, struct td_result *out)
{
    static const struct {
        const char *start;
        double value;
    } values[] = {
        {"TOPDOWN.SLOTS", 1000},       {"TOPDOWN.BACKEND", 300}, {"IDQ_", 200},
        {"INT_MISC.UOP_DROPPING", 20}, {"INT_MISC.CLEARS", 10},  {"UOPS_RETIRED.SLOTS", 400},
    };
    const struct td_solve_ask ask = {.level = 1};
    static struct td_counts k;

    k.n = 0;
    for (size_t n = 0; n < p->group[0].n; n++) {
        unsigned e = p->group[0].event[n];
        struct td_count c = {.enabled = 9,
                             .running = 9,
                             .event = (uint16_t)e,
                             .status = td_bits_has(&p->impossible, e) ? TD_NOT_SUPPORTED : TD_OK};

        for (size_t i = 0; i < TD_LENGTH(values) && c.status == TD_OK; i++)
            if (!strncmp(td_forms_uarch(a->forms)->events[e].name, values[i].start, strlen(values[i].start)))
                c.value = values[i].value;
        CU_ASSERT_EQUAL_FATAL(td_counts_append(&k, &c), 0);
    }
    CU_ASSERT_EQUAL_FATAL(td_solve(a->forms, &k, &ask, out), 0);
}

/* --no-fixed on a PMU without fixed counter 3 (in a guest): SLOTS_P counts the
 * same slots. Values: intel.md's formulas with the counts of solve() in 1/1000. */
static void slots_by_another_name(void)
{
    static const struct {
        const char *row, *form, *slots;
        unsigned general, used;
        double frontend, backend, bad;
    } all[] = {
        /* (200 - 20), 300 + 5 * 10, 1000 - 180 - 350 - 400; slots, frontend, backend, retired, two corrections */
        {"icl", "icl-events", "TOPDOWN.SLOTS", 8, 6, .18, .35, .07},
        {"icx", "icl-events", "TOPDOWN.SLOTS", 8, 6, .18, .35, .07},
        {"tgl", "icl-events", "TOPDOWN.SLOTS", 8, 6, .18, .35, .07},
        {"rkl", "icl-events", "TOPDOWN.SLOTS", 8, 6, .18, .35, .07},
        {"adl-p", "glc-events", "TOPDOWN.SLOTS", 8, 5, .18, .3, .12},
        {"spr", "glc-events", "TOPDOWN.SLOTS", 8, 5, .18, .3, .12},
        {"emr", "glc-events", "TOPDOWN.SLOTS", 8, 5, .18, .3, .12},
        {"mtl-p", "glc-events", "TOPDOWN.SLOTS", 8, 5, .18, .3, .12},
        {"gnr", "glc-events", "TOPDOWN.SLOTS", 8, 5, .18, .3, .12},
        {"lnl-p", "lnc-events", "TOPDOWN.SLOTS_P", 10, 4, .2, .3, .1},
        {"arl-p", "lnc-events", "TOPDOWN.SLOTS_P", 10, 4, .2, .3, .1},
        {"ptl-p", "lnc-events", "TOPDOWN.SLOTS_P", 10, 4, .2, .3, .1},
    };
    static const char *const names[] = {"frontend_bound", "backend_bound", "retiring", "bad_speculation"};

    for (size_t i = 0; i < 2 * TD_LENGTH(all); i++) {
        const double wanted[] = {all[i / 2].frontend, all[i / 2].backend, .4, all[i / 2].bad};
        struct td_plan_ask a = {.forms = forms_of(td_uarch_by_name(all[i / 2].row)),
                                .level = 1,
                                .counters = {.general = all[i / 2].general, .fixed = 7}};
        const struct td_uarch *u = td_forms_uarch(a.forms);
        uint64_t slots = bits(&a, "TOPDOWN.SLOTS"), other = bits(&a, "TOPDOWN.SLOTS_P"), fields = 0, elsewhere = 0,
                 absent = i % 2 ? other : 0;
        const struct td_bits set = {&absent, 1};
        struct td_result r = {0};
        struct td_plan p = {0};

        for (unsigned e = 0; e < u->nevents; e++)
            if (u->events[e].field >= 0) {
                CU_ASSERT_TRUE_FATAL(e < 64);
                fields |= UINT64_C(1) << e;
            } else if (u->events[e].kind != TD_EVENT_COUNT && e < 64) {
                elsewhere |= UINT64_C(1) << e;
            }
        a.absent = &set;
        CU_ASSERT_EQUAL(make(&a, &p), 0);
        CU_ASSERT_STRING_EQUAL(p.form->form->name, all[i / 2].form);
        CU_ASSERT(first_word_of(&p.impossible) == (slots | fields | elsewhere | absent) && p.together &&
                  p.ngroups == 1 && (word_of(&p.group[0].set) & (slots | other)) == (slots | other));
        CU_ASSERT_EQUAL(td_fit_general(&a.counters, u, &p.group[0].able), all[i / 2].used - i % 2);
        solve(&a, &p, &r);
        CU_ASSERT_EQUAL(r.nmetrics, 4);
        for (size_t m = 0; m < r.nmetrics; m++) {
            size_t n = 0;

            while (n < 3 && strcmp(names[n], r.metrics[m].name))
                n++;
            CU_ASSERT_EQUAL(r.metrics[m].status, absent ? TD_NOT_SUPPORTED : TD_OK);
            /* neither of the two: the first one tried is reported */
            CU_ASSERT(absent ? r.metrics[m].event && !strcmp(r.metrics[m].event, all[i / 2].slots)
                             : fabs(r.metrics[m].value - wanted[n]) < 1e-12);
        }
        td_result_free(&r);
        td_plan_free(&p);
        td_forms_free(a.forms);
    }
}

/* Impossible events are in the groups and take no counter, and a level
 * with no possible event is not chosen. */
static void levels_and_absence(void)
{
    static const struct {
        unsigned fields;
        uint64_t fixed;
        const char *absent, *impossible;
        int level;
        bool level2;
    } all[] = {
        {8, 15, "", "", 2, true},
        {4, 15, "", FIELDS2, 1, false},
        {4, 15, FIELDS2, FIELDS2, 1, false},
        {8, 15, FIELDS2, FIELDS2, 1, false},
        {8, 15, "topdown-mem-bound", "topdown-mem-bound", 2, true},
        {8, 7, "", "TOPDOWN.SLOTS", 1, false},
        {8, 15, "TOPDOWN.SLOTS", "TOPDOWN.SLOTS", 1, false},
        {8, 15, "INT_MISC.UOP_DROPPING", "INT_MISC.UOP_DROPPING", 2, true},
        {2, 15, "", FIELDS2 " topdown-fe-bound topdown-be-bound", 1, false},
        {8, 15, "topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat",
         "topdown-heavy-ops topdown-br-mispredict topdown-fetch-lat", 2, true},
    };
    struct td_plan_ask a = {.forms = forms_of(td_uarch_by_name("spr")), .fixed = true, .counters = {.general = 8}};

    for (size_t i = 0; i < TD_LENGTH(all); i++)
        for (a.level = 0; a.level <= 2; a.level++) {
            int level = a.level ? a.level : all[i].level;
            uint64_t all2 = bits(&a, FIELDS1 " " FIELDS2 " TOPDOWN.SLOTS"), absent = bits(&a, all[i].absent);
            const struct td_bits set = {&absent, 1};
            struct td_plan p = {0};

            a.counters.fields = all[i].fields;
            a.counters.fixed = all[i].fixed;
            a.absent = &set;
            CU_ASSERT_EQUAL(make(&a, &p), 0);
            CU_ASSERT_STRING_EQUAL(p.form->form->name, "glc-perf-metrics");
            CU_ASSERT(p.level == level && first_word_of(&p.impossible) == bits(&a, all[i].impossible) && p.together &&
                      p.ngroups == 1);
            CU_ASSERT(level == 1 || p.deeper == all[i].level2);
            /* results report that they are not available */
            CU_ASSERT_EQUAL(word_of(&p.level1), bits(&a, FIELDS1 " TOPDOWN.SLOTS"));
            CU_ASSERT_EQUAL(word_of(&p.group[0].set) & all2, level == 2 ? all2 : word_of(&p.level1));
            td_plan_free(&p);
        }
    td_forms_free(a.forms);
}

/* As in test_plan.c, where the watchdog makes the fifth event on 0-3 one too many. */
static void absent_take_no_counter(void)
{
    struct td_plan_ask a = {.forms = forms_of(td_uarch_by_name("skl")),
                            .level = 1,
                            .whole_core = true,
                            .any = true,
                            .counters = {.general = 4, .fixed = 7, .sibling = true, .watchdog = true}};
    int fused = td_uarch_event_number(td_forms_uarch(a.forms), "UOPS_RETIRED.MACRO_FUSED");
    uint64_t absent = 0;
    const struct td_bits set = {&absent, 1};
    struct td_plan p = {0};

    CU_ASSERT(make(&a, &p) == 0 && p.ngroups == 2 && !p.together);
    a.absent = &set;
    absent = bits(&a, "UOPS_ISSUED.ANY");
    CU_ASSERT(make(&a, &p) == 0 && p.ngroups == 1 && p.together && p.group[0].n == 5 &&
              word_of(&p.group[0].set) & absent && first_word_of(&p.impossible) & absent);
    CU_ASSERT_EQUAL(td_plan_join(&a, &p, fused), 0);
    absent |= UINT64_C(1) << fused;
    CU_ASSERT(make(&a, &p) == 0 && td_plan_join(&a, &p, fused) == 1 && p.group[0].n == 6);
    td_plan_free(&p);
    td_forms_free(a.forms);
}

/* One counter, and events that cannot use any other: one group for each, however many there are. */
static void many_groups(void)
{
    enum { EVENTS = 200 };
    static struct td_event events[EVENTS];
    static char names[EVENTS][8], sum[EVENTS * 8];
    static const struct td_def defs[] = {{.name = "slots", .expr = "E0"}, {.name = "retiring", .expr = sum}, {0}};
    static const struct td_form form = {"fake", "", 0, {defs}};
    static const struct td_form *const forms[] = {&form, NULL};
    static const struct td_uarch row = {
        .name = "fake", .width = 4, .events = events, .nevents = EVENTS, .tree = &td_tree_big, .forms = forms};
    struct td_bits absent;

    for (int n = 0; n < EVENTS; n++) {
        snprintf(names[n], sizeof(names[n]), "E%d", n);
        events[n] = (struct td_event){names[n], 0x1c2, "0", "0", -1, 1, 1, true, .config1 = 0};
        strcat(strcat(sum, n ? " + " : ""), names[n]);
    }
    CU_ASSERT_EQUAL_FATAL(td_bits_new(&absent, EVENTS), 0);
    for (unsigned n = 0; n < EVENTS; n += 13) {
        struct td_plan_ask a = {.forms = forms_of(&row), .level = 1, .counters = {.general = 4}};
        struct td_plan p = {0};

        CU_ASSERT(make(&a, &p) == 0 && p.ngroups == EVENTS && td_bits_empty(&p.impossible) && !p.together);
        for (size_t g = 0; g < p.ngroups; g++)
            CU_ASSERT(p.group[g].n == 1 && p.group[g].event[0] == g && td_bits_has(&p.group[g].set, g));
        td_bits_clear(&absent);
        td_bits_add(&absent, n);
        a.absent = &absent;
        CU_ASSERT(make(&a, &p) == 0 && p.ngroups == EVENTS - 1 && td_bits_same(&p.impossible, &absent) &&
                  td_bits_count(&p.level1) == EVENTS);
        td_plan_free(&p);
        td_forms_free(a.forms);
    }
    td_bits_free(&absent);
}

static uint64_t named_bit(const struct td_uarch *u, const char *name)
{
    const int e = td_uarch_event_number(u, name);

    CU_ASSERT_FATAL(e >= 0 && e < 64);
    return UINT64_C(1) << e;
}

static bool beside(const struct td_counters *c, const struct td_uarch *u, uint64_t stay, uint64_t set)
{
    const struct td_bits kept = {&stay, 1}, events = {&set, 1};

    return td_fit_beside(c, u, &kept, &events);
}

/* An event of both sets takes two counters, of which one may be a programmable one; the metrics register is there once.
 */
static void beside_what_stays(void)
{
    const struct td_uarch *skl = td_uarch_by_name("skl"), *icx = td_uarch_by_name("icx");
    const struct td_counters two = {.general = 1, .fixed = 2}, whole = {.general = 8, .fixed = 15, .fields = 4};
    const uint64_t cycles = named_bit(skl, "CPU_CLK_UNHALTED.THREAD"), issued = named_bit(skl, "UOPS_ISSUED.ANY");
    const uint64_t slots = named_bit(icx, "TOPDOWN.SLOTS"), retiring = named_bit(icx, "topdown-retiring");

    CU_ASSERT_TRUE(beside(&two, skl, cycles, cycles));
    CU_ASSERT_FALSE(beside(&two, skl, cycles | issued, cycles));
    CU_ASSERT_TRUE(beside(&two, skl, cycles | issued, 0));
    CU_ASSERT_FALSE(beside(&two, skl, issued, issued));
    CU_ASSERT_TRUE(beside(&whole, icx, 0, slots | retiring));
    CU_ASSERT_FALSE(beside(&whole, icx, slots | retiring, retiring));
    CU_ASSERT_FALSE(beside(&whole, icx, slots, slots));
    CU_ASSERT_TRUE(beside(&whole, icx, slots | retiring, named_bit(icx, "CPU_CLK_UNHALTED.THREAD")));
}

/* Which of twelve programmable counters a row's text names, as doc/HOWTO-add-a-cpu has them: where all but one are
 * taken, the event can be counted by that one alone. */
static void named_counters(void)
{
    enum { GENERAL = 12 };
    static const struct {
        const char *text;
        unsigned counters;
    } rows[] = {{"0-3", 0xf},   {"2", 4},        {"0,1", 3},      {"1,3", 0xa},      {"0-1,3", 0xb},
                {"0,2-3", 0xd}, {"0,1,2", 7},    {"3", 8},        {"2-9", 0x3fc},    {"10", 0x400},
                {"11", 0x800},  {"9-10", 0x600}, {"0-11", 0xfff}, {"10-99", 0xc00},  {"12", 0},
                {"3-3", 8},     {"2-1", 0},      {"any", 0xfff},  {"0,10-11", 0xc01}};
    static const char *const one[GENERAL] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (unsigned left = 0; left < GENERAL; left++) {
            struct td_event events[GENERAL + 1] = {
                {"it", 0x11, rows[i].text, rows[i].text, -1, 1, 1, true, .config1 = 0}};
            const struct td_uarch row = {.name = "a-row", .events = events, .nevents = GENERAL + 1};
            const struct td_counters c = {.general = GENERAL, .fixed = 1};
            uint64_t word = ((UINT64_C(2) << GENERAL) - 1) & ~(UINT64_C(2) << left);
            const struct td_bits set = {&word, 1};

            for (unsigned n = 0; n < GENERAL; n++)
                events[n + 1] = (struct td_event){"another", 0x20 + n, one[n], one[n], -1, 1, 1, true, .config1 = 0};
            CU_ASSERT_EQUAL(td_fit(&c, &row, &set), rows[i].counters >> left & 1);
        }
}

static const CU_TestInfo tests[] = {
    {"beside what stays", beside_what_stays},
    {"fits", fits},
    {"named counters", named_counters},
    {"known counters", known_counters},
    {"slots by another name", slots_by_another_name},
    {"levels and absence", levels_and_absence},
    {"absent take no counter", absent_take_no_counter},
    {"many groups", many_groups},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("fit", tests);
