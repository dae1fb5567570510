/* SPDX-License-Identifier: MIT */
/* CPUs by the names that they are sold under. */
#ifndef TD_CPU_NAMES_H
#define TD_CPU_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A row's name or an id, for td_identity_find(), by a text such as "Intel(R) Xeon(R) Platinum 8480+", "AMD EPYC 9654
 * 96-Core Processor", "Neoverse-V2", or lscpu's "Vendor ID: GenuineIntel CPU family: 6 Model: 143". false: it is none
 * that is known. */
bool td_cpu_sold_as(const char *text, char *name, size_t size);

#endif
