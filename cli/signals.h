/* SPDX-License-Identifier: MIT */
/* Signals: those that only repeat the error of a write, which tdprobe ignores and its command does not, and the one of
 * a stack that is full. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

/* From now on a write to a file that reaches its largest size (RLIMIT_FSIZE) fails with EFBIG. */
void cli_signals_ignore_size(void);
/* From now on a write to a closed pipe fails with EPIPE. */
void cli_signals_ignore_pipe(void);
/* For a command about to start: restores these signals as when tdprobe was started; afterwards they are ignored again.
 */
void cli_signals_give(void);
void cli_signals_take(void);

/* From now on a stack that is full, as of a low 'ulimit -s', ends the process with a message and exit code 69, not by
 * SIGSEGV without a word. To be called by main(). */
void cli_stack_watch(void);

#endif
