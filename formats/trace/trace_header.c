/* SPDX-License-Identifier: MIT */
/* The header of a trace: "# key: value" lines, then the columns' names. */
#include "formats/trace/labels.h"
#include "formats/trace/trace.h"

#include "backends/find_identity.h"
#include "util/number.h"
#include "util/text_clean.h"
#include "private/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_VERSION = 1 };

static const char columns[] = "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns";

struct header {
    struct td_recording *r;
    struct td_trace *t;
    bool has_cpu, has_smt;
    unsigned seen; /* which keys the header has had so far, as bits */
};

static int key_cpu(struct header *h, const char *value)
{
    const struct td_identity *asked = &h->r->settings->identity;
    struct td_identity said;
    char why[256];
    int err = td_identity_find(value, &said, why, sizeof(why));

    h->has_cpu = true;
    if (asked->nparts) {
        if (err || !td_identity_same(&said, asked))
            td_recording_note(h->r, "the trace says cpu %s; read as %s, as asked", value, asked->name);
        h->r->stream.identity = *asked;
        return 0;
    }
    h->r->stream.identity = said;
    if (!err)
        return 0;
    td_recording_bad(h->r, "cpu '%.60s': %s", value, why);
    return err == -EOPNOTSUPP ? err : -EBADMSG;
}

static int key_smt(struct header *h, const char *value)
{
    h->has_smt = true;
    if (!strcmp(value, "on"))
        td_recording_smt(h->r, TD_SMT_ON);
    else if (!strcmp(value, "off"))
        td_recording_smt(h->r, TD_SMT_OFF);
    else if (strcmp(value, "unknown"))
        return td_recording_bad(h->r, "smt is '%.40s', not on, off or unknown", value);
    return 0;
}

static int key_scaled(struct header *h, const char *value)
{
    h->t->scaled = !strcmp(value, "yes");
    if (!h->t->scaled && strcmp(value, "no"))
        return td_recording_bad(h->r, "scaled is '%.40s', not yes or no", value);
    return 0;
}

static int key_coverage(struct header *h, const char *value)
{
    h->r->stream.coverage_unknown = !strcmp(value, "unknown");
    if (!h->r->stream.coverage_unknown && strcmp(value, "recorded"))
        return td_recording_bad(h->r, "coverage is '%.40s', not recorded or unknown", value);
    return 0;
}

static int key_bits(struct header *h, const char *value)
{
    uint64_t bits;

    if (td_number_u64(value, strlen(value), &bits) || bits < 8 || bits > 64)
        return td_recording_bad(h->r, "counter-bits is '%.40s', not 8 to 64", value);
    h->t->bits = (unsigned)bits;
    return 0;
}

static int key_source(struct header *h, const char *value)
{
    static const char *const sources[] = {"perf", "rdpmc", "msr", "import", "simulated"};

    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
        if (!strcmp(value, sources[i]))
            return 0;
    return td_recording_bad(h->r, "source is '%.40s', not perf, rdpmc, msr, import or simulated", value);
}

static int key_topology(struct header *h, const char *value)
{
    const char *at = value;

    while (*at) {
        size_t word = strcspn(at, " "), key = strcspn(at, "=");
        uint64_t n;

        if (key >= word || td_number_u64(at + key + 1, word - key - 1, &n))
            return td_recording_bad(h->r, "topology is '%.60s', not words like cores=4", value);
        if (key == strlen("cpus") && !strncmp(at, "cpus", key))
            h->r->stream.cpus = n < TD_CPUS_MAX ? (unsigned)n : TD_CPUS_MAX;
        at += word + strspn(at + word, " ");
    }
    return 0;
}

static bool is_level(char ch)
{
    return ch >= '0' + TD_LEVEL_TOP && ch <= '0' + TD_LEVELS;
}

/* "2", or on hybrids "P=2 E=1" */
static int key_level(struct header *h, const char *value)
{
    for (const char *at = value; *at; at += at[1] ? 2 : 1) {
        char core = 0;

        if (!is_level(*at)) {
            core = *at;
            at += (*at == 'L' ? strlen("LP") : 1) + strlen("=");
        }
        if ((core && (!strchr("PEL", core) || at[-1] != '=')) || !is_level(*at) || (at[1] && at[1] != ' '))
            return td_recording_bad(h->r, "level is '%.40s', not %d to %d, or such as P=2 E=1", value, TD_LEVEL_TOP,
                                    TD_LEVELS);
        h->r->stream.level[td_core_index(core)] = *at - '0';
    }
    return 0;
}

/* perf_event_mux_interval_ms of the machine that was recorded. */
static int key_mux_interval(struct header *h, const char *value)
{
    uint64_t ms;

    if (td_number_u64(value, strlen(value), &ms) || ms < 1 || ms > INT32_MAX)
        return td_recording_bad(h->r, "x-mux-interval-ms is '%.40s', not a whole number of ms from 1 on", value);
    h->r->stream.mux_interval = (double)ms * 1e6;
    return 0;
}

static int key_clock(struct header *h, const char *value)
{
    const size_t first = strcspn(value, " "), blank = value[first] == ' ';
    const char *second = value + first + blank;

    if (td_number_u64(value, first, &h->r->stream.monotonic) ||
        td_number_u64(second, strlen(second), &h->r->stream.realtime))
        return td_recording_bad(h->r, "x-clock is '%.60s', not two whole numbers of ns", value);
    return 0;
}

/* Names the recorder's run. */
static int key_run(struct header *h, const char *value)
{
    const size_t len = strlen(value);

    if (!len || len >= sizeof(h->t->run) || strspn(value, "0123456789abcdef") != len)
        return td_recording_bad(h->r, TD_TRACE_RUN " is '%.40s', not 1 to %d hexadecimal digits in small letters",
                                value, TD_TRACE_RUN_TEXT - 1);
    memcpy(h->t->run, value, len + 1);
    return 0;
}

/* "cpus 4": a number of CPUs may follow. */
static int key_times(struct header *h, const char *value)
{
    struct td_stream *stream = &h->r->stream;
    size_t word = strcspn(value, " ");
    uint64_t cpus = 0;

    for (enum td_times t = TD_TIMES_RECORDED; t <= TD_TIMES_TASKS; t++) {
        if (word != strlen(td_times_name(t)) || strncmp(value, td_times_name(t), word))
            continue;
        if (value[word] && (t != TD_TIMES_CPUS || td_number_u64(value + word + 1, strlen(value + word + 1), &cpus) ||
                            cpus < 1 || cpus > TD_CPUS_MAX))
            break;
        stream->times = t;
        stream->times_cpus = (unsigned)cpus;
        return 0;
    }
    return td_recording_bad(h->r, "x-times is '%.40s', not recorded, relative, tasks, cpus or cpus NUMBER", value);
}

/* Keeps a value as it is printed. */
static int keep(struct header *h, const char *value, char **out)
{
    const size_t size = 4 * strlen(value) + 1; /* each byte an escape */

    free(*out);
    *out = malloc(size);
    if (!*out)
        return td_log_no_memory(h->r->log);
    memcpy(*out, value, strlen(value) + 1);
    td_text_clean(*out, size);
    return 0;
}

static int key_host(struct header *h, const char *value)
{
    return keep(h, value, &h->r->stream.host);
}

static int key_started(struct header *h, const char *value)
{
    return keep(h, value, &h->r->stream.started);
}

static int key_command(struct header *h, const char *value)
{
    return keep(h, value, &h->r->stream.command);
}

static int key_labels(struct header *h, const char *value)
{
    if (td_labels_are(value))
        return keep(h, value, &h->r->stream.labels);
    return td_recording_bad(h->r, TD_TRACE_LABELS " is '%.60s', not a list such as build=4711;service=web", value);
}

static int key_text(struct header *h, const char *value)
{
    (void)h;
    (void)value;
    return 0;
}

static const struct {
    const char *name;
    int (*take)(struct header *, const char *value);
} keys[] = {
    {"cpu", key_cpu},
    {"smt", key_smt},
    {"scaled", key_scaled},
    {"coverage", key_coverage},
    {"counter-bits", key_bits},
    {"source", key_source},
    {"topology", key_topology},
    {"level", key_level},
    {"recorder", key_text},
    {"command", key_command},
    {"origin", key_text},
    {"started", key_started},
    {"note", key_text},
    {"x-mux-interval-ms", key_mux_interval},
    {"x-times", key_times},
    {"x-host", key_host},
    {TD_TRACE_RUN, key_run},
    {"x-clock", key_clock},
    {TD_TRACE_LABELS, key_labels},
};

/* What was asked of SMT, as a header says it; NULL: nothing. */
static const char *asked_smt(const struct td_recording *r)
{
    return r->settings->smt == TD_SMT_UNKNOWN ? NULL : r->settings->smt == TD_SMT_ON ? "on" : "off";
}

/* The header of a trace that is converted stays as it is; only the CPU and SMT may be others, as asked. */
static void copy_line(const struct td_recording *r, const char *key, const char *value)
{
    const struct td_identity *asked = &r->settings->identity;
    char name[TD_IDENTITY_TEXT];

    if (!r->sink)
        return;
    if (asked->nparts && key && !strcmp(key, "cpu"))
        value = td_identity_text(asked, name, sizeof(name));
    if (asked_smt(r) && key && !strcmp(key, "smt"))
        value = asked_smt(r);
    r->sink->header(r->sink->ctx, key, value);
}

static int header_line(struct header *h, char *line)
{
    char *key = line + 1 + strspn(line + 1, " "), *colon = strchr(key, ':'), *value;

    if (!colon)
        return td_recording_bad(h->r, "a header line without a key and ':'");
    value = colon + 1 + strspn(colon + 1, " ");
    *colon = '\0';
    if (strcmp(key, TD_TRACE_LABELS) != 0 || !h->r->settings->labels) /* else copy_labels() has them */
        copy_line(h->r, key, value);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        if (strcmp(keys[i].name, key))
            continue;
        if (h->seen >> i & 1 && keys[i].take != key_text && keys[i].take != key_command && keys[i].take != key_started)
            return td_recording_bad(h->r, "duplicate key '%s'", key);
        h->seen |= 1u << i;
        return keys[i].take(h, value);
    }
    if (!strncmp(key, "x-", 2))
        return 0;
    return td_recording_bad(h->r, "unknown key '%.40s'; private keys begin with x-", key);
}

/* Labels that were asked for come before those that the trace has. */
static int copy_labels(const struct td_recording *r)
{
    char *labels;

    if (!r->settings->labels)
        return 0;
    labels = td_labels_join(r->settings->labels, r->stream.labels);
    if (!labels)
        return td_log_no_memory(r->log);
    copy_line(r, TD_TRACE_LABELS, labels);
    free(labels);
    return 0;
}

static int version_line(struct header *h, const char *line)
{
    const char *value = strchr(line, ':') + 1;
    uint64_t version;

    value += strspn(value, " ");
    if (td_number_u64(value, strlen(value), &version))
        return td_recording_bad(h->r, "the version '%.40s' is not a number", value);
    if (version != TRACE_VERSION)
        return td_recording_bad(h->r, "version %.20s of the format; this tdprobe reads version %d", value,
                                TRACE_VERSION);
    return 0;
}

int td_trace_header(struct td_recording *r, char *first)
{
    struct header h = {.r = r, .t = td_trace_of(r)};
    char *line = first;
    size_t len;
    int err = version_line(&h, first);

    copy_line(r, "tdprobe-trace", "1");
    while (!err) {
        err = td_recording_line(r, &line, &len);
        if (err || *line != '#')
            break;
        err = header_line(&h, line);
    }
    if (err == -ENODATA)
        return td_recording_bad(r, "the file ends before the line with the columns' names");
    if (err)
        return err;
    if (strcmp(line, columns))
        return td_recording_bad(r, "'%.60s' is not the line with the columns' names, %s", line, columns);
    if (asked_smt(r) && !h.has_smt)
        copy_line(r, "smt", asked_smt(r));
    err = copy_labels(r);
    if (err)
        return err;
    copy_line(r, NULL, NULL);
    return h.has_cpu ? 0 : td_recording_bad(r, "the header has no 'cpu' line");
}
