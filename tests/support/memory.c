/* SPDX-License-Identifier: MIT */
/* Each block has a header, by which free() knows it, and bytes after its end that must stay as they are. */
#include "tests/support/memory.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static struct {
    bool counts; /* in a scenario, and not held */
    unsigned long calls, fails; /* allocations that count; the one that fails, from 1; 0: none */
    long live; /* blocks of this program */
    bool spoilt; /* something was written after a block's end */
} memory;

#if defined(__GLIBC__) && !defined(SANITIZED) /* a sanitizer has its own malloc() */

/* glibc's own, for functions that replace them. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *at, size_t size);
extern void __libc_free(void *at);

static const bool replaced = true;
static const uint64_t known = UINT64_C(0x7d9b51f3c8a6e204);
static const unsigned char after[16] = "0123456789abcde";

/* As long as malloc() aligns. */
struct header {
    uint64_t known, size;
};

static struct header *header_of(void *at)
{
    struct header *h = (struct header *)at - 1;

    return h->known == known ? h : NULL; /* else it is memalign()'s */
}

static bool fails(void)
{
    if (!memory.counts)
        return false;
    memory.calls++;
    return memory.calls == memory.fails;
}

static void *finish(struct header *h, size_t size)
{
    if (!h) {
        errno = ENOMEM;
        return NULL;
    }
    *h = (struct header){known, size};
    memcpy((unsigned char *)(h + 1) + size, after, sizeof(after));
    return h + 1;
}

static void check(const struct header *h)
{
    if (memcmp((const unsigned char *)(h + 1) + h->size, after, sizeof(after)) != 0)
        memory.spoilt = true;
}

static size_t with_ends(size_t size)
{
    const size_t ends = sizeof(struct header) + sizeof(after);

    return size > SIZE_MAX - ends ? SIZE_MAX : size + ends; /* which there is not */
}

static void *counted(void *at)
{
    if (at)
        __atomic_add_fetch(&memory.live, 1, __ATOMIC_RELAXED);
    return at;
}

void *malloc(size_t size)
{
    void *at = counted(finish(fails() ? NULL : __libc_malloc(with_ends(size)), size));

    return at && memory.counts ? memset(at, 0x5a, size) : at; /* nobody may rely on zeros */
}

void *calloc(size_t n, size_t size)
{
    size_t all;

    if (__builtin_mul_overflow(n, size, &all))
        all = SIZE_MAX;
    return counted(finish(fails() ? NULL : __libc_calloc(1, with_ends(all)), all));
}

void *realloc(void *at, size_t size)
{
    struct header *h = at ? header_of(at) : NULL;

    if (!at)
        return malloc(size);
    if (!h)
        return __libc_realloc(at, size);
    check(h);
    return finish(fails() ? NULL : __libc_realloc(h, with_ends(size)), size);
}

void free(void *at)
{
    struct header *h = at ? header_of(at) : NULL;

    if (!h) {
        __libc_free(at);
        return;
    }
    check(h);
    h->known = 0;
    __atomic_sub_fetch(&memory.live, 1, __ATOMIC_RELAXED);
    __libc_free(h);
}

#else

static const bool replaced = false;

#endif

void memory_hold(void)
{
    memory.counts = false;
}

void memory_go(void)
{
    memory.counts = true;
}

bool memory_sound(void)
{
    return !memory.spoilt;
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

unsigned long memory_each(memory_scenario *scenario, void *ctx, unsigned long step, bool tolerant)
{
    unsigned long failed = 0, all, wrong = 0, left = 0, last = 0;
    int told = 0;

    CU_ASSERT_EQUAL(run(scenario, ctx, 0), 0); /* what is kept for good is there from now on */
    all = memory.calls;
    for (unsigned long at = 1; replaced && at <= all; at += step, failed++) {
        const long live = memory.live;
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
    CU_ASSERT(!wrong && !left && memory_sound());
    return failed;
}
