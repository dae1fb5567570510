/* SPDX-License-Identifier: MIT */
/* What is known of counters where the NMI watchdog is on. */
#ifndef TD_LIVE_WATCHDOG_H
#define TD_LIVE_WATCHDOG_H

/* Linux 6.5 and later have one that lets CPUs watch each other, and needs no counter; /proc/sys/kernel/nmi_watchdog is
 * 1 for both. */
#define TD_WATCHDOG_MAY_HOLD(what) \
    "the NMI watchdog is on, which holds " what \
    " unless it is the kernel's buddy detector (CONFIG_HARDLOCKUP_DETECTOR_BUDDY)"
#define TD_WATCHDOG_REMEDY "sysctl kernel.nmi_watchdog=0 while measuring"

#endif
