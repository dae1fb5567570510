/* SPDX-License-Identifier: MIT */
/* What is opened, in words: the lines of td_plan(). */
#ifndef TD_DESCRIBE_H
#define TD_DESCRIBE_H

#include <stddef.h>

struct td_meter;

/* Writes all lines; -ENOMEM is in the log. */
int td_meter_describe(struct td_meter *);
/* For sources: adds one line, -ENOMEM; and how many units a PMU has. */
int td_describe_line(struct td_meter *, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t td_describe_units(const struct td_meter *, size_t pmu);

#endif
