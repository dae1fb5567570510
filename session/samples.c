/* SPDX-License-Identifier: MIT */
/* td_samples.h and td_code.h: how samples are told apart, and what a recording of them holds. */
#include "private/code.h"

#include "core/sized.h"
#include "os/lent.h"
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int td_set_samples_by(struct td *td, enum td_samples_by by)
{
    if (td->opened)
        return td_session_too_late(td);
    if (!td_samples_by_name(by))
        return td_log_fail(&td->log, -EINVAL, "there is no way of number %d to tell samples apart", (int)by);
    td->samples.by = by;
    return 0;
}

int td_set_samples_chain(struct td *td, enum td_samples_chain chain, const char *function)
{
    char *copy;

    if (td->opened)
        return td_session_too_late(td);
    if ((size_t)chain > TD_CHAIN_CALLEES || (chain >= TD_CHAIN_CALLERS) != (function != NULL))
        return td_log_fail(&td->log, -EINVAL,
                           "TD_CHAIN_CALLERS and TD_CHAIN_CALLEES need a function, and others take none");
    copy = function ? strdup(function) : NULL;
    if (function && !copy)
        return td_log_no_memory(&td->log);
    free(td->samples.function);
    td->samples.chain = chain;
    td->samples.function = copy;
    return 0;
}

int td_set_samples_inlined(struct td *td, bool inlined)
{
    if (td->opened)
        return td_session_too_late(td);
    td->samples.inlined = inlined;
    return 0;
}

int td_set_samples_code(struct td *td, const char *function, const char *dso)
{
    char *copy, *copy_dso;

    if (td->opened)
        return td_session_too_late(td);
    copy = function ? strdup(function) : NULL;
    copy_dso = function && dso ? strdup(dso) : NULL;
    if ((function && !copy) || (copy && dso && !copy_dso)) {
        free(copy);
        free(copy_dso);
        return td_log_no_memory(&td->log);
    }
    free(td->samples.code);
    free(td->samples.code_dso);
    td->samples.code = copy;
    td->samples.code_dso = copy_dso;
    return 0;
}

/* Replaces a path by a copy of another. */
static int set_text(struct td *td, char **to, const char *path)
{
    char *copy;

    if (td->opened)
        return td_session_too_late(td);
    copy = path ? strdup(path) : NULL;
    if (path && !copy)
        return td_log_no_memory(&td->log);
    free(*to);
    *to = copy;
    return 0;
}

int td_set_symbols(struct td *td, const char *root)
{
    return set_text(td, &td->samples.root, root);
}

int td_set_symbol_cache(struct td *td, const char *folder)
{
    return set_text(td, &td->samples.cache, folder);
}

int td_set_kallsyms(struct td *td, const char *path)
{
    return set_text(td, &td->samples.kallsyms, path);
}

int td_set_debuginfod(struct td *td, bool ask)
{
    if (td->opened)
        return td_session_too_late(td);
    if (ask && td_lent()) /* libdebuginfod takes servers and the folder of its cache from the environment */
        return td_log_fail(&td->log, -EPERM,
                           "servers are not asked by a program that has more rights than its caller; use a copy of it "
                           "that is not set-user-ID and has no capabilities");
    td->samples.servers = ask;
    return 0;
}

int td_samples_about(struct td *td, struct td_samples_info *out)
{
    const struct td_samples_info *about = td->stream ? td->stream->samples : NULL;
    struct td_samples_info info;

    if (!about)
        return -ENODATA;
    info = *about;
    info.handler = td->stream->handler_counted;
    return td_sized_give(&td->log, "td_samples_info", out, sizeof(info), &info);
}

int td_code_open(struct td *td, const char *function, struct td_code **out)
{
    int err = -ENOENT;

    *out = NULL;
    if (td->stream && td->stream->code)
        err = td->stream->code(td->stream, function, out);
    if (err == -ENOENT)
        return td_log_fail(&td->log, err, "the result is of no function that td_set_samples_code() named");
    return err ? td_log_no_memory(&td->log) : 0;
}
