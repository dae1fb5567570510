/* SPDX-License-Identifier: MIT */
/* Which feature works on a CPU, as doc/FEATURES has it. */
#ifndef CLI_FEATURES_H
#define CLI_FEATURES_H

#include "cli/options.h"

/* Reports each feature on the simulated machine that stands for a CPU, by the name of td_uarch_name() or of a hybrid;
 * NULL: this machine's CPU, or the one that td_set_machine() simulates. Returns the exit code. */
int cli_features_report(struct cli_options *, const char *uarch);

#endif
