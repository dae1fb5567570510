/* SPDX-License-Identifier: MIT */
/* Reads jitdump files as Linux tools/perf/Documentation/jitdump-specification.txt has them: a header, then records, of
 * which those that load code have its address, size and name, and the code itself, and others say where code was moved.
 */
#include "symbols/jit_files.h"

#include "util/room.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum {
    NAME = 1024, /* a longer name is cut off */
    RECORDS_MOST = 1 << 22, /* records beyond are left out, as are functions beyond SYMBOLS_MOST */
    SYMBOLS_MOST = 1 << 20,
    DUMP_VERSION = 1,
    CODE_LOAD = 0,
    CODE_MOVE = 1,
    OTHER_CLOCK = 1 /* flag of the header: times are not those of CLOCK_MONOTONIC, but of the CPU */
};

static const uint32_t MAGIC = 0x4a695444; /* "JiTD" */

struct dump_header {
    uint32_t magic, version, size, machine, pad, pid;
    uint64_t time, flags;
};

struct record {
    uint32_t id, size; /* size: of all of the record */
    uint64_t time;
};

struct load {
    uint32_t pid, tid;
    uint64_t memory, address, size, index; /* a name follows, which ends with a NUL, then the code */
};

struct move {
    uint32_t pid, tid;
    uint64_t memory, from, to, size, index; /* index: that of the load */
};

/* What is read, and where the functions go. */
struct dump {
    FILE *f;
    uint64_t at; /* where the record is that is read */
    bool swapped, timed;
    struct td_symbol_list *list;
    struct loaded {
        uint64_t index;
        size_t at; /* in the list */
    } * loaded; /* in the order of the file; when all is read, sorted by index */
    size_t nloaded, loaded_room;
    struct moved {
        struct td_symbol to; /* its name and function are not known yet */
        uint64_t index;
    } * moved;
    size_t nmoved, moved_room;
};

/* A dump has its writer's order of bytes. */
static uint32_t word(uint32_t v, bool swapped)
{
    return swapped ? __builtin_bswap32(v) : v;
}

static uint64_t long_word(uint64_t v, bool swapped)
{
    return swapped ? __builtin_bswap64(v) : v;
}

/* What was made where other code had been comes after it. */
static unsigned next_rank(const struct dump *d)
{
    return (unsigned)(d->list->n + d->nmoved);
}

static int add_load(struct dump *d, struct td_symbol *s, uint64_t index)
{
    int err = td_room(&d->loaded, &d->loaded_room, d->nloaded + 1, sizeof(*d->loaded));

    s->function = s->rank = next_rank(d);
    err = err ? err : td_symbol_add(d->list, s);
    if (!err)
        d->loaded[d->nloaded++] = (struct loaded){index, d->list->n - 1};
    return err;
}

/* Takes a record that loads code, of which size bytes are left in the file; *took gets how many were read. What does
 * not fit its record is left out. */
static int take_load(struct dump *d, uint64_t time, uint32_t size, uint32_t *took)
{
    struct td_symbol s = {.since = time};
    char name[NAME];
    struct load l;
    uint64_t bytes;
    size_t n;

    if (size <= sizeof(l) || fread(&l, sizeof(l), 1, d->f) != 1)
        return 0;
    *took = sizeof(l);
    size -= (uint32_t)sizeof(l);
    n = fread(name, 1, size < NAME - 1 ? size : NAME - 1, d->f);
    *took += (uint32_t)n;
    name[n] = '\0';
    s.start = long_word(l.address, d->swapped);
    bytes = long_word(l.size, d->swapped);
    s.end = s.start + bytes;
    s.name = name;
    if (!*name || !bytes || bytes >= size - strlen(name) || s.end <= s.start)
        return 0;
    if (strlen(name) < NAME - 1) /* else it may have been cut off */
        s.code = d->at + sizeof(struct record) + sizeof(l) + strlen(name) + 1;
    return add_load(d, &s, long_word(l.index, d->swapped));
}

/* Takes a record of code that moved, as take_load() does. */
static int take_move(struct dump *d, uint64_t time, uint32_t size, uint32_t *took)
{
    struct move m;
    struct moved new = {.to = {.since = time, .rank = next_rank(d)}};
    int err;

    if (size < sizeof(m) || fread(&m, sizeof(m), 1, d->f) != 1)
        return 0;
    *took = sizeof(m);
    new.index = long_word(m.index, d->swapped);
    new.to.start = long_word(m.to, d->swapped);
    new.to.end = new.to.start + long_word(m.size, d->swapped);
    if (new.to.end <= new.to.start)
        return 0;
    err = td_room(&d->moved, &d->moved_room, d->nmoved + 1, sizeof(*d->moved));
    if (!err)
        d->moved[d->nmoved++] = new;
    return err;
}

/* Takes a record. *more: there may be another one. */
static int take_record(struct dump *d, bool *more)
{
    struct record r;
    uint32_t left, took = 0;
    uint64_t time;
    int err = 0;

    *more = fread(&r, sizeof(r), 1, d->f) == 1 && word(r.size, d->swapped) >= sizeof(r);
    if (!*more)
        return 0;
    left = word(r.size, d->swapped) - (uint32_t)sizeof(r);
    time = d->timed ? long_word(r.time, d->swapped) : 0;
    if (word(r.id, d->swapped) == CODE_LOAD)
        err = take_load(d, time, left, &took);
    else if (word(r.id, d->swapped) == CODE_MOVE)
        err = take_move(d, time, left, &took);
    *more = !fseeko(d->f, (off_t)(left - took), SEEK_CUR);
    d->at += sizeof(r) + left;
    return err;
}

static int compare(const void *a, const void *b)
{
    const struct loaded *one = a, *other = b;

    if (one->index != other->index)
        return one->index < other->index ? -1 : 1;
    return one->at < other->at ? -1 : 1;
}

/* The function that a move is of: the last one with its index that was loaded before. NULL: there is none. */
static const struct td_symbol *moved_one(const struct dump *d, const struct moved *m)
{
    size_t from = 0, to = d->nloaded;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const struct loaded *l = &d->loaded[middle];

        if (l->index < m->index || (l->index == m->index && d->list->symbol[l->at].rank < m->to.rank))
            from = middle + 1;
        else
            to = middle;
    }
    if (!from || d->loaded[from - 1].index != m->index)
        return NULL;
    return &d->list->symbol[d->loaded[from - 1].at];
}

/* Adds the functions where they were moved to. */
static int add_moves(struct dump *d)
{
    int err = 0;

    if (d->nmoved && d->nloaded)
        qsort(d->loaded, d->nloaded, sizeof(*d->loaded), compare);
    for (size_t i = 0; i < d->nmoved && !err; i++) {
        struct td_symbol to = d->moved[i].to;
        const struct td_symbol *s = moved_one(d, &d->moved[i]);

        if (!s)
            continue;
        to.name = s->name;
        to.function = s->function;
        to.code = s->code;
        err = td_symbol_add(d->list, &to);
    }
    return err;
}

bool td_jit_dump_code(FILE *f, const struct td_symbol *s, unsigned char *bytes, unsigned *machine)
{
    const size_t name = strlen(s->name) + 1, n = (size_t)(s->end - s->start);
    struct dump_header h;
    char found[NAME];

    if (!s->code || name > NAME || s->code < sizeof(h) + name || fread(&h, sizeof(h), 1, f) != 1)
        return false;
    *machine = word(h.machine, h.magic == word(MAGIC, true));
    return !fseeko(f, (off_t)(s->code - name), SEEK_SET) && fread(found, 1, name, f) == name &&
           !memcmp(found, s->name, name) && fread(bytes, 1, n, f) == n;
}

int td_jit_dump_read(FILE *f, struct td_symbol_list *list)
{
    struct dump d = {.f = f, .list = list};
    struct dump_header h;
    bool more;
    int err = 0;

    if (fread(&h, sizeof(h), 1, f) != 1)
        return 0;
    d.swapped = h.magic == word(MAGIC, true);
    d.timed = !(long_word(h.flags, d.swapped) & OTHER_CLOCK);
    more = (d.swapped || h.magic == MAGIC) && word(h.version, d.swapped) == DUMP_VERSION &&
           word(h.size, d.swapped) >= sizeof(h) && !fseeko(f, (off_t)word(h.size, d.swapped), SEEK_SET);
    d.at = word(h.size, d.swapped);
    for (unsigned i = 0; i < RECORDS_MOST && more && !err && list->n + d.nmoved < SYMBOLS_MOST; i++)
        err = take_record(&d, &more);
    err = err ? err : add_moves(&d);
    free(d.loaded);
    free(d.moved);
    return err;
}
