/* SPDX-License-Identifier: MIT */
/* The doctor's known loop: whether the counters that can be opened count correctly. */
#ifndef TD_KNOWN_LOOP_H
#define TD_KNOWN_LOOP_H

#include "live/doctor/findings.h"

/* Opens the counters for itself and for a whole CPU, and measures a known loop
 * on each kind of core. td_doctor()'s result. */
int td_doctor_measure(struct td_doctor *);

#endif
