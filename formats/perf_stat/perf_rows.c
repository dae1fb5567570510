/* SPDX-License-Identifier: MIT */
#include "formats/perf_stat/perf_rows.h"

#include <stdio.h>

const char td_perf_ratios_only[] =
    "ratios without counts (perf stat --metric-only): record again without --metric-only";
const char td_perf_no_names[] =
    "a line of numbers without a name, which is no count of perf stat -x; 'tdprobe list formats' names what is read";

int td_perf_rows_open(struct td_recording *r, struct td_perf_rows *p)
{
    p->gather = td_gather_new();
    return p->gather ? td_gather_system(r, p->gather) : td_log_no_memory(r->log);
}

bool td_perf_rows_begin(struct td_recording *r, struct td_perf_rows *p, const char *line, struct td_row *out)
{
    static const char started[] = "# started on ";

    line += *line == '"'; /* of a spreadsheet */
    if (!p->any || *line != '#' || strncmp(line, started, strlen(started)) != 0)
        return false;
    td_recording_note(r, "a further recording begins here (perf stat --append)");
    out->new_run = true;
    p->has_time = false;
    p->counted = false;
    return true;
}

void td_perf_rows_summary(struct td_recording *r, struct td_perf_rows *p)
{
    if (!p->told_summary)
        td_recording_note(r, "the summary lines are left out: they repeat the intervals");
    p->told_summary = true;
    p->counted = false;
}

int td_perf_rows_time(struct td_recording *r, struct td_perf_rows *p, const char *text, size_t len, uint64_t time)
{
    if (p->any && p->has_time && time < p->time)
        return td_recording_bad(r, "time goes backwards: %.*s comes after %s", (int)(len < 40 ? len : 40), text,
                                p->time_text);
    p->time = time;
    p->time_len = len < sizeof(p->time_text) ? len : 0;
    snprintf(p->time_text, sizeof(p->time_text), "%.*s", (int)len, text);
    return 0;
}

static bool is(const char *value, size_t len, const char *word)
{
    return len == strlen(word) && !memcmp(value, word, len);
}

enum td_status td_perf_status(const char *value, size_t len)
{
    if (!len || *value != '<')
        return TD_OK;
    return is(value, len, "<not counted>")     ? TD_NOT_COUNTED
           : is(value, len, "<not supported>") ? TD_NOT_SUPPORTED
                                               : TD_OK;
}

const char *td_perf_enabled(double running, double percent, double *out)
{
    if (percent > 100.5)
        return "is over 100";
    *out = percent >= 100 ? running : running * 100 / (percent > 1 ? percent : 1);
    if (!(running > 0) && percent < 100)
        *out = 1; /* how long is not known, but not 0: of what was never enabled perf writes 100 % */
    return NULL;
}
