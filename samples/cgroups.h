/* SPDX-License-Identifier: MIT */
/* What cgroups are called, by the ids that samples have of them. */
#ifndef TD_CGROUPS_H
#define TD_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

struct td_cgroups;

/* NULL: out of memory. */
struct td_cgroups *td_cgroups_new(void);
void td_cgroups_free(struct td_cgroups *);
/* From here on an id is of the cgroup at this path; another may have had it before. -ENOMEM. */
int td_cgroups_name(struct td_cgroups *, uint64_t id, const char *path, size_t len);
/* Its path, safe to print, until it gets another; NULL: not known. *number: of the id and path, from 1; 0: not known.
 */
const char *td_cgroups_find(const struct td_cgroups *, uint64_t id, uint32_t *number);

#endif
