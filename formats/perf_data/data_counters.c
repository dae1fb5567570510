/* SPDX-License-Identifier: MIT */
/* perf.data: counters by their ids, in a sorted array: a file may choose its ids to slow a hash down, but sorting costs
 * the same whatever they are. */
#include "formats/perf_data/perf_data.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    const struct td_perf_id *one = a, *other = b;

    if (one->id != other->id)
        return one->id < other->id ? -1 : 1;
    return one->counter < other->counter ? -1 : 1; /* they differ */
}

/* The first counter of the file with the id of an earlier one; NULL: there is none. */
static const struct td_perf_id *find_twin(const struct td_perf_data *p)
{
    const struct td_perf_id *first = NULL;

    for (size_t i = 1; i < p->ncounters; i++)
        if (p->by_id[i].id == p->by_id[i - 1].id && (!first || p->by_id[i].counter < first->counter))
            first = &p->by_id[i];
    return first;
}

int td_perf_data_index(struct td_recording *r)
{
    struct td_perf_data *p = td_perf_data_of(r);
    const struct td_perf_id *twin;

    p->by_id = calloc(p->ncounters + 1, sizeof(*p->by_id));
    if (!p->by_id)
        return td_log_no_memory(r->log);
    for (size_t i = 0; i < p->ncounters; i++)
        p->by_id[i] = (struct td_perf_id){p->counter[i].id, (uint32_t)i};
    qsort(p->by_id, p->ncounters, sizeof(*p->by_id), by_id);
    twin = find_twin(p);
    return twin ? td_recording_bad(r, "perf.data: two counters have the id %llu", (unsigned long long)twin->id) : 0;
}

struct td_perf_counter *td_perf_data_find(const struct td_perf_data *p, uint64_t id)
{
    size_t from = 0, to = p->ncounters;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (p->by_id[middle].id < id)
            from = middle + 1;
        else
            to = middle;
    }
    return from < p->ncounters && p->by_id[from].id == id ? &p->counter[p->by_id[from].counter] : NULL;
}

struct td_perf_counter *td_perf_data_follow(struct td_perf_data *p, uint64_t id)
{
    struct td_perf_counter *c = &p->counter[p->counter[p->last].follower];

    if (c->id != id) {
        c = td_perf_data_find(p, id);
        if (!c)
            return NULL;
        p->counter[p->last].follower = (uint32_t)(c - p->counter);
    }
    p->last = (size_t)(c - p->counter);
    return c;
}
