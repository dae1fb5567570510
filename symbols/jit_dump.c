/* SPDX-License-Identifier: MIT */
/* Reads jitdump files as Linux tools/perf/Documentation/jitdump-specification.txt has them: a header, then records, of
 * which those that load code have its address, size and name, and the code itself. */
#include "symbols/jit_dump.h"

#include <string.h>
#include <sys/types.h>

enum {
    NAME = 1024, /* a longer name is cut off */
    RECORDS_MOST = 1 << 22, /* records beyond are left out, as are functions beyond SYMBOLS_MOST */
    SYMBOLS_MOST = 1 << 20,
    DUMP_VERSION = 1,
    CODE_LOAD = 0,
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

bool td_jit_dump_named(const char *path)
{
    static const char begin[] = "jit-", end[] = ".dump";
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t digits;

    if (!slash || strncmp(name, begin, strlen(begin)) != 0)
        return false;
    name += strlen(begin);
    digits = strspn(name, "0123456789");
    return digits && !strcmp(name + digits, end);
}

/* A dump has its writer's order of bytes. */
static uint32_t word(uint32_t v, bool swapped)
{
    return swapped ? __builtin_bswap32(v) : v;
}

static uint64_t long_word(uint64_t v, bool swapped)
{
    return swapped ? __builtin_bswap64(v) : v;
}

/* Takes a record that loads code, of which size bytes are left in the file; *took gets how many were read. What does
 * not fit its record is left out. */
static int take_load(FILE *f, bool swapped, uint32_t size, struct td_symbol_list *list, uint32_t *took)
{
    struct td_symbol s = {.rank = (unsigned)list->n}; /* what was loaded where other code had been comes after it */
    char name[NAME];
    struct load l;
    uint64_t bytes;
    size_t n;

    if (size <= sizeof(l) || fread(&l, sizeof(l), 1, f) != 1)
        return 0;
    *took = sizeof(l);
    size -= (uint32_t)sizeof(l);
    n = fread(name, 1, size < NAME - 1 ? size : NAME - 1, f);
    *took += (uint32_t)n;
    name[n] = '\0';
    s.start = long_word(l.address, swapped);
    bytes = long_word(l.size, swapped);
    s.end = s.start + bytes;
    s.name = name;
    return *name && bytes && bytes < size - strlen(name) && s.end > s.start ? td_symbol_add(list, &s) : 0;
}

/* Takes a record. *more: there may be another one. */
static int take_record(FILE *f, bool swapped, struct td_symbol_list *list, bool *more)
{
    struct record r;
    uint32_t left, took = 0;
    int err = 0;

    *more = fread(&r, sizeof(r), 1, f) == 1 && word(r.size, swapped) >= sizeof(r);
    if (!*more)
        return 0;
    left = word(r.size, swapped) - (uint32_t)sizeof(r);
    if (word(r.id, swapped) == CODE_LOAD)
        err = take_load(f, swapped, left, list, &took);
    *more = !fseeko(f, (off_t)(left - took), SEEK_CUR);
    return err;
}

int td_jit_dump_read(FILE *f, struct td_symbol_list *list)
{
    struct dump_header h;
    bool swapped, more;
    int err = 0;

    if (fread(&h, sizeof(h), 1, f) != 1)
        return 0;
    swapped = h.magic == word(MAGIC, true);
    more = (swapped || h.magic == MAGIC) && word(h.version, swapped) == DUMP_VERSION &&
           word(h.size, swapped) >= sizeof(h) && !fseeko(f, (off_t)word(h.size, swapped), SEEK_SET);
    for (unsigned i = 0; i < RECORDS_MOST && more && !err && list->n < SYMBOLS_MOST; i++)
        err = take_record(f, swapped, list, &more);
    return err;
}
