/* SPDX-License-Identifier: MIT */
#include "report/functions/functions_page.h"

#include "report/functions/functions_stacks.h"
#include "private/drawing.h"
#include "report/xml.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

enum { MARGIN = 10, WIDTH = 1200, FRAME = 18, TOP = 64, PAD = 3 };
static const double narrow = 0.1 /* pixels: what is narrower is not drawn */, letter = 7.3;

/* The node of level 1 that limits a function, or the reason why there is none. */
static const char *node_of(const struct td_function *f)
{
    if (f->status != TD_PLACE_OK)
        return TD_NODE_NO_ESTIMATE;
    return f->of->verdict->npath ? f->of->verdict->path[0]->name : TD_NODE_UNDECIDED;
}

/* ---- text -------------------------------------------------------------------------------- */

static void put_share(struct td_output *o, const struct td_metric *m)
{
    td_output_format(o, "\n%s %.1f %%", m->name, 100 * m->value);
    if (m->bounds != TD_BOUNDS_NONE)
        td_output_format(o, ", %.1f .. %.1f", 100 * m->low, 100 * m->high);
}

static void put_title(struct td_output *o, const struct td_stack *s)
{
    const struct td_function *f = s->function;
    char text[TD_FUNCTIONS_TEXT];

    td_output_text(o, "<title>");
    td_xml_put(o, td_stack_frame(s));
    if (f->dso) {
        td_output_text(o, " in ");
        td_xml_put(o, f->dso);
    }
    td_output_format(o, "\n%.2f %% of the slots; %" PRIu64 " intervals, %" PRIu64 " of them pure",
                     100 * td_function_share(f), f->intervals, td_function_pure(f));
    if (!isnan(td_function_smear(f).stay))
        td_output_format(o, "; stay %.2f", td_function_smear(f).stay);
    td_output_char(o, '\n');
    td_xml_put(o, td_function_verdict(f, text));
    for (size_t i = 0; i < f->of->metrics; i++)
        if (f->of->metric[i]->kind == TD_METRIC_NODE && f->of->metric[i]->level == TD_LEVEL_TOP &&
            f->of->metric[i]->status == TD_OK)
            put_share(o, f->of->metric[i]);
    td_output_text(o, "</title>");
}

/* Puts as much of the name as there is room for, without cutting a character of UTF-8. */
static void put_label(struct td_output *o, const char *name, double x, double y, double width)
{
    const size_t room = width > 2 * PAD ? (size_t)((width - 2 * PAD) / letter) : 0;
    char text[WIDTH];
    size_t n = strlen(name) < room ? strlen(name) : room;

    while (n && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--;
    memcpy(text, name, n);
    text[n] = '\0';
    td_output_format(o, "<text x=\"%.2f\" y=\"%.0f\">", x + PAD, y + FRAME - 5);
    td_xml_put(o, text);
    td_output_text(o, "</text>");
}

/* ---- the picture --------------------------------------------------------------------------- */

static double x_of(const struct td_stacks *all, double slots)
{
    return all->slots > 0 ? slots / all->slots * (WIDTH - 2 * MARGIN) : 0;
}

static double height_of(const struct td_stacks *all)
{
    return TOP + (all->depth + 1.0) * FRAME + MARGIN;
}

/* Puts a frame, above that of its caller. */
static void put_frame(struct td_output *o, const struct td_stacks *all, const struct td_stack *s)
{
    const double x = MARGIN + x_of(all, s->at), width = x_of(all, s->function->slots),
                 y = height_of(all) - MARGIN - (s->depth + 1.0) * FRAME;
    const char *node = node_of(s->function);

    if (width < narrow)
        return;
    td_output_format(
        o, "<g class=\"frame\" data-node=\"%s\" data-slots=\"%.0f\" data-at=\"%.0f\" data-depth=\"%u\" data-path=\"",
        node, s->function->slots, s->at, s->depth);
    td_xml_put(o, s->function->name);
    td_output_text(o, "\">");
    put_title(o, s);
    td_output_format(o, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>", x, y, width,
                     FRAME - 1, td_node_colour_of(node)->colour);
    put_label(o, td_stack_frame(s), x, y, width);
    td_output_text(o, "</g>\n");
}

static void put_legend(struct td_output *o)
{
    for (size_t i = 0; td_node_colour_at(i); i++) {
        const struct td_node_colour *c = td_node_colour_at(i);
        const double x = MARGIN + (double)i * 150;

        td_output_format(
            o,
            "<rect x=\"%.0f\" y=\"36\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%.0f\" y=\"46\">%s</text>\n",
            x, c->colour, x + 17, c->node);
    }
}

/* A page that forbids other styles and scripts allows these by their hashes, which are in functions_page.h. */
static const char style[] =
    "<style>.flame text { font: 12px monospace; fill: #000; } .flame .frame { cursor: pointer; } .flame .frame:hover rect { stroke: #000; } .flame .paper { fill: #fff; }\n"
    "@media screen and (prefers-color-scheme: dark) { .flame .paper { fill: #17181c; } .flame > text { fill: #d6d6da; } }</style>\n";

/* Frames beside the one that was clicked are hidden, its callers are as wide as all. */
static const char script[] =
    "<script><![CDATA[{\n"
    "const svg = document.currentScript.closest('svg'), frames = [...svg.querySelectorAll('.frame')];\n"
    "const zoom = (from, slots) => {\n"
    "  for (const f of frames) {\n"
    "    const at = Math.max(+f.dataset.at, from), end = Math.min(+f.dataset.at + +f.dataset.slots, from + slots);\n"
    "    const k = (1200 - 20) / slots, x = 10 + (at - from) * k, width = Math.max(end - at, 0) * k, text = f.querySelector('text');\n"
    "    f.style.display = width >= 0.1 ? '' : 'none';\n"
    "    f.querySelector('rect').setAttribute('x', x);\n"
    "    f.querySelector('rect').setAttribute('width', width);\n"
    "    text.setAttribute('x', x + 3);\n"
    "    text.textContent = f.dataset.path.split(';').pop().slice(0, Math.max(0, Math.floor((width - 6) / 7.3)));\n"
    "  }\n"
    "};\n"
    "for (const f of frames) f.addEventListener('click', e => { zoom(+f.dataset.at, +f.dataset.slots); e.stopPropagation(); });\n"
    "svg.addEventListener('click', () => zoom(0, +svg.dataset.slots));\n"
    "}]]></script>\n";

static void put_head(struct td_output *o, const char *name, const struct td_stacks *all)
{
    td_output_format(
        o,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" data-slots=\"%.0f\">\n",
        WIDTH, height_of(all), WIDTH, height_of(all), all->slots);
    td_output_text(o, style);
    td_output_text(o, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n<text x=\"10\" y=\"22\">");
    td_xml_put(o, name);
    td_output_text(o, ": slots by path of calls, and the node that limits each (tdprobe report)</text>\n");
    put_legend(o);
}

void td_flame_put(struct td_output *o, const char *name, const struct td_functions *paths)
{
    struct td_stacks all;

    if (td_stacks_of(paths, &all))
        o->error = -ENOMEM;
    if (!o->error) {
        put_head(o, name, &all);
        for (size_t i = 0; i < all.n; i++)
            put_frame(o, &all, &all.stack[i]);
        td_output_text(o, script);
        td_output_text(o, "</svg>\n");
    }
    td_stacks_free(&all);
}
