/* SPDX-License-Identifier: MIT */
#include "cli/places.h"

#include "cli/cli.h"

#include <errno.h>

static int read_intervals(struct td *td, struct td_functions *out)
{
    const struct td_result *result;
    int err;

    while (!(err = td_next(td, &result)))
        if (td_functions_add(out, result))
            return cli_no_memory();
    return err == -ENODATA ? 0 : cli_library_error(td, err);
}

static int read_sums(struct td *td, struct td_functions *out)
{
    const struct td_result *result;
    int err = 0;

    for (size_t i = 0; !(err = td_summary(td, i, &result)); i++)
        if (td_functions_whole(out, result))
            return cli_no_memory();
    if (err != -ENODATA)
        return cli_library_error(td, err);
    return td_functions_finish(out) ? cli_no_memory() : 0;
}

int cli_places_read(struct td *td, struct td_functions *out)
{
    const int code = read_intervals(td, out);

    return code ? code : read_sums(td, out);
}
