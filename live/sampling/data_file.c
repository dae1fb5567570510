/* SPDX-License-Identifier: MIT */
#include "live/sampling/data_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 104, ALIGN = 64, IDS_USUAL = 128 };

/* ---- bytes ------------------------------------------------------------------------------------- */

void td_data_put(struct td_data_bytes *b, const void *from, size_t n)
{
    if (b->n + n > b->room) {
        const size_t room = 2 * (b->n + n);
        unsigned char *grown = realloc(b->at, room);

        b->failed = b->failed || !grown;
        if (!grown)
            return;
        b->at = grown;
        b->room = room;
    }
    if (n)
        memcpy(b->at + b->n, from, n);
    b->n += n;
}

void td_data_put32(struct td_data_bytes *b, uint32_t value)
{
    td_data_put(b, &value, sizeof(value));
}

void td_data_put64(struct td_data_bytes *b, uint64_t value)
{
    td_data_put(b, &value, sizeof(value));
}

void td_data_put_text(struct td_data_bytes *b, const char *text)
{
    static const char zeros[ALIGN];
    const size_t n = strlen(text) + 1, size = (n + ALIGN - 1) / ALIGN * ALIGN;

    td_data_put32(b, (uint32_t)size);
    td_data_put(b, text, n);
    td_data_put(b, zeros, size - n);
}

/* ---- the front ----------------------------------------------------------------------------------- */

static uint64_t front_ids_at(const struct td_data_file *f, size_t event)
{
    return HEADER + f->nevents * (sizeof(struct perf_event_attr) + 16) + event * f->ids * 8;
}

static uint64_t ids_at(const struct td_data_file *f, size_t event)
{
    uint64_t at = f->ids_after;

    for (size_t i = 0; at && i < event; i++)
        at += f->event[i].nids * 8;
    return at ? at : front_ids_at(f, event);
}

static uint64_t records_at(const struct td_data_file *f)
{
    return front_ids_at(f, f->nevents);
}

/* Writes struct perf_file_header, the events with the places of their ids, and the ids. end: where the records end; 0:
 * not known yet. */
static int write_front(struct td_data_file *f, uint64_t end, const unsigned char features[TD_DATA_FEATURES / 8])
{
    const uint64_t size = sizeof(struct perf_event_attr) + 16, none = 0;
    struct td_data_bytes b = {.n = 0};
    int err;

    td_data_put(&b, "PERFILE2", 8);
    td_data_put64(&b, HEADER);
    td_data_put64(&b, size);
    td_data_put64(&b, HEADER);
    td_data_put64(&b, f->nevents * size);
    td_data_put64(&b, records_at(f));
    td_data_put64(&b, end ? end - records_at(f) : 0);
    td_data_put64(&b, 0);
    td_data_put64(&b, 0);
    td_data_put(&b, features, TD_DATA_FEATURES / 8);
    for (size_t i = 0; i < f->nevents; i++) {
        td_data_put(&b, f->event[i].attr, sizeof(struct perf_event_attr));
        td_data_put64(&b, ids_at(f, i));
        td_data_put64(&b, f->event[i].nids * 8);
    }
    for (size_t i = 0; i < f->nevents; i++)
        for (size_t k = 0; k < f->ids; k++)
            td_data_put(&b, k < f->event[i].nids && !f->ids_after ? &f->event[i].id[k] : &none, 8);
    err = b.failed ? -ENOMEM : f->write(f->ctx, 0, b.at, b.n);
    free(b.at);
    return err;
}

/* How many events a kind has: those of the group, and the one in no group. */
static size_t events_of(const struct td_sampled_kind *k)
{
    return k->n + k->tells;
}

int td_data_begin(struct td_data_file *f, const struct td_sampled_kind *kind, size_t nkinds, size_t most)
{
    static const unsigned char none[TD_DATA_FEATURES / 8];
    size_t n = 0;

    for (size_t k = 0; k < nkinds; k++)
        n += events_of(&kind[k]);
    f->event = calloc(n, sizeof(*f->event));
    f->most = most;
    f->ids = most < IDS_USUAL ? most : IDS_USUAL;
    for (size_t k = 0; f->event && k < nkinds; k++)
        for (size_t i = 0; i < events_of(&kind[k]); i++) {
            struct td_data_event *e = &f->event[f->nevents];

            *e = (struct td_data_event){.attr = &kind[k].event[i].attr,
                                        .name = kind[k].event[i].name,
                                        .leader = (uint32_t)(i < kind[k].n ? f->nevents - i : f->nevents),
                                        .members = i ? 0 : (uint32_t)kind[k].n,
                                        .id = calloc(most, 8)};
            f->nevents++;
            if (!e->id)
                return f->err = -ENOMEM;
        }
    if (!f->event)
        return f->err = -ENOMEM;
    f->err = write_front(f, 0, none);
    f->at = records_at(f);
    return f->err;
}

int td_data_ids(struct td_data_file *f, const struct td_sampled_kind *first, const struct td_sampled *g)
{
    struct td_data_event *e = f->event;

    for (const struct td_sampled_kind *k = first; k != g->kind; k++)
        e += events_of(k);
    if (e->nids == f->most)
        return -ENOSPC;
    for (size_t i = 0; i < g->n; i++)
        e[i].id[e[i].nids++] = g->id[i];
    if (g->kind->tells)
        e[g->n].id[e[g->n].nids++] = g->teller_id;
    return 0;
}

int td_data_add(struct td_data_file *f, const void *bytes, size_t n)
{
    if (!f->err)
        f->err = f->write(f->ctx, f->at, bytes, n);
    f->at += n;
    return f->err;
}

/* Adds the ids after the features, if there are more than had room before the records. */
static void add_ids(struct td_data_file *f)
{
    size_t most = 0;

    for (size_t i = 0; i < f->nevents; i++)
        most = f->event[i].nids > most ? f->event[i].nids : most;
    if (most <= f->ids)
        return;
    f->ids_after = f->at;
    for (size_t i = 0; i < f->nevents; i++)
        td_data_add(f, f->event[i].id, f->event[i].nids * 8);
}

/* The table of features comes after the records, and after it what it points to. */
int td_data_end(struct td_data_file *f, const struct td_data_bytes feature[TD_DATA_FEATURES])
{
    const uint64_t end = f->at;
    struct td_data_bytes table = {.n = 0};
    uint64_t at = end;
    unsigned char present[TD_DATA_FEATURES / 8] = {0};

    for (size_t i = 0; i < TD_DATA_FEATURES; i++)
        if (feature[i].n && !feature[i].failed) {
            present[i / 8] |= (unsigned char)(1u << i % 8);
            at += 16;
        }
    for (size_t i = 0; i < TD_DATA_FEATURES; i++)
        if (present[i / 8] >> i % 8 & 1) {
            td_data_put64(&table, at);
            td_data_put64(&table, feature[i].n);
            at += feature[i].n;
        }
    if (table.failed)
        f->err = f->err ? f->err : -ENOMEM;
    td_data_add(f, table.at, table.n);
    free(table.at);
    for (size_t i = 0; i < TD_DATA_FEATURES; i++)
        if (present[i / 8] >> i % 8 & 1)
            td_data_add(f, feature[i].at, feature[i].n);
    add_ids(f);
    if (!f->err)
        f->err = write_front(f, end, present);
    return f->err;
}

void td_data_free(struct td_data_file *f)
{
    for (size_t i = 0; i < f->nevents; i++)
        free(f->event[i].id);
    free(f->event);
    *f = (struct td_data_file){.event = NULL};
}
