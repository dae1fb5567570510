/* SPDX-License-Identifier: MIT */
/* Files of source, line by line. */
#ifndef TD_SOURCE_TEXT_H
#define TD_SOURCE_TEXT_H

#include "private/code.h"

#include <stddef.h>
#include <stdint.h>

enum { TD_SOURCE_LINE = 512 /* bytes of a line, at most */ };

struct td_source_text {
    /* from line 1 on: without its end, with blanks for tabs, cut at TD_SOURCE_LINE; as it is in the file otherwise */
    char **line;
    size_t lines;
    char *text; /* that they are in */
    int64_t written; /* s since 1970 */
};

/* The file at a path that begins with a slash, below the folder root or else where it is. TD_SOURCE_FOUND, or why there
 * is none: *out has nothing then. -ENOMEM. */
int td_source_text_read(const char *root, const char *path, struct td_source_text *out, enum td_source_status *how);
void td_source_text_free(struct td_source_text *);

#endif
