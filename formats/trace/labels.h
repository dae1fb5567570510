/* SPDX-License-Identifier: MIT */
/* What a recorder calls a recording by, such as the build and the service that were measured: a list of labels,
 * "build=4711;service=web". */
#ifndef FORMATS_TRACE_LABELS_H
#define FORMATS_TRACE_LABELS_H

#include <stdbool.h>

/* The header's key for the list. */
#define TD_TRACE_LABELS "x-labels"
enum {
    TD_LABEL_KEY = 63, /* characters of a key: letters, digits and _.- */
    TD_LABEL_VALUE = 255, /* bytes of a value: any but semicolons and control characters */
};

/* Whether a text is a list of one label or several, no two of them with one key. */
bool td_labels_are(const char *text);
/* A list of all of these, and of those of more whose key none of these has; either may be NULL or have been such a
 * list. To be freed; NULL: out of memory. */
char *td_labels_join(const char *these, const char *more);

#endif
