/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_order.h"

#include "util/room.h"

struct kept {
    uint64_t time, at;
    uint64_t number; /* in the file's order, which decides among equal times */
    union {
        size_t offset; /* in td_perf_order.bytes */
        const unsigned char *at;
    } where;
    uint32_t type, n;
    uint16_t misc;
    bool copied;
};

struct td_perf_order {
    struct kept *kept;
    size_t n, room;
    size_t taken; /* how many were given, of those that are ready */
    size_t ready; /* the first so many can be given: no later record comes before them */
    struct bytes {
        unsigned char *at;
        size_t n, room;
    } bytes, spare;
    uint64_t most; /* the latest time so far */
    uint64_t limit; /* the latest time of the passes before this one */
    uint64_t number;
    bool mixed; /* some record of those that are kept may be before one that came earlier */
};

static int compare(const void *a, const void *b)
{
    const struct kept *one = a, *other = b;

    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    return one->number < other->number ? -1 : 1; /* they differ */
}

static void sort(struct td_perf_order *o)
{
    if (o->mixed)
        qsort(o->kept, o->n, sizeof(*o->kept), compare);
    o->mixed = false;
}

/* Removes the records that were given, and their bytes. */
static int forget(struct td_perf_order *o)
{
    struct bytes *to = &o->spare, from = o->bytes;

    if (!o->ready)
        return 0;
    if (td_room(&to->at, &to->room, from.n, 1))
        return -ENOMEM;
    to->n = 0;
    o->n -= o->ready;
    memmove(o->kept, o->kept + o->ready, o->n * sizeof(*o->kept));
    for (size_t i = 0; i < o->n; i++) {
        if (!o->kept[i].copied)
            continue;
        memcpy(to->at + to->n, from.at + o->kept[i].where.offset, o->kept[i].n);
        o->kept[i].where.offset = to->n;
        to->n += o->kept[i].n;
    }
    o->bytes = *to;
    o->spare = from;
    o->taken = o->ready = 0;
    return 0;
}

static void give_up_to(struct td_perf_order *o, uint64_t limit)
{
    sort(o);
    while (o->ready < o->n && o->kept[o->ready].time <= limit)
        o->ready++;
}

int td_perf_order_round(struct td_perf_order *o, bool last)
{
    int err = forget(o);

    give_up_to(o, last ? UINT64_MAX : o->limit);
    o->limit = o->most;
    return err;
}

static int copy(struct td_perf_order *o, struct kept *k, const unsigned char *from)
{
    if (td_room(&o->bytes.at, &o->bytes.room, o->bytes.n + k->n, 1))
        return -ENOMEM;
    memcpy(o->bytes.at + o->bytes.n, from, k->n);
    k->where.offset = o->bytes.n;
    k->copied = true;
    o->bytes.n += k->n;
    return 0;
}

int td_perf_order_add(struct td_perf_order *o, const struct td_perf_record *r, bool stays)
{
    struct kept *k;

    if (forget(o) || td_room(&o->kept, &o->room, o->n + 1, sizeof(*o->kept)))
        return -ENOMEM;
    k = &o->kept[o->n++];
    *k = (struct kept){.time = r->time,
                       .at = r->at,
                       .number = o->number++,
                       .where.at = r->v.at,
                       .type = r->type,
                       .n = (uint32_t)r->v.n,
                       .misc = r->misc};
    if (!stays && copy(o, k, r->v.at)) {
        o->n--;
        return -ENOMEM;
    }
    o->mixed = o->mixed || r->time < o->most;
    o->most = r->time > o->most ? r->time : o->most;
    if (o->bytes.n > TD_PERF_ORDER_MAX)
        give_up_to(o, o->limit);
    if (o->bytes.n > TD_PERF_ORDER_MAX && o->ready < o->n / 2)
        give_up_to(o, UINT64_MAX);
    return 0;
}

bool td_perf_order_take(struct td_perf_order *o, struct td_perf_record *out)
{
    const struct kept *k;

    if (o->taken == o->ready)
        return false;
    k = &o->kept[o->taken];
    *out = (struct td_perf_record){
        k->time, k->at, k->type, k->misc, {k->copied ? o->bytes.at + k->where.offset : k->where.at, k->n}};
    o->taken++;
    return true;
}

struct td_perf_order *td_perf_order_new(void)
{
    return calloc(1, sizeof(struct td_perf_order));
}

void td_perf_order_end(struct td_perf_order *o)
{
    free(o->kept);
    free(o->bytes.at);
    free(o->spare.at);
    *o = (struct td_perf_order){.n = 0};
}

void td_perf_order_free(struct td_perf_order *o)
{
    if (!o)
        return;
    td_perf_order_end(o);
    free(o);
}
