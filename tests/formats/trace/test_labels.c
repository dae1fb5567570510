/* SPDX-License-Identifier: MIT */
/* Labels of recordings: what is a list of them, and which of two with one key counts. */
#include "formats/trace/labels.h"
#include "include/tdprobe.h"
#include "private/result.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lists(void)
{
    static const struct {
        const char *text;
        bool are;
    } rows[] = {
        {"a=b", true},
        {"build=4711;service=web", true},
        {"a=", true},
        {"a= b ", true},
        {"a=b=c", true},
        {"Az09_.-=x", true},
        {"a=\xc3\xa9", true},
        {"a=b;ab=c", true},
        {"ab=c;a=b", true},
        {"a=a;b=a;c=a", true},
        {"", false},
        {"a", false},
        {"=b", false},
        {"a b=c", false},
        {"a=b;", false},
        {";a=b", false},
        {"a=b;;c=d", false},
        {"a=b;a=c", false},
        {"a=b;c=d;a=b", false},
        {"a=b;c=d;c=", false},
        {"a=\x1f", false},
        {"a=\x7f", false},
        {"a=b;c", false},
        {"a=x\ny", false},
    };
    char text[400];

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (td_labels_are(rows[i].text) != rows[i].are) {
            fprintf(stderr, "td_labels_are(\"%s\") is not %d\n", rows[i].text, rows[i].are);
            CU_FAIL("td_labels_are");
        }
    for (int key = TD_LABEL_KEY; key <= TD_LABEL_KEY + 1; key++) {
        snprintf(text, sizeof(text), "%0*d=v", key, 0);
        CU_ASSERT_EQUAL(td_labels_are(text), key == 63);
    }
    for (int value = TD_LABEL_VALUE; value <= TD_LABEL_VALUE + 1; value++) {
        snprintf(text, sizeof(text), "k=%0*d", value, 0);
        CU_ASSERT_EQUAL(td_labels_are(text), value == 255);
    }
}

static void join(void)
{
    static const struct {
        const char *these, *more, *joined;
    } rows[] = {
        {NULL, NULL, ""},
        {NULL, "a=1;b=2", "a=1;b=2"},
        {"a=1", NULL, "a=1"},
        {"a=1", "a=2", "a=1"},
        {"a=1", "a=2;b=3", "a=1;b=3"},
        {"b=1", "a=2;b=3;c=4", "b=1;a=2;c=4"},
        {"ab=1", "a=2", "ab=1;a=2"},
        {"a=1", "ab=2", "a=1;ab=2"},
        {"x=a;y=b", "a=1;y=2;b=3;x=4", "x=a;y=b;a=1;b=3"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char *joined = td_labels_join(rows[i].these, rows[i].more);

        CU_ASSERT_STRING_EQUAL_FATAL(joined, rows[i].joined);
        free(joined);
    }
}

static void set(void)
{
    struct td *td = td_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL(td_set_label(td, "build"), -EINVAL);
    CU_ASSERT_PTR_NOT_NULL(strstr(td_error(td), "'build' is no label such as build=4711"));
    CU_ASSERT_EQUAL(td_set_label(td, "build=1"), 0);
    CU_ASSERT_EQUAL(td_set_label(td, "build=2"), -EINVAL);
    CU_ASSERT_EQUAL(td_set_label(td, "service=web;zone=b"), 0);
    CU_ASSERT_EQUAL(td_set_label(td, "zone=c"), -EINVAL);
    CU_ASSERT_PTR_NULL(td_recording_labels(td)); /* they are of what is written, and nothing was read */
    td_free(td);
}

static const CU_TestInfo tests[] = {
    {"what is a list", lists},
    {"two lists", join},
    {"of a trace that is written", set},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("labels of traces", tests);
