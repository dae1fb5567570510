/* SPDX-License-Identifier: MIT */
/* The definitions of a program: their list, finding them by name, and their cells. */
#include "core/formula/formula_code.h"

#include "core/formula/name_hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a definition of the lists. */
static uint32_t *slot_of(const struct td_program *p, const char *name, size_t len)
{
    size_t i = td_name_hash(name, len) & (p->nslots - 1);

    while (p->slot[i]) {
        const char *other = p->defs[p->slot[i] - 1]->def->name;

        if (!strncmp(other, name, len) && !other[len])
            break;
        i = (i + 1) & (p->nslots - 1);
    }
    return &p->slot[i];
}

/* Words of the sets of one definition. */
static size_t set_words(const struct td_program *p)
{
    return 2 * td_bits_words(p->ndefs) + 3 * td_bits_words(p->text.nevents);
}

/* A definition with nothing but its sets, which are empty; NULL: out of memory. */
static struct td_defcode *new_code(const struct td_program *p, size_t number)
{
    struct td_defcode *d = calloc(1, sizeof(*d) + set_words(p) * sizeof(*d->words));
    uint64_t *at = d ? d->words : NULL;

    if (!d)
        return NULL;
    struct td_bits *const sets[] = {&d->refs, &d->uses, &d->needs, &d->corrections, &d->same_time};

    for (size_t s = 0; s < sizeof(sets) / sizeof(*sets); s++) {
        *sets[s] = (struct td_bits){at, td_bits_words(s < 2 ? p->ndefs : p->text.nevents)};
        at += sets[s]->words;
    }
    d->number = number;
    return p->defs[number] = d;
}

static int list_def(struct td_program *p, const struct td_def *def)
{
    uint32_t *slot = slot_of(p, def->name, strlen(def->name));
    struct td_defcode *d = new_code(p, p->nlisted);

    if (!d)
        return -ENOMEM;
    d->def = def;
    d->earlier = *slot;
    *slot = (uint32_t)++p->nlisted;
    return 0;
}

static void read_row(const struct td_table *t, size_t row, struct td_def *out)
{
    const char *unit = td_table_unit(t, row), *formula = t->texts + t->row[row].formula;

    *out = (struct td_def){
        .name = t->texts + t->row[row].name,
        .expr = *formula ? formula : NULL,
        .unit = strcmp(unit, "slots") ? unit : NULL,
        .wrong = *formula ? NULL : "published only behind a switch of the vendor's model",
    };
}

struct td_defcode *td_program_code(const struct td_program *p, size_t i)
{
    struct td_defcode *d = p->defs[i];

    if (d)
        return d;
    d = new_code(p, i);
    if (!d)
        return NULL;
    read_row(p->text.table, i - p->nlisted, &d->row);
    d->def = &d->row;
    return d;
}

static size_t count_defs(const struct td_program_text *t)
{
    size_t n = 0;

    for (size_t l = 0; l < t->nlists; l++)
        for (const struct td_def *d = t->lists[l]; d && d->name; d++)
            n++;
    return n;
}

int td_program_new(const struct td_program_text *text, struct td_program **out)
{
    const size_t listed = count_defs(text), rows = text->table ? text->table->n : 0, room = listed + rows + 1;
    struct td_program *p = calloc(1, sizeof(*p));
    int err = 0;

    if (!p)
        return -ENOMEM;
    p->text = *text;
    p->ndefs = listed + rows;
    p->ncells = 2 * text->nevents + TD_INPUTS + p->ndefs;
    for (p->nslots = 2; p->nslots < 2 * listed;)
        p->nslots *= 2;
    p->defs = calloc(room, sizeof(*p->defs));
    p->slot = calloc(p->nslots, sizeof(*p->slot));
    p->order = calloc(room, sizeof(*p->order));
    if (!p->defs || !p->slot || !p->order)
        err = -ENOMEM;
    for (size_t l = 0; l < text->nlists; l++)
        for (const struct td_def *d = text->lists[l]; d && d->name && !err; d++)
            err = list_def(p, d);
    if (err)
        td_program_free(p);
    else
        *out = p;
    return err;
}

void td_program_free(struct td_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->ndefs && p->defs; i++)
        free(p->defs[i]);
    free(p->defs);
    free(p->slot);
    free(p->order);
    free(p->ops);
    free(p->constants);
    free(p->temps);
    free(p);
}

size_t td_program_count(const struct td_program *p)
{
    return p->ndefs;
}

const struct td_def *td_program_def(const struct td_program *p, size_t i)
{
    const struct td_defcode *d = td_program_code(p, i);

    return d ? d->def : NULL;
}

size_t td_program_listed(const struct td_program *p, const char *name, size_t len)
{
    return *slot_of(p, name, len);
}

int td_program_row(const struct td_program *p, const char *name, size_t len)
{
    const int row = p->text.table ? td_table_find(p->text.table, name, len) : -1;

    return row < 0 ? -1 : (int)p->nlisted + row;
}

int td_program_named(const struct td_program *p, const char *name, size_t len)
{
    const size_t listed = td_program_listed(p, name, len);

    return listed ? (int)listed - 1 : td_program_row(p, name, len);
}

int td_program_find(const struct td_program *p, const char *name)
{
    return td_program_named(p, name, strlen(name));
}

/* For a row that was not asked for */
static const struct td_bits no_set;

const struct td_bits *td_program_needs(const struct td_program *p, size_t i)
{
    return p->defs[i] ? &p->defs[i]->needs : &no_set;
}

const struct td_bits *td_program_corrections(const struct td_program *p, size_t i)
{
    return p->defs[i] ? &p->defs[i]->corrections : &no_set;
}

const struct td_bits *td_program_same_time(const struct td_program *p, size_t i)
{
    return p->defs[i] ? &p->defs[i]->same_time : &no_set;
}

unsigned td_program_inputs(const struct td_program *p, size_t i)
{
    return p->defs[i] ? p->defs[i]->inputs : 0;
}

const struct td_bits *td_program_uses(const struct td_program *p, size_t i)
{
    return p->defs[i] ? &p->defs[i]->uses : &no_set;
}

size_t td_program_order(const struct td_program *p, const struct td_bits *set, uint32_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < p->ndone; i++)
        if (td_bits_has(set, p->order[i]))
            out[n++] = p->order[i];
    return n;
}

size_t td_correction_cell(const struct td_program *p, size_t event)
{
    return p->text.nevents + event;
}

size_t td_input_cell(const struct td_program *p, enum td_input input)
{
    return 2 * p->text.nevents + input;
}

size_t td_def_cell(const struct td_program *p, size_t i)
{
    return 2 * p->text.nevents + TD_INPUTS + i;
}

size_t td_program_cells(const struct td_program *p)
{
    return p->ncells;
}
