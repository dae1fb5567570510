/* SPDX-License-Identifier: MIT */
/* The numbers in a row of a trace. */
#include "trace.h"

#include "number.h"

#include <string.h>

int td_trace_number(struct td_recording *r, enum td_column c, const char *what, uint64_t *out)
{
    const char *wrong = td_number_u64(td_trace_field(r, c), r->csv.length[c], out);

    return wrong ? td_recording_bad(r, "the %s '%.40s' %s", what, td_trace_field(r, c), wrong) : 0;
}

/* A whole number; what another tool scaled may have a fraction. */
static const char *parse_count(const struct td_recording *r, struct td_sample *out)
{
    const struct td_trace *t = r->state;
    const char *text = td_trace_field(r, TD_COL_VALUE), *wrong;
    size_t len = r->csv.length[TD_COL_VALUE];
    double value;

    if (!t->scaled || !memchr(text, '.', len))
        return td_number_u64(text, len, &out->value);
    wrong = td_number_decimal(text, len, &value);
    if (wrong)
        return wrong;
    if (value >= 0x1p53) /* where doubles have none */
        return td_number_large;
    out->value = (uint64_t)value;
    out->fraction = value - (double)out->value;
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
        wrong = td_number_hex(text, r->csv.length[TD_COL_VALUE], &out->value);
    else
        wrong = parse_count(r, out);
    return wrong ? td_recording_bad(r, "the %s '%.40s' %s", packed ? "register (0x, hex)" : "value", text, wrong) : 0;
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
        err = td_trace_number(r, TD_COL_ENABLED, "enabled time", &out->enabled);
    if (!err)
        err = td_trace_number(r, TD_COL_RUNNING, "running time", &out->running);
    if (!err && out->running > out->enabled)
        err = td_recording_bad(r, "running for %s ns, but enabled for %s", td_trace_field(r, TD_COL_RUNNING), td_trace_field(r, TD_COL_ENABLED));
    out->group = (uint16_t)group;
    return err;
}

/* The time and epoch of a row; the time may be empty. */
int td_trace_place(struct td_recording *r, struct td_snap *out)
{
    const struct td_trace *t = r->state;
    uint64_t epoch = 0;
    int err;

    *out = (struct td_snap){
        .untimed = !r->csv.length[TD_COL_TIME], .bits = t->bits, .scaled = t->scaled, .smt = r->smt == TD_SMT_ON, .readers = t->cpus, .coverage_unknown = r->coverage_unknown,
    };
    err = out->untimed ? 0 : td_trace_number(r, TD_COL_TIME, "time", &out->time);
    if (!err)
        err = td_trace_number(r, TD_COL_EPOCH, "epoch", &epoch);
    if (!err && epoch > UINT32_MAX)
        err = td_recording_bad(r, "the epoch %.20s is beyond 2^32-1", td_trace_field(r, TD_COL_EPOCH));
    out->epoch = (uint32_t)epoch;
    return err;
}
