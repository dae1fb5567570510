/* SPDX-License-Identifier: MIT */
/* Definitions that are evaluated once: those of which no solution has anything that changes. */
#include "core/choice/steady.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

/* A and B were not recorded; C was; D was in the first solution's group alone. */
enum { A, B, C, D, EVENTS };

static int find(const void *ctx, const char *name, size_t len)
{
    (void)ctx;
    return len == 1 && *name >= 'A' && *name < 'A' + EVENTS ? *name - 'A' : -1;
}

/* In the order in which they are listed; steady: what the names say, by hand. */
static const struct {
    struct td_def def;
    bool steady;
} all[] = {
    {{.name = "gone", .expr = "A + 1"}, true},
    {{.name = "counted", .expr = "C"}, false},
    {{.name = "number", .expr = "2 * 3"}, true},
    {{.name = "some", .expr = "D"}, false}, /* one solution has it */
    {{.name = "timed", .expr = "A / duration"}, false},
    {{.name = "corrected", .expr = "A + ?C"}, false},
    {{.name = "uncorrected", .expr = "A + ?B"}, true},
    {{.name = "of_steady", .expr = "gone * number"}, true},
    {{.name = "of_counted", .expr = "gone + counted"}, false},
    {{.name = "either_of", .expr = "either(B, C)"}, false},
};
enum { DEFS = sizeof(all) / sizeof(*all) };

static struct td_program *compile(struct td_def list[DEFS + 1])
{
    const struct td_def *const lists[] = {list};
    const struct td_program_text text = {.lists = lists, .nlists = 1, .width = 6, .nevents = EVENTS, .find = find};
    struct td_program *p;
    char why[256];

    memset(list, 0, (DEFS + 1) * sizeof(*list));
    for (size_t i = 0; i < DEFS; i++)
        list[i] = all[i].def;
    CU_ASSERT_FATAL(!td_program_new(&text, &p));
    for (size_t i = 0; i < DEFS; i++)
        CU_ASSERT_FATAL(!td_program_compile(p, i, why, sizeof(why)));
    return p;
}

/* Two solutions, each with all definitions in the order of the list. */
static void choose(struct td_choice *c)
{
    static const struct td_use uses[] = {{A, -1, true, false}, {B, -1, true, true},  {C, 1, true, true},
                                         {D, 0, true, false},  {A, -1, true, false}, {B, -1, true, true},
                                         {C, 2, true, true},   {D, -1, true, false}};

    *c = (struct td_choice){.solution = calloc(2, sizeof(*c->solution)),
                            .nsolutions = 2,
                            .use = malloc(sizeof(uses)),
                            .nuses = sizeof(uses) / sizeof(*uses),
                            .run = calloc(2 * DEFS, sizeof(*c->run)),
                            .nrun = 2 * DEFS,
                            .run_room = 2 * DEFS};
    CU_ASSERT_FATAL(c->solution && c->use && c->run);
    memcpy(c->use, uses, sizeof(uses));
    for (uint32_t i = 0; i < 2 * DEFS; i++)
        c->run[i] = i % DEFS;
    for (size_t i = 0; i < 2; i++)
        c->solution[i] = (struct td_solution){.uses = 4 * i, .nuses = 4, .run = i * DEFS, .nrun = DEFS};
}

static void steady_first(void)
{
    struct td_def list[DEFS + 1];
    struct td_program *p = compile(list);
    struct td_choice c;
    struct td_bits absent;
    size_t wanted = 0;

    choose(&c);
    CU_ASSERT_FATAL(!td_bits_new(&absent, EVENTS));
    CU_ASSERT_FATAL(!td_steady_find(&c, p, &absent));
    for (size_t i = 0; i < DEFS; i++)
        wanted += all[i].steady;
    for (size_t s = 0; s < 2; s++) {
        const uint32_t *run = &c.run[c.solution[s].run];

        CU_ASSERT_EQUAL(c.solution[s].steady, wanted);
        for (size_t i = 0; i < DEFS; i++) {
            CU_ASSERT_EQUAL(all[run[i]].steady, i < wanted);
            CU_ASSERT(i == 0 || i == wanted || run[i - 1] < run[i]); /* each part in the order that it had */
        }
    }
    td_bits_free(&absent);
    td_choice_free(&c);
    td_program_free(p);
}

static const CU_TestInfo tests[] = {
    {"they come first", steady_first},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("steady definitions", tests);
