/* SPDX-License-Identifier: MIT */
#include "report/functions/functions_stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Compares paths by the names of their functions, from the outermost on, so that what is called comes right after its
 * caller. */
static int compare_paths(const char *p, const char *q)
{
    while (*p && *p == *q)
        p++, q++;
    if (*p == *q)
        return 0;
    if (!*p || !*q)
        return *p ? 1 : -1;
    if (*p == ';' || *q == ';')
        return *p == ';' ? -1 : 1;
    return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
}

/* Compares by kind of core, then by path; mostly without looking at the functions, which are anywhere in memory. */
static int compare(const void *a, const void *b)
{
    const struct td_stack *x = a, *y = b;
    const int core = x->core == y->core ? 0 : strcmp(x->core ? x->core : "", y->core ? y->core : "");

    if (core)
        return core;
    for (size_t i = 0; i < 2; i++)
        if (x->first[i] != y->first[i])
            return x->first[i] < y->first[i] ? -1 : 1;
    return compare_paths(x->function->name, y->function->name);
}

/* So that most comparisons need no look at the names. A path is followed by what it calls, before names that are longer
 * by another byte. */
static void take_first(const char *name, uint64_t first[2])
{
    for (size_t i = 0; i < 2 * sizeof(*first); i++) {
        first[i / sizeof(*first)] = first[i / sizeof(*first)] << 8 | (unsigned char)(*name == ';' ? 1 : *name);
        name += *name != '\0';
    }
}

static struct td_stack stack_of(const struct td_function *f)
{
    struct td_stack s = {.function = f, .core = f->of->core, .self = f->slots};
    const char *frame = f->name;

    take_first(f->name, s.first);
    for (const char *end; (end = strchr(frame, ';')); s.depth++)
        frame = end + 1;
    s.frame = (uint32_t)(frame - f->name);
    return s;
}

/* Places a stack after what its caller called before. open: by depth, the index of the path's last stack. */
static void place(struct td_stacks *all, size_t i, size_t *open, double *end)
{
    struct td_stack *s = &all->stack[i], *caller = s->depth ? &all->stack[open[s->depth - 1]] : NULL;

    s->at = end[s->depth];
    end[s->depth] += s->function->slots;
    end[s->depth + 1] = s->at;
    open[s->depth] = i;
    all->depth = s->depth > all->depth ? s->depth : all->depth;
    if (caller)
        caller->self -= s->function->slots;
    else
        all->slots += s->function->slots;
}

int td_stacks_of(const struct td_functions *f, struct td_stacks *out)
{
    size_t *open, most = 0;
    double *end;

    *out = (struct td_stacks){.stack = calloc(f->n + 1, sizeof(*out->stack)), .n = f->n};
    for (size_t i = 0; out->stack && i < f->n; i++) {
        td_functions_fetch(f, i);
        out->stack[i] = stack_of(f->function[i]);
        most = out->stack[i].depth > most ? out->stack[i].depth : most;
    }
    open = calloc(most + 1, sizeof(*open));
    end = calloc(most + 2, sizeof(*end));
    if (out->stack && open && end) {
        qsort(out->stack, out->n, sizeof(*out->stack), compare);
        for (size_t i = 0; i < out->n; i++)
            place(out, i, open, end);
    }
    free(open);
    free(end);
    return out->stack && open && end ? 0 : -ENOMEM;
}

void td_stacks_free(struct td_stacks *s)
{
    free(s->stack);
    *s = (struct td_stacks){.n = 0};
}
