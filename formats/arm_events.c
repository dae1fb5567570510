/* SPDX-License-Identifier: MIT */
/* The events CSV of Arm's topdown-tool (--cpu-generate-csv events).
 *
 *   run,time,event,value
 *   1,0.100116703,CPU_CYCLES,800440.0
 *
 * time is blank without -I, value where the event was not counted. The tool runs
 * perf stat -x, so counts are scaled already, but it drops how much of the time
 * each event ran. Events come group by group; with several runs of the program,
 * each run counted other events. Columns: CPU_PROBE.md and
 * cpu_csv_renderer.py of tools/topdown_tool in Arm's telemetry-solution, which
 * writes lines through Python's csv, and numbers as Python prints a float. */
#include "util/number.h"
#include "sim/replay/intervals.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct arm_events {
    struct td_recording recording; /* first: arm_events_of() */
    struct td_gather *gather;
    bool any_row, has_time; /* has_time: whether the run's first row had one */
    uint64_t time, run;
};

static struct arm_events *arm_events_of(struct td_recording *r)
{
    return (struct arm_events *)r; /* its first member */
}

enum { COL_RUN, COL_TIME, COL_EVENT, COL_VALUE, COLUMNS };
/* Each run numbers its groups separately. */
enum { RUN_GROUPS = 256, RUNS_MAX = UINT16_MAX / RUN_GROUPS, EXPONENT_MAX = 19 };

static const char header[] = "run,time,event,value";

static bool sniff(const char *first, size_t len)
{
    size_t n = strlen(header);

    return len >= n && !memcmp(first, header, n) && (!first[n] || first[n] == ',');
}

/* Python prints 1e16 and more with an exponent: its digits with the dot moved. */
static const char *value_of(const char *text, size_t len, double *out)
{
    const char *e = memchr(text, 'e', len), *dot = e ? memchr(text, '.', (size_t)(e - text)) : NULL;
    size_t sign = e && e[1] == '+', decimals = dot ? (size_t)(e - dot) - 1 : 0, used;
    char digits[64];
    uint64_t exponent, n;
    const char *wrong;

    if (!e)
        return td_number_decimal(text, len, out);
    used = (size_t)(e - text) - (dot ? 1 : 0);
    if (td_number_u64(e + 1 + sign, (size_t)(text + len - e) - 1 - sign, &exponent) || decimals > exponent ||
        used == decimals || used + EXPONENT_MAX > sizeof(digits) || (dot && !decimals))
        return td_number_none;
    if (exponent > EXPONENT_MAX)
        return td_number_large;
    memcpy(digits, text, used - decimals);
    memcpy(digits + used - decimals, e - decimals, decimals);
    memset(digits + used, '0', exponent - decimals);
    wrong = td_number_u64(digits, used + exponent - decimals, &n);
    if (!wrong)
        *out = (double)n;
    return wrong;
}

static int parse_run(struct td_recording *r, struct td_row *out)
{
    struct arm_events *a = arm_events_of(r);
    const char *text = r->bytes.field[COL_RUN];
    uint64_t run;

    if (td_number_u64(text, r->bytes.length[COL_RUN], &run) || !run || run > RUNS_MAX)
        return td_recording_bad(r, "the run '%.40s' is no number from 1 to %d", text, RUNS_MAX);
    if (a->any_row && run < a->run)
        return td_recording_bad(r, "run %.40s comes after run %d: the rows of a run must be together", text,
                                (int)a->run);
    if (a->any_row && run > a->run && a->has_time) {
        out->new_run = true; /* its times start over */
        a->time = 0;
    }
    a->run = run;
    out->first_group = (uint16_t)((run - 1) * RUN_GROUPS);
    out->groups = RUN_GROUPS;
    return 0;
}

static int parse_time(struct td_recording *r, struct td_row *out)
{
    struct arm_events *a = arm_events_of(r);
    const char *text = r->bytes.field[COL_TIME];

    out->has_time = r->bytes.length[COL_TIME] > 0;
    if (out->has_time && !td_number_seconds(text, r->bytes.length[COL_TIME], &out->time))
        return td_recording_bad(r, "the time '%.40s' is not in seconds", text);
    if (a->any_row && out->has_time != a->has_time)
        return td_recording_bad(r, "this line has %s time, the lines above have %s", out->has_time ? "a" : "no",
                                out->has_time ? "none" : "one");
    if (out->time < a->time)
        return td_recording_bad(r, "time goes backwards: %.40s comes after %.9f", text, (double)a->time / 1e9);
    a->has_time = out->has_time;
    a->time = out->time;
    return 0;
}

static int parse_count(struct td_recording *r, struct td_row *out)
{
    struct td_bytes *c = &r->bytes;
    const char *wrong;

    if (!c->length[COL_EVENT])
        return td_recording_bad(r, "the event has no name");
    out->text = td_recording_text(r, c->field[COL_EVENT], c->length[COL_EVENT]);
    if (out->text < 0)
        return out->text;
    if (!c->length[COL_VALUE]) {
        out->status = TD_NOT_COUNTED;
        return 0;
    }
    wrong = value_of(c->field[COL_VALUE], c->length[COL_VALUE], &out->value);
    return wrong ? td_recording_bad(r, "the count '%.40s' %s", c->field[COL_VALUE], wrong) : 0;
}

static int take_row(struct td_recording *r, struct td_row *out)
{
    int err;

    if (r->bytes.nfields != COLUMNS)
        return td_recording_bad(r, "%zu columns, not %d (%s)", r->bytes.nfields, COLUMNS, header);
    err = parse_run(r, out);
    if (!err)
        err = parse_time(r, out);
    return err ? err : parse_count(r, out);
}

/* A line of another program, which has neither a run nor a count in its place, nor the name of an event. */
static bool is_foreign(const struct td_recording *r)
{
    const struct td_bytes *c = &r->bytes;
    double ignored;

    if (r->bytes.unterminated || !strcmp(c->field[COL_RUN], "run") ||
        (c->length[COL_RUN] && strspn(c->field[COL_RUN], "0123456789") == c->length[COL_RUN]))
        return false;
    if (c->nfields > COL_VALUE &&
        (!c->length[COL_VALUE] || !value_of(c->field[COL_VALUE], c->length[COL_VALUE], &ignored)))
        return false;
    for (size_t i = 0; i < c->nfields; i++)
        if (td_recording_names_event(r, c->field[i], c->length[i], ","))
            return false;
    return true;
}

static int next_row(struct td_recording *r, struct td_row *out)
{
    struct arm_events *a = arm_events_of(r);
    bool foreign;
    char *line;
    size_t len;
    int err, split;

    *out = (struct td_row){.status = TD_OK};
    do {
        split = 0;
        err = td_recording_line(r, &line, &len);
        if (!err)
            err = split = td_recording_split(r, line, len);
        foreign = !err ? len && is_foreign(r)
                       : split == -EBADMSG && !r->bytes.unterminated && !isdigit((unsigned char)*line) &&
                             !td_recording_names_event(r, line, len, ",");
        if (foreign)
            td_recording_skip(r);
    } while (foreign || (!err && !len));
    /* the tool ends every line; one that is cut inside quotes cannot be split */
    if ((!err || split == -EBADMSG) && r->bytes.unterminated) {
        td_recording_note(r, "the last line was cut off; it is left out");
        err = -ENODATA;
    }
    if (err == -ENODATA && !a->any_row)
        return td_recording_bad(r, "the file ends without a single count");
    if (!err)
        err = take_row(r, out);
    a->any_row = a->any_row || !err;
    return err;
}

static int next(struct td_recording *r)
{
    return td_gather_next(r, arm_events_of(r)->gather, next_row);
}

static void arm_events_close(struct td_recording *r)
{
    td_gather_free(arm_events_of(r)->gather);
}

static int arm_events_open(struct td_recording *r, char *first, size_t len)
{
    struct arm_events *a = arm_events_of(r);
    int scope;

    if (td_bytes_format(&r->bytes, ',', '"'))
        return td_log_no_memory(r->log);
    a->gather = td_gather_new();
    if (!a->gather)
        return td_log_no_memory(r->log);
    if (len > strlen(header))
        return td_recording_bad(r, "the columns '%.60s' are not known: the events of topdown-tool have %s",
                                first + strlen(header) + 1, header);
    r->stream.coverage_unknown = true;
    scope = td_gather_system(r, a->gather); /* number 0 */
    return scope < 0 ? scope : 0;
}

const struct td_reader td_reader_arm_events = {
    .name = "arm-events",
    .size = sizeof(struct arm_events),
    .sniff = sniff,
    .open = arm_events_open,
    .next = next,
    .close = arm_events_close,
    .about = "the events CSV of Arm's topdown-tool",
    .marked = true,
};
