/* SPDX-License-Identifier: MIT */
/* tdprobe collect: reads counters as long as it runs, and offers the sums to a monitoring system. */
#include "cli/collect/collect.h"

#include "cli/cli.h"
#include "cli/collect/published.h"
#include "private/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCHES = 16, /* handles, above which all cgroups are opened anew */
    TURN = 8, /* intervals for which a cgroup is counted where there are turns: an eighth is exchanged at each */
    TRIES = 3,
};

static const uint64_t ms = 1000000, TEND = 5000000000 /* ns between looks at connections */;

/* ---- counters ----------------------------------------------------------------------------- */

static bool follows(const struct cli_collect *c)
{
    return c->followed.patterns.n > 0;
}

/* How many cgroups can be counted at one time; 0: it is not known. */
static size_t most_cgroups(struct cli_collect *c)
{
    const size_t each = cli_watches_descriptors(&c->watches, c->followed.known.path[0]);
    const size_t wanted = (size_t)c->max_cgroups;
    const size_t most = each ? cli_followed_most(cli_descriptors_most(), each) : wanted;

    return wanted && wanted < most ? wanted : most;
}

/* Looks which cgroups there are, and admits new ones where all can be counted at one time. */
static int look(struct cli_collect *c)
{
    struct cli_followed *f = &c->followed;

    if (!follows(c))
        return 0;
    if (cli_followed_look(f, cli_cgroup_names, cli_cgroup_identity, c->set.td))
        return -ENOMEM;
    if (!f->most && f->known.n)
        f->most = most_cgroups(c);
    return cli_followed_fit(f) ? cli_followed_admit(f, f->waiting.n) : 0;
}

static bool is_gone(void *ctx, const struct td_scope_id *id)
{
    return !strcmp(id->kind, "cgroup") && cli_paths_shown(ctx, id->name);
}

/* What a cgroup that is gone has counted has been published once more. */
static int forget_gone(struct cli_collect *c)
{
    struct cli_followed *f = &c->followed;

    if (!f->gone.n)
        return 0;
    return cli_watches_drop(&c->watches, &f->gone) ? -ENOMEM : td_tally_drop(&c->tally, is_gone, &f->gone);
}

/* Opens the cgroups that are to be counted from now on; where there are turns, as many together as will end together.
 */
static int open_come(struct cli_collect *c)
{
    const struct cli_followed *f = &c->followed;
    const size_t each = f->waiting.n ? (f->most + TURN - 1) / TURN : f->come.n;
    int err = 0;

    for (size_t i = 0; i < f->come.n && !err; i += each) {
        const struct cli_paths part = {.path = f->come.path + i, .n = each < f->come.n - i ? each : f->come.n - i};

        err = cli_watches_open(&c->watches, &part, c->manners.shallow);
    }
    return err;
}

/* Opens everything: 0 or -errno, see c->watches. CPUs that came since take descriptors too. */
static int open_all(struct cli_collect *c)
{
    const struct cli_paths none = {.n = 0};
    int err = -ENOENT;

    if (!follows(c)) {
        cli_watches_close(&c->watches);
        return cli_watches_open(&c->watches, &none, c->manners.shallow);
    }
    c->followed.most = 0;
    for (int i = 0; i < TRIES && err == -ENOENT; i++) { /* one that was found may have vanished since */
        cli_watches_close(&c->watches);
        err = cli_followed_restart(&c->followed);
        err = err ? err : look(c);
        err = err ? err : forget_gone(c);
        err = err ? err : cli_followed_admit(&c->followed, c->followed.most);
        err = err ? err : open_come(c);
    }
    return err;
}

/* The counters cannot be had now: says so once, and tries again later. */
static void fail_counters(struct cli_collect *c)
{
    if (!c->told)
        cli_say("%s; it is tried again after 1, 2, 4 and so on up to %d intervals", c->watches.error, CLI_WAIT_MOST);
    c->told = true;
    cli_watches_close(&c->watches);
    cli_manners_yield(&c->manners);
}

static void reopen(struct cli_collect *c)
{
    c->watches.quiet = c->manners.last > 0;
    if (open_all(c)) {
        fail_counters(c);
        return;
    }
    if (c->told)
        cli_say("the counters are open again");
    c->told = false;
}

/* ---- an interval ---------------------------------------------------------------------------- */

/* Says that cgroups take turns, when that begins. */
static void say_turns(struct cli_collect *c)
{
    const struct cli_followed *f = &c->followed;

    if (f->waiting.n && !c->told_turns)
        cli_say("cgroups are counted by turns, %zu of %zu at a time, %s; tdprobe_cgroups_waiting tells how many wait",
                f->most, f->known.n,
                c->max_cgroups && (size_t)c->max_cgroups == f->most
                    ? "by --max-cgroups"
                    : "as each takes a descriptor for each event on each CPU (ulimit -n, LimitNOFILE= of systemd, "
                      "fs.nr_open; fewer events: --level 1)");
    c->told_turns = f->waiting.n > 0;
}

/* Those that have been counted for the longest make place for those that wait. */
static int exchange(struct cli_collect *c)
{
    struct cli_followed *f = &c->followed;
    struct cli_watches *w = &c->watches;

    if (w->n) {
        if (cli_followed_rest(f, &w->watch[0].cgroups))
            return -ENOMEM;
        cli_watches_close_first(w);
    }
    return cli_followed_admit(f, f->most - w->cgroups);
}

/* Goes on with other cgroups: those that came, and where not all can be counted at one time those whose turn it is.
 * They are opened beside the others, unless too many that are gone would stay open. */
static int go_on(struct cli_collect *c)
{
    const struct cli_followed *f = &c->followed;
    bool full;

    if (!cli_followed_fit(f) && exchange(c))
        return -ENOMEM;
    full = f->most && c->watches.cgroups + f->come.n > f->most;
    if (f->come.n && (full || c->watches.n >= BATCHES || open_come(c)))
        reopen(c);
    return 0;
}

static void say_move(const struct cli_collect *c, enum cli_move move)
{
    if (move == CLI_MOVE_CLOSE && c->manners.last == 1)
        cli_say("the counters ran for less than half of the time, as others use them: they are left to those for 1, 2, "
                "4 and so on up to %d intervals",
                CLI_WAIT_MOST);
    else if (move == CLI_MOVE_SHALLOWER)
        cli_say("the counters ran for less than nine tenths of the time, as others use them: only level 1 is counted "
                "for %d intervals",
                CLI_WAIT_MOST);
}

/* Reads the counters, or waits on: what is to be done next. */
static enum cli_move read_counters(struct cli_collect *c)
{
    double coverage;

    if (c->manners.yielded)
        return cli_manners_wait(&c->manners);
    c->tally.by_turns = c->followed.waiting.n > 0;
    if (cli_watches_take(&c->watches, &c->tally, &coverage)) {
        fail_counters(c);
        return CLI_MOVE_NONE;
    }
    return cli_manners_take(&c->manners, coverage);
}

static int publish(struct cli_collect *c)
{
    const struct cli_standing now = {.manners = &c->manners,
                                     .followed = follows(c) ? &c->followed : NULL,
                                     .write_failures = c->textfile.folder ? &c->textfile.failures : NULL};
    struct cli_published text[TD_EXPOSITIONS] = {{.n = 0}, {.n = 0}};
    int err = cli_published_make(&text[TD_PROMETHEUS], &c->tally, &now, TD_PROMETHEUS);

    if (!err && c->http)
        err = cli_published_make(&text[TD_OPENMETRICS], &c->tally, &now, TD_OPENMETRICS);
    if (!err)
        cli_textfile_write(&c->textfile, text[TD_PROMETHEUS].at, text[TD_PROMETHEUS].n);
    if (!err && c->http)
        return cli_http_offer(c->http, text);
    for (int i = 0; i < TD_EXPOSITIONS; i++)
        free(text[i].at);
    return err;
}

/* Ends an interval. anew: all counters are to be opened anew. 0 or -ENOMEM. */
static int tick(struct cli_collect *c, bool anew)
{
    const enum cli_move move = read_counters(c);
    int err = look(c);

    say_move(c, move);
    say_turns(c);
    if (move == CLI_MOVE_CLOSE)
        cli_watches_close(&c->watches);
    err = err ? err : publish(c);
    err = err ? err : forget_gone(c);
    if (move == CLI_MOVE_OPEN || move == CLI_MOVE_SHALLOWER || move == CLI_MOVE_DEEPER || (anew && !c->manners.yielded))
        reopen(c);
    else if (!err && !c->manners.yielded)
        err = go_on(c);
    return err;
}

/* ---- everything ------------------------------------------------------------------------------ */

/* Until the next interval ends, or for as long as connections need no look: what ended that. False: waiting failed. */
static bool wait_for(struct cli_collect *c, uint64_t now, uint64_t next, struct td_run_event *event)
{
    if (c->http)
        cli_http_tend(c->http);
    if (!td_run_wait(c->set.td, c->http && next - now > TEND ? now + TEND : next, -1, event))
        return true;
    cli_say("%s", td_error(c->set.td));
    return false;
}

/* Until a signal ends it: 0, or an exit code after a message. Time is monotonic: that the clock is set changes nothing,
 * and of a suspended machine nothing passes. */
static int watch(struct cli_collect *c)
{
    const uint64_t every = (uint64_t)c->interval * ms;
    uint64_t next = td_run_now(c->set.td) + every;
    struct td_run_event event = {.size = sizeof(event)};
    bool anew = false;

    for (;;) {
        const uint64_t now = td_run_now(c->set.td);

        if (now >= next || anew) {
            if (tick(c, anew))
                return cli_no_memory();
            anew = false;
            next += now >= next ? (now - next) / every * every + every : 0; /* late: one long one for those missed */
        } else if (!wait_for(c, now, next, &event)) {
            return EXIT_BUG;
        } else if (event.what == TD_RUN_SIGNAL) {
            if (event.signal == SIGTERM || event.signal == SIGINT)
                return 0;
            anew = event.signal == SIGHUP && !c->manners.yielded;
        }
    }
}

static int run(struct cli_collect *c)
{
    int code = c->machine ? cli_options_machine(&c->set, c->machine) : 0;

    if (code)
        return code;
    td_run_pace(c->set.td, !c->fast);
    cli_descriptors_most();
    c->watches.machine = c->set.td;
    c->watches.reading = &c->reading;
    c->watches.by = c->by;
    code = cli_textfile_open(&c->textfile);
    if (code)
        return code;
    if (td_run_signals(c->set.td)) {
        cli_say("%s", td_error(c->set.td));
        return EXIT_BUG;
    }
    code = c->listen ? cli_http_open(&c->http, &c->address, c->listen) : 0;
    if (code)
        return code;
    if (open_all(c)) {
        cli_say("%s", c->watches.error);
        return c->watches.code;
    }
    if (follows(c) && !c->followed.known.n)
        cli_say("no cgroup is '%s' now: those that come are counted", c->patterns);
    say_turns(c);
    return watch(c);
}

int cli_collect_main(int argc, char **argv)
{
    struct cli_collect c = {.textfile = {.dir = -1}};
    int code = cli_options_begin(&c.set);

    if (code)
        return code;
    code = cli_collect_parse(&c, argc, argv);
    if (code < 0)
        code = run(&c);
    cli_http_close(c.http);
    cli_textfile_close(&c.textfile);
    cli_watches_close(&c.watches);
    cli_followed_free(&c.followed);
    td_tally_free(&c.tally);
    cli_reading_free(&c.reading);
    td_free(c.set.td);
    return code;
}
