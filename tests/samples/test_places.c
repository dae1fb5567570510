/* SPDX-License-Identifier: MIT */
/* What samples are told apart by, in a program of tests/samples/symfs: functions, lines and inlined functions as nm,
 * addr2line -i and objdump of binutils 2.40 have them. */
#include "samples/places.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PID = 100, SCAN = 0x1159, SCAN_SIZE = 0xf6, CHASE = 0x124f, START = 0x1070 };

static const unsigned char build_id[] = {0xb3, 0xc5, 0x4b, 0xae, 0x9d, 0x2b, 0x31, 0x96, 0x3c, 0xc5,
                                         0x75, 0x21, 0xe9, 0x5d, 0xb0, 0x64, 0x51, 0x3b, 0x23, 0x43};

#ifdef HAVE_ELFUTILS
static const bool named = true;
#else
static const bool named = false; /* no place of a file has a name */
#endif

static struct td_spaces *spaces;
static struct td_places *places;
static char root[4096];

static void map(const char *path, uint64_t start, uint64_t offset, bool kernel)
{
    const bool known = strstr(path, "kernels") != NULL;

    CU_ASSERT_EQUAL_FATAL(td_spaces_map(spaces, PID,
                                        &(struct td_mapping){.start = start,
                                                             .size = 0x1000,
                                                             .offset = offset,
                                                             .path = path,
                                                             .path_size = strlen(path),
                                                             .build_id = build_id,
                                                             .build_id_size = known ? sizeof(build_id) : 0,
                                                             .kernel = kernel}),
                          0);
}

/* The program's code at 0x401000, so that an address is its offset and 0x400000; a file that is not there at
 * 0x601000; memory without a file at 0x701000. */
static void begin(enum td_samples_by by, bool with_root, bool inlined, bool together)
{
    const struct td_stores stores = {.root = with_root ? root : NULL};

    if (!*root)
        snprintf(root, sizeof(root), "%s/tests/samples/symfs", getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    spaces = td_spaces_new();
    places = td_places_new(by, &stores, inlined, together);
    CU_ASSERT_FATAL(spaces && places);
    map("/usr/bin/kernels", 0x401000, 0x1000, false);
    map("/usr/lib/missing.so", 0x601000, 0x1000, false);
}

static void finish(void)
{
    td_places_free(places);
    td_spaces_free(spaces);
}

/* The places of a hit as text: their names, the innermost first, and "| ". */
static const char *names_of(const struct td_hit *h)
{
    static char text[600];
    const struct td_place *place[TD_PLACES_AT];
    size_t n, at = 0;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, h, place, &n), 0);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", i ? " | " : "", place[i]->name);
    return text;
}

static const char *names_at(uint64_t address)
{
    return names_of(&(struct td_hit){.pid = PID, .tid = PID, .address = address, .has_address = true});
}

static const struct td_place *first_at(uint64_t address)
{
    const struct td_place *place[TD_PLACES_AT];
    const struct td_hit h = {.pid = PID, .tid = PID, .address = address, .has_address = true};
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, &h, place, &n), 0);
    return place[0];
}

static void functions(void)
{
    const struct td_place *scan, *missing;

    if (!named)
        return;
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN + SCAN_SIZE - 1), "scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + CHASE), "chase");
    scan = first_at(0x400000 + SCAN);
    CU_ASSERT_PTR_EQUAL(scan, first_at(0x400000 + SCAN + 7));
    CU_ASSERT_PTR_NOT_EQUAL(scan, first_at(0x400000 + CHASE));
    CU_ASSERT(scan->number == 0 && first_at(0x400000 + CHASE)->number == 1);
    CU_ASSERT(scan->symbols == TD_SYMBOLS_FOUND && scan->kind == TD_KIND_NONE && !scan->code);
    CU_ASSERT_STRING_EQUAL(scan->dso->path, "/usr/bin/kernels");
    /* all of a file without symbols is one place */
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "missing.so (no symbols)");
    missing = first_at(0x601010);
    CU_ASSERT_PTR_EQUAL(missing, first_at(0x601020));
    CU_ASSERT(missing->symbols != TD_SYMBOLS_FOUND && missing->number == 2);
    /* an address of nobody */
    CU_ASSERT_STRING_EQUAL(names_at(0x801010), "[unknown+0x801010]");
    CU_ASSERT_STRING_EQUAL(names_of(&(struct td_hit){.pid = PID}), "[no address]");
    CU_ASSERT_STRING_EQUAL(
        names_of(&(struct td_hit){.pid = PID, .address = 5, .has_address = true, .elsewhere = "[guest]"}),
        "[guest+0x5]");
    finish();
}

/* Without a root, functions have no names but offsets; together they are one place of each file. */
static void without_symbols(void)
{
    begin(TD_SAMPLES_BY_FUNCTION, false, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "[kernels+0x1159]");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN + 1), "[kernels+0x115a]");
    CU_ASSERT_EQUAL(first_at(0x400000 + SCAN)->symbols, TD_SYMBOLS_NOT_ASKED);
    CU_ASSERT_EQUAL(first_at(0x400000 + SCAN + 1)->number, 1);
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, false, false, true);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "[kernels]");
    CU_ASSERT_PTR_EQUAL(first_at(0x400000 + SCAN), first_at(0x400000 + CHASE));
    map("[vdso]", 0x501000, 0, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x501000), "[vdso]");
    map("[x]", 0x502000, 0, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x502000), "[x]");
    map("/a/folder/", 0x503000, 0, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x503000), "[/a/folder/]");
    finish();
}

static enum td_symbols symbols_of(const struct td_hit *h)
{
    const struct td_place *place[TD_PLACES_AT];
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, h, place, &n), 0);
    return place[0]->symbols;
}

/* Why there are no names, for each kind of mapping: of what can be no file nobody asks; a file of which neither a
 * build-id nor a root tells which one it was may be another by now. */
static void why_no_symbols(void)
{
    static const struct {
        struct td_mapping m;
        enum td_symbols here, below; /* with / as the root, and with another one */
        const char *name; /* with another one */
    } rows[] = {
        {{.path = "/usr/bin/none"}, TD_SYMBOLS_UNKNOWN_BUILD, TD_SYMBOLS_NO_FILE, "none (no symbols)"},
        {{.path = "[vdso]"}, TD_SYMBOLS_NOT_ASKED, TD_SYMBOLS_NOT_ASKED, "[vdso] (no symbols)"},
        {{.path = "//x"}, TD_SYMBOLS_NOT_ASKED, TD_SYMBOLS_NOT_ASKED, "x (no symbols)"},
        {{.path = "f", .kernel = true, .function = true}, TD_SYMBOLS_NOT_ASKED, TD_SYMBOLS_NOT_ASKED, "f"},
        {{.path = "/a/m.ko", .kernel = true}, TD_SYMBOLS_UNKNOWN_BUILD, TD_SYMBOLS_NO_FILE, "m.ko (no symbols)"},
        {{.path = "[m]", .kernel = true}, TD_SYMBOLS_UNKNOWN_BUILD, TD_SYMBOLS_NO_FILE, "[m] (no symbols)"},
        {{.path = "[m]", .kernel = true},
         TD_SYMBOLS_NOT_ASKED,
         TD_SYMBOLS_NOT_ASKED,
         "[m] (no symbols)"}, /* it moved */
    };

    if (!named)
        return;
    for (int below = 0; below < 2; below++) {
        struct td_hit h = {.pid = PID, .has_address = true};

        if (below) {
            begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
        } else {
            spaces = td_spaces_new();
            places = td_places_new(TD_SAMPLES_BY_FUNCTION, &(struct td_stores){.root = ""}, false, false);
        }
        for (uint64_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
            struct td_mapping m = rows[i].m;

            m.start = 0x10000 * (i + 1);
            m.size = 0x1000;
            m.path_size = strlen(m.path);
            CU_ASSERT_EQUAL_FATAL(td_spaces_map(spaces, PID, &m), 0);
            h.kernel = m.kernel;
            h.address = m.start + 0x10;
            CU_ASSERT_EQUAL(symbols_of(&h), below ? rows[i].below : rows[i].here);
            if (below)
                CU_ASSERT_STRING_EQUAL(names_of(&h), rows[i].name);
        }
        finish();
    }
}

/* What has no symbol has its address as a name, unless none of its file has one and places are functions, or all of its
 * file are one. */
static void nameless(void)
{
    if (!named)
        return;
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x40167d), "[kernels+0x167d]"); /* between the end of main() and _fini() */
    CU_ASSERT_EQUAL(first_at(0x40167d)->symbols, TD_SYMBOLS_FOUND);
    CU_ASSERT_PTR_NOT_EQUAL(first_at(0x40167d), first_at(0x40167e));
    CU_ASSERT_EQUAL(td_places_split(places, "[kernels+0x167d]", NULL), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x40167d), "[kernels+0x167d]"); /* it is no function whose lines are known */
    finish();
    begin(TD_SAMPLES_BY_ADDRESS, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "[missing.so+0x1010]");
    CU_ASSERT_STRING_EQUAL(names_at(0x601011), "[missing.so+0x1011]");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "scan");
    finish();
    begin(TD_SAMPLES_BY_STACK, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "[missing.so+0x1010]");
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, true, false, true);
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "[missing.so]");
    CU_ASSERT_STRING_EQUAL(names_at(0x40167d), "[kernels]");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "scan");
    finish();
}

static void lines(void)
{
    if (!named)
        return;
    begin(TD_SAMPLES_BY_LINE, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "/src/kernels.c:6");
    CU_ASSERT_STRING_EQUAL(names_at(0x401170), "/src/phases.h:13");
    CU_ASSERT_STRING_EQUAL(names_at(0x401180), "/src/phases.h:14");
    CU_ASSERT_STRING_EQUAL(names_at(0x4015c0), "/usr/include/stdlib.h:369");
    CU_ASSERT_PTR_EQUAL(first_at(0x401180), first_at(0x401210)); /* where it was inlined, and its unlikely part */
    CU_ASSERT_PTR_NOT_EQUAL(first_at(0x401170), first_at(0x401180));
    CU_ASSERT_EQUAL(first_at(0x401170)->symbols, TD_SYMBOLS_FOUND);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + START), "[_start+unknown line]");
    CU_ASSERT_EQUAL(first_at(0x400000 + START)->symbols, TD_SYMBOLS_NO_LINES);
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "[missing.so+unknown line]");
    CU_ASSERT_PTR_EQUAL(first_at(0x601010), first_at(0x601020));
    CU_ASSERT_NOT_EQUAL(first_at(0x601010)->symbols, TD_SYMBOLS_NO_LINES);
    finish();
    begin(TD_SAMPLES_BY_SOURCE, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "/src/kernels.c");
    CU_ASSERT_PTR_EQUAL(first_at(0x401170), first_at(0x401180));
    CU_ASSERT_STRING_EQUAL(names_at(0x401170), "/src/phases.h");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + START), "[_start+unknown source]");
    finish();
}

/* phase() is inlined in scan() and chase(), and is one place. */
static void inlined(void)
{
    const struct td_place *place[TD_PLACES_AT], *phase;
    struct td_hit h = {.pid = PID, .address = 0x401180, .has_address = true};
    size_t n;

    if (!named)
        return;
    begin(TD_SAMPLES_BY_FUNCTION, true, true, false);
    CU_ASSERT_STRING_EQUAL(names_at(0x401170), "phase (inlined) | scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x401280), "phase (inlined) | chase");
    CU_ASSERT_STRING_EQUAL(names_at(0x4015c0), "atol (inlined) | main");
    CU_ASSERT_STRING_EQUAL(names_at(0x601010), "missing.so (no symbols)");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x801010), "[unknown+0x801010]");
    phase = first_at(0x401170);
    CU_ASSERT(!td_places_find(places, spaces, &h, place, &n) && n == 2);
    CU_ASSERT(place[0] == phase && place[1] == first_at(0x400000 + SCAN) && phase == first_at(0x401280));
    CU_ASSERT(!td_places_find(places, spaces, &h, place, &n) && n == 2 && place[0] == phase); /* it is remembered */
    finish();
}

/* Lines and instructions of scan() alone. */
static void split(void)
{
    const struct td_place *place[TD_PLACES_AT];
    struct td_hit h = {.pid = PID, .address = 0x401175, .has_address = true};
    size_t n;

    if (!named)
        return;
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_EQUAL(td_places_split(places, "scan", "kernels"), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401175), "scan+0x1c | /src/phases.h:14 | scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x40117c), "scan+0x23 | /src/phases.h:14 | scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + CHASE), "chase");
    CU_ASSERT(!td_places_find(places, spaces, &h, place, &n) && n == 3);
    CU_ASSERT(place[0]->kind == TD_KIND_INSTRUCTION && place[1]->kind == TD_KIND_LINE &&
              place[2]->kind == TD_KIND_NONE && !place[2]->code);
    CU_ASSERT(place[0]->code->offset == 0x1175 && place[0]->code->line == 14 &&
              place[0]->code->function == place[2]->name);
    CU_ASSERT(place[1]->code->offset == 0 && place[1]->code->line == 14 && place[1]->code->function == place[2]->name);
    CU_ASSERT_STRING_EQUAL(place[1]->code->file, "/src/phases.h");
    CU_ASSERT(place[0]->symbols == TD_SYMBOLS_FOUND && place[1]->symbols == TD_SYMBOLS_FOUND);
    CU_ASSERT_PTR_EQUAL(place[0]->code->file, place[1]->code->file);
    finish();
    /* by its path, or any of that name; not one of another file */
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_EQUAL(td_places_split(places, "_start", "/usr/bin/kernels"), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401072), "_start+0x2 | [_start+unknown line] | _start");
    CU_ASSERT(!td_places_find(places, spaces, &(struct td_hit){.pid = PID, .address = 0x401072, .has_address = true},
                              place, &n));
    CU_ASSERT(place[1]->symbols == TD_SYMBOLS_NO_LINES && !place[1]->code->line && !place[1]->code->file);
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_EQUAL(td_places_split(places, "scan", NULL), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401175), "scan+0x1c | /src/phases.h:14 | scan");
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_EQUAL(td_places_split(places, "scan", "crew"), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401175), "scan");
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, true, true, false); /* nor where functions are inlined */
    CU_ASSERT_EQUAL(td_places_split(places, "scan", NULL), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401175), "phase (inlined) | scan");
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "scan");
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, false, false, false); /* nor where nothing has a name */
    CU_ASSERT_EQUAL(td_places_split(places, "[kernels+0x1159]", NULL), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x400000 + SCAN), "[kernels+0x1159]");
    CU_ASSERT_EQUAL(td_places_code(places, first_at(0x400000 + SCAN)->name, &(struct td_code *){NULL}), -ENOENT);
    finish();
    begin(TD_SAMPLES_BY_DSO, true, false, false);
    CU_ASSERT_EQUAL(td_places_split(places, "scan", NULL), 0);
    CU_ASSERT_STRING_EQUAL(names_at(0x401175), "/usr/bin/kernels");
    CU_ASSERT_PTR_EQUAL(first_at(0x401175), first_at(0x400000 + CHASE));
    CU_ASSERT_STRING_EQUAL(names_at(0x801010), "[unknown]");
    CU_ASSERT_STRING_EQUAL(names_of(&(struct td_hit){.pid = PID, .address = 5, .has_address = true, .kernel = true}),
                           "[kernel]");
    finish();
}

static void owners(void)
{
    struct td_hit h = {.pid = PID, .tid = 101, .cpu = 3, .cgroup_id = 77};

    begin(TD_SAMPLES_BY_CPU, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "CPU3");
    h.cpu = 4;
    CU_ASSERT_STRING_EQUAL(names_of(&h), "CPU4");
    finish();
    begin(TD_SAMPLES_BY_CGROUP, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "[cgroup 77]");
    h.cgroup = "/a";
    h.cgroup_number = 77; /* the number of a path is no id */
    CU_ASSERT_STRING_EQUAL(names_of(&h), "/a");
    h.cgroup = "/b";
    h.cgroup_number = 78;
    CU_ASSERT_STRING_EQUAL(names_of(&h), "/b");
    finish();
    begin(TD_SAMPLES_BY_COMM, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "[unknown]");
    CU_ASSERT_EQUAL(td_spaces_name(spaces, PID, 101, "worker", 6, false), 0);
    CU_ASSERT_EQUAL(td_spaces_name(spaces, PID, 102, "worker", 6, false), 0);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "worker");
    h.tid = 102;
    CU_ASSERT_STRING_EQUAL(names_of(&h), "worker");
    {
        const struct td_place *a[TD_PLACES_AT], *b[TD_PLACES_AT];
        size_t n;

        CU_ASSERT_EQUAL(td_places_find(places, spaces, &h, a, &n), 0);
        h.tid = 101;
        CU_ASSERT_EQUAL(td_places_find(places, spaces, &h, b, &n), 0);
        CU_ASSERT_PTR_EQUAL(a[0], b[0]);
    }
    finish();
    begin(TD_SAMPLES_BY_THREAD, true, false, false);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "[unknown]-101");
    CU_ASSERT_EQUAL(td_spaces_name(spaces, PID, 101, "worker", 6, false), 0);
    CU_ASSERT_STRING_EQUAL(names_of(&h), "worker-101");
    finish();
}

/* ---- code ------------------------------------------------------------------------------------ */

/* A folder with the program and its sources, of so many lines, written so many seconds after the program. */
static void make_root(unsigned kernels_lines, unsigned phases_lines, int later)
{
    const char *const made[] = {"/usr", "/usr/bin", "/src"};
    char path[4200], program[4200];
    struct stat st;

    snprintf(program, sizeof(program), "%s/tests/samples/symfs/usr/bin/kernels",
             getenv("TD_SRCDIR") ? getenv("TD_SRCDIR") : ".");
    CU_ASSERT_EQUAL_FATAL(stat(program, &st), 0);
    strcpy(root, "/tmp/tdprobe-places-XXXXXX");
    CU_ASSERT_FATAL(mkdtemp(root) && realpath(program, path));
    strcpy(program, path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s%s", root, made[i]);
        CU_ASSERT_EQUAL_FATAL(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof(path), "%s/usr/bin/kernels", root);
    CU_ASSERT_EQUAL_FATAL(symlink(program, path), 0);
    for (size_t i = 0; i < 2; i++) {
        const struct timespec at[2] = {{.tv_sec = st.st_mtime + later}, {.tv_sec = st.st_mtime + later}};
        FILE *file;

        snprintf(path, sizeof(path), "%s/src/%s", root, i ? "phases.h" : "kernels.c");
        file = fopen(path, "w");
        CU_ASSERT_FATAL(file != NULL);
        for (unsigned line = 1; line <= (i ? phases_lines : kernels_lines); line++)
            fprintf(file, line > 1 ? "\tline %u\n" : "\x1b[31mline %u\n", line);
        fclose(file);
        CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, at, 0), 0);
    }
}

static void remove_root(void)
{
    const char *const all[] = {"/src/kernels.c", "/src/phases.h", "/src", "/usr/bin/kernels", "/usr/bin", "/usr", ""};
    char path[4200];

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        snprintf(path, sizeof(path), "%s%s", root, all[i]);
        CU_ASSERT_EQUAL(remove(path), 0);
    }
    *root = '\0';
}

static struct td_code *code_at(uint64_t address)
{
    const struct td_hit h = {.pid = PID, .address = address, .has_address = true};
    const struct td_place *place[TD_PLACES_AT];
    struct td_code *c = NULL;
    size_t n;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, &h, place, &n), 0);
    CU_ASSERT_EQUAL_FATAL(td_places_code(places, place[n - 1]->name, &c), 0);
    return c;
}

static void instructions(const struct td_code *c)
{
    static const struct {
        uint64_t offset;
        const char *mnemonic, *operand, *file; /* versions of capstone write pushq, push */
        unsigned line;
    } wanted[] = {{0x1159, "push", "%rbp", "/src/kernels.c", 6},
                  {0x115a, "mov", "%rsp", "/src/kernels.c", 6},
                  {0x115d, "push", "%r12", "/src/kernels.c", 6}};

    if (c->status == TD_CODE_NOT_BUILT || c->status == TD_CODE_NO_LIBRARY) {
        unit_skip("no capstone");
        return;
    }
    CU_ASSERT_EQUAL(c->status, TD_CODE_OK);
    CU_ASSERT_EQUAL_FATAL(c->instructions, 55);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT(c->instruction[i].offset == wanted[i].offset && c->instruction[i].address == wanted[i].offset);
        CU_ASSERT(!strncmp(c->instruction[i].text, wanted[i].mnemonic, strlen(wanted[i].mnemonic)));
        CU_ASSERT_PTR_NOT_NULL(strstr(c->instruction[i].text, wanted[i].operand));
        CU_ASSERT_STRING_EQUAL(c->instruction[i].file, wanted[i].file);
        CU_ASSERT_EQUAL(c->instruction[i].line, wanted[i].line);
    }
    CU_ASSERT(c->instruction[54].offset == 0x124d && c->instruction[8].line == 14);
}

/* Each source is there, newer than the program, or has less lines than the program was built from: 16 of phases.h. */
static void code(void)
{
    static const struct {
        unsigned kernels, phases;
        int later;
        enum td_source_status status[2];
    } cases[] = {
        {6, 16, 0, {TD_SOURCE_FOUND, TD_SOURCE_FOUND}},
        {7, 17, 1, {TD_SOURCE_NEWER, TD_SOURCE_NEWER}},
        {6, 15, -1, {TD_SOURCE_FOUND, TD_SOURCE_CHANGED}},
        {5, 16, 0, {TD_SOURCE_CHANGED, TD_SOURCE_FOUND}},
    };

    if (!named)
        return;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct td_code *c;

        make_root(cases[i].kernels, cases[i].phases, cases[i].later);
        begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
        CU_ASSERT_EQUAL_FATAL(td_places_split(places, "scan", NULL), 0);
        c = code_at(0x400000 + SCAN);
        CU_ASSERT_STRING_EQUAL(c->dso, "/usr/bin/kernels");
        CU_ASSERT(c->offset == SCAN && c->address == SCAN && c->size == SCAN_SIZE);
        instructions(c);
        CU_ASSERT_EQUAL_FATAL(c->sources, 2);
        CU_ASSERT_STRING_EQUAL(c->source[0].file, "/src/kernels.c");
        CU_ASSERT_STRING_EQUAL(c->source[1].file, "/src/phases.h");
        for (size_t k = 0; k < 2; k++) {
            const bool changed = cases[i].status[k] == TD_SOURCE_CHANGED;
            const unsigned of = k ? cases[i].phases : cases[i].kernels;

            CU_ASSERT_EQUAL(c->source[k].status, cases[i].status[k]);
            CU_ASSERT_EQUAL_FATAL(c->source[k].lines, changed ? 0 : of);
            CU_ASSERT(changed || !strchr(c->source[k].text[0], 0x1b)); /* safe to print */
            CU_ASSERT(changed || !strcmp(c->source[k].text[of - 1] + strspn(c->source[k].text[of - 1], " "),
                                         of == 6    ? "line 6"
                                         : of == 7  ? "line 7"
                                         : of == 16 ? "line 16"
                                                    : "line 17"));
        }
        td_code_free(c);
        finish();
        remove_root();
    }
}

/* The same without memory, with both sources. */
static int shown(void *ctx)
{
    const struct td_hit h = {.pid = PID, .address = 0x400000 + SCAN, .has_address = true};
    const struct td_mapping m = {
        .start = 0x401000, .size = 0x1000, .offset = 0x1000, .path = "/usr/bin/kernels", .path_size = 16};
    const struct td_place *place[TD_PLACES_AT];
    struct td_spaces *s = td_spaces_new();
    struct td_places *p = td_places_new(TD_SAMPLES_BY_FUNCTION, &(struct td_stores){.root = ctx}, false, false);
    struct td_code *c = NULL;
    size_t n;
    int err = s && p ? td_places_split(p, "scan", NULL) : -ENOMEM;

    err = err ? err : td_spaces_map(s, PID, &m);
    err = err ? err : td_places_find(p, s, &h, place, &n);
    err = err ? err : td_places_code(p, place[n - 1]->name, &c);
    CU_ASSERT(err || (c->sources == 2 && c->source[0].text && c->source[1].text));
    td_code_free(c);
    td_places_free(p);
    td_spaces_free(s);
    return err;
}

static void memory(void)
{
    if (!named)
        return;
    make_root(6, 16, 0);
    CU_ASSERT(memory_each(shown, root, 1, false) >= 10);
    remove_root();
}

static void no_code(void)
{
    const struct td_place *place;
    struct td_code *c;

    if (!named)
        return;
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    place = first_at(0x400000 + SCAN);
    CU_ASSERT_EQUAL(td_places_code(places, place->name, &c), -ENOENT); /* it was not asked for */
    finish();
    begin(TD_SAMPLES_BY_FUNCTION, true, false, false);
    CU_ASSERT_EQUAL_FATAL(td_places_split(places, "scan", NULL), 0);
    c = code_at(0x601010); /* a file that is not there, whose functions have no ends */
    CU_ASSERT(c->status == TD_CODE_NO_FILE && !c->size && !c->instructions && !c->sources);
    td_code_free(c);
    CU_ASSERT_EQUAL(td_places_code(places, "scan", &c), -ENOENT); /* an equal text is another pointer */
    place = first_at(0x801010);
    CU_ASSERT_EQUAL(td_places_code(places, place->name, &c), -ENOENT); /* of no file */
    place = first_at(0x400000 + SCAN); /* an instruction */
    CU_ASSERT_EQUAL(place->kind, TD_KIND_INSTRUCTION);
    CU_ASSERT_EQUAL(td_places_code(places, place->name, &c), -ENOENT);
    c = code_at(0x400000 + SCAN); /* sources are not in this folder */
    CU_ASSERT(c->sources == 2 && c->source[0].status == TD_SOURCE_NO_FILE && !c->source[0].lines);
    td_code_free(c);
    td_code_free(NULL);
    finish();
}

static void names(void)
{
    CU_ASSERT_STRING_EQUAL(td_code_status_name(TD_CODE_OK), "ok");
    CU_ASSERT_STRING_EQUAL(td_code_status_name(TD_CODE_NO_LIBRARY), "no_library");
    CU_ASSERT_STRING_EQUAL(td_code_status_name(TD_CODE_NOT_KEPT), "not_kept");
    CU_ASSERT_PTR_NULL(td_code_status_name(TD_CODE_NOT_KEPT + 1));
    CU_ASSERT_STRING_EQUAL(td_source_status_name(TD_SOURCE_FOUND), "found");
    CU_ASSERT_STRING_EQUAL(td_source_status_name(TD_SOURCE_NOT_TEXT), "not_text");
    CU_ASSERT_PTR_NULL(td_source_status_name(TD_SOURCE_NOT_TEXT + 1));
}

static const CU_TestInfo tests[] = {
    {"functions", functions},
    {"without symbols", without_symbols},
    {"why there are no symbols", why_no_symbols},
    {"without a name", nameless},
    {"lines", lines},
    {"inlined", inlined},
    {"split", split},
    {"owners", owners},
    {"code without memory", memory},
    {"code", code},
    {"no code", no_code},
    {"names", names},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("places", tests);
