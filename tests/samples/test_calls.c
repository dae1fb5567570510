/* SPDX-License-Identifier: MIT */
/* What chains share, against comparing them letter by letter: a chain is a text, a function a letter, the outermost
 * first. */
#include "samples/calls.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FUNCTIONS = 4, DEEPEST = 6, CHAINS = 40 };

static char names[FUNCTIONS][8] = {"a", "b", "c", "d"};
static struct td_place functions[FUNCTIONS] = {{.name = names[0], .number = 0},
                                               {.name = names[1], .number = 1},
                                               {.name = names[2], .number = 2},
                                               {.name = names[3], .number = 3}};

static void random_chain(struct unit_random *random, char chain[DEEPEST + 1])
{
    const size_t n = 1 + unit_random_below(random, DEEPEST);

    for (size_t i = 0; i < n; i++)
        chain[i] = *names[unit_random_below(random, i < 2 ? 2 : FUNCTIONS)]; /* so that many share their outermost */
    chain[n] = '\0';
}

static const struct td_place *enter(struct td_calls *c, const char *chain)
{
    const struct td_call *call = NULL;

    for (; *chain; chain++)
        CU_ASSERT_FATAL(!td_calls_enter(c, call, &functions[*chain - 'a'], &call));
    return &call->place;
}

static size_t shared(const char *one, const char *other)
{
    size_t n = 0;

    while (one[n] && one[n] == other[n])
        n++;
    return n;
}

/* Each letter of the chain once, with whether it is in the part that both share. */
static void children(struct td_calls *c, const char *chain, const char *before)
{
    const size_t both = shared(chain, before);
    bool seen[FUNCTIONS] = {false};
    struct td_share share[TD_FRAMES_MAX];
    const size_t n = td_calls_shares(c, enter(c, chain), enter(c, before), share);
    size_t letters = 0;

    for (const char *at = chain; *at; at++)
        letters += strchr(chain, *at) == at;
    CU_ASSERT_EQUAL_FATAL(n, letters);
    for (size_t i = 0; i < n; i++) {
        const char letter = *share[i].at->name;
        const char *first = strchr(chain, letter);

        CU_ASSERT_FATAL(first && !seen[letter - 'a']);
        seen[letter - 'a'] = true;
        CU_ASSERT_EQUAL(share[i].nth, i + 1);
        CU_ASSERT_EQUAL(share[i].began == share[i].at->name, (size_t)(first - chain) < both);
    }
}

static void stacks(struct td_calls *c, const char *chain, const char *before)
{
    const size_t both = shared(chain, before), len = strlen(chain);
    struct td_share share[TD_FRAMES_MAX];

    CU_ASSERT_EQUAL_FATAL(td_calls_shares(c, enter(c, chain), enter(c, before), share), len);
    for (size_t i = 0; i < len; i++) { /* the innermost first: "a;b;a", "a;b", "a" */
        const char *name = share[i].at->name;

        CU_ASSERT_EQUAL_FATAL(strlen(name), 2 * (len - i) - 1);
        for (size_t k = 0; k < len - i; k++)
            CU_ASSERT(name[2 * k] == chain[k] && name[2 * k + 1] == (k + 1 < len - i ? ';' : '\0'));
        CU_ASSERT_EQUAL(share[i].began == name, len - i <= both);
    }
}

/* b's: of the first b in a chain. */
static void relatives(struct td_calls *c, const char *chain, const char *before, bool callers)
{
    const char *b = strchr(chain, 'b');
    const size_t need = b ? (size_t)(b - chain) + 1 + (!callers && b[1]) : 0;
    const char wanted[2] = {!b ? '[' : callers ? b == chain ? '[' : b[-1] : b[1] ? b[1] : 'b', '\0'};
    const char *old = strchr(before, 'b');
    const bool itself = b && !callers && !b[1], was_itself = old && !old[1];
    struct td_share share[TD_FRAMES_MAX];

    CU_ASSERT_EQUAL_FATAL(td_calls_shares(c, enter(c, chain), enter(c, before), share), 1);
    CU_ASSERT_EQUAL(*share[0].at->name, *wanted);
    CU_ASSERT_EQUAL(share[0].nth, 0);
    /* each scope has its own */
    CU_ASSERT_EQUAL(share[0].number, !b ? 0 : *wanted == '[' ? 1 : 2 + (uint32_t)(*wanted - 'a'));
    CU_ASSERT_EQUAL(!strcmp(share[0].at->name, "[not in b]"), !b);
    CU_ASSERT_EQUAL(share[0].began == share[0].at->name,
                    b ? shared(chain, before) >= need && (!itself || was_itself) : !old);
}

static void random_chains(void)
{
    struct td_calls *of_children = td_calls_new(TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CHILDREN, NULL, false),
                    *by_stack = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false);
    struct td_calls *callers = td_calls_new(TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CALLERS, "b", false),
                    *callees = td_calls_new(TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CALLEES, "b", false);
    struct unit_random random = {5};
    char chain[CHAINS][DEEPEST + 1];

    for (size_t i = 0; i < CHAINS; i++)
        random_chain(&random, chain[i]);
    for (size_t i = 0; i < CHAINS; i++)
        for (size_t k = 0; k < CHAINS; k++) {
            children(of_children, chain[i], chain[k]);
            stacks(by_stack, chain[i], chain[k]);
            relatives(callers, chain[i], chain[k], true);
            relatives(callees, chain[i], chain[k], false);
        }
    td_calls_free(of_children);
    td_calls_free(by_stack);
    td_calls_free(callers);
    td_calls_free(callees);
}

/* A function's name cannot pretend to be a path. */
static void semicolon(void)
{
    static char odd[] = "a;b";
    const struct td_place function = {.name = odd};
    struct td_calls *c = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false);
    const struct td_call *call = NULL;

    CU_ASSERT_FATAL(!td_calls_enter(c, NULL, &function, &call) && !td_calls_enter(c, call, &function, &call));
    CU_ASSERT_STRING_EQUAL(call->place.name, "a:b;a:b");
    td_calls_free(c);
}

/* Paths of every length up to 200 bytes, of one function and of two: each stays as it was, whatever is entered after
 * it. */
static void all_lengths(void)
{
    enum { MOST = 200 };
    static char text[MOST][MOST + 1];
    static struct td_place function[MOST];
    struct td_calls *c = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false);
    const struct td_call *call[2 * MOST];

    for (uint32_t i = 0; i < MOST; i++) {
        memset(text[i], 'A' + (int)i % 26, i + 1);
        function[i] = (struct td_place){.name = text[i], .number = i};
        CU_ASSERT_FATAL(!td_calls_enter(c, NULL, &function[i], &call[2 * i]));
        CU_ASSERT_FATAL(!td_calls_enter(c, call[2 * i], &function[i / 2], &call[2 * i + 1]));
    }
    for (uint32_t i = 0; i < MOST; i++) {
        const char *both = call[2 * i + 1]->place.name;

        CU_ASSERT_STRING_EQUAL(call[2 * i]->place.name, text[i]);
        CU_ASSERT(!strncmp(both, text[i], i + 1) && both[i + 1] == ';' && !strcmp(both + i + 2, text[i / 2]));
        CU_ASSERT(call[2 * i]->place.number == 2 * i && call[2 * i + 1]->place.number == 2 * i + 1);
        CU_ASSERT(call[2 * i]->depth == 1 && call[2 * i + 1]->depth == 2);
    }
    td_calls_end(c); /* they stay, until all is freed */
    CU_ASSERT_STRING_EQUAL(call[0]->place.name, text[0]);
    td_calls_free(c);
}

/* Of a chain that is too long, the innermost functions count. */
static void too_deep(void)
{
    enum { DEEP = TD_FRAMES_MAX + 1 };
    static struct td_place function[DEEP];
    static struct td_share share[DEEP];
    struct td_calls *c = td_calls_new(TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CHILDREN, NULL, false);
    const struct td_call *call = NULL;

    share[TD_FRAMES_MAX].nth = 7; /* it is not written to */
    for (uint32_t i = 0; i < DEEP; i++) {
        function[i] = (struct td_place){.name = names[0], .number = i};
        CU_ASSERT_FATAL(!td_calls_enter(c, call, &function[i], &call));
        CU_ASSERT_EQUAL(call->depth, i + 1);
        CU_ASSERT_EQUAL(td_calls_shares(c, &call->place, NULL, share), i < TD_FRAMES_MAX ? i + 1 : TD_FRAMES_MAX);
        CU_ASSERT_PTR_EQUAL(share[0].at, &function[i]);
        CU_ASSERT_PTR_NULL(share[0].began);
    }
    CU_ASSERT(share[TD_FRAMES_MAX - 1].at == &function[1] && share[TD_FRAMES_MAX].nth == 7);
    td_calls_free(c);
}

/* Paths of 1 MiB, with their ends: there is room for so many, and not for a byte more. What is known is found
 * nevertheless. */
static void long_paths(void)
{
    enum { LONG = 1 << 20, FIT = TD_CALLS_TEXT_MAX / LONG };
    static char text[LONG];
    static struct td_place function[FIT + 1];
    struct td_calls *c = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false),
                    *flat = td_calls_new(TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CHILDREN, NULL, false);
    const struct td_call *call, *first = NULL;

    memset(text, 'x', LONG - 1);
    for (uint32_t i = 0; i <= FIT; i++) {
        function[i] = (struct td_place){.name = i < FIT ? text : names[0], .number = i};
        CU_ASSERT_EQUAL(td_calls_enter(c, NULL, &function[i], &call), i < FIT ? 0 : -E2BIG);
        first = i ? first : call;
        CU_ASSERT_EQUAL(td_calls_enter(flat, NULL, &function[i], &call), 0); /* which has no paths */
    }
    CU_ASSERT_EQUAL(td_calls_enter(c, NULL, &function[0], &call), 0);
    CU_ASSERT_PTR_EQUAL(call, first);
    CU_ASSERT_EQUAL(td_calls_enter(c, first, &function[FIT], &call), -E2BIG);
    td_calls_free(c);
    td_calls_free(flat);
}

/* The last path that fits, of two functions: "a;", the other's name and the end. */
static void last_path(void)
{
    enum { LONG = 1 << 20, FIT = TD_CALLS_TEXT_MAX / LONG, LEFT = LONG - 2 };
    static char text[LONG], fits[LEFT], longer[LEFT];
    static struct td_place function[FIT];
    const struct td_place last = {.name = fits}, next = {.name = longer};
    struct td_calls *c = td_calls_new(TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, NULL, false);
    const struct td_call *call, *caller;

    memset(text, 'x', LONG - 1);
    memset(fits, 'y', LEFT - 3);
    memset(longer, 'y', LEFT - 2);
    for (uint32_t i = 0; i < FIT; i++) {
        function[i] = (struct td_place){.name = i ? text : names[0], .number = i};
        CU_ASSERT_EQUAL(td_calls_enter(c, NULL, &function[i], i ? &call : &caller), 0);
    }
    CU_ASSERT_EQUAL(td_calls_enter(c, caller, &next, &call), -E2BIG);
    CU_ASSERT_EQUAL(td_calls_enter(c, caller, &last, &call), 0);
    CU_ASSERT_EQUAL(strlen(call->place.name), LEFT - 1);
    td_calls_free(c);
}

/* What samples count for besides their place: callers, or places that contain each other; of threads and the like,
 * neither. */
static void wanted(void)
{
    static const struct {
        enum td_samples_by by;
        enum td_samples_chain chain;
        bool nested, wanted, chained;
    } rows[] = {
        {TD_SAMPLES_BY_FUNCTION, TD_CHAIN_SELF, false, false, false},
        {TD_SAMPLES_BY_FUNCTION, TD_CHAIN_SELF, true, true, false},
        {TD_SAMPLES_BY_FUNCTION, TD_CHAIN_CHILDREN, false, true, true},
        {TD_SAMPLES_BY_DSO, TD_CHAIN_CALLERS, true, true, true},
        {TD_SAMPLES_BY_STACK, TD_CHAIN_SELF, false, true, true},
        {TD_SAMPLES_BY_THREAD, TD_CHAIN_CHILDREN, false, false, false},
        {TD_SAMPLES_BY_COMM, TD_CHAIN_CALLEES, false, false, false},
        {TD_SAMPLES_BY_CPU, TD_CHAIN_CHILDREN, false, false, false},
        {TD_SAMPLES_BY_CGROUP, TD_CHAIN_CALLERS, false, false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_calls *c = td_calls_new(rows[i].by, rows[i].chain, "b", rows[i].nested);
        struct td_share share[TD_FRAMES_MAX];

        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL(td_calls_wanted(c), rows[i].wanted);
        CU_ASSERT_EQUAL(td_calls_chained(c), rows[i].chained);
        if (!rows[i].wanted) {
            CU_ASSERT_EQUAL(td_calls_shares(c, &functions[2], &functions[1], share), 1);
            CU_ASSERT(share[0].at == &functions[2] && share[0].began == names[1] && share[0].number == 2 &&
                      share[0].nth == 0);
            CU_ASSERT_EQUAL(td_calls_shares(c, &functions[2], NULL, share), 1);
            CU_ASSERT_PTR_NULL(share[0].began);
        }
        td_calls_free(c);
    }
}

static const CU_TestInfo tests[] = {
    {"what two chains share", random_chains},
    {"a semicolon in a name", semicolon},
    {"paths of all lengths", all_lengths},
    {"more functions than count", too_deep},
    {"paths that are too long together", long_paths},
    {"the last path that fits", last_path},
    {"what samples count for", wanted},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("call chains", tests);
