/* SPDX-License-Identifier: MIT */
/* A program or library as libdwfl of elfutils reads it, with its separate debug information. That is looked for by
 * build-id and, below the root, by .gnu_debuglink; what it shares with that of other files by .gnu_debugaltlink. */
#ifndef TD_ELF_FILE_H
#define TD_ELF_FILE_H

#include "include/td_samples.h"
#include "symbols/stores.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

/* The library is loaded when a file is to be read: linked, it would make each start of the program slower. */
/* clang-format off */
#define TD_ELF_FUNCTIONS(X) \
    X(dwfl_begin) X(dwfl_end) X(dwfl_report_begin) X(dwfl_report_end) X(dwfl_report_offline) X(dwfl_module_info) \
    X(dwfl_module_build_id) X(dwfl_module_getelf) X(dwfl_module_getsymtab) X(dwfl_module_getsym_info) \
    X(dwfl_offline_section_address) X(elf_getphdrnum) X(gelf_getphdr) X(gelf_getehdr) X(elf_getdata_rawchunk) \
    X(elf_nextscn) X(elf_ndxscn) X(gelf_getshdr) X(elf_getshdrstrndx) X(elf_strptr) X(dwfl_module_getdwarf) \
    X(dwfl_module_nextcu) X(dwarf_ranges) X(dwarf_getsrc_die) X(dwarf_lineno) X(dwarf_linesrc) X(dwarf_attr) \
    X(dwarf_formstring) X(dwarf_getalt) X(dwarf_getelf) X(dwelf_dwarf_gnu_debugaltlink) X(dwelf_elf_gnu_build_id) \
    X(dwarf_attr_integrate) X(dwarf_diename) X(dwarf_tag) X(dwarf_getscopes) X(dwarf_getscopes_die)
/* clang-format on */

struct td_elf {
    struct td_stores *stores; /* the caller's, as are the texts of file */
    struct td_recorded_file file;
    Dwfl_Callbacks callbacks; /* dwfl points to them; not static, as threads would write them at the same time */
    Dwfl *dwfl;
    Dwfl_Module *module;
    Elf *elf; /* of the file itself; NULL: it cannot be read */
    GElf_Addr bias; /* what libdwfl adds to the addresses in it */
    int64_t written; /* when the file was written last: s since 1970 */
#define TD_ELF_MEMBER(name) __typeof__(name) *name;
    TD_ELF_FUNCTIONS(TD_ELF_MEMBER)
};

/* Opens the file in that store. *out is NULL where it is not to be used, and *how says why; else *how is
 * TD_SYMBOLS_NONE. If no build-id was recorded any file at the path is used. The stores and the file's path have to
 * stay. -ENOMEM. */
int td_elf_open(struct td_stores *, enum td_store, const struct td_recorded_file *, struct td_elf **out,
                enum td_symbols *how);
void td_elf_close(struct td_elf *);
/* A file was not used in one store for one reason and in the next for another: the reason that tells the user more. */
enum td_symbols td_elf_reason(enum td_symbols one, enum td_symbols next);

/* Where an address, as the file is linked, is in the file; and the address of an offset, if that is in code. false:
 * nowhere. */
bool td_elf_to_offset(const struct td_elf *, uint64_t address, uint64_t *offset);
bool td_elf_to_address(const struct td_elf *, uint64_t offset, uint64_t *address);

#endif
