/* SPDX-License-Identifier: MIT */
/* The running kernel's functions: /proc/kallsyms has their addresses for those who may see them, and
 * zeroes for others; /sys/kernel/notes has its build-id. */
#include "symbols/symbols.h"

#include "symbols/stores.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTES = 4096, LINE = 1024, NAME = 128 };

static FILE *open_below(const char *root, const char *path)
{
    char name[TD_STORE_NAME];
    const int fd = td_store_open_below(root, path, name);
    FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;

    if (fd >= 0 && !f)
        close(fd);
    return f;
}

/* Whether the notes in a file have that build-id. */
static bool has_id(const char *root, const char *path, const unsigned char *id, size_t id_size)
{
    unsigned char notes[NOTES];
    FILE *f = open_below(root, path);
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
        found = h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 && !memcmp(notes + name, "GNU", 4) &&
                h.n_descsz == id_size && !memcmp(notes + name + 4, id, id_size);
        at = name + size;
    }
    return found;
}

/* A reading of /proc/kallsyms: whose symbols are wanted, and what was found. */
struct reading {
    const char *module; /* "": the kernel itself */
    uint64_t text; /* address of _text; 0: it has none, or addresses are hidden */
    struct td_symbol_list list;
};

/* Whether a symbol is the module's, by the rest of its line: "[ext4]", or "" for the kernel's own. */
static bool is_of(const char *module, char *rest)
{
    rest += strspn(rest, "\t");
    rest[strcspn(rest, "\n")] = '\0';
    return !strcmp(rest, module);
}

/* Takes a line such as "ffffffff81000000 T _text"; after a symbol of a module is the module's name. */
static int take_line(char *line, struct reading *r)
{
    char *at, *name, *end;
    struct td_symbol s = {.start = strtoull(line, &at, 16)};
    bool wanted;

    if (at == line || *at != ' ' || !at[1] || at[2] != ' ')
        return 0;
    name = at + 3;
    end = name + strcspn(name, " \t\n");
    wanted = end != name && is_of(r->module, end);
    *end = '\0';
    if (!strcmp(name, "_text"))
        r->text = s.start;
    if (!wanted || (tolower((unsigned char)at[1]) != 't' && tolower((unsigned char)at[1]) != 'w'))
        return 0;
    s.name = name;
    s.rank = (isupper((unsigned char)at[1]) ? 2u : 0u) + (*name != '_');
    return td_symbol_add(&r->list, &s);
}

/* Moves all symbols to where the kernel was when it was recorded: at each start it is elsewhere as a whole (KASLR).
 * Modules do not move with it. */
static void move(struct reading *r, uint64_t text)
{
    for (size_t i = 0; i < r->list.n; i++)
        r->list.symbol[i].start += text - r->text;
}

/* Reads the symbols from f, which is closed; NULL: it could not be opened. text: where _text was. */
static int read_kallsyms(FILE *f, struct reading *r, uint64_t text, struct td_symbol_table **out)
{
    char line[LINE];
    int err = 0;

    while (f && !err && fgets(line, sizeof(line), f))
        err = take_line(line, r);
    if (f)
        fclose(f);
    if (!err && r->text && text && !*r->module)
        move(r, text);
    if (!err && r->text && (!*r->module || r->text == text))
        err = td_symbols_new(&r->list, out);
    td_symbol_list_free(&r->list);
    return err;
}

/* Whether the recorded kernel is the one that the files below the root are of. */
static bool is_running(const char *root, const struct td_recorded_kernel *k)
{
    return k->id_size && k->text && has_id(root, "/sys/kernel/notes", k->id, k->id_size);
}

static FILE *open_kept(const struct td_stores *s, const struct td_recorded_kernel *k)
{
    char name[TD_STORE_NAME];
    const int fd = td_store_open_kallsyms(s, k->id, k->id_size, name);

    return fd < 0 ? NULL : fdopen(fd, "r");
}

int td_symbols_of_kernel(const struct td_stores *s, const struct td_recorded_kernel *k, struct td_symbol_table **out,
                         enum td_symbols *how)
{
    struct reading running = {.module = ""}, kept = {.module = ""}, given = {.module = ""};
    int err = 0;

    *out = NULL;
    *how = TD_SYMBOLS_HIDDEN;
    if (s->kallsyms) {
        err = read_kallsyms(fopen(s->kallsyms, "re"), &given, k->text, out);
        *how = *out ? TD_SYMBOLS_FOUND : *how;
        return err;
    }
    *how = k->id_size && k->text ? TD_SYMBOLS_OTHER_KERNEL : TD_SYMBOLS_UNKNOWN_BUILD;
    if (*how == TD_SYMBOLS_UNKNOWN_BUILD)
        return 0;
    if (is_running(s->root, k)) {
        *how = TD_SYMBOLS_HIDDEN;
        err = read_kallsyms(open_below(s->root, "/proc/kallsyms"), &running, k->text, out);
    }
    if (!err && !*out)
        err = read_kallsyms(open_kept(s, k), &kept, k->text, out);
    *how = *out ? TD_SYMBOLS_FOUND : *how;
    return err;
}

/* The kernel's name for a module's file: "[nf_tables]" for "/lib/modules/6.1.0/kernel/net/netfilter/nf-tables.ko.xz".
 * It writes '_' for '-'. */
static void name_module(const char *path, char name[NAME])
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : *path == '[' ? path + 1 : path;
    const char *end = slash ? strstr(from, ".ko") : strchr(from, ']');
    const size_t len = end ? (size_t)(end - from) : strlen(from);

    snprintf(name, NAME, "[%.*s]", (int)(len < NAME - 3 ? len : NAME - 3), from);
    for (char *at = name; *at; at++)
        *at = *at == '-' ? '_' : *at;
}

/* Whether a module is where it was, by its line in /proc/modules: "nf_tables 266240 1 - Live 0xffffffffc0800000". */
static bool is_at(const char *root, const char *name, size_t len, uint64_t start)
{
    FILE *f = open_below(root, "/proc/modules");
    unsigned long long at = 0;
    char line[LINE];

    while (f && fgets(line, sizeof(line), f))
        if (!strncmp(line, name, len) && line[len] == ' ' && sscanf(line, "%*s %*s %*s %*s %*s %llx", &at) == 1)
            break;
    if (f)
        fclose(f);
    return start && at == start;
}

int td_symbols_of_module(struct td_stores *s, const struct td_symbol_module *m, const struct td_recorded_kernel *k,
                         struct td_symbol_table **out, enum td_symbols *how)
{
    const struct td_recorded_file *f = &m->file;
    char name[NAME], notes[NAME + 64];
    struct reading r = {.module = name};
    size_t len;
    int err = 0;

    *out = NULL;
    name_module(f->path, name);
    len = strlen(name) - strlen("[]");
    snprintf(notes, sizeof(notes), "/sys/module/%.*s/notes/.note.gnu.build-id", (int)len, name + 1);
    if (s->kallsyms)
        err = read_kallsyms(fopen(s->kallsyms, "re"), &r, k->text, out);
    else if (f->id_size && is_running(s->root, k) && has_id(s->root, notes, f->id, f->id_size) &&
             is_at(s->root, name + 1, len, m->start))
        err = read_kallsyms(open_below(s->root, "/proc/kallsyms"), &r, k->text, out);
    *how = TD_SYMBOLS_FOUND;
    return err || *out ? err : td_symbols_of_module_file(s, m, out, how);
}
