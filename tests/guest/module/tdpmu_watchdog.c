// SPDX-License-Identifier: GPL-2.0
/* The kernel's own NMI watchdog on this PMU. The kernel decides at boot, before a module
 * can be loaded, that there is no PMU to have one with, and then refuses kernel.nmi_watchdog=1
 * (proc_nmi_watchdog() in kernel/watchdog.c). What it decided is a variable that only kallsyms
 * finds, and only a probe finds kallsyms_lookup_name(). A kernel with another name for the variable
 * goes on refusing. */
#include <linux/kprobes.h>

#include "tdpmu.h"

void tdpmu_watchdog_allow(void)
{
    struct kprobe probe = {.symbol_name = "kallsyms_lookup_name"};
    unsigned long (*lookup)(const char *name);
    bool *available;

    if (register_kprobe(&probe))
        return;
    lookup = (void *)probe.addr;
    unregister_kprobe(&probe);
    available = (bool *)lookup("nmi_watchdog_available");
    if (available)
        WRITE_ONCE(*available, true);
}
