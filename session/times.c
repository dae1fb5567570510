/* SPDX-License-Identifier: MIT */
#include "session/times.h"

#include <errno.h>

bool td_session_in_time(const struct td *td, bool has_time, uint64_t time)
{
    return has_time ? (!td->after || time > td->after) && time <= td->until : !td->after;
}

int td_session_none_in_time(struct td *td, const char *name)
{
    const double after = (double)td->after / 1e9, until = (double)td->until / 1e9;

    if (td->until == UINT64_MAX) /* to the end */
        return td_log_fail(&td->log, -EBADMSG, "%s: no interval ends after %.9g s", name, after);
    return td_log_fail(&td->log, -EBADMSG, "%s: no interval ends after %.9g s and not after %.9g s", name, after,
                       until);
}

int td_set_times(struct td *td, uint64_t after, uint64_t until)
{
    if (td->opened)
        return td_log_fail(&td->log, -EINVAL, "times are set before the handle is opened");
    if (after >= until)
        return td_log_fail(&td->log, -EINVAL, "no time is after %.9g s and not after %.9g s", (double)after / 1e9,
                           (double)until / 1e9);
    td->after = after;
    td->until = until;
    return 0;
}
