/* SPDX-License-Identifier: MIT */
#include "core/formula/table.h"

#include "core/formula/name_hash.h"
#include "util/words.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int td_table_find(const struct td_table *t, const char *name, size_t len)
{
    for (uint32_t i = td_name_hash(name, len) & t->mask; t->slot[i]; i = (i + 1) & t->mask) {
        const char *own = t->texts + t->row[t->slot[i] - 1].name;

        if (!strncmp(own, name, len) && !own[len])
            return t->slot[i] - 1;
    }
    return -1;
}

static const char *text(const struct td_table *t, uint32_t at)
{
    return t->texts + at;
}

/* Slots_Estimated is of slots, too. */
static bool begins(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

const char *td_table_unit(const struct td_table *t, size_t row)
{
    static const struct {
        const char *domain, *unit;
    } shares[] = {{"Slots", "slots"},       {"Clocks", "cycles"}, {"Cycles", "cycles"},
                  {"Core_", "core_cycles"}, {"Stalls", "stalls"}, {"Uops", "uops"}};
    const struct td_table_row *r = &t->row[row];

    for (size_t i = 0; r->kind == TD_ROW_NODE && i < sizeof(shares) / sizeof(*shares); i++)
        if (begins(text(t, r->domain), shares[i].domain))
            return shares[i].unit;
    return text(t, r->unit);
}

double td_table_threshold(const struct td_table *t, size_t row)
{
    const char *at = text(t, t->row[row].threshold);
    double number = 0, unit = 1;

    if (!begins(at, "v > "))
        return HUGE_VAL;
    for (at += strlen("v > "); *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++, unit *= 10)
            number = number * 10 + (*at - '0');
    return number / unit;
}

/* One of the row's names, or of those that others give it. */
static bool has_name(const struct td_table *t, const struct td_table_row *r, const char *name, size_t len)
{
    return td_words_have(text(t, r->name), name, len, strncasecmp) ||
           td_words_have(text(t, r->alias), name, len, strncasecmp);
}

/* perf's groups of nodes, which follow from the tree: "TopdownL3" and "tma_L3_group" of a level,
 * "tma_memory_bound_group" of a node's children (perfmon's MetricGroup). */
static bool in_group_of_tree(const struct td_table *t, const struct td_table_row *r, const char *name, size_t len)
{
    static const char group[] = "_group";
    const size_t tail = sizeof(group) - 1, of = len > tail ? len - tail : 0;
    const char *parent = text(t, r->parent);

    if (r->kind != TD_ROW_NODE)
        return false;
    if (len == strlen("TopdownL3") && !strncasecmp(name, "TopdownL", len - 1))
        return name[len - 1] == '0' + r->level;
    if (!of || strncasecmp(name + of, group, tail))
        return false;
    if (of == 2 && (*name == 'L' || *name == 'l'))
        return name[1] == '0' + r->level;
    return strlen(parent) == of && !strncasecmp(name, parent, of);
}

/* toplev's "Backend_Bound.Memory_Bound.L3_Bound": what it ends with is the node, what is before that its parent. */
static bool is_path(const struct td_table *t, const struct td_table_row *r, const char *name, size_t len)
{
    const char *parent = text(t, r->parent);
    size_t own = 0;

    while (own < len && name[len - own - 1] != '.')
        own++;
    if (r->kind != TD_ROW_NODE || own == len)
        return false;
    if (!has_name(t, r, name + len - own, own))
        return false;
    len -= own + 1;
    return len >= strlen(parent) && !strncasecmp(name + len - strlen(parent), parent, strlen(parent)) &&
           (len == strlen(parent) || name[len - strlen(parent) - 1] == '.');
}

/* toplev's "Info.Thread.IPC" is perf's info_thread_ipc. */
static bool is_info(const struct td_table *t, const struct td_table_row *r, const char *name, size_t len)
{
    const char *own = text(t, r->name);

    if (r->kind == TD_ROW_NODE || strlen(own) != len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (name[i] == '.' ? own[i] != '_' : strncasecmp(name + i, own + i, 1) != 0)
            return false;
    return true;
}

bool td_table_named(const struct td_table *t, size_t row, const char *name, size_t len, bool groups)
{
    const struct td_table_row *r = &t->row[row];

    if (len > 4 && !strncasecmp(name, "tma_", 4))
        name += 4, len -= 4;
    return has_name(t, r, name, len) || is_path(t, r, name, len) || is_info(t, r, name, len) ||
           (groups && (td_words_have(text(t, r->groups), name, len, strncasecmp) || in_group_of_tree(t, r, name, len)));
}
