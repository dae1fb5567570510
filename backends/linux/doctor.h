/* SPDX-License-Identifier: MIT */
/* The doctor's parts: what it sees (doctor.c), what it measures (doctor_loop.c). */
#ifndef TD_DOCTOR_H
#define TD_DOCTOR_H

#include "live.h"

struct td_doctor {
    struct td *td;
    const struct td_host *host;
    const struct td_os *os;
    td_finding_fn *each;
    void *ctx;
};

void td_doctor_say(struct td_doctor *, enum td_finding_kind, const char *layer, const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Opens the counters for itself and for a whole CPU, and measures a known loop
 * on each kind of core. td_doctor()'s result. */
int td_doctor_measure(struct td_doctor *);

#endif
