/* SPDX-License-Identifier: MIT */
/* Build-ids of files that are laid out here byte by byte, after elf(5). */
#include "live/sampling/features.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

enum { FILE_SIZE = 512, HEADERS_AT = 64, HEADER = 56, NOTES_AT = 300, NOTE_ID = 3 };

/* The machine's only file. */
static unsigned char file[FILE_SIZE];
static size_t size, notes_size;

static ssize_t read_it(void *ctx, const char *path, char *buf, size_t room)
{
    (void)ctx;
    if (strcmp(path, "/a") && strcmp(path, "/sys/kernel/notes"))
        return -ENOENT;
    CU_ASSERT_FATAL(room > size);
    memcpy(buf, file, size);
    return (ssize_t)size;
}

static const struct td_os os = {.name = "one file", .file = read_it};

static void put(size_t at, uint64_t value, size_t bytes)
{
    CU_ASSERT_FATAL(at + bytes <= FILE_SIZE);
    memcpy(file + at,
           bytes == 2   ? (const void *)&(uint16_t){(uint16_t)value}
           : bytes == 4 ? (const void *)&(uint32_t){(uint32_t)value}
                        : (const void *)&value,
           bytes);
}

/* A program header: its type, and where in the file its part is. */
static void header(size_t i, uint32_t type, uint64_t at, uint64_t n)
{
    put(HEADERS_AT + i * HEADER, type, 4);
    put(HEADERS_AT + i * HEADER + 8, at, 8);
    put(HEADERS_AT + i * HEADER + 32, n, 8);
}

/* Adds a note at an offset; returns where the next begins. */
static size_t note(size_t at, const char *name, uint32_t type, size_t n)
{
    const size_t name_size = strlen(name) + 1, desc = at + 12 + (name_size + 3) / 4 * 4;

    put(at, name_size, 4);
    put(at + 4, n, 4);
    put(at + 8, type, 4);
    memcpy(file + at + 12, name, name_size);
    for (size_t i = 0; i < n; i++)
        file[desc + i] = (unsigned char)(0xa0 + i);
    return desc + (n + 3) / 4 * 4;
}

/* A file with two headers, of which the second has the notes: one of another's, one of another type, the build-id. */
static void begin(size_t id_size)
{
    size_t at = NOTES_AT;

    memset(file, 0, sizeof(file));
    memcpy(file, "\177ELF\2", 5);
    put(32, HEADERS_AT, 8);
    put(56, 2, 2);
    at = note(at, "stapsdt", NOTE_ID, 5); /* 12 + 8 + 8 */
    at = note(at, "GNU", 1, 16); /* 12 + 4 + 16 */
    at = note(at, "GNU", NOTE_ID, id_size);
    notes_size = at - NOTES_AT;
    size = at;
    header(0, 1, 0, 64);
    header(1, 4, NOTES_AT, notes_size);
}

/* So many bytes of a build-id are found; 0: none. */
static void finds(size_t n)
{
    struct td_build_id id = {.n = 99};

    CU_ASSERT_EQUAL(td_build_id_of_file(&os, "/a", &id), n > 0);
    CU_ASSERT_EQUAL_FATAL(id.n, n);
    for (size_t i = 0; i < n; i++)
        CU_ASSERT_EQUAL(id.at[i], 0xa0 + i);
}

static void found(void)
{
    struct td_build_id id;

    for (size_t n = 0; n <= 24; n++) {
        begin(n);
        finds(n <= 20 ? n : 0); /* of SHA-1, the longest */
    }
    CU_ASSERT(!td_build_id_of_file(&os, "/b", &id));
    CU_ASSERT_EQUAL(id.n, 0);
}

static void headers(void)
{
    begin(20);
    CU_ASSERT_EQUAL(notes_size, 28 + 32 + 36);
    file[4] = 1; /* 32 bits */
    finds(0);
    begin(20);
    file[3] = 'f';
    finds(0);
    begin(20);
    header(1, 5, NOTES_AT, notes_size);
    finds(0);
    begin(20);
    put(56, 1, 2); /* one header */
    finds(0);
    begin(20);
    put(56, 3, 2); /* three, of which the first two come first */
    finds(20);
    begin(20);
    put(56, 1, 2); /* one; how many sections there are, which comes two words later, is something else */
    put(60, 7, 2);
    finds(0);
    begin(20);
    put(32, size - HEADER, 8); /* they begin where the file has room for only one */
    finds(0);
    put(32, size + 1, 8);
    finds(0);
    put(32, UINT64_MAX, 8);
    finds(0);
    begin(20);
    size--; /* the notes are cut off */
    finds(0);
    begin(20);
    header(1, 4, size + 1, 0);
    finds(0);
    header(0, 4, NOTES_AT, notes_size); /* the first of two parts of notes has it */
    header(1, 4, NOTES_AT, 0);
    finds(20);
}

/* The notes end at the end of the file, wherever the headers are. */
static void last_header(void)
{
    begin(20);
    memmove(file + HEADERS_AT + 7 * HEADER / 4, file + HEADERS_AT, 2 * HEADER);
    put(32, HEADERS_AT + 7 * HEADER / 4, 8);
    finds(20);
    /* the headers are the file's last bytes */
    begin(20);
    memcpy(file + size, file + HEADERS_AT, 2 * HEADER);
    put(32, size, 8);
    size += 2 * HEADER;
    finds(20);
    size--;
    finds(0);
    /* a file that is only a header */
    begin(20);
    put(32, 0, 8);
    size = 64;
    finds(0);
    size = 63;
    finds(0);
}

/* Notes that end in the middle of one, or whose sizes are beyond them. */
static void cut_notes(void)
{
    for (size_t n = 0; n < 28 + 32 + 36; n++) {
        begin(20);
        header(1, 4, NOTES_AT, n);
        finds(0);
    }
    begin(20);
    put(NOTES_AT, UINT32_MAX, 4);
    finds(0);
    begin(20);
    put(NOTES_AT + 4, UINT32_MAX, 4);
    finds(0);
    begin(20);
    put(NOTES_AT + 60, 5, 4); /* a name of 5 bytes, which begins like GNU */
    finds(0);
    begin(20);
    file[NOTES_AT + 60 + 12 + 3] = 'X';
    finds(0);
}

static void kernels(void)
{
    struct td_build_id id;

    memset(file, 0, sizeof(file));
    size = note(note(0, "Linux", 0x101, 4), "GNU", NOTE_ID, 20);
    CU_ASSERT(td_build_id_of_kernel(&os, &id));
    CU_ASSERT(id.n == 20 && id.at[0] == 0xa0 && id.at[19] == 0xa0 + 19);
    CU_ASSERT(!td_build_id_of_file(&os, "/sys/kernel/notes", &id));
}

static const CU_TestInfo tests[] = {
    {"found", found},         {"headers", headers},      {"last header", last_header},
    {"cut notes", cut_notes}, {"the kernel's", kernels}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("build-ids", tests);
