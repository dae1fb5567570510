/* SPDX-License-Identifier: MIT */
/* How often the tasks that are measured were switched from their CPU. */
#ifndef TD_SWITCHES_H
#define TD_SWITCHES_H

#include "os/os.h"

#include <stdbool.h>

struct td_meter;

/* What tasks had used at a time. */
struct td_switches {
    bool known;
    struct td_os_used used;
};

/* Counting begins: what follows is counted from here. */
void td_switches_begin(struct td_meter *);
/* Of the reading that was taken now, of each lane of tasks whose plan has PERF_METRICS: how often they
 * were switched. Not known if tasks ran that are not seen, such as those that ended. */
void td_switches_take(struct td_meter *);

#endif
