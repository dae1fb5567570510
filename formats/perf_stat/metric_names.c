/* SPDX-License-Identifier: MIT */
#include "formats/perf_stat/metric_names.h"

#include "backends/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_LEN = 48 };

/* Where perf's names differ from those of the nodes. */
static const struct {
    const char *name, *node;
} others[] = {
    {"branch_mispredict", "branch_mispredicts"},
    {"ifetch_latency", "fetch_latency"},
    {"ifetch_bandwidth", "fetch_bandwidth"}, /* E-cores since perf 6.8 */
    {"wasted", "bad_speculation"}, /* Neoverse before perf 6.3 */
};

static bool is_letter(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* In the form of the nodes' names: "Bad Speculation", "cpu_core/Bad_Speculation_SMT".
 * Returns 0 if it is too long to be one. */
static size_t normalise(const char *text, size_t len, char out[NAME_LEN])
{
    static const char *const fronts[] = {"cpu_core", "cpu_atom"};

    for (size_t i = 0; i < sizeof(fronts) / sizeof(*fronts); i++)
        if (len > 9 && !strncasecmp(text, fronts[i], 8) && !is_letter(text[8])) {
            text += 9;
            len -= 9;
        }
    if (len > 4 && !strncasecmp(text + len - 4, "_smt", 4))
        len -= 4;
    if (len >= NAME_LEN)
        return 0;
    for (size_t i = 0; i < len; i++)
        out[i] = text[i] == ' ' || text[i] == '-' ? '_' : (char)(is_letter(text[i]) ? text[i] | 0x20 : text[i]);
    out[len] = '\0';
    return len;
}

/* The hint of a published formula, whose name begins with "tma_", or of perf's own. */
static uint16_t node_hint(const char *text, size_t len)
{
    char full[NAME_LEN], *name = full;
    int node;

    if (!normalise(text, len, full))
        return TD_HINT_NONE;
    if (!strncmp(full, "tma_", 4))
        name += 4;
    node = td_node_number(name);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (!strcmp(others[i].name, name))
            node = td_node_number(others[i].node);
    if (node < 0)
        return TD_HINT_NONE;
    return name == full ? td_hint_plain((unsigned)node) : td_hint_published((unsigned)node);
}

/* Clocks, rates and ratios of events, which perf prints wherever the event occurs
 * (Linux tools/perf/util/stat-shadow.c), have blanks or units where the names of metrics have none. */
static bool is_shadow(const char *text, size_t len)
{
    return memchr(text, ' ', len) || memchr(text, '/', len) || !is_letter(*text) ||
           (len == 3 && !memcmp(text, "GHz", 3));
}

uint16_t td_printed_name(const char *text, size_t len)
{
    const char *end = text + len, *word = text;
    uint16_t found = TD_HINT_NONE;

    while (end > text && end[-1] == ' ')
        end--;
    while (word < end && !found) { /* a unit, the name, a reader's remark, separated by two blanks */
        const char *next;

        while (word < end && (*word == ' ' || *word == '%'))
            word++;
        for (next = word; next < end && !(next[0] == ' ' && next[1] == ' ');) /* the last is no blank */
            next++;
        found = node_hint(word, (size_t)(next - word));
        if (!found && next == end && next > word && !is_shadow(word, (size_t)(next - word)))
            found = TD_HINT_OTHER;
        word = next;
    }
    return found;
}

/* What a name was looked up to; the memory's, or in lost where it has no room for such a name. */
static struct td_printed_known *look_up(struct td_printed_memory *m, struct td_hints *hints, const char *text,
                                        size_t len, struct td_printed_known *lost)
{
    enum { NAMES = sizeof(m->name) / sizeof(*m->name) };
    struct td_printed_known *known = lost;
    size_t at = m->next, i;

    if (len <= sizeof(known->text)) {
        for (i = 0; i < NAMES && (m->name[at].len != len || memcmp(m->name[at].text, text, len) != 0); i++)
            at = (at + 1) % NAMES;
        m->next = (at + 1) % NAMES;
        known = &m->name[at];
        if (i < NAMES)
            return known;
        known->len = len; /* mostly, this replaces the name that was used longest ago */
        memcpy(known->text, text, len);
    }
    known->digits = 0;
    known->hint = td_printed_name(text, len);
    known->printed = td_hints_one(hints, known->hint);
    return known;
}

uint32_t td_printed_again(struct td_printed_memory *m, struct td_hints *hints, const char *text, size_t len)
{
    struct td_printed_known lost;

    return look_up(m, hints, text, len, &lost)->printed;
}

/* A number and what follows it, up to the next one. */
struct printed {
    const char *number, *name;
    size_t digits, len;
};

static bool next_printed(const char **at, struct printed *m)
{
    const char *rest = *at + strspn(*at, "# \t-");

    if (!**at || **at == '(')
        return false;
    m->number = rest;
    m->digits = strspn(rest, "0123456789.,");
    if (!m->digits && (!strncmp(rest, "nan", 3) || !strncmp(rest, "inf", 3)))
        m->digits = 3;
    m->name = rest + m->digits;
    m->len = strcspn(m->name, "#(<");
    rest = m->name + m->len;
    if (*rest == '<') /* a reader's arrow, or the number of a cut-off line */
        rest += strcspn(rest, "#(");
    *at = rest;
    return true;
}

/* Whether it is a share: of 100 with a sign that says so, of 1 with decimals. */
static bool read_share(const struct printed *m, struct td_printed_share *out)
{
    const bool percent = m->name[strspn(m->name, " ")] == '%';
    char text[16];
    const char *mark;

    if (!m->digits || m->digits >= sizeof(text))
        return false;
    for (size_t i = 0; i < m->digits; i++)
        text[i] = (char)(m->number[i] == ',' ? '.' : m->number[i]);
    text[m->digits] = '\0';
    mark = strchr(text, '.');
    if (!mark)
        return false;
    out->share = strtod(text, NULL) / (percent ? 100 : 1);
    out->unit = pow(10, -(double)strlen(mark + 1)) / (percent ? 100 : 1);
    return out->share <= 1;
}

/* Adds a share of a node; once several were printed of one, nothing more is to be seen. */
static void take_share(struct td_printed_shares *all, const struct printed *m, uint16_t hint)
{
    struct td_printed_share new = {.hint = hint};
    size_t i = 0;

    if (!hint || hint == TD_HINT_OTHER)
        return;
    while (i < all->n && all->of[i].hint != hint)
        i++;
    if (i == TD_PRINTED_SHARES || (i < all->n && all->of[i].several) || !read_share(m, &new))
        return;
    if (i < all->n)
        all->of[i].several = all->of[i].share != new.share;
    else
        all->of[all->n++] = new;
}

uint32_t td_printed_rest(struct td_printed_memory *memory, struct td_hints *hints, struct td_printed_shares *shares,
                         const char *rest)
{
    struct printed m;
    uint32_t all = 0;

    while (next_printed(&rest, &m)) {
        struct td_printed_known lost;
        struct td_printed_known *known = look_up(memory, hints, m.name, m.len, &lost);

        all = td_hints_join(hints, all, known->printed);
        if (m.digits == known->digits && !memcmp(m.number, known->number, m.digits))
            continue; /* the same once more shows nothing */
        take_share(shares, &m, known->hint);
        known->digits = m.digits < sizeof(known->number) ? m.digits : 0;
        memcpy(known->number, m.number, known->digits);
    }
    return all;
}
