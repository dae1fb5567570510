/* SPDX-License-Identifier: MIT */
/* The published metrics of each CPU: each row is well formed, its formula can be read, and its
 * values for levels 1 and 2 are those that the row of the CPU computes. */
#include "backends/registry.h"
#include "core/solve/solve.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void check(bool good, int line, const struct td_uarch *u, const char *what)
{
    char text[300];

    snprintf(text, sizeof(text), "%s: %s", u->name, what);
    CU_assertImplementation(good, (unsigned)line, text, __FILE__, "", CU_FALSE);
}

#define CHECK(good, row, what) check(good, __LINE__, row, what)
#define EACH_TABLE(u) (size_t row_ = 0; ((u) = td_uarch_at(row_)); row_++) if (u->table)

static const char *text(const struct td_uarch *u, uint32_t at)
{
    return u->table->texts + at;
}

/* backends/NOTATION */
static const char *const units[] = {
    "fraction",
    "percent",
    "percent of cycles",
    "percent of slots",
    "percent of operations",
    "percent of bus cycles",
    "ratio",
    "cycles",
    "slots",
    "instructions",
    "per instruction",
    "per kilo-instruction",
    "MPKI",
    "per kilo-uop",
    "per cycle",
    "operations per cycle",
    "per branch",
    "per TLB access",
    "per cache access",
    "per cache read access",
    "CPUs",
    "ns",
    "s",
    "GHz",
    "GB/s",
    "MB/s",
    "GFLOP/s",
    "million per second",
    "W",
    NULL,
};

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word))
        list++;
    return *list;
}

static void check_place(const struct td_uarch *u, const struct td_table_row *r)
{
    const char *name = text(u, r->name), *parent = text(u, r->parent);
    const int above = *parent ? td_table_find(u->table, parent, strlen(parent)) : -1;

    if (r->kind == TD_ROW_NODE) {
        CHECK(r->level >= 1 && r->level <= 6 && (r->level == 1) == !*parent, u, name);
        /* "a node may skip a level" */
        CHECK(!*parent ||
                  (above >= 0 && u->table->row[above].level < r->level && u->table->row[above].kind == TD_ROW_NODE),
              u, name);
        CHECK(!*parent || u->table->row[above].level + 1 == r->level || !strncmp(name, "dtlb_load", 9), u, name);
    }
    CHECK(!*parent || above >= 0, u, name);
    CHECK(r->kind == TD_ROW_AUX ? !*text(u, r->unit) : is_one_of(text(u, r->unit), units), u, name);
    CHECK(*text(u, r->formula) || *text(u, r->needs), u, name); /* no value: needs has the reason */
    CHECK(*text(u, r->source), u, name);
}

/* "v > 0.1 & parent", "x.over | v > 0.2": v, parent, rows of the table and numbers */
static void check_threshold(const struct td_uarch *u, const struct td_table_row *r)
{
    const char *at = text(u, r->threshold);

    for (; *at; at += strspn(at, " ()&|<>=+-*/")) {
        size_t n = strcspn(at, " ()&|<>=+-*/"), name = n > 5 && !strncmp(at + n - 5, ".over", 5) ? n - 5 : n;
        bool number = strspn(at, "0123456789.") == n;

        CHECK(number || (n == 1 && *at == 'v') || (n == 6 && !strncmp(at, "parent", 6)) ||
                  td_table_find(u->table, at, name) >= 0,
              u, text(u, r->name));
        at += n;
        if (!n && !*at)
            break;
    }
}

static void rows(void)
{
    const struct td_uarch *u;
    size_t tables = 0;

    for
        EACH_TABLE(u)
        {
            tables++;
            for (size_t i = 0; i < u->table->n; i++) {
                const struct td_table_row *r = &u->table->row[i];
                const char *name = text(u, r->name);

                CHECK(td_table_find(u->table, name, strlen(name)) == (int)i, u,
                      name); /* no other metric has this name */
                CHECK(strlen(name) > 1 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name), u,
                      name);
                check_place(u, r);
                check_threshold(u, r);
            }
        }
    CU_ASSERT_TRUE(tables >= 40);
}

/* Each formula of each form can be read, none needs itself, and each of its events is in the row. */
static void formulas(void)
{
    const struct td_uarch *u;
    size_t read = 0;

    for
        EACH_TABLE(u)
        {
            struct td_forms *forms;

            CU_ASSERT_EQUAL_FATAL(td_forms_new(u, &forms), 0);
            for (size_t f = 0; u->forms[f]; f++) {
                char why[256] = "";

                if (!(u->forms[f]->flags & TD_FORM_TABLE))
                    continue;
                CU_ASSERT_EQUAL_FATAL(td_form_open(&forms->form[f]), 0);
                for (size_t d = 0; d < td_program_count(forms->form[f].p); d++, read++)
                    CHECK(!td_program_compile(forms->form[f].p, d, why, sizeof(why)), u, why);
            }
            td_forms_free(forms);
        }
    CU_ASSERT_TRUE(read > 15000);
}

/* ---- levels 1 and 2 -------------------------------------------------------------- */

/* A program with the form's own rows, and one with only the table. */
static struct td_program *program_of(const struct td_uarch *u, const struct td_form *form, bool own)
{
    static struct td_form bare;
    struct td_formcode code;
    struct td_program *p;

    bare = *form;
    for (size_t l = 0; !own && l < sizeof(bare.lists) / sizeof(*bare.lists); l++)
        bare.lists[l] = NULL;
    CU_ASSERT_EQUAL_FATAL(td_form_init(&code, u, &bare), 0);
    CU_ASSERT_EQUAL_FATAL(td_form_open(&code), 0);
    p = code.p;
    code.p = NULL;
    td_form_free(&code);
    return p;
}

static struct td_val value_of(struct td_program *p, const struct td_uarch *u, const char *node, const double *counts,
                              bool smt)
{
    char why[256];
    const int def = td_program_find(p, node);
    struct td_val *cells, v = {.state = TD_VAL_MISSING};
    uint32_t *order;
    size_t n;

    if (def < 0 || td_program_compile(p, (size_t)def, why, sizeof(why)))
        return v;
    cells = calloc(td_program_cells(p) + 1, sizeof(*cells));
    order = calloc(td_program_count(p) + 1, sizeof(*order));
    CU_ASSERT_FATAL(cells && order);
    for (size_t e = 0; e < u->nevents; e++)
        cells[td_event_cell(e)].r = cells[td_correction_cell(p, e)].r = td_range_exact(counts[e]);
    cells[td_input_cell(p, TD_INPUT_SMT)].r = td_range_exact(smt);
    cells[td_input_cell(p, TD_INPUT_WHOLE_CORE)].r = td_range_exact(1);
    td_program_prepare(p, cells);
    n = td_program_order(p, td_program_uses(p, (size_t)def), order);
    td_program_run(p, order, n, cells);
    v = cells[td_def_cell(p, (size_t)def)];
    free(cells);
    free(order);
    return v;
}

/* Nodes that rows in C compute differently, and why. */
static bool differs(const struct td_uarch *u, const char *node)
{
    (void)u;
    (void)node;
    return false;
}

static void compare_form(const struct td_uarch *u, const struct td_form *form, struct unit_random *r,
                         unsigned long *compared)
{
    struct td_program *own = program_of(u, form, true), *table = program_of(u, form, false);
    double *counts = calloc(u->nevents, sizeof(*counts));

    CU_ASSERT_PTR_NOT_NULL_FATAL(counts);
    for (unsigned long round = 0; round < unit_rounds(100); round++) {
        for (size_t e = 0; e < u->nevents; e++)
            counts[e] = (double)(1 + unit_random_below(r, 1u << 30));
        for (size_t n = 0; n < u->tree->n; n++) {
            const char *node = u->tree->node[n].name;
            struct td_val a, b;

            if (td_table_find(u->table, node, strlen(node)) < 0 || differs(u, node))
                continue;
            a = value_of(own, u, node, counts, form->flags & TD_FORM_SMT);
            b = value_of(table, u, node, counts, form->flags & TD_FORM_SMT);
            CHECK(a.state == b.state && fabs(a.r.value - b.r.value) <= 1e-9 * fmax(1, fabs(a.r.value)), u, node);
            ++*compared;
        }
    }
    free(counts);
    td_program_free(own);
    td_program_free(table);
}

static void levels_1_and_2(void)
{
    struct unit_random r = {0x7ab1e5};
    const struct td_uarch *u;
    unsigned long compared = 0;

    for
        EACH_TABLE(u)
    for (size_t f = 0; u->forms[f]; f++)
        if (u->forms[f]->flags & TD_FORM_TABLE)
            compare_form(u, u->forms[f], &r, &compared);
    CU_ASSERT_TRUE(compared > unit_rounds(100) * 600);
}

static const CU_TestInfo tests[] = {
    {"rows", rows},
    {"formulas", formulas},
    {"levels 1 and 2", levels_1_and_2},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("metric tables", tests);
