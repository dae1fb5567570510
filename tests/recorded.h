/* SPDX-License-Identifier: MIT */
/* Recordings of any format through their readers, from bytes to intervals. Each
 * is read in pieces of 1, 2, 3, ... bytes and must give the same each time; what
 * it must give is written out by hand. */
#ifndef RECORDED_H
#define RECORDED_H

#include "pieces.h"
#include "recording.h"

#include <errno.h>

static void take_note(void *ctx, const char *text)
{
    put(ctx, "{%s}", text);
}

/* A perf file has no group numbers: what counts is which events share one. */
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

/* "TIME SCOPE CORE: NAME=VALUE@GROUP*COVERAGE ..." */
static void put_interval(struct log *l, const struct td_recording *r, const struct td_interval *v)
{
    put(l, v->has_time ? "%.3f" : "-", (double)v->time / 1e9);
    put(l, " %s %s%s%s%s:", v->scope, v->scope_kind, v->core ? " " : "", v->core ? (char[]){v->core, 0} : "", v->counts.status ? " void" : "");
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_count *c = &v->counts.c[i];

        put(l, " %s=", r->texts.names[c->text]);
        if (c->status == TD_OK)
            put(l, "%.12g", c->value);
        else
            put(l, "%s", td_status_name(c->status));
        put(l, "@%u", group_of(v, i));
        if (c->running < c->enabled)
            put(l, "*%.3g", c->running / c->enabled);
        if (show_printed && c->printed)
            put(l, "#%x", (unsigned)c->printed);
    }
    put(l, "\n");
}

static void put_recording(struct log *l, struct source *s)
{
    static struct td_recording r;
    int err;

    memset(&r, 0, sizeof(r));
    r.name = "f";
    r.note = take_note;
    r.note_ctx = l;
    err = td_recording_open(&r, source_read, s, NULL);
    while (!err) {
        err = r.reader->next(&r);
        for (size_t i = 0; !err && i < r.nbatch; i++)
            if (r.batch[i].counts.n || r.batch[i].counts.status)
                put_interval(l, &r, &r.batch[i]);
    }
    if (err != -ENODATA)
        put(l, "!%s", r.why);
    CU_ASSERT(err == -ENODATA || err == -EBADMSG || err == -EOPNOTSUPP || err == -EIO);
    td_recording_close(&r);
}

struct recorded {
    const char *text, *wanted; /* behind a ~ in wanted anything may follow */
};

static void read_all(const struct recorded *all)
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
