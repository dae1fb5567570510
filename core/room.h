/* SPDX-License-Identifier: MIT */
/* util/room.h under the name that the rest of the library includes it by. */
#ifndef TD_CORE_ROOM_H
#define TD_CORE_ROOM_H

#include "util/room.h"

#endif
