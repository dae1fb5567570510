/* SPDX-License-Identifier: MIT */
/* A program: its definitions (program.c), what the compiler (formula.c) leaves for the evaluator (evaluate.c). */
#ifndef TD_FORMULA_CODE_H
#define TD_FORMULA_CODE_H

#include "core/formula/formula.h"

enum td_opcode {
    TD_OP_COPY,
    TD_OP_WRONG,
    TD_OP_ADD,
    TD_OP_SUB,
    TD_OP_MUL,
    TD_OP_DIV,
    TD_OP_MAX0,
    TD_OP_MIN,
    TD_OP_MAX,
    TD_OP_SHARE,
    TD_OP_WHEN,
    TD_OP_EITHER,
    TD_OP_IF,
    TD_OP_GREATER,
    TD_OP_AT_LEAST,
    TD_OP_AND,
    TD_OP_OR,
    TD_OP_HAS,
    TD_OP_PER_CPU,
    TD_OP_PART,
};

enum { TD_OP_ARGS = 4 };

/* How many operands an operation has. */
size_t td_op_operands(enum td_opcode);

/* From cells to a cell. */
struct td_op {
    enum td_opcode code;
    uint32_t to, from[TD_OP_ARGS];
};

struct td_defcode {
    const struct td_def *def;
    struct td_def row; /* of a row of the table */
    size_t number; /* of the definition */
    size_t earlier; /* 1 + the definition of the same name before it; 0: none */
    enum { TD_DEF_UNREAD, TD_DEF_OPEN, TD_DEF_DONE } state;
    size_t start, end; /* its operations */
    size_t at; /* while it is open: which of refs are done */
    struct td_bits refs, uses; /* definitions: named in it; and all that it is made of */
    struct td_bits needs, corrections, same_time;
    unsigned inputs;
    uint64_t words[]; /* of its sets */
};

struct td_constant {
    uint32_t cell;
    double number;
};

struct td_program {
    struct td_program_text text;
    struct td_defcode **defs; /* NULL: a row of the table that was not asked for yet */
    size_t ndefs, nlisted; /* all; those of the lists, which come first */
    uint32_t *slot; /* 1 + definition, by the hash of its name; 0: none */
    size_t nslots;
    uint32_t *order; /* definitions that are done, each after those it is made of */
    size_t ndone;
    struct td_op *ops;
    size_t nops, room;
    size_t ncells;
    struct td_constant *constants;
    size_t nconstants, constants_room;
    uint32_t *temps; /* cells for intermediate values, the innermost last */
    size_t ntemps, temps_room;
};

/* A definition as it is to be compiled. A row of the table becomes one when it is asked for:
 * most never are. NULL: out of memory. */
struct td_defcode *td_program_code(const struct td_program *, size_t i);
/* 1 + the last definition of that name in the lists; 0: none. */
size_t td_program_listed(const struct td_program *, const char *name, size_t len);
/* The table's row of that name as a definition, or -1; and the listed definition, else that row's. */
int td_program_row(const struct td_program *, const char *name, size_t len);
int td_program_named(const struct td_program *, const char *name, size_t len);

#endif
