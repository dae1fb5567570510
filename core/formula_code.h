/* SPDX-License-Identifier: MIT */
/* What the compiler (formula.c) leaves for the evaluator (evaluate.c). */
#ifndef TD_FORMULA_CODE_H
#define TD_FORMULA_CODE_H

#include "formula.h"

enum {
    TD_STACK = 32, /* deepest expression */
    TD_DEFS_MAX = 40, /* definitions of one form */
    TD_EVENTS_MAX = 64, /* events of one CPU: they are bits of a uint64_t */
    TD_NAME = 80, /* longest event name, with its NUL */
};

enum td_opcode {
    TD_OP_NUMBER,
    TD_OP_EVENT,
    TD_OP_CORRECTION,
    TD_OP_SAME_TIME,
    TD_OP_DEF,
    TD_OP_WRONG,
    TD_OP_ADD,
    TD_OP_SUB,
    TD_OP_MUL,
    TD_OP_DIV,
    TD_OP_MAX0,
    TD_OP_MIN,
    TD_OP_SHARE,
    TD_OP_WHEN,
    TD_OP_EITHER,
};

struct td_op {
    enum td_opcode code;
    int ref; /* event or definition */
    double number;
};

struct td_defcode {
    const struct td_def *def;
    size_t start, end; /* its operations */
    uint64_t needs, corrections, same_time;
};

struct td_program {
    struct td_op *ops;
    size_t nops, room;
    size_t ndefs;
    struct td_defcode defs[TD_DEFS_MAX];
};

#endif
