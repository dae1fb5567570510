/* SPDX-License-Identifier: MIT */
/* Files that a program has compressed. */
#ifndef PRIVATE_PACKED_H
#define PRIVATE_PACKED_H

#include "private/exported.h"

#include <stdbool.h>
#include <stddef.h>

enum { TD_PACKED_HEAD = 8 /* bytes at the beginning of a file that tell it */ };

/* What has compressed a file that begins with these n bytes, such as "gzip", and in *unpack the command that writes it
 * to stdout, "gzip -dc"; NULL: nothing that is known. Static storage. */
TD_PRIVATE const char *td_packed_by(const void *head, size_t n, const char **unpack);
/* Whether td_open() reads what this program, such as "gzip", has compressed. The library that it takes for that is
 * loaded, as it may be out of reach later; where it is missing, reading says so. */
TD_PRIVATE bool td_packed_readable(const char *by);

#endif
