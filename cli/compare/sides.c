/* SPDX-License-Identifier: MIT */
#include "cli/compare/sides.h"

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/reading.h"
#include "private/result.h"
#include "stats/scope_of.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one recording, as replay reads it --------------------------------------------- */

static int add(void *series, const struct td_result *r)
{
    return td_series_add(series, r);
}

/* Of samples: an interval alone is of several places. */
static int take_places(struct td *td, struct td_series *out)
{
    struct td_functions f = {.seed = 1, .confidence = 0.95};
    int code = cli_places_read(td, &f);

    if (!code && td_series_add_functions(out, &f))
        code = cli_no_memory();
    td_functions_free(&f);
    return code;
}

int cli_sides_all(struct td *td, void *series)
{
    struct td_samples_info info = {.size = sizeof(info)};
    int code;

    if (!td_samples_about(td, &info))
        return take_places(td, series);
    code = cli_each_interval(td, add, series);
    return code ? code : cli_each_sum(td, add, series);
}

static int open_and_take(struct cli_options *s, const char *path, const struct cli_reading *how, cli_take_fn *take,
                         void *ctx)
{
    struct cli_input in;
    int code = cli_reading_apply(how, s), err;

    code = code ? code : cli_input_open(s, path, "compare", &in);
    if (code)
        return code;
    err = cli_input_begin(&in, s->td);
    code = err ? cli_library_error(s->td, err) : take(s->td, ctx);
    cli_input_close(&in);
    return code;
}

static int take_of(const char *path, const struct cli_reading *how, bool quiet, bool plain, cli_take_fn *take,
                   void *ctx)
{
    struct cli_options set = {.plain = plain};
    int code = cli_options_begin(&set);

    if (code)
        return code;
    if (quiet)
        td_set_note(set.td, NULL, NULL);
    code = open_and_take(&set, path, how, take, ctx);
    td_free(set.td);
    return code;
}

int cli_sides_take(const char *path, const struct cli_reading *how, bool quiet, cli_take_fn *take, void *ctx)
{
    return take_of(path, how, quiet, false, take, ctx);
}

static int keep_message(void *file, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, file) == n ? 0 : -ENOMEM;
}

int cli_sides_try(const char *path, const struct cli_reading *how, cli_take_fn *take, void *ctx, char **said)
{
    size_t n;
    FILE *kept = open_memstream(said, &n);
    int code;

    if (!kept)
        return cli_no_memory();
    cli_say_through(keep_message, kept);
    code = take_of(path, how, false, true, take, ctx);
    cli_say_through(NULL, NULL);
    return fclose(kept) ? cli_no_memory() : code;
}

/* ---- sides ----------------------------------------------------------------------------- */

int cli_sides_begin(struct cli_sides *s, const char *name)
{
    const size_t size = 4 * strlen(name) + 1; /* each byte an escape */
    struct td_side *grown = realloc(s->side, (s->n + 1) * sizeof(*grown));
    char *shown = malloc(size);

    s->side = grown ? grown : s->side;
    if (!grown || !shown) {
        free(shown);
        return cli_no_memory();
    }
    memcpy(shown, name, strlen(name) + 1);
    grown[s->n++] = (struct td_side){.name = td_printable(shown, size)};
    return 0;
}

int cli_sides_run(struct cli_sides *s, size_t i)
{
    struct td_side *to = &s->side[i];
    struct td_series *grown = realloc(to->run, (to->n + 1) * sizeof(*grown));

    if (!grown)
        return cli_no_memory();
    to->run = grown;
    grown[to->n++] = (struct td_series){0};
    return 0;
}

int cli_sides_give(struct cli_sides *s, size_t i, struct td_series *series)
{
    const int code = cli_sides_run(s, i);

    if (code)
        return code;
    s->side[i].run[s->side[i].n - 1] = *series;
    *series = (struct td_series){0};
    return 0;
}

/* ---- recordings that were appended to one file ------------------------------------------------ */

/* A file as one recording, and as several: a reading without a time of a scope that was there before is of the next. */
struct appended {
    struct td_series whole, *run;
    size_t n;
    bool timed;
};

static int add_run(struct appended *a)
{
    struct td_series *grown = realloc(a->run, (a->n + 1) * sizeof(*grown));

    if (!grown)
        return -ENOMEM;
    a->run = grown;
    grown[a->n++] = (struct td_series){0};
    return 0;
}

static int add_reading(void *appended, const struct td_result *r)
{
    const struct td_scope_id id = td_scope_of(r);
    struct appended *a = appended;
    uint64_t ns;
    int err = td_series_add(&a->whole, r);

    a->timed = a->timed || td_result_time(r, &ns);
    if (a->timed || err)
        return err;
    if (!a->n || td_series_find(&a->run[a->n - 1], &id))
        err = add_run(a);
    return err ? err : td_series_add_all(&a->run[a->n - 1], r);
}

static int take_appended(struct td *td, void *appended)
{
    struct td_samples_info info = {.size = sizeof(info)};
    struct appended *a = appended;
    int code;

    if (!td_samples_about(td, &info))
        return take_places(td, &a->whole);
    code = cli_each_interval(td, add_reading, a);
    return code ? code : cli_each_sum(td, add, &a->whole);
}

/* Whether a run has all that the whole file has: runs that count other events each are one recording. */
static bool has_all(const struct td_series *run, const struct td_series *whole)
{
    for (size_t i = 0; i < whole->n; i++) {
        const struct td_series_scope *w = &whole->scope[i], *s;
        const struct td_scope_id id = {w->kind, w->name, w->core, strlen(w->name)};

        s = td_series_find(run, &id);
        if (!s || s->n != w->n)
            return false;
        for (size_t k = 0; k < w->n; k++)
            if (strcmp(s->metric[k].name, w->metric[k].name) != 0 ||
                (isnan(s->metric[k].value) && !isnan(w->metric[k].value)))
                return false;
    }
    return true;
}

static bool are_runs(const struct appended *a)
{
    bool all = a->n > 1 && !a->timed;

    for (size_t i = 0; i < a->n && all; i++)
        all = has_all(&a->run[i], &a->whole);
    return all;
}

/* Gives the last side the runs, or all as one run. */
static int give_runs(struct cli_sides *s, struct appended *a)
{
    const bool runs = are_runs(a);
    int code = runs ? 0 : cli_sides_give(s, s->n - 1, &a->whole);

    for (size_t i = 0; i < a->n && !code && runs; i++)
        code = cli_sides_give(s, s->n - 1, &a->run[i]);
    return code;
}

int cli_sides_read(struct cli_sides *s, const char *path, bool run, const struct cli_reading *how)
{
    int code = run && s->n ? 0 : cli_sides_begin(s, path);
    struct appended a = {.n = 0};

    code = code ? code : cli_sides_take(path, how, false, take_appended, &a);
    if (!code && !a.whole.n) {
        cli_say("%s: holds no interval to compare: record for longer", path);
        code = EXIT_INPUT;
    }
    code = code ? code : give_runs(s, &a);
    td_series_free(&a.whole);
    for (size_t i = 0; i < a.n; i++)
        td_series_free(&a.run[i]);
    free(a.run);
    return code;
}

void cli_sides_cut(struct cli_sides *s, size_t first, size_t n)
{
    for (size_t i = first; i < s->n; i++)
        while (s->side[i].n > n)
            td_series_free(&s->side[i].run[--s->side[i].n]);
}

void cli_sides_free(struct cli_sides *s)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->side[i].n; k++)
            td_series_free(&s->side[i].run[k]);
        free(s->side[i].run);
        free((char *)s->side[i].name);
    }
    free(s->side);
}
