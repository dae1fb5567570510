/* SPDX-License-Identifier: MIT */
#include "backends/find_identity.h"

#include "backends/registry.h"
#include "backends/rows.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Known CPUs that no formula exists for, and why; events: the beginnings of names that
 * only their events have (Linux tools/perf/pmu-events/arch/x86/amdzen1, amdzen2, amdzen3). */
static const struct {
    const char *names, *id, *why, *events;
} unable[] = {
    {"", "AuthenticAMD", "AMD: tdprobe knows Zen 1 to 6 by their models, and this is none of them", ""},
    {"", "", "AMD publishes no pipeline metrics before Zen 4; name the CPU (--uarch zen3) for its ratios", "de_dis_"},
    {"hygon", "HygonGenuine", "Hygon: tdprobe has no backend for Zen yet", ""},
    {"nhm wsm nehalem westmere bonnell", "", "top-down analysis begins with Sandy Bridge and Silvermont", ""},
    {"nvl dmr", "", "Intel has published no top-down formulas for it yet", ""},
};

/* True if text is one of the blank-separated words. */
static bool any_word(const char *words, const char *text)
{
    size_t len = strlen(text);

    while (*words) {
        size_t n = strcspn(words, " ");

        if (n == len && !strncasecmp(words, text, n))
            return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

/* The length of a name without "-p", "-e" or "-lpe". */
static size_t platform_length(const char *name, size_t len)
{
    static const char *const kinds[] = {"-p", "-e", "-lpe"};

    for (size_t i = 0; i < TD_LENGTH(kinds); i++) {
        size_t n = strlen(kinds[i]);

        if (len > n && !strncasecmp(name + len - n, kinds[i], n))
            return len - n;
    }
    return 0;
}

static bool on_platform(const struct td_uarch *u, const char *platform)
{
    const char *words = u->aliases;
    size_t len = strlen(platform);

    if (!u->core || !len)
        return false;
    if (platform_length(u->name, strlen(u->name)) == len && !strncasecmp(u->name, platform, len))
        return true;
    while (*words) {
        size_t n = strcspn(words, " ");

        if (platform_length(words, n) == len && !strncasecmp(words, platform, len))
            return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

static void add_part(struct td_identity *m, const struct td_uarch *u)
{
    int len = (int)strlen(u->name);

    if (m->nparts == TD_PARTS_MAX)
        return;
    m->part[m->nparts++] = u;
    m->hybrid = m->nparts > 1;
    if (m->hybrid)
        len = (int)platform_length(u->name, strlen(u->name));
    snprintf(m->name, sizeof(m->name), "%.*s", len, u->name);
}

/* By a name of the row. */
static void add_named(struct td_identity *m, const struct td_uarch *u, const char *name)
{
    add_part(m, u);
    if (u->unrevised && any_word(u->unrevised, name))
        m->flags |= TD_FLAG_REVISION_ASSUMED;
}

static bool find_platform(const char *platform, struct td_identity *m)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (on_platform(u, platform))
            add_part(m, u);
    return m->nparts > 0;
}

static bool find_by_name(const char *text, struct td_identity *m)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        if (!strcasecmp(u->name, text) || any_word(u->aliases, text)) {
            add_named(m, u, text);
            return true;
        }
    return find_platform(text, m);
}

/* One word of td_uarch.ids, "A-B[..C][:LO-HI]" in hex, against a, b and the stepping
 * or revision (negative: not known). */
static bool id_matches(const char *word, unsigned long a, unsigned long b, long stepping)
{
    char *end;
    unsigned long lo, hi;

    if (strtoul(word, &end, 16) != a || *end != '-')
        return false;
    lo = hi = strtoul(end + 1, &end, 16);
    if (!strncmp(end, "..", 2))
        hi = strtoul(end + 2, &end, 16);
    if (b < lo || b > hi)
        return false;
    if (*end != ':' || stepping < 0)
        return true;
    lo = strtoul(end + 1, &end, 16);
    hi = strtoul(end + 1, &end, 16);
    return (unsigned long)stepping >= lo && (unsigned long)stepping <= hi;
}

static bool row_matches(const struct td_uarch *u, unsigned long a, unsigned long b, long stepping)
{
    const char *words = u->ids;

    while (*words) {
        if (id_matches(words, a, b, stepping))
            return true;
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return false;
}

/* Finds all rows with that id. Where two of them are for one kind of core, the id does not decide between them, which
 * is an error. */
static int find_by_id(const char *vendor, unsigned long a, unsigned long b, long stepping, struct td_identity *m,
                      char *why, size_t whysize)
{
    const struct td_uarch *u;

    for (size_t i = 0; (u = td_uarch_at(i)); i++) {
        if (strcmp(td_uarch_backend_of(u)->vendor, vendor) || !row_matches(u, a, b, stepping))
            continue;
        for (size_t p = 0; p < m->nparts; p++)
            if (m->part[p]->core == u->core) {
                snprintf(why, whysize, "it is %s or %s, depending on the stepping: add it, or use one of these names",
                         m->part[p]->name, u->name);
                return -EINVAL;
            }
        add_part(m, u);
    }
    return m->nparts ? 0 : -ENOENT;
}

enum { MODEL_MOST = 0xff /* that CPUID gives of families 6 and 15 and later */ };

/* Finds "VENDOR-FAMILY-MODEL[-STEPPING]", the ids of CPUID. As in perf, family is decimal, model and stepping are hex.
 * A model that as hex would be larger than any is taken as decimal, as /proc/cpuinfo and lscpu print it: 143 is 8F. */
static int find_x86(const char *vendor, const char *text, struct td_identity *m, char *why, size_t whysize)
{
    char *end, *at;
    unsigned long family, model;
    long stepping = -1;

    family = strtoul(text + strlen(vendor) + 1, &end, 10);
    if (*end != '-')
        return -ENOENT;
    at = end + 1;
    model = strtoul(at, &end, 16);
    if (model > MODEL_MOST)
        model = strtoul(at, &end, 10);
    if (*end == '-' && isxdigit((unsigned char)end[1]))
        stepping = strtol(end + 1, &end, 16);
    if (*end)
        return -ENOENT;
    return find_by_id(vendor, family, model, stepping, m, why, whysize);
}

/* MIDR_EL1: implementer [31:24], variant [23:20], part [15:4], revision [3:0]. */
static int find_midr(const char *text, struct td_identity *m, char *why, size_t whysize)
{
    char *end;
    unsigned long long midr = strtoull(text, &end, 16);

    if (*end || midr > 0xffffffff)
        return -ENOENT;
    return find_by_id("MIDR", midr >> 24 & 0xff, midr >> 4 & 0xfff, (long)((midr >> 16 & 0xf0) | (midr & 0xf)), m, why,
                      whysize);
}

static int find_unable(const char *text, char *why, size_t whysize)
{
    for (size_t i = 0; i < TD_LENGTH(unable); i++) {
        size_t n = strlen(unable[i].id);

        if (any_word(unable[i].names, text) || (n && !strncasecmp(text, unable[i].id, n))) {
            snprintf(why, whysize, "%s", unable[i].why);
            return -EOPNOTSUPP;
        }
    }
    snprintf(why, whysize, "no such CPU; 'tdprobe list uarchs' names them");
    return -EINVAL;
}

/* True if text begins with one of the blank-separated words. */
static bool begins_with_any(const char *text, const char *words)
{
    while (*words) {
        size_t n = strcspn(words, " ");

        if (!strncasecmp(text, words, n))
            return true;
        words += n + strspn(words + n, " ");
    }
    return false;
}

const char *td_event_unable(const char *text)
{
    const char *slash = strchr(text, '/'), *name = slash ? slash + 1 : text;

    for (size_t i = 0; i < TD_LENGTH(unable); i++)
        if (begins_with_any(name, unable[i].events))
            return unable[i].why;
    return NULL;
}

int td_identity_find(const char *text, struct td_identity *out, char *why, size_t whysize)
{
    char name[TD_IDENTITY_TEXT];
    int err = -ENOENT;

    *out = (struct td_identity){0};
    if (find_by_name(text, out))
        return 0;
    if (!strncasecmp(text, "GenuineIntel-", strlen("GenuineIntel-")))
        err = find_x86("GenuineIntel", text, out, why, whysize);
    else if (!strncasecmp(text, "AuthenticAMD-", strlen("AuthenticAMD-")))
        err = find_x86("AuthenticAMD", text, out, why, whysize);
    else if (!strncasecmp(text, "0x", 2))
        err = find_midr(text, out, why, whysize);
    if (err == -ENOENT && td_cpu_sold_as(text, name, sizeof(name)) && strcasecmp(name, text) != 0)
        return td_identity_find(name, out, why, whysize);
    return err == -ENOENT ? find_unable(text, why, whysize) : err;
}

bool td_identity_same(const struct td_identity *a, const struct td_identity *b)
{
    bool same = a->nparts == b->nparts;

    for (size_t i = 0; same && i < a->nparts; i++)
        same = a->part[i] == b->part[i];
    return same;
}

/* A name may leave open the revision that an alias gives. */
const char *td_identity_text(const struct td_identity *m, char *out, size_t size)
{
    const char *words = m->nparts == 1 ? m->part[0]->aliases : "";
    struct td_identity found;
    char why[256];

    snprintf(out, size, "%s", m->name);
    while (td_identity_find(out, &found, why, sizeof(why)) || found.flags != m->flags || !td_identity_same(&found, m)) {
        size_t n = strcspn(words, " ");

        if (!n) {
            snprintf(out, size, "%s", m->name);
            break;
        }
        snprintf(out, size, "%.*s", (int)n, words);
        words += n + strspn(words + n, " ");
    }
    return out;
}

/* The identity that a row begins: its own CPU, or the hybrid whose P-cores it describes. false: it begins none. */
static bool begun_by(const struct td_uarch *u, struct td_identity *m)
{
    const char *name = u->core ? u->alone : *u->ids ? u->name : NULL;
    char platform[24];

    *m = (struct td_identity){0};
    if (name) {
        add_named(m, u, name);
    } else if (u->core == 'P') {
        snprintf(platform, sizeof(platform), "%.*s", (int)platform_length(u->name, strlen(u->name)), u->name);
        find_platform(platform, m);
    }
    return m->nparts > 0;
}

bool td_identity_next(size_t *row, struct td_identity *out)
{
    const struct td_uarch *u;

    while ((u = td_uarch_at(*row))) {
        ++*row;
        if (begun_by(u, out))
            return true;
    }
    return false;
}

bool td_identity_restrict(struct td_identity *m, const struct td_backend *backend)
{
    size_t n = 0;

    for (size_t i = 0; i < m->nparts; i++)
        if (!backend || td_uarch_backend_of(m->part[i]) == backend)
            m->part[n++] = m->part[i];
    m->nparts = n;
    return n > 0;
}

const struct td_uarch *td_uarch_by_name(const char *name)
{
    struct td_identity m;
    char why[256];

    if (td_identity_find(name, &m, why, sizeof(why)) || m.nparts != 1)
        return NULL;
    return m.part[0];
}
