/* SPDX-License-Identifier: MIT */
/* What a page says besides the table: the paths of calls, where the recording comes from, and what the library noted.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/input.h"
#include "cli/reading.h"
#include "report/functions/functions_report.h"

struct cli_page {
    bool inlined; /* --inline */
    enum td_samples_chain chain;
    const char *of;
    struct cli_options again; /* the handle that paths were read by, whose texts they have */
    struct td_functions paths;
    char **heard;
    size_t nheard;
};

/* Keeps what the library notes, which is still printed. */
void cli_page_listen(struct cli_page *, struct td *);
/* Of a recording that has been read: the report points into the page and the handle. A file with call chains is read
 * again in the same way, for its paths. 0, or an exit code after a message. */
int cli_page_fill(struct cli_page *, const struct cli_input *, const struct cli_reading *,
                  struct td_functions_report *);
void cli_page_free(struct cli_page *);

#endif
