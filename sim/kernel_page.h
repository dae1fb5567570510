/* SPDX-License-Identifier: MIT */
/* Event pages and the calling thread; for the simulated machine's own files only. */
#ifndef TD_SIM_KERNEL_PAGE_H
#define TD_SIM_KERNEL_PAGE_H

#include "machine_parts.h"

struct td_sim_page {
    struct td_sim_page *link;
    struct perf_event_mmap_page *at;
    size_t size;
    unsigned maps;
    struct td_sim_event *event; /* NULL: zeroed memory */
};

/* ---- kernel_page.c ---------------------------------------------------------- */

/* Reads the files that allow reading by an instruction. */
void td_sim_pages_init(struct td_sim *);
/* Pages are read without a call: they must be right whenever time has passed. */
void td_sim_pages_sync(struct td_sim *);
/* perf_event_update_userpage(), if there is one. */
void td_sim_page_update(const struct td_sim *, struct td_sim_event *);
/* A new event's counter: whether it can be read by an instruction, its width and start. */
int td_sim_event_user(const struct td_sim *, const struct perf_event_attr *, struct td_sim_event *);
/* The value with what the counter holds. Its core must be in sync. */
uint64_t td_sim_event_now(const struct td_sim *, const struct td_sim_event *);

/* ---- kernel_map.c ----------------------------------------------------------- */

void td_sim_pages_free(struct td_sim *);
unsigned long td_sim_pages_mapped(const struct td_sim *);
int td_sim_os_map(void *ctx, int fd, size_t size, void **out);
void td_sim_os_unmap(void *ctx, void *at, size_t size);

/* ---- machine_self.c --------------------------------------------------------- */

int td_sim_os_here(void *ctx);
/* It keeps a CPU from now on. */
void td_sim_self_settle(struct td_sim *);
/* Goes off its CPU and back, if it keeps one. */
void td_sim_self_stay(struct td_sim *, bool on);
/* Executes for ns, on a CPU if there is one for it. */
void td_sim_self_compute(struct td_sim *, uint64_t ns);
/* Its CPU executed something for it; before: of the CPU's first bank. */
void td_sim_self_count(struct td_sim *, const struct td_sim_cpu *, const struct td_pmu_truth *before);

#endif
