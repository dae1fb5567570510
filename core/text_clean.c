/* SPDX-License-Identifier: MIT */
#include "core/text_clean.h"

#include "include/tdprobe.h"

#include <stdlib.h>
#include <string.h>

/* The second byte of a character that begins with first to last: from least to most
 * (Unicode 15, table 3-7). U+0080 to U+009F are the controls of C1. */
static const struct lead {
    unsigned char first, last, least, most;
    size_t length;
} leads[] = {
    {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

/* The length of the character of several bytes at the beginning of text; 0: none that can be printed. */
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
    return l->length;
}

/* The same for any character. */
static size_t printable_length(const char *text, size_t len)
{
    unsigned char c = (unsigned char)*text;

    if (c < 0x80)
        return c >= ' ' && c != 0x7f;
    return wide_length((const unsigned char *)text, len);
}

void td_text_clean(char *text, size_t len)
{
    for (size_t n; len; text += n, len -= n) {
        n = printable_length(text, len);
        if (!n) {
            *text = '?';
            n = 1;
        }
    }
}

char *td_printable(char *text)
{
    td_text_clean(text, strlen(text));
    return text;
}

char *td_text_copy(const char *text, size_t len)
{
    char *copy = malloc(len + 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    td_text_clean(copy, len);
    return copy;
}
