/* SPDX-License-Identifier: MIT */
#include "core/solve/forms.h"

#include "util/room.h"

int td_forms_new(const struct td_uarch *u, struct td_forms **out)
{
    struct td_forms *f = calloc(1, sizeof(*f));
    size_t n = 0;
    int err = 0;

    while (u->forms[n])
        n++;
    if (f)
        f->form = calloc(n + 1, sizeof(*f->form));
    if (!f || !f->form) {
        free(f);
        return -ENOMEM;
    }
    for (f->uarch = u; f->n < n && !err; f->n++)
        err = td_form_init(&f->form[f->n], u, u->forms[f->n]);
    if (err) {
        td_forms_free(f);
        return err;
    }
    *out = f;
    return 0;
}

static void solving_free(struct td_solving *s)
{
    td_layout_free(&s->layout);
    td_lint_free(&s->lint);
    td_choice_free(&s->choice);
    free(s->cells);
    free(s->copy);
    free(s->coverage);
    free(s->words);
    td_text_buffer_free(&s->formula);
    free(s->corrections);
    for (size_t i = 0; i < s->nseen; i++)
        td_seen_free(&s->seen[i]);
    free(s->seen);
    free(s->metric_cell);
    free(s->metric_limited);
    free(s->siblings);
    free(s->lacking);
    free(s->lacks);
    free(s->lacking_def);
    free(s->lacking_terms);
    free(s->lacking_metric);
    free(s->lacking_bits);
    free(s->without);
    free(s->alone);
}

void td_forms_free(struct td_forms *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        td_form_free(&f->form[i]);
    for (size_t i = 0; i < f->nselections; i++)
        td_selection_free(f->selection[i]);
    free(f->form);
    free(f->selection);
    solving_free(&f->solving);
    free(f);
}

const struct td_uarch *td_forms_uarch(const struct td_forms *f)
{
    return f->uarch;
}

struct td_formcode *td_forms_choose(const struct td_forms *f, const struct td_layout *l, bool fixed)
{
    struct td_formcode *last = NULL;

    for (size_t i = 0; i < f->n; i++) {
        if (f->form[i].form->flags & TD_FORM_FIXED && !fixed)
            continue;
        last = &f->form[i];
        if (td_form_applies(last, l))
            break;
    }
    return last;
}

int td_forms_select(struct td_forms *f, struct td_formcode *form, int level, const char *names,
                    const struct td_selection **out)
{
    struct td_selection *new;
    int err;

    for (size_t i = 0; i < f->nselections; i++)
        if (f->selection[i]->form == form && f->selection[i]->level == level && f->selection[i]->names == names) {
            *out = f->selection[i];
            return 0;
        }
    err = td_room(&f->selection, &f->selections_room, f->nselections + 1, sizeof(*f->selection));
    err = err ? err : td_selection_new(form, level, names, &new, f->why, sizeof(f->why));
    if (!err)
        *out = f->selection[f->nselections++] = new;
    return err;
}

const char *td_forms_why(const struct td_forms *f)
{
    return f->why;
}

bool td_forms_serve(const struct td_forms *f, const struct td_uarch *u)
{
    const struct td_uarch *own = f->uarch;

    return own->forms == u->forms && own->events == u->events && own->nevents == u->nevents && own->names == u->names &&
           own->tree == u->tree && own->table == u->table && own->width == u->width && own->core == u->core &&
           own->flags == u->flags && own->relations == u->relations;
}
