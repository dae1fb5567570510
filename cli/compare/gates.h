/* SPDX-License-Identifier: MIT */
/* --fail-if: conditions that decide the exit code. */
#ifndef CLI_GATES_H
#define CLI_GATES_H

#include "stats/gate.h"

enum { EXIT_HOLDS = 1, EXIT_CANNOT_TELL = 2 };

struct cli_gates {
    struct td_gate *gate;
    size_t n;
    int inconclusive; /* 0: --inconclusive was not given; else what it makes of EXIT_CANNOT_TELL, plus 1 */
};

/* Conditions separated by commas. 0, or an exit code after a message. */
int cli_gates_add(struct cli_gates *, const char *text);
/* "pass" or "fail". */
void cli_gates_inconclusive(struct cli_gates *, const char *text);
/* 0, or an exit code after a message: a condition does not fit its metric. */
int cli_gates_ask(struct cli_gates *, const struct td_comparison *);
/* What the answers make of the exit code. */
int cli_gates_exit(const struct cli_gates *);
void cli_gates_free(struct cli_gates *);

#endif
