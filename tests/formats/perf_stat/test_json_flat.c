/* SPDX-License-Identifier: MIT */
/* Flat objects of perf stat -j, which are read without json-c, but must give what json-c gives. */
#include "tests/support/mixed.h"

#include "formats/perf_stat/perf_json.h"

static bool same_value(const struct td_json_value *flat, struct json_object *o)
{
    const struct td_json_value other = {.object = o};
    const char *text, *wanted, *wrong;
    double number = 0, wanted_number = 0;
    size_t len = 0, wanted_len = 0;
    int shown = 0, wanted_shown = 0;

    if (!o || !flat->text)
        return !o && !flat->text;
    text = td_json_text(flat, &len);
    wanted = td_json_text(&other, &wanted_len);
    if (!wanted || len != wanted_len || memcmp(text, wanted, len))
        return false;
    text = td_json_shown(flat, &shown);
    wanted = td_json_shown(&other, &wanted_shown);
    if (strnlen(wanted, (size_t)wanted_shown) != (size_t)shown || strncmp(text, wanted, (size_t)shown))
        return false;
    wrong = td_json_number(flat, &number);
    return wrong == td_json_number(&other, &wanted_number) && (wrong || number == wanted_number);
}

/* What json-c makes of the line, using the last of several keys with the same meaning. */
static bool same_as_json_c(const struct td_json_line *l, const char *line, size_t len)
{
    struct json_tokener *t = json_tokener_new();
    struct json_object *o, *key[TD_JSON_KEYS + 1] = {NULL};
    const char *rest;
    bool same;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    o = json_tokener_parse_ex(t, line, (int)len);
    rest = line + json_tokener_get_parse_end(t); /* after blanks, which have no meaning there */
    same = o && json_tokener_get_error(t) == json_tokener_success &&
           rest == l->rest + ((size_t)(rest - l->rest) == strspn(l->rest, " ") ? rest - l->rest : 0);
    if (same) {
        json_object_object_foreach(o, name, value) key[td_json_key(name, strlen(name))] = value;
    }
    for (size_t i = 0; same && i < TD_JSON_KEYS; i++)
        same = same_value(&l->key[i], key[i]);
    json_object_put(o);
    json_tokener_free(t);
    return same;
}

static bool is_flat(struct td_json_parser *p, const char *line)
{
    struct td_json_line l = {.any = false};
    const bool flat = td_json_flat(p, line, strlen(line), &l);

    CU_ASSERT_EQUAL(flat, l.any);
    if (flat && !same_as_json_c(&l, line, strlen(line))) {
        printf("\n    json-c reads '%s' otherwise", line);
        CU_FAIL("another value");
    }
    for (size_t i = 0; !flat && i < TD_JSON_KEYS; i++)
        CU_ASSERT(!l.key[i].text);
    return flat;
}

/* Each object is read with nothing known, after itself, and after each of the others. */
static void objects(void)
{
    static const struct {
        const char *line;
        bool flat;
    } all[] = {
        {"{\"interval\" : 0.100714196, \"counter-value\" : \"10058721713.000000\", \"unit\" : \"\", \"event\" : \"slots\", \"event-runtime\" : 855375093, "
         "\"pcnt-running\" : 100.00, \"metric-value\" : 100.000000, \"metric-unit\" : \"(null)\"}",
         true},
        {"{\"interval\" : 1.000000000, \"metric-value\" : \"1.5\", \"metric-unit\" : \"%  tma_retiring\"}", true},
        {"{\"cpu\":\"1\",\"counter_value\":5,\"event\":\"a\",\"x\":0}, ", true},
        {"{\"cpu\" :  0 , \"event\" :\"a,b}\" } x", true},
        {"{\"a\" : 0.0}", true},
        {"{\"event\" : \"a\\u0062\"}", false},
        {"{\"event\" : \"a\\\\\"}", false},
        {"{}", false},
        {"{ }", false},
        {"", false},
        {"{", false},
        {"[]", false},
        {"{\"event\" : \"a\"", false},
        {"{\"event\" : \"a", false},
        {"{\"event\" : ", false},
        {"{\"event\"", false},
        {"{\"event", false},
        {"{\"event\" : \"a\", }", false},
        {"{\"event\" : \"a\" \"cpu\" : 1}", false},
        {"{\"event\" : \"a\" 5}", false},
        {"{\"cpu\" : 1 5}", false},
        {"{\"cpu\" : 1 \"x\" : 5}", false},
        {"5}", false},
        {"\"cpu\" : 5}", false},
        {"{\"event\" : null}", false},
        {"{\"event\" : true}", false},
        {"{\"event\" : nan}", false},
        {"{\"event\" : {}}", false},
        {"{\"cpu\" : 00}", false},
        {"{\"cpu\" : 007}", false},
        {"{\"cpu\" : -1}", false},
        {"{\"cpu\" : 1.}", false},
        {"{\"cpu\" : .5}", false},
        {"{\"cpu\" : 1e3}", false},
        {"{\"cpu\" : 1.5e3}", false},
        {"{\"cpu\" : 999999999999999999}", true},
        {"{\"cpu\" : 1000000000000000000}", false},
        {"{\"cpu\" : 99999999999999999999.5}", true},
        {"{\"cpu\" : 1, \"cpu\" : 2}", false},
        {"{\"counters\" : 1, \"cpu-count\" : 2}", false},
        {"{\"x\" : 1, \"x\" : 2}", true},
        {"{\"event\" : 'a'}", false},
        {"{'event' : \"a\"}", false},
        {"{\"event\" : \"a\"}\"metric-value\" : 1}", true},
        {"{\"\" : \"\"}", true},
        {"{\"event\" ; \"a\"}", false},
    };
    const size_t n = sizeof(all) / sizeof(*all);

    for (size_t i = 0; i < n; i++)
        for (size_t before = 0; before <= n; before++) {
            static struct td_json_parser p;

            p = (struct td_json_parser){.tokener = NULL};
            if (before < n)
                is_flat(&p, all[before].line);
            CU_ASSERT_EQUAL(is_flat(&p, all[i].line), all[i].flat);
            CU_ASSERT_EQUAL(is_flat(&p, all[i].line), all[i].flat);
        }
}

static void add_pair(struct mixed *m, unsigned rare, const char *key, const char *const *values)
{
    MIXED_ONE_OF(m, rare, "\"", " \"", "\t\"", "");
    mixed_add(m, key);
    MIXED_ONE_OF(m, rare, "\" : ", "\":", "\" ", "\" : \"");
    mixed_one_of(m, 6, values);
}
#define ADD_PAIR(m_, rare_, key_, ...) add_pair(m_, rare_, key_, (const char *const[]){__VA_ARGS__, NULL})
#define ADD_NEXT(m_, rare_, ...) \
    (MIXED_ONE_OF(m_, rare_, ", ", ",", " , ", ", , ", ";"), ADD_PAIR(m_, rare_, __VA_ARGS__))

static void add_line(struct mixed *m, unsigned time, unsigned place)
{
    static const char *const events[] = {"\"slots\"", "\"topdown-retiring\"", "\"cpu_core/x/\""};
    const unsigned rare = 60;
    char text[32];

    if (!mixed_next(m, 20)) {
        MIXED_ONE_OF(m, 1, "# started on x", "", "{}", "[", "]",
                     "{\"metric-value\" : \"1.0\", \"metric-unit\" : \"Retiring\"}", "{\"interval\" : 1.0}", "x");
        return;
    }
    snprintf(text, sizeof(text), "%u.000000000", time);
    MIXED_ONE_OF(m, rare, "{", "[{", " {", "{{");
    ADD_PAIR(m, rare, "interval", text, "1.0", "1", "\"2.5\"", "[]", "-1");
    if (place % 2)
        ADD_NEXT(m, rare, "cpu", "\"1\"", "1", "0", "01", "null", "\"a\\u0000\"", "\"a\\nb\"", "\"a\tb\"",
                 "18446744073709551616", "-3", "\"\"");
    ADD_NEXT(m, rare, "counter-value", "\"5.000000\"", "5", "5.5", "\"<not counted>\"", "\"<not supported>\"", "\"x\"",
             "1e3", "\"7,500000\"", "7,500000", "99999999999999999999", "\"-5\"");
    ADD_NEXT(m, rare, "unit", "\"\"", "\"msec\"", "null", "{\"a\" : 1}", "\"a\\\"b\"");
    ADD_NEXT(m, rare, "event", events[place % 3], "\"caf\xc3\xa9\"", "\"\\u0061\"", "7", "\"a\\x2db\"", "\"\"");
    if (!mixed_next(m, 20))
        ADD_NEXT(m, rare, "cgroup", "\"a.slice/b\"", "\"/\"", "null");
    ADD_NEXT(m, rare, "event-runtime", "900", "0", "\"9\"", "18446744073709551615", "007", "1.5");
    ADD_NEXT(m, rare, mixed_next(m, 30) ? "pcnt-running" : "pcnt_running", "100.00", "50.00", "\"7.25\"", "101.00",
             "100", "1e2", "50,00");
    if (mixed_next(m, 3)) {
        ADD_NEXT(m, rare, "metric-value", "1.500000", "-nan", "\"1.5\"", "inf");
        ADD_NEXT(m, rare, mixed_next(m, 20) ? "metric-unit" : "event", "\"Retiring\"", "\"%  tma_frontend_bound\"",
                 "\"(null)\"", "null", "5");
    }
    MIXED_ONE_OF(m, rare, "}", "", "},", "} ]", "}}",
                 "}\"metric-value\" : 2.0, \"metric-unit\" : \"Heavy Operations\"}", "} {");
}

static void both_ways(void)
{
    static struct mixed m;

    show_printed = true;
    for (unsigned i = 0, n = (unsigned)unit_long_rounds(20000); i < n; i++) {
        const unsigned lines = 1 + i % 3;

        m = (struct mixed){.state = UINT64_C(88172645463325252) + i};
        for (unsigned time = 1; time <= 3; time++)
            for (unsigned place = 0; place < lines; place++) {
                add_line(&m, time, place);
                mixed_add(&m, time == 3 && place == lines - 1 && !mixed_next(&m, 3) ? "" : "\n");
            }
        if (!mixed_same(&m))
            break;
    }
    show_printed = false;
}

static const CU_TestInfo tests[] = {
    {"objects", objects},
    {"both ways to read them", both_ways},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("perf stat -j: flat objects", tests);
