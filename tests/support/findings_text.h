/* SPDX-License-Identifier: MIT */
/* The doctor's findings as text. */
#ifndef FINDINGS_TEXT_H
#define FINDINGS_TEXT_H

#include "include/tdprobe.h"

#include <stdio.h>
#include <string.h>

/* One a line, the remedy after "->". */
static char text[8000];

static void add(void *ctx, const struct td_finding *f)
{
    static const char *const kinds[] = {
        [TD_FINDING_OK] = "ok", [TD_FINDING_NOTE] = "note", [TD_FINDING_OBSTACLE] = "OBSTACLE"};
    const size_t n = strlen(text);

    (void)ctx;
    snprintf(text + n, sizeof(text) - n, "%s %s: %s%s%s\n", kinds[f->kind], f->layer, f->text, f->remedy ? " -> " : "",
             f->remedy ? f->remedy : "");
}

#endif
