/* SPDX-License-Identifier: MIT */
/* What an interval has counts of: its copies by event and by group, and whose modes it is of, by hand. */
#include "core/counts/layout.h"
#include "tests/support/unit.h"

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static struct td_layout l;
static const struct td_uarch *u;
static uint16_t cycles, retired, issued;

static uint16_t event(const char *name)
{
    const int e = td_uarch_event_number(u, name);

    CU_ASSERT_FATAL(e >= 0);
    return (uint16_t)e;
}

static uint16_t of_kind(enum td_event_kind kind)
{
    size_t e = 0;

    while (e < u->nevents && u->events[e].kind != kind)
        e++;
    CU_ASSERT_FATAL(e < u->nevents);
    return (uint16_t)e;
}

static void use_skylake(void)
{
    u = td_uarch_by_name("skl");
    CU_ASSERT_PTR_NOT_NULL_FATAL(u);
    cycles = event("CPU_CLK_UNHALTED.THREAD");
    retired = event("UOPS_RETIRED.RETIRE_SLOTS");
    issued = event("UOPS_ISSUED.ANY");
}

static struct td_counts counts_of(struct td_count *c, size_t n)
{
    return (struct td_counts){.n = n, .c = c};
}

static void make(struct td_count *c, size_t n)
{
    const struct td_counts k = counts_of(c, n);

    CU_ASSERT_EQUAL_FATAL(td_layout_make(&l, &k, u), 0);
    CU_ASSERT(td_layout_same(&l, &k) && l.first[u->nevents] == n);
}

#define MAKE(...) make((struct td_count[]){__VA_ARGS__}, LENGTH(((struct td_count[]){__VA_ARGS__})))

/* It is the same until one thing differs that a choice may depend on; values and times do not. */
static void same(void)
{
    struct td_count c[3];
    struct td_counts k = {.n = 2, .c = c};

    use_skylake();
    CU_ASSERT_FALSE(td_layout_same(&l, &(struct td_counts){.n = 0})); /* there is none yet */
    c[0] = (struct td_count){.event = cycles, .group = 1, .printed = 1};
    c[1] = (struct td_count){.event = retired, .group = 1, .status = TD_NOT_COUNTED};
    c[2] = c[1];
    make(c, 2);
    c[0].value = c[0].err = c[0].enabled = c[0].running = 5;
    c[1].status = TD_COUNTER_RESET;
    CU_ASSERT(td_layout_same(&l, &k));
    k.n = 3;
    CU_ASSERT_FALSE(td_layout_same(&l, &k));
    k.n = 1;
    CU_ASSERT_FALSE(td_layout_same(&l, &k));
    k.n = 2;
    for (size_t i = 0; i < 2; i++) {
        const struct td_count was = c[i];

#define DIFFERS(change) \
    c[i].change; \
    CU_ASSERT_FALSE(td_layout_same(&l, &k)); \
    c[i] = was
        DIFFERS(event = issued);
        DIFFERS(group = 2);
        DIFFERS(modes = TD_MODE_USER);
        DIFFERS(printed = 2);
        DIFFERS(generic = true);
        DIFFERS(status = i ? TD_OK : TD_NOT_COUNTED);
#undef DIFFERS
    }
    CU_ASSERT(td_layout_same(&l, &k));
    td_layout_free(&l);
    CU_ASSERT_FALSE(td_layout_same(&l, &k));
}

/* Nothing is to be chosen where each event is there once, and all are of one group. */
static void once(void)
{
    use_skylake();
    MAKE({.event = cycles}, {.event = retired}, {.event = issued});
    CU_ASSERT(l.once);
    MAKE({.event = cycles}, {.event = retired, .group = 1});
    CU_ASSERT_FALSE(l.once);
    MAKE({.event = cycles}, {.event = retired}, {.event = cycles});
    CU_ASSERT_FALSE(l.once);
    td_layout_free(&l);
}

static bool lists(uint16_t event, const uint32_t *wanted, size_t n)
{
    bool all = l.first[event + 1] - l.first[event] == n;

    for (size_t i = 0; all && i < n; i++)
        all = l.by_event[l.first[event] + i] == wanted[i];
    return all;
}

#define LISTS(event, ...) \
    CU_ASSERT(lists(event, (const uint32_t[]){__VA_ARGS__}, LENGTH(((const uint32_t[]){__VA_ARGS__}))))

static void copies(void)
{
    use_skylake();
    MAKE({.event = cycles, .group = 7}, {.event = retired, .group = 7, .status = TD_NOT_COUNTED},
         {.event = cycles, .group = 3, .modes = TD_MODE_USER, .generic = true, .printed = 4},
         {.event = issued, .group = 7}, {.event = cycles, .group = 7});
    CU_ASSERT(l.n == 5 && l.nevents == u->nevents && l.events == u->events);
    LISTS(cycles, 0, 2, 4);
    LISTS(retired, 1);
    LISTS(issued, 3);
    CU_ASSERT(l.first[0] == 0 && l.first[u->nevents] == 5);
    CU_ASSERT(l.copy[2].generic && l.copy[2].printed == 4 && l.copy[2].group == 3 && l.copy[2].ok);
    CU_ASSERT(!l.copy[1].ok && l.copy[0].ok && !l.copy[0].generic);
    CU_ASSERT(l.copy[0].group_at == 0 && l.copy[1].group_at == 0 && l.copy[2].group_at == 1);
    CU_ASSERT(td_layout_has(&l, cycles, 0) && td_layout_has(&l, cycles, TD_MODE_USER));
    CU_ASSERT(!td_layout_has(&l, cycles, TD_MODE_KERNEL) && !td_layout_has(&l, issued, TD_MODE_USER));
    CU_ASSERT(td_layout_has(&l, retired, 0)); /* though it was not counted */
    CU_ASSERT(td_bits_has(&l.group[0].has, retired) && !td_bits_has(&l.group[0].counted, retired));
    CU_ASSERT(td_bits_has(&l.group[0].counted, cycles) && td_bits_has(&l.group[0].counted, issued));
    CU_ASSERT(td_bits_has(&l.group[1].counted, cycles) && !td_bits_has(&l.group[1].has, issued));
    CU_ASSERT(l.group[0].size == 3 && l.group[1].size == 1);
    td_layout_free(&l);
}

/* Which modes the recording is of: those of most events, all modes before others, and more modes before fewer. */
static void whose_modes(void)
{
    const unsigned user = TD_MODE_USER, kernel = TD_MODE_KERNEL;

    use_skylake();
#define OF(e, m) {.event = (e), .modes = (uint8_t)(m)}
#define ARE(wanted, ...) \
    MAKE(__VA_ARGS__); \
    CU_ASSERT_EQUAL(l.modes, wanted)
    ARE(0, OF(cycles, 0));
    ARE(user, OF(retired, user));
    ARE(0, OF(retired, user), OF(cycles, 0));
    ARE(0, OF(cycles, 0), OF(retired, user));
    ARE(user, OF(cycles, 0), OF(retired, user), OF(issued, user));
    ARE(0, OF(cycles, 0), OF(retired, user), OF(retired, user)); /* one event is one */
    ARE(user | kernel, OF(retired, user), OF(issued, user | kernel));
    ARE(user | kernel, OF(retired, user | kernel), OF(issued, user));
    ARE(user, OF(retired, user), OF(issued, kernel));
    ARE(kernel, OF(retired, user), OF(retired, kernel), OF(issued, kernel));
    /* modes change nothing of what is no core's own */
    ARE(user, OF(retired, user), OF(of_kind(TD_EVENT_TSC), 0));
    ARE(user, OF(retired, user), OF(of_kind(TD_EVENT_ELSEWHERE), 0));
    ARE(0, OF(retired, user), OF(issued, 0));
    /* the row has cycles of the kernel as an event of its own, which counts only where there are no others */
    ARE(user, OF(retired, user), OF(cycles, kernel));
    ARE(0, OF(retired, 0), OF(cycles, kernel));
    ARE(kernel, OF(cycles, kernel));
    CU_ASSERT(l.copy[0].own != TD_NO_EVENT && u->events[l.copy[0].own].base == cycles &&
              u->events[l.copy[0].own].modes == kernel);
#undef ARE
#undef OF
    td_layout_free(&l);
}

/* An event of the row's own may come before the one that it is of. */
static void own_first(void)
{
    static const struct td_event events[] = {{.name = "C:k", .base = 1, .modes = TD_MODE_KERNEL},
                                             {.name = "C", .base = 1}};
    static const struct td_uarch row = {.events = events, .nevents = 2};

    u = &row;
    MAKE({.event = 1, .modes = TD_MODE_KERNEL}, {.event = 1}, {.event = 1, .modes = TD_MODE_USER});
    CU_ASSERT(l.copy[0].own == 0 && l.copy[1].own == TD_NO_EVENT && l.copy[2].own == TD_NO_EVENT);
    td_layout_free(&l);
}

static const CU_TestInfo tests[] = {
    {"same", same},           {"once", once},    {"copies", copies}, {"whose modes", whose_modes},
    {"own first", own_first}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("layout", tests);
