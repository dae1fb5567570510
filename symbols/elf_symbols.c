/* SPDX-License-Identifier: MIT */
/* Symbols of files, by libdwfl of elfutils: .symtab of the file or of its separate debug information, .dynsym, and the
 * compressed .gnu_debugdata. */
#include "symbols/symbols.h"

#ifdef HAVE_ELFUTILS

#include "symbols/elf_file.h"

#include <errno.h>
#include <string.h>

bool td_symbols_built(void)
{
    return true;
}

/* Where a module of the kernel was loaded. */
struct loaded_module {
    const struct td_symbol_module *module; /* NULL: the file is no module */
    size_t first; /* the number of the section that is loaded first */
};

/* The number of the section that the kernel puts first when it loads a module: the first one with code that is needed
 * for more than the module's start (layout_sections() in kernel/module of Linux). 0: there is none. */
static size_t first_section(const struct td_elf *e)
{
    size_t names;

    if (e->elf_getshdrstrndx(e->elf, &names))
        return 0;
    for (Elf_Scn *s = e->elf_nextscn(e->elf, NULL); s; s = e->elf_nextscn(e->elf, s)) {
        GElf_Shdr h;
        const char *name = e->gelf_getshdr(s, &h) ? e->elf_strptr(e->elf, names, h.sh_name) : NULL;

        if (name && h.sh_flags & SHF_ALLOC && h.sh_flags & SHF_EXECINSTR && h.sh_size && strncmp(name, ".init", 5) != 0)
            return e->elf_ndxscn(s);
    }
    return 0;
}

/* Where a symbol is: its offset in a file, or for a module, which is linked only when it is loaded, the address that it
 * had. false: not known. */
static bool locate(const struct td_elf *e, const struct loaded_module *at, uint64_t address, const GElf_Sym *s,
                   uint64_t *out)
{
    if (!at->module)
        return td_elf_to_offset(e, address, out);
    *out = at->module->start + s->st_value;
    return s->st_shndx == at->first && s->st_value <= at->module->end - at->module->start;
}

/* Ranks symbols with one start: those with a size before labels, then global before weak before local ones. */
static unsigned rank_of(const GElf_Sym *s, const char *name)
{
    const unsigned bind = GELF_ST_BIND(s->st_info);

    return (s->st_size ? 8u : 0u) + (bind == STB_GLOBAL ? 4u : bind == STB_WEAK ? 2u : 0u) + (*name != '_');
}

static int take_symbol(const struct td_elf *e, const struct loaded_module *at, int i, struct td_symbol_list *l)
{
    GElf_Addr address;
    GElf_Sym s;
    const char *name = e->dwfl_module_getsym_info(e->module, i, &s, &address, NULL, NULL, NULL);
    struct td_symbol symbol = {.name = name};

    if (!name || !*name || (GELF_ST_TYPE(s.st_info) != STT_FUNC && GELF_ST_TYPE(s.st_info) != STT_GNU_IFUNC) ||
        s.st_shndx == SHN_UNDEF)
        return 0;
    if (!locate(e, at, address - e->bias, &s, &symbol.start))
        return 0;
    symbol.end = symbol.start + s.st_size;
    symbol.rank = rank_of(&s, name);
    return td_symbol_add(l, &symbol);
}

static int take_symbols(const struct td_elf *e, const struct td_symbol_module *m, struct td_symbol_table **out)
{
    const struct loaded_module at = {m, m && e->elf ? first_section(e) : 0};
    struct td_symbol_list l = {.n = 0};
    const int n = e->elf ? e->dwfl_module_getsymtab(e->module) : 0;
    int err = 0;

    for (int i = 1; i < n && !err; i++) /* 0 is the null symbol */
        err = take_symbol(e, &at, i, &l);
    err = err ? err : td_symbols_new(&l, out);
    td_symbol_list_free(&l);
    return err;
}

/* Tries one store. m: the module that the file is, or NULL. */
static int try_store(struct td_stores *stores, enum td_store store, const struct td_recorded_file *f,
                     const struct td_symbol_module *m, struct td_symbol_table **out, enum td_symbols *how)
{
    struct td_elf *e;
    int err = td_elf_open(stores, store, f, &e, how);

    if (!e)
        return err;
    err = take_symbols(e, m, out);
    *how = *out ? TD_SYMBOLS_FOUND : stores->silent ? TD_SYMBOLS_NO_SERVER : TD_SYMBOLS_NONE;
    td_elf_close(e);
    return err;
}

static int try_stores(struct td_stores *stores, const struct td_recorded_file *f, const struct td_symbol_module *m,
                      struct td_symbol_table **out, enum td_symbols *how)
{
    enum td_symbols next;
    int err = 0;

    *out = NULL;
    *how = TD_SYMBOLS_NO_FILE;
    for (enum td_store store = 0; store < TD_STORES && !*out && !err; store++) {
        err = try_store(stores, store, f, m, out, &next);
        *how = *out ? TD_SYMBOLS_FOUND : td_elf_reason(*how, next);
    }
    return err;
}

int td_symbols_of_file(struct td_stores *stores, const struct td_recorded_file *f, struct td_symbol_table **out,
                       enum td_symbols *how)
{
    return try_stores(stores, f, NULL, out, how);
}

int td_symbols_of_module_file(struct td_stores *stores, const struct td_symbol_module *m, struct td_symbol_table **out,
                              enum td_symbols *how)
{
    *out = NULL;
    *how = TD_SYMBOLS_NO_FILE;
    return *m->file.path == '/' ? try_stores(stores, &m->file, m, out, how) : 0;
}

#else

bool td_symbols_built(void)
{
    return false;
}

int td_symbols_of_file(struct td_stores *stores, const struct td_recorded_file *f, struct td_symbol_table **out,
                       enum td_symbols *how)
{
    (void)stores, (void)f;
    *out = NULL;
    *how = TD_SYMBOLS_NOT_BUILT;
    return 0;
}

int td_symbols_of_module_file(struct td_stores *stores, const struct td_symbol_module *m, struct td_symbol_table **out,
                              enum td_symbols *how)
{
    (void)stores, (void)m;
    *out = NULL;
    *how = TD_SYMBOLS_NOT_BUILT;
    return 0;
}

#endif
