/* SPDX-License-Identifier: MIT */
#include "formats/perf_data/data_samples_parts.h"

/* bits of a record's misc */
enum { CPUMODE = 7, MODE_KERNEL = 1, MODE_HYPERVISOR = 3, MODE_GUEST_KERNEL = 4, MODE_GUEST_USER = 5 };
/* enum perf_callchain_context: values in a chain from CONTEXT_MAX on say where the addresses after them are */
static const uint64_t context_max = (uint64_t)-4095, context_kernel = (uint64_t)-128, context_user = (uint64_t)-512,
                      context_hypervisor = (uint64_t)-32;

static const char elsewhere_hypervisor[] = "[hypervisor]", elsewhere_guest[] = "[guest]";

struct td_hit td_perf_hit(const struct td_perf_data_event *e, const struct td_perf_sample *s, uint16_t misc,
                          const struct td_cgroups *cgroups)
{
    const unsigned mode = misc & CPUMODE;
    uint32_t number = 0;
    const char *cgroup = e->sample_type & TD_SAMPLE_CGROUP ? td_cgroups_find(cgroups, s->cgroup, &number) : NULL;

    return (struct td_hit){
        .cgroup = cgroup,
        .cgroup_number = number,
        .cgroup_id = s->cgroup,
        .pid = s->pid,
        .tid = s->tid,
        .cpu = s->cpu,
        .address = s->ip,
        .time = e->monotonic ? s->time : 0,
        .kernel = mode == MODE_KERNEL,
        .has_address = e->sample_type & TD_SAMPLE_IP,
        .elsewhere = mode == MODE_HYPERVISOR                                ? elsewhere_hypervisor
                     : mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER ? elsewhere_guest
                                                                            : NULL,
    };
}

static void enter_context(struct td_hit *h, uint64_t context)
{
    h->kernel = context == context_kernel;
    h->elsewhere = h->kernel || context == context_user ? NULL
                   : context == context_hypervisor      ? elsewhere_hypervisor
                                                        : elsewhere_guest;
}

/* Writes the callers in a sample's chain to out, the innermost first, and returns how many they are. The chain's first
 * address is the sample's own and is left out. The others are return addresses: 1 less is within the instruction that
 * called. */
static size_t callers_of(const struct td_perf_sample *s, const struct td_hit *h, struct td_hit out[TD_FRAMES_MAX])
{
    struct td_perf_view v = s->chain;
    struct td_hit at = *h;
    bool exact = true, innermost = true;
    uint64_t address;
    size_t n = 0;

    while (n < TD_FRAMES_MAX - 1 && td_perf_u64(&v, &address)) {
        if (address >= context_max) {
            enter_context(&at, address);
            exact = true;
            continue;
        }
        at.address = address - !exact;
        exact = false;
        if (!innermost)
            out[n++] = at;
        innermost = false;
    }
    return n;
}

/* Enters a function into the call. Functions without names, which are one place for a file, make one frame however
 * often they call each other. */
static int enter(struct td_calls *calls, const struct td_place *function, const struct td_call **call)
{
    return *call && (*call)->function == function && *function->name == '['
               ? 0
               : td_calls_enter(calls, *call, function, call);
}

static int enter_all(struct td_calls *calls, const struct td_place *const *place, size_t n, const struct td_call **call)
{
    int err = 0;

    while (n-- && !err)
        err = enter(calls, place[n], call);
    return err;
}

int td_perf_call(const struct td_perf_sample *s, const struct td_hit *h, const struct td_place *const *at, size_t n,
                 struct td_places *places, struct td_spaces *spaces, struct td_calls *calls,
                 struct td_hit caller[TD_FRAMES_MAX], const struct td_call **out)
{
    size_t callers = callers_of(s, h, caller), inlined;
    const struct td_place *function[TD_PLACES_AT];
    int err = 0;

    *out = NULL;
    while (callers-- && !err) {
        err = td_places_find(places, spaces, &caller[callers], function, &inlined);
        err = err ? err : enter_all(calls, function, inlined, out);
    }
    return err ? err : enter_all(calls, at, n, out);
}
