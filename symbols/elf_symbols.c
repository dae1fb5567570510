/* SPDX-License-Identifier: MIT */
/* Symbols of files, by libdwfl of elfutils: .symtab of the file or of its separate debug
 * information, .dynsym, and the compressed .gnu_debugdata. Debug information is looked for only below
 * the root, by build-id; debuginfod is never asked. */
#include "symbols/symbols.h"

#ifdef HAVE_ELFUTILS

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 8192, ID_MAX = 64 };

/* The library is loaded when a file is to be read: linked, it would make each start of the program slower. */
#define FUNCTIONS(X) \
    X(dwfl_begin) X(dwfl_end) X(dwfl_report_begin) X(dwfl_report_end) X(dwfl_report_offline) X(dwfl_module_info) X(dwfl_module_build_id) \
        X(dwfl_module_getelf) X(dwfl_module_getsymtab) X(dwfl_module_getsym_info) X(dwfl_offline_section_address) X(elf_getphdrnum) X(gelf_getphdr)
struct dw {
    const char *root;
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
};

/* It stays loaded. */
static bool load(struct dw *w)
{
    void *library = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    bool all = library;

#define FIND(name) all = all && (w->name = (__typeof__(name) *)dlsym(library, #name));
    FUNCTIONS(FIND)
    return all;
}

bool td_symbols_built(void)
{
    return true;
}

static bool has_id(const struct dw *w, Dwfl_Module *m, const unsigned char *id, size_t size)
{
    const unsigned char *bits;
    GElf_Addr ignored;
    const int n = w->dwfl_module_build_id(m, &bits, &ignored);

    return n > 0 && (size_t)n == size && !memcmp(bits, id, size);
}

/* Paths are a recording's: a device or pipe of that name is not touched. */
static int open_regular(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat s;

    if (fd >= 0 && (fstat(fd, &s) || !S_ISREG(s.st_mode))) {
        close(fd);
        errno = ENOENT;
        return -1;
    }
    return fd;
}

/* ROOT/usr/lib/debug/.build-id/ab/cdef...debug */
static int find_debug(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
    const struct dw *w = *user;
    char path[PATH_SIZE];
    const unsigned char *id;
    GElf_Addr ignored;
    const int n = w->dwfl_module_build_id(m, &id, &ignored);
    int used, fd;

    (void)name, (void)base, (void)file, (void)link, (void)crc;
    if (n < 2 || n > ID_MAX)
        return -1;
    used = snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%02x/", w->root, (unsigned)id[0]);
    if (used < 0 || (size_t)used + 2 * ID_MAX + sizeof(".debug") > sizeof(path))
        return -1;
    for (int i = 1; i < n; i++)
        used += snprintf(path + used, 3, "%02x", (unsigned)id[i]);
    snprintf(path + used, sizeof(".debug"), ".debug");
    fd = open_regular(path);
    *found = fd < 0 ? NULL : strdup(path);
    return fd;
}

/* Where an address of the file's program is in the file. */
static bool to_offset(const struct dw *w, Elf *elf, uint64_t address, uint64_t *offset)
{
    size_t n = 0;

    w->elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;

        if (!w->gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
            continue;
        *offset = address - p.p_vaddr + p.p_offset;
        return true;
    }
    return false;
}

/* Global names say more than weak and local ones, and those with a size than labels. */
static unsigned rank_of(const GElf_Sym *s, const char *name)
{
    const unsigned bind = GELF_ST_BIND(s->st_info);

    return (s->st_size ? 8u : 0u) + (bind == STB_GLOBAL ? 4u : bind == STB_WEAK ? 2u : 0u) + (*name != '_');
}

static int take_symbol(const struct dw *w, Dwfl_Module *m, int i, Elf *elf, uint64_t bias, struct td_symbol_list *l)
{
    GElf_Addr address;
    GElf_Sym s;
    const char *name = w->dwfl_module_getsym_info(m, i, &s, &address, NULL, NULL, NULL);
    struct td_symbol symbol = {.name = name};

    if (!name || !*name || (GELF_ST_TYPE(s.st_info) != STT_FUNC && GELF_ST_TYPE(s.st_info) != STT_GNU_IFUNC) || s.st_shndx == SHN_UNDEF)
        return 0;
    if (!to_offset(w, elf, address - bias, &symbol.start))
        return 0;
    symbol.end = symbol.start + s.st_size;
    symbol.rank = rank_of(&s, name);
    return td_symbol_add(l, &symbol);
}

static int take_symbols(const struct dw *w, Dwfl_Module *m, struct td_symbol_list *l)
{
    GElf_Addr bias;
    Elf *elf = w->dwfl_module_getelf(m, &bias);
    const int n = elf ? w->dwfl_module_getsymtab(m) : 0;
    int err = 0;

    for (int i = 1; i < n && !err; i++) /* 0 is the null symbol */
        err = take_symbol(w, m, i, elf, bias, l);
    return err;
}

/* Takes over fd. */
static int read_file(struct dw *w, Dwfl *d, const char *path, int fd, const unsigned char *id, size_t id_size, struct td_symbol_table **out, enum td_symbols *how)
{
    struct td_symbol_list l = {.n = 0};
    Dwfl_Module *m;
    void **user;
    int err;

    w->dwfl_report_begin(d);
    m = w->dwfl_report_offline(d, path, path, fd);
    w->dwfl_report_end(d, NULL, NULL);
    if (!m)
        close(fd);
    *how = m ? TD_SYMBOLS_OTHER_BUILD : TD_SYMBOLS_NONE;
    if (!m || (id_size && !has_id(w, m, id, id_size)))
        return 0;
    w->dwfl_module_info(m, &user, NULL, NULL, NULL, NULL, NULL, NULL);
    *user = w;
    err = take_symbols(w, m, &l);
    err = err ? err : td_symbols_new(&l, out);
    *how = *out ? TD_SYMBOLS_FOUND : TD_SYMBOLS_NONE;
    td_symbol_list_free(&l);
    return err;
}

/* The file ROOT/PATH, whose PATH begins with a slash. */
static int try_file(struct dw *w, const char *path, const unsigned char *id, size_t id_size, struct td_symbol_table **out, enum td_symbols *how)
{
    const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debug, .section_address = w->dwfl_offline_section_address};
    char full[PATH_SIZE];
    Dwfl *d;
    int err, fd = snprintf(full, sizeof(full), "%s%s", w->root, path) < (int)sizeof(full) ? open_regular(full) : -1;

    if (fd < 0) {
        *how = errno == EACCES || errno == EPERM ? TD_SYMBOLS_DENIED : TD_SYMBOLS_NO_FILE;
        return 0;
    }
    d = w->dwfl_begin(&callbacks);
    if (!d) {
        close(fd);
        return -ENOMEM;
    }
    err = read_file(w, d, full, fd, id, id_size, out, how);
    w->dwfl_end(d);
    return err;
}

int td_symbols_of_file(const char *root, const char *path, const unsigned char *id, size_t id_size, struct td_symbol_table **out, enum td_symbols *how)
{
    struct dw w = {.root = root};
    const char *name = strrchr(path, '/');
    enum td_symbols beside;
    int err;

    *out = NULL;
    *how = TD_SYMBOLS_NOT_BUILT;
    if (!load(&w))
        return 0;
    err = try_file(&w, path, id, id_size, out, how);
    if (err || *out || !*root || !id_size || !name || name == path)
        return err;
    err = try_file(&w, name, id, id_size, out, &beside);
    if (*out || *how == TD_SYMBOLS_NO_FILE)
        *how = beside;
    return err;
}

#else

bool td_symbols_built(void)
{
    return false;
}

int td_symbols_of_file(const char *root, const char *path, const unsigned char *id, size_t id_size, struct td_symbol_table **out, enum td_symbols *how)
{
    (void)root, (void)path, (void)id, (void)id_size;
    *out = NULL;
    *how = TD_SYMBOLS_NOT_BUILT;
    return 0;
}

#endif
