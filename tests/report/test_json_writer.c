/* SPDX-License-Identifier: MIT */
/* The JSON that is written, compared with what json-c writes and reads. */
#include "report/json_writer.h"

#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLAIN = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE };

/* Text must be what json-c writes for the object, which is released. */
static void same(struct captured *c, struct json_object *wanted)
{
    const char *text = captured_text(c), *right = json_object_to_json_string_ext(wanted, PLAIN);

    CU_ASSERT_STRING_EQUAL(text, right);
    if (strcmp(text, right))
        printf("\n    %s and not %s\n", text, right);
    json_object_put(wanted);
}

static void put_string(const char *text)
{
    struct captured c;
    struct td_json_writer j = {.out = captured_begin(&c)};

    td_json_put_string(&j, text);
    same(&c, text ? json_object_new_string(text) : NULL);
    captured_end(&c);
}

/* Bytes that JSON treats specially, and others. */
static void strings(void)
{
    static const char some[] = "\b\f\n\r\t\"\\/\x01\x1f\x7f az\xc3\xa9";
    struct unit_random random = {1};
    char text[64];

    put_string(NULL);
    put_string("");
    for (int ch = 1; ch < 0x80; ch++)
        put_string((char[]){(char)ch, '\0'});
    for (unsigned long i = 0; i < unit_rounds(100000); i++) {
        size_t n = unit_random_below(&random, sizeof(text));

        for (size_t k = 0; k < n; k++)
            text[k] = some[unit_random_below(&random, sizeof(some) - 1)];
        text[n] = '\0';
        put_string(text);
    }
}

static void longer_than_the_buffer(void)
{
    enum { LONG = 3 * TD_OUTPUT_BUFFER };
    char *text = calloc(LONG, 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, 'x', LONG - 1);
    text[LONG / 2] = '\n';
    put_string(text);
    free(text);
}

/* The old way, json-c's and ours: integers as such, else the fewest digits. */
static struct json_object *number(double value)
{
    char text[40];

    if (!isfinite(value))
        return NULL;
    if (value == floor(value) && fabs(value) < 9007199254740992.0)
        return json_object_new_int64((int64_t)value);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return json_object_new_double_s(value, text);
}

static void put_number(double value)
{
    struct captured c;
    struct td_json_writer j = {.out = captured_begin(&c)};

    td_json_put_number(&j, value);
    same(&c, number(value));
    captured_clear(&c);
    j.follows = false;
    td_json_put_ratio(&j, value);
    same(&c, value != 0 && value != 1 ? number(value) : json_object_new_double_s(value, value == 1 ? "1.0" : "0.0"));
    captured_end(&c);
}

static void numbers(void)
{
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.5,
                                  1e15,
                                  1e16,
                                  9007199254740991,
                                  9007199254740992,
                                  -9007199254740992,
                                  1e22,
                                  1e300,
                                  5e-324,
                                  INFINITY,
                                  -INFINITY,
                                  (double)NAN};
    struct unit_random random = {2};

    for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
        put_number(some[i]);
    for (unsigned long i = 0; i < unit_rounds(50000); i++) {
        put_number(unit_random_ratio(&random));
        put_number((double)unit_random(&random));
        put_number((double)(unit_random(&random) >> unit_random_below(&random, 64)));
    }
}

static void integers(void)
{
    static const int64_t some[] = {0, 1, -1, INT64_MAX, INT64_MIN, 10, -10};

    for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
        struct captured c;
        struct td_json_writer j = {.out = captured_begin(&c)};

        td_json_put_integer(&j, some[i]);
        same(&c, json_object_new_int64(some[i]));
        captured_end(&c);
    }
}

/* Commas and brackets: json-c reads them, and writes them again unchanged. */
static void structure(void)
{
    struct captured c;
    struct td_json_writer j = {.out = captured_begin(&c)};

    td_json_put_open(&j, '{');
    td_json_put_key(&j, "empty");
    td_json_put_open(&j, '{');
    td_json_put_close(&j, '}');
    td_json_put_key(&j, "list");
    td_json_put_open(&j, '[');
    td_json_put_open(&j, '[');
    td_json_put_close(&j, ']');
    td_json_put_integer(&j, 1);
    td_json_put_boolean(&j, false);
    td_json_put_string(&j, "a");
    td_json_put_open(&j, '{');
    td_json_put_name(&j, "a\"b");
    td_json_put_boolean(&j, true);
    td_json_put_key(&j, "time");
    td_json_put_seconds(&j, UINT64_C(12000000034));
    td_json_put_close(&j, '}');
    td_json_put_close(&j, ']');
    td_json_put_key(&j, "last");
    td_json_put_number(&j, 0.1);
    td_json_put_close(&j, '}');
    CU_ASSERT_STRING_EQUAL(
        captured_text(&c),
        "{\"empty\":{},\"list\":[[],1,false,\"a\",{\"a\\\"b\":true,\"time\":12.000000034}],\"last\":0.1}");
    same(&c, json_tokener_parse(captured_text(&c)));
    captured_end(&c);
}

/* Cleaned text is valid UTF-8, which json-c's strict parser accepts, and short enough. */
static void clean(void)
{
    struct json_tokener *parser = json_tokener_new();
    struct unit_random random = {3};
    char text[1200], buf[TD_JSON_TEXT];

    CU_ASSERT_PTR_NOT_NULL_FATAL(parser);
    json_tokener_set_flags(parser, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    CU_ASSERT_STRING_EQUAL(td_json_clean("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", buf),
                           "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    CU_ASSERT_STRING_EQUAL(td_json_clean("a\xff\xc3z\xe2\x82", buf), "a\\xff\\xc3z\\xe2\\x82");
    /* overlong; a control character; beyond Unicode */
    CU_ASSERT_STRING_EQUAL(td_json_clean("\xc0\xaf\xc1\xbf\xc2\x80\xf5\x80\x80\x80", buf),
                           "\\xc0\\xaf\\xc1\\xbf\\xc2\\x80\\xf5\\x80\\x80\\x80");
    for (unsigned long i = 0; i < unit_rounds(20000); i++) {
        size_t n = unit_random_below(&random, i % 10 ? 20 : sizeof(text));
        struct captured c;
        struct td_json_writer j = {.out = captured_begin(&c)};
        struct json_object *read;

        for (size_t k = 0; k < n; k++)
            text[k] = (char)(1 + unit_random_below(&random, 255));
        text[n] = '\0';
        td_json_put_string(&j, td_json_clean(text, buf));
        CU_ASSERT(strlen(buf) >= (n < sizeof(buf) - 4 ? n : sizeof(buf) - 4));
        json_tokener_reset(parser);
        read = json_tokener_parse_ex(parser, captured_text(&c), (int)strlen(captured_text(&c)) + 1);
        CU_ASSERT_PTR_NOT_NULL(read);
        CU_ASSERT_STRING_EQUAL(json_object_get_string(read), buf);
        json_object_put(read);
        captured_end(&c);
    }
    json_tokener_free(parser);
}

static void put_clean(const char *text, const char *wanted)
{
    struct json_object *object = json_object_new_object();
    struct captured c;
    struct td_json_writer j = {.out = captured_begin(&c)};

    json_object_object_add(object, "k", wanted ? json_object_new_string(wanted) : NULL);
    td_json_put_open(&j, '{');
    td_json_put_clean(&j, "k", text);
    td_json_put_close(&j, '}');
    same(&c, object);
    captured_end(&c);
}

/* Of a byte above ASCII, nothing follows that makes a character of it. */
static void one_byte_of_any_value(void)
{
    enum { LONGEST = 20 };
    char text[LONGEST + 1], wanted[LONGEST + 4];

    put_clean(NULL, NULL);
    put_clean("", "");
    for (size_t n = 1; n <= LONGEST; n++)
        for (size_t at = 0; at < n; at++)
            for (unsigned byte = 1; byte < 256; byte++) {
                memset(text, 'a', n);
                text[n] = '\0';
                text[at] = (char)byte;
                snprintf(wanted, sizeof(wanted), byte < ' ' || byte > '~' ? "%.*s\\x%02x%s" : "%.*s%c%s", (int)at, text,
                         byte, text + at + 1);
                put_clean(text, wanted);
            }
}

/* What does not fit is cut off. */
static void long_clean(void)
{
    char text[TD_JSON_TEXT + 2], wanted[TD_JSON_TEXT];

    for (size_t n = TD_JSON_TEXT - 9; n < sizeof(text); n++) {
        memset(text, 'a', n);
        text[n] = '\0';
        memset(wanted, 'a', sizeof(wanted));
        wanted[n < sizeof(wanted) ? n : sizeof(wanted) - 1] = '\0';
        put_clean(text, wanted);
    }
}

static const CU_TestInfo tests[] = {
    {"strings", strings},
    {"a string longer than the buffer", longer_than_the_buffer},
    {"numbers", numbers},
    {"integers", integers},
    {"structure", structure},
    {"somebody else's text", clean},
    {"one byte of any value in it", one_byte_of_any_value},
    {"long text", long_clean},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("json writer", tests);
