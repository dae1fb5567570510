/* SPDX-License-Identifier: MIT */
#include "cli/compare/baseline.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_past_open(struct cli_past *p)
{
    const int code = cli_history_list(p->folder, &p->all);

    if (code || p->all.n)
        return code;
    cli_say("--baseline: %s holds no recordings (*.trace): 'tdprobe record --baseline %s -- command' adds one", p->folder, p->folder);
    return EXIT_INPUT;
}

const char *cli_past_newest(const struct cli_past *p)
{
    return p->all.path[p->all.n - 1];
}

void cli_past_free(struct cli_past *p)
{
    cli_history_free(&p->all);
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
    struct td_origin_info from;

    td_origin_about(td, &from);
    return keep(from.host, &p->host) && keep(from.cpu, &p->cpu) && keep(from.command, &p->command) ? 0 : cli_no_memory();
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
    struct td_origin_info from;

    td_origin_about(td, &from);
    b->fits = same(from.host, b->past->host) && same(from.cpu, b->past->cpu);
    b->other = !same(from.command, b->past->command);
    return 0;
}

/* ---- which of them ----------------------------------------------------------------------------- */

static int none_fits(const struct cli_past *p, size_t end)
{
    if (!end) {
        cli_say("--baseline: %s holds no recording before %s: there is nothing to compare it with yet", p->folder, strrchr(p->all.path[0], '/') + 1);
        return EXIT_INPUT;
    }
    cli_say("--baseline: of the %zu earlier recordings in %s none is of host %s and CPU %s: 'tdprobe record --baseline %s -- command' there adds one", end,
            p->folder, p->host ? p->host : "(not recorded)", p->cpu ? p->cpu : "(not recorded)", p->folder);
    return EXIT_INPUT;
}

static void reverse(size_t *at, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const size_t kept = at[i];

        at[i] = at[n - 1 - i];
        at[n - 1 - i] = kept;
    }
}

/* The last ones of those before the end-th. */
static int pick(struct cli_past *p, size_t end, const struct cli_reading *how)
{
    size_t others = 0;
    int code = 0;

    p->picked = calloc((size_t)p->last, sizeof(*p->picked));
    if (!p->picked || asprintf(&p->name, "the last of %s", p->folder) < 0)
        return cli_no_memory();
    for (size_t i = end; !code && i-- > 0 && p->n < (size_t)p->last;) {
        struct beside b = {.past = p};

        code = cli_sides_take(p->all.path[i], how, true, look, &b);
        if (code || !b.fits)
            continue;
        p->picked[p->n++] = i;
        others += b.other;
    }
    if (code || !p->n)
        return code ? code : none_fits(p, end);
    reverse(p->picked, p->n);
    cli_say("compared with %zu recording%s of %s, from %s on", p->n, p->n > 1 ? "s" : "", p->folder, strrchr(p->all.path[p->picked[0]], '/') + 1);
    if (others)
        cli_say("%zu of these %s of another command than '%s'", others, others > 1 ? "are" : "is", p->command);
    return 0;
}

int cli_past_before(struct cli_past *p, const char *path, const struct cli_reading *how)
{
    const size_t end = cli_history_find(&p->all, path);
    const int code = cli_sides_take(path, how, true, take_origin, p);

    return code ? code : pick(p, end, how);
}

int cli_past_here(struct cli_past *p, const struct td *td, const char *command)
{
    struct td_origin_info here;

    td_origin_about(td, &here);
    if (!keep(here.host, &p->host) || !keep(here.cpu, &p->cpu) || !keep(command, &p->command))
        return cli_no_memory();
    return pick(p, p->all.n, &(struct cli_reading){0});
}

int cli_past_read(struct cli_past *p, struct cli_sides *sides, const struct cli_reading *how)
{
    int code = cli_sides_begin(sides, p->name);

    for (size_t i = 0; !code && i < p->n; i++)
        code = cli_sides_read(sides, p->all.path[p->picked[i]], true, how);
    return code;
}
