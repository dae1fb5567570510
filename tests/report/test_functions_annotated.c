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

/* One line with an estimate, whichever it is, has nodes; one that is not shown has none. */
static void estimates(void)
{
    struct annotated x;

    begin(&x);
    x.a.lines = 1;
    is(&x, TITLE FUNCTION
       "  slots retiring bad_spec frontend  backend  limit                      line  source and instructions\n"
       "a.c:\n" NONE "      3  l3\n" NONE "      4  l4\n"
       "   50.0    25.0~    12.5?        -    50.0~  backend_bound 50.0~           5  0123456789abc\n"
       "   30.0" NINE NINE NINE NINE "  " NINE NINE "      " NINE "    1100  push %rbx\n" NONE NINE "+0x4\n" NONE
       "      6  l6\n" NONE "      7  l7\n");
    x.line[1].seen = &x.seen[3]; /* the next line, which is not shown for itself, has its slots */
    x.a.lines = 2;
    is(&x, TITLE FUNCTION
       "  slots retiring bad_spec frontend  backend  limit                      line  source and instructions\n"
       "a.c:\n" NONE "      3  l3\n" NONE "      4  l4\n"
       "   50.0    25.0~    12.5?        -    50.0~  backend_bound 50.0~           5  0123456789abc\n"
       "   30.0" NINE NINE NINE NINE "  " NINE NINE "      " NINE "    1100  push %rbx\n" NONE NINE "+0x4\n"
       "   10.0        -        -        -        -  smeared                       6  l6\n" NONE "      7  l7\n"
       "1 more line with slots: --limit 0 shows all, and all instructions\n");
    x.a.lines = 1;
    x.line[0].shown = false;
    is(&x, TITLE FUNCTION "  slots  limit                      line  source and instructions\n"
                          "1 more line with slots: --limit 0 shows all, and all instructions\n");
    x.a.line = &x.line[3];
    x.a.lines = 2; /* the last one is shown, and has an estimate */
    x.line[4].n = 0;
    is(&x, TITLE FUNCTION
       "  slots retiring bad_spec frontend  backend  limit                      line  source and instructions\n"
       "[unknown line]:\n"
       "1 more line with slots: --limit 0 shows all, and all instructions\n");
    made_functions_end(&x.m);
}

static bool has_head(struct annotated *x, unsigned width, const char *head)
{
    struct captured c;
    bool found;

    x->r.width = width;
    td_functions_annotated_put(captured_begin(&c), &x->r);
    found = strstr(captured_text(&c), head) != NULL;
    captured_end(&c);
    return found;
}

/* Nodes have room from 110 columns on, values of what limits from 70. */
static void widths(void)
{
    struct annotated x;

    begin(&x);
    CU_ASSERT(
        has_head(&x, 110, "\n  slots retiring bad_spec frontend  backend  limit                      line  source"));
    CU_ASSERT(has_head(&x, 109, "\n  slots  limit                      line  source"));
    CU_ASSERT(has_head(&x, 70, "\n  slots  limit                      line  source"));
    CU_ASSERT(has_head(&x, 69, "\n  slots  limit           line  source"));
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
    x.m.of[0].core = "P";
    note_is(&x.r, 2, "/p,q has 2 functions of the name main, or it ran on several kinds of core");
    x.line[0].file = NULL;
    note_is(&x.r, 3, "main: no line of it is known: ");
    x.code.made = true;
    note_is(&x.r, 3, NULL); /* a file with its lines is nowhere */
    both[1].function = x.m.function[2];
    note_is(&x.r, 2, "main is in several programs and libraries: --dso /p,q shows only that one");
    made_functions_end(&x.m);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* What a format makes of main by one line, whose slots are those of f;g, and one instruction of it, with those of c. */
static void rows_are(const char *format, enum td_code_status status, const char *wanted)
{
    struct annotated x;
    struct captured c;
    size_t i = 0;

    begin(&x);
    x.m.of[0].metrics = x.m.of[1].metrics = 1;
    x.line[0].seen = x.m.function[1];
    x.instruction[0].seen = x.m.function[2];
    x.instruction[0].file = a_c;
    x.instruction[0].line = 5;
    x.a.lines = 1;
    x.code.address = 0x1000;
    x.code.status = status;
    x.source.status = TD_SOURCE_NEWER;
    while (td_functions_format_at(i) && strcmp(td_functions_format_at(i)->name, format) != 0)
        i++;
    CU_ASSERT_PTR_NOT_NULL_FATAL(td_functions_format_at(i));
    td_functions_format_at(i)->put(captured_begin(&c), &x.r);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    if (strcmp(c.text, wanted) != 0)
        printf("\n    not as written, but\n%s", c.text);
    captured_end(&c);
    made_functions_end(&x.m);
}

/* Of 240,000 slots 228,000 are 0.95, and 132,000 are 0.55. */
static void csv(void)
{
#define FEW "few_samples: 1 interval, 0 of them between two samples in it"
    rows_are("csv", TD_CODE_OK,
             "scope,kind,dso,core,slots_share,lost,intervals,pure,stay,metric,level,parent,unit,value,low,high,bounds,"
             "status,all_intervals,verdict,function,function_share,file,line,address,text\n"
             "main,function,\"/p,q\",,0.4,0.2,50,49,0.98,retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25,probably "
             "backend_bound (likely),main,1,,,0x1000,\n"
             "f;g,function,,E,0.38,0.095,19,19,0.95,retiring,1,,slots,0.25,0.2,0.3,likely,ok,0.25,probably "
             "backend_bound: memory_bound (likely),main,0.95,a.c,5,,0123456789abc\n"
             "c,function,/r,,0.22,,1,0,,,,,,,,,,few_samples,,\"" FEW "\",main,0.55,a.c,5,0x1100,push %rbx\n");
}

static void json(void)
{
#define SCOPE(name, core) \
    "{\"schema\":\"tdprobe/1\",\"scope\":\"" name "\",\"scope_kind\":\"function\",\"core\":" core \
    ",\"cpu\":\"spr\",\"formula\":\"perf_metrics\",\"function\":{\"dso\":"
#define RETIRES \
    "\"metrics\":{\"retiring\":{\"value\":0.25,\"low\":0.2,\"high\":0.3,\"bounds\":\"likely\",\"all_intervals\":0.25}},"
    rows_are(
        "json", TD_CODE_NO_FILE,
        SCOPE(
            "main",
            "null") "\"/p,q\",\"symbols\":\"found\",\"slots_share\":0.4,\"lost\":0.2,\"intervals\":50,"
                    "\"pure\":49,\"stay\":0.98,\"status\":\"ok\"},\"code\":{\"function\":\"main\",\"function_share\":1.0,\"file\":"
                    "null,\"address\":\"0x1000\",\"text\":null,\"instructions\":\"no_file\",\"sources\":[{\"file\":\"a.c\","
                    "\"status\":\"newer\"}]}," RETIRES
                    "\"flags\":[\"multiplexed\",\"counts_doubtful\"],\"verdict\":{\"status\":"
                    "\"likely\",\"node\":\"backend_bound\",\"path\":[\"backend_bound\"],\"among\":[],\"text\":\"probably "
                    "backend_bound (likely)\"}}\n" SCOPE(
                        "f;g",
                        "\"E\"") "null,\"symbols\":null,\"slots_share\":0.38,\"lost\":0.095,\"intervals\":19,\"pure\":"
                                 "19,\"stay\":0.95,\"status\":\"ok\"},\"code\":{\"function\":\"main\",\"function_share\":0.95,\"file\":\"a.c\","
                                 "\"line\":5,\"address\":null,\"text\":\"0123456789abc\"}," RETIRES
                                 "\"flags\":[],\"verdict\":{\"status\":"
                                 "\"likely\",\"node\":\"memory_bound\",\"path\":[\"backend_bound\",\"memory_bound\"],\"among\":[],\"text\":"
                                 "\"probably backend_bound: memory_bound (likely)\"}}\n" SCOPE(
                                     "c",
                                     "null") "\"/r\",\"symbols\":\"found\",\"slots_share\":0.22,\"lost\":null,\"intervals\":1,\"pure\":0,"
                                             "\"stay\":null,\"status\":\"few_samples\"},\"code\":{\"function\":\"main\",\"function_share\":0.55,\"file\":"
                                             "\"a.c\",\"line\":5,\"address\":\"0x1100\",\"text\":\"push %rbx\"},\"metrics\":{},\"flags\":[],\"verdict\":{"
                                             "\"status\":\"undecided\",\"node\":null,\"path\":[],\"among\":[],\"text\":\"" FEW
                                             "\"}}\n");
}

/* ---- the notes of each status ----------------------------------------------------------------------------- */

/* Each status but the first has a note of its own. */
static void statuses(void)
{
    static const char *const code[] = {
        NULL,
        "main: it is the kernel's, which is in no file: instructions have addresses only",
        "main: instructions have no text: its file can be read no more, or does not hold all of it",
        "main: instructions have no text: it is longer than 16 MiB",
        "main: instructions have no text: its program is for another CPU than x86 or arm64",
        "main: instructions have no text: this tdprobe was built without capstone; ",
        "main: instructions have no text: the library capstone is not here; ",
        "main: instructions have no text: the program made it while it ran, ",
    };
    static const char *const source[] = {
        NULL,
        "a.c: it was written after the program: ",
        "a.c: it is not shown: it has fewer lines than the program has of it, ",
        "a.c: there is no such file; --symfs DIR ",
        "a.c: it may not be read; ",
        "a.c: it is not shown: it is no text, or longer than 16 MiB",
    };
    struct annotated x;

    begin(&x);
    for (unsigned i = 0; i < sizeof(code) / sizeof(*code); i++) {
        CU_ASSERT_PTR_NOT_NULL(td_code_status_name((enum td_code_status)i));
        x.code.status = (enum td_code_status)i;
        note_is(&x.r, 1, code[i]);
    }
    CU_ASSERT_PTR_NULL(td_code_status_name((enum td_code_status)8));
    x.code.status = TD_CODE_OK;
    for (unsigned i = 0; i < sizeof(source) / sizeof(*source); i++) {
        CU_ASSERT_PTR_NOT_NULL(td_source_status_name((enum td_source_status)i));
        x.source.status = (enum td_source_status)i;
        note_is(&x.r, 1, source[i]);
    }
    CU_ASSERT_PTR_NULL(td_source_status_name((enum td_source_status)6));
    made_functions_end(&x.m);
}

static const CU_TestInfo tests[] = {
    {"wide", wide},
    {"narrow", narrow},
    {"estimates", estimates},
    {"widths", widths},
    {"several functions", several},
    {"notes", notes},
    {"CSV", csv},
    {"JSON", json},
    {"statuses", statuses},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("annotated functions", tests);
