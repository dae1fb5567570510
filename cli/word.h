/* SPDX-License-Identifier: MIT */
/* Subcommands with one word, and --uarch. */
#ifndef CLI_WORD_H
#define CLI_WORD_H

#include "cli/table/option.h"
#include "include/tdprobe.h"

/* Takes the arguments; what: how messages call the word ("node"). Returns print's exit code, or that for wrong usage.
 * NULL: there is no word, or no CPU. */
int cli_word(const struct cli_subcommand *, int argc, char **argv, const char *what,
             int (*print)(const char *word, const struct td_uarch *only));
/* --uarch of cli_word(), whose settings they are. 0, or an exit code after a message. */
int cli_take_only(void *settings, const char *value);
#define CLI_ONLY(...) \
    { \
        "uarch", .arg = "NAME", .kind = CLI_TAKEN, .take = cli_take_only, .choice = cli_uarch_name, .common = true, \
                 __VA_ARGS__ \
    }

#endif
