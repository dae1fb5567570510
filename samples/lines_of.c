/* SPDX-License-Identifier: MIT */
#include "samples/lines_of.h"

#include "util/hash_index.h"
#include "util/room.h"
#include "util/text_clean.h"
#include "symbols/lines.h"
#include "symbols/symbols.h"

#include <stdio.h>

struct td_lines_of {
    struct td_stores *stores;
    struct td_same_files *same;
    struct loaded_lines {
        bool tried;
        struct td_lines *lines; /* NULL: it has none */
    } * loaded; /* by the number of the first dso that is this file: td_same_files_first() */
    size_t nloaded;
    char **text; /* by number: names of files and of functions */
    size_t texts, text_room;
    struct td_hash_index hashes;
};

/* The file's path with its folder, safe to print; the caller's. NULL: out of memory. */
static char *path_of(const struct td_line *line)
{
    const size_t folder = line->folder ? strlen(line->folder) : 0, len = folder + strlen(line->file) + 1;
    char *path = malloc(len + 1), *shown;

    if (!path)
        return NULL;
    snprintf(path, len + 1, "%s%s%s", folder ? line->folder : "", folder ? "/" : "", line->file);
    shown = td_text_copy(path, strlen(path));
    free(path);
    return shown;
}

/* Finds the number of a text, or gives it one, and takes the text over. text NULL: the caller had no memory.
 * -ENOMEM. */
static int number_of(struct td_lines_of *l, char *text, uint32_t *number)
{
    const size_t len = text ? strlen(text) : 0;
    long at;

    if (!text || td_hash_room(&l->hashes) || td_room(&l->text, &l->text_room, l->texts + 1, sizeof(*l->text))) {
        free(text);
        return -ENOMEM;
    }
    for (at = td_hash_first(&l->hashes, td_hash(&l->hashes, text, len)); at >= 0 && strcmp(l->text[at], text);)
        at = td_hash_next(&l->hashes, at);
    *number = at < 0 ? (uint32_t)l->texts : (uint32_t)at;
    if (at >= 0) {
        free(text);
        return 0;
    }
    td_hash_add(&l->hashes, td_hash(&l->hashes, text, len));
    l->text[l->texts++] = text;
    return 0;
}

static int load(struct td_lines_of *l, const struct td_dso *d, struct td_lines **out)
{
    const struct td_recorded_file file = td_dso_file(d);
    struct loaded_lines *of;
    uint32_t number;
    int err = td_same_files_first(l->same, l->stores, d, &number);

    if (err || td_room_zeroed(&l->loaded, &l->nloaded, number + 1, sizeof(*l->loaded)))
        return -ENOMEM;
    of = &l->loaded[number];
    if (!of->tried && d->file && !d->kernel && td_dso_is_certain(l->stores, d))
        err = td_lines_of_file(l->stores, &file, &of->lines);
    of->tried = true;
    *out = of->lines;
    return err;
}

int td_lines_of_find(struct td_lines_of *l, const struct td_dso *d, uint64_t offset, struct td_source_line *out)
{
    struct td_lines *lines;
    struct td_line line;
    int err = load(l, d, &lines);

    *out = (struct td_source_line){0};
    if (err || !lines || !td_lines_find(lines, offset, &line))
        return err;
    err = number_of(l, path_of(&line), &out->number);
    if (err)
        return err;
    out->file = l->text[out->number];
    out->line = line.line;
    return 0;
}

/* A linker's name in the source's spelling, safe to print; the caller's. NULL: out of memory. */
static char *name_of(const char *linked)
{
    char *name = td_symbol_name(&(struct td_symbol){.name = linked}),
         *shown = name ? td_text_copy(name, strlen(name)) : NULL;

    free(name);
    return shown;
}

int td_lines_of_inlined(struct td_lines_of *l, const struct td_dso *d, uint64_t offset,
                        struct td_inlined out[TD_INLINED_MAX], size_t *n)
{
    const char *name[TD_INLINED_MAX];
    struct td_lines *lines;
    int err = load(l, d, &lines);

    *n = !err && lines ? td_lines_inlined(lines, offset, name, TD_INLINED_MAX) : 0;
    for (size_t i = 0; i < *n && !err; i++) {
        err = number_of(l, name_of(name[i]), &out[i].number);
        out[i].name = err ? NULL : l->text[out[i].number];
    }
    return err;
}

struct td_lines_of *td_lines_of_new(struct td_stores *stores, struct td_same_files *same)
{
    struct td_lines_of *l = calloc(1, sizeof(*l));

    if (l)
        *l = (struct td_lines_of){.stores = stores, .same = same};
    return l;
}

void td_lines_of_free(struct td_lines_of *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->nloaded; i++)
        td_lines_free(l->loaded[i].lines);
    for (size_t i = 0; i < l->texts; i++)
        free(l->text[i]);
    free(l->loaded);
    free(l->text);
    td_hash_index_free(&l->hashes);
    free(l);
}
