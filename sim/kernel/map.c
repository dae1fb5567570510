/* SPDX-License-Identifier: MIT */
/* mmap(2) of events, their first page only or with a ring, and of zeroed memory. */
#include "sim/kernel/perf_calls.h"

#include "sim/kernel/clock.h"
#include "sim/kernel/count.h"
#include "sim/kernel/group.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"
#include "sim/kernel/ring.h"
#include "sim/kernel/trap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = TD_SIM_PAGE };

static struct td_sim_page *page_new(struct td_sim *s, struct td_sim_event *e, size_t size)
{
    struct td_sim_page *p = calloc(1, sizeof(*p));
    size_t whole = (size + ALIGN - 1) / ALIGN * ALIGN;

    if (!p)
        return NULL;
    p->at = aligned_alloc(ALIGN, whole);
    if (!p->at) {
        free(p);
        return NULL;
    }
    memset(p->at, 0, whole);
    p->size = size;
    if (e && size > TD_SIM_PAGE) /* ring_buffer_init() */
        p->watermark = e->watermark && e->watermark < size - TD_SIM_PAGE ? e->watermark : (size - TD_SIM_PAGE) / 2;
    p->event = e;
    p->link = s->pages;
    s->pages = p;
    return p;
}

static void page_free(struct td_sim *s, struct td_sim_page *p)
{
    struct td_sim_page **at = &s->pages;

    while (*at != p)
        at = &(*at)->link;
    *at = p->link;
    free(p->at);
    free(p);
}

/* Fills in what never changes of a page: perf_event_init_userpage(). */
static void page_init(struct td_sim_event *e)
{
    struct perf_event_mmap_page *p = e->page->at;

    p->cap_bit0_is_deprecated = 1;
    p->cap_user_rdpmc = e->readable;
    p->pmc_width = (uint16_t)e->width;
    p->size = offsetof(struct perf_event_mmap_page, __reserved);
    p->data_offset = TD_SIM_PAGE;
    p->data_size = e->page->size - TD_SIM_PAGE;
}

/* A ring of 2^n pages follows the first page. */
static bool has_ring(const struct td_sim_page *p)
{
    return p->size > TD_SIM_PAGE;
}

static bool size_valid(size_t size)
{
    const size_t pages = size / TD_SIM_PAGE;

    if (size <= TD_SIM_PAGE)
        return size >= sizeof(struct perf_event_mmap_page);
    return !(size % TD_SIM_PAGE) && !((pages - 1) & (pages - 2));
}

static int map_event(struct td_sim *s, struct td_sim_event *e, size_t size)
{
    int err;

    if (!size_valid(size) || (e->inherit && e->cpu < 0) || (e->page && e->page->size != size) || e->output)
        return -EINVAL;
    if (e->page)
        return 0;
    err = size > TD_SIM_PAGE ? 0 : td_sim_trap_on(s);
    if (err)
        return err;
    e->page = page_new(s, e, size);
    if (!e->page) {
        if (size <= TD_SIM_PAGE)
            td_sim_trap_off(s);
        return -ENOMEM;
    }
    page_init(e);
    return 0;
}

int td_sim_os_map(void *ctx, int fd, size_t size, void **out)
{
    struct td_sim *s = ctx;
    struct td_sim_event *e = fd < 0 ? NULL : td_sim_fd_event(&s->fds, fd);
    struct td_sim_page *p;
    int err;

    if (fd < 0) {
        p = size ? page_new(s, NULL, size) : NULL;
        if (!p)
            return size ? -ENOMEM : -EINVAL;
        *out = p->at;
        return 0;
    }
    if (!e)
        return td_sim_fd_find(&s->fds, fd) ? -ENODEV : -EBADF;
    td_sim_call(s);
    err = map_event(s, e, size);
    if (err)
        return err;
    e->page->maps++;
    if (!has_ring(e->page)) /* otherwise it is mapped for its records */
        td_sim_self_settle(s);
    td_sim_pages_sync(s);
    td_sim_event_time(s, e);
    td_sim_page_update(s, e);
    *out = e->page->at;
    return 0;
}

void td_sim_os_unmap(void *ctx, void *at, size_t size)
{
    struct td_sim *s = ctx;
    struct td_sim_page *p = s->pages;
    struct td_sim_event *e;
    bool ring;

    (void)size;
    while (p && p->at != at)
        p = p->link;
    if (!p || (p->event && --p->maps))
        return;
    e = p->event;
    ring = has_ring(p);
    page_free(s, p);
    if (!e)
        return;
    if (!ring)
        td_sim_trap_off(s);
    e->page = NULL;
    if (e->fd < 0)
        td_sim_event_end(s, e);
}

int td_sim_os_rings(void *ctx)
{
    struct td_sim *s = ctx;

    return td_sim_fd_open(&s->fds, &(struct td_sim_fd){.what = TD_SIM_FD_RINGS});
}

int td_sim_os_rings_add(void *ctx, int rings, int fd)
{
    struct td_sim *s = ctx;
    const struct td_sim_fd *set = td_sim_fd_find(&s->fds, rings);
    struct td_sim_event *e = td_sim_fd_event(&s->fds, fd);

    if (!set || !e)
        return -EBADF;
    if (set->what != TD_SIM_FD_RINGS)
        return -EINVAL;
    e->rings = rings;
    return 0;
}

unsigned long td_sim_pages_mapped(const struct td_sim *s)
{
    unsigned long n = 0;

    for (const struct td_sim_page *p = s->pages; p; p = p->link)
        n++;
    return n;
}

void td_sim_pages_free(struct td_sim *s)
{
    while (s->pages) {
        struct td_sim_event *e = s->pages->event;
        const bool ring = has_ring(s->pages);

        page_free(s, s->pages);
        if (!e)
            continue;
        if (!ring)
            td_sim_trap_off(s);
        if (e->fd < 0)
            td_sim_event_free(e);
    }
}
