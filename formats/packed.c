/* SPDX-License-Identifier: MIT */
/* Compressed files by their first bytes. */
#include "private/packed.h"

#include "formats/codecs.h"

#include <dlfcn.h>
#include <string.h>

const char *td_packed_by(const void *head, size_t n, const char **unpack)
{
    static const struct {
        const char *name, *unpack, *magic;
        size_t n;
    } all[] = {
        {"gzip", "gzip -dc", "\x1f\x8b", 2}, /* RFC 1952 */
        {"zstd", "zstd -dc", "\x28\xb5\x2f\xfd", 4}, /* RFC 8878 */
        {"xz", "xz -dc",
         "\xfd"
         "7zXZ",
         6}, /* xz-file-format-1.2: its last byte is 0, as is the NUL here */
        {"bzip2", "bzip2 -dc", "BZh", 3},
        {"zip", "unzip -p", "PK\3\4", 4},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        if (n < all[i].n || memcmp(head, all[i].magic, all[i].n))
            continue;
        *unpack = all[i].unpack;
        return all[i].name;
    }
    return NULL;
}

bool td_packed_readable(const char *by)
{
    const struct td_codec *c = td_codec_find(by);

    if (c)
        dlopen(c->library, RTLD_LAZY | RTLD_LOCAL); /* it stays loaded */
    return c;
}
