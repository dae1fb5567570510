/* SPDX-License-Identifier: MIT */
#include "candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TD_EVENT_UNRESOLVED = -2 };

bool td_machine_restrict(struct td_machine *m, const struct td_backend *backend)
{
    size_t n = 0;

    for (size_t i = 0; i < m->nparts; i++)
        if (!backend || td_uarch_backend_of(m->part[i]) == backend)
            m->part[n++] = m->part[i];
    m->nparts = n;
    return n > 0;
}

static void candidate_free(struct td_candidate *c)
{
    for (size_t i = 0; i < TD_PARTS_MAX; i++) {
        td_solver_free(c->solver[i]);
        free(c->event[i]);
    }
    *c = (struct td_candidate){0};
}

static int candidate_init(struct td_candidate *c, const struct td_machine *m, char *why, size_t whysize)
{
    int err = 0;

    *c = (struct td_candidate){.machine = *m};
    for (size_t i = 0; i < m->nparts && !err; i++) {
        err = td_solver_new(m->part[i], &c->solver[i], why, whysize);
        if (err)
            break;
        c->used[i] = td_solver_used(c->solver[i]);
        c->event[i] = malloc(TD_TEXTS_MAX);
        if (c->event[i])
            memset(c->event[i], TD_EVENT_UNRESOLVED, TD_TEXTS_MAX);
        else
            err = -ENOMEM;
    }
    if (err)
        candidate_free(c);
    return err;
}

void td_candidates_free(struct td_candidates *k)
{
    for (size_t i = 0; i < k->n; i++)
        candidate_free(&k->c[i]);
    k->n = 0;
}

static void join(char *list, char sep, const char *name)
{
    size_t len = strlen(list);

    snprintf(list + len, TD_TEXT - len, "%.*s%s", len ? 1 : 0, &sep, name);
}

static void add_labels(struct td_candidates *k, const struct td_machine *m)
{
    join(k->names, ' ', m->name);
    for (size_t i = 0; i < m->nparts; i++)
        join(k->label[td_core_index(m->part[i]->core)], '|', m->part[i]->name);
}

int td_candidates_one(struct td_candidates *k, const struct td_machine *m, char *why, size_t whysize)
{
    int err = candidate_init(&k->c[0], m, why, whysize);

    if (!err) {
        k->n = 1;
        add_labels(k, m);
    }
    return err;
}

int td_candidate_part(const struct td_candidate *c, char core)
{
    const struct td_machine *m = &c->machine;

    for (size_t i = 0; i < m->nparts; i++)
        if (m->part[i]->core == core)
            return (int)i;
    /* no PMU is named: the only kind of core, or the P-core, whose events have names of their own */
    return core || !m->nparts ? -1 : 0;
}

static int event_of(struct td_candidate *c, int part, const struct td_texts *t, uint32_t text)
{
    signed char *e = &c->event[part][text];

    if (*e == TD_EVENT_UNRESOLVED)
        *e = (signed char)td_event_match(c->machine.part[part], t->names[text]);
    return *e;
}

/* On a hybrid an event without a PMU is the P-core's if it is of the metrics
 * register, or if no other kind of core knows it. */
static bool bare_event_fits(struct td_candidate *c, int part, const struct td_texts *t, uint32_t text, int event)
{
    if (c->machine.part[part]->events[event].field >= 0)
        return true;
    for (size_t i = 0; i < c->machine.nparts; i++)
        if ((int)i != part && event_of(c, (int)i, t, text) >= 0)
            return false;
    return true;
}

int td_candidate_bind(struct td_candidate *c, int part, const struct td_texts *t, const struct td_interval *v, struct td_counts *out)
{
    int err = 0;

    out->status = v->counts.status;
    out->n = 0;
    for (size_t i = 0; i < v->counts.n && !err; i++) {
        struct td_count count = v->counts.c[i];
        int event = v->uarch ? count.event : event_of(c, part, t, count.text);

        if (event < 0)
            continue;
        if (!v->uarch && !v->core && c->machine.nparts > 1 && !bare_event_fits(c, part, t, count.text, event))
            continue;
        count.event = (uint8_t)event;
        count.generic = t->entries[count.text].generic;
        err = td_counts_append(out, &count);
    }
    if (!v->uarch)
        td_counts_quantise(out, c->machine.part[part], 1);
    return err;
}

/* Whether any machine's formulas use the event: if so, a machine that does not
 * know it is not the one recorded. */
static bool relevant(struct td_candidates *all, const struct td_texts *t, uint32_t text, char core)
{
    if (t->entries[text].generic) /* every CPU has it: it says nothing about which this is */
        return false;
    for (size_t i = 0; i < all->n; i++) {
        int part = td_candidate_part(&all->c[i], core), event;

        if (part < 0)
            continue;
        event = event_of(&all->c[i], part, t, text);
        if (event >= 0 && all->c[i].used[part] >> event & 1)
            return true;
    }
    return false;
}

static bool any_level1(struct td_candidate *c, int part, const struct td_counts *k)
{
    const struct td_solve_ask ask = {.level = 1, .fixed = true};
    struct td_result result;

    td_solve(c->solver[part], k, &ask, &result);
    for (size_t i = 0; i < result.nmetrics; i++)
        if (result.metrics[i].status != TD_MISSING_EVENT)
            return true;
    return false;
}

/* Whether an interval has an event by which CPUs can be told apart. */
static bool tells(struct td_candidates *all, const struct td_texts *t, const struct td_interval *v)
{
    for (size_t i = 0; i < v->counts.n; i++)
        if (relevant(all, t, v->counts.c[i].text, v->core))
            return true;
    return false;
}

static int knows_interval(struct td_candidates *all, struct td_candidate *c, const struct td_texts *t, const struct td_interval *v, bool *fits)
{
    struct td_counts bound = {0};
    int part = td_candidate_part(c, v->core), err;

    if (part < 0 || (!v->core && c->machine.hybrid))
        return 0;
    for (size_t i = 0; i < v->counts.n; i++)
        if (relevant(all, t, v->counts.c[i].text, v->core) && event_of(c, part, t, v->counts.c[i].text) < 0)
            return 0;
    err = td_candidate_bind(c, part, t, v, &bound);
    *fits = !err && any_level1(c, part, &bound);
    td_counts_free(&bound);
    return err;
}

/* On hybrids the lines of one kind of core may be missing, or none of a formula
 * (cpu_atom/branches/ beside top-down events of the P-cores), and lines without a
 * PMU are something else (task-clock). */
static int machine_fits(struct td_candidates *all, struct td_candidate *c, const struct td_recording *r, bool *fits)
{
    bool any = false, hybrid_lines = false;
    int err = 0;

    for (size_t i = 0; i < r->nbatch; i++)
        hybrid_lines = hybrid_lines || (r->batch[i].core && r->batch[i].counts.n);
    *fits = hybrid_lines == c->machine.hybrid;
    for (size_t i = 0; i < r->nbatch && *fits && !err; i++) {
        bool known = false;

        if ((hybrid_lines && !r->batch[i].core) || !tells(all, &r->texts, &r->batch[i]))
            continue;
        err = knows_interval(all, c, &r->texts, &r->batch[i], &known);
        *fits = known;
        any = any || known;
    }
    *fits = *fits && any;
    return err;
}

static bool computes_alike(const struct td_candidate *a, const struct td_candidate *b)
{
    if (a->machine.nparts != b->machine.nparts)
        return false;
    for (size_t i = 0; i < a->machine.nparts; i++)
        if (a->machine.part[i]->forms != b->machine.part[i]->forms || a->machine.part[i]->width != b->machine.part[i]->width)
            return false;
    return true;
}

static bool alike_any(const struct td_candidates *k, const struct td_candidate *c)
{
    for (size_t i = 0; i < k->n; i++)
        if (computes_alike(&k->c[i], c))
            return true;
    return false;
}

/* Moves what fits from all to k, once for each way to compute. All are asked
 * before any is moved: what one does not know counts against another. */
static int keep_fitting(struct td_candidates *k, struct td_candidates *all, const struct td_recording *r)
{
    bool fits[TD_CANDIDATES_MAX];
    int err = 0;

    for (size_t i = 0; i < all->n && !err; i++)
        err = machine_fits(all, &all->c[i], r, &fits[i]);
    for (size_t i = 0; i < all->n && !err; i++) {
        if (!fits[i])
            continue;
        add_labels(k, &all->c[i].machine);
        if (alike_any(k, &all->c[i]))
            continue;
        k->c[k->n++] = all->c[i];
        all->c[i] = (struct td_candidate){0};
    }
    return err;
}

static bool any_relevant(struct td_candidates *all, const struct td_recording *r)
{
    for (size_t i = 0; i < r->nbatch; i++)
        if (tells(all, &r->texts, &r->batch[i]))
            return true;
    return false;
}

int td_candidates_fit(struct td_candidates *k, const struct td_recording *r, const struct td_backend *backend, bool *told,
                      char *why, size_t whysize)
{
    struct td_candidates *all = calloc(1, sizeof(*all));
    struct td_machine m;
    int err = 0;

    if (!all)
        return -ENOMEM;
    for (size_t i = 0; !err && all->n < TD_CANDIDATES_MAX && td_machine_at(i, &m); i++) {
        if (!td_machine_restrict(&m, backend))
            continue;
        err = candidate_init(&all->c[all->n], &m, why, whysize);
        if (!err)
            all->n++;
    }
    *told = !err && any_relevant(all, r);
    if (*told) /* instructions and cycles alone make no CPU of those that count by them */
        err = keep_fitting(k, all, r);
    td_candidates_free(all);
    free(all);
    return err;
}
