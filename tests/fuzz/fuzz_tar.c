/* SPDX-License-Identifier: MIT */
/* libFuzzer: any bytes as an archive. */
#include "tests/fuzz/fuzz.h"

#include "report/tar.h"

#include <sys/mman.h>
#include <unistd.h>

struct seen {
    uint64_t size, end; /* of the archive; of the entry before */
    size_t n;
};

/* What an entry says that it has is there, after the one before. */
static int check(void *ctx, const struct td_tar_entry *e)
{
    struct seen *s = ctx;

    require(++s->n <= TD_TAR_ENTRIES);
    require(memchr(e->name, '\0', sizeof(e->name)));
    require(e->at >= s->end + TD_TAR_BLOCK && e->at <= s->size && e->size <= s->size - e->at);
    s->end = e->at + e->size;
    return 0;
}

static void read_bytes(const uint8_t *data, size_t size)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct seen s = {.size = size};
    char why[TD_TAR_WHY] = "";
    int err;

    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    err = td_tar_read(fd, 0, size, check, &s, why);
    require(!err || *why);
    close(fd);
}

/* Chance does not find the sum of a header: each block that may be one gets the right one. */
static void mend(uint8_t *data, size_t size)
{
    for (; size >= TD_TAR_BLOCK; data += TD_TAR_BLOCK, size -= TD_TAR_BLOCK) {
        unsigned sum = 0;

        if (memcmp(data + 257, "ustar", 5) != 0)
            continue;
        memset(data + 148, ' ', 8);
        for (size_t i = 0; i < TD_TAR_BLOCK; i++)
            sum += data[i];
        snprintf((char *)data + 148, 8, "%06o", sum);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);

    require(copy);
    memcpy(copy, data, size);
    read_bytes(copy, size);
    mend(copy, size);
    read_bytes(copy, size);
    free(copy);
    return 0;
}
