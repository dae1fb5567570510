/* SPDX-License-Identifier: MIT */
/* Counters that add up, by hand: parts of nodes, what was absent, standing, scopes, what is left out. */
#include "stats/tally.h"

#include "tests/support/made_result.h"
#include "tests/support/memory.h"

#include <string.h>

/* An interval of so many slots, and of no known cycles. */
static void interval(struct made_result *m, double slots)
{
    made_begin(m);
    m->r.uarch = td_uarch_by_name("spr");
    m->r.slots = slots;
    m->counts.n = 0;
}

static const struct td_tally_node *node(const struct td_tally *t, size_t scope, const char *name)
{
    for (size_t i = 0; i < t->scope[scope].n; i++)
        if (!strcmp(t->scope[scope].node[i].name, name))
            return &t->scope[scope].node[i];
    return NULL;
}

static void node_is(const struct td_tally *t, const char *name, const double wanted[TD_TALLY_PARTS])
{
    const struct td_tally_node *n = node(t, 0, name);

    CU_ASSERT_FATAL(n != NULL);
    for (size_t i = 0; i < TD_TALLY_PARTS; i++)
        CU_ASSERT_DOUBLE_EQUAL(n->part[i], wanted[i], 1e-9);
}

/* Of 1,000 slots: sound bounds; likely ones, for which sound ones allow anything; none; no value. */
static void parts(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 1000);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT_FATAL(t.scopes.n == 1);
    CU_ASSERT(t.scope[0].whole[TD_TALLY_SLOTS] == 1000 && t.scope[0].whole[TD_TALLY_CYCLES] == 0);
    node_is(&t, "retiring", (double[]){500, 440, 560, 440, 560, 0});
    node_is(&t, "bad_speculation", (double[]){60, 0, 1000, 50, 70, 0});
    node_is(&t, "frontend_bound", (double[]){180, 0, 1000, 0, 1000, 0});
    node_is(&t, "core_bound", (double[]){0, 0, 1000, 0, 1000, 1000});
    CU_ASSERT(node(&t, 0, "bad_speculation")->likely && !node(&t, 0, "retiring")->likely);
    CU_ASSERT(!node(&t, 0, "frontend_bound")->likely && node(&t, 0, "frontend_bound")->valued);
    CU_ASSERT(!node(&t, 0, "core_bound")->valued && node(&t, 0, "core_bound")->level == 2);
    CU_ASSERT(!node(&t, 0, "fetch_bandwidth") && !node(&t, 0, "ipc")); /* not on this CPU; no node */
    CU_ASSERT(!node(&t, 0, "l3_bound") && t.other_units); /* a share of stalls */

    /* 500 more, in which the likely one has sound bounds, and one without a value has it */
    interval(&m, 500);
    made_bounds(&m.metric[MADE_BAD_SPECULATION], TD_BOUNDS_SOUND, 0.04, 0.08);
    m.metric[MADE_CORE_BOUND] = made_metric("core_bound", "backend_bound", 2, 0.06);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].whole[TD_TALLY_SLOTS] == 1500);
    node_is(&t, "bad_speculation", (double[]){90, 20, 1040, 70, 110, 0});
    node_is(&t, "core_bound", (double[]){30, 0, 1500, 0, 1500, 1000});
    td_tally_free(&t);
    CU_ASSERT(!t.scope && !t.scopes.n);
}

/* A share outside of 0 to 1, which errors of counters make, would let a counter run backwards or beyond its whole. */
static void within(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 1000);
    m.metric[MADE_RETIRING].value = 1.02;
    made_bounds(&m.metric[MADE_RETIRING], TD_BOUNDS_SOUND, 0.9, 1.1);
    m.metric[MADE_BACKEND_BOUND].value = -0.03;
    made_bounds(&m.metric[MADE_BACKEND_BOUND], TD_BOUNDS_SOUND, -0.1, 0.05);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    node_is(&t, "retiring", (double[]){1000, 900, 1000, 900, 1000, 0});
    node_is(&t, "backend_bound", (double[]){0, 0, 50, 0, 50, 0});
    td_tally_free(&t);
}

/* A node that was not listed may have had all of what passed meanwhile: before it was, and after. */
static void unlisted(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 300);
    m.r.nmetrics = 4;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    interval(&m, 1000);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    node_is(&t, "memory_bound", (double[]){200, 150, 550, 150, 550, 300});
    interval(&m, 200);
    m.r.nmetrics = 4;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    node_is(&t, "memory_bound", (double[]){200, 150, 750, 150, 750, 500});
    td_tally_free(&t);
}

/* Shares of cycles have a whole of their own; without cycles they are left out. */
static void cycles(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 1000);
    m.metric[MADE_MEMORY_BOUND].unit = "cycles";
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(!node(&t, 0, "memory_bound"));
    m.counts.n = 1;
    m.count[0] = (struct td_count){.event = (uint16_t)td_uarch_event_number(m.r.uarch, "cycles"), .value = 400};
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].whole[TD_TALLY_CYCLES] == 400 && t.scope[0].whole[TD_TALLY_SLOTS] == 2000);
    node_is(&t, "memory_bound", (double[]){80, 60, 100, 60, 100, 0});
    m.count[0].status = TD_NOT_COUNTED;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].whole[TD_TALLY_CYCLES] == 400);
    td_tally_free(&t);
}

/* What cannot be added is counted by its reason, and adds nothing else. */
static void discarded(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, (double)NAN);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    interval(&m, 0);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].discarded[TD_NO_SLOTS] == 2);
    interval(&m, 1000);
    for (size_t i = 0; i < 4; i++)
        m.metric[i].status = TD_NOT_COUNTED;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].discarded[TD_NOT_COUNTED] == 1 && t.scope[0].discarded[TD_NO_SLOTS] == 2);
    CU_ASSERT(t.scope[0].n == 0 && t.scope[0].whole[TD_TALLY_SLOTS] == 0 && t.scope[0].seconds == 0);
    m.metric[0].status = TD_MISSING_EVENT; /* the first one's reason counts, and one value is enough, also there */
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].discarded[TD_MISSING_EVENT] == 1 && t.scope[0].discarded[TD_NOT_COUNTED] == 1);
    m.metric[0].status = TD_OK;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].whole[TD_TALLY_SLOTS] == 1000 && t.scope[0].discarded[TD_MISSING_EVENT] == 1);
    td_tally_free(&t);
}

/* What is no node, or of no level, is not added. */
static void no_nodes(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 1000);
    m.metric[MADE_IPC].unit = m.metric[MADE_GBPS].unit = "slots";
    m.metric[MADE_IPC].level = 1;
    m.metric[MADE_GBPS].kind = TD_METRIC_NODE;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(node(&t, 0, "retiring") && !node(&t, 0, "ipc") && !node(&t, 0, "bandwidth"));
    td_tally_free(&t);
}

static void standing(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, 10); /* multiplexed: for three quarters of a quarter of a second */
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.flags = TD_FLAG_CPUS_CHANGED;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.flags = 0;
    m.r.coverage = 1;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.coverage = (double)NAN;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.coverage = 0.999;
    m.r.at.duration = 0;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].intervals[TD_TALLY_EXACT] == 2);
    CU_ASSERT(t.scope[0].intervals[TD_TALLY_MULTIPLEXED] == 2);
    CU_ASSERT(t.scope[0].intervals[TD_TALLY_PARTIAL] == 1);
    CU_ASSERT_DOUBLE_EQUAL(t.scope[0].seconds, 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(t.scope[0].counted, 0.875, 1e-12);
    td_tally_free(&t);
}

/* Where nothing ran the time counts, and there are no slots; by turns, nothing is more than partial. */
static void idle(void)
{
    struct td_tally t = {.most = 0};
    struct made_result m;

    interval(&m, (double)NAN); /* a quarter of a second */
    m.r.coverage = (double)NAN;
    m.r.flags = 0;
    CU_ASSERT(!td_tally_add_idle(&t, &m.r));
    t.by_turns = true;
    CU_ASSERT(!td_tally_add_idle(&t, &m.r));
    interval(&m, 1000);
    m.r.coverage = 1;
    m.r.flags = 0;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scope[0].intervals[TD_TALLY_EXACT] == 1 && t.scope[0].intervals[TD_TALLY_PARTIAL] == 2);
    CU_ASSERT(t.scope[0].intervals[TD_TALLY_MULTIPLEXED] == 0 && t.scope[0].discarded[TD_NO_SLOTS] == 0);
    CU_ASSERT(t.scope[0].seconds == 0.75 && t.scope[0].counted == 0.75 && t.scope[0].whole[TD_TALLY_SLOTS] == 1000);
    t.most = 1;
    m.r.at.scope = "another";
    CU_ASSERT(!td_tally_add_idle(&t, &m.r) && t.left_out == 1);
    td_tally_free(&t);
}

/* Scopes are kept apart by name, kind and core, up to so many; of further ones the intervals are counted. */
static void scopes(void)
{
    struct td_tally t = {.most = 2};
    struct made_result m;

    interval(&m, 10);
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.at.scope_kind = TD_KIND_CPU;
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.at.scope = "another";
    CU_ASSERT(!td_tally_add(&t, &m.r));
    m.r.at.scope = "S0-C1";
    CU_ASSERT(!td_tally_add(&t, &m.r));
    CU_ASSERT(t.scopes.n == 2 && t.left_out == 1);
    CU_ASSERT(t.scope[0].whole[TD_TALLY_SLOTS] == 10 && t.scope[1].whole[TD_TALLY_SLOTS] == 20);
    CU_ASSERT_STRING_EQUAL(t.scope[1].cpu, "spr");
    td_tally_free(&t);
}

static bool is_named(void *name, const struct td_scope_id *id)
{
    return !strcmp(id->name, name);
}

/* What is dropped begins at 0 when it comes again; the others go on, wherever they were. */
static void dropped(void)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static char b[] = "b", none[] = "none";
    struct td_tally t = {.most = 0};
    struct made_result m;

    CU_ASSERT_EQUAL(td_tally_drop(&t, is_named, b), 0);
    for (size_t i = 0; i < 4; i++) {
        interval(&m, 10 * (double)(i + 1));
        m.r.at.scope = names[i];
        CU_ASSERT(!td_tally_add(&t, &m.r));
    }
    CU_ASSERT_EQUAL(td_tally_drop(&t, is_named, none), 0);
    CU_ASSERT_EQUAL(t.scopes.n, 4);
    CU_ASSERT_EQUAL(td_tally_drop(&t, is_named, b), 0);
    CU_ASSERT_EQUAL(t.scopes.n, 3);
    for (size_t i = 0; i < 4; i++) {
        interval(&m, 1);
        m.r.at.scope = names[i];
        CU_ASSERT(!td_tally_add(&t, &m.r));
    }
    CU_ASSERT_EQUAL(t.scopes.n, 4);
    CU_ASSERT_STRING_EQUAL(t.scopes.id[1].name, "c");
    CU_ASSERT_STRING_EQUAL(t.scopes.id[3].name, "b");
    CU_ASSERT_EQUAL(t.scope[0].whole[TD_TALLY_SLOTS], 11);
    CU_ASSERT_EQUAL(t.scope[1].whole[TD_TALLY_SLOTS], 31);
    CU_ASSERT_EQUAL(t.scope[2].whole[TD_TALLY_SLOTS], 41);
    CU_ASSERT_EQUAL(t.scope[3].whole[TD_TALLY_SLOTS], 1);
    td_tally_free(&t);
}

/* Several scopes, twice each, of which the last is dropped. */
static int adds(void *ctx)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static char last[] = "e";
    struct td_tally t = {.most = 0};
    struct made_result m;
    int err = 0;

    (void)ctx;
    for (size_t i = 0; i < 10 && !err; i++) {
        interval(&m, 10);
        m.r.at.scope = names[i / 2];
        err = td_tally_add(&t, &m.r);
    }
    err = err ? err : td_tally_drop(&t, is_named, last);
    td_tally_free(&t);
    return err;
}

static void without_memory(void)
{
    CU_ASSERT(memory_each(adds, NULL, 1, false) >= 5 * 5);
}

static const CU_TestInfo tests[] = {
    {"parts", parts},
    {"within 0 to 1", within},
    {"unlisted nodes", unlisted},
    {"cycles", cycles},
    {"discarded intervals", discarded},
    {"no nodes", no_nodes},
    {"standing", standing},
    {"where nothing ran, and turns", idle},
    {"scopes", scopes},
    {"scopes that are dropped", dropped},
    {"without memory", without_memory},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("tally", tests);
