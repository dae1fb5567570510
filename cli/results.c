/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include "cli/cli.h"

#include <errno.h>

int cli_each_interval(struct td *td, cli_result_fn *take, void *ctx)
{
    const struct td_result *result;
    int err;

    while (!(err = td_next(td, &result)))
        if (take(ctx, result))
            return cli_no_memory();
    return err == -ENODATA ? 0 : cli_library_error(td, err);
}

int cli_each_sum(struct td *td, cli_result_fn *take, void *ctx)
{
    const struct td_result *result;
    int err = 0;

    for (size_t i = 0; !(err = td_summary(td, i, &result)); i++)
        if (take(ctx, result))
            return cli_no_memory();
    return err == -ENODATA ? 0 : cli_library_error(td, err);
}
