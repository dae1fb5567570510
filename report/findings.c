/* SPDX-License-Identifier: MIT */
#include "report/layouts.h"

#include "private/result.h"

#include <stdio.h>

enum { LINE = 2048 };

/* Parts of the texts come from the machine's own files. */
static void put_line(struct td_output *o, const char *mark, const char *layer, const char *arrow, const char *text)
{
    char line[LINE];

    snprintf(line, sizeof(line), "%s%s", arrow, text);
    td_output_format(o, "%-8s  %-12s  %s\n", mark, layer, td_printable(line, sizeof(line)));
}

void td_findings_one(struct td_report *r, const struct td_finding *f)
{
    static const char *const marks[] = {
        [TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "OBSTACLE"};

    put_line(&r->out, marks[f->kind], f->layer, "", f->text);
    if (f->remedy)
        put_line(&r->out, "", "", "  -> ", f->remedy);
}

void td_findings_end(struct td_report *r, int code, const char *text)
{
    char line[LINE];

    (void)code;
    snprintf(line, sizeof(line), "%s", text);
    td_output_format(&r->out, "%s\n", td_printable(line, sizeof(line)));
}
