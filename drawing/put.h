/* SPDX-License-Identifier: MIT */
/* Text on its way to a td_write_fn: after a write that failed nothing more is written. */
#ifndef DRAWING_PUT_H
#define DRAWING_PUT_H

#include "include/tdprobe.h"

struct td_put {
    td_write_fn *write;
    void *ctx;
    int err; /* of the first write that failed, or 0 */
};

void td_put_text(struct td_put *, const char *text);
/* Puts up to 511 bytes. */
void td_put_format(struct td_put *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts text as td_markup() does. */
void td_put_markup(struct td_put *, const char *text);

#endif
