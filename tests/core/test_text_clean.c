/* SPDX-License-Identifier: MIT */
/* Names and messages that are safe to print. */
#include "core/log.h"
#include "core/text_clean.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static void examples(void)
{
    static const struct { const char *text, *clean; } all[] = {
        {"", ""}, {"CPU3", "CPU3"}, {"a b~", "a b~"}, {"\x1b[31mred", "?[31mred"}, {"a\nb\tc\r", "a?b?c?"}, {"\x7f", "?"},
        {"\xc2\x9b" "31m", "??31m"}, /* U+009B: equals ESC [ in one character */
        {"\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", "\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7"},
        {"caf\xe9", "caf?"}, {"\xe9t\xe9", "?t?"}, /* Latin-1 */
        {"\xc0\x80", "??"}, {"\xc1\xbf", "??"}, {"\xe0\x9f\xbf", "???"}, {"\xf0\x8f\xbf\xbf", "????"}, /* overlong */
        {"\xed\xa0\x80", "???"}, {"\xf4\x90\x80\x80", "????"}, {"\xf5\x80\x80\x80", "????"}, {"\xff\xfe", "??"}, /* surrogates; above U+10FFFF */
        {"a\xe2\x82", "a??"}, {"\xe2\x82x", "??x"}, {"\xf0\x9f\x90", "???"}, {"\x80\xbf", "??"}, /* truncated */
    };

    for (size_t i = 0; i < LENGTH(all); i++) {
        char *copy = td_text_copy(all[i].text, strlen(all[i].text));

        CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
        CU_ASSERT_STRING_EQUAL(copy, all[i].clean);
        free(copy);
    }
}

/* RFC 3629, section 3. */
static size_t encode(uint32_t c, char out[5])
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    memset(out, 0, 5);
    if (n == 1) {
        out[0] = (char)c;
        return n;
    }
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)((0xf00u >> n & 0xf0) | c);
    return n;
}

/* Every character is kept, except controls and noncharacters. */
static void all_characters(void)
{
    size_t wrong = 0;

    for (uint32_t c = 0; c < 0x120000; c++) {
        char text[5], clean[5];
        size_t n = encode(c, text);
        bool safe = c >= 0x20 && !(c >= 0x7f && c <= 0x9f) && !(c >= 0xd800 && c <= 0xdfff) && c <= 0x10ffff;

        memcpy(clean, text, sizeof(clean));
        td_text_clean(clean, n);
        wrong += memcmp(clean, safe ? text : "????", n) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Whatever the bytes are, the result is clean and has the same length. */
static void any_bytes(void)
{
    struct unit_random r = {7};

    for (unsigned long round = unit_rounds(20000); round-- > 0;) {
        char text[16], again[16];
        size_t n = unit_random_below(&r, sizeof(text));

        for (size_t i = 0; i < n; i++)
            text[i] = (char)(unit_random(&r) >> (unit_random(&r) & 1 ? 8 : 57));
        td_text_clean(text, n);
        memcpy(again, text, n);
        td_text_clean(again, n);
        CU_ASSERT(!memcmp(again, text, n));
        for (size_t i = 0; i < n; i++)
            CU_ASSERT((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
    }
}

static void keep(void *ctx, const char *text)
{
    snprintf(ctx, TD_LOG_TEXT, "%s", text);
}

static int fail_at(struct td_log *log, const char *format, ...)
{
    va_list args;
    int err;

    va_start(args, format);
    err = td_log_fail_at(log, -EBADMSG, "a\nb", 7, format, args);
    va_end(args);
    return err;
}

static void messages(void)
{
    char note[TD_LOG_TEXT] = "", kept[TD_LOG_TEXT], longer[3 * TD_LOG_TEXT];
    struct td_log log = {.note = NULL};

    td_log_note(&log, "nobody listens");
    log.note = keep;
    log.note_ctx = note;
    td_log_note(&log, "task %s-%d", "\x1b]0;x\x07", 5);
    CU_ASSERT_STRING_EQUAL(note, "task ?]0;x?-5");
    CU_ASSERT_EQUAL(td_log_fail(&log, -EIO, "the scope '%s'", "\xc2\x9bm"), -EIO);
    CU_ASSERT_STRING_EQUAL(log.error, "the scope '??m'");
    CU_ASSERT_EQUAL(fail_at(&log, "the count '%s'", "\r"), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(log.error, "a?b:7: the count '?'");
    td_log_defer(&log, kept);
    CU_ASSERT_STRING_EQUAL(kept, "a?b:7: the count '?'");
    CU_ASSERT_STRING_EQUAL(log.error, "");
    CU_ASSERT_EQUAL(td_log_no_memory(&log), -ENOMEM);
    CU_ASSERT_STRING_EQUAL(log.error, "out of memory");
    memset(longer, 'x', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    td_log_fail(&log, -EIO, "%s", longer);
    CU_ASSERT_EQUAL(strlen(log.error), TD_LOG_TEXT - 1);
}

static const CU_TestInfo tests[] = {
    {"examples", examples}, {"every character", all_characters}, {"any bytes", any_bytes}, {"messages", messages},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("text_clean", tests);
