/* SPDX-License-Identifier: MIT */
/* Room in arrays. They begin as blocks without a zero that are larger than their room: what realloc() kept of one is
 * told from what was zeroed. */
#include "util/room.h"
#include "tests/support/unit.h"

#include <stdint.h>

enum { BLOCK = 64, ROOM = 3 };

static const uint32_t dirty = UINT32_MAX;

static uint32_t *block(void)
{
    uint32_t *at = malloc(BLOCK * sizeof(*at));

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    for (size_t i = 0; i < BLOCK; i++)
        at[i] = dirty;
    return at;
}

static void check(const uint32_t *at, size_t begin, size_t end, uint32_t value)
{
    for (size_t i = begin; i < end; i++)
        CU_ASSERT_EQUAL(at[i], value);
}

static void grows(void)
{
    uint32_t *at = NULL;
    size_t room = 0;

    CU_ASSERT_EQUAL(td_room(&at, &room, 0, sizeof(*at)), 0);
    CU_ASSERT_PTR_NOT_NULL(at);
    free(at);
    at = block();
    room = ROOM;
    CU_ASSERT_EQUAL(td_room(&at, &room, ROOM, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, ROOM);
    CU_ASSERT_EQUAL(td_room(&at, &room, ROOM + 1, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, 2 * ROOM);
    CU_ASSERT_EQUAL(td_room(&at, &room, 20, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, 20);
    check(at, 0, 2 * ROOM, dirty);
    free(at);
}

static void zeroed(void)
{
    uint32_t *at = block();
    size_t room = ROOM;

    CU_ASSERT_EQUAL(td_room_zeroed(&at, &room, ROOM, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, ROOM);
    check(at, 0, BLOCK, dirty);
    CU_ASSERT_EQUAL(td_room_zeroed(&at, &room, ROOM + 1, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, 2 * ROOM);
    check(at, 0, ROOM, dirty);
    check(at, ROOM, 2 * ROOM, 0);
    free(at);
    at = block();
    room = ROOM;
    CU_ASSERT_EQUAL(td_room_zeroed(&at, &room, 20, sizeof(*at)), 0);
    CU_ASSERT_EQUAL(room, 20);
    check(at, 0, ROOM, dirty);
    check(at, ROOM, 20, 0);
    free(at);
}

static CU_TestInfo tests[] = {
    {"arrays double, or grow as far as is asked for", grows},
    {"all new members of an array are zero, and no other", zeroed},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("room in arrays", tests);
