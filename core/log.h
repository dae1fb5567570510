/* SPDX-License-Identifier: MIT */
/* What went wrong, and what the caller should know: passed to every function that can fail.
 * Every text is one line that is safe to print, whatever names it holds. */
#ifndef TD_LOG_H
#define TD_LOG_H

#include "include/tdprobe.h"

#include <stdarg.h>

enum { TD_LOG_TEXT = 1024 };

struct td_log {
    char error[TD_LOG_TEXT]; /* the text of the last failure, for td_error(); "": there was none */
    td_note_fn *note; /* set by td_set_note(), or NULL */
    void *note_ctx;
};

/* Keeps the text for td_error() and returns err. */
int td_log_fail(struct td_log *, int err, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Notes that memory is out, and returns -ENOMEM. */
int td_log_no_memory(struct td_log *);
/* Passes to the caller's td_note_fn what is no error. */
void td_log_note(const struct td_log *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a line of a file: "FILE:LINE: ..." */
int td_log_fail_at(struct td_log *, int err, const char *file, unsigned long line, const char *format, va_list)
    __attribute__((format(printf, 5, 0)));
void td_log_note_at(const struct td_log *, const char *file, unsigned long line, const char *format, va_list)
    __attribute__((format(printf, 4, 0)));

/* Takes out the text of an error that is to be reported later. */
void td_log_defer(struct td_log *, char kept[TD_LOG_TEXT]);

#endif
