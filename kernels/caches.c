/* SPDX-License-Identifier: MIT */
/* The sizes of a CPU's caches, from /sys/devices/system/cpu/cpuN/cache (Linux
 * Documentation/ABI/testing/sysfs-devices-system-cpu). */
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The word in a file about the i-th cache. False: there is none. */
static bool read_word(const char *folder, int i, const char *file, char word[static 32])
{
    char path[512];
    FILE *f;
    bool found;

    snprintf(path, sizeof(path), "%s/index%d/%s", folder, i, file);
    f = fopen(path, "re");
    found = f && fscanf(f, "%31s", word) == 1;
    if (f)
        fclose(f);
    return found;
}

/* A size such as "48K", in bytes; 0: it is none. */
static size_t bytes_of(const char *word)
{
    char *end;
    const unsigned long n = strtoul(word, &end, 10);

    return (size_t)n << (*end == 'K' ? 10 : *end == 'M' ? 20 : 0);
}

static void take_cache(struct td_caches *c, const char *type, long level, size_t size)
{
    if (level == 1 && strcmp(type, "Instruction") != 0)
        c->data = size;
    if (level == 1 && strcmp(type, "Data") != 0)
        c->code = size;
    if (level == 2)
        c->second = size;
    if (level > 1 && size > c->last)
        c->last = size;
}

/* What is not known is taken to be of a usual size: of first levels the largest there are, so that what is to be larger
 * than them is. */
static void assume(struct td_caches *c)
{
    c->assumed = !c->code || !c->data || !c->second || !c->line;
    c->data = c->data ? c->data : 32 << 10;
    c->code = c->code ? c->code : 64 << 10;
    c->second = c->second ? c->second : 1 << 20;
    c->last = c->last ? c->last : 32 << 20;
    c->line = c->line ? c->line : 64;
}

void td_caches_read(const char *folder, struct td_caches *c)
{
    char level[32], type[32], size[32], line[32];

    *c = (struct td_caches){.page = (size_t)sysconf(_SC_PAGESIZE)};
    for (int i = 0; read_word(folder, i, "level", level); i++) {
        if (!read_word(folder, i, "type", type) || !read_word(folder, i, "size", size))
            continue;
        take_cache(c, type, atol(level), bytes_of(size));
        if (read_word(folder, i, "coherency_line_size", line) && atol(line) >= 8)
            c->line = (size_t)atol(line);
    }
    assume(c);
}

void td_caches_find(int cpu, struct td_caches *c)
{
    char folder[64];

    snprintf(folder, sizeof(folder), "/sys/devices/system/cpu/cpu%d/cache", cpu);
    td_caches_read(folder, c);
}
