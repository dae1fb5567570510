/* SPDX-License-Identifier: MIT */
/* The hash of names in tables; backends/common.awk computes the same. */
#ifndef TD_NAME_HASH_H
#define TD_NAME_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Upper and lower case are the same. */
static inline unsigned td_name_fold(char ch)
{
    return (unsigned char)(ch >= 'A' && ch <= 'Z' ? ch + ('a' - 'A') : ch);
}

static inline uint32_t td_name_hash(const char *name, size_t len)
{
    uint32_t h = 0;

    for (size_t i = 0; i < len; i++)
        h = (h * 251 + td_name_fold(name[i])) & 0xffff;
    return h;
}

#endif
