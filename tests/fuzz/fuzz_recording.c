/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a recording. Compiled once for each importer, whose name is
 * FUZZ_IMPORTER; without it any reader may take the bytes. Each input is read twice: as it
 * is usually read, and line by line by libcsv and json-c. Both must give the same. What was converted to a
 * trace must be read as one. */
#include "tests/fuzz/fuzz.h"

#include "include/td_samples.h"

#include "session/session.h"
#include "tests/support/digest.h"

#include <dlfcn.h>
#include <errno.h>
#include <time.h>

#ifndef FUZZ_IMPORTER
#define FUZZ_IMPORTER NULL
#endif

enum {
    MEMORY_MAX = 64 << 20,
    INPUT_MAX = 8 << 20,
    CPU_TIME_MAX = 1 /* s */,
    SANITIZED_MAX = 4 /* of the largest input */,
    TRACE_MAX = 8 << 20 /* of a longer trace nothing is read again */
};

/* ---- what one input costs -------------------------------------------------- */

/* From the sanitizers' allocator, if it is there: resident memory does not show the
 * readers' own, which the allocator multiplies. */
int __sanitizer_install_malloc_and_free_hooks(void (*made)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *)) __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

/* For this thread: libFuzzer's own, which watches limits, allocates at any time. */
static _Thread_local struct {
    bool on;
    size_t used, most;
} memory;

static void made(const volatile void *p, size_t size)
{
    (void)p;
    if (!memory.on)
        return;
    memory.used += size;
    if (memory.used > memory.most)
        memory.most = memory.used;
}

static void freed(const volatile void *p)
{
    if (memory.on && p)
        memory.used -= __sanitizer_get_allocated_size(p);
}

static double cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* What an input may take, in s. The sanitizers multiply what each byte costs, by ten or so. */
static double most_time(size_t size)
{
    const double part = (double)size / INPUT_MAX;

    return CPU_TIME_MAX + (__sanitizer_install_malloc_and_free_hooks ? (SANITIZED_MAX - CPU_TIME_MAX) * part : 0);
}

/* ---- what came out of it ----------------------------------------------------- */

/* The digest of all that the caller was given. */
static uint64_t seen;

static void take_note(void *ctx, const char *text)
{
    fuzz_note(ctx, text);
    digest_text(&seen, text);
}

/* ---- one input ------------------------------------------------------------- */

/* A recording of PerfSpect is two files: its metadata come first, up to a NUL. */
static void give_metadata(struct td *td, struct input *in)
{
    const uint8_t *end = memchr(in->data, 0, in->size);
    struct input head = {.data = in->data, .size = end ? (size_t)(end - in->data) : 0, .piece = in->piece};

    if (!end)
        return;
    in->data += head.size + 1;
    in->size -= head.size + 1;
    require(!td_set_metadata(td, "fuzz", give, &head) || (*td_error(td) && !strchr(td_error(td), '\n')));
}

/* What an input was converted to. */
static struct {
    uint8_t bytes[TRACE_MAX];
    size_t n;
} trace;

static int keep(void *ctx, const void *buf, size_t size)
{
    (void)ctx;
    require(buf && size);
    digest_bytes(&seen, buf, size);
    if (trace.n < TRACE_MAX && size <= TRACE_MAX - trace.n)
        memcpy(trace.bytes + trace.n, buf, size), trace.n += size;
    else
        trace.n = TRACE_MAX;
    return 0;
}

enum { OPTION_CONVERT = 256 };

/* Recordings of samples: by what, which part of the call chain, and with which names of functions. Consecutive options
 * differ. */
static void set_samples(struct td *td, unsigned options)
{
    static const enum td_samples_by by[] = {TD_SAMPLES_BY_FUNCTION, TD_SAMPLES_BY_STACK,   TD_SAMPLES_BY_FUNCTION,
                                            TD_SAMPLES_BY_DSO,      TD_SAMPLES_BY_THREAD,  TD_SAMPLES_BY_FUNCTION,
                                            TD_SAMPLES_BY_COMM,     TD_SAMPLES_BY_FUNCTION};
    static const enum td_samples_chain chain[] = {TD_CHAIN_SELF, TD_CHAIN_SELF,    TD_CHAIN_CHILDREN, TD_CHAIN_CHILDREN,
                                                  TD_CHAIN_SELF, TD_CHAIN_CALLERS, TD_CHAIN_SELF,     TD_CHAIN_CALLEES};
    const unsigned way = (options + options / 8) % 8;
    char root[4096];

    require(!td_set_samples_by(td, by[way]));
    require(!td_set_samples_chain(td, chain[way], chain[way] > TD_CHAIN_CHILDREN ? "main" : NULL));
    snprintf(root, sizeof(root), "%s/tests/samples/symfs",
             getenv("TD_SRCDIR") ? getenv("TD_SRCDIR")
             : getenv("SRCDIR")  ? getenv("SRCDIR")
                                 : ".");
    if (options % 3)
        require(!td_set_symbols(td, root));
}

static struct td *begin(const char *reader, unsigned options, struct input *in)
{
    static const char *const cpus[] = {NULL, "spr", "adl", "skl", "neoverse-n2", "icl", "ehl", "hip08"};
    const char *cpu = cpus[options & 7];
    struct td *td = td_new();

    if (!td)
        return NULL;
    if (cpu)
        require(!td_set_uarch(td, cpu) || *td_error(td));
    td_set_fixed(td, !(options & 8));
    td_set_intervals(td, !(options & 16));
    if (options & 32)
        require(!td_set_level(td, 1));
    in->piece = options & 64 ? 1 + options % 61 : 0;
    if (reader && options & 128)
        require(!td_set_format(td, reader));
    set_samples(td, options);
    td_set_note(td, take_note, NULL);
    if (options & OPTION_CONVERT)
        require(!td_set_convert(td, keep, NULL) || *td_error(td));
    return td;
}

/* Returns whether all of it could be read. */
static bool read_all(struct td *td)
{
    const struct td_result *r;
    int err;

    while (!(err = td_next(td, &r))) {
        fuzz_check(r, false);
        digest_result(&seen, r);
    }
    require(!r);
    require(err == -ENODATA || (*td_error(td) && !strchr(td_error(td), '\n')));
    digest_text(&seen, td_error(td));
    if (err != -ENODATA)
        return false;
    for (size_t i = 0; !td_summary(td, i, &r); i++) {
        fuzz_check(r, true);
        digest_result(&seen, r);
    }
    require(td_next(td, &r) == -ENODATA);
    return true;
}

/* What convert writes is a trace that replay reads. */
static void read_trace(void)
{
    struct input in = {.data = trace.bytes, .size = trace.n};
    const double begun = cpu_time();
    struct td *td = trace.n < TRACE_MAX ? td_new() : NULL;
    const struct td_result *r;
    int err;

    if (!td)
        return;
    td_set_note(td, fuzz_note, NULL);
    err = td_open(td, "trace", give, &in);
    while (!err && !(err = td_next(td, &r)))
        fuzz_check(r, false);
    if (err != -ENODATA)
        fprintf(stderr, "%s\n%.*s\n", td_error(td), (int)(trace.n < 4096 ? trace.n : 4096), (const char *)trace.bytes);
    require(err == -ENODATA);
    td_free(td);
    require(cpu_time() - begun <= most_time(trace.n));
}

/* Returns whether the reader took it. */
static bool read_once(const char *importer, const uint8_t *data, size_t size, unsigned options, bool by_libraries)
{
    const bool perfspect = importer && !strcmp(importer, "perfspect");
    const char *reader = perfspect ? "perf-json" : importer;
    struct input in = {.data = data, .size = size};
    double begun = cpu_time();
    struct td *td;
    bool taken, converted = false;

    trace.n = 0;
    memory.used = memory.most = 0;
    seen = DIGEST_BEGIN;
    td = begin(reader, options, &in);
    if (!td)
        return false;
    if (perfspect)
        give_metadata(td, &in);
    if (!td_open(td, "fuzz", give, &in)) {
        td->recording->bytes.by_libraries = by_libraries;
        converted = read_all(td) && options & OPTION_CONVERT;
    } else {
        require(*td_error(td) && !strchr(td_error(td), '\n'));
    }
    taken = !reader || (td->recording->reader && !strcmp(td->recording->reader->name, reader));
    td_free(td);
    require(memory.used == 0 && memory.most <= MEMORY_MAX);
    require(cpu_time() - begun <= most_time(size));
    if (converted)
        read_trace();
    return taken;
}

/* What libraries keep is no leak of the first input: they stay loaded, and libelf and libdw have made what they keep
 * for a thread. */
static void load_libraries(void)
{
    static const char *const kept[] = {"elf_errno", "dwarf_errno", "dwfl_errno"};
    void *dw = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);

    dlopen("libzstd.so.1", RTLD_LAZY | RTLD_LOCAL);
    dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
    for (size_t i = 0; dw && i < sizeof(kept) / sizeof(*kept); i++) {
        int (*last_error)(void) = (int (*)(void))dlsym(dw, kept[i]);

        if (last_error)
            last_error();
    }
}

int fuzz_recording(const char *importer, const uint8_t *data, size_t size, unsigned options)
{
    static bool hooked;
    uint64_t usual;
    bool taken;

    if (!hooked)
        load_libraries();
    if (!hooked && __sanitizer_install_malloc_and_free_hooks)
        require(__sanitizer_install_malloc_and_free_hooks(made, freed));
    hooked = memory.on = true;
    taken = read_once(importer, data, size, options, false);
    usual = seen;
    require(read_once(importer, data, size, options, true) == taken && seen == usual);
    memory.on = false;
    return taken ? 0 : -1;
}

/* The length decides the options, so that files of the corpus are recordings and nothing else. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_recording(FUZZ_IMPORTER, data, size, (unsigned)size);
}
