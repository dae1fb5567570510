/* SPDX-License-Identifier: MIT */
/* Nothing is allocated or freed once a handle is open and its regions are
 * named: this program's malloc() and the like count calls, and glibc's do the work. */
#include "session/session.h"
#include "sim/sim.h"
#include "include/td_regions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(SANITIZED) /* a sanitizer has its own malloc() */

enum { SKIP = 77, PASSES = 100 };

/* glibc's own, for functions that replace them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *at, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *at);

static volatile unsigned long calls; /* volatile: a compiler knows malloc(), and that it changes nothing of ours */

void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    calls++;
    return __libc_calloc(n, size);
}

void *realloc(void *at, size_t size)
{
    calls++;
    return __libc_realloc(at, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    calls++;
    return __libc_memalign(align, size);
}

void free(void *at)
{
    calls++;
    __libc_free(at);
}

static int failures;

static ssize_t from_file(void *ctx, void *buf, size_t size)
{
    ssize_t n = read(*(const int *)ctx, buf, size);

    return n < 0 ? -errno : n;
}

static int swallow(void *ctx, const void *buf, size_t size)
{
    (void)ctx;
    (void)buf;
    (void)size;
    return 0;
}

static void check(unsigned long before, const char *machine, const char *what)
{
    if (calls == before)
        return;
    printf("FAIL: %s: %s: %lu calls of malloc and the like\n", machine, what, calls - before);
    failures++;
}

/* The process computes between two readings, or is off its CPU (nobody discards that). */
static int passes(struct td *td, int outer, int inner)
{
    int err = 0;

    for (int i = 0; i < PASSES && !err; i++) {
        err = td_region_begin(td, outer);
        err = err ? err : td_region_begin(td, inner);
        td_sim_self_run(td->sim, 10000);
        err = err ? err : td_region_end(td, inner);
        td_sim_self_away(td->sim, 10000);
        err = err ? err : td_region_end(td, outer);
    }
    return err;
}

static int readings(struct td *td)
{
    const struct td_result *r;
    struct td_snapshot a, b;
    int err = td_read(td, &a);

    td_sim_self_run(td->sim, 10000);
    err = err ? err : td_read(td, &b);
    err = err ? err : td_measure(td, &a, &b, &r);
    return err;
}

static int points(struct td *td)
{
    const struct td_result *r;
    struct td_point a, b;
    int err = td_point_read(td_self_of(td), &a);

    if (err == -EOPNOTSUPP)
        return 0; /* no PERF_METRICS */
    td_sim_self_run(td->sim, 10000);
    err = err ? err : td_point_read(td_self_of(td), &b);
    return err ? err : td_measure_points(td, &a, &b, &r);
}

static int results(struct td *td)
{
    const struct td_result *r;
    struct td_region_info info = {.size = sizeof(info)};
    int err = 0;

    for (size_t i = 0; !err; i++)
        err = td_region_result(td, i, &info, &r);
    return err == -ENODATA ? 0 : err;
}

static int all(struct td *td, const char *machine)
{
    const int outer = td_region(td, "outer"), inner = td_region(td, "inner");
    unsigned long before = calls;
    int err = passes(td, outer, inner);

    check(before, machine, "passes");
    before = calls;
    err = err ? err : readings(td);
    err = err ? err : points(td);
    check(before, machine, "readings");
    before = calls;
    err = err ? err : results(td);
    check(before, machine, "results");
    before = calls;
    err = err ? err : td_reset(td);
    if (td_region_end(td, inner) != -EINVAL || td_region(td, "inner") != inner)
        err = -EPROTO;
    check(before, machine, "a reset, an error, a name once more");
    return err ? err : td_regions_write(td, swallow, NULL, NULL);
}

static int measure(const char *machine, const struct td_self_ask *ask)
{
    char path[4096];
    struct td *td;
    int fd, err;

    snprintf(path, sizeof(path), "%s/sim/machines/%s.machine", getenv("TD_SRCDIR"), machine);
    fd = open(path, O_RDONLY);
    td = td_new();
    err = fd < 0 || !td ? -ENOENT : td_set_machine(td, path, from_file, &fd);
    err = err ? err : td_open_self(td, ask);
    err = err ? err : all(td, machine);
    if (err) {
        printf("FAIL: %s: %d %s\n", machine, err, td ? td_error(td) : "");
        failures++;
    }
    if (fd >= 0)
        close(fd);
    td_free(td);
    return err;
}

int main(void)
{
    const struct td_self_ask plain = {.size = sizeof(struct td_self_ask), .ring = 16},
                             narrow = {
                                 .size = sizeof(struct td_self_ask), .target = 0.01, .corrections = true, .ring = 200};
    unsigned long before = calls;
    void *volatile one = malloc(1); /* volatile: a compiler may leave out what nobody uses */

    free(one);
    if (calls < before + 2) {
        printf("malloc is not this program's\n");
        return SKIP;
    }
    measure("sapphirerapids", &plain);
    measure("sapphirerapids", &narrow);
    measure("icelake", &narrow);
    measure("skylake-nosmt", &plain);
    measure("alderlake", &plain);
    return failures != 0;
}

#else

int main(void)
{
    return 77;
}

#endif
