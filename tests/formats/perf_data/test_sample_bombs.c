/* SPDX-License-Identifier: MIT */
/* Recordings of samples that were made to be slow cost about as much as harmless ones of the same size. */
#include "include/td_samples.h"

#include "samples/courses.h"
#include "tests/support/sampled_file.h"
#include "tests/support/slow.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <errno.h>

#ifdef HAVE_ZSTD
static const bool zstd = true;
#else
static const bool zstd = false;
#endif

enum { SIZE = 1 << 20 };
enum { FORK = 7, KSYMBOL = 17, LOST = 2, FINISHED_ROUND = 68, EXEC = 1 << 13, COMM = 3, PID = 42 };

static const uint64_t made = 0xffffffffc0000000;

struct writer {
    struct sampled_file f;
    struct sampled_file_sample s;
};

static bool is_full(const struct writer *w, size_t part)
{
    return w->f.n >= SIZE / 4 * part;
}

static void sample(struct writer *w, uint64_t address)
{
    w->s.time += 1000;
    w->s.address = address;
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        w->s.value[i] += 4000;
    sampled_file_sample(&w->f, &w->s);
}

static void record(struct writer *w, unsigned type, uint64_t one, uint64_t other, const char *text)
{
    sampled_file_record(&w->f, type, 0, w->s.time, (const uint64_t[]){one, other}, 2, text);
}

/* One file in many pieces, two bytes each apart. */
static void map_pieces(struct writer *w, size_t parts)
{
    for (uint64_t i = 0; !is_full(w, parts); i++)
        sampled_file_map(&w->f, w->s.time,
                         &(struct sampled_file_mapping){.start = 0x10000000 + 4 * i, .size = 2, .path = "a"});
}

/* ---- bombs ------------------------------------------------------------------------------------ */

static void fill(struct writer *w)
{
    while (!is_full(w, 4))
        sample(w, w->f.n % 64);
}

/* Each child of a process with thousands of mappings changes one of its own. */
static void forks(struct writer *w)
{
    map_pieces(w, 2);
    for (uint64_t pid = 100; !is_full(w, 4); pid++) {
        record(w, FORK, (uint64_t)PID << 32 | pid, (uint64_t)PID << 32 | pid, NULL);
        sampled_file_record(&w->f, 1, 2, w->s.time, (const uint64_t[]){pid << 32 | pid, 0x1000, 16, 0}, 4, "b");
    }
    sample(w, 0);
}

/* Mappings over thousands of others, again and again. */
static void covers(struct writer *w)
{
    map_pieces(w, 2);
    for (uint64_t i = 0; !is_full(w, 4); i++)
        sampled_file_map(
            &w->f, w->s.time,
            &(struct sampled_file_mapping){.start = 0x10000000 + i * 40 % 0x8000, .size = 0x4000 + i, .path = "b"});
    sample(w, 0);
}

static void made_functions(struct writer *w)
{
    char name[32];

    for (unsigned i = 0; !is_full(w, 4); i++) {
        snprintf(name, sizeof(name), "bpf_prog_%u", i);
        record(w, KSYMBOL, made + 16 * (uint64_t)i, 16, name);
        if (i % 3 == 2)
            sample(w, made + 16 * (uint64_t)i);
    }
}

/* Names that no two threads share, and a sample of each. */
static void names(struct writer *w)
{
    char name[32];

    for (unsigned i = 0; !is_full(w, 4); i++) {
        snprintf(name, sizeof(name), "comm%u", i);
        sampled_file_record(&w->f, COMM, 0, w->s.time, (const uint64_t[]){(uint64_t)PID << 32 | PID}, 1, name);
        sample(w, i);
    }
}

static void places(struct writer *w)
{
    for (uint64_t i = 0; !is_full(w, 4); i += 8)
        sample(w, i % 0x100000);
}

/* One round, the latest first. */
static void backwards(struct writer *w)
{
    for (uint64_t i = 0; !is_full(w, 4); i++) {
        w->s.time = UINT64_C(1000000000) - i;
        for (size_t m = 0; m < SAMPLED_FILE_MEMBERS; m++)
            w->s.value[m] = 4 * w->s.time;
        sampled_file_sample(&w->f, &w->s);
    }
}

static void rounds(struct writer *w)
{
    for (uint64_t i = 0; !is_full(w, 2); i++)
        sample(w, 0);
    while (!is_full(w, 4))
        sampled_file_record(&w->f, FINISHED_ROUND, 0, 0, NULL, 0, NULL);
    sample(w, 0);
}

/* ---- what they cost ------------------------------------------------------------------------------ */

struct reading {
    const struct sampled_file *f;
    enum td_samples_by by;
    enum td_samples_chain chain;
};

static void read_file(void *ctx)
{
    const struct reading *r = ctx;
    struct source s = {(const char *)r->f->b, r->f->n, r->f->n, 0};
    const struct td_result *result;
    struct td *td = td_new();
    int err;

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_by(td, r->by), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_chain(td, r->chain, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, &s), 0);
    while (!(err = td_next(td, &result)))
        ;
    CU_ASSERT_EQUAL(err, -ENODATA);
    td_free(td);
}

static void write_and_read(void (*write)(struct writer *), enum td_samples_by by)
{
    struct writer w = {.s = {.member = SAMPLED_FILE_FIRST, .time = 1000}};

    w.s.kernel = write == made_functions;
    sampled_file_begin(&w.f, 1000000, 0);
    write(&w);
    sampled_file_end(&w.f);
    CU_ASSERT(w.f.n < SIZE + 4096);
    slow_run(read_file, &(struct reading){&w.f, by, TD_CHAIN_SELF});
    sampled_file_free(&w.f);
}

/* times: a quarter above what it takes now. */
static void compare(void (*bomb)(struct writer *), double times)
{
    for (enum td_samples_by by = TD_SAMPLES_BY_FUNCTION; td_samples_by_name(by); by++)
        if (by != TD_SAMPLES_BY_CGROUP) { /* which these files do not have */
            write_and_read(fill, by);
            write_and_read(bomb, by);
            slow_pair(times);
        }
}

#define BOMB(name, times) \
    static void name##_bomb(void) \
    { \
        compare(name, times); \
    }
BOMB(forks, 2.1)
BOMB(covers, 1.85)
BOMB(made_functions, 2)
BOMB(names, 1.35)
BOMB(places, 1.6)
BOMB(backwards, 1.3)
BOMB(rounds, 0.85)

/* ---- call chains --------------------------------------------------------------------------------- */

/* The longest chain: each sample calls all functions, the deepest first in one, last in the next; as many addresses as
 * short chains would have. */
static void read_chains(size_t depth, enum td_samples_chain chain)
{
    enum { DEEPEST = 250 };
    struct writer w = {.s = {.member = SAMPLED_FILE_FIRST, .time = 1000, .kernel = true}};
    uint64_t stack[DEEPEST + 1] = {(uint64_t)-128 /* PERF_CONTEXT_KERNEL */};
    struct unit_random random = {1};

    sampled_file_begin_chains(&w.f, 1000000, 0);
    for (unsigned i = 0; i < DEEPEST; i++)
        record(&w, KSYMBOL, made + 16 * (uint64_t)i, 16,
               (const char[]){(char)('a' + i % 26), (char)('a' + i / 26), '\0'});
    w.s.chain = stack;
    w.s.nchain = depth + 1;
    while (!is_full(&w, 4)) {
        for (size_t i = 1; i <= depth; i++)
            stack[i] = made + 16 * unit_random_below(&random, DEEPEST);
        sample(&w, stack[1]);
    }
    sampled_file_end(&w.f);
    slow_run(read_file, &(struct reading){&w.f, TD_SAMPLES_BY_FUNCTION, chain});
    sampled_file_free(&w.f);
}

/* Of the same size: beside their own functions alone, and those that are a quarter as deep. */
static void deep_chains(void)
{
    read_chains(60, TD_CHAIN_CHILDREN);
    read_chains(240, TD_CHAIN_CHILDREN);
    slow_pair(1.5);
}

/* ---- lost samples ------------------------------------------------------------------------------- */

enum { CPUS = 60000, READINGS = 20000 };

/* Samples of which the CPU is not known, after losses on so many CPUs. */
static void take_after_losses(void *ctx)
{
    const uint32_t cpus = *(const uint32_t *)ctx;
    struct td_courses *t = td_courses_new();
    struct td_member member = {.id = 1};
    struct td_group_reading g = {.n = 1, .member = &member};
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (uint32_t i = 0; i < CPUS; i++)
        CU_ASSERT_FATAL(!td_courses_lost(t, true, i % cpus));
    for (unsigned i = 0; i < READINGS; i++) {
        member.value += 1000;
        CU_ASSERT_FATAL(!td_courses_take(t, &g, NULL, &d));
        CU_ASSERT_FATAL(d.start == (i ? TD_START_SAMPLE : TD_START_ENABLED));
    }
    CU_ASSERT_FATAL(!td_courses_lost(t, true, 7));
    member.value += 1000;
    CU_ASSERT(!td_courses_take(t, &g, NULL, &d) && d.start == TD_START_LOST);
    td_courses_free(t);
}

static void losses(void)
{
    slow_run(take_after_losses, &(uint32_t){1});
    slow_run(take_after_losses, &(uint32_t){CPUS});
    slow_pair(1.55);
}

/* ---- compressed records ------------------------------------------------------------------------- */

enum {
    COMPRESSED2 = 83,
    PIECE_MAX = 1 << 12,
    LENGTH = 4 /* of a block */,
    BLOCK = 1 << 17,
    PIECE_MOST = 32 << 20 /* unpacked bytes */
};
enum { UNKNOWN = 8 /* repeated, it makes records of 0x0808 bytes, of a type that nobody knows */ };

/* A piece of a frame whose blocks repeat one byte each (RFC 8878, 3.1.1), as the record has it. */
struct piece {
    uint64_t size, words[PIECE_MAX / 8]; /* size: in bytes */
};

static void put(struct piece *p, const unsigned char *bytes, size_t n)
{
    CU_ASSERT_FATAL(p->size + n <= PIECE_MAX);
    memcpy((unsigned char *)p->words + p->size, bytes, n);
    p->size += n;
}

static void begin_frame(struct piece *p, unsigned window_log)
{
    const unsigned char frame[] = {
        0x28, 0xb5, 0x2f, 0xfd, 0 /* no size, no checksum */, (unsigned char)((window_log - 10) << 3)};

    *p = (struct piece){.size = 0};
    put(p, frame, sizeof(frame));
}

static void repeat(struct piece *p, unsigned char byte, size_t n)
{
    enum { RLE = 1 << 1 };

    for (; n; n -= n < BLOCK ? n : BLOCK) {
        const size_t header = (n < BLOCK ? n : BLOCK) << 3 | RLE;
        const unsigned char block[LENGTH] = {(unsigned char)header, (unsigned char)(header >> 8),
                                             (unsigned char)(header >> 16), byte};

        put(p, block, sizeof(block));
    }
}

/* Samples, and then the pieces: where the last one begins. */
static size_t pack(struct writer *w, const struct piece *piece, size_t n)
{
    size_t last = 0;

    sampled_file_begin(&w->f, 1000000, 0);
    for (unsigned i = 0; i < 3; i++)
        sample(w, i);
    for (size_t i = 0; i < n; i++) {
        last = w->f.n;
        sampled_file_record(&w->f, COMPRESSED2, 0, 0, (const uint64_t *)(const void *)&piece[i],
                            1 + ((size_t)piece[i].size + 7) / 8, NULL);
    }
    sampled_file_end(&w->f);
    return last;
}

/* message: of the last piece; NULL: all is read. */
static void check_packed(const struct piece *piece, size_t n, const char *message)
{
    struct writer w = {.s = {.member = SAMPLED_FILE_FIRST, .time = 1000}};
    const size_t last = pack(&w, piece, n);
    struct source s = {(const char *)w.f.b, w.f.n, w.f.n, 0};
    const struct td_result *r;
    struct td *td = td_new();
    char wanted[128];
    int err;

    snprintf(wanted, sizeof(wanted), "f:%zu: perf.data: %s", last, message ? message : "");
    CU_ASSERT_FATAL(td && !td_set_uarch(td, "spr") && !td_open(td, "f", source_read, &s));
    while (!(err = td_next(td, &r)))
        ;
    CU_ASSERT_EQUAL(err, zstd && !message ? -ENODATA : -EBADMSG);
    if (message || !zstd)
        CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), zstd ? wanted : "built without zstd"));
    td_free(td);
    sampled_file_free(&w.f);
}

static const char too_long[] = "compressed records that become more than 32 times as long";

/* One piece holds 32 MiB, and not a byte more. */
static void long_piece(void)
{
    struct piece p;

    begin_frame(&p, 20);
    repeat(&p, UNKNOWN, PIECE_MOST);
    check_packed(&p, 1, NULL);
    repeat(&p, UNKNOWN, 1);
    check_packed(&p, 1, too_long);
}

/* All pieces become 32 times as long, and 32 MiB more at most. */
static void long_pieces(void)
{
    struct piece p[2];
    size_t rest;

    begin_frame(&p[0], 20);
    repeat(&p[0], UNKNOWN, PIECE_MOST);
    rest = 32 * ((size_t)p[0].size + LENGTH);
    p[1] = (struct piece){.size = 0};
    repeat(&p[1], UNKNOWN, rest);
    check_packed(p, 2, NULL);
    p[1] = (struct piece){.size = 0};
    repeat(&p[1], UNKNOWN, rest + 1);
    check_packed(p, 2, too_long);
}

/* A frame says how much memory it takes: 32 MiB at most. */
static void windows(void)
{
    struct piece p;

    begin_frame(&p, 25);
    repeat(&p, UNKNOWN, 1);
    check_packed(&p, 1, NULL);
    begin_frame(&p, 26);
    repeat(&p, UNKNOWN, 1);
    check_packed(&p, 1, "compressed records are damaged: ");
}

/* Zeroes are records without a size, which would never end. */
static void zeroes(void)
{
    struct piece p;

    begin_frame(&p, 20);
    repeat(&p, 0, BLOCK);
    check_packed(&p, 1, "a compressed record of 0 bytes");
}

static const CU_TestInfo tests[] = {
    {"forks of a process with many mappings", forks_bomb},
    {"mappings over many others", covers_bomb},
    {"many functions that the kernel made", made_functions_bomb},
    {"many names of threads", names_bomb},
    {"many places", places_bomb},
    {"a round that is backwards", backwards_bomb},
    {"many rounds", rounds_bomb},
    {"deep call chains", deep_chains},
    {"losses on many CPUs", losses},
    {"a compressed piece that becomes very long", long_piece},
    {"compressed pieces that become very long", long_pieces},
    {"a frame that takes much memory", windows},
    {"compressed zeroes", zeroes},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("bombs of samples", tests);
