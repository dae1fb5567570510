/* SPDX-License-Identifier: MIT */
/* The code of a function that samples hit, with the text of its instructions and of its source. */
#ifndef TD_CODE_OF_H
#define TD_CODE_OF_H

#include "private/code.h"
#include "samples/lines_of.h"

/* From one offset in a dso up to another: equal ones if they are not known. Names of files are those of the lines.
 * -ENOMEM. */
int td_code_of(const struct td_dso *, uint64_t start, uint64_t end, struct td_stores *, struct td_lines_of *,
               struct td_code **out);

#endif
