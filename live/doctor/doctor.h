/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: what was detected, what can be measured, what prevents it, and whether the counters count correctly.
 */
#ifndef TD_DOCTOR_H
#define TD_DOCTOR_H

#include "live/meter.h"

struct td_doctor {
    struct td_meter *meter;
    td_finding_fn *each;
    void *ctx;
};

void td_doctor_say(struct td_doctor *, enum td_finding_kind, const char *layer, const char *remedy, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));
/* What the machine is, and what the process may do. */
void td_doctor_look(struct td_doctor *);
/* Whether the source msr could be used. */
void td_doctor_see_msr(struct td_doctor *);

/* Opens the counters for itself and for a whole CPU, and measures a known loop
 * on each kind of core. td_doctor()'s result. */
int td_doctor_measure(struct td_doctor *);

#endif
