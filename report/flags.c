/* SPDX-License-Identifier: MIT */
/* What all formats print about a metric besides its numbers: its status and its flags. */
#include "report/flags.h"

#include <math.h>
#include <string.h>

const char *td_status_text(const struct td_metric *m, char buf[TD_STATUS_TEXT])
{
    char *at;

    if ((m->status != TD_MISSING_EVENT && m->status != TD_IMPOSSIBLE) || !m->event)
        return td_status_name(m->status);
    at = stpcpy(stpcpy(buf, td_status_name(m->status)), ":");
    strncat(at, m->event, TD_STATUS_TEXT - 1 - (size_t)(at - buf));
    return buf;
}

bool td_none_counted(const struct td_result *r)
{
    bool none = td_result_counts(r) > 0;

    for (size_t i = 0; i < td_result_counts(r) && none; i++)
        none = td_result_count(r, i)->status == TD_NOT_COUNTED;
    return none;
}

bool td_never_ran(const struct td_result *r)
{
    bool never = td_none_counted(r);

    for (size_t i = 0; i < td_result_counts(r) && never; i++)
        never = isnan(td_result_count(r, i)->coverage);
    return never;
}

const char *td_status_said(const struct td_result *r, const struct td_metric *m, char buf[TD_STATUS_TEXT])
{
    return m->status == TD_NO_SLOTS || (m->status == TD_NOT_COUNTED && td_never_ran(r)) ? "idle"
                                                                                        : td_status_text(m, buf);
}

unsigned td_flags_of_whole(const struct td_result *r)
{
    return td_result_common_flags(r) & (TD_FLAG_REVISION_ASSUMED | TD_FLAG_SMT_UNKNOWN | TD_FLAG_ONE_SIBLING |
                                        TD_FLAG_WIDTH_ASSUMED | TD_FLAG_CPUS_CHANGED | TD_FLAG_OTHER_WIDTH);
}

void td_flags_each_of(const struct td_result *r, unsigned flags, unsigned corrections, unsigned latencies,
                      td_flag_fn *each, void *ctx)
{
    const char *event, *table;

    /* these two are named below, once for each event and table */
    flags &= ~((unsigned)TD_FLAG_CORRECTION_MISSING | (unsigned)TD_FLAG_LATENCY_ASSUMED);
    for (; flags; flags &= flags - 1) /* the lowest bit each time */
        each(ctx, td_flag_name(flags & -flags), NULL);
    for (size_t i = 0; corrections && (event = td_result_correction(r, i)); i++)
        if (corrections >> i & 1)
            each(ctx, td_flag_name(TD_FLAG_CORRECTION_MISSING), event);
    for (size_t i = 0; latencies && (table = td_result_latency(r, i)); i++)
        if (latencies >> i & 1)
            each(ctx, td_flag_name(TD_FLAG_LATENCY_ASSUMED), table);
}

void td_flags_each(const struct td_result *r, const struct td_metric *m, td_flag_fn *each, void *ctx)
{
    if (m)
        td_flags_each_of(r, m->flags | td_flags_of_whole(r), m->corrections, m->latencies, each, ctx);
    else
        td_flags_each_of(r, td_result_flags(r), ~0u, ~0u, each, ctx);
}

unsigned td_mark_of(const struct td_metric *m)
{
    if (m->status != TD_OK)
        return 0;
    return m->bounds == TD_BOUNDS_LIKELY ? TD_MARK_LIKELY : isnan(m->low) ? TD_MARK_UNBOUNDED : 0;
}
