/* SPDX-License-Identifier: MIT */
/* One line of perf stat -j: how deep an object may be, what is repaired, what may follow the object, and its values. */
#include "formats/perf_stat/perf_json.h"
#include "tests/support/recorded.h"
#include "util/number.h"

#include <stdlib.h>

#define ROW(before_, value_, percent_) \
    "{" before_ "\"counter-value\" : " value_ ", \"event\" : \"a\", \"event-runtime\" : 9, \"pcnt-running\" : " percent_
#define IS_A "- system system: a=5@0\n"

/* An object may have objects in it, three deep. */
static void depth(void)
{
    static const struct recorded all[] = {
        {ROW("\"x\" : {\"x\" : {\"x\" : 1}}, ", "5", "100.00") "}\n", IS_A},
        {ROW("\"x\" : {\"x\" : {\"x\" : {\"x\" : 1}}}, ", "5", "100.00") "}\n", "!f:1: objects inside the object~"},
        {ROW("\"x\" : [[1]], ", "5", "100.00") "}\n", IS_A},
        {ROW("\"x\" : [[[1]]], ", "5", "100.00") "}\n", "!f:1: objects inside the object~"},
        {0},
    };

    read_all(all);
}

/* A comma is a decimal one between two digits that no quotes are around. */
static void repaired(void)
{
    static const struct recorded all[] = {
        {ROW("", "5", "50,0") "}\n", "- system system: a=5@0*0.5\n"},
        {ROW("\"v\" : 7,25, ", "5", "50,00") "}\n", "- system system: a=5@0*0.5\n"},
        {ROW("\"v\" : [\"5\",5], ", "5", "50,00") "}\n", "- system system: a=5@0*0.5\n"},
        {ROW("\"v\" : [5,\"5\"], ", "5", "50,00") "}\n", "- system system: a=5@0*0.5\n"},
        {ROW("\"v\" : \"1,2\", \"cgroup\" : \"3,4\", ", "5", "50,00") "}\n", "- 3,4 cgroup: a=5@0*0.5\n"},
        {ROW("", "5", "50,00") ", \"metric-value\" : 1,5}\n", "- system system: a=5@0*0.5\n"},
        /* in quotes it is no key of perf's */
        {ROW("\"cgroup\" : \"\\\"metric-value\\\"\", ", "5", "50,00") "}\n", "- \"metric-value\" cgroup: a=5@0*0.5\n"},
        /* escapes stay, and a quote among them ends nothing */
        {ROW("\"cgroup\" : \"\\\\x\\\"1,2\", ", "5", "50,00") "}\n", "- \\x\"1,2 cgroup: a=5@0*0.5\n"},
        {ROW("\"cgroup\" : \"\\x41\\x2d\", ", "5", "100.00") "}\n", "- \\x41\\x2d cgroup: a=5@0\n"},
        /* repaired, it still does not end */
        {ROW("", "5", "50,00") "\n{}\n", "!f:1: the object does not end on its line~"},
        {ROW("", "5", "50,00") ", \"x\" : \"\\\nx\n", "!f:1: the object does not end on its line~"},
        {0},
    };

    read_all(all);
}

/* A line that is as long as one can be, and gets half as long again. */
static void longest(void)
{
    static char text[TD_LINE_MAX + 2];
    static const char begin[] = ROW("", "5", "100.00") ", \"x\" : \"";
    struct source s = {text, 0, 4096, 0};
    struct log l = {.n = 0};

    memcpy(text, begin, strlen(begin));
    for (size_t n = strlen(begin); n < TD_LINE_MAX - 2; n++)
        text[n] = n % 2 ? 'x' : '\\';
    memcpy(text + TD_LINE_MAX - 2, "\"}\n", 3);
    s.left = TD_LINE_MAX + 1;
    put_recording(&l, &s);
    same_log(&l, IS_A, s.piece);
}

/* Why json-c cannot read it: what comes after a comma and a blank is of perf stat -x. */
static void refused(void)
{
    static const struct recorded all[] = {
        {"{\"counter-value\" : \"5\", x}\n", "!f:1: no JSON: perf stat -j together with -x~"},
        {"{\"counter-value\" : \"5\",   ;x}\n", "!f:1: no JSON: perf stat -j together with -x~"},
        {"{\"counter-value\" : \"5\",x}\n", "!f:1: no JSON: quoted object property name expected at 'x}'"},
        {"{\"counter-value\" : \"5\" x}\n", "!f:1: no JSON: object value separator ',' expected at 'x}'"},
        {"{\"counter-value\" : x}\n", "!f:1: no JSON: unexpected character at 'x}'"},
        /* what was wrong before explains a line inside an object, and not an object */
        {"{}\nx y\n\"counter-value\" : 5\n", "!f:2: 'x y' is no object of perf stat -j"},
        {"{}\nx y\n{\"counter-value\" : 5 x}\n", "!f:3: no JSON: object value separator ',' expected at 'x}'"},
        {0},
    };

    usual_reader = &td_reader_perf_json;
    read_all(all);
}

/* After the object a further metric, of a line that is cut off as much as there is of it; or the end of an array. */
static void after(void)
{
    static const struct recorded all[] = {
        {ROW("", "5", "100.00") "}\"metric-value\" : 1}\n", IS_A},
        {ROW("", "5", "100.00") "} \t{\"metric-value\"\n", IS_A},
        {ROW("", "5", "100.00") "}\"metric-value\n", "!f:1: text after the object: '\"metric-value'"},
        {ROW("", "5", "100.00") "}\"metric-value", IS_A},
        {ROW("", "5", "100.00") "}\"metric-valux", "!f:1: text after the object: '\"metric-valux'"},
        {ROW("", "5", "100.00") "}\"metric-value\" : 1", IS_A},
        {ROW("", "5", "100.00") "} ,\t]\n", IS_A},
        {ROW("", "5", "100.00") "} ,{\n", "!f:1: several objects on one line~"},
        {ROW("", "5", "100.00") "} ,5\n", "!f:1: text after the object: '5'"},
        {0},
    };

    read_all(all);
}

/* Values as they are shown: 40 characters of each. */
static void shown(void)
{
#define TEN "xxxxxxxxxx"
#define IS_NONE(text_) "!f:1: the count '" text_ "' is not a number"
    static const struct recorded all[] = {
        {"{\"counter-value\" : \"" TEN TEN TEN "123456789\"}\n", IS_NONE(TEN TEN TEN "123456789")},
        {"{\"counter-value\" : \"" TEN TEN TEN "1234567890\"}\n", IS_NONE(TEN TEN TEN "1234567890")},
        {"{\"counter-value\" : \"" TEN TEN TEN "1234567890a\"}\n", IS_NONE(TEN TEN TEN "1234567890")},
        {"{\"x\" : [], \"counter-value\" : \"" TEN TEN TEN "123456789\"}\n", IS_NONE(TEN TEN TEN "123456789")},
        {"{\"x\" : [], \"counter-value\" : \"" TEN TEN TEN "1234567890\"}\n", IS_NONE(TEN TEN TEN "1234567890")},
        {"{\"x\" : [], \"counter-value\" : \"" TEN TEN TEN "1234567890a\"}\n", IS_NONE(TEN TEN TEN "1234567890")},
        {0},
    };

    read_all(all);
}

/* A decimal comma has six digits after it, and the number up to 31 characters. */
static void commas(void)
{
    static const struct {
        const char *text;
        double wanted; /* -1: it is no number */
    } all[] = {
        {"0,500000", 0.5},
        {"12,250000", 12.25},
        {"0000000000000000000000007,500000", -1},
        {"000000000000000000000007,500000", 7.5},
        {",500000", -1},
        {"500000", 500000},
        {"1,50000", -1},
        {"1,5000000", -1},
        {"1,2,500000", -1},
        {"1.2,500000", -1},
        {"x,500000", -1},
        {"0", 0},
        {"", -1},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_json_value flat = {.text = all[i].text, .len = strlen(all[i].text)};
        const struct td_json_value other = {.object = json_object_new_string(all[i].text)};
        double number = 0;

        CU_ASSERT_EQUAL(td_json_number(&flat, &number) ? -1 : number, all[i].wanted);
        CU_ASSERT_EQUAL(td_json_number(&other, &number) ? -1 : number, all[i].wanted);
        json_object_put(other.object);
    }
}

/* Integers as json-c reads them. */
static void integers(void)
{
    static const struct {
        const char *text;
        double wanted; /* -1: it is negative; -2: it is too large */
    } all[] = {
        {"0", 0},
        {"1", 1},
        {"-1", -1},
        {"18446744073709549568", 18446744073709549568.0}, /* the largest double below 2^64 */
        {"18446744073709551615", -2}, /* json-c gives as much for all that is more */
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const struct td_json_value v = {.object = json_tokener_parse(all[i].text)};
        double number = 0;
        const char *wrong = td_json_number(&v, &number);

        CU_ASSERT_EQUAL(wrong == td_number_negative ? -1 : wrong == td_number_large ? -2 : number, all[i].wanted);
        json_object_put(v.object);
    }
}

/* By which way a line was read, and what of it is there. */
static void ways(void)
{
    static const struct {
        const char *line;
        bool by_libraries, any, has_object, cut_off;
        const char *rest;
    } all[] = {
        {"{\"cpu\" : 1}, ", false, true, false, false, ", "},
        {"{\"cpu\" : 1}, ", true, true, true, false, ", "},
        {"{\"cpu\" : [1]}, ", false, true, true, false, ", "},
        {"{\"cpu\" : ", false, false, false, true, NULL},
        {"# x", false, false, false, false, NULL},
        {" [,", false, false, false, false, NULL},
        {"x", false, false, false, false, NULL},
        {"{\"cpu\" : inf, \"metric-value\" : 2}", false, false, false, true, NULL},
    };
    static struct opened o;
    struct source s = {"{}", 2, 2, 0};
    struct td_json_parser p = {.tokener = NULL};
    char *line;
    size_t len;

    CU_ASSERT_EQUAL_FATAL(open_recording_as(&o, &s, NULL, NULL, NULL, &td_reader_perf_json), 0);
    CU_ASSERT_EQUAL_FATAL(td_recording_line(o.r, &line, &len), 0);
    CU_ASSERT_FATAL(o.r->bytes.unterminated);
    CU_ASSERT_FATAL(td_json_open(&p));
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_json_line l;

        o.r->bytes.by_libraries = all[i].by_libraries;
        CU_ASSERT_EQUAL(td_json_line(o.r, &p, all[i].line, strlen(all[i].line), &l), 0);
        CU_ASSERT(l.any == all[i].any && !l.object == !all[i].has_object && l.cut_off == all[i].cut_off);
        if (all[i].rest)
            CU_ASSERT_STRING_EQUAL(l.rest, all[i].rest);
        CU_ASSERT_EQUAL(td_json_has(&l, TD_JSON_CPU), all[i].any);
        json_object_put(l.object);
    }
    td_json_close(&p);
    close_recording(&o);
}

static const CU_TestInfo tests[] = {
    {"depth", depth},
    {"what is repaired", repaired},
    {"the longest line", longest},
    {"what json-c cannot read", refused},
    {"after the object", after},
    {"values in messages", shown},
    {"decimal commas", commas},
    {"integers", integers},
    {"both ways", ways},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("lines of perf stat -j", tests);
