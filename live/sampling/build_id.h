/* SPDX-License-Identifier: MIT */
/* Build-ids: NT_GNU_BUILD_ID of elf(5). */
#ifndef TD_BUILD_ID_H
#define TD_BUILD_ID_H

#include "os/os.h"

struct td_build_id {
    unsigned char at[20];
    size_t n;
};

/* The build-id of an ELF file, if its notes are in its first 64 KiB. false: there is none. */
bool td_build_id_of_file(const struct td_os *, const char *path, struct td_build_id *out);
/* The build-id of the running kernel. */
bool td_build_id_of_kernel(const struct td_os *, struct td_build_id *out);

#endif
