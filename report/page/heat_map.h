/* SPDX-License-Identifier: MIT */
/* The heat map of a page: all scopes by time, coloured by the value of a node, drawn from the data of their time lines.
 */
#ifndef REPORT_PAGE_HEAT_MAP_H
#define REPORT_PAGE_HEAT_MAP_H

#include "report/page/time_line.h"

/* What draws it, after the script of the time line. */
extern const struct td_page_code td_heat_map_script;

/* Whether there are several scopes with several intervals. */
bool td_heat_map_has(const struct td_time_line *);
/* Puts the section, where there are. */
void td_heat_map_put(struct td_output *, const struct td_time_line *);

#endif
