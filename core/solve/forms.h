/* SPDX-License-Identifier: MIT */
/* The forms of a CPU: its formulas, compiled as far as they were needed, and what
 * solving by them keeps from interval to interval. */
#ifndef TD_FORMS_H
#define TD_FORMS_H

#include "core/choice/copies.h"
#include "core/bounds/lint.h"
#include "core/bounds/observed.h"
#include "util/text_buffer.h"

/* What solving keeps, so that an interval like the one before it costs little. */
/* What a metric may be besides, where not everything is known of sibling threads. */
struct td_siblings {
    bool differs; /* it depends on them; then within: */
    double low, high; /* low infinite: it would have no value */
    /* likely bounds of what it would be with other scales, of counts that did not see all; crossed: none */
    double likely_low, likely_high;
};

/* Of a solution: what lacks corrections that were left out. It stays for as long as the choice does, and they are the
 * same. */
struct td_lacks {
    size_t made; /* td_choice.made of the choice; 0: not found yet */
    size_t ndefs,
        nmetrics; /* of td_solving.lacking_def, from the solution's run on; of lacking_metric, from its metrics */
    size_t wasted; /* which of its metrics is bad speculation; SIZE_MAX: none */
    bool to_and_fro; /* terms may move some metric to and fro */
};

/* A metric that may lack some. */
struct td_lacking_bits {
    bool lacked; /* it did, in its result */
    unsigned corrections; /* td_metric.corrections, if they are numbered */
};

struct td_solving {
    struct td_layout layout;
    struct td_lint lint; /* of this layout */
    struct td_choice choice; /* for this layout, of: */
    const struct td_selection *selection; /* NULL: it is to be made */
    const struct td_hints *hints;
    bool fixed;
    struct td_val *cells; /* with the constants of: */
    const struct td_selection *prepared;
    const struct td_count **copy; /* by event, of one solution; NULL: not recorded */
    double *coverage; /* by metric */
    size_t cells_room, copies_room, coverage_room;
    struct td_seen *seen; /* by solution; and the cells of the metrics of one: */
    size_t nseen, seen_room;
    size_t *metric_cell, metric_cells_room;
    /* by metric of one solution, what it would be with other siblings; and its value as it is */
    struct td_siblings *siblings;
    struct td_val *alone;
    size_t siblings_room, alone_room;
    struct td_range *lacking; /* by metric of one solution: what it may be by the terms that it lacks */
    size_t lacking_room;
    struct td_lacks *lacks; /* by solution */
    uint32_t *lacking_def;
    unsigned *lacking_terms; /* of these: which of the terms that are tried, as bits of their numbers */
    uint32_t *lacking_metric; /* of a solution, by their places in it */
    struct td_lacking_bits *lacking_bits; /* the same, of the interval before */
    bool numbered; /* they have numbers, by the corrections that the text names */
    struct td_val *without; /* the values of definitions without terms */
    size_t lacks_room, lacking_defs_room, lacking_terms_room, lacking_metrics_room, lacking_bits_room, without_room;
    bool *metric_limited;
    size_t metrics_limited_room;
    uint64_t *words; /* of the sets */
    size_t words_room;
    struct td_bits blocked; /* corrections that were not counted over the same time as what they correct */
    struct td_bits left_out; /* corrections that metrics lack; and those that the text names, of a form: */
    struct td_bits named;
    struct td_bits used; /* events of one metric */
    struct td_bits assumed; /* latencies of a solution that are published means */
    struct td_bits sampled; /* ... that are means of samples, with likely ranges */
    /* ... that were recorded as means: of how many samples, and how far these scatter, is not known */
    struct td_bits means;
    const struct td_formcode *named_form;
    struct td_text_buffer formula;
    const char **corrections; /* names of those left out */
    size_t ncorrections, corrections_room;
    size_t settled; /* td_choice.made of the choice whose steady definitions have their values in cells */
    size_t evaluated; /* definitions, in all intervals so far */
};

struct td_forms {
    const struct td_uarch *uarch;
    struct td_formcode *form;
    size_t n;
    struct td_selection **selection; /* that were asked for */
    size_t nselections, selections_room;
    struct td_solving solving;
    char why[256]; /* of the last error */
};

/* 0; -ENOMEM. Nothing is compiled yet. */
int td_forms_new(const struct td_uarch *, struct td_forms **out);
void td_forms_free(struct td_forms *);
const struct td_uarch *td_forms_uarch(const struct td_forms *);
/* The first form that the events of a layout select; if none applies, the last that
 * may be used. fixed: it may be one that uses the metrics register. */
struct td_formcode *td_forms_choose(const struct td_forms *, const struct td_layout *, bool fixed);
/* What is asked of a form; compiled the first time: errors of td_selection_new(). */
int td_forms_select(struct td_forms *, struct td_formcode *, int level, const char *names,
                    const struct td_selection **out);
/* The text of the last error. */
const char *td_forms_why(const struct td_forms *);
/* Whether what is compiled for one row serves another: the same forms over events of the same names. */
bool td_forms_serve(const struct td_forms *, const struct td_uarch *);

#endif
