/* SPDX-License-Identifier: MIT */
#include "sim/samples/places.h"

#include "core/hash_index.h"
#include "core/room.h"
#include "core/text_buffer.h"
#include "core/text_clean.h"
#include "sim/samples/lines_of.h"
#include "symbols/symbols.h"

/* What makes two places one. */
struct key {
    const void *dso;
    uint64_t at, line; /* line: of source 1 and above, or INLINED; 0: at is an address or the like */
};
static const uint64_t INLINED = UINT64_MAX; /* at is the number of an inlined function's name */

enum { RECENT = 1 << 15 /* addresses whose places are kept */ };

/* An address whose places are known, by source and line and with inlined functions. */
struct recent {
    const struct td_dso *dso; /* NULL: empty */
    uint64_t offset;
    size_t n;
    const struct td_place *place[TD_PLACES_AT];
};

struct entry {
    struct key key;
    struct td_place place;
};

struct td_places {
    enum td_samples_by by;
    bool together;
    struct td_hash_index hashes;
    struct entry **entry; /* by number; they stay where they are */
    size_t n, room;
    struct td_text_buffer text;
    const char *symbols; /* where files are, or NULL */
    struct loaded {
        bool tried;
        enum td_symbols how;
        struct td_symbol_table *table; /* or NULL */
    } *loaded; /* by number of the dso */
    size_t nloaded, loaded_room;
    struct td_lines_of *lines; /* by source and line, and with inlined functions; else NULL */
    struct recent *recent; /* with lines, RECENT of them */
};

static const struct td_place *find(const struct td_places *p, const struct key *key, uint32_t hash)
{
    for (long at = td_hash_first(&p->hashes, hash); at >= 0; at = td_hash_next(&p->hashes, at))
        if (p->entry[at]->key.dso == key->dso && p->entry[at]->key.at == key->at && p->entry[at]->key.line == key->line)
            return &p->entry[at]->place;
    return NULL;
}

/* A new place, whose name is in p->text. */
static int add(struct td_places *p, const struct key *key, const struct td_dso *dso, enum td_symbols how, const struct td_place **out)
{
    struct entry *e;

    if (p->n == TD_PLACES_MAX)
        return -E2BIG;
    if (td_hash_room(&p->hashes) || td_room(&p->entry, &p->room, p->n + 1, sizeof(struct entry *)))
        return -ENOMEM;
    e = calloc(1, sizeof(*e));
    if (!e)
        return -ENOMEM;
    *e = (struct entry){*key, {.name = strdup(p->text.at), .dso = dso, .symbols = how, .number = (uint32_t)p->n}};
    if (!e->place.name) {
        free(e);
        return -ENOMEM;
    }
    td_hash_add(&p->hashes, td_hash(&p->hashes, key, sizeof(*key)));
    p->entry[p->n++] = e;
    *out = &e->place;
    return 0;
}

/* Without its folder, unless there is nothing else. */
static const char *short_path(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Names that are in brackets themselves lose them. */
static int name_dso(struct td_places *p, const char *dso)
{
    const char *name = short_path(dso);
    const size_t len = strlen(name), inside = *name == '[' && len > 2 && name[len - 1] == ']';

    return td_text_buffer_add(&p->text, "%.*s", (int)(len - 2 * inside), name + inside);
}

/* "[dso+0xoffset]", or "[dso]". */
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

/* Whether a file by itself says that it is the right one: without a build-id, one of the same name may be another by now. */
static bool is_certain(const struct td_places *p, const struct td_dso *d)
{
    return d->build_id_size || *p->symbols;
}

static int load_module(const struct td_places *p, const struct td_spaces *s, const struct td_dso *d, struct loaded *out)
{
    static const struct td_dso none = {.kernel = true};
    const struct td_symbol_module m = {d->path, d->build_id, d->build_id_size, d->start, d->end};
    const struct td_dso *kernel = td_spaces_kernel(s) ? td_spaces_kernel(s) : &none;

    return td_symbols_of_module(p->symbols, &m, kernel->build_id, kernel->build_id_size, kernel->text, &out->table, &out->how);
}

static int load(const struct td_places *p, const struct td_spaces *s, const struct td_dso *d, struct loaded *out)
{
    out->how = TD_SYMBOLS_NOT_ASKED;
    if (d->kernel && !strcmp(d->path, "[kernel]"))
        return td_symbols_of_kernel(p->symbols, d->build_id, d->build_id_size, d->text, &out->table, &out->how);
    if (!d->file && (!d->kernel || d->function || d->moved))
        return 0;
    out->how = TD_SYMBOLS_UNKNOWN_BUILD;
    if (!is_certain(p, d))
        return 0;
    return d->kernel ? load_module(p, s, d, out) : td_symbols_of_file(p->symbols, d->path, d->build_id, d->build_id_size, &out->table, &out->how);
}

/* The symbols of a file, loaded when it is first hit. */
static int table_of(struct td_places *p, const struct td_spaces *s, const struct td_dso *d, const struct loaded **out)
{
    struct loaded *l;
    int err = 0;

    if (td_room(&p->loaded, &p->loaded_room, d->number + 1, sizeof(*p->loaded)))
        return -ENOMEM;
    while (p->nloaded <= d->number)
        p->loaded[p->nloaded++] = (struct loaded){.tried = false};
    l = &p->loaded[d->number];
    if (!l->tried)
        err = load(p, s, d, l);
    l->tried = true;
    *out = l;
    return err;
}

static int find_symbol(struct td_places *p, const struct td_spaces *s, const struct td_dso *d, uint64_t offset, const struct td_symbol **out, enum td_symbols *how)
{
    const struct loaded none = {.how = TD_SYMBOLS_NOT_ASKED}, *l = &none;
    int err = d && p->symbols ? table_of(p, s, d, &l) : 0;

    *out = l->table ? td_symbols_find(l->table, offset) : NULL;
    *how = l->how;
    return err;
}

static int name_symbol(struct td_places *p, const struct td_symbol *s)
{
    char *name = td_symbol_name(s);
    int err = -ENOMEM;

    if (name) {
        td_text_clean(name, strlen(name));
        err = td_text_buffer_add(&p->text, "%s", name);
    }
    free(name);
    return err;
}

static int name_function(struct td_places *p, const struct td_hit *h, const struct td_dso *dso, uint64_t offset)
{
    if (!h->has_address)
        return td_text_buffer_add(&p->text, "[no address]");
    if (dso && dso->function)
        return td_text_buffer_add(&p->text, "%s", dso->path);
    return name_address(p, dso ? dso->path : name_of_unknown(h), offset);
}

/* Keys of what no dso is known for: one of the texts above, as an address in memory. */
static struct key key_of(const struct td_hit *h, const struct td_dso *dso, uint64_t offset)
{
    return (struct key){dso ? (const void *)dso : h->has_address ? name_of_unknown(h) : "", h->has_address ? offset : 0, 0};
}

/* Where the function begins; of one without a name the address itself, or nothing. */
static uint64_t position(const struct td_places *p, const struct td_hit *h, const struct td_dso *dso, const struct td_symbol *symbol, uint64_t offset)
{
    if (symbol)
        return symbol->start;
    if (dso && dso->function)
        return 0;
    return p->together ? UINT64_MAX /* where no function begins */ : dso ? offset : h->address;
}

static int find_function(struct td_places *p, struct td_spaces *s, const struct td_hit *h, bool whole_dso, const struct td_place **out)
{
    uint64_t offset = 0;
    const struct td_dso *dso = h->has_address && !h->elsewhere ? td_spaces_find(s, h->pid, h->kernel, h->address, &offset) : NULL;
    const struct td_symbol *symbol = NULL;
    enum td_symbols how = TD_SYMBOLS_NOT_ASKED;
    struct key key;
    int err = whole_dso ? 0 : find_symbol(p, s, dso, offset, &symbol, &how);

    if (err)
        return err;
    offset = position(p, h, dso, symbol, offset);
    key = key_of(h, dso, whole_dso ? 0 : offset);
    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    if (*out)
        return 0;
    if (whole_dso)
        err = td_text_buffer_add(&p->text, "%s", dso ? dso->path : name_of_unknown(h));
    else
        err = symbol ? name_symbol(p, symbol) : name_function(p, h, dso, offset);
    return err ? err : add(p, &key, dso, how, out);
}

/* ---- lines of source ---------------------------------------------------------------------- */

/* What no line is known of is told apart by function, as far as these are known. */
static int find_unknown(struct td_places *p, const struct td_spaces *s, const struct td_dso *dso, uint64_t offset, struct key *key, enum td_symbols *how)
{
    const struct td_symbol *symbol;
    int err = find_symbol(p, s, dso, offset, &symbol, how);

    if (err)
        return err;
    *key = (struct key){dso, symbol ? symbol->start : UINT64_MAX, 0};
    if (*how == TD_SYMBOLS_FOUND && !dso->kernel) /* whose lines are not looked for */
        *how = TD_SYMBOLS_NO_LINES;
    err = td_text_buffer_add(&p->text, "[");
    if (!err)
        err = symbol ? name_symbol(p, symbol) : name_dso(p, dso->path);
    return err ? err : td_text_buffer_add(&p->text, "+unknown %s]", td_samples_by_name(p->by));
}

static int place_line(struct td_places *p, const struct td_spaces *s, const struct td_dso *dso, uint64_t offset, const struct td_place **out)
{
    const bool whole = p->by == TD_SAMPLES_BY_SOURCE;
    enum td_symbols how = TD_SYMBOLS_FOUND;
    struct td_source_line line = {.line = 0};
    struct key key;
    int err = p->symbols ? td_lines_of_find(p->lines, dso, offset, &line) : 0;

    if (!err && !line.line) {
        err = find_unknown(p, s, dso, offset, &key, &how);
    } else if (!err) {
        key = (struct key){dso, line.number, whole ? 1 : line.line};
        err = whole ? td_text_buffer_add(&p->text, "%s", line.file) : td_text_buffer_add(&p->text, "%s:%u", line.file, line.line);
    }
    if (err)
        return err;
    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    return *out ? 0 : add(p, &key, dso, how, out);
}

/* ---- addresses that come again --------------------------------------------------------------- */

/* The functions that code was inlined of. */
static int place_inlined(struct td_places *p, const struct td_dso *dso, uint64_t offset, const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    struct td_inlined inlined[TD_INLINED_MAX];
    int err = p->symbols ? td_lines_of_inlined(p->lines, dso, offset, inlined, n) : 0;

    for (size_t i = 0; i < *n && !err; i++) {
        const struct key key = {dso, inlined[i].number, INLINED};

        out[i] = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
        if (out[i])
            continue;
        err = td_text_buffer_clear(&p->text);
        err = err ? err : td_text_buffer_add(&p->text, "%s (inlined)", inlined[i].name);
        err = err ? err : add(p, &key, dso, TD_SYMBOLS_FOUND, &out[i]);
    }
    return err ? err : td_text_buffer_clear(&p->text);
}

static int place_address(struct td_places *p, struct td_spaces *s, const struct td_hit *h, struct recent *to)
{
    int err = 0;

    if (p->by == TD_SAMPLES_BY_LINE || p->by == TD_SAMPLES_BY_SOURCE)
        err = place_line(p, s, to->dso, to->offset, &to->place[0]);
    else
        err = place_inlined(p, to->dso, to->offset, to->place, &to->n);
    if (!err && (p->by == TD_SAMPLES_BY_FUNCTION || p->by == TD_SAMPLES_BY_STACK))
        err = find_function(p, s, h, false, &to->place[to->n]);
    to->n++;
    return err;
}

static struct recent *recent_of(const struct td_places *p, const struct td_dso *dso, uint64_t offset)
{
    return &p->recent[((offset + dso->number) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RECENT]; /* 2^64 by the golden ratio (Knuth) */
}

static int find_address(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    uint64_t offset = 0;
    const struct td_dso *dso = h->has_address && !h->elsewhere ? td_spaces_find(s, h->pid, h->kernel, h->address, &offset) : NULL;
    struct recent *r = dso ? recent_of(p, dso, offset) : NULL;
    int err = 0;

    *n = 1;
    if (!dso)
        return find_function(p, s, h, false, out);
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
        return h->cgroup ? td_text_buffer_add(&p->text, "%s", h->cgroup) : td_text_buffer_add(&p->text, "[cgroup %llu]", (unsigned long long)h->cgroup_id);
    if (p->by == TD_SAMPLES_BY_COMM)
        return td_text_buffer_add(&p->text, "%s", *comm ? comm : "[unknown]");
    return td_text_buffer_add(&p->text, "%s-%ld", *comm ? comm : "[unknown]", (long)(int32_t)h->tid);
}

/* name: the number of the thread's. */
static struct key key_of_owner(const struct td_places *p, const struct td_hit *h, uint32_t name)
{
    switch (p->by) {
    case TD_SAMPLES_BY_CPU: return (struct key){.at = h->cpu};
    case TD_SAMPLES_BY_CGROUP: return (struct key){.at = h->cgroup ? h->cgroup_number : h->cgroup_id, .line = !h->cgroup};
    case TD_SAMPLES_BY_COMM: return (struct key){.at = name};
    default: return (struct key){.at = (uint64_t)h->tid << 32 | name};
    }
}

static int find_owner(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_place **out)
{
    uint32_t name = 0;
    const char *comm = p->by == TD_SAMPLES_BY_CPU || p->by == TD_SAMPLES_BY_CGROUP ? "" : td_spaces_comm(s, h->tid, &name);
    const struct key key = key_of_owner(p, h, name);
    int err;

    *out = p->n ? find(p, &key, td_hash(&p->hashes, &key, sizeof(key))) : NULL;
    if (*out)
        return 0;
    err = name_owner(p, h, comm);
    return err ? err : add(p, &key, NULL, TD_SYMBOLS_NOT_ASKED, out);
}

int td_places_find(struct td_places *p, struct td_spaces *s, const struct td_hit *h, const struct td_place *out[TD_PLACES_AT], size_t *n)
{
    int err = td_text_buffer_clear(&p->text);

    *n = 1;
    if (err)
        return err;
    if (p->lines)
        return find_address(p, s, h, out, n);
    if (p->by == TD_SAMPLES_BY_FUNCTION || p->by == TD_SAMPLES_BY_DSO || p->by == TD_SAMPLES_BY_STACK)
        return find_function(p, s, h, p->by == TD_SAMPLES_BY_DSO, out);
    return find_owner(p, s, h, out);
}

struct td_places *td_places_new(enum td_samples_by by, const char *symbols, bool inlined, bool together)
{
    const bool by_function = by == TD_SAMPLES_BY_FUNCTION || by == TD_SAMPLES_BY_STACK;
    struct td_places *p = calloc(1, sizeof(*p));

    if (p)
        *p = (struct td_places){.by = by, .symbols = symbols, .together = together};
    if (!p || (by != TD_SAMPLES_BY_LINE && by != TD_SAMPLES_BY_SOURCE && !(inlined && by_function)))
        return p;
    p->lines = td_lines_of_new(symbols);
    p->recent = calloc(RECENT, sizeof(*p->recent));
    if (p->lines && p->recent)
        return p;
    td_places_free(p);
    return NULL;
}

void td_places_free(struct td_places *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        free(p->entry[i]->place.name);
        free(p->entry[i]);
    }
    for (size_t i = 0; i < p->nloaded; i++)
        td_symbols_free(p->loaded[i].table);
    td_lines_of_free(p->lines);
    free(p->recent);
    free(p->loaded);
    free(p->entry);
    td_hash_index_free(&p->hashes);
    td_text_buffer_free(&p->text);
    free(p);
}
