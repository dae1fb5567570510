/* SPDX-License-Identifier: MIT */
/* A comparison as the code quality report of GitLab, which annotates merge requests: an issue for each gate that holds
 * or cannot be told, and for what got worse. GitLab wants a place for each, which is the recording of side b. */
#include "report/compare/comparison_report.h"
#include "report/json_writer.h"

#include <stdio.h>

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): the same issue has the same fingerprint in each pipeline. */
static uint64_t mix(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    while (*text++);
    return hash;
}

static void put_issue(struct td_json_writer *j, const char *check, const char *scope, const char *severity,
                      const char *path, const char *text)
{
    char print[17];

    snprintf(print, sizeof(print), "%016llx",
             (unsigned long long)mix(mix(UINT64_C(14695981039346656037), check), scope));
    td_json_put_open(j, '{');
    td_json_put_clean(j, "description", text);
    td_json_put_clean(j, "check_name", check);
    td_json_put_clean(j, "fingerprint", print);
    td_json_put_clean(j, "severity", severity);
    td_json_put_key(j, "location");
    td_json_put_open(j, '{');
    td_json_put_clean(j, "path", path);
    td_json_put_key(j, "lines");
    td_json_put_open(j, '{');
    td_json_put_key(j, "begin");
    td_json_put_integer(j, 1);
    td_json_put_close(j, '}');
    td_json_put_close(j, '}');
    td_json_put_close(j, '}');
}

static void put_row(struct td_json_writer *j, const struct td_comparison *c, const struct td_difference *d)
{
    char scope[TD_NOTE_TEXT], by[64], bounds[64], word[TD_NOTE_TEXT], text[2 * TD_NOTE_TEXT + 256];
    const enum td_difference_call worse = d->direction == TD_DIRECTION_BAD ? TD_CALL_MORE : TD_CALL_LESS;

    if (d->direction == TD_DIRECTION_UNCLEAR || d->call != worse)
        return;
    snprintf(text, sizeof(text), "%s: %s %s (%s), %s", td_difference_scope(d, scope), d->metric, td_change_text(d, by),
             td_change_bounds(d, bounds), td_difference_word(d, c, word));
    put_issue(j, d->metric, scope, "minor", c->side[d->side].name, text);
}

static void put(struct td_output *o, const struct td_comparison_report *r)
{
    const struct td_comparison *c = r->comparison;
    struct td_json_writer j = {.out = o};
    char text[TD_NOTE_TEXT];

    td_json_put_open(&j, '[');
    for (size_t i = 0; i < r->gates; i++)
        if (r->gate[i].answer != TD_GATE_NO)
            put_issue(&j, r->gate[i].text, "", r->gate[i].answer == TD_GATE_HOLDS ? "major" : "info", c->side[1].name,
                      td_gate_line(&r->gate[i], text));
    for (size_t i = 0; i < c->n; i++)
        put_row(&j, c, &c->row[i]);
    td_json_put_close(&j, ']');
    td_output_char(o, '\n');
}

const struct td_comparison_format td_comparison_gitlab = {.name = "gitlab", .put = put};
