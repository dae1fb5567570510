/* SPDX-License-Identifier: MIT */
/* Copies of files in a recording, whose bytes are laid out here by hand. */
#include "symbols/jit_files.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

/* A map of 3 bytes of process 5, an empty one of 6, and of 5 a jitdump at /j of 2 bytes. */
static const char whole[] = "tdprobe: kept 1\0"
                            "\5\0\0\0"
                            "\0\0\0\0"
                            "\3\0\0\0\0\0\0\0"
                            "abc"
                            "\6\0\0\0"
                            "\0\0\0\0"
                            "\0\0\0\0\0\0\0\0"
                            "\5\0\0\0"
                            "\2\0\0\0"
                            "\2\0\0\0\0\0\0\0"
                            "/jxy";
enum { WHOLE = sizeof(whole) - 1, FRONT = 16, FILE_FRONT = 16 };

static bool has(const struct td_kept_files *k, uint32_t pid, const char *path, const char *text)
{
    FILE *f = td_kept_files_open(k, pid, path);
    char buf[16] = "";

    if (!f)
        return !text;
    buf[fread(buf, 1, sizeof(buf) - 1, f)] = '\0';
    fclose(f);
    return text && !strcmp(buf, text);
}

static struct td_kept_files *taken(const char *bytes, size_t n)
{
    char *own = malloc(n + 1); /* so that a byte beyond is found by the sanitizers */
    struct td_kept_files *k;

    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    memcpy(own, bytes, n);
    CU_ASSERT_EQUAL_FATAL(td_kept_files_new(own, n, &k), 0);
    memset(own, 0, n);
    free(own);
    return k;
}

static void all(void)
{
    struct td_kept_files *k = taken(whole, WHOLE);

    CU_ASSERT(has(k, 5, NULL, "abc") && has(k, 5, "/j", "xy"));
    CU_ASSERT(has(k, 6, NULL, NULL) && has(k, 7, NULL, NULL) && has(k, 5, "/k", NULL) && has(k, 5, "/j/", NULL));
    CU_ASSERT(has(k, 6, "/j", NULL));
    CU_ASSERT(has(NULL, 5, NULL, NULL));
    td_kept_files_free(k);
    td_kept_files_free(NULL);
}

/* Cut off anywhere, it has the files that are whole. */
static void cut(void)
{
    const size_t first = FRONT + FILE_FRONT + 3, last = first + FILE_FRONT + FILE_FRONT + 4;

    CU_ASSERT_EQUAL(last, WHOLE);
    for (size_t n = 0; n <= WHOLE; n++) {
        struct td_kept_files *k = taken(whole, n);

        CU_ASSERT_EQUAL(!k, n < first);
        CU_ASSERT(has(k, 5, NULL, n < first ? NULL : "abc") && has(k, 5, "/j", n < last ? NULL : "xy"));
        td_kept_files_free(k);
    }
}

/* Sizes of more than there is, which overflow, and another beginning. */
static void not_trusted(void)
{
    char bytes[WHOLE];
    struct td_kept_files *k;

    for (size_t i = 0; i < FRONT + FILE_FRONT; i++) {
        memcpy(bytes, whole, WHOLE);
        bytes[i] = (char)0xff;
        k = taken(bytes, WHOLE);
        CU_ASSERT_EQUAL(!k, i < FRONT || i >= FRONT + 4);
        CU_ASSERT(has(k, 5, NULL, NULL));
        td_kept_files_free(k);
    }
    memcpy(bytes, whole, WHOLE);
    memset(bytes + FRONT + 8, 0xff, 8);
    bytes[FRONT + 4] = 1; /* together they are 0 */
    k = taken(bytes, WHOLE);
    CU_ASSERT_PTR_NULL(k);
}

static const CU_TestInfo tests[] = {
    {"all of them", all},
    {"cut off", cut},
    {"sizes that are not so", not_trusted},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("kept files", tests);
