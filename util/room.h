/* SPDX-License-Identifier: MIT */
/* Room in arrays that are kept and grow. */
#ifndef TD_ROOM_H
#define TD_ROOM_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n members of a size in the array whose pointer is at array; room
 * is how many it has room for. It doubles, so that many small steps cost little.
 * -ENOMEM: nothing has changed. */
static inline int td_room(void *array, size_t *room, size_t n, size_t size)
{
    void *old, *grown;
    size_t wanted = n > 2 * *room ? n : 2 * *room;

    memcpy(&old, array, sizeof(old)); /* whatever type of pointer it is */
    if (old && n <= *room)
        return 0;
    grown = realloc(old, (wanted ? wanted : 1) * size);
    if (!grown)
        return -ENOMEM;
    memcpy(array, &grown, sizeof(grown));
    *room = wanted;
    return 0;
}

/* Like td_room(), for members that have to be zero at first: all new room is zeroed. */
static inline int td_room_zeroed(void *array, size_t *room, size_t n, size_t size)
{
    const size_t had = *room;
    unsigned char *at;
    int err = td_room(array, room, n, size);

    if (err || *room == had)
        return err;
    memcpy(&at, array, sizeof(at));
    memset(at + had * size, 0, (*room - had) * size);
    return 0;
}

#endif
