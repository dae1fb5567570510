/* SPDX-License-Identifier: MIT */
/* What samples are told apart by: each place is kept once, so that equal places are one pointer. */
#ifndef TD_PLACES_H
#define TD_PLACES_H

#include "core/counts/scope_kind.h"
#include "private/code.h"
#include "samples/spaces.h"
#include "symbols/stores.h"

enum { TD_PLACES_MAX = 1 << 20 };

/* One function, or dso, thread, ...; lives as long as the places, of which there can be a million. */
struct td_place {
    char *name; /* safe to print */
    const struct td_dso *dso; /* the file that it is in, or NULL */
    const struct td_code_at *code; /* where a part of a split function is, else NULL: most places are none */
    uint32_t number; /* from 0 */
    enum td_symbols symbols : 8; /* whether dso has symbols, or why not */
    enum td_scope_kind kind : 8; /* TD_KIND_LINE or _INSTRUCTION for parts of a split function; else TD_KIND_NONE */
};

/* Where and what a sample hit. */
struct td_hit {
    uint32_t pid, tid, cpu;
    uint32_t cgroup_number; /* see td_cgroups_find(); 0: the path is not known */
    const char *cgroup; /* its path, safe to print, or NULL */
    uint64_t cgroup_id;
    uint64_t address;
    uint64_t time; /* ns of CLOCK_MONOTONIC; 0: not known */
    bool kernel, has_address;
    const char *elsewhere; /* "[hypervisor]" or "[guest]", whose addresses are not in any space here; else NULL */
};

struct td_places;

enum { TD_PLACES_AT = 16 /* most places of one address: inlined functions, and the one that they are in */ };

/* stores says where the files of the recording are; it is copied, but what it points to has to stay, and with a root of
 * NULL functions get no names. inlined: by function and stack, inlined functions are places too. together: all
 * functions of one file that have no name are one place, "[libc.so.6]". NULL: out of memory. */
struct td_places *td_places_new(enum td_samples_by, const struct td_stores *stores, bool inlined, bool together);
void td_places_free(struct td_places *);
/* Splits one function: its lines and instructions become places too. dso: only the function of that file, or NULL. Both
 * texts have to stay. Has to be called before anything is found, and does nothing unless places are functions and not
 * inlined ones. -ENOMEM. */
int td_places_split(struct td_places *, const char *function, const char *dso);
/* The places that a sample hit, the innermost first. *n is 1, or more in inlined code and in a function that is split.
 * -E2BIG: more than TD_PLACES_MAX; -ENOMEM. */
int td_places_find(struct td_places *, struct td_spaces *, const struct td_hit *,
                   const struct td_place *out[TD_PLACES_AT], size_t *n);
/* The code of the function whose place has this very pointer as its name. -ENOENT: it is no such function, or it is of
 * no file; -ENOMEM. */
int td_places_code(struct td_places *, const char *name, struct td_code **out);

#endif
