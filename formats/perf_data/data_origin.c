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

/* Copies perf's own command line, which ends with the command that it ran. The feature has the number of words, then
 * each word. */
static char *copy_command(struct td_perf_view v)
{
    char *all = malloc(v.n + 1), *copy;
    const char *word;
    uint32_t words;
    size_t n = 0, len;

    td_perf_u32(&v, &words);
    /* each word has its length in 4 bytes before it, so there is room for a blank after each */
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

/* Where memory is out, neither gets known. */
void td_perf_data_origin(struct td_recording *r, struct td_perf_view host, struct td_perf_view command)
{
    r->stream.host = copy_host(host);
    r->stream.command = copy_command(command);
}
