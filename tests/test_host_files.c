/* SPDX-License-Identifier: MIT */
/* What is read of small files: lists of CPUs, numbers, events of sysfs. */
#include "fake_os.h"
#include "host.h"
#include "rows.h"

#include <stdlib.h>

static void lists(void)
{
    static const struct { const char *text, *same; } good[] = {
        {"0", "0"}, {"0-3,8", "0-3,8"}, {"8,0-3", "0-3,8"}, {"0,1,2", "0-2"}, {"1,1,1-2", "1-2"}, {"0-2,1-4", "0-4"}, {"", ""}, {"7-7", "7"},
        {"65535", "65535"}, {"0,2,4", "0,2,4"}, {"3,2,1,9", "1-3,9"},
    };
    static const char *const bad[] = {"3-1", "a", "1,,2", "1,", "-1", "65536", "0-65536", "99999999999999999999", "1-", "1-a", "1x", "1;2", "-", ",", ",1", "1--2", "0x3"};
    struct td_cpu_list l;
    char text[64];

    for (size_t i = 0; i < TD_LENGTH(good); i++) {
        CU_ASSERT_EQUAL(td_cpu_list_parse(good[i].text, &l), 0);
        td_cpu_list_text(&l, text, sizeof(text));
        CU_ASSERT_STRING_EQUAL(text, good[i].same);
        free(l.cpu);
    }
    for (size_t i = 0; i < TD_LENGTH(bad); i++) {
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
        memset(text, '?', sizeof(text)); /* cut, and nothing behind it is written */
        td_cpu_list_text(&l, text, 1 + round % 9);
        CU_ASSERT(memchr(text, '\0', 1 + round % 9) && text[1 + round % 9] == '?' && !strncmp(text, back, strlen(text)));
        free(l.cpu);
        free(again.cpu);
    }
}

/* perf_event_attr.config of x86 (sysfs format/): event 0-7, umask 8-15, edge 18, any 21, inv 23, cmask 24-31 */
static void sysfs_events(void)
{
    static const struct { const char *text; bool known; uint64_t config; } all[] = {
        {"event=0x3c,umask=0x0,any=1\n", true, 0x20003c}, {"event=0x3c,umask=0x0,any", true, 0x20003c}, {"event=0xa3,umask=0x14,cmask=20", true, 0x140014a3},
        {"event=0xa3,umask=0x14,cmask=0x14\n", true, 0x140014a3}, {"event=0xc3,umask=0x1,edge=1,cmask=1", true, 0x10401c3}, {"edge,event=0xc3", true, 0x400c3},
        {"event=0x3c,inv,cmask=1", true, 0x180003c}, {"event=0x3c,inv=0", true, 0x3c}, {"umask=0x4,event=0x00", true, 0x400}, {"event=0x0011\n", true, 0x11},
        {"event=0xd,umask=0x1,frequency=2", false, 0}, {"config=0x5", false, 0}, {"event=0x3c,ldlat=3", false, 0},
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

void suite_host_files(void)
{
    static const CU_TestInfo tests[] = {
        {"lists", lists},
        {"random lists", random_lists},
        {"sysfs events", sysfs_events},
        CU_TEST_INFO_NULL,
    };

    unit_suite("host files", tests);
}
