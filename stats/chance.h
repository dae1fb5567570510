/* SPDX-License-Identifier: MIT */
/* Random numbers and Student's t, by the GNU Scientific Library: the one place that calls it. */
#ifndef STATS_CHANCE_H
#define STATS_CHANCE_H

#include <stdbool.h>
#include <stddef.h>

struct td_chance;

/* Whether this was built with the library. Without it, the rest gives NULL and NAN. */
bool td_chance_available(void);
/* Random numbers (MT19937): the same for the same seed. NULL: out of memory. */
struct td_chance *td_chance_new(unsigned long seed);
void td_chance_free(struct td_chance *);
/* 0..n-1; n is 1 or more. */
size_t td_chance_below(struct td_chance *, size_t n);
/* At least 0, below 1. */
double td_chance_ratio(struct td_chance *);
/* With probability p, a Student's t of so many degrees of freedom is further from 0 than what this returns. */
double td_chance_student(double p, double degrees);
/* The probability that one is further from 0 than t. */
double td_chance_beyond(double t, double degrees);

#endif
