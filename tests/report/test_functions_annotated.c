/* SPDX-License-Identifier: MIT */
/* A function by its lines for people, which is written out by hand. */
#include "report/functions/functions_rows.h"

#include "tests/report/made_functions.h"

#include <stdio.h>
#include <string.h>

static const char a_c[] = "a.c";
static const char *const source_text[] = {"l1", "l2", "l3", "l4",  "0123456789abc", "l6",
                                          "l7", "l8", "l9", "l10", "l11",           "l12"};

/* Of main's 240,000 slots half are of line 5, in two instructions; a quarter of line 10, which has too few samples, a
 * tenth of line 11, which is not shown, and the rest of an instruction of no known line. Line 6 has code, which was not
 * seen. */
struct annotated {
    struct made_functions m;
    struct td_function seen[5];
    struct td_code_source source;
    struct td_code code;
    struct td_annotated_line line[5];
    struct td_annotated_instruction instruction[3];
    struct td_annotated a;
    struct td_functions_report r;
};

static void begin(struct annotated *x)
{
    made_functions_begin(&x->m);
    x->seen[0] = (struct td_function){.of = &x->m.of[0], .slots = 120000};
    x->seen[1] = (struct td_function){.of = &x->m.of[0], .slots = 72000};
    x->seen[2] = (struct td_function){.of = &x->m.of[2], .slots = 60000, .status = TD_PLACE_FEW_SAMPLES};
    x->seen[3] = (struct td_function){.of = &x->m.of[2], .slots = 24000, .status = TD_PLACE_SMEARED};
    x->seen[4] = (struct td_function){.of = &x->m.of[2], .slots = 36000};
    x->source = (struct td_code_source){.file = a_c, .text = source_text, .lines = 12};
    x->code = (struct td_code){.source = &x->source, .sources = 1};
    x->instruction[0] = (struct td_annotated_instruction){
        .address = 0x1100, .addressed = true, .text = "push %rbx", .seen = &x->seen[1], .shown = true};
    x->instruction[1] = (struct td_annotated_instruction){.offset = 4, .shown = true};
    x->instruction[2] = (struct td_annotated_instruction){.offset = 0x1f, .seen = &x->seen[4], .shown = true};
    x->line[0] = (struct td_annotated_line){a_c, 5, source_text[4], &x->seen[0], 0, 2, true};
    x->line[1] = (struct td_annotated_line){.file = a_c, .line = 6, .text = source_text[5], .first = 2};
    x->line[2] = (struct td_annotated_line){a_c, 10, source_text[9], &x->seen[2], 2, 0, true};
    x->line[3] = (struct td_annotated_line){a_c, 11, source_text[10], &x->seen[3], 2, 0, false};
    x->line[4] = (struct td_annotated_line){.seen = &x->seen[4], .first = 2, .n = 1, .shown = true};
    x->a = (struct td_annotated){.function = x->m.function[0],
                                 .code = &x->code,
                                 .line = x->line,
                                 .lines = 5,
                                 .instruction = x->instruction,
                                 .instructions = 3};
    x->r = (struct td_functions_report){.functions = &x->m.all, .annotated = &x->a, .nannotated = 1};
}

static void is(struct annotated *x, const char *wanted)
{
    struct captured c;

    td_functions_annotated_put(captured_begin(&c), &x->r);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(c.text, wanted) != 0)
        printf("\n    not as written, but\n%s", c.text);
    captured_end(&c);
}

#define TITLE "spr  [perf_metrics]: lines and instructions, in percent of their function's slots\n"
#define FUNCTION \
    "  slots   lost         retiring         bad_spec         frontend          backend  stay  function\n" \
    "   40.0   20.0  25.0 20.0..30.0            12.5?                -  50.0 45.0..55.0  0.98  main\n" \
    "    => probably backend_bound (likely)\n"
#define NINE "         "
#define NONE "       " NINE NINE NINE NINE "  " NINE NINE "      " /* no columns */

/* Two lines around each that is shown are shown, too, with their slots. */
static void wide(void)
{
    struct annotated x;

    begin(&x);
    is(&x, TITLE FUNCTION
       "  slots retiring bad_spec frontend  backend  limit                      line  source and instructions\n"
       "a.c:\n" NONE "      3  l3\n" NONE "      4  l4\n"
       "   50.0    25.0~    12.5?        -    50.0~  backend_bound 50.0~           5  0123456789abc\n"
       "   30.0" NINE NINE NINE NINE "  " NINE NINE "      " NINE "    1100  push %rbx\n" NONE NINE "+0x4\n" NONE
       "      6  l6\n" NONE "      7  l7\n" NONE "      8  l8\n" NONE "      9  l9\n"
       "   25.0        -        -        -        -  few_samples                  10  l10\n"
       "   10.0        -        -        -        -  smeared                      11  l11\n" NONE "     12  l12\n"
       "[unknown line]:\n"
       "   15.0" NINE NINE NINE NINE "  " NINE NINE "      " NINE "+0x1f\n"
       "1 more line with slots: --limit 0 shows all, and all instructions\n");
    made_functions_end(&x.m);
}

#define NARROW_FUNCTION \
    "  slots   lost retiring bad_spec frontend  backend  stay  function\n" \
    "   40.0   20.0    25.0~    12.5?        -    50.0~  0.98  main\n" \
    "    => probably backend_bound (likely): 50.0 %, 45.0 .. 55.0\n"

/* Lines that are far from each other are apart; without room for nodes there are none, below 70 columns the limit has
 * no value; what is left for the text is 9 of 40 columns, and of 31 and less one. */
static void narrow(void)
{
    struct annotated x;

    begin(&x);
    x.line[0].line = 2;
    x.line[1].line = 9;
    x.line[1].seen = &x.seen[2];
    x.line[1].shown = true;
    x.line[1].n = 0;
    x.a.lines = 2;
    x.r.colour = true;
    x.r.width = 40;
    is(&x, TITLE NARROW_FUNCTION "  slots  limit           line  source and instructions\n"
                                 "a.c:\n"
                                 "                            1  l1\n"
                                 "   50.0  " TD_COLOUR_LIMIT "backend_boun" TD_COLOUR_END "       2  0123..abc\n"
                                 "   30.0                            1100  .\n"
                                 "                               +0x4\n"
                                 "                            3  l3\n"
                                 "                            4  l4\n"
                                 "    ...\n"
                                 "                            7  l7\n"
                                 "                            8  l8\n"
                                 "   25.0  few_samples        9  l6\n"
                                 "                           10  l10\n"
                                 "                           11  l11\n");
    x.r.colour = false;
    x.r.width = 70;
    x.a.lines = 1;
    x.instruction[0].shown = false;
    is(&x, TITLE NARROW_FUNCTION "  slots  limit                      line  source and instructions\n"
                                 "a.c:\n"
                                 "                                       1  l1\n"
                                 "   50.0  backend_bound 50.0~           2  0123456789abc\n"
                                 "                                          +0x4\n"
                                 "                                       3  l3\n"
                                 "                                       4  l4\n");
    made_functions_end(&x.m);
}

/* Where no line has an estimate, nodes have no columns; several functions are apart. */
static void several(void)
{
    struct annotated x;
    struct td_annotated both[2];

    begin(&x);
    x.line[0].seen = &x.seen[3];
    x.line[0].text = NULL;
    x.line[0].n = 0;
    x.line[0].file = NULL;
    x.line[0].line = 7;
    x.a.lines = 1;
    both[0] = both[1] = x.a;
    x.r.annotated = both;
    x.r.nannotated = 2;
#define ONE \
    FUNCTION \
    "  slots  limit                      line  source and instructions\n" \
    "[unknown line]:\n" \
    "   10.0  smeared                       7  \n"
    is(&x, TITLE ONE "\n" ONE);
    made_functions_end(&x.m);
}

/* ---- what is to be known ---------------------------------------------------------------------------- */

static void note_is(const struct td_functions_report *r, size_t i, const char *wanted)
{
    char text[TD_FUNCTIONS_TEXT];
    const char *got = td_annotated_note(r, i, text);

    CU_ASSERT_EQUAL(!got, !wanted);
    if (!got || !wanted)
        return;
    CU_ASSERT(!strncmp(got, wanted, strlen(wanted)));
    if (strncmp(got, wanted, strlen(wanted)) != 0)
        printf("\n    not as written, but\n%s\n", got);
}

static void notes(void)
{
    struct annotated x;
    struct td_annotated both[2];

    begin(&x);
    note_is(&x.r, 0, "slots of a line or an instruction are those of intervals that ended there: ");
    note_is(&x.r, 1, NULL);
    x.line[0].seen = &x.seen[2]; /* no line has an estimate but that of no file */
    x.line[4].seen = NULL;
    note_is(&x.r, 1, "no line has values of its own, as the program leaves it between samples; ");
    x.code.status = TD_CODE_TOO_LARGE;
    x.source.status = TD_SOURCE_CHANGED;
    note_is(&x.r, 2, "main: instructions have no text: it is longer than 16 MiB");
    note_is(&x.r, 3, "a.c: it is not shown: it has fewer lines than the program has of it, ");
    note_is(&x.r, 4, NULL);
    for (size_t i = 0; i < 5; i++)
        x.line[i].file = NULL;
    x.code.dso = "/p";
    note_is(&x.r, 3, "main: no line of it is known: install the debug information of /p (below ");
    note_is(&x.r, 4, NULL);
    x.code.status = TD_CODE_KERNEL;
    note_is(&x.r, 2, "main: it is the kernel's, which is in no file: ");
    note_is(&x.r, 3, NULL);
    x.code.status = TD_CODE_OK;
    x.line[0].file = a_c;
    x.line[0].seen = NULL; /* its file has nothing to show */
    note_is(&x.r, 2, NULL);
    both[0] = both[1] = x.a;
    x.r.annotated = both;
    x.r.nannotated = 2;
    note_is(&x.r, 2, "/p,q has 2 functions of the name main");
    both[1].function = x.m.function[2];
    note_is(&x.r, 2, "main is in several programs and libraries: --dso /p,q shows only that one");
    made_functions_end(&x.m);
}

static const CU_TestInfo tests[] = {
    {"wide", wide}, {"narrow", narrow}, {"several functions", several}, {"notes", notes}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("annotated functions", tests);
