/* SPDX-License-Identifier: MIT */
/* What was read from a perf.data in memory. */
#ifndef PERF_READ_H
#define PERF_READ_H

#include "tests/support/perf_file.h"
#include "tests/support/open_recording.h"
#include "tests/support/pieces.h"

static void take_note(void *ctx, const char *text)
{
    put(ctx, "{%s}", text);
}

struct reading {
    struct log all, numbers; /* numbers: without names and messages */
    struct td_identity identity;
    int err, smt;
    double sum; /* of all counts */
};

static void put_interval(struct reading *g, const struct td_stream *s, const struct td_interval *v)
{
    put(&g->all, v->at.has_time ? "%.3f" : "-", (double)v->at.time / 1e9);
    put(&g->all, " %s %s%s%c:", v->at.scope, td_kind_name(v->at.scope_kind), v->core ? " " : "",
        v->core ? v->core : ' ');
    put(&g->numbers, "%.9f %s", (double)v->at.time / 1e9, v->at.scope);
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_count *c = &v->counts.c[i];
        const char *status = td_status_name(c->status);

        put(&g->all, c->status ? " %s=%s" : " %s=", s->texts.names[c->text], status);
        g->sum += c->value;
        if (!c->status)
            put(&g->all, "%.12g", c->value);
        put(&g->numbers, c->status ? " %s" : " %s%.12g", c->status ? status : "", c->value);
        if (c->running < c->enabled)
            put(&g->all, "*%.3g", c->running / c->enabled);
    }
    put(&g->all, "\n");
    put(&g->numbers, "\n");
}

static void read_bytes(struct reading *g, const void *bytes, size_t n, size_t piece, const struct td_identity *asked)
{
    static struct opened o;
    const struct td_stream *s;
    struct source from = {bytes, n, piece, 0};

    memset(g, 0, sizeof(*g));
    g->err = open_recording(&o, &from, asked, take_note, &g->all);
    s = &o.r->stream;
    while (!g->err) {
        g->err = next_batch(&o);
        for (size_t i = 0; !g->err && i < s->nbatch; i++)
            put_interval(g, s, &s->batch[i]);
    }
    if (g->err != -ENODATA) {
        put(&g->all, "!%s", o.log.error);
        CU_ASSERT(g->err == -EBADMSG || g->err == -EOPNOTSUPP);
        CU_ASSERT(o.log.error[0]);
    }
    g->identity = s->identity;
    g->smt = (int)s->smt;
    close_recording(&o);
}

/* after a ~ in wanted anything may follow */
static void gives(const struct file *f, const char *wanted)
{
    static struct reading g;
    size_t n = strcspn(wanted, "~");

    for (size_t piece = 1; piece < 3 * f->n; piece += 1 + piece / 2) {
        read_bytes(&g, f->b, f->n, piece, NULL);
        if (wanted[n] && strlen(g.all.text) > n)
            memcpy(g.all.text + n, "~", 2);
        if (!same_log(&g.all, wanted, piece))
            return;
    }
}

#endif
