/* SPDX-License-Identifier: MIT */
#include "sim/describe/description.h"

#include "util/number.h"
#include "private/plan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int td_description_bad(struct td_description *d, const char *format, ...)
{
    size_t at = (size_t)snprintf(d->why, d->whysize, "%s:%lu: ", d->name, d->number);
    va_list args;

    va_start(args, format);
    if (at < d->whysize)
        vsnprintf(d->why + at, d->whysize - at, format, args);
    va_end(args);
    return -EBADMSG;
}

int td_description_words(struct td_description *d, char *text)
{
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t len = strcspn(text, " \t");
        char *end = text + len;

        if (d->n == sizeof(d->word) / sizeof(*d->word))
            return td_description_bad(d, "more than 64 words");
        d->used[d->n] = false;
        d->word[d->n++] = text;
        text = *end ? end + 1 : end;
        *end = '\0';
    }
    return 0;
}

const char *td_description_value(struct td_description *d, const char *key)
{
    size_t len = strlen(key);

    for (size_t i = 1; i < d->n; i++)
        if (!d->used[i] && !strncmp(d->word[i], key, len) && d->word[i][len] == '=') {
            d->used[i] = true;
            return d->word[i] + len + 1;
        }
    return NULL;
}

const char *td_description_word(struct td_description *d, size_t i)
{
    if (i >= d->n)
        return NULL;
    d->used[i] = true;
    return d->word[i];
}

bool td_description_flag(struct td_description *d, const char *word)
{
    for (size_t i = 1; i < d->n; i++)
        if (!d->used[i] && !strcmp(d->word[i], word))
            return d->used[i] = true;
    return false;
}

int td_description_unused(struct td_description *d)
{
    for (size_t i = 1; i < d->n; i++)
        if (!d->used[i])
            return td_description_bad(d, "unknown word '%.60s' in a line '%.20s'", d->word[i], d->word[0]);
    return 0;
}

int td_description_either(struct td_description *d, size_t i, const char *yes, const char *no, bool *out)
{
    const char *word = td_description_word(d, i);

    if (!word || (strcmp(word, yes) && strcmp(word, no)))
        return td_description_bad(d, "'%.40s' is not %s or %s", word ? word : "", yes, no);
    *out = !strcmp(word, yes);
    return 0;
}

int td_description_number_of(struct td_description *d, const char *what, const char *text, uint64_t low, uint64_t high,
                             uint64_t *out)
{
    size_t len = text ? strlen(text) : 0;
    const char *why;
    uint64_t n;

    if (!text)
        return td_description_bad(d, "%s is missing", what);
    why = len > 2 && text[0] == '0' && text[1] == 'x' ? td_number_hex(text, len, &n) : td_number_u64(text, len, &n);
    if (why)
        return td_description_bad(d, "%s '%.40s' %s", what, text, why);
    if (n < low || n > high)
        return td_description_bad(d, "%s is %.40s, not %llu to %llu", what, text, (unsigned long long)low,
                                  (unsigned long long)high);
    *out = n;
    return 0;
}

int td_description_number(struct td_description *d, const char *key, uint64_t low, uint64_t high, uint64_t *out)
{
    const char *text = td_description_value(d, key);

    return text ? td_description_number_of(d, key, text, low, high, out) : 0;
}

/* Not td_number_decimal(): shares must add up to 1 exactly, so they are read as integers. */
int td_description_millionths(struct td_description *d, const char *what, const char *text, uint64_t high,
                              uint64_t *out)
{
    size_t whole = strcspn(text, "."), digits = text[whole] ? strlen(text + whole + 1) : 0;
    uint64_t n = 0, part = 0;

    if (td_number_u64(text, whole, &n) || digits > 6 || (text[whole] && td_number_u64(text + whole + 1, digits, &part)))
        return td_description_bad(d, "%s '%.40s' is not a number with at most 6 digits after the dot", what, text);
    for (size_t i = digits; i < 6; i++)
        part *= 10;
    if (n > high / 1000000 || n * 1000000 + part > high)
        return td_description_bad(d, "%s is %.40s, above %llu", what, text, (unsigned long long)(high / 1000000));
    *out = n * 1000000 + part;
    return 0;
}

int td_description_list(struct td_description *d, const char *what, const char *text, struct td_cpu_list *out)
{
    int err = td_cpu_list_parse_distinct(text, out);

    if (!err && !out->n)
        err = -EINVAL;
    if (!err || err == -ENOMEM)
        return err;
    return td_description_bad(d, "%s '%.40s' is not a list like 0-3,8 of different CPUs below %d", what, text,
                              TD_CPUS_MAX);
}

int td_description_cpus(struct td_description *d, const char *what, const char *text, struct td_cpu_list *out)
{
    const struct td_sim_hw *hw = &d->sim->hw;
    int err;

    *out = (struct td_cpu_list){0};
    if (!text)
        return td_description_bad(d, "%s is missing", what);
    err = td_description_list(d, what, text, out);
    for (size_t i = 0; !err && i < out->n; i++)
        if ((unsigned)out->cpu[i] >= hw->ncpus || !hw->cpu[out->cpu[i]].exists)
            err = td_description_bad(d, "%s: no 'cpus' line has CPU %d", what, out->cpu[i]);
    return err;
}

int td_description_cpu_set(struct td_description *d, struct td_cpu_set *out)
{
    const char *text = td_description_value(d, "cpus");
    struct td_cpu_list list = {0};
    int err = text ? td_description_cpus(d, "cpus", text, &list) : 0;

    *out = (struct td_cpu_set){0};
    for (size_t i = 0; !err && i < list.n; i++)
        err = td_cpu_set_add(out, (unsigned)list.cpu[i], (unsigned)list.cpu[i]);
    free(list.cpu);
    return err;
}

struct td_sim_pmu *td_description_pmu(struct td_description *d)
{
    struct td_sim_hw *hw = &d->sim->hw;
    const char *name = td_description_word(d, 1);

    for (size_t i = 0; name && i < hw->npmus; i++)
        if (!strcmp(hw->pmu[i].name, name))
            return &hw->pmu[i];
    td_description_bad(d, "no PMU '%.40s' above", name ? name : "");
    return NULL;
}

static int one_counter(struct td_description *d, const char *what, const char *text, size_t len, uint64_t *out)
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
        return td_description_bad(d, "%s '%.*s' is not a counter: 2, 0-3, fixed1, cycle", what, (int)len, text);
    high = low;
    if (first < len && td_number_u64(text + first + 1, len - first - 1, &high))
        return td_description_bad(d, "%s '%.*s' is not a range of counters", what, (int)len, text);
    if (high >= limit || low > high)
        return td_description_bad(d, "%s '%.*s' is beyond the counters there can be", what, (int)len, text);
    for (; low <= high; low++)
        *out |= UINT64_C(1) << (base + low);
    return 0;
}

int td_description_counters(struct td_description *d, const char *what, const char *text, uint64_t *out)
{
    *out = 0;
    for (;;) {
        size_t len = strcspn(text, ",");
        int err = one_counter(d, what, text, len, out);

        if (err || !text[len])
            return err;
        text += len + 1;
    }
}
