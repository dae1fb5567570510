/* SPDX-License-Identifier: MIT */
#include "trace_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Somebody else's text: a line break in it would end the row or the header line. */
static void put_text(struct td_trace_writer *w, const char *text, bool quotable)
{
    bool quoted = quotable && strpbrk(text, ",\"");

    if (quoted)
        put(w, "\"");
    for (; *text; text++) {
        char one[3] = {*text == '\n' || *text == '\r' ? ' ' : *text};

        if (quoted && *text == '"')
            one[1] = '"';
        put(w, one);
    }
    if (quoted)
        put(w, "\"");
}

void td_trace_write_header(struct td_trace_writer *w, const struct td_trace_facts *f)
{
    static const char *const cores[] = {"", "P=", "E=", "LP="};

    if (!w->write || w->header)
        return;
    w->header = true;
    put_format(w, "# tdprobe-trace: 1\n# cpu: %s\n# smt: %s\n# source: %s\n# topology: cpus=%d\n# recorder: tdprobe %s\n# level:",
               f->cpu, f->smt, f->source, f->cpus, td_version());
    for (size_t i = 0; i < sizeof(f->level) / sizeof(*f->level); i++)
        if (f->level[i])
            put_format(w, " %s%d", cores[i], f->level[i]);
    put(w, "\n");
    if (w->command) {
        put(w, "# command: ");
        put_text(w, w->command, false);
        put(w, "\n");
    }
    put(w, "time_ns,scope,scope_kind,core,group,epoch,event,value,enabled_ns,running_ns\n");
}

/* The columns that all rows of a reading share begin and end so. */
static void put_begin(struct td_trace_writer *w, uint64_t time, const char *scope, const char *kind, char core)
{
    put_format(w, "%" PRIu64 ",", time);
    put_text(w, scope, true);
    put_format(w, ",%s,%s,", kind, core == 'L' ? "LP" : core == 'P' ? "P" : core == 'E' ? "E" : "");
}

/* The event's columns, event and value. */
static void put_sample(struct td_trace_writer *w, const struct td_sample *x, const struct td_texts *texts)
{
    const char *name = texts->names[x->text], *modes = strrchr(name, ':');

    if (x->event == TD_EVENT_PACKED) {
        put_format(w, "PERF_METRICS%s,0x%" PRIx64, modes ? modes : "", x->value);
        return;
    }
    put_text(w, name, true);
    if (x->status == TD_NOT_SUPPORTED)
        put(w, ",not_supported");
    else
        put_format(w, ",%" PRIu64, x->value);
}

void td_trace_write_reading(struct td_trace_writer *w, const char *scope, const char *kind, char core, const struct td_snap *s, bool begins,
                            const struct td_texts *texts)
{
    size_t n = s->n;

    if (!w->write)
        return;
    for (size_t i = 0; i < s->n; i++) {
        const struct td_sample *x = &s->s[i];

        put_begin(w, s->time, scope, kind, core);
        put_format(w, "%u,%" PRIu32 ",", x->group, s->epoch);
        put_sample(w, x, texts);
        put_format(w, ",%" PRIu64 ",%" PRIu64 "\n", x->enabled, x->running);
    }
    if (s->encoding == TD_ENC_PACKED) {
        put_begin(w, s->time, scope, kind, core);
        put_format(w, "0,%" PRIu32 ",restores,%" PRIu32 ",0,0\n", s->epoch, s->restores);
        n++;
    }
    put_begin(w, s->time, scope, kind, core);
    put_format(w, ",%" PRIu32 ",%s,%zu,,\n", s->epoch, begins ? "begin" : "end", n);
}

int td_trace_write_flush(struct td_trace_writer *w)
{
    int err = w->err;

    if (!err && w->used)
        err = w->write(w->ctx, w->buf, w->used);
    w->used = 0;
    w->err = 0;
    w->begun = w->begun || (w->header && !err);
    w->header = w->begun; /* what was lost with it is queued again */
    return err;
}

void td_trace_writer_free(struct td_trace_writer *w)
{
    free(w->command);
    free(w->buf);
    *w = (struct td_trace_writer){0};
}
