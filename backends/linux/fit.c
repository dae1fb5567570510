/* SPDX-License-Identifier: MIT */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIXED = 32, /* counters: programmable ones, then fixed ones, then one that holds nothing else */
    CYCLE_COUNTER = 31, /* Arm's, among the fixed ones */
    COUNTERS = 64,
    CYCLES_COUNTER = 1,
    CODE = 0xff, /* of the config: 0 is no event of a programmable counter */
};

struct matching {
    uint64_t can[TD_EVENTS_MAX]; /* counters of each event */
    int holds[COUNTERS]; /* event, or -1 */
};

/* "0-3" or "2" or "0,1" as bits */
static uint64_t list_bits(const char *list)
{
    uint64_t bits = 0;
    char *end;

    while (*list) {
        unsigned long lo = strtoul(list, &end, 10), hi = lo;

        if (*end == '-')
            hi = strtoul(end + 1, &end, 10);
        for (; lo <= hi && lo < FIXED; lo++)
            bits |= UINT64_C(1) << lo;
        list = *end ? end + 1 : end;
    }
    return bits;
}

static uint64_t all_general(const struct td_counters *c)
{
    unsigned n = c->general && c->general < FIXED ? c->general : FIXED;

    return (UINT64_C(1) << n) - 1;
}

static uint64_t fixed_bit(const struct td_counters *c, unsigned n)
{
    if (n == CYCLES_COUNTER && c->watchdog)
        return 0;
    return !c->fixed || c->fixed >> n & 1 ? UINT64_C(1) << (FIXED + n) : 0;
}

/* The counters that can hold an event; fields of the metrics register need none. */
static uint64_t counters_of(const struct td_counters *c, const struct td_event *e)
{
    const char *text = c->sibling ? e->counters : e->counters_alone;
    unsigned n;

    if (!strcmp(text, "any"))
        return all_general(c);
    if (!strcmp(text, "cycle counter"))
        return (c->watchdog ? 0 : UINT64_C(1) << (FIXED + CYCLE_COUNTER)) | all_general(c);
    if (strncmp(text, "fixed ", 6))
        return list_bits(text) & all_general(c);
    n = (unsigned)strtoul(text + 6, NULL, 10);
    return fixed_bit(c, n) | (e->config & CODE ? all_general(c) : 0);
}

/* Finds an event a counter, moving others where that helps (Kuhn's algorithm). */
static bool place(struct matching *m, int event, uint64_t *tried)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        const unsigned i = (n + FIXED) % COUNTERS; /* fixed ones first: they are good for nothing else */

        if (!(m->can[event] >> i & 1) || *tried >> i & 1)
            continue;
        *tried |= UINT64_C(1) << i;
        if (m->holds[i] < 0 || place(m, m->holds[i], tried)) {
            m->holds[i] = event;
            return true;
        }
    }
    return false;
}

static bool match(const struct td_counters *c, const struct td_uarch *u, uint64_t events, struct matching *m)
{
    memset(m->holds, -1, sizeof(m->holds));
    for (unsigned e = 0; e < u->nevents && events >> e; e++) {
        uint64_t tried = 0;

        if (!(events >> e & 1))
            continue;
        if (u->events[e].field >= 0) {
            if ((unsigned)u->events[e].field >= c->fields)
                return false;
            continue;
        }
        m->can[e] = counters_of(c, &u->events[e]);
        if (!place(m, (int)e, &tried))
            return false;
    }
    return true;
}

bool td_fit(const struct td_counters *c, const struct td_uarch *u, uint64_t events)
{
    struct matching m;

    return match(c, u, events, &m);
}

bool td_fit_assign(const struct td_counters *c, const struct td_uarch *u, uint64_t events, signed char counter[TD_EVENTS_MAX])
{
    struct matching m;

    memset(counter, -1, TD_EVENTS_MAX);
    if (!match(c, u, events, &m))
        return false;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (m.holds[i] >= 0)
            counter[m.holds[i]] = (signed char)i;
    return true;
}

unsigned td_fit_general(const struct td_counters *c, const struct td_uarch *u, uint64_t events)
{
    struct matching m;
    unsigned n = 0;

    match(c, u, events, &m);
    for (unsigned i = 0; i < FIXED; i++)
        n += m.holds[i] >= 0;
    return n;
}
