/* SPDX-License-Identifier: MIT */
/* A published table's names, units and thresholds: a table of a few rows, made here. */
#include "core/formula/table.h"

#include "core/formula/name_hash.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum { BACKEND, MEMORY, L3, IPC, ROWS, SLOTS = 8 };

/* The parts of a table, and room for its texts. */
struct made {
    struct td_table_row row[ROWS];
    uint16_t slot[SLOTS];
    char texts[512];
    size_t length;
    struct td_table table;
};

static uint32_t put(struct made *m, const char *text)
{
    const size_t at = m->length;

    CU_ASSERT_FATAL(at + strlen(text) < sizeof(m->texts));
    strcpy(m->texts + at, text);
    m->length += strlen(text) + 1;
    return (uint32_t)at;
}

static void make(struct made *m, uint32_t mask)
{
    static const struct {
        const char *name, *alias, *parent, *domain, *unit, *groups;
        enum td_row_kind kind;
        uint8_t level;
    } rows[] = {
        {"backend_bound", "Backend BE", "", "Slots", "", "TmaL1 PGO", TD_ROW_NODE, 1},
        {"memory_bound", "Mem", "backend_bound", "Slots_Estimated", "", "Backend", TD_ROW_NODE, 2},
        {"l3_bound", "L", "memory_bound", "Stalls", "", "", TD_ROW_NODE, 3},
        {"info_thread_ipc", "", "memory_bound", "Slots", "per cycle", "Ret", TD_ROW_INFO, 3},
    };

    memset(m, 0, sizeof(*m));
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t at = td_name_hash(rows[i].name, strlen(rows[i].name)) & mask;

        m->row[i] = (struct td_table_row){
            .name = put(m, rows[i].name),
            .alias = put(m, rows[i].alias),
            .parent = put(m, rows[i].parent),
            .domain = put(m, rows[i].domain),
            .unit = put(m, rows[i].unit),
            .groups = put(m, rows[i].groups),
            .kind = (uint8_t)rows[i].kind,
            .level = rows[i].level,
        };
        while (m->slot[at]) /* name_hash.h: the next that is free */
            at = (at + 1) & mask;
        m->slot[at] = (uint16_t)(i + 1);
    }
    m->table = (struct td_table){m->row, ROWS, m->slot, mask, m->texts};
}

/* Whatever stands in whose place. */
static void find(void)
{
    static const char *const none[] = {"", "backend", "backend_boundx", "nothing", "l3_boun", "Backend_bound"};
    struct made m;

    make(&m, SLOTS - 1);
    for (int i = 0; i < ROWS; i++) {
        const char *name = m.texts + m.row[i].name;

        CU_ASSERT_EQUAL(td_table_find(&m.table, name, strlen(name)), i);
    }
    for (size_t i = 0; i < LENGTH(none); i++)
        CU_ASSERT_EQUAL(td_table_find(&m.table, none[i], strlen(none[i])), -1);
    CU_ASSERT_EQUAL(td_table_find(&m.table, "l3_bound and more", strlen("l3_bound")), L3);
}

/* A name is told from the part of another, whatever the case; groups only where they are asked for. */
static void named(void)
{
    static const struct {
        const char *name;
        int alone, grouped; /* the row that the name means; of groups also */
    } rows[] = {
        {"backend_bound", BACKEND, BACKEND},
        {"Backend_BOUND", BACKEND, BACKEND},
        {"tma_backend_bound", BACKEND, BACKEND},
        {"TMA_Memory_Bound", MEMORY, MEMORY},
        {"be", BACKEND, BACKEND},
        {"mem", MEMORY, MEMORY},
        {"tma_BE", BACKEND, BACKEND},
        {"l3_bound", L3, L3},
        {"l", L3, L3},
        {"tma_L", L3, L3},
        {"tma-L", -1, -1},
        {"info_thread_ipc", IPC, IPC},
        {"tma_info_thread_ipc", IPC, IPC},
        {"Info.Thread.IPC", IPC, IPC},
        {"Info.Thread_IPC", IPC, IPC},
        {"", -1, -1},
        {"tma", -1, -1},
        {"tma_", -1, -1},
        {"tma_tma_be", -1, -1},
        {"b", -1, -1},
        {"backend_boun", -1, -1},
        {"backend_bound ", -1, -1},
        {"Backend BE", -1, -1},
        {"Info-Thread.IPC", -1, -1},
        {"Info.Thread.IPX", -1, -1},
        {"Info.Thread.IP", -1, -1},
        {"Inf..Thread.IPC", -1, -1},
        {"memory.bound", -1, -1},
        /* toplev's paths: what is before the last dot ends with the parent */
        {"Backend_Bound.Memory_Bound", MEMORY, MEMORY},
        {"backend_bound.mem", MEMORY, MEMORY},
        {"Memory_Bound.L3_Bound", L3, L3},
        {"Backend_Bound.Memory_Bound.L3_Bound", L3, L3},
        {"XMemory_Bound.L3_Bound", -1, -1},
        {"Memory_BoundX.L3_Bound", -1, -1},
        {"Frontend_Bound.L3_Bound", -1, -1},
        {"Bound.L3_Bound", -1, -1},
        {"Memory_Bound.", -1, -1},
        {"x.backend_bound", -1, -1},
        {"Backend_Bound.BE", -1, -1},
        {"Memory_Bound.Info_Thread_IPC", -1, -1},
        /* groups that the table lists */
        {"TmaL1", -1, BACKEND},
        {"pgo", -1, BACKEND},
        {"tma_PGO", -1, BACKEND},
        {"ret", -1, IPC},
        {"TmaL1 PGO", -1, -1},
        {"tmal", -1, -1},
        /* and those that follow from the tree */
        {"TopdownL1", -1, BACKEND},
        {"topdownl2", -1, MEMORY},
        {"TopdownL3", -1, L3},
        {"TopdownL4", -1, -1},
        {"TopdownL", -1, -1},
        {"TopdownX1", -1, -1},
        {"TopdownL11", -1, -1},
        {"tma_L1_group", -1, BACKEND},
        {"tma_L2_group", -1, MEMORY},
        {"l3_GROUP", -1, L3},
        {"L4_group", -1, -1},
        {"L10_group", -1, -1},
        {"X1_group", -1, -1},
        {"L1_groups", -1, -1},
        {"L1-group", -1, -1},
        {"tma_backend_bound_group", -1, MEMORY},
        {"memory_bound_group", -1, L3},
        {"memory_boun_group", -1, -1},
        {"xmemory_bound_group", -1, -1},
        {"memory_bound_grou", -1, -1},
        {"_group", -1, -1},
        {"group", -1, -1},
    };
    struct made m;

    make(&m, SLOTS - 1);
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int row = 0; row < ROWS; row++) {
            const char *name = rows[i].name;
            const bool alone = td_table_named(&m.table, (size_t)row, name, strlen(name), false),
                       grouped = td_table_named(&m.table, (size_t)row, name, strlen(name), true);

            if (alone != (rows[i].alone == row) || grouped != (rows[i].grouped == row))
                printf("\n    '%s', row %d: %d, %d", name, row, alone, grouped);
            CU_ASSERT(alone == (rows[i].alone == row) && grouped == (rows[i].grouped == row));
        }
    /* backend_bound is "Backend", too; as a group it is what memory_bound is in */
    CU_ASSERT(td_table_named(&m.table, BACKEND, "backend", 7, false) &&
              !td_table_named(&m.table, MEMORY, "backend", 7, false) &&
              td_table_named(&m.table, MEMORY, "backend", 7, true));
}

/* The beginning of a node's domain decides; all others have the unit that is published. */
static void units(void)
{
    static const struct {
        enum td_row_kind kind;
        const char *domain, *unit, *wanted;
    } rows[] = {
        {TD_ROW_NODE, "Slots", "", "slots"},
        {TD_ROW_NODE, "Slots_Estimated", "", "slots"},
        {TD_ROW_NODE, "Clocks", "", "cycles"},
        {TD_ROW_NODE, "Cycles_Retired", "", "cycles"},
        {TD_ROW_NODE, "Core_Clocks", "", "core_cycles"},
        {TD_ROW_NODE, "Stalls", "", "stalls"},
        {TD_ROW_NODE, "Uops", "x", "uops"},
        {TD_ROW_NODE, "Core", "GB/s", "GB/s"},
        {TD_ROW_NODE, "", "", ""},
        {TD_ROW_INFO, "Slots", "per cycle", "per cycle"},
        {TD_ROW_BOTTLENECK, "Uops", "%", "%"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct made m;

        make(&m, SLOTS - 1);
        m.row[MEMORY].kind = (uint8_t)rows[i].kind;
        m.row[MEMORY].domain = put(&m, rows[i].domain);
        m.row[MEMORY].unit = put(&m, rows[i].unit);
        CU_ASSERT_STRING_EQUAL(td_table_unit(&m.table, MEMORY), rows[i].wanted);
    }
}

static void thresholds(void)
{
    static const struct {
        const char *text;
        double wanted;
    } rows[] = {
        {"v > 0.2", 0.2},      {"v > 10", 10}, {"v > 0.05 & P", 0.05}, {"v > 1.25", 1.25},        {"v > 0.90 | P", 0.9},
        {"v > 9:", 9},         {"v > 0/9", 0}, {"v > 0.9:5", 0.9},     {"v > 0.0/5", 0},          {"v > 3.", 3},
        {"v < 0.2", HUGE_VAL}, {"", HUGE_VAL}, {"v >0.2", HUGE_VAL},   {"P & v > 0.2", HUGE_VAL}, {"v > 1,5", 1},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct made m;

        make(&m, SLOTS - 1);
        m.row[L3].threshold = put(&m, rows[i].text);
        CU_ASSERT_EQUAL(td_table_threshold(&m.table, L3), rows[i].wanted);
    }
}

static const CU_TestInfo tests[] = {
    {"rows by name", find}, {"names", named}, {"units", units}, {"thresholds", thresholds}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("table", tests);
