/* SPDX-License-Identifier: MIT */
/* The linker puts these functions before the library's (--wrap), for what is linked into the program: what a shared
 * library allocates for itself is not seen, and so is let through by free(). Under valgrind and sanitizers the
 * library's are theirs, which find what is written beyond a block's end. */
#include "tests/support/memory.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCKS = 1 << 20 /* room for addresses of blocks, a power of two; a scenario has far fewer */ };
#ifdef __SANITIZE_ADDRESS__
enum { GUARD = 0, FENCES = 0 };
#else
enum { GUARD = 16 /* bytes after each block of a scenario, which nobody may write */, FENCES = 1 };
#endif
static const char guard[] = "beyond the block";

static struct {
    bool counts; /* in a scenario, and not held */
    bool fences; /* blocks of the scenario end where a page begins that may not be touched */
    unsigned long calls, fails; /* allocations that count; the one that fails, from 1; 0: none */
    size_t live; /* blocks that were allocated in a scenario */
    struct {
        const void *at;
        size_t size;
        bool fenced;
    } block[BLOCKS]; /* these: each where its hash says, or in the next that was free */
    char *spare; /* the first page that a fence follows and that is free */
    unsigned long overrun; /* how many of them were written beyond their end */
} memory;

/* ---- the blocks of a scenario ---------------------------------------------------------------------- */

static size_t place_of(const void *at)
{
    return (size_t)((uint64_t)(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 44) & (BLOCKS - 1);
}

static void keep(void *at, size_t size, bool fenced)
{
    size_t i = place_of(at);

    while (memory.block[i].at)
        i = (i + 1) & (BLOCKS - 1);
    memory.block[i].at = at;
    memory.block[i].size = size;
    memory.block[i].fenced = fenced;
    memory.live++;
    if (!fenced)
        memcpy((char *)at + size, guard, GUARD);
}

/* Whether it was one of these; size: how large; fenced: how it is to be freed. Those after it move up, as far as they
 * are not where their hash says. */
static bool forget(const void *at, size_t *size, bool *fenced)
{
    size_t gap = place_of(at);

    if (!memory.live)
        return false;
    while (memory.block[gap].at && memory.block[gap].at != at)
        gap = (gap + 1) & (BLOCKS - 1);
    if (!memory.block[gap].at)
        return false;
    *size = memory.block[gap].size;
    *fenced = memory.block[gap].fenced;
    memory.overrun += !*fenced && memcmp((const char *)at + *size, guard, GUARD) != 0;
    for (size_t i = (gap + 1) & (BLOCKS - 1); memory.block[i].at; i = (i + 1) & (BLOCKS - 1))
        if (((i - place_of(memory.block[i].at)) & (BLOCKS - 1)) >= ((i - gap) & (BLOCKS - 1))) {
            memory.block[gap] = memory.block[i];
            gap = i;
        }
    memory.block[gap].at = NULL;
    memory.live--;
    return true;
}

/* ---- allocation --------------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *at, size_t size);
void __real_free(void *at);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *at, size_t size);
void *__wrap_reallocarray(void *at, size_t n, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *at);

static bool fails(void)
{
    if (!memory.counts || ++memory.calls != memory.fails)
        return false;
    errno = ENOMEM;
    return true;
}

/* The block, which was allocated with room for the guard. */
static void *kept(void *at, size_t size)
{
    if (at && memory.counts)
        keep(at, size, false);
    return at;
}

/* How many bytes a fenced block's pages have, without the fence. */
static size_t paged(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (size + page - 1) / page * page;
}

/* Pages of which the last may not be touched. One that is followed by such a page is kept when it is freed, with the
 * address of the one that was freed before it. */
static char *map_pages(size_t pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *begin = memory.spare;

    if (pages == page && begin) {
        memcpy(&memory.spare, begin, sizeof(memory.spare));
        return begin;
    }
    begin = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED)
        return NULL;
    if (!mprotect(begin + pages, page, PROT_NONE))
        return begin;
    munmap(begin, pages + page);
    return NULL;
}

/* Zeros that end with a page, before one that may not be touched: what reads or writes beyond the end ends the program
 * by SIGSEGV. They are aligned as far as their size is. NULL: no fence is wanted, or there is no room for one. */
static void *fence(size_t size)
{
    char *begin = memory.counts && memory.fences && size < SIZE_MAX / 2 ? map_pages(paged(size)) : NULL, *at;

    if (!begin)
        return NULL;
    at = begin + paged(size) - size;
    keep(at, size, true);
    return memset(at, 0, size);
}

static void unfence(void *at, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = paged(size);
    char *begin = (char *)at + size - pages;

    if (pages != page) {
        munmap(begin, pages + page);
        return;
    }
    memset(at, 0xa5, size); /* nobody may read it any more */
    memcpy(begin, &memory.spare, sizeof(memory.spare));
    memory.spare = begin;
}

/* What is to be allocated for so many bytes: only blocks of a scenario have a guard, since valgrind finds more without.
 */
static size_t guarded(size_t size, bool of_scenario)
{
    return of_scenario && size < SIZE_MAX - GUARD ? size + GUARD : size;
}

static void *fresh(size_t size)
{
    void *at = fence(size);

    return at ? at : kept(__real_malloc(guarded(size, memory.counts)), size);
}

void *__wrap_malloc(size_t size)
{
    void *at = fails() ? NULL : fresh(size);

    return at && memory.counts ? memset(at, 0x5a, size) : at; /* nobody may rely on zeros */
}

void *__wrap_calloc(size_t n, size_t size)
{
    size_t all;
    void *at;

    if (fails() || __builtin_mul_overflow(n, size, &all))
        return NULL;
    at = fence(all);
    return at ? at : kept(__real_calloc(1, guarded(all, memory.counts)), all);
}

/* A fenced block's contents in another block, which has a fence where that is still wanted. */
static void *moved(void *at, size_t before, size_t size)
{
    void *new = fence(size);

    if (!new) {
        new = __real_malloc(guarded(size, true));
        CU_ASSERT_PTR_NOT_NULL_FATAL(new);
        keep(new, size, false);
    }
    memcpy(new, at, before < size ? before : size);
    unfence(at, before);
    return new;
}

void *__wrap_reallocarray(void *at, size_t n, size_t size)
{
    size_t all, before = 0;
    void *new;
    bool known, fenced = false;

    if (fails() || __builtin_mul_overflow(n, size, &all))
        return NULL;
    if (!at)
        return fresh(all);
    known = forget(at, &before, &fenced);
    if (fenced)
        return moved(at, before, all);
    new = __real_realloc(at, guarded(all, known));
    if (known)
        keep(new ? new : at, new ? all : before, false);
    return new;
}

void *__wrap_realloc(void *at, size_t size)
{
    return __wrap_reallocarray(at, 1, size);
}

char *__wrap_strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *at = __wrap_malloc(size);

    return at ? memcpy(at, text, size) : NULL;
}

void __wrap_free(void *at)
{
    size_t size;
    bool fenced;

    if (at && forget(at, &size, &fenced) && fenced)
        unfence(at, size);
    else
        __real_free(at);
}

void memory_hold(void)
{
    memory.counts = false;
}

void memory_go(void)
{
    memory.counts = true;
}

/* One run. The at-th allocation fails, from 1; 0: none. */
static int run(memory_scenario *scenario, void *ctx, unsigned long at)
{
    int err;

    memory.calls = 0;
    memory.fails = at;
    memory_go();
    err = scenario(ctx);
    memory_hold();
    memory.fails = 0;
    return err;
}

void memory_fenced(memory_scenario *scenario, void *ctx)
{
    memory.fences = FENCES;
    CU_ASSERT_EQUAL(run(scenario, ctx, 0), 0);
    memory.fences = false;
}

unsigned long memory_each(memory_scenario *scenario, void *ctx, unsigned long step, bool tolerant)
{
    unsigned long failed = 0, all, wrong = 0, left = 0, last = 0;
    int told = 0;

    memory.overrun = 0;
    memory_fenced(scenario, ctx); /* what is kept for good is there from now on */
    all = memory.calls;
    CU_ASSERT(all > 0); /* else the linker's --wrap is gone */
    for (unsigned long at = 1; at <= all; at += step, failed++) {
        const size_t live = memory.live;
        const int err = run(scenario, ctx, at);

        if (err != -ENOMEM && !(tolerant && !err)) {
            wrong++;
            last = at;
            told = err;
        }
        left += memory.live != live;
    }
    if (wrong || left)
        printf("\n    of %lu failures %lu were not reported (the last one is number %lu: %d), %lu left memory behind",
               failed, wrong, last, told, left);
    CU_ASSERT(!wrong && !left);
    CU_ASSERT_EQUAL(memory.overrun, 0);
    return failed;
}
