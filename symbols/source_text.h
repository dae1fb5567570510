/* SPDX-License-Identifier: MIT */
/* Files of source, line by line. */
#ifndef TD_SOURCE_TEXT_H
#define TD_SOURCE_TEXT_H

#include "private/code.h"

#include <stddef.h>
#include <stdint.h>

enum { TD_SOURCE_LINE = 512 /* bytes of a line, at most */ };

struct td_source_text {
    /* from line 1 on; each as in the file, but without its end, with blanks for tabs, and cut at TD_SOURCE_LINE */
    char **line;
    size_t lines;
    char *text; /* memory of all lines */
    int64_t written; /* when the file was written last: s since 1970 */
};

/* Reads the file at a path that begins with a slash: below the folder root, or if it is not there, from this machine's
 * own root. *how is TD_SOURCE_FOUND, or says why *out has nothing. -ENOMEM. */
int td_source_text_read(const char *root, const char *path, struct td_source_text *out, enum td_source_status *how);
void td_source_text_free(struct td_source_text *);

#endif
