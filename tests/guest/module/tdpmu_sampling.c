// SPDX-License-Identifier: GPL-2.0
/* Events that take samples: where hardware would interrupt at an overflow, a timer looks whether the period
 * has been counted. The model's time stands still meanwhile, as counters do in the interrupt of a kernel with
 * "Avoid disable PMU if !cpuc->enabled in sample read". */
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/slab.h>
#include <asm/irq_regs.h>

#include "tdpmu.h"

#define LEAST_NS 2000
#define IDLE_NS NSEC_PER_MSEC

struct sampler {
    struct perf_event *event;
    struct hrtimer timer;
    u64 from; /* the event's count at its last overflow */
};

/* perf_event_overflow(), which is not exported */
static int (*overflow)(struct perf_event *, struct perf_sample_data *, struct pt_regs *);

static struct sampler *sampler_of(const struct perf_event *event)
{
    return event->pmu_private;
}

static u64 counted(const struct sampler *s)
{
    u64 count = local64_read(&s->event->count);

    return count > s->from ? count - s->from : 0;
}

/* When the period will have been counted, unless another task comes. */
static ktime_t wait_for(const struct tdpmu_cpu *cpu, const struct sampler *s)
{
    u64 rate = cpu->model.phases[cpu->model.phase].rate[s->event->hw.event_base], done = counted(s),
        period = s->event->hw.sample_period, ns;

    if (cpu->idle || !rate)
        return ns_to_ktime(IDLE_NS);
    ns =
        period > done ? mul_u64_u64_div_u64((period - done) * TD_PMU_WHOLE, 1000, (u64)rate * tdpmu_slots_per_us()) : 0;
    return ns_to_ktime(max_t(u64, ns, LEAST_NS));
}

/* What was counted beyond the period is of the next one, as x86_perf_event_set_period() has it. Where the host
 * stopped the guest for whole periods, samples are missing, but no two events lose step. */
static u64 next_from(const struct sampler *s)
{
    u64 periods = div64_u64(counted(s), s->event->hw.sample_period);

    return s->from + periods * s->event->hw.sample_period;
}

/* Whether the kernel wants no more samples for now. */
static bool take_sample(struct sampler *s)
{
    struct pt_regs *regs = get_irq_regs();
    struct perf_event *event = s->event;
    struct perf_sample_data data;

    event->hw.last_period = event->hw.sample_period;
    s->from = next_from(s);
    perf_sample_data_init(&data, 0, event->hw.last_period);
    if (!regs || (event->attr.exclude_user && user_mode(regs)) || (event->attr.exclude_kernel && !user_mode(regs)))
        return false;
    return overflow(event, &data, regs);
}

static enum hrtimer_restart look(struct hrtimer *timer)
{
    struct sampler *s = container_of(timer, struct sampler, timer);
    struct perf_event *event = s->event;
    struct tdpmu_cpu *cpu;
    bool enough = false;

    if (event->state != PERF_EVENT_STATE_ACTIVE || event->hw.state & PERF_HES_STOPPED)
        return HRTIMER_NORESTART;
    cpu = tdpmu_stop_time();
    event->pmu->read(event);
    if (counted(s) >= event->hw.sample_period)
        enough = take_sample(s);
    if (enough)
        event->pmu->stop(event, 0);
    tdpmu_skip_time(cpu);
    if (enough || event->hw.state & PERF_HES_STOPPED)
        return HRTIMER_NORESTART;
    hrtimer_forward_now(timer, wait_for(cpu, s));
    return HRTIMER_RESTART;
}

static void destroy(struct perf_event *event)
{
    hrtimer_cancel(&sampler_of(event)->timer);
    kfree(sampler_of(event));
}

int tdpmu_sampling_init(struct perf_event *event)
{
    struct sampler *s;

    if (tdpmu_is_slots(event) || tdpmu_is_metric(event))
        return -EINVAL; /* intel_pmu_hw_config(): slots sample only alone, metrics never */
    s = kzalloc(sizeof(*s), GFP_KERNEL);
    if (!s)
        return -ENOMEM;
    s->event = event;
    hrtimer_init(&s->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
    s->timer.function = look;
    event->pmu_private = s;
    event->destroy = destroy;
    local64_set(&event->hw.period_left, 1);
    return 0;
}

/* PERF_EVENT_IOC_PERIOD sets period_left to 0: the period begins anew. */
void tdpmu_sampling_start(struct tdpmu_cpu *cpu, struct perf_event *event, int flags)
{
    struct sampler *s = sampler_of(event);

    if (flags & PERF_EF_RELOAD && !local64_read(&event->hw.period_left))
        s->from = local64_read(&event->count);
    if (s->from > local64_read(&event->count)) /* PERF_EVENT_IOC_RESET */
        s->from = 0;
    local64_set(&event->hw.period_left, 1);
    hrtimer_start(&s->timer, wait_for(cpu, s), HRTIMER_MODE_REL_PINNED_HARD);
}

void tdpmu_sampling_stop(struct perf_event *event)
{
    hrtimer_try_to_cancel(&sampler_of(event)->timer);
}

int tdpmu_sampling_load(void)
{
    struct kprobe probe = {.symbol_name = "kallsyms_lookup_name"};
    unsigned long (*find)(const char *);
    int err = register_kprobe(&probe);

    if (err)
        return err;
    find = (void *)probe.addr;
    unregister_kprobe(&probe);
    overflow = (void *)find("perf_event_overflow");
    return overflow ? 0 : -ENOENT;
}
