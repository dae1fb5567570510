/* SPDX-License-Identifier: MIT */
/* td_samples.h: how samples are told apart, and what a recording of them holds. */
#include "include/td_samples.h"

#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int td_set_samples_by(struct td *td, enum td_samples_by by)
{
    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "the handle has been opened already");
    if (!td_samples_by_name(by))
        return td_log_fail(&td->log, -EINVAL, "samples are not told apart in a way of number %d", (int)by);
    td->settings.samples_by = by;
    return 0;
}

int td_set_samples_chain(struct td *td, enum td_samples_chain chain, const char *function)
{
    char *copy;

    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "the handle has been opened already");
    if ((size_t)chain > TD_CHAIN_CALLEES || (chain >= TD_CHAIN_CALLERS) != (function != NULL))
        return td_log_fail(&td->log, -EINVAL, "callers and callees are of one function, and nothing else of call chains is");
    copy = function ? strdup(function) : NULL;
    if (function && !copy)
        return td_log_no_memory(&td->log);
    free(td->settings.samples_function);
    td->settings.samples_chain = chain;
    td->settings.samples_function = copy;
    return 0;
}

int td_set_samples_inlined(struct td *td, bool inlined)
{
    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "the handle has been opened already");
    td->settings.samples_inlined = inlined;
    return 0;
}

int td_set_symbols(struct td *td, const char *root)
{
    char *copy;

    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "the handle has been opened already");
    copy = root ? strdup(root) : NULL;
    if (root && !copy)
        return td_log_no_memory(&td->log);
    free(td->settings.symbols);
    td->settings.symbols = copy;
    return 0;
}

bool td_samples_about(const struct td *td, struct td_samples_info *out)
{
    const struct td_samples_info *about = td->stream ? td->stream->samples : NULL;

    if (about) {
        *out = *about;
        out->handler = td->stream->handler_counted;
    }
    return about;
}
