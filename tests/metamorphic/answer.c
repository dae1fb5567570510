/* SPDX-License-Identifier: MIT */
#include "tests/metamorphic/answer.h"

#include "tests/support/source.h"

#include <errno.h>
#include <math.h>

enum { PIECE = 4096 };

static int keep_trace(void *ctx, const void *buf, size_t size)
{
    bytes_add(ctx, buf, size);
    return 0;
}

/* ---- what a result says ------------------------------------------------------------- */

static struct answer_item *add(struct answer *a, const struct td_result *r, const char *name)
{
    struct answer_item *x;

    if (a->n == a->room) {
        a->room = 2 * a->room + 64;
        a->item = realloc(a->item, a->room * sizeof(*a->item));
        if (!a->item)
            abort();
    }
    x = &a->item[a->n++];
    memset(x, 0, sizeof(*x));
    x->summary = td_result_is_summary(r);
    x->time = td_result_time(r, &x->time) ? x->time : UINT64_MAX;
    x->duration = td_result_duration(r, &x->duration) ? x->duration : 0;
    snprintf(x->scope, sizeof(x->scope), "%s", td_result_scope(r));
    snprintf(x->kind, sizeof(x->kind), "%s", td_result_scope_kind(r));
    snprintf(x->core, sizeof(x->core), "%s", td_result_core(r) ? td_result_core(r) : "");
    snprintf(x->name, sizeof(x->name), "%s", name);
    x->coverage = td_result_coverage(r);
    x->contradicted = td_result_contradiction(r, 0) != NULL;
    return x;
}

static void add_text(struct answer_item *x, const char *text)
{
    const size_t used = strlen(x->rest);

    if (text)
        snprintf(x->rest + used, sizeof(x->rest) - used, "%.*s ", (int)strcspn(text, "|"), text);
}

static void take_metric(struct answer *a, const struct td_result *r, const struct td_metric *m)
{
    struct answer_item *x = add(a, r, m->name);

    x->node = m->kind == TD_METRIC_NODE;
    /* what Atoms' tables have beside the tree, backend_bound_aux, is of the same slots as another node */
    x->share = m->kind == TD_METRIC_NODE && m->level == TD_LEVEL_TOP && !strstr(m->name, "_aux");
    x->status = m->status;
    x->flags = m->flags;
    x->bounds = m->bounds;
    x->value = m->status == TD_OK ? m->value : m->status == TD_IMPOSSIBLE ? m->raw : 0;
    x->low = m->status == TD_OK ? m->low : (double)NAN;
    x->high = m->status == TD_OK ? m->high : (double)NAN;
    add_text(x, m->event);
    for (size_t i = 0; i < 32; i++)
        if (m->corrections >> i & 1)
            add_text(x, td_result_correction(r, i));
}

static void take_verdict(struct answer *a, const struct td_result *r)
{
    struct answer_item *x = add(a, r, "the verdict");
    struct td_verdict v;

    v = *td_result_verdict(r);
    x->status = (enum td_status)v.status;
    x->flags = v.unbounded | (unsigned)v.no_values << 1 | (unsigned)v.remedy << 2;
    x->value = (double)v.nsound;
    add_text(x, v.node ? v.node->name : "-");
    for (size_t i = 0; i < v.namong; i++)
        add_text(x, v.among[i]->name);
    add_text(x, v.absent ? v.absent->name : "-");
}

static void take_result(struct answer *a, const struct td_result *r)
{
    for (size_t i = 0; i < td_result_metrics(r); i++)
        take_metric(a, r, td_result_metric(r, i));
    take_verdict(a, r);
}

void answer_take(struct answer *a, const struct bytes *recording, const char *cpu, bool all, struct bytes *trace)
{
    struct source from = {recording->at, recording->n, PIECE, 0};
    const struct td_result *r;
    struct td *td = td_new();

    a->n = 0;
    a->err = td ? 0 : -ENOMEM;
    if (!a->err && cpu)
        a->err = td_set_uarch(td, cpu);
    if (!a->err && all)
        a->err = td_set_metrics(td, "all");
    if (!a->err && trace)
        a->err = td_set_convert(td, keep_trace, trace);
    a->err = a->err ? a->err : td_open(td, "f", source_read, &from);
    while (!a->err && !(a->err = td_next(td, &r)))
        take_result(a, r);
    for (size_t i = 0; a->err == -ENODATA && !td_summary(td, i, &r); i++)
        take_result(a, r);
    td_free(td);
}

void answer_free(struct answer *a)
{
    free(a->item);
    *a = (struct answer){.n = 0};
}

/* ---- two of them -------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct answer_item *x = a, *y = b;
    int order = x->summary != y->summary ? (x->summary ? 1 : -1) : strcmp(x->scope, y->scope);

    order = order ? order : strcmp(x->kind, y->kind);
    order = order ? order : strcmp(x->core, y->core);
    if (!order && x->time != y->time)
        order = x->time < y->time ? -1 : 1;
    return order ? order : strcmp(x->name, y->name);
}

void answer_sort(struct answer *a)
{
    if (a->n)
        qsort(a->item, a->n, sizeof(*a->item), by_place);
}

/* A trace rounds counts and times to 1e-9. */
static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* What differs between two metrics; NULL: nothing. */
static const char *difference(const struct answer_item *a, const struct answer_item *b, enum answer_parts parts)
{
    if (strcmp(a->scope, b->scope) || strcmp(a->kind, b->kind) || strcmp(a->core, b->core))
        return "scope";
    if (strcmp(a->name, b->name))
        return "metric";
    if (a->status != b->status &&
        !(parts == ANSWER_VALUES && b->contradicted && a->status == TD_OK && b->status == TD_IMPOSSIBLE))
        return "status";
    if (!same_number(a->value, b->value))
        return "value";
    if (parts != ANSWER_ALL)
        return NULL;
    if (a->time != b->time || a->duration != b->duration)
        return a->time != b->time ? "time" : "duration";
    if (a->flags != b->flags)
        return "flags";
    if (a->bounds != b->bounds || !same_number(a->low, b->low) || !same_number(a->high, b->high))
        return "bounds";
    if (!same_number(a->coverage, b->coverage))
        return "coverage";
    return strcmp(a->rest, b->rest) ? "events or nodes" : NULL;
}

static void describe(const struct answer_item *a, const struct answer_item *b, const char *what, char *why, size_t size)
{
    snprintf(
        why, size,
        "%s of %s%s of %s: %s, %.12g [%.9g, %.9g] flags %x, coverage %g, %s; then %s, %.12g [%.9g, %.9g] flags %x, coverage %g, %s",
        what, a->name, a->summary ? " in the summary" : "", a->scope, td_status_name(a->status), a->value, a->low,
        a->high, a->flags, a->coverage, a->rest, td_status_name(b->status), b->value, b->low, b->high, b->flags,
        b->coverage, b->rest);
}

/* Skips what the parts leave out. */
static size_t next_item(const struct answer *a, size_t i, enum answer_parts parts)
{
    while (i < a->n && parts != ANSWER_ALL &&
           (!a->item[i].node || (parts == ANSWER_SUMMARY_VALUES && !a->item[i].summary)))
        i++;
    return i;
}

bool answer_same(const struct answer *a, const struct answer *b, enum answer_parts parts, char *why, size_t size)
{
    size_t i = next_item(a, 0, parts), j = next_item(b, 0, parts);

    if (a->err != b->err) {
        snprintf(why, size, "one ends with '%s', the other with '%s'", strerror(-a->err), strerror(-b->err));
        return false;
    }
    for (; i < a->n && j < b->n; i = next_item(a, i + 1, parts), j = next_item(b, j + 1, parts)) {
        const char *what = difference(&a->item[i], &b->item[j], parts);

        if (what) {
            describe(&a->item[i], &b->item[j], what, why, size);
            return false;
        }
    }
    if (i == a->n && j == b->n)
        return true;
    snprintf(why, size, "%zu metrics, then %zu", a->n, b->n);
    return false;
}
