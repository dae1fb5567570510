/* SPDX-License-Identifier: MIT */
/* Small programs whose bottleneck is known from how CPUs work: what a measurement of them has to find. */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sizes of the CPU that a kernel will run on, in bytes. */
struct td_caches {
    size_t code, data; /* of the first level */
    size_t second, last; /* the last level: of all that the CPU shares */
    size_t line, page;
    bool assumed; /* at least one of them is not known, and is what CPUs have usually */
};

/* Between what a node's share has to be. */
struct td_kernel_range {
    const char *node; /* its names on different CPUs, with blanks between */
    double least, most; /* most 0: whatever the others leave */
};

struct td_kernel_data; /* what a kernel has prepared */

enum { TD_KERNEL_RANGES = 3, TD_KERNEL_WHY = 256 };

struct td_kernel {
    const char *name;
    const char *about; /* what it does, in a line */
    struct td_kernel_range range[TD_KERNEL_RANGES]; /* those without a node are none */
    /* How many bytes it works on; NULL: on registers alone. */
    size_t (*size)(const struct td_caches *);
    /* Prepares it. 0 or -errno, with the reason. NULL: there is nothing to prepare. */
    int (*begin)(struct td_kernel_data *, const struct td_caches *, char why[TD_KERNEL_WHY]);
    /* Does it that many times, each some thousand instructions. */
    void (*run)(struct td_kernel_data *, uint64_t rounds);
};

/* The i-th kernel; NULL after the last. */
const struct td_kernel *td_kernel_at(size_t i);
/* The one of that name; NULL: there is none. */
const struct td_kernel *td_kernel_find(const char *name);

/* Finds the sizes of a CPU in /sys. */
void td_caches_find(int cpu, struct td_caches *);
/* The same of such a folder: /sys/devices/system/cpu/cpu0/cache, for example. */
void td_caches_read(const char *folder, struct td_caches *);

/* Called when a kernel is prepared and about to run (on), and when it has run. */
typedef void td_kernel_fn(void *ctx, bool on);
/* Runs a kernel on the calling thread for as many seconds; call NULL: nobody is told. 0 or -errno, with the reason. */
int td_kernel_run(const struct td_kernel *, const struct td_caches *, double seconds, td_kernel_fn *call, void *ctx,
                  char why[TD_KERNEL_WHY]);

/* Starts a process that runs a kernel where the caller may run now, and returns when it is about to. It ends with the
 * calling process, if not before. Its pid, or -errno with the reason. */
pid_t td_kernel_start(const struct td_kernel *, const struct td_caches *, char why[TD_KERNEL_WHY]);
/* Ends it. */
void td_kernel_end(pid_t);

#endif
