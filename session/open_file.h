/* SPDX-License-Identifier: MIT */
/* The file that td_open_file() opened. */
#ifndef TD_OPEN_FILE_H
#define TD_OPEN_FILE_H

#include "private/packed.h"

#include <stddef.h>

struct td_file {
    int fd; /* -1: none */
    unsigned char head[TD_PACKED_HEAD]; /* the first bytes, read to know what it is */
    size_t nhead;
    size_t given; /* how many of them were passed on */
};

#endif
