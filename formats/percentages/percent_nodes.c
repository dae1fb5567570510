/* SPDX-License-Identifier: MIT */
#include "formats/percentages/percentages.h"

#include <ctype.h>
#include <string.h>

/* Names that differ from the nodes'. */
static const struct {
    const char *name, *node;
} others[] = {
    {"bad_spec", "bad_speculation"},     {"branch_mispredict", "branch_mispredicts"},
    {"ifetch_latency", "fetch_latency"}, {"ifetch_bandwidth", "fetch_bandwidth"},
    {"wasted", "bad_speculation"},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c);
}

/* How many characters of line are name, in any case and with any of '_', '-' and one blank between its words. 0: it is
 * not there. */
static size_t matches(const char *line, const char *name)
{
    size_t i;

    for (i = 0; name[i]; i++) {
        const char c = line[i];

        if (name[i] == '_' ? c != '_' && c != '-' && c != ' ' : tolower((unsigned char)c) != name[i])
            return 0;
    }
    return is_word(line[i]) || ((line[i] == '_' || line[i] == '-') && strncmp(line + i, "_smt", 4) != 0) ? 0 : i;
}

static const struct td_node *find(const char *name)
{
    static const struct td_tree *const trees[] = {&td_tree_big, &td_tree_zen4, &td_tree_zen5};
    const struct td_node *node = NULL;

    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees) && !node; i++)
        node = td_tree_find(trees[i], name);
    return node;
}

/* The node whose name is at the beginning of line; *len: of its name. */
static const struct td_node *node_at(const char *line, size_t *len)
{
    const char *name;

    for (unsigned i = 0; (name = td_node_name(i)); i++)
        if ((*len = matches(line, name)) && find(name))
            return find(name);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if ((*len = matches(line, others[i].name)))
            return find(others[i].node);
    return NULL;
}

static bool begins_word(const char *line, size_t at)
{
    return !at || !is_word(line[at - 1]);
}

/* A name goes before what it ends with: "tma_" and "metric_TMA_" are no words of a node. */
const struct td_node *td_percent_next(const char *line, size_t *at)
{
    const struct td_node *node = NULL;
    size_t len = 0;

    for (; line[*at] && !node; (*at)++)
        if (is_word(line[*at]) && begins_word(line, *at))
            node = node_at(line + *at, &len);
    if (node)
        *at += len - 1;
    return node;
}

const struct td_node *td_percent_node(const char *text, size_t len)
{
    char field[256];
    const struct td_node *node = NULL, *next;
    size_t at = 0, end = 0;

    if (len >= sizeof(field))
        return NULL;
    memcpy(field, text, len);
    field[len] = '\0';
    while ((next = td_percent_next(field, &at)))
        node = next, end = at;
    while (node && field[end]) { /* a path goes on, or more words do: another metric */
        const bool smt = !strncmp(field + end, "smt", 3);

        if (is_word(field[end]) && !smt)
            return NULL;
        end += smt ? 3 : 1;
    }
    return node;
}
