/* SPDX-License-Identifier: MIT */
/* A row's events by name and by encoding. */
#include "core/uarch.h"

#include "core/formula/name_hash.h"

#include <strings.h>

static bool is_name(const char *text, const char *name, size_t len)
{
    return !strncasecmp(text, name, len) && !text[len];
}

static int find_own(const struct td_uarch *u, const char *name, size_t len)
{
    for (size_t i = 0; i < u->nevents; i++)
        if (is_name(u->events[i].name, name, len))
            return (int)i;
    return -1;
}

int td_uarch_event_find(const struct td_uarch *u, const char *name, size_t len)
{
    const struct td_event_names *n = u->names;
    const uint32_t hash = td_name_hash(name, len);

    if (!n)
        return find_own(u, name, len);
    for (uint32_t i = hash & n->mask; n->slot[i].event != TD_NO_EVENT; i = (i + 1) & n->mask)
        if (n->slot[i].hash == hash && is_name(n->texts + n->slot[i].text, name, len))
            return n->slot[i].event;
    return -1;
}

int td_uarch_event_number(const struct td_uarch *u, const char *name)
{
    return td_uarch_event_find(u, name, strlen(name));
}

static bool is_encoded(const struct td_event *e, uint64_t config, uint64_t config1)
{
    return config != TD_CONFIG_NONE && e->config1 == config1 &&
           (e->config == config || (e->other_config && e->other_config == config));
}

int td_uarch_event_by_config(const struct td_uarch *u, uint64_t config, uint64_t config1)
{
    for (size_t i = 0; i < u->nevents; i++)
        if (is_encoded(&u->events[i], config, config1))
            return td_uarch_event_number(u, u->events[i].name);
    return -1;
}

static const char slots[] = "TOPDOWN.SLOTS";

bool td_event_is_slots(const struct td_event *e)
{
    return !strcmp(e->name, slots);
}

int td_uarch_slots(const struct td_uarch *u)
{
    return u->names ? u->names->slots : td_uarch_event_number(u, slots);
}

bool td_uarch_is_clock(const struct td_uarch *u, const struct td_event *e)
{
    const int cycles = u->names ? u->names->cycles : td_uarch_event_number(u, "cycles");

    return cycles >= 0 && (e->config & ~TD_CONFIG_ANY_THREAD) == u->events[cycles].config;
}

enum td_extra td_event_extra(const struct td_event *e)
{
    return !e->config1 ? TD_EXTRA_NONE : e->other_config ? TD_EXTRA_OFFCORE : TD_EXTRA_FRONTEND;
}

int td_uarch_latency_event(const struct td_uarch *u, size_t event)
{
    const char *name = u->events[event].name, *end = strrchr(name, ':');

    return u->events[event].kind == TD_EVENT_LATENCY && end ? td_uarch_event_find(u, name, (size_t)(end - name)) : -1;
}
