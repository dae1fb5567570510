/* SPDX-License-Identifier: MIT */
/* Which records are given when, and with what bytes: passes that are written here, and the order that is worked out by
 * hand. */
#include "formats/perf_data/data_order.h"
#include "tests/support/memory.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record's time is its text's number: "7b" is of time 7. Its other members are its place among the records. */
static void add(struct td_perf_order *o, const char *text, bool stays)
{
    static unsigned number;
    static char passing[16];
    struct td_perf_record r = {.time = strtoul(text, NULL, 10)};

    number++;
    r.at = 1000 + number, r.type = 2000 + number, r.misc = (uint16_t)(3000 + number);
    r.v = (struct td_perf_view){(const unsigned char *)(stays ? text : strcpy(passing, text)), strlen(text)};
    CU_ASSERT_EQUAL(td_perf_order_add(o, &r, stays), 0);
    memset(passing, '?', sizeof(passing));
}

/* What can be taken now: the texts, each with a blank after it. */
static void gives(struct td_perf_order *o, const char *wanted)
{
    struct td_perf_record r;
    char all[256] = "";

    while (td_perf_order_take(o, &r)) {
        const size_t n = strlen(all);

        snprintf(all + n, sizeof(all) - n, "%.*s ", (int)r.v.n, (const char *)r.v.at);
        CU_ASSERT_EQUAL(r.time, strtoul(all + n, NULL, 10));
        CU_ASSERT(r.type == r.at + 1000 && r.misc == r.at + 2000);
    }
    CU_ASSERT_STRING_EQUAL(all, wanted);
}

/* After each pass come the records up to the latest time of the pass before it; of equal times in the file's order. */
static void passes(bool stays)
{
    struct td_perf_order *o = td_perf_order_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(o);
    gives(o, "");
    add(o, "10", stays), add(o, "30", stays), add(o, "20", stays), add(o, "10b", stays);
    gives(o, "");
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    gives(o, ""); /* the pass before the first one has no time */
    add(o, "40", stays), add(o, "31", stays), add(o, "30b", stays), add(o, "5", stays), add(o, "29", stays);
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    gives(o, "5 10 10b 20 29 30 30b ");
    add(o, "41", stays), add(o, "35", stays), add(o, "40b", stays);
    gives(o, "");
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    gives(o, "31 35 40 40b ");
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0); /* a pass without records */
    gives(o, "41 ");
    add(o, "50", stays), add(o, "45", stays);
    CU_ASSERT_EQUAL(td_perf_order_round(o, true), 0);
    gives(o, "45 50 ");
    CU_ASSERT_EQUAL(td_perf_order_round(o, true), 0);
    gives(o, "");
    td_perf_order_end(o);
    gives(o, "");
    td_perf_order_free(o);
}

static void copied(void)
{
    passes(false);
}

static void staying(void)
{
    passes(true);
}

/* A record of the first time of all is later than no pass. */
static void first_times(void)
{
    struct td_perf_order *o = td_perf_order_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(o);
    add(o, "1", false), add(o, "0", false);
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    gives(o, "0 ");
    CU_ASSERT_EQUAL(td_perf_order_round(o, true), 0);
    gives(o, "1 ");
    td_perf_order_free(o);
}

/* The bytes of records that stay and of such that do not, when some of both have been given. */
static void mixed(void)
{
    struct td_perf_order *o = td_perf_order_new();

    CU_ASSERT_PTR_NOT_NULL_FATAL(o);
    add(o, "3long", false), add(o, "1", true), add(o, "2", false);
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    add(o, "9a", false), add(o, "8stays", true), add(o, "7longer", false), add(o, "6", false);
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    gives(o, "1 2 3long ");
    add(o, "11x", false), add(o, "10", true);
    CU_ASSERT_EQUAL(td_perf_order_round(o, true), 0);
    gives(o, "6 7longer 8stays 9a 10 11x ");
    td_perf_order_free(o);
    td_perf_order_free(NULL);
}

/* ---- without memory -------------------------------------------------------------------------------------- */

/* Records in passes, up to one that there is no memory for: the others are given. */
static int no_memory_scenario(void *ctx)
{
    static const unsigned char bytes[64] = {0};
    struct td_perf_order *o = td_perf_order_new();
    struct td_perf_record r = {.v = {bytes, sizeof(bytes)}};
    size_t added = 0, taken = 0;
    int err = o ? 0 : -ENOMEM;

    (void)ctx;
    while (!err && added < 40) {
        r.time = added + 1;
        err = td_perf_order_add(o, &r, false);
        added += !err;
        if (!err && added % 10 == 0)
            err = td_perf_order_round(o, false);
        while (!err && td_perf_order_take(o, &r))
            taken++;
    }
    if (o && !td_perf_order_round(o, true))
        for (; td_perf_order_take(o, &r); taken++)
            CU_ASSERT(r.v.n == sizeof(bytes) && !memcmp(r.v.at, bytes, sizeof(bytes)));
    CU_ASSERT_EQUAL(taken, added);
    td_perf_order_free(o);
    return err;
}

static void no_memory(void)
{
    CU_ASSERT(memory_each(no_memory_scenario, NULL, 1, false) > 8);
}

/* ---- more than is kept ---------------------------------------------------------------------------------- */

enum { BIG = 1 << 20, MOST = TD_PERF_ORDER_MAX / BIG };

static void add_big(struct td_perf_order *o, const unsigned char *bytes, uint64_t time, size_t n)
{
    const struct td_perf_record r = {.time = time, .v = {bytes, n}};

    CU_ASSERT_EQUAL(td_perf_order_add(o, &r, false), 0);
}

/* How many can be taken, which come in the order of times from this one on. */
static size_t taken(struct td_perf_order *o, uint64_t time)
{
    struct td_perf_record r;
    size_t n = 0;

    for (; td_perf_order_take(o, &r); n++)
        CU_ASSERT_EQUAL(r.time, time + n);
    return n;
}

/* 64 MiB are kept: 64 records. With one byte more, of one record more, those up to the time of the pass before are
 * given, if they are half of the records, and else all. */
static void half(size_t early)
{
    unsigned char *bytes = calloc(1, BIG);
    struct td_perf_order *o = td_perf_order_new();

    CU_ASSERT_FATAL(bytes && o);
    for (uint64_t i = 1; i <= early; i++)
        add_big(o, bytes, i, BIG);
    CU_ASSERT_EQUAL(td_perf_order_round(o, false), 0);
    for (uint64_t i = early + 1; i <= MOST; i++)
        add_big(o, bytes, i, BIG);
    CU_ASSERT_EQUAL(taken(o, 1), 0);
    add_big(o, bytes, MOST + 1, 1);
    CU_ASSERT_EQUAL(taken(o, 1), early >= (MOST + 1) / 2 ? early : MOST + 1);
    td_perf_order_free(o);
    free(bytes);
}

static void halves(void)
{
    half((MOST + 1) / 2);
    half((MOST + 1) / 2 - 1);
}

static const CU_TestInfo tests[] = {
    {"passes, copied", copied}, {"passes that stay", staying}, {"the first times", first_times},
    {"some stay", mixed},       {"without memory", no_memory}, {"as much as is kept", halves},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("order of records", tests);
