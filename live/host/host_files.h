/* SPDX-License-Identifier: MIT */
/* Small files of the machine, read through the seam. */
#ifndef TD_HOST_FILES_H
#define TD_HOST_FILES_H

#include "os/os.h"

/* The text of a small file without its newline; false: it cannot be read. */
bool td_host_text(const struct td_os *, char *buf, size_t size, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The number in such a file, or otherwise. */
long td_host_number(const struct td_os *, long otherwise, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What follows a key such as "\nUid:" in a text of lines; NULL: it is not there. */
const char *td_host_field(const char *text, const char *key);

#endif
