/* SPDX-License-Identifier: MIT */
/* A vendor's published metrics of a CPU as data: backends/NOTATION describes the columns.
 * Texts are offsets into one array, which all tables share: pointers would have to be
 * relocated whenever the library is loaded. */
#ifndef TD_TABLE_H
#define TD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum td_row_kind { TD_ROW_NODE, TD_ROW_BOTTLENECK, TD_ROW_INFO, TD_ROW_AUX };

/* The members up to formula are td_table.texts + the number; "" where the publication says nothing. */
struct td_table_row {
    uint32_t name, alias, parent, domain, unit, threshold, samples, groups, next, needs, source, formula;
    uint8_t kind; /* enum td_row_kind */
    uint8_t level; /* of the tree; 0: none */
};

struct td_table {
    const struct td_table_row *row; /* in the order of the tree */
    size_t n;
    const uint16_t *slot; /* 1 + row, by td_name_hash() of its name; 0: none */
    uint32_t mask; /* slots - 1 */
    const char *texts;
};

/* The row of that name, or -1. */
int td_table_find(const struct td_table *, const char *name, size_t len);
/* What its value is a share of ("slots", "cycles", "core_cycles", "stalls", "uops"), or its unit ("GB/s"); "": none. */
const char *td_table_unit(const struct td_table *, size_t row);
/* Its number where "v > NUMBER" begins its threshold, else HUGE_VAL. */
double td_table_threshold(const struct td_table *, size_t row);
/* Whether a name that a user gives means the row: its own or an alias, in upper or lower case,
 * with or without perf's "tma_" before it, or toplev's path ("Backend_Bound.Memory_Bound.L3_Bound", "Info.Thread.IPC");
 * or, with groups, a group that it is in. */
bool td_table_named(const struct td_table *, size_t row, const char *name, size_t len, bool groups);

#endif
