/* SPDX-License-Identifier: MIT */
/* Names that come from recordings or from the system, made safe to print.
 *
 * A terminal obeys control characters, bidirectional controls reorder what is around them, other format characters show
 * nothing, and a reader of UTF-8 stumbles over other bytes. Each byte of these is shown as an escape such as \xe9. */
#ifndef TD_TEXT_CLEAN_H
#define TD_TEXT_CLEAN_H

#include <stddef.h>

/* A name as it is shown, ended by NUL: two names of different bytes are shown differently. For that the
 * backslash of what looks like an escape of these is escaped itself, as \x5c. NULL: out of memory. */
char *td_text_copy(const char *text, size_t len);
/* The bytes that td_text_copy() has shown so, in the same memory and ended by NUL (text has room for len + 1): how
 * many. */
size_t td_text_original(char *text, size_t len);
/* A whole text, such as a message, in its memory of size bytes, which has at least one: names that are shown already
 * stay as they are. What does not fit with its escapes is cut off at the end, no escape in the middle. */
void td_text_clean(char *text, size_t size);
/* For long texts that are no names: replaces each such byte by '?', which keeps the length. */
void td_text_mask(char *text, size_t len);

#endif
