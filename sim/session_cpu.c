/* SPDX-License-Identifier: MIT */
/* Which CPU a recording is of: asked for, said by the recording, or all that fit. */
#include "session.h"

#include <errno.h>
#include <stdio.h>

static int no_such_backend(struct td *td, const struct td_machine *m)
{
    snprintf(td->error, sizeof(td->error), "%s: backend %s has no formulas for %s, which is %s", td->recording.name,
             td->backend->name, m->name, td_uarch_backend_of(m->part[0])->name);
    return -EOPNOTSUPP;
}

static int use_machine(struct td *td, const struct td_machine *known)
{
    struct td_machine m = *known;

    if (!td_machine_restrict(&m, td->backend))
        return no_such_backend(td, known);
    return td_candidates_one(&td->candidates, &m, td->error, sizeof(td->error));
}

bool td_session_matches(struct td *td, const struct td_interval *v)
{
    struct td_candidate *c = &td->candidates.c[0];
    int part = td_candidate_part(c, v->core);

    if (td->candidates.n > 1 || v->counts.status != TD_OK)
        return true;
    if (td_candidate_bind(c, part, &td->recording.texts, v, &td->bound[0]))
        return false;
    for (size_t i = 0; i < td->bound[0].n; i++)
        if (c->used[part] >> td->bound[0].c[i].event & 1)
            return true;
    return false;
}

/* Events by which a CPU is known that tdprobe cannot answer for: -EOPNOTSUPP, and said. 0: there are none. */
static int refuse_events(struct td *td)
{
    const struct td_recording *r = &td->recording;
    const char *why;

    for (size_t i = 0; i < r->texts.n; i++) {
        why = td_event_unable(r->texts.names[i]);
        if (!why)
            continue;
        snprintf(td->error, sizeof(td->error), "%s:%lu: events such as '%.60s' are of a CPU whose slots tdprobe does not compute: %s",
                 r->name, r->csv.line, r->texts.names[i], why);
        return -EOPNOTSUPP;
    }
    return 0;
}

int td_session_no_match(struct td *td)
{
    const struct td_recording *r = &td->recording;
    const struct td_machine *m = &td->candidates.c[0].machine;
    int err = refuse_events(td);

    if (err)
        return err;
    snprintf(td->error, sizeof(td->error), "%s:%lu: none of the events is one that the formulas of %s use: another CPU was recorded, or no "
             "top-down events were (see 'tdprobe list events --uarch %s')", r->name, r->csv.line, m->name, m->part[0]->name);
    return -EBADMSG;
}

int td_session_no_events(struct td *td)
{
    const struct td_recording *r = &td->recording;
    int err = refuse_events(td);

    if (err)
        return err;
    snprintf(td->error, sizeof(td->error), "%s:%lu: no top-down events were recorded, and the percentages that perf prints are no counts: "
             "record the events that 'tdprobe list events --uarch NAME' names", r->name, r->csv.line);
    return -EBADMSG;
}

int td_session_no_candidate(struct td *td)
{
    const struct td_recording *r = &td->recording;
    int err = refuse_events(td);

    if (err)
        return err;
    snprintf(td->error, sizeof(td->error), "%s:%lu: the top-down events of this recording fit no CPU that tdprobe knows%s%s: "
             "name the CPU with --uarch to see which are missing", r->name, r->csv.line,
             td->backend ? " in backend " : "", td->backend ? td->backend->name : "");
    return -EOPNOTSUPP;
}

/* Several CPUs fit: their answers must agree before the first one is given. */
static int check_answers(struct td *td)
{
    const struct td_result *ignored;
    int err = 0;

    for (size_t i = 0; i < td->recording.nbatch && !err; i++)
        if (!td_session_skips(td, &td->recording.batch[i]))
            err = td_session_solve(td, &td->recording.batch[i], false, &ignored);
    return err;
}

int td_session_find_cpu(struct td *td)
{
    struct td_recording *r = &td->recording;
    bool told = true;
    int err;

    td->ready = true;
    if (r->machine.nparts)
        err = use_machine(td, &r->machine);
    else if (td->machine.nparts)
        err = use_machine(td, &td->machine);
    else
        err = td_candidates_fit(&td->candidates, r, td->backend, &told, td->error, sizeof(td->error));
    if (err == -ENOMEM)
        return td_session_fail(td, err, "out of memory");
    if (err)
        return err;
    if (!td->candidates.n && !told) { /* nothing to tell by (perf omits what was not counted): the next intervals may */
        td->ready = false;
        r->nbatch = 0;
        return 0;
    }
    if (!td->candidates.n)
        return td_session_no_candidate(td);
    return td->candidates.n == 1 ? 0 : check_answers(td);
}
