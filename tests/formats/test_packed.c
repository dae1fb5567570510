/* SPDX-License-Identifier: MIT */
/* What has packed a file, by its first bytes: RFC 1952, RFC 8878, xz-file-format, bzip2's and zip's own. */
#include "private/packed.h"
#include "tests/support/unit.h"

#include <string.h>

static void first_bytes(void)
{
    static const struct {
        const char *head;
        size_t n;
        const char *name, *unpack;
    } of[] = {
        {"\x1f\x8b\x08", 2, "gzip", "gzip -dc"}, {"\x28\xb5\x2f\xfd", 4, "zstd", "zstd -dc"},
        {"\xfd\x37zXZ", 6, "xz", "xz -dc"}, /* with the byte of 0 at its end */
        {"BZh9", 3, "bzip2", "bzip2 -dc"},       {"PK\x03\x04", 4, "zip", "unzip -p"},
    };
    const char *unpack = NULL;

    for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
        const char *name = td_packed_by(of[i].head, of[i].n, &unpack);

        CU_ASSERT_PTR_NOT_NULL_FATAL(name);
        CU_ASSERT(!strcmp(name, of[i].name) && !strcmp(unpack, of[i].unpack));
        CU_ASSERT_PTR_NULL(td_packed_by(of[i].head, of[i].n - 1, &unpack)); /* it may be anything */
        CU_ASSERT_PTR_NULL(td_packed_by(of[i].head + 1, of[i].n - 1, &unpack));
    }
    CU_ASSERT_PTR_NULL(td_packed_by("time_ns,scope", 13, &unpack));
    CU_ASSERT_PTR_NULL(td_packed_by("", 0, &unpack));
}

static const CU_TestInfo tests[] = {{"first bytes", first_bytes}, CU_TEST_INFO_NULL};
UNIT_SUITE("packed files", tests);
