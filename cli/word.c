/* SPDX-License-Identifier: MIT */
#include "cli/word.h"

#include "cli/cli.h"
#include "cli/hints.h"
#include "cli/table/parse.h"

#include <getopt.h>

struct word_ask {
    struct cli_options set; /* without a handle */
    const struct td_uarch *only;
};

int cli_take_only(void *settings, const char *value)
{
    struct word_ask *w = settings;

    w->only = td_uarch_by_name(value);
    return w->only ? 0 : cli_hint_unknown_uarch(value);
}

int cli_word(const struct cli_subcommand *c, int argc, char **argv, const char *what,
             int (*print)(const char *word, const struct td_uarch *only))
{
    struct word_ask w = {.only = NULL};
    const int code = cli_parse(c, &w, argc, argv);

    if (code >= 0)
        return code;
    if (argc - optind > 1)
        return cli_usage("%s takes one %s, not '%s' too", argv[0], what, argv[optind + 1]);
    return print(argv[optind], w.only);
}
