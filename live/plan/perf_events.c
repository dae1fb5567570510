/* SPDX-License-Identifier: MIT */
#include "live/plan/perf_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96 };

/* A text that grows. */
struct text {
    char *at;
    size_t n;
    bool failed;
};

static void add(struct text *t, const char *more)
{
    const size_t len = strlen(more);
    char *grown = t->failed ? NULL : realloc(t->at, t->n + len + 1);

    t->failed = !grown;
    if (!grown)
        return;
    t->at = grown;
    memcpy(grown + t->n, more, len + 1);
    t->n += len;
}

/* The kernel's own names are unchanged, the vendor's are in lower case: perf list. */
static void name_of(const struct td_event *e, char out[NAME])
{
    const char *name = td_event_is_slots(e) ? "slots" : e->name;
    const size_t n = strcspn(name, ":");

    for (size_t i = 0; i < n && i < NAME - 1; i++)
        out[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    out[n < NAME ? n : NAME - 1] = '\0';
}

/* ":c1:e1" of one of our names, as terms of perf's grammar. */
static void add_terms(struct text *t, const char *modifiers)
{
    static const struct {
        char letter;
        const char *term;
    } terms[] = {{'c', "cmask"}, {'e', "edge"}, {'i', "inv"}, {'u', "umask"}};
    char text[NAME];

    for (; *modifiers == ':'; modifiers += 1 + strcspn(modifiers + 1, ":"))
        for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
            if (modifiers[1] == terms[i].letter) {
                snprintf(text, sizeof(text), ",%s=%.*s", terms[i].term, (int)strcspn(modifiers + 2, ":"), modifiers + 2);
                add(t, text);
            }
}

/* Adds the name that perf list shows. */
static void add_name(struct text *t, const struct td_event *e, const char *pmu)
{
    const char *modifiers = e->name + strcspn(e->name, ":");
    char name[NAME];

    name_of(e, name);
    if (!pmu && !*modifiers) {
        add(t, name);
        return;
    }
    add(t, pmu ? pmu : "cpu");
    add(t, "/");
    add(t, name);
    add_terms(t, modifiers);
    add(t, "/");
}

/* perf(1) prints the name that the event is given. */
static void add_encoding(struct text *t, const struct td_event *e, const char *pmu)
{
    char name[NAME], text[NAME + 80];

    name_of(e, name);
    snprintf(text, sizeof(text), "%s/config=0x%" PRIx64, pmu, e->config);
    add(t, text);
    if (e->config1) {
        snprintf(text, sizeof(text), ",config1=0x%" PRIx64, e->config1);
        add(t, text);
    }
    if (!strchr(e->name, ':')) /* otherwise it is another event's name, and the encoding shows which event this is */
        snprintf(text, sizeof(text), ",name=%s/", name);
    else
        snprintf(text, sizeof(text), "/");
    add(t, text);
}

/* Vendors write their names in upper case, the kernel in lower case. */
static bool is_kernels(const struct td_event *e)
{
    return td_event_is_slots(e) || (e->name[0] >= 'a' && e->name[0] <= 'z');
}

char *td_perf_events_text(const struct td_plan *plan, const struct td_uarch *u, const char *pmu, bool several, enum td_perf_words words)
{
    struct text t = {0};

    add(&t, "");
    for (size_t g = 0; g < plan->ngroups; g++) {
        const struct td_plan_group *group = &plan->group[g];
        const char *before = t.n ? ",{" : "{";

        for (size_t i = 0; i < group->n; i++) {
            if (!td_bits_has(&group->able, group->event[i]))
                continue;
            add(&t, before);
            if (words == TD_PERF_ENCODINGS && !is_kernels(&u->events[group->event[i]]))
                add_encoding(&t, &u->events[group->event[i]], pmu);
            else
                add_name(&t, &u->events[group->event[i]], several ? pmu : NULL);
            before = ",";
        }
        if (*before == ',' && !before[1]) /* any */
            add(&t, "}");
    }
    if (t.failed) {
        free(t.at);
        return NULL;
    }
    return t.at;
}
