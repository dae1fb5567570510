/* SPDX-License-Identifier: MIT */
/* Commands that are run in turn to be compared. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/child.h"
#include "cli/compare/sides.h"
#include "cli/options.h"

struct cli_commands {
    long rounds; /* -r: each round runs each command once; 0: recordings are compared, not commands */
    const char *machine; /* --machine, or NULL */
    struct cli_command {
        char **words;
        char *name; /* the words as a shell accepts them */
    } * command;
    size_t n;
    size_t first; /* the side of the first command; those before it are recordings */
    struct cli_child child; /* the one that runs */
    int signal; /* that ended it all, or 0 */
};

/* Words up to each --vs are a command, of which there are to be at least so many. The words are changed, and must stay.
 * 0, or an exit code after a message. */
int cli_commands_take(struct cli_commands *, char **words, size_t least);
/* Takes the machine that they run on. 0, or an exit code after a message. */
int cli_commands_begin(const struct cli_commands *, struct cli_options *);
/* Runs them in turn, every second round backwards, so that what drifts on the machine is in all of them alike:
 * each run is one of its side. Rounds that a signal ends are not in it. 0, or an exit code after a message. */
int cli_commands_run(struct cli_commands *, struct cli_options *, struct cli_sides *out);
void cli_commands_free(struct cli_commands *);

#endif
