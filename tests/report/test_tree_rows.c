/* SPDX-License-Identifier: MIT */
/* Bounds on the screen: from which width on they are shown. */
#include "report/tree_rows.h"

#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

static char text[256];
static size_t used;

static int keep(void *ctx, const char *bytes, size_t n)
{
    (void)ctx;
    if (n >= sizeof(text) - used)
        return -1;
    memcpy(text + used, bytes, n);
    used += n;
    text[used] = '\0';
    return 0;
}

static const char *shown(double low, double high, enum td_bounds bounds, bool share)
{
    struct td_output o;
    int columns = 0;

    used = 0;
    *text = '\0';
    CU_ASSERT_EQUAL_FATAL(td_output_open_fn(&o, keep, NULL), 0);
    if (share)
        columns = td_tree_bounds(&o, low, high, bounds);
    else
        td_tree_limits(&o, low, high, bounds);
    CU_ASSERT_EQUAL(td_output_close(&o, true), 0);
    CU_ASSERT(!share || columns == (int)used);
    return text;
}

/* A tenth of a point is what the screen shows; bounds closer than half of it would be one number twice. */
static void widths(void)
{
    CU_ASSERT_STRING_EQUAL(shown(0.125, 0.1254, TD_BOUNDS_SOUND, true), "");
    CU_ASSERT_STRING_EQUAL(shown(0.125, 0.1256, TD_BOUNDS_SOUND, true), "  12.5 .. 12.6");
    CU_ASSERT_STRING_EQUAL(shown(0.125, 0.129, TD_BOUNDS_SOUND, true), "  12.5 .. 12.9");
    CU_ASSERT_STRING_EQUAL(shown(0.125, 0.129, TD_BOUNDS_LIKELY, true), "  ~ 12.5 .. 12.9");
    CU_ASSERT_STRING_EQUAL(shown((double)NAN, (double)NAN, TD_BOUNDS_NONE, true), "  no bounds");
    CU_ASSERT_STRING_EQUAL(shown(1.25, 1.2504, TD_BOUNDS_SOUND, false), "");
    CU_ASSERT_STRING_EQUAL(shown(1.25, 1.2508, TD_BOUNDS_SOUND, false), "  1.250 .. 1.251");
    CU_ASSERT_STRING_EQUAL(shown(1.25, 1.254, TD_BOUNDS_LIKELY, false), "  ~ 1.250 .. 1.254");
    CU_ASSERT_STRING_EQUAL(shown(990.5, 1000.25, TD_BOUNDS_SOUND, false), "  990 .. 1000");
    CU_ASSERT_STRING_EQUAL(shown(1000, 1000.25, TD_BOUNDS_SOUND, false), "");
    CU_ASSERT_STRING_EQUAL(shown(1001, 1001.5, TD_BOUNDS_SOUND, false), "  1001 .. 1002");
    CU_ASSERT_STRING_EQUAL(shown(998.5, 999.5, TD_BOUNDS_SOUND, false), "  998.500 .. 999.500");
    CU_ASSERT_STRING_EQUAL(shown(0, 0, TD_BOUNDS_SOUND, true), "");
    CU_ASSERT_STRING_EQUAL(shown(-0.5, 1.5, TD_BOUNDS_SOUND, true), "  -50.0 .. 150.0");
    CU_ASSERT_STRING_EQUAL(shown(14508546310, 29017092620, TD_BOUNDS_LIKELY, false), "  ~ 14508546310 .. 29017092620");
    CU_ASSERT_STRING_EQUAL(shown((double)NAN, (double)NAN, TD_BOUNDS_NONE, false), "  no bounds");
}

static const CU_TestInfo tests[] = {
    {"bounds that are wide enough", widths},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("rows of trees", tests);
