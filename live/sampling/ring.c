/* SPDX-License-Identifier: MIT */
#include "live/sampling/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, RECORD_MAX = 1 << 16 };

int td_ring_map(struct td_ring *r, const struct td_os *os, int fd, size_t pages)
{
    void *at = NULL;
    int err;

    *r = (struct td_ring){.size = (pages + 1) * PAGE, .bounce = malloc(RECORD_MAX)};
    err = r->bounce ? os->map(os->ctx, fd, r->size, &at) : -ENOMEM;
    r->page = at;
    if (err) {
        free(r->bounce);
        r->bounce = NULL;
    }
    return err;
}

void td_ring_unmap(struct td_ring *r, const struct td_os *os)
{
    if (r->page)
        os->unmap(os->ctx, r->page, r->size);
    free(r->bounce);
    *r = (struct td_ring){.page = NULL};
}

/* The bytes from a position on, in one piece: copied where the ring's end is among them. */
static const void *piece(const struct td_ring *r, uint64_t at, size_t n)
{
    const unsigned char *data = (const unsigned char *)r->page + PAGE;
    const size_t size = r->size - PAGE, from = at % size, front = size - from;

    if (n <= front)
        return data + from;
    memcpy(r->bounce, data + from, front);
    memcpy(r->bounce + front, data, n - front);
    return r->bounce;
}

int td_ring_take(struct td_ring *r, td_ring_fn *fn, void *ctx)
{
    const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = r->page->data_tail;
    int err = 0;

    while (!err && tail < head) {
        struct perf_event_header h;

        memcpy(&h, piece(r, tail, sizeof(h)), sizeof(h));
        if (h.size < sizeof(h) || h.size % 8 || h.size > head - tail)
            return -EBADMSG;
        err = fn(ctx, piece(r, tail, h.size));
        tail += h.size;
    }
    __atomic_store_n(&r->page->data_tail, tail, __ATOMIC_RELEASE);
    return err;
}
