/* SPDX-License-Identifier: MIT */
/* perf.data: texts as they are in the file, each with its length before it and filled up with zeros, and of them the
 * machine's name and perf's command line. */
#include "formats/perf_data/perf_data.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

static unsigned char bytes[400];
static size_t n;

static void put32(uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[n++] = (unsigned char)(value >> 8 * i);
}

/* A text in so many bytes. */
static void put_text(const char *text, size_t size)
{
    put32((uint32_t)size);
    memset(bytes + n, 0, size);
    memcpy(bytes + n, text, strlen(text) < size ? strlen(text) : size);
    n += size;
}

static void texts(void)
{
    static const struct {
        const char *text;
        size_t size, len;
    } rows[] = {{"abc", 8, 3}, {"abc", 4, 3}, {"abc", 3, 3}, {"", 8, 0}, {"", 0, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t missing = 0; missing < 2; missing++) { /* the last byte is cut off */
            struct td_perf_view v = {bytes, 0};
            const char *text = NULL;
            size_t len = 9;
            const bool whole = !missing || !rows[i].size;

            n = 0;
            put_text(rows[i].text, rows[i].size);
            v.n = whole ? n : n - 1;
            CU_ASSERT_EQUAL(td_perf_string(&v, &text, &len), whole);
            CU_ASSERT_EQUAL(len, whole ? rows[i].len : 0);
            CU_ASSERT(text && !strncmp(text, whole ? rows[i].text : "", len));
            CU_ASSERT(!whole || (v.n == 0 && v.at == bytes + n));
        }
}

/* What is known of the words that are put, of which so many are said to be there. */
static void known(uint32_t words, const char *const *word, size_t cut, const char *wanted)
{
    struct td_recording r = {.stream = {.name = "f"}};

    n = 0;
    put32(words);
    for (; *word; word++)
        put_text(*word, strlen(*word) + 1);
    td_perf_data_origin(&r, (struct td_perf_view){bytes, 0}, (struct td_perf_view){bytes, n - cut});
    CU_ASSERT_PTR_NULL(r.stream.host);
    if (wanted)
        CU_ASSERT(r.stream.command && !strcmp(r.stream.command, wanted));
    if (!wanted)
        CU_ASSERT_PTR_NULL(r.stream.command);
    free(r.stream.command);
}

#define WORDS(...) \
    (const char *const[]) \
    { \
        __VA_ARGS__, NULL \
    }

static void commands(void)
{
    known(1, WORDS("perf"), 0, "perf");
    known(4, WORDS("perf", "stat", "-I", "1000"), 0, "perf stat -I 1000");
    known(3, WORDS("perf", "stat", "-I", "1000"), 0, "perf stat -I"); /* as many as there are said to be */
    known(5, WORDS("perf", "stat"), 0, "perf stat"); /* or as there are */
    known(2, WORDS("perf", "stat"), 1, "perf"); /* the last is cut off */
    known(3, WORDS("a", "", "b"), 0, "a  b");
    known(1, WORDS(""), 0, NULL);
    known(0, WORDS("perf"), 0, NULL);
    known(1, WORDS("perf"), 9, NULL); /* nothing is left */
    known(1, WORDS("perf"), 12, NULL);
}

static void hosts(void)
{
    static const struct {
        const char *name;
        size_t cut;
        bool known;
    } rows[] = {{"here", 0, true}, {"", 0, false}, {"here", 1, false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct td_recording r = {.stream = {.name = "f"}};

        n = 0;
        put_text(rows[i].name, 8);
        td_perf_data_origin(&r, (struct td_perf_view){bytes, n - rows[i].cut}, (struct td_perf_view){bytes, 0});
        CU_ASSERT_EQUAL(r.stream.host && !strcmp(r.stream.host, "here"), rows[i].known);
        CU_ASSERT(rows[i].known || !r.stream.host);
        CU_ASSERT_PTR_NULL(r.stream.command);
        free(r.stream.host);
    }
}

static const CU_TestInfo tests[] = {{"texts", texts}, {"commands", commands}, {"hosts", hosts}, CU_TEST_INFO_NULL};
UNIT_SUITE("where a perf.data is from", tests);
