/* SPDX-License-Identifier: MIT */
/* The names of cgroups, found by the ids that samples carry. */
#ifndef TD_CGROUPS_H
#define TD_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

struct td_cgroups;

/* NULL: out of memory. */
struct td_cgroups *td_cgroups_new(void);
void td_cgroups_free(struct td_cgroups *);
/* From now on the id stands for the cgroup at this path; it may have stood for another before. -ENOMEM. */
int td_cgroups_name(struct td_cgroups *, uint64_t id, const char *path, size_t len);
/* The path of an id, safe to print and valid until the id gets another; NULL: not known. *number tells pairs of id and
 * path apart: from 1; 0: not known. */
const char *td_cgroups_find(const struct td_cgroups *, uint64_t id, uint32_t *number);

#endif
