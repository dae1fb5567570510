/* SPDX-License-Identifier: MIT */
/* The tape's operations on pairs whose sides have other values and other states: all by hand. That it agrees with the
 * evaluator of ranges is test_formula's. */
#include "core/formula/tape.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { EVENTS = 4, OPS_MAX = 16, CELLS_MAX = 64 };

static int find(const void *ctx, const char *name, size_t len)
{
    (void)ctx;
    return len == 1 && *name >= 'A' && *name < 'A' + EVENTS ? *name - 'A' : -1;
}

/* One definition as a tape, its leaves loaded; "SMT" is the part of the time for which a condition holds. */
struct made {
    struct td_program *p;
    struct td_tape tape;
    struct td_sides cells[CELLS_MAX];
};

static void make(struct made *m, const char *expr)
{
    const struct td_def defs[] = {
        {.name = "SMT", .expr = "A"}, {.name = "both", .expr = "D"}, {.name = "x", .expr = expr}, {0}};
    const struct td_def *const lists[] = {defs};
    const struct td_program_text text = {.lists = lists, .nlists = 1, .width = 6, .nevents = EVENTS, .find = find};
    struct td_val *from;
    char why[128];
    uint32_t order[3];
    size_t result, n;

    memset(m, 0, sizeof(*m));
    CU_ASSERT_FATAL(!td_program_new(&text, &m->p) && !td_program_compile(m->p, 2, why, sizeof(why)));
    from = calloc(td_program_cells(m->p), sizeof(*from));
    CU_ASSERT_FATAL(from != NULL);
    td_program_prepare(m->p, from);
    result = td_def_cell(m->p, 2);
    n = td_program_order(m->p, td_program_uses(m->p, 2), order);
    CU_ASSERT_EQUAL_FATAL(n, strstr(expr, "SMT") ? 3 : 1);
    CU_ASSERT_FATAL(!td_tape_make(&m->tape, m->p, order, n, &result, 1) && m->tape.nops <= OPS_MAX &&
                    td_tape_cells(&m->tape) <= CELLS_MAX);
    td_tape_load(&m->tape, from, m->cells);
    free(from);
}

static void unmake(struct made *m)
{
    td_tape_free(&m->tape);
    td_program_free(m->p);
}

/* The tape's cell of an event; UINT32_MAX: none reads it. */
static uint32_t leaf_of(const struct made *m, size_t event)
{
    for (size_t i = 0; i < m->tape.nleaves; i++)
        if (m->tape.leaf[i] == td_event_cell(event))
            return (uint32_t)(m->tape.nops + i);
    return UINT32_MAX;
}

struct side {
    double value;
    enum td_state state;
};

static struct td_sides run(struct made *m, const struct side first[EVENTS], const struct side second[EVENTS])
{
    uint32_t ops[OPS_MAX];

    for (size_t e = 0; e < EVENTS; e++)
        if (leaf_of(m, e) != UINT32_MAX)
            m->cells[leaf_of(m, e)] = (struct td_sides){{first[e].value, second[e].value},
                                                        {(uint8_t)first[e].state, (uint8_t)second[e].state}};
    for (uint32_t i = 0; i < m->tape.nops; i++)
        ops[i] = i;
    td_tape_run(&m->tape, ops, m->tape.nops, m->cells);
    return m->cells[m->tape.result[0]];
}

#define OK(value) \
    { \
        value, TD_VAL_OK \
    }
#define OMITTED \
    { \
        0, TD_VAL_OMITTED \
    }
#define MISSING \
    { \
        1, TD_VAL_MISSING \
    }
#define NOT_COUNTED \
    { \
        1, TD_VAL_NOT_COUNTED \
    }
#define NOT_SUPPORTED \
    { \
        1, TD_VAL_NOT_SUPPORTED \
    }
#define RESET \
    { \
        1, TD_VAL_RESET \
    }

/* The first side is always A = 7, B = 2, C = 5, D = 3; and once more the other way round. */
static void sides(void)
{
    static const struct side usual[EVENTS] = {{7, TD_VAL_OK}, {2, TD_VAL_OK}, {5, TD_VAL_OK}, {3, TD_VAL_OK}};
    static const struct {
        const char *expr;
        double first;
        struct side other[EVENTS], second;
    } rows[] = {
        {"A + B", 9, {OK(11), OK(4)}, OK(15)},
        {"A + B", 9, {MISSING, NOT_COUNTED}, MISSING},
        {"A + B", 9, {OK(11), NOT_COUNTED}, NOT_COUNTED},
        {"A + B", 9, {OK(11), OMITTED}, OK(11)},
        {"A + B", 9, {OMITTED, OK(4)}, OK(4)},
        {"A - B", 5, {OK(11), OK(4)}, OK(7)},
        {"A - B", 5, {OMITTED, OK(4)}, OK(-4)},
        {"A - B", 5, {RESET, OK(4)}, RESET},
        {"A * B", 14, {OK(11), OK(4)}, OK(44)},
        {"A * B", 14, {MISSING, OK(4)}, MISSING},
        {"A * B", 14, {OK(11), RESET}, RESET},
        {"A * B", 14, {OMITTED, OK(4)}, OMITTED},
        {"A * B", 14, {OK(11), OMITTED}, OMITTED},
        {"A * B", 14, {OMITTED, MISSING}, OMITTED},
        {"A / B", 3.5, {OK(11), OK(4)}, OK(2.75)},
        {"A / B", 3.5, {OK(11), OK(0)}, {0, TD_VAL_ZERO_DIV}},
        {"A / B", 3.5, {MISSING, OK(0)}, MISSING},
        {"A / B", 3.5, {MISSING, OK(4)}, MISSING},
        {"A / B", 3.5, {OK(11), OMITTED}, OMITTED},
        {"max0(A)", 7, {OK(-3)}, OK(0)},
        {"max0(A)", 7, {NOT_COUNTED}, NOT_COUNTED},
        {"max0(B - A)", 0, {OK(1), OK(4)}, OK(3)},
        {"min(A, B)", 2, {OK(11), OK(12)}, OK(11)},
        {"min(A, B)", 2, {MISSING, OK(12)}, MISSING},
        {"min(B, A)", 2, {OK(11), RESET}, RESET},
        {"max(A, B)", 7, {OK(11), OK(12)}, OK(12)},
        {"max(A, B)", 7, {OK(11), MISSING}, MISSING},
        {"max(B, A)", 7, {OK(11), OK(10)}, OK(11)},
        {"A > B", 1, {OK(4), OK(4)}, OK(0)},
        {"A > B", 1, {OK(4), OK(5)}, OK(0)},
        {"A > B", 1, {OK(4), MISSING}, MISSING},
        {"A >= B", 1, {OK(4), OK(4)}, OK(1)},
        {"A >= B", 1, {OK(3), OK(4)}, OK(0)},
        {"A >= B", 1, {RESET, OK(4)}, RESET},
        {"A if B > C else D", 3, {OK(11), OK(6), OK(5), OK(9)}, OK(11)},
        {"A if B > C else D", 3, {OK(11), OK(5), OK(5), OK(9)}, OK(9)},
        {"A if B > C else D", 3, {OK(11), OK(6), MISSING, OK(9)}, MISSING},
        {"A if B > C else D", 3, {MISSING, OK(6), OK(5), OK(9)}, MISSING},
        {"A if B > C else D", 3, {MISSING, OK(4), OK(5), OK(9)}, OK(9)},
        {"when(A, B, C, D)", 5, {OK(4), OK(4), OK(6), OK(9)}, OK(9)},
        {"when(A, B, C, D)", 5, {OK(5), OK(4), OK(6), MISSING}, OK(6)},
        {"when(A, B, C, D)", 5, {MISSING, RESET, OK(6), OK(9)}, MISSING},
        {"when(A, B, C, D)", 5, {OK(5), RESET, OK(6), OK(9)}, RESET},
        {"A > B & C > D", 1, {OK(5), OK(4), OK(6), OK(9)}, OK(0)},
        {"A > B & C > D", 1, {OK(3), OK(4), OK(10), OK(9)}, OK(0)},
        {"A > B & C > D", 1, {MISSING, OK(4), OK(6), OK(9)}, OK(0)},
        {"A > B & C > D", 1, {OK(3), OK(4), OK(6), MISSING}, OK(0)},
        {"A > B & C > D", 1, {MISSING, OK(4), OK(10), OK(9)}, MISSING},
        {"A > B & C > D", 1, {OK(5), OK(4), OK(10), MISSING}, MISSING},
        {"A > B | C > D", 1, {OK(3), OK(4), OK(6), OK(9)}, OK(0)},
        {"A > B | C > D", 1, {OK(3), OK(4), OK(10), OK(9)}, OK(1)},
        {"A > B | C > D", 1, {OK(5), OK(4), MISSING, OK(9)}, OK(1)},
        {"A > B | C > D", 1, {MISSING, OK(4), OK(10), OK(9)}, OK(1)},
        {"A > B | C > D", 1, {MISSING, OK(4), OK(6), OK(9)}, MISSING},
        {"has(A)", 1, {MISSING}, OK(0)},
        {"has(A)", 1, {NOT_COUNTED}, OK(1)},
        {"share(A, C)", 7.0 / 12, {OK(1), OK(0), OK(3)}, OK(0.25)},
        {"share(A, C)", 7.0 / 12, {OK(0), OK(0), OK(0)}, {0, TD_VAL_ZERO_DIV}},
        {"share(A, C)", 7.0 / 12, {OK(-3), OK(0), OK(3)}, {0, TD_VAL_ZERO_DIV}},
        {"share(A, C)", 7.0 / 12, {MISSING, OK(0), OK(3)}, MISSING},
        {"share(A, C)", 7.0 / 12, {OK(0), OK(0), NOT_COUNTED}, NOT_COUNTED},
        {"either(A, B)", 7, {OK(11), OK(4)}, OK(11)},
        {"either(A, B)", 7, {MISSING, OK(4)}, OK(4)},
        {"either(A, B)", 7, {MISSING, RESET}, RESET},
        {"either(A, B)", 7, {NOT_COUNTED, OK(4)}, OK(4)},
        {"either(A, B)", 7, {NOT_SUPPORTED, OK(4)}, OK(4)},
        {"either(A, B)", 7, {NOT_COUNTED, MISSING}, NOT_COUNTED},
        {"either(A, B)", 7, {RESET, OK(4)}, RESET},
        {"per_cpu(A)", 7, {OK(11)}, OK(11)},
        {"per_cpu(A)", 7, {RESET}, RESET},
        {"B if SMT else C", -10, {OK(1), OK(4), OK(6), OK(9)}, OK(4)}, /* (2 - A) * B */
        {"B if SMT else C", -10, {OK(0.25), OK(4), OK(6), OK(9)}, OK(7)},
        {"B if SMT else C", -10, {OK(0), OK(4), OK(6), OK(9)}, OK(6)},
        {"B if SMT else C", -10, {OK(0), OK(4), MISSING, OK(9)}, OK(8)},
        {"B if SMT else C", -10, {OK(0.5), MISSING, OK(6), OK(9)}, OK(6)},
        {"B if SMT else C", -10, {OK(1), MISSING, OK(6), OK(9)}, MISSING},
        {"B if SMT else C", -10, {OK(0.5), RESET, MISSING, OK(9)}, RESET},
        {"B if SMT else C", -10, {MISSING, OK(4), OK(6), OK(9)}, MISSING},
        {"2 * A + width", 20, {OK(1)}, OK(8)},
        {"A + B * C - D", 14, {OK(1), OK(2), OK(3), MISSING}, MISSING},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        for (size_t turned = 0; turned < 2; turned++) {
            const struct side *pair[2] = {usual, rows[i].other};
            const struct side wanted[2] = {{rows[i].first, TD_VAL_OK}, rows[i].second};
            struct td_sides out;
            struct made m;
            bool good = true;

            make(&m, rows[i].expr);
            out = run(&m, pair[turned], pair[1 - turned]);
            for (size_t side = 0; side < 2; side++) {
                const struct side *w = &wanted[side ^ turned];

                good =
                    good && out.state[side] == w->state && (w->state > TD_VAL_OMITTED || out.value[side] == w->value);
            }
            if (!good)
                printf("\n    row %zu, %s: %g (%d), %g (%d)", i, rows[i].expr, out.value[0], out.state[0], out.value[1],
                       out.state[1]);
            CU_ASSERT(good);
            unmake(&m);
        }
}

/* What has to be done again where only some leaves moved: of A + B * C the product with C, the sum with both. */
static void follow(void)
{
    static const struct {
        size_t event, ops;
    } rows[] = {{0, 1}, {1, 2}, {2, 2}, {3, 0}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        bool moved[CELLS_MAX] = {false};
        uint32_t out[OPS_MAX];
        struct made m;
        uint32_t leaf;

        make(&m, "A + B * C");
        leaf = leaf_of(&m, rows[i].event);
        if (leaf != UINT32_MAX)
            moved[leaf] = true;
        CU_ASSERT_EQUAL(td_tape_follow(&m.tape, moved, out), rows[i].ops + (rows[i].ops && m.tape.nops > 2));
        CU_ASSERT_EQUAL(moved[m.tape.result[0]], rows[i].ops > 0);
        for (size_t k = 1; k < rows[i].ops; k++)
            CU_ASSERT(out[k] > out[k - 1] && moved[out[k]]);
        unmake(&m);
    }
}

/* The leaves are the events and the constants that an expression has, once each; four are moved one at a time. */
static void leaves(void)
{
    bool moved[CELLS_MAX] = {false};
    uint32_t out[OPS_MAX];
    struct made m;

    make(&m, "when(A, B, C, D)");
    CU_ASSERT_EQUAL(m.tape.nleaves, 4);
    for (size_t e = 0; e < EVENTS; e++) {
        memset(moved, 0, sizeof(moved));
        moved[leaf_of(&m, e)] = true;
        CU_ASSERT(td_tape_follow(&m.tape, moved, out) >= 1 && moved[m.tape.result[0]]);
    }
    unmake(&m);
    make(&m, "A * A + 2 * A");
    CU_ASSERT_EQUAL(m.tape.nleaves, 2);
    unmake(&m);
}

static const CU_TestInfo tests[] = {
    {"sides", sides},
    {"what follows", follow},
    {"leaves", leaves},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("tape", tests);
