/* SPDX-License-Identifier: MIT */
#include "core/table.h"

#include "core/name_hash.h"

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
    } shares[] = {{"Slots", "slots"}, {"Clocks", "cycles"}, {"Cycles", "cycles"}, {"Core_", "core_cycles"}, {"Stalls", "stalls"}, {"Uops", "uops"}};
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

/* One of the words of a list. */
static bool has_word(const char *list, const char *name, size_t len)
{
    while (*list) {
        const size_t n = strcspn(list, " ");

        if (n == len && !strncasecmp(list, name, n))
            return true;
        list += n + strspn(list + n, " ");
    }
    return false;
}

bool td_table_named(const struct td_table *t, size_t row, const char *name, size_t len, bool groups)
{
    const struct td_table_row *r = &t->row[row];

    if (len > 4 && !strncasecmp(name, "tma_", 4))
        name += 4, len -= 4;
    return has_word(text(t, r->name), name, len) || has_word(text(t, r->alias), name, len) || (groups && has_word(text(t, r->groups), name, len));
}
