/* SPDX-License-Identifier: MIT */
#include "session/printed.h"

#include "backends/registry.h"
#include "formats/percentages/percentages.h"
#include "private/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct td_printed {
    struct td_percent_rows rows;
    size_t next;
    uint32_t family[TD_PERCENT_NODES];
    struct td_counts none;
};

static int keep_name(struct td *td, const char *name)
{
    char *copy = td->name ? td->name : strdup(name);

    td->name = copy;
    return copy ? 0 : -ENOMEM;
}

int td_open_printed(struct td *td, const char *name, td_read_fn *read, void *ctx)
{
    struct td_printed *p = td->printed ? NULL : calloc(1, sizeof(*p));
    int err = !p ? -ENOMEM : keep_name(td, name);

    if (!err && td->recording.stream.texts.n) /* it has counts: what is wrong with these is the answer */
        err = -EBADMSG;
    err = err ? err : td_percentages_read(&p->rows, read, ctx);
    if (!err && !p->rows.n)
        err = -EBADMSG;
    if (err) {
        if (p)
            td_percentages_free(&p->rows);
        free(p);
        return err;
    }
    td->opened = true;
    td->printed = p;
    return 0;
}

/* The CPU that was named, or the first of those whose tree has all nodes: for what the nodes mean. */
static const struct td_uarch *cpu_of(const struct td *td, const struct td_percent_row *row, bool *named)
{
    *named = td->settings.identity.nparts > 0;
    if (*named)
        return td->settings.identity.part[0];
    for (size_t i = 0; td_uarch_at(i); i++) {
        bool all = true;

        for (size_t k = 0; k < row->n && all; k++)
            all = td_tree_find(td_uarch_at(i)->tree, row->value[k].node->name) != NULL;
        if (all)
            return td_uarch_at(i);
    }
    return td_uarch_at(0);
}

static uint32_t family_of(const struct td_result *r, size_t i)
{
    size_t first = 0;

    while (strcmp(r->metrics[first].parent, r->metrics[i].parent) != 0)
        first++;
    return (uint32_t)first;
}

static void set_metric(struct td_result *r, struct td_printed *p, size_t i, const struct td_percent_value *v)
{
    r->metrics[i] = (struct td_metric){
        .name = v->node->name,
        .parent = v->node->parent,
        .level = v->node->level,
        .unit = "slots",
        .status = TD_OK,
        .value = v->share,
        .low = (double)NAN,
        .high = (double)NAN,
        .raw = (double)NAN,
        .bounds = TD_BOUNDS_NONE,
        .flags = TD_FLAG_NO_BOUNDS,
        .kind = TD_METRIC_NODE,
    };
    r->nodes[i] = v->node;
    r->per_cpu[i] = false;
    p->family[i] = family_of(r, i);
}

int td_printed_next(struct td *td, const struct td_result **out)
{
    struct td_printed *p = td->printed;
    const struct td_percent_row *row = p->next < p->rows.n ? &p->rows.row[p->next] : NULL;
    struct td_result *r = &td->result;
    bool named;

    *out = NULL;
    if (!row)
        return -ENODATA;
    if (td_result_reserve(r, row->n))
        return td_log_no_memory(&td->log);
    p->next++;
    r->uarch = cpu_of(td, row, &named);
    r->printed = true;
    r->backend = td_uarch_backend_of(r->uarch);
    r->cpu = named ? r->uarch->name : "unknown";
    r->formula = "percentages as printed; no counts: nothing can be checked";
    r->scope = *row->scope ? row->scope : "system";
    r->scope_kind = TD_KIND_SYSTEM;
    r->has_time = row->has_time;
    r->time = row->time;
    r->flags = r->common = TD_FLAG_NO_BOUNDS;
    r->coverage = (double)NAN;
    r->family = p->family;
    r->counts = &p->none;
    r->nmetrics = 0;
    for (size_t i = 0; i < row->n; i++)
        if (!td->settings.level || row->value[i].node->level <= td->settings.level)
            set_metric(r, p, r->nmetrics++, &row->value[i]);
    *out = r;
    return 0;
}

void td_printed_free(struct td *td)
{
    if (td->printed)
        td_percentages_free(&td->printed->rows);
    free(td->printed);
    td->printed = NULL;
}
