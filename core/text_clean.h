/* SPDX-License-Identifier: MIT */
/* Names that come from recordings or from the system, made safe to print. */
#ifndef TD_TEXT_CLEAN_H
#define TD_TEXT_CLEAN_H

#include <stddef.h>

/* Replaces each byte of a control character (C0, DEL, C1) or of invalid UTF-8 by '?': a
 * terminal would obey it, and a reader of lines or of UTF-8 would stumble over it. */
void td_text_clean(char *text, size_t len);
/* A copy cleaned the same way, ended by NUL; NULL: out of memory. */
char *td_text_copy(const char *text, size_t len);

#endif
