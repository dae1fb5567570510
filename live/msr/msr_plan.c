/* SPDX-License-Identifier: MIT */
#include "live/msr/msr_plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    USR = 1 << 16,
    OS = 1 << 17,
    ANY = 1 << 21,
    FIXED_OS = 1,
    FIXED_USR = 2,
    FIXED_ANY = 4, /* in a counter's 4 bits in IA32_FIXED_CTR_CTRL */
    KIND_ATOM = 0x20,
    SUBLEAF_COUNTERS = 2, /* as a bit of CPUID 0x23.0 EAX */
    AMD_CORE_COUNTERS = 1 << 23, /* PerfCtrExtCore, CPUID 0x80000001 ECX: registers of their own, from 0xc0010200 on */
    AMD_TOGETHER = 1, /* PerfMonV2, CPUID 0x80000022 EAX */
    AMD_BITS = 48, /* of a counter: BKDG and PPR, "Performance Monitor Counters" */
};

/* event, umask, edge, any, inv, cmask: the config and the register have them in the same bits */
static const uint64_t encoding = 0xff000000 | 1 << 23 | ANY | 1 << 18 | 0xffff;

void td_msr_caps_decode(const uint32_t counters[4], const uint32_t more[4], const uint32_t kind[4], unsigned fields,
                        struct td_msr_caps *out)
{
    const unsigned n = counters[0] >> 8 & 0xff, nfixed = counters[3] & 0x1f, nevents = counters[0] >> 24;

    *out = (struct td_msr_caps){
        .version = counters[0] & 0xff, .general_bits = counters[0] >> 16 & 0xff, .fixed_bits = counters[3] >> 5 & 0xff};
    out->general = n >= TD_MSR_COUNTERS ? UINT32_MAX : (UINT32_C(1) << n) - 1;
    out->fixed = (UINT32_C(1) << nfixed) - 1;
    if (out->version >= 5 && counters[2])
        out->fixed = counters[2]; /* E-cores have gaps */
    if (more[0] || more[1]) {
        out->general = more[0];
        out->fixed = more[1];
    }
    out->fixed &= 0xffff; /* more do not fit: each has 4 bits in a register of 64 */
    out->missing = counters[1] | (nevents < 32 ? ~((UINT32_C(1) << nevents) - 1) : 0);
    out->any = out->version >= 3 && !(counters[3] >> 15 & 1);
    out->fields = fields;
    /* an access to SLOTS or PERF_METRICS would fault there */
    if (kind[0] >> 24 == KIND_ATOM || !(out->fixed >> TD_MSR_SLOTS & 1))
        out->fields = 0;
    /* SLOTS is not written without also writing PERF_METRICS, which may exist unknown to the kernel */
    if (!out->fields)
        out->fixed &= ~(UINT32_C(1) << TD_MSR_SLOTS);
}

void td_msr_caps_decode_amd(const uint32_t features[4], const uint32_t counters[4], struct td_msr_caps *out)
{
    const bool there = features[2] & AMD_CORE_COUNTERS && counters[0] & AMD_TOGETHER;

    *out = (struct td_msr_caps){
        .amd = true, .version = there ? 4 : 0, .general_bits = AMD_BITS, .fixed_bits = AMD_BITS, .full = true};
    out->general = (UINT32_C(1) << (counters[1] & 0xf)) - 1;
}

void td_msr_set_free(struct td_msr_set *s)
{
    free(s->event);
    free(s->counter);
    td_bits_free(&s->events);
    *s = (struct td_msr_set){0};
}

static int add_events(struct td_msr_set *s, const struct td_uarch *row, const struct td_bits *events,
                      const struct td_msr_added *added, size_t n)
{
    s->event = calloc(row->nevents + n + 1, sizeof(*s->event));
    s->counter = calloc(row->nevents + n + 1, sizeof(*s->counter));
    if (!s->event || !s->counter || td_bits_new(&s->events, row->nevents + n))
        return -ENOMEM;
    if (events)
        td_bits_join(&s->events, events);
    memcpy(s->event, row->events, row->nevents * sizeof(*s->event));
    for (size_t i = 0; i < n; i++)
        s->event[row->nevents + i] = (struct td_event){
            .name = added[i].name,
            .config = added[i].config,
            .counters = added[i].counters,
            .counters_alone = added[i].counters_alone,
            .field = -1,
            .scale = 1,
            .scale_smt = 1,
        };
    s->nevents = row->nevents + n;
    return 0;
}

static void program_event(struct td_msr_program *p, const struct td_event *e, int counter, uint64_t code, uint64_t user,
                          uint64_t os)
{
    unsigned i = (unsigned)counter;

    if (counter < 0)
        return;
    if (i < TD_MSR_COUNTERS) {
        p->general |= UINT32_C(1) << i;
        p->evtsel[i] = (e->config & code) | user * USR | os * OS | TD_MSR_ENABLED;
        p->global |= UINT64_C(1) << i;
        return;
    }
    i -= TD_MSR_COUNTERS;
    p->fixed |= UINT32_C(1) << i;
    p->fixed_ctrl |= (user * FIXED_USR | os * FIXED_OS | (e->config & ANY ? FIXED_ANY : 0u)) << (4 * i);
    p->global |= UINT64_C(1) << (32 + i);
}

int td_msr_set_make(const struct td_msr_caps *caps, const struct td_counters *counters, const struct td_uarch *row,
                    const struct td_bits *events, const struct td_msr_added *added, size_t nadded, bool no_user,
                    bool no_kernel, struct td_msr_set *s)
{
    struct td_uarch all = *row;
    int err;

    td_msr_set_free(s);
    err = add_events(s, row, events, added, nadded);
    if (err)
        return err;
    for (size_t i = 0; i < nadded; i++)
        td_bits_add(&s->events, row->nevents + i);
    all.events = s->event;
    all.nevents = s->nevents;
    if (!td_fit_assign(counters, &all, &s->events, s->counter))
        return -ENOSPC;
    for (size_t e = 0; e < s->nevents; e++) {
        program_event(&s->program, &s->event[e], s->counter[e], encoding | (caps->amd ? TD_MSR_AMD_EVENT : 0), !no_user,
                      !no_kernel);
        if (td_bits_has(&s->events, e) && s->event[e].field >= 0)
            s->program.global |= TD_MSR_METRICS_BIT;
    }
    /* writing SLOTS without writing PERF_METRICS next leaves that undefined */
    s->program.metrics = caps->fields && s->program.fixed >> TD_MSR_SLOTS & 1;
    return 0;
}

/* The slots of a field as the kernel's read(2) gives them: slots * field / 255, rounded down. */
static uint64_t slots_of_field(const struct td_msr_reading *r, unsigned field)
{
    uint64_t slots = r->fixed[TD_MSR_SLOTS], n = td_metrics_field(r->metrics, (enum td_field)field);

    return slots / 0xff * n + slots % 0xff * n / 0xff;
}

uint64_t td_msr_value(const struct td_msr_set *s, size_t event, const struct td_msr_reading *r)
{
    const int counter = s->counter[event];

    if (s->event[event].field >= 0)
        return slots_of_field(r, (unsigned)s->event[event].field);
    if (counter < 0)
        return 0;
    return counter < TD_MSR_COUNTERS ? r->general[counter] : r->fixed[counter - TD_MSR_COUNTERS];
}
