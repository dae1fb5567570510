/* SPDX-License-Identifier: MIT */
#include "live/msr/msr.h"

#include <errno.h>
#include <stdio.h>

enum { TRIES = 3 }; /* attempts to write back: giving up leaves another program's counter wrong */

/* ---- who owns the registers ---------------------------------------------------------- */

static bool is_control(uint32_t reg)
{
    return reg == TD_MSR_GLOBAL || reg == TD_MSR_FIXED_CTRL ||
           (reg >= TD_MSR_EVTSEL && reg < TD_MSR_EVTSEL + TD_MSR_COUNTERS);
}

/* Finds the control registers that another program has written meanwhile. One that cannot
 * be read, or whose write failed, counts as ours. Returns the first error. */
static int look(struct td_msr *m)
{
    int err = 0;

    for (size_t i = 0; i < m->nsaved; i++) {
        struct td_msr_saved *s = &m->saved[i];
        int one = is_control(s->reg) ? td_msr_get(m, s->reg, &s->found) : 0;

        s->lost = is_control(s->reg) && !one && s->changed && !s->unsure && s->found != s->ours;
        err = err ? err : one;
    }
    return err;
}

/* The kernel knows nothing of us: an event that perf schedules there, or a
 * CPU that slept, overwrites what we programmed. */
int td_msr_check_ours(struct td_msr *m)
{
    char name[TD_MSR_NAME];
    size_t i = 0;
    int err = look(m);

    while (i < m->nsaved && !m->saved[i].lost)
        i++;
    if (err || i == m->nsaved)
        return err;
    snprintf(m->why, sizeof(m->why),
             "CPU %d: somebody else has programmed %s meanwhile (perf, a guest, a suspend): "
             "what was counted since the last reading is not shown. What to do: end what else measures",
             m->cpu, td_msr_name(&m->caps, m->saved[i].reg, name));
    return -EBUSY;
}

/* ---- the end ---------------------------------------------------------------------- */

/* The counters that another program has now, as bits of GLOBAL_CTRL: those of ours whose control it wrote, and those
 * that it enabled beside ours. In FIXED_CTR_CTRL each counter's bits are compared separately: perf changes its own and
 * keeps ours. */
static uint64_t find_theirs(struct td_msr *m)
{
    const struct td_msr_saved *ctrl = td_msr_find(m, TD_MSR_FIXED_CTRL), *s;
    const uint64_t changed = ctrl && ctrl->lost ? ctrl->found ^ ctrl->ours : 0;
    uint64_t theirs = 0, value;

    for (unsigned i = 0; i < TD_MSR_COUNTERS; i++) {
        const bool others = m->caps.general >> i & 1 && !(m->program.general >> i & 1);

        s = td_msr_find(m, TD_MSR_EVTSEL + i);
        if ((s && s->lost) || (others && !td_msr_get(m, TD_MSR_EVTSEL + i, &value) && value & TD_MSR_ENABLED))
            theirs |= UINT64_C(1) << i;
    }
    for (unsigned i = 0; i < 16; i++)
        if (changed >> (4 * i) & 0xf)
            theirs |= (UINT64_C(1) << (32 + i)) | (i == TD_MSR_SLOTS ? TD_MSR_METRICS_BIT : 0);
    return theirs;
}

static void lose(struct td_msr *m, uint32_t reg)
{
    struct td_msr_saved *s = td_msr_find(m, reg);

    if (s)
        s->lost = true;
}

/* Gives up what another program has now. Its counters must be on in GLOBAL_CTRL, whatever that held before: perf
 * switches on all counters that there are, which reads as what we wrote where all of them are ours, and we may have
 * switched them off since. */
static void leave(struct td_msr *m, uint64_t theirs)
{
    struct td_msr_saved *ctrl = td_msr_find(m, TD_MSR_FIXED_CTRL), *global = td_msr_find(m, TD_MSR_GLOBAL);
    uint64_t fields = 0;

    if (theirs && global)
        global->value |= global->found | theirs;
    if (theirs & TD_MSR_METRICS_BIT)
        lose(m, TD_MSR_METRICS);
    for (unsigned i = 0; i < TD_MSR_COUNTERS; i++)
        if (theirs >> i & 1)
            lose(m, td_msr_counter(m, i));
    for (unsigned i = 0; i < 16; i++)
        if (theirs >> (32 + i) & 1) {
            lose(m, TD_MSR_FIXED + i);
            fields |= UINT64_C(0xf) << (4 * i);
        }
    if (!fields)
        return;
    ctrl->value = (ctrl->found & fields) | (ctrl->value & ~fields);
    ctrl->lost = false;
}

static int try_put(struct td_msr *m, uint32_t reg, uint64_t value)
{
    int err = -EIO;

    for (unsigned i = 0; i < TRIES && err; i++)
        err = td_msr_put(m, reg, value);
    return err;
}

static int try_clear(struct td_msr *m, uint32_t reg, uint64_t bits)
{
    int err = bits ? -EIO : 0;

    for (unsigned i = 0; i < TRIES && err; i++)
        err = td_msr_clear(m, reg, bits);
    return err;
}

/* Writes back all that is ours, even after an error. Returns the first one. Of the overflows, those of their counters
 * are as they have them: perf learns from them which of its counters to serve. */
static int restore(struct td_msr *m, uint64_t theirs)
{
    const struct td_msr_saved *global = td_msr_find(m, TD_MSR_GLOBAL);
    int err = global && global->changed && !global->lost && !theirs ? try_put(m, TD_MSR_GLOBAL, 0) : 0, one;

    for (size_t i = 0; i < m->nsaved; i++) {
        const struct td_msr_saved *s = &m->saved[i];

        if (s->reg == TD_MSR_GLOBAL && m->reset) { /* our overflows must not raise another program's interrupt */
            one = try_clear(m, TD_MSR_RESET, td_msr_status_bits(m) & ~theirs);
            err = err ? err : one;
            one = try_clear(m, TD_MSR_SET, m->status & ~theirs);
            err = err ? err : one;
        }
        one = s->changed && !s->lost ? try_put(m, s->reg, s->value) : 0;
        err = err ? err : one;
    }
    return err;
}

int td_msr_end(struct td_msr *m)
{
    int err = 0;

    if (m->fd < 0)
        return 0;
    if (m->nsaved) {
        uint64_t theirs;

        look(m);
        theirs = find_theirs(m);
        leave(m, theirs);
        err = restore(m, theirs);
    }
    m->os->close(m->os->ctx, m->fd);
    m->fd = -1;
    return err;
}
