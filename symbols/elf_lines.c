/* SPDX-License-Identifier: MIT */
/* Line tables by libdw of elfutils, which reads the table of a compilation unit when it is first needed. Which unit an
 * address belongs to is found by the ranges that the units themselves name: .debug_aranges may be missing (clang writes
 * none). */
#include "symbols/lines.h"

#ifdef HAVE_ELFUTILS

#include "symbols/elf_file.h"
#include "util/room.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NESTED = 8 /* ranges may contain others: how many before an address are looked at for one that reaches it */
};

struct range {
    uint64_t start, end; /* addresses as in the debug information */
    size_t unit;
};

struct td_lines {
    struct td_elf *elf;
    GElf_Addr bias; /* what libdwfl adds to the addresses of debug information */
    Dwarf_Die *unit;
    size_t units, units_room;
    struct range *range; /* sorted by start */
    size_t ranges, ranges_room;
};

static int add_range(struct td_lines *l, uint64_t start, uint64_t end)
{
    const int err = td_room(&l->range, &l->ranges_room, l->ranges + 1, sizeof(*l->range));

    if (!err)
        l->range[l->ranges++] = (struct range){start, end, l->units};
    return err;
}

static int add_unit(struct td_lines *l, Dwarf_Die *unit)
{
    const struct td_elf *e = l->elf;
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    int err = td_room(&l->unit, &l->units_room, l->units + 1, sizeof(*l->unit));

    while (!err && l->ranges < TD_LINES_RANGES_MAX && (at = e->dwarf_ranges(unit, at, &base, &start, &end)) > 0)
        if (start < end)
            err = add_range(l, start, end);
    if (!err)
        l->unit[l->units++] = *unit;
    return err;
}

static int by_start(const void *a, const void *b)
{
    const struct range *one = a, *other = b;

    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return one->unit < other->unit ? -1 : one->unit > other->unit;
}

static int add_units(struct td_lines *l)
{
    const struct td_elf *e = l->elf;
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    int err = 0;

    while (!err && (unit = e->dwfl_module_nextcu(e->module, unit, &bias)))
        err = add_unit(l, unit);
    if (l->ranges)
        qsort(l->range, l->ranges, sizeof(*l->range), by_start);
    return err;
}

/* Whether the file that holds the shared part of the debug information is the one that it was made with. */
static bool shares_right(const struct td_elf *e, Dwarf *dwarf)
{
    const char *name;
    const void *id, *found;
    const ssize_t n = e->dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id);
    Dwarf *alt = n > 0 ? e->dwarf_getalt(dwarf) : NULL;

    return n <= 0 ||
           (alt && e->dwelf_elf_gnu_build_id(e->dwarf_getelf(alt), &found) == n && !memcmp(id, found, (size_t)n));
}

static int try_store(struct td_stores *stores, enum td_store store, const struct td_recorded_file *f,
                     struct td_lines **out)
{
    struct td_lines *l = calloc(1, sizeof(*l));
    enum td_symbols how;
    Dwarf *dwarf;
    int err = l ? td_elf_open(stores, store, f, &l->elf, &how) : -ENOMEM;

    dwarf = !err && l->elf && l->elf->elf ? l->elf->dwfl_module_getdwarf(l->elf->module, &l->bias) : NULL;
    if (dwarf && shares_right(l->elf, dwarf))
        err = add_units(l);
    if (!err && l->ranges) {
        *out = l;
        return 0;
    }
    td_lines_free(l);
    return err;
}

int td_lines_of_file(struct td_stores *stores, const struct td_recorded_file *f, struct td_lines **out)
{
    int err = 0;

    *out = NULL;
    for (enum td_store store = 0; store < TD_STORES && !*out && !err; store++)
        err = try_store(stores, store, f, out);
    return err;
}

void td_lines_free(struct td_lines *l)
{
    if (!l)
        return;
    td_elf_close(l->elf);
    free(l->unit);
    free(l->range);
    free(l);
}

/* The unit that an address belongs to; NULL: none. */
static Dwarf_Die *find_unit(const struct td_lines *l, uint64_t address)
{
    size_t from = 0, to = l->ranges;

    while (from < to) {
        const size_t middle = from + (to - from) / 2;

        if (l->range[middle].start <= address)
            from = middle + 1;
        else
            to = middle;
    }
    for (size_t back = 0; from && back < NESTED; from--, back++)
        if (address < l->range[from - 1].end)
            return &l->unit[l->range[from - 1].unit];
    return NULL;
}

/* The unit that an offset in the file belongs to; *address gets the offset's address in the debug information. NULL:
 * none. */
static Dwarf_Die *unit_of(const struct td_lines *l, uint64_t offset, uint64_t *address)
{
    if (!td_elf_to_address(l->elf, offset, address))
        return NULL;
    *address += l->elf->bias - l->bias;
    return find_unit(l, *address);
}

bool td_lines_find(struct td_lines *l, uint64_t offset, struct td_line *out)
{
    const struct td_elf *e = l->elf;
    uint64_t address;
    Dwarf_Die *unit = unit_of(l, offset, &address);
    Dwarf_Line *row = unit ? e->dwarf_getsrc_die(unit, address) : NULL;
    Dwarf_Attribute folder;
    int number = 0;

    /* compilers write line 0 for code that comes from no line */
    if (!row || e->dwarf_lineno(row, &number) || number <= 0)
        return false;
    *out = (struct td_line){.file = e->dwarf_linesrc(row, NULL, NULL), .line = (unsigned)number};
    if (!out->file || !*out->file || !strcmp(out->file, "???"))
        return false;
    if (*out->file != '/')
        out->folder = e->dwarf_formstring(e->dwarf_attr(unit, DW_AT_comp_dir, &folder));
    return true;
}

/* The name of an inlined function: the one for linkers, which td_symbol_name() can read, where the language has
 * such. */
static const char *name_of(const struct td_elf *e, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = e->dwarf_formstring(e->dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

    return name ? name : e->dwarf_diename(die);
}

/* The names of the functions that were inlined around a scope, the innermost first: all inlined ones among the scopes
 * that contain it, up to the function itself. */
static size_t names_of(const struct td_elf *e, Dwarf_Die *innermost, const char *name[], size_t room)
{
    Dwarf_Die *scope = NULL;
    const int scopes = e->dwarf_getscopes_die(innermost, &scope);
    size_t n = 0;

    for (int i = 0; i < scopes && n < room && e->dwarf_tag(&scope[i]) != DW_TAG_subprogram; i++)
        if (e->dwarf_tag(&scope[i]) == DW_TAG_inlined_subroutine && (name[n] = name_of(e, &scope[i])))
            n++;
    free(scope);
    return n;
}

size_t td_lines_inlined(struct td_lines *l, uint64_t offset, const char *name[], size_t room)
{
    const struct td_elf *e = l->elf;
    uint64_t address;
    Dwarf_Die *unit = unit_of(l, offset, &address), *scope = NULL;
    const int scopes = unit ? e->dwarf_getscopes(unit, address, &scope) : 0;
    int at = 0;
    size_t n;

    while (at < scopes && e->dwarf_tag(&scope[at]) != DW_TAG_subprogram &&
           e->dwarf_tag(&scope[at]) != DW_TAG_inlined_subroutine)
        at++;
    n = at < scopes ? names_of(e, &scope[at], name, room) : 0;
    free(scope);
    return n;
}

#else

size_t td_lines_inlined(struct td_lines *l, uint64_t offset, const char *name[], size_t room)
{
    (void)l, (void)offset, (void)name, (void)room;
    return 0;
}

int td_lines_of_file(struct td_stores *stores, const struct td_recorded_file *f, struct td_lines **out)
{
    (void)stores, (void)f;
    *out = NULL;
    return 0;
}

void td_lines_free(struct td_lines *l)
{
    (void)l;
}

bool td_lines_find(struct td_lines *l, uint64_t offset, struct td_line *out)
{
    (void)l, (void)offset, (void)out;
    return false;
}

#endif
