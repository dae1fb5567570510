/* SPDX-License-Identifier: MIT */
/* Puts records into the order of their times. perf writes the buffers of all CPUs one after the other, and after each
 * such pass a FINISHED_ROUND. A record that comes after a pass is later than all that the pass before that one had
 * (perf relies on this in tools/perf/util/ordered-events.c). So two passes are kept, of at most TD_PERF_ORDER_MAX
 * bytes: where a pass is longer, its first part is given before the rest is read. */
#ifndef TD_DATA_ORDER_H
#define TD_DATA_ORDER_H

#include "formats/perf_data/perf_data.h"

enum { TD_PERF_ORDER_MAX = 64 << 20 };

struct td_perf_order;

/* NULL: out of memory. */
struct td_perf_order *td_perf_order_new(void);
void td_perf_order_free(struct td_perf_order *);
/* After the last record: gives back the memory that it holds. */
void td_perf_order_end(struct td_perf_order *);
/* Keeps a record, with a copy of its bytes unless they stay where they are. Only after td_perf_order_take() has given
 * nothing. -ENOMEM. */
int td_perf_order_add(struct td_perf_order *, const struct td_perf_record *, bool stays);
/* A pass ended; last: there are no more. -ENOMEM. */
int td_perf_order_round(struct td_perf_order *, bool last);
/* The next record that no later one can precede; false: there is none. Its bytes are valid until the next
 * of the other calls. */
bool td_perf_order_take(struct td_perf_order *, struct td_perf_record *out);

#endif
