/* SPDX-License-Identifier: MIT */
/* The tables that advice.h looks up; each ends with a zeroed row. */
#ifndef MEANINGS_H
#define MEANINGS_H

#include "advice/advice.h"

/* Another name of a node. */
struct td_advice_name {
    const char *name, *node;
};

extern const struct td_advice td_advice_meanings[];
extern const struct td_advice_name td_advice_names[];

#endif
