/* SPDX-License-Identifier: MIT */
#include "live/plan/fit.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIXED = 32, /* counters: programmable ones, then fixed ones, then one that holds nothing else */
    CYCLE_COUNTER = 31, /* Arm's, among the fixed ones */
    COUNTERS = 64,
    CYCLES_COUNTER = 1,
    MOST_EXTRA = 2,
    CODE = 0xff, /* in the config: 0 is no event of a programmable counter */
};

/* No more events than counters are ever placed. */
struct matching {
    uint64_t can[COUNTERS]; /* by event that is placed or is to be placed next: the counters that can hold it */
    size_t event[COUNTERS]; /* their numbers in the row */
    size_t n;
    uint64_t general; /* the programmable counters that there are */
    int holds[COUNTERS]; /* by counter: the index of the event that it holds, or -1 */
    uint64_t extra[TD_EXTRAS][MOST_EXTRA]; /* what the registers of each kind hold */
    unsigned nextra[TD_EXTRAS];
};

/* Reads "0-3" or "2" or "0,1" as bits. */
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

static const char *list_of(const struct td_counters *c, const struct td_event *e)
{
    return c->sibling ? e->counters : e->counters_alone;
}

/* The programmable counters where their number is not known: those that the row's events name; all, if none names
 * any. */
static uint64_t all_general(const struct td_counters *c, const struct td_uarch *u)
{
    uint64_t named = 0;

    if (c->general && c->general < FIXED)
        return (UINT64_C(1) << c->general) - 1;
    for (size_t e = 0; e < u->nevents && !c->general; e++)
        if (*list_of(c, &u->events[e]) >= '0' && *list_of(c, &u->events[e]) <= '9')
            named |= list_bits(list_of(c, &u->events[e]));
    return named ? named : (UINT64_C(1) << FIXED) - 1;
}

static uint64_t fixed_bit(const struct td_counters *c, unsigned n)
{
    if (n == CYCLES_COUNTER && c->watchdog)
        return 0;
    return !c->fixed || c->fixed >> n & 1 ? UINT64_C(1) << (FIXED + n) : 0;
}

/* The counters that can hold an event; fields of the metrics register need none. */
static uint64_t counters_of(const struct td_counters *c, uint64_t general, const struct td_event *e)
{
    const char *text = list_of(c, e);
    unsigned n;

    if (!strcmp(text, "any"))
        return general;
    if (!strcmp(text, "cycle counter"))
        return (c->watchdog ? 0 : UINT64_C(1) << (FIXED + CYCLE_COUNTER)) | general;
    if (strncmp(text, "fixed ", 6))
        return list_bits(text) & general;
    n = (unsigned)strtoul(text + 6, NULL, 10);
    return fixed_bit(c, n) | (e->config & CODE ? general : 0);
}

/* Finds a counter for the i-th event, moving others if that helps (Kuhn's algorithm). */
static bool place(struct matching *m, int i, uint64_t *tried)
{
    for (unsigned n = 0; n < COUNTERS; n++) {
        const unsigned c = (n + FIXED) % COUNTERS; /* fixed ones first: only few events can use them */

        if (!(m->can[i] >> c & 1) || *tried >> c & 1)
            continue;
        *tried |= UINT64_C(1) << c;
        if (m->holds[c] < 0 || place(m, m->holds[c], tried)) {
            m->holds[c] = i;
            return true;
        }
    }
    return false;
}

/* Takes a register for the event's config1, unless one has that value. */
static bool add_extra(const struct td_event *e, struct matching *m)
{
    static const unsigned most[TD_EXTRAS] = {[TD_EXTRA_FRONTEND] = 1, [TD_EXTRA_OFFCORE] = MOST_EXTRA};
    const enum td_extra kind = td_event_extra(e);

    for (unsigned i = 0; i < m->nextra[kind]; i++)
        if (m->extra[kind][i] == e->config1)
            return true;
    if (kind == TD_EXTRA_NONE)
        return true;
    if (m->nextra[kind] == most[kind])
        return false;
    m->extra[kind][m->nextra[kind]++] = e->config1;
    return true;
}

static bool add(const struct td_counters *c, const struct td_uarch *u, size_t event, struct matching *m)
{
    const struct td_event *e = &u->events[event];
    uint64_t tried = 0;

    if (e->field >= 0)
        return (unsigned)e->field < c->fields;
    if (e->kind != TD_EVENT_COUNT) /* the time stamp counter is no counter of the PMU */
        return e->kind == TD_EVENT_TSC;
    if (m->n == COUNTERS || !add_extra(e, m))
        return false;
    m->event[m->n] = event;
    m->can[m->n] = counters_of(c, m->general, e);
    return place(m, (int)m->n++, &tried);
}

static void begin(const struct td_counters *c, const struct td_uarch *u, struct matching *m)
{
    m->n = 0;
    m->general = all_general(c, u);
    memset(m->holds, -1, sizeof(m->holds));
    memset(m->nextra, 0, sizeof(m->nextra));
}

static bool add_all(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *events,
                    struct matching *m)
{
    TD_BITS_EACH(e, events)
    if (!add(c, u, e, m))
        return false;
    return true;
}

static bool match(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *events,
                  struct matching *m)
{
    begin(c, u, m);
    return add_all(c, u, events, m);
}

bool td_fit(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *events)
{
    struct matching m;

    return match(c, u, events, &m);
}

static bool any_field(const struct td_uarch *u, const struct td_bits *events)
{
    bool any = false;

    TD_BITS_EACH(e, events)
    any = any || u->events[e].field >= 0;
    return any;
}

bool td_fit_beside(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *stay,
                   const struct td_bits *events)
{
    struct matching m;

    if (any_field(u, stay) && any_field(u, events)) /* there is one metrics register */
        return false;
    return match(c, u, stay, &m) && add_all(c, u, events, &m);
}

bool td_fit_one(const struct td_counters *c, const struct td_uarch *u, size_t event)
{
    struct matching m;

    begin(c, u, &m);
    return add(c, u, event, &m);
}

bool td_fit_assign(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *events,
                   signed char *counter)
{
    struct matching m;

    memset(counter, -1, u->nevents);
    if (!match(c, u, events, &m))
        return false;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (m.holds[i] >= 0)
            counter[m.event[m.holds[i]]] = (signed char)i;
    return true;
}

unsigned td_fit_general(const struct td_counters *c, const struct td_uarch *u, const struct td_bits *events)
{
    struct matching m;
    unsigned n = 0;

    match(c, u, events, &m);
    for (unsigned i = 0; i < FIXED; i++)
        n += m.holds[i] >= 0;
    return n;
}

unsigned td_counters_general(const struct td_counters *c, const struct td_uarch *u)
{
    return (unsigned)__builtin_popcountll(all_general(c, u));
}

void td_counters_watch(struct td_counters *c, const struct td_uarch *u)
{
    const int cycles = td_uarch_event_number(u, "cycles");
    const char *where = cycles < 0 ? "" : list_of(c, &u->events[cycles]);
    const uint64_t general = all_general(c, u);

    c->watchdog = true;
    if (strncmp(where, "fixed ", 6) && strcmp(where, "cycle counter"))
        c->general = (unsigned)__builtin_popcountll(general) - 1;
}
