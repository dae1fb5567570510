/* SPDX-License-Identifier: MIT */
#include "core/counts/event_text.h"

#include "core/counts/counts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The layout of perf_event_attr.config on x86 (sysfs format/ files). */
static const struct {
    const char *name;
    unsigned shift, bits;
} terms[] = {
    {"umask", 8, 8}, {"edge", 18, 1}, {"pc", 19, 1}, {"any", 21, 1}, {"inv", 23, 1}, {"cmask", 24, 8}, {"eq", 36, 1},
};

/* The config of an event select. AMD's have 12 bits, in bits 0-7 and 32-35 of config. */
static uint64_t select_config(uint64_t select)
{
    return (select & 0xff) | (select & 0xf00) << 24;
}

static void take_modes(const char *text, struct td_event_text *p)
{
    static const struct {
        char letter;
        unsigned mode;
    } letters[] = {{'u', TD_MODE_USER},
                   {'k', TD_MODE_KERNEL},
                   {'h', TD_MODE_HYPERVISOR},
                   {'G', TD_MODE_GUEST},
                   {'H', TD_MODE_HOST}};

    p->latency = strchr(text, 'R');
    for (; *text; text++)
        for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
            if (*text == letters[i].letter)
                p->modes |= letters[i].mode;
}

/* Whether a term is one that adds up a core's threads; it may come before the name. */
static bool is_percore(const char *term, size_t len)
{
    static const char percore[] = "percore";

    return len == strlen(percore) && !strncasecmp(term, percore, len);
}

/* Whether a term does not change what is counted. */
static bool harmless(const char *term, size_t len)
{
    static const char *const names[] = {"name",    "period",     "freq", "metric-id",
                                        "inherit", "no-inherit", "long", "rdpmc"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strlen(names[i]) == len && !strncasecmp(names[i], term, len))
            return true;
    return false;
}

/* Whether a term's value goes to an extra register: config1 in the kernel's format/ files. */
static bool extra_register(const char *term, size_t len)
{
    static const char *const names[] = {"config1", "offcore_rsp", "frontend", "ldlat"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strlen(names[i]) == len && !strncasecmp(names[i], term, len))
            return true;
    return false;
}

/* Takes one term between the slashes: "key=value" or "word". */
static void take_term(const char *term, size_t len, struct td_event_text *p)
{
    const char *eq = memchr(term, '=', len);
    size_t key = eq ? (size_t)(eq - term) : len;
    uint64_t value = eq ? strtoull(eq + 1, NULL, 0) : 1;

    for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
        if (strlen(terms[i].name) == key && !strncasecmp(term, terms[i].name, key)) {
            uint64_t mask = ((UINT64_C(1) << terms[i].bits) - 1) << terms[i].shift;

            p->change |= value << terms[i].shift & mask;
            p->mask |= mask;
            return;
        }
    if (eq && ((key == 5 && !strncasecmp(term, "event", 5)) || (key == 6 && !strncasecmp(term, "config", 6)))) {
        p->config = key == 5 && !strcmp(p->pmu, "cpu") ? select_config(value) : value;
        p->coded = true;
    } else if (eq && extra_register(term, key)) {
        p->config1 = value;
        p->has_config1 = true;
    } else if (is_percore(term, key)) {
        p->percore = p->percore || value; /* percore=0 switches it off */
    } else if (!eq && !p->name[0]) {
        snprintf(p->name, sizeof(p->name), "%.*s", (int)len, term);
    } else {
        p->special = p->special || !harmless(term, key);
    }
}

static void take_terms(const char *text, size_t len, struct td_event_text *p)
{
    while (len) {
        const char *comma = memchr(text, ',', len);
        size_t n = comma ? (size_t)(comma - text) : len;

        take_term(text, n, p);
        text += comma ? n + 1 : n;
        len -= comma ? n + 1 : n;
    }
}

/* Takes a raw event of perf: 'r' and hexadecimal digits only. */
static bool take_raw(const char *text, size_t len, struct td_event_text *p)
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

/* Takes a name without a PMU. After its last ':' come modifiers, unless they are part of the vendor's own name
 * (UOPS_DISPATCHED.THREAD:c1). */
static void take_plain(const char *text, struct td_event_text *p)
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

static bool generic_name(const char *name)
{
    static const char *const names[] = {"cycles", "cpu-cycles", "instructions", "stalled-cycles-frontend",
                                        "stalled-cycles-backend"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcasecmp(names[i], name))
            return true;
    return false;
}

void td_event_text_parse(const char *text, struct td_event_text *out)
{
    const char *open = strchr(text, '/'), *close = open ? strrchr(open + 1, '/') : NULL;

    *out = (struct td_event_text){0};
    if (close) {
        snprintf(out->pmu, sizeof(out->pmu), "%.*s", (int)(open - text), text);
        take_terms(open + 1, (size_t)(close - open - 1), out);
        take_modes(close + 1, out);
    } else {
        take_plain(text, out);
    }
    out->generic = generic_name(out->name);
}
