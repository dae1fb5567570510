/* SPDX-License-Identifier: MIT */
/* Whether events can be counted at once: td_fit() against trying every assignment. */
#include "fit.h"
#include "rows.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { GENERAL_UNKNOWN = 10, CYCLE = 17, PLACES = 18, FAKES = 5 }; /* places: general 0-9, fixed 10-16, the cycle counter */

/* True if a counter can hold an event: intel.md 1.1 (fixed 1 lost to the
 * watchdog), Linux intel_pmu_check_event_constraints(): an event with a fixed
 * counter may use any general one, but for the pseudo encodings 0x0300 and 0x0400. */
static bool may_hold(const struct td_counters *c, const char *text, int place)
{
    int general = c->general ? (int)c->general : GENERAL_UNKNOWN, low, high;
    bool is_general = place < GENERAL_UNKNOWN;

    if (is_general && place >= general)
        return false;
    if (!strcmp(text, "any"))
        return is_general;
    if (!strcmp(text, "cycle counter"))
        return is_general || (place == CYCLE && !c->watchdog);
    if (sscanf(text, "fixed %d", &low) == 1) {
        bool there = !(c->fixed && !(c->fixed & UINT64_C(1) << low)) && !(low == 1 && c->watchdog);

        return place == 10 + low ? there : is_general && low != 2 && low != 3;
    }
    switch (sscanf(text, "%d-%d", &low, &high)) {
    case 2:
        return is_general && place >= low && place <= high;
    default:
        return is_general && place == low;
    }
}

/* The fewest general counters that any assignment takes; -1: there is none. */
static int fewest(const struct td_counters *c, const struct td_event *e, size_t n, unsigned taken)
{
    int best = -1;

    if (!n)
        return 0;
    if (e->field >= 0)
        return e->field < (int)c->fields ? fewest(c, e + 1, n - 1, taken) : -1;
    for (int place = 0; place < PLACES; place++) {
        int rest;

        if (taken >> place & 1 || !may_hold(c, c->sibling ? e->counters : e->counters_alone, place))
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
        "0-3", "0-7", "0-1", "2", "0", "3", "fixed 0", "fixed 1", "fixed 1", "fixed 2", "fixed 3", "fixed 5", "cycle counter", "cycle counter", "any", "any",
    };
    const char *text = texts[unit_random_below(r, TD_LENGTH(texts))], *other = texts[unit_random_below(r, TD_LENGTH(texts))];
    bool field = !unit_random_below(r, 8);

    *e = (struct td_event){.name = "fake", .config = 0x13c, .counters = text, .counters_alone = text, .field = -1, .scale = 1, .scale_smt = 1};
    if (!unit_random_below(r, 4))
        e->counters_alone = other;
    if (field) {
        e->counters = e->counters_alone = "metrics";
        e->field = (signed char)unit_random_below(r, 8);
    } else if (!strcmp(e->counters, "fixed 3") || !strcmp(e->counters, "fixed 2")) {
        e->config = e->counters[6] == '3' ? 0x400 : 0x300;
        e->counters_alone = e->counters;
    }
}

static void fits(void)
{
    struct unit_random r = {20};
    struct td_event events[FAKES];
    unsigned long yes = 0, no = 0;

    for (unsigned long round = unit_rounds(40000); round-- > 0;) {
        const struct td_uarch row = {.name = "fake", .events = events, .nevents = FAKES};
        struct td_counters c = {.general = (unsigned)unit_random_below(&r, 9), .fixed = unit_random_below(&r, 2) ? unit_random_below(&r, 128) : 0,
            .fields = 4 * (unsigned)unit_random_below(&r, 3), .sibling = unit_random_below(&r, 2), .watchdog = unit_random_below(&r, 2)};
        uint64_t set = 1 + unit_random_below(&r, (1 << FAKES) - 1);
        struct td_event chosen[FAKES];
        size_t n = 0;
        int wanted;

        for (size_t i = 0; i < FAKES; i++) {
            random_event(&r, &events[i]);
            if (set >> i & 1)
                chosen[n++] = events[i];
        }
        wanted = fewest(&c, chosen, n, 0);
        *(wanted < 0 ? &no : &yes) += 1;
        CU_ASSERT_EQUAL(td_fit(&c, &row, set), wanted >= 0);
        if (wanted >= 0)
            CU_ASSERT_EQUAL(td_fit_general(&c, &row, set), (unsigned)wanted);
    }
    CU_ASSERT(no > yes / 20 && yes > no / 20);
}

/* Facts: intel.md 1.1 and 7.12, arm.md 1.1. */
static void known_counters(void)
{
    static const struct { struct td_counters c; const char *events; bool fits; unsigned general; } all[] = {
        {{.general = 4, .fixed = 7, .sibling = true}, "0-3;0-3;0-3;0-3;fixed 1;fixed 0", true, 4}, {{.general = 4, .fixed = 7}, "0-3;0-3;0-3;0-3;0-3", false, 0},
        {{.general = 4, .fixed = 7, .watchdog = true}, "0-3;0-3;0-3;0-3;fixed 1", false, 0}, {{.general = 4, .fixed = 7, .watchdog = true}, "0-3;0-3;0-3;fixed 1", true, 4},
        {{.general = 4, .fixed = 7}, "2;0-3;0-3;0-3", true, 4}, {{.general = 4, .fixed = 7}, "0-3;0-3;0-3;2", true, 4}, {{.general = 4, .fixed = 7}, "2;2", false, 0},
        {{.general = 4, .fixed = 7}, "fixed 1;fixed 1;0-3;0-3;0-3", true, 4}, {{.general = 2, .fixed = 7}, "2", false, 0}, {{.general = 8}, "fixed 3;fixed 3", false, 0},
        {{.general = 8, .fixed = 7}, "fixed 3", false, 0}, {{.general = 6}, "cycle counter;any;any;any;any;any;any", true, 6},
        {{.general = 6, .watchdog = true}, "cycle counter;any;any;any;any;any;any", false, 0}, {{.general = 6}, "cycle counter;cycle counter;any", true, 2},
        {{.general = 8, .fixed = 0x77}, "fixed 4;fixed 5;fixed 6;0", true, 1},
    };

    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        struct td_event events[8] = {{0}};
        struct td_uarch row = {.name = "fake", .events = events};
        char text[120], *save = NULL;

        snprintf(text, sizeof(text), "%s", all[i].events);
        for (char *word = strtok_r(text, ";", &save); word; word = strtok_r(NULL, ";", &save))
            events[row.nevents++] = (struct td_event){.name = "fake", .config = 0x1c2, .counters = word, .counters_alone = word, .field = -1};
        CU_ASSERT_EQUAL(td_fit(&all[i].c, &row, (UINT64_C(1) << row.nevents) - 1), all[i].fits);
        CU_ASSERT(!all[i].fits || td_fit_general(&all[i].c, &row, (UINT64_C(1) << row.nevents) - 1) == all[i].general);
        CU_ASSERT(td_fit(&all[i].c, &row, 0) && td_fit_general(&all[i].c, &row, 0) == 0);
    }
}

void suite_fit(void)
{
    static const CU_TestInfo tests[] = {
        {"fits", fits},
        {"known counters", known_counters},
        CU_TEST_INFO_NULL,
    };

    unit_suite("fit", tests);
}
