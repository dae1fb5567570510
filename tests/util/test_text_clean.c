/* SPDX-License-Identifier: MIT */
/* Names and messages that are safe to print. */
#include "core/log.h"
#include "util/text_clean.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static void examples(void)
{
    static const struct {
        const char *text, *name;
    } all[] = {
        {"", ""},
        {"CPU3", "CPU3"},
        {"a b~", "a b~"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
        {"\x7f", "\\x7f"},
        {"\xc2\x9b"
         "31m",
         "\\xc2\\x9b31m"}, /* U+009B: equals ESC [ in one character */
        {"\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", "\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7"},
        {"caf\xe9", "caf\\xe9"},
        {"caf\xe8", "caf\\xe8"},
        {"\xe9t\xe9", "\\xe9t\\xe9"}, /* Latin-1 */
        {"\xc0\x80", "\\xc0\\x80"},
        {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"}, /* overlong */
        /* surrogates; above U+10FFFF */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"\xff", "\\xff"},
        {"a\xe2\x82", "a\\xe2\\x82"},
        {"\xe2\x82x", "\\xe2\\x82x"},
        {"\xf0\x9f\x90", "\\xf0\\x9f\\x90"}, /* truncated */
        /* U+202E, U+200B */
        {"\xe2\x80\xae"
         "cod.exe",
         "\\xe2\\x80\\xae"
         "cod.exe"},
        {"a\xe2\x80\x8b"
         "b",
         "a\\xe2\\x80\\x8b"
         "b"},
        /* no escapes, but what looks like them */
        {"caf\\xe9", "caf\\x5cxe9"},
        {"\\x1b", "\\x5cx1b"},
        {"\\x7f", "\\x5cx7f"},
        {"\\x5c", "\\x5cx5c"},
        {"\\x00", "\\x5cx00"},
        {"\\x80", "\\x5cx80"},
        {"\\xff", "\\x5cxff"},
        /* nor do these look so */
        {"dev-disk\\x2dby.device", "dev-disk\\x2dby.device"},
        {"\\xE9 \\xe \\x \\", "\\xE9 \\xe \\x \\"},
        {"\\\\x1f", "\\\\x5cx1f"},
        {"\\x7e \\x20 \\x5b \\x5d", "\\x7e \\x20 \\x5b \\x5d"},
        {"\\x1g \\xg1 \\x1", "\\x1g \\xg1 \\x1"},
    };

    for (size_t i = 0; i < LENGTH(all); i++) {
        char *copy = td_text_copy(all[i].text, strlen(all[i].text));

        CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
        CU_ASSERT_STRING_EQUAL(copy, all[i].name);
        CU_ASSERT_EQUAL(td_text_original(copy, strlen(copy)), strlen(all[i].text));
        CU_ASSERT_STRING_EQUAL(copy, all[i].text);
        free(copy);
    }
}

/* Bytes of 0 end neither a text nor the search for its digits. */
static void with_zeros(void)
{
    static const struct {
        char text[5];
        const char *name;
    } all[] = {{"\\x\0a", "\\x\\x00a"},
               {"\\xa\0", "\\xa\\x00"},
               {"\\x\0\0", "\\x\\x00\\x00"},
               {"\\\0"
                "7f",
                "\\\\x007f"}};

    for (size_t i = 0; i < LENGTH(all); i++) {
        char *copy = td_text_copy(all[i].text, 4);

        CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
        CU_ASSERT_STRING_EQUAL(copy, all[i].name);
        CU_ASSERT_EQUAL(td_text_original(copy, strlen(copy)), 4);
        CU_ASSERT(!memcmp(copy, all[i].text, 5));
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

/* First and last of ranges that are not shown as they are, and what is beside them. */
static void ranges(void)
{
    static const uint32_t not [] = {0xad,   0x34f,  0x61c,   0x115f,  0x1160,  0x180e,  0x200b,  0x200f,  0x2028,
                                    0x202a, 0x202e, 0x2060,  0x2066,  0x206f,  0x3164,  0xfe0f,  0xfeff,  0xfff9,
                                    0xfffb, 0xffff, 0x1d173, 0x1fffe, 0xe0001, 0xe007f, 0xe0fff, 0x10ffff},
                              shown[] = {0xac,    0xae,    0x34e,   0x350,   0x61b,   0x61d,   0x115e,  0x1161,
                                         0x200a,  0x2010,  0x2027,  0x202f,  0x205f,  0x2070,  0x3163,  0x3165,
                                         0xfdf0,  0xfe10,  0xfefe,  0xff00,  0xfffc,  0xfffd,  0x10000, 0x1d172,
                                         0x1d17b, 0x1fffd, 0x20000, 0xdfffd, 0xe1000, 0x10fffd};
    char text[5];

    for (size_t i = 0; i < LENGTH(not ); i++) {
        const size_t n = encode(not [i], text);

        td_text_mask(text, n);
        CU_ASSERT(!memcmp(text, "????", n));
    }
    for (size_t i = 0; i < LENGTH(shown); i++) {
        char same[5];
        const size_t n = encode(shown[i], text);

        encode(shown[i], same);
        td_text_mask(text, n);
        CU_ASSERT(!memcmp(text, same, n));
    }
}

/* Each is shown as it is or not at all. Of the characters beyond C1, Unicode 15 has 4174 default ignorable ones (the
 * total in DerivedCoreProperties.txt), 32 format characters besides, 2 separators and 66 noncharacters. */
static void all_characters(void)
{
    size_t wrong = 0, unseen = 0;

    for (uint32_t c = 0; c < 0x120000; c++) {
        char text[5], masked[5];
        const size_t n = encode(c, text);
        const bool safe = c >= 0x20 && !(c >= 0x7f && c <= 0x9f) && !(c >= 0xd800 && c <= 0xdfff) && c <= 0x10ffff;
        bool same;

        memcpy(masked, text, sizeof(masked));
        td_text_mask(masked, n);
        same = !memcmp(masked, text, n);
        wrong += !same && memcmp(masked, "????", n) != 0;
        wrong += same && !safe;
        unseen += !same && safe;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(unseen, 4174 + 32 + 2 + 66);
}

/* Whether these bytes begin with a character that is shown: as RFC 3629 has it, the shortest form of what is no
 * surrogate and not beyond U+10FFFF; no control of C1; and of those that end here, these are not seen. */
static bool begins_shown(const unsigned char *b)
{
    static const uint32_t not_seen[] = {0xad,  0x34f, 0x600, 0x601, 0x602, 0x603,  0x604,
                                        0x605, 0x61c, 0x6dd, 0x70f, 0x891, 0xfdd1, 0xe0452};
    const size_t n = b[0] >= 0xf8 ? 0 : b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : b[0] >= 0xc0 ? 2 : 0;
    uint32_t c = n == 4 ? b[0] & 7 : n == 3 ? b[0] & 15 : b[0] & 31;
    char shortest[5];

    for (size_t i = 1; i < n; i++) {
        if (b[i] < 0x80 || b[i] > 0xbf)
            return false;
        c = 64 * c + b[i] - 0x80;
    }
    for (size_t i = 0; i < LENGTH(not_seen); i++)
        if (c == not_seen[i])
            return false;
    return n && c >= 0xa0 && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff) && encode(c, shortest) == n;
}

/* Any first byte with any second one, and with third and fourth ones that are of no character or end one. */
static void all_beginnings(void)
{
    static const unsigned char ends[][2] = {{0x91, 0x92}, {0x7f, 0x92}, {0xc0, 0x92}, {0x91, 0x7f}, {0x91, 0xc0}};
    size_t wrong = 0;

    for (unsigned first = 0x80; first <= 0xff; first++)
        for (unsigned second = 0; second <= 0xff; second++)
            for (size_t i = 0; i < LENGTH(ends); i++) {
                const unsigned char bytes[] = {(unsigned char)first, (unsigned char)second, ends[i][0], ends[i][1]};
                char text[sizeof(bytes)];

                memcpy(text, bytes, sizeof(bytes));
                td_text_mask(text, sizeof(bytes));
                wrong += (*text != '?') != begins_shown(bytes);
            }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Bytes that are mostly special: escapes, what looks like them, and parts of characters. */
static size_t random_text(struct unit_random *r, char *text, size_t room)
{
    static const char special[] = "\\x5ce9\x1b\xe9\xe2\x80\xae\x7f\n x";
    const size_t n = unit_random_below(r, room);

    for (size_t i = 0; i < n; i++)
        text[i] = (char)(unit_random(r) & 1 ? (unsigned char)special[unit_random_below(r, sizeof(special))]
                                            : unit_random(r) >> (unit_random(r) & 1 ? 8 : 57));
    return n;
}

/* Whatever the bytes are, what is shown of them is printable ASCII or UTF-8, stays as it is, and gives the bytes back:
 * no two names are shown alike. */
static void any_bytes(void)
{
    struct unit_random r = {7};

    for (unsigned long round = unit_rounds(20000); round-- > 0;) {
        char text[16], again[sizeof(text) * 4 + 1];
        const size_t n = random_text(&r, text, sizeof(text));
        char *shown = td_text_copy(text, n);

        CU_ASSERT_PTR_NOT_NULL_FATAL(shown);
        strcpy(again, shown);
        td_text_mask(again, strlen(again));
        CU_ASSERT_STRING_EQUAL(again, shown);
        td_text_clean(again, sizeof(again));
        CU_ASSERT_STRING_EQUAL(again, shown);
        CU_ASSERT_EQUAL_FATAL(td_text_original(shown, strlen(shown)), n);
        CU_ASSERT(!memcmp(shown, text, n));
        free(shown);
    }
}

/* A text in memory of any size, beyond which nothing is written: the beginning of what is shown in much memory, no
 * escape cut in two. */
static void any_size(void)
{
    struct unit_random r = {8};

    for (unsigned long round = unit_rounds(5000); round-- > 0;) {
        char text[17], all[sizeof(text) * 4], some[sizeof(text) * 4 + 1];
        const size_t n = random_text(&r, text, sizeof(text));
        size_t size;

        text[n] = '\0';
        size = strlen(text) + 1 + unit_random_below(&r, 30);
        strcpy(all, text);
        td_text_clean(all, sizeof(all));
        memset(some, '#', sizeof(some));
        strcpy(some, text);
        td_text_clean(some, size);
        CU_ASSERT(strlen(some) < size && some[size] == '#' && !strncmp(some, all, strlen(some)));
        CU_ASSERT(strlen(all) < size ? strlen(some) == strlen(all) : strlen(some) + 4 >= size);
        td_text_clean(some, sizeof(some));
        CU_ASSERT(!strncmp(some, all, strlen(some)));
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
    CU_ASSERT_STRING_EQUAL(note, "task \\x1b]0;x\\x07-5");
    CU_ASSERT_EQUAL(td_log_fail(&log, -EIO, "the scope '%s'", "\xc2\x9bm"), -EIO);
    CU_ASSERT_STRING_EQUAL(log.error, "the scope '\\xc2\\x9bm'");
    CU_ASSERT_EQUAL(fail_at(&log, "the count '%s'", "\r"), -EBADMSG);
    CU_ASSERT_STRING_EQUAL(log.error, "a\\x0ab:7: the count '\\x0d'");
    td_log_defer(&log, kept);
    CU_ASSERT_STRING_EQUAL(kept, "a\\x0ab:7: the count '\\x0d'");
    CU_ASSERT_STRING_EQUAL(log.error, "");
    CU_ASSERT_EQUAL(td_log_no_memory(&log), -ENOMEM);
    CU_ASSERT_STRING_EQUAL(log.error, "out of memory");
    memset(longer, 'x', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    td_log_fail(&log, -EIO, "%s", longer);
    CU_ASSERT_EQUAL(strlen(log.error), TD_LOG_TEXT - 1);
}

static const CU_TestInfo tests[] = {
    {"with zeros", with_zeros},
    {"examples", examples},
    {"ranges", ranges},
    {"every character", all_characters},
    {"all beginnings", all_beginnings},
    {"any bytes", any_bytes},
    {"any size", any_size},
    {"messages", messages},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("text_clean", tests);
