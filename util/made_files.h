/* SPDX-License-Identifier: MIT */
/* Files in which programs tell of the code that they make while they run, and how a recording keeps copies of them. */
#ifndef TD_MADE_FILES_H
#define TD_MADE_FILES_H

#include <stdbool.h>

/* The path of a process's map of names, for printf(3): as the process itself sees its number and files. */
#define TD_MADE_MAP "/tmp/perf-%lu.map"
enum { TD_MADE_PATH = 64 /* bytes that hold it */ };

/* Whether a file that a program mapped is a jitdump by its name, which is what perf, too, knows it by. */
bool td_jit_dump_named(const char *path);

/* Copies are a feature of perf.data that perf has no name for, and leaves alone: after these bytes, and their NUL, for
 * each file the process's number, the length of its path, 0 for a map, both in 4 bytes, its size in 8, its path, and it
 * itself. A file may be cut off. */
enum { TD_KEPT_FEATURE = 240, TD_KEPT_MOST = 16 << 20 /* bytes of all files */ };
#define TD_KEPT_BEGINS "tdprobe: kept 1"

#endif
