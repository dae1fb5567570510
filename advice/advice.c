/* SPDX-License-Identifier: MIT */
#include "advice/advice.h"

#include "util/words.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Another vendor's name of a node. */
struct other_name {
    const char *name, *node;
};

/* meanings[], other_names[] */
#include "advice/meanings.inc"

/* marks[] */
#include "advice/marks.inc"

static const struct td_advice_sample samples[] = {
#include "advice/samples.inc"
};

enum {
    MEANINGS = sizeof(meanings) / sizeof(*meanings),
    MARKS = sizeof(marks) / sizeof(*marks),
    OTHER_NAMES = sizeof(other_names) / sizeof(*other_names),
    SAMPLES = sizeof(samples) / sizeof(*samples)
};

const struct td_advice *td_advice_at(size_t i)
{
    return i < MEANINGS ? &meanings[i] : NULL;
}

const struct td_advice *td_advice_mark_at(size_t i)
{
    return i < MARKS ? &marks[i] : NULL;
}

const struct td_advice *td_advice_mark(const char *name)
{
    for (size_t i = 0; i < MARKS; i++)
        if (!strcmp(marks[i].node, name))
            return &marks[i];
    return NULL;
}

const struct td_advice_sample *td_advice_sample_at(size_t i)
{
    return i < SAMPLES ? &samples[i] : NULL;
}

const char *td_advice_other_name(size_t i, const char **node)
{
    *node = i < OTHER_NAMES ? other_names[i].node : NULL;
    return i < OTHER_NAMES ? other_names[i].name : NULL;
}

/* The node's name in the tables. */
static const char *own_name(const char *node)
{
    for (size_t i = 0; i < OTHER_NAMES; i++)
        if (!strcmp(other_names[i].name, node))
            return other_names[i].node;
    return node;
}

/* Whether something that holds for one backend, or for all (NULL), holds for this one (NULL: any). */
static bool suits(const char *only, const char *backend)
{
    return !only || (backend && !strcmp(only, backend));
}

int td_advice_is_shared(const struct td_advice *a)
{
    return strchr(a->node, '*') != NULL;
}

/* By a pattern: for names without a text of their own. */
static const struct td_advice *find_shared(const char *node, const char *backend)
{
    for (size_t i = 0; i < MEANINGS; i++)
        if (td_advice_is_shared(&meanings[i]) && suits(meanings[i].backend, backend) &&
            !fnmatch(meanings[i].node, node, 0))
            return &meanings[i];
    return NULL;
}

const struct td_advice *td_advice_find(const char *node, const char *backend)
{
    node = own_name(node);
    for (size_t i = 0; i < MEANINGS; i++)
        if (!strcmp(meanings[i].node, node) && suits(meanings[i].backend, backend))
            return &meanings[i];
    return find_shared(node, backend);
}

static const struct td_advice_sample *find_sample(const char *node, const char *backend, const char *cpu)
{
    const char *own = own_name(node);

    for (size_t i = 0; i < SAMPLES; i++) {
        const struct td_advice_sample *s = &samples[i];

        if ((!strcmp(s->node, own) || !strcmp(s->node, node)) && suits(s->backend, backend) &&
            (!*s->cpus || (cpu && td_words_have(s->cpus, cpu, strcspn(cpu, "|"), strncmp))))
            return s;
    }
    return NULL;
}

const char *td_advice_events(const char *node, const char *backend, const char *cpu, const char **of)
{
    const struct td_advice_sample *s;

    while ((s = find_sample(node, backend, cpu)) && s->as)
        node = s->as;
    *of = node;
    return s ? s->events : NULL;
}

/* "A:pp,B" on a PMU is "PMU/A/pp,PMU/B/"; in modes "A:ppu,B:u". */
static void put_events(const char *events, const char *pmu, const char *modes, char *out, size_t size)
{
    for (size_t used = 0; *events && used < size;) {
        const size_t whole = strcspn(events, ","), name = strcspn(events, ":,");
        const size_t modifier = name < whole ? name + 1 : whole;

        used += (size_t)snprintf(out + used, size - used, "%s%s%.*s%s%.*s%s%s", pmu ? pmu : "", pmu ? "/" : "",
                                 (int)name, events,
                                 pmu                          ? "/"
                                 : modifier < whole || *modes ? ":"
                                                              : "",
                                 (int)(whole - modifier), events + modifier, modes, events[whole] ? "," : "");
        events += whole + (events[whole] == ',');
    }
}

const char *td_advice_command(const char *node, const char *backend, const char *cpu, const char *pmu,
                              const char *modes, char buf[TD_ADVICE_COMMAND])
{
    static const char begin[] = "perf record -e ";
    const char *of, *events = td_advice_events(node, backend, cpu, &of);

    if (!events)
        return NULL;
    put_events(events, pmu, modes, stpcpy(buf, begin), TD_ADVICE_COMMAND - strlen(begin));
    return buf;
}
