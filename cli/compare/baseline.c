/* SPDX-License-Identifier: MIT */
#include "cli/compare/baseline.h"

#include "cli/cli.h"
#include "cli/shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_past_open(struct cli_past *p)
{
    const int code = cli_history_list(p->folder, &p->all);
    char word[CLI_SHELL_WORD];

    if (asprintf(&p->name, "the last of %s", p->folder) < 0) {
        p->name = NULL;
        return cli_no_memory();
    }
    if (code || p->all.n)
        return code;
    cli_say("--baseline: %s holds no recordings (*.trace): 'tdprobe record --baseline %s -- command' adds one",
            p->folder, cli_shell_word(p->folder, word));
    return EXIT_INPUT;
}

static void free_run(struct cli_past_run *r)
{
    td_series_free(&r->series);
    free(r->said);
}

void cli_past_free(struct cli_past *p)
{
    cli_history_free(&p->all);
    for (size_t i = 0; i < p->n; i++)
        free_run(&p->picked[i]);
    free(p->picked);
    free(p->name);
    free(p->host);
    free(p->cpu);
    free(p->command);
}

/* ---- whose the recordings are ------------------------------------------------------------------ */

/* False: out of memory. */
static bool keep(const char *text, char **out)
{
    free(*out);
    *out = text ? strdup(text) : NULL;
    return !text || *out;
}

static int take_origin(struct td *td, void *past)
{
    struct cli_past *p = past;
    struct td_origin_info from = {.size = sizeof(from)};

    td_origin_about(td, &from);
    return keep(from.host, &p->host) && keep(from.cpu, &p->cpu) && keep(from.command, &p->command) ? 0
                                                                                                   : cli_no_memory();
}

static bool same(const char *a, const char *b)
{
    return !a || !b || !strcmp(a, b);
}

/* A recording of the history beside what is compared. */
struct beside {
    const struct cli_past *past;
    bool fits; /* of the same host and CPU */
    bool other; /* of another command */
};

static int look(struct td *td, void *beside)
{
    struct beside *b = beside;
    struct td_origin_info from = {.size = sizeof(from)};

    td_origin_about(td, &from);
    b->fits = same(from.host, b->past->host) && same(from.cpu, b->past->cpu);
    b->other = !same(from.command, b->past->command);
    return 0;
}

/* ---- what can be read ------------------------------------------------------------------------- */

/* Names a recording that is left out, with the last thing that was said about it; NULL: it has nothing to compare. */
static void leave_out(const char *path, char *said)
{
    static const char who[] = "tdprobe: ";
    const char *last;
    size_t n = said ? strlen(said) : 0;

    if (!n) {
        cli_say("--baseline: left out: %s: holds no interval to compare", path);
        return;
    }
    while (n && said[n - 1] == '\n')
        said[--n] = '\0';
    last = strrchr(said, '\n') ? strrchr(said, '\n') + 1 : said;
    cli_say("--baseline: left out: %s", last + (strncmp(last, who, strlen(who)) ? 0 : strlen(who)));
}

/* Reads all of a recording. 0; -1: it was left out, after a note; or an exit code. */
static int read_run(const char *path, const struct cli_reading *how, struct cli_past_run *out)
{
    int code = cli_sides_try(path, how, cli_sides_all, &out->series, &out->said);

    if (!code && out->series.n)
        return 0;
    if (code != EXIT_BUG)
        leave_out(path, code ? out->said : NULL);
    free_run(out);
    *out = (struct cli_past_run){0};
    return code == EXIT_BUG ? code : -1;
}

const char *cli_past_newest(struct cli_past *p, const struct cli_reading *how, int *code)
{
    char word[CLI_SHELL_WORD];

    for (*code = -1; p->all.n && *code < 0;) {
        struct cli_past_run run = {0};

        *code = read_run(p->all.path[p->all.n - 1], how, &run);
        if (*code < 0)
            free(p->all.path[--p->all.n]);
        free_run(&run);
    }
    if (!*code)
        return p->all.path[p->all.n - 1];
    if (*code < 0) {
        cli_say(
            "--baseline: %s holds no recording that can be read: 'tdprobe record --baseline %s -- command' adds one",
            p->folder, cli_shell_word(p->folder, word));
        *code = EXIT_INPUT;
    }
    return NULL;
}

/* ---- which of them ----------------------------------------------------------------------------- */

/* n: those before, of which each could be read. */
static int none_fits(const struct cli_past *p, size_t end, size_t n)
{
    char word[CLI_SHELL_WORD];

    if (!end) {
        cli_say("--baseline: %s holds no recording before %s: there is nothing to compare it with yet", p->folder,
                strrchr(p->all.path[0], '/') + 1);
        return EXIT_INPUT;
    }
    if (!n) {
        cli_say("--baseline: %s holds no other recording that can be read: "
                "'tdprobe record --baseline %s -- command' adds one",
                p->folder, cli_shell_word(p->folder, word));
        return EXIT_INPUT;
    }
    cli_say("--baseline: of the %zu earlier recordings in %s none is of host %s and CPU %s: "
            "'tdprobe record --baseline %s -- command' there adds one",
            n, p->folder, p->host ? p->host : "(not recorded)", p->cpu ? p->cpu : "(not recorded)",
            cli_shell_word(p->folder, word));
    return EXIT_INPUT;
}

static void reverse(struct cli_past_run *run, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const struct cli_past_run kept = run[i];

        run[i] = run[n - 1 - i];
        run[n - 1 - i] = kept;
    }
}

/* Looks whose a recording is, and reads it if it fits. 0: it was read; -1: it was left out after a note; -2: it is of
 * another host or CPU; or an exit code. */
static int pick_one(struct cli_past *p, size_t at, const struct cli_reading *look_how, const struct cli_reading *how,
                    struct beside *b)
{
    struct cli_past_run *run = &p->picked[p->n];
    int code;

    *b = (struct beside){.past = p};
    code = cli_sides_try(p->all.path[at], look_how, look, b, &run->said);
    if (code && code != EXIT_BUG)
        leave_out(p->all.path[at], run->said);
    free(run->said);
    *run = (struct cli_past_run){.at = at};
    if (code || !b->fits)
        return code == EXIT_BUG ? code : code ? -1 : -2;
    code = read_run(p->all.path[at], how, run);
    run->at = at;
    return code;
}

static void say_picked(const struct cli_past *p, size_t others)
{
    cli_say("compared with %zu recording%s of %s, from %s on", p->n, p->n > 1 ? "s" : "", p->folder,
            strrchr(p->all.path[p->picked[0].at], '/') + 1);
    if (others)
        cli_say("%zu of these %s of another command than '%s'", others, others > 1 ? "are" : "is", p->command);
}

/* The last ones of those before the end-th. */
static int pick(struct cli_past *p, size_t end, const struct cli_reading *look_how, const struct cli_reading *how)
{
    size_t others = 0, unread = 0;

    p->picked = calloc((size_t)p->last, sizeof(*p->picked));
    if (!p->picked)
        return cli_no_memory();
    for (size_t i = end; i-- > 0 && p->n < (size_t)p->last;) {
        struct beside b;
        const int code = pick_one(p, i, look_how, how, &b);

        if (code > 0)
            return code;
        unread += code == -1;
        others += !code && b.other;
        p->n += !code;
    }
    if (!p->n)
        return none_fits(p, end, end - unread);
    reverse(p->picked, p->n);
    say_picked(p, others);
    return 0;
}

int cli_past_before(struct cli_past *p, const char *path, const struct cli_reading *how)
{
    const size_t end = cli_history_find(&p->all, path);
    const int code = cli_sides_take(path, how, true, take_origin, p);

    return code ? code : pick(p, end, how, how);
}

int cli_past_here(struct cli_past *p, struct td *td, const char *command, const struct cli_reading *how)
{
    struct td_origin_info here = {.size = sizeof(here)};

    td_origin_about(td, &here);
    if (!keep(here.host, &p->host) || !keep(here.cpu, &p->cpu) || !keep(command, &p->command))
        return cli_no_memory();
    return pick(p, p->all.n, &(struct cli_reading){0}, how);
}

/* Passes on notes that were kept, line by line. */
static void say_again(char *said)
{
    char *line;

    while (said && (line = strsep(&said, "\n")))
        if (strlen(line) > strlen("tdprobe: "))
            cli_say("%s", line + strlen("tdprobe: "));
}

int cli_past_give(struct cli_past *p, struct cli_sides *sides)
{
    int code = sides->n ? 0 : cli_sides_begin(sides, p->name);

    for (size_t i = 0; !code && i < p->n; i++) {
        say_again(p->picked[i].said);
        code = cli_sides_give(sides, 0, &p->picked[i].series);
    }
    return code;
}
