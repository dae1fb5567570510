/* SPDX-License-Identifier: MIT */
#include "core/choice/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void td_selection_free(struct td_selection *s)
{
    if (!s)
        return;
    free(s->asked);
    free(s->blank);
    free(s->family);
    free(s->need);
    free(s->node);
    free(s->unknown);
    td_judge_free(s->judge);
    free(s);
}

/* Whether another form of the vendor's has the node, from other events. */
static bool defined_elsewhere(const struct td_uarch *u, const char *name)
{
    for (size_t f = 0; u->forms[f]; f++)
        for (size_t l = 0; l < sizeof(u->forms[f]->lists) / sizeof(*u->forms[f]->lists); l++)
            for (const struct td_def *d = u->forms[f]->lists[l]; d && d->name; d++)
                if (!(u->forms[f]->flags & TD_FORM_LEGACY) && !strcmp(d->name, name))
                    return true;
    return false;
}

static bool is_need(const struct td_need *a, const struct td_need *b)
{
    return td_bits_same(a->needs, b->needs) && td_bits_same(a->corrections, b->corrections);
}

static uint32_t need_of(struct td_selection *s, size_t def)
{
    const struct td_need new = {td_program_needs(s->form->p, def), td_program_corrections(s->form->p, def)};
    uint32_t i = 0;

    while (i < s->nneeds && !is_need(&s->need[i], &new))
        i++;
    if (i == s->nneeds)
        s->need[s->nneeds++] = new;
    return i;
}

/* Sets what a metric needs that the form has. */
static void set_needs(struct td_selection *s, struct td_asked *a, size_t def)
{
    const struct td_program *p = s->form->p;
    const char *unit = td_program_def(p, def)->unit;

    a->need = need_of(s, def);
    a->cell = td_def_cell(p, def);
    a->of_slots = a->node->kind == TD_METRIC_NODE && (!unit || !strcmp(unit, "slots"));
    a->needs_any = !td_bits_empty(td_program_needs(p, def));
    if (s->form->sum >= 0) /* such a form uses the metrics register: sum adds up its fields */
        a->of_fields = td_bits_meet(td_program_needs(p, def), td_program_needs(p, (size_t)s->form->sum));
    a->siblings = td_program_inputs(p, def) & TD_INPUTS_SIBLINGS;
    a->part_of_core = td_program_inputs(p, def) & 1u << TD_INPUT_WHOLE_CORE;
    a->per_cpu = td_program_inputs(p, def) & 1u << TD_INPUT_ONE_CPU;
    s->siblings = s->siblings || a->siblings;
    s->inputs |= td_program_inputs(p, def);
    a->same_time = !td_bits_empty(td_program_same_time(p, def));
    s->same_time = s->same_time || a->same_time;
}

/* Of a metric that is about to be added; its siblings are mostly just before it. What a table has at level 1 beside the
 * tree is another view of the slots, as backend_bound_aux, and no share beside those of the tree. */
static uint32_t family_of(const struct td_selection *s, const struct td_node *node)
{
    if (node->number == TD_NODE_UNNUMBERED && node->kind == TD_METRIC_NODE && node->level == TD_LEVEL_TOP)
        return (uint32_t)s->n;
    for (size_t i = s->n; i-- > 0;)
        if (!strcmp(s->asked[i].node->parent, node->parent))
            return s->family[i];
    return (uint32_t)s->n;
}

static int add(struct td_selection *s, const struct td_node *node, int def, const char *unit, bool named, char *why,
               size_t whysize)
{
    struct td_asked *a = &s->asked[s->n];
    const int err = def < 0 ? 0 : td_program_compile(s->form->p, (size_t)def, why, whysize);

    if (err)
        return err;
    *a = (struct td_asked){.node = node, .def = def};
    if (def >= 0) {
        unit = td_program_def(s->form->p, (size_t)def)->unit;
        set_needs(s, a, (size_t)def);
    } else {
        a->undefined = defined_elsewhere(s->form->uarch, node->name) ? TD_NOT_IN_THIS_FORMULA : TD_NOT_ON_THIS_CPU;
    }
    a->quantity = node->kind != TD_METRIC_NODE;
    s->family[s->n] = family_of(s, node);
    s->blank[s->n++] = (struct td_metric){
        .name = node->name,
        .parent = node->parent,
        .level = node->level,
        .unit = unit ? unit : "slots",
        .kind = node->kind,
        .named = named,
        .value = NAN,
        .low = NAN,
        .high = NAN,
        .raw = NAN,
    };
    return 0;
}

/* ---- what is asked for ------------------------------------------------------------ */

bool td_next_name(const char **at, const char **name, size_t *len)
{
    *at += strspn(*at, ", ");
    *name = *at;
    *len = strcspn(*at, ", ");
    *at += *len;
    return *len > 0;
}

static bool is_all(const char *name, size_t len)
{
    return len == 3 && !strncasecmp(name, "all", len);
}

static bool row_named(const struct td_table *t, size_t row, const char *names)
{
    const char *name;
    size_t len;

    while (names && t->row[row].kind != TD_ROW_AUX && td_next_name(&names, &name, &len))
        if (is_all(name, len) || td_table_named(t, row, name, len, true))
            return true;
    return false;
}

/* Whether a node of the tree of levels 1 and 2 is named. */
static bool node_named(const struct td_uarch *u, const char *node, const char *names)
{
    const int row = u->table ? td_table_find(u->table, node, strlen(node)) : -1;
    const char *name;
    size_t len;

    if (row >= 0)
        return row_named(u->table, (size_t)row, names);
    while (names && td_next_name(&names, &name, &len))
        if (is_all(name, len) || (strlen(node) == len && !strncasecmp(node, name, len)))
            return true;
    return false;
}

static int add_tree(struct td_selection *s, char *why, size_t whysize)
{
    const struct td_formcode *f = s->form;
    const struct td_tree *t = f->uarch->tree;
    int err = 0;

    for (size_t n = 0; n < t->n && !err; n++) {
        const bool named = node_named(f->uarch, t->node[n].name, s->names);

        s->hints = t->node[n].number >= s->hints ? t->node[n].number + 1u : s->hints;
        if ((t->node[n].level <= s->level || named) && (t->node[n].always || f->node[n] >= 0))
            err = add(s, &t->node[n], f->node[n], NULL, named, why, whysize);
    }
    return err;
}

static bool in_tree(const struct td_tree *t, const char *name)
{
    for (size_t n = 0; n < t->n; n++)
        if (!strcmp(t->node[n].name, name))
            return true;
    return false;
}

static struct td_node node_of_row(const struct td_table *t, size_t row)
{
    static const enum td_metric_kind kinds[] = {
        [TD_ROW_NODE] = TD_METRIC_NODE,
        [TD_ROW_BOTTLENECK] = TD_METRIC_BOTTLENECK,
        [TD_ROW_INFO] = TD_METRIC_INFO,
        [TD_ROW_AUX] = TD_METRIC_INFO,
    };
    const struct td_table_row *r = &t->row[row];

    return (struct td_node){
        .name = t->texts + r->name,
        .parent = t->texts + r->parent,
        .level = r->level,
        .number = TD_NODE_UNNUMBERED,
        .kind = (uint8_t)kinds[r->kind],
        .threshold = td_table_threshold(t, row),
    };
}

/* Adds the rows that the tree does not have. */
static int add_rows(struct td_selection *s, char *why, size_t whysize)
{
    const struct td_uarch *u = s->form->uarch;
    const struct td_table *t = u->table;
    int err = 0;

    for (size_t i = 0; t && i < t->n && !err; i++) {
        const bool in_level = t->row[i].kind == TD_ROW_NODE && t->row[i].level <= s->level && s->level > TD_LEVEL_USUAL;
        const bool named = row_named(t, i, s->names);

        if ((!in_level && !named) || in_tree(u->tree, t->texts + t->row[i].name))
            continue;
        s->node[i] = node_of_row(t, i);
        err =
            add(s, &s->node[i], td_program_find(s->form->p, s->node[i].name), td_table_unit(t, i), named, why, whysize);
    }
    return err;
}

bool td_uarch_has_metric(const struct td_uarch *u, const char *name, size_t len)
{
    for (size_t i = 0; u->table && i < u->table->n; i++)
        if (u->table->row[i].kind != TD_ROW_AUX && td_table_named(u->table, i, name, len, true))
            return true;
    for (size_t n = 0; n < u->tree->n; n++)
        if (strlen(u->tree->node[n].name) == len && !strncasecmp(u->tree->node[n].name, name, len))
            return true;
    return is_all(name, len);
}

static int add_unknown(struct td_selection *s, char *why, size_t whysize)
{
    const char *at = s->names, *name;
    struct td_node *node = s->node + (s->form->uarch->table ? s->form->uarch->table->n : 0);
    char *text = s->unknown;
    size_t len;
    int err = 0;

    while (at && !err && td_next_name(&at, &name, &len)) {
        if (td_uarch_has_metric(s->form->uarch, name, len))
            continue;
        memcpy(text, name, len);
        *node = (struct td_node){
            .name = text, .parent = "", .number = TD_NODE_UNNUMBERED, .kind = TD_METRIC_INFO, .threshold = HUGE_VAL};
        err = add(s, node++, -1, "", true, why, whysize);
        text += len + 1;
    }
    return err;
}

/* How many metrics there are at most. */
static size_t most(const struct td_uarch *u, bool rows, const char *names)
{
    size_t n = u->tree->n + (rows && u->table ? u->table->n : 0) + 1;

    for (; names && *names; names++)
        n += *names == ',' || *names == ' ';
    return n;
}

static int no_memory(char *why, size_t whysize)
{
    snprintf(why, whysize, "out of memory");
    return -ENOMEM;
}

/* Counts the corrections, and how long a text is that names all as left out: "NAME without EVENT,EVENT". */
static int count_corrections(struct td_selection *s)
{
    const struct td_uarch *u = s->form->uarch;
    struct td_bits all;

    if (td_bits_new(&all, u->nevents))
        return -ENOMEM;
    for (size_t i = 0; i < s->nneeds; i++)
        td_bits_join(&all, s->need[i].corrections);
    s->text = strlen(s->form->form->name) + strlen(" without ");
    TD_BITS_EACH(e, &all)
    {
        s->corrections++;
        s->text += strlen(u->events[e].name) + 1;
    }
    td_bits_free(&all);
    return 0;
}

static struct td_selection *new_selection(struct td_formcode *f, int level, const char *names)
{
    struct td_selection *s = calloc(1, sizeof(*s));
    const bool rows = level > TD_LEVEL_USUAL || names;
    const size_t n = most(f->uarch, rows, names);

    if (!s)
        return NULL;
    *s = (struct td_selection){.form = f, .level = level, .names = names};
    s->asked = calloc(n, sizeof(*s->asked));
    s->blank = calloc(n, sizeof(*s->blank));
    s->family = calloc(n, sizeof(*s->family));
    s->need = calloc(n, sizeof(*s->need));
    s->node = calloc(n, sizeof(*s->node));
    s->unknown = calloc(names ? strlen(names) + 1 : 1, 1);
    if (s->asked && s->blank && s->family && s->need && s->node && s->unknown)
        return s;
    td_selection_free(s);
    return NULL;
}

/* Adds the thresholds of all metrics. */
static int add_judge(struct td_selection *s, char *why, size_t whysize)
{
    const struct td_node **nodes = calloc(s->n + 1, sizeof(*nodes));
    int err = -ENOMEM;

    for (size_t i = 0; nodes && i < s->n; i++)
        nodes[i] = s->asked[i].node;
    if (nodes)
        err = td_judge_new(s->form->uarch->table, nodes, s->n, &s->judge, why, whysize);
    free(nodes);
    return err;
}

int td_selection_new(struct td_formcode *f, int level, const char *names, struct td_selection **out, char *why,
                     size_t whysize)
{
    struct td_selection *s;
    int err = td_form_compile(f, level, why, whysize);

    if (err)
        return err;
    s = new_selection(f, level, names);
    if (!s)
        return no_memory(why, whysize);
    err = add_tree(s, why, whysize);
    err = err ? err : add_rows(s, why, whysize);
    err = err ? err : add_unknown(s, why, whysize);
    if (!err && f->uarch->table && (level > TD_LEVEL_USUAL || names))
        err = add_judge(s, why, whysize);
    if (!err && count_corrections(s))
        err = no_memory(why, whysize);
    if (err)
        td_selection_free(s);
    else
        *out = s;
    return err;
}
