/* SPDX-License-Identifier: MIT */
#include "sim/kernel/ring.h"

#include "sim/kernel/kernel.h"
#include "sim/kernel/page.h"

#include <string.h>

uint64_t td_sim_time_on(const struct td_sim *s, unsigned cpu)
{
    return s->hw.cpu[s->hw.cpu[cpu].first].synced + TD_SIM_CLOCK_START;
}

static void put(struct td_sim_record *r, const void *from, size_t n)
{
    if (r->n + n > sizeof(r->at))
        return; /* paths and chains are shorter */
    memcpy(r->at + r->n, from, n);
    r->n += n;
}

void td_sim_record_begin(struct td_sim_record *r, uint32_t type, uint16_t misc)
{
    const struct perf_event_header h = {.type = type, .misc = misc};

    r->n = 0;
    put(r, &h, sizeof(h));
}

void td_sim_record_u32(struct td_sim_record *r, uint32_t value)
{
    put(r, &value, sizeof(value));
}

void td_sim_record_u64(struct td_sim_record *r, uint64_t value)
{
    put(r, &value, sizeof(value));
}

void td_sim_record_text(struct td_sim_record *r, const char *text)
{
    static const char zeros[8];
    const size_t n = strlen(text) + 1;

    put(r, text, n);
    put(r, zeros, (8 - n % 8) % 8);
}

void td_sim_record_who(const struct td_sim *s, const struct td_sim_event *e, unsigned cpu, struct td_sim_record *r)
{
    const struct td_sim_task *t = s->tasks.on[cpu];
    const uint64_t type = e->sampler.type;

    if (type & PERF_SAMPLE_TID) {
        td_sim_record_u32(r, t ? (uint32_t)t->pid : 0);
        td_sim_record_u32(r, t ? (uint32_t)t->tid : 0);
    }
    if (type & PERF_SAMPLE_TIME)
        td_sim_record_u64(r, td_sim_time_on(s, cpu));
    if (type & PERF_SAMPLE_ID)
        td_sim_record_u64(r, td_sim_event_id(e));
    if (type & PERF_SAMPLE_STREAM_ID)
        td_sim_record_u64(r, e->id);
    if (type & PERF_SAMPLE_CPU)
        td_sim_record_u64(r, cpu);
}

void td_sim_record_ids(const struct td_sim *s, const struct td_sim_event *e, unsigned cpu, struct td_sim_record *r)
{
    if (!e->id_all)
        return;
    td_sim_record_who(s, e, cpu, r);
    if (e->sampler.type & PERF_SAMPLE_IDENTIFIER)
        td_sim_record_u64(r, td_sim_event_id(e));
}

/* The page whose ring takes the event's records. Those of heirs go to the event that was opened:
 * __perf_output_begin(). */
static struct td_sim_page *page_of(const struct td_sim_event *e)
{
    const struct td_sim_event *opened = e->parent ? e->parent : e;
    struct td_sim_page *p = opened->output ? opened->output->page : opened->page;

    return p && p->size > TD_SIM_PAGE ? p : NULL;
}

bool td_sim_ring_has(const struct td_sim_event *e)
{
    return page_of(e) != NULL;
}

/* Copies bytes to the ring, whose end may be among them. */
static void copy(struct td_sim_page *p, const unsigned char *from, size_t n)
{
    unsigned char *data = (unsigned char *)p->at + TD_SIM_PAGE;
    const size_t size = p->size - TD_SIM_PAGE;

    for (size_t i = 0; i < n; i++)
        data[(p->head + i) % size] = from[i];
    p->head += n;
}

static void close_record(struct td_sim_record *r)
{
    struct perf_event_header h;

    memcpy(&h, r->at, sizeof(h));
    h.size = (uint16_t)r->n;
    memcpy(r->at, &h, sizeof(h));
}

static void lost_record(const struct td_sim *s, const struct td_sim_event *e, unsigned cpu, uint64_t lost,
                        struct td_sim_record *r)
{
    td_sim_record_begin(r, PERF_RECORD_LOST, 0);
    td_sim_record_u64(r, td_sim_event_id(e));
    td_sim_record_u64(r, lost);
    td_sim_record_ids(s, e, cpu, r);
    close_record(r);
}

/* Wakes readers after each so many bytes, and after each so many samples of an event: __perf_output_begin(),
 * perf_output_sample(). */
static void wake(struct td_sim_page *p, const struct td_sim_event *e, const struct td_sim_record *r)
{
    struct perf_event_header h;

    memcpy(&h, r->at, sizeof(h));
    if (p->head - p->woken_at > p->watermark) {
        p->woken_at += p->watermark;
        p->woken = true;
    }
    if (h.type == PERF_RECORD_SAMPLE && e->wakes_after && ++p->samples >= e->wakes_after) {
        p->samples = 0;
        p->woken = true;
    }
}

bool td_sim_ring_woken(const struct td_sim_event *e)
{
    struct td_sim_page *p = page_of(e);
    const bool woken = p && p->woken;

    if (woken)
        p->woken = false;
    return woken || (e->state == TD_SIM_EXIT && !e->heirs); /* is_event_hup() */
}

void td_sim_ring_put(struct td_sim *s, const struct td_sim_event *e, unsigned cpu, struct td_sim_record *r)
{
    struct td_sim_page *p = page_of(e);
    struct td_sim_record lost = {.n = 0};
    uint64_t used;

    if (!p)
        return;
    close_record(r);
    if (p->lost)
        lost_record(s, e, cpu, p->lost, &lost);
    used = p->head - __atomic_load_n(&p->at->data_tail, __ATOMIC_ACQUIRE);
    if (used >= p->size - TD_SIM_PAGE || lost.n + r->n >= p->size - TD_SIM_PAGE - used) {
        p->lost++;
        return;
    }
    copy(p, lost.at, lost.n);
    copy(p, r->at, r->n);
    p->lost = 0;
    wake(p, e, r);
    __atomic_store_n(&p->at->data_head, p->head, __ATOMIC_RELEASE);
}
