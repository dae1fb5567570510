/* SPDX-License-Identifier: MIT */
/* What the shared library has for the program tdprobe, and for nobody else: libtdprobe.map lists these functions in a
 * version node of their own, and no installed header declares them. They may change with any version. */
#ifndef TD_EXPORTED_H
#define TD_EXPORTED_H

#define TD_PRIVATE __attribute__((visibility("default")))

#endif
