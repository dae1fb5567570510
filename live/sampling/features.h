/* SPDX-License-Identifier: MIT */
/* The features of a perf.data: what it says of the machine and of the files that were executed (HEADER_* of Linux
 * tools/perf/util/header.h). */
#ifndef TD_FEATURES_H
#define TD_FEATURES_H

#include "live/sampling/data_file.h"

/* The paths of executed files, each once. */
struct td_images {
    void *tree; /* tsearch(3) */
    bool kernel; /* the kernel's mapping was recorded */
};

/* Takes the file of a mapping's record. -ENOMEM. */
int td_images_take(struct td_images *, const struct perf_event_header *);
void td_images_free(struct td_images *);

/* Makes the features, feature[] by their numbers. command: the words of the command line, or NULL. */
void td_features_make(const struct td_meter *, const struct td_data_file *, const struct td_images *,
                      const char *const *command, struct td_data_bytes feature[TD_DATA_FEATURES]);

#endif
