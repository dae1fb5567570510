/* SPDX-License-Identifier: MIT */
/* The running kernel's functions: /proc/kallsyms has their addresses for those who may see them, and
 * zeroes for others; /sys/kernel/notes has its build-id. */
#include "symbols/symbols.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 8192, NOTES = 4096, LINE = 1024 };

static FILE *open_below(const char *root, const char *path)
{
    char full[PATH_SIZE];

    return snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full) ? fopen(full, "re") : NULL;
}

/* Whether the notes have that build-id. */
static bool has_id(const char *root, const unsigned char *id, size_t id_size)
{
    unsigned char notes[NOTES];
    FILE *f = open_below(root, "/sys/kernel/notes");
    const size_t n = f ? fread(notes, 1, sizeof(notes), f) : 0;
    Elf64_Nhdr h;
    bool found = false;

    if (f)
        fclose(f);
    for (size_t at = 0; !found && n >= sizeof(h) && at <= n - sizeof(h);) {
        size_t name, size;

        memcpy(&h, notes + at, sizeof(h));
        name = at + sizeof(h);
        size = (((size_t)h.n_namesz + 3) & ~(size_t)3) + (((size_t)h.n_descsz + 3) & ~(size_t)3);
        if (size > n - name)
            break;
        found = h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) && h.n_descsz == id_size &&
                !memcmp(notes + name + 4, id, id_size);
        at = name + size;
    }
    return found;
}

/* "ffffffff81000000 T _text"; modules have their name after the symbol. */
static int take_line(char *line, uint64_t *text, struct td_symbol_list *l)
{
    char *at, *name, *end;
    struct td_symbol s = {.start = strtoull(line, &at, 16)};

    if (at == line || *at != ' ' || !at[1] || at[2] != ' ')
        return 0;
    name = at + 3;
    end = name + strcspn(name, " \t\n");
    if (*end == '\t' || end == name)
        return 0;
    *end = '\0';
    if (!strcmp(name, "_text"))
        *text = s.start;
    if (tolower((unsigned char)at[1]) != 't' && tolower((unsigned char)at[1]) != 'w')
        return 0;
    s.name = name;
    s.rank = (isupper((unsigned char)at[1]) ? 2u : 0u) + (*name != '_');
    return td_symbol_add(l, &s);
}

int td_symbols_of_kernel(const char *root, const unsigned char *id, size_t id_size, uint64_t text, struct td_symbol_table **out, enum td_symbols *how)
{
    struct td_symbol_list l = {.n = 0};
    char line[LINE];
    uint64_t found = 0;
    FILE *f;
    int err = 0;

    *out = NULL;
    *how = id_size && text ? TD_SYMBOLS_OTHER_KERNEL : TD_SYMBOLS_UNKNOWN_BUILD;
    if (!id_size || !text || !has_id(root, id, id_size))
        return 0;
    f = open_below(root, "/proc/kallsyms");
    while (f && !err && fgets(line, sizeof(line), f))
        err = take_line(line, &found, &l);
    if (f)
        fclose(f);
    if (!err && found == text)
        err = td_symbols_new(&l, out);
    *how = *out ? TD_SYMBOLS_FOUND : found ? TD_SYMBOLS_OTHER_KERNEL : TD_SYMBOLS_HIDDEN;
    td_symbol_list_free(&l);
    return err;
}
