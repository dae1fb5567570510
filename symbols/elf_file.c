/* SPDX-License-Identifier: MIT */
#ifdef HAVE_ELFUTILS

#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Loads the library, which is never unloaded, and finds its functions. */
static bool load(struct td_elf *e)
{
    void *library = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    bool all = library;

#define FIND(name) all = all && (e->name = (__typeof__(name) *)dlsym(library, #name));
    TD_ELF_FUNCTIONS(FIND)
    return all;
}

static bool has_id(const struct td_elf *e, const unsigned char *id, size_t size)
{
    const unsigned char *bits;
    GElf_Addr ignored;
    const int n = e->dwfl_module_build_id(e->module, &bits, &ignored);

    return n > 0 && (size_t)n == size && !memcmp(bits, id, size);
}

static struct td_store_build *build_of(const struct td_elf *e, const struct stat *s)
{
    return &e->stores->build[s->st_ino % TD_STORE_BUILDS];
}

static void keep_build(const struct td_elf *e, const struct stat *s)
{
    struct td_store_build *b = build_of(e, s);
    const unsigned char *bits;
    GElf_Addr ignored;
    const int n = e->dwfl_module_build_id(e->module, &bits, &ignored);

    *b = (struct td_store_build){.device = (uint64_t)s->st_dev, .inode = (uint64_t)s->st_ino};
    if (n <= 0 || (size_t)n > sizeof(b->id))
        return;
    b->id_size = (size_t)n;
    memcpy(b->id, bits, b->id_size);
}

/* Whether the file was opened before, and has another build-id than the one that is wanted. */
static bool is_other_build(const struct td_elf *e, const struct stat *s)
{
    const struct td_store_build *b = build_of(e, s);

    if (!b->id_size || !e->file.id_size || b->device != (uint64_t)s->st_dev || b->inode != (uint64_t)s->st_ino)
        return false;
    return b->id_size != e->file.id_size || memcmp(b->id, e->file.id, b->id_size) != 0;
}

/* ---- separate debug information ----------------------------------------------------------- */

/* The checksum of .gnu_debuglink: that of IEEE 802.3, with the bits of a byte the lowest first. */
static bool has_checksum(int fd, uint32_t wanted)
{
    unsigned char buf[1 << 16];
    uint32_t crc = UINT32_MAX;
    ssize_t n;

    while ((n = read(fd, buf, sizeof(buf))) > 0)
        for (ssize_t i = 0; i < n; i++) {
            crc ^= buf[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
        }
    return !n && ~crc == wanted && !lseek(fd, 0, SEEK_SET);
}

/* Opens the file of debug information that .gnu_debuglink names. As gdb does, looks beside the file itself, in .debug
 * beside it, and below usr/lib/debug. */
static int open_by_link(const struct td_elf *e, const char *link, uint32_t crc, char path[TD_STORE_NAME])
{
    static const char *const places[][2] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
    const char *in = e->file.path;
    const int folder = (int)(strrchr(in, '/') - in + 1);

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        int fd = snprintf(path, TD_STORE_NAME, "%s%s%.*s%s%s", e->stores->root, places[i][0], folder, in, places[i][1],
                          link) < TD_STORE_NAME
                     ? td_store_open_regular(path)
                     : -1;

        if (fd >= 0 && has_checksum(fd, crc))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* Opens the file that holds what several files share of their debug information, as dwz makes it. Its name is a path,
 * absolute or from the folder of the debug information. */
static int open_shared(const struct td_elf *e, const char *file, const char *link, char path[TD_STORE_NAME])
{
    const char *slash = strrchr(file, '/');
    const int folder = *link == '/' || !slash ? 0 : (int)(slash - file + 1);
    const int n = *link == '/' ? snprintf(path, TD_STORE_NAME, "%s%s", e->stores->root, link)
                               : snprintf(path, TD_STORE_NAME, "%.*s%s", folder, file, link);

    return n < TD_STORE_NAME ? td_store_open_regular(path) : -1;
}

/* libdwfl asks for the file of .gnu_debuglink with its checksum, and for that of .gnu_debugaltlink without one. */
static int find_debug(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word crc, char **found)
{
    const struct td_elf *e = *user;
    char path[TD_STORE_NAME];
    const unsigned char *id;
    GElf_Addr ignored;
    int n, fd;

    (void)name, (void)base;
    if (link && !crc && file) {
        fd = open_shared(e, file, link, path);
    } else {
        n = e->dwfl_module_build_id(m, &id, &ignored);
        fd = td_store_open_debug(e->stores, &(struct td_recorded_file){e->file.path, id, n > 0 ? (size_t)n : 0}, path);
        fd = fd < 0 && link ? open_by_link(e, link, crc, path) : fd;
    }
    *found = fd < 0 ? NULL : strdup(path);
    return fd;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Has libdwfl read the file, and takes over fd. */
static bool report(struct td_elf *e, const char *full, int fd, const struct stat *s, enum td_symbols *how)
{
    void **user;

    e->dwfl_report_begin(e->dwfl);
    e->module = e->dwfl_report_offline(e->dwfl, full, full, fd);
    e->dwfl_report_end(e->dwfl, NULL, NULL);
    *how = TD_SYMBOLS_NONE;
    if (!e->module) {
        close(fd);
        return false;
    }
    keep_build(e, s);
    if (e->file.id_size && !has_id(e, e->file.id, e->file.id_size)) {
        *how = TD_SYMBOLS_OTHER_BUILD;
        return false;
    }
    e->dwfl_module_info(e->module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
    *user = e;
    return true;
}

/* Reads the file unless it is known to be another build, and takes over fd. */
static int begin(struct td_elf *e, const char *full, int fd, struct td_elf **out, enum td_symbols *how)
{
    struct stat s;

    if (fstat(fd, &s) || is_other_build(e, &s)) {
        close(fd);
        *how = TD_SYMBOLS_OTHER_BUILD;
        return 0;
    }
    e->written = s.st_mtime;
    e->callbacks = (Dwfl_Callbacks){.find_debuginfo = find_debug, .section_address = e->dwfl_offline_section_address};
    e->dwfl = e->dwfl_begin(&e->callbacks);
    if (!e->dwfl) {
        close(fd);
        return -ENOMEM;
    }
    if (!report(e, full, fd, &s, how))
        return 0;
    e->elf = e->dwfl_module_getelf(e->module, &e->bias);
    *out = e;
    return 0;
}

/* Why a store did not open the file. */
static enum td_symbols why_not(int error)
{
    return error == EACCES || error == EPERM ? TD_SYMBOLS_DENIED
           : error == ETIMEDOUT              ? TD_SYMBOLS_NO_SERVER
                                             : TD_SYMBOLS_NO_FILE;
}

int td_elf_open(struct td_stores *stores, enum td_store store, const struct td_recorded_file *file, struct td_elf **out,
                enum td_symbols *how)
{
    struct td_elf *e = calloc(1, sizeof(*e));
    char full[TD_STORE_NAME];
    int fd, err = 0;

    *out = NULL;
    if (!e)
        return -ENOMEM;
    e->stores = stores;
    e->file = *file;
    *how = TD_SYMBOLS_NOT_BUILT;
    if (load(e)) {
        fd = td_store_open(stores, store, file, full);
        *how = fd < 0 ? why_not(errno) : TD_SYMBOLS_NONE;
        err = fd < 0 ? 0 : begin(e, full, fd, out, how);
    }
    if (!*out)
        td_elf_close(e);
    return err;
}

enum td_symbols td_elf_reason(enum td_symbols one, enum td_symbols next)
{
    return one == TD_SYMBOLS_NO_FILE ? next : one;
}

void td_elf_close(struct td_elf *e)
{
    if (e && e->dwfl)
        e->dwfl_end(e->dwfl);
    free(e);
}

/* ---- addresses ------------------------------------------------------------------------------------ */

bool td_elf_to_offset(const struct td_elf *e, uint64_t address, uint64_t *offset)
{
    size_t n = 0;

    e->elf_getphdrnum(e->elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;

        if (!e->gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr ||
            address - p.p_vaddr >= p.p_filesz)
            continue;
        *offset = address - p.p_vaddr + p.p_offset;
        return true;
    }
    return false;
}

bool td_elf_to_address(const struct td_elf *e, uint64_t offset, uint64_t *address)
{
    size_t n = 0;

    e->elf_getphdrnum(e->elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;

        if (!e->gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD || !(p.p_flags & PF_X) || offset < p.p_offset ||
            offset - p.p_offset >= p.p_filesz)
            continue;
        *address = offset - p.p_offset + p.p_vaddr;
        return true;
    }
    return false;
}

#else

/* Without elfutils this file is empty, which ISO C forbids. */
typedef int td_elf_file_none;

#endif
