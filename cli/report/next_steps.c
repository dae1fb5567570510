/* SPDX-License-Identifier: MIT */
#include "cli/report/additions.h"

#include "cli/sampled_group.h"
#include "cli/shell.h"
#include "private/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What perf samples per second by default, and what the kernel allows, unless told otherwise (sysctl(8)). */
enum { USUAL_RATE = 4000, MOST_RATE = 100000 };

__attribute__((format(printf, 2, 3))) static void add(struct td_functions_report *r, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    if (vasprintf(&text, format, args) >= 0)
        for (size_t i = 0; i < TD_FUNCTIONS_NEXT; i++)
            if (!r->next[i]) {
                r->next[i] = text;
                text = NULL;
                break;
            }
    va_end(args);
    free(text);
}

/* The i-th function that is shown; NULL after the last. */
static const struct td_function *shown(const struct td_functions_report *r, size_t i)
{
    if (r->annotated)
        return i < r->nannotated ? r->annotated[i].function : NULL;
    return i < td_functions_shown(r) ? r->functions->function[i] : NULL;
}

/* The first function with a verdict. */
static const struct td_function *first_decided(const struct td_functions_report *r)
{
    const struct td_function *f = NULL;

    for (size_t i = 0; (f = shown(r, i)) && !f->of->verdict->node;)
        i++;
    return f;
}

/* Whether it has lines or instructions to show. */
static bool has_code(const struct td_function *f)
{
    return f->symbols == TD_SYMBOLS_FOUND && f->dso && *f->dso != '[' && *f->name != '[' &&
           !strcmp(f->kind, "function");
}

/* Of another program, which would be shown too. */
static bool is_alone(const struct td_functions *all, const struct td_function *f)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->function[i] != f && !strcmp(all->function[i]->name, f->name) && all->function[i]->dso != f->dso)
            return false;
    return true;
}

/* Its source and instructions. */
static void add_code(struct td_functions_report *r, const char *command, const struct td_function *f)
{
    char *const words[] = {(char *)(uintptr_t) "--annotate", (char *)(uintptr_t)f->name, (char *)(uintptr_t) "--dso",
                           (char *)(uintptr_t)f->dso, NULL};
    char *const alone[] = {words[0], words[1], NULL}, *const file[] = {(char *)(uintptr_t)r->name, NULL};
    char *what = cli_shell_join(command, is_alone(r->functions, f) ? alone : words),
         *whole = what ? cli_shell_join(what, file) : NULL;

    if (whole)
        add(r, "%s", whole);
    free(what);
    free(whole);
}

/* Its source and instructions, and what the node means. */
static void add_decided(struct td_functions_report *r, const char *command, const struct td_function *f)
{
    if (command && has_code(f))
        add_code(r, command, f);
    add(r, "tdprobe explain %s", f->of->verdict->node->name);
}

/* The smeared function that most may be lost in. */
static const struct td_function *first_smeared(const struct td_functions_report *r)
{
    const struct td_function *f;

    for (size_t i = 0; (f = shown(r, i)); i++)
        if (f->status == TD_PLACE_SMEARED && !isnan(td_function_smear(f).rate))
            return f;
    return NULL;
}

/* The events of level 1 in a group, as perf samples it. NULL: not known. */
static char *events_of(const char *cpus)
{
    static const pid_t any = 0;
    const struct td_live what = {.size = sizeof(struct td_live), .tasks = &any, .ntasks = 1};
    struct td *td = td_new();
    const char *events = NULL;
    char cpu[64], *text;

    snprintf(cpu, sizeof(cpu), "%.*s", (int)strcspn(cpus, "|"), cpus);
    if (td && !td_set_uarch(td, cpu) && !td_set_level(td, TD_LEVEL_TOP)) {
        td_set_fixed(td, true);
        events = td_plan_uarch(td, &what) ? NULL : td_plan(td, TD_PLAN_EVENTS, 0);
    }
    text = events ? cli_sampled_group(events, "cpu-cycles") : NULL;
    td_free(td);
    return text;
}

/* How close pairs must be. */
static void add_closer(struct td_functions_report *r, const struct td_function *f)
{
    const double want = (double)td_distances_median(&r->functions->distances) / td_function_smear(f).rate;

    if (want >= TD_PAIR_LEAST)
        add(r, "# %s: pairs %.0f %s apart may resolve it", f->name, want, r->about.paired);
    else
        add(r, "# %s: its turns are too short for pairs, which are at least %d %s apart", f->name, TD_PAIR_LEAST,
            r->about.paired);
}

static void add_smeared(struct td_functions_report *r, const struct td_function *f)
{
    const struct td_functions *all = r->functions;
    const double now = all->seconds > 0 ? (double)all->intervals / all->seconds : USUAL_RATE,
                 want = now * td_function_smear(f).rate;
    char *events = events_of(all->cpu);

    if (events && want <= MOST_RATE)
        add(r, "perf record -F %.0f -e '%s' -- command    # may resolve %s%s", want, events, f->name,
            td_function_smear(f).at_least ? ", if its turns are as long as they may be" : "");
    else if (events)
        add(r, "# %s: its turns are too short for any rate that the kernel allows (%d per second)", f->name, MOST_RATE);
    free(events);
}

void cli_next_steps(struct td_functions_report *r, const char *command)
{
    const struct td_function *decided = first_decided(r), *smeared = first_smeared(r);

    if (decided)
        add_decided(r, command, decided);
    if (smeared && td_function_smear(smeared).pairs)
        add_closer(r, smeared);
    else if (smeared)
        add_smeared(r, smeared);
}

void cli_next_steps_free(struct td_functions_report *r)
{
    for (size_t i = 0; i < TD_FUNCTIONS_NEXT; i++)
        free((void *)(uintptr_t)r->next[i]);
}
