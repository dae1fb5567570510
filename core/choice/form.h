/* SPDX-License-Identifier: MIT */
/* One form of a CPU's formulas, compiled as far as it is needed. */
#ifndef TD_FORM_H
#define TD_FORM_H

#include "core/counts/layout.h"

/* A word of td_form.when, as events of the row. */
struct td_when;

struct td_formcode {
    const struct td_form *form;
    const struct td_uarch *uarch;
    struct td_when *when;
    size_t nwhen;
    struct td_program *p; /* NULL: the form is not open, and what follows is not known */
    int *node; /* by node of the row's tree: its definition; -1: none */
    int slots, sum; /* the definitions of these names; -1: none */
    bool fields; /* the row has events that are fields of the metrics register */
};

/* Reads td_form.when. -ENOMEM. */
int td_form_init(struct td_formcode *, const struct td_uarch *, const struct td_form *);
void td_form_free(struct td_formcode *);
/* Whether the events that were recorded select the form. */
bool td_form_applies(const struct td_formcode *, const struct td_layout *);
/* Opens the form: lists its definitions, and which of them are nodes. -ENOMEM. */
int td_form_open(struct td_formcode *);
/* Opens it, and compiles slots, sum, and the nodes of the row's tree down to a level.
 * Errors of td_program_compile(), with why. */
int td_form_compile(struct td_formcode *, int level, char *why, size_t whysize);

#endif
