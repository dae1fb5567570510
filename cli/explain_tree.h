/* SPDX-License-Identifier: MIT */
/* The top-down tree as a text: each node with its threshold in words, and what it is. */
#ifndef CLI_EXPLAIN_TREE_H
#define CLI_EXPLAIN_TREE_H

#include "report/output.h"

struct td_uarch;
struct td_metric_info;

/* What is known of a metric on a CPU: as it is published, else as a formula has it. False: the CPU has none of that
 * name. */
bool cli_explain_find(const struct td_uarch *, const char *name, struct td_metric_info *out);
/* Puts the tree and the bottlenecks of one CPU, or (NULL) of all together. 0, or an exit code after a message. */
int cli_explain_put_tree(struct td_output *, const struct td_uarch *only);
/* Puts words in lines of 80 columns, the first of which begins at column at; the others are indented. */
void cli_explain_put_words(struct td_output *, const char *text, size_t at, size_t indent);

#endif
