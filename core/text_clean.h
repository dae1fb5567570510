/* SPDX-License-Identifier: MIT */
/* Names that come from recordings or from the system, made safe to print. */
#ifndef TD_TEXT_CLEAN_H
#define TD_TEXT_CLEAN_H

#include <stddef.h>

/* Puts '?' in place of each byte that is of a control character (C0, DEL, C1) or of no
 * UTF-8: a terminal would obey it, and a reader of lines or of UTF-8 stumble over it. */
void td_text_clean(char *text, size_t len);
/* A copy of which the same is true, ended by NUL; NULL: out of memory. */
char *td_text_copy(const char *text, size_t len);

#endif
