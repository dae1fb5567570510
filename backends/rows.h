/* SPDX-License-Identifier: MIT */
/* Shorthands for the tables of rows. */
#ifndef TD_ROWS_H
#define TD_ROWS_H

#include "backends/nodes.h"
#include "core/bounds/relation.h"

#define TD_LENGTH(array) (sizeof(array) / sizeof(*(array)))
/* Definitions: of a share of slots, of a share of something else, and of one that is not used, with the reason. */
#define TD_DEF(name_, expr_) \
    { \
        .name = (name_), .expr = (expr_) \
    }
#define TD_DEF_OF(name_, unit_, expr_) \
    { \
        .name = (name_), .expr = (expr_), .unit = (unit_) \
    }
#define TD_DEF_WRONG(name_, why_) \
    { \
        .name = (name_), .wrong = (why_) \
    }
/* Relations: one that always holds, one that holds under a condition, and one that shows the width of the CPU. */
#define TD_RELATION(text_) \
    { \
        .text = (text_) \
    }
#define TD_RELATION_IF(when_, text_) \
    { \
        .text = (text_), .when = (when_) \
    }
#define TD_RELATION_OF_WIDTHS(text_, widths_) \
    { \
        .text = (text_), .widths = (widths_) \
    }
/* The tables that tables.awk makes for a CPU. */
#define TD_EVENTS(cpu) .events = events_##cpu, .nevents = TD_LENGTH(events_##cpu), .names = &names_##cpu

#endif
