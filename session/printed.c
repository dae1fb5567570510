/* SPDX-License-Identifier: MIT */
#include "session/printed.h"

#include "backends/registry.h"
#include "core/core_kind.h"
#include "formats/percentages/percentages.h"
#include "formats/unpack.h"
#include "private/result.h"
#include "session/times.h"
#include "util/room.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The mean of a scope. */
struct mean {
    struct td_percent_row row;
    uint64_t n; /* rows */
};

struct td_printed {
    struct td_percent_rows rows;
    size_t next;
    struct mean *mean;
    size_t means, room;
    bool averaged; /* all rows are in the means */
    char formula[128]; /* of the mean at hand */
    uint32_t family[TD_PERCENT_NODES];
    struct td_counts none;
};

/* Reads from the beginning, what is compressed as well. */
static int begin_to_read(struct td *td, td_read_fn *read, void *ctx)
{
    struct td_unpack *u = td_unpack_new(read, NULL, ctx);

    if (!u)
        return -ENOMEM;
    td_unpack_free(td->unpack);
    td->unpack = u;
    td->recording->unread = NULL;
    return 0;
}

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

    /* where it has counts that give level 1, what is wrong with these is the answer */
    if (!err && td->recording->stream.texts.n && !td->no_topdown)
        err = -EBADMSG;
    if (!err)
        p->rows.beside_counts = td->no_topdown;
    err = err ? err : begin_to_read(td, read, ctx);
    err = err ? err : td_percentages_read(&p->rows, td_unpack_read, td->unpack);
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

/* The CPU that was named, of a hybrid the kind of core whose PMU is the scope; or the first of those whose tree has all
 * nodes: for what the nodes mean. */
static const struct td_uarch *cpu_of(const struct td *td, const struct td_percent_row *row, bool *named)
{
    *named = td->settings.identity.nparts > 0;
    for (size_t i = 0; i < td->settings.identity.nparts; i++)
        if (td->settings.identity.part[i]->core == td_core_of_pmu(row->scope))
            return td->settings.identity.part[i];
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
    r->lacks[i] = 0;
    p->family[i] = family_of(r, i);
}

static bool in_time(const struct td *td, const struct td_percent_row *row)
{
    return td_session_in_time(td, row->has_time, row->time);
}

static bool any_in_time(const struct td *td)
{
    const struct td_percent_rows *rows = &td->printed->rows;

    for (size_t i = 0; i < rows->n; i++)
        if (in_time(td, &rows->row[i]))
            return true;
    return false;
}

/* Of several rows n is more than 1. */
static int give(struct td *td, const struct td_percent_row *row, bool summary, uint64_t n, const struct td_result **out)
{
    struct td_printed *p = td->printed;
    struct td_result *r = &td->result;
    bool named;

    if (td_result_reserve(r, row->n))
        return td_log_no_memory(&td->log);
    r->summary = summary;
    r->uarch = cpu_of(td, row, &named);
    r->printed = true;
    r->backend = td_uarch_backend_of(r->uarch);
    r->cpu = named ? r->uarch->name : "unknown";
    r->formula = "percentages as printed; no counts: nothing can be checked";
    if (n > 1) {
        snprintf(p->formula, sizeof(p->formula), "mean of %" PRIu64 " intervals' %s", n, r->formula);
        r->formula = p->formula;
    }
    r->at.scope = *row->scope ? row->scope : "system";
    r->at.scope_kind = TD_KIND_SYSTEM;
    r->at.has_time = row->has_time;
    r->at.time = row->time;
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

int td_printed_next(struct td *td, const struct td_result **out)
{
    struct td_printed *p = td->printed;

    *out = NULL;
    if (!p->next && !any_in_time(td))
        return td_session_none_in_time(td, td->name);
    while (p->next < p->rows.n && (td->skip_intervals || !in_time(td, &p->rows.row[p->next])))
        p->next++;
    return p->next < p->rows.n ? give(td, &p->rows.row[p->next++], false, 1, out) : -ENODATA;
}

/* ---- means ------------------------------------------------------------------------------------ */

static double *share_of(struct td_percent_row *row, const struct td_node *node)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->value[i].node == node)
            return &row->value[i].share;
    return NULL;
}

/* Only nodes that all rows have are in the mean. False: memory is out. */
static bool add_row(struct td_printed *p, struct td_percent_row *row)
{
    struct mean *m = p->mean;
    size_t kept = 0;

    while (m < p->mean + p->means && strcmp(m->row.scope, row->scope))
        m++;
    if (m == p->mean + p->means) {
        if (td_room(&p->mean, &p->room, p->means + 1, sizeof(*p->mean)))
            return false;
        m = &p->mean[p->means++];
        *m = (struct mean){.row = *row, .n = 1};
        return true;
    }
    m->n++;
    m->row.has_time = false;
    for (size_t i = 0; i < m->row.n; i++) {
        const double *share = share_of(row, m->row.value[i].node);

        m->row.value[kept] = m->row.value[i];
        if (share)
            m->row.value[kept++].share += *share;
    }
    m->row.n = kept;
    return true;
}

static int average(struct td *td)
{
    struct td_printed *p = td->printed;

    p->means = 0; /* memory may have ended an earlier call among the rows */
    for (size_t i = 0; i < p->rows.n; i++)
        if (in_time(td, &p->rows.row[i]) && !add_row(p, &p->rows.row[i]))
            return td_log_no_memory(&td->log);
    for (size_t i = 0; i < p->means; i++)
        for (size_t k = 0; k < p->mean[i].row.n; k++)
            p->mean[i].row.value[k].share /= (double)p->mean[i].n;
    p->averaged = true;
    return 0;
}

int td_printed_summary(struct td *td, size_t i, const struct td_result **out)
{
    const int err = td->printed->averaged ? 0 : average(td);

    if (err)
        return err;
    return i < td->printed->means ? give(td, &td->printed->mean[i].row, true, td->printed->mean[i].n, out) : -ENODATA;
}

void td_printed_free(struct td *td)
{
    if (td->printed) {
        td_percentages_free(&td->printed->rows);
        free(td->printed->mean);
    }
    free(td->printed);
    td->printed = NULL;
}
