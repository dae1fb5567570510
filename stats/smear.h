/* SPDX-License-Identifier: MIT */
/* Whether the samples are close enough together to say something of one place. */
#ifndef STATS_SMEAR_H
#define STATS_SMEAR_H

#include "stats/deltas.h"

enum td_place_status {
    TD_PLACE_OK,
    TD_PLACE_FEW_SAMPLES, /* more samples, even at the same rate, may resolve it */
    TD_PLACE_SMEARED, /* the program leaves it and comes back between samples: pure deltas are not of it alone */
};

enum { TD_PURE_LEAST = 8 /* pure deltas for an estimate */ };

struct td_smear {
    enum td_place_status status;
    bool pairs; /* samples come in pairs */
    bool at_least; /* rate is the least: how short the turns are is not seen */
    double elsewhere; /* what share of the time pure deltas were elsewhere at most */
    double stay; /* share of the deltas that begin here and end here; NAN: none begins here */
    uint64_t needed; /* with TD_PLACE_FEW_SAMPLES: about so many intervals that end here; 0: not known */
    /* with TD_PLACE_SMEARED: so many times as many samples per second, pairs so many times as close; NAN: not known */
    double rate;
};

/* "few_samples" and the like; NULL for TD_PLACE_OK. */
const char *td_place_status_name(enum td_place_status);
void td_smear_of(const struct td_deltas *, const struct td_delta_place *, struct td_smear *out);

#endif
