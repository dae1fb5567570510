/* SPDX-License-Identifier: MIT */
#include "live/plan/plan.h"

#include "util/text_buffer.h"

#include <inttypes.h>
#include <string.h>

enum { NAME = 96 };

/* An event's name as perf list has it: the kernel's own names unchanged, the vendor's in lower case. */
static void name_of(const struct td_event *e, char out[NAME])
{
    const char *name = td_event_is_slots(e) ? "slots" : e->name;
    const size_t n = strcspn(name, ":");

    for (size_t i = 0; i < n && i < NAME - 1; i++)
        out[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
    out[n < NAME ? n : NAME - 1] = '\0';
}

/* Adds the modifiers of one of our names, ":c1:e1", as terms of perf's grammar. */
static int add_terms(struct td_text_buffer *t, const char *modifiers)
{
    static const struct {
        const char *letters, *term;
    } terms[] = {{"c", "cmask"}, {"e", "edge"}, {"eq", "eq"}, {"i", "inv"}, {"u", "umask"}};
    int err = 0;

    for (; *modifiers == ':'; modifiers += 1 + strcspn(modifiers + 1, ":"))
        for (size_t i = 0; i < sizeof(terms) / sizeof(*terms) && !err; i++) {
            const size_t len = strlen(terms[i].letters);

            if (!strncmp(modifiers + 1, terms[i].letters, len) && modifiers[1 + len] >= '0' &&
                modifiers[1 + len] <= '9')
                err = td_text_buffer_add(t, ",%s=%.*s", terms[i].term, (int)strcspn(modifiers + 1 + len, ":"),
                                         modifiers + 1 + len);
        }
    return err;
}

/* perf's letter for an event that is counted in one mode. */
static const char *mode_of(const struct td_event *e)
{
    return e->modes == TD_MODE_KERNEL ? "k" : e->modes == TD_MODE_USER ? "u" : "";
}

/* Adds the name that perf list shows. */
static int add_name(struct td_text_buffer *t, const struct td_event *e, const char *pmu)
{
    const char *modifiers = e->name + strcspn(e->name, ":");
    char name[NAME];
    int err;

    if (e->kind == TD_EVENT_TSC)
        return td_text_buffer_add(t, "%s", e->name);
    name_of(e, name);
    if (!pmu && !*modifiers)
        return td_text_buffer_add(t, "%s", name);
    err = td_text_buffer_add(t, "%s/%s", pmu ? pmu : "cpu", name);
    err = err ? err : add_terms(t, modifiers);
    return err ? err : td_text_buffer_add(t, "/%s", mode_of(e));
}

/* Adds an event by its encoding, with a name for perf to print. */
static int add_encoding(struct td_text_buffer *t, const struct td_event *e, uint64_t config, const char *pmu)
{
    char name[NAME];
    int err = td_text_buffer_add(t, "%s/config=0x%" PRIx64, pmu, config);

    if (!err && e->config1)
        err = td_text_buffer_add(t, ",config1=0x%" PRIx64, e->config1);
    name_of(e, name);
    /* otherwise it is another event's name, and the encoding shows which event this is */
    if (!err && !strchr(e->name, ':'))
        err = td_text_buffer_add(t, ",name=%s", name);
    return err ? err : td_text_buffer_add(t, "/%s", mode_of(e));
}

/* Whether an event can be asked for only by its encoding: names have no terms for the value of an offcore register. */
static bool needs_encoding(const struct td_event *e)
{
    return strstr(e->name, ":ocr_msr_val=") != NULL;
}

/* Whether a name is the kernel's, which are in lower case; vendors write theirs in upper case. */
static bool is_kernels(const struct td_event *e)
{
    return td_event_is_slots(e) || e->kind == TD_EVENT_TSC || (e->name[0] >= 'a' && e->name[0] <= 'z');
}

static int add_group(struct td_text_buffer *t, const struct td_plan_group *group, const struct td_uarch *u,
                     const char *pmu, bool several, bool stays, enum td_perf_words words)
{
    const char *before = t->length ? ",{" : "{";
    bool any = false;
    int err = 0;

    for (size_t i = 0; i < group->n && !err; i++) {
        const struct td_event *e = &u->events[group->event[i]];

        if (!td_bits_has(&group->able, group->event[i]))
            continue;
        err = td_text_buffer_add(t, "%s", before);
        if (!err && !is_kernels(e) && (words == TD_PERF_ENCODINGS || needs_encoding(e)))
            err = add_encoding(t, e, e->modes ? u->events[e->base].config : e->config, pmu);
        else if (!err)
            err = add_name(t, e, several ? pmu : NULL);
        before = ",";
        any = true;
    }
    return err || !any ? err : td_text_buffer_add(t, stays ? "}:D" : "}");
}

/* Adds the events that perf stat --record-tpebs samples, which are in no group. */
static int add_latencies(struct td_text_buffer *t, const struct td_plan *plan, const struct td_uarch *u,
                         const char *pmu)
{
    char name[NAME];
    int err = 0;

    TD_BITS_EACH(e, &plan->sampled)
    {
        name_of(&u->events[e], name);
        if (!err)
            err = td_text_buffer_add(t, pmu ? "%s%s/%s/R" : "%s%s%s:R", t->length ? "," : "", pmu ? pmu : "", name);
    }
    return err;
}

char *td_perf_events_text(const struct td_plan *plan, const struct td_uarch *u, const char *pmu, bool several,
                          unsigned only, enum td_perf_words words)
{
    struct td_text_buffer t = {0};
    int err = td_text_buffer_clear(&t);

    if (!err && words == TD_PERF_LATENCIES)
        err = add_latencies(&t, plan, u, several ? pmu : NULL);
    for (size_t g = 0; g < plan->ngroups && !err && words != TD_PERF_LATENCIES; g++)
        if (td_plan_takes_turn(plan, g, only))
            err = add_group(&t, &plan->group[g], u, pmu, several, !g && plan->first == TD_FIRST_STAYS, words);
    if (err)
        td_text_buffer_free(&t);
    return t.at;
}
