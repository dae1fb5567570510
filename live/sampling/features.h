/* SPDX-License-Identifier: MIT */
/* The features of a perf.data: what it says of the machine and of the files that were executed, with their build-ids
 * (HEADER_* of Linux tools/perf/util/header.h; NT_GNU_BUILD_ID of elf(5)). */
#ifndef TD_FEATURES_H
#define TD_FEATURES_H

#include "live/sampling/data_file.h"
#include "os/os.h"

struct td_build_id {
    unsigned char at[20];
    size_t n;
};

/* The build-id of an ELF file, if its notes are in its first 64 KiB. false: there is none. */
bool td_build_id_of_file(const struct td_os *, const char *path, struct td_build_id *out);
/* The build-id of the running kernel. */
bool td_build_id_of_kernel(const struct td_os *, struct td_build_id *out);

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
