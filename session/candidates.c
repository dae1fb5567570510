/* SPDX-License-Identifier: MIT */
#include "session/candidates.h"

#include "backends/event_match.h"
#include "backends/find_identity.h"
#include "backends/registry.h"
#include "session/printed_shares.h"
#include "util/room.h"

#include <stdio.h>
#include <string.h>

enum { TD_MEANING_UNKNOWN = -2 };

/* ---- what texts mean ------------------------------------------------------------- */

/* Makes room for what all texts mean. */
static int cover(struct td_meanings *m, const struct td_texts *t)
{
    if (td_room(&m->event, &m->room, t->n, sizeof(*m->event)))
        return -ENOMEM;
    while (m->n < m->room)
        m->event[m->n++] = TD_MEANING_UNKNOWN;
    return 0;
}

static int event_of(struct td_meanings *m, const struct td_texts *t, uint32_t text)
{
    if (m->event[text] == TD_MEANING_UNKNOWN)
        m->event[text] = td_event_match(m->uarch, t->names[text]);
    return m->event[text];
}

static struct td_meanings *meanings_of(struct td_candidates *k, const struct td_uarch *u)
{
    struct td_meanings *new;

    for (size_t i = 0; i < k->nmeanings; i++)
        if (k->meanings[i]->uarch->events == u->events) /* and so the names of these */
            return k->meanings[i];
    new = td_room(&k->meanings, &k->meanings_room, k->nmeanings + 1, sizeof(*k->meanings)) ? NULL
                                                                                           : calloc(1, sizeof(*new));
    if (!new)
        return NULL;
    new->uarch = u;
    return k->meanings[k->nmeanings++] = new;
}

/* ---- the candidates ----------------------------------------------------------------- */

static int find_forms(struct td_candidates *k, const struct td_uarch *u, struct td_forms **out)
{
    int err;

    for (size_t i = 0; i < k->nforms; i++)
        if (td_forms_serve(k->forms[i], u)) {
            *out = k->forms[i];
            return 0;
        }
    err = td_room(&k->forms, &k->forms_room, k->nforms + 1, sizeof(*k->forms));
    err = err ? err : td_forms_new(u, out);
    if (!err)
        k->forms[k->nforms++] = *out;
    return err;
}

static int add(struct td_candidates *k, const struct td_identity *m)
{
    struct td_candidate *c;

    if (td_room(&k->c, &k->room, k->n + 1, sizeof(*k->c)))
        return -ENOMEM;
    c = &k->c[k->n];
    *c = (struct td_candidate){.identity = *m};
    for (size_t i = 0; i < m->nparts; i++) {
        c->meanings[i] = meanings_of(k, m->part[i]);
        if (!c->meanings[i])
            return -ENOMEM;
    }
    k->n++;
    return 0;
}

static void free_labels(struct td_text_buffer labels[TD_LABELS])
{
    for (size_t i = 0; i < TD_LABELS; i++)
        td_text_buffer_free(&labels[i]);
}

void td_candidates_free(struct td_candidates *k)
{
    for (size_t i = 0; i < k->nforms; i++)
        td_forms_free(k->forms[i]);
    for (size_t i = 0; i < k->nmeanings; i++) {
        free(k->meanings[i]->event);
        free(k->meanings[i]);
    }
    free_labels(k->label);
    for (size_t i = 0; i < k->n; i++)
        free_labels(k->c[i].label);
    td_text_buffer_free(&k->names);
    td_text_buffer_free(&k->nearest);
    td_text_buffer_free(&k->untold);
    td_text_buffer_free(&k->unprinted);
    free(k->c);
    free(k->forms);
    free(k->meanings);
    *k = (struct td_candidates){0};
}

static int join(struct td_text_buffer *list, const char *separator, const char *name)
{
    return td_text_buffer_add(list, "%s%s", list->length ? separator : "", name);
}

/* The CPUs that are no hybrids are one list, whatever kind of core they have. */
static size_t label_of(const struct td_identity *m, size_t part)
{
    return m->hybrid ? td_core_index(m->part[part]->core) : 0;
}

const char *td_candidate_label(const struct td_text_buffer labels[TD_LABELS], const struct td_candidate *c, int part)
{
    return labels[label_of(&c->identity, (size_t)part)].at;
}

static int label(struct td_text_buffer labels[TD_LABELS], const struct td_identity *m)
{
    int err = 0;

    for (size_t i = 0; i < m->nparts && !err; i++)
        err = join(&labels[label_of(m, i)], "|", m->part[i]->name);
    return err;
}

/* c: the candidate that computes as this CPU does. */
static int add_labels(struct td_candidates *k, struct td_candidate *c, const struct td_identity *m)
{
    int err = join(&k->names, " ", m->name);

    err = err ? err : label(k->label, m);
    return err ? err : label(c->label, m);
}

int td_candidates_one(struct td_candidates *k, const struct td_identity *m)
{
    int err = add(k, m);

    for (size_t i = 0; i < m->nparts && !err; i++)
        err = find_forms(k, m->part[i], &k->c[0].forms[i]);
    return err ? err : add_labels(k, &k->c[0], m);
}

int td_candidate_part(const struct td_candidate *c, char core)
{
    const struct td_identity *m = &c->identity;

    for (size_t i = 0; i < m->nparts; i++)
        if (m->part[i]->core == core)
            return (int)i;
    /* no PMU is named: the only kind of core, or the P-core, whose events have their own names */
    return core ? -1 : 0;
}

/* On a hybrid an event without a PMU belongs to the P-core if it comes from the metrics
 * register, or if no other kind of core knows it. */
static bool bare_event_fits(struct td_candidate *c, int part, const struct td_texts *t, uint32_t text, int event)
{
    if (c->identity.part[part]->events[event].field >= 0)
        return true;
    for (size_t i = 0; i < c->identity.nparts; i++)
        if ((int)i != part && event_of(c->meanings[i], t, text) >= 0)
            return false;
    return true;
}

static int make_room(struct td_candidate *c, const struct td_texts *t, size_t n, struct td_counts *out)
{
    int err = td_counts_reserve(out, n);

    for (size_t i = 0; i < c->identity.nparts && !err; i++)
        err = cover(c->meanings[i], t);
    return err;
}

int td_candidate_number(struct td_candidate *c, int part, const struct td_texts *t, struct td_interval *v)
{
    int err = cover(c->meanings[part], t);

    for (size_t i = 0; i < v->counts.n && !err; i++) {
        const int event = event_of(c->meanings[part], t, v->counts.c[i].text);

        v->counts.c[i].event = event < 0 ? TD_EVENT_UNKNOWN : (uint16_t)event;
    }
    err = err ? err : td_counts_quantise(&v->counts, c->identity.part[part], 1);
    v->numbered = err ? NULL : c->identity.part[part];
    return err;
}

int td_candidate_bind(struct td_candidate *c, int part, const struct td_texts *t, const struct td_interval *v,
                      struct td_counts *out)
{
    const bool bare = !v->uarch && !v->core && c->identity.nparts > 1,
               numbered = v->uarch || v->numbered == c->identity.part[part];
    int err = make_room(c, t, v->counts.n, out);

    out->status = v->counts.status;
    out->n = 0;
    out->balanced = 0;
    for (size_t i = 0; i < v->counts.n && !err; i++) {
        const struct td_count *from = &v->counts.c[i];
        const int event = numbered ? from->event : event_of(c->meanings[part], t, from->text);
        struct td_count *to = &out->c[out->n];

        if (event < 0 || (!v->uarch && event == TD_EVENT_UNKNOWN) ||
            (bare && !bare_event_fits(c, part, t, from->text, event)))
            continue;
        *to = *from;
        to->event = (uint16_t)event;
        to->generic = t->entries[from->text].generic;
        out->n++;
    }
    if (!numbered && !err)
        err = td_counts_quantise(out, c->identity.part[part], 1);
    return err;
}

/* ---- which CPUs fit ------------------------------------------------------------------- */

/* A recording that all known CPUs are compared with. */
struct fitting {
    struct td_candidates *all;
    const struct td_stream *s;
    bool hybrid_lines; /* its lines name the kind of core they belong to */
    bool counted; /* some event that distinguishes CPUs has a count: those that the machine did not support tell nothing
                   */
    unsigned char *relevant[TD_CORES]; /* by text: NO, YES, or 0: not looked up yet */
    struct td_counts bound;
    struct td_result result;
    size_t lacking; /* events, of the nearest CPU */
};

enum { NO = 1, YES, NAMED = 4 /* most events that a message names */ };

/* Whether any CPU's formulas use the event: if so, a CPU that does not know it is
 * not the one that was recorded. */
static bool used_by_any(const struct fitting *f, uint32_t text, char core)
{
    const struct td_texts *t = &f->s->texts;

    if (t->entries[text].generic) /* every CPU has it: it does not identify the CPU */
        return false;
    for (size_t i = 0; i < f->all->n; i++) {
        const struct td_candidate *c = &f->all->c[i];
        const int part = td_candidate_part(c, core), event = part < 0 ? -1 : event_of(c->meanings[part], t, text);

        if (event >= 0 && c->identity.part[part]->events[event].used)
            return true;
    }
    return false;
}

static bool relevant(struct fitting *f, uint32_t text, char core)
{
    unsigned char *known = &f->relevant[td_core_index(core)][text];

    if (!*known)
        *known = used_by_any(f, text, core) ? YES : NO;
    return *known == YES;
}

/* Whether a count says which CPU it is from. That a machine does not support an event is no sign that its CPU has it.
 */
static bool says(struct fitting *f, const struct td_interval *v, const struct td_count *c)
{
    return !(f->counted && c->status == TD_NOT_SUPPORTED) && relevant(f, c->text, v->core);
}

/* Whether an interval has an event that distinguishes CPUs. */
static bool tells(struct fitting *f, const struct td_interval *v)
{
    for (size_t i = 0; i < v->counts.n; i++)
        if (says(f, v, &v->counts.c[i]))
            return true;
    return false;
}

/* Whether a CPU knows all events of an interval that distinguish CPUs. */
static bool knows(struct fitting *f, const struct td_candidate *c, const struct td_interval *v)
{
    const int part = td_candidate_part(c, v->core);

    if (part < 0)
        return false;
    for (size_t i = 0; i < v->counts.n; i++) {
        const uint32_t text = v->counts.c[i].text;

        if (says(f, v, &v->counts.c[i]) && event_of(c->meanings[part], &f->s->texts, text) < 0)
            return false;
    }
    return true;
}

/* Lines without a PMU next to lines with kinds of core are something else (task-clock). */
static bool counts_for_fit(struct fitting *f, const struct td_interval *v)
{
    return !(f->hybrid_lines && !v->core) && tells(f, v);
}

/* Decides by its events alone. On hybrids the lines of one kind of core may be missing, or
 * may have no event of a formula (cpu_atom/branches/ next to top-down events of the P-cores). */
static bool events_fit(struct fitting *f, const struct td_candidate *c)
{
    bool any = false;

    if (f->hybrid_lines != c->identity.hybrid)
        return false;
    for (size_t i = 0; i < f->s->nbatch; i++) {
        if (!counts_for_fit(f, &f->s->batch[i]))
            continue;
        if (!knows(f, c, &f->s->batch[i]))
            return false;
        any = true;
    }
    return any;
}

/* ---- which nearly fits ------------------------------------------------------------------- */

/* Whether the i-th metric is the first of level 1 that lacks this event. */
static bool lacks_first(const struct td_result *r, size_t i)
{
    const struct td_metric *m = &r->metrics[i];

    if (m->kind != TD_METRIC_NODE || m->status != TD_MISSING_EVENT || !m->event)
        return false;
    for (size_t k = 0; k < i; k++)
        if (r->metrics[k].event && !strcmp(r->metrics[k].event, m->event))
            return false;
    return true;
}

static size_t count_lacking(const struct td_result *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->nmetrics; i++)
        n += lacks_first(r, i);
    return n;
}

/* This CPU has all events of the recording, but they give nothing of its level 1. Of several that lack as few the first
 * is kept. */
static int lack(struct fitting *f, const struct td_candidate *c)
{
    const size_t n = count_lacking(&f->result);
    struct td_candidates *k = f->all;
    size_t named = 0;
    int err;

    if (!n || (k->nearest_name && n >= f->lacking))
        return 0;
    f->lacking = n;
    k->nearest_name = c->identity.name;
    err = td_text_buffer_clear(&k->nearest);
    for (size_t i = 0; i < f->result.nmetrics && !err; i++)
        if (lacks_first(&f->result, i) && named++ < NAMED)
            err = td_text_buffer_add(&k->nearest, "%s%s", named > 1 ? ", " : "", f->result.metrics[i].event);
    return err ? err : td_text_buffer_add(&k->nearest, " %s missing", n == 1 ? "is" : "are");
}

/* How many events of the first interval that tells CPUs apart are of some CPU's formulas, and unknown to this one: the
 * first of them, and whether it knows another. */
static size_t count_unknown(struct fitting *f, const struct td_candidate *c, const char **first, bool *knows_one)
{
    const struct td_texts *t = &f->s->texts;
    const struct td_interval *v = f->s->batch;
    size_t n = 0;
    int part;

    while (!tells(f, v)) /* one does */
        v++;
    part = td_candidate_part(c, v->core);
    *knows_one = false;
    for (size_t i = 0; i < v->counts.n && part >= 0; i++) {
        const uint32_t text = v->counts.c[i].text;

        if (!says(f, v, &v->counts.c[i]))
            continue;
        if (event_of(c->meanings[part], t, text) >= 0)
            *knows_one = true;
        else if (!n++)
            *first = t->names[text];
    }
    return n;
}

/* No CPU has all events of the recording: the one that lacks fewest, and has another. */
static int find_strange(struct fitting *f)
{
    struct td_candidates *k = f->all;
    const char *strange = NULL;
    size_t least = 0;

    for (size_t i = 0; i < k->n; i++) {
        const char *first = NULL;
        bool knows_one;
        size_t n;

        if (f->hybrid_lines != k->c[i].identity.hybrid)
            continue;
        n = count_unknown(f, &k->c[i], &first, &knows_one);
        if (!n || !knows_one || (strange && n >= least))
            continue;
        least = n;
        strange = first;
        k->nearest_name = k->c[i].identity.name;
    }
    return strange ? td_text_buffer_add(&k->nearest, "it has no '%.60s'", strange) : 0;
}

/* What speaks against a CPU, and for it. */
struct signs {
    bool sum_off; /* the shares do not add up to the slots */
    bool too_wide; /* more slots were counted than it has in as many cycles */
    bool alone; /* fields of the metrics register without SLOTS, which Linux has them counted with */
    bool lacks; /* it lacks events of level 1 */
    bool unprinted; /* shares that were printed beside the counts are not its */
    bool printed; /* they are */
};

/* Linux counts a field of the metrics register only in a group that SLOTS leads (arch/x86/events/intel/core.c,
 * intel_pmu_hw_config()), so that it is recorded, too; other CPUs have events of the fields' names. */
static bool fields_alone(const struct fitting *f, const struct td_uarch *u)
{
    const int slots = td_uarch_slots(u);
    bool any = false;

    for (size_t i = 0; i < f->bound.n; i++) {
        if (f->bound.c[i].event == slots)
            return false;
        any = any || u->events[f->bound.c[i].event].field >= 0;
    }
    return any;
}

/* Whether a node of level 1 has its events: a machine that does not support them need not be of that CPU. */
static bool gives(const struct fitting *f, const struct td_metric *m)
{
    return m->kind == TD_METRIC_NODE && m->status != TD_MISSING_EVENT && !(f->counted && m->status == TD_NOT_SUPPORTED);
}

/* Counts of one time begin and end some cycles apart, which gives no share that is further below 0. */
#define BELOW_OFF 0.01

static bool is_below(const struct td_metric *m)
{
    return m->status == TD_OK && m->value < -BELOW_OFF && !(m->flags & (TD_FLAG_MULTIPLEXED | TD_FLAG_SPLIT_GROUPS));
}

/* Whether a node shows that the shares of level 1 are not those of this CPU's slots. */
static bool is_off(const struct td_metric *m)
{
    return m->flags & TD_FLAG_SUM_OFF || (m->kind == TD_METRIC_NODE && (m->status == TD_IMPOSSIBLE || is_below(m)));
}

/* Takes what this interval's result shows. */
static void take_signs(const struct fitting *f, const struct td_uarch *u, struct signs *of)
{
    const struct td_result *r = &f->result;
    /* of text that has one interval, whose shares are those that were printed */
    const enum td_printed_says says =
        f->s->nbatch == 1 ? td_printed_shares_compare(&f->s->printed, r) : TD_PRINTED_OPEN;

    for (size_t i = 0; i < r->nmetrics; i++)
        of->sum_off = of->sum_off || is_off(&r->metrics[i]);
    of->too_wide = of->too_wide || r->too_wide;
    of->alone = of->alone || fields_alone(f, u);
    of->lacks = of->lacks || count_lacking(r);
    of->unprinted = of->unprinted || says == TD_PRINTED_OTHERS;
    of->printed = of->printed || says == TD_PRINTED_ITS;
}

/* Whether the events of an interval give any level-1 metric, and what speaks against the CPU. */
static int any_level1(struct fitting *f, struct td_candidate *c, const struct td_interval *v, bool *any,
                      struct signs *of, char *why, size_t whysize)
{
    const struct td_solve_ask ask = {.level = TD_LEVEL_TOP, .fixed = true, .hints = &f->s->hints};
    const int part = td_candidate_part(c, v->core);
    int err = td_candidate_bind(c, part, &f->s->texts, v, &f->bound);

    if (!err && !c->forms[part])
        err = find_forms(f->all, c->identity.part[part], &c->forms[part]);
    err = err ? err : td_solve(c->forms[part], &f->bound, &ask, &f->result);
    *any = false;
    if (err == -EINVAL || err == -ENOENT)
        snprintf(why, whysize, "%s", td_forms_why(c->forms[part]));
    if (err)
        return err;
    for (size_t i = 0; i < f->result.nmetrics; i++)
        *any = *any || gives(f, &f->result.metrics[i]);
    take_signs(f, c->identity.part[part], of);
    return *any ? 0 : lack(f, c);
}

static int level1_fits(struct fitting *f, struct td_candidate *c, bool *fits, struct signs *of, char *why,
                       size_t whysize)
{
    int err = 0;

    *fits = true;
    for (size_t i = 0; i < f->s->nbatch && *fits && !err; i++)
        if (counts_for_fit(f, &f->s->batch[i]))
            err = any_level1(f, c, &f->s->batch[i], fits, of, why, whysize);
    return err;
}

static bool computes_alike(const struct td_candidate *a, const struct td_candidate *b)
{
    if (a->identity.nparts != b->identity.nparts)
        return false;
    for (size_t i = 0; i < a->identity.nparts; i++)
        if (a->identity.part[i]->forms != b->identity.part[i]->forms ||
            a->identity.part[i]->width != b->identity.part[i]->width)
            return false;
    return true;
}

/* Of the first n candidates the one that computes alike, or NULL. */
static struct td_candidate *alike_of(const struct td_candidates *k, size_t n, const struct td_candidate *c)
{
    for (size_t i = 0; i < n; i++)
        if (computes_alike(&k->c[i], c))
            return &k->c[i];
    return NULL;
}

bool td_candidates_alike(const struct td_candidates *k, const struct td_candidate *c)
{
    return alike_of(k, k->n, c);
}

static bool differ_in_width(const struct td_uarch *u, const struct td_uarch *v)
{
    return u->width != v->width && td_uarch_backend_of(u) == td_uarch_backend_of(v) && td_uarch_slots(u) < 0 &&
           td_uarch_slots(v) < 0;
}

/* Whether it differs from the other in width, as Zen 4 and Zen 5 do, and Atoms, also those of hybrids: of two that have
 * the same lines both are hybrids, or neither is. */
static bool same_but_width(const struct td_candidate *a, const struct td_candidate *b)
{
    bool differ = false;

    for (size_t i = 0; i < a->identity.nparts && !differ; i++) {
        const int other = a->identity.hybrid ? td_candidate_part(b, a->identity.part[i]->core) : 0;

        differ = other >= 0 && differ_in_width(a->identity.part[i], b->identity.part[other]);
    }
    return differ;
}

static bool is_wrong(const struct signs *of)
{
    return of->sum_off || of->too_wide || of->alone;
}

/* Whether what speaks against one CPU does not against the other. */
static bool is_worse(const struct td_candidate *c, const struct signs *of, const struct td_candidate *other,
                     const struct signs *of_other)
{
    return (of->too_wide && !of_other->too_wide) || (of->alone && !of_other->alone) ||
           (is_wrong(of) && !is_wrong(of_other) && same_but_width(c, other));
}

/* Drops those whose shares do not add up, or whose slots are too many, if they do, or are not, with another width. They
 * compute level 1 from these events, only not to what can be: that they know them says nothing of other CPUs. */
static void drop_off(const struct td_candidates *k, bool *knows, bool *fits, const struct signs *of)
{
    for (size_t i = 0; i < k->n; i++)
        for (size_t j = 0; j < k->n && fits[i] && is_wrong(&of[i]); j++)
            if (fits[j] && is_worse(&k->c[i], &of[i], &k->c[j], &of[j]))
                fits[i] = knows[i] = false;
}

/* Whether a CPU is the one that the text around the counts names, or a revision of it where the text has none that
 * matters. */
static bool is_told(const struct td_identity *m, const struct td_identity *told)
{
    const size_t n = strlen(told->nparts ? told->part[0]->name : "");

    return td_identity_same(m, told) ||
           (told->nparts == 1 && told->flags & TD_FLAG_REVISION_ASSUMED && m->nparts == 1 &&
            !strncmp(m->part[0]->name, told->part[0]->name, n) && m->part[0]->name[n] == '-');
}

static bool same_backend(const struct td_candidate *a, const struct td_candidate *b)
{
    return td_uarch_backend_of(a->identity.part[0]) == td_uarch_backend_of(b->identity.part[0]);
}

/* Whether all events that a CPU has of level 1, which are not all that it needs, are also events of a CPU of the family
 * that computes nothing of level 1 from them: then they are no sign of the one or the other. Arm's INST_RETIRED and
 * INST_SPEC are such. */
static bool is_untold(const struct td_candidates *k, size_t i, const bool *knows, const bool *fits,
                      const struct signs *of)
{
    for (size_t j = 0; j < k->n && fits[i] && of[i].lacks; j++)
        if (knows[j] && !fits[j] && same_backend(&k->c[i], &k->c[j]))
            return true;
    return false;
}

/* Drops all that fit where each is untold, but for the CPU that the text around the counts names. */
static int drop_untold(struct fitting *f, const bool *knows, bool *fits, const struct signs *of)
{
    struct td_candidates *k = f->all;
    size_t untold = 0, fitting = 0;
    int err = 0;

    for (size_t i = 0; i < k->n; i++) {
        untold += is_untold(k, i, knows, fits, of);
        fitting += fits[i];
    }
    if (!untold || untold < fitting)
        return 0;
    for (size_t i = 0; i < k->n; i++) {
        fits[i] = is_told(&k->c[i].identity, &f->s->told);
        k->told = k->told || fits[i];
    }
    for (size_t i = 0; i < k->n && !err && !k->told; i++)
        if (knows[i])
            err = join(&k->untold, ", ", k->c[i].identity.name);
    return err;
}

/* Drops those whose shares are not those that were printed, if they are another's: what they know says nothing then,
 * either. */
static int drop_unprinted(struct td_candidates *k, bool *knows, bool *fits, const struct signs *of)
{
    bool any = false;
    int err = 0;

    for (size_t i = 0; i < k->n; i++)
        any = any || (fits[i] && of[i].printed);
    for (size_t i = 0; i < k->n && any && !err; i++)
        if (fits[i] && of[i].unprinted) {
            err = join(&k->unprinted, ", ", k->c[i].identity.name);
            fits[i] = knows[i] = false;
        }
    return err;
}

/* Checks events first, so that formulas are only compiled for the CPUs that remain. */
static int find_fitting(struct fitting *f, bool *knows, bool *fits, struct signs *of, char *why, size_t whysize)
{
    int err = 0;

    for (size_t i = 0; i < f->all->n; i++)
        fits[i] = knows[i] = events_fit(f, &f->all->c[i]);
    for (size_t i = 0; i < f->all->n && !err; i++)
        if (fits[i])
            err = level1_fits(f, &f->all->c[i], &fits[i], &of[i], why, whysize);
    if (err)
        return err;
    drop_off(f->all, knows, fits, of);
    err = drop_unprinted(f->all, knows, fits, of);
    return err ? err : drop_untold(f, knows, fits, of);
}

static bool any_of(const bool *fits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fits[i])
            return true;
    return false;
}

/* Of several CPUs that fit, keeps the one that the text around the counts names; whether there is one. */
static bool keep_told(const struct fitting *f, bool *fits)
{
    struct td_candidates *k = f->all;
    size_t n = 0, told = 0;

    for (size_t i = 0; i < k->n; i++) {
        n += fits[i];
        told += fits[i] && is_told(&k->c[i].identity, &f->s->told);
    }
    if (n < 2 || !told)
        return false;
    for (size_t i = 0; i < k->n; i++) {
        fits[i] = fits[i] && is_told(&k->c[i].identity, &f->s->told);
        if (fits[i] && td_identity_same(&k->c[i].identity, &f->s->told))
            k->c[i].identity.flags = f->s->told.flags; /* the text has the revision, or leaves it open */
    }
    return true;
}

/* Keeps the CPUs that fit, once for each way to compute. */
static int keep_fitting(struct fitting *f, char *why, size_t whysize)
{
    struct td_candidates *k = f->all;
    bool *fits = calloc(k->n + 1, sizeof(*fits)), *knows = calloc(k->n + 1, sizeof(*knows));
    struct signs *of = calloc(k->n + 1, sizeof(*of));
    int err = fits && knows && of ? find_fitting(f, knows, fits, of, why, whysize) : -ENOMEM;
    size_t kept = 0;

    if (!err && !any_of(fits, k->n) && !k->nearest_name && !k->untold.length)
        err = find_strange(f);
    k->told = !err && (k->told || keep_told(f, fits));
    for (size_t i = 0; i < k->n && !err; i++) {
        const struct td_identity m = k->c[i].identity;
        struct td_candidate *alike;

        if (!fits[i])
            continue;
        alike = alike_of(k, kept, &k->c[i]);
        if (!alike) {
            alike = &k->c[kept++];
            *alike = k->c[i];
        }
        err = add_labels(k, alike, &m);
    }
    k->n = kept;
    free(fits);
    free(knows);
    free(of);
    return err;
}

static bool any_tells(struct fitting *f)
{
    for (size_t i = 0; i < f->s->nbatch; i++)
        if (tells(f, &f->s->batch[i]))
            return true;
    return false;
}

static bool any_counted(struct fitting *f)
{
    for (size_t i = 0; i < f->s->nbatch; i++)
        for (size_t k = 0; k < f->s->batch[i].counts.n; k++) {
            const struct td_count *c = &f->s->batch[i].counts.c[k];

            if (c->status != TD_NOT_SUPPORTED && relevant(f, c->text, f->s->batch[i].core))
                return true;
        }
    return false;
}

static int begin(struct fitting *f, const struct td_backend *backend)
{
    struct td_identity m;
    int err = 0;

    for (size_t row = 0; !err && td_identity_next(&row, &m);)
        if (td_identity_restrict(&m, backend))
            err = add(f->all, &m);
    for (size_t i = 0; i < f->all->nmeanings && !err; i++)
        err = cover(f->all->meanings[i], &f->s->texts);
    for (size_t i = 0; i < TD_CORES && !err; i++) {
        f->relevant[i] = calloc(f->s->texts.n + 1, 1);
        err = f->relevant[i] ? 0 : -ENOMEM;
    }
    for (size_t i = 0; i < f->s->nbatch; i++)
        f->hybrid_lines = f->hybrid_lines || (f->s->batch[i].core && f->s->batch[i].counts.n);
    return err;
}

/* Finishes the forms of those that remain; those of the others stay until the end. */
static int finish(struct td_candidates *k)
{
    int err = 0;

    for (size_t i = 0; i < k->n; i++)
        for (size_t part = 0; part < k->c[i].identity.nparts && !err; part++)
            err = find_forms(k, k->c[i].identity.part[part], &k->c[i].forms[part]);
    return err;
}

int td_candidates_fit(struct td_candidates *k, const struct td_stream *s, const struct td_backend *backend, bool *told,
                      char *why, size_t whysize)
{
    struct fitting f = {.all = k, .s = s};
    int err;

    td_candidates_free(k); /* from an earlier attempt */
    err = begin(&f, backend);
    f.counted = !err && any_counted(&f);
    *told = !err && any_tells(&f);
    if (*told) /* instructions and cycles alone do not identify a CPU that counts with them */
        err = keep_fitting(&f, why, whysize);
    else
        k->n = 0;
    err = err ? err : finish(k);
    for (size_t i = 0; i < TD_CORES; i++)
        free(f.relevant[i]);
    td_counts_free(&f.bound);
    td_result_free(&f.result);
    return err;
}
