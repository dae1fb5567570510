/* SPDX-License-Identifier: MIT */
#include "samples/code_of.h"

#include "util/room.h"
#include "util/text_clean.h"
#include "symbols/machine_code.h"
#include "symbols/source_text.h"

enum { PROBED = 1 << 16 /* bytes whose lines are looked up where instructions are not known */ };

/* The code that callers see, and what it points into: td_code_free() frees all of it. */
struct whole {
    struct td_code code; /* must be first: callers have a pointer to it */
    struct td_disassembly text;
    struct made_text { /* of each time that it was made, instead of text */
        const struct td_symbol *symbol;
        struct td_disassembly text;
    } * made;
    size_t nmade, made_room;
    struct td_source_text *source; /* by source: its text */
    unsigned *last_line; /* by source: its greatest line that code comes from */
    size_t sources_room, texts_room, last_room, instructions_room;
};

/* ---- files of source -------------------------------------------------------------------- */

/* The index of a file among the sources, to which it is added if it is new. Returns the number of sources where there
 * is no memory for that. */
static size_t source_of(struct whole *w, const char *file)
{
    struct td_code *c = &w->code;
    size_t i = 0;

    while (i < c->sources && c->source[i].file != file)
        i++;
    if (i < c->sources)
        return i;
    if (td_room(&c->source, &w->sources_room, i + 1, sizeof(*c->source)) ||
        td_room(&w->source, &w->texts_room, i + 1, sizeof(*w->source)) ||
        td_room(&w->last_line, &w->last_room, i + 1, sizeof(*w->last_line)))
        return i;
    c->source[i] = (struct td_code_source){.file = file};
    w->source[i] = (struct td_source_text){0};
    w->last_line[i] = 0;
    return c->sources++;
}

static int add_line(struct whole *w, const struct td_source_line *line)
{
    size_t i;

    if (!line->line)
        return 0;
    i = source_of(w, line->file);
    if (i == w->code.sources)
        return -ENOMEM;
    if (line->line > w->last_line[i])
        w->last_line[i] = line->line;
    return 0;
}

/* A program cannot have been built from lines that its source does not have. */
static enum td_source_status judge(const struct td_source_text *t, unsigned last_line, int64_t written)
{
    if (last_line > t->lines)
        return TD_SOURCE_CHANGED;
    return written && t->written > written ? TD_SOURCE_NEWER : TD_SOURCE_FOUND;
}

static int read_source(struct whole *w, size_t i, const char *root, int64_t written)
{
    struct td_code_source *s = &w->code.source[i];
    struct td_source_text *t = &w->source[i];
    const int err = td_source_text_read(root, s->file, t, &s->status);

    if (err || s->status != TD_SOURCE_FOUND)
        return err;
    s->status = judge(t, w->last_line[i], written);
    if (s->status == TD_SOURCE_CHANGED) {
        td_source_text_free(t);
        return 0;
    }
    for (size_t k = 0; k < t->lines; k++)
        td_text_mask(t->line[k], strlen(t->line[k]));
    s->text = (const char *const *)t->line;
    s->lines = t->lines;
    return 0;
}

/* ---- instructions ------------------------------------------------------------------------ */

static int take_instruction(struct whole *w, const struct td_dso *d, struct td_lines_of *lines, size_t i)
{
    struct td_code *c = &w->code;
    struct td_code_instruction *to = &c->instruction[i];
    struct td_source_line line;
    int err;

    *to = (struct td_code_instruction){.address = w->text.at[i].address, .text = w->text.text + w->text.at[i].text};
    to->offset = c->offset + (to->address - c->address);
    err = td_lines_of_find(lines, d, to->offset, &line);
    to->file = line.line ? line.file : NULL;
    to->line = line.line;
    return err ? err : add_line(w, &line);
}

static int take_instructions(struct whole *w, const struct td_dso *d, struct td_lines_of *lines)
{
    int err = 0;

    w->code.instruction = calloc(w->text.n + 1, sizeof(*w->code.instruction));
    if (!w->code.instruction)
        return -ENOMEM;
    for (; w->code.instructions < w->text.n && !err; w->code.instructions++)
        err = take_instruction(w, d, lines, w->code.instructions);
    return err;
}

/* Where instructions are not known, any byte may begin one. */
static int probe_lines(struct whole *w, const struct td_dso *d, struct td_lines_of *lines)
{
    struct td_source_line line;
    int err = 0;

    for (uint64_t i = 0; i < w->code.size && i < PROBED && !err; i++) {
        err = td_lines_of_find(lines, d, w->code.offset + i, &line);
        err = err ? err : add_line(w, &line);
    }
    return err;
}

static int take_all(struct whole *w, const struct td_dso *d, struct td_stores *stores, struct td_lines_of *lines)
{
    struct td_code *c = &w->code;
    const struct td_recorded_file file = td_dso_file(d);
    struct td_elf_code bytes = {0};
    int err = d->kernel ? 0 : td_elf_code_read(stores, &file, c->offset, c->offset + c->size, &bytes, &c->status);

    c->address = bytes.address;
    if (!err && bytes.bytes)
        err = td_disassemble(&bytes, &w->text, &c->status);
    if (!err)
        err = w->text.n ? take_instructions(w, d, lines) : probe_lines(w, d, lines);
    for (size_t i = 0; i < c->sources && !err; i++)
        err = read_source(w, i, stores->root, bytes.written);
    free(bytes.bytes);
    return err;
}

int td_code_of(const struct td_dso *d, uint64_t start, uint64_t end, struct td_stores *stores,
               struct td_lines_of *lines, struct td_code **out)
{
    struct whole *w = calloc(1, sizeof(*w));
    int err;

    *out = NULL;
    if (!w)
        return -ENOMEM;
    w->code = (struct td_code){
        .dso = d->path, .offset = start, .size = end - start, .status = d->kernel ? TD_CODE_KERNEL : TD_CODE_NO_FILE};
    err = take_all(w, d, stores, lines);
    if (err)
        td_code_free(&w->code);
    else
        *out = &w->code;
    return err;
}

/* ---- what was made ----------------------------------------------------------------------- */

static int by_code(const void *a, const void *b)
{
    const struct made_text *x = a, *y = b;

    return x->symbol->code < y->symbol->code ? -1 : x->symbol->code > y->symbol->code;
}

/* Finds each time that code was made under that name, in the order of the dump; what was moved is in it once. */
static int find_made(struct whole *w, const struct td_made_symbols *t, unsigned named)
{
    const struct td_symbol *s = NULL;
    size_t n = 0;

    while ((s = td_made_symbols_named(t, named, s))) {
        if (!s->code)
            continue;
        if (td_room(&w->made, &w->made_room, w->nmade + 1, sizeof(*w->made)))
            return -ENOMEM;
        w->made[w->nmade++] = (struct made_text){.symbol = s};
    }
    if (w->nmade)
        qsort(w->made, w->nmade, sizeof(*w->made), by_code);
    for (size_t i = 0; i < w->nmade; i++)
        if (!n || w->made[n - 1].symbol->code != w->made[i].symbol->code)
            w->made[n++] = w->made[i];
    w->nmade = n;
    return 0;
}

static int take_made(struct whole *w, const struct made_text *m)
{
    struct td_code *c = &w->code;

    if (td_room(&c->instruction, &w->instructions_room, c->instructions + m->text.n, sizeof(*c->instruction)))
        return -ENOMEM;
    for (size_t i = 0; i < m->text.n; i++) {
        const struct td_decoded *from = &m->text.at[i];

        c->instruction[c->instructions++] = (struct td_code_instruction){
            .offset = m->symbol->code + (from->address - m->symbol->start),
            .address = from->address,
            .text = m->text.text + from->text,
        };
    }
    return 0;
}

/* Disassembles each of them, up to TD_CODE_MOST bytes in all. */
static int read_made(struct whole *w, const struct td_stores *stores, uint32_t pid, const char *dump)
{
    struct td_code *c = &w->code;
    uint64_t all = 0;
    int err = 0;

    for (size_t i = 0; i < w->nmade && !err; i++) {
        struct made_text *m = &w->made[i];
        struct td_elf_code bytes = {0};

        all += m->symbol->end - m->symbol->start;
        if (all > TD_CODE_MOST) {
            c->status = TD_CODE_TOO_LARGE;
            return 0;
        }
        err = td_made_code_read(stores, pid, dump, m->symbol, &bytes, &c->status);
        if (!err && bytes.n)
            err = td_disassemble(&bytes, &m->text, &c->status);
        err = err ? err : take_made(w, m);
        free(bytes.bytes);
    }
    return err;
}

int td_code_of_made(const struct td_dso *d, const struct td_made_symbols *t, unsigned named, uint32_t pid,
                    const char *dump, const struct td_stores *stores, struct td_code **out)
{
    struct whole *w = calloc(1, sizeof(*w));
    int err;

    *out = NULL;
    if (!w)
        return -ENOMEM;
    w->code = (struct td_code){.dso = d->path, .made = true, .status = TD_CODE_NOT_KEPT};
    err = find_made(w, t, named);
    if (!err && w->nmade) {
        const struct td_symbol *first = w->made[0].symbol;

        w->code.offset = first->code;
        w->code.address = first->start;
        w->code.size = first->end - first->start;
        err = read_made(w, stores, pid, dump);
    }
    if (err)
        td_code_free(&w->code);
    else
        *out = &w->code;
    return err;
}

void td_code_free(struct td_code *c)
{
    struct whole *w = (struct whole *)c;

    if (!w)
        return;
    for (size_t i = 0; i < c->sources; i++)
        td_source_text_free(&w->source[i]);
    td_disassembly_free(&w->text);
    for (size_t i = 0; i < w->nmade; i++)
        td_disassembly_free(&w->made[i].text);
    free(w->made);
    free(w->source);
    free(w->last_line);
    free(c->source);
    free(c->instruction);
    free(w);
}

/* ---- words --------------------------------------------------------------------------------- */

const char *td_code_status_name(enum td_code_status status)
{
    static const char *const names[] = {[TD_CODE_OK] = "ok",
                                        [TD_CODE_KERNEL] = "kernel",
                                        [TD_CODE_NO_FILE] = "no_file",
                                        [TD_CODE_TOO_LARGE] = "too_large",
                                        [TD_CODE_OTHER_CPU] = "other_cpu",
                                        [TD_CODE_NOT_BUILT] = "not_built",
                                        [TD_CODE_NO_LIBRARY] = "no_library",
                                        [TD_CODE_NOT_KEPT] = "not_kept"};

    return (size_t)status < sizeof(names) / sizeof(*names) ? names[status] : NULL;
}

const char *td_source_status_name(enum td_source_status status)
{
    static const char *const names[] = {
        [TD_SOURCE_FOUND] = "found",     [TD_SOURCE_NEWER] = "newer",   [TD_SOURCE_CHANGED] = "changed",
        [TD_SOURCE_NO_FILE] = "no_file", [TD_SOURCE_DENIED] = "denied", [TD_SOURCE_NOT_TEXT] = "not_text"};

    return (size_t)status < sizeof(names) / sizeof(*names) ? names[status] : NULL;
}
