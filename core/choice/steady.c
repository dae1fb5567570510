/* SPDX-License-Identifier: MIT */
#include "core/choice/steady.h"

#include "util/room.h"

/* The events that are wanted, and of which no solution has a copy: the cells of the program are of all of them. */
static void find_absent(const struct td_choice *c, struct td_bits *absent)
{
    td_bits_clear(absent);
    for (size_t i = 0; i < c->nuses; i++)
        if (c->use[i].copy < 0)
            td_bits_add(absent, c->use[i].event);
    for (size_t i = 0; i < c->nuses; i++)
        if (c->use[i].copy >= 0)
            td_bits_remove(absent, c->use[i].event);
}

static bool is_steady(const struct td_program *p, uint32_t def, const struct td_bits *absent)
{
    return !td_program_inputs(p, def) && td_bits_within(td_program_needs(p, def), absent) &&
           td_bits_within(td_program_corrections(p, def), absent);
}

/* What a steady definition is made of is steady too: they can be evaluated in this order. */
static int put_first(struct td_choice *c, struct td_solution *s, const struct td_program *p,
                     const struct td_bits *absent)
{
    uint32_t *run, *others;
    size_t n = 0;

    if (td_room(&c->run, &c->run_room, c->nrun + s->nrun, sizeof(*c->run)))
        return -ENOMEM;
    run = &c->run[s->run];
    others = &c->run[c->nrun];
    s->steady = 0;
    for (size_t i = 0; i < s->nrun; i++)
        if (is_steady(p, run[i], absent))
            run[s->steady++] = run[i];
        else
            others[n++] = run[i];
    memcpy(run + s->steady, others, n * sizeof(*run));
    return 0;
}

int td_steady_find(struct td_choice *c, const struct td_program *p, struct td_bits *absent)
{
    int err = 0;

    find_absent(c, absent);
    for (size_t i = 0; i < c->nsolutions && !err; i++)
        err = put_first(c, &c->solution[i], p, absent);
    return err;
}
