/* SPDX-License-Identifier: MIT */
/* The backends in order, and what the API reports about them. */
#include "backends/registry.h"

#include "backends/rows.h"
#include "core/core_kind.h"
#include "core/sized.h"

#include <errno.h>

const struct td_backend *const td_backends[] = {
    &td_intel_perf_metrics, &td_intel_generic, &td_intel_atom, &td_arm_neoverse, &td_amd_zen, NULL,
};

const char *td_backend_name(size_t i)
{
    return i < TD_LENGTH(td_backends) - 1 ? td_backends[i]->name : NULL;
}

const char *td_backend_about(size_t i)
{
    return i < TD_LENGTH(td_backends) - 1 ? td_backends[i]->about : NULL;
}

const struct td_uarch *td_uarch_at(size_t i)
{
    for (const struct td_backend *const *b = td_backends; *b; b++) {
        if (i < (*b)->nrows)
            return &(*b)->rows[i];
        i -= (*b)->nrows;
    }
    return NULL;
}

const struct td_backend *td_uarch_backend_of(const struct td_uarch *u)
{
    for (const struct td_backend *const *b = td_backends; *b; b++)
        if (u >= (*b)->rows && u < (*b)->rows + (*b)->nrows)
            return *b;
    return NULL;
}

const char *td_uarch_name(const struct td_uarch *u)
{
    return u->name;
}

const char *td_uarch_title(const struct td_uarch *u)
{
    return u->title;
}

const char *td_uarch_backend(const struct td_uarch *u)
{
    return td_uarch_backend_of(u)->name;
}

const char *td_uarch_aliases(const struct td_uarch *u)
{
    return u->aliases;
}

const char *td_uarch_pmu(const struct td_uarch *u)
{
    return td_core_pmu(u->core);
}

const char *td_uarch_ids(const struct td_uarch *u)
{
    return u->ids;
}

const char *td_uarch_source(const struct td_uarch *u)
{
    return u->source;
}

int td_uarch_width(const struct td_uarch *u)
{
    return u->width;
}

const char *td_uarch_formula(const struct td_uarch *u, size_t i)
{
    for (size_t f = 0; u->forms[f]; f++)
        if (f == i)
            return u->forms[f]->name;
    return NULL;
}

int td_uarch_event(const struct td_uarch *u, size_t i, struct td_event_info *out)
{
    struct td_event_info info;

    for (size_t k = 0; k < u->nevents; k++) {
        const struct td_event *e = &u->events[k];

        if (e->config == TD_CONFIG_NONE || i-- > 0)
            continue;
        info = (struct td_event_info){
            .name = e->name, .config = e->config, .counters = e->counters, .counters_alone = e->counters_alone};
        return td_sized_give(NULL, "td_event_info", out, sizeof(info), &info);
    }
    return -ENODATA;
}

static void describe(const struct td_uarch *u, const struct td_form *form, const struct td_def *def,
                     struct td_metric_info *out)
{
    const struct td_node *node = td_tree_find(u->tree, def->name);

    *out = (struct td_metric_info){
        .formula = form->name,
        .name = def->name,
        .expr = def->expr,
        .unit = def->unit ? def->unit : "slots",
        .wrong = def->wrong,
        .level = node ? node->level : 0,
    };
}

/* Describes a row of what is published. */
static void describe_row(const struct td_table *t, size_t row, struct td_metric_info *out)
{
    static const enum td_metric_kind kinds[] = {
        [TD_ROW_NODE] = TD_METRIC_NODE,
        [TD_ROW_BOTTLENECK] = TD_METRIC_BOTTLENECK,
        [TD_ROW_INFO] = TD_METRIC_INFO,
        [TD_ROW_AUX] = TD_METRIC_INFO,
    };
    const struct td_table_row *r = &t->row[row];
    const char *x = t->texts;

    *out = (struct td_metric_info){
        .formula = "published",
        .name = x + r->name,
        .expr = x[r->formula] ? x + r->formula : NULL,
        .unit = td_table_unit(t, row),
        .wrong = x[r->formula] ? NULL : "published only behind a switch of the vendor's model",
        .level = r->level,
        .parent = x + r->parent,
        .threshold = x + r->threshold,
        .groups = x + r->groups,
        .samples = x + r->samples,
        .needs = x + r->needs,
        .source = x + r->source,
        .kind = kinds[r->kind],
    };
}

int td_uarch_metric(const struct td_uarch *u, size_t i, struct td_metric_info *out)
{
    struct td_metric_info info;

    for (size_t f = 0; u->forms[f]; f++) {
        const struct td_form *form = u->forms[f];

        for (size_t l = 0; l < TD_LENGTH(form->lists); l++)
            for (const struct td_def *d = form->lists[l]; d && d->name; d++)
                if (i-- == 0) {
                    describe(u, form, d, &info);
                    return td_sized_give(NULL, "td_metric_info", out, sizeof(info), &info);
                }
    }
    if (!u->table || i >= u->table->n)
        return -ENODATA;
    describe_row(u->table, i, &info);
    return td_sized_give(NULL, "td_metric_info", out, sizeof(info), &info);
}
