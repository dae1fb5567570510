/* SPDX-License-Identifier: MIT */
#include "core/choice/form.h"

#include "util/room.h"

#include <stdio.h>

/* "A", "A/B" or "!A": one of the events, or none of them. */
struct td_when {
    bool wanted;
    uint16_t *event;
    size_t n, room;
};

static int read_word(struct td_when *w, const struct td_uarch *u, const char *word, size_t len)
{
    w->wanted = *word != '!';
    if (!w->wanted)
        word++, len--;
    while (len) {
        const char *slash = memchr(word, '/', len);
        size_t n = slash ? (size_t)(slash - word) : len;
        int event = td_uarch_event_find(u, word, n);

        if (event >= 0 && td_room(&w->event, &w->room, w->n + 1, sizeof(*w->event)))
            return -ENOMEM;
        if (event >= 0)
            w->event[w->n++] = (uint16_t)event;
        word += slash ? n + 1 : n;
        len -= slash ? n + 1 : n;
    }
    return 0;
}

int td_form_init(struct td_formcode *f, const struct td_uarch *u, const struct td_form *form)
{
    size_t room = 0;
    int err = 0;

    *f = (struct td_formcode){.form = form, .uarch = u};
    for (const char *at = form->when; *at && !err;) {
        size_t len = strcspn(at, " ");

        err = td_room(&f->when, &room, f->nwhen + 1, sizeof(*f->when));
        if (err)
            break;
        f->when[f->nwhen] = (struct td_when){0};
        err = read_word(&f->when[f->nwhen++], u, at, len);
        at += len + strspn(at + len, " ");
    }
    return err;
}

void td_form_free(struct td_formcode *f)
{
    for (size_t i = 0; i < f->nwhen; i++)
        free(f->when[i].event);
    free(f->when);
    td_program_free(f->p);
    free(f->node);
}

static bool word_holds(const struct td_when *w, const struct td_layout *l)
{
    for (size_t i = 0; i < w->n; i++)
        if (td_layout_has(l, w->event[i], l->modes))
            return w->wanted;
    return !w->wanted;
}

bool td_form_applies(const struct td_formcode *f, const struct td_layout *l)
{
    for (size_t i = 0; i < f->nwhen; i++)
        if (!word_holds(&f->when[i], l))
            return false;
    return true;
}

/* Settles those conditions of the table that the form decides. */
static void settle_conditions(const struct td_form *form, struct td_program_text *t)
{
    t->settled = TD_WHERE_EBS | TD_WHERE_FIXED | (form->flags & TD_FORM_SMT_ASKED ? 0 : TD_WHERE_SMT);
    t->holds = (form->flags & TD_FORM_SMT ? TD_WHERE_SMT : 0) | (form->flags & TD_FORM_EBS ? TD_WHERE_EBS : 0) |
               (form->flags & TD_FORM_FIXED ? TD_WHERE_FIXED : 0);
}

static int find_event(const void *ctx, const char *name, size_t len)
{
    return td_uarch_event_find(ctx, name, len);
}

/* Finds a definition by its name in the C rows, else by its name in the tables. */
static int find_either(const struct td_program *p, const char *name, const char *other)
{
    const int def = td_program_find(p, name);

    return def < 0 ? td_program_find(p, other) : def;
}

int td_form_open(struct td_formcode *f)
{
    const struct td_uarch *u = f->uarch;
    struct td_program_text text = {
        .lists = f->form->lists,
        .nlists = sizeof(f->form->lists) / sizeof(*f->form->lists),
        .width = u->width,
        .nevents = u->nevents,
        .find = find_event,
        .ctx = u,
        .table = f->form->flags & TD_FORM_TABLE ? u->table : NULL,
    };
    int err;

    if (f->p)
        return 0;
    settle_conditions(f->form, &text);
    f->node = calloc(u->tree->n + 1, sizeof(*f->node));
    err = f->node ? td_program_new(&text, &f->p) : -ENOMEM;
    if (err) {
        free(f->node);
        f->node = NULL;
        return err;
    }
    f->slots = find_either(f->p, "slots", "info_thread_slots");
    f->sum = find_either(f->p, "sum", f->form->flags & TD_FORM_FIXED ? "perf_metrics_sum" : "sum");
    for (size_t e = 0; e < u->nevents; e++)
        f->fields = f->fields || u->events[e].field >= 0;
    for (size_t n = 0; n < u->tree->n; n++)
        f->node[n] = td_program_find(f->p, u->tree->node[n].name);
    return 0;
}

static int compile(struct td_formcode *f, int def, char *why, size_t whysize)
{
    return def < 0 ? 0 : td_program_compile(f->p, (size_t)def, why, whysize);
}

int td_form_compile(struct td_formcode *f, int level, char *why, size_t whysize)
{
    const struct td_tree *t = f->uarch->tree;
    int err = td_form_open(f);

    if (err) {
        snprintf(why, whysize, "out of memory");
        return err;
    }
    err = compile(f, f->slots, why, whysize);
    err = err ? err : compile(f, f->sum, why, whysize);
    for (size_t n = 0; n < t->n && !err; n++)
        if (t->node[n].level <= level)
            err = compile(f, f->node[n], why, whysize);
    return err;
}
