/* SPDX-License-Identifier: MIT */
#include "session/identify.h"

#include "backends/event_match.h"
#include "backends/find_identity.h"
#include "backends/nodes.h"
#include "backends/registry.h"
#include "session/solution.h"

#include <errno.h>

static int no_such_backend(struct td *td, const struct td_identity *m)
{
    return td_log_fail(&td->log, -EOPNOTSUPP, "%s: backend %s has no formulas for %s, which is %s", td->stream->name,
                       td->settings.backend->name, m->name, td_uarch_backend_of(m->part[0])->name);
}

static int use_identity(struct td *td, const struct td_identity *known)
{
    struct td_identity m = *known;

    if (!td_identity_restrict(&m, td->settings.backend))
        return no_such_backend(td, known);
    return td_candidates_one(&td->candidates, &m);
}

/* Whether metrics are asked for that need no event of levels 1 and 2. */
static bool asks_deeper(const struct td *td)
{
    return td->settings.metrics || td->settings.level > TD_LEVEL_USUAL;
}

static bool matches(struct td *td, struct td_candidate *c, const struct td_interval *v)
{
    const bool any = asks_deeper(td); /* all events of a row are of some metric */
    const int part = td_candidate_part(c, v->core);

    if (part < 0 || td_candidate_bind(c, part, &td->stream->texts, v, &td->bound[0]))
        return true; /* out of memory: whoever solves it says so */
    for (size_t i = 0; i < td->bound[0].n; i++)
        if (any || c->identity.part[part]->events[td->bound[0].c[i].event].used ||
            !td_tree_has_nodes(c->identity.part[part]->tree))
            return true;
    return false;
}

bool td_session_matches(struct td *td, const struct td_interval *v)
{
    return td->candidates.n > 1 || v->counts.status != TD_OK || matches(td, &td->candidates.c[0], v);
}

bool td_session_strange(struct td *td, const struct td_interval *v)
{
    for (size_t i = 0; i < td->candidates.n; i++)
        if (v->counts.status != TD_OK || matches(td, &td->candidates.c[i], v))
            return false;
    return td->candidates.n > 0;
}

/* Each costs as much as to identify a CPU, and a long recording may have many intervals without a metric. */
enum { TRIES = 16 };

bool td_session_others(struct td *td, const struct td_interval *v)
{
    struct td_candidates others = {.n = 0};
    char ignored[128];
    bool told, fit;

    if (v->uarch || td->tried_others++ >= TRIES)
        return false;
    fit = !td_candidates_fit(&others, td->stream, td->settings.backend, &told, ignored, sizeof(ignored)) && others.n;
    for (size_t i = 0; i < others.n && fit; i++)
        fit = !td_candidates_alike(&td->candidates, &others.c[i]);
    td_candidates_free(&others);
    return fit;
}

enum { NAMED = 4 /* most events that a message names */ };

/* Fails for events that identify a CPU that tdprobe has no formulas for: -EOPNOTSUPP. 0: there are none. */
static int refuse_events(struct td *td)
{
    const struct td_stream *s = td->stream;
    const char *why;

    for (size_t i = 0; i < s->texts.n; i++) {
        why = td_event_unable(s->texts.names[i]);
        if (!why)
            continue;
        return td_log_fail(&td->log, -EOPNOTSUPP,
                           "%s:%lu: events such as '%.60s' are of a CPU whose slots tdprobe does not compute: %s",
                           s->name, s->line, s->texts.names[i], why);
    }
    return 0;
}

/* The options that the command needs which is advised, so that it prints what these settings can use. */
static const char *advised(const struct td *td)
{
    return td->settings.fixed ? "" : " --no-fixed";
}

/* The events recorded that the CPU knows, the first few by name. How many, or -ENOMEM. */
static int find_known(const struct td *td, const struct td_identity *m, struct td_text_buffer *list)
{
    const struct td_texts *t = &td->stream->texts;
    int n = 0, err = 0;

    for (size_t i = 0; i < t->n && !err; i++)
        for (size_t part = 0; part < m->nparts; part++)
            if (td_event_match(m->part[part], t->names[i]) >= 0) {
                err = n < NAMED ? td_text_buffer_add(list, "%s%.60s", n ? ", " : "", t->names[i]) : 0;
                n++;
                break;
            }
    return err ? err : n;
}

/* Fails for events that the CPU has, of metrics other than those of levels 1 and 2. 0: there are none. */
static int refuse_deeper(struct td *td, const struct td_identity *m)
{
    const struct td_stream *s = td->stream;
    struct td_text_buffer list = {0};
    int n = find_known(td, m, &list), err = 0;

    if (n < 0)
        err = td_log_no_memory(&td->log);
    else if (n)
        err = td_log_fail(
            &td->log, -EBADMSG,
            "%s:%lu: no top-down events were recorded: what %s has of the events are %s%s, of other metrics than those "
            "of levels 1 and 2; -M all says what they give, and what is missing ('tdprobe perf-command --uarch %s%s' "
            "prints what to record)",
            s->name, s->line, m->name, list.at, n > NAMED ? ", ..." : "", m->part[0]->name, advised(td));
    td_text_buffer_free(&list);
    return err;
}

int td_session_unmatched(struct td *td)
{
    const struct td_stream *s = td->stream;
    const struct td_identity *m = &td->candidates.c[0].identity;
    int err = refuse_events(td);

    td->no_topdown = true;
    err = err ? err : refuse_deeper(td, m);
    if (err)
        return err;
    return td_log_fail(&td->log, -EBADMSG,
                       "%s:%lu: none of the events is one that the formulas of %s use: another CPU was recorded, or no "
                       "top-down events were ('tdprobe perf-command --uarch %s%s' prints what to record)",
                       s->name, s->line, m->name, m->part[0]->name, advised(td));
}

/* Fails as above, and where other metrics than those of level 1 are asked for: they may have been recorded, but it is
 * level 1 that shows which CPU that was. */
static int refuse_unnamed(struct td *td, const char *why)
{
    int err = refuse_events(td);

    if (err || !asks_deeper(td))
        return err;
    return td_log_fail(&td->log, -EINVAL,
                       "%s:%lu: %s: name it with --uarch ('tdprobe perf-command --uarch NAME%s' prints what to record)",
                       td->stream->name, td->stream->line, why, advised(td));
}

int td_session_no_events(struct td *td)
{
    const struct td_stream *s = td->stream;
    int err = refuse_unnamed(td, "no events of level 1 were recorded, which tell the CPU");

    td->no_topdown = true;
    if (err)
        return err;
    return td_log_fail(&td->log, -EBADMSG,
                       "%s:%lu: no top-down events were recorded, and the percentages that perf prints are no counts: "
                       "'tdprobe perf-command --uarch NAME%s' prints what to record",
                       s->name, s->line, advised(td));
}

static int no_candidate(struct td *td)
{
    const struct td_stream *s = td->stream;
    const struct td_candidates *k = &td->candidates;
    int err = refuse_unnamed(td, "what was recorded of level 1 does not show which CPU it was");

    if (err)
        return err;
    if (k->untold.length)
        return td_log_fail(
            &td->log, -EINVAL,
            "%s:%lu: what was recorded of level 1 does not show which CPU it was, of those that have these events, %s: "
            "name it with --uarch",
            s->name, s->line, k->untold.at);
    td->no_topdown = k->nearest_name != NULL;
    return td_log_fail(&td->log, -EOPNOTSUPP,
                       "%s:%lu: the top-down events of this recording fit no CPU that tdprobe knows%s%s%s%s%s%s: "
                       "'tdprobe perf-command --uarch %s%s' prints what to record",
                       s->name, s->line, td->settings.backend ? " in backend " : "",
                       td->settings.backend ? td->settings.backend->name : "", k->nearest_name ? "; nearest is " : "",
                       k->nearest_name ? k->nearest_name : "", k->nearest_name ? ", but " : "",
                       k->nearest_name ? k->nearest.at : "", k->nearest_name ? k->nearest_name : "NAME", advised(td));
}

/* Several CPUs fit: their answers must agree before the first answer is given. */
static int check_answers(struct td *td)
{
    const struct td_result *ignored;
    int err = 0;

    for (size_t i = 0; i < td->stream->nbatch && !err && !td->split; i++)
        if (!td_session_skips(td, &td->stream->batch[i]))
            err = td_session_solve(td, &td->stream->batch[i], false, &ignored);
    return err;
}

int td_session_identify(struct td *td)
{
    struct td_stream *s = td->stream;
    bool told = true;
    int err;

    td->ready = true;
    if (s->identity.nparts)
        err = use_identity(td, &s->identity);
    else if (td->settings.identity.nparts)
        err = use_identity(td, &td->settings.identity);
    else
        err = td_candidates_fit(&td->candidates, s, td->settings.backend, &told, td->log.error, sizeof(td->log.error));
    if (err == -ENOMEM)
        return td_log_no_memory(&td->log);
    if (err)
        return err;
    /* nothing to identify it by (perf omits what was not counted): later intervals may have it */
    if (!td->candidates.n && !told) {
        td->ready = false;
        s->nbatch = 0;
        return 0;
    }
    if (!td->candidates.n)
        return no_candidate(td);
    if (td->candidates.told)
        td_log_note(
            &td->log,
            "%s: of the CPUs that have these events, the text around the counts names %s; --uarch names another",
            s->name, s->told.name);
    if (td->candidates.unprinted.length)
        td_log_note(
            &td->log,
            "%s: the percentages beside the counts are not those of other CPUs that have these events, which are "
            "left out: %s; --uarch names one",
            s->name, td->candidates.unprinted.at);
    return td->candidates.n == 1 ? 0 : check_answers(td);
}
