/* SPDX-License-Identifier: MIT */
/* Places of samples, as report and compare read them. */
#ifndef CLI_PLACES_H
#define CLI_PLACES_H

#include "stats/functions.h"

/* Takes all of a recording of samples that is open. 0, or an exit code after a message. */
int cli_places_read(struct td *, struct td_functions *out);

#endif
