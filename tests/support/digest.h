/* SPDX-License-Identifier: MIT */
/* A digest of all that a caller is given, FNV-1a of 64 bits. It only shows whether it is the same. */
#ifndef DIGEST_H
#define DIGEST_H

#include "include/tdprobe.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_BEGIN UINT64_C(14695981039346656037)

static inline void digest_bytes(uint64_t *digest, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n; i++)
        *digest = (*digest ^ at[i]) * UINT64_C(1099511628211);
}

static inline void digest_text(uint64_t *digest, const char *text)
{
    digest_bytes(digest, text, strlen(text) + 1);
}

static inline void digest_number(uint64_t *digest, double x)
{
    const double none = 0;

    digest_bytes(digest, isnan(x) ? &none : &x, sizeof(x));
}

static inline void digest_result(uint64_t *digest, const struct td_result *r)
{
    uint64_t time = 0;

    td_result_time(r, &time);
    digest_bytes(digest, &time, sizeof(time));
    digest_text(digest, td_result_scope(r));
    digest_text(digest, td_result_scope_kind(r));
    digest_text(digest, td_result_formula(r));
    for (size_t i = 0; i < td_result_metrics(r); i++) {
        const struct td_metric *m = td_result_metric(r, i);

        digest_bytes(digest, &m->status, sizeof(m->status));
        digest_bytes(digest, &m->flags, sizeof(m->flags));
        digest_number(digest, m->value);
        digest_number(digest, m->low);
        digest_number(digest, m->high);
    }
    for (size_t i = 0; i < td_result_counts(r); i++) {
        struct td_event_count c = *td_result_count(r, i);

        digest_text(digest, c.event);
        digest_number(digest, c.value);
        digest_number(digest, c.coverage);
    }
}

#endif
