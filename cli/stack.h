/* SPDX-License-Identifier: MIT */
/* What is said when the stack is full. */
#ifndef CLI_STACK_H
#define CLI_STACK_H

/* From now on a stack that is full, as of a low 'ulimit -s', ends the process with a message and exit code 69, not by
 * SIGSEGV without a word. To be called by main(). */
void cli_stack_watch(void);

#endif
