/* SPDX-License-Identifier: MIT */
/* The forms of a CPU, compiled, and the choice between them. */
#include "solver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int event_by_name(const struct td_uarch *u, const char *name, size_t len)
{
    for (size_t i = 0; i < u->nevents; i++)
        if (strlen(u->events[i].name) == len && !strncasecmp(u->events[i].name, name, len))
            return (int)i;
    return -1;
}

/* Aliases first: a row may have an event that its formulas know by another name. */
static int event_number(const struct td_uarch *u, const char *name, size_t len)
{
    for (const struct td_alias *a = u->aliases_of_events; a && a->alias; a++) {
        int event = -1;

        if (strlen(a->alias) == len && !strncasecmp(a->alias, name, len))
            event = event_by_name(u, a->event, strlen(a->event));
        if (event >= 0)
            return event;
    }
    return event_by_name(u, name, len);
}

int td_uarch_event_number(const struct td_uarch *u, const char *name)
{
    return event_number(u, name, strlen(name));
}

int td_uarch_event_by_config(const struct td_uarch *u, uint64_t config)
{
    for (size_t i = 0; i < u->nevents; i++)
        if (u->events[i].config == config)
            return td_uarch_event_number(u, u->events[i].name);
    return -1;
}

static int find_event(const void *ctx, const char *name)
{
    return td_uarch_event_number(ctx, name);
}

static int compile_form(struct td_solver *s, const struct td_form *form, char *why, size_t whysize)
{
    struct td_formcode *f = &s->forms[s->nforms];
    size_t nlists = sizeof(form->lists) / sizeof(*form->lists);
    int err = td_program_compile(form->lists, nlists, s->uarch->width, find_event, s->uarch, &f->p, why, whysize);

    if (err)
        return err;
    s->nforms++;
    f->form = form;
    f->slots = td_program_find(f->p, "slots");
    f->sum = td_program_find(f->p, "sum");
    for (size_t n = 0; n < TD_NODES; n++) {
        f->node[n] = td_program_find(f->p, td_nodes[n].name);
        if (f->node[n] >= 0 && !(form->flags & TD_FORM_LEGACY))
            s->defined |= UINT64_C(1) << n;
    }
    return 0;
}

int td_solver_new(const struct td_uarch *u, struct td_solver **out, char *why, size_t whysize)
{
    struct td_solver *s = calloc(1, sizeof(*s));
    int err = 0;

    if (!s) {
        snprintf(why, whysize, "out of memory");
        return -ENOMEM;
    }
    s->uarch = u;
    for (size_t i = 0; !err && u->forms[i]; i++) {
        if (i == TD_FORMS_MAX) {
            snprintf(why, whysize, "%s has more than %d forms", u->name, TD_FORMS_MAX);
            err = -EINVAL;
        } else {
            err = compile_form(s, u->forms[i], why, whysize);
        }
    }
    if (err) {
        td_solver_free(s);
        return err;
    }
    *out = s;
    return 0;
}

void td_solver_free(struct td_solver *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->nforms; i++)
        td_program_free(s->forms[i].p);
    free(s);
}

const struct td_uarch *td_solver_uarch(const struct td_solver *s)
{
    return s->uarch;
}

uint64_t td_solver_used(const struct td_solver *s)
{
    uint64_t used = 0;

    for (size_t f = 0; f < s->nforms; f++)
        for (size_t d = 0; d < td_program_count(s->forms[f].p); d++)
            used |= td_program_needs(s->forms[f].p, d) | td_program_corrections(s->forms[f].p, d);
    return used;
}

static bool recorded(const struct td_counts *k, int event)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->c[i].event == event)
            return true;
    return false;
}

/* One word of td_form.when: "A", "A/B" or "!A". */
static bool word_holds(const struct td_uarch *u, const struct td_counts *k, const char *word, size_t len)
{
    bool wanted = *word != '!';

    if (!wanted)
        word++, len--;
    while (len) {
        const char *slash = memchr(word, '/', len);
        size_t n = slash ? (size_t)(slash - word) : len;

        if (recorded(k, event_number(u, word, n)))
            return wanted;
        word += slash ? n + 1 : n;
        len -= slash ? n + 1 : n;
    }
    return !wanted;
}

static bool form_applies(const struct td_uarch *u, const struct td_form *f, const struct td_counts *k)
{
    const char *at = f->when;

    while (*at) {
        size_t len = strcspn(at, " ");

        if (!word_holds(u, k, at, len))
            return false;
        at += len + strspn(at + len, " ");
    }
    return true;
}

const struct td_formcode *td_solver_form(const struct td_solver *s, const struct td_counts *k, bool fixed)
{
    const struct td_formcode *last = NULL;

    for (size_t i = 0; i < s->nforms; i++) {
        const struct td_formcode *f = &s->forms[i];

        if (f->form->flags & TD_FORM_FIXED && !fixed)
            continue;
        last = f;
        if (form_applies(s->uarch, f->form, k))
            break;
    }
    return last;
}
