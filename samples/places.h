/* SPDX-License-Identifier: MIT */
/* What samples are told apart by: each place is kept once, so that equal places are one pointer. */
#ifndef TD_PLACES_H
#define TD_PLACES_H

#include "core/counts/scope_kind.h"
#include "private/code.h"
#include "samples/spaces.h"
#include "symbols/stores.h"

enum { TD_PLACES_MAX = 1 << 20 };

/* One function, or dso, thread, ...; lives as long as the places. */
struct td_place {
    char *name; /* safe to print */
    const struct td_dso *dso; /* of a function, or NULL */
    enum td_symbols symbols; /* of dso */
    uint32_t number; /* from 0 */
    enum td_scope_kind kind; /* of a line or an instruction of one function; else TD_KIND_NONE */
    struct td_code_at code; /* with kind */
};

/* Where and what a sample hit. */
struct td_hit {
    uint32_t pid, tid, cpu;
    uint32_t cgroup_number; /* of its id and path, from 1; 0: the path is not known */
    const char *cgroup; /* its path, safe to print, or NULL */
    uint64_t cgroup_id;
    uint64_t address;
    bool kernel, has_address;
    const char *elsewhere; /* "hypervisor" or "guest": the address is of neither; else NULL */
};

struct td_places;

enum { TD_PLACES_AT = 16 /* an address is in at most so many: inlined functions, and that which they are in */ };

/* stores: where the files of the recording are, whose texts have to stay; a root of NULL: functions have no names.
 * inlined: by function and stack, inlined functions are places too. together: functions without a name are one place
 * for each file, "[libc.so.6]". NULL: out of memory. */
struct td_places *td_places_new(enum td_samples_by, const struct td_stores *stores, bool inlined, bool together);
void td_places_free(struct td_places *);
/* Before anything is found: by function, a function's lines and instructions are places too; dso: only in that one, or
 * NULL. Both have to stay. No effect with inlined functions. -ENOMEM. */
int td_places_split(struct td_places *, const char *function, const char *dso);
/* The places of an address, the innermost first; *n: 1 but for inlined code and functions that are split. -E2BIG: more
 * than TD_PLACES_MAX; -ENOMEM. */
int td_places_find(struct td_places *, struct td_spaces *, const struct td_hit *,
                   const struct td_place *out[TD_PLACES_AT], size_t *n);
/* The code of a function by the pointer of its name. -ENOENT: none of a file or the kernel has it; -ENOMEM. */
int td_places_code(struct td_places *, const char *name, struct td_code **out);

#endif
