/* SPDX-License-Identifier: MIT */
/* Names of events: each has one number, and what it says of its event. */
#include "core/counts/event_names.h"
#include "core/uarch.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static struct td_texts t;

static int number(const char *name)
{
    return td_texts_number(&t, name, strlen(name));
}

/* In the order that the one before lets expect, and in others. */
static void numbers(void)
{
    static const struct {
        const char *name;
        int number;
    } rows[] = {{"a", 0}, {"b", 1}, {"c", 2}, {"a", 0}, {"b", 1},  {"c", 2}, {"c", 2},  {"c", 2}, {"b", 1}, {"a", 0},
                {"a", 0}, {"a", 0}, {"c", 2}, {"a", 0}, {"ab", 3}, {"", 4},  {"ab", 3}, {"a", 0}, {"A", 5}, {"a", 0}};

    CU_ASSERT_EQUAL(td_texts_find(&t, "a", 1), -1);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CU_ASSERT_EQUAL(number(rows[i].name), rows[i].number);
        CU_ASSERT_EQUAL(td_texts_find(&t, rows[i].name, strlen(rows[i].name)), rows[i].number);
        CU_ASSERT_STRING_EQUAL(t.names[rows[i].number], rows[i].name);
    }
    CU_ASSERT_EQUAL(t.n, 6);
    CU_ASSERT_EQUAL(td_texts_find(&t, "d", 1), -1);
    CU_ASSERT_EQUAL(td_texts_find(&t, "abc", 3), -1);
    CU_ASSERT_EQUAL(td_texts_find(&t, "abc", 2), 3);
    td_texts_free(&t);
    CU_ASSERT(t.n == 0 && !t.names && number("b") == 0);
    td_texts_free(&t);
}

/* Bytes that cannot be shown, and one that ends no name. */
static void shown(void)
{
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\nb", 3), 0);
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\0b", 3), 1);
    CU_ASSERT_EQUAL(td_texts_number(&t, "a", 1), 2);
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\0c", 3), 3);
    CU_ASSERT_EQUAL(td_texts_number(&t, "a\0b", 3), 1);
    CU_ASSERT_STRING_EQUAL(t.names[0], "a\\x0ab");
    CU_ASSERT_STRING_EQUAL(t.names[1], "a\\x00b");
    CU_ASSERT(t.entries[0].length == 3 && !memcmp(t.entries[0].bytes, "a\nb", 4));
    CU_ASSERT(t.entries[1].length == 3 && !memcmp(t.entries[1].bytes, "a\0b", 4));
    CU_ASSERT_PTR_EQUAL(t.entries[2].bytes, t.names[2]);
    td_texts_free(&t);
}

static void meanings(void)
{
    static const struct {
        const char *name;
        uint32_t first;
        unsigned modes;
        char core;
        bool generic, elapsed;
    } rows[] = {
        {"Slots", 0, 0, 0, false, false},
        {"slots", 0, 0, 0, false, false},
        {"SLOTS", 0, 0, 0, false, false},
        {"slot", 3, 0, 0, false, false},
        {"slots:u", 4, TD_MODE_USER, 0, false, false},
        {"cycles", 5, 0, 0, true, false},
        {"instructions:k", 6, TD_MODE_KERNEL, 0, true, false},
        {"cpu_core/slots/", 7, 0, 'P', false, false},
        {"cpu_atom/slots/", 8, 0, 'E', false, false},
        {"duration_time", 9, 0, 0, false, true},
        {"tool/duration_time/", 10, 0, 0, false, true},
        {"cpu/duration_time/", 11, 0, 0, false, false},
        {"user_time", 12, 0, 0, false, false},
        {"Duration_Time", 9, 0, 0, false, false},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct td_text_entry *e;

        CU_ASSERT_EQUAL_FATAL(number(rows[i].name), (int)i);
        e = &t.entries[i];
        CU_assertImplementation(e->first == rows[i].first && e->modes == rows[i].modes && e->core == rows[i].core &&
                                    e->generic == rows[i].generic && e->elapsed == rows[i].elapsed,
                                __LINE__, rows[i].name, __FILE__, "", CU_FALSE);
    }
    td_texts_free(&t);
}

/* One more than there may be; those that are there are found all the same. */
static void too_many(void)
{
    char name[16];

    for (int i = 0; i < TD_TEXTS_MAX; i++) {
        const int n = snprintf(name, sizeof(name), "e%d", i);

        CU_ASSERT_EQUAL_FATAL(td_texts_number(&t, name, (size_t)n), i);
    }
    CU_ASSERT_EQUAL(number("other"), -E2BIG);
    CU_ASSERT_EQUAL(number("e0"), 0);
    CU_ASSERT_EQUAL(number("e4095"), 4095);
    CU_ASSERT_EQUAL(number("e77"), 77);
    CU_ASSERT_EQUAL(t.n, 4096);
    td_texts_free(&t);
}

static const CU_TestInfo tests[] = {
    {"numbers", numbers}, {"shown", shown}, {"meanings", meanings}, {"too many", too_many}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("names of events", tests);
