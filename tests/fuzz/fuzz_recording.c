/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as a recording. Compiled once for each importer, whose name
 * FUZZ_IMPORTER is; without it whatever reader takes the bytes is used. */
#include "fuzz.h"

#include "session.h"

#include <errno.h>
#include <time.h>

#ifndef FUZZ_IMPORTER
#define FUZZ_IMPORTER NULL
#endif

enum { MEMORY_MAX = 64 << 20, CPU_TIME_MAX = 1 };

/* ---- what one input costs -------------------------------------------------- */

/* Of the sanitizers' allocator, where it is there: resident memory says nothing of
 * the readers', which it multiplies. */
int __sanitizer_install_malloc_and_free_hooks(void (*made)(const volatile void *, size_t), void (*freed)(const volatile void *)) __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

/* Of this thread: libFuzzer's own, which watches limits, allocates at any time. */
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

/* ---- one input ------------------------------------------------------------- */

/* A recording of PerfSpect is two files: its metadata stand in front, up to a NUL. */
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

static int drop(void *ctx, const void *buf, size_t size)
{
    (void)ctx;
    require(buf && size);
    return 0;
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
    td_set_note(td, fuzz_note, NULL);
    if (options & 256)
        require(!td_convert(td, drop, NULL) || *td_error(td));
    return td;
}

static void read_all(struct td *td)
{
    const struct td_result *r;
    int err;

    while (!(err = td_next(td, &r)))
        fuzz_check(r, false);
    require(!r);
    require(err == -ENODATA || (*td_error(td) && !strchr(td_error(td), '\n')));
    if (err != -ENODATA)
        return;
    for (size_t i = 0; !td_summary(td, i, &r); i++)
        fuzz_check(r, true);
    require(td_next(td, &r) == -ENODATA);
}

int fuzz_recording(const char *importer, const uint8_t *data, size_t size, unsigned options)
{
    static bool hooked;
    const bool perfspect = importer && !strcmp(importer, "perfspect");
    const char *reader = perfspect ? "perf-json" : importer;
    struct input in = {.data = data, .size = size};
    double begun = cpu_time();
    struct td *td;
    bool taken;

    if (!hooked && __sanitizer_install_malloc_and_free_hooks)
        require(__sanitizer_install_malloc_and_free_hooks(made, freed));
    hooked = memory.on = true;
    memory.used = memory.most = 0;
    td = begin(reader, options, &in);
    if (!td)
        return -1;
    if (perfspect)
        give_metadata(td, &in);
    if (!td_open(td, "fuzz", give, &in))
        read_all(td);
    else
        require(*td_error(td) && !strchr(td_error(td), '\n'));
    taken = !reader || (td->recording.reader && !strcmp(td->recording.reader->name, reader));
    td_free(td);
    memory.on = false;
    require(memory.used == 0 && memory.most <= MEMORY_MAX);
    require(cpu_time() - begun <= CPU_TIME_MAX);
    return taken ? 0 : -1;
}

/* Which options, the length decides: so that files of the corpus are recordings and nothing else. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_recording(FUZZ_IMPORTER, data, size, (unsigned)size);
}
