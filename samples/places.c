/* SPDX-License-Identifier: MIT */
#include "samples/places.h"

#include "util/hash_index.h"
#include "util/room.h"
#include "util/text_buffer.h"
#include "util/text_clean.h"
#include "samples/code_of.h"
#include "samples/lines_of.h"
#include "symbols/made_symbols.h"
#include "symbols/symbols.h"

/* Hits with one key are in one place. */
struct place_key {
    const void *in; /* a dso, or for parts of a split function the function's place */
    uint64_t at; /* what it is depends on line */
    uint64_t line; /* of source, from 1: at is its file's number; INLINED; INSTRUCTION; 0: at is an address or id */
};
static const uint64_t INLINED = UINT64_MAX; /* value of line: at is the number of an inlined function's name */
static const uint64_t INSTRUCTION = UINT64_MAX - 1; /* value of line: at is the instruction's offset */

enum {
    RECENT = 1 << 15, /* addresses whose places are kept */
};

/* An address whose places were found before: looking up lines and inlined functions is slow. */
struct recent {
    const struct td_dso *dso; /* NULL: this entry is free */
    uint64_t offset;
    size_t n;
    const struct td_place *place[TD_PLACES_AT];
};

struct entry {
    struct place_key key;
    struct td_place place;
    struct td_code_at code[]; /* one, of a part of a split function */
};

struct td_places {
    enum td_samples_by by;
    bool together;
    struct td_hash_index hashes;
    struct entry **entry; /* by number; allocated one by one, as others keep pointers to their places */
    size_t n, room;
    struct td_text_buffer text;
    struct td_stores stores; /* where files are; a root of NULL: functions get no names */
    struct loaded_symbols {
        bool tried;
        enum td_symbols how;
        struct td_symbol_table *table; /* NULL: there are no symbols, and how says why */
    } * loaded; /* by the number of the first dso that is this file: td_same_files_first() */
    size_t nloaded;
    struct made {
        struct made_key {
            const struct td_dso *dump; /* the jitdump that was read; NULL: it was the map */
            uint64_t pid; /* whose it is */
        } key;
        enum td_symbols how;
        struct td_made_symbols *table; /* NULL: it has no functions */
    } * *made; /* functions that processes made while they ran, each file's once */
    size_t nmade, made_room;
    struct td_hash_index made_keys;
    struct td_same_files same;
    bool inlined;
    const char *split, *split_dso; /* the function whose lines and instructions are places, or NULL */
    struct td_lines_of *lines; /* NULL: no lines, inlined functions or parts of a split function are looked up */
    struct recent *recent; /* RECENT of them, where there are lines; else NULL */
};

/* Whether places are functions, by the one way or the other. */
static bool has_functions(const struct td_places *p)
{
    return p->by == TD_SAMPLES_BY_FUNCTION || p->by == TD_SAMPLES_BY_ADDRESS || p->by == TD_SAMPLES_BY_STACK;
}

static const struct td_place *find(const struct td_places *p, const struct place_key *key, uint32_t hash)
{
    for (long at = td_hash_first(&p->hashes, hash); at >= 0; at = td_hash_next(&p->hashes, at))
        if (p->entry[at]->key.in == key->in && p->entry[at]->key.at == key->at && p->entry[at]->key.line == key->line)
            return &p->entry[at]->place;
    return NULL;
}

/* Adds a place. Its name is in p->text. code: where a part of a split function is, else NULL. */
static int add(struct td_places *p, const struct place_key *key, const struct td_dso *dso, enum td_symbols how,
               const struct td_code_at *code, const struct td_place **out)
{
    struct entry *e;

    if (p->n == TD_PLACES_MAX)
        return -E2BIG;
    if (td_hash_room(&p->hashes) || td_room(&p->entry, &p->room, p->n + 1, sizeof(struct entry *)))
        return -ENOMEM;
    e = calloc(1, sizeof(*e) + (code ? sizeof(*code) : 0));
    if (!e)
        return -ENOMEM;
    e->key = *key;
    e->place = (struct td_place){.name = strdup(p->text.at), .dso = dso, .symbols = how, .number = (uint32_t)p->n};
    if (code) {
        e->code[0] = *code;
        e->place.code = e->code;
    }
    if (!e->place.name) {
        free(e);
        return -ENOMEM;
    }
    td_hash_add(&p->hashes, td_hash(&p->hashes, key, sizeof(*key)));
    p->entry[p->n++] = e;
    *out = &e->place;
    return 0;
}

/* The path without its folders, unless it ends in a slash. */
static const char *short_path(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Adds the dso's short name to the text, without the brackets that names such as "[vdso]" have. */
static int name_dso(struct td_places *p, const char *dso)
{
    const char *name = short_path(dso);
    const size_t len = strlen(name), inside = *name == '[' && len > 2 && name[len - 1] == ']';

    return td_text_buffer_add(&p->text, "%.*s", (int)(len - 2 * inside), name + inside);
}

/* The name of a function without symbols: "[dso+0xoffset]", or "[dso]" for all of a file together. */
static int name_address(struct td_places *p, const char *dso, uint64_t at)
{
    int err = td_text_buffer_add(&p->text, "[");

    err = err ? err : name_dso(p, dso);
    if (!err && !p->together)
        err = td_text_buffer_add(&p->text, "+0x%llx", (unsigned long long)at);
    return err ? err : td_text_buffer_add(&p->text, "]");
}

static const char *name_of_unknown(const struct td_hit *h)
{
    return h->elsewhere ? h->elsewhere : h->kernel ? "[kernel]" : "[unknown]";
}

/* ---- functions -------------------------------------------------------------------------- */

static struct td_recorded_kernel kernel_of(const struct td_dso *d)
{
    return (struct td_recorded_kernel){d->build_id, d->build_id_size, d->text};
}

static int load_module(struct td_places *p, const struct td_spaces *s, const struct td_dso *d,
                       struct loaded_symbols *out)
{
    static const struct td_dso none = {.kernel = true};
    const struct td_symbol_module m = {td_dso_file(d), d->start, d->end};
    const struct td_recorded_kernel kernel = kernel_of(td_spaces_kernel(s) ? td_spaces_kernel(s) : &none);

    return td_symbols_of_module(&p->stores, &m, &kernel, &out->table, &out->how);
}

static int load(struct td_places *p, const struct td_spaces *s, const struct td_dso *d, struct loaded_symbols *out)
{
    const struct td_recorded_file file = td_dso_file(d);
    const struct td_recorded_kernel kernel = kernel_of(d);

    out->how = TD_SYMBOLS_NOT_ASKED;
    if (d->kernel && !strcmp(d->path, "[kernel]"))
        return td_symbols_of_kernel(&p->stores, &kernel, &out->table, &out->how);
    if (!d->file && (!d->kernel || d->function || d->moved))
        return 0;
    out->how = TD_SYMBOLS_UNKNOWN_BUILD;
    if (!td_dso_is_certain(&p->stores, d))
        return 0;
    return d->kernel ? load_module(p, s, d, out) : td_symbols_of_file(&p->stores, &file, &out->table, &out->how);
}

/* The symbols of a file, loaded when it is first hit. */
static int table_of(struct td_places *p, const struct td_spaces *s, const struct td_dso *d,
                    const struct loaded_symbols **out)
{
    struct loaded_symbols *l;
    uint32_t number;
    int err = td_same_files_first(&p->same, &p->stores, d, &number);

    if (err || td_room_zeroed(&p->loaded, &p->nloaded, number + 1, sizeof(*p->loaded)))
        return -ENOMEM;
    l = &p->loaded[number];
    if (!l->tried)
        err = load(p, s, d, l);
    l->tried = true;
    *out = l;
    return err;
}

static int find_symbol(struct td_places *p, const struct td_spaces *s, const struct td_dso *d, uint64_t offset,
                       const struct td_symbol **out, enum td_symbols *how)
{
    const struct loaded_symbols none = {.how = TD_SYMBOLS_NOT_ASKED}, *l = &none;
    int err = d && p->stores.root ? table_of(p, s, d, &l) : 0;

    *out = l->table ? td_symbols_find(l->table, offset) : NULL;
    *how = l->how;
    return err;
}

/* What a map or a dump has, which is read when it is first asked for; NULL: out of memory. */
static const struct made *made_of(struct td_places *p, const struct made_key *key)
{
    struct made *m;
    long at;
    int err;

    if (td_hash_room(&p->made_keys) || td_room(&p->made, &p->made_room, p->nmade + 1, sizeof(struct made *)))
        return NULL;
    at = td_hash_first(&p->made_keys, td_hash(&p->made_keys, key, sizeof(*key)));
    while (at >= 0 && memcmp(&p->made[at]->key, key, sizeof(*key)) != 0)
        at = td_hash_next(&p->made_keys, at);
    if (at >= 0)
        return p->made[at];
    m = calloc(1, sizeof(*m));
    if (!m)
        return NULL;
    m->key = *key;
    err = td_symbols_of_process(&p->stores, (uint32_t)key->pid, key->dump ? key->dump->path : NULL, &m->table, &m->how);
    if (err) {
        free(m);
        return NULL;
    }
    td_hash_add(&p->made_keys, td_hash(&p->made_keys, key, sizeof(*key)));
    return p->made[p->nmade++] = m;
}

/* Finds the function that was made by one process, in its dump, or else in its map. *how stays TD_SYMBOLS_DENIED where
 * it is that. */
static int find_made_by(struct td_places *p, const struct td_maker *maker, const struct td_hit *h,
                        const struct td_symbol **symbol, enum td_symbols *how, const struct made **out)
{
    const struct made_key keys[] = {{maker->dump, maker->pid}, {NULL, maker->pid}};

    for (size_t i = maker->dump ? 0 : 1; i < 2 && !*symbol; i++) {
        const struct made *m = made_of(p, &keys[i]);

        if (!m)
            return -ENOMEM;
        if (m->how == TD_SYMBOLS_DENIED)
            *how = m->how;
        if (m->table && maker->until == UINT64_MAX)
            *symbol = td_made_symbols_find(m->table, h->address, h->time);
        else if (m->table)
            *symbol = td_made_symbols_inherited(m->table, h->address, h->time ? maker->until : 0);
        *out = m;
    }
    return 0;
}

/* Finds a function that a process made while it ran, or that it has from the nearest one that it was forked from.
 * *symbol NULL: none is known, and *how says why. */
static int find_made(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_symbol **symbol,
                     enum td_symbols *how, const struct made **out)
{
    struct td_maker maker[TD_MAKERS];
    const size_t n = td_spaces_makers(s, h->pid, maker);
    int err = 0;

    *symbol = NULL;
    *how = TD_SYMBOLS_NO_MAP;
    for (size_t i = 0; i < n && !*symbol && !err; i++)
        err = find_made_by(p, &maker[i], h, symbol, how, out);
    if (*symbol)
        *how = TD_SYMBOLS_FOUND;
    else
        *out = NULL;
    return err;
}

/* Whether an address is of a process, and in no file that is known. */
static bool is_made(const struct td_hit *h, const struct td_dso *dso)
{
    return h->has_address && !h->kernel && !h->elsewhere && (!dso || dso->made);
}

static int name_symbol(struct td_places *p, const struct td_symbol *s)
{
    char *name = td_symbol_name(s), *shown = name ? td_text_copy(name, strlen(name)) : NULL;
    int err = shown ? td_text_buffer_add(&p->text, "%s", shown) : -ENOMEM;

    free(shown);
    free(name);
    return err;
}

/* Whether all functions of a file are one place, as it has no symbols, for the reason that how gives. */
static bool is_nameless(const struct td_places *p, const struct td_dso *dso, enum td_symbols how)
{
    return p->by == TD_SAMPLES_BY_FUNCTION && !p->together && p->stores.root && dso && !dso->function &&
           how != TD_SYMBOLS_FOUND;
}

static int name_function(struct td_places *p, const struct td_hit *h, const struct td_dso *dso, uint64_t offset,
                         bool nameless)
{
    if (!h->has_address)
        return td_text_buffer_add(&p->text, "[no address]");
    if (dso && dso->function)
        return td_text_buffer_add(&p->text, "%s", dso->path);
    if (nameless)
        return td_text_buffer_add(&p->text, "%s (no symbols)", short_path(dso->path));
    return name_address(p, dso ? dso->path : name_of_unknown(h), offset);
}

/* Where no dso is known, a text of name_of_unknown() stands for it in the key: its address in memory tells it from all
 * dsos. */
static struct place_key key_of(const struct td_hit *h, const struct td_dso *dso, uint64_t offset)
{
    return (struct place_key){dso              ? (const void *)dso
                              : h->has_address ? name_of_unknown(h)
                                               : "",
                              h->has_address ? offset : 0, 0};
}

/* Where the function begins, which tells it from others of its file. Without a symbol it is the address itself, so that
 * each is a place of its own, or one number for all of the file. */
static uint64_t position(const struct td_places *p, const struct td_hit *h, const struct td_dso *dso,
                         const struct td_symbol *symbol, uint64_t offset, bool nameless)
{
    if (symbol)
        return symbol->start;
    if (dso && dso->function)
        return 0;
    return p->together || nameless ? UINT64_MAX /* where no function begins */ : dso ? offset : h->address;
}

/* The symbol of an address, and what tells its functions from others: the file that names made code, or NULL. */
static int find_name(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_dso *dso,
                     uint64_t offset, const struct td_symbol **symbol, enum td_symbols *how, const struct made **made)
{
    if (!p->stores.root || !is_made(h, dso))
        return find_symbol(p, s, dso, offset, symbol, how);
    return find_made(p, s, h, symbol, how, made);
}

static int find_function(struct td_places *p, struct td_spaces *s, const struct td_hit *h, bool whole_dso,
                         const struct td_place **out)
{
    uint64_t offset = 0;
    const struct td_dso *dso =
        h->has_address && !h->elsewhere ? td_spaces_find(s, h->pid, h->kernel, h->address, &offset) : NULL;
    const struct td_dso *kernel = !dso && h->kernel && h->has_address && !h->elsewhere ? td_spaces_kernel(s) : NULL;
    const struct td_symbol *symbol = NULL;
    const struct made *made = NULL;
    enum td_symbols how = TD_SYMBOLS_NOT_ASKED;
    struct place_key key;
    bool nameless;
    int err = whole_dso ? 0 : find_name(p, s, h, dso ? dso : kernel, offset, &symbol, &how, &made);

    if (err)
        return err;
    if (kernel) { /* the address is outside of all mappings: it is the kernel's, but in none of its functions */
        dso = kernel;
        symbol = NULL;
        offset = h->address;
    }
    nameless = !whole_dso && !symbol && is_nameless(p, dso, how);
    offset = position(p, h, dso, symbol, offset, nameless);
    key = key_of(h, dso, whole_dso ? 0 : offset);
    if (made)
        key = (struct place_key){made, p->by == TD_SAMPLES_BY_ADDRESS ? symbol->function : symbol->named, 0};
    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    if (*out)
        return 0;
    if (whole_dso)
        err = td_text_buffer_add(&p->text, "%s", dso ? dso->path : name_of_unknown(h));
    else
        err = symbol ? name_symbol(p, symbol) : name_function(p, h, dso, offset, nameless);
    return err ? err : add(p, &key, dso, how, NULL, out);
}

/* ---- lines of source ---------------------------------------------------------------------- */

/* Makes the key and the name for an address whose line is not known: they tell functions apart, as far as these are
 * known. */
static int find_unknown(struct td_places *p, const struct td_spaces *s, const struct td_dso *dso, uint64_t offset,
                        struct place_key *key, enum td_symbols *how)
{
    const struct td_symbol *symbol;
    int err = find_symbol(p, s, dso, offset, &symbol, how);

    if (err)
        return err;
    *key = (struct place_key){dso, symbol ? symbol->start : UINT64_MAX, 0};
    if (*how == TD_SYMBOLS_FOUND && !dso->kernel) /* nobody looks for lines of the kernel: they are not missing */
        *how = TD_SYMBOLS_NO_LINES;
    err = td_text_buffer_add(&p->text, "[");
    if (!err)
        err = symbol ? name_symbol(p, symbol) : name_dso(p, dso->path);
    return err ? err : td_text_buffer_add(&p->text, "+unknown %s]", td_samples_by_name(p->by));
}

static int place_line(struct td_places *p, const struct td_spaces *s, const struct td_dso *dso, uint64_t offset,
                      const struct td_place **out)
{
    const bool whole = p->by == TD_SAMPLES_BY_SOURCE;
    enum td_symbols how = TD_SYMBOLS_FOUND;
    struct td_source_line line = {0};
    struct place_key key;
    int err = p->stores.root ? td_lines_of_find(p->lines, dso, offset, &line) : 0;

    if (!err && !line.line) {
        err = find_unknown(p, s, dso, offset, &key, &how);
    } else if (!err) {
        key = (struct place_key){dso, line.number, whole ? 1 : line.line};
        err = whole ? td_text_buffer_add(&p->text, "%s", line.file)
                    : td_text_buffer_add(&p->text, "%s:%u", line.file, line.line);
    }
    if (err)
        return err;
    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    return *out ? 0 : add(p, &key, dso, how, NULL, out);
}

/* ---- lines and instructions of one function -------------------------------------------------- */

static bool is_dso(const char *path, const char *asked)
{
    return !strcmp(path, asked) || !strcmp(short_path(path), asked);
}

static bool is_split(const struct td_places *p, const struct td_place *function)
{
    return p->split && *function->name != '[' && function->dso && !strcmp(function->name, p->split) &&
           (!p->split_dso || is_dso(function->dso->path, p->split_dso));
}

/* Finds the place with that key, or adds it with the name that is in p->text. */
static int find_part(struct td_places *p, const struct place_key *key, const struct td_place *function,
                     enum td_symbols how, enum td_scope_kind kind, const struct td_code_at *code,
                     const struct td_place **out)
{
    int err = 0;

    *out = find(p, key, td_hash(&p->hashes, key, sizeof(*key)));
    if (!*out) {
        err = add(p, key, function->dso, how, code, out);
        if (!err)
            p->entry[p->n - 1]->place.kind = kind;
    }
    return err ? err : td_text_buffer_clear(&p->text);
}

static int find_line(struct td_places *p, const struct td_place *function, const struct td_source_line *line,
                     struct td_code_at *code, const struct td_place **out)
{
    const struct place_key key = {function, line->line ? line->number : UINT64_MAX, line->line};
    const enum td_symbols how = line->line || function->dso->kernel ? function->symbols : TD_SYMBOLS_NO_LINES;
    int err;

    code->line = line->line;
    code->file = line->line ? line->file : NULL;
    err = line->line ? td_text_buffer_add(&p->text, "%s:%u", line->file, line->line)
                     : td_text_buffer_add(&p->text, "[%s+unknown line]", function->name);
    return err ? err : find_part(p, &key, function, how, TD_KIND_LINE, code, out);
}

/* Puts the instruction at an offset, which is so far from the function's beginning, and its line before their function,
 * which is the only place at first. */
static int put_parts(struct td_places *p, const struct td_source_line *line, uint64_t offset, uint64_t from,
                     const struct td_place *place[TD_PLACES_AT], size_t *n)
{
    const struct td_place *function = place[0];
    const struct place_key key = {function, offset, INSTRUCTION};
    struct td_code_at code = {.function = function->name};
    int err = td_text_buffer_clear(&p->text);

    err = err ? err : find_line(p, function, line, &code, &place[1]);
    code.offset = offset;
    err = err ? err : td_text_buffer_add(&p->text, "%s+0x%llx", function->name, (unsigned long long)from);
    err = err ? err : find_part(p, &key, function, function->symbols, TD_KIND_INSTRUCTION, &code, &place[0]);
    place[2] = function;
    *n = 3;
    return err;
}

static int split(struct td_places *p, struct recent *to)
{
    struct td_source_line line;
    const int err = td_lines_of_find(p->lines, to->dso, to->offset, &line);

    return err ? err
               : put_parts(p, &line, to->offset, to->offset - p->entry[to->place[0]->number]->key.at, to->place,
                           &to->n);
}

/* The same for a function that a process made while it ran, of which no line is known. */
static int split_made(struct td_places *p, struct td_spaces *s, const struct td_hit *h,
                      const struct td_place *place[TD_PLACES_AT], size_t *n)
{
    static const struct td_source_line none = {0};
    const struct td_symbol *symbol;
    const struct made *made;
    enum td_symbols how;
    const int err = find_made(p, s, h, &symbol, &how, &made);

    if (err || !symbol)
        return err;
    return put_parts(p, &none, symbol->code ? symbol->code + (h->address - symbol->start) : h->address,
                     h->address - symbol->start, place, n);
}

/* ---- addresses that come again --------------------------------------------------------------- */

/* The functions that were inlined at an offset, which come before the function that they are in. */
static int place_inlined(struct td_places *p, const struct td_dso *dso, uint64_t offset,
                         const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    struct td_inlined inlined[TD_INLINED_MAX];
    int err = p->stores.root ? td_lines_of_inlined(p->lines, dso, offset, inlined, n) : 0;

    for (size_t i = 0; i < *n && !err; i++) {
        const struct place_key key = {dso, inlined[i].number, INLINED};

        out[i] = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
        if (out[i])
            continue;
        err = td_text_buffer_clear(&p->text);
        err = err ? err : td_text_buffer_add(&p->text, "%s (inlined)", inlined[i].name);
        err = err ? err : add(p, &key, dso, TD_SYMBOLS_FOUND, NULL, &out[i]);
    }
    return err ? err : td_text_buffer_clear(&p->text);
}

static int place_address(struct td_places *p, struct td_spaces *s, const struct td_hit *h, struct recent *to)
{
    int err = 0;

    if (p->by == TD_SAMPLES_BY_LINE || p->by == TD_SAMPLES_BY_SOURCE)
        err = place_line(p, s, to->dso, to->offset, &to->place[0]);
    else if (p->inlined)
        err = place_inlined(p, to->dso, to->offset, to->place, &to->n);
    if (!err && has_functions(p))
        err = find_function(p, s, h, false, &to->place[to->n]);
    to->n++;
    return err || !is_split(p, to->place[0]) ? err : split(p, to);
}

static struct recent *recent_of(const struct td_places *p, const struct td_dso *dso, uint64_t offset)
{
    /* Fibonacci hashing (Knuth): the factor is 2^64 divided by the golden ratio */
    return &p->recent[((offset + dso->number) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT];
}

static int find_address(struct td_places *p, struct td_spaces *s, const struct td_hit *h,
                        const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    uint64_t offset = 0;
    const struct td_dso *dso =
        h->has_address && !h->elsewhere ? td_spaces_find(s, h->pid, h->kernel, h->address, &offset) : NULL;
    struct recent *r = dso ? recent_of(p, dso, offset) : NULL;
    int err = 0;

    *n = 1;
    /* at one offset in memory without a file each process has something else */
    if (!dso || (dso->made && p->by != TD_SAMPLES_BY_LINE && p->by != TD_SAMPLES_BY_SOURCE)) {
        err = find_function(p, s, h, false, out);
        return err || !dso || !is_split(p, out[0]) ? err : split_made(p, s, h, out, n);
    }
    if (r->dso != dso || r->offset != offset) {
        *r = (struct recent){.dso = dso, .offset = offset};
        err = place_address(p, s, h, r);
    }
    if (err) {
        r->dso = NULL;
        return err;
    }
    *n = r->n;
    memcpy(out, r->place, r->n * sizeof(*out));
    return 0;
}

/* ---- threads, CPUs and cgroups ------------------------------------------------------------------------ */

static int name_owner(struct td_places *p, const struct td_hit *h, const char *comm)
{
    if (p->by == TD_SAMPLES_BY_CPU)
        return td_text_buffer_add(&p->text, "CPU%lu", (unsigned long)h->cpu);
    if (p->by == TD_SAMPLES_BY_CGROUP)
        return h->cgroup ? td_text_buffer_add(&p->text, "%s", h->cgroup)
                         : td_text_buffer_add(&p->text, "[cgroup %llu]", (unsigned long long)h->cgroup_id);
    if (p->by == TD_SAMPLES_BY_COMM)
        return td_text_buffer_add(&p->text, "%s", *comm ? comm : "[unknown]");
    return td_text_buffer_add(&p->text, "%s-%ld", *comm ? comm : "[unknown]", (long)(int32_t)h->tid);
}

/* The key of a CPU, cgroup or thread; name is the number of the thread's name. */
static struct place_key key_of_owner(const struct td_places *p, const struct td_hit *h, uint32_t name)
{
    switch (p->by) {
    case TD_SAMPLES_BY_CPU: return (struct place_key){.at = h->cpu};
    case TD_SAMPLES_BY_CGROUP:
        return (struct place_key){.at = h->cgroup ? h->cgroup_number : h->cgroup_id, .line = !h->cgroup};
    case TD_SAMPLES_BY_COMM: return (struct place_key){.at = name};
    default: return (struct place_key){.at = (uint64_t)h->tid << 32 | name};
    }
}

static int find_owner(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_place **out)
{
    uint32_t name = 0;
    const char *comm =
        p->by == TD_SAMPLES_BY_CPU || p->by == TD_SAMPLES_BY_CGROUP ? "" : td_spaces_comm(s, h->tid, &name);
    const struct place_key key = key_of_owner(p, h, name);
    int err;

    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    if (*out)
        return 0;
    err = name_owner(p, h, comm);
    return err ? err : add(p, &key, NULL, TD_SYMBOLS_NOT_ASKED, NULL, out);
}

int td_places_find(struct td_places *p, struct td_spaces *s, const struct td_hit *h,
                   const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    int err = td_text_buffer_clear(&p->text);

    *n = 1;
    if (err)
        return err;
    if (p->lines)
        return find_address(p, s, h, out, n);
    if (p->by == TD_SAMPLES_BY_DSO || has_functions(p))
        return find_function(p, s, h, p->by == TD_SAMPLES_BY_DSO, out);
    return find_owner(p, s, h, out);
}

static int load_lines(struct td_places *p)
{
    p->lines = td_lines_of_new(&p->stores, &p->same);
    p->recent = calloc(RECENT, sizeof(*p->recent));
    return p->lines && p->recent ? 0 : -ENOMEM;
}

struct td_places *td_places_new(enum td_samples_by by, const struct td_stores *stores, bool inlined, bool together)
{
    struct td_places *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    *p = (struct td_places){.by = by, .stores = *stores, .together = together};
    p->inlined = inlined && has_functions(p);
    if ((by != TD_SAMPLES_BY_LINE && by != TD_SAMPLES_BY_SOURCE && !p->inlined) || !load_lines(p))
        return p;
    td_places_free(p);
    return NULL;
}

int td_places_split(struct td_places *p, const char *function, const char *dso)
{
    if (p->by != TD_SAMPLES_BY_FUNCTION || p->inlined || !p->stores.root)
        return 0;
    p->split = function;
    p->split_dso = dso;
    return load_lines(p);
}

/* The symbol of a function whose place exists, so that the symbols of its file are loaded. *out is NULL where it has
 * none, as functions that the kernel made at run time have. */
static int symbol_of(struct td_places *p, const struct entry *e, const struct td_symbol **out)
{
    uint32_t number;
    const int err = td_same_files_first(&p->same, &p->stores, e->place.dso, &number);
    const struct td_symbol_table *table = !err && number < p->nloaded ? p->loaded[number].table : NULL;

    *out = table ? td_symbols_find(table, e->key.at) : NULL;
    return err;
}

static int code_of_made(struct td_places *p, const struct entry *e, struct td_code **out)
{
    const struct made *m = e->key.in;

    return td_code_of_made(e->place.dso, m->table, (unsigned)e->key.at, (uint32_t)m->key.pid,
                           m->key.dump ? m->key.dump->path : NULL, &p->stores, out);
}

int td_places_code(struct td_places *p, const char *name, struct td_code **out)
{
    const struct td_symbol *symbol;
    size_t i = 0;
    int err;

    while (i < p->n && (p->entry[i]->place.name != name || p->entry[i]->place.kind))
        i++;
    if (i == p->n || !p->entry[i]->place.dso || !p->lines)
        return -ENOENT;
    if (p->entry[i]->place.dso->made && p->entry[i]->place.symbols == TD_SYMBOLS_FOUND)
        return code_of_made(p, p->entry[i], out);
    err = symbol_of(p, p->entry[i], &symbol);
    return err ? err
               : td_code_of(p->entry[i]->place.dso, symbol ? symbol->start : 0, symbol ? symbol->end : 0, &p->stores,
                            p->lines, out);
}

void td_places_free(struct td_places *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        free(p->entry[i]->place.name);
        free(p->entry[i]);
    }
    for (size_t i = 0; i < p->nmade; i++) {
        td_made_symbols_free(p->made[i]->table);
        free(p->made[i]);
    }
    free(p->made);
    td_hash_index_free(&p->made_keys);
    for (size_t i = 0; i < p->nloaded; i++)
        td_symbols_free(p->loaded[i].table);
    td_same_files_free(&p->same);
    td_lines_of_free(p->lines);
    free(p->recent);
    free(p->loaded);
    free(p->entry);
    td_hash_index_free(&p->hashes);
    td_text_buffer_free(&p->text);
    free(p);
}
