/* SPDX-License-Identifier: MIT */
#include "util/cpu_list.h"

#include "util/number.h"
#include "util/room.h"
#include "private/plan.h"

#include <stdio.h>

enum { RANGE_TEXT = sizeof("4294967295-4294967295,") };

/* ---- reading ---------------------------------------------------------------- */

/* Reads one part of a list, between commas: a CPU or a range. */
static bool read_range(const char *text, size_t len, uint64_t *first, uint64_t *last)
{
    const char *dash = memchr(text, '-', len);
    const size_t low = dash ? (size_t)(dash - text) : len;

    if (td_number_u64(text, low, first))
        return false;
    *last = *first;
    if (dash && td_number_u64(dash + 1, len - low - 1, last))
        return false;
    return *first <= *last && *last < TD_CPUS_MAX;
}

int td_cpu_ranges(const char *text, size_t len, td_cpu_range_fn *range, void *ctx)
{
    const char *const end = text + len;

    if (!len)
        return 0;
    for (;;) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        uint64_t first, last;
        int err;

        if (!read_range(text, (size_t)((comma ? comma : end) - text), &first, &last))
            return -EINVAL;
        err = range(ctx, (unsigned)first, (unsigned)last);
        if (err || !comma)
            return err;
        text = comma + 1;
    }
}

struct collecting {
    struct td_cpu_set seen;
    struct td_cpu_list list;
    size_t room;
    bool distinct;
};

static int collect(struct collecting *c, unsigned cpu)
{
    int err = td_room(&c->list.cpu, &c->room, c->list.n + 1, sizeof(*c->list.cpu));

    if (err)
        return err;
    c->list.cpu[c->list.n++] = (int)cpu;
    return td_cpu_set_add(&c->seen, cpu, cpu);
}

static int collect_range(void *ctx, unsigned first, unsigned last)
{
    struct collecting *c = ctx;
    int err = 0;

    for (unsigned cpu = first; !err && cpu <= last; cpu++) {
        if (!td_cpu_set_has(&c->seen, cpu))
            err = collect(c, cpu);
        else if (c->distinct)
            err = -EEXIST;
    }
    return err;
}

static int parse(const char *text, bool distinct, struct td_cpu_list *out)
{
    struct collecting c = {.distinct = distinct};
    int err = td_cpu_ranges(text, strlen(text), collect_range, &c);

    td_cpu_set_free(&c.seen);
    *out = (struct td_cpu_list){0};
    if (err)
        free(c.list.cpu);
    else
        *out = c.list;
    return err;
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

int td_cpu_list_parse(const char *text, struct td_cpu_list *out)
{
    int err = parse(text, false, out);

    if (out->n)
        qsort(out->cpu, out->n, sizeof(*out->cpu), compare);
    return err;
}

int td_cpu_list_parse_distinct(const char *text, struct td_cpu_list *out)
{
    return parse(text, true, out);
}

int td_cpus_parse(const char *list, int **cpus, size_t *n)
{
    struct td_cpu_list read = {0};
    int err = *list ? parse(list, false, &read) : -EINVAL;

    *cpus = read.cpu;
    *n = read.n;
    return err;
}

bool td_cpu_list_has(const struct td_cpu_list *l, int cpu)
{
    return l->n && bsearch(&cpu, l->cpu, l->n, sizeof(cpu), compare);
}

/* ---- writing ---------------------------------------------------------------- */

/* Appends a range to a text of *used characters; false: it does not fit, and is left out. */
static bool append(char *buf, size_t size, size_t *used, unsigned first, unsigned last)
{
    const char *comma = *used ? "," : "";
    char text[RANGE_TEXT];
    int n = last > first ? snprintf(text, sizeof(text), "%s%u-%u", comma, first, last)
                         : snprintf(text, sizeof(text), "%s%u", comma, first);

    if (n < 0 || (size_t)n >= size - *used)
        return false;
    memcpy(buf + *used, text, (size_t)n + 1);
    *used += (size_t)n;
    return true;
}

void td_cpu_list_text(const struct td_cpu_list *l, char *buf, size_t size)
{
    size_t used = 0;

    *buf = '\0';
    for (size_t i = 0; i < l->n; i++) {
        const size_t first = i;

        while (i + 1 < l->n && l->cpu[i + 1] == l->cpu[i] + 1)
            i++;
        if (!append(buf, size, &used, (unsigned)l->cpu[first], (unsigned)l->cpu[i]))
            return;
    }
}

/* The last of the members that follow cpu without a gap. */
static unsigned run_end(const struct td_cpu_set *s, unsigned cpu)
{
    while (td_cpu_set_has(s, cpu + 1))
        cpu++;
    return cpu;
}

char *td_cpu_set_text(const struct td_cpu_set *s)
{
    size_t ranges = 0, used = 0, size;
    char *text;

    for (unsigned cpu = td_cpu_set_next(s, 0); cpu < TD_CPUS_MAX; cpu = td_cpu_set_next(s, run_end(s, cpu) + 1))
        ranges++;
    size = ranges * RANGE_TEXT + 1;
    text = calloc(1, size);
    for (unsigned cpu = td_cpu_set_next(s, 0); text && cpu < TD_CPUS_MAX; cpu = td_cpu_set_next(s, run_end(s, cpu) + 1))
        append(text, size, &used, cpu, run_end(s, cpu));
    return text;
}
