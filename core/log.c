/* SPDX-License-Identifier: MIT */
#include "core/log.h"

#include "util/text_clean.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int td_log_fail(struct td_log *log, int err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(log->error, sizeof(log->error), format, args);
    va_end(args);
    td_text_clean(log->error, sizeof(log->error));
    return err;
}

int td_log_no_memory(struct td_log *log)
{
    return td_log_fail(log, -ENOMEM, "out of memory");
}

void td_log_note(const struct td_log *log, const char *format, ...)
{
    char text[TD_LOG_TEXT];
    va_list args;

    if (!log->note)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    td_text_clean(text, sizeof(text));
    log->note(log->note_ctx, text);
}

int td_log_fail_at(struct td_log *log, int err, const char *file, unsigned long line, const char *format, va_list args)
{
    char text[TD_LOG_TEXT];

    vsnprintf(text, sizeof(text), format, args);
    return td_log_fail(log, err, "%s:%lu: %s", file, line, text);
}

void td_log_note_at(const struct td_log *log, const char *file, unsigned long line, const char *format, va_list args)
{
    char text[TD_LOG_TEXT];

    vsnprintf(text, sizeof(text), format, args);
    td_log_note(log, "%s:%lu: %s", file, line, text);
}

void td_log_defer(struct td_log *log, char kept[TD_LOG_TEXT])
{
    memcpy(kept, log->error, TD_LOG_TEXT);
    log->error[0] = '\0';
}
