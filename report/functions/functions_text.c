/* SPDX-License-Identifier: MIT */
/* Functions as a table for people. */
#include "report/functions/functions_annotated.h"
#include "report/functions/functions_rows.h"
#include "report/screen.h"

static void put_table(struct td_output *o, const struct td_functions_report *r)
{
    const struct td_functions *all = r->functions;

    td_output_format(o, "%s  [%s]: %s by slots lost, in percent of slots\n", all->cpu, all->formula, all->kind);
    td_functions_row_head(o, r, all->function[0], all->kind);
    for (size_t i = 0; i < td_functions_shown(r); i++)
        td_functions_row_put(o, r, all->function[i]);
    if (td_functions_shown(r) < all->n)
        td_output_format(o, "%zu more: --limit 0 shows all\n", all->n - td_functions_shown(r));
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
