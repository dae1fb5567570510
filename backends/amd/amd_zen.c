/* SPDX-License-Identifier: MIT */
/* AMD Zen: events that count dispatch slots, which cores before Zen 4 do not have. Levels 1 and 2 are the rows of the
 * published tables. */
#include "backends/amd/amd-zen-events.inc"
#include "backends/registry.h"
#include "backends/rows.h"
#include "backends/tables.h"

/* A result has the status no_slots where this is 0. */
static const struct td_def slots[] = {TD_DEF("slots", "total_dispatch_slots"), {0}};

#define FORMS(cpu) \
    static const struct td_form cpu##_form = {#cpu "-dispatch", "", TD_FORM_TABLE, {slots}}; \
    static const struct td_form *const cpu##_forms[] = {&cpu##_form, NULL}

static const struct td_form ratios = {"zen-ratios", "", TD_FORM_TABLE, {NULL}};
static const struct td_form *const ratio_forms[] = {&ratios, NULL};

FORMS(zen4);
FORMS(zen5);
FORMS(zen6);

/* What no program breaks: a macro-op retires after it was dispatched, in a slot; a slot without one has one reason
 * (AMD's Processor Programming References for family 19h, models 10h and 60h, and family 1Ah, PMCx0AA, PMCx0C1,
 * PMCx1A0). A compare, or since Zen 4 a NOP, fuses with the instruction after it (AMD's Software Optimization Guides,
 * 'branch fusion', 'NOP fusion'): with both, and as much again for what is not published, a macro-op is six
 * instructions at the most. */
static const struct td_relation relations[] = {
    TD_RELATION("EX_RET_INSTR <= 6 * EX_RET_OPS"),
    TD_RELATION("EX_RET_INSTR <= 6 * DE_SRC_OP_DISP.ALL"),
    TD_RELATION("EX_RET_OPS <= DE_SRC_OP_DISP.ALL"),
    TD_RELATION("EX_RET_OPS <= width * LS_NOT_HALTED_CYC"),
    TD_RELATION("DE_SRC_OP_DISP.ALL <= width * LS_NOT_HALTED_CYC"),
    TD_RELATION("DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND <= width * LS_NOT_HALTED_CYC"),
    TD_RELATION("DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS <= width * LS_NOT_HALTED_CYC"),
    TD_RELATION("DE_NO_DISPATCH_PER_SLOT.SMT_CONTENTION <= width * LS_NOT_HALTED_CYC"),
    TD_RELATION("EX_NO_RETIRE.LOAD_NOT_COMPLETE <= EX_NO_RETIRE.NOT_COMPLETE"),
    {0},
};

#define TABLES(cpu_, tree_) .relations = relations, TD_EVENTS(cpu_), .tree = &td_tree_##tree_, .table = &td_table_##cpu_
#define ROW(cpu_, tree_, width_) TABLES(cpu_, tree_), .forms = cpu_##_forms, .width = (width_)
#define RATIOS(cpu_, tree_) TABLES(cpu_, tree_), .forms = ratio_forms

/* Models: Linux arch/x86/kernel/cpu/amd.c bsp_init_amd(). Zen 3 and 4 share family 19h, Zen 5 and 6 family 1Ah.
 * The width is the factor in each pipeline.json's total_dispatch_slots. */
static const struct td_uarch rows[] = {
    {"zen1", "amdzen1 znver1 naples", "17-0..2F 17-50..5F",
     "Zen 1, ratios only: AMD publishes no pipeline metrics before Zen 4", "perf amdzen1", RATIOS(zen1, zen1)},
    {"zen2", "amdzen2 znver2 rome", "17-30..4F 17-60..7F 17-90..91 17-A0..AF",
     "Zen 2, ratios only: AMD publishes no pipeline metrics before Zen 4", "perf amdzen2", RATIOS(zen2, zen1)},
    {"zen3", "amdzen3 znver3 milan", "19-0..F 19-20..5F",
     "Zen 3, ratios only: AMD publishes no pipeline metrics before Zen 4", "perf amdzen3", RATIOS(zen3, zen3)},
    {"zen4", "amdzen4 znver4 genoa bergamo siena", "19-10..1F 19-60..AF", "Zen 4", "perf amdzen4", ROW(zen4, zen4, 6)},
    {"zen5", "amdzen5 znver5 turin", "1A-0..2F 1A-40..4F 1A-60..7F", "Zen 5", "perf amdzen5", ROW(zen5, zen5, 8)},
    {"zen6", "amdzen6 znver6", "1A-50..5F 1A-80..AF 1A-C0..EF", "Zen 6", "perf amdzen6", ROW(zen6, zen5, 8)},
};

const struct td_backend td_amd_zen = {
    "amd-zen",       "events that count dispatch slots: Zen 4, Zen 5, Zen 6; of Zen 1, 2 and 3 ratios",
    "AuthenticAMD",  rows,
    TD_LENGTH(rows),
};
