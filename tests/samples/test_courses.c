/* SPDX-License-Identifier: MIT */
/* What was counted from sample to sample, and whether all of it is known; the names of cgroups. */
#include "private/plan.h"
#include "samples/cgroups.h"
#include "samples/courses.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <string.h>

static const char places[3];

static const struct td_place *place(char name)
{
    return (const struct td_place *)(const void *)&places[name - 'a'];
}

/* A reading of one counter, which is on CPU 3. */
static int take(struct td_courses *t, uint64_t time, uint64_t value, char at, struct td_course_delta *out)
{
    const struct td_member m = {.id = 7, .value = value};
    const struct td_group_reading g = {.time = time,
                                       .enabled = time / 2,
                                       .running = time / 4,
                                       .tid = 5,
                                       .cpu = 3,
                                       .has_cpu = true,
                                       .n = 1,
                                       .member = &m};

    return td_courses_take(t, &g, place(at), out);
}

static void steps(void)
{
    struct td_courses *t = td_courses_new();
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_EQUAL(take(t, 100, 10, 'a', &d), 0);
    CU_ASSERT(d.start == TD_START_ENABLED && !d.began && !d.duration && !d.reset && d.value[0] == 10 &&
              d.enabled == 50 && d.running == 25);
    CU_ASSERT_EQUAL(take(t, 160, 15, 'b', &d), 0);
    CU_ASSERT(d.start == TD_START_SAMPLE && d.began == place('a') && d.duration == 60 && d.value[0] == 5 &&
              d.enabled == 30 && d.running == 15);
    CU_ASSERT_EQUAL(take(t, 200, 15, 'c', &d), -EAGAIN); /* counted nothing, elsewhere: there the next one begins */
    CU_ASSERT_EQUAL(take(t, 204, 15, 'b', &d), -EAGAIN);
    CU_ASSERT_EQUAL(take(t, 260, 25, 'a', &d), 0);
    CU_ASSERT(d.began == place('c') && d.duration == 100 && d.value[0] == 10 && d.enabled == 50);
    CU_ASSERT_EQUAL(take(t, 300, 25, 'c', &d), -EAGAIN); /* unless it ends there, too */
    CU_ASSERT_EQUAL(take(t, 320, 30, 'c', &d), 0);
    CU_ASSERT(d.began == place('a') && d.duration == 60 && d.value[0] == 5);
    CU_ASSERT_EQUAL(take(t, 320, 31, 'c', &d), 0);
    CU_ASSERT(d.began == place('c') && !d.duration && !d.reset && d.value[0] == 1);
    CU_ASSERT_EQUAL(take(t, 400, 3, 'c', &d), 0); /* begun again */
    CU_ASSERT(d.reset && !d.value[0]);
    CU_ASSERT_EQUAL(take(t, 300, 8, 'c', &d), 0); /* its times */
    CU_ASSERT(d.reset && d.value[0] == 5 && !d.enabled && !d.duration);
    CU_ASSERT_EQUAL(td_courses_count(t), 1);
    td_courses_free(t);
}

/* A group is told by its leader and its thread; counters of others in it, or another number of them, count anew. */
static void members(void)
{
    struct td_member m[2] = {{.id = 7, .value = 10}, {.id = 8, .value = 20}};
    struct td_group_reading g = {.tid = 5, .n = 2, .member = m};
    struct td_courses *t = td_courses_new();
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && !d.reset && d.course == 0);
    m[1] = (struct td_member){.id = 9, .value = 21};
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.reset && d.value[0] == 10 && d.value[1] == 21);
    m[1].value = 22;
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && !d.reset && d.value[0] == 0 && d.value[1] == 1);
    m[1].metric = true; /* what tells, for the others count on in the interrupt */
    m[0].value = 11;
    CU_ASSERT_EQUAL(td_courses_take(t, &g, place('a'), &d), -EAGAIN);
    m[1].value = 23;
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.value[0] == 1 && d.value[1] == 1);
    g.n = 1;
    m[0].value = 13;
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.reset && d.value[0] == 13);
    g.tid = 6;
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.start == TD_START_ENABLED && d.course == 1);
    m[0].id = 10;
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.start == TD_START_ENABLED && d.course == 2);
    m[0] = (struct td_member){.id = 7, .value = 14};
    CU_ASSERT(!td_courses_take(t, &g, place('a'), &d) && d.start == TD_START_SAMPLE && d.course == 1 &&
              d.value[0] == 1);
    CU_ASSERT_EQUAL(td_courses_count(t), 3);
    td_courses_free(t);
}

/* ---- what is not known --------------------------------------------------------------------------- */

static void losses(void)
{
    static const struct {
        bool has_cpu;
        uint32_t cpu;
        enum td_sample_start start;
    } lost[] = {
        {true, 5, TD_START_SAMPLE},         {true, 2, TD_START_SAMPLE},        {true, 3, TD_START_LOST},
        {true, 3, TD_START_LOST},           {false, 2, TD_START_LOST},         {true, TD_CPUS_MAX - 1, TD_START_SAMPLE},
        {true, TD_CPUS_MAX, TD_START_LOST}, {true, UINT32_MAX, TD_START_LOST},
    };
    const struct td_member m = {.id = 8, .value = 1};
    struct td_group_reading anywhere = {.n = 1, .member = &m};
    struct td_courses *t = td_courses_new();
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    CU_ASSERT_EQUAL(take(t, 1, 1, 'a', &d), 0);
    for (uint64_t i = 0; i < sizeof(lost) / sizeof(*lost); i++) {
        struct td_member more = {.id = 8, .value = 1 + 2 * i};

        anywhere.member = &more;
        CU_ASSERT_EQUAL(td_courses_take(t, &anywhere, place('a'), &d), 0);
        CU_ASSERT_EQUAL(td_courses_lost(t, lost[i].has_cpu, lost[i].cpu), 0);
        CU_ASSERT_EQUAL(take(t, 2 + 2 * i, 2 + 2 * i, 'a', &d), 0);
        CU_ASSERT_EQUAL(d.start, lost[i].start);
        CU_ASSERT_EQUAL(take(t, 3 + 2 * i, 3 + 2 * i, 'a', &d), 0);
        CU_ASSERT_EQUAL(d.start, TD_START_SAMPLE);
        more.value++;
        CU_ASSERT_EQUAL(td_courses_take(t, &anywhere, place('a'), &d), 0);
        CU_ASSERT_EQUAL(d.start, TD_START_LOST); /* it may have been on any CPU */
    }
    td_courses_free(t);
}

/* Who sampled is known of each reading; one that counted nothing may be the last before the kernel holds samples back.
 */
static void held(void)
{
    struct td_member m = {.id = 7};
    struct td_group_reading g = {.sampler = TD_SAMPLER_FIRST, .n = 1, .member = &m};
    struct td_courses *t = td_courses_new();
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (unsigned i = 0; i < 8; i++) {
        static const enum td_sample_start starts[] = {TD_START_ENABLED,   TD_START_SAMPLE, TD_START_THROTTLED,
                                                      TD_START_SAMPLE,    TD_START_SAMPLE, TD_START_THROTTLED,
                                                      TD_START_THROTTLED, TD_START_SAMPLE};

        m.value += i != 4;
        g.held = i == 1 || i == 4;
        g.sampler = i % 2 ? TD_SAMPLER_SECOND : TD_SAMPLER_FIRST;
        CU_ASSERT_EQUAL(td_courses_take(t, &g, place('a'), &d), i == 4 || i == 5 ? (i == 4 ? -EAGAIN : 0) : 0);
        if (i != 6)
            CU_ASSERT_EQUAL(d.start, starts[i]);
        CU_ASSERT_EQUAL(d.from, !i ? TD_SAMPLER_ONLY : i % 2 ? TD_SAMPLER_FIRST : TD_SAMPLER_SECOND);
    }
    td_courses_free(t);
}

static void too_many(void)
{
    const struct td_member m = {.id = 7, .value = 1};
    struct td_group_reading g = {.n = 1, .member = &m};
    struct td_courses *t = td_courses_new();
    struct td_course_delta d;

    CU_ASSERT_PTR_NOT_NULL_FATAL(t);
    for (g.tid = 0; g.tid < TD_COURSES_MAX; g.tid++)
        CU_ASSERT_FATAL(!td_courses_take(t, &g, place('a'), &d) && d.course == g.tid);
    CU_ASSERT_EQUAL(td_courses_take(t, &g, place('a'), &d), -E2BIG);
    g.tid = 0;
    CU_ASSERT_EQUAL(td_courses_take(t, &g, place('a'), &d), -EAGAIN);
    CU_ASSERT_EQUAL(td_courses_count(t), TD_COURSES_MAX);
    td_courses_free(t);
}

/* ---- cgroups -------------------------------------------------------------------------------------- */

static bool is_called(const struct td_cgroups *c, uint64_t id, const char *path, uint32_t number)
{
    uint32_t found;
    const char *name = td_cgroups_find(c, id, &found);

    return found == number && (path ? name && !strcmp(name, path) : !name);
}

/* A path that an id had before has another number. */
static void cgroups(void)
{
    struct td_cgroups *c = td_cgroups_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT(is_called(c, 1, NULL, 0));
    CU_ASSERT(!td_cgroups_name(c, 1, "/a/b", 2) && !td_cgroups_name(c, 2, "/b", 2));
    CU_ASSERT(is_called(c, 1, "/a", 1) && is_called(c, 2, "/b", 2) && is_called(c, 3, NULL, 0));
    CU_ASSERT(!td_cgroups_name(c, 1, "/a", 2) && is_called(c, 1, "/a", 1));
    CU_ASSERT(!td_cgroups_name(c, 1, "/c", 2) && is_called(c, 1, "/c", 3) && is_called(c, 2, "/b", 2));
    CU_ASSERT(!td_cgroups_name(c, 3, "/a", 2) && is_called(c, 3, "/a", 4));
    td_cgroups_free(c);
}

static const CU_TestInfo tests[] = {
    {"from sample to sample", steps},
    {"other members and threads", members},
    {"samples that were lost", losses},
    {"samples that are held back", held},
    {"more courses than there may be", too_many},
    {"names of cgroups", cgroups},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("courses", tests);
