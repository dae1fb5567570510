/* SPDX-License-Identifier: MIT */
#include "advice/advice.h"

#include "advice/meanings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct td_advice_sample samples[] = {
#include "advice/samples.inc"
};

const struct td_advice *td_advice_at(size_t i)
{
    return td_advice_meanings[i].node ? &td_advice_meanings[i] : NULL;
}

const struct td_advice_sample *td_advice_sample_at(size_t i)
{
    return i < sizeof(samples) / sizeof(*samples) ? &samples[i] : NULL;
}

const char *td_advice_other_name(size_t i, const char **node)
{
    *node = td_advice_names[i].node;
    return td_advice_names[i].name;
}

/* The node's name in the tables. */
static const char *own_name(const char *node)
{
    for (const struct td_advice_name *n = td_advice_names; n->name; n++)
        if (!strcmp(n->name, node))
            return n->node;
    return node;
}

/* Whether something that holds for one backend, or for all (NULL), holds for this one (NULL: any). */
static bool suits(const char *only, const char *backend)
{
    return !only || (backend && !strcmp(only, backend));
}

const struct td_advice *td_advice_find(const char *node, const char *backend)
{
    node = own_name(node);
    for (const struct td_advice *a = td_advice_meanings; a->node; a++)
        if (!strcmp(a->node, node) && suits(a->backend, backend))
            return a;
    return NULL;
}

/* Whether a blank-separated list has a word, which ends at its NUL or at '|'. */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strcspn(word, "|");

    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t len = strcspn(at, " ");

        if (len == n && !strncmp(at, word, n))
            return true;
        at += len;
    }
    return false;
}

const char *td_advice_events(const char *node, const char *backend, const char *cpu)
{
    node = own_name(node);
    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
        const struct td_advice_sample *s = &samples[i];

        if (!strcmp(s->node, node) && suits(s->backend, backend) && (!*s->cpus || (cpu && has_word(s->cpus, cpu))))
            return s->events;
    }
    return NULL;
}

/* "A:pp,B" on a PMU is "PMU/A/pp,PMU/B/". */
static void name_pmu(const char *events, const char *pmu, char *out, size_t size)
{
    for (size_t used = 0; *events && used < size;) {
        const size_t whole = strcspn(events, ","), name = strcspn(events, ":,");
        const size_t modifier = name < whole ? name + 1 : whole;

        used += (size_t)snprintf(out + used, size - used, "%s/%.*s/%.*s%s", pmu, (int)name, events, (int)(whole - modifier), events + modifier,
                                 events[whole] ? "," : "");
        events += whole + (events[whole] == ',');
    }
}

const char *td_advice_command(const char *node, const char *backend, const char *cpu, const char *pmu, char buf[TD_ADVICE_COMMAND])
{
    const char *events = td_advice_events(node, backend, cpu);
    int n;

    if (!events)
        return NULL;
    n = snprintf(buf, TD_ADVICE_COMMAND, "perf record -e %s", pmu ? "" : events);
    if (pmu)
        name_pmu(events, pmu, buf + n, (size_t)(TD_ADVICE_COMMAND - n));
    return buf;
}
