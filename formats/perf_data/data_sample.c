/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_sample.h"

/* enum perf_branch_sample_type, and struct perf_branch_entry */
enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19, BRANCH_SIZE = 24 };

static bool take_pair(struct td_perf_view *v, uint32_t *first, uint32_t *second)
{
    return td_perf_u32(v, first) && td_perf_u32(v, second);
}

/* Takes the fields before READ. */
static bool take_front(const struct td_perf_data_event *e, struct td_perf_view *v, struct td_perf_sample *s)
{
    const uint64_t type = e->sample_type;
    uint64_t ignored;
    uint32_t reserved;
    bool good = true;

    if (type & TD_SAMPLE_IDENTIFIER)
        good = td_perf_u64(v, &s->id);
    if (type & TD_SAMPLE_IP)
        good = good && td_perf_u64(v, &s->ip);
    if (type & TD_SAMPLE_TID)
        good = good && take_pair(v, &s->pid, &s->tid);
    if (type & TD_SAMPLE_TIME)
        good = good && td_perf_u64(v, &s->time);
    if (type & TD_SAMPLE_ADDR)
        good = good && td_perf_u64(v, &ignored);
    if (type & TD_SAMPLE_ID)
        good = good && td_perf_u64(v, &s->id);
    if (type & TD_SAMPLE_STREAM_ID)
        good = good && td_perf_u64(v, &ignored);
    if (type & TD_SAMPLE_CPU)
        good = good && take_pair(v, &s->cpu, &reserved);
    if (type & TD_SAMPLE_PERIOD)
        good = good && td_perf_u64(v, &ignored);
    return good;
}

static size_t value_size(const struct td_perf_data_event *e)
{
    return 8u * (1u + !!(e->read_format & TD_READ_ID) + !!(e->read_format & TD_READ_LOST));
}

/* Takes the field READ: for one counter the times come after the value, for a group before the values. */
static bool take_values(const struct td_perf_data_event *e, struct td_perf_view *v, struct td_perf_sample *s)
{
    const bool group = e->read_format & TD_READ_GROUP;
    bool good = td_perf_u64(v, &s->nvalues); /* for one counter this is its value */

    if (e->read_format & TD_READ_ENABLED)
        good = good && td_perf_u64(v, &s->enabled);
    if (e->read_format & TD_READ_RUNNING)
        good = good && td_perf_u64(v, &s->running);
    if (group)
        return good && s->nvalues <= v->n / value_size(e) && td_perf_part(v, s->nvalues * value_size(e), &s->values);
    s->nvalues = 0; /* a single value says nothing about slots */
    return good && td_perf_part(v, value_size(e) - 8, &s->values);
}

/* Takes an array, whose length in units comes first. */
static bool take_array(struct td_perf_view *v, size_t unit, struct td_perf_view *out)
{
    uint64_t n;

    return td_perf_u64(v, &n) && n <= v->n / unit && td_perf_part(v, n * unit, out);
}

static bool skip_raw(struct td_perf_view *v)
{
    struct td_perf_view ignored;
    uint32_t size;

    return td_perf_u32(v, &size) && td_perf_part(v, size, &ignored);
}

static bool skip_branches(const struct td_perf_data_event *e, struct td_perf_view *v)
{
    struct td_perf_view ignored;
    uint64_t n, index;
    bool good = td_perf_u64(v, &n);

    if (e->branch_type & BRANCH_HW_INDEX)
        good = good && td_perf_u64(v, &index);
    good = good && n <= v->n / BRANCH_SIZE && td_perf_part(v, n * BRANCH_SIZE, &ignored);
    if (e->branch_type & BRANCH_COUNTERS)
        good = good && td_perf_part(v, n * 8, &ignored); /* n is small: so many entries were there */
    return good;
}

/* Skips the registers that mask names, which are there if the ABI before them is not 0. */
static bool skip_registers(struct td_perf_view *v, uint64_t mask)
{
    struct td_perf_view ignored;
    uint64_t abi;

    if (!td_perf_u64(v, &abi))
        return false;
    return !abi || td_perf_part(v, 8 * (uint64_t)__builtin_popcountll(mask), &ignored);
}

/* Skips a copy of the stack, and after it how much of that is used. */
static bool skip_stack(struct td_perf_view *v)
{
    struct td_perf_view stack;
    uint64_t used;

    return take_array(v, 1, &stack) && (!stack.n || td_perf_u64(v, &used));
}

static bool skip_words(struct td_perf_view *v, uint64_t type, uint64_t mask)
{
    struct td_perf_view ignored;

    return td_perf_part(v, 8 * (uint64_t)__builtin_popcountll(type & mask), &ignored);
}

/* Takes the fields after READ. */
static bool take_rest(const struct td_perf_data_event *e, struct td_perf_view v, struct td_perf_sample *s)
{
    const uint64_t type = e->sample_type;
    struct td_perf_view ignored;
    bool good = true;

    if (type & TD_SAMPLE_CALLCHAIN)
        good = take_array(&v, 8, &s->chain);
    if (type & TD_SAMPLE_RAW)
        good = good && skip_raw(&v);
    if (type & TD_SAMPLE_BRANCH_STACK)
        good = good && skip_branches(e, &v);
    if (type & TD_SAMPLE_REGS_USER)
        good = good && skip_registers(&v, e->regs_user);
    if (type & TD_SAMPLE_STACK_USER)
        good = good && skip_stack(&v);
    good = good && skip_words(&v, type,
                              TD_SAMPLE_WEIGHT | TD_SAMPLE_WEIGHT_STRUCT | TD_SAMPLE_DATA_SRC | TD_SAMPLE_TRANSACTION);
    if (type & TD_SAMPLE_REGS_INTR)
        good = good && skip_registers(&v, e->regs_intr);
    good = good && skip_words(&v, type, TD_SAMPLE_PHYS_ADDR);
    if (type & TD_SAMPLE_CGROUP)
        good = good && td_perf_u64(&v, &s->cgroup);
    good = good && skip_words(&v, type, TD_SAMPLE_DATA_PAGE_SIZE | TD_SAMPLE_CODE_PAGE_SIZE);
    return good && (!(type & TD_SAMPLE_AUX) || take_array(&v, 1, &ignored));
}

bool td_perf_sample_read(const struct td_perf_data_event *e, struct td_perf_view v, struct td_perf_sample *out)
{
    *out = (struct td_perf_sample){.id = 0};
    if (!take_front(e, &v, out))
        return false;
    if (e->sample_type & TD_SAMPLE_READ && !take_values(e, &v, out))
        return false;
    return take_rest(e, v, out);
}

bool td_perf_sample_id(const struct td_perf_data_event *e, struct td_perf_view v, uint64_t *out)
{
    struct td_perf_sample s = {.id = 0};

    if (e->sample_type & TD_SAMPLE_IDENTIFIER)
        return td_perf_u64(&v, out);
    if (!(e->sample_type & TD_SAMPLE_ID) || !take_front(e, &v, &s))
        return false;
    *out = s.id;
    return true;
}

uint64_t td_perf_sample_time(const struct td_perf_data_event *e, struct td_perf_view v)
{
    uint64_t time = 0;

    if (e->sample_type & TD_SAMPLE_TIME &&
        skip_words(&v, e->sample_type, TD_SAMPLE_IDENTIFIER | TD_SAMPLE_IP | TD_SAMPLE_TID))
        td_perf_u64(&v, &time);
    return time;
}

bool td_perf_value(const struct td_perf_data_event *e, struct td_perf_view *values, uint64_t *id, uint64_t *value)
{
    struct td_perf_view one;

    *id = 0;
    if (!values->n || !td_perf_part(values, value_size(e), &one))
        return false;
    td_perf_u64(&one, value);
    td_perf_u64(&one, id);
    return true;
}

void td_perf_trailer(const struct td_perf_data_event *e, struct td_perf_view *v, struct td_perf_sample *out)
{
    static const uint64_t fields =
        TD_SAMPLE_TID | TD_SAMPLE_TIME | TD_SAMPLE_ID | TD_SAMPLE_STREAM_ID | TD_SAMPLE_CPU | TD_SAMPLE_IDENTIFIER;
    struct td_perf_data_event like = *e;
    struct td_perf_view end;
    size_t size;

    *out = (struct td_perf_sample){.id = 0};
    like.sample_type &= fields;
    size = 8 * (size_t)__builtin_popcountll(like.sample_type);
    if (!(e->flags & TD_ATTR_SAMPLE_ID_ALL) || size > v->n)
        return;
    v->n -= size;
    end = (struct td_perf_view){v->at + v->n, size};
    like.sample_type &= ~(uint64_t)TD_SAMPLE_IDENTIFIER; /* unlike in samples, it is the last field here */
    take_front(&like, &end, out);
    if (e->sample_type & TD_SAMPLE_IDENTIFIER)
        td_perf_u64(&end, &out->id);
}
