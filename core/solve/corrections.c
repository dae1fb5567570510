/* SPDX-License-Identifier: MIT */
/* The corrections that were left out of metrics, and the formula's name that lists them. */
#include "core/solve/work.h"

enum { CORRECTION_BITS = 32 /* of td_metric.corrections */ };

/* Whether corrections of a metric were left out: td_fill_metric() flags it then. */
static bool lacks_any(const struct td_metric *m)
{
    return m->status == TD_OK && m->flags & TD_FLAG_CORRECTION_MISSING;
}

/* A metric of the solution at hand lacks those of its corrections that were left out. */
static const struct td_bits *corrections_of(const struct td_work *w, size_t metric)
{
    return w->sel->need[w->sel->asked[metric].need].corrections;
}

static void lack(struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        for (size_t n = 0; n < w->s->left_out.words; n++)
            w->s->left_out.word[n] |= td_bits_word(corrections_of(w, i), n) & td_bits_word(&w->omitted, n);
    }
}

/* For each correction that a metric lacks: its bit, by its number among all that are left out. */
static void number_corrections(struct td_work *w, const struct td_solution *s)
{
    for (size_t m = 0; m < s->nmetrics; m++) {
        const size_t i = w->s->choice.metric[s->metrics + m];
        unsigned n = 0;

        if (!lacks_any(&w->out->metrics[i]))
            continue;
        TD_BITS_EACH(e, &w->s->left_out)
        {
            if (n < CORRECTION_BITS && td_bits_has(corrections_of(w, i), e) && td_bits_has(&w->omitted, e))
                w->out->metrics[i].corrections |= 1u << n;
            n++;
        }
    }
}

static void each_solution(struct td_work *w, void (*fn)(struct td_work *, const struct td_solution *))
{
    for (size_t i = 0; i < w->s->choice.nsolutions; i++)
        fn(w, td_work_take(w, i));
}

/* "NAME without EVENT,EVENT", written once for as long as the same ones are left out. */
static int write_formula(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err = td_text_buffer_clear(&s->formula);

    s->named_form = NULL;
    s->ncorrections = 0;
    err = err ? err : td_text_buffer_add(&s->formula, "%s", w->sel->form->form->name);
    TD_BITS_EACH(e, &s->left_out)
    {
        const char *name = w->out->uarch->events[e].name;

        err = err ? err : td_text_buffer_add(&s->formula, "%s%s", s->ncorrections ? "," : " without ", name);
        if (err)
            return err;
        s->corrections[s->ncorrections++] = name;
    }
    td_bits_copy(&s->named, &s->left_out);
    s->named_form = w->sel->form;
    return err;
}

int td_lacking_name(struct td_work *w)
{
    struct td_solving *s = w->s;
    int err = 0;

    w->out->formula = w->sel->form->form->name;
    if (!w->omits)
        return 0;
    td_bits_clear(&s->left_out);
    each_solution(w, lack);
    if (td_bits_empty(&s->left_out))
        return 0;
    if (s->named_form != w->sel->form || !td_bits_same(&s->named, &s->left_out))
        err = write_formula(w);
    if (err)
        return err;
    each_solution(w, number_corrections);
    w->out->formula = s->formula.at;
    w->out->corrections = s->corrections;
    w->out->ncorrections = s->ncorrections;
    return 0;
}
