/* SPDX-License-Identifier: MIT */
#include "stats/pure_deltas.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t width(const struct td_pure_deltas *p)
{
    return p->columns + p->weights;
}

struct td_weighed td_pure_chunk(const struct td_pure_deltas *p, size_t chunk, size_t column)
{
    const double *sum = &p->sum[chunk * width(p)];

    if (column >= p->columns) /* it came later, and no delta here has it */
        return (struct td_weighed){0, 0};
    return (struct td_weighed){sum[p->columns + (p->weights == p->columns ? column : 0)], sum[column]};
}

/* Gives each column a weight of its own, and makes room for new columns, which no delta had until now. false: out
 * of memory. */
static bool split_weights(struct td_pure_deltas *p, size_t columns)
{
    double *grown = calloc(p->room * 2 * columns + 1, sizeof(*grown));

    if (!grown)
        return false;
    for (size_t i = 0; i < p->chunks; i++)
        for (size_t k = 0; k < p->columns; k++) {
            const struct td_weighed w = td_pure_chunk(p, i, k);

            grown[i * 2 * columns + k] = w.sum;
            grown[i * 2 * columns + columns + k] = w.weight;
        }
    free(p->sum);
    p->sum = grown;
    p->columns = p->weights = (uint32_t)columns;
    return true;
}

/* false: out of memory. */
static bool know_columns(struct td_pure_deltas *p, const double *value, size_t columns)
{
    bool lacks = p->n && p->columns < columns;

    if (!p->n) {
        p->columns = (uint32_t)columns;
        p->weights = 1;
    }
    for (size_t i = 0; i < columns; i++)
        lacks = lacks || isnan(value[i]);
    return !lacks || (p->columns == columns && p->weights == columns) || split_weights(p, columns);
}

/* Puts each two chunks together. */
static void join_chunks(struct td_pure_deltas *p)
{
    const size_t n = width(p);

    for (size_t i = 0; i < p->chunks; i += 2)
        for (size_t k = 0; k < n; k++)
            p->sum[i / 2 * n + k] = p->sum[i * n + k] + p->sum[(i + 1) * n + k];
    p->chunks /= 2;
    p->each *= 2;
    p->open = p->each;
}

/* Room grows by half only: with hundreds of thousands of places, what is spare is most of what is needed. false:
 * out of memory. */
static bool make_room(struct td_pure_deltas *p)
{
    const size_t room = p->room + p->room / 2 + 1;
    double *grown = realloc(p->sum, room * width(p) * sizeof(*grown));

    if (!grown)
        return false;
    p->sum = grown;
    p->room = room;
    return true;
}

/* false: out of memory. */
static bool begin_chunk(struct td_pure_deltas *p)
{
    if (p->chunks == TD_CHUNKS)
        join_chunks(p);
    if (p->chunks == p->room && !make_room(p))
        return false;
    memset(&p->sum[p->chunks++ * width(p)], 0, width(p) * sizeof(*p->sum));
    p->open = 0;
    return true;
}

int td_pure_add(struct td_pure_deltas *p, const double *value, size_t columns, double weight, double restored)
{
    double *sum;

    if (!know_columns(p, value, columns))
        return -ENOMEM;
    if (!p->n)
        p->each = 1;
    if ((!p->chunks || p->open == p->each) && !begin_chunk(p))
        return -ENOMEM;
    p->open++;
    p->n++;
    p->slots += weight;
    p->restored += weight * restored;
    sum = &p->sum[(p->chunks - 1) * width(p)];
    for (size_t i = 0; i < columns; i++)
        sum[i] += isnan(value[i]) ? 0 : weight * value[i];
    for (size_t i = 0; i < p->weights; i++)
        sum[columns + i] += columns && isnan(value[i]) ? 0 : weight;
    return 0;
}

void td_pure_free(struct td_pure_deltas *p)
{
    free(p->sum);
    p->sum = NULL;
    p->chunks = p->room = 0;
}
