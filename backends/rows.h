/* SPDX-License-Identifier: MIT */
/* Shorthands for the tables of rows. */
#ifndef TD_ROWS_H
#define TD_ROWS_H

#include "backends/nodes.h"
#include "core/bounds/relation.h"

#define TD_LENGTH(array) (sizeof(array) / sizeof(*(array)))
/* A definition: a share of slots; a share of something else; one that is not used, and why. */
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
/* A relation: one that always holds; that holds under a condition; that shows the width of the CPU. */
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
