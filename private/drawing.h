/* SPDX-License-Identifier: MIT */
/* What pages, pictures and notebooks draw alike: the tree of a result as HTML, bars with their bounds, the colours of
 * nodes, and text as markup. */
#ifndef PRIVATE_DRAWING_H
#define PRIVATE_DRAWING_H

#include "include/tdprobe.h"
#include "private/exported.h"

/* ---- colours -------------------------------------------------------------------------------- */

struct td_node_colour {
    const char *node; /* a node of level 1, or the reason why there is none */
    const char *colour; /* "#009e73"; black text can be read on it */
    const char *letters; /* its name for little room, as toplev shortens it: "BE"; "": it has none */
};

/* Where no node of level 1 limits: the bounds leave it open, or there is no value. */
#define TD_NODE_UNDECIDED "undecided"
#define TD_NODE_NO_ESTIMATE "no estimate"

/* The i-th colour, NULL after the last. */
TD_PRIVATE const struct td_node_colour *td_node_colour_at(size_t i);
/* The colour of a node, which each node has. */
TD_PRIVATE const struct td_node_colour *td_node_colour_of(const char *node);

/* ---- markup --------------------------------------------------------------------------------- */

/* The content of an element style or script. It has neither '<' nor '&', so that it is the same as HTML and as XML. */
struct td_page_code {
    const char *text; /* NULL: what follows puts it itself */
    const char *hash; /* for a page's Content-Security-Policy, which forbids all others: "'sha256-...'";
                       * report/page/embed.sh computes it */
};

/* Writes text, also in an attribute: what XML would take for its own is escaped, and what it cannot have becomes an
 * escape such as \x01. 0, or what write returned. */
TD_PRIVATE int td_markup(const char *text, td_write_fn *write, void *ctx);

/* ---- bars ------------------------------------------------------------------------------------- */

/* Writes the patterns that bars refer to; once on a page. */
TD_PRIVATE int td_bar_patterns(td_write_fn *write, void *ctx);
/* Writes from where to where a value may be, in percent of a bar: a line, which has an end at each side by its class.
 */
TD_PRIVATE int td_bar_whisker(double low, double high, td_write_fn *write, void *ctx);

/* Where a share ends in a bar, in percent of it. */
static inline double td_bar_place(double share)
{
    return 100 * (share > 1 ? 1 : share > 0 ? share : 0);
}

/* ---- the tree --------------------------------------------------------------------------------- */

/* What is drawn of a result: each node with its bar and its bounds, and below it those that are part of it. */
struct td_drawn_tree {
    size_t size, metric_size; /* of this struct and of struct td_metric, as whoever calls was built with them */
    const struct td_metric *metric; /* in the result's order */
    size_t n;
    const bool *shown; /* by metric; what is no node is not in the tree */
    const struct td_verdict *verdict; /* it points to some of metric */
    td_write_fn *write;
    /* NULL: nothing is written. What these write themselves, to where write does, must be markup. */
    void (*reason)(void *ctx, const struct td_metric *); /* why a node has no value */
    bool (*unfolds)(void *ctx, const struct td_metric *); /* whether its row unfolds to what meaning writes */
    void (*meaning)(void *ctx, const struct td_metric *);
    void *ctx; /* of all of these */
};

/* Writes the tree as a list. 0; what write returned; -EINVAL: size or metric_size is another version's. */
TD_PRIVATE int td_tree_html(const struct td_drawn_tree *);
/* What it looks like. Its colours are --ink, --soft, --line, --paper, --track and --mark of whatever is around it. */
TD_PRIVATE const struct td_page_code *td_tree_style(void);

#endif
