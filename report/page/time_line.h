/* SPDX-License-Identifier: MIT */
/* The time line of a page: of each scope, what its intervals' slots went to, and the verdicts; and the heat map of all
 * scopes by time, coloured by the value of a node, which is drawn from the same data. */
#ifndef REPORT_PAGE_TIME_LINE_H
#define REPORT_PAGE_TIME_LINE_H

#include "report/page/page.h"
#include "report/report.h"

enum {
    TD_LINE_BOUNDED = 3600, /* most intervals whose bounds a page has */
    TD_LINE_NODES = 8, /* most nodes of level 1 */
    TD_LINE_VERDICTS = 250, /* most different verdicts; others are as undecided ones */
    TD_LINE_STEPS = 200, /* shares are in steps of 0.5 % */
    TD_LINE_NONE = 255, /* instead of a share: there is none */
};

/* An interval. Steps are of each node, TD_LINE_NONE where there is no value. */
struct td_line_point {
    uint64_t end; /* ns */
    uint8_t verdict; /* which of the line's; TD_LINE_NONE: nothing was measured since the point before */
    uint8_t value[TD_LINE_NODES], low[TD_LINE_NODES], high[TD_LINE_NODES];
};

/* The intervals of one scope and kind of core, solved for one CPU. */
struct td_scope_line {
    char *scope, *core, *cpu; /* core NULL: there is one kind */
    bool timed; /* points have times; else end is their number */
    uint64_t start; /* ns */
    const char *node[TD_LINE_NODES]; /* names of static storage */
    size_t nodes;
    char **verdict; /* "limited by backend_bound: memory_bound" */
    const char *colour[TD_LINE_VERDICTS]; /* of the verdict's node of level 1 */
    size_t verdicts;
    struct td_line_point *point;
    size_t n, room;
    const char **deep; /* the nodes below level 1; names of static storage */
    size_t deeps;
    uint8_t *below; /* [point * deeps + node]: their values in steps */
    size_t *phase; /* of each: how many points there are up to its end */
    size_t phases;
    size_t measured; /* how many points are intervals */
};

/* Zeroed: empty. */
struct td_time_line {
    struct td_scope_line *line;
    size_t n, last; /* the line that was added to last */
    size_t intervals; /* of all lines */
    const char **wanted; /* the nodes below level 1 that the page has over time, too; names that outlive it */
    size_t nwanted;
    bool chosen; /* these, of any level, are what the heat map shows; else those of level 1, too */
};

/* What draws it. */
extern const struct td_page_code td_time_line_script;

/* Adds an interval. 0 or -ENOMEM. */
int td_time_line_add(struct td_time_line *, const struct td_result *, const struct td_verdict *);
/* Ends a phase of the line of a sum with the interval that was added last. Its number, from 1; 0: the line has no
 * interval; -ENOMEM. */
int td_time_line_end_phase(struct td_time_line *, const struct td_result *);
/* Has the page tell a node below level 1 over time, too. 0 or -ENOMEM. */
int td_time_line_want(struct td_time_line *, const char *name);
bool td_time_line_wants(const struct td_time_line *, const char *name);
/* Puts the section, where there is a scope with several intervals. */
void td_time_line_put(struct td_output *, const struct td_time_line *);
void td_time_line_free(struct td_time_line *);

/* What draws it, after the script of the time line. */
extern const struct td_page_code td_heat_map_script;

/* Whether there are several scopes with several intervals. */
bool td_heat_map_has(const struct td_time_line *);
/* Puts the section, where there are. */
void td_heat_map_put(struct td_output *, const struct td_time_line *);

#endif
