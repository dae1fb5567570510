/* SPDX-License-Identifier: MIT */
/* An object of perf stat -j without json-c: perf writes one flat object per line, with the same
 * keys in the same order, so what comes before each value is mostly known from the line
 * before. Whatever is unusual is left to json-c: escapes, nested values, null, numbers that
 * json-c would rewrite, a key that repeats. A line takes 3,600 instructions, with all that replay --summary-only does
 * with it, instead of 27,400 by json-c. */
#include "formats/perf_stat/perf_json.h"

#include "util/number.h"

#include <string.h>

enum { EXACT_DIGITS = 18 /* an integer with this many digits is below 2^63 */ };

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static const char *skip_digits(const char *at)
{
    while (td_is_digit(*at))
        at++;
    return at;
}

/* Learns what comes before a value: first or ',', the key and the colon; a len of 0: something else does. The line ends
 * with a NUL byte. */
static void learn_front(struct td_json_front *f, const char *begin, char first)
{
    const char *key = skip_blanks(begin), *end, *at;

    f->len = 0;
    if (*key != first)
        return;
    key = skip_blanks(key + 1);
    end = *key == '"' ? strchr(key + 1, '"') : NULL;
    at = end ? skip_blanks(end + 1) : "";
    if (*at != ':')
        return;
    at = skip_blanks(at + 1);
    f->quoted = *at == '"';
    at += f->quoted;
    if ((size_t)(at - begin) > sizeof(f->text))
        return;
    f->key = td_json_key(key + 1, (size_t)(end - key) - 1);
    f->len = (size_t)(at - begin);
    memcpy(f->text, begin, f->len);
}

/* The end of a number whose text json-c keeps; NULL: it is another value. */
static const char *number_end(const char *begin)
{
    const char *end = skip_digits(begin);

    if (end == begin || (*begin == '0' && end != begin + 1))
        return NULL;
    if (*end != '.')
        return end - begin <= EXACT_DIGITS ? end : NULL;
    begin = end + 1;
    end = skip_digits(begin);
    return end == begin ? NULL : end;
}

/* The end of a value after its front, without its quote; NULL: it is not one that is read here. */
static const char *value_end(const struct td_json_front *f, const char *at, const char *end)
{
    return f->quoted ? memchr(at + f->len, '"', (size_t)(end - at) - f->len) : number_end(at + f->len);
}

/* Takes one value with its front; returns where the line continues, or NULL. */
static const char *take_value(struct td_json_front *f, char first, const char *at, const char *end,
                              struct td_json_value *key)
{
    const bool known = f->len && (size_t)(end - at) >= f->len && !memcmp(at, f->text, f->len);
    const char *next = known ? value_end(f, at, end) : NULL;

    if (!next) {
        learn_front(f, at, first);
        next = f->len ? value_end(f, at, end) : NULL;
    }
    if (!next)
        return NULL;
    if (f->key != TD_JSON_KEYS) {
        if (key[f->key].text)
            return NULL;
        key[f->key] = (struct td_json_value){.text = at + f->len, .len = (size_t)(next - at) - f->len};
    }
    return skip_blanks(next + f->quoted);
}

bool td_json_flat(struct td_json_parser *p, const char *line, size_t len, struct td_json_line *out)
{
    const char *const end = line + len, *at = memchr(line, '\\', len) ? NULL : line;

    for (size_t i = 0; at && i < TD_JSON_PLACES; i++) {
        at = take_value(&p->front[i], i ? ',' : '{', at, end, out->key);
        if (at && *at == '}') {
            if (at[1] && at[1 + strspn(at + 1, " \t\r\n")] == '/') /* json-c takes what follows for a comment */
                break;
            out->any = true;
            out->rest = at + 1;
            return true;
        }
    }
    memset(out->key, 0, sizeof(out->key));
    return false;
}
