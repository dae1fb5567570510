/* SPDX-License-Identifier: MIT */
#include "report/functions/annotation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- source ------------------------------------------------------------------------- */

const struct td_code_source *td_annotated_source(const struct td_annotated *a, const char *file)
{
    for (size_t i = 0; file && i < a->code->sources; i++)
        if (a->code->source[i].file == file)
            return &a->code->source[i];
    return NULL;
}

const char *td_annotated_text(const struct td_annotated *a, const char *file, unsigned line)
{
    const struct td_code_source *s = td_annotated_source(a, file);

    return s && line && line <= s->lines ? s->text[line - 1] : NULL;
}

/* ---- instructions ---------------------------------------------------------------------- */

static bool is_of(const struct td_annotated *a, const struct td_function *f, bool instruction)
{
    return f->code && f->code->function == a->function->name && f->of->core == a->function->of->core &&
           !strcmp(f->kind, instruction ? "instruction" : "line");
}

/* An instruction that was seen. While they are collected, their offsets are those in the file. */
static struct td_annotated_instruction seen_at(const struct td_annotated *a, const struct td_function *f)
{
    const struct td_code *c = a->code;
    const bool of_memory = c->status == TD_CODE_KERNEL || c->status == TD_CODE_NOT_KEPT;
    const uint64_t from = f->code->offset - c->offset;

    return (struct td_annotated_instruction){.offset = f->code->offset,
                                             .address = of_memory ? f->code->offset : c->address + from,
                                             .addressed = of_memory || (c->address && (!c->made || from < c->size)),
                                             .seen = f,
                                             .file = f->code->file,
                                             .line = f->code->line};
}

static int by_offset(const void *a, const void *b)
{
    const struct td_annotated_instruction *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Gives the instructions that were seen their texts from the code, and adds those that were not seen. Both lists are
 * sorted by offset. */
static void merge(struct td_annotated *a, size_t seen)
{
    const struct td_code *c = a->code;
    size_t at = 0;

    for (size_t i = 0; i < c->instructions; i++) {
        const struct td_code_instruction *from = &c->instruction[i];

        while (at < seen && a->instruction[at].offset < from->offset)
            at++;
        if (at < seen && a->instruction[at].offset == from->offset) {
            a->instruction[at].text = from->text;
            a->instruction[at].address = from->address;
            a->instruction[at].addressed = true;
        } else
            a->instruction[a->instructions++] = (struct td_annotated_instruction){.offset = from->offset,
                                                                                  .address = from->address,
                                                                                  .addressed = true,
                                                                                  .text = from->text,
                                                                                  .file = from->file,
                                                                                  .line = from->line};
    }
}

static int collect(struct td_annotated *a, const struct td_functions *all)
{
    size_t seen = 0;

    for (size_t i = 0; i < all->n; i++)
        seen += is_of(a, all->function[i], true);
    a->instruction = calloc(a->code->instructions + seen + 1, sizeof(*a->instruction));
    if (!a->instruction)
        return -ENOMEM;
    for (size_t i = 0; i < all->n; i++)
        if (is_of(a, all->function[i], true))
            a->instruction[a->instructions++] = seen_at(a, all->function[i]);
    qsort(a->instruction, a->instructions, sizeof(*a->instruction), by_offset);
    merge(a, seen);
    return 0;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Compares files by name, but the function's own comes first. */
static int by_file(const char *a, const char *b, const char *own)
{
    if (a == b)
        return 0;
    if (!a || !b)
        return a ? -1 : 1;
    if (a == own || b == own)
        return a == own ? -1 : 1;
    return strcmp(a, b);
}

static int by_line(const void *a, const void *b, void *own)
{
    const struct td_annotated_instruction *x = a, *y = b;
    const int file = by_file(x->file, y->file, own);

    if (file)
        return file;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : by_offset(a, b);
}

/* The file that the first instruction with a line comes from. */
static const char *own_file(const struct td_annotated *a)
{
    const struct td_annotated_instruction *first = NULL;

    for (size_t i = 0; i < a->instructions; i++)
        if (a->instruction[i].file && (!first || a->instruction[i].offset < first->offset))
            first = &a->instruction[i];
    return first ? first->file : NULL;
}

static int group(struct td_annotated *a)
{
    a->line = calloc(a->instructions + 1, sizeof(*a->line));
    if (!a->line)
        return -ENOMEM;
    for (size_t i = 0; i < a->instructions; i++) {
        struct td_annotated_instruction *x = &a->instruction[i];
        struct td_annotated_line *last = a->lines ? &a->line[a->lines - 1] : NULL;

        if (!last || last->file != x->file || last->line != x->line)
            a->line[a->lines++] = (struct td_annotated_line){
                .file = x->file, .line = x->line, .text = td_annotated_text(a, x->file, x->line), .first = i};
        a->line[a->lines - 1].n++;
        x->offset -= a->code->offset;
    }
    return 0;
}

static struct td_annotated_line *find_line(struct td_annotated *a, const struct td_code_at *code, const char *own)
{
    size_t from = 0, to = a->lines;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct td_annotated_line *l = &a->line[middle];
        const int file = by_file(l->file, code->file, own);

        if (file < 0 || (!file && l->line < code->line))
            from = middle + 1;
        else
            to = middle;
    }
    return from < a->lines && a->line[from].file == code->file && a->line[from].line == code->line ? &a->line[from]
                                                                                                   : NULL;
}

/* ---- what is shown ---------------------------------------------------------------------------- */

struct seen {
    const struct td_function *seen;
    bool *shown;
    size_t at; /* its index: of several with the same slots the first is shown */
};

static int by_slots(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    if (x->seen->slots != y->seen->slots)
        return x->seen->slots < y->seen->slots ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void add_seen(struct seen *all, size_t *n, const struct td_function *seen, size_t limit, bool *shown)
{
    *shown = !limit;
    if (seen) {
        all[*n] = (struct seen){seen, shown, *n};
        ++*n;
    }
}

static void show_first(struct seen *all, size_t n, size_t limit)
{
    qsort(all, n, sizeof(*all), by_slots);
    for (size_t i = 0; i < n && i < limit; i++)
        *all[i].shown = true;
}

static int choose(struct td_annotated *a, size_t limit)
{
    struct seen *all = calloc(a->instructions + 1, sizeof(*all)); /* there are no more lines */
    size_t n = 0;

    if (!all)
        return -ENOMEM;
    for (size_t i = 0; i < a->lines; i++)
        add_seen(all, &n, a->line[i].seen, limit, &a->line[i].shown);
    show_first(all, n, limit);
    n = 0;
    for (size_t i = 0; i < a->instructions; i++)
        add_seen(all, &n, a->instruction[i].seen, limit, &a->instruction[i].shown);
    show_first(all, n, limit);
    free(all);
    return 0;
}

int td_annotated_make(const struct td_functions *all, const struct td_function *f, const struct td_code *code,
                      size_t limit, struct td_annotated *out)
{
    const char *own;
    int err;

    *out = (struct td_annotated){.function = f, .code = code};
    err = collect(out, all);
    own = err ? NULL : own_file(out);
    if (!err) {
        qsort_r(out->instruction, out->instructions, sizeof(*out->instruction), by_line, (void *)(uintptr_t)own);
        err = group(out);
    }
    for (size_t i = 0; i < all->n && !err; i++) {
        struct td_annotated_line *l =
            is_of(out, all->function[i], false) ? find_line(out, all->function[i]->code, own) : NULL;

        if (l)
            l->seen = all->function[i];
    }
    return err ? err : choose(out, limit);
}

void td_annotated_free(struct td_annotated *a)
{
    free(a->line);
    free(a->instruction);
    *a = (struct td_annotated){.lines = 0};
}

/* ---- one after the other --------------------------------------------------------------------------- */

double td_annotated_share(const struct td_annotated *a, const struct td_function *seen)
{
    return seen && a->function->slots > 0 ? seen->slots / a->function->slots : (double)NAN;
}

struct td_annotated_walk td_annotated_begin(const struct td_annotated *a)
{
    return (struct td_annotated_walk){.a = a};
}

/* The next instruction of the line that is shown; NULL: there is none any more. */
static const struct td_annotated_instruction *next_instruction(struct td_annotated_walk *w)
{
    const struct td_annotated_line *l = &w->a->line[w->line];

    while (w->instruction < l->first + l->n) {
        const struct td_annotated_instruction *i = &w->a->instruction[w->instruction++];

        if (i->seen && i->shown)
            return i;
    }
    return NULL;
}

bool td_annotated_next(struct td_annotated_walk *w, struct td_annotated_row *out)
{
    const struct td_annotated *a = w->a;
    const struct td_annotated_instruction *i = w->in_line ? next_instruction(w) : NULL;

    *out = (struct td_annotated_row){.function = a->function->name};
    if (!w->begun) {
        w->begun = true;
        out->seen = a->function;
        out->addressed = a->code->address;
        out->address = a->code->address;
    } else if (i) {
        out->seen = i->seen;
        out->file = i->file;
        out->line = i->line;
        out->text = i->text;
        out->addressed = i->addressed;
        out->address = i->address;
    } else {
        w->line += w->in_line;
        while (w->line < a->lines && !(a->line[w->line].seen && a->line[w->line].shown))
            w->line++;
        w->in_line = w->line < a->lines;
        if (!w->in_line)
            return false;
        w->instruction = a->line[w->line].first;
        out->seen = a->line[w->line].seen;
        out->file = a->line[w->line].file;
        out->line = a->line[w->line].line;
        out->text = a->line[w->line].text;
    }
    out->share = td_annotated_share(a, out->seen);
    return true;
}
