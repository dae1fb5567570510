/* SPDX-License-Identifier: MIT */
/* Names that come from recordings or from the system, made safe to print.
 *
 * A terminal obeys control characters, bidirectional controls reorder what is around them, other format characters show
 * nothing, and a reader of UTF-8 stumbles over other bytes. Each byte of these is shown as an escape such as \xe9. */
#ifndef TD_TEXT_CLEAN_H
#define TD_TEXT_CLEAN_H

#include <stddef.h>

/* A copy of a name that is safe to print, ended by NUL; the caller's. Different names are shown differently: so where a
 * name itself has a text like \xe9, the backslash is escaped too, as \x5c. NULL: out of memory. */
char *td_text_copy(const char *text, size_t len);
/* Turns what td_text_copy() made back into the original bytes, in the same memory, which has room for len + 1 and is
 * ended by NUL. Returns how many bytes they are. */
size_t td_text_original(char *text, size_t len);
/* Makes a whole text such as a message safe, in its memory of size bytes (at least 1). Names that td_text_copy() made
 * safe stay as they are. What does not fit with its escapes is cut off at the end, but never inside an escape. */
void td_text_clean(char *text, size_t size);
/* Replaces each such byte by '?', which keeps the length: for long texts that are no names. */
void td_text_mask(char *text, size_t len);

#endif
