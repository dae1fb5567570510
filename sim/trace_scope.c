/* SPDX-License-Identifier: MIT */
/* The scopes of a trace: what was counted, of which kind, on which kind of core. */
#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *td_trace_field(const struct td_recording *r, enum td_column c)
{
    return r->csv.field[c];
}

static const struct td_uarch *part_for(const struct td_machine *m, char core)
{
    for (size_t i = 0; i < m->nparts; i++)
        if (m->part[i]->core == core || (!core && m->nparts == 1))
            return m->part[i];
    return NULL;
}

static int parse_core(struct td_recording *r, char *core)
{
    const char *text = td_trace_field(r, TD_COL_CORE);

    if (!strcmp(text, "P") || !strcmp(text, "E") || !*text)
        *core = *text;
    else if (!strcmp(text, "LP"))
        *core = 'L';
    else
        return td_recording_bad(r, "the core '%.20s' is not P, E, LP or empty", text);
    return 0;
}

static int check_scope(struct td_recording *r, char core, const struct td_uarch *u)
{
    if (!td_kind_named(td_trace_field(r, TD_COL_KIND)))
        return td_recording_bad(r, "the scope kind '%.20s' is none of system cpu core socket node thread cgroup region", td_trace_field(r, TD_COL_KIND));
    if (!*td_trace_field(r, TD_COL_SCOPE))
        return td_recording_bad(r, "the scope has no name");
    if (!u && !core)
        return td_recording_bad(r, "the core is empty, but %s has several kinds of core", r->machine.name);
    if (!u)
        td_recording_note(r, "the counts of core %s are left out: %s has no such core", td_trace_field(r, TD_COL_CORE), r->machine.name);
    return 0;
}

static int add_scope(struct td_recording *r, char core, struct td_scope **out)
{
    struct td_trace *t = r->state;
    const struct td_uarch *u = part_for(&r->machine, core);
    struct td_scope **grown, *s;
    int err = check_scope(r, core, u);

    if (err)
        return err;
    if (t->nscopes == TD_SCOPES_MAX)
        return td_recording_bad(r, "more than %d scopes", TD_SCOPES_MAX);
    grown = realloc(t->scopes, (t->nscopes + 1) * sizeof(*grown));
    if (!grown)
        return td_recording_no_memory(r);
    t->scopes = grown;
    s = calloc(1, sizeof(*s));
    if (!s)
        return td_recording_no_memory(r);
    s->core = core;
    s->uarch = u;
    s->name = strdup(td_trace_field(r, TD_COL_SCOPE));
    s->kind = td_kind_named(td_trace_field(r, TD_COL_KIND));
    if (!s->name || td_scope_add(&t->index, s->name, s->kind, core) < 0) {
        free(s->name);
        free(s);
        return td_recording_no_memory(r);
    }
    t->scopes[t->nscopes++] = s;
    *out = s;
    return 0;
}

int td_trace_scope(struct td_recording *r, struct td_scope **out)
{
    struct td_trace *t = r->state;
    const char *name = td_trace_field(r, TD_COL_SCOPE), *kind = td_trace_field(r, TD_COL_KIND);
    struct td_scope *last = t->nscopes ? t->scopes[t->index.last] : NULL;
    char core = 0;
    int err = parse_core(r, &core), at;

    if (err)
        return err;
    if (last && last->core == core && !strcmp(last->name, name) && !strcmp(last->kind, kind)) { /* mostly that of the line above */
        *out = last;
        return 0;
    }
    at = td_scope_find(&t->index, name, r->csv.length[TD_COL_SCOPE], kind, core);
    if (at < 0)
        return add_scope(r, core, out);
    *out = t->scopes[at];
    return 0;
}

void td_trace_scopes_free(struct td_trace *t)
{
    for (size_t i = 0; i < t->nscopes; i++) {
        free(t->scopes[i]->name);
        free(t->scopes[i]->before.samples);
        free(t->scopes[i]->now.samples);
        free(t->scopes[i]);
    }
    free(t->scopes);
    td_scope_index_free(&t->index);
}
