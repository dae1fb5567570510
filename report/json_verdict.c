/* SPDX-License-Identifier: MIT */
#include "report/json_verdict.h"

static void put_names(struct td_json_writer *j, const char *key, const struct td_metric *const *m, size_t n)
{
    td_json_put_key(j, key);
    td_json_put_open(j, '[');
    for (size_t i = 0; i < n; i++)
        td_json_put_string(j, m[i]->name);
    td_json_put_close(j, ']');
}

void td_json_put_verdict(struct td_json_writer *j, const struct td_verdict *v, enum td_verdict_status status,
                         const char *text)
{
    td_json_put_key(j, "verdict");
    td_json_put_open(j, '{');
    td_json_put_text(j, "status", td_verdict_name(status));
    td_json_put_text(j, "node", v->node ? v->node->name : NULL);
    put_names(j, "path", v->path, v->npath);
    put_names(j, "among", v->among, v->namong);
    td_json_put_text(j, "text", text);
    td_json_put_close(j, '}');
}
