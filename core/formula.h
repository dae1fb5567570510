/* SPDX-License-Identifier: MIT */
/* Published formulas as text, compiled once and evaluated over counts.
 *
 *   expr  = term { ("+" | "-") term }
 *   term  = factor { ("*" | "/") factor }
 *   factor= number | name | "?" event | "~" event | "(" expr ")" | function
 *   function = max0(x) | min(x, y) | share(x, rest) | when(a, b, x, y) | either(x, y)
 *
 * A number is digits, with or without a fraction. A name is an earlier
 * definition of the same form, "width", or an event by the vendor's name;
 * {braces} enclose a name with a hyphen.
 *   ?event         a correction term: left out (0) where it was not counted
 *   ~event         the same, and only where it was counted over the same time
 *   share(x, rest) x / (x + rest)
 *   when(a,b,x,y)  a > b ? x : y; the branch not taken may be missing
 *   either(x, y)   x, or y where an event of x was not recorded or counted
 */
#ifndef TD_FORMULA_H
#define TD_FORMULA_H

#include "range.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line of a form: a metric (by its public name) or a help value. */
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
    int event; /* the event to blame, or -1 */
};

struct td_program;

/* Finds the number of an event by its vendor's name: >= 0, or -1. */
typedef int td_event_find_fn(const void *ctx, const char *name);
/* Gives the value of an event; correction says that it stands behind ? or ~. */
typedef struct td_val td_event_value_fn(void *ctx, int event, bool correction);

/* Compiles lists[0..nlists), each ended by a NULL name, as one program.
 * Returns 0; -EINVAL with the reason in why for a formula that cannot be
 * read; -ENOENT for an event that find does not know; -ENOMEM.
 * The caller frees *out with td_program_free(). */
int td_program_compile(const struct td_def *const *lists, size_t nlists, double width,
                       td_event_find_fn *find, const void *ctx, struct td_program **out, char *why, size_t whysize);
void td_program_free(struct td_program *);

size_t td_program_count(const struct td_program *);
const struct td_def *td_program_def(const struct td_program *, size_t i);
/* number of the definition of that name, or -1 */
int td_program_find(const struct td_program *, const char *name);
/* the events that definition i needs, its own and those of the definitions it
 * uses, as bits; corrections (? and ~) are only in the second and third set */
uint64_t td_program_needs(const struct td_program *, size_t i);
uint64_t td_program_corrections(const struct td_program *, size_t i);
uint64_t td_program_same_time(const struct td_program *, size_t i);

/* Evaluates every definition in order; vals has td_program_count() members. */
void td_program_run(const struct td_program *, td_event_value_fn *value, void *ctx, struct td_val *vals);

#endif
