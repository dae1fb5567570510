/* SPDX-License-Identifier: MIT */
#include "cli/compare/commands.h"

#include "cli/cli.h"
#include "cli/shell.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { ENDED = -1 /* by a signal to tdprobe */ };

/* ---- the words ------------------------------------------------------------------------------- */

static int add_command(struct cli_commands *c, char **words)
{
    struct cli_command *grown = realloc(c->command, (c->n + 1) * sizeof(*grown));

    if (!grown)
        return cli_no_memory();
    c->command = grown;
    grown[c->n] = (struct cli_command){words, cli_shell_join(words[0], words + 1)};
    return grown[c->n++].name ? 0 : cli_no_memory();
}

int cli_commands_take(struct cli_commands *c, char **words, size_t least)
{
    int code = 0;

    while (!code) {
        size_t n = 0;
        bool more;

        while (words[n] && strcmp(words[n], "--vs") != 0)
            n++;
        more = words[n] != NULL;
        words[n] = NULL;
        if (!n)
            return cli_usage("-r: there is no command %s --vs", more && !c->n ? "before" : "after");
        code = add_command(c, words);
        words += n + 1;
        if (!more)
            break;
    }
    return !code && c->n < least ? cli_usage("-r: there is no --vs and second command after -- %s", c->command[0].name)
                                 : code;
}

void cli_commands_free(struct cli_commands *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->command[i].name);
    free(c->command);
}

/* ---- one run --------------------------------------------------------------------------------- */

static int library_error(struct td *td, int err)
{
    cli_say("%s%s", td_error(td), cli_next_step(td, err));
    return cli_exit_code(err);
}

/* The command waits for its counters. 0, or an exit code; then there is no command. */
static int start(struct cli_commands *c, struct td *td, struct cli_command *what)
{
    struct td_live live = {.size = sizeof(struct td_live), .ntasks = 1, .on_exec = true, .name = "command"};
    pid_t pid;
    int err, code;

    c->child.words = what->words;
    pid = cli_child_start(&c->child);
    if (pid < 0) {
        cli_say("%s", td_error(td));
        return EXIT_NOT_STARTED;
    }
    if (!c->machine) /* a simulated machine's descriptors are not ours */
        cli_child_raise_limit(&c->child);
    live.tasks = &pid;
    err = td_open_live(td, &live);
    code = err ? library_error(td, err) : 0;
    if (code) {
        cli_child_abandon(&c->child);
        return code;
    }
    code = cli_child_release(&c->child);
    if (code)
        cli_say("%s", td_error(td));
    return code;
}

/* Until the command ends. 0, ENDED, or an exit code. */
static int await(struct cli_commands *c, const struct cli_command *what, long round)
{
    struct td_run_event e = {.size = sizeof(e)};
    int err;

    do {
        err = cli_child_wait(&c->child, UINT64_MAX, -1, &e);
        if (err)
            return library_error(c->child.td, err);
        if (e.what == TD_RUN_SIGNAL && cli_child_pass(&c->child, &e))
            c->signal = e.signal;
    } while (e.what != TD_RUN_EXIT);
    if (c->signal)
        return ENDED;
    if (!e.status)
        return 0;
    if (cli_child_signal(e.status))
        cli_say("%s: run %ld was killed by signal %d, so it cannot be compared", what->name, round + 1,
                cli_child_signal(e.status));
    else
        cli_say("%s: run %ld failed with exit status %d, so it cannot be compared", what->name, round + 1,
                cli_child_code(e.status));
    return EXIT_UNABLE;
}

static int take(struct td *td, struct td_series *out)
{
    const struct td_result *r;
    int err = td_take(td);

    while (!err || err == -ENODATA) {
        err = td_next(td, &r);
        if (err)
            break;
        if (td_series_add_all(out, r))
            return cli_no_memory();
    }
    return err == -EAGAIN || err == -ENODATA ? 0 : library_error(td, err);
}

static int run_once(struct cli_commands *c, struct td *td, struct cli_command *what, long round, struct td_series *out)
{
    int code = start(c, td, what), err;

    code = code ? code : await(c, what, round);
    code = code ? code : take(td, out);
    err = td_close_live(td);
    return code || !err ? code : library_error(td, err);
}

/* ---- all of them ------------------------------------------------------------------------------ */

/* Each command once; a round that is not whole is not kept. */
static int run_round(struct cli_commands *c, struct td *td, long round, struct cli_sides *out)
{
    int code = 0;

    for (size_t i = 0; !code && i < c->n; i++)
        code = cli_sides_run(out, c->first + i);
    for (size_t i = 0; !code && i < c->n; i++) {
        const size_t at = round % 2 ? c->n - 1 - i : i;

        code = run_once(c, td, &c->command[at], round, &out->side[c->first + at].run[round]);
    }
    if (code)
        cli_sides_cut(out, c->first, (size_t)round);
    return code;
}

static int end_early(const struct cli_commands *c, long rounds)
{
    if (!rounds) {
        cli_say("ended by %s before each command had run once: there is nothing to compare", strsignal(c->signal));
        return EXIT_SIGNAL + c->signal;
    }
    cli_say("ended by %s after %ld of %ld rounds", strsignal(c->signal), rounds, c->rounds);
    return 0;
}

int cli_commands_begin(const struct cli_commands *c, struct cli_options *set)
{
    return c->machine ? cli_options_machine(set, c->machine) : 0;
}

int cli_commands_run(struct cli_commands *c, struct cli_options *set, struct cli_sides *out)
{
    int code = 0;
    long round = 0;

    cli_child_begin(&c->child, set->td);
    c->first = out->n;
    if (td_run_signals(set->td)) {
        cli_say("%s", td_error(set->td));
        code = EXIT_BUG;
    }
    for (size_t i = 0; !code && i < c->n; i++)
        code = cli_sides_begin(out, c->command[i].name);
    for (; !code && round < c->rounds; round++)
        code = run_round(c, set->td, round, out);
    return code == ENDED ? end_early(c, round - 1) : code;
}
