/* SPDX-License-Identifier: MIT */
/* Published formulas as text, compiled as far as they are needed, and evaluated over counts.
 *
 *   expr  = any [ "if" any "else" expr ]
 *   any   = all { "|" all }
 *   all   = test { "&" test }
 *   test  = sum [ ("<" | ">" | "<=" | ">=") sum ]
 *   sum   = term { ("+" | "-") term }
 *   term  = factor { ("*" | "/") factor }
 *   factor= "-" factor | number | name | "?" event | "~" event | "(" expr ")" | function
 *   function = max0(x) | min(x, y) | max(x, y) | share(x, rest) | when(a, b, x, y) | either(x, y)
 *            | per_cpu(x) | has(event) | optional(event)
 *
 * A number is digits, with or without a fraction. A name is an earlier
 * definition of the same form, "width", an event by the vendor's name, or a
 * later definition, which must not need this one; {braces} enclose a name with a
 * hyphen. Parentheses and functions are nested at most TD_NEST deep.
 *
 * A form may also have a vendor's table, whose rows are definitions too, unless a
 * list defines their name. A name in a row that begins with a small letter or a
 * digit is a definition, "tsc", "duration", "cpus" or "sharing", any other one an event or a
 * condition: SMT, EBS, FIXED. backends/NOTATION describes them. A list may name these too, but for "tsc", and
 * "WHOLE_CORE" and "halted". Where a condition is settled, only the branch that is taken becomes part of the program.
 * A list may define SMT as well, as the share of a thread's cycles in which its sibling ran, and "both" as these
 * cycles: then "x if SMT else y" is td_range_part(), x half of what the core counted.
 *
 *   ?event         a correction term: left out (0) where it was not counted
 *   ~event         the same, and only where it was counted over the same time
 *   share(x, rest) x / (x + rest)
 *   when(a,b,x,y)  a > b ? x : y; the branch not taken may be missing
 *   either(x, y)   x, or y where an event of x was not recorded or counted
 *   x if c else y  the branch not taken may be missing
 *   per_cpu(x)     x of each logical CPU's counts, added up: x itself where they are of one CPU;
 *                  for a sum over several, known only to be between 0 and x
 *   has(event)     it was recorded, or it is a published latency
 *   optional(event) the same as ?event
 */
#ifndef TD_FORMULA_H
#define TD_FORMULA_H

#include "util/bits.h"
#include "core/formula/range.h"
#include "core/formula/table.h"

enum { TD_NEST = 100 };

/* One line of a form: a metric (by its public name) or a helper value. */
struct td_def {
    const char *name;
    const char *expr;
    const char *unit; /* NULL: a share of slots */
    const char *wrong; /* why the vendor's formula is not used; expr is then NULL */
};

/* Why an expression has no value; the order is that of struct td_val.state */
enum td_state {
    TD_VAL_OK,
    TD_VAL_OMITTED, /* a correction term that was not counted: neutral in sums, absorbing in products */
    TD_VAL_MISSING, /* the event was not recorded */
    TD_VAL_NOT_COUNTED, /* recorded, but never scheduled */
    TD_VAL_NOT_SUPPORTED, /* recorded, but the machine cannot count it */
    TD_VAL_RESET, /* the count ran backwards: it was reset */
    TD_VAL_ZERO_DIV,
    TD_VAL_WRONG_FORMULA,
};

struct td_val {
    struct td_range r;
    enum td_state state;
    int event; /* the event to blame, or the number of the row's events plus enum td_input; -1: none */
};

/* What formulas may ask for besides counts. */
enum td_input {
    TD_INPUT_SMT, /* 1: the core has two threads online */
    TD_INPUT_SHARING, /* how many threads shared the core's clock on average: 1, and up to 2 where that is not known */
    TD_INPUT_DURATION, /* of the interval, in s */
    TD_INPUT_CPUS, /* logical CPUs online */
    TD_INPUT_ONE_CPU, /* 1: the counts are of one logical CPU */
    TD_INPUT_WHOLE_CORE, /* 1: the counts are of all threads of each core, or no core has two; 0: not, or not known */
    TD_INPUT_HALTED, /* 0, and from TD_HALTED where events of a core were counted while the thread halted, too */
    TD_INPUTS,
};
/* Those that are about sibling threads, as bits. */
enum { TD_INPUTS_SIBLINGS = 1 << TD_INPUT_SMT | 1 << TD_INPUT_SHARING };
#define TD_HALTED (-2.0) /* no share is above 0 with it */
/* Conditions of tables, as bits. */
enum { TD_WHERE_SMT = 1, TD_WHERE_EBS = 2, TD_WHERE_FIXED = 4 };

struct td_program;

/* Finds the number of an event by its vendor's name: >= 0, or -1. */
typedef int td_event_find_fn(const void *ctx, const char *name, size_t len);

/* What a program is made of. */
struct td_program_text {
    const struct td_def *const *lists; /* each ended by a NULL name; NULL: none */
    size_t nlists;
    const struct td_table *table; /* rows that the lists do not define, or NULL */
    unsigned settled, holds; /* TD_WHERE_*: known conditions, and those of them that hold; the rest is input */
    double width;
    size_t nevents; /* of the row: their numbers are below this */
    td_event_find_fn *find;
    const void *ctx; /* for find */
};

/* Lists the definitions; nothing is compiled yet, and the text is not read.
 * -ENOMEM. The caller frees *out with td_program_free(). */
int td_program_new(const struct td_program_text *, struct td_program **out);
void td_program_free(struct td_program *);
size_t td_program_count(const struct td_program *);
/* NULL: out of memory; never for one that was compiled. */
const struct td_def *td_program_def(const struct td_program *, size_t i);
/* The last definition of that name in the lists, or the table's, or -1. */
int td_program_find(const struct td_program *, const char *name);

/* Compiles a definition and those that it is made of, each once. 0; -EINVAL for a
 * formula that cannot be read or needs itself, -ENOENT for an event that find does
 * not know, -ENOMEM; with the reason in why. */
int td_program_compile(struct td_program *, size_t i, char *why, size_t whysize);

/* The events that a compiled definition needs, its own and those of the definitions
 * it is made of; corrections (? and ~) are only in the second and third set. */
const struct td_bits *td_program_needs(const struct td_program *, size_t i);
const struct td_bits *td_program_corrections(const struct td_program *, size_t i);
const struct td_bits *td_program_same_time(const struct td_program *, size_t i);
/* Inputs that it uses, as bits 1 << enum td_input. */
unsigned td_program_inputs(const struct td_program *, size_t i);
/* The definitions that it is made of, and itself. */
const struct td_bits *td_program_uses(const struct td_program *, size_t i);
/* The definitions of a set in an order in which they can be evaluated; returns how many.
 * The set has what its members are made of; out has room for all of them. */
size_t td_program_order(const struct td_program *, const struct td_bits *set, uint32_t *out);

/* Cells: the values that a program works on. First one for each event, which the
 * caller fills; then one for each event as a correction, where what was not counted
 * is TD_VAL_OMITTED, and the inputs; then those of the definitions; then constants
 * and intermediate values. */
static inline size_t td_event_cell(size_t event)
{
    return event;
}
size_t td_correction_cell(const struct td_program *, size_t event);
size_t td_input_cell(const struct td_program *, enum td_input);
size_t td_def_cell(const struct td_program *, size_t i);
/* How many there are: more after more was compiled. */
size_t td_program_cells(const struct td_program *);
/* Fills the constants in. */
void td_program_prepare(const struct td_program *, struct td_val *cells);
/* Evaluates compiled definitions in the order given by td_program_order(). */
void td_program_run(const struct td_program *, const uint32_t *defs, size_t n, struct td_val *cells);

#endif
