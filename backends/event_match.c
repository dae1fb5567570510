/* SPDX-License-Identifier: MIT */
#include "backends/event_match.h"

#include "core/core_kind.h"
#include "core/counts/event_text.h"
#include "core/solve/solve.h"
#include "include/tdprobe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* PMUs that count what happens in a core: the rest (uncore, msr, power) never match. */
static bool core_pmu(const char *pmu)
{
    return !*pmu || !strcmp(pmu, "cpu") || td_core_of_pmu(pmu) || !strncmp(pmu, "armv8_", 6) ||
           !strncmp(pmu, "armv9_", 6);
}

/* The event that a vendor's name means, with the terms after it that change its encoding: "NAME,cmask=1,edge". */
static int match_name(const struct td_uarch *u, const struct td_event_text *p, int event)
{
    const struct td_event *e = &u->events[event];

    if (e->kind == TD_EVENT_TSC || e->kind == TD_EVENT_ELSEWHERE)
        return -1;
    if (!p->mask && !p->has_config1)
        return event;
    return td_uarch_event_by_config(u, (e->config & ~p->mask) | p->change, p->has_config1 ? p->config1 : e->config1);
}

/* The event that "NAME:R" means: a retire latency of NAME, not a count of it. */
static int match_latency(const struct td_uarch *u, const struct td_event_text *p)
{
    char name[sizeof(p->name) + 2];

    snprintf(name, sizeof(name), "%s:R", p->name);
    return p->name[0] && !p->mask && !p->has_config1 ? td_uarch_event_number(u, name) : -1;
}

/* The row's event that adds up another over the threads of a core, or -1. */
static int per_core(const struct td_uarch *u, int event)
{
    for (size_t e = 0; e < u->nevents && event >= 0; e++)
        if (u->events[e].kind == TD_EVENT_PER_CORE && u->events[e].base == event)
            return (int)e;
    return -1;
}

/* The event that a name or an encoding means, as each thread counts it. */
static int match_count(const struct td_uarch *u, const struct td_event_text *p)
{
    const int event = p->name[0] ? td_uarch_event_number(u, p->name) : -1;

    if (event >= 0)
        return match_name(u, p, event);
    return p->coded ? td_uarch_event_by_config(u, p->config | p->change, p->config1) : -1;
}

int td_event_match(const struct td_uarch *u, const char *text)
{
    struct td_event_text p;
    int event;

    td_event_text_parse(text, &p);
    if (!strcmp(p.pmu, "msr") && !strcmp(p.name, "tsc") && !p.special)
        return td_uarch_event_number(u, "msr/tsc/");
    if (!core_pmu(p.pmu) || p.special)
        return -1;
    if (p.latency)
        return match_latency(u, &p);
    event = match_count(u, &p);
    return p.percore ? per_core(u, event) : event;
}

bool td_event_known(const char *name, size_t len)
{
    const struct td_uarch *u, *before = NULL;
    struct td_event_text p;
    char text[160];

    if (!len || len >= sizeof(text) || !isalpha((unsigned char)*name) || memchr(name, ' ', len))
        return false;
    memcpy(text, name, len);
    text[len] = '\0';
    td_event_text_parse(text, &p);
    if (p.coded && *p.pmu)
        return core_pmu(p.pmu);
    for (size_t i = 0; p.name[0] && (u = td_uarch_at(i)); i++) {
        if (before && before->names == u->names && before->events == u->events)
            continue;
        before = u;
        if (td_uarch_event_number(u, p.name) >= 0)
            return true;
    }
    return false;
}
