/* SPDX-License-Identifier: MIT */
/* Recordings of any format through their readers, from bytes to intervals. Each
 * is read in pieces of 1, 2, 3, ... bytes and must give the same each time; what
 * it must give is written out by hand. */
#ifndef RECORDED_H
#define RECORDED_H

#include "tests/support/open_recording.h"
#include "tests/support/pieces.h"

#include <errno.h>

static void take_note(void *ctx, const char *text)
{
    put(ctx, "{%s}", text);
}

/* A perf file has no group numbers: all that matters is which events share a group. */
static unsigned group_of(const struct td_interval *v, size_t at)
{
    unsigned others = 0;
    size_t first = 0, i;

    if (v->uarch)
        return v->counts.c[at].group;
    while (v->counts.c[first].group != v->counts.c[at].group)
        first++;
    for (i = 0; i < first; i++) {
        size_t k = 0;

        while (v->counts.c[k].group != v->counts.c[i].group)
            k++;
        others += k == i;
    }
    return others;
}

/* Whether the log shows the metrics that were printed beside a count, as "#BITS". */
static bool show_printed;

/* The reader that goes without saying: the log begins with the name of any other, as "[NAME]". NULL: with none. */
static const struct td_reader *usual_reader;

/* Bit n: node n by a published formula; 15: another metric; 16 + n: node n by its plain name. */
static uint32_t bit_of(uint16_t hint)
{
    const unsigned bit = hint == TD_HINT_OTHER ? 15u : hint >= TD_HINT_PLAIN ? hint - TD_HINT_PLAIN + 16u : hint - 1u;

    return hint == TD_HINT_NONE ? 0 : UINT32_C(1) << bit;
}

static uint32_t bits_of(const struct td_hints *hints, uint32_t set)
{
    const uint16_t *hint = NULL;
    const size_t n = td_hints_members(hints, set, &hint);
    uint32_t bits = 0;

    for (size_t i = 0; i < n; i++)
        bits |= bit_of(hint[i]);
    return bits;
}

/* "TIME SCOPE CORE: NAME=VALUE@GROUP*COVERAGE ..." */
static void put_interval(struct log *l, const struct td_stream *s, const struct td_interval *v)
{
    put(l, v->at.has_time ? "%.3f" : "-", (double)v->at.time / 1e9);
    put(l, " %s %s%s%s%s:", v->at.scope, td_kind_name(v->at.scope_kind), v->core ? " " : "",
        v->core ? (char[]){v->core, 0} : "", v->counts.status ? " void" : "");
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_count *c = &v->counts.c[i];

        put(l, " %s=", s->texts.names[c->text]);
        if (c->status == TD_OK)
            put(l, "%.12g", c->value);
        else
            put(l, "%s", td_status_name(c->status));
        put(l, "@%u", group_of(v, i));
        if (c->running < c->enabled)
            put(l, "*%.3g", c->running / c->enabled);
        if (show_printed && c->printed)
            put(l, "#%x", (unsigned)bits_of(&s->hints, c->printed));
    }
    put(l, "\n");
}

/* by_libraries: see struct td_bytes. */
static void put_recording_by(struct log *l, struct source *from, bool by_libraries)
{
    static struct opened o;
    int err = open_recording(&o, from, NULL, take_note, l);
    const struct td_stream *s = &o.r->stream;

    o.r->bytes.by_libraries = by_libraries;
    if (usual_reader && o.r->reader && o.r->reader != usual_reader)
        put(l, "[%s]", o.r->reader->name);
    while (!err) {
        err = next_batch(&o);
        for (size_t i = 0; !err && i < s->nbatch; i++)
            if (s->batch[i].counts.n || s->batch[i].counts.status)
                put_interval(l, s, &s->batch[i]);
    }
    if (err != -ENODATA)
        put(l, "!%s", o.log.error);
    CU_ASSERT(err == -ENODATA || err == -EBADMSG || err == -EOPNOTSUPP || err == -EIO);
    close_recording(&o);
}

static void put_recording(struct log *l, struct source *from)
{
    put_recording_by(l, from, false);
}

struct recorded {
    const char *text, *wanted; /* after a ~ in wanted anything may follow */
};

__attribute__((unused)) static void read_all(const struct recorded *all)
{
    for (; all->text; all++)
        for (size_t piece = 1; piece <= strlen(all->text) + 1; piece += 1 + piece / 8) {
            struct source s = {all->text, strlen(all->text), piece, 0};
            size_t n = strcspn(all->wanted, "~");
            struct log l = {.n = 0};

            put_recording(&l, &s);
            if (all->wanted[n] && strlen(l.text) > n)
                memcpy(l.text + n, "~", 2);
            if (!same_log(&l, all->wanted, piece))
                break;
        }
}

#endif
