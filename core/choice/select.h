/* SPDX-License-Identifier: MIT */
/* Which metrics are asked of a form, and what they need; worked out once. */
#ifndef TD_SELECT_H
#define TD_SELECT_H

#include "core/choice/form.h"
#include "core/verdict/thresholds.h"

/* A metric that is asked for. */
struct td_asked {
    const struct td_node *node;
    int def; /* -1: the form has none */
    size_t cell; /* the definition's */
    enum td_status undefined; /* why there is no definition */
    uint32_t need; /* index in td_selection.need */
    bool of_slots; /* it is a share of slots */
    bool quantity; /* it is no share: any number is possible */
    bool needs_any; /* it needs any event */
    bool of_fields; /* it needs level-1 fields of the metrics register */
    bool siblings; /* it may depend on sibling threads, by one of TD_INPUTS_SIBLINGS */
    bool same_time; /* it has a correction that is marked ~ */
    bool part_of_core; /* of what its core counted it takes a part, as TD_INPUT_WHOLE_CORE tells */
    bool per_cpu; /* its formula is right only for counts of one CPU: sums over several leave wide bounds */
};

/* A set of events that some metrics need, and their corrections. */
struct td_need {
    const struct td_bits *needs, *corrections;
};

struct td_selection {
    struct td_formcode *form;
    int level;
    const char *names;
    struct td_node *node; /* made of rows of the table */
    char *unknown; /* names that the CPU does not have, each ended by '\0' */
    unsigned inputs; /* which inputs are used, as bits 1 << enum td_input */
    struct td_asked *asked;
    struct td_metric *blank; /* by metric: what it is before its value is known */
    uint32_t *family; /* by metric: the number of the first one that has the same parent */
    size_t n; /* how many metrics there are */
    struct td_need *need; /* the different needs of all metrics */
    size_t nneeds;
    size_t corrections; /* how many different ones there are */
    size_t text; /* how long their names can be at most, with that of the form */
    bool siblings; /* some metric may depend on sibling threads */
    bool same_time; /* some metric has a correction that is marked ~ */
    struct td_judge *judge; /* thresholds of deeper nodes; NULL: those of the tree are all */
    unsigned hints; /* all numbers of nodes are below this */
};

/* The nodes of the form's row down to a level (one deeper than its tree gives the whole tree),
 * and the metrics in names, separated by commas (td_table_named(), "all"), or NULL. A name that
 * the CPU does not have is listed as absent. Compiles what they need: errors of
 * td_program_compile(), with why. names is kept. */
int td_selection_new(struct td_formcode *, int level, const char *names, struct td_selection **out, char *why,
                     size_t whysize);
/* Whether the CPU has a metric or a group of that name; "all" is a group. */
bool td_uarch_has_metric(const struct td_uarch *, const char *name, size_t len);
/* Takes the next of names that are separated by commas; false: there is none. */
bool td_next_name(const char **at, const char **name, size_t *len);
void td_selection_free(struct td_selection *);

#endif
