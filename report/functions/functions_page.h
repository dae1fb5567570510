/* SPDX-License-Identifier: MIT */
/* What the page of functions has besides what all pages have: how its table looks, what sorts it, and a flame graph.
 *
 * Each frame of that is as wide as its share of the slots, in the colour of the node that limits it; what is known of
 * it is its title, which viewers show under the pointer. A click on a frame zooms in, where scripts run. */
#ifndef REPORT_FUNCTIONS_PAGE_H
#define REPORT_FUNCTIONS_PAGE_H

#include "report/functions/functions_report.h"
#include "report/page/page.h"

/* Hashes for the Content-Security-Policy of a page; tests/scripts/report-html.sh tells what they must be. */
#define TD_FLAME_STYLE "'sha256-o6aHgLuku6TeUhxLYvz+9jbPDIL1VYzWs6ZvK12uSjk='"
#define TD_FLAME_SCRIPT "'sha256-nkW2d3tY4nLdAfu+odB/ADsp4xIRngYdd0bodk3sPpY='"

/* Puts an element svg of functions by stack; name is the recording's. */
void td_flame_put(struct td_output *, const char *name, const struct td_functions *paths);

extern const struct td_page_code td_html_style, td_html_script;

#endif
