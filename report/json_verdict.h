/* SPDX-License-Identifier: MIT */
/* A verdict as a member of a JSON object. */
#ifndef REPORT_JSON_VERDICT_H
#define REPORT_JSON_VERDICT_H

#include "include/tdprobe.h"
#include "report/json_writer.h"
#include "report/report.h"

/* Puts the key "verdict" and its object, with a status that may differ from the verdict's own, and a text in UTF-8. */
void td_json_put_verdict(struct td_json_writer *, const struct td_verdict *, enum td_verdict_status status,
                         const char *text);
/* Puts the key "next" and its object, for programs: which nodes the verdict rules out, and by which bounds, what a
 * further measurement would need to decide more, and the command that tells more of the node. */
void td_json_put_next(struct td_json_writer *, struct td_report *, const struct td_result *);

#endif
