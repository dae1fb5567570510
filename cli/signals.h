/* SPDX-License-Identifier: MIT */
/* Signals that only repeat the error of a write: tdprobe ignores them, its
 * command does not. */
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

#endif
