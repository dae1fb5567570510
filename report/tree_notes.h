/* SPDX-License-Identifier: MIT */
/* What follows a tree: what it leaves out, counts, flags, the verdict, and what to do next. */
#ifndef REPORT_TREE_NOTES_H
#define REPORT_TREE_NOTES_H

#include "report/tree_view.h"

void td_tree_notes(struct td_report *, const struct td_tree_view *, const struct td_result *);

#endif
