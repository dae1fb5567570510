/* SPDX-License-Identifier: MIT */
/* Places without symbols: what an address, a file, a thread, a CPU or a cgroup is called, and which hits are in one
 * place. */
#include "samples/places.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct td_spaces *spaces;
static struct td_places *places;

static void map_at(uint64_t start, uint64_t size, uint64_t offset, const char *path, bool kernel)
{
    const struct td_mapping m = {
        .start = start, .size = size, .offset = offset, .path = path, .path_size = strlen(path), .kernel = kernel};

    CU_ASSERT_FATAL(!td_spaces_map(spaces, 7, &m));
}

/* Process 7 has /lib/a.so, a file whose path ends in a slash, the vdso and "[]"; the kernel has its text at 0x100000.
 */
static void begin(enum td_samples_by by, bool inlined, bool together)
{
    spaces = td_spaces_new();
    places = td_places_new(by, &(struct td_stores){.root = NULL}, inlined, together);
    CU_ASSERT_FATAL(spaces && places);
    map_at(0x1000, 0x10000, 0x500, "/lib/a.so", false);
    map_at(0x20000, 0x1000, 0, "/odd/", false);
    map_at(0x30000, 0x1000, 0, "[vdso]", false);
    map_at(0x40000, 0x1000, 0, "[]", false);
    map_at(0x50000, 0x1000, 0, "[x", false);
    map_at(0x100000, 0x1000, 0x100000, "[kernel.kallsyms]_text", true);
}

static void finish(void)
{
    td_places_free(places);
    td_spaces_free(spaces);
}

static const struct td_place *place_of(const struct td_hit *h)
{
    const struct td_place *at[TD_PLACES_AT];
    size_t n = 0;

    CU_ASSERT_EQUAL_FATAL(td_places_find(places, spaces, h, at, &n), 0);
    CU_ASSERT_EQUAL(n, 1);
    return at[0];
}

struct row {
    struct td_hit hit;
    const char *name, *dso;
    uint32_t number;
};

#define AT(address_) .pid = 7, .has_address = true, .address = (address_)

static void are(const struct row *row, size_t n)
{
    for (size_t i = 0; i < 2 * n; i++) { /* the second time they are there */
        const struct row *r = &row[i % n];
        const struct td_place *p = place_of(&r->hit);

        CU_ASSERT_STRING_EQUAL(p->name, r->name);
        CU_ASSERT_EQUAL(p->number, r->number);
        CU_ASSERT_EQUAL(!p->dso, !r->dso);
        if (p->dso && r->dso)
            CU_ASSERT_STRING_EQUAL(p->dso->path, r->dso);
        CU_ASSERT(!p->code && p->kind == TD_KIND_NONE);
    }
    finish();
}

static const char guest[] = "[guest]";

/* "[FILE+0xOFFSET]": of the kernel the address; names in brackets lose them. */
static void functions(void)
{
    static const struct row rows[] = {
        {{AT(0x1234)}, "[a.so+0x734]", "/lib/a.so", 0},
        {{AT(0x1235)}, "[a.so+0x735]", "/lib/a.so", 1},
        {{AT(0x20010)}, "[/odd/+0x10]", "/odd/", 2},
        {{AT(0x30010)}, "[vdso+0x10]", "[vdso]", 3},
        {{AT(0x40010)}, "[[]+0x10]", "[]", 4},
        {{AT(0x50010)}, "[[x+0x10]", "[x", 5},
        {{AT(0x60010)}, "[unknown+0x60010]", NULL, 6},
        {{AT(0x60011)}, "[unknown+0x60011]", NULL, 7},
        {{AT(0x100010), .kernel = true}, "[kernel+0x100010]", "[kernel]", 8},
        {{AT(0x60010), .kernel = true}, "[kernel+0x60010]", "[kernel]", 9}, /* in none of its functions */
        {{AT(0x1234), .elsewhere = guest}, "[guest+0x1234]", NULL, 10},
        {{AT(0x100010), .kernel = true, .elsewhere = guest}, "[guest+0x100010]", NULL, 11},
        {{.pid = 7, .address = 0x1234}, "[no address]", NULL, 12},
        {{.pid = 7, .address = 0x1235}, "[no address]", NULL, 12},
        {{.pid = 8, .has_address = true, .address = 0x1234}, "[unknown+0x1234]", NULL, 13},
        {{AT(0x200000), .kernel = true}, "bpf_prog_1", "bpf_prog_1", 14}, /* all of it is one function */
        {{AT(0x20000f), .kernel = true}, "bpf_prog_1", "bpf_prog_1", 14},
        {{AT(0x200010), .kernel = true}, "[kernel+0x200010]", "[kernel]", 15},
    };
    static const struct td_mapping made = {
        .start = 0x200000, .size = 0x10, .path = "bpf_prog_1", .path_size = 10, .kernel = true, .function = true};

    begin(TD_SAMPLES_BY_FUNCTION, false, false);
    CU_ASSERT_EQUAL_FATAL(td_spaces_map(spaces, 7, &made), 0);
    are(rows, sizeof(rows) / sizeof(*rows));
}

/* Of a file, all together. */
static void together(void)
{
    static const struct row rows[] = {
        {{AT(0x1234)}, "[a.so]", "/lib/a.so", 0},
        {{AT(0x1235)}, "[a.so]", "/lib/a.so", 0},
        {{AT(0x30010)}, "[vdso]", "[vdso]", 1},
        {{AT(0x60010)}, "[unknown]", NULL, 2},
        {{AT(0x60011)}, "[unknown]", NULL, 2},
        {{AT(0x100010), .kernel = true}, "[kernel]", "[kernel]", 3},
        {{AT(0x60010), .kernel = true}, "[kernel]", "[kernel]", 3},
        {{AT(0x1234), .elsewhere = guest}, "[guest]", NULL, 4},
    };

    begin(TD_SAMPLES_BY_STACK, false, true);
    are(rows, sizeof(rows) / sizeof(*rows));
}

static void dsos(void)
{
    static const struct row rows[] = {
        {{AT(0x1234)}, "/lib/a.so", "/lib/a.so", 0},
        {{AT(0x2234)}, "/lib/a.so", "/lib/a.so", 0},
        {{AT(0x60010)}, "[unknown]", NULL, 1},
        {{AT(0x60011)}, "[unknown]", NULL, 1},
        {{AT(0x100010), .kernel = true}, "[kernel]", "[kernel]", 2},
        {{AT(0x10), .kernel = true}, "[kernel]", "[kernel]", 2},
        {{AT(0x1234), .elsewhere = guest}, "[guest]", NULL, 3},
        {{.pid = 7}, "[unknown]", NULL, 4}, /* without an address it may be anywhere */
    };

    begin(TD_SAMPLES_BY_DSO, false, false);
    are(rows, sizeof(rows) / sizeof(*rows));
}

static void cpus(void)
{
    static const struct row rows[] = {
        {{.cpu = 0}, "CPU0", NULL, 0},
        {{.cpu = 3, .tid = 1}, "CPU3", NULL, 1},
        {{.cpu = 3, .tid = 2}, "CPU3", NULL, 1},
    };

    begin(TD_SAMPLES_BY_CPU, false, false);
    are(rows, sizeof(rows) / sizeof(*rows));
}

/* A cgroup whose path is known is told by it, another by its id, even if the numbers are the same. */
static void cgroups(void)
{
    static const struct row rows[] = {
        {{.cgroup = "/a", .cgroup_number = 5, .cgroup_id = 50}, "/a", NULL, 0},
        {{.cgroup = "/a", .cgroup_number = 5, .cgroup_id = 51}, "/a", NULL, 0},
        {{.cgroup = "/b", .cgroup_number = 6, .cgroup_id = 50}, "/b", NULL, 1},
        {{.cgroup_id = 5}, "[cgroup 5]", NULL, 2},
        {{.cgroup_id = 6, .cgroup_number = 5}, "[cgroup 6]", NULL, 3},
    };

    begin(TD_SAMPLES_BY_CGROUP, false, false);
    are(rows, sizeof(rows) / sizeof(*rows));
}

static void name(uint32_t tid, const char *comm)
{
    CU_ASSERT_EQUAL(td_spaces_name(spaces, 7, tid, comm, strlen(comm), false), 0);
}

static void threads(void)
{
    static const struct row by_thread[] = {
        {{.tid = 70}, "ls-70", NULL, 0},
        {{.tid = 71}, "ls-71", NULL, 1},
        {{.tid = 72}, "cp-72", NULL, 2},
        {{.tid = 73}, "[unknown]-73", NULL, 3},
        {{.tid = UINT32_MAX}, "[unknown]--1", NULL, 4},
    };
    static const struct row by_comm[] = {
        {{.tid = 70}, "ls", NULL, 0},        {{.tid = 71}, "ls", NULL, 0},        {{.tid = 72}, "cp", NULL, 1},
        {{.tid = 73}, "[unknown]", NULL, 2}, {{.tid = 74}, "[unknown]", NULL, 2},
    };

    for (int comm = 0; comm < 2; comm++) {
        begin(comm ? TD_SAMPLES_BY_COMM : TD_SAMPLES_BY_THREAD, false, false);
        name(70, "ls"), name(71, "ls"), name(72, "cp");
        if (comm) {
            are(by_comm, sizeof(by_comm) / sizeof(*by_comm));
            continue;
        }
        CU_ASSERT_STRING_EQUAL(place_of(&by_thread[0].hit)->name, "ls-70");
        are(by_thread, sizeof(by_thread) / sizeof(*by_thread));
    }
    begin(TD_SAMPLES_BY_THREAD, false, false); /* under another name a thread is another place */
    name(70, "sh");
    CU_ASSERT_EQUAL(place_of(&(struct td_hit){.tid = 70})->number, 0);
    name(70, "ls");
    CU_ASSERT_STRING_EQUAL(place_of(&(struct td_hit){.tid = 70})->name, "ls-70");
    CU_ASSERT_EQUAL(place_of(&(struct td_hit){.tid = 70})->number, 1);
    finish();
}

/* More addresses than are kept at hand: each is its own place, whatever was found at others since. */
static void many(void)
{
    char wanted[40];

    begin(TD_SAMPLES_BY_FUNCTION, true, false);
    for (unsigned i = 0; i < 2 * 40000; i++) {
        const unsigned offset = i % 40000;
        const struct td_place *p = place_of(&(struct td_hit){AT(0x1000 + offset)});

        snprintf(wanted, sizeof(wanted), "[a.so+0x%x]", 0x500 + offset);
        if (p->number != offset || strcmp(p->name, wanted) != 0) {
            CU_FAIL("an address is in the place of another");
            break;
        }
    }
    finish();
}

/* The first byte of a file, before anything else was found. */
static void first_byte(void)
{
    begin(TD_SAMPLES_BY_FUNCTION, true, false);
    CU_ASSERT_STRING_EQUAL(place_of(&(struct td_hit){AT(0x30000)})->name, "[vdso+0x0]");
    finish();
}

static const CU_TestInfo tests[] = {
    {"addresses", functions}, {"all of a file", together},    {"files", dsos},
    {"CPUs", cpus},           {"cgroups", cgroups},           {"threads and their names", threads},
    {"many addresses", many}, {"the first byte", first_byte}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("places without names", tests);
