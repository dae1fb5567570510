/* SPDX-License-Identifier: MIT */
/* One line of a machine's description: its words and the numbers in them. */
#include "machine_line.h"

#include "number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_sim_bad(struct td_sim_line *l, const char *format, ...)
{
    size_t at = (size_t)snprintf(l->why, l->whysize, "%s:%lu: ", l->name, l->number);
    va_list args;

    va_start(args, format);
    if (at < l->whysize)
        vsnprintf(l->why + at, l->whysize - at, format, args);
    va_end(args);
    return -EBADMSG;
}

int td_sim_words(struct td_sim_line *l, char *text)
{
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t len = strcspn(text, " \t");
        char *end = text + len;

        if (l->n == sizeof(l->word) / sizeof(*l->word))
            return td_sim_bad(l, "more than 64 words");
        l->used[l->n] = false;
        l->word[l->n++] = text;
        text = *end ? end + 1 : end;
        *end = '\0';
    }
    return 0;
}

const char *td_sim_value(struct td_sim_line *l, const char *key)
{
    size_t len = strlen(key);

    for (size_t i = 1; i < l->n; i++)
        if (!l->used[i] && !strncmp(l->word[i], key, len) && l->word[i][len] == '=') {
            l->used[i] = true;
            return l->word[i] + len + 1;
        }
    return NULL;
}

const char *td_sim_word(struct td_sim_line *l, size_t i)
{
    if (i >= l->n)
        return NULL;
    l->used[i] = true;
    return l->word[i];
}

bool td_sim_flag(struct td_sim_line *l, const char *word)
{
    for (size_t i = 1; i < l->n; i++)
        if (!l->used[i] && !strcmp(l->word[i], word))
            return l->used[i] = true;
    return false;
}

int td_sim_unused(struct td_sim_line *l)
{
    for (size_t i = 1; i < l->n; i++)
        if (!l->used[i])
            return td_sim_bad(l, "'%.60s' means nothing in a line '%.20s'", l->word[i], l->word[0]);
    return 0;
}

int td_sim_number_of(struct td_sim_line *l, const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    size_t len = text ? strlen(text) : 0;
    const char *why;
    uint64_t n;

    if (!text)
        return td_sim_bad(l, "%s is missing", what);
    why = len > 2 && text[0] == '0' && text[1] == 'x' ? td_number_hex(text, len, &n) : td_number_u64(text, len, &n);
    if (why)
        return td_sim_bad(l, "%s '%.40s' %s", what, text, why);
    if (n < low || n > high)
        return td_sim_bad(l, "%s is %.40s, not %llu to %llu", what, text, (unsigned long long)low, (unsigned long long)high);
    *out = n;
    return 0;
}

int td_sim_number(struct td_sim_line *l, const char *key, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *text = td_sim_value(l, key);

    return text ? td_sim_number_of(l, key, text, low, high, out) : 0;
}

/* Not td_number_decimal(): shares must add up to 1 exactly, so they are read as integers. */
int td_sim_millionths(struct td_sim_line *l, const char *what, const char *text, uint64_t high, uint64_t *out)
{
    size_t whole = strcspn(text, "."), digits = text[whole] ? strlen(text + whole + 1) : 0;
    uint64_t n = 0, part = 0;

    if (td_number_u64(text, whole, &n) || digits > 6 || (text[whole] && td_number_u64(text + whole + 1, digits, &part)))
        return td_sim_bad(l, "%s '%.40s' is not a number with at most 6 digits behind the dot", what, text);
    for (size_t i = digits; i < 6; i++)
        part *= 10;
    if (n > high / 1000000 || n * 1000000 + part > high)
        return td_sim_bad(l, "%s is %.40s, above %llu", what, text, (unsigned long long)(high / 1000000));
    *out = n * 1000000 + part;
    return 0;
}

int td_sim_cpus(struct td_sim_line *l, const char *key, const char *text, struct td_sim_set *set, uint16_t *order, size_t *n)
{
    if (!text)
        return td_sim_bad(l, "%s is missing", key);
    if (!td_sim_set_read(text, set, order, n))
        return td_sim_bad(l, "%s '%.40s' is not a list like 0-3,8 of different CPUs below %d", key, text, TD_SIM_CPUS);
    for (unsigned i = 0; i < TD_SIM_CPUS; i++)
        if (td_sim_set_has(set, i) && !l->sim->cpu[i].exists)
            return td_sim_bad(l, "%s: no 'cpus' line has CPU %u", key, i);
    return 0;
}

static int one_counter(struct td_sim_line *l, const char *what, const char *text, size_t len, uint64_t *out)
{
    size_t first = strcspn(text, ",-"), from;
    uint64_t low, high, base = 0, limit = TD_SIM_FIXED;

    if (len == 5 && !strncmp(text, "cycle", 5)) {
        *out |= UINT64_C(1) << TD_SIM_CYCLE;
        return 0;
    }
    from = len > 5 && !strncmp(text, "fixed", 5) ? 5 : 0;
    if (from) {
        base = TD_SIM_FIXED;
        limit = TD_SIM_CYCLE - TD_SIM_FIXED;
    }
    if (td_number_u64(text + from, (first < len ? first : len) - from, &low))
        return td_sim_bad(l, "%s '%.*s' is not a counter: 2, 0-3, fixed1, cycle", what, (int)len, text);
    high = low;
    if (first < len && td_number_u64(text + first + 1, len - first - 1, &high))
        return td_sim_bad(l, "%s '%.*s' is not a range of counters", what, (int)len, text);
    if (high >= limit || low > high)
        return td_sim_bad(l, "%s '%.*s' is beyond the counters there can be", what, (int)len, text);
    for (; low <= high; low++)
        *out |= UINT64_C(1) << (base + low);
    return 0;
}

int td_sim_counters(struct td_sim_line *l, const char *what, const char *text, uint64_t *out)
{
    *out = 0;
    for (;;) {
        size_t len = strcspn(text, ",");
        int err = one_counter(l, what, text, len, out);

        if (err || !text[len])
            return err;
        text += len + 1;
    }
}

void *td_sim_grow(void *array, size_t n, size_t size)
{
    char *more = realloc(array, (n + 1) * size);

    if (more)
        memset(more + n * size, 0, size);
    return more;
}
