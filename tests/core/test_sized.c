/* SPDX-License-Identifier: MIT */
/* Structs that begin with their size, of a caller that knows fewer members than the library, as many, or more. */
#include "core/sized.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

struct sample {
    size_t size;
    unsigned char byte[8];
};

enum { HEAD = sizeof(size_t), KNOWN = HEAD + 4 /* what the library knows */ };

static const struct {
    size_t size;
    unsigned char byte[8];
    int err;
    unsigned char taken[8]; /* of KNOWN */
} all[] = {
    {0, {1, 2, 3, 4}, -EINVAL, {0}},
    {HEAD, {1, 2, 3, 4}, 0, {0}},
    {HEAD + 1, {1, 2, 3, 4}, 0, {1}},
    {HEAD + 3, {1, 2, 3, 4}, 0, {1, 2, 3}},
    {HEAD + 4, {1, 2, 3, 4, 5}, 0, {1, 2, 3, 4}},
    {HEAD + 5, {1, 2, 3, 4, 0, 6}, 0, {1, 2, 3, 4}},
    {HEAD + 5, {1, 2, 3, 4, 5}, -E2BIG, {0}},
    {HEAD + 8, {1, 2, 3, 4, 0, 0, 0, 0}, 0, {1, 2, 3, 4}},
    {HEAD + 8, {1, 2, 3, 4, 0, 0, 0, 1}, -E2BIG, {0}},
};

/* What the caller did not set is 0; what it may set beyond what is known must be. */
static void take(void)
{
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct sample given = {.size = all[i].size}, to;

        memcpy(given.byte, all[i].byte, sizeof(given.byte));
        memset(&to, 0x55, sizeof(to));
        CU_ASSERT_EQUAL(td_sized_take(NULL, "sample", &to, KNOWN, &given), all[i].err);
        if (all[i].err)
            continue;
        CU_ASSERT_EQUAL(to.size, KNOWN);
        CU_ASSERT(!memcmp(to.byte, all[i].taken, 4));
        CU_ASSERT_EQUAL(to.byte[4], 0x55);
    }
}

/* What the caller has room for and the library does not know is 0; beyond its room nothing is written. */
static void give(void)
{
    const struct sample from = {.size = KNOWN, .byte = {11, 12, 13, 14, 15, 16, 17, 18}};

    for (size_t room = 0; room <= 8; room++) {
        struct sample to;

        memset(&to, 0x55, sizeof(to));
        to.size = HEAD + room;
        CU_ASSERT_EQUAL_FATAL(td_sized_give(NULL, "sample", &to, KNOWN, &from), 0);
        CU_ASSERT_EQUAL(to.size, HEAD + room);
        for (size_t i = 0; i < 8; i++)
            CU_ASSERT_EQUAL(to.byte[i], i >= room ? 0x55 : i < 4 ? 11 + i : 0);
    }
    CU_ASSERT_EQUAL(td_sized_give(NULL, "sample", &(struct sample){.size = 0}, KNOWN, &from), -EINVAL);
}

static void clear(void)
{
    for (size_t room = 0; room <= 8; room++) {
        struct sample to;

        memset(&to, 0x55, sizeof(to));
        to.size = HEAD + room;
        CU_ASSERT_EQUAL_FATAL(td_sized_clear(NULL, "sample", &to), 0);
        CU_ASSERT_EQUAL(to.size, HEAD + room);
        for (size_t i = 0; i < 8; i++)
            CU_ASSERT_EQUAL(to.byte[i], i >= room ? 0x55 : 0);
    }
    CU_ASSERT_EQUAL(td_sized_clear(NULL, "sample", &(struct sample){.size = 0}), -EINVAL);
}

static const CU_TestInfo tests[] = {{"take", take}, {"give", give}, {"clear", clear}, CU_TEST_INFO_NULL};
UNIT_SUITE("sized", tests);
