/* SPDX-License-Identifier: MIT */
#include "util/text_clean.h"

#include "include/tdprobe.h"
#include "private/result.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A character whose first byte is one from first to last has a second byte from least to most (Unicode 15, table 3-7).
 * U+0080 to U+009F, the controls of C1, are left out. */
static const struct lead {
    unsigned char first, last, least, most;
    size_t length;
} leads[] = {
    {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* Characters that show nothing of their own, change the order or the look of those around them, or end a line: the
 * format characters (Cf), separators of lines and paragraphs, default ignorable code points and noncharacters of
 * Unicode 15 (UnicodeData.txt; DerivedCoreProperties.txt; chapter 23.7). Noncharacters at the end of each plane are not
 * listed. */
static const struct unseen {
    uint32_t first, last;
} unseen[] = {
    {0xad, 0xad},       {0x34f, 0x34f},     {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
    {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
    {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff},
};

static bool is_unseen(uint32_t c)
{
    const struct unseen *u = unseen, *end = unseen + sizeof(unseen) / sizeof(*unseen);

    while (u < end && c > u->last)
        u++;
    return (u < end && c >= u->first) || (c & 0xfffe) == 0xfffe;
}

/* The code point of a character of several bytes, all of which are there. */
static uint32_t code_point(const unsigned char *text, size_t length)
{
    uint32_t c = *text & (0x7fu >> length);

    for (size_t i = 1; i < length; i++)
        c = c << 6 | (text[i] & 0x3f);
    return c;
}

/* The length of the character of several bytes at the beginning of text; 0: none that can be shown. */
static size_t wide_length(const unsigned char *text, size_t len)
{
    const struct lead *l = leads, *end = leads + sizeof(leads) / sizeof(*leads);

    while (l < end && (*text < l->first || *text > l->last))
        l++;
    if (l == end || len < l->length || text[1] < l->least || text[1] > l->most)
        return 0;
    for (size_t i = 2; i < l->length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return is_unseen(code_point(text, l->length)) ? 0 : l->length;
}

/* The length of any character at the beginning of text; 0: none that can be shown. */
static size_t printable_length(const char *text, size_t len)
{
    unsigned char c = (unsigned char)*text;

    if (c < 0x80)
        return c >= ' ' && c != 0x7f;
    return wide_length((const unsigned char *)text, len);
}

void td_text_mask(char *text, size_t len)
{
    for (size_t n; len; text += n, len -= n) {
        n = printable_length(text, len);
        if (!n) {
            *text = '?';
            n = 1;
        }
    }
}

/* ---- escapes ------------------------------------------------------------------------------------- */

enum { ESCAPE = 4 /* bytes: \xe9 */ };
static const char digits[] = "0123456789abcdef";

/* The byte that the escape at the beginning of text stands for, as td_text_copy() writes it; -1: it begins with
 * none. */
static int escaped_byte(const char *text, size_t len)
{
    const char *high, *low;
    int byte;

    if (len < ESCAPE || text[0] != '\\' || text[1] != 'x' || !text[2] || !text[3])
        return -1;
    high = strchr(digits, text[2]);
    low = strchr(digits, text[3]);
    byte = high && low ? (int)((high - digits) << 4 | (low - digits)) : -1;
    return byte >= 0x7f || (byte >= 0 && byte < ' ') || byte == '\\' ? byte : -1;
}

/* The length of what can be shown at the beginning of text as it is; 0: the first byte is to be escaped. */
static size_t plain_length(const char *text, size_t len, bool name)
{
    return name && escaped_byte(text, len) >= 0 ? 0 : printable_length(text, len);
}

/* How long the text is with its escapes. *fits gets how many bytes of the text have room with theirs. */
static size_t shown_length(const char *text, size_t len, bool name, size_t room, size_t *fits)
{
    size_t shown = 0;

    *fits = 0;
    for (size_t i = 0, n; i < len; i += n) {
        n = plain_length(text + i, len - i, name);
        shown += n ? n : ESCAPE;
        n = n ? n : 1;
        if (shown <= room)
            *fits = i + n;
    }
    return shown;
}

/* Writes the text with its escapes, and returns the end. out may be before text in the same memory, as long as it never
 * gets ahead of it. */
static char *show(char *out, const char *text, size_t len, bool name)
{
    for (size_t n; len; text += n, len -= n) {
        n = plain_length(text, len, name);
        if (n) {
            memmove(out, text, n);
            out += n;
        } else {
            const unsigned char byte = (unsigned char)*text;

            *out++ = '\\';
            *out++ = 'x';
            *out++ = digits[byte >> 4];
            *out++ = digits[byte & 15];
            n = 1;
        }
    }
    *out = '\0';
    return out;
}

void td_text_clean(char *text, size_t size)
{
    const size_t len = strlen(text);
    size_t fits;

    if (shown_length(text, len, false, size - 1, &fits) == len)
        return;
    memmove(text + size - 1 - fits, text, fits); /* no text gets shorter when shown: out cannot overtake it */
    show(text, text + size - 1 - fits, fits, false);
}

char *td_printable(char *text, size_t size)
{
    td_text_clean(text, size);
    return text;
}

char *td_text_copy(const char *text, size_t len)
{
    size_t fits;
    char *copy = malloc(shown_length(text, len, true, SIZE_MAX, &fits) + 1);

    if (copy)
        show(copy, text, len, true);
    return copy;
}

size_t td_text_original(char *text, size_t len)
{
    char *out = text;

    for (size_t i = 0; i < len;) {
        const int byte = escaped_byte(text + i, len - i);

        *out++ = byte >= 0 ? (char)byte : text[i];
        i += byte >= 0 ? ESCAPE : 1;
    }
    *out = '\0';
    return (size_t)(out - text);
}
