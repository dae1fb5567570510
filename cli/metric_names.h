/* SPDX-License-Identifier: MIT */
/* The names of metrics that options take. */
#ifndef CLI_METRIC_NAMES_H
#define CLI_METRIC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a comparison may have a metric or total of that name, on some CPU; share: whether it then is a share, whose
 * differences are points. */
bool cli_metric_compared(const char *name, bool *share);
/* The name of a metric or total that is most similar to it; NULL: none is. */
const char *cli_metric_near_compared(const char *name);
/* The same of what -M takes, metrics and groups of them. Valid until the next call. */
const char *cli_metric_near_listed(const char *name);

#endif
