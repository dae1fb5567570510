/* SPDX-License-Identifier: MIT */
#ifdef HAVE_ELFUTILS

#include "symbols/elf_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 8192, ID_MAX = 64 };

/* It stays loaded. */
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

/* ROOT/usr/lib/debug/.build-id/ab/cdef...debug */
static int open_by_id(const struct td_elf *e, const unsigned char *id, int n, char path[PATH_SIZE])
{
    int used;

    if (n < 2 || n > ID_MAX)
        return -1;
    used = snprintf(path, PATH_SIZE, "%s/usr/lib/debug/.build-id/%02x/", e->root, (unsigned)id[0]);
    if (used < 0 || (size_t)used + 2 * ID_MAX + sizeof(".debug") > PATH_SIZE)
        return -1;
    for (int i = 1; i < n; i++)
        used += snprintf(path + used, 3, "%02x", (unsigned)id[i]);
    snprintf(path + used, sizeof(".debug"), ".debug");
    return open_regular(path);
}

/* By the name that the file has for it: beside it, in .debug beside it, and below usr/lib/debug, as gdb does. */
static int open_by_link(const struct td_elf *e, const char *link, uint32_t crc, char path[PATH_SIZE])
{
    static const char *const places[][2] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
    const int folder = (int)(strrchr(e->path, '/') - e->path + 1);

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        int fd = snprintf(path, PATH_SIZE, "%s%s%.*s%s%s", e->root, places[i][0], folder, e->path, places[i][1], link) < PATH_SIZE ? open_regular(path) : -1;

        if (fd >= 0 && has_checksum(fd, crc))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* What debug information shares with that of other files (dwz): its name is a path, or one from the debug file's folder. */
static int open_shared(const struct td_elf *e, const char *file, const char *link, char path[PATH_SIZE])
{
    const char *slash = strrchr(file, '/');
    const int folder = *link == '/' || !slash ? 0 : (int)(slash - file + 1);
    const int n = *link == '/' ? snprintf(path, PATH_SIZE, "%s%s", e->root, link) : snprintf(path, PATH_SIZE, "%.*s%s", folder, file, link);

    return n < PATH_SIZE ? open_regular(path) : -1;
}

/* libdwfl asks for the file of .gnu_debuglink with its checksum, and for that of .gnu_debugaltlink without one. */
static int find_debug(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
    const struct td_elf *e = *user;
    char path[PATH_SIZE];
    const unsigned char *id;
    GElf_Addr ignored;
    int n, fd;

    (void)name, (void)base;
    if (link && !crc && file) {
        fd = open_shared(e, file, link, path);
    } else {
        n = e->dwfl_module_build_id(m, &id, &ignored);
        fd = open_by_id(e, id, n, path);
        fd = fd < 0 && link ? open_by_link(e, link, crc, path) : fd;
    }
    *found = fd < 0 ? NULL : strdup(path);
    return fd;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Takes over fd. */
static bool report(struct td_elf *e, const char *full, int fd, const unsigned char *id, size_t id_size, enum td_symbols *how)
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
    if (id_size && !has_id(e, id, id_size)) {
        *how = TD_SYMBOLS_OTHER_BUILD;
        return false;
    }
    e->dwfl_module_info(e->module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
    *user = e;
    return true;
}

/* Takes over fd. */
static int begin(struct td_elf *e, const char *full, int fd, const unsigned char *id, size_t id_size, struct td_elf **out, enum td_symbols *how)
{
    static Dwfl_Callbacks callbacks = {.find_debuginfo = find_debug};

    callbacks.section_address = e->dwfl_offline_section_address;
    e->dwfl = e->dwfl_begin(&callbacks);
    if (!e->dwfl) {
        close(fd);
        return -ENOMEM;
    }
    if (!report(e, full, fd, id, id_size, how))
        return 0;
    e->elf = e->dwfl_module_getelf(e->module, &e->bias);
    *out = e;
    return 0;
}

int td_elf_open(const char *root, const char *path, const unsigned char *id, size_t id_size, struct td_elf **out, enum td_symbols *how)
{
    struct td_elf *e = calloc(1, sizeof(*e));
    char full[PATH_SIZE];
    int fd, err = 0;

    *out = NULL;
    if (!e)
        return -ENOMEM;
    e->root = root;
    e->path = path;
    *how = TD_SYMBOLS_NOT_BUILT;
    if (load(e)) {
        fd = snprintf(full, sizeof(full), "%s%s", root, path) < (int)sizeof(full) ? open_regular(full) : -1;
        *how = errno == EACCES || errno == EPERM ? TD_SYMBOLS_DENIED : TD_SYMBOLS_NO_FILE;
        err = fd < 0 ? 0 : begin(e, full, fd, id, id_size, out, how);
    }
    if (!*out)
        td_elf_close(e);
    return err;
}

void td_elf_close(struct td_elf *e)
{
    if (e && e->dwfl)
        e->dwfl_end(e->dwfl);
    free(e);
}

const char *td_elf_beside(const char *root, const char *path, size_t id_size)
{
    const char *name = strrchr(path, '/');

    return *root && id_size && name && name != path ? name : NULL;
}

/* ---- addresses ------------------------------------------------------------------------------------ */

bool td_elf_to_offset(const struct td_elf *e, uint64_t address, uint64_t *offset)
{
    size_t n = 0;

    e->elf_getphdrnum(e->elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr p;

        if (!e->gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD || address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
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

        if (!e->gelf_getphdr(e->elf, (int)i, &p) || p.p_type != PT_LOAD || !(p.p_flags & PF_X) || offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
            continue;
        *address = offset - p.p_offset + p.p_vaddr;
        return true;
    }
    return false;
}

#else

/* Nothing without elfutils. */
typedef int td_elf_file_none;

#endif
