/* SPDX-License-Identifier: MIT */
/* Reading small files: numbers, and events in sysfs. */
#include "tests/support/fake_os.h"
#include "live/host/host.h"
#include "live/host/host_files.h"
#include "backends/rows.h"

#include <stdlib.h>

/* perf_event_attr.config of x86 (sysfs format/): event 0-7, umask 8-15, edge 18, any 21, inv 23, cmask 24-31 */
static void sysfs_events(void)
{
    static const struct {
        const char *text;
        bool known;
        uint64_t config;
    } all[] = {
        {"event=0x3c,umask=0x0,any=1\n", true, 0x20003c},
        {"event=0x3c,umask=0x0,any", true, 0x20003c},
        {"event=0xa3,umask=0x14,cmask=20", true, 0x140014a3},
        {"event=0xa3,umask=0x14,cmask=0x14\n", true, 0x140014a3},
        {"event=0xc3,umask=0x1,edge=1,cmask=1", true, 0x10401c3},
        {"edge,event=0xc3", true, 0x400c3},
        {"event=0x3c,inv,cmask=1", true, 0x180003c},
        {"event=0x3c,inv=0", true, 0x3c},
        {"umask=0x4,event=0x00", true, 0x400},
        {"event=0x0011\n", true, 0x11},
        {"event=0xd,umask=0x1,frequency=2", false, 0},
        {"config=0x5", false, 0},
        {"event=0x3c,ldlat=3", false, 0},
    };
    struct fake_os f;
    uint64_t config;

    fake_begin(&f);
    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        fake_put(&f, all[i].text, DEV "cpu/events/it");
        CU_ASSERT_EQUAL(td_host_event(&f.os, "cpu", "it", &config), all[i].known);
        CU_ASSERT(!all[i].known || config == all[i].config);
    }
    CU_ASSERT_FALSE(td_host_event(&f.os, "cpu", "other", &config));
    CU_ASSERT_EQUAL(config, 0);
    CU_ASSERT_EQUAL(td_host_number(&f.os, 17, "/none"), 17);
    fake_put(&f, "x\n", "/text");
    CU_ASSERT_EQUAL(td_host_number(&f.os, 17, "/%s", "text"), 17);
}

/* A text is given without the blanks and ends of lines after it, and nothing before it is touched, even where the file
 * has nothing else. */
static void texts(void)
{
    static const struct {
        const char *file, *text;
    } all[] = {{"a b \n", "a b"}, {" a\n\n", " a"}, {"a\t\n", "a\t"}, {"a", "a"}, {"\n", ""}, {" \n \n", ""}, {"", ""}};
    struct fake_os f;

    fake_begin(&f);
    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        char room[16] = " ";

        fake_put(&f, all[i].file, "/dir/text%d", 7);
        CU_ASSERT(td_host_text(&f.os, room + 1, sizeof(room) - 1, "/dir/text%d", 7));
        CU_ASSERT_STRING_EQUAL(room + 1, all[i].text);
        CU_ASSERT_EQUAL(*room, ' ');
    }
    CU_ASSERT_FALSE(td_host_text(&f.os, (char[16]){0}, 16, "/dir/text%d", 8));
}

/* A number has any base that strtol(3) knows, a sign, and may be followed by something else. */
static void numbers(void)
{
    static const struct {
        const char *file;
        long number;
    } all[] = {{"12\n", 12}, {"0x1f\n", 31}, {"010", 8}, {"-3\n", -3}, {"5 of 6\n", 5},
               {"0\n", 0},   {"", 17},       {"\n", 17}, {"none", 17}, {" 9", 9}};
    struct fake_os f;

    fake_begin(&f);
    for (size_t i = 0; i < TD_LENGTH(all); i++) {
        fake_put(&f, all[i].file, "/number");
        CU_ASSERT_EQUAL(td_host_number(&f.os, 17, "/number"), all[i].number);
    }
    CU_ASSERT_EQUAL(td_host_number(&f.os, -1, "/none"), -1);
}

static void fields(void)
{
    static const char text[] = "first: 1\nsecond: 22\nsecond: 3\n";

    CU_ASSERT_PTR_EQUAL(td_host_field(text, "first: "), text + 7);
    CU_ASSERT_PTR_EQUAL(td_host_field(text, "second: "), text + 17); /* the first of two */
    CU_ASSERT_PTR_NULL(td_host_field(text, "third: "));
}

static const CU_TestInfo tests[] = {
    {"texts", texts},  {"numbers", numbers}, {"fields of a text", fields}, {"sysfs events", sysfs_events},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("host files", tests);
