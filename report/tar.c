/* SPDX-License-Identifier: MIT */
#include "report/tar.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* A header, which fills a block. Numbers are octal digits. */
struct tar_header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
    char magic[6], version[2], uname[32], gname[32], major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct tar_header) == TD_TAR_BLOCK, "a header is a block");

/* The sum of all bytes, as if the checksum's own were blanks. */
static unsigned sum_of(const struct tar_header *h)
{
    const unsigned char *at = (const unsigned char *)h;
    unsigned sum = 0;

    for (size_t i = 0; i < sizeof(*h); i++)
        sum += i >= offsetof(struct tar_header, checksum) && i < offsetof(struct tar_header, type) ? ' ' : at[i];
    return sum;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void put_zeros(struct td_output *o, size_t n)
{
    static const char zeros[TD_TAR_BLOCK];

    td_output_bytes(o, zeros, n);
}

void td_tar_put(struct td_output *o, const char *name, const char *bytes, size_t n)
{
    struct tar_header h = {.mode = "0000644", .uid = "0000000", .gid = "0000000", .mtime = "00000000000", .type = '0'};
    const size_t length = strlen(name);

    memcpy(h.name, name, length < sizeof(h.name) ? length : sizeof(h.name));
    snprintf(h.size, sizeof(h.size), "%011zo", n);
    memcpy(h.magic, "ustar", sizeof(h.magic));
    memcpy(h.version, "00", sizeof(h.version));
    snprintf(h.checksum, sizeof(h.checksum), "%06o", sum_of(&h));
    h.checksum[sizeof(h.checksum) - 1] = ' ';
    td_output_bytes(o, (const char *)&h, sizeof(h));
    td_output_bytes(o, bytes, n);
    put_zeros(o, (TD_TAR_BLOCK - n % TD_TAR_BLOCK) % TD_TAR_BLOCK);
}

void td_tar_end(struct td_output *o)
{
    put_zeros(o, TD_TAR_BLOCK);
    put_zeros(o, TD_TAR_BLOCK);
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* The number in a field of n bytes: octal digits after blanks, up to a blank or NUL. False: it is none. GNU's form for
 * 8 GiB and more is none either. */
static bool number_of(const char *field, size_t n, uint64_t *out)
{
    size_t i = 0, begin;

    while (i < n && field[i] == ' ')
        i++;
    *out = 0;
    for (begin = i; i < n && field[i] >= '0' && field[i] <= '7'; i++)
        *out = *out * 8 + (uint64_t)(field[i] - '0');
    return i > begin && (i == n || !field[i] || field[i] == ' ');
}

/* GNU's magic is "ustar  ", and its prefix something else. */
static bool is_header(const struct tar_header *h)
{
    uint64_t checksum;

    return !memcmp(h->magic, "ustar", 5) && number_of(h->checksum, sizeof(h->checksum), &checksum) &&
           checksum == sum_of(h);
}

bool td_tar_is(const void *bytes, size_t n)
{
    struct tar_header h;

    if (n < sizeof(h))
        return false;
    memcpy(&h, bytes, sizeof(h));
    return is_header(&h);
}

static bool is_zero(const struct tar_header *h)
{
    static const struct tar_header zero;

    return !memcmp(h, &zero, sizeof(zero));
}

static enum td_tar_kind kind_of(char type)
{
    switch (type) {
    case '\0':
    case '0':
    case '7': return TD_TAR_FILE;
    case '5': return TD_TAR_FOLDER;
    case 'x':
    case 'g':
    case 'L':
    case 'K': return TD_TAR_EXTENSION;
    default: return TD_TAR_OTHER;
    }
}

static void take_name(const struct tar_header *h, char name[TD_TAR_NAME])
{
    const bool prefixed = !h->magic[5] && *h->prefix;

    snprintf(name, TD_TAR_NAME, "%.*s%s%.*s", prefixed ? (int)sizeof(h->prefix) : 0, h->prefix, prefixed ? "/" : "",
             (int)sizeof(h->name), h->name);
}

/* Reads a block. */
static int read_block(int fd, uint64_t at, struct tar_header *h, char why[TD_TAR_WHY])
{
    char *to = (char *)h;
    size_t done = 0;

    while (done < sizeof(*h)) {
        const ssize_t n = pread(fd, to + done, sizeof(*h) - done, (off_t)(at + done));

        if (n > 0) {
            done += (size_t)n;
        } else if (!n || errno != EINTR) {
            const int err = n ? -errno : -EBADMSG;

            snprintf(why, TD_TAR_WHY, "%s", n ? strerror(errno) : "it became shorter while it was read");
            return err;
        }
    }
    return 0;
}

/* What a header says of its entry, which begins at that byte. 0 or -EBADMSG. */
static int take_entry(const struct tar_header *h, uint64_t at, uint64_t end, struct td_tar_entry *e,
                      char why[TD_TAR_WHY])
{
    if (!is_header(h)) {
        snprintf(why, TD_TAR_WHY, "at byte %llu there is no entry of an archive", (unsigned long long)at);
        return -EBADMSG;
    }
    take_name(h, e->name);
    e->kind = kind_of(h->type);
    e->at = at + TD_TAR_BLOCK;
    if (!number_of(h->size, sizeof(h->size), &e->size)) {
        snprintf(why, TD_TAR_WHY, "the size of '%.100s' is no number", e->name);
        return -EBADMSG;
    }
    if (e->kind == TD_TAR_FOLDER || (e->kind == TD_TAR_OTHER && h->type >= '1' && h->type <= '6'))
        e->size = 0; /* links may name the size of what they lead to */
    if (e->size <= end - e->at)
        return 0;
    snprintf(why, TD_TAR_WHY, "it is cut, or its sizes are wrong: '%.100s' has %llu bytes, and %llu are left", e->name,
             (unsigned long long)e->size, (unsigned long long)(end - e->at));
    return -EBADMSG;
}

int td_tar_read(int fd, uint64_t begin, uint64_t end, td_tar_fn *each, void *ctx, char why[TD_TAR_WHY])
{
    uint64_t at = begin;
    struct tar_header h;

    for (size_t n = 0; end - at >= TD_TAR_BLOCK; n++) {
        struct td_tar_entry e;
        int err = read_block(fd, at, &h, why);

        if (!err && is_zero(&h))
            return 0;
        if (!err && n == TD_TAR_ENTRIES) {
            snprintf(why, TD_TAR_WHY, "it has more than %d entries", TD_TAR_ENTRIES);
            err = -EBADMSG;
        }
        err = err ? err : take_entry(&h, at, end, &e, why);
        err = err ? err : each(ctx, &e);
        if (err)
            return err;
        at = e.at + (e.size + TD_TAR_BLOCK - 1) / TD_TAR_BLOCK * TD_TAR_BLOCK;
        if (at > end) /* in what fills the last block */
            break;
    }
    snprintf(why, TD_TAR_WHY, "it is cut: an archive has blocks of zeros at its end");
    return -EBADMSG;
}
