/* SPDX-License-Identifier: MIT */
#include "core/choice/copies.h"

#include "util/room.h"
#include "core/choice/steady.h"
#include "core/choice/stretch.h"

#include <math.h>

/* What choosing needs, kept for the next time. */
struct td_choice_work {
    int32_t *line_of; /* by hint: the copy that it was printed beside; NONE; or SEVERAL, which are too many */
    size_t lines_room;
    uint32_t *by_line, *by_group, *by_need; /* of a need, of a group: 1 + solution, 0: none; of a need: 2 + group */
    size_t by_line_room, by_group_room, by_need_room;
    struct td_stretch stretch;
    uint32_t *of; /* by metric: 1 + solution; 0: the form does not have it */
    size_t of_room;
    struct td_bits defs, needs, corrections, events; /* of one solution; events: needs and corrections */
    unsigned char *time, *now; /* by group: its class of time; of the interval at hand */
    size_t times_room, now_room;
    struct td_bits whole; /* events of groups that were counted all the time, where others took turns */
    struct td_bits some; /* used by score() */
};

enum { NONE = -1, SEVERAL = -2 };

static double share(const struct td_count *c)
{
    return c->enabled > 0 ? c->running / c->enabled : 1;
}

/* ---- by group: the one that serves best --------------------------------------- */

/* What the groups' times decide: of a recording in which level 1 was counted all the time, or in every second turn,
 * beside groups that took the others. Where all took turns alike, none has more. */
enum time_class { IN_TURNS, OFTEN, WHOLE };

#define OFTEN_LEAST 0.4 /* every second turn, and not every third */
#define WHOLE_WITHIN 1e-3

static unsigned char class_of(double share)
{
    return share >= 1 - WHOLE_WITHIN ? WHOLE : share >= OFTEN_LEAST ? OFTEN : IN_TURNS;
}

/* All in turns where the counts are of no groups, as each has its own time. */
static void find_times(const struct td_layout *l, const struct td_counts *k, unsigned char *time)
{
    bool known = true;

    memset(time, UINT8_MAX, l->groups.n);
    for (size_t i = 0; i < l->n; i++) {
        unsigned char *of = &time[l->copy[i].group_at], this;

        if (!l->copy[i].ok)
            continue;
        this = class_of(share(&k->c[i]));
        known = known && (*of == UINT8_MAX || *of == this);
        *of = this;
    }
    for (size_t g = 0; g < l->groups.n; g++)
        time[g] = known && time[g] != UINT8_MAX ? time[g] : (unsigned char)IN_TURNS;
}

/* What was counted all the time where others took turns. */
static void find_whole(struct td_choice_work *w, const struct td_layout *l)
{
    bool turns = false;

    td_bits_clear(&w->whole);
    for (size_t g = 0; g < l->groups.n; g++)
        turns = turns || w->time[g] != WHOLE;
    for (size_t i = 0; i < l->n && turns; i++)
        if (l->copy[i].ok && w->time[l->copy[i].group_at] == WHOLE && l->copy[i].event < l->nevents)
            td_bits_add(&w->whole, l->copy[i].event);
}

/* How many events of a set a group has. What was counted all the time beside the groups that took turns serves every
 * metric, and any is no reason for a group unless it is all that is needed. */
static int64_t has(struct td_choice_work *w, const struct td_copy_group *g, const struct td_bits *set)
{
    if (td_bits_within(set, &w->whole))
        return (int64_t)td_bits_common(&g->counted, set);
    td_bits_copy(&w->some, set);
    td_bits_drop(&w->some, &w->whole);
    return (int64_t)td_bits_common(&g->counted, &w->some);
}

/* How many needed events a group has, then how many corrections. */
static int64_t score(struct td_choice_work *w, const struct td_layout *l, const struct td_copy_group *g,
                     const struct td_need *n)
{
    return has(w, g, n->needs) * ((int64_t)l->nevents + 1) + has(w, g, n->corrections);
}

/* Whether one group with a score serves better than another with its own. */
static bool goes_before(const struct td_choice_work *w, const struct td_layout *l, size_t g, int64_t score,
                        size_t other, int64_t others)
{
    if (score != others)
        return score > others;
    if (w->time[g] != w->time[other])
        return w->time[g] > w->time[other];
    if (l->group[g].size != l->group[other].size)
        return l->group[g].size < l->group[other].size;
    return l->groups.key[g].group < l->groups.key[other].group;
}

/* Of the groups of these modes the one with most of the needed events, then with most of the corrections; of those that
 * were counted longest the smallest (the one that was opened for this metric), then the one of
 * the least number: lines may be in another order, and in a sum a copy may be added last that belongs to an early
 * group. The number of groups: none is of these modes. */
static size_t best_group(struct td_choice_work *w, const struct td_layout *l, const struct td_need *n, unsigned modes)
{
    const struct td_group_key *key = l->groups.key;
    size_t best = l->groups.n;
    int64_t most = 0;

    for (size_t g = 0; g < l->groups.n; g++) {
        int64_t s;

        if (key[g].modes != modes)
            continue;
        s = score(w, l, &l->group[g], n);
        if (best == l->groups.n || goes_before(w, l, g, s, best, most)) {
            best = g;
            most = s;
        }
    }
    return best;
}

/* True when copy c is better than the copy old: counted rather than not, in the
 * group rather than outside it, all the time rather than in turns, by its own name rather than as "cycles" (which
 * perf counts for itself, not for a metric), of an earlier group rather than a later one. */
static bool better(const struct td_choice_work *w, const struct td_solution *s, const struct td_copy *c,
                   const struct td_copy *old)
{
    const bool in = c->group == s->group, old_in = old->group == s->group;
    const bool whole = w->time[c->group_at] == WHOLE, old_whole = w->time[old->group_at] == WHOLE;

    if (c->ok != old->ok)
        return c->ok;
    if (in != old_in)
        return in;
    if (whole != old_whole)
        return whole;
    return c->generic != old->generic ? old->generic : c->group < old->group;
}

/* ---- by line: the copies that perf took ---------------------------------------- */

/* Where perf takes the copy of an event from, for a metric that it prints on a
 * line, best first. Found in real recordings; this order reproduces all their metrics
 * with several copies: perf does not print groups, but the events of a group have
 * the same share of the time, and events that two metrics share are where the
 * first of the two was opened. */
enum place {
    ON_THE_LINE,
    IN_ITS_GROUP, /* the same segment, and the same share of the time, unless that is all of it */
    LATER_FREE, /* no metric is printed on it */
    LATER,
    EARLIER, /* the last of the earlier ones */
    PERFS_OWN = EARLIER + 1 - LATER_FREE, /* added for "cycles" outside of the group, see better() */
    NOT_COUNTED = EARLIER + 1 + PERFS_OWN,
};

/* Shares that perf prints alike differ by no more: half of its last digit. */
#define SAME_SHARE 5e-5
/* A printed share is never taken to be less. */
#define LEAST_SHARE 0.01

/* Copies of an early group may have been added to a sum last. */
static bool is_later(const struct td_count *c, const struct td_count *other)
{
    return c->group == other->group ? c > other : c->group > other->group;
}

static int place_of(const struct td_count *c, const struct td_count *line)
{
    int own = c->generic ? PERFS_OWN : 0;

    if (c->status != TD_OK)
        return NOT_COUNTED;
    if (c == line)
        return ON_THE_LINE;
    if (c->group == line->group && share(line) < 1 && fabs(share(c) - share(line)) < SAME_SHARE)
        return IN_ITS_GROUP;
    if (!is_later(c, line))
        return EARLIER + own;
    return (c->printed ? LATER : LATER_FREE) + own;
}

/* Like better(), for a metric that is printed on a line. */
static bool nearer(const struct td_count *line, const struct td_count *c, const struct td_count *old)
{
    int place = place_of(c, line), old_place = place_of(old, line);

    if (place != old_place)
        return place < old_place;
    return is_later(c, old) == (place == EARLIER || place == EARLIER + PERFS_OWN);
}

/* Whether metrics that are printed beside the copy may be of its line: they are of the recording's modes, or need the
 * copy itself. */
static bool is_line(const struct td_layout *l, const struct td_copy *c)
{
    return c->printed && (c->modes == l->modes || c->own != TD_NO_EVENT);
}

/* The copy on each metric's line; SEVERAL for a hint that several copies have. */
static void find_lines(struct td_choice_work *w, const struct td_selection *sel, const struct td_layout *l,
                       const struct td_hints *hints)
{
    for (size_t i = 0; i < 2 * (size_t)sel->hints; i++)
        w->line_of[i] = NONE;
    for (size_t i = 0; i < l->n && hints; i++) {
        const uint16_t *member = NULL;
        size_t n = is_line(l, &l->copy[i]) ? td_hints_members(hints, l->copy[i].printed, &member) : 0;

        for (size_t m = 0; m < n; m++) {
            const bool plain = member[m] >= TD_HINT_PLAIN;
            const size_t node = member[m] - (plain ? (size_t)TD_HINT_PLAIN : (size_t)td_hint_published(0));
            int32_t *line = node < sel->hints ? &w->line_of[node + (plain ? sel->hints : 0)] : NULL;

            if (line)
                *line = *line == NONE ? (int32_t)i : SEVERAL;
        }
    }
}

/* The line of a published formula, else that of a plain name; NONE or SEVERAL: not known. */
static int32_t line_of(const struct td_choice_work *w, const struct td_selection *sel, size_t metric)
{
    const unsigned node = sel->asked[metric].node->number;

    if (node >= sel->hints)
        return NONE;
    return w->line_of[node] >= 0 ? w->line_of[node] : w->line_of[node + sel->hints];
}

/* ---- whose modes a metric is of ------------------------------------------------- */

/* Whether a formula that needs an event in one mode compares it with others: with the event itself in all modes (how
 * much of the cycles were the kernel's), or with events that were recorded in other modes only. */
static bool compares(const struct td_layout *l, const struct td_need *n, size_t own)
{
    const struct td_event *e = &l->events[own];

    return e->modes != l->modes || td_bits_has(n->needs, e->base);
}

/* The modes in which a metric's events are taken, but for those that its formula names in a mode. A count of other
 * modes counts something else. The recording's modes stand for all where nothing better was recorded; a comparison
 * needs what it names. */
static unsigned modes_of(const struct td_layout *l, const struct td_need *n)
{
    size_t others = 0, recorded = 0, in_all = 0;
    bool comparison = false;

    if (!l->modes)
        return 0;
    TD_BITS_EACH(e, n->needs)
    {
        if (l->events[e].modes) {
            comparison = comparison || compares(l, n, e);
            continue;
        }
        others++;
        recorded += td_layout_has(l, e, l->modes);
        in_all += td_layout_has(l, e, 0);
    }
    return (comparison && others) || in_all > recorded ? 0 : l->modes;
}

/* ---- the copies of a solution --------------------------------------------------- */

/* The event whose copies an event of the row is taken from, and in which modes. */
static size_t source_of(const struct td_solution *s, const struct td_event *e, size_t event, unsigned *modes)
{
    *modes = e->modes ? e->modes : s->modes;
    return e->modes ? e->base : event;
}

static int32_t pick(const struct td_choice_work *w, const struct td_solution *s, const struct td_layout *l,
                    const struct td_counts *k, const struct td_event *e, size_t event)
{
    unsigned modes;
    int32_t best = -1;

    event = source_of(s, e, event, &modes);
    for (uint32_t i = l->first[event]; i < l->first[event + 1]; i++) {
        const uint32_t at = l->by_event[i];

        if (l->copy[at].modes != modes)
            continue;
        if (best < 0)
            best = (int32_t)at;
        else if (s->line < 0 ? better(w, s, &l->copy[at], &l->copy[best])
                             : nearer(&k->c[s->line], &k->c[at], &k->c[best]))
            best = (int32_t)at;
    }
    return best;
}

/* ---- all of them from one run ------------------------------------------------------ */

static void add_copies(struct td_stretch *stretch, const struct td_solution *s, const struct td_layout *l,
                       const struct td_counts *k, const struct td_use *use, uint32_t number)
{
    unsigned modes;
    const size_t event = source_of(s, &l->events[use->event], use->event, &modes);

    for (uint32_t i = l->first[event]; i < l->first[event + 1]; i++) {
        const uint32_t at = l->by_event[i];
        const struct td_copy *c = &l->copy[at];

        if (c->modes == modes && c->ok && (!c->generic || use->copy == (int32_t)at))
            td_stretch_add(stretch, &(struct td_stretch_copy){number, at, c->group, share(&k->c[at])});
    }
}

/* Copies that were chosen one by one may be of several runs of the same events, where perf had them from one. Where no
 * run has all the metrics' events, the copies stay: events that two metrics share are where the first of the two was
 * opened. */
static void mend(struct td_choice *c, const struct td_solution *s, const struct td_selection *sel,
                 const struct td_layout *l, const struct td_counts *k)
{
    const struct td_need *need = &sel->need[s->need];
    struct td_stretch *stretch = &c->work->stretch;
    struct td_use *use = &c->use[s->uses];
    uint32_t of[TD_STRETCH_EVENTS], chosen[TD_STRETCH_EVENTS];
    size_t n = 0;

    td_stretch_begin(stretch);
    for (size_t u = 0; u < s->nuses; u++) {
        const bool counted = use[u].copy >= 0 && l->copy[use[u].copy].ok,
                   needed = td_bits_has(need->needs, use[u].event);

        if (needed && (!counted || n == TD_STRETCH_EVENTS))
            return;
        if (!counted || n == TD_STRETCH_EVENTS || (!needed && !td_bits_has(need->corrections, use[u].event)))
            continue;
        add_copies(stretch, s, l, k, &use[u], (uint32_t)n);
        chosen[n] = (uint32_t)use[u].copy;
        of[n++] = (uint32_t)u;
    }
    td_stretch_find(stretch, chosen, n, (uint32_t)s->line);
    for (size_t i = 0; i < n && stretch->found; i++)
        use[of[stretch->found[i].use]].copy = (int32_t)stretch->found[i].copy;
}

/* Makes room for the copies of all events of a solution. */
static int make_stretch(struct td_choice *c, const struct td_solution *s, const struct td_layout *l)
{
    size_t room = 0;

    for (size_t u = 0; u < s->nuses; u++) {
        unsigned modes;
        const uint32_t used = c->use[s->uses + u].event;
        const size_t event = source_of(s, &l->events[used], used, &modes);

        room += l->first[event + 1] - l->first[event];
    }
    return td_stretch_reserve(&c->work->stretch, room);
}

/* ---- what a solution has ------------------------------------------------------------- */

/* Adds what a definition uses; def is -1 where the form has none. */
static void gather_def(struct td_choice_work *w, const struct td_program *p, int def)
{
    if (def < 0)
        return;
    td_bits_join(&w->defs, td_program_uses(p, (size_t)def));
    td_bits_join(&w->needs, td_program_needs(p, (size_t)def));
    td_bits_join(&w->corrections, td_program_corrections(p, (size_t)def));
}

/* Gathers what a solution's metrics use of the program: their definitions, and slots and sum, by which they are
 * judged. */
static void gather(struct td_choice *c, const struct td_solution *s, const struct td_selection *sel)
{
    struct td_choice_work *w = c->work;
    const struct td_program *p = sel->form->p;

    td_bits_clear(&w->defs);
    td_bits_clear(&w->needs);
    td_bits_clear(&w->corrections);
    gather_def(w, p, sel->form->slots);
    gather_def(w, p, sel->form->sum);
    for (size_t i = 0; i < s->nmetrics; i++)
        gather_def(w, p, sel->asked[c->metric[s->metrics + i]].def);
    td_bits_copy(&w->events, &w->needs);
    td_bits_join(&w->events, &w->corrections);
}

/* Whether it is one of the four fields of level 1. */
static bool is_level1(const struct td_event *e)
{
    return e->field >= TD_FIELD_RETIRING && e->field <= TD_FIELD_BACKEND_BOUND;
}

static int fill(struct td_choice *c, struct td_solution *s, const struct td_selection *sel, const struct td_layout *l,
                const struct td_counts *k)
{
    struct td_choice_work *w = c->work;
    int err;

    gather(c, s, sel);
    err = td_room(&c->run, &c->run_room, c->nrun + td_bits_count(&w->defs), sizeof(*c->run));
    if (err)
        return err;
    s->run = c->nrun;
    s->nrun = td_program_order(sel->form->p, &w->defs, &c->run[c->nrun]);
    c->nrun += s->nrun;
    s->uses = c->nuses;
    err = td_room(&c->use, &c->uses_room, c->nuses + td_bits_count(&w->events), sizeof(*c->use));
    if (err)
        return err;
    TD_BITS_EACH(event, &w->events)
    c->use[c->nuses++] = (struct td_use){
        (uint32_t)event,
        pick(w, s, l, k, &sel->form->uarch->events[event], event),
        td_bits_has(&w->needs, event),
        td_bits_has(&w->corrections, event),
    };
    s->nuses = c->nuses - s->uses;
    s->lacks_field = false;
    for (size_t u = s->uses; u < c->nuses; u++)
        s->lacks_field =
            s->lacks_field || (c->use[u].copy < 0 && is_level1(&sel->form->uarch->events[c->use[u].event]));
    if (s->line < 0)
        return 0;
    err = make_stretch(c, s, l);
    if (!err)
        mend(c, s, sel, l, k);
    return err;
}

/* ---- the solutions --------------------------------------------------------------- */

static uint32_t add_solution(struct td_choice *c, int64_t line, struct td_group_key key)
{
    c->solution[c->nsolutions++] = (struct td_solution){.line = line, .group = key.group, .modes = key.modes};
    return (uint32_t)c->nsolutions;
}

static uint32_t by_group(struct td_choice *c, const struct td_selection *sel, const struct td_layout *l, size_t metric,
                         unsigned modes)
{
    struct td_choice_work *w = c->work;
    uint32_t *group = &w->by_need[sel->asked[metric].need], *solution;

    if (!*group)
        *group = 1 + (uint32_t)best_group(w, l, &sel->need[sel->asked[metric].need], modes);
    solution = &w->by_group[*group - 1];
    if (!*solution) /* none of these modes: nothing but what the metrics name in a mode was recorded of them */
        *solution = add_solution(c, NONE,
                                 *group <= l->groups.n ? l->groups.key[*group - 1] : (struct td_group_key){.modes = 0});
    return *solution;
}

static uint32_t solution_for(struct td_choice *c, const struct td_selection *sel, const struct td_layout *l,
                             size_t metric)
{
    struct td_choice_work *w = c->work;
    const unsigned modes = modes_of(l, &sel->need[sel->asked[metric].need]);
    const int32_t line = l->once || modes != l->modes ? NONE : line_of(w, sel, metric);
    uint32_t *last;

    if (line < 0)
        return by_group(c, sel, l, metric, modes);
    last = &w->by_line[sel->asked[metric].need];
    if (!*last || c->solution[*last - 1].line != line) {
        *last = add_solution(c, line, (struct td_group_key){l->copy[line].group, l->modes});
        c->solution[*last - 1].need = sel->asked[metric].need;
    }
    return *last;
}

static int make_work(struct td_choice *c, const struct td_selection *sel)
{
    struct td_choice_work *w = c->work = calloc(1, sizeof(*w));
    int err = w ? td_bits_new(&w->defs, td_program_count(sel->form->p)) : -ENOMEM;

    err = err ? err : td_bits_new(&w->needs, sel->form->uarch->nevents);
    err = err ? err : td_bits_new(&w->events, sel->form->uarch->nevents);
    err = err ? err : td_bits_new(&w->whole, sel->form->uarch->nevents);
    err = err ? err : td_bits_new(&w->some, sel->form->uarch->nevents);
    return err ? err : td_bits_new(&w->corrections, sel->form->uarch->nevents);
}

static void free_work(struct td_choice_work *w)
{
    if (!w)
        return;
    td_bits_free(&w->defs);
    td_bits_free(&w->needs);
    td_bits_free(&w->events);
    td_bits_free(&w->whole);
    td_bits_free(&w->some);
    free(w->time);
    free(w->now);
    td_bits_free(&w->corrections);
    td_stretch_free(&w->stretch);
    free(w->line_of);
    free(w->by_line);
    free(w->by_group);
    free(w->by_need);
    free(w->of);
    free(w);
}

/* Makes room for n numbers, all of them 0. */
static int zeros(uint32_t **array, size_t *room, size_t n)
{
    int err = td_room(array, room, n, sizeof(**array));

    if (!err)
        memset(*array, 0, n * sizeof(**array));
    return err;
}

static int make_room(struct td_choice *c, const struct td_selection *sel, const struct td_layout *l)
{
    struct td_choice_work *w = c->work;
    int err = td_room(&w->line_of, &w->lines_room, 2 * (size_t)sel->hints, sizeof(*w->line_of));

    err = err ? err : zeros(&w->by_line, &w->by_line_room, sel->nneeds);
    err = err ? err : zeros(&w->by_group, &w->by_group_room, l->groups.n + 1);
    err = err ? err : td_room(&w->time, &w->times_room, l->groups.n + 1, sizeof(*w->time));
    err = err ? err : td_room(&w->now, &w->now_room, l->groups.n + 1, sizeof(*w->now));
    err = err ? err : zeros(&w->by_need, &w->by_need_room, sel->nneeds);
    err = err ? err : zeros(&w->of, &w->of_room, sel->n);
    err = err ? err : td_room(&c->metric, &c->metrics_room, sel->n, sizeof(*c->metric));
    err = err ? err : td_room(&c->share, &c->shares_room, l->n, sizeof(*c->share));
    return err ? err : td_room(&c->solution, &c->solutions_room, sel->n, sizeof(*c->solution));
}

/* Sorts the metrics by solution. */
static void sort_metrics(struct td_choice *c, const struct td_selection *sel)
{
    size_t at = 0;

    for (size_t m = 0; m < sel->n; m++)
        if (c->work->of[m])
            c->solution[c->work->of[m] - 1].nmetrics++;
    for (size_t s = 0; s < c->nsolutions; s++) {
        c->solution[s].metrics = at;
        at += c->solution[s].nmetrics;
        c->solution[s].nmetrics = 0;
    }
    for (size_t m = 0; m < sel->n; m++)
        if (c->work->of[m]) {
            struct td_solution *s = &c->solution[c->work->of[m] - 1];

            c->metric[s->metrics + s->nmetrics++] = (uint32_t)m;
        }
}

static void keep_shares(struct td_choice *c, const struct td_counts *k)
{
    for (size_t i = 0; i < k->n && c->shares; i++)
        c->share[i] = share(&k->c[i]);
}

/* Whether the sets have the right size: those of another form have other definitions and events. */
static bool work_fits(const struct td_choice_work *w, const struct td_selection *sel)
{
    return w && w->defs.words == td_bits_words(td_program_count(sel->form->p));
}

int td_choice_make(struct td_choice *c, const struct td_selection *sel, const struct td_layout *l,
                   const struct td_counts *k, const struct td_hints *hints)
{
    int err = 0;

    if (!work_fits(c->work, sel)) {
        free_work(c->work);
        err = make_work(c, sel);
        if (err) { /* what is made in part would fit the next time */
            free_work(c->work);
            c->work = NULL;
        }
    }
    c->nsolutions = c->nuses = c->nrun = 0;
    c->made++;
    err = err ? err : make_room(c, sel, l);
    if (err)
        return err;
    find_times(l, k, c->work->time);
    find_whole(c->work, l);
    find_lines(c->work, sel, l, hints);
    for (size_t m = 0; m < sel->n; m++)
        if (sel->asked[m].def >= 0)
            c->work->of[m] = l->once && !l->modes && c->nsolutions ? 1 : solution_for(c, sel, l, m);
    sort_metrics(c, sel);
    c->shares = false;
    for (size_t s = 0; s < c->nsolutions && !err; s++) {
        c->shares = c->shares || c->solution[s].line >= 0;
        err = fill(c, &c->solution[s], sel, l, k);
    }
    keep_shares(c, k);
    /* where copies depend on shares, any interval may have others */
    return err || c->shares ? err : td_steady_find(c, sel->form->p, &c->work->events);
}

/* Whether the groups' times still decide what they did. */
static bool same_times(const struct td_choice *c, const struct td_layout *l, const struct td_counts *k)
{
    if (l->once)
        return true;
    find_times(l, k, c->work->now);
    return !memcmp(c->work->now, c->work->time, l->groups.n);
}

int td_choice_follow(struct td_choice *c, const struct td_selection *sel, const struct td_layout *l,
                     const struct td_counts *k, const struct td_hints *hints)
{
    bool same = true;

    if (!same_times(c, l, k))
        return td_choice_make(c, sel, l, k, hints);

    for (size_t i = 0; i < k->n && c->shares && same; i++)
        same = share(&k->c[i]) == c->share[i];
    if (same)
        return 0;
    c->made++;
    for (size_t i = 0; i < c->nsolutions; i++) {
        const struct td_solution *s = &c->solution[i];

        if (s->line < 0)
            continue;
        for (size_t u = 0; u < s->nuses; u++) {
            struct td_use *use = &c->use[s->uses + u];

            use->copy = pick(c->work, s, l, k, &sel->form->uarch->events[use->event], use->event);
        }
        mend(c, s, sel, l, k);
    }
    keep_shares(c, k);
    return 0;
}

void td_choice_free(struct td_choice *c)
{
    free(c->solution);
    free(c->use);
    free(c->run);
    free(c->metric);
    free(c->share);
    free_work(c->work);
    *c = (struct td_choice){.made = c->made};
}

/* ---- time ------------------------------------------------------------------------- */

static bool whole_time(const struct td_count *c)
{
    return c->running >= c->enabled && c->enabled > 0; /* enabled is 0 where it was not recorded */
}

/* Of the same running time: whether the enabled times are the same too, as far as their origin can tell. Recordings of
 * perf stat give a percentage of two decimals in place of the enabled time; shares that are one last digit apart may be
 * the same. The percentage is never taken to be below 1 (perf_rows.c): the relative error is limited. */
static bool same_share(const struct td_count *c, const struct td_count *other)
{
    const double one = share(c), two = share(other), digit = 2 * SAME_SHARE * td_least(1, one / LEAST_SHARE);

    return whole_time(c) == whole_time(other) && fabs(one - two) <= 1.5 * digit; /* not two digits, rounded or not */
}

bool td_copies_together(const struct td_count *c, const struct td_count *other)
{
    if (c->which != other->which) /* in a sum: they saw different intervals, however many */
        return false;
    if (whole_time(c) && whole_time(other))
        return true;
    return c->group == other->group && c->running == other->running && c->ran == other->ran &&
           (c->enabled == other->enabled || same_share(c, other));
}
