/* SPDX-License-Identifier: MIT */
/* CPUs by the names that they are sold under. */
#ifndef TD_CPU_NAMES_H
#define TD_CPU_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* What a CPU is sold as: from a text such as "Intel(R) Xeon(R) Platinum 8480+", "AMD EPYC 9654 96-Core Processor",
 * "Neoverse-V2", or lscpu's "Vendor ID: GenuineIntel CPU family: 6 Model: 143", makes the name of a row or an id that
 * td_identity_find() takes. false: it is no CPU that is known. */
bool td_cpu_sold_as(const char *text, char *name, size_t size);

#endif
