/* SPDX-License-Identifier: MIT */
#include "cli/table/offers.h"

#include "advice/advice.h"
#include "cli/cli.h"
#include "util/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_offer_word(const struct cli_offers *f, const char *word, const char *about)
{
    if (strncmp(word, f->typed, strlen(f->typed)))
        return;
    td_output_bytes(f->out, f->lead, f->nlead);
    td_output_format(f->out, "%s\t%s\n", word, about ? about : "");
}

/* ---- the CPU that the line is about ---------------------------------------------------------------- */

/* The one that it names, else this machine's; "": none is known. */
static void find_cpu(const struct cli_offers *f, char name[static 64])
{
    struct td *td = f->uarch ? NULL : td_new();

    snprintf(name, 64, "%s", f->uarch ? f->uarch : td && !td_detect(td) ? td_machine_name(td) : "");
    td_free(td);
}

bool cli_is_cpu(const struct td_uarch *u, const char *name)
{
    const size_t n = strlen(name);

    return n && (td_uarch_by_name(name) == u || (!strncmp(td_uarch_name(u), name, n) && td_uarch_name(u)[n] == '-'));
}

/* ---- metrics ----------------------------------------------------------------------------------------- */

struct name_list {
    char **at;
    size_t n, room;
};

/* Without the memory for it, it is not offered. */
static void add_name(struct name_list *to, const char *text, size_t n)
{
    if (n && !td_room(&to->at, &to->room, to->n + 1, sizeof(*to->at)) && (to->at[to->n] = strndup(text, n)))
        to->n++;
}

static void add_metric(struct name_list *to, const struct td_metric_info *m)
{
    char group[160];

    add_name(to, m->name, strlen(m->name));
    for (const char *at = m->groups ? m->groups : ""; *at; at += strspn(at, " ")) {
        add_name(to, at, strcspn(at, " "));
        at += strcspn(at, " ");
    }
    if (m->kind != TD_METRIC_NODE || !m->parent || !*m->parent)
        return;
    add_name(to, group, (size_t)snprintf(group, sizeof(group), "TopdownL%d", m->level));
    add_name(to, group, (size_t)snprintf(group, sizeof(group), "%.128s_group", m->parent));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void offer_metrics(const struct cli_offers *f)
{
    const char *comma = strrchr(f->typed, ',');
    struct cli_offers last = *f; /* after the last comma */
    char cpu[64], *lead = NULL;
    struct name_list names = {.n = 0};
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};

    if (comma && asprintf(&lead, "%.*s%.*s", (int)f->nlead, f->lead, (int)(comma + 1 - f->typed), f->typed) >= 0)
        last = (struct cli_offers){f->out, lead, strlen(lead), comma + 1, f->uarch};
    find_cpu(f, cpu);
    add_name(&names, "all", 3);
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; cli_is_cpu(u, cpu) && !td_uarch_metric(u, k, &m); k++)
            if (m.source && *m.unit)
                add_metric(&names, &m);
    if (names.n)
        qsort(names.at, names.n, sizeof(*names.at), by_name);
    for (size_t i = 0; i < names.n; i++) {
        if (!i || strcmp(names.at[i], names.at[i - 1]) != 0)
            cli_offer_word(&last, names.at[i], NULL);
    }
    while (names.n)
        free(names.at[--names.n]);
    free(names.at);
    free(lead);
}

/* Those that the CPU's nodes have, 1 and 2 where none are published; all where it is not known. */
static void offer_levels(const struct cli_offers *f)
{
    unsigned has = 0;
    char cpu[64], digit[] = "0";
    const struct td_uarch *u;
    struct td_metric_info m = {.size = sizeof(m)};

    find_cpu(f, cpu);
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; cli_is_cpu(u, cpu) && !td_uarch_metric(u, k, &m); k++)
            if (m.source && *m.unit && m.kind == TD_METRIC_NODE && m.level > 0)
                has |= 1U << m.level;
    has = has ? has : *cpu ? 1U << TD_LEVEL_TOP | 1U << TD_LEVEL_USUAL : ~0U;
    for (int level = TD_LEVEL_TOP; level <= TD_LEVELS; level++) {
        *digit = (char)('0' + level);
        if (has & 1U << level)
            cli_offer_word(f, digit, NULL);
    }
}

static void offer_events(const struct cli_offers *f)
{
    static const char *const known[] = {"cycles",        "instructions",     "ref-cycles",  "branches",
                                        "branch-misses", "cache-references", "cache-misses"};
    const struct td_uarch *u;
    struct td_event_info e = {.size = sizeof(e)};
    char cpu[64];

    for (size_t i = 0; i < CLI_COUNT(known); i++)
        cli_offer_word(f, known[i], NULL);
    find_cpu(f, cpu);
    for (size_t i = 0; (u = td_uarch_at(i)); i++)
        for (size_t k = 0; cli_is_cpu(u, cpu) && !td_uarch_event(u, k, &e); k++)
            cli_offer_word(f, e.name, NULL);
}

static void offer_nodes(const struct cli_offers *f)
{
    const struct td_uarch *only = f->uarch ? td_uarch_by_name(f->uarch) : NULL;
    const struct td_advice *mark;
    const char *name, *about;
    size_t at = 0;

    while ((name = cli_explain_node(&at, only, &about)))
        cli_offer_word(f, name, about);
    for (size_t i = 0; (mark = td_advice_mark_at(i)); i++)
        cli_offer_word(f, mark->node, mark->brief);
}

/* ---- all --------------------------------------------------------------------------------------------- */

void cli_offer(const struct cli_offers *f, enum cli_offer what, const char *(*choice)(size_t i))
{
    for (size_t i = 0; choice && choice(i); i++)
        cli_offer_word(f, choice(i), NULL);
    switch (what) {
    case CLI_FILES: td_output_text(f->out, ":files\n"); break;
    case CLI_FOLDERS: td_output_text(f->out, ":folders\n"); break;
    case CLI_RECORDINGS: td_output_text(f->out, ":files *.trace *.csv *.json *.jsonl *.txt *.data\n"); break;
    case CLI_SAMPLES: td_output_text(f->out, ":files *.data\n"); break;
    case CLI_MACHINES: td_output_text(f->out, ":files *.machine\n"); break;
    case CLI_METRICS: offer_metrics(f); break;
    case CLI_LEVELS: offer_levels(f); break;
    case CLI_EVENTS: offer_events(f); break;
    case CLI_NODES: offer_nodes(f); break;
    default: break;
    }
}
