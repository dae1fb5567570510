/* SPDX-License-Identifier: MIT */
/* What the metrics of each CPU need and may correct, added up one by one. */
#include "core/choice/select.h"

#include "backends/registry.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The corrections that any of the metrics may have, and a text that names all of them. */
static void check_corrections(const struct td_selection *s, const struct td_uarch *u)
{
    size_t n = 0, text = strlen(s->form->form->name) + strlen(" without ");

    for (size_t e = 0; e < u->nevents; e++) {
        bool any = false;

        for (size_t m = 0; m < s->n; m++)
            any = any ||
                  (s->asked[m].def >= 0 && td_bits_has(td_program_corrections(s->form->p, (size_t)s->asked[m].def), e));
        n += any;
        text += any ? strlen(u->events[e].name) + strlen(",") : 0;
    }
    CU_ASSERT_EQUAL(s->corrections, n);
    CU_ASSERT_EQUAL(s->text, text);
}

/* Hints have room for all nodes of the tree; and what the table's rows define has their names. */
static void check_numbers(const struct td_selection *s, const struct td_uarch *u)
{
    unsigned hints = 0;

    for (size_t n = 0; n < u->tree->n; n++)
        hints = u->tree->node[n].number + 1u > hints ? u->tree->node[n].number + 1u : hints;
    CU_ASSERT_EQUAL(s->hints, hints);
    for (size_t i = 0; u->table && i < u->table->n; i++) {
        const char *name = u->table->texts + u->table->row[i].name;
        const int def = td_program_find(s->form->p, name);

        if (def >= 0)
            CU_ASSERT_STRING_EQUAL(td_program_def(s->form->p, (size_t)def)->name, name);
    }
}

/* Each metric has the needs of its definition, and no two of the needs are the same. */
static void check_needs(const struct td_selection *s)
{
    for (size_t m = 0; m < s->n; m++) {
        const struct td_asked *a = &s->asked[m];

        if (a->def < 0)
            continue;
        CU_ASSERT_FATAL(a->need < s->nneeds);
        CU_ASSERT(td_bits_same(s->need[a->need].needs, td_program_needs(s->form->p, (size_t)a->def)));
        CU_ASSERT(td_bits_same(s->need[a->need].corrections, td_program_corrections(s->form->p, (size_t)a->def)));
    }
    for (size_t i = 0; i < s->nneeds; i++)
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_FALSE(td_bits_same(s->need[i].needs, s->need[k].needs) &&
                            td_bits_same(s->need[i].corrections, s->need[k].corrections));
}

static void each_cpu(void)
{
    size_t corrected = 0;

    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        for (size_t f = 0; u->forms[f]; f++)
            for (int level = 1; level <= 2; level++) {
                struct td_selection *s = NULL;
                struct td_formcode code;
                char why[128];

                CU_ASSERT_FATAL(!td_form_init(&code, u, u->forms[f]));
                CU_ASSERT_FATAL(!td_selection_new(&code, level, NULL, &s, why, sizeof(why)));
                check_corrections(s, u);
                check_needs(s);
                check_numbers(s, u);
                corrected += s->corrections;
                td_selection_free(s);
                td_form_free(&code);
            }
    }
    CU_ASSERT(corrected > 10);
}

/* A node of levels 1 and 2 that is named is asked for as such, whatever the level; of CPUs without a published table,
 * by its own name in upper or lower case, or by "all". */
static void named_nodes(void)
{
    size_t tested = 0;

    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        for (size_t n = 0; n < u->tree->n && !u->table; n++) {
            const char *const names[] = {u->tree->node[n].name, "ALL", "x", NULL};
            char upper[64] = "x,", why[128];

            for (size_t k = 0; k <= strlen(names[0]); k++)
                upper[2 + k] = (char)toupper((unsigned char)names[0][k]);
            for (size_t k = 0; k <= sizeof(names) / sizeof(*names); k++) {
                const char *name = k < sizeof(names) / sizeof(*names) ? names[k] : upper;
                const bool own = name && (name == upper || name == names[0]), all = name == names[1];
                struct td_selection *s = NULL;
                struct td_formcode code;

                CU_ASSERT_FATAL(!td_form_init(&code, u, u->forms[0]));
                CU_ASSERT_FATAL(!td_selection_new(&code, 1, name, &s, why, sizeof(why)));
                for (size_t m = 0; m < s->n; m++)
                    if (s->asked[m].node->number != TD_NODE_UNNUMBERED)
                        CU_ASSERT_EQUAL(s->blank[m].named, all || (own && !strcmp(s->blank[m].name, names[0])));
                td_selection_free(s);
                td_form_free(&code);
                tested++;
            }
        }
    }
    CU_ASSERT(tested > 100);
}

/* Of a CPU with a table, by what the table calls it. */
static void named_rows(void)
{
    size_t tested = 0;

    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        for (size_t n = 0; n < u->tree->n && u->table; n++) {
            const char *node = u->tree->node[n].name;
            char name[64], why[128];
            struct td_selection *s = NULL;
            struct td_formcode code;
            bool found = false;

            if (td_table_find(u->table, node, strlen(node)) < 0)
                continue;
            CU_ASSERT_FATAL(snprintf(name, sizeof(name), "x TMA_%s", node) < (int)sizeof(name));
            CU_ASSERT_FATAL(!td_form_init(&code, u, u->forms[0]));
            CU_ASSERT_FATAL(!td_selection_new(&code, 1, name, &s, why, sizeof(why)));
            for (size_t m = 0; m < s->n; m++)
                found = found || (!strcmp(s->blank[m].name, node) && s->blank[m].named);
            CU_ASSERT(found || (!u->tree->node[n].always && code.node[n] < 0));
            CU_ASSERT_STRING_EQUAL(s->blank[s->n - 1].name, "x"); /* the only one that is not known */
            td_selection_free(s);
            td_form_free(&code);
            tested++;
        }
    }
    CU_ASSERT(tested > 100);
}

/* By a group, its rows: here by the first group of each table's first row that is in any. */
static void named_groups(void)
{
    size_t tested = 0;

    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);
        size_t row = 0;
        char group[64], why[128];
        struct td_selection *s = NULL;
        struct td_formcode code;
        bool found = false;

        while (u->table && row < u->table->n &&
               (u->table->row[row].kind == TD_ROW_AUX || !u->table->texts[u->table->row[row].groups]))
            row++;
        if (!u->table || row == u->table->n)
            continue;
        snprintf(group, sizeof(group), "%s", u->table->texts + u->table->row[row].groups);
        group[strcspn(group, " ,;")] = '\0';
        CU_ASSERT_FATAL(!td_form_init(&code, u, u->forms[0]));
        CU_ASSERT_FATAL(!td_selection_new(&code, 1, group, &s, why, sizeof(why)));
        for (size_t m = 0; m < s->n; m++)
            found =
                found || (!strcmp(s->blank[m].name, u->table->texts + u->table->row[row].name) && s->blank[m].named);
        CU_ASSERT(found);
        td_selection_free(s);
        td_form_free(&code);
        tested++;
    }
    CU_ASSERT(tested > 10);
}

/* Nodes and rows in either case, and all of their names; no part of a name. */
static void known_names(void)
{
    for (size_t i = 0; td_uarch_at(i); i++) {
        const struct td_uarch *u = td_uarch_at(i);

        for (size_t n = 0; n < u->tree->n; n++) {
            const char *name = u->tree->node[n].name;
            char longer[64], upper[64];

            CU_ASSERT_FATAL(snprintf(longer, sizeof(longer), "%sx", name) < (int)sizeof(longer));
            for (size_t k = 0; k < sizeof(longer); k++)
                upper[k] = (char)toupper((unsigned char)longer[k]);
            CU_ASSERT(td_uarch_has_metric(u, longer, strlen(name)) && td_uarch_has_metric(u, upper, strlen(name)));
            CU_ASSERT_FALSE(td_uarch_has_metric(u, longer, strlen(longer)));
            CU_ASSERT_FALSE(td_uarch_has_metric(u, name, strlen(name) - 2));
        }
        CU_ASSERT_FALSE(td_uarch_has_metric(u, "no_such_metric", 14));
        CU_ASSERT(td_uarch_has_metric(u, "all", 3) && td_uarch_has_metric(u, "ALL", 3));
        CU_ASSERT_FALSE(td_uarch_has_metric(u, "all", 2));
        CU_ASSERT_FALSE(td_uarch_has_metric(u, "", 0));
    }
}

static void next_names(void)
{
    static const char *const wanted[] = {"a", "bc", "d"};
    const char *at = ", a,,bc  d ,", *name;
    size_t len;

    for (size_t i = 0; i < 3; i++)
        CU_ASSERT(td_next_name(&at, &name, &len) && len == strlen(wanted[i]) && !strncmp(name, wanted[i], len));
    CU_ASSERT_FALSE(td_next_name(&at, &name, &len));
    CU_ASSERT_FALSE(td_next_name(&at, &name, &len));
}

/* ---- what is asked at each level ------------------------------------------------------ */

static bool of_tree(const struct td_uarch *u, const char *name)
{
    bool found = false;

    for (size_t n = 0; n < u->tree->n; n++)
        found = found || !strcmp(u->tree->node[n].name, name);
    return found;
}

/* How many definitions of the name the forms have that are not only for old recordings. */
static size_t definitions(const struct td_uarch *u, const char *name)
{
    size_t n = 0;

    for (size_t f = 0; u->forms[f]; f++) {
        const struct td_def *const *list = u->forms[f]->lists;

        for (size_t l = 0; l < sizeof(u->forms[f]->lists) / sizeof(*list); l++)
            for (size_t d = 0; list[l] && list[l][d].name; d++)
                n += !(u->forms[f]->flags & TD_FORM_LEGACY) && !strcmp(list[l][d].name, name);
    }
    return n;
}

/* Siblings have the number of the first of them; what a table has beside the tree at level 1 has its own. */
static size_t family(const struct td_selection *s, size_t m)
{
    const struct td_node *node = s->asked[m].node;
    size_t first = 0;

    if (node->number == TD_NODE_UNNUMBERED && node->level == 1)
        return m;
    while (strcmp(s->asked[first].node->parent, node->parent) != 0)
        first++;
    return first;
}

static void check_metric(const struct td_selection *s, const struct td_uarch *u, size_t m, const char *name,
                         const char *parent, int level, enum td_metric_kind kind)
{
    const struct td_asked *a = &s->asked[m];
    const unsigned inputs = a->def < 0 ? 0 : td_program_inputs(s->form->p, (size_t)a->def);

    CU_ASSERT_FATAL(m < s->n);
    CU_ASSERT(!strcmp(s->blank[m].name, name) && !strcmp(s->blank[m].parent, parent) && s->blank[m].level == level);
    CU_ASSERT(!s->blank[m].named && s->blank[m].kind == kind && a->quantity == (kind != TD_METRIC_NODE));
    CU_ASSERT_EQUAL(s->family[m], family(s, m));
    CU_ASSERT_EQUAL(a->siblings, (inputs & TD_INPUTS_SIBLINGS) != 0);
    CU_ASSERT_EQUAL(a->part_of_core, (inputs >> TD_INPUT_WHOLE_CORE) % 2 == 1);
    CU_ASSERT_EQUAL(a->per_cpu, (inputs >> TD_INPUT_ONE_CPU) % 2 == 1);
    if (a->def < 0)
        CU_ASSERT_EQUAL(a->undefined, definitions(u, name) ? TD_NOT_IN_THIS_FORMULA : TD_NOT_ON_THIS_CPU);
}

/* The nodes of the tree down to the level that are defined, or always there; below the usual ones those of the table,
 * and with these their thresholds. */
static void at_level(const struct td_uarch *u, const struct td_form *form, int level)
{
    struct td_selection *s = NULL;
    struct td_formcode code;
    char why[128];
    size_t m = 0;

    CU_ASSERT_FATAL(!td_form_init(&code, u, form));
    CU_ASSERT_FATAL(!td_selection_new(&code, level, NULL, &s, why, sizeof(why)));
    for (size_t n = 0; n < u->tree->n; n++)
        if (u->tree->node[n].level <= level && (u->tree->node[n].always || code.node[n] >= 0))
            check_metric(s, u, m++, u->tree->node[n].name, u->tree->node[n].parent, u->tree->node[n].level,
                         u->tree->node[n].kind);
    for (size_t i = 0; u->table && level > 2 && i < u->table->n; i++) {
        const struct td_table_row *row = &u->table->row[i];

        if (row->kind == TD_ROW_NODE && row->level <= level && !of_tree(u, u->table->texts + row->name))
            check_metric(s, u, m++, u->table->texts + row->name, u->table->texts + row->parent, row->level,
                         TD_METRIC_NODE);
    }
    CU_ASSERT_EQUAL(s->n, m);
    CU_ASSERT_EQUAL(s->judge != NULL, u->table && level > 2);
    td_selection_free(s);
    td_form_free(&code);
}

static void levels(void)
{
    for (size_t i = 0; td_uarch_at(i); i++)
        for (size_t f = 0; td_uarch_at(i)->forms[f]; f++)
            for (int level = 1; level <= TD_LEVELS; level++)
                at_level(td_uarch_at(i), td_uarch_at(i)->forms[f], level);
}

/* ---- names that no CPU has -------------------------------------------------------------- */

struct unknown {
    const char *cpu;
    int level;
};

/* All nodes, and these names after them. */
static int ask_for_unknown(void *ctx)
{
    static const char names[] = "qa,qb qc,qd qe,qf qg,qh qi,qj qk,ql qm,qn qo,qp qq,qr qs,qt qu,qv qw,qx qy,qz";
    const struct unknown *x = ctx;
    const struct td_uarch *u = td_uarch_by_name(x->cpu);
    struct td_selection *s = NULL;
    struct td_formcode code;
    char why[128];
    int err = td_form_init(&code, u, u->forms[0]);

    err = err ? err : td_selection_new(&code, x->level, names, &s, why, sizeof(why));
    for (size_t i = 0; i < 26 && !err; i++) {
        const char wanted[] = {'q', (char)('a' + i), '\0'};
        const size_t m = s->n - 26 + i;

        if (strcmp(s->blank[m].name, wanted) != 0 || s->asked[m].node->name != s->blank[m].name ||
            *s->blank[m].parent || *s->blank[m].unit || !s->blank[m].named || !s->asked[m].quantity)
            err = -EINVAL;
    }
    td_selection_free(s);
    td_form_free(&code);
    return err;
}

static void unknown_names(void)
{
    memory_each(ask_for_unknown, &(struct unknown){"zen4", 2}, 1, false);
    memory_each(ask_for_unknown, &(struct unknown){"zen4", 1}, 5, false);
    memory_each(ask_for_unknown, &(struct unknown){"skl", 6}, 31, false);
}

static const CU_TestInfo tests[] = {
    {"each CPU", each_cpu},
    {"named nodes", named_nodes},
    {"named rows", named_rows},
    {"named groups", named_groups},
    {"known names", known_names},
    {"next names", next_names},
    {"levels", levels},
    {"unknown names", unknown_names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("select", tests);
