/* SPDX-License-Identifier: MIT */
/* A kernel of known bottleneck as it was measured, in each way of counting. */
#ifndef KERNELS_MEASURED_H
#define KERNELS_MEASURED_H

#include "include/tdprobe.h"
#include "kernels/kernels.h"

/* Ways of counting: a task's counters and a CPU's, by read(2); a thread's by its own instruction; a CPU's registers. */
enum td_kernel_way { TD_KERNEL_BY_TASK, TD_KERNEL_BY_CPU, TD_KERNEL_BY_RDPMC, TD_KERNEL_BY_MSR, TD_KERNEL_WAYS };

enum { TD_KERNEL_LEVEL1 = 5, TD_KERNEL_TEXT = 512 };

/* A share of slots. */
struct td_kernel_share {
    const char *name; /* the library's, for good */
    double value, low, high; /* low and high: NAN without bounds */
};

struct td_kernel_measured {
    bool done; /* else why says why not */
    char why[TD_KERNEL_TEXT];
    struct td_kernel_share level1[TD_KERNEL_LEVEL1]; /* of the nodes that have a value */
    size_t n;
    struct td_kernel_share range[TD_KERNEL_RANGES]; /* of the kernel's ranges; name NULL: no such node has a value */
    double slots; /* NAN: not known */
    bool broken; /* the counts contradict each other; why says which */
};

/* What is known of a measurement, in the order of what is worse. */
enum td_kernel_status {
    TD_KERNEL_OK,
    TD_KERNEL_SKIPPED, /* nothing could be measured */
    TD_KERNEL_UNEXPECTED, /* a range is missed */
    TD_KERNEL_OFF, /* counts contradict each other, or two ways do */
};

/* Judges what all ways have of a kernel. text says why it is not ok. */
enum td_kernel_status td_kernel_judge(const struct td_kernel *, const struct td_kernel_measured of[TD_KERNEL_WAYS],
                                      char text[TD_KERNEL_TEXT]);
/* Takes what a result has. */
void td_measured_take(struct td_kernel_measured *, const struct td_kernel *, const struct td_result *);
/* "ok" and "task", for example. */
const char *td_kernel_status_name(enum td_kernel_status);
const char *td_kernel_way_name(enum td_kernel_way);

#endif
