/* SPDX-License-Identifier: MIT */
/* Address spaces against a table of pages that is copied, overwritten and cleared in the plainest way. */
#include "samples/spaces.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

enum { PROCESSES = 4, PAGES = 32, FILES = 5 };

/* Which file a page shows, from 1, and which page of it; file 0: none. */
struct page {
    unsigned file, at;
};

struct model {
    struct page page[PROCESSES][PAGES];
    bool alive[PROCESSES];
};

static void path_of(unsigned file, char *out, size_t size)
{
    snprintf(out, size, "/usr/lib/lib%u.so", file);
}

static void map(struct td_spaces *s, struct model *m, unsigned p, unsigned from, unsigned n, unsigned file, unsigned at)
{
    char path[32];
    struct td_mapping mapping = {.start = from * 4096, .size = n * 4096, .offset = at * 4096, .path = path};

    path_of(file, path, sizeof(path));
    mapping.path_size = strlen(path);
    CU_ASSERT_FATAL(!td_spaces_map(s, 100 + p, &mapping));
    for (unsigned i = 0; i < n; i++)
        m->page[p][from + i] = (struct page){file, at + i};
}

static void fork_from(struct td_spaces *s, struct model *m, unsigned parent, unsigned child)
{
    CU_ASSERT_FATAL(
        !td_spaces_fork(s, &(struct td_birth){100 + child, 100 + parent, 100 + child, 100 + parent, true, 0}));
    memcpy(m->page[child], m->page[parent], sizeof(m->page[child]));
    m->alive[child] = true;
}

static void clear(struct model *m, unsigned p)
{
    memset(m->page[p], 0, sizeof(m->page[p]));
}

/* Any byte of a page, as often as not its first or last. */
static unsigned pick_byte(struct unit_random *random)
{
    const unsigned pick = (unsigned)unit_random_below(random, 4);

    return pick > 1 ? (unsigned)unit_random_below(random, 4096) : pick * 4095;
}

static void check(struct td_spaces *s, const struct model *m, unsigned p, unsigned page, unsigned within)
{
    const struct page want = m->page[p][page];
    const uint64_t address = page * 4096 + within;
    uint64_t offset;
    const struct td_dso *dso = td_spaces_find(s, 100 + p, false, address, &offset);
    char path[32];

    path_of(want.file, path, sizeof(path));
    if (!want.file) {
        CU_ASSERT(!dso && offset == address);
        return;
    }
    CU_ASSERT_FATAL(dso != NULL);
    CU_ASSERT_STRING_EQUAL(dso->path, path);
    CU_ASSERT_EQUAL(offset, want.at * 4096 + within);
}

static void step(struct td_spaces *s, struct model *m, struct unit_random *random)
{
    const unsigned p = (unsigned)unit_random_below(random, PROCESSES),
                   other = (unsigned)unit_random_below(random, PROCESSES);
    const unsigned from = (unsigned)unit_random_below(random, PAGES);

    switch (unit_random_below(random, 8)) {
    case 0:
        if (p != other && !m->alive[p] && m->alive[other])
            fork_from(s, m, other, p);
        break;
    case 1:
        CU_ASSERT_FATAL(!td_spaces_name(s, 100 + p, 100 + p, "ls", 2, true));
        clear(m, p);
        break;
    case 2:
        if (m->alive[p] && p) {
            td_spaces_exit(s, 100 + p, 100 + p);
            clear(m, p);
            m->alive[p] = false;
        }
        break;
    case 3: /* a new name alone changes nothing */
        CU_ASSERT_FATAL(!td_spaces_name(s, 100 + p, 100 + p, "worker", 6, false));
        break;
    default:
        if (m->alive[p])
            map(s, m, p, from, 1 + (unsigned)unit_random_below(random, PAGES - from),
                1 + (unsigned)unit_random_below(random, FILES), (unsigned)unit_random_below(random, 100));
    }
}

static void as_the_table(void)
{
    struct unit_random random = {3};

    for (unsigned long round = 0; round < unit_rounds(200); round++) {
        struct td_spaces *s = td_spaces_new();
        struct model m = {.alive = {true}};

        CU_ASSERT_FATAL(s != NULL);
        for (unsigned i = 0; i < 60; i++) {
            step(s, &m, &random);
            for (unsigned p = 0; p < PROCESSES; p++)
                for (unsigned k = 0; k < 4; k++)
                    check(s, &m, p, (unsigned)unit_random_below(&random, PAGES), pick_byte(&random));
        }
        td_spaces_free(s);
    }
}

/* ---- files ------------------------------------------------------------------------------------ */

static void map_file(struct td_spaces *s, uint64_t start, const char *path, const char *id)
{
    const struct td_mapping m = {.start = start,
                                 .size = 4096,
                                 .path = path,
                                 .path_size = strlen(path),
                                 .build_id = (const unsigned char *)id,
                                 .build_id_size = strlen(id)};

    CU_ASSERT_EQUAL_FATAL(td_spaces_map(s, 100, &m), 0);
}

static const struct td_dso *file_at(struct td_spaces *s, uint64_t start)
{
    uint64_t offset;
    const struct td_dso *d = td_spaces_find(s, 100, false, start + 1, &offset);

    CU_ASSERT_FATAL(d && offset == 1);
    return d;
}

/* A file is told by its path and its build-id, which may be known later. */
static void files(void)
{
    static const struct {
        const char *path, *id;
        uint32_t number;
        bool file;
    } mapped[] = {{"/a", "", 0, true}, {"/ab", "", 1, true},   {"/a", "one", 2, true},   {"/a", "two", 3, true},
                  {"/a", "", 0, true}, {"/a", "one", 2, true}, {"//anon", "", 4, false}, {"[vdso]", "", 5, false}};
    enum { N = sizeof(mapped) / sizeof(*mapped) };
    static const unsigned char id[TD_BUILD_ID_MAX + 1] = "three";
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (uint64_t i = 0; i < N; i++)
        map_file(s, 4096 * i, mapped[i].path, mapped[i].id);
    for (uint64_t i = 0; i < N; i++) {
        const struct td_dso *d = file_at(s, 4096 * i);

        CU_ASSERT_STRING_EQUAL(d->path, mapped[i].path);
        CU_ASSERT(d->number == mapped[i].number && d->file == mapped[i].file && !d->kernel);
        CU_ASSERT(d->build_id_size == strlen(mapped[i].id) && !memcmp(d->build_id, mapped[i].id, d->build_id_size));
    }
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/a", 2, id, sizeof(id)), 0);
    map_file(s, 4096 * N, "/a", "");
    CU_ASSERT_PTR_EQUAL(file_at(s, 4096 * N), file_at(s, 0));
    CU_ASSERT(file_at(s, 0)->build_id_size == TD_BUILD_ID_MAX && !memcmp(file_at(s, 0)->build_id, id, TD_BUILD_ID_MAX));
    CU_ASSERT_EQUAL(file_at(s, 4096)->build_id_size, 0);
    CU_ASSERT_EQUAL(file_at(s, 2 * 4096)->build_id_size, 3);
    td_spaces_free(s);
}

static void map_id(struct td_spaces *s, uint64_t start, const char *id, size_t size)
{
    const struct td_mapping m = {.start = start,
                                 .size = 4096,
                                 .path = "/a",
                                 .path_size = 2,
                                 .build_id = (const unsigned char *)id,
                                 .build_id_size = size};

    CU_ASSERT_EQUAL_FATAL(td_spaces_map(s, 100, &m), 0);
}

/* A file that got its build-id after it was mapped is one with that build-id, and with no other; a mapping's own goes
 * before, and what is longer than one can be is cut. */
static void later_ids(void)
{
    static const unsigned char x[] = "xyz";
    static const char longest[] = "abcdefghijklmnopqrstu";
    static const struct {
        const char *id;
        size_t size;
        uint32_t number;
    } rows[] = {{"", 0, 0}, {"xyz", 3, 0}, {"xyw", 3, 1}, {"xy", 2, 2}, {"xyzz", 4, 3}, {"", 0, 0}, {longest, 21, 4}};
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    map_id(s, 0, "", 0);
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/a", 2, x, 3), 0);
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/ab", 3, x, 2), 0);
    for (uint64_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_dso *d;

        map_id(s, 4096 * (i + 1), rows[i].id, rows[i].size);
        d = file_at(s, 4096 * (i + 1));
        CU_ASSERT_EQUAL(d->number, rows[i].number);
        CU_ASSERT(d->start == 0 && d->end == 0 && d->text == 0);
    }
    CU_ASSERT(file_at(s, 4096 * 7)->build_id_size == TD_BUILD_ID_MAX &&
              !memcmp(file_at(s, 4096 * 7)->build_id, longest, TD_BUILD_ID_MAX));
    /* said again: of what is mapped from now on */
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/a", 2, x, 2), 0);
    map_id(s, 4096 * 9, "", 0);
    CU_ASSERT_EQUAL(file_at(s, 4096 * 9)->number, 2);
    CU_ASSERT(file_at(s, 0)->build_id_size == 3 && !memcmp(file_at(s, 0)->build_id, "xyz", 3));
    td_spaces_free(s);
}

static const struct td_dso *kernel_at(struct td_spaces *s, uint64_t address)
{
    uint64_t offset;
    const struct td_dso *d = td_spaces_find(s, 0, true, address, &offset);

    CU_ASSERT_FATAL(d && offset == address);
    return d;
}

/* One name of a file, a module, a function of the kernel and the kernel itself: each is a dso of its own. */
static void one_name(void)
{
    static const unsigned char id[] = "three";
    struct td_mapping m = {.start = 0x1000, .size = 0x10, .path = "/a", .path_size = 2, .kernel = true};
    struct td_spaces *s = td_spaces_new();
    const struct td_dso *d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "[kernel.kallsyms]", 17, id, 5), 0);
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/a", 2, id, 4), 0);
    map_file(s, 0x1000, "/a", "");
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
    CU_ASSERT(file_at(s, 0x1000)->number == 0 && !file_at(s, 0x1000)->kernel);
    d = kernel_at(s, 0x1000);
    CU_ASSERT(d->number == 1 && d->kernel && !d->function && d->build_id_size == 4);
    CU_ASSERT(d->start == 0x1000 && d->end == 0x100f);
    m.function = true;
    for (m.start = 0x1008; m.start < 0x3000; m.start += 0x1000) { /* which has not moved, but is there twice */
        CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
        d = kernel_at(s, m.start);
        CU_ASSERT(d->number == 2 && d->function && !d->moved && !d->build_id_size);
    }
    CU_ASSERT_EQUAL(kernel_at(s, 0x1007)->number, 1);
    m.path = "[kernel.kallsyms]_text";
    m.path_size = 22;
    m.start = 0x8000;
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
    CU_ASSERT_STRING_EQUAL(kernel_at(s, 0x8000)->path, "[kernel.kallsyms]_text");
    CU_ASSERT_PTR_NULL(td_spaces_kernel(s));
    m.function = false;
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
    d = td_spaces_kernel(s);
    CU_ASSERT_PTR_NULL(d); /* its text is at 0: this says nothing of it */
    m.start = m.offset = 0x9000;
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
    CU_ASSERT_EQUAL(kernel_at(s, 0x9000)->build_id_size, 5);
    CU_ASSERT(!memcmp(kernel_at(s, 0x9000)->build_id, id, 5));
    td_spaces_free(s);
}

/* Nothing is mapped without bytes, or beyond the last address. */
static void no_bytes(void)
{
    struct td_mapping m = {.path = "/b", .path_size = 2};
    struct td_spaces *s = td_spaces_new();
    uint64_t offset;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(td_spaces_map(s, 100, &m), 0);
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, 0, &offset));
    m.start = UINT64_MAX - 0xfff;
    m.size = 0x1001;
    CU_ASSERT_EQUAL(td_spaces_map(s, 100, &m), 0);
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, UINT64_MAX, &offset));
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, 0, &offset));
    m.size = 0x1000;
    m.path = "/a";
    CU_ASSERT_EQUAL(td_spaces_map(s, 100, &m), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(td_spaces_find(s, 100, false, UINT64_MAX, &offset));
    CU_ASSERT_EQUAL(td_spaces_find(s, 100, false, UINT64_MAX, &offset)->number, 0);
    CU_ASSERT_EQUAL(offset, 0xfff);
    CU_ASSERT_PTR_NOT_NULL(td_spaces_find(s, 100, false, m.start, &offset));
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, m.start - 1, &offset));
    m = (struct td_mapping){.start = 0x5000, .size = 1, .offset = 0x70, .path = "/a", .path_size = 2};
    CU_ASSERT_EQUAL(td_spaces_map(s, 100, &m), 0);
    CU_ASSERT(td_spaces_find(s, 100, false, 0x5000, &offset) && offset == 0x70);
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, 0x5001, &offset));
    td_spaces_free(s);
}

/* Functions that the kernel made are none of the files, whatever they are called; nothing is removed where no bytes
 * are, or where they go beyond the last address. */
static void functions(void)
{
    static const unsigned char id[] = "three";
    const struct td_mapping f = {
        .start = 0x1000, .size = 0x10, .path = "/a", .path_size = 2, .kernel = true, .function = true};
    struct td_spaces *s = td_spaces_new();
    const struct td_dso *d;
    uint64_t offset;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &f), 0);
    map_file(s, 0, "/a", "");
    CU_ASSERT_EQUAL(td_spaces_build_id(s, "/a", 2, id, 5), 0);
    CU_ASSERT_EQUAL(file_at(s, 0)->build_id_size, 5);
    d = td_spaces_find(s, 0, true, 0x1000, &offset);
    CU_ASSERT_FATAL(d && d->function);
    CU_ASSERT_EQUAL(d->build_id_size, 0);
    CU_ASSERT(d->start == 0x1000 && d->end == 0x100f && !d->file && offset == 0x1000);
    CU_ASSERT_EQUAL(td_spaces_unmap_function(s, 0x1000, 0), 0);
    CU_ASSERT_EQUAL(td_spaces_unmap_function(s, 0x1000, UINT64_MAX - 0xffe), 0); /* to the first address */
    CU_ASSERT_PTR_EQUAL(td_spaces_find(s, 0, true, 0x1000, &offset), d);
    CU_ASSERT_EQUAL(td_spaces_unmap_function(s, 0x1000, 1), 0);
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 0, true, 0x1000, &offset));
    CU_ASSERT_PTR_EQUAL(td_spaces_find(s, 0, true, 0x1001, &offset), d);
    CU_ASSERT_EQUAL(td_spaces_unmap_function(s, 0x1000, UINT64_MAX - 0xfff), 0); /* to the last */
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 0, true, 0x100f, &offset));
    td_spaces_free(s);
}

/* A module of which the kernel says twice where it is has moved; what it was is known by its first address. */
static void modules(void)
{
    static const struct {
        uint64_t start;
        bool moved;
        uint32_t number;
    } rows[] = {{0x1000, false, 0}, {0x5000, true, 1}, {0x1000, false, 0}, {0x9000, true, 1}};
    struct td_mapping m = {.size = 0x100, .offset = 7, .path = "[m]", .path_size = 3, .kernel = true};
    struct td_spaces *s = td_spaces_new();
    const struct td_dso *d;
    uint64_t offset;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        m.start = rows[i].start;
        CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
        d = td_spaces_find(s, 0, true, m.start + 0xff, &offset);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        CU_ASSERT(d->moved == rows[i].moved && d->number == rows[i].number && offset == m.start + 0xff);
        CU_ASSERT_PTR_NULL(td_spaces_find(s, 0, true, m.start + 0x100, &offset));
        CU_ASSERT_PTR_NULL(td_spaces_find(s, 0, true, m.start - 1, &offset));
    }
    CU_ASSERT_PTR_NULL(td_spaces_kernel(s));
    m = (struct td_mapping){.start = 0x100000,
                            .size = 0x1000,
                            .offset = 0x100040,
                            .path = "[kernel.kallsyms]_text",
                            .path_size = 22,
                            .kernel = true};
    CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
    d = td_spaces_kernel(s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    CU_ASSERT_STRING_EQUAL(d->path, "[kernel]");
    CU_ASSERT(d->text == 0x100040 && d->start == 0x100000 && d->end == 0x100fff);
    td_spaces_free(s);
}

/* Other names than "[kernel.kallsyms]_text" do not say where that is. */
static void kernels(void)
{
    static const struct {
        const char *path, *name;
        bool text;
    } rows[] = {{"[kernel.kallsyms]_text", "[kernel]", true},
                {"[kernel.kallsyms]_stext", "[kernel]", false},
                {"[kernel.kallsyms]_tex", "[kernel]", false},
                {"[kernel.kallsyms]_texT", "[kernel]", false},
                {"[kernel.kallsyms]", "[kernel]", false},
                {"[kernel.kallsyms", "[kernel.kallsyms", false},
                {"[kernel.kallsymx]_text", "[kernel.kallsymx]_text", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct td_mapping m = {.start = 0x100000,
                                     .size = 0x1000,
                                     .offset = 0x40,
                                     .path = rows[i].path,
                                     .path_size = strlen(rows[i].path),
                                     .kernel = true};
        struct td_spaces *s = td_spaces_new();
        const struct td_dso *d;
        uint64_t offset;

        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_EQUAL(td_spaces_map(s, 0, &m), 0);
        d = td_spaces_find(s, 0, true, 0x100000, &offset);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        CU_ASSERT_STRING_EQUAL(d->path, rows[i].name);
        CU_ASSERT_EQUAL(d->text, rows[i].text ? 0x40 : 0);
        CU_ASSERT_PTR_EQUAL(td_spaces_kernel(s), rows[i].text ? d : NULL);
        td_spaces_free(s);
    }
}

/* What can be a file, and what is memory in which a program makes its code. */
static void kinds(void)
{
    static const struct {
        const char *path;
        bool file, made;
    } rows[] = {
        {"/a", true, false},        {"//anon", false, true},   {"//a", false, false},
        {"/dev/zero", false, true}, {"/dev/zer", true, false}, {"/anon_hugepage", false, true},
        {"/memfd:x", false, true},  {"/memfd", true, false},   {"/SYSV0", false, true},
        {"[heap]", false, true},    {"[heap", false, false},   {"[stack]", false, true},
        {"[stack:7]", false, true}, {"[anon:x]", false, true}, {"[vdso]", false, false},
        {"a", false, false},
    };
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (uint64_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        map_file(s, 4096 * i, rows[i].path, "");
        CU_ASSERT(file_at(s, 4096 * i)->file == rows[i].file && file_at(s, 4096 * i)->made == rows[i].made);
    }
    td_spaces_free(s);
}

/* ---- threads ------------------------------------------------------------------------------------ */

static bool is_named(struct td_spaces *s, uint32_t tid, const char *name, uint32_t number)
{
    uint32_t found;

    return !strcmp(td_spaces_comm(s, tid, &found), name) && found == number;
}

/* What is mapped stays until the last thread ends; a thread begins with the name of the one that started it. */
static void threads(void)
{
    struct td_spaces *s = td_spaces_new();
    uint64_t offset;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    map_file(s, 0, "/a", "");
    CU_ASSERT(!td_spaces_name(s, 100, 100, "ls", 2, false) &&
              !td_spaces_fork(s, &(struct td_birth){100, 100, 101, 100, true, 0}) &&
              !td_spaces_name(s, 200, 200, "lsof", 4, false));
    CU_ASSERT(is_named(s, 100, "ls", 1) && is_named(s, 101, "ls", 1) && is_named(s, 200, "lsof", 2) &&
              is_named(s, 102, "", 0));
    CU_ASSERT_EQUAL(td_spaces_name(s, 100, 101, "lsof", 4, false), 0);
    CU_ASSERT(is_named(s, 100, "ls", 1) && is_named(s, 101, "lsof", 2));
    CU_ASSERT_EQUAL(td_spaces_name(s, 300, 300, "ls", 2, false), 0);
    CU_ASSERT(is_named(s, 300, "ls", 1));
    td_spaces_exit(s, 100, 100);
    CU_ASSERT(is_named(s, 100, "", 0) && is_named(s, 101, "lsof", 2));
    CU_ASSERT_PTR_NOT_NULL(td_spaces_find(s, 100, false, 0, &offset));
    td_spaces_exit(s, 100, 101);
    CU_ASSERT_PTR_NULL(td_spaces_find(s, 100, false, 0, &offset));
    td_spaces_free(s);
}

static bool is_mapped(struct td_spaces *s, uint32_t pid)
{
    uint64_t offset;

    return td_spaces_find(s, pid, false, 0, &offset);
}

/* How many threads a process has: its first one is not told twice, and what is forked anew has one, whatever had its
 * number. Who executes a file without having been seen has nothing. */
static void ends(void)
{
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    map_file(s, 0, "/a", "");
    CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){100, 100, 100, 100, false, 0}), 0);
    for (uint32_t tid = 101; tid < 104; tid++)
        CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){100, 100, tid, 100, true, 0}), 0);
    for (uint32_t tid = 100; tid < 104; tid++) {
        CU_ASSERT(is_mapped(s, 100));
        td_spaces_exit(s, 100, tid);
    }
    CU_ASSERT(!is_mapped(s, 100));
    td_spaces_exit(s, 100, 100); /* once more */
    CU_ASSERT(!is_mapped(s, 100));
    map_file(s, 0, "/a", "");
    CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){200, 100, 200, 100, true, 0}), 0);
    CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){200, 200, 201, 200, true, 0}), 0);
    CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){200, 100, 200, 100, true, 0}), 0);
    CU_ASSERT(is_mapped(s, 200));
    td_spaces_exit(s, 200, 200);
    CU_ASSERT(!is_mapped(s, 200) && is_mapped(s, 100));
    CU_ASSERT_EQUAL(td_spaces_fork(s, &(struct td_birth){200, 300, 200, 300, true, 0}), 0); /* by who is not known */
    CU_ASSERT(!is_mapped(s, 200) && !is_mapped(s, 300));
    CU_ASSERT_EQUAL(td_spaces_name(s, 300, 300, "sh", 2, true), 0);
    CU_ASSERT(!is_mapped(s, 300) && is_named(s, 300, "sh", 1));
    CU_ASSERT_EQUAL(td_spaces_name(s, 100, 100, "", 0, true), 0);
    CU_ASSERT(!is_mapped(s, 100) && is_named(s, 100, "", 2));
    td_spaces_free(s);
}

/* What a process has, as text: "PID PATH UNTIL" for each who made code in its memory, with - for no dump, and no time
 * for itself. */
static const char *makers_of(struct td_spaces *s, uint32_t pid)
{
    static char text[1000];
    struct td_maker m[TD_MAKERS];
    const size_t n = td_spaces_makers(s, pid, m);
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u %s", i ? ", " : "", m[i].pid,
                               m[i].dump ? m[i].dump->path : "-");
        CU_ASSERT((m[i].until == UINT64_MAX) == !i);
        if (i)
            at += (size_t)snprintf(text + at, sizeof(text) - at, " %u", (unsigned)m[i].until);
    }
    return text;
}

static void give_birth(struct td_spaces *s, uint32_t parent, uint32_t pid, uint64_t time)
{
    CU_ASSERT_FATAL(!td_spaces_fork(s, &(struct td_birth){pid, parent, pid, parent, time, time}));
}

/* A process has the dump that it mapped last, whatever it maps beside; a child has its parent's as it was; and a
 * program that is executed has none. */
static void dumps(void)
{
    static const char *const others[] = {"/jit-.dump", "/jit-1.dump2",  "/jit-1x.dump", "/a-jit-1.dump",
                                         "jit-1.dump", "/jit-1.dump/a", "//anon"};
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        map_file(s, 0x10000 * i, others[i], "");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 100), "100 -");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -");
    map_file(s, 0x1000, "/tmp/jit-100.dump", "");
    map_file(s, 0x2000, "/a", "");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 100), "100 /tmp/jit-100.dump");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -");
    give_birth(s, 100, 200, 7);
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -, 100 /tmp/jit-100.dump 7");
    map_file(s, 0x3000, "/b/jit-7.dump", "");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 100), "100 /b/jit-7.dump");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -, 100 /tmp/jit-100.dump 7");
    CU_ASSERT(!td_spaces_name(s, 100, 100, "ls", 2, false));
    CU_ASSERT_STRING_EQUAL(makers_of(s, 100), "100 /b/jit-7.dump");
    CU_ASSERT(!td_spaces_name(s, 100, 100, "ls", 2, true));
    CU_ASSERT_STRING_EQUAL(makers_of(s, 100), "100 -");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -, 100 /tmp/jit-100.dump 7");
    td_spaces_exit(s, 200, 200);
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -");
    td_spaces_free(s);
}

/* A child has its parent's memory, and what that had of its own parent, also when they are gone, until it executes a
 * file; of one that was there before it is not known whether it did. */
static void parents(void)
{
    struct td_spaces *s = td_spaces_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    map_file(s, 0x1000, "/jit-100.dump", "");
    give_birth(s, 100, 200, 5);
    give_birth(s, 200, 300, 6);
    CU_ASSERT(!td_spaces_fork(s, &(struct td_birth){200, 200, 201, 200, true, 7})); /* a thread */
    td_spaces_exit(s, 200, 201);
    td_spaces_exit(s, 200, 200);
    td_spaces_exit(s, 100, 100);
    CU_ASSERT_STRING_EQUAL(makers_of(s, 300), "300 -, 200 - 6, 100 /jit-100.dump 5");
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -");
    CU_ASSERT(!td_spaces_name(s, 300, 300, "sh", 2, false));
    CU_ASSERT_STRING_EQUAL(makers_of(s, 300), "300 -, 200 - 6, 100 /jit-100.dump 5");
    give_birth(s, 300, 200, 8); /* numbers come again */
    CU_ASSERT_STRING_EQUAL(makers_of(s, 200), "200 -, 300 - 8, 200 - 6, 100 /jit-100.dump 5");
    CU_ASSERT(!td_spaces_name(s, 300, 300, "sh", 2, true));
    CU_ASSERT_STRING_EQUAL(makers_of(s, 300), "300 -");
    map_file(s, 0x1000, "/jit-100.dump", "");
    give_birth(s, 100, 400, 0);
    CU_ASSERT_STRING_EQUAL(makers_of(s, 400), "400 /jit-100.dump");
    for (uint32_t i = 1; i < 20; i++)
        give_birth(s, 499 + i, 500 + i, i);
    CU_ASSERT_STRING_EQUAL(makers_of(s, 519), "519 -, 518 - 19, 517 - 18, 516 - 17, 515 - 16, 514 - 15, 513 - 14, "
                                              "512 - 13, 511 - 12");
    td_spaces_free(s);
}

static const CU_TestInfo tests[] = {
    {"as a table of pages", as_the_table},
    {"files by path and build-id", files},
    {"build-ids that come later", later_ids},
    {"one name of several kinds", one_name},
    {"mappings without bytes", no_bytes},
    {"threads and their names", threads},
    {"ends of processes", ends},
    {"jitdumps of processes", dumps},
    {"who made the code of a process", parents},
    {"functions of the kernel", functions},
    {"modules that moved", modules},
    {"names of the kernel", kernels},
    {"kinds of mappings", kinds},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("address spaces", tests);
