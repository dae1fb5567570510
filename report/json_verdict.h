/* SPDX-License-Identifier: MIT */
/* A verdict as a member of a JSON object. */
#ifndef REPORT_JSON_VERDICT_H
#define REPORT_JSON_VERDICT_H

#include "include/tdprobe.h"
#include "report/json_writer.h"

/* Puts the key "verdict" and its object, with a status that may differ from the verdict's own, and a text in UTF-8. */
void td_json_put_verdict(struct td_json_writer *, const struct td_verdict *, enum td_verdict_status status,
                         const char *text);

#endif
