/* SPDX-License-Identifier: MIT */
#include "cli/report/additions.h"

#include "cli/cli.h"
#include "cli/nearest.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 3 /* functions that a message names */, MESSAGE = 4096 };

/* ---- functions that are not there -------------------------------------------------------- */

/* What messages may name: a function with a name. */
static bool has_name(const struct td_function *f)
{
    return !f->code && f->dso && *f->name != '[';
}

/* "'main', 'parse'": of those with most slots, which come first. */
static const char *first_names(const struct td_functions *all, char *buf)
{
    size_t used = 0, n = 0;

    for (size_t i = 0; i < all->n && n < NAMES && used < MESSAGE / 2; i++)
        if (has_name(all->function[i])) {
            used += (size_t)snprintf(buf + used, MESSAGE / 4, "%s'%.200s'", n ? ", " : "", all->function[i]->name);
            n++;
        }
    return n ? buf : NULL;
}

/* Why functions have no names, and what would name them. */
static void tell_unnamed(const struct td_functions_report *r)
{
    char text[TD_FUNCTIONS_TEXT];

    for (size_t i = 0; td_functions_unnamed(r, i, text); i++)
        cli_say("%s", text);
}

static int no_function(const struct cli_annotate *c, struct td_functions_report *r)
{
    struct cli_nearest nearest = cli_nearest(c->function);
    char text[MESSAGE];
    const char *names;

    if (td_functions_sort((struct td_functions *)(uintptr_t)r->functions, TD_FUNCTIONS_BY_SLOTS))
        return cli_no_memory();
    names = first_names(r->functions, text);
    for (size_t i = 0; i < r->functions->n; i++)
        if (has_name(r->functions->function[i]))
            cli_nearest_try(&nearest, r->functions->function[i]->name);
    if (*c->function == '[')
        cli_say("%s: --annotate shows functions with names, and %s has none%s%s", r->name, c->function,
                names ? "; those with most slots: " : "", names ? names : "");
    else if (nearest.best)
        cli_say("%s: no interval ended in a function '%s'; did you mean '%s'?", r->name, c->function, nearest.best);
    else if (names)
        cli_say("%s: no interval ended in a function '%s'; those with most slots: %s; 'tdprobe report' lists all",
                r->name, c->function, names);
    else
        cli_say("%s: no interval ended in a function '%s', nor in any other with a name", r->name, c->function);
    tell_unnamed(r);
    return EXIT_UNABLE;
}

/* The function is elsewhere than --dso says. */
static int no_dso(const struct cli_annotate *c, const struct td_functions_report *r)
{
    for (size_t i = 0; i < r->functions->n; i++) {
        const struct td_function *f = r->functions->function[i];

        if (has_name(f) && !strcmp(f->name, c->function)) {
            cli_say("%s: '%s' is not in %s, but in %s: --dso %s, or leave --dso out", r->name, c->function, c->dso,
                    f->dso, f->dso);
            return EXIT_UNABLE;
        }
    }
    return -1;
}

/* ---- finding them ---------------------------------------------------------------------------- */

/* Whether the samples in it were told apart. */
static bool is_split(const struct td_functions *all, const struct td_function *f)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->function[i]->code && all->function[i]->code->function == f->name)
            return true;
    return false;
}

static int add(struct cli_annotate *c, struct td *td, const struct td_functions_report *r, const struct td_function *f)
{
    struct td_annotated *grown = realloc(c->found, (c->n + 1) * sizeof(*grown));
    struct td_code **code = realloc(c->code, (c->n + 1) * sizeof(struct td_code *));
    int err;

    c->found = grown ? grown : c->found;
    c->code = code ? code : c->code;
    if (!grown || !code)
        return cli_no_memory();
    err = td_code_open(td, f->name, &code[c->n]);
    if (err)
        return cli_library_error(td, err);
    err = td_annotated_make(r->functions, f, code[c->n], r->limit, &grown[c->n]);
    c->n++;
    return err ? cli_no_memory() : 0;
}

int cli_annotate_find(struct cli_annotate *c, struct td *td, struct td_functions_report *r)
{
    const struct td_functions *all = r->functions;
    int code = 0;

    for (size_t i = 0; i < all->n && !code; i++) {
        const struct td_function *f = all->function[i];

        if (has_name(f) && !strcmp(f->name, c->function) && is_split(all, f))
            code = add(c, td, r, f);
    }
    if (!code && !c->n)
        code = no_dso(c, r);
    if (code)
        return code < 0 ? no_function(c, r) : code;
    r->annotated = c->found;
    r->nannotated = c->n;
    return 0;
}

void cli_annotate_free(struct cli_annotate *c)
{
    for (size_t i = 0; i < c->n; i++) {
        td_annotated_free(&c->found[i]);
        td_code_free(c->code[i]);
    }
    free(c->found);
    free(c->code);
    c->n = 0;
}
