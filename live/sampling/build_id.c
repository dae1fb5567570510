/* SPDX-License-Identifier: MIT */
#include "live/sampling/features.h"

#include <stdlib.h>
#include <string.h>

/* Offsets in Elf64_Ehdr, Elf64_Phdr and Elf64_Nhdr of elf(5), and their sizes. */
enum { CLASS_AT = 4, CLASS_64 = 2, PHOFF_AT = 32, PHNUM_AT = 56, EHDR = 64 };
enum { TYPE_AT = 0, OFFSET_AT = 8, FILESZ_AT = 32, PHDR = 56, TYPE_NOTE = 4 };
enum { NHDR = 12, NOTE_BUILD_ID = 3 };

/* A number in this machine's byte order. */
static uint64_t number(const unsigned char *at, size_t size)
{
    uint16_t n16;
    uint32_t n32;
    uint64_t n64;

    switch (size) {
    case 2: memcpy(&n16, at, size); return n16;
    case 4: memcpy(&n32, at, size); return n32;
    default: memcpy(&n64, at, sizeof(n64)); return n64;
    }
}

static size_t whole_words(uint64_t n)
{
    return (size_t)((n + 3) & ~(uint64_t)3);
}

static bool find_note(const unsigned char *notes, size_t n, struct td_build_id *out)
{
    for (size_t at = 0; n >= NHDR && at <= n - NHDR;) {
        const uint64_t name_size = number(notes + at, 4), size = number(notes + at + 4, 4),
                       type = number(notes + at + 8, 4);
        const size_t name = at + NHDR, desc = name + whole_words(name_size);

        if (name_size > n || size > n || whole_words(name_size) + whole_words(size) > n - name)
            return false;
        if (type == NOTE_BUILD_ID && name_size == 4 && !memcmp(notes + name, "GNU", 4) && size &&
            size <= sizeof(out->at)) {
            memcpy(out->at, notes + desc, (size_t)size);
            out->n = (size_t)size;
            return true;
        }
        at = desc + whole_words(size);
    }
    return false;
}

/* Finds the build-id in the notes of a 64-bit file. */
static bool in_file(const unsigned char *file, size_t n, struct td_build_id *out)
{
    const bool elf = n >= EHDR && !memcmp(file, "\177ELF", 4) && file[CLASS_AT] == CLASS_64;
    const uint64_t first = elf ? number(file + PHOFF_AT, 8) : 0;
    const size_t count = elf ? (size_t)number(file + PHNUM_AT, 2) : 0;

    for (size_t i = 0; i < count && first <= n && (i + 1) * PHDR <= n - first; i++) {
        const unsigned char *p = file + first + i * PHDR;
        const uint64_t at = number(p + OFFSET_AT, 8), size = number(p + FILESZ_AT, 8);

        if (number(p + TYPE_AT, 4) == TYPE_NOTE && at <= n && size <= n - at && find_note(file + at, (size_t)size, out))
            return true;
    }
    return false;
}

static bool read_and_find(const struct td_os *os, const char *path,
                          bool (*find)(const unsigned char *, size_t, struct td_build_id *), struct td_build_id *out)
{
    char *file = malloc(TD_OS_FILE_MAX);
    const ssize_t n = file ? os->file(os->ctx, path, file, TD_OS_FILE_MAX) : -1;
    bool found;

    *out = (struct td_build_id){.n = 0};
    found = n > 0 && find((const unsigned char *)file, (size_t)n, out);
    free(file);
    return found;
}

bool td_build_id_of_file(const struct td_os *os, const char *path, struct td_build_id *out)
{
    return read_and_find(os, path, in_file, out);
}

bool td_build_id_of_kernel(const struct td_os *os, struct td_build_id *out)
{
    return read_and_find(os, "/sys/kernel/notes", find_note, out);
}
