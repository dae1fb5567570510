/* SPDX-License-Identifier: MIT */
#include "formats/trace/trace_write.h"

#include "core/core_kind.h"
#include "formats/trace/labels.h"
#include "util/text_clean.h"
#include "backends/nodes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

bool td_trace_is_word(const char *name)
{
    static const char *const words[] =
        {
            "start",           "begin",        "end",           "restores",
            "switches",        "cpus_changed", "duration_time", "latency_samples",
            "latency_squares", "PERF_METRICS", "printed",       "event", /* which names follow, after a colon */
        };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        const size_t len = strlen(words[i]);

        if (!strncasecmp(name, words[i], len) && (!name[len] || name[len] == ':'))
            return true;
    }
    return false;
}

static bool make_room(struct td_trace_writer *w, size_t size)
{
    size_t room = w->room ? w->room : 4096;
    char *grown;

    if (w->err || w->room - w->used > size)
        return !w->err;
    while (room - w->used <= size)
        room *= 2;
    grown = realloc(w->buf, room);
    if (!grown) {
        w->err = -ENOMEM;
        return false;
    }
    w->buf = grown;
    w->room = room;
    return true;
}

static void put(struct td_trace_writer *w, const char *text)
{
    size_t len = strlen(text);

    if (!make_room(w, len))
        return;
    memcpy(w->buf + w->used, text, len);
    w->used += len;
}

__attribute__((format(printf, 2, 3))) static void put_format(struct td_trace_writer *w, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    put(w, text);
}

/* Adds somebody else's text, which as a rule is safe to print already. A line break in it would end the row, so it is
 * made safe. */
static void put_text(struct td_trace_writer *w, const char *text)
{
    size_t len = strlen(text);
    bool quoted = len && (strpbrk(text, ",\"") || strchr(" \t", *text) || strchr(" \t", text[len - 1]));

    if (quoted)
        put(w, "\"");
    for (; *text; text++) {
        char one[3] = {*text};

        if (quoted && *text == '"')
            one[1] = '"';
        put(w, *text == '\n' ? "\\x0a" : *text == '\r' ? "\\x0d" : one);
    }
    if (quoted)
        put(w, "\"");
}

/* Adds a part of a header line, made safe: a terminal may show it, and a line break in it would end the line. */
static void put_shown(struct td_trace_writer *w, const char *text)
{
    const size_t size = 4 * strlen(text) + 1; /* each byte an escape */
    char *shown = malloc(size);

    if (!shown) {
        w->err = -ENOMEM;
        return;
    }
    memcpy(shown, text, strlen(text) + 1);
    td_text_clean(shown, size);
    put(w, shown);
    free(shown);
}

void td_trace_write_line(struct td_trace_writer *w, const char *key, const char *value)
{
    if (!w->write)
        return;
    if (!strcmp(key, TD_TRACE_RUN) && value != w->run) /* it is, in a header that is queued again */
        snprintf(w->run, sizeof(w->run), "%s", value);
    put(w, "# ");
    put_shown(w, key);
    put(w, ": ");
    put_shown(w, value);
    put(w, "\n");
}

void td_trace_write_columns(struct td_trace_writer *w)
{
    put(w, "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n");
    w->header = true;
}

static void put_level(struct td_trace_writer *w, const int *level)
{
    static const char *const cores[] = {"", "P=", "E=", "LP="};
    char text[64];
    size_t used = 0;

    for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++)
        if (level[i])
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s%d", used ? " " : "", cores[i], level[i]);
    if (used)
        td_trace_write_line(w, "level", text);
}

/* When time 0 was, as a date to be read and for clocks. */
static void put_clock(struct td_trace_writer *w, const struct td_trace_facts *f)
{
    const time_t seconds = (time_t)(f->realtime / 1000000000);
    struct tm date;
    char text[64];

    if (!f->monotonic && !f->realtime) {
        if (f->started)
            td_trace_write_line(w, "started", f->started);
        return;
    }
    if (gmtime_r(&seconds, &date) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &date))
        td_trace_write_line(w, "started", text);
    put_format(w, "# x-clock: %" PRIu64 " %" PRIu64 "\n", f->monotonic, f->realtime);
}

void td_trace_write_header(struct td_trace_writer *w, const struct td_trace_facts *f)
{
    if (!w->write || w->header)
        return;
    put_format(w, "# tdprobe-trace: 1\n# cpu: %s\n# smt: %s\n# source: %s\n", f->cpu, f->smt, f->source);
    if (f->scaled)
        td_trace_write_line(w, "scaled", "yes");
    if (f->coverage_unknown)
        td_trace_write_line(w, "coverage", "unknown");
    if (f->times != TD_TIMES_RECORDED)
        put_format(w, f->times_cpus ? "# x-times: %s %u\n" : "# x-times: %s\n", td_times_name(f->times), f->times_cpus);
    if (f->mux_interval > 0)
        put_format(w, "# x-mux-interval-ms: %.0f\n", f->mux_interval / 1e6);
    if (f->began)
        put_format(w, "# x-began-ns: %" PRIu64 "\n", f->began);
    if (f->cpus)
        put_format(w, "# topology: cpus=%d\n", f->cpus);
    put_format(w, "# recorder: tdprobe %s\n", td_version());
    put_level(w, f->level);
    put_clock(w, f);
    if (f->host)
        td_trace_write_line(w, "x-host", f->host);
    if (f->labels)
        td_trace_write_line(w, TD_TRACE_LABELS, f->labels);
    if (f->run)
        td_trace_write_line(w, TD_TRACE_RUN, *w->run ? w->run : f->run);
    if (f->origin)
        td_trace_write_line(w, "origin", f->origin);
    if (f->note)
        td_trace_write_line(w, "note", f->note);
    if (w->command)
        td_trace_write_line(w, "command", w->command);
    td_trace_write_columns(w);
}

/* Adds the columns that are the same in all rows of a reading. */
static void put_begin(struct td_trace_writer *w, const struct td_snap *s, const char *scope, enum td_scope_kind kind,
                      char core)
{
    if (!s->untimed)
        put_format(w, "%" PRIu64, s->time);
    put(w, ",");
    put_text(w, scope);
    put_format(w, ",%s,%s,", td_kind_name(kind), td_core_name(core));
}

#define REGISTER_NAME "PERF_METRICS"

/* Adds a number, without printf's decimal point, which depends on the locale. */
static void put_number(struct td_trace_writer *w, uint64_t whole, double fraction)
{
    unsigned billionths = (unsigned)(fraction * 1e9 + 0.5), digits = 9;

    if (!billionths || billionths >= 1000000000) {
        put_format(w, "%" PRIu64, whole + (billionths > 0));
    } else {
        for (; billionths % 10 == 0; digits--)
            billionths /= 10;
        put_format(w, "%" PRIu64 ".%0*u", whole, (int)digits, billionths);
    }
}

/* Whether a sample is the register PERF_METRICS. Its name alone decides, as in replay, even on a CPU without it. */
static bool is_register(const struct td_sample *x, const char *name)
{
    const size_t len = strlen(REGISTER_NAME);

    return x->event == TD_EVENT_PACKED || (!strncasecmp(name, REGISTER_NAME, len) && (!name[len] || name[len] == ':'));
}

/* Adds an event's name, quoted as one field, and with TD_TRACE_EVENT before it if it is a word of the format. */
static void put_event(struct td_trace_writer *w, const char *name, bool is_word)
{
    const size_t size = strlen(TD_TRACE_EVENT) + strlen(name) + 1;
    char *whole = is_word ? malloc(size) : NULL;

    if (is_word && !whole) {
        w->err = -ENOMEM;
        return;
    }
    if (whole)
        snprintf(whole, size, "%s%s", TD_TRACE_EVENT, name);
    put_text(w, whole ? whole : name);
    free(whole);
}

/* Adds the columns event and value. The register has its own name, with the modes of its field's name. */
static void put_sample(struct td_trace_writer *w, const struct td_sample *x, const struct td_texts *texts)
{
    const char *name = texts->names[x->text], *modes = strrchr(name, ':');

    const bool packed = !x->is_event && is_register(x, name);

    if (packed)
        put_format(w, REGISTER_NAME "%s", modes ? modes : "");
    else
        put_event(w, name, x->is_event);
    put(w, ",");
    if (x->status != TD_OK)
        put(w, td_status_name(x->status));
    else if (packed)
        put_format(w, "0x%" PRIx64, x->value);
    else
        put_number(w, x->value, x->fraction);
}

/* Writes a hint as a name that td_printed_name() knows. */
static void put_printed(struct td_trace_writer *w, uint16_t hint)
{
    const bool plain = hint >= TD_HINT_PLAIN;

    if (hint == TD_HINT_OTHER) {
        put(w, "other");
    } else {
        put(w, plain ? "" : "tma_");
        put(w, td_node_name(hint - (plain ? (unsigned)TD_HINT_PLAIN : td_hint_published(0))));
    }
}

/* Writes the metrics printed beside the count of the row before, one row each; returns how many. */
static size_t put_hints(struct td_trace_writer *w, const struct td_snap *s, const struct td_sample *x,
                        const char *scope, enum td_scope_kind kind, char core)
{
    const uint16_t *hint = NULL;
    const size_t n = x->printed && w->hints ? td_hints_members(w->hints, x->printed, &hint) : 0;

    for (size_t i = 0; i < n; i++) {
        put_begin(w, s, scope, kind, core);
        put_format(w, "%u,%" PRIu32 ",printed:", x->group, s->epoch);
        put_printed(w, hint[i]);
        put(w, ",0,0,0\n");
    }
    return n;
}

/* Writes a row about what a reading has besides counts. Returns 1, the number of rows. */
static size_t put_beside(struct td_trace_writer *w, const struct td_snap *s, const char *scope, enum td_scope_kind kind,
                         char core, const char *name, uint64_t value)
{
    put_begin(w, s, scope, kind, core);
    put_format(w, "0,%" PRIu32 ",%s,%" PRIu64 ",0,0\n", s->epoch, name, value);
    return 1;
}

void td_trace_write_start(struct td_trace_writer *w, const char *scope, enum td_scope_kind kind, char core,
                          const struct td_snap *s)
{
    if (!w->write)
        return;
    put_begin(w, s, scope, kind, core);
    put_format(w, ",%" PRIu32 ",start,,,\n", s->epoch);
}

void td_trace_write_reading(struct td_trace_writer *w, const char *scope, enum td_scope_kind kind, char core,
                            const struct td_snap *s, bool begins, const struct td_texts *texts)
{
    size_t n = s->n;

    if (!w->write)
        return;
    for (size_t i = 0; i < s->n; i++) {
        const struct td_sample *x = &s->s[i];

        put_begin(w, s, scope, kind, core);
        put_format(w, "%u,%" PRIu32 ",", x->group, s->epoch);
        put_sample(w, x, texts);
        put(w, ",");
        put_number(w, x->enabled, x->enabled_fraction);
        put(w, ",");
        put_number(w, x->running, x->running_fraction);
        put(w, "\n");
        n += put_hints(w, s, x, scope, kind, core);
        if (x->sampled.any) {
            n += put_beside(w, s, scope, kind, core, "latency_samples", x->sampled.n);
            n += put_beside(w, s, scope, kind, core, "latency_squares", x->sampled.squares);
        }
    }
    if (s->restores)
        n += put_beside(w, s, scope, kind, core, "restores", s->restores);
    if (s->changes)
        n += put_beside(w, s, scope, kind, core, "cpus_changed", s->changes);
    if (s->elapsed)
        n += put_beside(w, s, scope, kind, core, "duration_time", s->elapsed);
    if (s->switches_known)
        n += put_beside(w, s, scope, kind, core, "switches", s->switches);
    put_begin(w, s, scope, kind, core);
    put_format(w, ",%" PRIu32 ",%s,%zu,%s,\n", s->epoch, begins ? "begin" : "end", n, w->run);
}

int td_trace_write_flush(struct td_trace_writer *w)
{
    int err = w->err;

    if (!err && w->used)
        err = w->write(w->ctx, w->buf, w->used);
    w->used = 0;
    w->err = 0;
    w->begun = w->begun || (w->header && !err);
    w->header = w->begun; /* a header that was lost is queued again */
    return err;
}

void td_trace_writer_free(struct td_trace_writer *w)
{
    free(w->command);
    free(w->buf);
    *w = (struct td_trace_writer){0};
}
