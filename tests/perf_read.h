/* SPDX-License-Identifier: MIT */
/* What was read of a perf.data in memory. */
#ifndef PERF_READ_H
#define PERF_READ_H

#include "perf_file.h"
#include "pieces.h"

static void take_note(void *ctx, const char *text)
{
    put(ctx, "{%s}", text);
}

struct reading {
    struct log all, numbers; /* numbers: without names and messages */
    struct td_machine machine;
    int err, smt;
    double sum; /* of all counts */
};

static void put_interval(struct reading *g, const struct td_recording *r, const struct td_interval *v)
{
    put(&g->all, v->has_time ? "%.3f" : "-", (double)v->time / 1e9);
    put(&g->all, " %s %s%s%c:", v->scope, v->scope_kind, v->core ? " " : "", v->core ? v->core : ' ');
    put(&g->numbers, "%.9f %s", (double)v->time / 1e9, v->scope);
    for (size_t i = 0; i < v->counts.n; i++) {
        const struct td_count *c = &v->counts.c[i];
        const char *status = td_status_name(c->status);

        put(&g->all, c->status ? " %s=%s" : " %s=", r->texts.names[c->text], status);
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

static void read_bytes(struct reading *g, const void *bytes, size_t n, size_t piece, const struct td_machine *asked)
{
    static struct td_recording r;
    struct source s = {bytes, n, piece, 0};

    memset(&r, 0, sizeof(r));
    memset(g, 0, sizeof(*g));
    r.name = "f";
    r.note = take_note;
    r.note_ctx = &g->all;
    g->err = td_recording_open(&r, source_read, &s, asked);
    while (!g->err) {
        g->err = r.reader->next(&r);
        for (size_t i = 0; !g->err && i < r.nbatch; i++)
            put_interval(g, &r, &r.batch[i]);
    }
    if (g->err != -ENODATA) {
        put(&g->all, "!%s", r.why);
        CU_ASSERT(g->err == -EBADMSG || g->err == -EOPNOTSUPP);
        CU_ASSERT(r.why[0]);
    }
    g->machine = r.machine;
    g->smt = (int)r.smt;
    td_recording_close(&r);
}

/* behind a ~ in wanted anything may follow */
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
