/* SPDX-License-Identifier: MIT */
/* tdprobe doctor: what was detected, what can be measured, what prevents it. */
#ifndef TD_FINDINGS_H
#define TD_FINDINGS_H

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

#endif
