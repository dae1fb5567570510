/* SPDX-License-Identifier: MIT */
/* record --baseline: a recording joins a history when it is whole, and only then. */
#include "cli/stat/stat.h"

#include "cli/cli.h"
#include "cli/history.h"
#include "cli/shell.h"

#include <string.h>

int cli_baseline_open(struct cli_stat *l)
{
    struct cli_baseline *b = &l->baseline;
    int code, fd;

    b->path = cli_history_new(b->folder, &code);
    if (!b->path)
        return code;
    fd = td_temporary_open(&b->file, b->path);
    l->set.output = b->path;
    l->trace.fd = fd;
    b->open = fd >= 0;
    return 0;
}

/* Says where the recording is, and what to do with it: a first one is not compared with any. */
static void tell_kept(const struct cli_baseline *b)
{
    struct cli_history all;
    char word[CLI_SHELL_WORD];

    cli_shell_word(b->folder, word);
    if (cli_history_list(b->folder, &all))
        return;
    if (all.n > 1)
        cli_say("kept as %s; 'tdprobe compare --baseline %s' compares it with those before", b->path, word);
    else
        cli_say("kept as %s, the first in %s: 'tdprobe record --baseline %s -- command' adds one to compare with it",
                b->path, b->folder, word);
    cli_history_free(&all);
}

int cli_baseline_close(struct cli_stat *l, int code)
{
    struct cli_baseline *b = &l->baseline;
    int err;

    if (!b->open)
        return code;
    b->open = false;
    err = td_temporary_close(&b->file, l->trace.fd, !code);
    l->trace.fd = -1;
    if (code) {
        cli_say("--baseline: this run ended with status %d, so %s does not keep it", code, b->folder);
        return code;
    }
    if (err) {
        cli_say("%s cannot be written: %s", b->path, cli_output_why(b->path, err));
        return cli_output_code(err);
    }
    tell_kept(b);
    return 0;
}
