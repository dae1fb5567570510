/* SPDX-License-Identifier: MIT */
/* One function by its lines and instructions, which are written out here. */
#include "report/functions/annotation.h"
#include "report/functions/functions_report.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* f() begins at 0x100 of its file, which is linked 0x1000 higher; its first instruction is of b.c. */
static const char name[] = "f", a_c[] = "a.c", b_c[] = "b.c";
static const struct td_estimates of = {.core = NULL}, other = {.core = "P"};
static const char *const a_text[] = {"a1", "a2", "a3"}, *const b_text[] = {"b1", "b2"};
static struct td_code_source sources[] = {
    {.file = a_c, .status = TD_SOURCE_FOUND, .text = a_text, .lines = 3},
    {.file = b_c, .status = TD_SOURCE_FOUND, .text = b_text, .lines = 2},
};
static struct td_code_instruction all_code[] = {
    {0x100, 0x1100, "push", b_c, 1}, {0x102, 0x1102, "add", a_c, 2},  {0x104, 0x1104, "sub", b_c, 1},
    {0x106, 0x1106, "mul", a_c, 1},  {0x108, 0x1108, "ret", NULL, 0},
};
static struct td_code code;

/* What samples hit: the function, its instructions and lines, and others. */
static struct td_function seen[16], *function[16];
static struct td_code_at at[16];
static struct td_functions functions;

static struct td_function *add(const char *kind, uint64_t offset, const char *file, unsigned line, double slots)
{
    const size_t i = functions.n++;

    at[i] = (struct td_code_at){.function = name, .file = file, .line = line, .offset = offset};
    seen[i] = (struct td_function){.name = name, .kind = kind, .code = &at[i], .of = &of, .slots = slots};
    function[i] = &seen[i];
    return &seen[i];
}

static struct td_function *begin(void)
{
    struct td_function *f;

    functions = (struct td_functions){.function = function};
    code = (struct td_code){.dso = "/f",
                            .offset = 0x100,
                            .address = 0x1100,
                            .size = 9,
                            .status = TD_CODE_OK,
                            .instruction = all_code,
                            .instructions = 5,
                            .source = sources,
                            .sources = 2};
    f = add("function", 0, NULL, 0, 100);
    f->code = NULL;
    return f;
}

static void samples(void)
{
    add("instruction", 0x106, a_c, 1, 50);
    add("line", 0, a_c, 1, 50);
    add("instruction", 0x100, b_c, 1, 10);
    add("instruction", 0x104, b_c, 1, 20);
    add("line", 0, b_c, 1, 30);
    add("instruction", 0x108, NULL, 0, 20);
    add("line", 0, NULL, 0, 20);
    add("instruction", 0x102, a_c, 2, 99)->of = &other; /* of another kind of core, */
    add("instruction", 0x102, a_c, 2, 99); /* and of another function */
    at[functions.n - 1].function = "g";
    add("line", 0, a_c, 3, 5); /* of no instruction */
}

/* The rows as text: "a.c:1 a1 50%" of a line, "+1106 mul 50%" of an instruction. */
static const char *rows(const struct td_annotated *a)
{
    static char text[1000];
    struct td_annotated_walk w = td_annotated_begin(a);
    struct td_annotated_row r;
    size_t n = 0;

    while (td_annotated_next(&w, &r)) {
        CU_ASSERT_STRING_EQUAL(r.function, name);
        if (r.addressed)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "+%llx ", (unsigned long long)r.address);
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s:%u %s %.0f%%\n", r.file ? r.file : "-", r.line,
                              r.text ? r.text : "-", 100 * r.share);
    }
    CU_ASSERT(!td_annotated_next(&w, &r));
    return text;
}

static void made_of(const struct td_function *f, size_t limit, const char *wanted)
{
    struct td_annotated a;

    CU_ASSERT_EQUAL_FATAL(td_annotated_make(&functions, f, &code, limit, &a), 0);
    CU_ASSERT_STRING_EQUAL(rows(&a), wanted);
    td_annotated_free(&a);
    CU_ASSERT(!a.line && !a.instruction && !a.lines);
}

static void made(size_t limit, const char *wanted)
{
    made_of(function[0], limit, wanted);
}

#define WHOLE "+1100 -:0 - 100%\n"

/* The file where the function begins comes first, lines and instructions by their numbers, unknown ones at the end. */
static void all_rows(void)
{
    begin();
    samples();
    made(0, WHOLE "b.c:1 b1 30%\n+1100 b.c:1 push 10%\n+1104 b.c:1 sub 20%\n"
                  "a.c:1 a1 50%\n+1106 a.c:1 mul 50%\n"
                  "-:0 - 20%\n+1108 -:0 ret 20%\n");
}

/* The lines and instructions with most slots; an instruction only with its line. */
static void limits(void)
{
    begin();
    samples();
    made(1, WHOLE "a.c:1 a1 50%\n+1106 a.c:1 mul 50%\n");
    /* of two instructions with 20 slots the first, in the order of lines */
    made(2, WHOLE "b.c:1 b1 30%\n+1104 b.c:1 sub 20%\na.c:1 a1 50%\n+1106 a.c:1 mul 50%\n");
    made(3,
         WHOLE "b.c:1 b1 30%\n+1104 b.c:1 sub 20%\na.c:1 a1 50%\n+1106 a.c:1 mul 50%\n-:0 - 20%\n+1108 -:0 ret 20%\n");
    made(100, WHOLE "b.c:1 b1 30%\n+1100 b.c:1 push 10%\n+1104 b.c:1 sub 20%\na.c:1 a1 50%\n+1106 a.c:1 mul 50%\n"
                    "-:0 - 20%\n+1108 -:0 ret 20%\n");
}

static void structure(void)
{
    struct td_annotated a;

    begin();
    samples();
    CU_ASSERT_EQUAL_FATAL(td_annotated_make(&functions, function[0], &code, 0, &a), 0);
    CU_ASSERT(a.instructions == 5 && a.lines == 4);
    CU_ASSERT(a.line[0].first == 0 && a.line[0].n == 2 && a.line[1].first == 2 && a.line[1].n == 1);
    CU_ASSERT(a.line[2].first == 3 && a.line[2].n == 1 && a.line[3].first == 4 && a.line[3].n == 1);
    CU_ASSERT(a.line[2].line == 2 && !a.line[2].seen && a.line[2].text == a_text[1] && !a.line[3].text);
    for (size_t i = 0; i < 5; i++) {
        static const uint64_t offsets[] = {0, 4, 6, 2, 8};
        const struct td_annotated_instruction *x = &a.instruction[i];

        CU_ASSERT(x->offset == offsets[i] && x->address == 0x1100 + offsets[i] && x->addressed);
        CU_ASSERT_EQUAL(!x->seen, i == 3);
        CU_ASSERT_STRING_EQUAL(x->text, all_code[offsets[i] / 2].text);
    }
    CU_ASSERT_PTR_EQUAL(td_annotated_source(&a, b_c), &sources[1]);
    CU_ASSERT_PTR_NULL(td_annotated_source(&a, "c.c"));
    CU_ASSERT_PTR_NULL(td_annotated_source(&a, NULL));
    CU_ASSERT_PTR_EQUAL(td_annotated_text(&a, a_c, 3), a_text[2]);
    CU_ASSERT_PTR_NULL(td_annotated_text(&a, a_c, 4));
    CU_ASSERT_PTR_NULL(td_annotated_text(&a, a_c, 0));
    CU_ASSERT_PTR_NULL(td_annotated_text(&a, NULL, 1));
    CU_ASSERT(isnan(td_annotated_share(&a, NULL)));
    td_annotated_free(&a);
}

/* Where no instructions are known there are those that were seen, where the code is known to be; nothing was seen of
 * a function without slots. */
static void no_instructions(void)
{
    begin();
    samples();
    code.instructions = 0;
    made(0, WHOLE "b.c:1 b1 30%\n+1100 b.c:1 - 10%\n+1104 b.c:1 - 20%\na.c:1 a1 50%\n+1106 a.c:1 - 50%\n"
                  "-:0 - 20%\n+1108 -:0 - 20%\n");
    code.address = 0; /* not known */
    made(1, "-:0 - 100%\na.c:1 a1 50%\na.c:1 - 50%\n");
    code.status = TD_CODE_KERNEL; /* offsets are addresses */
    made(1, "-:0 - 100%\na.c:1 a1 50%\n+106 a.c:1 - 50%\n");
    begin()->slots = 0;
    {
        struct td_annotated a;

        CU_ASSERT_EQUAL_FATAL(td_annotated_make(&functions, function[0], &code, 0, &a), 0);
        CU_ASSERT(isnan(td_annotated_share(&a, function[0])));
        CU_ASSERT(!a.lines || !a.line[0].seen);
        td_annotated_free(&a);
    }
}

/* The order of places is that of their slots or names: what is of a function may be before it, and be all there is. */
static void any_order(void)
{
    static const char wanted[] = WHOLE "a.c:1 a1 50%\n+1106 a.c:1 mul 50%\n";

    for (size_t k = 0; k < 3; k++) {
        begin();
        add("instruction", 0x106, a_c, 1, 50);
        add("line", 0, a_c, 1, 50);
        for (size_t i = 0; i < 3; i++)
            function[(i + k) % 3] = &seen[i];
        made_of(&seen[0], 0, wanted);
    }
}

/* Samples between the instructions that are known, and after them. */
static void between(void)
{
    begin();
    add("instruction", 0x103, a_c, 2, 30);
    add("instruction", 0x10a, a_c, 2, 60);
    add("line", 0, a_c, 2, 90);
    made(0, WHOLE "a.c:2 a2 90%\n+1103 a.c:2 - 30%\n+110a a.c:2 - 60%\n");
}

/* Of code that was made while the program ran, offsets are addresses where it was not kept; where it was, it has an
 * address up to its end. */
static void made_code(void)
{
    begin();
    add("instruction", 0x108, a_c, 1, 30);
    add("instruction", 0x109, a_c, 1, 60);
    add("line", 0, a_c, 1, 90);
    code.instructions = 0;
    made(0, WHOLE "a.c:1 a1 90%\n+1108 a.c:1 - 30%\n+1109 a.c:1 - 60%\n");
    code.made = true;
    made(0, WHOLE "a.c:1 a1 90%\n+1108 a.c:1 - 30%\na.c:1 - 60%\n");
    code.status = TD_CODE_NOT_KEPT;
    made(0, WHOLE "a.c:1 a1 90%\n+108 a.c:1 - 30%\n+109 a.c:1 - 60%\n");
}

/* Code that begins with its file, where nothing was seen. */
static void at_the_beginning(void)
{
    struct td_code_instruction first[] = {{0, 0, "nop", a_c, 1}};
    struct td_annotated a;

    begin();
    code.offset = code.address = 0;
    code.instruction = first;
    code.instructions = 1;
    CU_ASSERT_EQUAL_FATAL(td_annotated_make(&functions, function[0], &code, 0, &a), 0);
    CU_ASSERT(a.instructions == 1 && a.lines == 1 && a.line[0].n == 1 && !a.line[0].seen);
    td_annotated_free(&a);
}

static void formats(void)
{
    static const char *const names[] = {"text", "csv", "json", "folded", "svg", "html"};
    const size_t n = sizeof(names) / sizeof(*names);

    for (size_t i = 0; i < n; i++)
        CU_ASSERT_STRING_EQUAL(td_functions_format_at(i)->name, names[i]);
    for (size_t i = n; i < 200; i++)
        CU_ASSERT_PTR_NULL(td_functions_format_at(i));
}

static const CU_TestInfo tests[] = {
    {"all rows", all_rows},   {"limits", limits},
    {"structure", structure}, {"no instructions", no_instructions},
    {"any order", any_order}, {"between instructions", between},
    {"made code", made_code}, {"at the beginning", at_the_beginning},
    {"formats", formats},     CU_TEST_INFO_NULL,
};
UNIT_SUITE("annotation", tests);
