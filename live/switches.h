/* SPDX-License-Identifier: MIT */
/* How often the measured tasks were switched from their CPU. */
#ifndef TD_SWITCHES_H
#define TD_SWITCHES_H

#include "os/os.h"

#include <stdbool.h>

struct td_meter;

/* What tasks had used up to some time. */
struct td_switches {
    bool known;
    struct td_os_used used;
};

/* Called when counting begins: later switches are counted from here. */
void td_switches_begin(struct td_meter *);
/* For the reading just taken, of each lane of tasks whose plan has PERF_METRICS: how often they
 * were switched. Not known if tasks ran that are not seen, such as those that ended. */
void td_switches_take(struct td_meter *);

#endif
