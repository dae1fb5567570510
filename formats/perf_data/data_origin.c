/* SPDX-License-Identifier: MIT */
/* perf.data: the machine that was recorded, and the command. */
#include "util/text_clean.h"
#include "formats/perf_data/perf_data.h"

#include <stdlib.h>
#include <string.h>

static char *copy_host(struct td_perf_view v)
{
    const char *text;
    size_t len;

    return td_perf_string(&v, &text, &len) && len ? td_text_copy(text, len) : NULL;
}

/* The words of perf's own command line, which ends with what it ran: their number, then each. */
static char *copy_command(struct td_perf_view v)
{
    char *all = malloc(v.n + 1), *copy;
    const char *word;
    uint32_t words;
    size_t n = 0, len;

    td_perf_u32(&v, &words);
    /* each has 4 bytes of length, so that a blank has room */
    for (uint32_t i = 0; all && i < words && td_perf_string(&v, &word, &len); i++) {
        n += i ? 1 : 0;
        if (i)
            all[n - 1] = ' ';
        memcpy(all + n, word, len);
        n += len;
    }
    copy = n ? td_text_copy(all, n) : NULL;
    free(all);
    return copy;
}

/* Without memory neither is known. */
void td_perf_data_origin(struct td_recording *r, struct td_perf_view host, struct td_perf_view command)
{
    r->stream.host = copy_host(host);
    r->stream.command = copy_command(command);
}
