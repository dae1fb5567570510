/* SPDX-License-Identifier: MIT */
/* A bundle: what a maintainer needs to know of a machine, in one archive that can be mailed. All of it is made in
 * memory, listed, and only then written. */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include "include/tdprobe.h"
#include "report/report.h"

#include <stddef.h>

/* Where the recordings are in it, and the file whose first line names the CPU. */
#define CLI_BUNDLE_TRACES "traces/"
#define CLI_BUNDLE_MACHINE "machine"

struct cli_bundle_file;

/* Zeroed: empty. */
struct cli_bundle {
    struct cli_bundle_file **file;
    size_t n, room;
    bool failed; /* memory ran out: it is not written */
};

/* Begins a file; what: one word for the list. It is the bundle's. NULL: out of memory. */
struct cli_bundle_file *cli_bundle_add(struct cli_bundle *, const char *name, const char *what);
/* A td_write_fn that adds text to a file, without the name of the host that a trace's header has. */
int cli_bundle_write_trace(void *file, const void *buf, size_t size);
/* Takes out the file that was begun last. */
void cli_bundle_drop(struct cli_bundle *);
/* A json report into a new file of the bundle: 0 or an exit code. td_output_close() ends it. */
int cli_bundle_report(struct cli_bundle *, const char *name, const char *what, struct td_report *);
/* Adds what wrote it, and what the handle's machine is. 0, or an exit code after a message. */
int cli_bundle_machine(struct cli_bundle *, struct td *);
/* Lists all of it on an output, and writes it. 0, or an exit code after a message: then there is no such file. */
int cli_bundle_write(struct cli_bundle *, const char *path, struct td_output *list, bool json);
void cli_bundle_free(struct cli_bundle *);

#endif
