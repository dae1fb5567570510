/* SPDX-License-Identifier: MIT */
/* Text on terminals: as vectors, and properties for any recording and any width: no line is longer than the screen,
 * colours change nothing else, and a line's numbers are those of the tree. */
#include "report/report.h"
#include "report/screen.h"
#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 400 /* results in a recording */ };

static const char *folder(void)
{
    const char *f = getenv("TD_SRCDIR");

    return f ? f : ".";
}

static ssize_t read_file(void *f, void *buf, size_t size)
{
    return (ssize_t)fread(buf, 1, size, f);
}

struct screen {
    unsigned width; /* 0: no terminal */
    bool colour;
    enum td_report_layout layout;
    int level; /* 0: the usual one */
    const char *format; /* NULL: text */
    bool runs; /* the recording's intervals as runs of a command */
};

/* Shows the results, or what they would be as runs of 1 s, 1.1 s, ... Returns how many there were. */
static unsigned show_results(struct td_report *r, struct td *td, bool runs)
{
    struct td_repeat repeat = {0};
    const struct td_result *result;
    unsigned n = 0;

    td_report_begin(r);
    while (n < LIMIT && !td_next(td, &result)) {
        if (!runs)
            td_report_result(r, result);
        else
            CU_ASSERT_EQUAL_FATAL(td_repeat_add(&repeat, result), 0);
        td_mean_add(&repeat.elapsed, 1 + 0.1 * n++);
    }
    repeat.runs = n;
    if (runs)
        td_report_repeat(r, &repeat);
    td_report_end(r, NULL);
    td_repeat_free(&repeat);
    return n;
}

/* What a recording looks like; NULL: it cannot be replayed without further options. */
static char *show(const char *path, const struct screen *screen)
{
    struct td_report r = {
        .layout = screen->layout, .width = screen->width, .colour = screen->colour, .all = screen->level > 0};
    struct td_held held = {0};
    FILE *f = fopen(path, "r");
    struct td *td = td_new();
    int err = !f || !td ? -1 : screen->level ? td_set_level(td, screen->level) : 0;
    unsigned n = 0;

    r.format = screen->format ? td_report_format_find(screen->format) : NULL;
    CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&r.out, td_held_write, &held), 0);
    r.out.terminal = screen->width > 0;
    if (!err && !td_open(td, "f", read_file, f))
        n = show_results(&r, td, screen->runs);
    CU_ASSERT_EQUAL(td_output_close(&r.out, true), 0);
    td_free(td);
    if (f)
        fclose(f);
    if (!n) {
        td_held_free(&held);
        return NULL;
    }
    held.text[held.n] = '\0'; /* td_held_write() leaves room */
    return held.text;
}

/* ---- vectors ------------------------------------------------------------------- */

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 65536);

    if (f && text)
        text[fread(text, 1, 65535, f)] = '\0';
    if (f)
        fclose(f);
    return text;
}

static char *show_bench(const struct screen *screen)
{
    static const struct td_bench_event events[] = {
        {.event = "cycles",
         .counted = {700003500, 700003501.5, 700004000.3, 411.6, 700005123},
         .cost = {3480, 3500, 3499.9, 1.5, 3510}},
        {.event = "mem_load_retired.l3_miss", .counted = {0, 1, 2.5, NAN, 9}, .cost = {0, 0, 0, NAN, 0}},
        {.event = "a name of an event that is longer than any column",
         .counted = {1, 2, 2, 1, 3},
         .cost = {0, 0, 0, 0, 0}},
    };
    static const struct td_bench bench = {
        .cpu = 3, .machine = "spr", .runs = 10, .empties = 8, .event = events, .n = 3};
    struct td_report r = {.width = screen->width, .colour = screen->colour};
    struct td_held held = {0};

    CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&r.out, td_held_write, &held), 0);
    r.out.terminal = screen->width > 0;
    td_report_begin(&r);
    td_report_bench(&r, &bench);
    td_report_end(&r, NULL);
    CU_ASSERT_EQUAL(td_output_close(&r.out, true), 0);
    held.text[held.n] = '\0';
    return held.text;
}

/* What is shown, and whether colours change it. */
static const struct view {
    const char *name, *trace; /* NULL: a bench */
    enum td_report_layout layout;
    bool runs, coloured;
} views[] = {
    {"tree", "spr-lkml-default-events-capitalised.trace", TD_LAYOUT_TREE, false, true},
    {"lines", "spr-lkml-default-events-capitalised.trace", TD_LAYOUT_LINES, false, true},
    {"runs", "emr-perf-metrics-intervals.trace", TD_LAYOUT_AUTO, true, false},
    {"bench", NULL, TD_LAYOUT_AUTO, false, false},
};

static void compare_view(const struct view *v, unsigned width, bool colour)
{
    const struct screen as = {.width = width, .colour = colour, .layout = v->layout, .runs = v->runs};
    char name[64], path[4096], *got, *wanted;
    size_t n = (size_t)snprintf(name, sizeof(name), "%s", v->name);

    if (width)
        n += (size_t)snprintf(name + n, sizeof(name) - n, "-%u", width);
    snprintf(name + n, sizeof(name) - n, "%s", colour && v->coloured ? "-colour" : "");
    snprintf(path, sizeof(path), "%s/traces/%s", folder(), v->trace ? v->trace : "");
    got = v->trace ? show(path, &as) : show_bench(&as);
    snprintf(path, sizeof(path), "%s/tests/report/screens/%s.txt", folder(), name);
    wanted = read_all(path);
    CU_ASSERT(got && wanted && !strcmp(got, wanted));
    if (!got || !wanted || strcmp(got, wanted) != 0)
        printf("\n    %s: not the screen, but\n%s", name, got ? got : "nothing");
    free(got);
    free(wanted);
}

static void vectors(void)
{
    static const unsigned widths[] = {0, 120, 80, 50};

    for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
        for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); w++) {
            compare_view(&views[i], widths[w], false);
            if (widths[w])
                compare_view(&views[i], widths[w], true);
        }
}

/* ---- properties ---------------------------------------------------------------- */

static size_t widest(const char *text)
{
    size_t most = 0;

    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        if (td_screen_columns(text, (size_t)(end - text)) > most)
            most = td_screen_columns(text, (size_t)(end - text));
    }
    return most;
}

static void strip(char *text)
{
    char *to = text;

    for (const char *at = text; *at;) {
        if (*at != '\033') {
            *to++ = *at++;
            continue;
        }
        while (*at && *at++ != 'm')
            ;
    }
    *to = '\0';
}

/* Returns whether it could be shown. */
static bool check(const char *path, struct screen as)
{
    const unsigned width = as.width;
    char *plain = show(path, &as), *colour = (as.colour = true, show(path, &as));
    bool ok = plain && colour;

    if (ok) {
        CU_ASSERT(widest(plain) <= width);
        if (widest(plain) > width)
            printf("\n    %s: %zu columns of %u\n%s", path, widest(plain), width, plain);
        strip(colour);
        CU_ASSERT(!strcmp(plain, colour));
        if (strcmp(plain, colour) != 0)
            printf("\n    %s: colours change the text at %u columns\n%s\n%s", path, width, plain, colour);
    }
    free(plain);
    free(colour);
    return ok;
}

static void recordings(void)
{
    static const unsigned widths[] = {20, 50, 71, 72, 80, 109, 110, 120, 200};
    const size_t step = unit_rounds(100) < 100 ? 9 : 1;
    char pattern[4096];
    unsigned shown = 0;
    glob_t found;

    snprintf(pattern, sizeof(pattern), "%s/traces/*.trace", folder());
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i += step)
        for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); w++) {
            for (enum td_report_layout layout = TD_LAYOUT_AUTO; layout <= TD_LAYOUT_LINES; layout++)
                shown += check(found.gl_pathv[i], (struct screen){.width = widths[w], .layout = layout});
            check(found.gl_pathv[i], (struct screen){.width = widths[w], .format = "tree"});
            check(found.gl_pathv[i], (struct screen){.width = widths[w], .runs = true});
        }
    globfree(&found);
    CU_ASSERT(shown > 100);
}

/* How many nodes have a value; all of them end their numbers in the same column. */
static unsigned check_columns(const char *text)
{
    unsigned nodes = 0;
    size_t column = 0;

    for (const char *end; *text; text = *end ? end + 1 : end) {
        const char *percent;

        end = text + strcspn(text, "\n");
        percent = strstr(text, " %");
        if (*text != ' ' || !percent || percent > end || !(percent[-2] == '.'))
            continue;
        if (nodes++)
            CU_ASSERT_EQUAL((size_t)(percent - text), column);
        column = (size_t)(percent - text);
    }
    return nodes;
}

/* Names of 33 and more characters, on levels to 4; cut where the screen is narrow. */
static void columns(void)
{
    static const char *const files[] = {"tests/report/screens/skl-level-4.trace", "traces/zen6-l2.trace"};
    static const unsigned widths[] = {0, 50, 80, 120};

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); w++) {
            char path[4096], *text;

            snprintf(path, sizeof(path), "%s/%s", folder(), files[i]);
            text = show(path, &(struct screen){.width = widths[w], .layout = TD_LAYOUT_TREE, .level = TD_LEVELS});
            CU_ASSERT_PTR_NOT_NULL_FATAL(text);
            CU_ASSERT(check_columns(text) >= 12);
            CU_ASSERT(!widths[w] || widest(text) <= widths[w]);
            free(text);
        }
}

/* By hand: columns are characters, and a sequence of SGR takes none and is never cut. */
static void cutting(void)
{
    static const struct {
        const char *text, *cut;
        size_t columns;
    } all[] = {
        {"abcdefghij", "abcdefghij", 10},
        {"abcdefghij", "abcd..hij", 9},
        {"abcdefghij", "ab..ij", 6},
        {"abcdefghij", "a..", 3},
        {"abcdefghij", "..", 2},
        {"abcdefghij", ".", 1},
        {"", "", 5},
        {"abcdefghij", "abcdefghij", 0},
        {"\303\244\303\266\303\274abcdef", "\303\244\303\266..ef", 6}, /* two bytes each */
        {"\303\251\342\200\223\360\237\230\201defghi", "\303\251\342\200\223..hi", 6}, /* two, three and four */
        {"\033[1;31mabcdefghij\033[0m", "\033[1;31mab..ij\033[0m", 6},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct td_held held = {0};
        struct td_output o;

        CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&o, td_held_write, &held), 0);
        td_screen_put(&o, all[i].text, strlen(all[i].text), all[i].columns);
        td_output_char(&o, '\0');
        td_output_close(&o, true);
        CU_ASSERT_STRING_EQUAL(held.text, all[i].cut);
        td_held_free(&held);
    }
}

/* What comes after the text is not looked at, though the text ends within a sequence or a character. */
static void ends_of_texts(void)
{
    static const struct {
        const char *text, *cut;
        size_t n, columns;
    } all[] = {
        {"abcdefgh\303\244", "ab..h\303", 9, 6},
        {"abcdefgh\033[0m", "ab..gh\033[0", 11, 6},
        {"\303\244\033[0;1m", "\303\244\033[", 4, 6},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct captured c;

        td_screen_put(captured_begin(&c), all[i].text, all[i].n, all[i].columns);
        CU_ASSERT_STRING_EQUAL(captured_text(&c), all[i].cut);
        captured_end(&c);
    }
}

/* Each line is cut, and its newline stays. */
static void lines(void)
{
    static const char text[] = "abcdefghij\n\nabc\nklmnopqrst";
    struct captured c;

    td_screen_put_lines(captured_begin(&c), text, sizeof(text) - 1, 6);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "ab..ij\n\nabc\nkl..st");
    captured_clear(&c);
    td_screen_put_lines(&c.out, text, 12, 0);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "abcdefghij\n\n");
    captured_end(&c);
}

/* A line of what is known of where and when something was measured; none if nothing is. */
static void origins(void)
{
    static const struct {
        const char *command, *host, *started, *line;
        size_t columns;
    } all[] = {
        {"./app", "h", "today", "# ./app on h started today\n", 0},
        {"./app", NULL, NULL, "# ./app\n", 0},
        {NULL, "h", NULL, "# on h\n", 0},
        {NULL, NULL, "today", "# started today\n", 0},
        {"./app", "(none)", "today", "# ./app started today\n", 0},
        {NULL, "(none)", NULL, "", 0},
        {NULL, NULL, NULL, "", 0},
        {"./app", "h", "today", "# ./..oday\n", 10},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct captured c;

        td_screen_put_origin(captured_begin(&c), all[i].command, all[i].host, all[i].started, all[i].columns);
        CU_ASSERT_STRING_EQUAL(captured_text(&c), all[i].line);
        captured_end(&c);
    }
}

static const CU_TestInfo tests[] = {
    {"vectors", vectors},
    {"recordings", recordings},
    {"cutting", cutting},
    {"columns", columns},
    {"ends of texts", ends_of_texts},
    {"lines", lines},
    {"origins", origins},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("screens", tests);
