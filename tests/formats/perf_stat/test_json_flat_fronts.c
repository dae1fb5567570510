/* SPDX-License-Identifier: MIT */
/* What flat objects of perf stat -j remember of the line before: what is in front of each value. */
#include "formats/perf_stat/perf_json.h"
#include "tests/support/unit.h"

#include <stdio.h>
#include <string.h>

static bool is_flat(struct td_json_parser *p, const char *line, struct td_json_line *l)
{
    *l = (struct td_json_line){0};
    return td_json_flat(p, line, strlen(line), l);
}

static bool is_value(const struct td_json_line *l, enum td_json_key key, const char *wanted)
{
    const struct td_json_value *v = &l->key[key];

    return v->text && v->len == strlen(wanted) && !memcmp(v->text, wanted, v->len);
}

/* A front of up to 48 bytes is remembered; a longer one, or what is none, leaves none. */
static void fronts(void)
{
    static struct td_json_parser p;
    struct td_json_line l;
    char line[100];

    p = (struct td_json_parser){.tokener = NULL};
    CU_ASSERT(is_flat(&p, "{\"event\" : \"a\", \"cpu\" : 1}", &l));
    CU_ASSERT(is_value(&l, TD_JSON_EVENT, "a") && is_value(&l, TD_JSON_CPU, "1"));
    CU_ASSERT(p.front[0].len == 12 && p.front[0].quoted && p.front[0].key == TD_JSON_EVENT);
    CU_ASSERT(p.front[1].len == 10 && !p.front[1].quoted && p.front[1].key == TD_JSON_CPU);
    CU_ASSERT_EQUAL(p.front[2].len, 0);
    CU_ASSERT(!is_flat(&p, "5}", &l));
    CU_ASSERT_EQUAL(p.front[0].len, 0);
    CU_ASSERT(is_flat(&p, "{\"event\" : \"b\", \"cpu\" : 2}", &l));
    CU_ASSERT(is_value(&l, TD_JSON_EVENT, "b") && is_value(&l, TD_JSON_CPU, "2"));
    CU_ASSERT(!is_flat(&p, "{\"event\"", &l) && !p.front[0].len);
    CU_ASSERT(!is_flat(&p, "{\"event", &l) && !p.front[0].len);
    CU_ASSERT(!is_flat(&p, "{event\" : 1}", &l) && !p.front[0].len);
    for (int more = 0; more < 2; more++) {
        snprintf(line, sizeof(line), "{\"%.*s\" : 5}", 42 + more, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        CU_ASSERT_EQUAL(is_flat(&p, line, &l), !more);
        CU_ASSERT_EQUAL(p.front[0].len, more ? 0 : 48);
    }
    /* known, its number may be of another sort, and its string have another end */
    CU_ASSERT(is_flat(&p, "{\"cpu\" : 1}", &l) && is_flat(&p, "{\"cpu\" : 12.5}", &l));
    CU_ASSERT(is_value(&l, TD_JSON_CPU, "12.5") && !strcmp(l.rest, ""));
    CU_ASSERT(is_flat(&p, "{\"cpu\" : \"1\"}", &l) && is_value(&l, TD_JSON_CPU, "1"));
    CU_ASSERT(is_flat(&p, "{\"cpu\" : \"\"}x", &l) && is_value(&l, TD_JSON_CPU, "") && !strcmp(l.rest, "x"));
    CU_ASSERT(!is_flat(&p, "{\"cpu\" : \"1}", &l) && !is_flat(&p, "{\"cpu\" : \"", &l));
}

/* An object may have 24 values. */
static void many(void)
{
    static struct td_json_parser p;
    struct td_json_line l;
    char line[400] = "{\"x\" : 1";

    p = (struct td_json_parser){.tokener = NULL};
    for (unsigned i = 1; i < 24; i++)
        strcat(line, ", \"x\" : 1");
    strcat(line, "}");
    CU_ASSERT(is_flat(&p, line, &l) && is_flat(&p, line, &l) && p.front[23].len == 8);
    line[strlen(line) - 1] = '\0';
    strcat(line, ", \"x\" : 1}");
    CU_ASSERT(!is_flat(&p, line, &l));
}

/* After the object json-c would take a slash for the beginning of a comment. */
static void rests(void)
{
    static const struct {
        const char *line;
        bool flat;
    } all[] = {
        {"{\"cpu\" : 1}", true},   {"{\"cpu\" : 1}/", false}, {"{\"cpu\" : 1} \t/", false}, {"{\"cpu\" : 1}x/", true},
        {"{\"cpu\" : 1} x", true}, {"{\"cpu\" : 1 }", true},  {"{\"cpu\" : 1\\}", false},   {"{\"cpu\" : 1}\\", false},
        {"{ \"cpu\" :1}", true},   {" {\"cpu\":1}", true},    {"{\"cpu\":0}", true},        {"{\"cpu\":0.5}", true},
        {"{\"cpu\":00.5}", false}, {"{\"cpu\":10}", true},    {"{\"cpu\":1.5.}", false},    {"{\"cpu\":1,}", false},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        static struct td_json_parser p;
        struct td_json_line l;

        p = (struct td_json_parser){.tokener = NULL};
        for (int twice = 0; twice < 2; twice++) {
            CU_ASSERT_EQUAL(is_flat(&p, all[i].line, &l), all[i].flat);
            CU_ASSERT(l.any == all[i].flat && !l.key[TD_JSON_CPU].text == !all[i].flat);
        }
    }
}

static const CU_TestInfo tests[] = {
    {"what is in front of values", fronts},
    {"many values", many},
    {"after the object", rests},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("fronts of flat objects", tests);
