/* SPDX-License-Identifier: MIT */
/* JSON as a stream: each call immediately writes a piece, with the comma before it. */
#include "report/json_writer.h"

#include "include/tdprobe.h"
#include "private/result.h"
#include "report/digits.h"

#include <math.h>

void td_json_put_open(struct td_json_writer *j, char bracket)
{
    char *at = td_json_room(j, 1);

    *at++ = bracket;
    td_output_take(j->out, at);
    j->follows = false;
}

void td_json_put_close(struct td_json_writer *j, char bracket)
{
    td_output_char(j->out, bracket);
    j->follows = true;
}

/* ---- strings ---------------------------------------------------------------- */

/* The character after the backslash for a byte that must be escaped (RFC 8259, section 7), as
 * json-c chooses it; 0: the byte is written unchanged. */
static const char escapes[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u', 'u',         'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', ['"'] = '"', ['\\'] = '\\',
};

/* The number of bytes that need no escape. */
static size_t plain(const char *text)
{
    const char *at = text;

    while (!escapes[(unsigned char)*at])
        at++;
    return (size_t)(at - text);
}

static void put_escape(struct td_output *o, unsigned char ch)
{
    const char escape[] = {'\\', escapes[ch], '0', '0', (char)('0' + (ch >> 4)), "0123456789abcdef"[ch & 15]};

    td_output_bytes(o, escape, escapes[ch] == 'u' ? sizeof(escape) : 2);
}

/* Writes text between quotes. */
static void put_text(struct td_output *o, const char *text)
{
    td_output_char(o, '"');
    for (;;) {
        const size_t n = plain(text);

        td_output_bytes(o, text, n);
        text += n;
        if (!*text)
            break;
        put_escape(o, (unsigned char)*text++);
    }
    td_output_char(o, '"');
}

static uint64_t eight(unsigned char byte)
{
    return byte * UINT64_C(0x0101010101010101);
}

/* Whether eight bytes are printable ASCII without a quote or a backslash. Of bytes below 0x80 no sum here carries into
 * the next byte: each has its highest bit where the byte is a blank or above, or is not the other one. */
static bool are_plain(uint64_t bytes)
{
    const uint64_t high = ~bytes & (bytes + eight(0x80 - ' ')) & ((bytes ^ eight(0x7f)) + eight(0x7f)) &
                          ((bytes ^ eight('"')) + eight(0x7f)) & ((bytes ^ eight('\\')) + eight(0x7f));

    return (high & eight(0x80)) == eight(0x80);
}

/* Whether a text needs neither td_json_clean() nor an escape, as most texts. It looks at eight bytes at once: the last
 * ones of a long text, however many were among those before, and a short text filled up. */
static bool is_plain(const char *text, size_t n)
{
    uint64_t bytes = eight('x');

    if (n >= TD_JSON_TEXT)
        return false;
    for (size_t at = 0; at + sizeof(bytes) < n; at += sizeof(bytes)) {
        memcpy(&bytes, text + at, sizeof(bytes));
        if (!are_plain(bytes))
            return false;
    }
    if (n >= sizeof(bytes))
        memcpy(&bytes, text + n - sizeof(bytes), sizeof(bytes));
    else
        for (size_t i = 0; i < n; i++)
            bytes = bytes << 8 | (unsigned char)text[i];
    return are_plain(bytes);
}

static void put_plain(struct td_json_writer *j, const char *text, size_t n)
{
    char *at = td_json_room(j, n + 2);

    *at = '"';
    memcpy(at + 1, text, n);
    at[n + 1] = '"';
    td_output_take(j->out, at + n + 2);
}

void td_json_put_string(struct td_json_writer *j, const char *text)
{
    const size_t n = text ? strlen(text) : 0;

    if (!text) {
        td_output_take(j->out, stpcpy(td_json_room(j, sizeof("null")), "null"));
    } else if (is_plain(text, n)) {
        put_plain(j, text, n);
    } else {
        td_output_take(j->out, td_json_room(j, 0));
        put_text(j->out, text);
    }
}

void td_json_put_name(struct td_json_writer *j, const char *text)
{
    td_json_put_string(j, text);
    td_output_char(j->out, ':');
    j->follows = false;
}

const char *td_json_clean(const char *text, char buf[TD_JSON_TEXT])
{
    const size_t n = strnlen(text, TD_JSON_TEXT - 1);

    memcpy(buf, text, n);
    buf[n] = '\0';
    return td_printable(buf, TD_JSON_TEXT);
}

/* ---- numbers ---------------------------------------------------------------- */

void td_json_put_integer(struct td_json_writer *j, int64_t value)
{
    char *at = td_json_room(j, 1 + TD_DIGITS_INTEGER);

    if (value < 0)
        *at++ = '-';
    td_output_take(j->out, td_digits_integer(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, at));
}

void td_json_put_boolean(struct td_json_writer *j, bool value)
{
    char *at = td_json_room(j, sizeof("false"));

    td_output_take(j->out, stpcpy(at, value ? "true" : "false"));
}

void td_json_put_number(struct td_json_writer *j, double value)
{
    if (fabs(value) < 9007199254740992.0 && value == (double)(int64_t)value)
        td_json_put_integer(j, (int64_t)value);
    else if (isfinite(value))
        td_output_take(j->out, td_digits_shortest(value, td_json_room(j, TD_DIGITS_SHORTEST)));
    else
        td_json_put_string(j, NULL);
}

void td_json_put_ratio(struct td_json_writer *j, double value)
{
    if (value != 0 && value != 1)
        td_json_put_number(j, value);
    else
        td_output_take(j->out, stpcpy(td_json_room(j, sizeof("1.0")), value > 0 ? "1.0" : "0.0"));
}

void td_json_put_seconds(struct td_json_writer *j, uint64_t ns)
{
    char *at = td_digits_integer(ns / 1000000000, td_json_room(j, TD_DIGITS_INTEGER + 10));

    *at++ = '.';
    td_output_take(j->out, td_digits_padded((uint32_t)(ns % 1000000000), 9, at));
}

/* ---- text from elsewhere ---------------------------------------------------- */

void td_json_put_clean(struct td_json_writer *j, const char *key, const char *text)
{
    const size_t n = text ? strlen(text) : 0;
    char buf[TD_JSON_TEXT];

    td_json_put_key(j, key);
    if (text && is_plain(text, n))
        put_plain(j, text, n);
    else
        td_json_put_string(j, text ? td_json_clean(text, buf) : NULL);
}
