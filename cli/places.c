/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include "cli/cli.h"

static int add(void *functions, const struct td_result *r)
{
    return td_functions_add(functions, r);
}

static int add_whole(void *functions, const struct td_result *r)
{
    return td_functions_whole(functions, r);
}

int cli_places_read(struct td *td, struct td_functions *out)
{
    struct td_samples_info about = {.size = sizeof(about)};
    int code;

    out->handler = !td_samples_about(td, &about) && about.handler;
    code = cli_each_interval(td, add, out);
    code = code ? code : cli_each_sum(td, add_whole, out);
    return !code && td_functions_finish(out) ? cli_no_memory() : code;
}
