/* SPDX-License-Identifier: MIT */
/* A row of a trace: its scope, its time, and the numbers in it. */
#include "formats/trace/trace.h"

#include "util/number.h"
#include "core/counts/scope_kind.h"
#include "util/text_clean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void td_trace_originals(struct td_recording *r)
{
    static const enum td_column names[] = {TD_COL_SCOPE, TD_COL_EVENT};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char *name = r->bytes.field[names[i]];

        if (memchr(name, '\\', r->bytes.length[names[i]]))
            r->bytes.length[names[i]] = td_text_original(name, r->bytes.length[names[i]]);
    }
}

const char *td_trace_field(const struct td_recording *r, enum td_column c)
{
    return r->bytes.field[c];
}

/* ---- its scope ---- */

static const struct td_uarch *part_for(const struct td_identity *m, char core)
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

static int check_scope(struct td_recording *r, enum td_scope_kind kind, char core, const struct td_uarch *u)
{
    if (kind == TD_KIND_NONE)
        return td_recording_bad(
            r, "the scope kind '%.20s' is none of system cpu core socket node thread command process cgroup region",
            td_trace_field(r, TD_COL_KIND));
    if (!*td_trace_field(r, TD_COL_SCOPE))
        return td_recording_bad(r, "the scope has no name");
    if (!u && !core)
        return td_recording_bad(r, "the core is empty, but %s has several kinds of core", r->stream.identity.name);
    return 0;
}

/* Makes room for the lane that the index will number next. */
static int make_room(struct td_trace *t)
{
    size_t room = t->room ? 2 * t->room : 4;
    struct td_trace_lane *grown;

    if (t->nlanes < t->room)
        return 0;
    grown = realloc(t->lane, room * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    t->lane = grown;
    t->room = room;
    return 0;
}

static int find_lane(struct td_recording *r, enum td_scope_kind kind, char core, const struct td_uarch *u)
{
    struct td_trace *t = td_trace_of(r);
    int err = make_room(t), at = err ? err
                                     : td_scope_number(&t->index, td_trace_field(r, TD_COL_SCOPE),
                                                       r->bytes.length[TD_COL_SCOPE], kind, core);

    if (at == -E2BIG)
        return td_recording_bad(r, "more than %d scopes", TD_SCOPES_MAX);
    if (at < 0)
        return td_log_no_memory(r->log);
    if ((size_t)at < t->nlanes)
        return at;
    if (!u)
        td_recording_note(r, "the counts of core %s are left out: %s has no such core", td_trace_field(r, TD_COL_CORE),
                          r->stream.identity.name);
    t->lane[t->nlanes++] = (struct td_trace_lane){
        .name = t->index.key[at].name, .kind = kind, .core = core, .number = (uint32_t)at, .uarch = u};
    return at;
}

/* The kind of the row's scope. Older traces call a command's tasks a thread, under the command's name without the
 * number of a task. */
static enum td_scope_kind kind_of(const struct td_recording *r)
{
    const enum td_scope_kind kind = td_kind_named(td_trace_field(r, TD_COL_KIND));
    const char *name = td_trace_field(r, TD_COL_SCOPE), *task = strrchr(name, '-');
    const bool numbered = task && task[1] && !task[1 + strspn(task + 1, "0123456789")];

    return kind == TD_KIND_THREAD && r->stream.command && !numbered ? TD_KIND_COMMAND : kind;
}

int td_trace_lane(struct td_recording *r, struct td_trace_lane **out)
{
    struct td_trace *t = td_trace_of(r);
    const enum td_scope_kind kind = kind_of(r);
    const struct td_uarch *u;
    char core = 0;
    int err = parse_core(r, &core), at;

    if (err)
        return err;
    u = part_for(&r->stream.identity, core);
    err = check_scope(r, kind, core, u);
    at = err ? err : find_lane(r, kind, core, u);
    if (at < 0)
        return at;
    *out = &t->lane[at];
    return 0;
}

/* ---- its numbers ---- */

int td_trace_number(struct td_recording *r, enum td_column c, const char *what, uint64_t *out)
{
    const char *wrong = td_number_u64(td_trace_field(r, c), r->bytes.length[c], out);

    return wrong ? td_recording_bad(r, "the %s '%.40s' %s", what, td_trace_field(r, c), wrong) : 0;
}

/* Reads a whole number; counts that another tool has scaled may have a fraction. */
static const char *parse_number(struct td_recording *r, enum td_column c, uint64_t *whole, double *fraction)
{
    const char *text = td_trace_field(r, c), *wrong;
    size_t len = r->bytes.length[c];
    double value;

    if (!td_trace_of(r)->scaled || !memchr(text, '.', len))
        return td_number_u64(text, len, whole);
    wrong = td_number_decimal(text, len, &value);
    if (wrong)
        return wrong;
    if (value >= 0x1p53) /* where doubles have no fractions */
        return td_number_large;
    *whole = (uint64_t)value;
    *fraction = value - (double)*whole;
    return NULL;
}

static int parse_value(struct td_recording *r, bool packed, struct td_sample *out)
{
    const char *text = td_trace_field(r, TD_COL_VALUE), *wrong = NULL;

    if (!strcmp(text, "not_counted"))
        out->status = TD_NOT_COUNTED;
    else if (!strcmp(text, "not_supported"))
        out->status = TD_NOT_SUPPORTED;
    else if (!strcmp(text, "counter_reset"))
        out->status = TD_COUNTER_RESET;
    else if (packed)
        wrong = td_number_hex(text, r->bytes.length[TD_COL_VALUE], &out->value);
    else
        wrong = parse_number(r, TD_COL_VALUE, &out->value, &out->fraction);
    return wrong ? td_recording_bad(r, "the %s '%.40s' %s", packed ? "register (0x, hex)" : "value", text, wrong) : 0;
}

/* How long the event was enabled, and how long it was counted. */
static int parse_times(struct td_recording *r, struct td_sample *out)
{
    const char *wrong = parse_number(r, TD_COL_ENABLED, &out->enabled, &out->enabled_fraction);

    if (wrong)
        return td_recording_bad(r, "the enabled time '%.40s' %s", td_trace_field(r, TD_COL_ENABLED), wrong);
    wrong = parse_number(r, TD_COL_RUNNING, &out->running, &out->running_fraction);
    if (wrong)
        return td_recording_bad(r, "the running time '%.40s' %s", td_trace_field(r, TD_COL_RUNNING), wrong);
    if (out->running < out->enabled || (out->running == out->enabled && out->running_fraction <= out->enabled_fraction))
        return 0;
    return td_recording_bad(r, "running for %s ns, but enabled for %s", td_trace_field(r, TD_COL_RUNNING),
                            td_trace_field(r, TD_COL_ENABLED));
}

int td_trace_sample(struct td_recording *r, bool packed, struct td_sample *out)
{
    uint64_t group = 0;
    int err = parse_value(r, packed, out);

    if (!err)
        err = td_trace_number(r, TD_COL_GROUP, "group", &group);
    if (!err && group > UINT16_MAX)
        err = td_recording_bad(r, "the group %.20s is beyond %d", td_trace_field(r, TD_COL_GROUP), UINT16_MAX);
    if (!err)
        err = parse_times(r, out);
    out->group = (uint16_t)group;
    return err;
}

/* The time and epoch of a row, of which the time may be empty. */
int td_trace_place(struct td_recording *r, struct td_snap *out)
{
    const struct td_trace *t = td_trace_of(r);
    uint64_t epoch = 0;
    int err;

    *out = (struct td_snap){
        .untimed = !r->bytes.length[TD_COL_TIME],
        .bits = t->bits,
        .scaled = t->scaled,
        .smt = r->stream.smt == TD_SMT_ON,
        .readers = t->scaled ? 0 : r->stream.cpus,
        .coverage_unknown = r->stream.coverage_unknown,
    };
    err = out->untimed ? 0 : td_trace_number(r, TD_COL_TIME, "time", &out->time);
    if (!err)
        err = td_trace_number(r, TD_COL_EPOCH, "epoch", &epoch);
    if (!err && epoch > UINT32_MAX)
        err = td_recording_bad(r, "the epoch %.20s is beyond 2^32-1", td_trace_field(r, TD_COL_EPOCH));
    out->epoch = (uint32_t)epoch;
    return err;
}
