/* SPDX-License-Identifier: MIT */
/* What is asked of a form: which metrics, and what they need; worked out once. */
#ifndef TD_SELECT_H
#define TD_SELECT_H

#include "core/choice/form.h"
#include "core/verdict/thresholds.h"

/* A metric that is asked for. */
struct td_asked {
    const struct td_node *node;
    int def; /* -1: the form has none */
    size_t cell; /* of the definition */
    enum td_status undefined; /* why there is none */
    uint32_t need; /* in td_selection.need */
    bool of_slots; /* it is a share of slots */
    bool quantity; /* it is no share: any number is possible */
    bool needs_any; /* it needs any event */
    bool of_fields; /* it needs level-1 fields of the metrics register */
    bool siblings; /* it may depend on sibling threads: on one of TD_INPUTS_SIBLINGS */
    bool per_cpu; /* its formula is of one CPU's counts: sums of several leave it open within wide bounds */
};

/* A set of events that some metrics need, and their corrections. */
struct td_need {
    const struct td_bits *needs, *corrections;
};

struct td_selection {
    struct td_formcode *form;
    int level;
    const char *names;
    struct td_node *node; /* of rows of the table */
    char *unknown; /* names that the CPU does not have, each ended by '\0' */
    unsigned inputs; /* 1 << enum td_input: any that is used */
    struct td_asked *asked;
    struct td_metric *blank; /* each as it is before its value is known */
    uint32_t *family; /* of each: the number of the first that has the same parent */
    size_t n; /* of each of the three */
    struct td_need *need; /* each once */
    size_t nneeds;
    size_t corrections, text; /* how many different ones, and the length of their names with the form's, at most */
    bool same_time; /* any has a correction that is marked ~ */
    struct td_judge *judge; /* NULL: the thresholds of the tree are all */
    unsigned hints; /* numbers of nodes are below this */
};

/* The nodes of the form's row down to a level (one deeper than its tree gives the whole tree),
 * and the metrics in names, separated by commas (td_table_named(), "all"), or NULL. A name that
 * the CPU does not have is listed as absent. Compiles what they need: errors of
 * td_program_compile(), with why. names is kept. */
int td_selection_new(struct td_formcode *, int level, const char *names, struct td_selection **out, char *why,
                     size_t whysize);
/* Whether the CPU has a metric of that name, or a group; "all" is one. */
bool td_uarch_has_metric(const struct td_uarch *, const char *name, size_t len);
/* The next of names, which are separated by commas; false: there is none. */
bool td_next_name(const char **at, const char **name, size_t *len);
void td_selection_free(struct td_selection *);

#endif
