/* SPDX-License-Identifier: MIT */
/* Functions as a table for people. */
#include "report/functions/functions_rows.h"
#include "report/screen.h"

/* What one row says of many: the functions of which there are too few samples for a number. */
struct folded {
    size_t n;
    double slots; /* their share */
};

/* Where no function has a number, all rows are of this kind, and none is folded. */
static struct folded fold(const struct td_functions_report *r)
{
    const struct td_functions *all = r->functions;
    struct folded f = {0};

    for (size_t i = 0; i < all->n && !r->every; i++)
        if (all->function[i]->status == TD_PLACE_FEW_SAMPLES) {
            f.n++;
            f.slots += td_function_share(all->function[i]);
        }
    return f.n > 1 && f.n < all->n ? f : (struct folded){0};
}

static void put_folded(struct td_output *o, const struct td_functions_report *r, const struct folded *f)
{
    const char *kind = r->functions->kind;
    const size_t n = strlen(kind);

    td_output_format(o, "%zu %s%s with too few samples", f->n, kind, n && kind[n - 1] == 's' ? "es" : "s");
    if (!td_functions_nested(r)) /* else their shares do not add up */
        td_output_format(o, ": %.1f %% of the slots", 100 * f->slots);
    td_output_text(o, "; -v shows them\n");
}

static void put_table(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_functions *all = r->functions;
    const struct folded few = fold(r);
    size_t more = 0, shown = 0;

    td_output_format(o, "%s  [%s]: %s by slots lost, in percent of slots\n", all->cpu, all->formula, all->kind);
    td_functions_row_head(o, r, all->function[0], all->kind);
    for (size_t i = 0; i < all->n; i++) {
        if (few.n && all->function[i]->status == TD_PLACE_FEW_SAMPLES)
            continue;
        if (r->limit && shown >= r->limit)
            more++;
        else
            td_functions_row_put(o, r, all->function[i]), shown++;
    }
    if (more)
        td_output_format(o, "%zu more: --limit 0 shows all\n", more);
    if (few.n)
        put_folded(o, r, &few);
}

/* Puts the table. Names are cut where the line is full. */
static void put(struct td_output *o, const struct td_functions_report *r)
{
    struct td_held held = {0};
    struct td_output whole = {0};
    char text[TD_FUNCTIONS_TEXT];

    o->error = o->error ? o->error : td_output_open_fn(&whole, td_held_write, &held);
    if (o->error)
        return;
    td_screen_put_origin(&whole, r->origin.command, r->origin.host, NULL, 0);
    if (r->annotated)
        td_functions_annotated_put(&whole, r);
    else
        put_table(&whole, r);
    o->error = td_output_close(&whole, true);
    td_screen_put_lines(o, held.text, held.n, r->width);
    td_held_free(&held);
    for (size_t i = 0; td_functions_note(r, i, text); i++)
        td_output_format(o, "# %s\n", text);
    for (size_t i = 0; i < TD_FUNCTIONS_NEXT && r->next[i]; i++)
        td_output_format(o, "%s%s\n", i ? "" : "next:\n", r->next[i]);
}

const struct td_functions_format td_functions_text = {
    .name = "text", .limit = 20, .notes = true, .annotates = true, .put = put};
