/* SPDX-License-Identifier: MIT */
/* Events as perf writes them: "slots:u", "cpu_core/topdown-retiring/",
 * "cpu/event=0x9c,umask=0x1/", "cpu/INT_MISC.RECOVERY_CYCLES,cmask=1,edge/", "r19c". */
#include "counts.h"
#include "identity.h"
#include "rows.h"
#include "solve.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct event_parts {
    char pmu[32];
    char name[96]; /* "" when given by its encoding */
    bool coded; /* has event= or config=, or is a raw event */
    bool special; /* has a term that makes it another event than its encoding says */
    uint64_t config;
    uint64_t change, mask; /* what terms besides event= set, and which bits */
    unsigned modes;
};

/* Intel's layout of perf_event_attr.config (sysfs format/ files). */
static const struct {
    const char *name;
    unsigned shift, bits;
} terms[] = {
    {"umask", 8, 8}, {"edge", 18, 1}, {"pc", 19, 1}, {"any", 21, 1}, {"inv", 23, 1}, {"cmask", 24, 8},
};

static void take_modes(const char *text, struct event_parts *p)
{
    static const struct {
        char letter;
        unsigned mode;
    } letters[] = {{'u', TD_MODE_USER}, {'k', TD_MODE_KERNEL}, {'h', TD_MODE_HYPERVISOR}, {'G', TD_MODE_GUEST}, {'H', TD_MODE_HOST}};

    for (; *text; text++)
        for (size_t i = 0; i < TD_LENGTH(letters); i++)
            if (*text == letters[i].letter)
                p->modes |= letters[i].mode;
}

/* Terms that do not change what is counted. */
static bool harmless(const char *term, size_t len)
{
    static const char *const names[] = {"name", "period", "freq", "percore", "metric-id", "inherit", "no-inherit", "long", "rdpmc"};

    for (size_t i = 0; i < TD_LENGTH(names); i++)
        if (strlen(names[i]) == len && !strncasecmp(names[i], term, len))
            return true;
    return false;
}

/* One "key=value" or "word" between the slashes. */
static void take_term(const char *term, size_t len, struct event_parts *p)
{
    const char *eq = memchr(term, '=', len);
    size_t key = eq ? (size_t)(eq - term) : len;
    uint64_t value = eq ? strtoull(eq + 1, NULL, 0) : 1;

    for (size_t i = 0; i < TD_LENGTH(terms); i++)
        if (strlen(terms[i].name) == key && !strncasecmp(term, terms[i].name, key)) {
            uint64_t mask = ((UINT64_C(1) << terms[i].bits) - 1) << terms[i].shift;

            p->change |= value << terms[i].shift & mask;
            p->mask |= mask;
            return;
        }
    if (eq && ((key == 5 && !strncasecmp(term, "event", 5)) || (key == 6 && !strncasecmp(term, "config", 6)))) {
        p->config = value;
        p->coded = true;
    } else if (!eq && !p->name[0]) {
        snprintf(p->name, sizeof(p->name), "%.*s", (int)len, term);
    } else {
        p->special = p->special || !harmless(term, key);
    }
}

static void take_terms(const char *text, size_t len, struct event_parts *p)
{
    while (len) {
        const char *comma = memchr(text, ',', len);
        size_t n = comma ? (size_t)(comma - text) : len;

        take_term(text, n, p);
        text += comma ? n + 1 : n;
        len -= comma ? n + 1 : n;
    }
}

/* perf's raw events: 'r' and hexadecimal digits only */
static bool take_raw(const char *text, size_t len, struct event_parts *p)
{
    if (len < 2 || len > 17 || (*text != 'r' && *text != 'R'))
        return false;
    for (size_t i = 1; i < len; i++)
        if (!isxdigit((unsigned char)text[i]))
            return false;
    p->config = strtoull(text + 1, NULL, 16);
    p->coded = true;
    return true;
}

/* A name without a PMU; behind its last ':' stand modifiers, unless they are
 * part of the vendor's own name (UOPS_DISPATCHED.THREAD:c1). */
static void take_plain(const char *text, struct event_parts *p)
{
    const char *colon = strrchr(text, ':');
    size_t len = strlen(text);

    if (colon && strspn(colon + 1, "ukhGHpPSDWbeIR") == strlen(colon + 1)) {
        take_modes(colon + 1, p);
        len = (size_t)(colon - text);
    }
    snprintf(p->name, sizeof(p->name), "%.*s", (int)len, text);
    take_raw(text, len, p);
}

static void parse(const char *text, struct event_parts *p)
{
    const char *open = strchr(text, '/'), *close = open ? strrchr(open + 1, '/') : NULL;

    *p = (struct event_parts){0};
    if (!close) {
        take_plain(text, p);
        return;
    }
    snprintf(p->pmu, sizeof(p->pmu), "%.*s", (int)(open - text), text);
    take_terms(open + 1, (size_t)(close - open - 1), p);
    take_modes(close + 1, p);
}

static bool generic_name(const char *name)
{
    static const char *const names[] = {"cycles", "cpu-cycles", "instructions"};

    for (size_t i = 0; i < TD_LENGTH(names); i++)
        if (!strcasecmp(names[i], name))
            return true;
    return false;
}

void td_event_text_parse(const char *text, struct td_event_text *out)
{
    struct event_parts p;

    parse(text, &p);
    snprintf(out->pmu, sizeof(out->pmu), "%s", p.pmu);
    out->modes = p.modes;
    out->generic = generic_name(p.name);
}

char td_pmu_core(const char *pmu)
{
    if (!strcmp(pmu, "cpu_core"))
        return 'P';
    if (!strcmp(pmu, "cpu_atom"))
        return 'E';
    return strcmp(pmu, "cpu_lowpower") ? 0 : 'L';
}

/* PMUs that count what happens in a core: the rest (uncore, msr, power) never match. */
static bool core_pmu(const char *pmu)
{
    return !*pmu || !strcmp(pmu, "cpu") || td_pmu_core(pmu) || !strncmp(pmu, "armv8_", 6) || !strncmp(pmu, "armv9_", 6);
}

int td_event_match(const struct td_uarch *u, const char *text)
{
    struct event_parts p;
    int event;

    parse(text, &p);
    if (!core_pmu(p.pmu) || p.special)
        return -1;
    if (p.name[0]) {
        event = td_uarch_event_number(u, p.name);
        if (event >= 0 && !p.mask)
            return event;
        if (event >= 0) /* "NAME,cmask=1,edge": the name's encoding with these bits */
            return td_uarch_event_by_config(u, (u->events[event].config & ~p.mask) | p.change);
    }
    return p.coded ? td_uarch_event_by_config(u, p.config | p.change) : -1;
}
