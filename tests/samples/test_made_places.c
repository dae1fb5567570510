/* SPDX-License-Identifier: MIT */
/* Samples in code that programs made while they ran: its names are those of the process, or of those that it was forked
 * from as they were then. */
#include "samples/places.h"
#include "symbols/jit_files.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char dump_100[] = "/tmp/jit-100.dump";

static struct td_spaces *spaces;
static struct td_places *places;
static char root[64];

static const char *below_root(const char *name)
{
    static char path[160];

    snprintf(path, sizeof(path), "%s%s", root, name);
    return path;
}

static void begin(enum td_samples_by by)
{
    strcpy(root, "/tmp/tdprobe-made-XXXXXX");
    CU_ASSERT_FATAL(mkdtemp(root) && !mkdir(below_root("/tmp"), 0700));
    spaces = td_spaces_new();
    places = td_places_new(by, &(struct td_stores){.root = root}, false, false);
    CU_ASSERT_FATAL(spaces && places);
}

static void finish(void)
{
    static const char *const names[] = {"/tmp/perf-100.map", "/tmp/perf-200.map", dump_100, "/tmp", ""};

    td_places_free(places);
    td_spaces_free(spaces);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        remove(below_root(names[i]));
}

static void write_map(const char *name, const char *text)
{
    FILE *f = fopen(below_root(name), "w");

    CU_ASSERT_FATAL(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Code that was made, as a jitdump has it. */
struct made {
    uint64_t time, address;
    const char *name;
};
enum { SIZE = 16 };

static void put(FILE *f, uint64_t value, size_t size)
{
    CU_ASSERT_EQUAL_FATAL(fwrite(&value, size, 1, f), 1);
}

/* Writes a jitdump after Linux tools/perf/Documentation/jitdump-specification.txt, in this machine's order of bytes. */
static void write_dump(const struct made *m, size_t n)
{
    static const unsigned char code[SIZE] = {0x90, 0xc3}; /* nop; ret; then add %al, (%rax) */
    FILE *f = fopen(below_root(dump_100), "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    put(f, 0x4a695444, 4), put(f, 1, 4), put(f, 40, 4), put(f, EM_X86_64, 4), put(f, 0, 4), put(f, 100, 4);
    put(f, 1, 8), put(f, 0, 8);
    for (size_t i = 0; i < n; i++) {
        put(f, 0, 4), put(f, 56 + strlen(m[i].name) + 1 + SIZE, 4), put(f, m[i].time, 8);
        put(f, 100, 4), put(f, 100, 4), put(f, m[i].address, 8), put(f, m[i].address, 8), put(f, SIZE, 8);
        put(f, i, 8);
        CU_ASSERT_EQUAL_FATAL(fwrite(m[i].name, strlen(m[i].name) + 1, 1, f), 1);
        CU_ASSERT_EQUAL_FATAL(fwrite(code, SIZE, 1, f), 1);
    }
    CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
}

/* Memory without a file from 0x1000 on, and where a path is given a mapping of that before it. */
static void map(uint32_t pid, const char *path)
{
    const struct td_mapping m = {.start = 0x100, .size = 0x100, .path = path, .path_size = strlen(path)},
                            anon = {.start = 0x1000, .size = 0x1000, .path = "//anon", .path_size = 6};

    CU_ASSERT_EQUAL_FATAL(td_spaces_map(spaces, pid, &anon), 0);
    if (*path)
        CU_ASSERT_EQUAL_FATAL(td_spaces_map(spaces, pid, &m), 0);
}

static void give_birth(uint32_t parent, uint32_t pid, uint64_t time)
{
    CU_ASSERT_FATAL(!td_spaces_fork(spaces, &(struct td_birth){pid, parent, pid, parent, true, time}));
}

static const struct td_place *place_at(uint32_t pid, uint64_t address, uint64_t time)
{
    const struct td_hit h = {.pid = pid, .tid = pid, .address = address, .has_address = true, .time = time};
    const struct td_place *place[TD_PLACES_AT];
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, &h, place, &n), 0);
    CU_ASSERT_EQUAL(n, 1);
    return place[0];
}

static const char *name_at(uint32_t pid, uint64_t address, uint64_t time)
{
    return place_at(pid, address, time)->name;
}

/* The parent makes code at 0x1000 before its child is forked, other code in its place after that, and yet other code
 * where none had been. */
static void as_it_was(void)
{
    static const struct made m[] = {{10, 0x1000, "before"}, {30, 0x1000, "after"}, {31, 0x1100, "new"}};

    begin(TD_SAMPLES_BY_FUNCTION);
    map(100, dump_100);
    write_dump(m, 3);
    give_birth(100, 200, 20);
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1000, 25), "before");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1000, 40), "after");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1100, 40), "new");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1000, 25), "before");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1000, 40), "before");
    map(400, "");
    CU_ASSERT_STRING_EQUAL(name_at(400, 0x1000, 40), "anon (no symbols)"); /* which is no child of anybody */
    CU_ASSERT_PTR_EQUAL(place_at(200, 0x1000, 40), place_at(100, 0x1000, 25));
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1100, 40), "anon (no symbols)");
    CU_ASSERT_EQUAL(place_at(200, 0x1100, 40)->symbols, TD_SYMBOLS_NO_MAP);
    /* where times are not known, a name that may be that of later code is none */
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1000, 0), "anon (no symbols)");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1100, 0), "new");
    give_birth(100, 300, 0);
    CU_ASSERT_STRING_EQUAL(name_at(300, 0x1000, 40), "anon (no symbols)");
    finish();
}

/* A map has no times: its name is taken where all at an address have the same. The child's own go before, for those
 * addresses that they name. */
static void of_maps(void)
{
    begin(TD_SAMPLES_BY_FUNCTION);
    map(100, "");
    write_map("/tmp/perf-100.map",
              "1000 10 one\n1010 10 twice\n1010 10 other\n1020 10 same\n1028 8 same\n1040 10 four\n");
    write_map("/tmp/perf-200.map", "1040 10 own\n");
    give_birth(100, 200, 20);
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1000, 40), "one");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1010, 40), "other");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1010, 40), "anon (no symbols)");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x102a, 40), "same");
    CU_ASSERT_STRING_EQUAL(name_at(200, 0x1040, 40), "own");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1040, 40), "four");
    finish();
}

/* A map names what is in no mapping, too; but nothing of the kernel or a guest, and nothing without an address. */
static void of_the_process_alone(void)
{
    static const struct {
        struct td_hit h;
        const char *name;
    } rows[] = {
        {{.pid = 100, .has_address = true, .address = 0x1005}, "one"},
        {{.pid = 100, .has_address = true, .address = 0x9005}, "two"}, /* where nothing is mapped */
        {{.pid = 100, .has_address = true, .address = 0x9010}, "[unknown+0x9010]"},
        {{.pid = 101, .has_address = true, .address = 0x9005}, "[unknown+0x9005]"},
        {{.pid = 100, .has_address = true, .address = 0x1005, .kernel = true}, "[kernel+0x1005]"},
        {{.pid = 100, .has_address = true, .address = 0x1005, .elsewhere = "[guest]"}, "[guest+0x1005]"},
        {{.pid = 100, .address = 0x1005}, "[no address]"},
    };

    begin(TD_SAMPLES_BY_FUNCTION);
    map(100, "");
    write_map("/tmp/perf-100.map", "1000 10 one\n9000 10 two\n");
    for (size_t i = 0; i < 2 * (sizeof(rows) / sizeof(*rows)); i++) { /* each twice */
        const struct td_place *place[TD_PLACES_AT];
        size_t n;

        CU_ASSERT(!td_places_find(places, spaces, &rows[i / 2].h, place, &n) && n == 1);
        CU_ASSERT_STRING_EQUAL(place[0]->name, rows[i / 2].name);
    }
    finish();
}

/* Of what is split: an instruction that only a map names is at its address, others are not split, and what has no name
 * is no function. */
static void split(void)
{
    static const char *const functions[] = {"one", "anon (no symbols)"};

    for (size_t i = 0; i < 2; i++) {
        const struct td_hit in_one = {.pid = 100, .address = 0x1005, .has_address = true},
                            in_two = {.pid = 100, .address = 0x1010, .has_address = true},
                            in_none = {.pid = 100, .address = 0x1020, .has_address = true};
        const struct td_place *place[TD_PLACES_AT];
        struct td_code *c;
        size_t n;

        begin(TD_SAMPLES_BY_FUNCTION);
        CU_ASSERT_EQUAL_FATAL(td_places_split(places, functions[i], NULL), 0);
        map(100, "");
        write_map("/tmp/perf-100.map", "1000 10 one\n1010 10 two\n");
        CU_ASSERT_EQUAL(td_places_find(places, spaces, &in_one, place, &n), 0);
        CU_ASSERT_EQUAL(n, i ? 1 : 3);
        if (!i) {
            CU_ASSERT_STRING_EQUAL(place[0]->name, "one+0x5");
            CU_ASSERT(place[0]->code->offset == 0x1005 && place[0]->kind == TD_KIND_INSTRUCTION);
            CU_ASSERT_STRING_EQUAL(place[2]->name, "one");
            CU_ASSERT_EQUAL_FATAL(td_places_code(places, place[2]->name, &c), 0);
            CU_ASSERT(c->made && c->status == TD_CODE_NOT_KEPT && !c->size && !c->offset && !c->instructions);
            td_code_free(c);
        }
        CU_ASSERT(!td_places_find(places, spaces, &in_two, place, &n) && n == 1);
        CU_ASSERT_STRING_EQUAL(place[0]->name, "two");
        CU_ASSERT(!td_places_find(places, spaces, &in_none, place, &n) && n == 1);
        CU_ASSERT_STRING_EQUAL(place[0]->name, "anon (no symbols)");
        CU_ASSERT_EQUAL(place[0]->symbols, TD_SYMBOLS_NO_MAP); /* the map says nothing of it */
        finish();
    }
}

/* Who was forked twice has the names of the first, though the one between them has ended, and of each what it was at
 * its own time. */
static void forked_twice(void)
{
    static const struct made m[] = {{10, 0x1000, "first"}, {25, 0x1000, "second"}, {10, 0x1100, "other"}};

    begin(TD_SAMPLES_BY_FUNCTION);
    map(100, dump_100);
    write_dump(m, 3);
    give_birth(100, 200, 20);
    give_birth(200, 300, 30);
    td_spaces_exit(spaces, 200, 200);
    CU_ASSERT_STRING_EQUAL(name_at(300, 0x1000, 40), "first");
    td_spaces_exit(spaces, 100, 100);
    CU_ASSERT_STRING_EQUAL(name_at(300, 0x1100, 40), "other");
    finish();
}

/* A file that is gone after the first look at it names the code of later children all the same: it is read once. */
static void read_once(void)
{
    static const struct made m[] = {{10, 0x1000, "dumped"}};

    begin(TD_SAMPLES_BY_FUNCTION);
    map(100, dump_100);
    write_dump(m, 1);
    write_map("/tmp/perf-100.map", "1100 10 mapped\n");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1000, 40), "dumped");
    CU_ASSERT_STRING_EQUAL(name_at(100, 0x1100, 40), "mapped");
    CU_ASSERT(!remove(below_root(dump_100)) && !remove(below_root("/tmp/perf-100.map")));
    for (uint32_t pid = 200; pid < 210; pid++) {
        give_birth(100, pid, 20);
        CU_ASSERT_PTR_EQUAL(place_at(pid, 0x1000, 40), place_at(100, 0x1000, 40));
        CU_ASSERT_PTR_EQUAL(place_at(pid, 0x1100, 40), place_at(100, 0x1100, 40));
    }
    finish();
}

/* What was compiled several times under one name is one function, but by address each is one. */
static void one_a_name(void)
{
    static const struct made m[] = {{10, 0x1000, "LazyCompile:~scan"},
                                    {11, 0x1100, "LazyCompile:*scan"},
                                    {12, 0x1200, "LazyCompile:*scan"},
                                    {13, 0x1300, "LazyCompile:*scan2"}};

    for (int by_address = 0; by_address < 2; by_address++) {
        begin(by_address ? TD_SAMPLES_BY_ADDRESS : TD_SAMPLES_BY_FUNCTION);
        map(100, dump_100);
        write_dump(m, 4);
        CU_ASSERT_EQUAL(place_at(100, 0x1100, 40) == place_at(100, 0x1205, 40), !by_address);
        CU_ASSERT_PTR_EQUAL(place_at(100, 0x1200, 40), place_at(100, 0x1205, 40));
        CU_ASSERT_STRING_EQUAL(name_at(100, 0x1200, 40), "LazyCompile:*scan");
        CU_ASSERT_STRING_EQUAL(name_at(100, 0x1000, 40), "LazyCompile:~scan");
        CU_ASSERT_STRING_EQUAL(name_at(100, 0x1300, 40), "LazyCompile:*scan2");
        finish();
    }
}

/* The dump has the code once, though it was moved: a nop, a ret and 7 times add. An instruction is where it is in the
 * dump, and a name that is no longer before the code says that the dump is another one. */
static void code(void)
{
    static const struct made m[] = {{10, 0x1000, "f"}, {11, 0x1100, "other"}};
    const struct td_symbol wrong = {0x1000, 0x1000 + SIZE, "g", .code = 40 + 56 + 2},
                           right = {0x1000, 0x1000 + SIZE, "f", .code = 40 + 56 + 2};
    const struct td_hit h = {.pid = 100, .address = 0x1201, .has_address = true, .time = 40};
    const struct td_place *place[TD_PLACES_AT];
    unsigned char bytes[SIZE];
    struct td_code *c;
    unsigned machine;
    size_t n;
    FILE *f;

    begin(TD_SAMPLES_BY_FUNCTION);
    CU_ASSERT_EQUAL_FATAL(td_places_split(places, "f", NULL), 0);
    map(100, dump_100);
    write_dump(m, 2);
    f = fopen(below_root(dump_100), "a");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    put(f, 1, 4), put(f, 64, 4), put(f, 20, 8), put(f, 100, 4), put(f, 100, 4), put(f, 0x1200, 8);
    put(f, 0x1000, 8), put(f, 0x1200, 8), put(f, SIZE, 8), put(f, 0, 8); /* the first one, from 0x1000 to 0x1200 */
    CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
    CU_ASSERT(!td_places_find(places, spaces, &h, place, &n) && n == 3);
    CU_ASSERT_STRING_EQUAL(place[0]->name, "f+0x1");
    CU_ASSERT_EQUAL(place[0]->code->offset, 40 + 56 + 2 + 1);
    CU_ASSERT_STRING_EQUAL(place[1]->name, "[f+unknown line]");
    CU_ASSERT_EQUAL_FATAL(td_places_code(places, place[2]->name, &c), 0);
    CU_ASSERT(c->made && c->offset == 40 + 56 + 2 && c->address == 0x1000 && c->size == SIZE && !c->sources);
    CU_ASSERT_NOT_EQUAL(c->status, TD_CODE_TOO_LARGE);
    if (c->status == TD_CODE_OK)
        CU_ASSERT(c->instructions == 9 && c->instruction[1].offset == c->offset + 1 &&
                  c->instruction[1].address == 0x1001);
    td_code_free(c);
    f = fopen(below_root(dump_100), "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT(td_jit_dump_code(f, &right, bytes, &machine) && machine == EM_X86_64 && bytes[1] == 0xc3);
    rewind(f);
    CU_ASSERT(!td_jit_dump_code(f, &wrong, bytes, &machine));
    fclose(f);
    finish();
}

/* What was made twice under one name is disassembled twice, in the order of the dump, wherever it was: at addresses as
 * large as programs have them. */
static void code_made_again(void)
{
    static const uint64_t high = 0x7f0000000000;
    const struct made m[] = {{10, high + 0x200, "f"}, {11, high + 0x100, "other"}, {12, high, "f"}};
    const struct td_mapping anon = {.start = high, .size = 0x1000, .path = "//anon", .path_size = 6},
                            dump = {.start = 0x100, .size = 0x100, .path = dump_100, .path_size = strlen(dump_100)};
    enum { FIRST = 40 + 56 + 2, AGAIN = FIRST + SIZE + (56 + 6 + SIZE) + 56 + 2, COUNT = 9 };
    struct td_code *c;

    begin(TD_SAMPLES_BY_FUNCTION);
    CU_ASSERT_EQUAL_FATAL(td_places_split(places, "none", NULL), 0);
    CU_ASSERT_FATAL(!td_spaces_map(spaces, 100, &anon) && !td_spaces_map(spaces, 100, &dump));
    write_dump(m, 3);
    CU_ASSERT_EQUAL_FATAL(td_places_code(places, name_at(100, high + 1, 40), &c), 0);
    CU_ASSERT(c->made && c->offset == FIRST && c->address == high + 0x200 && c->size == SIZE);
    if (c->status == TD_CODE_NOT_BUILT || c->status == TD_CODE_NO_LIBRARY) {
        unit_skip("no capstone");
    } else {
        CU_ASSERT_EQUAL(c->status, TD_CODE_OK);
        CU_ASSERT_EQUAL_FATAL(c->instructions, 2 * COUNT);
        CU_ASSERT(c->instruction[1].offset == FIRST + 1 && c->instruction[1].address == high + 0x201);
        CU_ASSERT(c->instruction[COUNT + 1].offset == AGAIN + 1 && c->instruction[COUNT + 1].address == high + 1);
        for (size_t i = 0; i < 2 * COUNT; i++)
            CU_ASSERT(!strncmp(c->instruction[i].text, i % COUNT > 1 ? "add" : i % COUNT ? "ret" : "nop", 3));
    }
    td_code_free(c);
    finish();
}

/* Of all times that it was made, TD_CODE_MOST bytes are read. The second time, of which the dump has no bytes, it makes
 * as many, and one more. */
static void much_code(void)
{
    static const struct made m[] = {{10, 0x1000, "f"}};

    for (uint64_t more = 0; more < 2; more++) {
        const uint64_t size = TD_CODE_MOST - SIZE + more;
        struct td_code *c;
        FILE *f;

        begin(TD_SAMPLES_BY_FUNCTION);
        CU_ASSERT_EQUAL_FATAL(td_places_split(places, "none", NULL), 0);
        map(100, dump_100);
        write_dump(m, 1);
        f = fopen(below_root(dump_100), "a");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        put(f, 0, 4), put(f, 56 + 2 + size, 4), put(f, 20, 8), put(f, 100, 4), put(f, 100, 4);
        put(f, 0x10000, 8), put(f, 0x10000, 8), put(f, size, 8), put(f, 1, 8), put(f, 'f', 2);
        CU_ASSERT_EQUAL_FATAL(fclose(f), 0);
        CU_ASSERT_EQUAL_FATAL(td_places_code(places, name_at(100, 0x1000, 15), &c), 0);
        CU_ASSERT_EQUAL(c->status == TD_CODE_TOO_LARGE, more);
        CU_ASSERT(c->size == SIZE && c->address == 0x1000);
        td_code_free(c);
        finish();
    }
}

/* What a dump and a map name, an instruction of it, and its code. */
static int found(void *ctx)
{
    const struct td_hit hits[] = {{.pid = 100, .address = 0x1001, .has_address = true, .time = 40},
                                  {.pid = 100, .address = 0x1305, .has_address = true, .time = 40}};
    const struct td_mapping anon = {.start = 0x1000, .size = 0x1000, .path = "//anon", .path_size = 6},
                            dump = {.start = 0x100, .size = 0x100, .path = dump_100, .path_size = strlen(dump_100)};
    const struct td_place *place[TD_PLACES_AT];
    struct td_spaces *s = td_spaces_new();
    struct td_places *p = td_places_new(TD_SAMPLES_BY_FUNCTION, &(struct td_stores){.root = root}, false, false);
    struct td_code *c = NULL;
    size_t n;
    int err = s && p ? td_places_split(p, "f", NULL) : -ENOMEM;

    (void)ctx;
    err = err ? err : td_spaces_map(s, 100, &anon);
    err = err ? err : td_spaces_map(s, 100, &dump);
    err = err ? err : td_places_find(p, s, &hits[1], place, &n);
    err = err ? err : td_places_find(p, s, &hits[0], place, &n);
    err = err ? err : td_places_code(p, place[n - 1]->name, &c);
    td_code_free(c);
    td_places_free(p);
    td_spaces_free(s);
    return err;
}

static void memory(void)
{
    static const struct made m[] = {{10, 0x1000, "f"}, {11, 0x1100, "f"}, {12, 0x1200, "f"}};

    begin(TD_SAMPLES_BY_FUNCTION);
    write_dump(m, 3);
    write_map("/tmp/perf-100.map", "1300 10 mapped\n");
    CU_ASSERT(memory_each(found, NULL, 1, false) >= 10);
    finish();
}

static const CU_TestInfo tests[] = {
    {"a child's are its parent's as they were", as_it_was},
    {"a child's by maps", of_maps},
    {"of who was forked twice", forked_twice},
    {"of the process alone", of_the_process_alone},
    {"split", split},
    {"each file is read once", read_once},
    {"one place a name", one_a_name},
    {"code", code},
    {"code that was made again", code_made_again},
    {"much code", much_code},
    {"without memory", memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("made places", tests);
