/* SPDX-License-Identifier: MIT */
/* Sets of events as one word, for the tests of plans: the events of levels 1 and 2 come first in a row. */
#ifndef SETS_H
#define SETS_H

#include "util/bits.h"
#include "live/plan/plan.h"
#include "tests/support/unit.h"

__attribute__((unused)) static uint64_t word_of(const struct td_bits *s)
{
    for (size_t i = 1; i < s->words; i++)
        CU_ASSERT_EQUAL_FATAL(s->word[i], 0);
    return s->words ? s->word[0] : 0;
}

/* The same for a set that may have further words. */
__attribute__((unused)) static uint64_t first_word_of(const struct td_bits *s)
{
    return s->word[0];
}

__attribute__((unused)) static bool fit(const struct td_counters *c, const struct td_uarch *u, uint64_t set)
{
    const struct td_bits events = {&set, 1};

    return td_fit(c, u, &events);
}

__attribute__((unused)) static unsigned fit_general(const struct td_counters *c, const struct td_uarch *u, uint64_t set)
{
    const struct td_bits events = {&set, 1};

    return td_fit_general(c, u, &events);
}

__attribute__((unused)) static struct td_forms *forms_of(const struct td_uarch *u)
{
    struct td_forms *f = NULL;

    CU_ASSERT_EQUAL_FATAL(td_forms_new(u, &f), 0);
    return f;
}

/* The best form. */
__attribute__((unused)) static struct td_formcode *best_form(const struct td_plan_ask *a)
{
    struct td_formcode *f;
    int err;

    f = td_plan_form(a, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    return f;
}

#endif
