/* SPDX-License-Identifier: MIT */
/* Bytes in a page, which its script unpacks. */
#ifndef REPORT_PAGE_PACKED_H
#define REPORT_PAGE_PACKED_H

#include "report/output.h"

#include <stddef.h>
#include <stdint.h>

/* Puts columns of n bytes each as an element of a class: in the digits of base64, deflated (RFC 1950) where zlib is
 * there and that makes them fewer, which the element then says: data-packed="deflate". Each column has codes of its
 * own. */
void td_packed_put(struct td_output *, const char *what, const uint8_t *bytes, size_t n, size_t columns);
/* The same of one column, with an attribute data-node. */
void td_packed_put_node(struct td_output *, const char *what, const char *node, const uint8_t *bytes, size_t n);

#endif
