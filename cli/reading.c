/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include "cli/cli.h"
#include "cli/table/values.h"

#include <stdlib.h>

int cli_reading_add(struct cli_reading *r, const struct cli_option *option, const char *value)
{
    struct cli_chosen *grown = realloc(r->chosen, (r->n + 1) * sizeof(*grown));

    if (!grown)
        return cli_no_memory();
    r->chosen = grown;
    grown[r->n++] = (struct cli_chosen){option, value};
    return 0;
}

int cli_reading_apply(const struct cli_reading *r, struct cli_options *to)
{
    int code = 0;

    for (size_t i = 0; !code && i < r->n; i++)
        code = cli_take(r->chosen[i].option, to, r->chosen[i].value);
    return code;
}

void cli_reading_free(struct cli_reading *r)
{
    free(r->chosen);
}
