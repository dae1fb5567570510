/* SPDX-License-Identifier: MIT */
/* JSON as a stream: each call immediately writes a piece, with the comma before it. */
#ifndef REPORT_JSON_WRITER_H
#define REPORT_JSON_WRITER_H

#include "report/output.h"

struct td_json_writer {
    struct td_output *out;
    bool follows; /* a value in the same object or array comes before: a comma is due */
};

enum { TD_JSON_TEXT = 1024 };

/* Where to write the next value or key: after a comma if one is due, with room for
 * n bytes, which td_output_take() takes. */
static inline char *td_json_room(struct td_json_writer *j, size_t n)
{
    char *at = td_output_room(j->out, n + 1);

    if (j->follows)
        *at++ = ',';
    j->follows = true;
    return at;
}

void td_json_put_open(struct td_json_writer *, char bracket); /* '{' or '[' */
void td_json_put_close(struct td_json_writer *, char bracket);
/* Writes a word of only letters, digits and _, of fewer than TD_JSON_TEXT bytes, after a comma if one is due. Inline,
 * as the words are mostly constant. */
static inline void td_json_put_word(struct td_json_writer *j, const char *word)
{
    const size_t n = strlen(word);
    char *at = td_json_room(j, n + 2);

    *at = '"';
    memcpy(at + 1, word, n);
    at[n + 1] = '"';
    td_output_take(j->out, at + n + 2);
}
/* Writes a key, which is such a word, and whose value is written by the next call. */
static inline void td_json_put_key(struct td_json_writer *j, const char *word)
{
    const size_t n = strlen(word);
    char *at = td_json_room(j, n + 3);

    *at = '"';
    memcpy(at + 1, word, n);
    memcpy(at + 1 + n, "\":", 2);
    td_output_take(j->out, at + n + 3);
    j->follows = false;
}
/* Writes a key that may be any text in UTF-8. */
void td_json_put_name(struct td_json_writer *, const char *text);

/* Writes a text in UTF-8; NULL: null. */
void td_json_put_string(struct td_json_writer *, const char *text);
void td_json_put_integer(struct td_json_writer *, int64_t value);
void td_json_put_boolean(struct td_json_writer *, bool value);
/* Writes a number with the fewest of 15 to 17 digits that read back as the same double; null if it is not finite. */
void td_json_put_number(struct td_json_writer *, double value);
/* Writes a number likewise, but 0.0 and 1.0 with their decimal. */
void td_json_put_ratio(struct td_json_writer *, double value);
/* Writes ns as seconds with nine decimals. */
void td_json_put_seconds(struct td_json_writer *, uint64_t ns);

/* Text from elsewhere may have any bytes, JSON may not: what is not UTF-8 becomes '?', as
 * do control characters, and what does not fit is cut off. Returns buf. */
const char *td_json_clean(const char *text, char buf[TD_JSON_TEXT]);

/* Writes a key as td_json_put_key() does, and a text in UTF-8; NULL: null. */
static inline void td_json_put_text(struct td_json_writer *j, const char *key, const char *text)
{
    td_json_put_key(j, key);
    td_json_put_string(j, text);
}
/* Writes such a key, and a number as td_json_put_ratio() does. */
static inline void td_json_put_share(struct td_json_writer *j, const char *key, double value)
{
    td_json_put_key(j, key);
    td_json_put_ratio(j, value);
}
/* Writes such a key, and any text, cleaned. */
void td_json_put_clean(struct td_json_writer *, const char *key, const char *text);

#endif
