/* SPDX-License-Identifier: MIT */
/* Lists and sets of CPUs. */
#include "util/cpu_list.h"
#include "private/plan.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static void lists(void)
{
    static const struct {
        const char *text, *same;
    } good[] = {
        {"0", "0"},           {"0-3,8", "0-3,8"}, {"8,0-3", "0-3,8"}, {"0,1,2", "0-2"},   {"1,1,1-2", "1-2"},
        {"0-2,1-4", "0-4"},   {"", ""},           {"7-7", "7"},       {"65535", "65535"}, {"0,2,4", "0,2,4"},
        {"3,2,1,9", "1-3,9"},
    };
    static const char *const bad[] = {"3-1",
                                      "a",
                                      "1,,2",
                                      "1,",
                                      "-1",
                                      "65536",
                                      "0-65536",
                                      "99999999999999999999",
                                      "1-",
                                      "1-a",
                                      "1x",
                                      "1;2",
                                      "-",
                                      ",",
                                      ",1",
                                      "1--2",
                                      "0x3",
                                      "1,,",
                                      "0-3,",
                                      "0 ",
                                      "1\n",
                                      "4294967296",
                                      "18446744073709551616",
                                      "0-18446744073709551616",
                                      "0-3-5"};
    struct td_cpu_list l;
    char text[64];

    for (size_t i = 0; i < LENGTH(good); i++) {
        CU_ASSERT_EQUAL(td_cpu_list_parse(good[i].text, &l), 0);
        td_cpu_list_text(&l, text, sizeof(text));
        CU_ASSERT_STRING_EQUAL(text, good[i].same);
        free(l.cpu);
    }
    for (size_t i = 0; i < LENGTH(bad); i++) {
        CU_ASSERT_EQUAL(td_cpu_list_parse(bad[i], &l), -EINVAL);
        CU_ASSERT(!l.cpu && !l.n);
    }
}

static void random_lists(void)
{
    struct unit_random r = {3};

    for (unsigned long round = unit_rounds(3000); round-- > 0;) {
        uint64_t set = unit_random(&r) & unit_random(&r), left = set;
        struct td_cpu_list l, again;
        char text[400] = "", back[400];

        while (left) { /* single numbers in any order */
            unsigned cpu = (unsigned)unit_random_below(&r, 64);

            if (left >> cpu & 1)
                snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", *text ? "," : "", cpu);
            left &= ~(UINT64_C(1) << cpu);
        }
        CU_ASSERT_EQUAL_FATAL(td_cpu_list_parse(text, &l), 0);
        CU_ASSERT_EQUAL(l.n, (size_t)__builtin_popcountll(set));
        td_cpu_list_text(&l, back, sizeof(back));
        CU_ASSERT_EQUAL_FATAL(td_cpu_list_parse(back, &again), 0);
        CU_ASSERT_EQUAL(again.n, l.n);
        for (int cpu = -1; cpu < 66; cpu++) {
            bool in = cpu >= 0 && cpu < 64 && set >> cpu & 1;

            CU_ASSERT(td_cpu_list_has(&l, cpu) == in && td_cpu_list_has(&again, cpu) == in);
        }
        memset(text, '?', sizeof(text)); /* truncated, and nothing after the end is written */
        td_cpu_list_text(&l, text, 1 + round % 9);
        CU_ASSERT(memchr(text, '\0', 1 + round % 9) && text[1 + round % 9] == '?' &&
                  !strncmp(text, back, strlen(text)));
        free(l.cpu);
        free(again.cpu);
    }
}

struct ranges_seen {
    char text[128];
    unsigned stop; /* a range that begins here stops parsing, with 7 */
};

static int see(void *ctx, unsigned first, unsigned last)
{
    struct ranges_seen *s = ctx;

    snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text), "[%u %u]", first, last);
    return first == s->stop ? 7 : 0;
}

/* Ranges are reported one by one, also those before a mistake; the text need not end with NUL. */
static void ranges(void)
{
    static const struct {
        const char *text;
        size_t len;
        unsigned stop;
        int result;
        const char *seen;
    } all[] = {
        {"8,0-3,2", 7, 9, 0, "[8 8][0 3][2 2]"},
        {"0-3,812", 5, 9, 0, "[0 3][8 8]"},
        {"0-3,x", 5, 9, -EINVAL, "[0 3]"},
        {"0-3,", 4, 9, -EINVAL, "[0 3]"},
        {"0,1,2", 5, 1, 7, "[0 0][1 1]"},
        {"12", 0, 9, 0, ""},
        {"65534-65535", 11, 9, 0, "[65534 65535]"},
        {"65535-65536", 11, 9, -EINVAL, ""},
        {"1\0,2", 4, 9, -EINVAL, ""},
    };

    for (size_t i = 0; i < LENGTH(all); i++) {
        struct ranges_seen s = {.stop = all[i].stop};

        CU_ASSERT_EQUAL(td_cpu_ranges(all[i].text, all[i].len, see, &s), all[i].result);
        CU_ASSERT_STRING_EQUAL(s.text, all[i].seen);
    }
}

/* The order of the list, and duplicates. */
static void orders(void)
{
    static const int wanted[] = {9, 2, 3, 1};
    struct td_cpu_list l;
    int *cpus;
    size_t n;

    CU_ASSERT_EQUAL(td_cpus_parse("9,2-3,3,1-2,9", &cpus, &n), 0);
    CU_ASSERT(n == 4 && !memcmp(cpus, wanted, sizeof(wanted)));
    free(cpus);
    CU_ASSERT_EQUAL(td_cpu_list_parse_distinct("9,2-3,1", &l), 0);
    CU_ASSERT(l.n == 4 && !memcmp(l.cpu, wanted, sizeof(wanted)));
    free(l.cpu);
    CU_ASSERT(td_cpu_list_parse_distinct("1,2,0-1", &l) == -EEXIST && !l.cpu && !l.n);
    CU_ASSERT(td_cpu_list_parse_distinct("1,2,0-1x", &l) == -EINVAL && !l.cpu);
    CU_ASSERT(td_cpus_parse("", &cpus, &n) == -EINVAL && !cpus && !n);
    CU_ASSERT(td_cpus_parse("0-3,a", &cpus, &n) == -EINVAL && !cpus && !n);
    CU_ASSERT_EQUAL(td_cpus_parse("0-65535", &cpus, &n), 0); /* all that are possible */
    CU_ASSERT(n == TD_CPUS_MAX && cpus[0] == 0 && cpus[n - 1] == TD_CPUS_MAX - 1);
    free(cpus);
}

/* Compares a set with an array of flags; ids around the boundaries of words. */
static void sets(void)
{
    struct unit_random r = {5};

    for (unsigned long round = unit_rounds(300); round-- > 0;) {
        struct td_cpu_set set = {0};
        struct td_cpu_list l;
        bool in[400] = {false};
        unsigned cpu = 0, next;
        char *text;

        for (uint64_t n = unit_random_below(&r, 6); n; n--) {
            const unsigned first = (unsigned)unit_random_below(&r, 320),
                           last = first + (unsigned)unit_random_below(&r, 80);

            CU_ASSERT_EQUAL(td_cpu_set_add(&set, first, last), 0);
            memset(&in[first], true, last - first + 1);
        }
        for (unsigned i = 0; i < LENGTH(in); i++) {
            CU_ASSERT_EQUAL(td_cpu_set_has(&set, i), in[i]);
            for (next = i; next < LENGTH(in) && !in[next]; next++)
                ;
            CU_ASSERT_EQUAL(td_cpu_set_next(&set, i), next < LENGTH(in) ? next : TD_CPUS_MAX);
        }
        text = td_cpu_set_text(&set);
        CU_ASSERT_EQUAL_FATAL(td_cpu_list_parse(text, &l), 0); /* what was written is what is read, */
        for (size_t i = 0; i < l.n; i++, cpu++) {
            while (!in[cpu])
                cpu++;
            CU_ASSERT_EQUAL(l.cpu[i], (int)cpu);
        }
        CU_ASSERT(td_cpu_set_next(&set, cpu) == TD_CPUS_MAX && !strstr(text, ",,"));
        free(text);
        free(l.cpu);
        td_cpu_set_free(&set);
        CU_ASSERT(!td_cpu_set_has(&set, 0) && td_cpu_set_next(&set, 0) == TD_CPUS_MAX);
    }
}

static void texts_of_sets(void)
{
    struct td_cpu_set set = {0};
    char *text = td_cpu_set_text(&set);

    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
    td_cpu_set_add(&set, 0, 3);
    td_cpu_set_add(&set, 65534, 65535);
    td_cpu_set_add(&set, 8, 8);
    td_cpu_set_add(&set, 63, 64);
    text = td_cpu_set_text(&set);
    CU_ASSERT_STRING_EQUAL(text, "0-3,8,63-64,65534-65535");
    free(text);
    td_cpu_set_free(&set);
}

static const CU_TestInfo tests[] = {
    {"lists", lists}, {"random lists", random_lists},   {"ranges", ranges}, {"order and duplicates", orders},
    {"sets", sets},   {"texts of sets", texts_of_sets}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("CPU lists", tests);
